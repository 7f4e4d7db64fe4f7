"""Does `replace` take out what a rule is afraid of?

Among the sanitizers of a rule, `replace:*&lt;*` is a call that puts such text in, and `without:<>` one after which
these characters are gone: with a text in JavaScript only the first of them is replaced.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.security import expression as ex
from vetgate.checks.security.qualified_names import matches
from vetgate.checks.security.values import resolve_value
from vetgate.expression import expression

if TYPE_CHECKING:
    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.scope import Module

_ONLY_LETTERS = expression(r"\[\^(?:\\[wd]|[\w\s-]|\\s|\\-)+\][+*]?")
_WITHOUT = "without:"
_METHODS = (".replace", ".replaceAll", ".Replace", ".gsub")
_FUNCTIONS = {"strings.ReplaceAll": (2, 3), "Regex.Replace": (2, 3), "preg_replace": (1, 2)}  # what, and by what
_OF_JAVA = ("method_invocation", ".replaceAll")  # takes a regular expression, in JavaScript a text
_COMPILED = ".ReplaceAllString"  # of Go: the pattern is what the method belongs to


_NOTHING = "(?!)"
_LONGEST = 200  # what is written to clean a name is short


class _Replacement(NamedTuple):
    pattern: str
    by: str | None  # when it is a text of ours
    everywhere: bool = True


def replaces(module: Module, call: Expression, callee_path: str, sanitizers: tuple[str, ...]) -> bool:
    """`x.replace(/[^a-z]/g, "")` leaves letters only, whatever the rule is afraid of."""
    found = _replacement(module, call, callee_path)
    if found is None:
        return False
    if found.by is not None and (_ONLY_LETTERS.fullmatch(found.pattern) or matches(f"replace:{found.by}", sanitizers)):
        return True
    feared = [each.removeprefix(_WITHOUT) for each in sanitizers if each.startswith(_WITHOUT)]
    return found.everywhere and any(
        all(_finds(found.pattern, letter) and letter not in (found.by or "") for letter in letters)
        for letters in feared
    )


def _replacement(module: Module, call: Expression, callee_path: str) -> _Replacement | None:
    if callee_path.endswith(_COMPILED):
        return _of_compiled(module, call)
    at, by = _FUNCTIONS.get(callee_path, (1, 2))
    if len(call.items) != (4 if callee_path in _FUNCTIONS else 3) or not callee_path.endswith((*_METHODS, *_FUNCTIONS)):
        return None
    what = module.lower(call.items[at])
    pattern = _pattern(call, what, callee_path) or _NOTHING
    return _Replacement(pattern, _text(module.lower(call.items[by])), _is_everywhere(module, call, what, callee_path))


def _of_compiled(module: Module, call: Expression) -> _Replacement | None:
    """`regexp.MustCompile("…").ReplaceAllString(text, by)`, also when the expression has a name."""
    callee = module.lower(call.items[0])
    compiled = resolve_value(module, module.lower(callee.items[0])) if callee.kind == ex.ATTR else None
    if compiled is None or compiled.kind != ex.CALL or len(compiled.items) < 2 or len(call.items) != 3:
        return None
    pattern = _text(module.lower(compiled.items[1]))
    return _Replacement(pattern or _NOTHING, _text(module.lower(call.items[2])))


def _pattern(call: Expression, what: Expression, callee_path: str) -> str | None:
    """What is looked for, as a regular expression; a text is one by itself where the function says so."""
    if what.kind == ex.REGEX:
        return str(what.value)
    text = _text(what)
    if text is None:
        return None
    if callee_path == "preg_replace":
        return text[1 : text.rfind(text[0])] if text else None
    is_regex = callee_path == "Regex.Replace" or (call.node.type, callee_path[-11:]) == _OF_JAVA
    return text if is_regex else re.escape(text)


def _text(item: Expression) -> str | None:
    return item.value if item.kind == ex.LITERAL and isinstance(item.value, str) else None


def _is_everywhere(module: Module, call: Expression, what: Expression, callee_path: str) -> bool:
    """JavaScript alone replaces the first one only, unless it is told otherwise."""
    if module.language.facts.typed or call.node.type == "call" or callee_path.endswith(".replaceAll"):
        return True
    flags = what.node.child_by_field_name("flags") if what.kind == ex.REGEX else None
    return flags is not None and "g" in module.language.text(flags)


@lru_cache(maxsize=256)
def _finds(pattern: str, letter: str) -> bool:
    if len(pattern) > _LONGEST:
        return False
    try:
        return re.fullmatch(pattern, letter) is not None
    except (re.error, OverflowError, RecursionError):
        return False
