"""Which function is around a place, which bindings are its own: by ranges, whatever order the walk went in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vetgate.checks.security.scan import visitor_of
from vetgate.checks.security.scope import Order
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source, Syntax, parse
from vetgate.source.walk import walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.checks.security.scope import Module

PYTHON = """
import os
a = 1
def outer(b, c=lambda: 1):
    d = [e for e in b]
    def inner(f):
        g = f
        return lambda h: h
    d.append(inner)
    return d
class Thing:
    i = 2
    def method(self):
        self.j = lambda: (k := 3)
l = lambda m: (lambda n: n)
"""
JAVASCRIPT = """
const a = (b) => (c) => { const d = b; return function* () { let e = c; return e; }; };
class F { g = 1; h() { this.i = () => { for (const j of k) { l = j; } }; } }
function m({ n, o = () => 1 }) { const q = []; q.push(n); return q; }
"""


def module_of(path: str, code: str) -> Module:
    syntax = parse(Source(path, code, language_of(path)))
    assert isinstance(syntax, Syntax)
    found: Module = walk(syntax, [visitor_of(syntax.language)], Deadline.never()).states[0].module
    return found


def every_node(root: Node) -> list[Node]:
    pending, found = [root], []
    while pending:
        node = pending.pop()
        found.append(node)
        pending.extend(node.children)
    return found


def climbed(node: Node, kinds: frozenset[str]) -> int | None:
    around = node.parent
    while around is not None and around.type not in kinds:
        around = around.parent
    return around.id if around is not None else None


@pytest.mark.parametrize(("path", "code"), [("a.py", PYTHON), ("a.js", JAVASCRIPT)], ids=["in Python", "in JavaScript"])
def test_the_function_around_is_the_one_that_climbing_finds(path, code):
    module = module_of(path, code)
    for node in every_node(module.root):
        around = module.function_around(node)
        assert (around.id if around is not None else None) == climbed(node, module.language.functions), node


def test_the_order_in_which_they_are_seen_does_not_matter():
    module = module_of("a.js", JAVASCRIPT)
    turned = Order(functions=module.order.functions[::-1], bindings=module.order.bindings[::-1])
    for function in (None, *module.order.functions):
        assert turned.bindings_in(function) == module.order.bindings_in(function)


def test_each_scope_has_its_own_names():
    module = module_of("a.py", PYTHON)
    names = {module.language.name_of(each): sorted(module.scope(each).names) for each in module.order.functions}
    assert sorted(module.scope(module.root).names) == ["a", "i", "l"]
    assert (names["outer"], names["inner"], names["method"]) == (["b", "c", "d", "e"], ["f", "g"], ["self", "self.j"])
    outer = next(each for each in module.order.functions if module.language.name_of(each) == "outer")
    assert [module.language.text(each) for each in module.scope(outer).returns] == ["d"]
    assert len(module.scope(outer).names["d"]) == 2, "what is added to a list is one more definition of it"


def test_of_very_many_statements_the_nearest_are_looked_at():
    module = module_of("a.py", "".join(f"x{each} = 1\n" for each in range(1000)))
    last = module.root.named_children[-1]
    before = module.statements_before(module.root, last)
    assert before == module.root.named_children[-1 - len(before) : -1]
    assert 100 <= len(before) < 999


def test_who_takes_an_answer_from_memory_has_asked_the_same():
    """Else a verdict would stand although what it hangs on has changed."""
    module = module_of("a.py", "LIMIT = 1\ndef f():\n    return LIMIT\n")
    (use,) = (each for each in every_node(module.root) if each.text == b"LIMIT" and each.start_point[0] == 2)

    def ask():
        return module.once("who", lambda: module.function_named("f")), module.reaching("LIMIT", use)

    first, again = module.asking(ask), module.asking(ask)
    assert [value.node.text for value in first[0][1]] == [b"1"]
    assert again == first
    assert first[1] == {("function", "f"), ("top", "LIMIT")}


def test_what_was_worked_out_once_is_not_worked_out_again():
    module, worked_out = module_of("a.py", "a = 1\n"), []
    for _ in range(2):
        module.once("who", lambda: worked_out.append(1))
    assert worked_out == [1]
