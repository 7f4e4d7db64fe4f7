"""`vetgate allow`: a person lets one command run once, by the code that the refusal showed them."""

from __future__ import annotations

import contextlib
import re
import time

import click

from vetgate.cli.config import current_root
from vetgate.config.person import require_person
from vetgate.model import UserError
from vetgate.runtime import state_dir
from vetgate.service.configuration import hand
from vetgate.source.root import store_key
from vetgate.store import Store

MINUTES = 10
_CODE = re.compile(r"[a-z2-7]{8}")


@click.command()
@click.argument("code")
def allow(code: str) -> None:
    """Let exactly the command that was refused with CODE run once, within ten minutes.

    The refusal shows the code to you, not to the agent. Tell the agent to run the same command again.
    """
    require_person("allow what was refused")
    if not _CODE.fullmatch(code.lower()):
        raise UserError(f"{code!r} is no such code", hint="it stands at the end of vetgate's message, eight characters")
    with contextlib.closing(Store.open(state_dir(), store_key(current_root()))) as store:
        if store.problem:
            raise UserError(f"nothing can be allowed: {store.problem}")
        store.grant(code.lower(), time.time() + MINUTES * 60, hand())
    click.echo(f"allowed once, for {MINUTES} minutes; tell the agent to run the same command again")
