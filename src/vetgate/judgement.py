"""What a judge asks a language model and what comes back: values only, low enough for the configuration to name them.

`judges/` makes questions and weighs answers, `models/` carries them; neither needs the other.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.severity import Severity

if TYPE_CHECKING:
    from pathlib import Path


class Tier(enum.StrEnum):
    """How able a model a judge wants; the names of the models that serve it by default."""

    HAIKU = "haiku"
    SONNET = "sonnet"
    OPUS = "opus"


class JudgeDecision(enum.StrEnum):
    ALLOW = "allow"
    DENY = "deny"


class Agreement(enum.StrEnum):
    """What several models came to together."""

    AGREE = "agree"
    DISAGREE = "disagree"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class JudgeFinding:
    """One problem that a model sees; `path` and `line` as far as it says. `model` is who said it, where several did."""

    message: str
    category: str = "semantics"
    severity: Severity = Severity.WARNING
    path: str = ""
    line: int = 0
    rule: str = ""
    fix: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one model decided; `confidence` is held between 0 and 1, whatever the model claims."""

    decision: JudgeDecision
    confidence: float
    reason: str = ""
    findings: tuple[JudgeFinding, ...] = ()

    def __post_init__(self) -> None:
        sure = self.confidence if math.isfinite(self.confidence) else 0.0
        object.__setattr__(self, "confidence", min(1.0, max(0.0, sure)))


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of data under judgement; it is sent inside a fence and is never an instruction."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Investigation:
    """Leave to look around in a project, read-only: how many `turns`, and how many `tokens` in all of them.

    `sensitive` are the paths that the configuration adds to those which nobody may read.
    """

    root: Path
    turns: int = 8
    tokens: int = 60_000
    sensitive: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """`instructions` are ours and the same for every call of a judge; `parts` are data, fenced by whoever made them.

    They are sent as they are: the system prompt and `prompt`. `most_tokens` bounds the answer of one call.
    """

    judge: str
    instructions: str
    parts: tuple[Part, ...] = ()
    most_tokens: int = 1024
    investigate: Investigation | None = None

    @property
    def prompt(self) -> str:
        return "\n\n".join(f"{part.label}:\n{part.text}" for part in self.parts)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call: `input` without those `cached` (read from the cache) and `written` (to it)."""

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.written + other.written,
        )

    def __mul__(self, times: int) -> Usage:
        return Usage(self.input * times, self.output * times, self.cached * times, self.written * times)


class ModelFailure(enum.StrEnum):
    """Why a model gave no answer."""

    NO_KEY = "no-key"
    NOT_INSTALLED = "not-installed"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    RATE_LIMITED = "rate-limited"
    OVERLOADED = "overloaded"
    REFUSED = "refused"
    MALFORMED = "malformed"
    BUDGET = "budget"
    CANCELLED = "cancelled"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class Model:
    """A language model as `models.NAME` configures it. `key` says where its key is, and is shown nowhere even so."""

    name: str
    api: str
    model: str = ""
    url: str = ""
    key: str = field(default="", repr=False)
    weight: float = 1.0
    specialties: tuple[str, ...] = ()
    price: Price | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What asking one model came to: an answer, or a failure with its `detail` in plain words, free of secrets.

    What was used up counts either way, over all `tries`. `raw` is what could not be read as an answer, for the log.
    """

    model: str
    answer: Answer | None = None
    failure: ModelFailure | None = None
    detail: str = ""
    usage: Usage = Usage()
    usd: float = 0.0
    latency_ms: float = 0.0
    tries: int = 0
    raw: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Consensus:
    """How several models are joined; `timeout` in seconds, `on_timeout` is allow, deny or primary."""

    strategy: str = "primary-weighted"
    timeout: float = 15.0
    on_timeout: str = "primary"
    adjudicator: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge came to, with the `findings` of the models that decided so, each problem once.

    `overruled` are findings of models that the strategy went against: told, never blocking. `disagreements` say who
    decided what, in words, where not all decided the same.
    """

    judge: str
    decision: JudgeDecision
    confidence: float
    agreement: Agreement
    replies: tuple[ModelReply, ...] = ()
    overruled: tuple[JudgeFinding, ...] = ()
    reason: str = ""
    findings: tuple[JudgeFinding, ...] = ()
    disagreements: tuple[str, ...] = ()
