"""The measures of a function: what adds to each, what counts against a limit, whose definition a language follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vetgate.config.options import LESS, Option
from vetgate.config.value_shapes import Choice, Whole
from vetgate.engine.check import Rule
from vetgate.model import Step
from vetgate.severity import Severity
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.model import Unchecked
    from vetgate.source.syntax import Syntax


@dataclass(frozen=True, eq=False)
class Measures:
    """One function. `name` is qualified ("Class.method"), lines and `column` count from 1, `column` in characters.

    `extent` is the function's byte range in the UTF-8 text, which tells apart two functions on one line.
    """

    name: str
    line: int
    end_line: int
    column: int
    cyclomatic: int
    cognitive: int
    nesting: int
    parameters: int
    extent: tuple[int, int]
    trail: FunctionTrail = field(repr=False)
    syntax: Syntax = field(repr=False)

    @property
    def length(self) -> int:
        return self.end_line - self.line + 1

    @cached_property
    def steps(self) -> Mapping[str, tuple[Step, ...]]:
        return self.trail.steps()

    @property
    def head_end(self) -> int:
        """The column after the last character of the function's first line."""
        data, (start, end) = self.syntax.data, self.extent
        line_start = data.rfind(b"\n", 0, start) + 1
        line_end = data.find(b"\n", start, end)
        line = data[line_start : end if line_end < 0 else line_end].rstrip()
        return len(line.decode("utf-8", "replace")) + 1

    @cached_property
    def digest(self) -> str:
        """Of the function's text without its white space: reformatting keeps it."""
        start, end = self.extent
        return blake2b(b"".join(self.syntax.data[start:end].split()), digest_size=8).hexdigest()


