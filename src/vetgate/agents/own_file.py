"""Registering with agents that take a file of our own: written whole, and taken back whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.agents.installation import SETTINGS, Plan, Removal, Scope, Writing
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vetgate.agents.installation import Installation, Receipts


@dataclass(frozen=True, slots=True)
class OwnFile:
    """`content` is what stands there for an installation, in a scope; `mark` is in every file of ours."""

    agent: str
    path: Callable[[Scope, Path], Path]
    content: Callable[[Installation, Scope], str]
    mark: bytes = b"vetgate-hook"

    def paths(self, root: Path) -> dict[Scope, Path]:
        return {scope: self.path(scope, root) for scope in (Scope.USER, Scope.PROJECT)}

    def is_there(self, path: Path) -> bool:
        return self.mark in (read_bytes(path) or b"")

    def plan(self, installation: Installation) -> Plan:
        scope = Scope.PROJECT if installation.scope is Scope.PROJECT else Scope.USER
        path = self.path(scope, installation.root)
        before = read_bytes(path)
        if before is not None and not self.is_there(path):
            return Plan(stuck=[f"{path} is not a file of vetgate, so it was left alone; move it and run it again"])
        writing = Writing(path, SETTINGS, before, self.content(installation, scope).encode())
        plan = Plan([installation.launcher_writing(self.agent), writing])
        other = self.path(Scope.USER if scope is Scope.PROJECT else Scope.PROJECT, installation.root)
        if self.is_there(other):
            plan.notes.append(f"{other} has our hooks too, so every call is judged twice; delete one of the two")
        return plan

    def removal(self, installation: Installation, receipts: Receipts) -> Removal:
        found = Removal()
        for scope, path in self.paths(installation.root).items():
            data, receipt = read_bytes(path), receipts.of(path)
            if installation.scope not in {None, scope} or data is None or not self.is_there(path):
                continue
            others = receipt.without(installation.root).projects if receipt else ()
            if scope is Scope.USER and others and installation.scope is None:
                found.left.append(f"{path}: still needed in {', '.join(others)}")
            else:
                found.writings.append(Writing(path, SETTINGS, data, None))
        return found

    def repairs(self, installation: Installation) -> list[Writing]:
        plans = (
            self.plan(replace(installation, scope=scope))
            for scope, path in self.paths(installation.root).items()
            if self.is_there(path)
        )
        return [writing for plan in plans for writing in plan.writings]
