"""What ends up as text in a log: not objects, which are quoted; and which files are logs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.qualified_names import matches
from vetgate.checks.security.records import held, is_whole
from vetgate.checks.security.values import resolve_value
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher

    Parts = list[str | Expression]
    Asked = Callable[[Matcher, Parts, Flow], bool]

_OPENS = ("open", "io.open", "codecs.open", "*.open", "fs.createWriteStream", "*.createWriteStream")
_PLAIN = expression(r"\b(?:simple|printf|cli|prettyPrint)\(")
_OBJECTS = expression(r"@(?:req|ctx|request)(?:\.(?:req|request))?\.(?:body|query|params|headers|cookies|files)")
_LOG = expression(r"\blog|log\b|audit|journal|access|trace", re.IGNORECASE)


def line(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """A text, put together or sent as it is."""
    if len(parts) != 1:
        return bool(parts)
    part = parts[0]
    if isinstance(part, str) or held(matcher, part) is not None:
        return False
    if part.kind in {ex.DICT, ex.LIST, ex.FUNCTION} or _OBJECTS.fullmatch(matcher.paths.of(part)):
        return False
    return not is_whole(matcher, part, flow)


def log_file(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A file that was opened under the name of a log."""
    part = parts[0] if len(parts) == 1 else ""
    opened = None if isinstance(part, str) else resolve_value(matcher.module, part)
    if opened is None or opened.kind != ex.CALL or len(opened.items) < 2:
        return False
    name = matcher.parts(opened.items[1])
    known = "".join(each for each in name if isinstance(each, str))
    if matches(matcher.paths.of(opened.items[0]), _OPENS):
        callee = matcher.module.lower(opened.items[0])
        known += matcher.module.language.text(callee.node)
        return _LOG.search(known) is not None
    return False


def plain_logger(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A logger that was made to write plain lines, not JSON."""
    part = parts[0] if len(parts) == 1 else ""
    made = None if isinstance(part, str) else resolve_value(matcher.module, part)
    return made is not None and _PLAIN.search(matcher.module.language.text(made.node)) is not None


LINES: dict[str, Asked] = {"line": line, "log-file": log_file, "plain-logger": plain_logger}
