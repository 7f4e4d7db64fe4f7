"""The types every layer speaks. Frozen: a stage that changes something returns a new value."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from vetgate.expression import expression
from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

CONFIG_NAME = "vetgate.yaml"
FINGERPRINT = expression(r"[0-9a-f]{16}")


class Severity(enum.IntEnum):
    NOTE = 1
    WARNING = 2
    ERROR = 3
    CRITICAL = 4

    def __str__(self) -> str:
        return self.name.lower()


class Decision(enum.IntEnum):
    """What the agent is told; the strongest wins."""

    ALLOW = 0
    WARN = 1
    ASK = 2
    BLOCK = 3
    HALT = 4

    def __str__(self) -> str:
        return self.name.lower()


class Status(enum.StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERRORED = "errored"


class EventKind(enum.StrEnum):
    SESSION_START = "session_start"
    SESSION_END = "session_end"
    SUBAGENT_START = "subagent_start"
    PROMPT = "prompt"
    BEFORE_EDIT = "before_edit"
    BEFORE_COMMAND = "before_command"
    BEFORE_TOOL = "before_tool"
    AFTER_EDIT = "after_edit"
    AFTER_COMMAND = "after_command"
    AFTER_TOOL = "after_tool"
    SUBAGENT_STOP = "subagent_stop"
    STOP = "stop"
    CONFIG_CHANGE = "config_change"
    COMMIT = "commit"
    PUSH = "push"
    REVIEW = "review"
    SHIP = "ship"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file; lines and columns count from 1, columns in characters."""

    path: str
    line: int
    column: int = 1
    end_line: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True)
class File:
    """One file of a change: its text before and after, None where it does not exist.

    `path` is relative to the change's root with forward slashes, or absolute when the file lies outside of it; `was` is
    its path before, where it had another.
    """

    path: str
    before: str | None
    after: str | None
    was: str = ""


class FailureKind(enum.StrEnum):
    """What of ours can break: the keys of `on_failure`."""

    CONFIG = "config"
    PARSE = "parse"
    ANALYSIS = "analysis"
    TIMEOUT = "timeout"
    MODEL = "model"
    TEST = "test"
    FILESYSTEM = "filesystem"


class UncheckedKind(enum.StrEnum):
    """Why nobody looked at a file, or at the rest of one."""

    UNREADABLE = enum.auto()
    DANGLING_LINK = enum.auto()
    TOO_LARGE = enum.auto()  # to be read at all
    NOT_PARSED = enum.auto()  # code beyond the limits of the parser
    UNFINISHED = enum.auto()  # time or another limit ended the look
    NOT_CODE = enum.auto()
    MISFIT = enum.auto()  # the edit does not fit the file
    OTHER = enum.auto()


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A file, or the rest of one, that nobody looked at, and why; `check` when only that one did not.

    Never left out of a verdict. Source code beyond a limit `holds` a turn and a commit for as long as it is.
    """

    path: str
    kind: UncheckedKind
    reason: str
    check: str = ""
    holds: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    root: Path
    files: tuple[File, ...] = ()
    base: str | None = None
    unchecked: tuple[Unchecked, ...] = ()


class Touch(NamedTuple):
    """A file or folder that a tool names, absolute, and `how`: it reads, lists or writes it."""

    path: str
    how: str = "reads"


@dataclass(frozen=True, slots=True)
class Command:
    """What an agent would have a shell do, and where: `root` is the project there, `home` the session's own.

    `own` are the gate's own folders, its state first. Of a `tool` that is no shell there is no text, only what it
    `touches`. `push` says what a push from a folder calls for.
    """

    text: str
    cwd: Path
    root: Path
    home: Path | None = None
    own: tuple[Path, ...] = ()
    tool: str = ""
    touches: tuple[Touch, ...] = ()
    push: Callable[[Path], Decision] | None = None


# Among the kinds of what runs in the background: whoever may still write. A server that was started never ends.
AN_AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Event:
    """Something an agent did or is about to do.

    `reads` is the file that it has just read, if it has; `touched` are files that the agent's own client saw change,
    `touches` those that a call names that has not happened yet; `client` is the version of that, where it says. `call`
    names the use of a tool, the same before and after it; there is none after an edit that failed. `unreadable` says
    why nobody can tell what a call would write or run. `subagent` is the kind of an agent that the session started,
    `subagent_id` which of them it is. `status` is how a command ended and `took_ms` how long it ran, where somebody
    knows. Of a turn that ends: `last_message` is what the agent says, `background` the kinds of what still runs,
    and `held_before` that it went on because we held it. `name` is what the agent itself calls the event.
    """

    agent: str
    kind: EventKind
    session: str = ""
    cwd: Path = Path()
    tool: str = ""
    change: Change | None = None
    reads: Path | None = None
    touched: tuple[Path, ...] = ()
    touches: tuple[Touch, ...] = ()
    command: str = ""
    prompt: str = ""
    subagent: str = ""
    subagent_id: str = ""
    client: str = ""
    call: str = ""
    unreadable: str = ""
    status: int | None = None
    took_ms: float | None = None
    last_message: str = ""
    background: tuple[str, ...] = ()
    held_before: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One line that leads to a finding: what it adds to a measure, or where data passes."""

    line: int
    text: str

    @property
    def weight(self) -> int:
        """What the step adds, when its text begins with that: `+3 if`."""
        number = self.text.partition(" ")[0]
        return int(number) if number[:1] == "+" and number[1:].isdigit() else 0


