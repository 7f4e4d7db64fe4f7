"""What a call has to pass, and what two signatures of one function differ in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from vetgate.expression import expression
from vetgate.index.facts import HASH, KEYWORD, KEYWORDS, PLAIN, POSITIONAL, REST, CallSite, Definition, Parameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

REQUIRED, REMOVED, DEFAULT, REORDERED = "required-parameter", "removed-parameter", "default-removed", "reordered"
ARITY, UNKNOWN = "wrong-arity", "unknown-keyword"
_BY_PLACE, _BY_NAME = "by place", "by name"
_MORE = {REST: "no longer takes any number of arguments", KEYWORDS: "no longer takes arguments of any name"}


class Misfit(NamedTuple):
    """Why a call fails, or what callers may trip over."""

    rule: str
    text: str


def misfit(call: CallSite, parameters: tuple[Parameter, ...]) -> Misfit | None:
    """Why the call would fail; None where it fits, or nobody can tell."""
    if HASH in parameters and call.keywords:
        call = replace(call, positional=call.positional + 1, keywords=())
    return (
        _unknown(call, parameters)
        or _twice(call, parameters)
        or (None if call.is_open else _too_many(call, parameters) or _missing(call, parameters))
    )


def is_taken(call: CallSite, by: Iterable[Definition]) -> bool:
    """Whether the call would fit one of these, or nobody can tell."""
    return any(each.parameters is None or misfit(call, each.parameters) is None for each in by)


def _unknown(call: CallSite, parameters: tuple[Parameter, ...]) -> Misfit | None:
    if any(each.kind == KEYWORDS for each in parameters):
        return None
    known = {each.name for each in parameters if each.kind in {PLAIN, KEYWORD}}
    wrong = [name for name in call.keywords if name not in known]
    return Misfit(UNKNOWN, f"it takes no `{wrong[0]}`") if wrong else None


def _twice(call: CallSite, parameters: tuple[Parameter, ...]) -> Misfit | None:
    placed = [each for each in parameters if each.kind in {PLAIN, POSITIONAL}][: call.positional]
    again = [each.name for each in placed if each.kind == PLAIN and each.name in call.keywords]
    return Misfit(ARITY, f"it gets `{again[0]}` twice") if again else None


def _too_many(call: CallSite, parameters: tuple[Parameter, ...]) -> Misfit | None:
    if any(each.kind == REST for each in parameters):
        return None
    most = sum(each.kind in {PLAIN, POSITIONAL} for each in parameters)
    return Misfit(ARITY, f"it takes {_counted(most)}, not {call.positional}") if call.positional > most else None


def _missing(call: CallSite, parameters: tuple[Parameter, ...]) -> Misfit | None:
    placed = [each for each in parameters if each.kind in {PLAIN, POSITIONAL}]
    behind = [*placed[call.positional :], *(each for each in parameters if each.kind == KEYWORD)]
    lacks = [each.name for each in behind if not each.optional and each.name not in call.keywords]
    if not lacks:
        return None
    named = ", ".join(f"`{name}`" if name else "an argument" for name in lacks)
    return Misfit(ARITY, f"{named} {'is' if len(lacks) == 1 else 'are'} missing")


def _counted(number: int) -> str:
    return "no arguments" if number == 0 else "1 argument" if number == 1 else f"at most {number} arguments"


def differences(before: Definition, after: Definition) -> Iterator[Misfit]:
    """What callers of the one may trip over in the other, the surest first."""
    was, now = _named(before), _named(after)
    for name, each in now.items():
        if name not in was and not each.optional:
            yield Misfit(REQUIRED, f"now needs `{name}`")
        elif name in was and was[name].optional and not each.optional:
            yield Misfit(DEFAULT, f"no longer has a default for `{name}`")
    for name, each in was.items():
        if name not in now:
            yield Misfit(REMOVED, f"no longer takes `{name}`")
        elif lost := _ways(each) - _ways(now[name]):
            yield Misfit(REMOVED, f"no longer takes `{name}` {lost.pop()}")
    ended = (text for kind, text in _MORE.items() if _has(before, kind) and not _has(after, kind))
    yield from (Misfit(REMOVED, text) for text in ended)
    stayed = [name for name in was if name in now and was[name].kind != KEYWORD]
    if stayed != [name for name in now if name in stayed]:
        yield Misfit(REORDERED, f"takes {', '.join(f'`{name}`' for name in now)} in another order")


def _has(definition: Definition, kind: str) -> bool:
    return any(each.kind == kind for each in definition.parameters or ())


def _ways(parameter: Parameter) -> set[str]:
    ways = {PLAIN: {_BY_PLACE, _BY_NAME}, POSITIONAL: {_BY_PLACE}, KEYWORD: {_BY_NAME}}
    return ways[parameter.kind]


def moved_from(before: Definition, after: Definition) -> int:
    """The first place at which another parameter stands than before."""
    pairs = zip(_named(before), _named(after), strict=False)
    return next((site for site, (was, now) in enumerate(pairs) if was != now), 0)


def _named(definition: Definition) -> dict[str, Parameter]:
    listed = (each for each in definition.parameters or () if each.kind not in {REST, KEYWORDS})
    return {each.name or f"argument {site + 1}": each for site, each in enumerate(listed)}


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


def returns_the_same(was: str, now: str) -> bool:
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
