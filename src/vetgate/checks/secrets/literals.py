"""Text literals of a syntax tree with the names they stand under, noted on the walk that all checks share."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.secrets.context_names import is_joined, name_of
from vetgate.checks.secrets.evaluate import (
    APPLIED,
    ARGUMENTS,
    CALLS,
    CHANGES,
    DECLARES,
    FOLDS,
    JOINS,
    KEYED,
    LISTS,
    LOOPS,
    MAPS,
    MEMBERS,
    PARTS,
    PASSES,
    SLICES,
    STRINGS,
    called,
    receiver_name,
    returned_by,
    slice_of,
)
from vetgate.checks.secrets.match import Pair
from vetgate.source.walk import Visitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.source.syntax import Syntax
    from vetgate.source.walk import Walk

_SHORTEST, _LONGEST = 8, 16_384
_LONGEST_PIECE, _WITHOUT_SPACE = 60, 60
ESCAPED = "written with escapes"
_OPEN = re.compile(r"""^(?:[A-Za-z@$]{0,3}#*)?(\"\"\"|'''|"|'|`)""")


class NameAssignment(NamedTuple):
    """A name, and what it is given, or gets behind what it has: a text, or an expression that comes to one."""

    name: str
    value: str | Node
    start: int
    grows: bool


class DeclaredText(NamedTuple):
    """A name that is declared with a text, which it stands for unless it is declared again."""

    name: str
    value: str


@dataclass(eq=False)
class CollectedLiterals:
    """`joined` holds the outermost expressions that put texts together, by where they begin.

    `climbed` are the nodes from which somebody went up to one of them: who meets one need not go on. `applied` are the
    outermost expressions that make another text of theirs; `grown` is what names are given, and what is put behind it.
    """

    walk: Walk
    pairs: list[Pair] = field(default_factory=list)
    joined: dict[int, tuple[Node, str]] = field(default_factory=dict)
    declared: list[DeclaredText] = field(default_factory=list)
    climbed: set[int] = field(default_factory=set)
    applied: dict[tuple[int, int], Node] = field(default_factory=dict)
    grown: list[NameAssignment] = field(default_factory=list)

    @property
    def syntax(self) -> Syntax:
        return self.walk.syntax


def _see_string(noted: CollectedLiterals, node: Node) -> None:
    path = noted.walk.path
    if not path:
        return
    parent = path[-1]
    length = node.end_byte - node.start_byte
    if parent.type in _ON_THE_WAY:
        _see_applied(noted, path)
    if parent.type in JOINS or (parent.type in LISTS and length < _LONGEST_PIECE and parent.named_child_count > 1):
        _see_joined(noted, path)
    if parent.type in KEYED and length < _LONGEST_PIECE and len(path) > 1 and path[-2].named_child_count > 1:
        _note_joined(noted, path[:-2], path[-2])
    _note_returned(noted, node, path)
    if length > _LONGEST or (length < _SHORTEST and parent.type not in DECLARES):
        return
    if _has_parts(node):
        noted.joined.setdefault(node.start_byte, (node, name_of(noted.syntax, path, node)))
    else:
        head = noted.syntax.data[node.start_byte : min(node.end_byte, node.start_byte + _WITHOUT_SPACE)]
        if b" " not in head or b"\\N{" in head:
            _note(noted, node, path)


def _note_returned(noted: CollectedLiterals, node: Node, path: list[Node]) -> None:
    """A function that gives one text back stands for it."""
    giver = path[-2] if path[-1].type == "expression_list" and len(path) > 1 else path[-1]
    if giver.type not in _GIVES_BACK or node.end_byte - node.start_byte >= _LONGEST_PIECE:
        return
    owner = next((each for each in reversed(path[-_NEAR:]) if each.type in _FUNCTIONS), None)
    if owner is None:
        return
    above = path[path.index(owner) - 1]
    name = owner.child_by_field_name("name") or above.child_by_field_name("name") or above.child_by_field_name("left")
    if name is not None:
        text, _ = content(noted.syntax.text(node))
        noted.declared.append(DeclaredText(returned_by(noted.syntax.text(name).lower()), text))


def _note(noted: CollectedLiterals, node: Node, path: list[Node]) -> None:
    value, lead = content(noted.syntax.text(node))
    name = name_of(noted.syntax, path, node)
    start = node.start_byte + lead
    end = start + len(value.encode("utf-8", "replace"))
    how = ESCAPED if "\\" in value else ""
    pair = Pair(name, unescaped(value) if how else value, start, end, how)
    if path[-1].type in DECLARES and name:
        noted.declared.append(DeclaredText(name, pair.value))
        noted.grown.append(NameAssignment(name, pair.value, node.start_byte, grows=False))
    if len(value) >= _SHORTEST:
        noted.pairs.append(pair)


def _see_applied(noted: CollectedLiterals, path: list[Node]) -> None:
    """Climb as far as every step is one that can be carried out; note it where one of them changes the text."""
    top, changes = None, False
    for here in reversed(path[-_HIGHEST:]):
        name = called(noted.syntax, here) if here.type in APPLIED else _NO_CALL
        if here.type not in _ON_THE_WAY or name not in _CARRIED_OUT:
            break
        _see_step(noted, path, here, name)
        changes = changes or name in CHANGES or _is_changing(noted.syntax, here)
        top = here if changes and here.type in _VALUES else top
    if top is not None and top.end_byte - top.start_byte <= _LONGEST:
        noted.applied[top.start_byte, top.end_byte] = top


def _see_step(noted: CollectedLiterals, path: list[Node], call: Node, name: str) -> None:
    if name in PASSES:
        _see_converted(noted, path, call)
    elif name in _PUT_BEHIND:
        _see_put_behind(noted, call)


def _is_changing(syntax: Syntax, node: Node) -> bool:
    """A format that is filled in, or a text that is turned around."""
    if node.type in SLICES:
        return slice_of(syntax, node) is not None
    return node.child_count == 3 and node.children[1].type == "%"


def _see_converted(noted: CollectedLiterals, path: list[Node], call: Node) -> None:
    """`let mut key = String::from("...")`."""
    at = path.index(call)
    if at and path[at - 1].type in DECLARES:
        name = name_of(noted.syntax, path[:at], call)
        if name:
            noted.grown.append(NameAssignment(name, call, call.start_byte, grows=False))


def _see_put_behind(noted: CollectedLiterals, call: Node) -> None:
    """`parts.append("...")`."""
    name = receiver_name(noted.syntax, call)
    given = call.child_by_field_name("arguments")
    if name and given is not None and given.named_child_count:
        noted.grown.append(NameAssignment(name, given.named_children[-1], call.start_byte, grows=True))


def _see_grown(noted: CollectedLiterals, node: Node) -> None:
    """`key += "..."`, by whatever sign of the language."""
    name, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = node.child_by_field_name("operator") or (node.children[1] if node.child_count > 1 else None)
    if name is not None and value is not None and sign is not None and sign.type in _GROWS:
        noted.grown.append(NameAssignment(noted.syntax.text(name).lstrip("$"), value, node.start_byte, grows=True))


def _has_parts(node: Node) -> bool:
    return node.named_child_count > 0 and any(child.type in PARTS for child in node.named_children)


def _see_joined(noted: CollectedLiterals, path: list[Node], top: Node | None = None) -> None:
    """Climb to the outermost of an expression, and note it once."""
    index = len(path) - (top is None)
    top = top or path[index]
    while top.id not in noted.climbed:
        noted.climbed.add(top.id)
        if index == 0 or path[index - 1].type not in JOINS:
            _note_joined(noted, path[:index], top)
            return
        index -= 1
        top = path[index]


def _note_joined(noted: CollectedLiterals, path: list[Node], top: Node) -> None:
    if top.start_byte not in noted.joined and top.end_byte - top.start_byte <= _LONGEST:
        # Of a list that nobody joins, its name says nothing of the whole.
        named = top.type not in LISTS | MAPS or is_joined(noted.syntax, path)
        name = name_of(noted.syntax, path, top) if named else ""
        noted.joined[top.start_byte] = (top, name)


_NAMES = frozenset({"identifier", "variable_name", "constant", "name"})


_LEADS_ON = _NAMES | CALLS | {"parenthesized_expression"}


def _see_operation(noted: CollectedLiterals, node: Node) -> None:
    """`a + b` of two names holds no literal that would lead here."""
    if node.child_count >= 3 and node.children[1].type == "<<":
        _see_grown(noted, node)
    if node.child_count >= 3 and node.children[1].type in {"+", "."} and node.end_byte - node.start_byte < 400:
        left = node.children[0].type
        if left in _LEADS_ON or left in MEMBERS:
            _see_joined(noted, noted.walk.path, node)


def content(literal: str) -> tuple[str, int]:
    """What stands between the quotes, and how far in it begins."""
    found = _OPEN.match(literal)
    if found is None:
        return literal, 0
    quote = found[1]
    rest = literal[found.end() :]
    end = rest.rfind(quote)
    return (rest[:end] if end >= 0 else rest), found.end()


_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|([0-7]{1,3})|N\{([^}\n]{1,80})\}|(.))",
    re.DOTALL,
)
_SIGNS = {"n": "\n", "r": "\r", "t": "\t", "\n": ""}


