"""Git's hooks answered: text for people on stderr, and an exit status that lets the commit or push pass or not."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.progress import Bar
from vetgate.cli.report import render
from vetgate.cli.surface import say, wants_colour
from vetgate.service.git_hooks import HookSurface, answer_hook

if TYPE_CHECKING:
    from collections.abc import Sequence

# After so many seconds of searching a push something is said, and then again.
_PATIENCE, _BETWEEN = 3.0, 10.0


def answer(name: str, words: Sequence[str], state: Path) -> int:
    """Exit status for git."""
    with Bar() as bar:

        def tell(text: str) -> None:
            bar.clear()
            say(text, err=True)

        surface = HookSurface(
            read=lambda: os.fsdecode(sys.stdin.buffer.read()),
            say=tell,
            render=lambda run: render(run, "text", colour=wants_colour(sys.stderr)),
            progress=bar,
            searched=_Patience().seen,
        )
        return answer_hook(name, words, Path.cwd(), state, surface)


class _Patience:
    def __init__(self) -> None:
        self._next = time.monotonic() + _PATIENCE

    def seen(self, objects: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _BETWEEN
            click.echo(f"vetgate: {objects:,} objects of this push searched for secrets so far", err=True)
