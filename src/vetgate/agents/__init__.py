"""The coding agents we can be attached to: one package each, found by walking this one.

Each package has modules of the same names, one for each part of `Agent`, which are imported when they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol, cast

from vetgate.model import Decision, EventKind, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.agents.conversation import Conversation, Preset, RecordedCall
    from vetgate.agents.diagnosis import Examination
    from vetgate.agents.installation import Installation, Plan, Receipts, Removal, Writing
    from vetgate.known_agents import KnownAgent
    from vetgate.model import Event, EventSession, Reply, Verdict
    from vetgate.progress import Progress
    from vetgate.source.git_landing import LandingEvent

# A function that no limit lets pass: an edit of it has to be stopped.
TANGLED = "".join(
    ("def canary(value):\n", *(f"    if value == {n}:\n        return {n + 1}\n" for n in range(40)), "    return 0\n")
)
# The session of whoever asks only whether the gate answers: judged by the defaults, so never looser, never remembered.
CANARY = "vetgate-canary"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the agent does with an answer, and what it tells us.

    `held_on` are the events after which it does not go on when we say so: what has happened already cannot be held up
    any more. One that `asks` can leave a decision to a person, others are held by that as well; `asks_on` are the
    events where its dialog shows them why. One that
    `shows_content` tells what a file would be before it writes it, one that `keeps_transcripts` can be replayed.
    """

    held_on: frozenset[EventKind]
    asks: bool = False
    asks_on: frozenset[EventKind] = frozenset()
    shows_content: bool = False
    keeps_transcripts: bool = False

    def holds(self, kind: EventKind, decision: Decision) -> bool:
        weakest = Decision.BLOCK if self.asks else Decision.ASK
        return decision is Decision.HALT or (decision >= weakest and kind in self.held_on)


class Wire(Protocol):
    """What the agent sends, as events, and verdicts as its answers."""

    def parse(self, payload: bytes, cwd: str) -> Event: ...
    def render(self, event: Event, verdict: Verdict) -> Reply: ...


class SessionWire(Wire, Protocol):
    """That of an agent with sessions: also the payload of an edit, by which it is tried out whether the gate is on.

    `event` is what the registration calls the event, "" where the payload says it. `session_of` is quick, and gives
    None for what is no event at all.
    """

    def parse(self, payload: bytes, cwd: str, event: str = "") -> Event: ...
    def edit_payload(self, path: str, content: str, cwd: str, session: str) -> bytes: ...
    def session_of(self, payload: bytes, event: str = "") -> EventSession | None: ...


class HookWire(Wire, Protocol):
    """That of a program that runs hooks with words, and may write lines to them, which are read only where it does."""

    def parse(self, payload: bytes, cwd: str) -> LandingEvent: ...
    def hook_payload(self, words: Sequence[str], read: Callable[[], str]) -> bytes: ...


class Registration(Protocol):
    """What makes the agent call us: what to write for that, and what to take back."""

    def install(self, installation: Installation) -> Plan: ...
    def remove(self, installation: Installation, receipts: Receipts) -> Removal: ...
    def runs(self, path: Path, command: str) -> bool: ...
    def managed(self, command: str) -> str: ...
    def hook_seconds(self, event: str, root: Path, environment: Mapping[str, str]) -> float: ...


class Examining(Protocol):
    """Whether the agent is really gated here, and what has to be written again."""

    def examine(self, installation: Installation, progress: Progress) -> Examination: ...
    def repairs(self, installation: Installation) -> list[Writing]: ...
    def require_supported(self) -> str: ...


class Plugin(Protocol):
    """What the agent can install as a whole; only some can."""

    def stands_back(self, event: str, state: Path, environment: Mapping[str, str]) -> bool: ...


class Transcript(Protocol):
    """What the agent kept of its sessions; only where its capabilities say so."""

    def transcripts(self, project: Path) -> tuple[Path, ...]: ...
    def calls(self, transcript: Path) -> Iterator[RecordedCall]: ...
    def recent(self, transcript: Path, preset: Preset, subagent: str = "") -> Conversation: ...


class Agent:
    """One agent by its name; the parts of its package."""

    def __init__(self, package: str) -> None:
        self.name = package.replace("_", "-")
        self._package = f"{__name__}.{package}"

    @cached_property
    def known(self) -> KnownAgent:
        return cast("KnownAgent", import_module(f"{self._package}.known").KNOWN)

    @cached_property
    def capabilities(self) -> Capabilities:
        return cast("Capabilities", import_module(f"{self._package}.known").CAPABILITIES)

    @cached_property
    def wire(self) -> Wire:
        return cast("Wire", import_module(f"{self._package}.wire"))

    @property
    def session_wire(self) -> SessionWire:
        return cast("SessionWire", self.wire)

    @property
    def hook_wire(self) -> HookWire:
        return cast("HookWire", self.wire)

    @property
    def registration(self) -> Registration:
        return cast("Registration", import_module(f"{self._package}.registration"))

    @property
    def examination(self) -> Examining:
        return cast("Examining", import_module(f"{self._package}.examination"))

    def guard_seconds(self, root: Path, environment: Mapping[str, str]) -> float:
        """How long it waits for our hook before an edit; 0 where we are not registered with it."""
        events = self.known.gated.events.items() if self.known.gated else ()
        guards = (name for name, kinds in events if EventKind.BEFORE_EDIT in kinds)
        return max((self.registration.hook_seconds(name, root, environment) for name in guards), default=0.0)

    @property
    def plugin(self) -> Plugin:
        return cast("Plugin", import_module(f"{self._package}.plugin"))

    @property
    def transcript(self) -> Transcript:
        return cast("Transcript", import_module(f"{self._package}.transcript"))


@lru_cache(maxsize=1)
def agents() -> tuple[Agent, ...]:
    return tuple(Agent(module.name) for module in iter_modules(__path__) if module.ispkg)


@lru_cache(maxsize=1)
def session_agents() -> tuple[Agent, ...]:
    """Those that call us with the events of their sessions."""
    return tuple(each for each in agents() if each.known.gated)


def hook_agents() -> tuple[Agent, ...]:
    """Those that have no sessions, and call us with the words of a hook."""
    return tuple(each for each in agents() if not each.known.gated)


@lru_cache(maxsize=16)
def agent(name: str) -> Agent:
    """Raises UserError for a name that no package has."""
    return _named(name, agents())


@lru_cache(maxsize=16)
def session_agent(name: str) -> Agent:
    """Raises UserError for one without sessions."""
    return _named(name, session_agents())


def _named(name: str, known: Sequence[Agent]) -> Agent:
    found = next((each for each in known if each.name == name), None)
    if found is None:
        names = ", ".join(each.name for each in known)
        raise UserError(f"vetgate does not know an agent called {name!r}", hint=f"one of: {names}")
    return found
