"""Objects that somebody sent, where values were expected: filters made of them, records filled from them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.scope import PARAM
from vetgate.checks.security.taint import COMPOSED
from vetgate.checks.security.values import function_called, resolve_value, set_later
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher

    Parts = list[str | Expression]
    Asked = Callable[[Matcher, Parts, Flow], bool]

_WHOLE = expression(
    r"@(?:req|ctx|event)(?:\.(?:request|req))?\.(?:body|query|json\(\))|(?:flask|quart)\.request\.(?:json|get_json\(\)|form|args|values)"
    r"(?:\.to_dict\(\))?|(?:@request|self\.request)\.(?:data|POST|GET|json|json\(\)|form\(\)|post\(\)|query_params)(?:\.dict\(\))?"
    r"|json\.loads\(\)|tornado\.escape\.json_decode\(\)|@body"
)
_PARSED = expression(
    r"@(?:req|ctx)(?:\.(?:request|req))?\.(?:body|query|json\(\)|rawBody)(?:$|[.\[])|@body(?:$|[.\[])"
    r"|(?:flask|quart)\.request\.(?:json|get_json\(\))|@request\.(?:data|json|json\(\))(?:$|[.\[])"
    r"|(?:bson\.json_util|json)\.loads\(\)|tornado\.escape\.json_decode\(\)|JSON\.parse\(\)"
    r"|\$_(?:GET|POST|REQUEST|COOKIE)(?:$|[.\[])|json_decode\(\)|params(?:$|[.\[])"
    r"|(?:.*\.)?[Rr]equest\(\)\.(?:input|get|query|post|json|all|getParsedBody|toArray)\(\)"
    r"|.*\.(?:Decode|Unmarshal|UnmarshalExtJSON|BindJSON|ShouldBindJSON|ShouldBind|Bind|BodyParser)\(\)(?=$|\.[a-z_]|\[)"
)
_ACCOUNT = expression(r"user|account|profile|member|admin|customer|person", re.IGNORECASE)
_LITERAL_OPERATOR = expression(
    r"\$(?!or$|and$|nor$|not$|elemMatch$|match$)"
)  # they compare with what they are given, as it is
_ORM_KEYS = frozenset({"where", "data", "include"})
_COPIES = frozenset({"dict", "deepcopy", "structuredClone"})
_BOUND = expression(r"\bBind\(")  # the fields that may be filled are named
_LISTED = expression(r"set(?:Disa|A)llowedFields|BindNever|JsonIgnore|JsonProperty\(access|READ_ONLY|JsonView")
_MOST_VALUES = 60
_MOST_STEPS = 6


def held(matcher: Matcher, part: Expression) -> Expression | None:
    """The object or list that a name certainly stands for."""
    for _ in range(_MOST_STEPS):
        if part.kind == ex.PASS:
            part = matcher.module.lower(part.items[0])
        elif part.kind == ex.NAME and len(values := matcher.module.reaching(part.name, part.node)) == 1:
            part = values[0]
        else:
            break
    return part if part.kind in {ex.DICT, ex.LIST} else None


def open_filter(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """A filter, or a value in it, that may be an object because it comes out of parsed JSON or a nested query."""
    flow = matcher.flow_under(replace(flow.trust, sanitizers=(*flow.trust.sanitizers, COMPOSED)))
    pending = [part for part in parts if not isinstance(part, str)]
    for _ in range(_MOST_VALUES):
        if not pending:
            break
        part = pending.pop()
        if part.kind == ex.DICT and _ORM_KEYS.intersection(key for key in part.keys if key):
            return False
        if part.kind not in {ex.DICT, ex.LIST} and _is_parsed(matcher, part, flow):
            return True
        pending.extend(_within(matcher, part, flow))
    return False


def _is_parsed(matcher: Matcher, part: Expression, flow: Flow) -> bool:
    taint = flow.taint(part)
    return taint is not None and any(_PARSED.match(path) for path in (matcher.paths.of(part), taint.path))


def _within(matcher: Matcher, part: Expression, flow: Flow) -> list[Expression]:
    """The values of a filter; a function of the file puts what it is handed into the filter that it gives back."""
    lower = matcher.module.lower
    if part.kind == ex.DICT:
        given = zip(part.items, part.keys, strict=True)
        return [lower(item) for item, key in given if key is None or not _LITERAL_OPERATOR.match(key)]
    if part.kind == ex.LIST:
        return [lower(item) for item in part.items]
    if part.kind == ex.CALL:
        followed = function_called(matcher.module, lower(part.items[0])) is not None and flow.taint(part) is not None
        return [lower(item) for item in part.items[1:]] if followed else []
    found = held(matcher, part) if part.kind in {ex.NAME, ex.PASS} else None
    if found is None:
        return []
    return [found, *set_later(matcher.module, part)] if part.kind == ex.NAME else [found]


def whole_body(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """Everything that was sent, as it is or spread into an object."""
    part = parts[0] if len(parts) == 1 else ""
    if isinstance(part, str):
        return False
    found = held(matcher, part)
    if found is None or found.kind != ex.DICT:
        return is_whole(matcher, part, flow)
    given = [item for item, key in zip(found.items, found.keys, strict=True) if key in {"*", "$set"}]
    return any(is_whole(matcher, item, flow) for item in given)


def spread_body(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """A call with `**` of everything that was sent."""
    call = parts[0] if len(parts) == 1 else ""
    if isinstance(call, str) or call.kind != ex.CALL:
        return False
    spread = [item for item, key in zip(call.items[1:], call.keys, strict=False) if key == "*"]
    return any(is_whole(matcher, item, flow) and flow.taint(item) is not None for item in spread)


def is_whole(matcher: Matcher, item: Node | Expression, flow: Flow, depth: int = 0) -> bool:
    if _WHOLE.fullmatch(matcher.paths.of(item)):
        return True
    expression = matcher.module.lower(item)
    while expression.kind == ex.PASS:
        expression = matcher.module.lower(expression.items[0])
    values = matcher.module.reaching(expression.name, expression.node) if expression.kind == ex.NAME else []
    # A parameter is everything when a caller passes everything.
    taint = flow.taint(expression) if [value.kind for value in values] == [PARAM] else None
    if taint is not None and _WHOLE.fullmatch(taint.path) is not None:
        return True
    return depth < _MOST_STEPS and any(
        is_whole(matcher, each, flow, depth + 1) for each in _copied(matcher, expression)
    )


def _copied(matcher: Matcher, expression: Expression) -> list[Node | Expression]:
    """What an object is a copy of, or has spread into it: `dict(data)`, `{**data}`, `{ ...body }`."""
    if expression.kind == ex.NAME:
        found = held(matcher, expression)
        made = resolve_value(matcher.module, expression) if found is None else found
        return [made] if made is not None and made.kind in {ex.DICT, ex.CALL} else []
    if expression.kind == ex.DICT:
        return [item for item, key in zip(expression.items, expression.keys, strict=True) if key == "*"]
    if expression.kind != ex.CALL or matcher.module.lower(expression.items[0]).name not in _COPIES:
        return []
    return [item for item, key in zip(expression.items[1:], expression.keys, strict=False) if key in {None, "*"}][:1]


def account(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """Called like a record of a person."""
    part = parts[0] if len(parts) == 1 else ""
    return not isinstance(part, str) and _ACCOUNT.search(matcher.module.language.text(part.node)[:40]) is not None


def bound_record(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A parameter that is filled from the request, of a type that the file keeps in a database."""
    part = parts[0] if len(parts) == 1 else ""
    found = None if isinstance(part, str) else resolve_value(matcher.module, part)
    if found is None or found.kind != PARAM:
        return False
    given = [each for each in matcher.module.language.parameters(found.value) if each[0].id == found.node.id]
    if not given or _BOUND.search(given[0][2]):
        return False
    kind = re.escape(given[0][1])
    kept = rf"@(?:Entity|Document)\b[^;{{]*\bclass {kind}\b|DbSet<{kind}>"
    return matcher.module.about_text(
        f"keeps {kind}", lambda text: _LISTED.search(text) is None and re.search(kept, text) is not None
    )


RECORDS: dict[str, Asked] = {
    "bound-record": bound_record,
    "open-filter": open_filter,
    "whole-body": whole_body,
    "spread-body": spread_body,
    "account": account,
}
