"""One call of an agent, with everything that answering it may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents import agent
from vetgate.config.person import is_client
from vetgate.engine.run import CheckRunner
from vetgate.model import EventKind, GateKind, UserError
from vetgate.project import SessionMemory, around, head_text, mentioning
from vetgate.source.clock import Deadline
from vetgate.source.git_base import Start, base_commits
from vetgate.source.git_ignored import is_covered
from vetgate.source.protected import Protected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.engine.analysis import Analyzer
    from vetgate.gates.sequence import Runners
    from vetgate.model import Change, Event, Outcome, Verdict
    from vetgate.progress import LongWait
    from vetgate.project import Project
    from vetgate.respond.session_diff import FileDiff
    from vetgate.source.git_base import BaseCommits

# Unless the caller has less: below the client's own deadline of 4 s, so that what was found still reaches the agent.
SECONDS = 3.0
# Of the time there is, what is kept for settling and telling.
_RESERVE = 0.15

# After these nothing can be put right any more.
ENDS = frozenset({EventKind.STOP, EventKind.SUBAGENT_STOP})
_BY_HAND = frozenset({EventKind.BEFORE_EDIT, EventKind.AFTER_EDIT})

# Stands wherever files change, whatever a configuration lists there.
ALWAYS = "protected"
_WHERE_FILES_CHANGE = frozenset(
    {EventKind.BEFORE_EDIT, EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND, EventKind.STOP, EventKind.SUBAGENT_STOP}
)


def checking(config: Config, kind: EventKind) -> tuple[str, ...]:
    """The gates with checks that a configuration lists for an event, in order."""
    return tuple(name for name in config.on.get(kind, ()) if config.gates[name].kind is GateKind.CHECKS)


def listening(config: Config, kind: EventKind) -> tuple[str, ...]:
    """The gates with checks that stand at an event."""
    gates = checking(config, kind)
    return (*gates, ALWAYS) if kind in _WHERE_FILES_CHANGE and ALWAYS not in gates else gates


@dataclass(frozen=True, slots=True)
class Call:
    """`later` is done after the answer; a process that `stays` has time for it. `own` are the gate's own folders.

    `environment` is that of the agent's process, for the commands of the project. `home` is the project that the
    session began in, where a person set that up. Without `runs_programs` nothing of the project is run. `caller` is the
    process of the hook, or 0. `long_wait` is entered while judges are waited for beyond `seconds`. `diffs` and `bases`
    are what was asked of the past already, `starts` when the session began, by project and repository.
    `spoken` is what the gates of checks came to, by project, until all that they call has passed; `configurations` are
    those in force when the call began, or when it came to a project.
    """

    event: Event
    project: Project
    analyzer: Analyzer
    payload: bytes
    started: float
    seconds: float = SECONDS
    later: list[Callable[[], None]] = field(default_factory=list)
    stays: bool = field(default=False, kw_only=True)
    own: tuple[Path, ...] = field(default=(), kw_only=True)
    environment: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    open_project: Callable[[Path], Project] = field(kw_only=True)
    home: Project | None = field(default=None, kw_only=True)
    runs_programs: bool = field(default=True, kw_only=True)
    caller: int = field(default=0, kw_only=True)
    long_wait: LongWait | None = field(default=None, kw_only=True)
    diffs: dict[Path, dict[str, FileDiff]] = field(default_factory=dict, kw_only=True)
    bases: dict[tuple[Path, Path], BaseCommits] = field(default_factory=dict, kw_only=True)
    starts: dict[tuple[Path, Path], Start] = field(default_factory=dict, kw_only=True)
    spoken: dict[Path, tuple[Outcome, ...]] = field(default_factory=dict, kw_only=True)
    configurations: dict[Project, Effective] = field(default_factory=dict, kw_only=True)

    @property
    def at_home(self) -> Call:
        """The same call, judged and remembered by the project that the session began in."""
        return self if self.home is None or self.home is self.project else replace(self, project=self.home)

    @property
    def in_force(self) -> Effective:
        """The configuration of this project: one for all who ask in this call."""
        found = self.configurations.get(self.project)
        if found is None:
            found = self.configurations[self.project] = self.project.effective()
        return found

    def memory(self, config: Config) -> SessionMemory:
        before_edit = self.event.kind is EventKind.BEFORE_EDIT
        store, root = self.project.store, self.project.root
        return SessionMemory(store, root, self.event.session, config.digest, self.event.subagent_id, before_edit)

    @property
    def is_from_client(self) -> bool:
        """Whether the agent's client raised this event, and no program that imitates it."""
        return not self.caller or is_client(self.caller)

    @property
    def is_attended(self) -> bool:
        """Whether a person is there who could be asked, by what the client says of itself."""
        return self.event.is_attended and agent(self.event.agent).known.is_attended(self.environment)

    def runners(self, config: Config, memory: SessionMemory, change: Change) -> Runners:
        """What runs the gates that look at a change."""
        return {GateKind.CHECKS: self.runner(config, memory, change)}

    def runner(self, config: Config, memory: SessionMemory, change: Change) -> CheckRunner:
        # However long a command may take: a check that takes longer than this has lost its way.
        seconds = min(self.seconds, SECONDS)
        deadline = Deadline.after(max(seconds - _RESERVE, seconds / 2))
        root = self.project.root
        return CheckRunner(
            change,
            self.analyzer,
            config,
            deadline,
            memory,
            self._committed_text,
            partial(mentioning, root),
            partial(around, root),
            protected=self.protected,
            suppressions=self.project.suppressions(),
            index=self.project.index(config),
            final=self.event.kind in ENDS,
            # Only there does every file come with what it was.
            whole=self.event.kind is EventKind.BEFORE_EDIT,
            by_hand=self.event.kind in _BY_HAND,
            covered=self._is_covered,
            sees_all=(root / ".git").exists,
        )

    def _committed_text(self, path: str) -> str | None:
        """A file as it was committed before the session began."""
        root = self.project.root
        if self.start() is None or "\n" in path or path.startswith("/") or not (root / ".git").exists():
            return head_text(root, path)
        try:
            return self.base_commits(root).base_text(path)
        except UserError:
            return None

    def base_commits(self, repository: Path) -> BaseCommits:
        """What stood in the project, or in a repository in it, before the session: found out once in a call."""
        name = (self.project.root, repository)
        found = self.bases.get(name)
        if found is None:
            start = self.start(repository)
            found = self.bases[name] = base_commits(repository, Start(time.time_ns()) if start is None else start)
        return found

    def start(self, repository: Path | None = None) -> Start | None:
        """When the session began, and what the refs of this project, or of a repository in it, named then.

        Asked once in a call in a session that has begun: what is noted stays.
        """
        name = (self.project.root, repository or self.project.root)
        found = self.starts.get(name) or self.project.start(self.event.session, repository)
        if found is not None:
            self.starts[name] = found
        return found

    def _is_covered(self, path: str) -> bool:
        start = self.start()
        return start is not None and is_covered(self.project.root, path, start)

    @property
    def protected(self) -> Protected:
        also = () if self.home is None or self.home is self.project else (self.home.root,)
        return Protected(self.project.root, Path.home(), self.own, self.moved, also)

    @property
    def moved(self) -> Path | None:
        """Where the agent keeps its own folder instead of below the home."""
        moved = agent(self.event.agent).known.moved_settings(self.environment)
        return Path(moved) if moved.startswith("/") else None


def is_held(call: Call, verdict: Verdict) -> bool:
    """Whether the agent may not go on after this."""
    return agent(call.event.agent).capabilities.holds(call.event.kind, verdict.decision)


def roots_of(call: Call) -> tuple[Path, ...]:
    """The projects that the session has worked in; of one that is gone there is nothing left to say."""
    visited = (root for root in call.project.store.visited(call.event.session) if root.is_dir())
    return tuple(dict.fromkeys((call.project.root, *visited)))
