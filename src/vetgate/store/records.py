"""What the store remembers, as values. Rows themselves never leave this room."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from vetgate.model import SAFEGUARD, EventKind, SkipKind, Status

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from vetgate.model import Known, Outcome


class Seen(msgspec.Struct, frozen=True):
    """One file in one session.

    `findings` stood in it when the session first saw it, under the configuration `config`, as far as its `checks` tell
    of them, which gates name; `judged` is the digest of the content that passed last; `unverified` says why its content
    could not be checked, when it could not.
    """

    config: str
    findings: tuple[Known, ...]
    judged: str = ""
    unverified: str = ""
    checks: tuple[str, ...] = ()

    def knows(self, checks: tuple[str, ...]) -> bool:
        """Whether all of these have looked."""
        return checks == self.checks or all(
            name in self.checks or name.partition("/")[0] in self.checks for name in checks
        )

    def learned(self, config: str, checks: tuple[str, ...], known: Iterable[Known]) -> Seen:
        """With what these checks know, beside what others do."""
        _, others = divided(self.findings, checks)
        before = self.checks if self.config == config else ()
        names = tuple(dict.fromkeys((*before, *checks)))
        return msgspec.structs.replace(self, config=config, findings=(*others, *known), checks=names)


def divided(known: Iterable[Known], checks: Collection[str]) -> tuple[tuple[Known, ...], tuple[Known, ...]]:
    """What these checks tell of, and the rest; whoever asks for one rule knows all safeguards of its check."""
    families = {name.partition("/")[0] for name in checks}
    own: list[Known] = []
    others: list[Known] = []
    for each in known:
        family = each.id.removeprefix(SAFEGUARD).partition("/")[0]
        is_own = family in (families if each.is_safeguard else checks) or each.id in checks
        (own if is_own else others).append(each)
    return tuple(own), tuple(others)


class AcceptanceKind(enum.StrEnum):
    """What a person accepted; `STORE` is what became of the record: a loss ends all of it."""

    BASELINE = "baseline"
    GRANT = "grant"
    STORE = "store"
    TRUST = "trust"
    WAIVER = "waiver"


class AcceptanceAct(enum.StrEnum):
    """What stands as the decision of such a record."""

    WAIVED = "waived"
    TAKEN_BACK = "taken back"
    ACCEPTED = "accepted"
    WITHDRAWN = "withdrawn"
    SET_UP = "set up"
    ALLOWED = "allowed"
    USED = "used"
    LOST = "lost"
    CHANGED = "changed"  # what is remembered of a session, by another program


_ACCEPTANCES = frozenset(AcceptanceKind)


class RecordedFinding(msgspec.Struct, frozen=True):
    """Rows are never rewritten: where an older version did not say whether it `blocks` or is `advisory`, it is None."""

    gate: str = ""
    id: str = ""
    check: str = ""
    rule: str = ""
    path: str = ""
    line: int = 1
    symbol: str = ""
    severity: str = ""
    confidence: float = 1.0
    value: int | None = None
    limit: int | None = None
    message: str = ""
    fix: str = ""
    steps: tuple[tuple[int, str], ...] = ()
    fingerprint: str = ""
    evidence: str = ""
    new: bool = False
    advisory: bool | None = None
    blocks: bool | None = None
    asks: bool = False
    later: bool = False
    suppression: str = msgspec.field(default="", name="excuse")

    @property
    def decides(self) -> bool:
        """Whether it was one that blocks; rows of before this was recorded say no more than the rest."""
        return self.new and not self.advisory if self.blocks is None else self.blocks


class RecordedModelFinding(msgspec.Struct, frozen=True):
    message: str
    category: str = ""
    severity: str = ""
    path: str = ""
    line: int = 0
    fix: str = ""
    model: str = ""


class RecordedReply(msgspec.Struct, frozen=True):
    """What one model said, or why it said nothing, and what that cost."""

    model: str
    decision: str = ""
    confidence: float = 0.0
    reason: str = ""
    issues: tuple[RecordedModelFinding, ...] = ()
    failure: str = ""
    detail: str = ""
    tokens: dict[str, int] = {}
    usd: float = 0.0
    latency_ms: float = 0.0


class RecordedJudgement(msgspec.Struct, frozen=True):
    judge: str
    decision: str = ""
    confidence: float = 0.0
    agreement: str = ""
    reason: str = ""
    disagreements: tuple[str, ...] = ()
    replies: tuple[RecordedReply, ...] = msgspec.field(name="modelResults", default=())
    issues: tuple[RecordedModelFinding, ...] = ()
    overruled: tuple[RecordedModelFinding, ...] = ()


class RecordedTestFailure(msgspec.Struct, frozen=True):
    name: str
    file: str = ""
    line: int = 0
    error: str = ""
    stack: str = ""


class RecordedTests(msgspec.Struct, frozen=True):
    """What a run of tests came to; `duration` in seconds, where it was told."""

    framework: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    duration: float | None = None
    failures: tuple[RecordedTestFailure, ...] = ()


class RecordedGate(msgspec.Struct, frozen=True, omit_defaults=True):
    gate: str
    status: str = ""
    error: str = ""
    elapsed_ms: float = 0.0
    judgement: RecordedJudgement | None = None
    tests: RecordedTests | None = msgspec.field(name="testResults", default=None)
    skip: str = ""  # the kind of reason for which it did not run

    @property
    def could_not_run(self) -> bool:
        return self.status == Status.ERRORED or self.skip not in {"", SkipKind.NOTHING_TO_DO}


class RecordedLoop(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one loop of a review came to, on which content and by which gates.

    `inputs` names the content that it looks at and `rules` its gates as they were configured: while both are the same,
    so is what it came to. `blockers` say why nothing may leave.
    """

    name: str
    status: str = ""
    inputs: str = ""
    rules: str = ""
    blocks: bool = True
    elapsed_ms: float = 0.0
    gates: tuple[RecordedGate, ...] = ()
    findings: int = 0
    blockers: tuple[str, ...] = ()

    @property
    def skipped(self) -> tuple[str, ...]:
        """Which gates did not run, each with why."""
        return tuple(f"{each.gate}: {each.error}" for each in self.gates if each.could_not_run)


