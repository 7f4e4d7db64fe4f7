"""The tests of a file: their names, what they assert, what they call."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from vetgate.checks.weakened_test.assertions import NOTHING, by_helper, called_to_assert, digest, implied, stated
from vetgate.checks.weakened_test.grammar import (
    ASSERTS,
    CALLS,
    FUNCTIONS,
    LISTS,
    LOOPS,
    TRIES,
    callee,
    name_of,
    wanted,
)
from vetgate.checks.weakened_test.reachability import (
    Ranges,
    counts_exactly,
    dead_ranges,
    expects_failure,
    guarded_ranges,
)
from vetgate.checks.weakened_test.swallowed import swallows
from vetgate.checks.weakened_test.test_spans import find_tests
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from vetgate.checks.weakened_test.assertions import Assertion
    from vetgate.checks.weakened_test.test_spans import TestSpan

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


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Test:
    """One test: `value` says how much it asserts, `evidence` knows it again when its name changed.

    An `idle` one stands in a class that no runner collects by itself.
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

    @property
    def value(self) -> int:
        """One for being there, and what its assertions come to for each row of a table it goes through."""
        worth = (each.strength - each.guarded for each in self.assertions if each.strength)
        return 1 + sum(worth) * max(self.rows, 1) - self.idle

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
    return Test(found.name, *place, tuple(own), _rows(found, inside), subjects, body, found.idle)


def _rows(found: TestSpan, inside: Sequence[Node]) -> int:
    """How many cases the test goes through, as far as they are written out in it."""
    has_table = bool(_TABLE.search(found.text))
    attributes = len(
        re.findall(r"\[\s*(?:InlineData|TestCase|DataRow)\b|#\[(?:test_case|case)\b|#\[TestWith\b", found.text)
    )
    if attributes > 1:
        return attributes
    if (
        not has_table
        and not any(node.type in LOOPS for node in inside)
        and not re.search(r"\.each\b|forEach|\.map\(", found.text)
    ):
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