@dataclass(frozen=True)
class FileMeasures:
    functions: tuple[Measures, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()


CYCLOMATIC = "cyclomatic"
COGNITIVE = "cognitive"
NESTING = "nesting"
LENGTH = "length"
PARAMETERS = "parameters"

RULES = (
    Rule(CYCLOMATIC, Severity.ERROR, "A function has too many ways through it."),
    Rule(COGNITIVE, Severity.ERROR, "A function is too hard to follow."),
    Rule(NESTING, Severity.WARNING, "Control structures are nested too deeply."),
    Rule(LENGTH, Severity.WARNING, "A function has too many lines."),
    Rule(PARAMETERS, Severity.WARNING, "A function takes too many parameters."),
)

LIMITS: Mapping[str, Option[int]] = {
    name: Option(f"complexity.{name}", Whole(least, most), default, summary, LESS)
    for name, least, most, default, summary in (
        (CYCLOMATIC, 1, 10_000, 10, "Most independent paths through a function."),
        (COGNITIVE, 0, 10_000, 15, "Most cognitive complexity of a function: how hard its flow is to follow."),
        (NESTING, 0, 1_000, 4, "Deepest nesting of control flow in a function."),
        (LENGTH, 1, 100_000, 50, "Most lines of a function."),
        (PARAMETERS, 0, 1_000, 5, "Most parameters of a function."),
    )
}

CLASSIC, MODIFIED = "classic", "modified"
VARIANT = Option(
    "complexity.variant",
    Choice((CLASSIC, MODIFIED)),
    MODIFIED,
    "How a switch counts in cyclomatic complexity: modified, once; classic, once for each case.",
    LESS,
)

TITLES: Mapping[str, str] = {
    CYCLOMATIC: "cyclomatic complexity",
    COGNITIVE: "cognitive complexity",
    NESTING: "nesting depth",
    LENGTH: "length",
    PARAMETERS: "parameter count",
}

_ECMASCRIPT = {CYCLOMATIC: "ESLint `complexity`", COGNITIVE: "sonarjs `cognitive-complexity`"}
_PAPER = {CYCLOMATIC: "McCabe with boolean operators", COGNITIVE: "cognitive complexity white paper"}
_BY_LANGUAGE: Mapping[str, Mapping[str, str]] = {
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "python": {CYCLOMATIC: "ruff C901", COGNITIVE: _PAPER[COGNITIVE]},
    "go": {CYCLOMATIC: "gocyclo", COGNITIVE: "gocognit"},
}
_EVERYWHERE: Mapping[str, str] = {
    NESTING: "nested control structures, `else if` adds none",
    LENGTH: "without comments",
    PARAMETERS: "declared parameters",
}


def definition(measure: str, language: str) -> str:
    return _EVERYWHERE.get(measure) or _BY_LANGUAGE.get(language, _PAPER)[measure]


_LONGEST = 200  # additions that are told apart; a function that needs more is beyond reading line by line


@dataclass(frozen=True, slots=True)
class Addition:
    """One place that adds `amount` to a measure because of `what`, `nesting` levels deep."""

    line: int
    end_line: int
    what: str
    amount: int = 1
    nesting: int = 0

    def step(self) -> Step:
        depth = f" (nesting {self.nesting})" if self.nesting else ""
        return Step(self.line, f"+{self.amount} {self.what}{depth}")


class Folded(NamedTuple):
    """A nested function whose value adds to the one around it, `deeper` levels down."""

    trail: FunctionTrail
    head: Node
    deeper: int


FLAT = -1  # the level of a thought that does not grow with nesting


class FunctionTrail:
    """Collected for every function, read for the few that somebody asks about."""

    __slots__ = ("branches", "chain", "recursion", "thoughts")

    def __init__(self) -> None:
        self.branches: list[tuple[Node, str] | Folded] = []
        self.thoughts: list[tuple[Node, str, int] | Folded] = []
        self.chain: tuple[tuple[Node, str], ...] = ()
        self.recursion: list[tuple[Node, str, int]] = []

    def cyclomatic(self) -> tuple[Addition, ...]:
        return tuple(_in_order(_branches(self)))

    def cognitive(self) -> tuple[Addition, ...]:
        return tuple(_in_order(_thoughts(self)))

    def nesting(self) -> tuple[Addition, ...]:
        return tuple(_addition(node, what) for node, what in self.chain)

    def steps(self) -> Mapping[str, tuple[Step, ...]]:
        return {
            "cyclomatic": tuple(addition.step() for addition in self.cyclomatic()),
            "cognitive": tuple(addition.step() for addition in self.cognitive()),
            "nesting": tuple(
                Step(addition.line, f"level {level}: {addition.what}")
                for level, addition in enumerate(self.nesting(), 1)
            ),
        }


def _addition(node: Node, what: str, amount: int = 1, nesting: int = 0) -> Addition:
    return Addition(first_line(node), last_line(node), what, amount, nesting)


def _in_order(additions: Iterator[Addition]) -> list[Addition]:
    some = [addition for addition, _ in zip(additions, range(_LONGEST), strict=False)]
    return sorted(some, key=lambda addition: addition.line)


def _branches(trail: FunctionTrail) -> Iterator[Addition]:
    pending = [trail]
    while pending:
        for item in pending.pop().branches:
            if isinstance(item, Folded):
                yield _addition(item.head, "nested function")
                pending.append(item.trail)
            else:
                yield _addition(*item)


def _thoughts(trail: FunctionTrail) -> Iterator[Addition]:
    yield from (_addition(node, what) for node, what, _ in trail.recursion)
    pending = [(trail, 0)]
    while pending:
        current, deeper = pending.pop()
        for item in current.thoughts:
            if isinstance(item, Folded):
                pending.append((item.trail, deeper + item.deeper))
                continue
            node, what, level = item
            nesting = 0 if level == FLAT else level + deeper
            yield _addition(node, what, 1 + nesting, nesting)


_CASES = frozenset({"case", "match arm"})
_CASES_OF_RUBY = frozenset({"when", "in_clause"})
_SWITCHES = frozenset(
    [
        "switch_statement",
        "switch_expression",
        "match_statement",
        "match_expression",
        "case",
        "case_match",
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
    ]
)
_LEVELS = 5


def modified_cyclomatic(function: Measures) -> int:
    """As ESLint's `modified` variant: each switch or match is one branch, however many cases it has."""
    cases = list(_cases(function.trail))
    return function.cyclomatic - len(cases) + len({_switch_of(case) for case in cases})


def _cases(trail: FunctionTrail) -> Iterator[Node]:
    pending = [trail]
    while pending:
        for item in pending.pop().branches:
            if isinstance(item, Folded):
                pending.append(item.trail)
            elif item[1] in _CASES or item[0].type in _CASES_OF_RUBY:
                yield item[0]


def _switch_of(case: Node) -> int:
    holder = case.parent
    for _ in range(_LEVELS):
        if holder is None:
            break
        if holder.type in _SWITCHES and holder.is_named:
            return holder.id
        holder = holder.parent
    return case.id


def code_lines(function: Measures) -> int:
    """Lines without those that hold nothing but a comment or the function's documentation."""
    start, end = function.extent
    spoken: set[int] = set()
    code: set[int] = set()
    top = function.syntax.tree.root_node.descendant_for_byte_range(start, end)
    pending = [top] if top is not None else []
    while pending:
        node = pending.pop()
        if node.end_byte <= start or node.start_byte >= end:
            continue
        first, last = first_line(node), last_line(node)
        if first == last and first in code:
            continue  # its line counts, whatever else stands there
        kind = node.type
        if "comment" in kind or (kind == "expression_statement" and _is_documentation(node)):
            spoken.update(range(first, last + 1))
        elif node.child_count and not kind.endswith("string"):
            pending.extend(node.children)
        else:
            code.update(range(first, last + 1))
    # What stands on the first lines beside the head, a decorator say, belongs to the length as well.
    within = range(function.line, function.end_line + 1)
    return function.length - len([line for line in spoken - code if line in within])


def _is_documentation(node: Node) -> bool:
    """A text that stands for itself as the first statement of a function or a class."""
    if node.named_child_count != 1:
        return False
    holder = node.parent
    if node.named_children[0].type != "string" or holder is None or holder.type != "block":
        return False
    first = next((child for child in holder.named_children if "comment" not in child.type), None)
    return first is not None and first.id == node.id