class RecordedReview(msgspec.Struct, frozen=True, omit_defaults=True):
    """A review as it is on record: of the content `tree`, compared with the commit `fork` where it left `base`.

    `head` and `branch` are where that stood; nothing depends on them. `files` names the content of each file that
    differed from `fork`, "" for one that is gone: whoever finds another content there can name the file.
    """

    tree: str
    base: str
    fork: str
    head: str = ""
    branch: str = ""
    scope: str = ""
    loops: tuple[RecordedLoop, ...] = ()
    ship_allowed: bool = False
    blockers: tuple[str, ...] = ()
    files: dict[str, str] = {}


class RecordedReconciled(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one item of a review or a pull request: fixed by a commit, refuted for a reason, or open again."""

    item: str
    status: str
    source: str = ""
    path: str = ""
    commit: str = ""
    reason: str = ""


class RecordedUnchecked(msgspec.Struct, frozen=True):
    path: str
    reason: str = ""


class RecordedWaiver(msgspec.Struct, frozen=True):
    what: str
    glob: str
    reason: str = ""
    until: str = ""


class RecordedGrant(msgspec.Struct, frozen=True):
    """What a person allowed: something once, by its code, or the content `tree` to leave without a review."""

    code: str
    what: str = ""
    tree: str = ""
    reason: str = ""


class RecordedTrust(msgspec.Struct, frozen=True):
    digest: str


class Hand(msgspec.Struct, frozen=True):
    """Who accepted something: the account, the terminal, and `how` where that was another way."""

    user: str = ""
    terminal: str = ""
    how: str = ""


NOBODY = Hand()


class DecisionBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a verdict says, or what a person accepted: then `by` whom, and what it was.

    What not every row says is None where it does not.
    """

    decision: str = ""
    agent: str = ""
    client: str | None = None
    tool: str = ""
    command: str | None = None
    subagent: str | None = None
    files: tuple[str, ...] = ()
    gates: tuple[RecordedGate, ...] = ()
    findings: tuple[RecordedFinding, ...] = ()
    unchecked: tuple[RecordedUnchecked, ...] = ()
    notes: tuple[str, ...] = ()
    attempt: int | None = None
    answers: str | None = None
    overridden: str | None = None
    elapsed_ms: float | None = None
    cost: float | None = None
    config: str | None = None
    version: str | None = None
    by: Hand | None = None
    waiver: RecordedWaiver | None = None
    grant: RecordedGrant | None = None
    trust: RecordedTrust | None = None
    baseline: dict[str, str] | None = None
    review: RecordedReview | None = None
    reconciled: RecordedReconciled | None = None

    def plain(self) -> dict[str, Any]:
        """As it is kept."""
        return {name: value for name, value in msgspec.to_builtins(self).items() if value is not None}


@dataclass(frozen=True)
class RecordedDecision:
    """One recorded decision, `stored` as plain data: rows of other versions may say more, or less."""

    id: str
    time: float
    session: str
    event: str
    stored: Mapping[str, Any]

    @cached_property
    def body(self) -> DecisionBody:
        """Of a row that nobody of ours wrote, what it says was decided."""
        try:
            return msgspec.convert(self.stored, DecisionBody, strict=False)
        except msgspec.ValidationError:
            return DecisionBody(decision=str(self.stored.get("decision", "")))

    @property
    def is_acceptance(self) -> bool:
        return self.event in _ACCEPTANCES


class Attempt(msgspec.Struct, frozen=True):
    """One thing that was refused once: where, what was found, and digests of what was tried."""

    place: str
    finding: str
    fingerprint: str
    content: str
    decision: str
    time: float


class PendingGrant(msgspec.Struct, frozen=True):
    """What a person may let through once: `subject` is a digest of exactly that, `what` a line about it."""

    session: str
    root: str
    kind: str
    subject: str
    what: str
    code: str
    time: float


class StartFiles(msgspec.Struct, frozen=True):
    """Files that no commit had when a session began: names from the root, and the numbers of their inodes."""

    names: frozenset[str] = frozenset()
    inodes: frozenset[int] = frozenset()


class Accepted(NamedTuple):
    """One acceptance as it is told: when, by whom, and the row's own words for it."""

    seq: int
    row: RecordedDecision
    by: Hand

    @classmethod
    def of(cls, seq: int, row: RecordedDecision) -> Accepted:
        return cls(seq, row, row.body.by or NOBODY)


class SessionMark(enum.StrEnum):
    """Marks stand on a file, a folder or a project; one with a subject is about that alone."""

    ACKNOWLEDGED = "acknowledged"  # what a judge need not ask about again: its key
    ALLOWED = "allowed"  # a person let a command through: its subject
    ASKED = "asked"  # put to a person: the decision, and the content as they see it
    CLAIM = "claim"  # that tests pass was answered: the tree
    EDITED = "edited"  # the session answers for it when its turn ends
    FAILED_MODEL = "failed_model"  # that a model could not be asked: the reason
    FORCED = "forced"  # git took it in against the ignore rules
    GATES_RAN = "gates_ran"  # commands ran after a tool: the event, the tree and the files
    GATES_TOLD = "gates_told"  # what failed
    GIT_SEARCHED = "git_searched"  # what the session committed was searched: how git's files were then
    HALF_WRITTEN = "half_written"
    LEFT_HELD = "left_held"  # a turn was held for what is committed or left, and cannot be put back: its fingerprint
    LEFT_TOLD = "left_told"  # the same, told after a command
    JUDGED_SO_FAR = "judged_so_far"  # what decides whether judges are waited for: the counters
    OUTSIDE = "outside"  # a folder in no project in which a command ran
    OWED = "owed"  # let pass, to be fixed before the turn ends: whose turn, where it is a subagent's
    NEXT_EVENT = "next_event"  # to be told with the next event: the text
    PROMPTS = "prompts"  # what a person asked for, where the agent keeps no transcript: the latest of them, as a list
    RECORD_HELD = "record_held"  # a turn was held for what became of the record
    RECORD_KNOWN = "record_known"  # the same when the session began
    RECORD_TOLD = "record_told"
    REMOVED_BY_REQUEST = "removed_by_request"  # what a person's prompt named is gone: its name
    REQUESTED = "requested"  # what a person's prompt names to be removed: its name
    SAID = "said"  # a finding: its fingerprint and value
    SCHEDULED = "scheduled"  # a prompt that the agent itself has submitted later: its text
    SWEPT = "swept"  # what a command left: the content
    TAMPERED = "tampered"  # the findings
    THEIRS = "theirs"  # a person had changed it before the session began
    UNCHECKED = "unchecked"  # the turn was held for it once: the reason


class Job(msgspec.Struct, frozen=True):
    """A run of `gate` for the project at `root`, and its outcome once there is one.

    `session` is whose it is, "" for whoever works there. `content` names what it is about: the text of `path`, or all
    of the project; "" where nobody can name it. `owner` is the process that runs it or, once it has ended, the one that
    is telling it; "" where none does.
    """

    id: str
    root: str
    session: str
    gate: str
    path: str
    content: str
    owner: str
    outcome: Outcome | None = None


class Evidence(msgspec.Struct, frozen=True):
    """`tree` names the content, `command` is a digest of its words, `kind` what it is for (test, lint, ...).

    `who` is the gate that ran it, or the agent.
    """

    tree: str
    command: str
    kind: str
    status: int
    time: float
    who: str


UNDER_WAY = "under-way"


class ModelCall(msgspec.Struct, frozen=True):
    """One question to one language model, over all its tries; `failure` says why there is no answer.

    One that is under way stands there at the most that it may cost, and stays so if its process dies.
    """

    time: float
    session: str
    judge: str
    gate: str
    model: str
    input: int
    output: int
    cached: int
    written: int
    usd: float
    latency_ms: float
    tries: int
    failure: str = ""


class KeptAnswer(msgspec.Struct, frozen=True):
    """What one model answered about a part of a change; `key` names all that it was shown, and the model."""

    key: str
    time: float
    text: str


class RaisedFinding(msgspec.Struct, frozen=True):
    """A finding that a review of a branch raised; `blocked` when it did so as a new one."""

    branch: str
    fingerprint: str
    path: str
    symbol: str
    category: str
    message: str
    blocked: bool
    time: float


class RefutedFinding(msgspec.Struct, frozen=True):
    """A finding that does not hold, with the reason and `by` whom.

    `content` names the code that it was refuted for: what a model refutes may be raised again once that has changed. It
    is "" where a person said so, whatever becomes of the code.
    """

    fingerprint: str
    path: str
    symbol: str
    category: str
    message: str
    reason: str
    by: str
    content: str = ""
    time: float = 0.0


class UnusableError(Exception):
    """Nothing could be written; the text says why."""


class Stamp(NamedTuple):
    """What tells from the outside that a file is still the same."""

    mtime: int
    size: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        return cls(status.st_mtime_ns, status.st_size, status.st_ino)


class Shape(NamedTuple):
    """A function of a text: its name, its line, its normalised tokens and the values it is found by."""

    name: str
    line: int
    blind: bytes
    kept: bytes
    sketch: Sequence[int]


class Twin(NamedTuple):
    path: str
    name: str
    line: int
    blind: bytes
    kept: bytes


class Text(NamedTuple):
    """Everything that is kept of one text."""

    digest: bytes
    facts: bytes
    shapes: Sequence[Shape]
    words: Iterable[str]


class Note(NamedTuple):
    """What the last tier decided by itself, and when; an edit that it let pass is `unverified`."""

    id: str
    at: float
    session: str
    event: EventKind
    tool: str
    path: str
    cause: str
    passed: bool
    unverified: bool

    @staticmethod
    def of(told: dict[str, Any], path: str, at: float) -> Note:
        words = {name: str(told.get(name, "")) for name in ("id", "session", "tool", "cause")}
        event = next((each for each in EventKind if each == told.get("event")), EventKind.BEFORE_EDIT)
        passed, unverified = bool(told.get("passed", True)), bool(told.get("unverified", True))
        return Note(at=at, event=event, path=path, passed=passed, unverified=unverified, **words)
