"""What people may type to an agent: one text for each command, in a file of its own where the agent looks for them.

A file that somebody else wrote, or changed since, stays. Most agents have commands of their own with these names, so
outside of the agent that the texts were made for each begins with the name of the program.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from vetgate.agents.installation import COMMANDS, Plan, Receipts, Removal, Scope, Writing
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from vetgate.agents.installation import Installation

STATUS = "vetgate"  # the command that is called like the program
COMMAND_NAMES = ("check", "confirm", "commit", "push", "review", "ship", "reconcile", STATUS)
# For agents that put nothing in the place of a word in the text.
WORDS_BESIDE = "the words that the person wrote beside this command"
# Texts of their own for agents without subagents of ours.
_ELSEWHERE = frozenset({"review", "ship"})


@lru_cache(maxsize=32)
def template(name: str) -> str:
    return (resources.files("vetgate.agents") / "templates" / name).read_text(encoding="utf-8")


class Prompt(NamedTuple):
    """One command: what it is called, what it is for, and what the model is told."""

    name: str
    summary: str
    text: str


@dataclass(frozen=True, slots=True)
class CommandFiles:
    """Where an agent looks for commands, and how one is written there.

    `folder` is the agent's own in a scope and a project, `place` where the command of a name stands below it. `tool`
    stands before the name of a tool of our server, `called` before that of a command, and `arguments` is what the agent
    replaces by the words after it, or what those are to the model.
    """

    folder: Callable[[Scope, Path], Path]
    place: str
    written: Callable[[Prompt], str]
    tool: str
    arguments: str
    called: str = "/vetgate-"

    def files(self, scope: Scope, root: Path) -> Mapping[Path, bytes]:
        folder = self.folder(scope, root)
        return {folder / self.place.format(each.name): self.written(each).encode() for each in self._prompts()}

    def _prompts(self) -> Iterator[Prompt]:
        marks = {"@/@": self.called, "@TOOL@": self.tool, "@SESSION@": "", "`$ARGUMENTS`": self.arguments}
        for name in COMMAND_NAMES:
            whole = template(f"{'elsewhere' if name in _ELSEWHERE else 'commands'}/{name}.md")
            head, _, text = whole.removeprefix("---\n").partition("---\n")
            said = next(line for line in head.splitlines() if line.startswith("description: "))
            for mark, value in marks.items():
                text = text.replace(mark, value)
            called = f"vetgate-{'status' if name == STATUS else name}"
            yield Prompt(called, said.removeprefix("description: "), text.strip() + "\n")

    def plan(self, installation: Installation) -> Plan:
        if not installation.commands:
            return Plan()
        return placed(self.files(installation.target, installation.root), Receipts(installation.state))

    def removal(self, installation: Installation, receipts: Receipts) -> Removal:
        found = Removal()
        for scope in (Scope.USER, Scope.PROJECT):
            if installation.scope not in {None, scope}:
                continue
            files = self.files(scope, installation.root)
            others = used_by_others(files, installation, receipts)
            if installation.keeps(scope, others):
                found.left.append(
                    f"the commands in {self.folder(scope, installation.root)}: {', '.join(others)} may use them"
                )
            else:
                found.add(displaced(files, receipts))
        return found


def markdown(prompt: Prompt) -> str:
    return f"---\ndescription: {prompt.summary}\n---\n\n{prompt.text}"


def skill(prompt: Prompt) -> str:
    return f"---\nname: {prompt.name}\ndescription: {prompt.summary}\n---\n\n{prompt.text}"


def placed(files: Mapping[Path, bytes], receipts: Receipts) -> Plan:
    """What somebody else wrote under one of these names, or changed since, stays and is named."""
    plan = Plan()
    for path, content in files.items():
        there, receipt = read_bytes(path), receipts.of(path)
        if there is None or there == content or (receipt and receipt.is_untouched(there)):
            plan.writings.append(Writing(path, COMMANDS, there, content))
        else:
            whose = "you changed it since init wrote it" if receipt else "init did not write this file"
            plan.notes.append(f"{path} was left alone: {whose}; move it away and run init again for vetgate's own")
    return plan


def displaced(files: Mapping[Path, bytes], receipts: Receipts) -> Removal:
    """Of what nobody touched since; a file that init did not write is not even named."""
    found = Removal()
    for path, data, is_ours in _written(files, receipts):
        if not is_ours:
            found.left.append(f"{path}: it was changed since init wrote it")
        elif data is not None:
            receipt = receipts.of(path)
            found.writings.append(Writing(path, COMMANDS, data, receipt.before if receipt else None))
    return found


def used_by_others(files: Mapping[Path, bytes], installation: Installation, receipts: Receipts) -> tuple[str, ...]:
    """The other projects that these files were written for."""
    written = (receipts.of(path) for path, _, _ in _written(files, receipts))
    return tuple(sorted({name for each in written if each for name in each.projects if name != str(installation.root)}))


def _written(files: Mapping[Path, bytes], receipts: Receipts) -> Iterator[tuple[Path, bytes | None, bool]]:
    for path in files:
        receipt = receipts.of(path)
        data = read_bytes(path) if receipt else None
        if receipt and data is not None:
            yield path, data, receipt.is_untouched(data)
