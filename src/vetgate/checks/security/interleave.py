"""A format and what is put into it, in the order of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from tree_sitter import Node

    Item = Node | Expression


def interleaved(
    node: Node, template: str, places: re.Pattern[str], chosen: Callable[[re.Match[str]], Item | None]
) -> tuple[Item, ...]:
    """`chosen` says what stands at a place of the template, None for nothing."""
    parts: list[Item] = []
    end = 0
    for match in places.finditer(template):
        parts.append(Expression(ex.LITERAL, node, value=template[end : match.start()]))
        value = chosen(match)
        if value is not None:
            parts.append(value)
        end = match.end()
    parts.append(Expression(ex.LITERAL, node, value=template[end:]))
    return tuple(parts)
