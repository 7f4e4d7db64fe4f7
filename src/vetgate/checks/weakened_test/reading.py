"""The tests of a file: their names, what they assert and call, and which of that code runs."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from vetgate.checks.weakened_test.assertions import NOTHING, by_helper, called_to_assert, digest, implied, stated
from vetgate.checks.weakened_test.grammar import (
    ASSERTS,
    BLOCKS,
    CALLS,
    ENDS,
    FUNCTIONS,
    HANDLERS,
    IFS,
    LISTS,
    LOOPS,
    TRIES,
    callee,
    flat,
    name_of,
    text,
    wanted,
)
from vetgate.checks.weakened_test.test_spans import find_tests
from vetgate.expression import expression
from vetgate.source.syntax import first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Node

    from vetgate.checks.weakened_test.assertions import Assertion
    from vetgate.checks.weakened_test.test_spans import TestSpan

# Or keeps what was caught, to be looked at later.
SPEAKS = expression(
    r"\braises?\b|\bthrow\b|assert|expect|\bfail\w*\s*\(|\.Fail|reject\(|done\(|\bpanic|\.Error|\.Fatal|t\.fail|exit\("
    r"|\.(?:append|add|put|push|set_exception)\(\s*(?:\w+\(\s*)?(?:e|ex|err|error|exc|exception)\b",
    re.IGNORECASE,
)
_BROAD = {
    "except_clause": expression(r"^except\s*(?::|$|.*\b(?:Exception|BaseException|AssertionError)\b)"),
    "except_group_clause": expression(r"^except\s*\*"),
    "rescue": expression(r"Exception|Minitest::Assertion|ExpectationNotMet|Assertion"),
}
_ANY = expression(r"Exception\b|Throwable|AssertionFailed|ExpectationFailed|\bError\b")
# Java's assertions are errors and no exceptions.
_DECLARED = {
    "catch_formal_parameter": expression(r"\b(?:AssertionError|Error|Throwable|AssertionFailed\w*)\b"),
    "catch_declaration": _ANY,
    "type_list": _ANY,
}
_SUPPRESS = expression(r"suppress\([^)]*(?:AssertionError|BaseException|\bException)")


def swallows(node: Node) -> Iterator[tuple[int, int, int]]:
    """The bytes whose assertions are swallowed, and the line to tell."""
    if node.type == "with_statement":
        head = text(node).partition("\n")[0]
        if _SUPPRESS.search(head):
            yield node.start_byte, node.end_byte, first_line(node)
        return
    handlers = [each for each in node.named_children if each.type in HANDLERS]
    if not handlers or any(SPEAKS.search(_body(each)) for each in handlers):
        return
    if any(_catches(each) for each in handlers):
        yield node.start_byte, handlers[0].start_byte, first_line(node)


def _catches(handler: Node) -> bool:
    if handler.type in _BROAD:
        head = text(handler).partition("\n")[0]
        return bool(_BROAD[handler.type].search(head))
    declared = next((each for each in handler.named_children if each.type in _DECLARED), None)
    # A language without types in its handlers catches everything.
    return declared is None or bool(_DECLARED[declared.type].search(text(declared)))


def _body(handler: Node) -> str:
    """Without what is caught, whose name may speak of assertions."""
    said = text(handler)
    return said.partition("{")[2] if "{" in said else said.partition("\n")[2] or said.partition(":")[2]


# What a test has to ask because it runs in several places.
_PLACES = expression(
    r"platform|version|os\.name|GOOS|RUNTIME|environ|getenv|process\.env|cfg!|PHP_OS|PHP_VERSION|RUBY_|_POSIX|WINDOWS"
    r"|is_?windows|is_?linux|is_?mac|is_?pypy|IS_|HAS_|has_",
)
_LEAVES = expression(r"\{?return(?:None|null|undefined|nil)?;?\}?")
_RAISES = expression(r"^(?:async\s+)?with\b.*\b(?:raises|assertRaises\w*|warns|assertWarns\w*)\s*\(")
_EXACT = frozenset({"tuple_pattern", "pattern_list", "list_pattern"})


def guarded_ranges(nodes: Iterable[Node]) -> list[tuple[int, int]]:
    """The bytes of branches without a counterpart that speaks up, and of what is behind one that leaves."""
    return [found for node in nodes if node.type in IFS for found in _guarded_ranges(node)]


def _guarded_ranges(node: Node) -> Iterator[tuple[int, int]]:
    condition = node.child_by_field_name("condition")
    taken = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if condition is None or taken is None or _PLACES.search(text(condition)):
        return
    others = node.children_by_field_name("alternative")
    if not any(SPEAKS.search(text(other)) for other in others):
        yield taken.start_byte, taken.end_byte
    if not others and _LEAVES.fullmatch(flat(text(taken))) and node.parent is not None:
        yield node.end_byte, node.parent.end_byte


def expects_failure(node: Node) -> tuple[int, int] | None:
    """What `with pytest.raises(...)` waits for: an `assert` there is what fails, or is never reached."""
    body = node.child_by_field_name("body")
    head = text(node).partition("\n")[0]
    return (body.start_byte, body.end_byte) if body is not None and _RAISES.search(head) else None


def counts_exactly(node: Node) -> bool:
    """`(only,) = found` fails unless there is one; `[first, second] = found` unless there are two."""
    left = node.child_by_field_name("left")
    if left is None or left.type not in _EXACT or "*" in flat(text(left)):
        return False
    return left.named_child_count == 1 or left.type == "list_pattern"


class Ranges:
    """Overlapping ones are one: asking takes no longer for many than for few."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(ranges):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def __contains__(self, place: int) -> bool:
        before = bisect_right(self._starts, place) - 1
        return before >= 0 and place < self._ends[before]


