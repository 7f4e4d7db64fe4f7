"""Text literals of a syntax tree with the names they stand under, noted on the walk that all checks share."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.checks.secrets.match import Pair
from vetgate.source.syntax import first_line
from vetgate.source.walk import Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax
    from vetgate.source.walk import Walk

STRINGS = frozenset(
    {
        "string",
        "template_string",
        "interpreted_string_literal",
        "raw_string_literal",
        "string_literal",
        "verbatim_string_literal",
        "interpolated_string_expression",
        "encapsed_string",
        "heredoc_body",
    }
)
JOINS = frozenset(
    {
        "concatenated_string",
        "chained_string",
        "binary_operator",
        "binary_expression",
        "binary",
        "parenthesized_expression",
    }
)
LISTS = frozenset({"list", "array", "array_creation_expression", "argument_list", "arguments", "tuple", "token_tree"})
PARTS = frozenset({"interpolation", "template_substitution"})
_ARGUMENTS = frozenset({"argument_list", "arguments"})
_CALLS = frozenset(
    "call call_expression method_invocation invocation_expression function_call_expression new_expression "
    "object_creation_expression scoped_call_expression member_call_expression type_conversion_expression".split()
)
# What a value goes through on its way to its name.
_THROUGH = frozenset(
    "parenthesized_expression expression_list literal_element equals_value_clause as_expression argument "
    "satisfies_expression non_null_expression conditional_expression ternary_expression boolean_operator "
    "expression_statement initializer reference_expression attribute member_expression selector_expression "
    "field_expression member_access_expression element_value literal_value_element cast_expression typed_pattern "
    "property_initializer default_value value await_expression await".split()
)
_CONVERSIONS = re.compile(
    r"(?i)(?:secretstr|secret|bytes?|buffer|from|encode|str|string|to_string|tostring|to_owned|into|strip|trim|new|getbytes|"
    r"tochararray|b64decode|atob|base64_decode|unhexlify|fromhex|frombase64string|decode|decodestring|securestring|some|ok|"
    r"freeze|text|value|default|quote|of|asbytes|as_bytes|as_str|password|credential|literal)$"
)
# A call whose first argument names what the second one is.
_KEYED = re.compile(
    r"(?i)(?:getenv|env|get|fetch|setdefault|set|put|setenv|putenv|define|config|header|setheader|append|add|setproperty|"
    r"addheader|set_header|config_get|environ|lookup|getorelse|getordefault|getstring|insert|setitem|option|with)$"
)
_EQUALITY = re.compile(r"(?i)(?:equals|equalsignorecase|compareto|contentequals|eql)$")
_EQUALS = frozenset({"==", "===", "!=", "!==", "||", "??", "or", "?:"})
_NAME_FIELDS = ("left", "name", "key", "pattern", "property", "field", "declarator")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w-]*")
_SHORTEST, _LONGEST = 8, 16_384
_LONGEST_PIECE, _WITHOUT_SPACE = 60, 60
_HIGHEST = 6
_MOST_PLACES = 20_000
ESCAPED = "written with escapes"
_DECLARES = frozenset(
    "assignment variable_declarator const_spec var_spec let_declaration const_item static_item assignment_expression "
    "const_element expression_list equals_value_clause".split()
)
_OPEN = re.compile(r"""^(?:[A-Za-z@$]{0,3}#*)?(\"\"\"|'''|"|'|`)""")


@dataclass(eq=False)
class Noted:
    """`joined` holds the outermost expressions that put texts together, by where they begin."""

    walk: Walk
    pairs: list[Pair] = field(default_factory=list)
    joined: dict[int, tuple[Node, str]] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)

    @property
    def syntax(self) -> Syntax:
        return self.walk.syntax


def _see_string(noted: Noted, node: Node) -> None:
    path = noted.walk.path
    if not path or len(noted.pairs) > _MOST_PLACES:
        return
    parent = path[-1]
    length = node.end_byte - node.start_byte
    if parent.type in JOINS or (parent.type in LISTS and length < _LONGEST_PIECE and parent.named_child_count > 1):
        _see_joined(noted, path)
    if length > _LONGEST or (length < _SHORTEST and parent.type not in _DECLARES):
        return
    if _has_parts(node):
        noted.joined.setdefault(node.start_byte, (node, name_of(noted.syntax, path, node)))
    elif b" " not in noted.syntax.data[node.start_byte : min(node.end_byte, node.start_byte + _WITHOUT_SPACE)]:
        _note(noted, node, path)


def _note(noted: Noted, node: Node, path: list[Node]) -> None:
    value, lead = content(noted.syntax.text(node))
    name = name_of(noted.syntax, path, node)
    start = node.start_byte + lead
    end = start + len(value.encode("utf-8", "replace"))
    how = ESCAPED if "\\" in value else ""
    pair = Pair(name, unescaped(value) if how else value, start, end, how)
    if path[-1].type in _DECLARES and name:
        # A name that is given two values stands for neither.
        noted.known[name] = "" if name in noted.known else pair.value
    if len(value) >= _SHORTEST:
        noted.pairs.append(pair)


def _has_parts(node: Node) -> bool:
    return node.named_child_count > 0 and any(child.type in PARTS for child in node.named_children)


def _see_joined(noted: Noted, path: list[Node]) -> None:
    """Climb to the outermost of an expression, and note it once."""
    index = len(path) - 1
    while index > 0 and path[index - 1].type in JOINS:
        index -= 1
    top = path[index]
    if top.start_byte not in noted.joined and top.end_byte - top.start_byte <= _LONGEST:
        # Of a list nobody knows whether it is joined, so its name says nothing of the whole.
        name = "" if top.type in LISTS else name_of(noted.syntax, path[:index], top)
        noted.joined[top.start_byte] = (top, name)