class SuppressionKind(enum.StrEnum):
    WAIVER = "waiver"  # of a person, or a comment of theirs
    BASELINE = "baseline"
    GENERATED = "generated"


class Suppression(NamedTuple):
    """Why a finding that would count does not; `reason` is for a person."""

    kind: SuppressionKind
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem at one place.

    `value` and `limit` are set for measures, `before` when the value has risen from there, `last_line` where the
    function ends; their identity is the function, not its text, see `fingerprint`.
    `evidence` is the normalised code the finding is about; a digest of it, for a measure.
    `advisory` findings are told and never block, whatever their severity; one that `asks` leaves it to a person.
    What can still be put right by the next edit blocks `later`: at the end of a turn and at a commit; until then it is
    advisory.
    `suppression` says why one that would count does not.
    What was `said` before is on record, and not told again.
    """

    check: str
    rule: str
    span: Span
    message: str
    severity: Severity
    symbol: str = ""
    confidence: float = 1.0
    evidence: str = ""
    ordinal: int = 0
    value: int | None = None
    limit: int | None = None
    before: int | None = None
    last_line: int = 0
    fix: str = ""
    steps: tuple[Step, ...] = ()
    cwe: tuple[int, ...] = ()
    owasp: str = ""
    new: bool = True
    advisory: bool = False
    asks: bool = False
    later: bool = False
    said: bool = False
    suppression: Suppression | None = None

    @property
    def id(self) -> str:
        return f"{self.check}/{self.rule}"

    @property
    def fingerprint(self) -> str:
        """Neither line nor path: moving code or renaming its file keeps it."""
        evidence = "" if self.value is not None else self.evidence
        parts = "\0".join((self.id, self.symbol, evidence, str(self.ordinal)))
        return blake2b(parts.encode("utf-8", "replace"), digest_size=8).hexdigest()

    def at(self, severity: Severity) -> Finding:
        return replace(self, severity=severity)


@dataclass(frozen=True, slots=True)
class Waiver:
    """A finding allowed on purpose, by a person: by its fingerprint, or a check or rule, in the files of `glob`.

    Never without a reason and an end: `until` is the last day it holds. That of a measure holds up to `value` or so.
    """

    what: str
    glob: str
    reason: str
    by: str
    until: date
    value: int | None = None

    @property
    def is_fingerprint(self) -> bool:
        return bool(FINGERPRINT.fullmatch(self.what))


class GateKind(enum.Enum):
    """What a gate runs."""

    CHECKS = enum.auto()
    COMMAND = enum.auto()


@dataclass(frozen=True, slots=True)
class Gate:
    """What runs on an event, checks or a command, and what follows.

    `on_pass` and `on_fail` are CONTINUE, BLOCK, STOP or another gate's name; `timeout` is in seconds, `memory` in
    megabytes, 0 for no limit.
    """

    id: str
    checks: tuple[str, ...]
    block_at: Severity = Severity.ERROR
    scope: str = "new"
    on_error: str = ""
    approve: bool = False
    command: str = ""
    description: str = ""
    timeout: int = 120
    on_pass: str = "CONTINUE"  # noqa: S105 - an action
    on_fail: str = "BLOCK"
    parse: str = "auto"
    pattern: str = ""
    rounds: int = 3
    env: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    sandbox: str = "off"
    user: str = ""
    memory: int = 0

    @property
    def kind(self) -> GateKind:
        return GateKind.COMMAND if self.command else GateKind.CHECKS

    @property
    def families(self) -> tuple[str, ...]:
        """The checks that it runs, be it for all of their rules or for some."""
        return _families(self.checks)


@lru_cache(maxsize=64)
def _families(checks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.partition("/")[0] for name in checks))


@dataclass(frozen=True, slots=True)
class TestFailure:
    """One test that failed; `file` and `line` as far as they are known."""

    __test__ = False  # for runners that take classes by their name

    name: str
    file: str = ""
    line: int = 0
    error: str = ""
    stack: str = ""


@dataclass(frozen=True, slots=True)
class TestResults:
    """What a run of tests came to, whichever framework it was; `duration` in seconds, where it was told."""

    __test__ = False

    framework: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    duration: float | None = None
    failures: tuple[TestFailure, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one gate said in one run, whatever it runs; a crash of a check is data here, not an exception.

    `error` says why there is no answer, `evidence` why it was not run. `slowest` is the file that took longest, and its
    milliseconds. `output` is what a command printed, as it may be shown. One that is `pending` goes on, and is told
    when it has ended; what is told `late` holds nobody back any more.
    """

    gate: str
    status: Status
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    error: str = ""
    failed_checks: tuple[str, ...] = ()
    elapsed_ms: float = 0.0
    slowest: tuple[str, float] = ("", 0.0)
    output: str = ""
    evidence: str = ""
    exit_status: int | None = None
    results: TestResults | None = None
    pending: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class Retry:
    """The how manieth attempt of how many this is; `earlier` are the decisions that refused it before.

    `same`: nothing has changed since then. `tried` says of each attempt before what it was refused for.
    """

    number: int
    most: int
    earlier: tuple[str, ...] = ()
    same: bool = False
    tried: tuple[str, ...] = ()


