"""What Claude Code writes down in its transcripts: its version, and the failures of our hooks.

The format is undocumented and grows, so the reader takes what it knows and passes over everything else.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents.hook_settings import object_in
from vetgate.expression import expression
from vetgate.source.recent_sets import RecentValues

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NEWEST_FILES = 30
_TAIL_BYTES = 1 << 20
_VERSION_BYTES = 128 << 10
_MOST_KNOWN = 64
_VERSION = expression(r"[0-9]{1,6}(\.[0-9A-Za-z-]{1,30}){1,5}")
_BARE_ERROR = expression(r"(?P<event>\w+)(?::\w+)? hook error: \[(?P<command>.+?)\]: (?P<detail>.*)", re.DOTALL)
_KNOWN: RecentValues[str, str] = RecentValues(_MOST_KNOWN)


@dataclass(frozen=True, slots=True)
class HookFailure:
    """One time the client ran our hook and got no decision from it. `passed`: the call went through unjudged."""

    event: str
    detail: str
    passed: bool
    at: str
    call: str


def failures(config_dir: Path, project: Path, ours: Callable[[str], bool]) -> list[HookFailure]:
    """Give the failures of hooks whose command is `ours`, in sessions of `project` and its folders, oldest first."""
    found: dict[tuple[str, str], HookFailure] = {}
    for file in _newest(config_dir / "projects", project):
        for line in _tail(file):
            failure = _read(line, project, ours)
            if failure:
                found.setdefault((failure.event, failure.call or failure.at), failure)
    return sorted(found.values(), key=lambda failure: failure.at)


def _newest(projects: Path, project: Path) -> list[Path]:
    # The client names the folder after the session's own; a session of a subfolder has a longer name.
    name = re.sub(r"[^a-zA-Z0-9]", "-", str(project))
    try:
        folders = [folder for folder in projects.iterdir() if folder.name.startswith(name)]
        files = [file for folder in folders for file in folder.glob("**/*.jsonl")]
        return sorted(files, key=lambda file: file.stat().st_mtime, reverse=True)[:_NEWEST_FILES]
    except OSError:
        return []


def _tail(file: Path) -> Iterator[dict[str, Any]]:
    try:
        with file.open("rb") as stream:
            start = max(0, file.stat().st_size - _TAIL_BYTES)
            stream.seek(start)
            lines = stream.read(_TAIL_BYTES).split(b"\n")
    except OSError:
        return
    for line in lines[1:] if start else lines:
        if b"hook" in line and (record := object_in(line)) is not None:
            yield record


def _read(record: dict[str, Any], project: Path, ours: Callable[[str], bool]) -> HookFailure | None:
    cwd = record.get("cwd")
    if isinstance(cwd, str) and not Path(cwd).is_relative_to(project):
        return None
    for reader in (_attachment, _stop_summary, _tool_result):
        command, failure = reader(record)
        if failure and ours(command):
            return failure
    return None


def _attachment(record: dict[str, Any]) -> tuple[str, HookFailure | None]:
    seen = record.get("attachment")
    if not isinstance(seen, dict):
        return "", None
    kind = _text(seen.get("type"))
    command = _text(seen.get("command"))
    if kind in {"hook_non_blocking_error", "hook_error_during_execution"}:
        return command, _failure(record, seen, _text(seen.get("stderr")) or _text(seen.get("content")), passed=True)
    if kind == "hook_cancelled" and seen.get("timedOut") is True:
        limit = seen.get("timeoutMs")
        return command, _failure(record, seen, f"timed out after {limit} ms", passed=True)
    blocking = seen.get("blockingError")
    if kind == "hook_blocking_error" and isinstance(blocking, dict):
        command, text = _text(blocking.get("command")), _text(blocking.get("blockingError"))
        # A decision of ours arrives as its bare reason; only what came without one carries the command line.
        if text.startswith(f"[{command}]"):
            return command, _failure(record, seen, text.removeprefix(f"[{command}]: "), passed=False)
    return "", None


def _stop_summary(record: dict[str, Any]) -> tuple[str, HookFailure | None]:
    infos, errors = record.get("hookInfos"), record.get("hookErrors")
    if record.get("subtype") != "stop_hook_summary" or not isinstance(infos, list) or not isinstance(errors, list):
        return "", None
    # With several hooks the summary does not say whose error it is; the attachments beside it do.
    failed = [error for error in errors if isinstance(error, str) and error.startswith("Failed")]
    if len(infos) != 1 or not failed or not isinstance(infos[0], dict):
        return "", None
    return _text(infos[0].get("command")), _failure(record, {**record, "hookEvent": "Stop"}, failed[0], passed=True)


def _tool_result(record: dict[str, Any]) -> tuple[str, HookFailure | None]:
    """Read a call the client refused because the hook failed: `onFailure`, or exit status 2 without a decision."""
    match = _BARE_ERROR.search(_text(record.get("toolUseResult")))
    if not match:
        return "", None
    seen = {"hookEvent": match["event"], "toolUseID": record.get("sourceToolAssistantUUID")}
    return match["command"], _failure(record, seen, match["detail"], passed=False)


def _failure(record: dict[str, Any], seen: dict[str, Any], detail: str, *, passed: bool) -> HookFailure:
    event, call, at = (
        _text(value) for value in (seen.get("hookEvent"), seen.get("toolUseID"), record.get("timestamp"))
    )
    return HookFailure(event, " ".join(detail.split())[:300], passed, at, call)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def client_of(transcript: str) -> str:
    """The version of the client that asks, which its payloads do not say: by the newest line that does, or ""."""
    known = _KNOWN.get(transcript)
    if known is None:
        known = next(filter(None, map(_version, reversed(_end_of(transcript)))), "")
        if known:
            _KNOWN.put(transcript, known)
    return known


def _end_of(transcript: str) -> list[bytes]:
    try:
        # Whatever is named there: a pipe must not make us wait.
        descriptor = os.open(transcript, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return []
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return []
        file.seek(max(0, status.st_size - _VERSION_BYTES))
        return file.read(_VERSION_BYTES).split(b"\n")


def _version(line: bytes) -> str:
    if b'"version"' not in line:
        return ""
    version = (object_in(line) or {}).get("version")
    return version if isinstance(version, str) and _VERSION.fullmatch(version) else ""
