"""Whether whoever calls a function gets what it got before, by what is written as its type."""

from __future__ import annotations

from vetgate.expression import expression

# Two ways to write one type. What is a generator can be iterated over.
_SAME = (
    (expression(r"[\"'\s]|\b(?:typing|typing_extensions|collections\.abc|abc|t)\."), ""),
    (expression(r"\bAsync(?:Generator|Iterable)\b"), "AsyncIterator"),
    (expression(r"\b(?:Generator|Iterable)\b"), "Iterator"),
    (expression(r"\b(Iterator\[[^,\[\]]*)(?:,None)+\]"), r"\1]"),
    (expression(r"\b(?:List|Dict|Set|FrozenSet|Tuple|Type)\b"), lambda match: match[0].lower()),
    (expression(r"\bArray<([\w.]+)>"), r"\1[]"),
)
_OPTIONAL = expression(r"Optional\[(.*)\]")
_UNION = expression(r"Union\[(.*)\]")


def gives_the_same(was: str, now: str) -> bool:
    """The same in other words, or less than before: a caller that reckons with more is none the worse for it."""
    return set(_parts(now)) <= set(_parts(was))


def _parts(text: str) -> list[str]:
    for pattern, instead in _SAME:
        text = pattern.sub(instead, text)
    if optional := _OPTIONAL.fullmatch(text):
        return [*_parts(optional[1]), "None"]
    if union := _UNION.fullmatch(text):
        return _split(union[1], ",")
    return _split(text, "|")


def _split(text: str, mark: str) -> list[str]:
    """At the marks that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[({<") - (letter in "])}>")
        if letter == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
