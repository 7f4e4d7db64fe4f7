"""How Codex is made to call vetgate: our entries in hooks.json, and the hashes without which it would not run them."""

from __future__ import annotations

import os
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.codex.known import NAME
from vetgate.agents.codex.trust import key_of, trusted_in, with_trust, without_trust
from vetgate.agents.hook_entries import Listening, our_entries, settings_text
from vetgate.agents.hook_registration import HookFile, entries_in
from vetgate.agents.installation import SETTINGS, Scope, Writing
from vetgate.model import UserError
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.agents.installation import Installation, Plan, Receipts, Removal

GUARD, GUARD_SECONDS = "PreToolUse", 10
_BY_HAND = "then trust vetgate's hooks in Codex itself: /hooks"


def config_dir() -> Path:
    moved = os.environ.get("CODEX_HOME")
    return Path(moved) if moved else Path.home() / ".codex"


def hooks_path(scope: Scope, root: Path) -> Path:
    return root / ".codex" / "hooks.json" if scope is Scope.PROJECT else config_dir() / "hooks.json"


def rows(judged: float = 0.0) -> tuple[Listening, ...]:
    """Without matchers: a patch in a shell command comes as a command, and tools of servers by names of their own."""
    return (
        Listening("SessionStart", 120, matcher=None),
        Listening("SubagentStart", 10, matcher=None),
        Listening("UserPromptSubmit", 120, matcher=None),
        Listening(GUARD, min(GUARD_SECONDS + ceil(judged), 600), matcher=None),
        Listening("PostToolUse", 300, matcher=None),
        Listening("Stop", 600, matcher=None),
        Listening("SubagentStop", 600, matcher=None),
        Listening("SessionEnd", 3, matcher=None),
    )


HOOKS = HookFile(NAME, hooks_path, rows)


def install(installation: Installation) -> Plan:
    plan = HOOKS.plan(installation)
    written = plan.writings[-1]
    config = config_dir() / "config.toml"
    before = read_bytes(config)
    text = (before or b"").decode("utf-8", "surrogateescape")
    after = with_trust(text, written.path, our_entries(settings_text(written.after or b"")))
    if after is None:
        plan.notes.append(f"{config} was left alone: the trust in our hooks cannot be added to it; {_BY_HAND}")
    else:
        data = after.encode("utf-8", "surrogateescape")
        plan.writings.append(Writing(config, SETTINGS, before, before if before and after == text else data))
        plan.notes.append(f"{config} says that Codex may run these hooks: exactly these, until one of them changes")
    if installation.scope is Scope.PROJECT:
        plan.notes.append(
            "Codex runs no hook of a repository that a person did not trust: each teammate does, in /hooks"
        )
    return plan


def remove(installation: Installation, receipts: Receipts) -> Removal:
    found = HOOKS.removal(installation, receipts)
    going = [writing.path for writing in found.writings]
    config = config_dir() / "config.toml"
    data, receipt = read_bytes(config), receipts.of(config)
    if data is None or not going:
        return found
    if receipt and receipt.is_untouched(data):
        found.writings.append(Writing(config, SETTINGS, data, receipt.before))
        return found
    text = data.decode("utf-8", "surrogateescape")
    keys = [key_of(path, entry) for path in going for entry in entries_in(path)]
    rest = without_trust(text, [key for key in keys if key in trusted_in(text)])
    if rest != text:
        found.writings.append(Writing(config, SETTINGS, data, rest.encode("utf-8", "surrogateescape")))
    return found


def runs(path: Path, command: str) -> bool:
    return HOOKS.runs(path, command)


def managed(command: str) -> str:
    raise UserError(
        f"Codex has no settings of an administrator that were seen to run {command}",
        hint="register it for each account",
    )


def hook_seconds(event: str, root: Path, environment: Mapping[str, str]) -> float:  # noqa: ARG001 - as others have it
    return HOOKS.seconds(event, root)
