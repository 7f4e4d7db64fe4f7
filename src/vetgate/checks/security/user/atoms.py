"""Words without which an ast-grep rule cannot match: a text that lacks them need not be parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable

    Possible = Callable[[str], bool]

_VARIABLE = expression(r"\$+[A-Z_][A-Z0-9_]*|\${3}")
_WORD = expression(r"[A-Za-z_][A-Za-z0-9_]+")
# Whatever else stands beside them, these have to hold as well. `regex`, `kind`, `not` and `matches` name no word.
_RELATIONS = ("inside", "has", "follows", "precedes")


def possible(rule: Any) -> Possible:
    parts = list(_parts(rule)) if isinstance(rule, dict) else []
    return lambda text: all(part(text) for part in parts)


def _parts(rule: dict[str, Any]) -> list[Possible]:
    parts: list[Possible] = []
    pattern = rule.get("pattern")
    if isinstance(pattern, str):  # one with a context or another strictness may match without its words
        words = frozenset(_WORD.findall(_VARIABLE.sub(" ", pattern)))
        parts.append(lambda text: all(word in text for word in words))
    parts += [possible(rule[name]) for name in _RELATIONS if name in rule]
    if isinstance(rule.get("all"), list):
        parts += map(possible, rule["all"])
    if isinstance(rule.get("any"), list):
        options = [possible(each) for each in rule["any"]]
        parts.append(lambda text: any(option(text) for option in options))
    return parts
