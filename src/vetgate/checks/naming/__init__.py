"""The naming check: functions and types that are named differently from those around them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vetgate.checks.naming.conventions import (
    CONVENTIONS,
    DEFINITIONS,
    FUNCTION,
    TITLES,
    TYPE,
    NameStyle,
    rewritten,
    style_of,
)
from vetgate.checks.naming.foreign_names import is_chosen_elsewhere
from vetgate.engine.check import Check, Report, Rule
from vetgate.expression import expression
from vetgate.model import Finding, Span, Unchecked
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.source.disk_cache import listed, read
from vetgate.source.language import is_generated
from vetgate.source.syntax import first_line, parse
from vetgate.source.walk import Visitor, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from vetgate.checks.naming.conventions import Convention
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput
    from vetgate.source.syntax import Source, Syntax
    from vetgate.source.walk import Walk


_CALLABLE = frozenset({"arrow_function", "function_expression", "generator_function"})


@dataclass(frozen=True, slots=True)
class Name:
    """A name of more than one word; `node` is what it names, `at` where it stands."""

    kind: str
    text: str
    style: NameStyle
    node: Node
    at: Node


@dataclass(eq=False, slots=True)
class Names:
    language: str
    data: bytes
    all: list[Name] = field(default_factory=list)

    def note(self, kind: str, node: Node) -> None:
        at = node.child_by_field_name("name")
        if at is None or (node.type == "variable_declarator" and not _is_function(node)):
            return
        text = self.data[at.start_byte : at.end_byte].decode("utf-8", "replace")
        style = style_of(text)
        if style is not NameStyle.PLAIN and style is not NameStyle.UPPER:
            self.all.append(Name(kind, text, style, node, at))


@cache
def visitor(language: str) -> Visitor:
    def begin(walk: Walk) -> Names:
        return Names(language, walk.syntax.data)

    return Visitor(begin, {node: partial(_note, kind) for node, kind in DEFINITIONS[language].items()})


def noted(names: Names) -> Iterator[int]:
    """The lines of what stands out: in a file without any there is nothing to say."""
    conventions = CONVENTIONS[names.language]
    return (first_line(name.at) for name in names.all if name.style in conventions[name.kind].odd)


def _note(kind: str, names: Names, node: Node) -> None:
    names.note(kind, node)


def _is_function(node: Node) -> bool:
    value = node.child_by_field_name("value")
    return value is not None and value.type in _CALLABLE


Tally = Counter[tuple[str, NameStyle]]

# So many names make a habit; so many times as many as of another kind make it a clear one.
_HABIT = 3
_CLEAR = 2
# A name that follows the language is told only where a file has settled on something else.
_SETTLED, _OVERWHELMING = 5, 4
_ON_PURPOSE = 2
_NEIGHBOURS = 8

# Roughly: only habits are read off these, so that a name too many or too few does not matter.
_MODIFIERS = r"(?:(?:export|default|public|private|protected|internal|static|async|pub(?:\(\w+\))?|abstract)[ \t]+)*"
_FUNCTIONS = expression(
    rf"^[ \t]*{_MODIFIERS}(?:def[ \t]+(?:self\.)?|fn[ \t]+|func[ \t]+(?:\([^)]*\)[ \t]*)?|function[ \t*]+|"
    r"(?:const|let)[ \t]+(?=\w+[ \t]*=[ \t]*(?:async[ \t]*)?\()|[\w<>\[\],.?]+[ \t]+(?=\w+\([^;]*\{?$))(\w+)",
    re.MULTILINE,
)
_TYPES = expression(r"^[ \t]*(?:\w+[ \t]+)*?(?:class|interface|struct|enum|trait|record|type)[ \t]+(\w+)", re.MULTILINE)


class Habits:
    """`own` are the names of the file, as far as they say anything about its habits."""

    def __init__(self, source: Source, own: Iterable[Name]) -> None:
        self._source = source
        self._language = source.language or ""
        self._own: Tally = Counter((name.kind, name.style) for name in own)
        self._near: Tally | None = None

    def expected(self, name: Name) -> tuple[NameStyle, str] | None:
        """The style that the name should have, and who has it so; None where it may be as it is."""
        convention = CONVENTIONS[self._language][name.kind]
        own = self._own - Counter({(name.kind, name.style): 1})
        if convention.fits(name.style):
            settled = _settled(own, name.kind, convention) if name.kind == FUNCTION else None
            return (settled, "this file") if settled is not None else None
        if name.style not in convention.odd:
            return None
        for who, tally in (("this file", own), ("the files beside it", self._around())):
            if sum(tally[name.kind, style] for style in NameStyle) >= _HABIT:
                style = _habit(tally, name, convention)
                return (style, who) if style is not None else None
        return convention.home, TITLES[self._language]

    def _around(self) -> Tally:
        """Of some files of the same language in the same folder."""
        if self._near is None:
            self._near = _neighbours(self._source)
        return self._near


def _habit(tally: Tally, name: Name, convention: Convention) -> NameStyle | None:
    """The style that others have and the name has not; None where others have its own, or every one another."""
    settled = _settled(tally, name.kind, convention)
    if settled is not None:
        return settled if settled is not name.style else None
    same = tally[name.kind, name.style]
    # Capitals at the start of a few functions are there for a reason: somebody else's interface.
    if name.style is NameStyle.PASCAL and same >= _ON_PURPOSE:
        return None
    is_clear = _fitting(tally, name.kind, convention) >= _CLEAR * max(same, 1)
    return _usual(tally, name.kind, convention) if is_clear else None


def _fitting(tally: Tally, kind: str, convention: Convention) -> int:
    return sum(tally[kind, style] for style in NameStyle if convention.fits(style))


def _settled(tally: Tally, kind: str, convention: Convention) -> NameStyle | None:
    """Another style than the language's that nearly all of the names have."""
    least = max(_SETTLED, _OVERWHELMING * _fitting(tally, kind, convention))
    others = convention.odd - {NameStyle.MIXED, NameStyle.JOINED}
    return next((style for style in others if tally[kind, style] >= least), None)


