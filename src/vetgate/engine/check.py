"""What a check is: a family of rules that looks at one source and reports findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from vetgate.failure import OPEN
from vetgate.model import SAFEGUARD
from vetgate.source.walk import BLIND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vetgate.config.options import Option
    from vetgate.config.schema import Config
    from vetgate.index.view import View
    from vetgate.model import Change, Command, Finding, Known, Unchecked
    from vetgate.severity import Severity
    from vetgate.source.clock import Deadline
    from vetgate.source.protected import Protected
    from vetgate.source.syntax import Source, Syntax
    from vetgate.source.walk import Visitor


@dataclass(frozen=True, slots=True)
class Rule:
    """`confidence` is how sure its findings are at best; without `languages` it speaks of all of its check's."""

    id: str
    severity: Severity
    summary: str
    category: str = ""
    cwe: tuple[int, ...] = ()
    owasp: str = ""
    confidence: float = 1.0
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Safeguard:
    """Something of worth that must not get lost: a test, how much it asserts, a limit. `rule` is broken when it does.

    It is the same safeguard while its symbol is; a renamed one is known by its evidence.
    """

    check: str
    rule: str
    symbol: str
    value: int = 1
    evidence: str = ""
    line: int = 1

    @property
    def id(self) -> str:
        return f"{SAFEGUARD}{self.check}/{self.rule}"


@dataclass(frozen=True, slots=True)
class Loss:
    """A safeguard that is gone from a file, or whose value fell: `now` is what is left of it.

    `others` gives the other files that speak of a name, with their text, as they would be after the change; `before`
    and `after` are all safeguards of the file. Unless it `sees_all`, that nothing is found elsewhere means nothing.
    """

    source: Source
    rule: str
    symbol: str
    value: int
    now: Safeguard | None
    others: Callable[[str], Iterable[tuple[str, str]]]
    before: tuple[Known, ...] = ()
    after: tuple[Safeguard, ...] = ()
    sees_all: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """`momentary`: it depends on more than the text, so it is not to be remembered by that."""

    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    safeguards: tuple[Safeguard, ...] = ()
    momentary: bool = False


@dataclass(frozen=True, slots=True)
class WholeChange:
    """A change as a whole, beside all that is known of the rest of the project."""

    change: Change
    view: View
    config: Config
    deadline: Deadline


@dataclass(frozen=True, slots=True)
class CheckInput:
    """What a check saw of one file: the state its visitor left, and the byte ranges time did not suffice for.

    Without a grammar for it, or without a visitor of the check's own, there is only the text.
    """

    source: Source
    syntax: Syntax | None
    state: Any = None
    unvisited: tuple[tuple[int, int], ...] = ()

    @property
    def parsed(self) -> Syntax:
        """For a check that is not plain: it only sees what was parsed."""
        if self.syntax is None:
            raise ValueError(f"{self.source.path} was not parsed")
        return self.syntax


def _finds_nothing(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001
    return Report()


class InTests(Enum):
    """What a finding in a test file does: nobody is told of what is quiet, `vetgate check` lists it as advice."""

    BLOCKS = auto()
    ADVISES = auto()
    QUIET = auto()


@dataclass(frozen=True, slots=True)
class Check:
    """A family of rules. All checks share one parse and one walk of a file; what is left out is not asked.

    Of one file: `visitor` names what to note on the walk, by language; `report` makes findings of that. A `plain` check
    sees every text, whether or not a grammar is known for it; one that `covers_all_files` also what is no text and what
    the configuration leaves out, and `on_too_large_file` finds in a file that nobody reads. `in_tests` says what its
    findings do in a test file. `configured` gives the check with what a configuration adds.

    Of before and after: one that `compares` speaks of changes for the worse alone and is silent where nothing is known
    of before. `compare_with_before` leaves out, or weighs, what it found by what was known of the file and by its text
    then; `on_lost_safeguard` makes a finding of a safeguard that is gone, or None.

    Of more than a file: `on_command` is called with what an agent would have a shell do; `on_touched_files` with the
    files a change touches, wherever they are and whatever the configuration leaves out; `on_whole_change` with the
    change beside the rest of the project: what it finds is new by itself.

    Code that stays as it was is not walked again: what a `piecewise` check says of one statement or member depends on
    nothing outside of it; one that is not can give by `noted_lines` the lines of all that its visitor noted: where it
    noted nothing in a whole file it has nothing to say. One that is both is piecewise in a file where it noted nothing.
    One that looks at manifests or at files beside reads them by `source.disk_cache`, which notes them for the next run.

    What is generated from it: `gate` is the gate of the defaults that runs it, `on_error` what its own failure means,
    `rank` its place among the others; `options` is what vetgate.yaml may say to it, all under one key, which
    `options_summary` is about. Of one `in_last_tier` core.py carries out the little that needs nothing else. What fails
    closed cannot be waived, unless each finding may be `waived_singly`: `allowed_by` says how a person allows it,
    `decisions` is the option that decides on each of its rules. In the README `details` replace the summary, `scope`
    replaces the languages.
    """

    id: str
    summary: str
    rules: tuple[Rule, ...]
    languages: frozenset[str] = frozenset()
    visitor: Callable[[str], Visitor] | None = None
    report: Callable[[CheckInput, Config, Deadline], Report] = _finds_nothing
    plain: bool = False
    covers_all_files: bool = False
    on_too_large_file: Callable[[str], Finding] | None = None
    in_tests: InTests = InTests.ADVISES
    configured: Callable[[Config], Check] | None = None
    compares: bool = False
    compare_with_before: Callable[[Sequence[Finding], Sequence[Known], str], Iterable[Finding]] | None = None
    on_lost_safeguard: Callable[[Loss], Finding | None] | None = None
    on_command: Callable[[Command, Config], Iterable[Finding]] | None = None
    on_touched_files: Callable[[Change, Config, Protected], Iterable[Finding]] | None = None
    on_whole_change: Callable[[WholeChange], Report] | None = None
    piecewise: bool = False
    noted_lines: Callable[[Any], Iterable[int]] | None = None
    gate: str = "code"
    on_error: str = OPEN
    rank: int = 1000
    options: tuple[Option[Any], ...] = field(default=(), hash=False)
    options_summary: str = ""
    decisions: Option[dict[str, str]] | None = field(default=None, hash=False)
    allowed_by: str = "its settings"
    waived_singly: bool = False
    in_last_tier: bool = False
    details: str = ""
    scope: str = ""

    def configured_by(self, config: Config) -> Check:
        return self.configured(config) if self.configured else self

    def visitor_of(self, language: str) -> Visitor:
        return self.visitor(language) if self.visitor else BLIND

    def lines_noted(self, state: Any) -> set[int] | None:
        """Of what its visitor noted; None when it cannot tell."""
        if self.visitor is None:
            return set()
        return set(self.noted_lines(state)) if self.noted_lines else None
