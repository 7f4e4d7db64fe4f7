"""The warm process behind the hook, asked over its socket, never looked up by number; and one for another account."""

from __future__ import annotations

import os
import shlex
import socket
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate import client, fallback, launcher, runtime
from vetgate.agents import agent, session_agents
from vetgate.agents.installation import EXECUTABLE, launcher_script
from vetgate.model import UserError
from vetgate.service.installation import close_to_others
from vetgate.source.replace import read_bytes, write_bytes

if TYPE_CHECKING:
    from pathlib import Path
    from typing import NoReturn

PATIENCE = 2.0


def daemon_status(cwd: Path) -> dict[str, Any]:
    """`silent`: somebody listens and does not answer."""
    return _asked(call_from(cwd), client.STATUS)


def stop_daemon(cwd: Path) -> tuple[dict[str, Any], bool]:
    """What it was when it was asked to end, and whether it has."""
    call = call_from(cwd)
    before = _asked(call, client.STOP)
    return before, not before["silent"] and (not before["running"] or _is_gone(call))


def call_from(cwd: Path) -> client.ClientCall:
    """What a hook in that folder would ask with."""
    call = client.ClientCall({}, time.monotonic())
    call.cwd = os.fspath(cwd)
    call.project = client.project_of_session(call.cwd)
    return call


class Serving(NamedTuple):
    """A process that judges for the account `uid`, at `place`; the state stays where it is."""

    uid: int
    place: Path
    state: Path


def prepare_serving(account: str, folder: Path) -> Serving:
    """Write what the other account's hooks start with; UserError for a folder that others can write to."""
    uid = _uid(account)
    if uid == os.getuid():
        raise UserError(f"{account} is you", hint="give the agent an account of its own, see docs/two-accounts.md")
    place, state = folder.resolve(), runtime.state_dir()
    close_to_others(state)
    try:
        os.close(runtime.open_private(str(place), shared=True))
    except PermissionError as error:
        hint = f"make it yours and closed to writing by others: chown {os.getuid()} {place}; chmod 755 {place}"
        raise UserError(str(error), hint=hint) from None
    for each in session_agents():
        hook, script = launcher.place(place, each.name), launcher_script(each.name, state, place, os.getuid())
        write_bytes(hook, script, expected=read_bytes(hook), mode=EXECUTABLE)
    return Serving(uid, place, state)


def serve(served: Serving) -> NoReturn:
    """This process becomes the other."""
    uid, place, state = map(str, served)
    words = fallback.command(fallback.DAEMON, "--folder", place, "--state", state, "--for", uid)
    os.execve(words[0], words, fallback.environment())  # noqa: S606 - our own interpreter, our own program


def managed_settings(folder: Path, name: str) -> str:
    """What makes that agent ask, under another account, who serves there."""
    return agent(name).registration.managed(shlex.quote(str(launcher.place(folder.resolve(), name))))


def _uid(account: str) -> int:
    import pwd  # noqa: PLC0415 - not on Windows

    try:
        return int(account) if account.isdecimal() else pwd.getpwnam(account).pw_uid
    except KeyError:
        raise UserError(f"there is no account {account!r} here", hint="name it as `id` does") from None


def listener(address: str) -> int | None:
    """The process that holds this socket open, 0 where the system does not tell; None for nobody."""
    if not address:
        return None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(client.CONNECT_WITHIN)
        try:
            probe.connect(address)
            return client.pid_of(probe)
        except OSError:
            return None


def _asked(call: client.ClientCall, kind: bytes) -> dict[str, Any]:
    frame = client.ask_daemon(call.address(), client.pack(kind, {}), PATIENCE)
    if frame is None:
        return {"running": False, "silent": listener(call.address()) is not None, "project": call.project}
    fields = frame[1]
    return {
        "running": True,
        "silent": False,
        "project": call.project,
        "pid": int(fields["pid"]),
        "uptime_s": float(fields["uptime"]),
        "requests": int(fields["requests"]),
        "busy": int(fields["busy"]),
        "sessions": int(fields["sessions"]),
        "memory_mb": round(int(fields["memory"]) / (1 << 20), 1),
        "build_matches": fields["current"] == "yes",
    }


def _is_gone(call: client.ClientCall) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if client.ask_daemon(call.address(), client.pack(client.STATUS, {}), PATIENCE) is None:
            return True
        time.sleep(0.02)
    return False
