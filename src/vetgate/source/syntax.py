"""A source and its syntax tree: parsed once, kept by content; line and column of an offset."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tree_sitter import Parser

from vetgate.model import Unchecked, UncheckedKind
from vetgate.source.language import grammar, is_made_by_a_tool
from vetgate.source.text_diff import common_head, common_tail
from vetgate.source.trial import can_be_parsed, is_suspicious

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    from tree_sitter import Node, Tree


class Positions:
    """Lines and columns count from 1, columns in characters; offsets are bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0
        self._place = (1, 1)

    def at(self, offset: int) -> tuple[int, int]:
        line, column = self._place if offset >= self._offset else (1, 1)
        first = self._offset if offset >= self._offset else 0
        passed = self._data[first:offset]
        lines = passed.count(b"\n")
        if lines:
            passed, column = passed.rpartition(b"\n")[2], 1
        self._offset, self._place = offset, (line + lines, column + _characters(passed))
        return self._place


def _characters(data: bytes) -> int:
    return len(data) if data.isascii() else len(data.decode("utf-8", "replace"))


MAX_BYTES = 1_000_000
MAX_LINES = 20_000

_BOM = "\ufeff"
_TREE_BYTES = 500  # what even the smallest takes, counted as source
_KEPT_BYTES = 2_000_000  # of source text; a tree takes about ten times as much


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it would be.

    `first` holds the line ranges (from 1, inclusive) that were changed; they are looked at first when time is short.
    `root` is the project it is part of, for those who ask about more than the text. `beside` is what the file holds
    that is no code, as a notebook does, in the lines of the file. In what is no text, and in what a configuration
    leaves out, nobody looks for more than what proves itself by its shape (`shapes_only`).
    """

    path: str
    text: str
    language: str | None
    first: tuple[tuple[int, int], ...] = ()
    root: Path | None = None
    beside: str = ""
    shapes_only: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Syntax:
    """A parsed source. Nodes count bytes of `data`; what people read counts characters."""

    language: str
    data: bytes
    tree: Tree

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def line_at(self, offset: int) -> int:
        return self.data.count(b"\n", 0, offset) + 1

    def column(self, node: Node) -> int:
        start = node.start_byte
        line_start = self.data.rfind(b"\n", 0, start) + 1
        return len(self.data[line_start:start].decode("utf-8", "replace")) + 1

    def end_column(self, node: Node) -> int:
        """The column after the node's last character."""
        line_start = self.data.rfind(b"\n", 0, node.end_byte) + 1
        return len(self.data[line_start : node.end_byte].decode("utf-8", "replace")) + 1


# A point's `row` and `column` attributes crash the interpreter in tree-sitter 0.26 (each read drops a reference too
# many); its items are safe. So lines are asked for here and nowhere else.
def first_line(node: Node) -> int:
    return node.start_point[0] + 1


def last_line(node: Node) -> int:
    return node.end_point[0] + 1


def children_in(node: Node, field: str) -> list[Node]:
    """The named children of one of its parts; none where it has no such part."""
    part = node.child_by_field_name(field)
    return part.named_children if part is not None else []


def child_of(node: Node, *kinds: str) -> Node | None:
    """The first of its named children that is of one of these kinds."""
    return next((child for child in node.named_children if child.type in kinds), None)


def enclosing(node: Node | None, kinds: Container[str]) -> Node | None:
    """The nearest of these kinds, a node itself or what it stands in."""
    while node is not None and node.type not in kinds:
        node = node.parent
    return node


def first_error(syntax: Syntax) -> int | None:
    """The first line that does not parse; None when all of it does."""
    node = syntax.tree.root_node
    if not node.has_error:
        return None
    while not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    return first_line(node)


