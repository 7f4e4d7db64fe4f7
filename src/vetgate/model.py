"""The types every layer speaks. Frozen: a stage that changes something returns a new value."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vetgate.expression import expression
from vetgate.judgement import Consensus, Judgement  # noqa: TC001 - whoever stores an outcome reads its types
from vetgate.redact import redacted
from vetgate.severity import Severity
from vetgate.suite_results import TestResults  # noqa: TC001 - as above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

CONFIG_NAME = "vetgate.yaml"
BASELINE_NAME = ".vetgate/baseline.json"
RULES_FOLDER = ".vetgate/checks"  # pages of rules of a project's own
FINGERPRINT = expression(r"[0-9a-f]{16}")


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


class SkipKind(enum.StrEnum):
    """Why a gate did not run, or has no answer although it was to give one."""

    NOTHING_TO_DO = enum.auto()
    MISSING = enum.auto()  # no such program, script or target here
    LIMITED = enum.auto()  # its quota, or that of the service it asks, is used up
    UNANSWERED = enum.auto()  # the service it asks crashed, timed out or gave an error
    LEFT_OUT = enum.auto()  # whoever asked wanted to go without it
    UNPROVEN = enum.auto()  # somebody counts on a run that there was not


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
    """A file or folder that a tool names, absolute, and `how`: it reads, searches, lists or writes it."""

    path: str
    how: str = "reads"


@dataclass(frozen=True, slots=True)
class Command:
    """What an agent would have a shell do, and where: `root` is the project there, `home` the session's own.

    `own` are the gate's own folders, its state first. Of a `tool` that is no shell there is no text, only what it
    `touches`. `push` says what a push from a folder calls for, `is_new` whether the session made a file itself,
    `is_requested` whether a person's prompt asks to remove it. `moved` is where the agent keeps its folder instead of
    in the home, by the name `moved_from`.
    """

    text: str
    cwd: Path
    root: Path
    home: Path | None = None
    own: tuple[Path, ...] = ()
    tool: str = ""
    touches: tuple[Touch, ...] = ()
    push: Callable[[Path], Decision] | None = None
    is_new: Callable[[Path], bool] | None = None
    is_requested: Callable[[Path], bool] | None = None
    moved: Path | None = None
    moved_from: str = ""


POWERSHELL = "pwsh"


@dataclass(frozen=True, slots=True)
class Event:
    """Something an agent did or is about to do.

    `reads` is the file that it has just read, if it has; a tool that `only_reads` changes nothing; `touched` are files
    that the agent's own client saw change, `touches` those that a call names that has not happened yet. `call` names
    the use of a tool, the same before and after it; there is none after an edit that failed. `unreadable` says why
    nobody can tell what a call would write or run. `shell` reads the command where that is not the usual one. Of a
    prompt: the `task` is what a person asked for; one that `is_automatic` the client wrote by itself. `subagent` is the
    kind of an agent that the session started, `subagent_id` which of them it is. `status` is how a command ended and
    `took_ms` how long it ran, where somebody knows. Of a turn that ends: `last_message` is what the agent says,
    `background` that something still runs, `waits_for_agent` that another agent does, who may still write, and
    `held_before` that it went on because we held it. `name` is what the agent itself calls the event. `transcript` is
    where the agent writes down its conversation. While it `plans` it changes nothing but its plan; a call that
    `starts_agent` has another one work for it. `failed`: the call that has just ended did not do what it should. Nobody
    can be asked while it is not `is_attended`. `schedules` is a prompt that a call has the client submit later.
    """

    agent: str
    kind: EventKind
    session: str = ""
    cwd: Path = Path()
    tool: str = ""
    change: Change | None = None
    reads: Path | None = None
    only_reads: bool = False
    touched: tuple[Path, ...] = ()
    touches: tuple[Touch, ...] = ()
    command: str = ""
    shell: str = ""
    task: str = ""
    is_automatic: bool = False
    subagent: str = ""
    subagent_id: str = ""
    call: str = ""
    unreadable: str = ""
    status: int | None = None
    took_ms: float | None = None
    last_message: str = ""
    background: bool = False
    waits_for_agent: bool = False
    held_before: bool = False
    name: str = ""
    transcript: Path | None = None
    plans: bool = False
    starts_agent: bool = False
    failed: bool = False
    is_attended: bool = True
    schedules: str = ""


class EventSession(NamedTuple):
    """The session of an event, "" where it says none, and whether the event ends it."""

    name: str = ""
    ended: bool = False


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

    `value` and `limit` are set for measures, `before` when the value has risen from there; their
    identity is the function, not its text, see `fingerprint`. `last_line` is where the function ends, or the one line
    is, that a long edit is not refused for.
    `evidence` is the normalised code the finding is about; a digest of it, for a measure. `replacement` is what could
    stand in place of its span.
    `advisory` findings are told and never block, whatever their severity; one that `asks` leaves it to a person.
    What can still be put right by the next edit blocks `later`: at the end of a turn and at a commit; until then it is
    advisory.
    `suppression` says why one that would count does not.
    What was `said` before is on record, and not told again.
    Of a reviewer: `first_raised` when no earlier review of the branch has let it through.
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
    replacement: str = ""
    steps: tuple[Step, ...] = ()
    cwe: tuple[int, ...] = ()
    owasp: str = ""
    new: bool = True
    advisory: bool = False
    asks: bool = False
    later: bool = False
    said: bool = False
    first_raised: bool = False
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


# Begins the id of a safeguard, to tell it from findings.
SAFEGUARD = "+"


class Identified(Protocol):
    """What tells a finding, or a safeguard, from others."""

    @property
    def id(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def evidence(self) -> str: ...
    @property
    def value(self) -> int | None: ...


class Known(NamedTuple):
    """A finding, or a safeguard, that stood in a file: reduced to what tells it from others, no message, no code."""

    id: str
    symbol: str
    evidence: str
    value: int | None = None

    @classmethod
    def of(cls, identified: Identified) -> Known:
        return cls(identified.id, identified.symbol, identified.evidence, identified.value)

    @property
    def is_safeguard(self) -> bool:
        return self.id.startswith(SAFEGUARD)


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


# What follows from a gate, unless it is the name of another one; from the loosest on.
ACTIONS = ("CONTINUE", "BLOCK", "STOP")
# Unless its gate says otherwise.
COMMAND_SECONDS = 120


# What reads the output of a command that reviews code.
REVIEWING = "coderabbit"


class GateKind(enum.StrEnum):
    """What a gate runs."""

    CHECKS = enum.auto()
    COMMAND = enum.auto()
    JUDGE = enum.auto()
    SHIP = enum.auto()  # asks the record whether what would leave was reviewed
    PROOF = enum.auto()  # runs new tests against the code as it was before


@dataclass(frozen=True, slots=True)
class Gate:
    """What runs on an event (checks, a command, a judge, the record of reviews, a proof of tests), and what follows.

    `on_pass` and `on_fail` are CONTINUE, BLOCK, STOP or another gate's name; `timeout` is in seconds, `memory` in
    megabytes, 0 for no limit. A command has always got one in time. `quota` is how often an hour its command may run.
    Of a reviewer: how many commits it is shown, whether it sees specs, whether criticals are put to a second question,
    and whether what no earlier review raised blocks.
    """

    id: str
    checks: tuple[str, ...]
    block_at: Severity = Severity.ERROR
    scope: str = "new"
    on_error: str = ""
    approve: bool = False
    command: str = ""
    description: str = ""
    timeout: int = 0
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
    judge: str = ""
    models: tuple[str, ...] = ()
    mode: str = "auto"
    investigate: bool = False
    consensus: Consensus | None = None
    ship: bool = False
    prove: str = ""
    quota: int = 0
    include_specs: bool = True
    include_commits: int = 5
    refute: bool = False
    block_on_new_issues: bool = False

    def __post_init__(self) -> None:
        if self.command and not self.timeout:
            object.__setattr__(self, "timeout", COMMAND_SECONDS)

    @property
    def kind(self) -> GateKind:
        if self.command:
            return GateKind.COMMAND
        if self.judge:
            return GateKind.JUDGE
        return GateKind.SHIP if self.ship else GateKind.PROOF if self.prove else GateKind.CHECKS

    @property
    def reviews(self) -> bool:
        """Whether its command reviews code by itself: it ends with 0 whatever it finds, and asks a service for it."""
        return bool(self.command) and self.parse == REVIEWING

    @property
    def calls(self) -> bool:
        """Whether another one may follow from it."""
        return self.on_pass not in ACTIONS or self.on_fail not in ACTIONS

    @property
    def families(self) -> tuple[str, ...]:
        """The checks that it runs, be it for all of their rules or for some."""
        return _families(self.checks)


@lru_cache(maxsize=64)
def _families(checks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.partition("/")[0] for name in checks))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one gate said in one run, whatever it runs; a crash of a check is data here, not an exception.

    `error` says why there is no answer, `evidence` why it was not run or what its answer rests on; of one that was
    skipped `skip` is the kind of reason. `slowest` is the file that took longest, and its milliseconds. `output` is
    what a command printed, as it may be shown. One that is `pending` goes on, and is told when it has ended; what is
    told `late` holds nobody back any more; what is `earlier` is about a call before the one that is answered.
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
    earlier: bool = False
    judgement: Judgement | None = None
    skip: SkipKind | None = None

    @classmethod
    def of_findings(
        cls,
        gate: str,
        findings: Iterable[Finding],
        *,
        unchecked: tuple[Unchecked, ...] = (),
        failed: tuple[str, ...] = (),
        error: str = "",
        elapsed_ms: float = 0.0,
    ) -> Outcome:
        """Of checks: `failed` are those that crashed, and then nobody can say that it passed."""
        found = tuple(findings)
        status = Status.ERRORED if failed else Status.FAILED if any(each.new for each in found) else Status.PASSED
        return cls(gate, status, found, unchecked, error, failed, elapsed_ms)

    @classmethod
    def proven(cls, gate: str, evidence: str) -> Outcome:
        """It passed before, on the same content."""
        return cls(gate, Status.PASSED, evidence=evidence)

    @classmethod
    def skipped(cls, gate: str, evidence: str, kind: SkipKind = SkipKind.NOTHING_TO_DO) -> Outcome:
        """`evidence` says why, for a person."""
        return cls(gate, Status.SKIPPED, evidence=evidence, skip=kind)

    @classmethod
    def unproven(cls, gate: str, error: str) -> Outcome:
        """Somebody counts on a run that there was not."""
        return cls(gate, Status.SKIPPED, error=error, skip=SkipKind.UNPROVEN)

    @classmethod
    def errored(cls, gate: str, error: str, *, pending: bool = False) -> Outcome:
        """It has no answer, or none yet."""
        return cls(gate, Status.ERRORED, error=error, pending=pending)


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


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent's hook process prints and how it exits."""

    status: int = 0
    stdout: bytes = b""
    stderr: bytes = b""


class UserError(Exception):
    """Something the user can put right; the only exception meant for a person."""

    def __init__(self, message: str, hint: str = "", link: str = "") -> None:
        # It may quote a file, a name or a command, and goes wherever somebody reads it.
        super().__init__(redacted(message))
        self.message = redacted(message)
        self.hint = redacted(hint)
        self.link = link