def _usual(tally: Tally, kind: str, convention: Convention) -> NameStyle:
    styles = [style for style in NameStyle if convention.fits(style)]
    return max(styles, key=lambda style: (tally[kind, style], style is convention.home))


def _neighbours(source: Source) -> Tally:
    found: Tally = Counter()
    if source.root is None:
        return found
    place = PurePosixPath(source.path)
    folder = f"{source.root}/{place.parent}"
    others = sorted(name for name in listed(folder) if name.endswith(place.suffix) and name != place.name)
    for name in others[:_NEIGHBOURS]:
        found.update(read(f"{folder}/{name}", _names_in) or {})
    return found


def _names_in(text: str) -> Tally:
    found: Tally = Counter()
    for kind, pattern in ((FUNCTION, _FUNCTIONS), (TYPE, _TYPES)):
        found.update((kind, style_of(name)) for name in pattern.findall(text))
    return found


@dataclass(frozen=True, slots=True)
class Odd:
    """A name that is written otherwise than `who` writes them."""

    name: Name
    style: NameStyle
    who: str

    @property
    def better(self) -> str:
        return rewritten(self.name.text, self.style)


@dataclass(frozen=True, slots=True)
class NamingResult:
    """`named` counts the names that have a style and are the author's own to choose."""

    named: int = 0
    odd: tuple[Odd, ...] = ()


def judged(source: Source, names: Names, *, is_test: bool) -> NamingResult:
    own = [name for name in names.all if not (is_test and name.kind == FUNCTION)]
    own = [name for name in own if not is_chosen_elsewhere(name, names.language, names.data)]
    conventions = CONVENTIONS[names.language]
    if all(conventions[name.kind].fits(name.style) for name in own):
        return NamingResult(len(own))
    habits = Habits(source, () if _is_new(source) else own)
    odd = []
    for name in own:
        told = habits.expected(name)
        if told is not None:
            odd.append(Odd(name, *told))
    return NamingResult(len(own), tuple(odd))


def _is_new(source: Source) -> bool:
    """A file that is not there yet has no habits of its own."""
    if source.root is None:
        return False
    place = PurePosixPath(source.path)
    return place.name not in listed(f"{source.root}/{place.parent}")


__all__ = ["CHECK", "NamingResult", "measured"]

_RULES = (
    Rule(
        FUNCTION, Severity.WARNING, "A function or method whose name is not written as those around it.", confidence=0.8
    ),
    Rule(
        TYPE, Severity.WARNING, "A class or another type whose name is not written as those around it.", confidence=0.8
    ),
)
_PLURAL = {FUNCTION: "functions", TYPE: "types"}


def measured(source: Source, config: Config) -> NamingResult:
    """The names of one file, for a score over many."""
    syntax = parse(source)
    if isinstance(syntax, Unchecked) or syntax.language not in CONVENTIONS or _is_left_alone(source):
        return NamingResult()
    (names,) = walk(syntax, [visitor(syntax.language)], Deadline.never()).states
    return judged(source, names, is_test=config.paths.is_test(source.path))


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - what every check is asked with
    source, syntax = check_input.source, check_input.parsed
    if not any(noted(check_input.state)) or _is_left_alone(source):
        return Report()
    result = judged(source, check_input.state, is_test=config.paths.is_test(source.path))
    findings = tuple(_finding(source, syntax, each) for each in result.odd)
    # What the files beside it do may change while the text stays the same.
    return Report(findings, momentary=bool(findings))


def _is_left_alone(source: Source) -> bool:
    return source.path.endswith(".pyi") or is_generated(source.text)


def _finding(source: Source, syntax: Syntax, each: Odd) -> Finding:
    name, at = each.name, each.name.at
    line = first_line(at)
    return Finding(
        check=CHECK.id,
        rule=name.kind,
        span=Span(source.path, line, syntax.column(at), line, syntax.end_column(at)),
        message=f"`{name.text}` is {name.style}; {_PLURAL[name.kind]} in {each.who} are {each.style}.",
        severity=Severity.WARNING,
        symbol=name.text,
        confidence=0.8,
        evidence=name.text,
        fix=f"Call it `{each.better}`.",
    )


CHECK = Check(
    id="naming",
    summary="Functions and types named differently from those around them.",
    details=(
        "functions and types that are named differently from those around them, by the file first, then the files "
        "beside it, then the language; reported, never blocked"
    ),
    rules=_RULES,
    languages=frozenset(CONVENTIONS),
    visitor=visitor,
    report=_report,
    noted_lines=noted,
    rank=110,
)
