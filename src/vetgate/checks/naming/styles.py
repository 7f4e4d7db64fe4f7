"""How a name is written, and how it would be written otherwise."""

from __future__ import annotations

import enum

from vetgate.expression import expression

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
