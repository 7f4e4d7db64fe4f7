"""How a method is called: on an object, or by the name of its class; and which arguments it then gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.index.facts import MAKERS, STATIC
from vetgate.index.language_resolver import resolver_for
from vetgate.index.resolve import SCRIPTS, called_on
from vetgate.index.return_types import RESULT
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from vetgate.index.facts import CallSite, Definition, Facts
    from vetgate.index.view import View

_NEVER_BOUND, _BY_CLASS = "__new__", "cls."


def is_called_on_object(view: View, path: str, facts: Facts | None, call: CallSite) -> bool:
    """Whether it is known what a method is called on; what a call gives may be anything, if nobody says."""
    on = called_on(view, path, facts, call) if resolver_for(path) is None and facts is not None else None
    if language_of(path) == "go":
        return on is not None
    return on is not None and (not on.receiver.kind.endswith(RESULT) or on.klass(view) is not None)


def is_called_by_class(view: View, path: str, call: CallSite, member: Definition) -> bool:
    """Whether a method, or a constructor, is called by the name of its class."""
    is_maker = member.kind == "class" and call.callee.endswith(f".{MAKERS[0]}")
    if resolver_for(path) is not None or language_of(path) == "go" or not (is_maker or member.kind == "method"):
        return False
    facts = view.facts(path)
    return facts is not None and called_on(view, path, facts, call) is None


def passed_arguments(view: View, path: str, call: CallSite, member: Definition) -> CallSite | None:
    """What a call gives a method: by the name of a class the object comes first. None where there is no such method."""
    if not _is_unbound(view, path, call, member):
        return call
    if language_of(path) in SCRIPTS or (not call.positional and not call.is_open):
        return None
    return replace(call, positional=max(0, call.positional - 1))


def _is_unbound(view: View, path: str, call: CallSite, member: Definition) -> bool:
    if language_of(path) == "go":
        return False
    if member.kind == "method" and member.name == _NEVER_BOUND:
        return True
    if member.kind == "method" and call.callee.startswith(_BY_CLASS):
        return not member.word
    return is_called_by_class(view, path, call, member) and member.word != STATIC
