"""How a name is written, what each language calls things by convention, and which other ways stand out there."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Mapping

_HUMP = expression(r"[a-z0-9][A-Z]")
_NUMBER = expression(r"_[0-9]+$")
_WORD = expression(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+")


class NameStyle(enum.StrEnum):
    """`PLAIN` fits everything: one word, or letters without a case. `JOINED` has capitals behind underscores."""

    PLAIN = "plain"
    SNAKE = "snake_case"
    CAMEL = "camelCase"
    PASCAL = "PascalCase"
    UPPER = "UPPER_CASE"
    JOINED = "Joined_Words"
    MIXED = "mixed_Case"


def style_of(name: str) -> NameStyle:
    bare = _NUMBER.sub("", name.strip("_$#@?!="))
    if not bare.isascii() or bare.islower() or not bare:
        return NameStyle.SNAKE if "_" in bare and bare.isascii() else NameStyle.PLAIN
    if bare.isupper():
        return NameStyle.UPPER
    if "_" not in bare:
        return NameStyle.CAMEL if bare[0].islower() else NameStyle.PASCAL
    # `visit_Name`, `from_JSON` and `readToken_dot` join two names; `get_userName` is written in two ways at once.
    first, *rest = bare.split("_")
    humps = first.islower() and any(part[:1].islower() and _HUMP.search(part) for part in rest)
    return NameStyle.MIXED if humps else NameStyle.JOINED


def words_of(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def rewritten(name: str, style: NameStyle) -> str:
    """The name in another style; what it begins with and ends with stays."""
    bare = name.strip("_$#@?!=")
    before, _, after = name.partition(bare)
    words = words_of(bare)
    if style is NameStyle.SNAKE:
        made = "_".join(words)
    else:
        made = "".join(word.capitalize() for word in words)
        made = made[:1].lower() + made[1:] if style is NameStyle.CAMEL else made
    return f"{before}{made}{after}"


FUNCTION = "function-name"
TYPE = "type-name"

_SNAKE, _CAMEL, _PASCAL, _MIXED, _JOINED = (
    NameStyle.SNAKE,
    NameStyle.CAMEL,
    NameStyle.PASCAL,
    NameStyle.MIXED,
    NameStyle.JOINED,
)


@dataclass(frozen=True, slots=True)
class Convention:
    """`home` is how it is written; `odd` are the styles that stand out; others, and those of `also`, do not count."""

    home: NameStyle
    odd: frozenset[NameStyle]
    also: frozenset[NameStyle] = frozenset()

    def fits(self, style: NameStyle) -> bool:
        return style is self.home or style in self.also


def _convention(home: NameStyle, *odd: NameStyle, also: tuple[NameStyle, ...] = ()) -> Convention:
    return Convention(home, frozenset(odd), frozenset(also))


_CAPITALS = _convention(_PASCAL, _CAMEL, _SNAKE, _MIXED)
_LOWER = _convention(_SNAKE, _CAMEL, _PASCAL, _MIXED)
_HUMPS = _convention(_CAMEL, _SNAKE, _PASCAL, _MIXED)

CONVENTIONS: Mapping[str, Mapping[str, Convention]] = {
    "python": {FUNCTION: _LOWER, TYPE: _CAPITALS},
    "ruby": {FUNCTION: _convention(_SNAKE, _CAMEL, _MIXED)},
    "rust": {FUNCTION: _LOWER, TYPE: _CAPITALS},
    "javascript": {FUNCTION: _HUMPS, TYPE: _CAPITALS},
    "typescript": {FUNCTION: _HUMPS, TYPE: _CAPITALS},
    "tsx": {FUNCTION: _convention(_CAMEL, _SNAKE, _MIXED, also=(_PASCAL,)), TYPE: _CAPITALS},
    "java": {FUNCTION: _HUMPS, TYPE: _CAPITALS},
    "csharp": {FUNCTION: _convention(_PASCAL, _CAMEL, _SNAKE, _MIXED), TYPE: _CAPITALS},
    "go": {
        FUNCTION: _convention(_CAMEL, _SNAKE, _MIXED, also=(_PASCAL,)),
        TYPE: _convention(_PASCAL, _SNAKE, _MIXED, also=(_CAMEL,)),
    },
    "php": {FUNCTION: _HUMPS, TYPE: _convention(_PASCAL, _CAMEL, _MIXED, also=(_JOINED, _SNAKE))},
}

_ECMASCRIPT = {
    "function_declaration": FUNCTION,
    "generator_function_declaration": FUNCTION,
    "method_definition": FUNCTION,
    "variable_declarator": FUNCTION,
    "class_declaration": TYPE,
    "abstract_class_declaration": TYPE,
    "enum_declaration": TYPE,
}
# Kind of node: what it defines.
DEFINITIONS: Mapping[str, Mapping[str, str]] = {
    "python": {"function_definition": FUNCTION, "class_definition": TYPE},
    "ruby": {"method": FUNCTION, "singleton_method": FUNCTION},
    "rust": {"function_item": FUNCTION, "struct_item": TYPE, "enum_item": TYPE, "trait_item": TYPE},
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "java": {
        "method_declaration": FUNCTION,
        "class_declaration": TYPE,
        "interface_declaration": TYPE,
        "enum_declaration": TYPE,
        "record_declaration": TYPE,
    },
    "csharp": {
        "method_declaration": FUNCTION,
        "class_declaration": TYPE,
        "interface_declaration": TYPE,
        "struct_declaration": TYPE,
        "enum_declaration": TYPE,
        "record_declaration": TYPE,
    },
    "go": {"function_declaration": FUNCTION, "method_declaration": FUNCTION, "type_spec": TYPE},
    "php": {
        "method_declaration": FUNCTION,
        "class_declaration": TYPE,
        "interface_declaration": TYPE,
        "trait_declaration": TYPE,
        "enum_declaration": TYPE,
    },
}

TITLES = {
    "python": "Python",
    "ruby": "Ruby",
    "rust": "Rust",
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "tsx": "TypeScript",
    "java": "Java",
    "csharp": "C#",
    "go": "Go",
    "php": "PHP",
}
