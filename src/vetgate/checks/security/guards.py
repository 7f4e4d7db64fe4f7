"""Tests that a value has passed before it is used: an allow list, a pattern, a prefix, a type.

A guard counts when the use lies in the branch that the test admits, or behind a branch that leaves when it fails.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.guard_patterns import BELOW, MARK, SIGNS, VALIDATORS, marked, test_of
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.facts import LanguageFacts
    from vetgate.checks.security.scope import FunctionScope, Module

_CHOICES = frozenset({"ternary_expression", "conditional_expression", "conditional"})
_COMPREHENSIONS = frozenset({"list_comprehension", "set_comprehension", "generator_expression"})
_LEVELS = 60
_JOINS = expression(r"^os\.path\.join\(")
_RESOLVES = expression(r"resolve|realpath|abspath|normpath|normalize|\bjoin\(|secure_filename|basename|safe_join")
_SCOPES = 3
_STEPS = 2
_LONGEST = 400
# Of Laravel, and of Rust: they go on only when what they are given holds, or does not.
_STOPS = (
    *("abort_unless(", "abort_if(", "throw_unless(", "throw_if("),
    *("ensure!(", "anyhow::ensure!(", "eyre::ensure!(", "assert!("),
)
_ASSERTS = ("assert ", "assert(", "assert.")
_VALIDATES = expression(rf"(?:await )?{VALIDATORS}\(")
_ONLY_NAME = expression(r"^\(?\s*(!|not )?\s*([A-Za-z_$][\w$]*)\s*\)?$")
_FAILED = expression(r"^(\w+) != nil$")
_DERIVES = (
    r"(?:urlparse|urlsplit|\bURL|url\.parse|parse_url|relative|realpath|abspath"
    r"|ip_address|gethostbyname|getaddrinfo|lookup)\("
)
_PARTS = r"(?:\.(?:hostname|host|origin|netloc|relative_to|resolve)\b)+"
_MAY_DERIVE = expression(rf"{_DERIVES}|{_PARTS}")
_DERIVATION = expression(rf"{_DERIVES}[^;]*{MARK}|^{MARK}{_PARTS}")


def guarded(module: Module, name: str, use: Node, kinds: frozenset[str]) -> bool:
    """Whether `name`, as written, was tested on every way to `use`."""
    return module.once((guarded, name, use.id, kinds), partial(_is_guarded, module, name, use, kinds))


def _is_guarded(module: Module, name: str, use: Node, kinds: frozenset[str]) -> bool:
    conditions = [each for one in _conditions(module, name, use) for each in _spelled_out(module, one, use)]
    if not conditions:
        return False
    counting = {each: _counting(module, each, use, kinds) for each in (name, *_derived(module, name, use))}
    facts = module.language.facts
    return any(
        _admits(marked(text[:_LONGEST], each), negated=negated, kinds=counted, facts=facts)
        for text, negated in conditions
        for each, counted in counting.items()
    )


def _counting(module: Module, name: str, use: Node, kinds: frozenset[str]) -> frozenset[str]:
    """`/srv/docs/../../etc` begins with `/srv/docs`: what was just put together has to be resolved before a test."""
    values = module.reaching(name, use) if BELOW in kinds else []
    void = bool(values) and all(_is_put_together(module, value) for value in values)
    return kinds - {BELOW} if void else kinds


def _is_put_together(module: Module, value: Expression) -> bool:
    """What joins paths in JavaScript resolves them, in Python it does not."""
    held = module.lower(value.items[0]) if value.kind == ex.PASS else value
    text = module.language.text(held.node)[:_LONGEST]
    if held.kind == ex.CALL and not _JOINS.match(text):
        return False
    resolves = module.language.facts.resolves
    if resolves is not None and resolves.search(text):
        return False
    return held.kind in {ex.CALL, ex.TEXT} and not _RESOLVES.search(_JOINS.sub("", text, count=1))


def _spelled_out(module: Module, condition: tuple[str, bool], use: Node) -> Iterator[tuple[str, bool]]:
    """The condition, and what the name stands for when it is only a name: `ok = x in ALLOWED` before `if not ok`."""
    text, negated = condition
    yield condition
    failed = _FAILED.match(text) if module.language.facts.alone else None
    if failed is not None:  # what gave no error was found to be right
        yield from ((module.language.text(each.node), not negated) for each in module.reaching(failed[1], use)[:_STEPS])
    named = _ONLY_NAME.match(text)
    if named is None:
        return
    for value in module.reaching(named[2], use)[:_STEPS]:
        # "if not ok: return" is passed when ok holds, just as "if ok:" is entered.
        yield module.language.text(value.node), negated is (not named[1])


def _derived(module: Module, name: str, use: Node) -> set[str]:
    """Names for the parsed address, its host or the resolved path: testing those tests the value itself."""
    found = {name}
    for scope in islice(module.scopes_around(use), _SCOPES):
        candidates = _derivations(module, scope)
        fresh = found
        for _ in range(_STEPS):
            left = [(each, text) for each, text in candidates if each not in found]
            fresh = {each for each, text in left if any(_derives(module, text, known) for known in fresh)}
            if not fresh:
                break
            found = found | fresh
    return found - {name}


def _derivations(module: Module, scope: FunctionScope) -> list[tuple[str, str]]:
    """Names of the scope that may be made from another one in such a way, worked out once."""
    if scope.derivations is None:
        values = (
            (name, module.language.text(each.value.node)[:_LONGEST])
            for name, definitions in scope.names.items()
            for each in definitions
        )
        own = module.language.facts.derives
        scope.derivations = [(name, text) for name, text in values if own is not None or _MAY_DERIVE.search(text)]
    return scope.derivations


def _derives(module: Module, text: str, name: str) -> bool:
    if name not in text:
        return False
    text = marked(text, name)
    own = module.language.facts.derives
    return MARK in text and own.search(text) is not None if own else _DERIVATION.search(text) is not None


def _conditions(module: Module, name: str, use: Node) -> Iterator[tuple[str, bool]]:
    """Conditions that hold at `use`, as text; negated where the use is reached because the condition failed."""
    language = module.language
    child, parent = use, use.parent
    for _ in range(_LEVELS):
        if parent is None:
            return
        yield from _of_parent(module, parent, child)
        if parent.type in language.blocks:
            yield from _of_earlier(module, name, parent, child)
        if parent.type in language.functions:
            return
        child, parent = parent, parent.parent


def _of_parent(module: Module, parent: Node, child: Node) -> Iterator[tuple[str, bool]]:
    """The condition of a branch, a case, an operator or a comprehension that the use is a part of."""
    language = module.language
    if parent.type in language.ifs or parent.type in _CHOICES:
        yield from _of_branch(module, parent, child)
    if parent.type in language.facts.cases:
        yield language.chosen(parent), False
    if parent.type in {"binary_expression", "boolean_operator", "binary"}:
        yield from _of_operand(module, parent, child)
    if parent.type in _COMPREHENSIONS:
        yield from ((language.text(each), False) for each in parent.children if each.type == "if_clause")


def _of_branch(module: Module, branch: Node, child: Node) -> Iterator[tuple[str, bool]]:
    condition = branch.child_by_field_name("condition")
    if condition is None and branch.type == "conditional_expression":  # Python puts it in the middle
        inner = branch.named_children
        condition = inner[1] if len(inner) == 3 else None
    if condition is None or condition.id == child.id:
        return
    admitted = _consequence(branch) or (branch.named_children[0] if branch.named_children else None)
    entered = admitted is not None and admitted.id == child.id
    yield module.language.text(condition), entered if _is_opposite(branch) else not entered


def _is_opposite(branch: Node) -> bool:
    """Ruby's `unless`."""
    return branch.type.startswith("unless")


