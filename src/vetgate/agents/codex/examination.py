"""Is Codex really gated here? Above all: does it trust our hooks? It says nothing of those that it leaves out."""

from __future__ import annotations

import tomllib
from functools import partial
from typing import TYPE_CHECKING, Any

from vetgate.agents.codex.known import NAME, OFF, read_settings
from vetgate.agents.codex.registration import GUARD, HOOKS, config_dir, install, words_in
from vetgate.agents.codex.trust import hash_of, key_of, trusted_in
from vetgate.agents.diagnosis import bad
from vetgate.agents.hook_examination import REPAIR, Examinee, kept_environment, repaired
from vetgate.agents.hook_registration import entries_in
from vetgate.agents.hook_settings import object_in
from vetgate.agents.installation import Scope
from vetgate.agents.mcp_servers import look_at
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.hook_entries import Entry
    from vetgate.agents.installation import Installation
    from vetgate.agents.quiet_process import ProcessResult

# Beside `hooks`, what may stand at the top of hooks.json: with anything else Codex drops the file.
_TOP = frozenset({"hooks", "description"})


def _problems(installation: Installation) -> Iterator[Diagnosis]:
    own = config_dir() / "config.toml"
    trusted = trusted_in(_text(own))
    for path in HOOKS.paths(installation.root).values():
        yield from _left_out(path, trusted)
    for path in (own, installation.root / ".codex" / "config.toml"):
        found = read_settings(_text(path)) if path.exists() else None
        if found is not None and OFF in found.switched_on:
            told = "no hook runs, neither a repository's nor your own"
            yield bad("disabled", f"{path} has `hooks = false` under [features]", told, f"take it out of {path}")
    if entries_in(HOOKS.paths(installation.root)[Scope.PROJECT]) and _is_distrusted(own, installation.root):
        why = "Codex runs no hook of this repository, also where it is told to trust all"
        yield bad("trust", f"{own} calls {installation.root} untrusted", why, f"take that out of {own}")
    yield from look_at(words_in(read_bytes(own)) or (), own, installation, kept_environment())


def _left_out(path: Path, trusted: Mapping[str, Mapping[str, Any]]) -> Iterator[Diagnosis]:
    """Hooks of ours in that file which Codex does not run."""
    entries = entries_in(path)
    for entry in entries:
        if what := _untrusted(path, entry, trusted.get(key_of(path, entry), {})):
            yield bad("trust", what, "Codex does not run it, and says nothing", REPAIR)
    if entries:
        yield from _dropped(path)


def _is_distrusted(own: Path, root: Path) -> bool:
    try:
        projects = tomllib.loads(_text(own)).get("projects")
    except tomllib.TOMLDecodeError:
        return False
    said = projects.get(str(root)) if isinstance(projects, dict) else None
    return isinstance(said, dict) and said.get("trust_level") == "untrusted"


def _untrusted(path: Path, entry: Entry, state: Mapping[str, Any]) -> str:
    """Why Codex would leave it out; "" where it would not."""
    if state.get("enabled") is False:
        return f"vetgate's hook for {entry.event} in {path} is switched off"
    if "trusted_hash" not in state:
        return f"Codex does not trust vetgate's hook for {entry.event} in {path}"
    is_same = state["trusted_hash"] == hash_of(entry)
    return "" if is_same else f"vetgate's hook for {entry.event} in {path} was changed since it was trusted"


def _dropped(path: Path) -> Iterator[Diagnosis]:
    more = sorted(set(object_in(_text(path)) or {}) - _TOP)
    if more:
        why = "Codex drops the whole file for it, with every hook in it"
        yield bad("settings", f"{path} has `{more[0]}` beside its hooks", why, f"take `{more[0]}` out of {path}")


def _text(path: Path) -> str:
    return (read_bytes(path) or b"").decode("utf-8", "surrogateescape")


def _is_denied(ran: ProcessResult) -> bool:
    """As Codex reads it: exit status 2, and a reason on standard error."""
    return ran.status == 2 and bool(ran.stderr.strip()) and b"complexity" in ran.stderr


_EXAMINEE = Examinee(
    NAME,
    GUARD,
    HOOKS.events,
    HOOKS.registered,
    _problems,
    _is_denied,
    {},
    "0.166.0",
)
examine, require_supported = _EXAMINEE.examine, _EXAMINEE.require_supported
repairs = partial(repaired, HOOKS, install)