_NEVER = expression(r"\(?(?:False|false|0|None|null|nil|!true|notTrue)\)?|\(?(?:False|false)(?:and|&&).*")
_LEAVES_BLOCK = expression(
    r"^(?:return\b|pytest\.skip\(|self\.skipTest\(|this\.skip\(\)|t\.Skip(?:f|Now)?\(|\$this->markTest)"
)


def dead_ranges(nodes: Iterable[Node]) -> list[tuple[int, int]]:
    return [found for node in nodes for found in (*_behind(node), *_never(node))]


def _behind(node: Node) -> Iterator[tuple[int, int]]:
    if node.type not in BLOCKS:
        return
    for child in node.named_children:
        if child.type in ENDS or (child.type == "expression_statement" and _LEAVES_BLOCK.match(text(child))):
            yield child.end_byte, node.end_byte
            return


def _never(node: Node) -> Iterator[tuple[int, int]]:
    if node.type not in IFS:
        return
    condition = node.child_by_field_name("condition")
    taken = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if condition is not None and taken is not None and _NEVER.fullmatch(flat(text(condition))):
        yield taken.start_byte, taken.end_byte


_SUBJECT = expression(r"[A-Za-z_]\w{2,}")
_NO_SUBJECT = expression(
    r"assert|expect|mock|patch|print|len|range|str|int|list|dict|set|tuple|sorted|isinstance|test|describe|parametrize"
)
_MOST_NAMES = 8
_MOST_DIGESTS = 60
_TABLE = expression(
    r"parametrize|\.each|InlineData|TestCase|ValueSource|CsvSource|MethodSource|TestWith|dataProvider|test_case"
    r"|#\[case|\.with\("
)
_ATTRIBUTES = expression(r"\[\s*(?:InlineData|TestCase|DataRow)\b|#\[(?:test_case|case)\b|#\[TestWith\b")
_GATHERED = expression(r"(\w+)(?:\.(?:append|add|push|insert|extend|update)\(|\s*\+=|\[[^\]\n]*\]\s*=(?!=))")
_NAMES = expression(r"\w+")
_BY_FUNCTION = expression(r"\.each\b|forEach|\.map\(")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Test:
    """One test: `value` says how much it asserts, `evidence` knows it again when its name changed.

    An `idle` one stands in a class that no runner collects by itself. Of its `rows`, those of a loop count for what
    is asserted in the loop: `once` are the places of the other assertions.
    """

    name: str
    line: int
    start: int
    end: int
    assertions: tuple[Assertion, ...]
    rows: int
    calls: tuple[str, ...]
    body: str
    idle: bool = False
    once: frozenset[int] = frozenset()

    @property
    def value(self) -> int:
        """One for being there, and what its assertions come to for each row of a table it goes through."""
        told = (each for each in self.assertions if each.strength)
        worth = ((each.strength - each.guarded) * (1 if each.start in self.once else self.rows) for each in told)
        return 1 + sum(worth) - self.idle

    @property
    def evidence(self) -> str:
        telling = [each for each in self.assertions if each.strength and not each.implied]
        digests = ",".join(each.digest for each in telling)[: _MOST_DIGESTS * 9]
        guarded = sum(each.guarded for each in telling)
        return f"{self.body}|{','.join(self.calls)}|{digests}|{self.rows}|{guarded}{'|idle' if self.idle else ''}"


@dataclass(frozen=True, slots=True)
class TestFile:
    """`loose` are the digests of assertions outside of tests: in helpers and fixtures."""

    tests: tuple[Test, ...] = ()
    loose: frozenset[str] = frozenset()
    swallowed: tuple[tuple[int, str], ...] = ()


