"""Git's hooks answered: text for people on stderr, and an exit status that lets the commit or push pass or not."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.agents import CANARY
from vetgate.agents.git import wire
from vetgate.checks import checks_under
from vetgate.checks.secrets.redaction import redacted_source
from vetgate.cli.progress import Bar
from vetgate.cli.report import render
from vetgate.cli.report.run import Run
from vetgate.cli.surface import BLOCKED, wants_colour
from vetgate.engine.analysis import source_of
from vetgate.engine.decide import stops
from vetgate.model import Decision, Message
from vetgate.record import elapsed_ms
from vetgate.service.git_hooks import called, judge_canary
from vetgate.service.pages import about
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vetgate.agents.git.wire import HookEvent
    from vetgate.model import Change
    from vetgate.service.git_hooks import HookCall, Landed

# After so many seconds of searching a push something is said, and then again.
_PATIENCE, _BETWEEN = 3.0, 10.0


def answer(hook: str, words: Sequence[str], state: Path) -> int:
    """Exit status for git."""
    started = time.perf_counter()
    lines = os.fsdecode(sys.stdin.buffer.read()) if hook == wire.PRE_PUSH and tuple(words) != (CANARY,) else ""
    event = wire.parse(wire.hook_payload((hook, *words), lines), os.fspath(Path.cwd()))
    if event.words == (CANARY,):
        return _say(event, judge_canary(), started)
    call = called(event, state)
    if call is None:
        return 0
    for note in call.notes:
        click.echo(f"vetgate: {note}", err=True)
    if call.in_force.must_ask:
        return BLOCKED
    with Bar() as progress:
        found = call.judge(progress, _Patience().seen)
    status = _say(event, found, started)
    return status if status or hook != wire.PRE_COMMIT else _at_commit(call, found.change)


def _at_commit(call: HookCall, change: Change) -> int:
    said = call.run_commands(change)
    if said.text:
        click.echo(f"vetgate: {said.text}".encode("utf-8", "backslashreplace"), err=True)
        if call.holds_more():
            click.echo("vetgate: these ran over the work tree, which holds more than this commit", err=True)
    return BLOCKED if stops(said.verdict.decision) else 0


def _say(event: HookEvent, found: Landed, started: float) -> int:
    """Nothing at all where there is nothing to say."""
    verdict, change, config = found.verdict, found.change, found.config
    if verdict.decision is Decision.ALLOW and not verdict.unchecked:
        return 0
    texts = {file.path: file.after for file in change.files if file.after is not None}
    run = Run(
        verdict=verdict,
        root=change.root,
        files=sum(config.paths.checks(path) for path in texts),
        elapsed_ms=elapsed_ms(started),
        snippets=config.output.snippets,
        colour=wants_colour(sys.stderr),
        shown=_shown,
        text=partial(_shown_text, texts),
        checks=checks_under(config),
        page=about,
    )
    more = f"vetgate explain {verdict.id} says more\n" if run.blocked and verdict.id else ""
    message = Message(verdict.decision, f"{render(run, 'text')}{more}")
    reply = wire.render(event, replace(verdict, messages=(message,)))
    click.echo(reply.stderr, err=True, nl=False)
    return reply.status


def _shown_text(texts: Mapping[str, str], path: str) -> str | None:
    """The content that was judged, as it may be shown."""
    try:
        return redacted_source(source_of(path, texts[path])) if path in texts else None
    except NotText:
        return None


def _shown(path: str) -> str:
    return "commit message" if path == wire.MESSAGE else path


class _Patience:
    def __init__(self) -> None:
        self._next = time.monotonic() + _PATIENCE

    def seen(self, objects: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _BETWEEN
            click.echo(f"vetgate: {objects:,} objects of this push searched for secrets so far", err=True)
