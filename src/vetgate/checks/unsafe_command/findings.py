"""Effects as findings, of commands and of tools that read, list or write files."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.command_context import CommandPaths, real_path
from vetgate.checks.unsafe_command.effect import (
    DELETES,
    KINDS,
    LOSES_WORK,
    READS_CREDENTIALS,
    RUNS_FETCHED,
    SENDS_CREDENTIALS,
    MatchedEffect,
    Policy,
)
from vetgate.checks.unsafe_command.secrets import CredentialFiles
from vetgate.model import Decision, Finding, Span
from vetgate.severity import Severity
from vetgate.source.root import key
from vetgate.source.shell.placeholders import ANY, SET, STAR, without_placeholders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.command_context import CommandContext
    from vetgate.checks.unsafe_command.effect import Effect
    from vetgate.model import Command, Touch

_CHECK = "unsafe-command"
# What is said of these needs no summary before it.
_SAYS_ALL = frozenset({READS_CREDENTIALS, SENDS_CREDENTIALS})
_SAYS_THE_LOSS = ("it deletes ", "it empties ", "it overwrites ", "it removes ")


def findings_of(command: str, effects: tuple[Effect, ...]) -> tuple[Finding, ...]:
    """The evidence is what is done, not how it is written: the same deed by another route is the same finding."""
    return tuple(
        Finding(
            check=_CHECK,
            rule=effect.kind,
            span=_span(command, effect),
            message=f"`{effect.part}` {effect.loss or _described(effect)}.",
            severity=Severity.ERROR if effect.decision > Decision.WARN else Severity.WARNING,
            evidence=f"{effect.what} {effect.loss}".rstrip(),
            fix=f"A safe way: {effect.safe}." if effect.decision > Decision.WARN else "",
            cwe=KINDS[effect.kind].cwe,
            advisory=effect.decision is Decision.WARN,
            asks=effect.decision is Decision.ASK,
        )
        for effect in effects
    )


def _described(effect: Effect) -> str:
    if effect.kind in (DELETES, LOSES_WORK) and effect.what.startswith(_SAYS_THE_LOSS):
        return effect.what.removeprefix("it ")
    if effect.kind in _SAYS_ALL and effect.what.startswith("it "):
        return effect.what.removeprefix("it ").replace("; it ", " and ")
    summary = KINDS[effect.kind].summary
    more = [each for each in effect.what.split("; ") if each.removeprefix("it runs ").strip("`") not in effect.part]
    if effect.kind == RUNS_FETCHED:
        more = more[:1]  # what it fetches and what it runs are one thing
    return f"{summary}: {'; '.join(more)}" if more else summary


def _span(command: str, effect: Effect) -> Span:
    line, column = _place(command, effect.start)
    end_line, end_column = _place(command, effect.end)
    return Span("", line, column, end_line, end_column)


def _place(command: str, offset: int) -> tuple[int, int]:
    before = command[:offset]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


_GLOBS = {ord("*"): STAR, ord("?"): ANY, ord("["): SET}
_MOST_SHOWN = 200
_WRITES, _SEARCHES = "writes", "searches"


def effects_of_tool(command: Command, place: CommandContext, policy: Policy) -> Iterator[Finding]:
    decision = policy.decision(MatchedEffect(READS_CREDENTIALS, ""))
    if decision is Decision.ALLOW:
        return
    secrets = CredentialFiles(CommandPaths(place, policy.trusted), policy.sensitive)
    for touch in command.touches:
        if _is_credential(touch, secrets):
            yield _finding(command.tool, touch, decision)
            return


def _is_credential(touch: Touch, secrets: CredentialFiles) -> bool:
    """Names alone tell nothing away, and whoever writes a `.env` reads none: there only the place counts."""
    path = posixpath.normpath(without_placeholders(touch.path))
    if touch.how == _SEARCHES and secrets.lie_below(key(real_path(path))):
        return True
    if touch.how not in ("reads", _SEARCHES):
        return secrets.is_kept_at(path)
    if any(each in path for each in "*?[") and secrets.is_secret(path.translate(_GLOBS)):
        return True
    # A name alone may be anything, such as a path of a web service; what is not there tells nothing.
    return secrets.is_secret(path) and (os.path.lexists(path) or secrets.is_kept_at(path))


def _finding(tool: str, touch: Touch, decision: Decision) -> Finding:
    """The evidence is what is done: a command that does the same is the same finding."""
    path = touch.path[:_MOST_SHOWN]
    kind = KINDS[READS_CREDENTIALS]
    what = f"{path} holds credentials"
    verb = "changes" if touch.how == _WRITES else touch.how
    return Finding(
        check="unsafe-command",
        rule=READS_CREDENTIALS,
        span=Span(touch.path if touch.how == _WRITES else "", 1),
        message=f"`{tool} {path}` {verb} credentials: {what}.",
        severity=Severity.ERROR,
        evidence=what,
        fix=f"A safe way: {kind.safe}.",
        cwe=kind.cwe,
        asks=decision is Decision.ASK,
    )
