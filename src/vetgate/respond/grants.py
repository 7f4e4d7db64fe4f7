"""Allow once: a person types a code in a terminal of their own, and this very command may run one time."""

from __future__ import annotations

import time
from base64 import b32encode
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.model import Decision, Override

if TYPE_CHECKING:
    from vetgate.model import Verdict
    from vetgate.respond.call import Call


def code_of(root: str, command: str) -> str:
    """Of the command to the letter, in this project."""
    digest = blake2b(f"{root}\0{command}".encode("utf-8", "surrogatepass"), digest_size=5).digest()
    return b32encode(digest).decode().lower()


def with_grant(call: Call, verdict: Verdict) -> Verdict:
    """Let through, where a person allowed this very command once."""
    code = code_of(str(call.project.root), call.event.command)
    if verdict.decision < Decision.ASK or not call.project.store.take_grant(code, time.time()):
        return verdict
    notes = ("a person allowed this once",)
    return replace(verdict, decision=Decision.ALLOW, notes=notes, overridden=Override.PERSON)


def way_out(call: Call) -> str:
    code = code_of(str(call.project.root), call.event.command)
    return f"to let exactly this run once, in a terminal of your own: vetgate allow {code}"
