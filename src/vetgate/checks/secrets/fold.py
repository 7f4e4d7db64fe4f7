"""Texts that are put together: from literals and names that stand for one each, or from variables of a shell."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.checks.secrets.evaluate import (
    CALLS,
    CHOICES,
    GIVEN,
    JOINS,
    KEYED,
    LISTS,
    MAPS,
    MEMBERS,
    PARTS,
    STRINGS,
    called,
    longest_branch,
    returned_by,
)
from vetgate.checks.secrets.literals import content, unescaped
from vetgate.checks.secrets.match import Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

_KINDS = frozenset(
    "sh bash zsh ksh env envrc profile bashrc zshrc settings mk makefile dockerfile containerfile bat cmd".split()
)
_SET = re.compile(
    rb"(?:^|[;&|{(])[ \t]*(?:(?:export|local|readonly|declare|typeset|ENV|ARG|set|SET)[ \t]+)?"
    rb"([A-Za-z_]\w{0,60})[ \t]?(\+|:)?=([^\n;&|]{0,400})",
    re.MULTILINE,
)
# `const val A = "AK"`, then `"${A}IA..."` or `"\(A)IA..."`.
_TEMPLATED = frozenset("kt kts swift scala sc groovy gradle dart jl".split())
_CONSTANT = re.compile(
    rb"\b(?:val|var|let|def|const|final)[ \t]+(?:(?:val|String)[ \t]+)?([A-Za-z_]\w{0,60})(?:[ \t]?:[ \t]?\w{1,30})?"
    rb"[ \t]?=[ \t]?[\"']([^\"'\n]{2,400})[\"']"
)
_TEMPLATE = re.compile(rb"[\"'](?:[^\"'\n\\]|\\.){0,200}?(?:\$\{?[A-Za-z_]|\\\([A-Za-z_])[^\"'\n]{0,400}[\"']")
_IN_TEMPLATE = re.compile(rb"\$\{?([A-Za-z_]\w{0,60})\}?|\\\(([A-Za-z_]\w{0,60})\)")
_USED = re.compile(rb"[^\s]{0,200}(?:\$\{?[A-Za-z_]|%[A-Za-z_]\w{0,60}%)[^\n]{0,400}")
_NAME = re.compile(
    rb"\$(?:\{([A-Za-z_]\w{0,60})[^}\n]{0,40}\}|\(([A-Za-z_]\w{0,60})\)|([A-Za-z_]\w{0,60}))|%([A-Za-z_]\w{0,60})%"
)
_DROPPED = re.compile(rb"[\"'\\]")
_PRINTED = re.compile(rb"\$\((?:echo|printf)[ \t]+(?:-n[ \t]+)?([^()$|;&<> \t\n]{1,400})\)")
_PRINTF = re.compile(
    rb"\bprintf[ \t]+(?:-v[ \t]+\w{1,60}[ \t]+)?[\"']?(?:%[sb]){2,9}(?:\\n)?[\"']?[ \t]+([^\n;|&()<>]{8,400})"
)
_LONGEST, _MOST = 2_000, 2_000
FOLDED = "put together from pieces"


def expanded(kind: str, data: bytes) -> Iterator[Pair]:
    """By no name: what its shape alone tells."""
    if kind in _TEMPLATED:
        yield from _in_templates(data)
    if kind not in _KINDS or not any(sign in data for sign in (b"$", b"+=", b"%")):
        return
    has: dict[bytes, bytes] = {}
    for number, found in enumerate(_SET.finditer(data)):
        name, grows, given = found[1], found[2] == b"+", found[3].strip()
        value = (has.get(name, b"") if grows else b"") + _filled(given, has)
        has[name] = value[:_LONGEST]
        if grows or b"$" in given or b"%" in given:
            yield _pair(value, *found.span())
        if number > _MOST:
            return
    for number, found in enumerate(_USED.finditer(data) if has else ()):
        yield _pair(_filled(found[0], has), *found.span())
        if number > _MOST:
            return
    yield from _formatted(data, has)


def _in_templates(data: bytes) -> Iterator[Pair]:
    has = {found[1]: found[2] for found in islice(_CONSTANT.finditer(data), _MOST)}
    for found in islice(_TEMPLATE.finditer(data) if has else (), _MOST):
        yield _pair(_IN_TEMPLATE.sub(lambda name: has.get(name[1] or name[2], b""), found[0])[1:-1], *found.span())


def _filled(text: bytes, has: dict[bytes, bytes]) -> bytes:
    """What nobody knows is empty, as it is in a shell."""
    text = _PRINTED.sub(lambda printed: printed[1], text) if b"$(" in text else text
    return _DROPPED.sub(b"", _NAME.sub(lambda name: has.get(name[1] or name[2] or name[3] or name[4], b""), text))


def _formatted(data: bytes, has: dict[bytes, bytes]) -> Iterator[Pair]:
    """`printf %s%s "AK" "IA..."`: one behind the other."""
    for number, found in enumerate(_PRINTF.finditer(data) if b"printf" in data else ()):
        yield _pair(_filled(b"".join(found[1].split()), has), *found.span())
        if number > _MOST:
            return


def _pair(value: bytes, start: int, end: int) -> Pair:
    return Pair("", value[:_LONGEST].decode("utf-8", "replace"), start, end, FOLDED)


_DEFAULT = re.compile(r"\$\{([A-Za-z_][\w.-]{1,100}?)(?::-|:=|:)([^{}$\s]{6,300})\}")


def with_defaults(pairs: Iterable[Pair]) -> Iterator[Pair]:
    for pair in pairs:
        yield pair
        found = _DEFAULT.search(pair.value) if "${" in pair.value else None
        if found is not None:
            start = pair.start + len(pair.value[: found.start(2)].encode("utf-8", "replace"))
            end = start + len(found[2].encode("utf-8", "replace"))
            yield Pair(found[1].replace(".", "_"), found[2], start, end)


_GAP = "\0"  # where something unknown stands: no secret reaches across it
_MOST_PARTS = 200
_NAMES = frozenset({"identifier", "variable_name", "constant", "simple_identifier", "name"})
_NAMED = _NAMES | MEMBERS
_OPENED = KEYED | GIVEN | JOINS | LISTS | MAPS | STRINGS | PARTS | {"argument"}
_SIGNS = frozenset(
    "string_start string_end comment interpolation_start interpolation_brace interpolation_quote".split()
)
_PIECES = frozenset(
    {"string_content", "string_fragment", "escape_sequence", "string_literal_content", "heredoc_content"}
)


def joined_pairs(syntax: Syntax, joined: Iterable[tuple[Node, str]], known: Mapping[str, str]) -> Iterator[Pair]:
    """What stands in expressions that put texts together; `known` are names that stand for one text each."""
    for node, name in joined:
        text = folded(syntax, node, known)
        if len(text.replace(_GAP, "")) >= 8:
            yield Pair("" if _GAP in text else name, text, node.start_byte, node.end_byte, FOLDED)


def folded(syntax: Syntax, node: Node, known: Mapping[str, str]) -> str:
    """Left to right without recursion; a list is folded as if its elements were joined."""
    parts: list[str] = []
    pending = [node]
    while pending and len(parts) < _MOST_PARTS:
        here = pending.pop()
        if here.type in STRINGS and not any(child.type in PARTS for child in here.named_children):
            parts.append(_plain(syntax, here))
        elif here.type in _PIECES:
            parts.append(unescaped(syntax.text(here)))
        elif here.type in _NAMED:
            parts.append(known.get(_name(syntax, here), "") or _GAP)
        elif here.type in CALLS:
            parts.append(known.get(returned_by(called(syntax, here)), "") or _GAP)
        elif here.type in CHOICES:
            pending.append(longest_branch(here))
        elif here.type in _OPENED:
            pending += reversed(_inside(here))
        elif here.type not in _SIGNS:
            parts.append(_GAP)
    return "".join(parts)


def _name(syntax: Syntax, node: Node) -> str:
    """Of an attribute its last word, whosever it is."""
    return syntax.text(node).lstrip("$").rpartition(".")[2]


def _inside(node: Node) -> list[Node]:
    """Of what stands under a key, or is given a name, the value alone."""
    value = node.child_by_field_name("value") if node.type in KEYED | GIVEN else None
    value = node.child_by_field_name("right") if value is None and node.type in GIVEN else value
    return node.named_children if value is None else [value]


def _plain(syntax: Syntax, node: Node) -> str:
    text, _ = content(syntax.text(node))
    return unescaped(text) if "\\" in text else text
