"""The code that a change stands in and the code that it affects: whole functions around it, and their callers."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import DefinitionSite, last_name
from vetgate.index.references import references
from vetgate.index.view import View
from vetgate.judges.path_rules import PathRules
from vetgate.judges.pieces import diff_lines
from vetgate.judges.prompt import clean
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from vetgate.index.project import ProjectIndex
    from vetgate.model import Change, File

_LONGEST = 80  # lines of a function
_AROUND_CALL = 6
_MOST_CALLERS, _MOST_DEFINITIONS = 6, 30  # of a definition, of a file
_WIDEST = 400
_SECONDS = 5.0
_OPENERS, _CLOSERS = (")", "]"), ("}", "end")
_FUNCTIONS = frozenset({"function", "method"})


class CodeExcerpt(NamedTuple):
    """Some lines of a file as they would be after the change; `why` they matter."""

    path: str
    first: int
    lines: tuple[str, ...]
    why: str

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + len(self.lines))

    def __str__(self) -> str:
        narrow = (text if len(text) <= _WIDEST else clean(text)[:_WIDEST] for text in self.lines)
        numbered = (f"{number:>7}| {text}" for number, text in zip(self.numbers, narrow, strict=True))
        return "\n".join((f"{self.path}, {self.why}", *numbered))


class FunctionLines(NamedTuple):
    """A function or a class of a file, from line to line."""

    symbol: str
    first: int
    last: int
    is_function: bool


@dataclass(frozen=True)
class RelatedCode:
    """`around` and `callers` by the file of the change that they belong to; `links` are files of it that hang together.

    Callers of other files than those that changed are known where the index is built.
    """

    around: Mapping[str, tuple[CodeExcerpt, ...]] = field(default_factory=dict)
    callers: Mapping[str, tuple[CodeExcerpt, ...]] = field(default_factory=dict)
    links: frozenset[frozenset[str]] = frozenset()

    def of(self, path: str) -> tuple[CodeExcerpt, ...]:
        return (*self.around.get(path, ()), *self.callers.get(path, ()))

    def neighbours(self, path: str) -> frozenset[str]:
        return frozenset(other for link in self.links if path in link for other in link if other != path)


def surroundings(change: Change, index: ProjectIndex | None, sensitive: tuple[str, ...] = ()) -> RelatedCode:
    """Nothing of a file that nobody sends anywhere; what takes too long is left out."""
    paths = PathRules(change.root, sensitive)
    files = [file for file in change.files if language_of(file.path) and not paths.is_withheld(file.path)]
    view = View(index, {file.path: file.after for file in files})
    deadline = time.monotonic() + _SECONDS
    around, callers, links = {}, {}, set()
    changed = {file.path for file in change.files}
    for file in files:
        touched = list(_touched(view, file))
        around[file.path] = tuple(_around(file, touched))
        found: dict[tuple[str, int], CodeExcerpt] = {}
        for symbol in [each.symbol for each in touched] + _gone(view, file):
            for excerpt in _callers(view, file.path, symbol, deadline):
                if excerpt.path in changed and excerpt.path != file.path:
                    links.add(frozenset({file.path, excerpt.path}))
                elif excerpt.path != file.path and not paths.is_withheld(excerpt.path):
                    found.setdefault((excerpt.path, excerpt.first), excerpt)
        callers[file.path] = tuple(found.values())
    return RelatedCode(around, callers, frozenset(links))


def definitions_in(view: View, path: str, text: str) -> tuple[FunctionLines, ...]:
    """Of a language that we read; the inner ones after those around them."""
    if not language_of(path):
        return ()
    lines = text.split("\n")
    found = sorted(view.read_text(path, text).facts.definitions, key=lambda each: each.line)
    return tuple(
        FunctionLines(each.symbol, each.line, _last_line(lines, each.line), each.kind in _FUNCTIONS) for each in found
    )


def symbol_at(path: str, text: str, line: int) -> str:
    """The innermost definition around a line; "" where there is none."""
    inside = [each for each in definitions_in(View(None, {path: text}), path, text) if each.first <= line <= each.last]
    return max(inside, key=lambda each: each.first).symbol if inside else ""


def text_of_symbol(path: str, text: str, symbol: str) -> str:
    """The lines of a definition; the whole text where it is not there."""
    for each in definitions_in(View(None, {path: text}), path, text):
        if symbol and each.symbol == symbol:
            return "\n".join(text.split("\n")[each.first - 1 : each.last])
    return text


def _last_line(lines: list[str], first: int) -> int:
    """Where it ends, by its indentation: before the next line that is not further in, or with what closes it."""
    depth = _indentation(lines[first - 1])
    last = first
    for number in range(first + 1, len(lines) + 1):
        text = lines[number - 1].strip()
        if not text:
            continue
        if _indentation(lines[number - 1]) > depth or text.startswith(_OPENERS):
            last = number
            continue
        return number if text.startswith(_CLOSERS) else last
    return last


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _touched(view: View, file: File) -> Iterator[FunctionLines]:
    """The innermost definitions in which something changed."""
    if file.after is None:
        return
    found = definitions_in(view, file.path, file.after)
    hit: dict[str, FunctionLines] = {}
    for number in _changed_lines(file):
        inside = [each for each in found if each.first <= number <= each.last]
        if inside:
            innermost = max(inside, key=lambda each: each.first)
            hit.setdefault(innermost.symbol, innermost)
    yield from list(hit.values())[:_MOST_DEFINITIONS]


def _changed_lines(file: File) -> Iterator[int]:
    """Of the new text; lines that are gone count for the ones around them."""
    last = 0
    for line in diff_lines(file):
        if line.sign == "-":
            yield max(1, last)
        elif line.sign == "+":
            yield line.number
        last = line.number or last


def _gone(view: View, file: File) -> list[str]:
    """What was defined and is no more: whoever calls it is affected most."""
    if file.before is None:
        return []
    left = {each.symbol for each in definitions_in(view, file.path, file.after or "")}
    before = definitions_in(view, file.was or file.path, file.before)
    return [each.symbol for each in before if each.symbol not in left][:_MOST_DEFINITIONS]


def _around(file: File, touched: Iterable[FunctionLines]) -> Iterator[CodeExcerpt]:
    """Functions that the diff does not show whole."""
    lines = (file.after or "").split("\n")
    shown = {line.number for line in diff_lines(file)}
    for each in touched:
        last = min(each.last, each.first + _LONGEST - 1)
        if each.is_function and not shown.issuperset(range(each.first, last + 1)):
            yield CodeExcerpt(file.path, each.first, tuple(lines[each.first - 1 : last]), f"all of `{each.symbol}`")


def _callers(view: View, path: str, symbol: str, deadline: float) -> Iterator[CodeExcerpt]:
    found = 0
    if time.monotonic() > deadline:
        return
    for each in references(view, DefinitionSite(path, symbol), last_name(symbol)):
        if found == _MOST_CALLERS or time.monotonic() > deadline:
            return
        if each.call is None or each.path == path:
            continue
        text = view.text(each.path)
        lines = text.split("\n")
        if not 0 < each.line <= len(lines):
            continue
        found += 1
        first, last = max(1, each.line - _AROUND_CALL), min(len(lines), each.line + _AROUND_CALL)
        yield CodeExcerpt(each.path, first, tuple(lines[first - 1 : last]), f"calls `{symbol}` of {path}")
