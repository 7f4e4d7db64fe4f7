"""Git's hooks judged: what a commit makes of the project, its message, and what a push would send."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate import runtime
from vetgate.agents import CANARY, agent, session_agents
from vetgate.agents.installation import Installation, Receipts
from vetgate.checks import all_checks, checks_under
from vetgate.checks.secrets.redaction import redacted_source, word_redactor
from vetgate.config.gates import running_only
from vetgate.config.load import defaults
from vetgate.config.person import is_person
from vetgate.engine.analysis import Analyzer, source_of
from vetgate.engine.decide import stops
from vetgate.gates.ship import commits, listens, override_command, ship_judged, ship_lines, staged
from vetgate.model import SILENT, Change, Decision, Event, EventKind, File, GateKind, Message, UserError, Verdict
from vetgate.project import Project
from vetgate.record import decision_id, record
from vetgate.respond.call import checking
from vetgate.respond.landing import PUSHED_TO, Search, inside, landed
from vetgate.respond.loosened_config import by_change, committed, with_loosened
from vetgate.respond.protected_files import changed_launchers
from vetgate.service.index import ready_index
from vetgate.service.pages import about
from vetgate.service.report.run import Run
from vetgate.service.submodule_push import outgoing_submodules
from vetgate.source import git
from vetgate.source.clock import elapsed_ms
from vetgate.source.git_landing import MESSAGE, Landing, at_commit, at_push, known_to_remote, of_message
from vetgate.source.git_outgoing import Outgoing, new_commits
from vetgate.source.git_process import ask, index_of_commit
from vetgate.source.git_refs import branch
from vetgate.source.git_remote import refs_of
from vetgate.source.git_shipping import aliases, commit_trees
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.gates.ship import ShippedContent
    from vetgate.model import Finding, Verdict
    from vetgate.progress import Progress
    from vetgate.service.commands import Said
    from vetgate.source.git import Repository
    from vetgate.source.git_landing import LandingEvent, Ref

# More places than these are counted, not shown.
_MOST = 20
_HEADS = "refs/heads/"
_STOPPED = 1  # git asks for no more than that it is not 0
_BAD = "def canary(a, b, c, d, e, f, g, h, i):\n" + "".join(
    f"{'    ' * depth}if a > {depth}:\n" for depth in range(1, 14)
)
_CANARY = Change(Path("/"), (File("canary.py", None, f"{_BAD}{'    ' * 14}return b\n"),))


@dataclass(frozen=True, slots=True)
class HookSurface:
    """What git writes to the hook is read here, and people are told: lines at once, and what `render` makes of a run.

    `searched` hears now and then how many objects of a push were searched for secrets.
    """

    read: Callable[[], str]
    say: Callable[[str], None]
    render: Callable[[Run], str]
    progress: Progress
    searched: Callable[[int], None]


def answer_hook(name: str, words: Sequence[str], cwd: Path, state: Path, surface: HookSurface) -> int:
    """Exit status for git, or who else calls hooks by that name; the first of the words is the hook's."""
    started = time.perf_counter()
    wire = agent(name).hook_wire
    event = wire.parse(wire.hook_payload(words, surface.read), os.fspath(cwd))
    if event.session == CANARY:
        return _tell(event, _judge_canary(), started, surface)
    call = _called(event, state)
    if call is None:
        return 0
    for note in call.notes:
        surface.say(f"vetgate: {note}\n")
    if call.in_force.must_ask:
        return _STOPPED
    found = call.judge(surface)
    status = _tell(event, found, started, surface)
    return max(status, _run_commands(call, found, surface)) if _is_commit(event) else status


def _tell(event: LandingEvent, found: Landed, started: float, surface: HookSurface) -> int:
    """Nothing at all where there is nothing to say."""
    verdict = found.verdict
    if verdict.decision is Decision.ALLOW and not verdict.unchecked:
        return 0
    landing = found.landing or verdict
    shown = (
        "" if landing.decision is Decision.ALLOW and not landing.unchecked else _shown(found, landing, started, surface)
    )
    more = f"vetgate explain {verdict.id} says more\n" if stops(verdict.decision) and verdict.id else ""
    message = Message(verdict.decision, f"{shown}{found.shipped}{more}")
    reply = agent(event.agent).wire.render(event, replace(verdict, messages=(message,)))
    surface.say(reply.stderr.decode())
    return reply.status


