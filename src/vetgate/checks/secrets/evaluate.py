"""What an expression over literals comes to: formats filled in, parts replaced, lists joined, texts turned around.

Only what changes letters is carried out; what merely passes a text on (`.encode()`, `String::from`) gives it back.
"""

from __future__ import annotations

import base64
import codecs
import re
import struct
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

    Value = str | list[str] | None
    Literal = Callable[[Node], str]

STRINGS = frozenset(
    """
    string template_string interpreted_string_literal raw_string_literal string_literal verbatim_string_literal
    interpolated_string_expression encapsed_string heredoc_body bare_string
    """.split()
)
JOINS = frozenset(
    """
    concatenated_string chained_string binary_operator binary_expression binary parenthesized_expression
    """.split()
)
LISTS = frozenset(
    """
    expression_list list array array_creation_expression array_expression string_array argument_list arguments tuple
    token_tree
    """.split()
)
# What holds values under keys, and one of them; joined in their order like the elements of a list.
MAPS = frozenset({"dictionary", "object", "hash", "parameters"})
KEYED = frozenset({"pair", "keyword_argument", "default_parameter"})
PARTS = frozenset({"interpolation", "template_substitution"})
ARGUMENTS = frozenset({"argument_list", "arguments"})
CALLS = frozenset(
    "call call_expression method_invocation invocation_expression function_call_expression new_expression "
    "object_creation_expression scoped_call_expression member_call_expression type_conversion_expression".split()
)
# What gives a value a name of its own.
DECLARES = frozenset(
    "assignment variable_declarator const_spec var_spec let_declaration const_item static_item assignment_expression "
    "const_element expression_list equals_value_clause named_expression enum_assignment".split()
)


# One of two texts, and what is given a name where it stands.
CHOICES = frozenset({"conditional_expression", "ternary_expression", "conditional", "boolean_operator"})
GIVEN = frozenset({"named_expression", "assignment_expression"})
_EACH = frozenset({"generator_expression", "list_comprehension"})
_OVER = "for_in_clause"
LOOPS = _EACH | {_OVER}
MACRO = "macro_invocation"
APPLIED = CALLS | {MACRO}
MEMBERS = frozenset(
    {"attribute", "member_expression", "selector_expression", "field_expression", "member_access_expression"}
)
SLICES = frozenset({"subscript"})
_NAMES = frozenset({"identifier", "variable_name", "constant", "simple_identifier", "name"})
_WRAPS = frozenset({"parenthesized_expression", "argument", "array_element_initializer", "expression_list"})
_MANY = LISTS | ARGUMENTS | {"composite_literal", "literal_value", "literal_element"}
_LAST_WORD = re.compile(r"(\w+)!?$")
_GAP = "\0"
_DEEPEST = 16
_SLICE = re.compile(r"\[\s*(-?\d{1,4})?\s*:\s*(-?\d{1,4})?\s*(?::\s*(-?\d{1,2})?\s*)?\]$")
_NUMBER = re.compile(r"-?\d{1,4}")
_PERCENT = re.compile(r"%(?:\((\w+)\))?[-+ 0#]*\d*(?:\.\d+)?[svdqx]|%%")
_ROT = re.compile(r"rot_?13")
_BRACES = re.compile(r"\{(\w*)[^{}]*\}")

_REPLACES = frozenset(
    "replace replaceall replacefirst gsub sub str_replace str_ireplace replacen tr translate delete remove".split()
)
_FORMATS = frozenset("format sprintf printf interpolate".split())
_JOINS = frozenset("join implode".split())
_GATHERS = frozenset("concat append push push_str concatenate add string_concat __add__ padend ljust".split())
_ROTATES = frozenset("rot13 str_rot13 decode".split())
_CUTS = frozenset("slice substring substr".split())
_FROM_NUMBER = frozenset({"chr", "mb_chr"})


def _unhexed(text: bytes) -> bytes:
    return bytes.fromhex(text.decode("ascii"))


_DECODES: Mapping[str, Callable[[bytes], bytes]] = {
    "b16decode": base64.b16decode,
    "b32decode": base64.b32decode,
    "b32hexdecode": base64.b32hexdecode,
    "a85decode": base64.a85decode,
    "b85decode": base64.b85decode,
    **dict.fromkeys(("fromhex", "unhexlify", "hex2bin"), _unhexed),
}
_TURNS = frozenset("reverse reversed strrev rev".split())
_TRIMS = frozenset("strip trim lstrip rstrip trimstart trimend removeprefix removesuffix".split())
_CASES = {"lower": str.lower, "tolowercase": str.lower, "tolower": str.lower, "downcase": str.lower,
          "upper": str.upper, "touppercase": str.upper, "toupper": str.upper, "upcase": str.upper,
          "swapcase": str.swapcase}  # fmt: skip
