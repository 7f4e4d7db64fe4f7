"""What an expression is called in full: `run` imported from subprocess is `subprocess.run`.

A path is dotted; `()` is the result of a call, `[]` an element, `@req` the request that a framework passes.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.scope import PARAM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.frameworks import Frameworks
    from vetgate.checks.security.scope import AskedNames, Module

_DEEPEST = 24
_OWN = frozenset({"self", "cls"})
_SAME_FUNCTION = frozenset({"util.promisify", "promisify"})  # what they give does what they were given


class QualifiedNames:
    def __init__(self, module: Module, frameworks: Frameworks) -> None:
        self._module = module
        self._frameworks = frameworks
        self._known: dict[int, tuple[str, AskedNames]] = {}

    def of(self, item: Node | Expression, depth: int = 0) -> str:
        """The path, or "" when nobody can tell."""
        if depth > _DEEPEST:
            return ""
        expression = self._module.lower(item)
        key = id(expression)
        known = self._known.get(key)
        if known is None:
            self._known[key] = ("", set())  # a name that is defined by itself ends here
            known = self._known[key] = self._module.asking(partial(self._path, expression, depth + 1))
        elif known[1]:
            self._module.asked |= known[1]
        return known[0]

    def _path(self, expression: Expression, depth: int) -> str:
        kind = expression.kind
        if kind == ex.NAME:
            return self._of_name(expression, depth)
        if kind == ex.ATTR and expression.name == "default":
            return self.of(expression.items[0], depth)  # a module's main export goes by the module's name
        if kind == ex.ATTR:
            return f"{self.of(expression.items[0], depth) or '?'}.{expression.name}"
        if kind == ex.CALL:
            return self._module.language.required(expression) or self._of_call(expression, depth)
        if kind == ex.INDEX:
            return f"{self.of(expression.items[0], depth) or '?'}[]"
        if kind == ex.PASS:
            return _typed(expression) or self.of(expression.items[0], depth)
        if kind == ex.EITHER:
            return next((path for path in (self.of(item, depth) for item in expression.items) if path), "")
        if kind == PARAM:
            return self._frameworks.parameter_path(expression) or self._of_element(expression, depth)
        return _PLAIN.get(kind, "") if kind != ex.LITERAL else type(expression.value).__name__

    def _of_element(self, parameter: Expression, depth: int) -> str:
        """`entries.forEach((entry) => …)`; an event's first parameter is called `@` and the event."""
        if self._frameworks.accumulates(parameter):
            return "reduce()[]"
        several = self._frameworks.element_of(parameter)
        path = self.of(several, depth) if several is not None else ""
        return f"{path}[]" if path else self._frameworks.event_of(parameter)

    def _of_call(self, expression: Expression, depth: int) -> str:
        callee = self.of(expression.items[0], depth)
        if callee in _SAME_FUNCTION and len(expression.items) > 1:
            return self.of(expression.items[1], depth)
        return f"{callee or '?'}()"

    def _of_name(self, expression: Expression, depth: int) -> str:
        values = self._module.reaching(expression.name, expression.node)
        for value in values:
            path = self.of(value, depth)
            if path:
                return path
        if values:
            return expression.name if expression.name in _OWN else ""
        return self._module.imports.get(expression.name, expression.name)


def _typed(expression: Expression) -> str:
    """A value of a declared type goes by that."""
    return f"{expression.name}()" if expression.name else ""


_PLAIN = {ex.TEXT: "str", ex.LIST: "list", ex.DICT: "dict", ex.FUNCTION: "function", ex.REGEX: "regex"}


class _NameGlobs:
    """Several globs at once. Nearly all are a whole path or `*.name`: those need no regular expression."""

    __slots__ = ("ends", "others", "whole")

    def __init__(self, globs: tuple[str, ...]) -> None:
        plain = [each for glob in globs for each in _spelled_out(glob)]
        self.whole = frozenset(each for each in plain if "*" not in each)
        self.ends = tuple(each[1:] for each in plain if each.startswith("*.") and "*" not in each[1:])
        rest = [each for each in plain if "*" in each and each[1:] not in self.ends]
        self.others = re.compile("|".join(map(_expression, rest))) if rest else None

    def match(self, path: str) -> bool:
        if path in self.whole or (self.ends and path.endswith(self.ends)):
            return True
        return self.others is not None and self.others.fullmatch(path) is not None


def _spelled_out(glob: str) -> Iterator[str]:
    """`a.{b,c}` is `a.b` and `a.c`."""
    head, brace, rest = glob.partition("{")
    if not brace:
        yield glob
        return
    names, _, tail = rest.partition("}")
    for name in names.split(","):
        yield from _spelled_out(f"{head}{name.strip()}{tail}")


def _expression(glob: str) -> str:
    return ".*".join(map(re.escape, glob.split("*")))


@lru_cache(maxsize=4096)
def _compiled(globs: tuple[str, ...]) -> _NameGlobs:
    return _NameGlobs(globs)


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """`*` stands for any part of a path; `{a,b}` for one of several names."""
    return bool(globs) and _compiled(globs).match(path)


def tails(glob: str) -> tuple[str, ...]:
    """The last names a path that matches can end in, to look it up by."""
    last = re.split(r"\.(?![^{]*\})", glob)[-1].removesuffix("()")
    if last.startswith("{"):
        return tuple(name.strip() for name in last[1:-1].split(","))
    return (last,)