def _consequence(branch: Node) -> Node | None:
    return branch.child_by_field_name("consequence") or branch.child_by_field_name("body")


def _of_operand(module: Module, operation: Node, child: Node) -> Iterator[tuple[str, bool]]:
    """`allowed.has(x) && use(x)`: the right side runs because of the left one."""
    left, operator = operation.child_by_field_name("left"), operation.child_by_field_name("operator")
    if left is not None and operator is not None and left.id != child.id and operator.type in {"&&", "and", "||", "or"}:
        yield module.language.text(left), operator.type in {"||", "or"}


def _of_earlier(module: Module, name: str, block: Node, child: Node) -> Iterator[tuple[str, bool]]:
    """`if (!allowed.has(x)) return;` or `if (!allowed.has(x)) x = "default";` somewhere before."""
    for statement in module.statements_before(block, child):
        branch = _as_branch(module, statement)
        if branch is not None:
            condition = branch.child_by_field_name("condition")
            if condition is not None and _leaves(module, name, branch):
                yield module.language.text(condition), not _is_opposite(branch)
        else:
            yield from _of_statement(module, statement)


def _as_branch(module: Module, statement: Node) -> Node | None:
    """Where a branch is an expression, a statement may be nothing but one."""
    if statement.type == "expression_statement" and statement.named_children:
        statement = statement.named_children[0]
    return statement if statement.type in module.language.ifs else None


