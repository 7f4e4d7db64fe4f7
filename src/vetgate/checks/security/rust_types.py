"""Paths of types of Rust: whatever extracts something from a request goes by one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security.facts_rust import EXTRACTOR, NARROW, SENT, WEB
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Mapping

_REFERENCE = expression(r"^(?:&(?:'\w+\s+)?(?:mut\s+)?)+")
_REQUESTS = frozenset({"HttpRequest", "Request", "ServiceRequest"})


def path_of(kind: str, imports: Mapping[str, str]) -> str:
    bare = _REFERENCE.sub("", kind)
    if EXTRACTOR.match(bare) and any(path.partition(".")[0] in WEB for path in (dotted(bare), *imports.values())):
        return "" if NARROW.match(bare) else SENT
    first, _, rest = dotted(bare).partition("<")[0].partition(".")
    whole = imports.get(first, first) + (f".{rest}" if rest else "")
    return "Request" if whole.rpartition(".")[2] in _REQUESTS else whole


def dotted(path: str) -> str:
    return "".join(path.split()).replace("::", ".")
