"""What a check is: a family of rules that looks at one source and reports findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.source.walk import Visitor
from vetgate.store.rows import MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from vetgate.config.schema import Config
    from vetgate.index.view import View
    from vetgate.model import Change, Command, Finding, Severity, Unchecked
    from vetgate.source.deadline import Deadline
    from vetgate.source.protected import Protected
    from vetgate.source.syntax import Source, Syntax
    from vetgate.store import Known


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
class Mark:
    """Something of worth that must not get lost: a test, how much it asserts, a limit. `rule` is broken when it does.

    It is the same mark while its symbol is; a renamed one is known by its evidence.
    """

    check: str
    rule: str
    symbol: str
    value: int = 1
    evidence: str = ""
    line: int = 1

    @property
    def id(self) -> str:
        return f"{MARK}{self.check}/{self.rule}"


@dataclass(frozen=True, slots=True)
class Loss:
    """A mark that is gone from a file, or whose value fell: `now` is what is left of it.

    `others` gives the other files that speak of a name, with their text, as they would be after the change; `before`
    and `after` are all marks of the file. Unless it `sees_all`, that nothing is found elsewhere means nothing.
    """

    source: Source
    rule: str
    symbol: str
    value: int
    now: Mark | None
    others: Callable[[str], Iterable[tuple[str, str]]]
    before: tuple[Known, ...] = ()
    after: tuple[Mark, ...] = ()
    sees_all: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """`momentary`: it depends on more than the text, so it is not to be remembered by that."""

    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    marks: tuple[Mark, ...] = ()
    momentary: bool = False


@dataclass(frozen=True, slots=True)
class Whole:
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


@dataclass(frozen=True, slots=True)
class Check:
    """`visitor` names what to note, by language, on the one walk all checks share; `report` makes findings of that.

    `under`, where there is one, gives the check with what a configuration adds to it. A `plain` check looks at every
    text, whether or not a grammar is known for it; one that looks `everywhere` also at what is no text, and at what the
    configuration leaves out, and says `too_large` of what nobody reads. One that `compares` speaks of changes for the
    worse alone and is silent where nothing is known of before; `lost` makes a finding of a mark that is gone, or None
    when it is not; `beside` leaves out, or weighs, what it found by what was known of the file before, and by its text
    then. Most checks only advise in a test file; not one that holds `in_tests`.

    Code that stays as it was is not walked again: what a `local` check says of one statement or member depends on
    nothing outside of it; one that is not can tell by `noted` the lines of all that its visitor noted: where it noted
    nothing in a whole file it has nothing to say. One that is both is local in a file where it noted nothing.

    `command` looks at what an agent would have a shell do, where a check has anything to say about that; `guard` at
    which files a change touches, wherever they are and whatever the configuration leaves out; `across` at the change as
    a whole beside the rest of the project, before and after: what it finds is new by itself.
    """

    id: str
    summary: str
    rules: tuple[Rule, ...]
    languages: frozenset[str]
    visitor: Callable[[str], Visitor]
    report: Callable[[CheckInput, Config, Deadline], Report]
    under: Callable[[Config], Check] | None = None
    plain: bool = False
    everywhere: bool = False
    too_large: Callable[[str], Finding] | None = None
    compares: bool = False
    lost: Callable[[Loss], Finding | None] | None = None
    beside: Callable[[Sequence[Finding], Sequence[Known], str], Iterable[Finding]] | None = None
    in_tests: bool = False
    local: bool = False
    noted: Callable[[Any], Iterable[int]] | None = None
    command: Callable[[Command, Config], Iterable[Finding]] | None = None
    guard: Callable[[Change, Config, Protected], Iterable[Finding]] | None = None
    across: Callable[[Whole], Report] | None = None


def across_changes(
    name: str, summary: str, rules: tuple[Rule, ...], languages: frozenset[str], across: Callable[[Whole], Report]
) -> Check:
    """A check that has nothing to say of a file by itself."""
    return Check(name, summary, rules, languages, _blind, _silent, noted=_unnoted, across=across)


_BLIND = Visitor(lambda _: None, {})


def _blind(language: str) -> Visitor:  # noqa: ARG001 - what every check is asked with
    return _BLIND


def _silent(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - as above
    return Report()


def _unnoted(state: object) -> Iterator[int]:  # noqa: ARG001 - as above
    return iter(())