class Override(enum.StrEnum):
    """Who let something through that was refused."""

    PERSON = "person"  # once, by `vetgate allow`
    RETRIES = "retries"  # `retries.then`


class Message(NamedTuple):
    """One thing that an agent is told: `text` is for the model, `summary` the one line that a person sees."""

    decision: Decision
    text: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is decided about an event, why, and what the agent is told of it; an agent's module renders `messages`.

    `answers` is the decision that left it to a person, where this is what they said; `overridden` says who let
    it through although it was refused. With `approve` a clean change needs no permission of the agent's own.
    """

    decision: Decision
    outcomes: tuple[Outcome, ...] = ()
    notes: tuple[str, ...] = ()
    id: str = ""
    retry: Retry | None = None
    answers: str = ""
    overridden: Override | None = None
    messages: tuple[Message, ...] = ()
    approve: bool = False

    def joined(self, other: Verdict) -> Verdict:
        """Both about one event: the stronger decision, and all that is said."""
        return replace(
            self,
            decision=max(self.decision, other.decision),
            outcomes=(*self.outcomes, *other.outcomes),
            notes=(*self.notes, *other.notes),
            id=self.id or other.id,
            messages=(*self.messages, *other.messages),
            approve=self.approve or other.approve,
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for outcome in self.outcomes for finding in outcome.findings)

    @property
    def says_nothing(self) -> bool:
        """Whether it passed without a word to anybody."""
        if self.decision is not Decision.ALLOW or self.notes:
            return False
        if any(each.unchecked or each.error or each.failed_checks for each in self.outcomes):
            return False
        return all(each.said for each in self.findings)

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """Each file with each reason once, whoever gave it."""
        items = (item for outcome in self.outcomes for item in outcome.unchecked)
        return tuple({(item.path, item.reason): item for item in items}.values())


SILENT = Verdict(Decision.ALLOW)


class Note(NamedTuple):
    """What the last tier decided by itself, and when; an edit that it let pass is `unverified`."""

    id: str
    at: float
    session: str
    event: str
    tool: str
    path: str
    cause: str
    passed: bool
    unverified: bool

    @staticmethod
    def of(told: dict[str, Any], path: str, at: float) -> Note:
        """Earlier versions noted nothing but edits that passed."""
        words = {name: str(told.get(name, "")) for name in ("id", "session", "event", "tool", "cause")}
        passed, unverified = bool(told.get("passed", True)), bool(told.get("unverified", True))
        return Note(at=at, path=path, passed=passed, unverified=unverified, **words)


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent's hook process prints and how it exits."""

    status: int = 0
    stdout: bytes = b""
    stderr: bytes = b""


class Progress(Protocol):
    """Called before the first and after every part of some work; `done` is `total` when it is over."""

    def __call__(self, what: str, done: int, total: int) -> None: ...


def unseen(what: str, done: int, total: int) -> None:
    """For who shows no progress."""


class UserError(Exception):
    """Something the user can put right; the only exception meant for a person."""

    def __init__(self, message: str, hint: str = "", link: str = "") -> None:
        # It may quote a file, a name or a command, and goes wherever somebody reads it.
        super().__init__(redacted(message))
        self.message = redacted(message)
        self.hint = redacted(hint)
        self.link = link
