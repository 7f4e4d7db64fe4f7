"""Questions about a text that is only partly known: is it SQL, is the host of the address fixed?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher

    Parts = list[str | Expression]
    Asked = Callable[[Matcher, Parts, Flow], bool]

_SQL = re.compile(
    r"^\s*(?:\(?\s*select\b.*?\bfrom\b|insert\s+(?:or\s+\w+\s+)?into\b|update\b.*?\bset\b|delete\s+from\b|replace\s+into\b|drop\s+\w+"
    r"|create\s+(?:table|user|database)|alter\s+\w+|with\b.*?\bselect\b|exec(?:ute)?\s|call\s|merge\s+into|truncate\s|grant\s|where\b|and\b|or\b)",
    re.IGNORECASE | re.DOTALL,
)
_HOST_FIXED = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//[^/?#\s]+[/?#]", re.IGNORECASE)


def sql(_matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """Reads like SQL, with something put into it that is not constant."""
    known = " ".join(part for part in parts if isinstance(part, str))
    return len(parts) > 1 and any(not isinstance(part, str) for part in parts) and bool(_SQL.match(known))


def quoted_sql(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """SQL in which a value that is not constant stands between quotes: never right, wherever it comes from."""
    if not sql(matcher, parts, flow):
        return False
    for before, part, after in zip(parts, parts[1:], [*parts[2:], ""], strict=False):
        if isinstance(part, str) or not isinstance(before, str) or not isinstance(after, str):
            continue
        quote = before.rstrip("%")[-1:]
        if quote in {"'", '"'} and after.lstrip("%")[:1] == quote:
            return True
    return False


def open_host(_matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """What was sent decides which host is asked: it stands before the first slash behind the host."""
    known = ""
    for part in parts:
        if isinstance(part, str):
            known += part
            if _HOST_FIXED.match(known) or (known.startswith("/") and not known.startswith("//")):
                return False
        elif flow.taint(part) is not None:
            return True
        else:
            known += "\0"
            if not known.strip("\0"):
                return False  # a base that we do not know, but that nobody sent, comes first
    return False


def composed(_matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """Put together from pieces, at least one of which is not constant."""
    return len(parts) > 1 and any(not isinstance(part, str) for part in parts)


TEXTS: dict[str, Asked] = {"sql": sql, "quoted-sql": quoted_sql, "open-host": open_host, "composed": composed}