def _shown(found: Landed, verdict: Verdict, started: float, surface: HookSurface) -> str:
    """What was found in what lands."""
    change, config = found.change, found.config
    texts = {file.path: file.after for file in change.files if file.after is not None}
    return surface.render(
        Run(
            verdict=verdict,
            files=sum(config.paths.checks(path) for path in texts),
            elapsed_ms=elapsed_ms(started),
            snippets=config.output.snippets,
            shown=lambda path: "commit message" if path == MESSAGE else path,
            text=partial(_shown_text, texts),
            checks=checks_under(config),
            page=about,
        )
    )


def _shown_text(texts: Mapping[str, str], path: str) -> str | None:
    """The content that was judged, as it may be shown."""
    try:
        return redacted_source(source_of(path, texts[path])) if path in texts else None
    except NotText:
        return None


def _run_commands(call: HookCall, found: Landed, surface: HookSurface) -> int:
    said = call.run_commands(found)
    if said.text:
        surface.say(f"vetgate: {said.text}\n")
        if call.holds_more():
            surface.say("vetgate: these ran over the work tree, which holds more than this commit\n")
    return _STOPPED if stops(said.verdict.decision) else 0


@dataclass(frozen=True, slots=True)
class Landed:
    """What is said of all that would land by a commit or a push.

    `landing` is the verdict without the ship gate's, and `shipped` what that has to say; None where nobody asked it.
    """

    verdict: Verdict
    change: Change
    config: Config
    landing: Verdict | None = None
    shipped: str = ""