_INTERLEAVES = frozenset({"zip", "zip_longest"})
_LAST_PASSES = frozenset({"map", "chain", "from_iterable"})
_PASSES = frozenset(
    "encode decode str string tostring to_string to_owned into from chars list array split tochararray bytes getbytes "
    "as_str as_bytes stringbuilder stringbuffer collect iter new buffer freeze dup unwrap raw".split()
)
_ALONE = (
    _INTERLEAVES
    | _ROTATES
    | _REPLACES
    | _FORMATS
    | _JOINS
    | _GATHERS
    | _TURNS
    | _TRIMS
    | _CUTS
    | _FROM_NUMBER
    | {*_CASES, *_DECODES}
)
PASSES = _PASSES | _LAST_PASSES
FOLDS = _ALONE | PASSES
# What makes of a text another one, so that looking at its literals alone is not enough.
CHANGES = _ALONE


def called(syntax: Syntax, call: Node) -> str:
    """The last word of what is called, in small letters."""
    for name in ("name", "method", "function", "macro", "constructor", "type"):
        function = call.child_by_field_name(name)
        if function is not None:
            end = function.end_byte
            found = _LAST_WORD.search(syntax.data[max(function.start_byte, end - 40) : end].decode("utf-8", "replace"))
            return found[1].lower() if found else ""
    return ""


def receiver_of(call: Node) -> Node | None:
    own = call.child_by_field_name("object") or call.child_by_field_name("receiver")
    if own is not None:
        return own
    function = call.child_by_field_name("function")
    return function.named_children[0] if function is not None and function.type in MEMBERS else None


def receiver_name(syntax: Syntax, call: Node) -> str:
    own = receiver_of(call)
    return syntax.text(own).lstrip("$") if own is not None and own.type in _NAMES else ""


def slice_of(syntax: Syntax, node: Node) -> slice | None:
    """`[::-1]`, `[2:]`: with numbers alone."""
    tail = syntax.data[max(node.start_byte, node.end_byte - 24) : node.end_byte].decode("utf-8", "replace")
    found = _SLICE.search(tail)
    bounds = [int(each) if each else None for each in found.groups()] if found else []
    return slice(*bounds) if found and bounds[2:] != [0] else None


def returned_by(function: str) -> str:
    """Under which name a function's only text is known."""
    return f"{function}()"


def longest_branch(choice: Node) -> Node:
    """Which of them it is only the run tells; a text that is all there is of one may not hide behind an empty one."""
    condition = choice.child_by_field_name("condition")
    inside = [child for child in choice.named_children if condition is None or child.id != condition.id]
    texts = [child for child in inside if child.type in STRINGS] or inside
    return max(texts, key=lambda child: child.end_byte - child.start_byte)


def _inside(node: Node) -> Node | None:
    """Whose text it has: of a choice, of what a loop goes over (`a + b for a, b in zip(...)`), of what is wrapped."""
    if node.type in CHOICES:
        return longest_branch(node)
    if node.type in _EACH:
        loop = next((child for child in node.named_children if child.type == _OVER), None)
        return loop.child_by_field_name("right") if loop is not None else None
    wraps = (node.type in _WRAPS or node.type in PARTS) and node.named_child_count > 0
    return node.named_children[-1] if wraps else None


class Evaluator:
    """`literal` reads a text as the language does; `known` are names that stand for one text each."""

    def __init__(self, syntax: Syntax, known: Mapping[str, str], literal: Literal) -> None:
        self._syntax = syntax
        self._known = known
        self._literal = literal

    def text(self, node: Node) -> str:
        """Empty where nobody can say."""
        value = self._value(node, 0)
        return "".join(value) if isinstance(value, list) else value or ""

    def _value(self, node: Node, deep: int) -> Value:
        kind = node.type
        if deep > _DEEPEST:
            return None
        if kind in STRINGS:
            return self._literal(node)
        if kind in _NAMES:
            return self._known.get(self._syntax.text(node).lstrip("$")) or None
        if kind == "regex":
            return self._syntax.text(node).strip("/gim")
        if kind in APPLIED:
            return self._applied(node, deep + 1)
        if kind in SLICES:
            return self._sliced(node, deep + 1)
        if kind in _MANY:
            return [self._one(child, deep + 1) for child in node.named_children]
        if kind in JOINS:
            return self._operated(node, deep + 1)
        inner = _inside(node)
        return self._value(inner, deep + 1) if inner is not None else None

    def _one(self, node: Node, deep: int) -> str:
        inner = node.child_by_field_name("value") or node
        value = self._value(inner, deep)
        return _GAP if value is None else "".join(value)

    def _operated(self, node: Node, deep: int) -> Value:
        if node.type == "parenthesized_expression" or node.child_count < 3:
            inside = [self._one(child, deep) for child in node.named_children]
            return "".join(inside) if inside else None
        left, right = node.children[0], node.children[-1]
        if node.children[1].type == "%":
            given = self._value(right, deep)
            return _filled(self._one(left, deep), given if isinstance(given, list) else [given or _GAP])
        if node.type in {"concatenated_string", "chained_string"}:
            return "".join(self._one(child, deep) for child in node.named_children)
        return self._one(left, deep) + self._one(right, deep)

    def _sliced(self, node: Node, deep: int) -> Value:
        whole = node.named_children[0] if node.named_child_count else None
        value = self._one(whole, deep) if whole is not None else None
        cut = slice_of(self._syntax, node)
        return value[cut] if value and cut else None

    def _applied(self, call: Node, deep: int) -> Value:
        name = called(self._syntax, call)
        if name not in FOLDS:
            return self._known.get(returned_by(name)) or None
        receiver = receiver_of(call)
        own = self._value(receiver, deep) if receiver is not None else None
        given = next(
            (child for child in call.named_children if child.type in ARGUMENTS or child.type == "token_tree"), None
        )
        alone = [child for child in call.named_children if child.type in _EACH]  # the only argument of a call
        nodes = given.named_children if given is not None else alone
        arguments = [self._value(child.child_by_field_name("value") or child, deep) for child in nodes]
        if name in _CUTS:
            return self._cut(own, nodes)
        if name in _FROM_NUMBER:
            return self._letter(nodes)
        names = [self._name_of(child) for child in nodes]
        return _result(name, own, arguments, names)

    def _cut(self, own: Value, nodes: list[Node]) -> Value:
        """`.substring(2, 40)`; whether the second number is an end or a length, the languages do not agree."""
        numbers = [int(text) for text in map(self._syntax.text, nodes) if _NUMBER.fullmatch(text)]
        return own[numbers[0] :] if isinstance(own, str) and numbers else None

    def _letter(self, nodes: list[Node]) -> str | None:
        text = self._syntax.text(nodes[0]) if len(nodes) == 1 else ""
        return chr(int(text)) if _NUMBER.fullmatch(text) and int(text) > 0 else None

    def _name_of(self, argument: Node) -> str:
        named = argument.child_by_field_name("name") or argument.child_by_field_name("key")
        return self._syntax.text(named) if named is not None else ""


