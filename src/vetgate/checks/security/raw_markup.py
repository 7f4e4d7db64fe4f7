"""Templates written in the code that put a value in without escaping it: `{{ name | safe }}`, `<%- name %>`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.frameworks import REMOTE
from vetgate.checks.security.options import option
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher

    Asked = Callable[[Matcher, list[str | Expression], Flow], bool]

_RAW = expression(
    r"\{\{-?\s*(?:locals\.)?([A-Za-z_]\w*)[\w.\[\]'\"]*\s*\|[^}]*?\bsafe\b"  # Jinja, Nunjucks
    r"|\{\{\{\s*([A-Za-z_]\w*)|\{\{&\s*([A-Za-z_]\w*)"  # Mustache, Handlebars
    r"|<%-\s*(?:locals\.)?([A-Za-z_]\w*)"  # EJS
    r"|!\{\s*([A-Za-z_]\w*)|^\s*[\w.#-]*!=\s*([A-Za-z_]\w*)",  # Pug
    re.MULTILINE,
)
_V_HTML = expression(r"\bv-html=[\"']([A-Za-z_]\w*)")


def raw_in_template(matcher: Matcher, parts: list[str | Expression], flow: Flow) -> bool:
    """A call that renders a constant template with something sent in a place that is not escaped."""
    call = next((part for part in parts if not isinstance(part, str)), None)
    if call is None or call.kind != ex.CALL:
        return False
    template, given = _rendered(matcher, call)
    names = {name for found in _RAW.finditer(template) for name in found.groups() if name}
    return _any_sent(flow, (value for name in names for value in _values(matcher, call, given, name)))


def raw_in_component(matcher: Matcher, parts: list[str | Expression], flow: Flow) -> bool:
    """`createApp({ template: '<p v-html="name">', setup() { … return { name } } })` with a name that was sent."""
    call = next((part for part in parts if not isinstance(part, str)), None)
    given = call.items[1:] if call is not None and call.kind == ex.CALL else ()
    template = option(matcher.module, "template", given)
    text = matcher.constant(template) if template is not None else None
    names = _V_HTML.findall(text) if isinstance(text, str) else []
    return _any_sent(flow, (value for name in names for value in _given_to_template(matcher, given, name)))


def _given_to_template(
    matcher: Matcher, given: tuple[Node | Expression, ...], name: str
) -> Iterator[Node | Expression]:
    """What `setup` or `data` of a component gives to its template under this name."""
    makers = (option(matcher.module, maker, given) for maker in ("setup", "data"))
    functions = (matcher.module.lower(maker) for maker in makers if maker is not None)
    for function in functions:
        returns = matcher.module.scope(function.node).returns if function.kind == ex.FUNCTION else []
        values = (option(matcher.module, name, (returned,)) for returned in returns)
        yield from (value for value in values if value is not None)


def _any_sent(flow: Flow, values: Iterable[Node | Expression]) -> bool:
    taints = (flow.taint(value) for value in values)
    return any(taint is not None and taint.kind == REMOTE for taint in taints)


def _rendered(matcher: Matcher, call: Expression) -> tuple[str, tuple[Node | Expression, ...]]:
    """The template and what it is filled with: `render(template, values)`, `compile(template)(values)`."""
    callee = matcher.module.lower(call.items[0])
    compiled = callee
    for _ in range(3):
        if compiled.kind == ex.ATTR:
            compiled = matcher.module.lower(compiled.items[0])
        elif compiled.kind == ex.NAME:
            values = matcher.module.reaching(compiled.name, compiled.node)
            compiled = matcher.module.lower(values[0]) if len(values) == 1 else compiled
        if compiled.kind == ex.PASS:
            compiled = matcher.module.lower(compiled.items[0])
    for each, given in ((call, call.items[2:]), (compiled, call.items[1:])):
        text = matcher.constant(each.items[1]) if each.kind == ex.CALL and len(each.items) > 1 else None
        if isinstance(text, str):
            return text, given
    return "", ()


def _values(
    matcher: Matcher, call: Expression, given: tuple[Node | Expression, ...], name: str
) -> Iterator[Node | Expression]:
    yield from (item for item, key in zip(call.items[1:], call.keys, strict=False) if key == name)
    found = option(matcher.module, name, given)
    if found is not None:
        yield found


RAW_MARKUP: dict[str, Asked] = {"raw-in-template": raw_in_template, "raw-in-component": raw_in_component}