class _TreeCache:
    """The latest trees by content, within a budget of source bytes, and which of them was the last of a path."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._size = 0
        self._trees: OrderedDict[tuple[str, str], tuple[Syntax, set[str]]] = OrderedDict()  # and whose last it may be
        self._last: dict[str, tuple[str, str]] = {}
        self._lock = threading.Lock()

    def last(self, path: str, language: str) -> Syntax | None:
        with self._lock:
            key = self._last.get(path)
            return self._trees[key][0] if key is not None and key[0] == language else None

    def get(self, key: tuple[str, str]) -> Syntax | None:
        with self._lock:
            found = self._trees.get(key)
            if found is None:
                return None
            self._trees.move_to_end(key)
            return found[0]

    def put(self, key: tuple[str, str], path: str, syntax: Syntax) -> None:
        with self._lock:
            self._last[path] = key
            if key in self._trees:
                self._trees[key][1].add(path)
                return
            self._trees[key] = (syntax, {path})
            self._size += len(syntax.data) + _TREE_BYTES
            while self._size > self._budget and len(self._trees) > 1:
                gone, (dropped, paths) = self._trees.popitem(last=False)
                self._size -= len(dropped.data) + _TREE_BYTES
                for each in paths:
                    if self._last.get(each) == gone:
                        del self._last[each]


_kept = _TreeCache(_KEPT_BYTES)


def parse(source: Source) -> Syntax | Unchecked:
    """Parse, or say why not. Broken code still gives a tree: its errors stay local."""
    if source.language is None:
        return Unchecked(source.path, UncheckedKind.NOT_CODE, "its language is not supported")
    # The text itself is the key: whoever asks again mostly holds the same string, whose hash is known.
    key = (source.language, source.text)
    known = _kept.get(key)
    if known is not None:
        return known
    if "\0" in source.text:
        return Unchecked(source.path, UncheckedKind.NOT_CODE, "it holds NUL characters, so it is not source code")
    data = encoded(source.text)
    too_big = _too_big(data)
    if too_big:
        return Unchecked(source.path, UncheckedKind.NOT_PARSED, too_big, holds=not is_made_by_a_tool(source.text))
    parser = Parser(grammar(source.language))
    last = _kept.last(source.path, source.language)
    tree = reparsed(parser, last.data, last.tree, data) if last is not None else None
    if tree is None and not can_be_parsed(source.language, data):
        reason = f"it does not look like {source.language}: parsing it would take too long"
        return Unchecked(source.path, UncheckedKind.UNFINISHED, reason, holds=not is_made_by_a_tool(source.text))
    syntax = Syntax(source.language, data, tree or parser.parse(data))
    _kept.put(key, source.path, syntax)
    return syntax


def encoded(text: str) -> bytes:
    """A lone surrogate stands for a byte that was not UTF-8; one `?` for it keeps columns right."""
    return text.removeprefix(_BOM).encode("utf-8", "replace")


def beyond_limits(text: str) -> bool:
    """Whether a text is not parsed because of its size."""
    return bool(_too_big(text.encode("utf-8", "replace")))


def _too_big(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        return f"{len(data):,} bytes, and files above {MAX_BYTES:,} bytes are not parsed"
    lines = data.count(b"\n") + 1
    if lines > MAX_LINES:
        return f"{lines:,} lines, and files above {MAX_LINES:,} lines are not parsed"
    return ""


def reparsed(parser: Parser, old: bytes, tree: Tree, data: bytes) -> Tree | None:
    """The tree of `data`, or None where only a parse from scratch is sure to give the same tree as one would."""
    if tree.root_node.has_error:
        return None
    start = common_head(old, data)
    tail = common_tail(old, data, min(len(old), len(data)) - start)
    old_end, new_end = len(old) - tail, len(data) - tail
    if is_suspicious(data[start:new_end]):
        return None
    edited = tree.copy()
    edited.edit(start, old_end, new_end, _point(old, start), _point(old, old_end), _point(data, new_end))
    result = parser.parse(data, edited)
    # How a parser gets over an error depends on where it came from.
    return None if result.root_node.has_error else result


def _point(data: bytes, offset: int) -> tuple[int, int]:
    return data.count(b"\n", 0, offset), offset - (data.rfind(b"\n", 0, offset) + 1)