def _result(name: str, own: Value, given: list[Value], names: list[str]) -> Value:
    # Where the text is no receiver, it is the first argument; modules and classes have no value of their own.
    values = given if own is None else [own, *given]
    if name == "sub" and own is None and len(given) > 2:  # re.sub(old, new, text)
        values = [given[2], given[0], given[1]]
    texts = ["".join(each) if isinstance(each, list) else each or "" for each in values]
    if not values:
        return None
    if name in _FORMATS:
        return _formatted(texts[0], values[1:], names)
    if name in _JOINS:
        return _joined(values, texts)
    if name in _ROTATES and (name != "decode" or _ROT.fullmatch(texts[-1])):
        return codecs.decode(texts[0], "rot13")
    if name in _DECODES:
        return _decoded(name, texts[0])
    if name in _INTERLEAVES:
        return ["".join(pieces) for pieces in zip_longest(*texts, fillvalue="")]
    if name in _LAST_PASSES:
        return values[-1]
    if name in _PASSES - {"split"}:
        return values[0]
    return _changed(name, texts)


def _decoded(name: str, text: str) -> str | None:
    try:
        return _DECODES[name](text.encode("ascii")).decode("ascii")
    except (ValueError, OverflowError, struct.error):
        return None


def _changed(name: str, texts: list[str]) -> Value:
    first, second = texts[0], texts[1] if len(texts) > 1 else ""
    if name in _REPLACES:
        return _replaced(name, texts)
    if name in _GATHERS:
        return "".join(texts)
    if name in _TRIMS:
        return first.strip(second) if second else first
    if name == "split":
        return _parts(first, second)
    return first[::-1] if name in _TURNS else _CASES[name](first)


def _formatted(template: str, given: list[Value], names: list[str]) -> str:
    rest = [each for value in given for each in (value if isinstance(value, list) else [value or _GAP])]
    return _filled(template, rest, dict(zip(names[-len(rest) :] if rest else (), rest, strict=False)))


def _parts(text: str, between: str) -> list[str]:
    return text.split(between) if between else text.split() if " " in text else list(text)


def _replaced(name: str, texts: list[str]) -> str | None:
    if len(texts) < 3:
        return texts[0].replace(texts[1], "") if len(texts) == 2 and texts[1] else None
    text, old, new = texts[:3] if name not in {"str_replace", "str_ireplace"} else (texts[2], texts[0], texts[1])
    return text.replace(old, new) if old else None


def _joined(values: list[Value], texts: list[str]) -> str | None:
    many = next((value for value in values if isinstance(value, list)), None)
    if many is None:  # String.join("", "a", "b")
        return texts[0].join(texts[1:])
    between = next((value for value in values if isinstance(value, str)), "")
    return between.join(many)


def _filled(template: str, given: list[str], named: Mapping[str, str] | None = None) -> str:
    rest = iter(given)

    def percent(found: re.Match[str]) -> str:
        return "%" if found[0] == "%%" else next(rest, _GAP)

    def brace(found: re.Match[str]) -> str:
        key = found[1]
        if key.isdigit():
            return given[int(key)] if int(key) < len(given) else _GAP
        return (named or {}).get(key, _GAP) if key else next(rest, _GAP)

    return _PERCENT.sub(percent, template) if _PERCENT.search(template) else _BRACES.sub(brace, template)
