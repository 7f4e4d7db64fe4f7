"""Keys that somebody sent and that nobody looks at: `__proto__` among them changes all objects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.values import function_called
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher
    from vetgate.checks.security.scope import Module

    Asked = Callable[[Matcher, list[str | Expression], Flow], bool]

_SETS_KEY = expression(r"([\w.]*\w)\[\w+\]\s*(?:\?\?|\|\|)?=(?!=)")
_DANGEROUS = expression(r"__proto__|['\"`]prototype['\"`]")
_WORD = expression(r"[A-Za-z_$][\w$]*")
_LONGEST = 8000


def unguarded_copy(matcher: Matcher, parts: list[str | Expression], _flow: Flow) -> bool:
    """A call of a function in this file that sets keys it does not look at."""
    call = parts[-1] if parts else ""
    if isinstance(call, str) or call.kind != ex.CALL:
        return False
    function = function_called(matcher.module, matcher.module.lower(call.items[0]))
    if function is None:
        return False
    return _SETS_KEY.search(_text(matcher.module, function)) is not None and not _refuses(matcher.module, function)


def guarded_keys(matcher: Matcher, parts: list[str | Expression], _flow: Flow) -> bool:
    """The key is none, or the function around refuses dangerous ones, or those that the target does not have."""
    if any(isinstance(part, str) and part for part in parts):
        return True  # with a prefix or a suffix of ours it is no dangerous key
    first = next((part for part in parts if not isinstance(part, str)), None)
    function = matcher.module.function_around(first.node) if first is not None else None
    while function is not None:
        if _refuses(matcher.module, function):
            return True
        function = matcher.module.function_around(function)
    return False


def _refuses(module: Module, function: Node) -> bool:
    text = _text(module, function)
    if _DANGEROUS.search(text) or "Object.create(null)" in text:
        return True
    targets = {found[1] for found in _SETS_KEY.finditer(text)}
    own = "|".join(re.escape(target) for target in sorted(targets))
    if own and re.search(rf"hasOwn\w*(?:\.call)?\(\s*(?:{own})\s*,|\b(?:{own})\.hasOwnProperty\(", text):
        return True
    words = set(_WORD.findall(text))
    return any(word in words for word in _refusing(module))


def _refusing(module: Module) -> Iterator[str]:
    """Names of lists, patterns and functions of the file that speak of dangerous keys."""
    for name, definitions in module.scope(module.root).names.items():
        if any(_DANGEROUS.search(_text(module, each.value.node)) for each in definitions):
            yield name
    for name, function in module.functions.items():
        if _DANGEROUS.search(_text(module, function)):
            yield name


def _text(module: Module, node: Node) -> str:
    return module.language.text(node)[:_LONGEST]


PROTOTYPES: dict[str, Asked] = {"unguarded-copy": unguarded_copy, "guarded-keys": guarded_keys}
