"""Git's hooks answered: text for people on stderr, and an exit status that lets the commit or push pass or not."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.agents import CANARY
from vetgate.agents.git.hooks import COMMIT_MSG, HOOKS, MESSAGE, NAME, PRE_COMMIT, PRE_PUSH, landings, refs
from vetgate.checks import all_checks, checks_under
from vetgate.checks.secrets.redaction import redacted_source, word_redactor
from vetgate.cli.git_push import Push
from vetgate.cli.progress import Bar
from vetgate.cli.report import render
from vetgate.cli.report.run import Run
from vetgate.cli.surface import BLOCKED, wants_colour
from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer, source_of
from vetgate.model import Change, Decision, Event, EventKind, File, UserError, Verdict
from vetgate.project import Project
from vetgate.record import decision_id, elapsed_ms, record
from vetgate.respond.call import checking
from vetgate.respond.landing import landed
from vetgate.respond.loosened_config import by_change, committed, with_loosened
from vetgate.service.index import ready_index
from vetgate.service.pages import about
from vetgate.source import git
from vetgate.source.git_landing import Landing
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vetgate.config.schema import Config
    from vetgate.index.project import ProjectIndex
    from vetgate.source.git import Repository
    from vetgate.source.git_landing import Ref

_BAD = "def canary(a, b, c, d, e, f, g, h, i):\n" + "".join(
    f"{'    ' * depth}if a > {depth}:\n" for depth in range(1, 14)
)
_CANARY = Change(Path("/"), (File("canary.py", None, f"{_BAD}{'    ' * 14}return b\n"),))


def answer(hook: str, words: Sequence[str], state: Path) -> int:
    """Exit status for git; a project that nobody set up is left alone."""
    if hook not in HOOKS:
        raise UserError(f"vetgate has nothing to say in git's {hook!r} hook", hint=f"one of: {', '.join(HOOKS)}")
    started = time.perf_counter()
    if tuple(words) == (CANARY,):
        return _told(_probed(), _CANARY, defaults(), started)
    lines = os.fsdecode(sys.stdin.buffer.read()) if hook == PRE_PUSH else ""
    if hook == PRE_PUSH and all(ref.is_deleted for ref in refs(lines)):
        return 0
    repository = git.of_hook(Path.cwd())
    if repository is None or not Project.is_set_up(repository.top, state):
        return 0
    return _judged(hook, words, refs(lines), Project(repository.top, state), repository, started=started)


def _judged(
    hook: str,
    words: Sequence[str],
    pushed: tuple[Ref, ...],
    project: Project,
    repository: Repository,
    *,
    started: float,
) -> int:
    in_force = project.effective()
    config = in_force.config
    if not config.enabled or not config.on.get(HOOKS[hook], ()):
        return 0
    if hook != COMMIT_MSG:  # the commit's other hook has just said it
        for note in filter(None, (*in_force.notes, project.store.problem)):
            click.echo(f"vetgate: {note}", err=True)
    if in_force.must_ask:
        return BLOCKED
    if hook == PRE_PUSH:
        return _at_push(Push.of(project, repository, pushed, words), project, started)
    whole = landings(hook, words, repository)
    verdict = _of_landings(hook, whole, project, Analyzer(all_checks(), word_redactor))
    change = Change(project.root, tuple(file for each in whole for file in each.change.files))
    status = _told(_recorded(project, hook, verdict, change, started), change, config, started)
    if status or hook != PRE_COMMIT:
        return status
    from vetgate.cli.gate_commands import at_commit  # noqa: PLC0415 - not before the checks are done

    return at_commit(project, config, change)


def _at_push(push: Push, project: Project, started: float) -> int:
    """What the remote's branches become, and whatever is hidden in the commits on the way there."""
    config = project.effective().config
    analyzer = Analyzer(all_checks(), word_redactor)
    whole = push.landings()
    verdict = _of_landings(PRE_PUSH, whole, project, analyzer)
    hidden = push.secrets(config, checking(config, HOOKS[PRE_PUSH]), analyzer, verdict)
    if hidden:
        verdict = _joined([verdict, *(each for each, _ in hidden)])
    files = (*(file for each in whole for file in each.change.files), *(file for _, file in hidden))
    change = Change(project.root, files)
    status = _told(_recorded(project, PRE_PUSH, verdict, change, started), change, config, started)
    if not status:
        push.passed()
    return status


def _of_landings(hook: str, whole: Sequence[Landing], project: Project, analyzer: Analyzer) -> Verdict:
    config = project.effective().config
    index = _ready_index(project, config) if hook != COMMIT_MSG and whole else None
    checks = checking(config, HOOKS[hook])
    verdict = _joined([landed(each, checks, config, analyzer, project.suppressions(), index=index) for each in whole])
    return _with_looser(verdict, project, whole)


def _ready_index(project: Project, config: Config) -> ProjectIndex | None:
    with Bar() as progress:
        return ready_index(project.root, config, project.state_dir, progress)


def _joined(verdicts: list[Verdict]) -> Verdict:
    if len(verdicts) == 1:
        return verdicts[0]
    from vetgate.service.check import joined  # noqa: PLC0415 - it costs more than most commits take to judge

    return joined(verdicts)


def _with_looser(verdict: Verdict, project: Project, whole: Iterable[Landing]) -> Verdict:
    """What it does to the project's own settings, beside what it starts from."""
    accepted, config = project.accepted(), project.effective().config
    for each in whole:
        below = committed(project.root, each.change.base or "HEAD")
        verdict = with_loosened(verdict, by_change(accepted, each.change, below), config)
    return verdict


def _probed() -> Verdict:
    config = defaults()
    return landed(Landing(_CANARY), config.on[EventKind.COMMIT], config, Analyzer(all_checks(), word_redactor))


def _recorded(project: Project, hook: str, verdict: Verdict, change: Change, started: float) -> Verdict:
    """A message that nobody objects to is part of a commit that is on record already."""
    if hook == COMMIT_MSG and verdict.decision is Decision.ALLOW:
        return verdict
    named = replace(verdict, id=decision_id(_content(hook, change.files)))
    event = Event(NAME, HOOKS[hook], cwd=project.root, tool=hook, change=change)
    record(project.store, event, named, project.effective().config, elapsed_ms(started))
    return named


def _content(hook: str, files: Iterable[File]) -> bytes:
    """Names what was judged: the same content of the same files is the same decision."""
    parts = (part for file in files for part in (file.path, file.before, file.after))
    digest = sha256(hook.encode())
    for part in parts:
        data = b"-" if part is None else b"+" + part.encode("utf-8", "surrogateescape")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


def _told(verdict: Verdict, change: Change, config: Config, started: float) -> int:
    """Nothing at all where there is nothing to say."""
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
