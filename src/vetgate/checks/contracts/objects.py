"""Methods of which the class is known, by what they are called on: whether it may be another method after all."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.checks.contracts.broken import MOST_SITES
from vetgate.checks.contracts.fields import has_field
from vetgate.checks.contracts.instead import is_taken_by_heirs
from vetgate.checks.contracts.patched import (
    is_class_set,
    is_filled,
    is_mocked,
    is_put,
    is_set,
    is_set_elsewhere,
    is_variable_set,
)
from vetgate.index.facts import Call
from vetgate.index.given import AWAITED, GIVEN
from vetgate.index.lineage import Member
from vetgate.index.objects import UNSURE
from vetgate.index.place import SELVES, SUPER, Place
from vetgate.index.resolve import MEMBERS, SCRIPTS, called, called_on, member_called
from vetgate.index.users import Site, sites
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Facts
    from vetgate.index.lineage import Home
    from vetgate.index.resolve import On
    from vetgate.index.view import View

_NOT_NAMED = SELVES | {"", UNSURE, SUPER}
_NEVER_NARROWED = frozenset({UNSURE, "this", "super"})


def may_be_another(view: View, path: str, call: Call, place: Place) -> bool:
    """Of the class that has it, or had it, at a place: set from outside, or that of an heir who takes the call."""
    if language_of(path) == "go":
        return False  # a type has no heirs, and its methods stay what they are
    facts = view.facts(path)
    if facts is None or _is_set(view, path, call, place):
        return True
    on = called_on(view, path, facts, call)
    if language_of(path) in SCRIPTS and _is_bent(view, path, call, place):
        return True
    if on is not None and is_taken_by_heirs(view, path, call, (on.receiver, place)):
        return True
    home = (
        on.home(view) if on is not None else MEMBERS.class_at(view, Place(place.path, place.symbol.rpartition(".")[0]))
    )
    if home is not None and _is_filled_above(view, home, place.symbol.rpartition(".")[2]):
        return True
    if on is not None and any(is_variable_set(view, path, each) for each in _filled_by(view, on)):
        return True
    return is_set_elsewhere(view, path, place, _owners(call, place, on))


def _filled_by(view: View, on: On) -> Iterator[Place]:
    """The variable of another file that holds it, and the function that gives it."""
    if on.name:
        yield Place(on.path, on.name)
    if on.receiver.kind.endswith(GIVEN):
        callee = on.receiver.kind.removeprefix(AWAITED).removesuffix(GIVEN)
        place = called(view, on.path, on.facts, Call(callee, 0))
        yield from [place] if place is not None and "." not in place.symbol else ()


def _is_filled_above(view: View, home: Home, name: str) -> bool:
    """Whether an ancestor fills the name in another way than by a method."""
    key = ("filled above", home.path, home.definition.symbol, name)
    return view.once(key, lambda: any(has_field(view, each, name) for each in MEMBERS.upwards(view, home)))


def missed_by_objects(sides: Sides, place: Place) -> Iterator[Site]:
    """Calls of a method that stood at a place, on objects whose class has none of that name any more."""
    now = Place(sides.file.path, place.symbol)
    for path, facts, call in islice(_calling(sides, place), MOST_SITES):
        found = member_called(sides.view, path, facts, call)
        if found != Member(None) or may_be_another(sides.view, path, call, now) or _is_said(sides, now):
            continue
        if _is_asked(sides.view, path, call):
            continue
        on = called_on(sides.view, path, facts, call)
        home = on.home(sides.view) if on is not None else None
        if home is None or not is_filled(sides.view, sides.earlier, home, now.symbol.rpartition(".")[2]):
            yield Site(path, call.line, call)


def _calling(sides: Sides, place: Place) -> Iterator[tuple[str, Facts, Call]]:
    """Calls of objects that meant this as it was."""
    name, earlier = place.symbol.rpartition(".")[2], sides.earlier
    for call in sides.after.calls:
        is_meant = call.callee.endswith(f".{name}")
        if is_meant and member_called(earlier, place.path, sides.after, call).place == place:
            yield sides.file.path, sides.after, call
    for site in sites(earlier, place, name):
        facts = sides.view.facts(site.path) if site.path not in {place.path, sides.file.path} else None
        if facts is not None and site.call is not None:
            yield site.path, facts, site.call


def _is_set(view: View, path: str, call: Call, place: Place) -> bool:
    """Whether the method, the class or the field that holds the object may be replaced in one of the two files."""
    facts, text, name = view.facts(path), view.text(path), place.symbol.rpartition(".")[2]
    owners = _owners(call, place, called_on(view, path, facts, call)) if facts is not None else frozenset()
    if is_set(view.text(place.path), name, owners) or is_put(text, name, owners):
        return True
    if is_class_set(text, owners) or is_mocked(text, place.path):
        return True
    own, *field = call.callee.split(".")[:-1]
    # What a class gives its own fields is known; a variable of a module may be filled by whoever knows that.
    inside = rf"(?<!\b{re.escape(own)})" if own in _NOT_NAMED else ""
    return bool(field) and bool(re.search(rf"{inside}\.{re.escape(field[-1])}\s*=(?![=>])", text))


def _owners(call: Call, place: Place, on: On | None) -> frozenset[str]:
    """The class that has a method, and what it is called on."""
    holder = call.callee.rpartition(".")[0].rpartition(".")[2]
    kind = on.receiver.kind.removesuffix(GIVEN) if on is not None else holder
    return frozenset({place.symbol.split(".")[-2], kind.rpartition(".")[2], holder}) - _NOT_NAMED


def _is_bent(view: View, path: str, call: Call, place: Place) -> bool:
    """Whether a class of a script has more than it says, or the object is taken for something else somewhere."""
    *_, owner, _ = ("", *place.symbol.split("."))
    object_ = call.callee.split(".")[-2]
    is_merged = _is_merged(view.text(place.path), owner) or (call.owner and _is_merged(view.text(path), call.owner))
    is_narrowed = object_ not in _NEVER_NARROWED and re.search(
        rf"(?<![\w$]){re.escape(object_)} (?:instanceof|as|is)\b", view.text(path)
    )
    return bool(is_merged or is_narrowed)


def _is_merged(text: str, owner: str) -> bool:
    name = re.escape(owner.rpartition(".")[2])
    return bool(re.search(rf"\b(?:interface|namespace) {name}\b|(?<![\w$]){name}\.prototype\b", text))


def _is_asked(view: View, path: str, call: Call) -> bool:
    """Whether a script asks if there is such a method before it calls it."""
    if language_of(path) not in SCRIPTS or call.callee.startswith(UNSURE):
        return False
    reached = r"[?!]?\.".join(map(re.escape, call.callee.split(".")))
    before, after = r"(?:\bif\s*\(|\btypeof\s|&&|\|\||!)\s*", r"(?!\s*[(<\w$.]|\?\.)"
    return bool(re.search(rf"{before}{reached}\b{after}|(?<![\w$.]){reached}\s*(?:&&|\?(?!\.))", view.text(path)))


def _is_said(sides: Sides, place: Place) -> bool:
    """Whether the class has a field of the name by now, which may hold a function."""
    owner, _, name = place.symbol.rpartition(".")
    home = MEMBERS.class_at(sides.view, Place(place.path, owner))
    return home is not None and has_field(sides.view, home, name)
