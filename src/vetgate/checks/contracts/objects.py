"""Methods of which the class is known, by what they are called on: whether another, or a subclass's, may be meant."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.checks.contracts.broken import MOST_REFERENCES
from vetgate.checks.contracts.runtime_patches import (
    has_field,
    has_hidden_subclass,
    is_class_set,
    is_filled,
    is_mocked,
    is_passed_any,
    is_put,
    is_set,
    is_set_elsewhere,
    is_variable_set,
)
from vetgate.checks.contracts.signature import is_taken
from vetgate.index.facts import SELVES, SUPER, CallSite, Definition, DefinitionSite
from vetgate.index.inheritance import MemberLookup, SourceDefinition, subclasses
from vetgate.index.members import ABOVE, EXACT, OWN
from vetgate.index.objects import UNSURE
from vetgate.index.references import Reference, references
from vetgate.index.resolve import MEMBERS, SCRIPTS, called, called_on, definition_of, member_called
from vetgate.index.return_types import AWAITED, RESULT
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Facts
    from vetgate.index.members import Receiver
    from vetgate.index.resolve import On
    from vetgate.index.view import View

_ANSWERING = frozenset({"__getattr__", "__getattribute__"})
# So many files are read for subclasses that no definition tells of.
_MOST_FILES = 300


def is_overridden(view: View, path: str, call: CallSite, meant: tuple[Receiver, DefinitionSite]) -> bool:
    """Of what is called on a receiver and stands at a place."""
    receiver, site = meant
    if receiver.how == EXACT or (receiver.how == ABOVE and language_of(path) in SCRIPTS):
        return False
    if not view.sees_all:
        return True
    if receiver.how != ABOVE and (is_taken(call, _of_subclasses(view, site)) or _is_filled_by_subclasses(view, site)):
        return True
    is_own = receiver.how in {OWN, ABOVE}
    user = DefinitionSite(path, receiver.kind) if is_own else DefinitionSite(site.path, site.symbol.rpartition(".")[0])
    return is_taken(call, _of_others(view, user, site))


def _is_filled_by_subclasses(view: View, site: DefinitionSite) -> bool:
    """Whether a subclass fills the name in another way than by a method of its own that is known."""
    return view.once(("filled by subclasses", site), lambda: _is_filled(view, site))


def _is_filled(view: View, site: DefinitionSite) -> bool:
    owner, _, name = site.symbol.rpartition(".")
    known = subclasses(view, owner)
    texts = [view.text(path) for path in {each.path for each in known} - {site.path}]
    every = {each[:2]: each for subclass in known for each in MEMBERS.upwards(view, subclass)}
    if any(has_field(view, each, name) for each in every.values()):
        return True
    # Only what is not there is answered for by others.
    if definition_of(view, site) is None and (any(map(_answers, known)) or any(map(is_passed_any, texts))):
        return True
    names = {owner.rpartition(".")[2], *(each.definition.name for each in known)}
    telling = [path for path, _ in view.holding([f"c{each}" for each in sorted(names)], most=_MOST_FILES)]
    return any(has_hidden_subclass(view.text(path), frozenset(names), name) for path in {*telling, site.path})


def _answers(subclass: SourceDefinition) -> bool:
    """Whether a class has something to say to any name."""
    own = {f"{subclass.definition.symbol}.{name}" for name in _ANSWERING}
    return any(each.symbol in own for each in subclass.facts.definitions)


def _of_others(view: View, user: DefinitionSite, site: DefinitionSite) -> list[Definition]:
    """Methods of this name that a subclass of the class that calls it may have from a further base class."""
    return view.once(("others", user, site), lambda: list(_found_with_others(view, user, site)))


def _found_with_others(view: View, user: DefinitionSite, site: DefinitionSite) -> Iterator[Definition]:
    for subclass in subclasses(view, user.symbol):
        above = [MEMBERS.base_class(view, subclass, base) for base in subclass.definition.bases]
        for each in above if len(above) > 1 else ():
            if each is None or not _may_inherit(view, each, user, unknown=False):
                yield from _of_another(view, each, site)


def _of_another(view: View, klass: SourceDefinition | None, site: DefinitionSite) -> Iterator[Definition]:
    name = site.symbol.rpartition(".")[2]
    found = MEMBERS.member(view, klass, name) if klass is not None else MemberLookup(None, sure=False)
    known = definition_of(view, found.site) if found.site is not None and found.site != site else None
    if known is not None:
        yield known[1]
    elif found not in {MemberLookup(None), MemberLookup(site)}:
        yield Definition(name, 0, "method", None)


def _of_subclasses(view: View, site: DefinitionSite) -> list[Definition]:
    """Methods of this name in classes that may inherit from the one that has it."""
    return view.once(("of subclasses", site), lambda: list(_found_in_subclasses(view, site)))


def _found_in_subclasses(view: View, site: DefinitionSite) -> Iterator[Definition]:
    owner, _, name = site.symbol.rpartition(".")
    for path, facts in view.holding([f"d{name}"]):
        holders = {each.symbol: each for each in facts.definitions if each.kind == "class"}
        for each in facts.definitions:
            around = each.symbol.rpartition(".")[0]
            if each.name != name or DefinitionSite(path, each.symbol) == site or not around:
                continue
            holder = holders.get(around)
            if holder is None or _may_inherit(
                view, SourceDefinition(path, holder, facts), DefinitionSite(site.path, owner)
            ):
                yield each


def _may_inherit(view: View, klass: SourceDefinition, site: DefinitionSite, *, unknown: bool = True) -> bool:
    """`unknown` is what is said of a base class that nobody knows."""
    known = MEMBERS.upwards(view, klass)
    if any(DefinitionSite(each.path, each.definition.symbol) == site for each in known):
        return True
    return unknown and any(
        MEMBERS.base_class(view, each, base) is None for each in known for base in each.definition.bases
    )


_NOT_NAMED = SELVES | {"", UNSURE, SUPER}
_NEVER_NARROWED = frozenset({UNSURE, "this", "super"})


def may_be_another(view: View, path: str, call: CallSite, site: DefinitionSite) -> bool:
    """Of the class that has it, or had it, at a place: set from outside, or that of a subclass who takes the call."""
    if language_of(path) == "go":
        return False  # a type has no subclasses, and its methods stay what they are
    facts = view.facts(path)
    if facts is None or _is_set(view, path, call, site):
        return True
    on = called_on(view, path, facts, call)
    if language_of(path) in SCRIPTS and _is_bent(view, path, call, site):
        return True
    if on is not None and is_overridden(view, path, call, (on.receiver, site)):
        return True
    klass = (
        on.klass(view)
        if on is not None
        else MEMBERS.class_at(view, DefinitionSite(site.path, site.symbol.rpartition(".")[0]))
    )
    if klass is not None and _is_filled_above(view, klass, site.symbol.rpartition(".")[2]):
        return True
    if on is not None and any(is_variable_set(view, path, each) for each in _filled_by(view, on)):
        return True
    return is_set_elsewhere(view, path, site, _owners(call, site, on))


def _filled_by(view: View, on: On) -> Iterator[DefinitionSite]:
    """The variable of another file that holds it, and the function that gives it."""
    if on.name:
        yield DefinitionSite(on.path, on.name)
    if on.receiver.kind.endswith(RESULT):
        callee = on.receiver.kind.removeprefix(AWAITED).removesuffix(RESULT)
        site = called(view, on.path, on.facts, CallSite(callee, 0))
        yield from [site] if site is not None and "." not in site.symbol else ()


def _is_filled_above(view: View, klass: SourceDefinition, name: str) -> bool:
    """Whether a base class fills the name in another way than by a method."""
    key = ("filled above", klass.path, klass.definition.symbol, name)
    return view.once(key, lambda: any(has_field(view, each, name) for each in MEMBERS.upwards(view, klass)))


def missed_by_objects(sides: Sides, site: DefinitionSite) -> Iterator[Reference]:
    """Calls of a method that stood at a place, on objects whose class has none of that name any more."""
    now = DefinitionSite(sides.file.path, site.symbol)
    for path, facts, call in islice(_calling(sides, site), MOST_REFERENCES):
        found = member_called(sides.view, path, facts, call)
        if found != MemberLookup(None) or may_be_another(sides.view, path, call, now) or _is_said(sides, now):
            continue
        if _is_asked(sides.view, path, call):
            continue
        on = called_on(sides.view, path, facts, call)
        klass = on.klass(sides.view) if on is not None else None
        if klass is None or not is_filled(sides.view, sides.earlier, klass, now.symbol.rpartition(".")[2]):
            yield Reference(path, call.line, call)


def _calling(sides: Sides, site: DefinitionSite) -> Iterator[tuple[str, Facts, CallSite]]:
    """Calls of objects that meant this as it was."""
    name, earlier = site.symbol.rpartition(".")[2], sides.earlier
    for call in sides.after.calls:
        is_meant = call.callee.endswith(f".{name}")
        if is_meant and member_called(earlier, site.path, sides.after, call).site == site:
            yield sides.file.path, sides.after, call
    for reference in references(earlier, site, name):
        facts = sides.view.facts(reference.path) if reference.path not in {site.path, sides.file.path} else None
        if facts is not None and reference.call is not None:
            yield reference.path, facts, reference.call


def _is_set(view: View, path: str, call: CallSite, site: DefinitionSite) -> bool:
    """Whether the method, the class or the field that holds the object may be replaced in one of the two files."""
    facts, text, name = view.facts(path), view.text(path), site.symbol.rpartition(".")[2]
    owners = _owners(call, site, called_on(view, path, facts, call)) if facts is not None else frozenset()
    if is_set(view.text(site.path), name, owners) or is_put(text, name, owners):
        return True
    if is_class_set(text, owners) or is_mocked(text, site.path):
        return True
    own, *field = call.callee.split(".")[:-1]
    # What a class gives its own fields is known; a variable of a module may be filled by whoever knows that.
    inside = rf"(?<!\b{re.escape(own)})" if own in _NOT_NAMED else ""
    return bool(field) and bool(re.search(rf"{inside}\.{re.escape(field[-1])}\s*=(?![=>])", text))


def _owners(call: CallSite, site: DefinitionSite, on: On | None) -> frozenset[str]:
    """The class that has a method, and what it is called on."""
    holder = call.callee.rpartition(".")[0].rpartition(".")[2]
    kind = on.receiver.kind.removesuffix(RESULT) if on is not None else holder
    return frozenset({site.symbol.split(".")[-2], kind.rpartition(".")[2], holder}) - _NOT_NAMED


def _is_bent(view: View, path: str, call: CallSite, site: DefinitionSite) -> bool:
    """Whether a class of a script has more than it says, or the object is taken for something else somewhere."""
    *_, owner, _ = ("", *site.symbol.split("."))
    object_ = call.callee.split(".")[-2]
    is_merged = _is_merged(view.text(site.path), owner) or (call.owner and _is_merged(view.text(path), call.owner))
    is_narrowed = object_ not in _NEVER_NARROWED and re.search(
        rf"(?<![\w$]){re.escape(object_)} (?:instanceof|as|is)\b", view.text(path)
    )
    return bool(is_merged or is_narrowed)


def _is_merged(text: str, owner: str) -> bool:
    name = re.escape(owner.rpartition(".")[2])
    return bool(re.search(rf"\b(?:interface|namespace) {name}\b|(?<![\w$]){name}\.prototype\b", text))


def _is_asked(view: View, path: str, call: CallSite) -> bool:
    """Whether a script asks if there is such a method before it calls it."""
    if language_of(path) not in SCRIPTS or call.callee.startswith(UNSURE):
        return False
    reached = r"[?!]?\.".join(map(re.escape, call.callee.split(".")))
    before, after = r"(?:\bif\s*\(|\btypeof\s|&&|\|\||!)\s*", r"(?!\s*[(<\w$.]|\?\.)"
    return bool(re.search(rf"{before}{reached}\b{after}|(?<![\w$.]){reached}\s*(?:&&|\?(?!\.))", view.text(path)))


def _is_said(sides: Sides, site: DefinitionSite) -> bool:
    """Whether the class has a field of the name by now, which may hold a function."""
    owner, _, name = site.symbol.rpartition(".")
    klass = MEMBERS.class_at(sides.view, DefinitionSite(site.path, owner))
    return klass is not None and has_field(sides.view, klass, name)
