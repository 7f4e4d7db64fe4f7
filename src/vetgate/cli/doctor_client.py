"""The doctor's look at the client itself: its version, how it is started, and what went wrong in its sessions."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.claude_code.probe import FAILS_CLOSED, SUPPORTED, installed, spelled
from vetgate.agents.claude_code.settings import Place, config_dir, reaches_us
from vetgate.agents.claude_code.transcript import HookFailure, failures
from vetgate.cli.diagnosis import Diagnosis, bad, good, note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.cli.doctor_settings import Settings
    from vetgate.cli.setup import Ground

FOLDER = "folder"

_SWITCHES = ("CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE")
_OFF = frozenset({"", "0", "false", "no", "off"})
_REMEMBERED = timedelta(days=7)


def look_at_client(ground: Ground, files: list[Settings]) -> Iterator[Diagnosis]:
    yield _version()
    yield from _environment(files)
    yield from _folder_trust(ground.root)
    yield from _failures(ground, files)


def _version() -> Diagnosis:
    client = installed()
    if client is None:
        return note("client", "no `claude` on the PATH", "there is nobody to gate here", "install Claude Code")
    if client.version is None:
        why = f"vetgate needs {spelled(SUPPORTED)} or later"
        return bad("client", f"{client.path} does not say its version", why, "claude --version")
    if client.version < SUPPORTED:
        why = f"vetgate needs {spelled(SUPPORTED)} or later"
        return bad("client", f"Claude Code {client} is too old", why, "claude update")
    if client.version < FAILS_CLOSED:
        why = (
            f"before {spelled(FAILS_CLOSED)} an edit passes unjudged when the hook is killed or takes longer than its "
            "timeout; later versions stop it"
        )
        return note("client", f"Claude Code {client} does not know `onFailure`", why, "claude update")
    return good("client", f"Claude Code {client}")


def _environment(files: list[Settings]) -> Iterator[Diagnosis]:
    why = "Claude Code then starts without any hooks"
    for name in _SWITCHES:
        if os.environ.get(name, "").lower() not in _OFF:
            yield bad("environment", f"{name} is set in this terminal", why, f"unset {name}")
        for file in files:
            env = file.value.get("env")
            given = str(env.get(name, "")) if isinstance(env, dict) else ""
            # The client applies these from a person's own settings, not from a repository's.
            if file.place in {Place.USER, None} and given.lower() not in _OFF:
                yield bad("environment", f"{file.path} sets {name}", why, f"take {name} out of `env` in that file")


def _folder_trust(root: Path) -> Iterator[Diagnosis]:
    """Before a person accepts a folder in the client, an interactive session there runs no hook at all."""
    moved = os.environ.get("CLAUDE_CONFIG_DIR")
    state = (Path(moved) if moved else Path.home()) / ".claude.json"
    try:
        projects = json.loads(state.read_bytes())["projects"]
        accepted = any(projects.get(str(each), {}).get("hasTrustDialogAccepted") for each in (root, *root.parents))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        accepted = False
    if not accepted:
        why = "until then an interactive session runs no hooks; `claude -p` runs them without asking"
        yield note(FOLDER, f"Claude Code has not been told yet to trust {root}", why, "start claude there and accept")


def _failures(ground: Ground, files: list[Settings]) -> Iterator[Diagnosis]:
    since = datetime.now(UTC) - _REMEMBERED
    found = [each for each in failures(config_dir(), ground.root, reaches_us) if _time_of(each) >= since]
    written = datetime.fromtimestamp(_last_written(ground, files), UTC)
    fresh = [each for each in found if _time_of(each) >= written]
    if not fresh:
        older = f"; {len(found)} before the last repair" if found else ""
        yield good("sessions", f"no failures of our hooks in the client's transcripts of the last week{older}")
        return
    passed = sum(each.passed for each in fresh)
    times = "once" if len(fresh) == 1 else f"{len(fresh)} times"
    last = fresh[-1]
    why = f"{passed} of the calls went through unjudged" if passed else "the calls were stopped without a judgement"
    what = f"our hooks failed {times} in the client's sessions, last at {last.at} on {last.event}: {last.detail}"
    yield bad("sessions", what, why, "see the other findings; a repair starts the count anew")


def _last_written(ground: Ground, files: list[Settings]) -> float:
    """What failed before the launcher or the settings were last written may well be repaired."""
    paths = [ground.launcher, *(file.path for file in files if file.entries)]
    return max((written for path in paths if (written := _written(path))), default=time.time())


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # missing, or closed to us
        return 0.0


def _time_of(failure: HookFailure) -> datetime:
    try:
        at = datetime.fromisoformat(failure.at)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
