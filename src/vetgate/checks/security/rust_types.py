"""Paths of types of Rust: whatever extracts something from a request goes by one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security.facts_rust import EXTRACTOR, NARROW, SENT, WEB
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Mapping

_REFERENCE = expression(r"^(?:&(?:'\w+\s+)?(?:mut\s+)?)+")
_REQUESTS = frozenset({"HttpRequest", "Request", "ServiceRequest"})
_AROUND = expression(r"^(?:\w+::)*(?:Data|State|Extension|ReqData|Arc|Rc|Box)<(.+)>$")  # hands its methods on
_DEEPEST = 4


def path_of(kind: str, imports: Mapping[str, str]) -> str:
    bare = _unaliased(_inner(kind), imports)
    if EXTRACTOR.match(bare) and any(path.partition(".")[0] in WEB for path in (dotted(bare), *imports.values())):
        return "" if NARROW.match(bare) else SENT
    first, _, rest = dotted(bare).partition("<")[0].partition(".")
    whole = imports.get(first, first) + (f".{rest}" if rest else "")
    return "Request" if whole.rpartition(".")[2] in _REQUESTS else whole


def _unaliased(kind: str, imports: Mapping[str, str]) -> str:
    """`use axum::extract::Path as UrlPath`: the name that the crate gave it."""
    name = kind.partition("<")[0]
    own = imports.get(name, name).rpartition(".")[2]
    return f"{own}{kind[len(name) :]}" if own != name else kind


def _inner(kind: str) -> str:
    """`web::Data<Client>` and `&State<Arc<Client>>` are a `Client` to whoever calls it."""
    bare = _REFERENCE.sub("", kind)
    for _ in range(_DEEPEST):
        around = _AROUND.match(bare)
        if around is None:
            break
        bare = _REFERENCE.sub("", around[1])
    return bare


def dotted(path: str) -> str:
    return "".join(path.split()).replace("::", ".")
