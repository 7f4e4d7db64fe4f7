"""How Codex is made to call vetgate: our entries in hooks.json, and the hashes without which it would not run them."""

from __future__ import annotations

import json
import os
import tomllib
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.codex.known import NAME
from vetgate.agents.codex.trust import key_of, trusted_in, with_trust, without_table, without_trust
from vetgate.agents.command_files import WORDS_BESIDE, CommandFiles, skill
from vetgate.agents.hook_entries import Listening, our_entries, settings_text
from vetgate.agents.hook_registration import HookFile, entries_in
from vetgate.agents.installation import SETTINGS, Scope, Writing, unmanaged
from vetgate.agents.mcp_servers import SERVER, is_ours, missing_library, wanted_words, words_of
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.agents.installation import Installation, Plan, Receipts, Removal


_SERVERS = "mcp_servers"
_HEADER = f"[{_SERVERS}.{SERVER}]"


def server_words(text: str) -> tuple[str, ...] | None:
    """What a server of our name is started with; None where there is none. Raises TOMLDecodeError."""
    servers = tomllib.loads(text).get(_SERVERS)
    if not isinstance(servers, dict) or SERVER not in servers:
        return None
    return words_of(servers[SERVER])


def with_server(text: str, words: Sequence[str]) -> tuple[str, str]:
    """The text with our table; or as it was, and why."""
    try:
        there = server_words(text)
    except tomllib.TOMLDecodeError as error:
        return text, f"it cannot be read ({error})"
    if there is not None and not is_ours(there):
        return text, f"its server `{SERVER}` is not the one that init writes"
    if there == words:
        return text, ""
    rest = without_table(text, _HEADER).rstrip()
    table = f"{_HEADER}\ncommand = {json.dumps(words[0])}\nargs = {json.dumps(list(words[1:]))}\n"
    after = f"{rest}\n\n{table}" if rest else table
    try:
        if server_words(after) == words:
            return after, ""
    except tomllib.TOMLDecodeError:  # servers in a table within a line, to which nothing can be added
        pass
    return text, "vetgate's server cannot be added to it"


def without_server(text: str) -> str:
    """Without our table; a server of that name that is not ours stays, and so does what cannot be taken out alone."""
    try:
        if not is_ours(server_words(text) or ()):
            return text
        rest = without_table(text, _HEADER)
        return rest if server_words(rest) is None else text
    except tomllib.TOMLDecodeError:
        return text


def words_in(data: bytes | None) -> tuple[str, ...] | None:
    """That of a file; none in one that nobody can read."""
    try:
        return server_words((data or b"").decode("utf-8", "surrogateescape"))
    except tomllib.TOMLDecodeError:
        return None


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


COMMANDS = CommandFiles(
    HOOKS.folder, "skills/{}/SKILL.md", skill, tool="mcp__vetgate__", arguments=WORDS_BESIDE, called="$vetgate-"
)


def install(installation: Installation) -> Plan:
    plan = HOOKS.plan(installation)
    written = plan.writings[-1]
    config = config_dir() / "config.toml"
    before = read_bytes(config)
    text = (before or b"").decode("utf-8", "surrogateescape")
    trusting = with_trust(text, written.path, our_entries(settings_text(written.after or b"")))
    if trusting is None:
        plan.notes.append(f"{config} was left alone: the trust in vetgate's hooks cannot be added to it; {_BY_HAND}")
    else:
        plan.notes.append(f"{config} says that Codex may run these hooks: exactly these, until one of them changes")
    after, why = _with_server(text if trusting is None else trusting, installation)
    if why:
        plan.notes.append(why)
    if before is not None or after:
        data = after.encode("utf-8", "surrogateescape")
        plan.writings.append(Writing(config, SETTINGS, before, before if before and after == text else data))
    if installation.scope is Scope.PROJECT:
        plan.notes.append(
            "Codex runs no hook of a repository that a person did not trust: each teammate does, in /hooks"
        )
    plan.add(COMMANDS.plan(installation))
    return plan


def _with_server(text: str, installation: Installation) -> tuple[str, str]:
    """In a person's own settings also for a repository: those of a repository are read where it is trusted alone."""
    if not installation.mcp:
        return text, ""
    if why := missing_library():
        return text, why
    after, why = with_server(text, wanted_words(Scope.USER))
    return after, why and f"the MCP server is not registered in {config_dir() / 'config.toml'}: {why}"


def remove(installation: Installation, receipts: Receipts) -> Removal:
    found = HOOKS.removal(installation, receipts)
    going = [writing.path for writing in found.writings]
    found.add(COMMANDS.removal(installation, receipts))
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
    if receipt and words_in(receipt.before) is None:
        rest = without_server(rest)
    if rest != text:
        found.writings.append(Writing(config, SETTINGS, data, rest.encode("utf-8", "surrogateescape")))
    return found


runs, hook_seconds = HOOKS.runs, HOOKS.hook_seconds
managed = partial(unmanaged, "Codex")
