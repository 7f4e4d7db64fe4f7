"""Git's hooks answered: text for people on stderr, and an exit status that lets the commit or push pass or not."""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

import click

from vetgate.agents import CANARY
from vetgate.agents.git.hooks import MESSAGE, PRE_COMMIT, PRE_PUSH
from vetgate.checks import checks_under
from vetgate.checks.secrets.redaction import redacted_source
from vetgate.cli.progress import Bar
from vetgate.cli.report import render
from vetgate.cli.report.run import Run
from vetgate.cli.surface import BLOCKED, wants_colour
from vetgate.engine.analysis import source_of
from vetgate.model import Decision
from vetgate.record import elapsed_ms
from vetgate.service.git_hooks import called, judge_canary
from vetgate.service.pages import about
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vetgate.model import Change
    from vetgate.service.git_hooks import HookCall, Landed

# After so many seconds of searching a push something is said, and then again.
_PATIENCE, _BETWEEN = 3.0, 10.0


def answer(hook: str, words: Sequence[str], state: Path) -> int:
    """Exit status for git."""
    started = time.perf_counter()
    if tuple(words) == (CANARY,):
        return _say(judge_canary(), started)
    call = called(hook, words, os.fsdecode(sys.stdin.buffer.read()) if hook == PRE_PUSH else "", state)
    if call is None:
        return 0
    for note in call.notes:
        click.echo(f"vetgate: {note}", err=True)
    if call.in_force.must_ask:
        return BLOCKED
    with Bar() as progress:
        found = call.judge(progress, _Patience().seen)
    status = _say(found, started)
    return status if status or hook != PRE_COMMIT else _at_commit(call, found.change)


def _at_commit(call: HookCall, change: Change) -> int:
    said = call.run_commands(change)
    if said.text:
        click.echo(f"vetgate: {said.text}".encode("utf-8", "backslashreplace"), err=True)
        if call.holds_more():
            click.echo("vetgate: these ran over the work tree, which holds more than this commit", err=True)
    return BLOCKED if said.verdict.decision >= Decision.BLOCK else 0


def _say(found: Landed, started: float) -> int:
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
    click.echo(render(run, "text").encode("utf-8", "backslashreplace"), err=True, nl=False)
    if run.blocked and verdict.id:
        click.echo(f"vetgate explain {verdict.id} says more", err=True)
    return BLOCKED if run.blocked else 0


def _shown_text(texts: Mapping[str, str], path: str) -> str | None:
    """The content that was judged, as it may be shown."""
    try:
        return redacted_source(source_of(path, texts[path])) if path in texts else None
    except NotText:
        return None


def _shown(path: str) -> str:
    return "commit message" if path == MESSAGE else path


class _Patience:
    def __init__(self) -> None:
        self._next = time.monotonic() + _PATIENCE

    def seen(self, objects: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _BETWEEN
            click.echo(f"vetgate: {objects:,} objects of this push searched for secrets so far", err=True)