def read(root: Node, language: str) -> TestFile:
    nodes = list(wanted(root))
    found = find_tests(nodes, language)
    assertions, calls = _assertions(nodes)
    helpers = _helpers(nodes, found, [each.start for each in assertions if each.strength > NOTHING])
    assertions += [by_helper(node) for node, called in calls if called in helpers]
    swallowing = [
        each for node in nodes if node.type in TRIES or node.type == "with_statement" for each in swallows(node)
    ]
    awaited = (expects_failure(node) for node in nodes if node.type == "with_statement")
    silent = Ranges((*dead_ranges(nodes), *((start, end) for start, end, _ in swallowing), *filter(None, awaited)))
    live = [each for each in assertions if each.start not in silent]
    guards = Ranges(guarded_ranges(nodes))
    live = [replace(each, guarded=True) if _is_guarded(each, guards) else each for each in live]
    guilty = tuple(
        (line, _owner(found, start))
        for start, end, line in swallowing
        if any(start <= each.start < end for each in assertions)
    )
    starts = [node.start_byte for node in nodes]
    live.sort(key=lambda each: each.start)
    calls.sort(key=lambda each: each[0].start_byte)
    at, called_at = [each.start for each in live], [node.start_byte for node, _ in calls]
    tests = tuple(
        _test(
            each,
            _between(nodes, starts, each.start, each.end),
            _between(live, at, each.start, each.end),
            _between(calls, called_at, each.start, each.end),
        )
        for each in found
    )
    inside = Ranges((test.start, test.end) for test in tests)
    loose = frozenset(each.digest for each in live if each.digest and each.start not in inside)
    return TestFile(tests, loose, guilty)


def _is_guarded(each: Assertion, guards: Ranges) -> bool:
    return not each.fails and each.start in guards


def _between(items: Sequence[T], starts: Sequence[int], start: int, end: int) -> Sequence[T]:
    return items[bisect_left(starts, start) : bisect_left(starts, end)]


def _assertions(nodes: Iterable[Node]) -> tuple[list[Assertion], list[tuple[Node, str]]]:
    """What asserts, and the calls that do not."""
    found: list[Assertion] = []
    calls: list[tuple[Node, str]] = []
    for node in nodes:
        if node.type in ASSERTS:
            found.append(stated(node))
        elif node.type == "assignment":
            found += [implied(node)] if counts_exactly(node) else []
        elif node.type in CALLS:
            called = callee(node)
            told = called_to_assert(node, called)
            if told is not None:
                found.append(told)
            else:
                calls.append((node, called))
    return found, calls


def _test(found: TestSpan, inside: Sequence[Node], own: Sequence[Assertion], calls: Sequence[tuple[Node, str]]) -> Test:
    """With what is inside of it: nodes, assertions, calls."""
    names = {name for _, called in calls for name in _SUBJECT.findall(called[-60:])}
    subjects = tuple(sorted(name for name in names if not _NO_SUBJECT.search(name.lower())))[:_MOST_NAMES]
    body = digest(re.sub(r"^[^({]*", "", found.text))
    place = (found.line, found.start, found.end)
    once = frozenset(() if _runs_as_table(found) else _outside_of_loops(inside, own))
    return Test(found.name, *place, tuple(own), max(_rows(found, inside), 1), subjects, body, found.idle, once)


def _outside_of_loops(inside: Sequence[Node], own: Sequence[Assertion]) -> Iterator[int]:
    """But for those that are about what a loop has gathered: each of its rows counts there, too."""
    loops = [node for node in inside if node.type in LOOPS]
    gathered = {name for loop in loops for name in _GATHERED.findall(text(loop))}
    # Of several nodes at one place the first is the statement.
    statements = {node.start_byte: node for node in reversed(inside)}
    ranges = Ranges((loop.start_byte, loop.end_byte) for loop in loops)
    for each in own:
        if each.start not in ranges and gathered.isdisjoint(_NAMES.findall(text(statements[each.start]))):
            yield each.start


def _runs_as_table(found: TestSpan) -> bool:
    """Whether all of the test runs for each row, or a function in it that is passed on, and not a loop."""
    return bool(_TABLE.search(found.text) or _ATTRIBUTES.search(found.text) or _BY_FUNCTION.search(found.text))


def _rows(found: TestSpan, inside: Sequence[Node]) -> int:
    """How many cases the test goes through, as far as they are written out in it."""
    attributes = len(_ATTRIBUTES.findall(found.text))
    if attributes > 1:
        return attributes
    if not _runs_as_table(found) and not any(node.type in LOOPS for node in inside):
        return 1
    lists = [node for node in inside if node.type in LISTS]
    # A table is a list of lists; what is in a row does not count.
    tables = [node for node in lists if any(_is_row(each) for each in node.named_children)]
    return max((_size(node) for node in tables or lists), default=1)


def _is_row(node: Node) -> bool:
    return node.type in LISTS or any(each.type in LISTS for each in node.named_children)


def _size(node: Node) -> int:
    items = [each for each in node.named_children if "comment" not in each.type]
    return len(items)


def _helpers(nodes: Sequence[Node], found: Sequence[TestSpan], starts: Sequence[int]) -> frozenset[str]:
    """Functions of the file that assert for others, given where anything asserts."""
    tests = [each.start for each in found]
    names: set[str] = set()
    for node in nodes:
        if node.type not in FUNCTIONS or bisect_left(starts, node.start_byte) == bisect_left(starts, node.end_byte):
            continue
        around = bisect_right(tests, node.start_byte) - 1
        name = name_of(node)
        if name and (around < 0 or found[around].end <= node.start_byte):
            names |= {name, f"self.{name}", f"this.{name}", f"$this.{name}"}
    return frozenset(names)


def _owner(found: Sequence[TestSpan], offset: int) -> str:
    return next((each.name for each in found if offset < each.end), "")
