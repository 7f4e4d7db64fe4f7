"""Allow once: a person types a code in a terminal of their own, and this very command may run one time."""

from __future__ import annotations

import time
from base64 import b32encode
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetgate.respond.call import Call


def code_of(root: str, command: str) -> str:
    """Of the command to the letter, in this project."""
    digest = blake2b(f"{root}\0{command}".encode("utf-8", "surrogatepass"), digest_size=5).digest()
    return b32encode(digest).decode().lower()


def is_allowed_once(call: Call) -> bool:
    return call.project.store.take_grant(code_of(str(call.project.root), call.event.command), time.time())


def way_out(call: Call) -> str:
    code = code_of(str(call.project.root), call.event.command)
    return f"to let exactly this run once, in a terminal of your own: vetgate allow {code}"
