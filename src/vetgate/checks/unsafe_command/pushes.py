"""Pushes from repositories where no hook of ours looks at what leaves: clones, nested ones, those of others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import SKIPS_HOOKS, MatchedEffect
from vetgate.expression import expression
from vetgate.model import Decision
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.marks import UNKNOWN, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_MAKES_ONE = expression(r"\bgit\b[^;&|\n]*\s(?:init|clone)\b|\bgh\s+repo\s+(?:clone|fork)\b")
_SAFE = "push from the project itself; or a person runs `vetgate init --git` in that repository first"
_TOP = "--show-toplevel"


def pushed(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """Without anybody who knows which repositories are gated, as for a command by itself, nothing is said."""
    judged = context.paths.place.push
    if judged is None:
        return
    folder = _folder(run, context)
    if folder is None:
        if _TOP not in context.command or _MAKES_ONE.search(context.command):
            yield MatchedEffect(SKIPS_HOOKS, "it pushes from a folder that only the run will tell", _SAFE, asks=True)
        return
    is_new = not folder.is_dir() or (_MAKES_ONE.search(context.command) and folder != context.paths.place.configured)
    decision = Decision.BLOCK if is_new else judged(folder)
    if decision is not Decision.ALLOW:
        what = f"it pushes from {shown(str(folder))}, where no hook of vetgate looks at what leaves"
        yield MatchedEffect(SKIPS_HOOKS, what, _SAFE, asks=decision is Decision.ASK)


def _folder(run: ProgramRun, context: EffectContext) -> Path | None:
    """Where git looks for its repository; None for what is not known yet."""
    here = run.cwd or str(context.paths.place.cwd)
    for option, value in _options(run.arguments):
        # `--git-dir` starts from where the `-C` before it lead.
        here = value if value.startswith("/") else f"{here}/{value}"
        if option == "--git-dir":
            break
    return None if UNKNOWN in here or not here.startswith("/") else Path(here)


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    before = arguments[: len(arguments) - len(git_verb(arguments)[1])]
    for index, word in enumerate(before):
        if word in ("-C", "--git-dir") and index + 1 < len(before):
            yield word, before[index + 1]
        elif word.startswith("--git-dir="):
            yield "--git-dir", word.partition("=")[2]
