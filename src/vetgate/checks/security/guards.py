"""Tests that a value has passed before it is used: an allow list, a pattern, a prefix, a type.

A guard counts when the use lies in the branch that the test admits, or behind a branch that leaves when it fails.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.scope import Module

    Tests = dict[str, tuple[re.Pattern[str], re.Pattern[str]]]

MEMBER, PATTERN, PREFIX, TYPE, VALID = "member", "pattern", "prefix", "type", "valid"
STRING = "string"  # it is a text and not an object: enough for a rule that says so
ALWAYS = frozenset({MEMBER, PATTERN, TYPE, VALID})
_LEVELS = 60
_LONGEST = 400
_NOT = r"(?:!|not )\s*[^&|]*?"

_VALIDATORS = (
    r"(?:[\w.]*\b(?:is_?(?:safe|valid|allowed|trusted|local|internal|whitelisted|alnum|alphanumeric|numeric|digit|int|integer|uuid"
    r"|identifier|email|mongoId|slug)\w*|(?:validate|check|assert|ensure|verify)\w*|url_has_allowed_host_and_scheme))"
)


def guarded(module: Module, name: str, use: Node, kinds: frozenset[str]) -> bool:
    """Whether `name`, as written, was tested on every way to `use`."""
    tests = _tests(re.escape(name))
    conditions = _conditions(module, use)
    return any(_admits(text, negated=negated, tests=tests, kinds=kinds) for text, negated in conditions)


def _conditions(module: Module, use: Node) -> Iterator[tuple[str, bool]]:
    """Conditions that hold at `use`, as text; negated where the use is reached because the condition failed."""
    language = module.language
    child, parent = use, use.parent
    for _ in range(_LEVELS):
        if parent is None:
            return
        if parent.type in language.ifs or parent.type in {"ternary_expression", "conditional_expression"}:
            yield from _of_branch(module, parent, child)
        if parent.type in {"binary_expression", "boolean_operator"}:
            yield from _of_operand(module, parent, child)
        if parent.type in language.blocks:
            yield from _of_earlier(module, parent, child)
        if parent.type in language.functions:
            return
        child, parent = parent, parent.parent


def _of_branch(module: Module, branch: Node, child: Node) -> Iterator[tuple[str, bool]]:
    condition = branch.child_by_field_name("condition")
    if branch.type == "conditional_expression":
        inner = branch.named_children
        condition = inner[1] if len(inner) == 3 else None
    if condition is None or condition.id == child.id:
        return
    admitted = branch.child_by_field_name("consequence") or (
        branch.named_children[0] if branch.named_children else None
    )
    yield module.language.text(condition), not (admitted is not None and admitted.id == child.id)


def _of_operand(module: Module, operation: Node, child: Node) -> Iterator[tuple[str, bool]]:
    """`allowed.has(x) && use(x)`: the right side runs because of the left one."""
    left, operator = operation.child_by_field_name("left"), operation.child_by_field_name("operator")
    if left is not None and operator is not None and left.id != child.id and operator.type in {"&&", "and", "||", "or"}:
        yield module.language.text(left), operator.type in {"||", "or"}


def _of_earlier(module: Module, block: Node, child: Node) -> Iterator[tuple[str, bool]]:
    """`if (!allowed.has(x)) return;` somewhere before."""
    for statement in block.named_children:
        if statement.start_byte >= child.start_byte:
            return
        if statement.type in module.language.ifs and _leaves(module, statement):
            condition = statement.child_by_field_name("condition")
            if condition is not None:
                yield module.language.text(condition), True
        elif statement.type in {"assert_statement", "expression_statement"}:
            text = module.language.text(statement)
            if text.startswith(("assert ", "assert(", "assert.")) or re.match(rf"(?:await )?{_VALIDATORS}\(", text):
                yield text.removeprefix("assert").strip(), False


def _leaves(module: Module, statement: Node) -> bool:
    body = statement.child_by_field_name("consequence")
    if body is None:
        return False
    if body.type in module.language.exits:
        return True
    last = [child for child in body.named_children if child.type != "comment"][-1:]
    if not last:
        return False
    if last[0].type in module.language.exits:
        return True
    text = module.language.text(last[0])
    return re.match(r"(?:return )?(?:[\w.]*\b(?:abort|exit|fail|reject|throw\w*|next)\()", text) is not None


def _admits(condition: str, *, negated: bool, tests: Tests, kinds: frozenset[str]) -> bool:
    """Whether the condition, given how it turned out, says that the value is one we expect."""
    asked = [tests[kind][1 if negated else 0] for kind in kinds if kind in tests]
    return any(test.search(condition[:_LONGEST]) for test in asked)


@lru_cache(maxsize=1024)
def _tests(name: str) -> Tests:
    """For each kind of test, what it looks like when it holds and when its opposite holds."""
    edge = rf"(?<![\w.$]){name}(?![\w$])"
    element = rf"(?:{edge}|(?:String|str|\w+)\({edge}\)|{edge}(?:\.\w+(?:\(\))?)+)"
    within = rf"(?:includes|has|hasOwnProperty|contains|get)\({element}[,)]"
    member = rf"{element} in (?!{name})|\.{within}|(?:hasOwn|contains)\([^()]*,\s*{element}\)"
    equal = rf"{element}\s*(?:===?|is)\s*(?:['\"\w])|['\"][^'\"]*['\"]\s*===?\s*{element}"
    unequal = rf"{element}\s*(?:!==?|is not)\s*(?:['\"\w])"
    absent = (
        rf"{element} not in |not {element} in |!\s*[\w.$\[\]]*(?:\[[^\]]*\])?\.?{within}|!\([^()]*{element} in "
        rf"|indexOf\({element}\)\s*(?:===?\s*-1|<\s*0)|!Object\.hasOwn\([^()]*,\s*{element}\)|!\w+\[{element}\]"
    )
    present = rf"indexOf\({element}\)\s*(?:!==?\s*-1|>=?\s*0|>\s*-1)"
    regex = (
        rf"(?:\.test|\.match|\.fullmatch|\bfullmatch|\bmatch|\.search)\([^()]*{element}\s*\)"
        rf"|{element}\.(?:match|isdigit|isalnum|isnumeric|isidentifier|isdecimal)\("
    )
    prefix = (
        rf"{edge}(?:\.\w+)*\.(?:startsWith|startswith|is_relative_to|relative_to)\(|commonpath\("
        rf"|{edge}(?:\.\w+)*\.(?:hostname|host|origin|netloc|protocol|scheme)\b\s*(?:===?|in\b)"
        rf"|(?:includes|has)\({edge}(?:\.\w+)+\)"
    )
    kind = (
        rf"isinstance\({element},\s*(?!str\b|\(str)|typeof {element} === ['\"](?:number|boolean)"
        rf"|Number\.is(?:Integer|SafeInteger|Finite)\({element}"
    )
    no_kind = rf"typeof {element} !==? ['\"](?:number|boolean)|isNaN\({element}"
    string = rf"typeof {element} === ['\"]string|_\.isString\({element}|isinstance\({element},\s*str\b"
    no_string = rf"typeof {element} !==? ['\"]string|!_\.isString\({element}|not isinstance\({element},\s*str\b"
    valid = rf"{_VALIDATORS}\([^()]*{element}"
    return {
        MEMBER: (re.compile(rf"(?<!not )(?<!!)(?:{member}|{equal}|{present})"), re.compile(rf"{absent}|{unequal}")),
        PATTERN: (re.compile(regex), re.compile(rf"{_NOT}(?:{regex})")),
        PREFIX: (re.compile(prefix), re.compile(rf"{_NOT}(?:{prefix})|{edge}(?:\.\w+)*\s*(?:!==?|not in)")),
        TYPE: (re.compile(kind), re.compile(rf"{_NOT}(?:{kind})|{no_kind}")),
        STRING: (re.compile(string), re.compile(no_string)),
        VALID: (re.compile(valid), re.compile(rf"{_NOT}(?:{valid})")),
    }
