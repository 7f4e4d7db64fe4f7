"""Questions about addresses and file names that are only partly known: where they lead, and who can foresee them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.frameworks import REMOTE
from vetgate.checks.security.taint import PARAMETER
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher

    Parts = list[str | Expression]
    Asked = Callable[[Matcher, Parts, Flow], bool]

_HOST_FIXED = expression(r"^(?:[a-z][a-z0-9+.-]*:)?//[^/?#\s]+[/?#]", re.IGNORECASE)
_OWN = expression(
    r"^(?:window\.|document\.|self\.)?location\.(?:href|pathname|origin)(?:\.(?:replace|toString|concat|trim)\(\))*$"
)
_SPRING = "redirect:"  # before the address that a view sends people to
_JOINS = frozenset({"URL", "urljoin"})
_PATH_JOINS = frozenset({"join", "joinpath", "Path", "resolve", "PurePath", "Join", "Combine"})
_CLEARTEXT = expression(
    r"^(?:http|ws|ftp|ldap|mqtt|amqp|redis|stomp|nats)://"
    r"(?:[^/@\s]*@)?([\w.-]+\.[a-z]{2,}|\d+\.\d+\.\d+\.\d+)(?=[:/?#]|$)",
    re.IGNORECASE,
)
_NEAR = expression(
    r"^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|169\.254\.)"
    r"|(?:^|\.)(?:localhost|local|internal|lan|home|svc|test|invalid|localdomain|intranet|cluster)$",
    re.IGNORECASE,
)
_NO_ENCRYPTION = expression(
    r"[?&;\s](?:ssl-?mode=(?:disabled?|allow)|(?:ssl|tls|useSSL|encrypt)=(?:false|0|no))\b", re.IGNORECASE
)
_DATABASE_HOST = expression(r"(?:@|://|\b(?:host|server)=)(?![^/@\s]*@)([\w-]+(?:\.[\w-]+)+)", re.IGNORECASE)
_TEMPORARY_DEPTH = 2  # /tmp/name; a folder below it may be private
_TEMPORARY = expression(r"^(?:/var)?/tmp/|^/dev/shm/")
_TEMPORARY_FOLDERS = frozenset(
    {"os.tmpdir()", "tempfile.gettempdir()", "os.tmpdir", "tmpdir()", "os.TempDir()", "Path.GetTempPath()"}
)
_RANDOM = expression(
    r"uuid|random|token|secret|nanoid|mkdtemp|mkstemp|urandom|digest|cuid|ulid|getrandbits", re.IGNORECASE
)


def open_host(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """What was sent decides which host is asked: it stands before the first slash behind the host."""
    known = ""
    for part in parts:
        if isinstance(part, str):
            known = (known + part).removeprefix(_SPRING)
            if _HOST_FIXED.match(known) or (known.startswith("/") and not known.startswith("//")):
                return False
        elif _leads_elsewhere(matcher, part, flow):
            return True
        else:
            known += "\0"
            if not known.strip("\0"):
                return False  # a base that we do not know, but that nobody sent, comes first
    return False


def is_own(path: str) -> bool:
    """The address of this very page, which is no script."""
    return _OWN.match(path) is not None


def _leads_elsewhere(matcher: Matcher, part: Expression, flow: Flow) -> bool:
    held = _resolved(matcher, part)
    if held.kind == ex.DICT or is_own(matcher.paths.of(part)) or _fills_template(matcher, held, flow):
        return False
    if held.kind == ex.CALL and matcher.module.lower(held.items[0]).name in _JOINS and len(held.items) == 3:
        # Only what is joined to the base can lead away from it.
        joined = held.items[2 if matcher.module.lower(held.items[0]).name == "urljoin" else 1]
        return open_host(matcher, matcher.parts(joined), flow)
    taint = flow.taint(part)
    return taint is not None and taint.kind != PARAMETER  # a base that was passed is nobody's input


def _fills_template(matcher: Matcher, call: Expression, flow: Flow) -> bool:
    """`self.address.format(name)`: the template, which is ours, says which host it is."""
    callee = matcher.module.lower(call.items[0]) if call.kind == ex.CALL else None
    if callee is None or callee.kind != ex.ATTR or callee.name != "format":
        return False
    template = flow.taint(callee.items[0])
    return template is None or template.kind != REMOTE


def _resolved(matcher: Matcher, part: Expression) -> Expression:
    for _ in range(6):
        if part.kind == ex.PASS:
            part = matcher.module.lower(part.items[0])
        elif part.kind == ex.NAME and len(values := matcher.module.reaching(part.name, part.node)) == 1:
            part = values[0]
        else:
            break
    return part


def cleartext(_matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """An address without encryption, of a host that is not this machine or a private one."""
    known = parts[0] if parts and isinstance(parts[0], str) else ""
    found = _CLEARTEXT.match(known)
    return found is not None and not _NEAR.search(found[1]) and (len(parts) == 1 or found.end() < len(known))


def unencrypted_database(_matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """The address of a database on another machine that says not to encrypt."""
    known = "".join(part if isinstance(part, str) else "\0" for part in parts)
    host = _DATABASE_HOST.search(known)
    return _NO_ENCRYPTION.search(known) is not None and host is not None and not _NEAR.search(host[1])


def predictable_temporary(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A file right in the folder for temporary files, with a name that others can work out beforehand."""
    pieces = [piece for part in parts for piece in _pieces(matcher, part)]
    if len(pieces) == 1 and isinstance(pieces[0], str) and pieces[0].rstrip("/").count("/") != _TEMPORARY_DEPTH:
        return False
    first = pieces[0] if pieces else ""
    if isinstance(first, str):
        begins = _TEMPORARY.match(first if len(pieces) == 1 else f"{first}/") is not None
    else:
        begins = matcher.paths.of(first) in _TEMPORARY_FOLDERS and len(pieces) > 1
    return begins and not any(_RANDOM.search(text) for text in _texts(matcher, pieces[1:]))


def _pieces(matcher: Matcher, part: str | Expression, depth: int = 0) -> Iterator[str | Expression]:
    """The arguments of `join(a, b)` as if they were written one after the other."""
    held = part if isinstance(part, str) else _resolved(matcher, part)
    if not isinstance(held, str) and held.kind == ex.CALL and depth < 4:
        callee = matcher.module.lower(held.items[0])
        if callee.name in _PATH_JOINS:
            yield from _joined(matcher, callee, held.items[1:], depth)
            return
    yield held


def _joined(
    matcher: Matcher, callee: Expression, given: tuple[Node | Expression, ...], depth: int
) -> Iterator[str | Expression]:
    if callee.name == "joinpath" and callee.kind == ex.ATTR:
        given = (callee.items[0], *given)
    for argument in given:
        for each in matcher.parts(argument):
            yield from _pieces(matcher, each, depth + 1)


def _texts(matcher: Matcher, pieces: Parts) -> Iterator[str]:
    for piece in pieces:
        if not isinstance(piece, str):
            yield matcher.module.language.text(piece.node)
            yield matcher.paths.of(piece)


ADDRESSES: dict[str, Asked] = {
    "open-host": open_host,
    "cleartext": cleartext,
    "unencrypted-database": unencrypted_database,
    "predictable-temporary": predictable_temporary,
}
