"""Who reckons with something not being there: asks for it first, catches what is raised, or puts another there."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

_WORDS = expression(r"\w+")
_FUNCTIONS = frozenset(
    {"function_definition", "method", "singleton_method", "method_declaration", "arrow_function", "lambda", "do_block"}
)
# Where something is tried, and what of it says which errors are caught.
_TRYING = {
    "try_statement": frozenset({"except_clause", "catch_clause"}),
    "begin": frozenset({"rescue"}),
    "body_statement": frozenset({"rescue"}),
}
_OF_OBJECTS = frozenset({"member_call_expression", "nullsafe_member_call_expression"})
_CATCHES_ALL_ERRORS = frozenset({"javascript", "typescript", "tsx"})


def is_reckoned_with(syntax: Syntax, around: Sequence[Node], name: str, errors: Collection[str]) -> bool:
    """Of a name and all that it stands in, the innermost first."""
    if syntax.language == "ruby" and _replacing(name).search(syntax.data):
        return True
    if any(not caught.isdisjoint(errors) for caught in _caught(syntax, around)):
        return True
    inside = next((node for node in around if node.type in _FUNCTIONS), None)
    if inside is None:
        return False
    return bool(_asking(name).search(inside.text or b"")) or _may_be_filled(syntax, around, inside)


def _may_be_filled(syntax: Syntax, around: Sequence[Node], inside: Node) -> bool:
    """Whether a variable of PHP is handed over to a function of the same file that takes a reference."""
    target = next((node.child_by_field_name("object") for node in around if node.type in _OF_OBJECTS), None)
    if target is None or target.type != "variable_name":
        return False
    handed = re.findall(rf"(\w+)\([^()]*{re.escape(syntax.text(target))}\b", syntax.text(inside))
    return any(re.search(rb"function\s+&?%b\s*\([^)]*&" % name.encode(), syntax.data) for name in handed)


def _caught(syntax: Syntax, around: Sequence[Node]) -> Iterator[set[str]]:
    """The errors that are caught, one `try` after the other; what stands in a handler is not tried."""
    for inner, node in pairwise(around):
        handlers = _TRYING.get(node.type, frozenset())
        if handlers and inner.type not in {*handlers, "finally_clause", "else_clause", "ensure", "else"}:
            yield {word for child in node.named_children if child.type in handlers for word in _named(syntax, child)}
        elif node.type == "with_statement" and inner.type == "block":
            head = " ".join(syntax.text(child) for child in node.named_children if child.type == "with_clause")
            yield set(_WORDS.findall(head.lower())) if "suppress(" in head else set()


def _named(syntax: Syntax, handler: Node) -> Iterator[str]:
    """What a handler names, without what it does."""
    if syntax.language in _CATCHES_ALL_ERRORS:
        return
    for child in handler.named_children:
        if child.type not in {"block", "then", "compound_statement", "variable_name", "exception_variable"}:
            yield from _WORDS.findall(syntax.text(child).lower())


@lru_cache(maxsize=256)
def _asking(name: str) -> re.Pattern[bytes]:
    asks = rb"(?:respond_to\?|hasattr|getattr|method_exists|function_exists|is_callable)"
    plain = re.escape(name.encode())
    looks = rb"\b(?:signature|getfullargspec)\(\s*[\w.]*\b" + plain + rb"\s*\)"
    return re.compile(looks + rb"|" + asks + rb"[^\n]{0,80}?[:\"']" + plain + rb"(?![\w?!])")


@lru_cache(maxsize=256)
def _replacing(name: str) -> re.Pattern[bytes]:
    """`receive(:name)`, `stubs(:name)`: what is called in such a test is not what stands in the class."""
    words = rb"\b(?:receive|receive_messages|receive_message_chain|should_receive|stubs?|expects|any_instance)\b"
    return re.compile(words + rb"[ (:\"']{1,3}" + re.escape(name.encode()) + rb"(?![\w?!])")
