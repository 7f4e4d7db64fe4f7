"""What the tools give back: plain data by fixed keys, from which the schemas are made."""

from __future__ import annotations

import sys
from typing import Any

# Below 3.12 schemas can only be made of these.
if sys.version_info >= (3, 12):
    from typing import NotRequired, TypedDict
else:
    from typing import NotRequired

    from typing_extensions import TypedDict


class FlowStep(TypedDict):
    line: int
    text: str


# A key of the report of `vetgate check`, which scripts rely on.
_Suppressed = TypedDict("_Suppressed", {"excuse": str})  # noqa: UP013 - the word is for scripts, and no name of ours


class FoundProblem(_Suppressed):
    """As in `vetgate check --format json`."""

    check: str
    rule: str
    severity: str
    confidence: float
    path: str
    line: int
    column: int
    end_line: int
    message: str
    fix: str
    cwe: list[int]
    owasp: str
    fingerprint: str
    new: bool
    advisory: bool
    steps: list[FlowStep]


class UncheckedFile(TypedDict):
    path: str
    reason: str


class CommandAnswer(TypedDict):
    """One command or judge of the project: what it came to, and the end of what it printed."""

    gate: str
    status: str
    exit_status: int | None
    error: str
    output: str


class CheckAnswer(TypedDict):
    """`verdict` is allow, warn, ask, block or halt: what the gate would say.

    `summary` begins with counts. Where `summary_by` is model, what follows them was written by one.
    """

    verdict: str
    findings: list[FoundProblem]
    unchecked: list[UncheckedFile]
    commands: list[CommandAnswer]
    summary: str
    summary_by: str
    notes: list[str]
    elapsed_ms: float


class FailedTest(TypedDict):
    testFile: str
    testName: str
    line: int
    error: str
    stack: str


class TestAnswer(TypedDict):
    """`duration` in seconds. `output` is there where the run could not be read."""

    framework: str
    passed: int
    failed: int
    skipped: int
    duration: float
    failures: list[FailedTest]
    command: str
    exit_status: int | None
    ok: bool
    error: str
    output: str


class ConfirmAnswer(TypedDict):
    """`decision` is CONFIRMED or DECLINED; `id` is under what it is on record."""

    decision: str
    id: str
    verdict: str
    findings: list[FoundProblem]
    unchecked: list[UncheckedFile]
    commands: list[CommandAnswer]
    notes: list[str]
    elapsed_ms: float


class CommitAnswer(TypedDict):
    """`commit` is empty where nothing was committed; then `reason` says why. `message_by` is caller, model or rules."""

    committed: bool
    commit: str
    message: str
    message_by: str
    reason: str
    confirm: ConfirmAnswer


class JudgedProblem(TypedDict):
    """What a model sees, in its words; `model` is which one."""

    message: str
    category: str
    severity: str
    path: str
    line: int
    fix: str
    model: str


class IntentAnswer(TypedDict):
    """What the judge says of the session so far; `decision` is allow, deny or ask."""

    judge: str
    decision: str
    confidence: float
    reason: str
    findings: list[JudgedProblem]
    models: list[str]


class ExplainAnswer(TypedDict):
    """`kind` is page or decision; a page is Markdown, a decision plain data."""

    id: str
    kind: str
    page: str
    decisions: list[dict[str, Any]]
    ways_to_pass: list[str]


class FunctionMeasures(TypedDict):
    path: str
    function: str
    line: int
    end_line: int
    cyclomatic: int
    cognitive: int
    nesting: int
    length: int
    parameters: int


class MetricsAnswer(TypedDict):
    """The most complex functions first; `functions` counts all of them."""

    functions: int
    rows: list[FunctionMeasures]
    unmeasured: list[UncheckedFile]


class ShipReasonGiven(TypedDict):
    kind: str
    message: str


class ShipStatusAnswer(TypedDict):
    """`summary` begins with the verdict of the ship gate."""

    allowed: bool
    reasons: list[ShipReasonGiven]
    notes: list[str]
    summary: str


class PushAnswer(TypedDict):
    """`ship` is null where the configuration lists nothing under `on.ship`."""

    pushed: bool
    branch: str
    remote: str
    commit: str
    reason: str
    ship: ShipStatusAnswer | None


class TestCounts(TypedDict):
    passed: int
    failed: int
    skipped: int


class GateAnswer(TypedDict):
    """One gate of a review; what is not known of it is left out."""

    gate: str
    status: str
    elapsed_ms: float
    findings: int
    why: NotRequired[str]
    tests: NotRequired[TestCounts]
    coverage: NotRequired[float]
    warnings: NotRequired[int]


class LoopAnswer(TypedDict):
    number: int
    name: str
    status: str
    blocks: bool
    elapsed_ms: float
    why: str
    gates: list[GateAnswer]


class ReviewAnswer(TypedDict):
    """`passed` says whether nothing blocks, `blockers` why not; `loops` what each loop and gate came to."""

    passed: bool
    review: str
    base: str
    loops: list[LoopAnswer]
    ship_allowed: bool
    blockers: list[str]
    verdict: str
    findings: list[FoundProblem]
    unchecked: list[UncheckedFile]
    summary: str
    notes: list[str]
    elapsed_ms: float


class OpenItem(TypedDict):
    """One thing that somebody wants changed; `text`, `fix` and `replies` are their words."""

    id: str
    source: str
    kind: str
    text: str
    path: str
    line: int
    symbol: str
    severity: str
    author: str
    url: str
    fix: str
    replies: list[str]
    outdated: bool
    fingerprint: str
    blocks: bool
    head: str
    status: str
    commit: str
    reason: str
    by: str


class ReconcileAnswer(TypedDict):
    """`counts` by status: fixed, refuted, open; `complete` says whether the source counts as many."""

    source: str
    where: str
    complete: bool
    counts: dict[str, int]
    items: list[OpenItem]
    notes: list[str]