def _see_operation(noted: Noted, node: Node) -> None:
    """`a + b` of two names holds no literal that would lead here."""
    path = noted.walk.path
    if node.child_count >= 3 and node.children[1].type in {"+", "."} and node.end_byte - node.start_byte < 400:
        left = node.children[0].type
        if left in {"identifier", "variable_name", "constant"}:
            _see_joined(noted, [*path, node])


def name_of(syntax: Syntax, path: list[Node], node: Node) -> str:
    """The name a value stands under: what it is assigned to, passed as, keyed by, or compared with."""
    child = node
    for parent in reversed(path[-_HIGHEST:]):
        kind = parent.type
        if kind in _ARGUMENTS:
            if parent.named_child_count > 1:
                return _keyed_by(syntax, parent, child)
        elif kind == "tuple":
            return _of_two(syntax, path, parent, child)
        elif kind in _CALLS:
            if not _is_conversion(syntax, parent, child):
                return _compared_with(syntax, parent)
        elif kind not in _THROUGH or (kind == "argument" and parent.child_by_field_name("name") is not None):
            return _own_name(syntax, parent, child)
        child = parent
    return ""


def _of_two(syntax: Syntax, path: list[Node], pair: Node, child: Node) -> str:
    """`auth=("user", "password")`."""
    above = next((node for node in reversed(path) if node.start_byte < pair.start_byte), None)
    named = above.child_by_field_name("name") if above is not None else None
    second = pair.named_child_count == 2 and pair.named_children[1].start_byte == child.start_byte
    return "password" if second and named is not None and "auth" in syntax.text(named) else ""


def _compared_with(syntax: Syntax, call: Node) -> str:
    """`token.equals("...")`."""
    whose = call.child_by_field_name("object")
    return _last_word(syntax, whose) if whose is not None and _EQUALITY.search(_function(syntax, call)) else ""


def _own_name(syntax: Syntax, parent: Node, child: Node) -> str:
    if parent.type in JOINS and not (parent.child_count >= 3 and parent.children[1].type in _EQUALS):
        return ""
    if parent.type == "comparison_operator" or parent.type in JOINS:
        others = [each for each in parent.named_children if each.start_byte != child.start_byte]
        return _last_word(syntax, others[0]) if others else ""
    for name in _NAME_FIELDS:
        named = parent.child_by_field_name(name)
        if named is not None and named.start_byte < child.start_byte:
            return _last_word(syntax, named)
    first = parent.named_child(0) if parent.named_child_count > 1 else None
    if first is None or first.start_byte >= child.start_byte or parent.type not in _PAIRS:
        return ""
    return _last_word(syntax, first)


_PAIRS = frozenset(
    "keyed_element array_element_initializer pair const_element property_element variable_declarator "
    "assignment_expression assignment_statement short_var_declaration element_value_pair hash_element jsx_attribute "
    "optional_parameter keyword_parameter simple_parameter parameter argument initializer_expression".split()
)


def _keyed_by(syntax: Syntax, arguments: Node, child: Node) -> str:
    inside = arguments.named_children
    if len(inside) < 2 or inside[1].start_byte != child.start_byte:
        return ""
    first = inside[0] if inside[0].type != "argument" else inside[0].named_children[0]
    called = arguments.parent
    if first.type not in STRINGS or called is None or not _KEYED.search(_function(syntax, called)):
        return ""
    return _last_word(syntax, first)


def _is_conversion(syntax: Syntax, call: Node, child: Node) -> bool:
    inside = child.type in _ARGUMENTS or child.type in STRINGS or child.type == "parenthesized_expression"
    return bool(_CONVERSIONS.search(_function(syntax, call))) or not inside


def _function(syntax: Syntax, call: Node) -> str:
    for name in ("function", "name", "method", "constructor", "type"):
        called = call.child_by_field_name(name)
        if called is not None:
            return syntax.text(called)[-60:].rstrip(">)]")
    return ""


def _last_word(syntax: Syntax, node: Node) -> str:
    words = _IDENTIFIER.findall(syntax.text(node)[:200])
    return words[-1] if words else ""


def content(literal: str) -> tuple[str, int]:
    """What stands between the quotes, and how far in it begins."""
    found = _OPEN.match(literal)
    if found is None:
        return literal, 0
    quote = found[1]
    rest = literal[found.end() :]
    end = rest.rfind(quote)
    return (rest[:end] if end >= 0 else rest), found.end()


_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|(.))", re.DOTALL)
_SIGNS = {"n": "\n", "r": "\r", "t": "\t", "\n": "", "0": "\0"}


def unescaped(text: str) -> str:
    def sign(found: re.Match[str]) -> str:
        number = found[1] or found[2] or found[3]
        if number:
            return chr(min(int(number, 16), 0x10FFFF))
        return _SIGNS.get(found[4], found[4])

    return _ESCAPE.sub(sign, text)


def across(noted: Noted | None) -> Iterator[int]:
    """Lines where texts are put together: a piece of one may be a constant that stands anywhere in the file."""
    if noted is None:
        return
    for node, _ in noted.joined.values():
        text = noted.syntax.data[node.start_byte : node.end_byte]
        if noted.known or any(quote in text for quote in _QUOTES):
            yield first_line(node)


_QUOTES = (b'"', b"'", b"`")

VISITOR = Visitor(
    begin=Noted,
    enter={
        **dict.fromkeys(STRINGS, _see_string),
        **dict.fromkeys(("binary_operator", "binary_expression", "binary"), _see_operation),
    },
)
