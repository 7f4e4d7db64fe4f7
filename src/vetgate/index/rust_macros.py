"""Calls inside of macros of Rust that take expressions: there the grammar knows no more than words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import CallSite
from vetgate.index.objects import bind
from vetgate.index.rust_types import OF, OWN
from vetgate.source.syntax import first_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from vetgate.index.reading import Reading

_EXPRESSIONS = frozenset(
    """anyhow assert assert_eq assert_ne bail dbg debug debug_assert debug_assert_eq debug_assert_ne ensure eprint
    eprintln error format info panic print println todo trace unreachable vec warn write
    writeln""".split()  # noqa: SIM905 - a list of names
)
_WORDS = frozenset({"identifier", "crate", "super", "self"})
# With these, commas need not stand between arguments.
_UNCLEAR = frozenset({"|", "||", "<", "#", "=>", ";"})
_SHORTEST = 2
# `name . f`
_REACHED = 3


def note_calls(reading: Reading, macro: Node, inside: str) -> None:
    pending = [child for child in macro.named_children if child.type == "token_tree"]
    if reading.text(macro.child_by_field_name("macro")) not in _EXPRESSIONS:
        _make_unknown(reading, macro, pending)
        return
    while pending:
        around = pending.pop().children
        for site, tree in enumerate(around):
            if tree.type != "token_tree" or not _is_read(reading, around[:site]):
                continue
            pending.append(tree)
            callee = _callee(reading, around[:site]) if tree.children[0].type == "(" else ""
            if callee:
                positional, is_open = _counted(tree.children[1:-1])
                callee, of = _of_object(reading, callee, around[:site])
                reading.calls.append(CallSite(callee, first_line(tree), positional, (), is_open, inside, of=of))


def _make_unknown(reading: Reading, macro: Node, pending: list[Node]) -> None:
    """What is handed over to a macro may come back as another thing of the same name."""
    while pending:
        here = pending.pop()
        if here.type == "identifier":
            bind(reading.scope(macro), reading.text(here), "")
        pending += here.named_children


def _of_object(reading: Reading, callee: str, before: Sequence[Node]) -> tuple[str, str]:
    """The callee and the type of `self.field.f`; of `name.f` that is asked for."""
    if not callee.startswith("?.") or len(before) < _REACHED or before[-_REACHED].type != "identifier":
        return callee, ""
    name = reading.text(before[-_REACHED])
    ahead = [each.type for each in before[:-_REACHED]]
    if ahead[-2:] == ["self", "."]:
        return f"self.{name}.{callee[2:]}", f"{name}{OF}{OWN}"
    if ahead[-1:] not in (["."], ["::"]):
        reading.objects.ask(name, reading.scope(before[0]))
    return callee, ""


def _is_read(reading: Reading, before: Sequence[Node]) -> bool:
    """What another macro makes of it nobody knows."""
    is_macro = len(before) >= _SHORTEST and before[-1].type == "!" and before[-2].type == "identifier"
    return not is_macro or reading.text(before[-2]) in _EXPRESSIONS


def _callee(reading: Reading, before: Sequence[Node]) -> str:
    if not before or before[-1].type != "identifier":
        return ""
    first = len(before) - 1
    while first >= _SHORTEST and before[first - 1].type == "::" and before[first - 2].type in _WORDS:
        first -= 2
    parts = [reading.text(each) for each in before[first::2]]
    ahead = before[first - 1].type if first else ""
    if ahead == ".":
        is_own = first >= _SHORTEST and before[first - 2].type == "self"
        return f"{'self' if is_own else '?'}.{parts[-1]}"
    if ahead in {"::", "fn", ">", "|"}:
        return ""
    return ".".join(("mod", *parts[1:]) if parts[0] == "self" else parts)


def _counted(inner: Sequence[Node]) -> tuple[int, bool]:
    kinds = [each.type for each in inner if not each.type.endswith("comment")]
    if kinds and kinds[-1] == ",":
        kinds.pop()
    return (kinds.count(",") + 1 if kinds else 0), not _UNCLEAR.isdisjoint(kinds)
