"""The composition root: checks, agents, projects and stores put together once; an agent's payload in, its reply out."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import OrderedDict, deque
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents import CANARY, session_agent, session_agents
from vetgate.agents.hook_settings import object_in
from vetgate.checks import all_checks
from vetgate.checks.secrets.redaction import word_redactor
from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.client import AGENT
from vetgate.engine.analysis import Analyzer
from vetgate.log import Log
from vetgate.model import EventKind, Reply
from vetgate.project import Project
from vetgate.respond.call import SECONDS, Call
from vetgate.respond.record_trouble import report_record_trouble, take_notes
from vetgate.respond.responses import RESPONSES
from vetgate.respond.session import canary
from vetgate.source.clock import ANSWERS, elapsed_ms
from vetgate.source.edit import root_for, seen_from
from vetgate.source.root import project_root, real
from vetgate.store import open_home_projects

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vetgate.agents import Agent
    from vetgate.model import Event, Verdict
    from vetgate.progress import LongWait

_PROJECTS_KEPT = 8
_VISITS_KEPT = 256
# Of these it does not matter in which folder the session is just now.
_OF_THE_SESSION = frozenset(
    {EventKind.PROMPT, EventKind.STOP, EventKind.SUBAGENT_STOP, EventKind.SESSION_END, EventKind.CONFIG_CHANGE}
)


class App:
    """Thread-safe; built once per process. In one that `stays` it may look ahead at what will be edited."""

    stays = False
    runs_programs = True

    def __init__(self, state_dir: Path) -> None:
        self.state_dir = state_dir
        self._analyzer = Analyzer(all_checks(), word_redactor)
        self._lock = threading.Lock()
        self._projects: OrderedDict[tuple[Path, Path | None], Project] = OrderedDict()
        self._homes = open_home_projects(state_dir)
        self._visits: set[tuple[str, Path]] = set()
        self._later: deque[Callable[[], None]] = deque()
        self._log = Log(state_dir)

    @ANSWERS.answering()
    def answer(
        self,
        name: str,
        payload: bytes,
        cwd: str,
        *,
        only_set_up: bool = False,
        seconds: float = SECONDS,
        log: str = "",
        environment: Mapping[str, str] | None = None,
        caller: int = 0,
        long_wait: LongWait | None = None,
        called: str = "",
    ) -> Reply:
        """One hook call of an agent, to be answered in `seconds`; `flush` does what can wait until after the answer.

        Raises ValueError for a payload that is none, UserError for an unknown agent. `only_set_up` is for hooks that
        see every project of a user: those nobody set up are left alone. `log` is what VETGATE_LOG asks for,
        `environment` the agent's own, which commands of the project get a part of. `caller` is the process of the
        hook; 0 where the event is known to be the client's own. With `long_wait` judges may be waited for beyond
        `seconds`, as long as the agent's settings give the hook. `called` is the event as the registration says it.
        """
        started = time.perf_counter()
        asking = _asking(name, payload)
        gated, wire = asking.known.gated, asking.session_wire
        passed = Reply(0, gated.silence if gated else b"")
        event = wire.parse(payload, cwd, called)
        if event.session == CANARY:
            return wire.render(event, canary(event, self._analyzer))
        respond = RESPONSES.get(event.kind)
        if respond is None or _passes_unseen(event):
            return passed
        environment = os.environ if environment is None else environment
        heard = None if called or gated is None else gated.heard_elsewhere  # only our own registrations name an event
        if heard is not None and heard(payload, environment):
            return passed
        home = self._homes.of(event.session) or self._find_home(event, asking.known.session_folder(environment))
        event, root = self._placed(event, home)
        if only_set_up and home is None and not Project.is_set_up(root, self.state_dir):
            return passed
        open_project = partial(self.project, home=home)
        call = Call(
            event,
            open_project(root),
            self._analyzer,
            payload,
            started,
            seconds,
            stays=self.stays,
            own=(self.state_dir, Path(__file__).parent),
            open_project=open_project,
            home=None if home is None else self.project(home),
            environment=environment,
            runs_programs=self.runs_programs,
            caller=caller,
            long_wait=long_wait,
        )
        self._note_visit(event, root, home)
        verdict = report_record_trouble(call, respond(call))
        reply = wire.render(event, _without_secrets(verdict))
        self._later.extend((*call.later, call.project.keep_last_good, partial(take_notes, call)))
        self._later.append(partial(self._logged, call, reply, log))
        return reply

    def _find_home(self, event: Event, started: str) -> Path | None:
        """The project that the session began in, if somebody set that up; it stays the same while the session lasts.

        The client says where it was started. Without its word, and when a session starts, its folder counts.
        """
        folders = [real(Path(started))] if Path(started).is_absolute() else []
        if not folders or event.kind is EventKind.SESSION_START:
            folders.append(real(event.cwd))
        roots = (root_for(folder / "any", folder) for folder in folders)
        home = next((root for root in roots if Project.is_set_up(root, self.state_dir)), None)
        if home is not None:
            self._homes.keep(event.session, home)
        return home

    def _placed(self, event: Event, home: Path | None) -> tuple[Event, Path]:
        """The event and the root of the project that it is about: without one there, the session's own."""
        if home is None:
            change = None if event.kind in _OF_THE_SESSION else event.change
            return event, change.root if change else root_for(event.cwd / "any", event.cwd)
        if event.kind in _OF_THE_SESSION:
            return event, home
        if event.change is None:
            return event, self._root_at(event.cwd, home)
        root = self._root_at(event.change.root, home)
        return replace(event, change=seen_from(root, event.change)), root

    def _root_at(self, folder: Path, home: Path) -> Path:
        """A repository around the session's own project, or the person's whole home folder, is none by itself."""
        if folder == home:
            return home
        root = project_root(real(folder)) or home
        is_around = root != home and any(each.is_relative_to(root) for each in (home, real(Path.home())))
        return home if is_around and self.project(root, home).store.trusted() is None else root

    def _note_visit(self, event: Event, root: Path, home: Path | None) -> None:
        """Where the session has been is looked at when its turn ends. Before the answer: that may be the next event."""
        here = root_for(event.cwd / "any", event.cwd) if home is None else self._root_at(event.cwd, home)
        began = home or here
        for each in {root, here} - {began}:
            if (event.session, each) not in self._visits:
                self._visits = {*self._visits, (event.session, each)} if len(self._visits) < _VISITS_KEPT else set()
                self.project(began).store.visit(event.session, each)

    def _logged(self, call: Call, reply: Reply, wanted: str) -> None:
        in_force = call.in_force
        level = wanted or in_force.config.log_level
        fields = {"session": call.event.session, "root": call.project.root, "ms": elapsed_ms(call.started)}
        self._log.write("info", level, str(call.event.kind), tool=call.event.tool, status=reply.status, **fields)
        for trouble in filter(None, (*in_force.notes, call.project.store.problem)):
            self._log.write("warning", level, "trouble", text=trouble, **fields)

    def flush(self) -> None:
        """Remember what passed. A block is remembered before its answer, so that no crash can lose it."""
        while self._later:
            with contextlib.suppress(IndexError):  # another thread was quicker
                self._later.popleft()()

    def project(self, root: Path, home: Path | None = None) -> Project:
        """`home` is where the session began that asks, for another project than that one."""
        began = None if home is None or home == root else self.project(home)
        place = (root, None if began is None else began.root)
        with self._lock:
            project = self._projects.pop(place, None) or Project(root, self.state_dir, began)
            self._projects[place] = project
            while len(self._projects) > _PROJECTS_KEPT:
                # Not closed: another thread may still be answering from it; it ends with its last user.
                self._projects.popitem(last=False)
            return project


def _asking(name: str, payload: bytes) -> Agent:
    """Another agent may run what stands in the settings of this one; then it is in its payload.

    It is so as a field of the payload itself: the same word in what a tool is given is the model's.
    """
    asking = session_agent(name)
    if name != AGENT:
        return asking
    stamped = ((each, each.known.gated.stamp) for each in session_agents() if each.known.gated)
    named = [(each, stamp) for each, stamp in stamped if stamp and stamp.encode() in payload]
    fields = (named and object_in(payload)) or {}
    return next((each for each, stamp in named if stamp in fields), asking)


def _passes_unseen(event: Event) -> bool:
    """A tool that names no file and starts no agent: there is nothing to look at."""
    is_seen = event.touches or event.unreadable or event.starts_agent or event.schedules
    return event.kind is EventKind.BEFORE_TOOL and not is_seen


def _without_secrets(verdict: Verdict) -> Verdict:
    """Whatever is said may quote anything."""
    hidden = (
        each._replace(text=without_secrets(each.text), summary=without_secrets(each.summary))
        for each in verdict.messages
    )
    return replace(verdict, messages=tuple(hidden)) if verdict.messages else verdict