@dataclass(frozen=True, slots=True)
class HookCall:
    """A hook of git in a project that somebody set up, as git called it."""

    event: LandingEvent
    repository: Repository
    project: Project
    in_force: Effective

    @property
    def notes(self) -> tuple[str, ...]:
        """None for a message: the commit's other hook has just said it."""
        return (
            ()
            if self.event.message is not None
            else tuple(filter(None, (*self.in_force.notes, self.project.store.problem)))
        )

    def judge(self, surface: HookSurface) -> Landed:
        """On record."""
        started = time.perf_counter()
        config = self.in_force.config
        analyzer = Analyzer(all_checks(), word_redactor)
        event = self.event
        push = Push.of(self.project, self.repository, event) if event.kind is EventKind.PUSH else None
        if push:
            whole = at_push(self.repository, push.refs, push.known)
        else:
            whole = (at_commit(self.repository) if event.message is None else of_message(event, self.repository),)
        verdict = self._judge_landings(whole, analyzer, surface.progress)
        files = [file for each in whole for file in each.change.files]
        if push:
            hidden = push.secrets(config, checking(config, event.kind), analyzer, verdict, surface.searched)
            if hidden:
                verdict = _joined([verdict, *(each for each, _ in hidden)])
            files += (file for _, file in hidden)
        elif _is_commit(event):
            search = Search(config, checking(config, event.kind), analyzer, self.project.suppressions())
            named = [found for each in whole for found in search.in_names(each.change)]
            verdict = _joined([verdict, *(each for each, _ in named)]) if named else verdict
        change = Change(self.project.root, tuple(files))
        verdict = with_loosened(verdict, self._changed_launchers(), config)
        landing = verdict
        asked, shipped = self._ship_gate(push)
        verdict = self._recorded(verdict.joined(asked), change, started)
        if push and not stops(verdict.decision):
            push.passed()
        return Landed(verdict, change, config, replace(landing, id=verdict.id), shipped)

    def _changed_launchers(self) -> list[Finding]:
        """An agent's own hooks go through the launcher, and say nothing once that is another program."""
        if self.event.message is not None:
            return []
        return changed_launchers(self.project.store, partial(_is_as_written, self.project))

    def _ship_gate(self, push: Push | None) -> tuple[Verdict, str]:
        """What would leave by this push, or lands on a branch that counts as left, has to be reviewed."""
        config, project = self.in_force.config, self.project
        contents = self._shipped(push) if self.event.message is None and listens(config) else ()
        asked = ship_judged(project, config, contents) if contents else SILENT
        if asked.decision is Decision.ALLOW:
            return asked, ""
        lines = [ship_lines(asked)]
        if stops(asked.decision) and config.ship.people == "warn" and is_person():
            asked = replace(asked, decision=Decision.WARN)
            lines.append("It is not stopped: `ship.people` is warn, and no agent is at work here.")
        elif stops(asked.decision):
            command = override_command(project, config, contents)
            lines += [f"A person can let exactly this leave, in a terminal: {command}"] if command else []
        return asked, "".join(f"{line}\n" for line in lines)

    def _shipped(self, push: Push | None) -> tuple[ShippedContent, ...]:
        counted = self.in_force.config.ship.branches
        if push:
            return push.leaving(counted)
        root = self.project.root
        name = branch(root)
        if not _any_counts((name, *(aliases(root, name) if counted else ())), counted):
            return ()
        content = staged(self.project, index_of_commit())
        return (content,) if content.commit else ()  # a first commit has nothing to compare with

    def run_commands(self, found: Landed) -> Said:
        """The project's own; where the checks hold a commit, those that are written before them."""
        from vetgate.service.commands import run_commands  # noqa: PLC0415 - not before the checks are done

        verdict = found.verdict
        held = min(verdict.decision, Decision.BLOCK) if stops(verdict.decision) else None
        return run_commands(self.project, found.config, self._about(found.change), verdict.outcomes, held)

    def holds_more(self) -> bool:
        """Whether the work tree, over which commands run, is not what is committed."""
        asked = ("diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
        try:
            return ask(asked, self.project.root, index=index_of_commit()).status != 0
        except UserError:
            return False

    def _judge_landings(self, whole: Sequence[Landing], analyzer: Analyzer, progress: Progress) -> Verdict:
        project, config = self.project, self.in_force.config
        wants_index = self.event.message is None and whole
        index = ready_index(project.root, config, project.state_dir, progress) if wants_index else None
        checks, allowed = checking(config, self.event.kind), project.suppressions()
        verdict = _joined([landed(each, checks, config, analyzer, allowed, index=index) for each in whole])
        # What it does to the project's own settings, beside what it starts from.
        for each in whole:
            below = committed(project.root, each.change.base or "HEAD")
            verdict = with_loosened(verdict, by_change(project.accepted(), each.change, below), config)
        return verdict

    def _recorded(self, verdict: Verdict, change: Change, started: float) -> Verdict:
        """A message that nobody objects to is part of a commit that is on record already."""
        if self.event.message is not None and verdict.decision is Decision.ALLOW:
            return verdict
        named = replace(verdict, id=decision_id(_content(self.event.tool, change.files)))
        record(self.project.decisions, self._about(change), named, self.in_force.config, elapsed_ms(started))
        return named

    def _about(self, change: Change) -> Event:
        return replace(self.event, cwd=self.project.root, change=change)


def _called(event: LandingEvent, state: Path) -> HookCall | None:
    """None where there is nothing to judge; a project that nobody set up is left alone."""
    if event.kind is EventKind.PUSH and all(ref.is_deleted for ref in event.refs):
        return None
    repository = git.of_hook(event.cwd)
    if repository is None or not Project.is_set_up(repository.top, state):
        return None
    project = Project(repository.top, state)
    in_force = project.effective()
    project.keep_last_good()
    config = in_force.config
    if not config.enabled or not (config.on.get(event.kind, ()) or listens(config)):
        return None
    kinds = tuple(GateKind) if _is_commit(event) else (GateKind.CHECKS, GateKind.SHIP)
    in_force = in_force._replace(config=running_only(in_force.config, *kinds))
    return HookCall(event, repository, project, in_force)


def _is_as_written(project: Project, path: Path) -> bool:
    """A launcher that vetgate wrote, from whichever environment, or would write like that now; or that it took away."""
    installation = Installation(project.root, project.state_dir, runtime.runtime_dir())
    receipts = Receipts(project.state_dir)
    name = next((each.name for each in session_agents() if installation.launcher(each.name) == path), None)
    try:
        writing = installation.launcher_writing(name) if name else None
    except UserError:
        return False
    if writing is None or writing.before is None:
        return writing is not None and receipts.of(path) is None
    is_ours = writing.before == writing.after or receipts.vouch_for(path, writing.before)
    return is_ours and os.access(path, os.X_OK)


def _is_commit(event: LandingEvent) -> bool:
    """Of its two hooks the one after which the project's commands and judges run."""
    return event.kind is EventKind.COMMIT and event.message is None


def _judge_canary() -> Landed:
    """A change that has to be stopped, whatever the project says; never remembered."""
    config = defaults()
    checks = config.on[EventKind.COMMIT]
    return Landed(landed(Landing(_CANARY), checks, config, Analyzer(all_checks(), word_redactor)), _CANARY, config)


def _joined(verdicts: list[Verdict]) -> Verdict:
    if len(verdicts) == 1:
        return verdicts[0]
    from vetgate.service.check import joined  # noqa: PLC0415 - it costs more than most commits take to judge

    return joined(verdicts)


def _content(hook: str, files: Iterable[File]) -> bytes:
    """Names what was judged: the same content of the same files is the same decision."""
    parts = (part for file in files for part in (file.path, file.before, file.after))
    digest = sha256(hook.encode())
    for part in parts:
        data = b"-" if part is None else b"+" + part.encode("utf-8", "surrogateescape")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


@dataclass(frozen=True)
class Push:
    """`on_record` is the name under which the store keeps what was pushed to this address.

    `there` asks the remote for its refs, once.
    """

    project: Project
    repository: Repository
    refs: tuple[Ref, ...]
    remote: str
    on_record: str
    known: tuple[str, ...]
    there: Callable[[], Mapping[str, str] | None]

    @classmethod
    def of(cls, project: Project, repository: Repository, event: LandingEvent) -> Push:
        refs = event.refs
        remote, address = (*event.remote, "", "")[:2]
        on_record = _on_record(address)

        def recorded(has_answered: bool) -> Iterable[str]:  # noqa: FBT001 - a question with two answers
            tips = project.store.remote_tips()
            own = {remote, on_record}
            return (
                each
                for name, ids in tips.items()
                if (not has_answered if name in own else not name.startswith(PUSHED_TO))
                for each in ids
            )

        there: Callable[[], Mapping[str, str] | None] = cache(
            lambda: refs_of(address, repository.top) if address else None
        )
        known = known_to_remote(repository, refs, there, recorded)
        return cls(project, repository, refs, remote, on_record, known, there)

    @cached_property
    def has_left(self) -> tuple[str, ...]:
        """What this very remote has. Whatever other remotes are said to have was not reviewed for that."""

        def recorded(has_answered: bool) -> Iterable[str]:  # noqa: FBT001 - a question with two answers
            tips = {} if has_answered else self.project.store.remote_tips()
            return (each for name in (self.remote, self.on_record) for each in tips.get(name, ()))

        return known_to_remote(self.repository, self.refs, self.there, recorded)

    @property
    def pushed(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ref.local for ref in self.refs if not ref.is_deleted))

    def leaving(self, counted: Sequence[str]) -> tuple[ShippedContent, ...]:
        """What each ref then names, but for what had left already; `counted` are the branches that are protected."""
        names = [ref.local for ref in self.refs if not ref.is_deleted and not self._has_left(ref, counted)]
        return commits(self.repository.top, dict.fromkeys(names), self.has_left)

    def _has_left(self, ref: Ref, counted: Sequence[str]) -> bool:
        """A tag of what the remote has, or a new branch at the end of one that is there.

        Commits in between were reviewed by nobody: no branch may come to hold one.
        """
        top, target = self.repository.top, "".join(ref.names[1:])
        ((commit, *_),) = commit_trees(top, (ref.local,))
        if not commit or new_commits(top, (commit,), self.has_left) != 0:
            return False
        if target.startswith("refs/tags/"):
            return True
        heads = {
            found
            for name, found in (self.there() or {}).items()
            if name.startswith(_HEADS) and (not _any_counts((target,), counted) or _any_counts((name,), counted))
        }
        return ref.is_created and commit in heads

    def secrets(
        self,
        config: Config,
        gates: tuple[str, ...],
        analyzer: Analyzer,
        told: Verdict,
        seen: Callable[[int], None],
    ) -> list[tuple[Verdict, File]]:
        """Secrets in anything that would be sent, besides those that are told already.

        `seen` hears now and then how many objects were searched.
        """
        search = Search(config, gates, analyzer, self.project.suppressions(), seen)
        outgoing = Outgoing(self.repository, self.pushed, self.known)
        names = dict.fromkeys(name for ref in self.refs if not ref.is_deleted for name in ref.names)
        known = {finding.fingerprint for finding in told.findings if finding.check == "secrets"}
        taken_along = (
            inside(path, each)
            for path, of_submodule in outgoing_submodules(outgoing, self.remote)
            for each in search.over(of_submodule, (), self.project.store)
        )
        found = [
            each
            for each in (*search.over(outgoing, names, self.project.store), *taken_along)
            if not each[0].findings or not {finding.fingerprint for finding in each[0].findings} <= known
        ]
        if len(found) > _MOST:
            note = f"{len(found) - _MOST} more places with secrets"
            found[_MOST - 1] = (replace(found[_MOST - 1][0], notes=(note,)), found[_MOST - 1][1])
        return found[:_MOST]

    def passed(self) -> None:
        """What was judged here, and what git was told by the remote, need not be judged again."""
        there = (ref.remote for ref in self.refs if not ref.is_created)
        self.project.store.add_remote_tips((self.on_record, each) for each in (*self.pushed, *there))


def _any_counts(names: Iterable[str], globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name.removeprefix(_HEADS), glob) for name in names for glob in globs)


def _on_record(address: str) -> str:
    """An address may hold a password."""
    return f"{PUSHED_TO}{sha256(os.fsencode(address)).hexdigest()[:32]}"
