"""JSON as text that knows where each value stands, so that one value can change and every other byte stays.

Stricter than most readers on purpose: a file that two readers understand differently is not one to edit.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from vetgate.expression import expression

MAX_DEPTH = 100

_SPACE = expression(r"[ \t\r\n]*")
_STRING = expression(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = expression(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


class MalformedError(Exception):
    def __init__(self, text: str, offset: int, why: str) -> None:
        super().__init__(why)
        self.line = text.count("\n", 0, offset) + 1
        self.why = why


@dataclass(frozen=True, slots=True)
class Node:
    """One value, and the half-open range of characters it takes."""

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] = ()
    items: tuple[Node, ...] = ()

    def get(self, key: str) -> Node | None:
        return next((member.node for member in self.members if member.key == key), None)

    def parts(self) -> list[tuple[int, int]]:
        """Where the members or items stand, keys included."""
        return [(m.start, m.node.end) for m in self.members] or [(i.start, i.end) for i in self.items]


@dataclass(frozen=True, slots=True)
class Member:
    key: str
    start: int
    node: Node


def parse(text: str) -> Node:
    reader = _JsonReader(text)
    node = reader.value(_skip(text, 0), 0)
    rest = _skip(text, node.end)
    if rest != len(text):
        raise MalformedError(text, rest, _unexpected(text, rest, "the end of the file"))
    return node


def line_of(text: str, node: Node) -> int:
    return text.count("\n", 0, node.start) + 1


class _JsonReader:
    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, at: int, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise MalformedError(self.text, at, f"nested deeper than {MAX_DEPTH} levels")
        first = self.text[at : at + 1]
        if first == "{":
            return self._object(at, depth)
        if first == "[":
            return self._array(at, depth)
        if first == '"':
            return self._string(at)
        return self._scalar(at)

    def _object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        at = _skip(self.text, start + 1)
        while self.text[at : at + 1] != "}":
            at = self._separator(at, "}", first=not members)
            key = self._key(at, {member.key for member in members})
            colon = _skip(self.text, key.end)
            self._expect(colon, ":")
            node = self.value(_skip(self.text, colon + 1), depth + 1)
            members.append(Member(key.value, key.start, node))
            at = _skip(self.text, node.end)
        return Node(start, at + 1, {m.key: m.node.value for m in members}, members=tuple(members))

    def _array(self, start: int, depth: int) -> Node:
        items: list[Node] = []
        at = _skip(self.text, start + 1)
        while self.text[at : at + 1] != "]":
            at = self._separator(at, "]", first=not items)
            items.append(self.value(at, depth + 1))
            at = _skip(self.text, items[-1].end)
        return Node(start, at + 1, [item.value for item in items], items=tuple(items))

    def _separator(self, at: int, closing: str, *, first: bool) -> int:
        if first:
            return at
        self._expect(at, ",", or_else=closing)
        after = _skip(self.text, at + 1)
        if self.text[after : after + 1] == closing:
            raise MalformedError(self.text, at, f"a comma before the closing {closing}")
        return after

    def _key(self, at: int, seen: set[str]) -> Node:
        if self.text[at : at + 1] != '"':
            raise MalformedError(self.text, at, _unexpected(self.text, at, 'a key in "double quotes"'))
        key = self._string(at)
        if key.value in seen:
            raise MalformedError(self.text, at, f"the key {json.dumps(key.value)} appears twice in one object")
        return key

    def _string(self, at: int) -> Node:
        match = _STRING.match(self.text, at)
        if not match:
            raise MalformedError(self.text, at, "a string that does not end, or holds a raw control character")
        return Node(at, match.end(), json.loads(match.group()))

    def _scalar(self, at: int) -> Node:
        match = _NUMBER.match(self.text, at)
        if match:
            return Node(at, match.end(), json.loads(match.group()))
        for word, value in _WORDS.items():
            if self.text.startswith(word, at):
                return Node(at, at + len(word), value)
        raise MalformedError(self.text, at, _unexpected(self.text, at, "a value"))

    def _expect(self, at: int, wanted: str, or_else: str = "") -> None:
        if self.text[at : at + 1] != wanted:
            what = f"{wanted!r} or {or_else!r}" if or_else else repr(wanted)
            raise MalformedError(self.text, at, _unexpected(self.text, at, what))


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _unexpected(text: str, at: int, wanted: str) -> str:
    found = text[at : at + 1]
    if not found:
        return f"the file ends where {wanted} should be"
    if text.startswith(("//", "/*"), at) or found == "#":
        return "a comment, which JSON does not have"
    return f"{found!r} where {wanted} should be"


_DEFAULT_INDENT = "  "
_FIRST_INDENT = expression(r"[{\[]\r?\n([ \t]+)\S")


@dataclass(frozen=True, slots=True)
class Style:
    """How a file is laid out; an empty indent means everything on one line."""

    indent: str
    newline: str

    @staticmethod
    def of(text: str) -> Style:
        newline = "\r\n" if "\r\n" in text else "\n"
        found = _FIRST_INDENT.search(text)
        if found:
            return Style(found.group(1), newline)
        one_line = "\n" not in text.strip() and text.strip() not in {"", "{}"}
        return Style("" if one_line else _DEFAULT_INDENT, newline)

    def render(self, value: Any, base: str) -> str:
        if not self.indent:
            return json.dumps(value, ensure_ascii=False)
        text = json.dumps(value, ensure_ascii=False, indent=self.indent)
        return text.replace("\n", self.newline + base)


def insert_member(text: str, container: Node, key: str, value: Any) -> str:
    return _insert(text, container, json.dumps(key) + ": ", value)


def append_at(text: str, outer: str, key: str, item: Any) -> str:
    """With one more item in the list at a key of an object of the whole; both are made where they are missing."""
    root = parse(text)
    inside = root.get(outer)
    if inside is None:
        return insert_member(text, root, outer, {key: [item]})
    listed = inside.get(key)
    return insert_member(text, inside, key, [item]) if listed is None else _insert(text, listed, "", item)


def remove_member(text: str, container: Node, key: str) -> str:
    return remove_part(text, container, [member.key for member in container.members].index(key))


def replace(text: str, node: Node, value: Any) -> str:
    style = Style.of(text)
    if not _spans_lines(text, node):
        style = Style("", style.newline)
    return text[: node.start] + style.render(value, _line_indent(text, node.start)) + text[node.end :]


def remove_part(text: str, container: Node, index: int) -> str:
    """Remove the member or item at `index` with the comma and the space that belonged to it."""
    parts = container.parts()
    if len(parts) == 1:
        return text[: container.start + 1] + text[container.end - 1 :]
    start, end = parts[index]
    if index == 0:
        return text[:start] + text[parts[1][0] :]
    return text[: parts[index - 1][1]] + text[end:]


def _insert(text: str, container: Node, prefix: str, value: Any) -> str:
    style = Style.of(text)
    parts = container.parts()
    if not parts:
        indent = _line_indent(text, container.start) + style.indent
        return _insert_first(text, container, prefix, style.render(value, indent), style)
    last = parts[-1][1]
    if not style.indent or not _spans_lines(text, container):
        compact = Style("", style.newline).render(value, "")
        return f"{text[:last]}, {prefix}{compact}{text[last:]}"
    indent = _line_indent(text, parts[-1][0])
    return f"{text[:last]},{style.newline}{indent}{prefix}{style.render(value, indent)}{text[last:]}"


def _insert_first(text: str, container: Node, prefix: str, rendered: str, style: Style) -> str:
    before, after = text[: container.start + 1], text[container.end - 1 :]
    if not style.indent:
        return f"{before}{prefix}{rendered}{after}"
    outer = _line_indent(text, container.start)
    return f"{before}{style.newline}{outer}{style.indent}{prefix}{rendered}{style.newline}{outer}{after}"


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _spans_lines(text: str, node: Node) -> bool:
    return "\n" in text[node.start : node.end]