def _of_statement(module: Module, statement: Node) -> Iterator[tuple[str, bool]]:
    """Statements that only let through what passes: an assertion, a validator, `path.relative_to(folder)`."""
    body = statement.child_by_field_name("body") if statement.type == "try_statement" else statement
    if body is None or statement.type not in {"assert_statement", "expression_statement", "try_statement"}:
        return
    text = module.language.text(body)
    if text.startswith(_STOPS):
        stop, _, condition = text.partition("(")
        yield condition, stop.endswith("_if")
    elif ".relative_to(" in text:
        yield text, False
    elif body is statement and (text.startswith(_ASSERTS) or _VALIDATES.match(text)):
        yield text.removeprefix("assert").strip(), False


def _leaves(module: Module, name: str, statement: Node) -> bool:
    """Whether the branch never gets to what follows with the same value."""
    body = _consequence(statement)
    if body is None:
        return False
    if body.type in module.language.exits:
        return True
    if len(body.named_children) == 1 and body.named_children[0].type in module.language.blocks:
        body = body.named_children[0]
    last = [child for child in body.named_children if "comment" not in child.type][-1:]
    if not last:
        return False
    if last[0].type in module.language.exits:
        return True
    text = module.language.text(last[0])
    leaves = module.language.facts.leaves
    if leaves is not None and leaves.match(text if body.type in module.language.blocks else module.language.text(body)):
        return True
    if re.match(rf"{re.escape(name)}\s*=[^=]", text):
        return True
    return re.match(r"(?:return )?(?:[\w.]*\b(?:abort|exit|fail|reject|throw\w*|next)\()", text) is not None


def admitted(name: str, condition: str, kinds: frozenset[str]) -> bool:
    """Whether a condition that holds lets only expected values of `name` through."""
    return _admits(marked(condition[:_LONGEST], name), negated=False, kinds=kinds)


def _admits(condition: str, *, negated: bool, kinds: frozenset[str], facts: LanguageFacts | None = None) -> bool:
    """Whether the condition, given how it turned out, says that the value is one we expect."""
    if MARK not in condition and not SIGNS.search(condition):
        return False  # most conditions are about something else
    tests = (test_of(kind, negated=negated) for kind in kinds if facts is None or not facts.alone)
    if any(test is not None and test.search(condition) for test in tests):
        return True
    own = facts.tests if facts is not None else {}
    return any(_holds(own[kind], condition, negated=negated) for kind in kinds if kind in own)


def _holds(test: tuple[str, str], condition: str, *, negated: bool) -> bool:
    """`if (!allowed.contains(x))` is entered with what is not allowed, though it reads like a test that admits."""
    holds, fails = test
    if negated or holds == fails:
        return re.search(fails, condition) is not None
    return re.search(holds, condition) is not None and re.search(fails, condition) is None
