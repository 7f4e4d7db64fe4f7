"""How a method is reached: on an object, or by the name of its class; and what a call hands over to it then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.index.members import receiver_of
from vetgate.index.place import MAKERS, STATIC
from vetgate.index.resolve import SCRIPTS
from vetgate.index.tongue import tongue
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from vetgate.index.facts import Call, Definition, Facts

_NEVER_BOUND, _BY_CLASS = "__new__", "cls."


def is_of_object(path: str, facts: Facts | None, call: Call) -> bool:
    return tongue(path) is None and facts is not None and receiver_of(facts, call) is not None


def is_by_class(path: str, facts: Facts, call: Call, member: Definition) -> bool:
    """Whether a method, or a constructor, is called by the name of its class."""
    is_maker = member.kind == "class" and call.callee.endswith(f".{MAKERS[0]}")
    is_member = is_maker or member.kind == "method"
    return is_member and tongue(path) is None and receiver_of(facts, call) is None and language_of(path) != "go"


def handed_over(path: str, facts: Facts, call: Call, member: Definition) -> Call | None:
    """What a call gives a method: by the name of a class the object comes first. None where there is no such method."""
    if not _is_unbound(path, facts, call, member):
        return call
    if language_of(path) in SCRIPTS or (not call.positional and not call.is_open):
        return None
    return replace(call, positional=max(0, call.positional - 1))


def _is_unbound(path: str, facts: Facts, call: Call, member: Definition) -> bool:
    if language_of(path) == "go":
        return False
    if member.kind == "method" and member.name == _NEVER_BOUND:
        return True
    if member.kind == "method" and call.callee.startswith(_BY_CLASS):
        return not member.word
    return is_by_class(path, facts, call, member) and member.word != STATIC
