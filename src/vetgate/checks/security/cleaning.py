"""Does `replace` take out what a rule is afraid of?

Among the sanitizers of a rule, `replace:*&lt;*` is a call that puts such text in, and `without:<>` one after which
these characters are gone: with a text in JavaScript only the first of them is replaced.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.paths import matches
from vetgate.expression import expression

if TYPE_CHECKING:
    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.scope import Module

_ONLY_LETTERS = expression(r"\[\^(?:\\[wd]|[\w\s-]|\\s|\\-)+\][+*]?")
_WITHOUT = "without:"


def replaces(module: Module, call: Expression, callee_path: str, sanitizers: tuple[str, ...]) -> bool:
    """`x.replace(/[^a-z]/g, "")` leaves letters only, whatever the rule is afraid of."""
    if not callee_path.endswith((".replace", ".replaceAll")) or len(call.items) != 3:
        return False
    what, by = module.lower(call.items[1]), module.lower(call.items[2])
    put_in = by.value if by.kind == ex.LITERAL and isinstance(by.value, str) else None
    if put_in is not None and what.kind == ex.REGEX and _ONLY_LETTERS.fullmatch(what.value):
        return True
    if put_in is not None and matches(f"replace:{put_in}", sanitizers):
        return True
    feared = [each.removeprefix(_WITHOUT) for each in sanitizers if each.startswith(_WITHOUT)]
    if not feared or not _replaces_all(module, call, what, callee_path):
        return False
    return any(
        all(_is_taken_out(what, letter) and letter not in (put_in or "") for letter in letters) for letters in feared
    )


def _replaces_all(module: Module, call: Expression, what: Expression, callee_path: str) -> bool:
    if call.node.type == "call" or callee_path.endswith(".replaceAll"):
        return True  # Python, or as the name says
    flags = what.node.child_by_field_name("flags") if what.kind == ex.REGEX else None
    return flags is not None and "g" in module.language.text(flags)


def _is_taken_out(what: Expression, letter: str) -> bool:
    if what.kind == ex.LITERAL:
        return bool(what.value == letter)
    return what.kind == ex.REGEX and _finds(what.value, letter)


@lru_cache(maxsize=256)
def _finds(pattern: str, letter: str) -> bool:
    try:
        return re.fullmatch(pattern, letter) is not None
    except (re.error, OverflowError, RecursionError):
        return False
