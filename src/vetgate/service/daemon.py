"""The warm process behind the hook, asked over its socket, never looked up by number."""

from __future__ import annotations

import socket
import time
from typing import Any

from vetgate import client

PATIENCE = 2.0


def daemon_status() -> dict[str, Any]:
    """`silent`: somebody listens and does not answer."""
    return _asked(client.STATUS)


def stop_daemon() -> tuple[dict[str, Any], bool]:
    """What it was when it was asked to end, and whether it has."""
    before = _asked(client.STOP)
    return before, not before["silent"] and (not before["running"] or _is_gone())


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


def _asked(kind: bytes) -> dict[str, Any]:
    call = client.ClientCall({}, time.monotonic())
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


def _is_gone() -> bool:
    until = time.monotonic() + PATIENCE
    address = client.ClientCall({}, time.monotonic()).address()
    while time.monotonic() < until:
        if client.ask_daemon(address, client.pack(client.STATUS, {}), PATIENCE) is None:
            return True
        time.sleep(0.02)
    return False
