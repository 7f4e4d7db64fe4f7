"""Calls that are expected to fail, or guarded: a test asserts the failure, a handler catches it, or code asks first."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from vetgate.checks.contracts.broken import EXPORT, GONE, RENAMED
from vetgate.expression import expression
from vetgate.model import Unchecked
from vetgate.source.language import language_of
from vetgate.source.syntax import Source, parse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tree_sitter import Node

    from vetgate.checks.contracts.broken import Broken
    from vetgate.index.facts import CallSite
    from vetgate.index.references import Reference
    from vetgate.index.view import View
    from vetgate.source.syntax import Syntax

_FAILING = (
    "raises",
    "assertraises",
    "throws",
    "tothrow",
    "rejects",
    "xfail",
    "assert_raise",
    "raise_error",
    "expectexception",
)
# What is raised where something is not there, and where it takes something else.
_ABSENT = frozenset({"attributeerror", "nameerror", "importerror", "modulenotfounderror", "nomethoderror", "error"})
_UNFIT = frozenset({"typeerror", "argumenterror", "argumentcounterror", "error"})
# What all of these are.
_ANY = frozenset({"exception", "baseexception", "standarderror", "throwable"})

# Without one of these there is nothing to look for, and no need to parse.
_SIGNS = expression(
    r"raise|[Tt]hrow|rejects|xfail|[Ee]xpect|@ts-|\bexcept\b|\brescue\b|\bcatch\b|suppress|respond_to|hasattr|getattr"
    r"|_exists|is_callable|receive|\bstub|any_instance|&\s*\$|signature\(|getfullargspec|call-arg"
)

# Said of the line or of the next one: whoever wrote it knows that it does not fit.
_KNOWN_WRONG = (b"@ts-ignore", b"@ts-expect-error", b"ignore[call-arg")
_WAITS = expression(r"->(?:expect|setExpected)(?:Exception|Error|Warning|Deprecation)\w*\(([^)]*)")
_TEXTS = expression(r"\"[^\"\n]*\"|'[^'\n]*'")
_TOKEN = expression(rb"\S")
_ERRORS = expression(r"\b[A-Z]\w*")
# In other languages what does not fit is not even compiled.
_LANGUAGES = frozenset({"python", "javascript", "typescript", "tsx", "php", "ruby"})
# Those in which the error that is wanted is named along with it.
_STRICT = frozenset({"python", "ruby", "php"})
# What so many files use is not looked up in more of them: some are not meant to fail for sure.
_MOST_FILES = 40
# So many lines a chain of calls may have before the name that is called.
_FURTHEST = 30


def drop_expected(view: View, found: Iterator[Broken]) -> Iterator[Broken]:
    """What is broken, without the places where that is what somebody wants or reckons with."""
    asked: set[str] = set()
    for each in found:
        asked.update(
            islice(dict.fromkeys(reference.path for reference in each.references), max(0, _MOST_FILES - len(asked)))
        )
        errors = _ABSENT if each.rule in {GONE, RENAMED, EXPORT} else _UNFIT
        # A file that is gone has no name that its users would say.
        name = each.symbol.rpartition(".")[2] if "/" not in each.symbol else each.symbol
        references = tuple(
            reference
            for reference in each.references
            if reference.path not in asked or not _is_expected(view, reference, name, errors)
        )
        if references:
            yield each._replace(references=references)


def _is_expected(view: View, reference: Reference, name: str, errors: Collection[str]) -> bool:
    called = _name(reference.call) if reference.call is not None else name
    # What makes an object may check in its own way what it gets.
    is_strict = not called[:1].isupper()
    return _NamedLine(view, reference.path, reference.line, called).is_expected(errors, is_strict=is_strict)


def is_expected_to_fail(view: View, path: str, call: CallSite) -> bool:
    """Of a call that does not fit."""
    return _NamedLine(view, path, call.line, _name(call)).is_expected(_UNFIT, is_strict=False)


def _name(call: CallSite) -> str:
    return call.callee.rpartition(".")[2].removeprefix("new ")


class _NamedLine:
    """A line of a file that says a name."""

    def __init__(self, view: View, path: str, line: int, name: str) -> None:
        self._language = language_of(path)
        self._line, self._name = line, name
        text = view.text(path) if self._language in _LANGUAGES else ""
        syntax = parse(Source(path, text, self._language)) if _SIGNS.search(text) else None
        self._syntax = syntax if not isinstance(syntax, Unchecked) else None

    def is_expected(self, errors: Collection[str], *, is_strict: bool) -> bool:
        syntax = self._syntax
        if syntax is None:
            return False
        lines = syntax.data.split(b"\n")
        if any(word in line for line in lines[max(self._line - 2, 0) : self._line] for word in _KNOWN_WRONG):
            return True
        around = self._around(syntax, lines)
        if any(_is_wanted(syntax, node, errors, is_strict=is_strict) for node in around):
            return True
        return is_guarded(syntax, around, self._name, errors)

    def _around(self, syntax: Syntax, lines: list[bytes]) -> list[Node]:
        """All that the name stands in there, the innermost first."""
        start = sum(len(line) + 1 for line in lines[: self._line - 1])
        name = re.compile(rb"(?<!\w)" + re.escape(self._name.encode()) + rb"(?!\w)")
        until = start + sum(len(line) + 1 for line in lines[self._line - 1 : self._line - 1 + _FURTHEST])
        # What is not called by its name is known by its line.
        at = name.search(syntax.data, start, until) or _TOKEN.search(syntax.data, start, until)
        node = syntax.tree.root_node.descendant_for_byte_range(at.start(), at.start() + 1) if at else None
        found = []
        while node is not None:
            found.append(node)
            node = node.parent
        return found


def _is_wanted(syntax: Syntax, node: Node, errors: Collection[str], *, is_strict: bool) -> bool:
    said = _said(syntax, node)
    if not any(word in said.lower() for word in _FAILING):
        return False
    named = {each.lower() for each in _ERRORS.findall(_TEXTS.sub("", _listed(syntax, node) or said))}
    # Who wants another error wants it of a call that fits.
    return not is_strict or not named or syntax.language not in _STRICT or not named.isdisjoint({*errors, *_ANY})


def _said(syntax: Syntax, node: Node) -> str:
    """What a node says of all that is in it: the head of a `with`, what is called, what is reached, a decorator."""
    parts: tuple[Node | None, ...] = ()
    if node.type == "with_statement":
        parts = tuple(child for child in node.named_children if child.type == "with_clause")
    elif node.type in {"call", "call_expression"} and syntax.language != "ruby":
        parts = (node.child_by_field_name("function"),)
    elif node.type == "decorated_definition":
        parts = tuple(child for child in node.named_children if child.type == "decorator")
    elif syntax.language == "ruby" and node.type == "call":
        said = (node.child_by_field_name("method"), node.child_by_field_name("arguments"))
        # `it "raises an error"` tells what a test is called.
        return " ".join(_TEXTS.sub("", syntax.text(part))[-200:] for part in said if part is not None)
    elif node.type == "member_call_expression":
        parts = (node.child_by_field_name("name"),)
    elif syntax.language == "php" and node.type == "method_declaration":
        waits = list(_WAITS.finditer(syntax.text(node)))
        return " ".join(("expectexception", *(each[1] for each in waits))) if waits else ""
    # What is called may be a whole chain of calls; its end says what is done.
    return " ".join(syntax.text(part)[-200:] for part in parts if part is not None)


def _listed(syntax: Syntax, node: Node) -> str:
    """What a call that says so gets, where it names the error: the first of its arguments."""
    arguments = node.child_by_field_name("arguments") if node.type == "call" and syntax.language == "python" else None
    return syntax.text(arguments.named_children[0]) if arguments is not None and arguments.named_children else ""


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


def is_guarded(syntax: Syntax, around: Sequence[Node], name: str, errors: Collection[str]) -> bool:
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
    """Whether a variable of PHP is passed to a function of the same file that takes a reference."""
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
