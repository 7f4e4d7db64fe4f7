"""Tools that read, list or write files: on credentials they are what a command would be that does the same."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.command_context import CommandPaths
from vetgate.checks.unsafe_command.effect import KINDS, READS_CREDENTIALS, Policy
from vetgate.checks.unsafe_command.secrets import CredentialFiles
from vetgate.model import Decision, Finding, Severity, Span
from vetgate.source.shell.marks import ANY, SET, STAR, without_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.command_context import CommandContext
    from vetgate.model import Command, Touch

_GLOBS = {ord("*"): STAR, ord("?"): ANY, ord("["): SET}
_MOST_SHOWN = 200
_WRITES = "writes"


def effects_of_tool(command: Command, place: CommandContext, policy: Policy) -> Iterator[Finding]:
    decision = policy.decision(READS_CREDENTIALS)
    if decision is Decision.ALLOW:
        return
    secrets = CredentialFiles(CommandPaths(place, policy.trusted), policy.sensitive)
    for touch in command.touches:
        if _is_credential(touch, secrets):
            yield _finding(command.tool, touch, decision)
            return


def _is_credential(touch: Touch, secrets: CredentialFiles) -> bool:
    """Names alone tell nothing away, and whoever writes a `.env` reads none: there only the place counts."""
    path = posixpath.normpath(without_marks(touch.path))
    if touch.how != "reads":
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