def _named(name: str) -> str:
    try:
        return unicodedata.lookup(name)
    except KeyError:
        return "\0"


def unescaped(text: str) -> str:
    def sign(found: re.Match[str]) -> str:
        number = found[1] or found[2] or found[3] or found[4]
        if number or found[5]:
            return chr(min(int(number, 16) if number else int(found[5], 8), 0x10FFFF))
        return _named(found[6]) if found[6] else _SIGNS.get(found[7], found[7])

    return _ESCAPE.sub(sign, text)


_ON_THE_WAY = (
    APPLIED
    | LOOPS
    | {"list_splat"}
    | MEMBERS
    | ARGUMENTS
    | LISTS
    | JOINS
    | SLICES
    | {"argument", "keyword_argument", "pair"}
)
_NO_CALL = "-"
_CARRIED_OUT = FOLDS | {_NO_CALL}
_VALUES = APPLIED | JOINS | SLICES
_PUT_BEHIND = frozenset({"append", "push", "push_str", "add", "concat"})
_GROWS = frozenset({"+=", ".=", "<<", "||=", "&="})
_HIGHEST = 14
_GIVES_BACK = frozenset({"return_statement", "lambda", "arrow_function", "return_expression"})
_FUNCTIONS = frozenset(
    "function_definition function_declaration function_expression method_definition method_declaration function_item "
    "lambda arrow_function".split()
)
_NEAR = 5

VISITOR = Visitor(
    begin=CollectedLiterals,
    enter={
        **dict.fromkeys(STRINGS, _see_string),
        **dict.fromkeys(("binary_operator", "binary_expression", "binary"), _see_operation),
        **dict.fromkeys(
            (
                "augmented_assignment",
                "augmented_assignment_expression",
                "compound_assignment_expr",
                "operator_assignment",
                "assignment_statement",
                "assignment_expression",
            ),
            _see_grown,
        ),
    },
)
