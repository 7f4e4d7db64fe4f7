"""Can a value be anything? Not a constant, one of a few, a number, a date, or what a test has let through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.call_arguments import arguments_of_all_calls
from vetgate.checks.security.scope import PARAM
from vetgate.expression import expression

if TYPE_CHECKING:
    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher

_DEEPEST = 10
_CONSTANT_NAME = expression(r"[A-Z][A-Z0-9_]*")
_PLAIN_RESULTS = frozenset(
    """
    int float bool len Number parseInt parseFloat BigInt UUID uuid4 randomUUID hexdigest toISOString
    isoformat strftime toFixed getTime now today replace replaceAll escape quote hash format_date
    """.split()
)


def is_open(matcher: Matcher, part: Expression, flow: Flow, depth: int = 0) -> bool:
    """Nobody can tell which of many values this is."""
    if depth > _DEEPEST or flow.cleans(part) or _is_settled(matcher, part, flow):
        return False
    if part.kind == ex.CALL:
        return matcher.module.lower(part.items[0]).name not in _PLAIN_RESULTS
    if part.kind in {ex.EITHER, ex.PASS}:
        return any(is_open(matcher, matcher.module.lower(item), flow, depth + 1) for item in part.items)
    if part.kind == ex.INDEX and len(part.items) == 1:
        return _of_unknown_list(matcher, part)
    if part.kind == ex.NAME:
        values = matcher.module.reaching(part.name, part.node)
        return not values or any(is_open(matcher, value, flow, depth + 1) for value in values if value is not part)
    if part.kind == PARAM:
        return not matcher.frameworks.is_narrow(part) and _is_open_parameter(matcher, part, flow, depth)
    return part.kind not in {ex.LITERAL, ex.OTHER}


def _is_settled(matcher: Matcher, part: Expression, flow: Flow) -> bool:
    """Called like a constant or a number, or let through by a test."""
    if part.kind not in {ex.NAME, ex.ATTR}:
        return False
    if part.kind == ex.ATTR and matcher.frameworks.is_number(part.name):
        return True
    return _CONSTANT_NAME.fullmatch(part.name) is not None or flow.admits(part)


def _is_open_parameter(matcher: Matcher, parameter: Expression, flow: Flow, depth: int) -> bool:
    """What a method for our own use is handed is what its callers say, when all of them are here."""
    given = [matcher.module.lower(item) for item in arguments_of_all_calls(matcher.module, parameter)]
    return not given or any(is_open(matcher, item, flow, depth + 1) for item in given)


def _of_unknown_list(matcher: Matcher, part: Expression) -> bool:
    """An element of a list that is not written out."""
    known = matcher.constant(part.items[0])
    return not isinstance(known, list) or not all(isinstance(each, str | int) for each in known)
