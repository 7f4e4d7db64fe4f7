"""What calls and imports mean in a language of classes and packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.classes import ReferenceContext, joined, surrounding
from vetgate.index.facts import NEW, STATIC, DefinitionSite, Import

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.index.classes import Classes, Members
    from vetgate.index.facts import CallSite, Definition, Facts
    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.view import View

# What a method is that is called by the name of its class, and an import that brings such ones along.
ALL = "*"
_THIS = "this"


class ClassResolver(NamedTuple):
    """`parent` is the word for the base class; `loose` says what a name by itself means beyond the classes around.

    `is_hidden` says of a name by itself whether it may be a variable, and `is_lent` of a method whether others may have
    given it to a class.
    """

    classes: Classes
    parent: str
    loose: Callable[[View, ReferenceContext, str], Members]
    is_hidden: Callable[[ReferenceContext, str], bool]
    is_lent: Callable[[View, str], bool]

    def called(self, view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
        return _one(self._sought(view, ReferenceContext(path, facts, call.owner), call)) if not facts.unsure else None

    def holder(self, view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
        klass = self._holder(view, ReferenceContext(path, facts, call.owner), call)
        return DefinitionSite(klass.path, klass.definition.symbol) if klass is not None else None

    def imported(self, view: View, path: str, each: Import) -> DefinitionSite | None:
        facts = view.facts(path)
        if facts is None or each.name == ALL:
            return None
        if is_static(each):
            return _one(self.brought(view, ReferenceContext(path, facts), each.module, each.name))
        classes = self.classes.found(view, ReferenceContext(path, facts), joined(each.module, each.name))
        return DefinitionSite(classes[0].path, classes[0].definition.symbol) if len(classes) == 1 else None

    def resolves(self, view: View, path: str, facts: Facts, by: CallSite | Import) -> bool:
        if not isinstance(by, Import):
            found = self._sought(view, ReferenceContext(path, facts, by.owner), by)
            return found is None or bool(found)
        context = ReferenceContext(path, facts)
        if is_static(by):
            members = self.brought(view, context, by.module, by.name)
            return bool(self.classes.found(view, context, by.module)) and (members is None or bool(members))
        return bool(self.classes.found(view, context, joined(by.module, by.name)))

    def brought(self, view: View, context: ReferenceContext, module: str, name: str) -> Members:
        """A member of a class that is named in full."""
        classes = self.classes.found(view, context, module)
        return self.classes.members(view, classes[0], name) if len(classes) == 1 else None

    def _holder(self, view: View, context: ReferenceContext, call: CallSite) -> SourceDefinition | None:
        """The class that a call names."""
        receiver = call.callee.rpartition(".")[0]
        made = call.callee.removeprefix(NEW) if call.callee.startswith(NEW) else ""
        name = call.of or made or receiver
        found = self.classes.named(view, context, name) if name not in {_THIS, self.parent} else []
        if made and found and self._is_named_otherwise(view, context, name, found):
            return None
        return found[0] if len(found) == 1 else None

    def _is_named_otherwise(
        self, view: View, context: ReferenceContext, name: str, found: list[SourceDefinition]
    ) -> bool:
        """Whether a class has a base class of a name that means something else inside of it."""
        own = next(surrounding(context), None)
        if own is None or name not in own.definition.bases:
            return False
        outer = context._replace(owner=own.definition.symbol.rpartition(".")[0])
        return self.classes.named(view, outer, name) != found

    def _sought(self, view: View, context: ReferenceContext, call: CallSite) -> Members:
        """The members that a call may mean."""
        receiver, _, name = call.callee.rpartition(".")
        if call.callee.startswith(NEW):
            klass = self._holder(view, context, call)
            return self.classes.members(view, klass, klass.definition.name) if klass is not None else []
        if not receiver:
            return self._bare(view, context, name)
        if receiver.startswith("?") or self.is_lent(view, name):
            return None
        return self._reached(view, context, call)

    def _bare(self, view: View, context: ReferenceContext, name: str) -> Members:
        if self.is_hidden(context, name):
            return None
        found = self.classes.bare(view, context, name)
        return found if found is None or found else self.loose(view, context, name)

    def _reached(self, view: View, context: ReferenceContext, call: CallSite) -> Members:
        receiver, _, name = call.callee.rpartition(".")
        if receiver in {_THIS, self.parent} and not call.of:
            own = next(surrounding(context), None)
            if own is None or own.definition.symbol != context.owner:
                return None
            look = self.classes.members if receiver == _THIS else self.classes.inherited
            return look(view, own, name)
        klass = self._holder(view, context, call)
        members = self.classes.members(view, klass, name) if klass is not None else []
        by_class = not call.of
        if members is None or (by_class and any(each.word != STATIC for _, each in members)):
            return None
        return members


def is_static(each: Import) -> bool:
    return each.local.startswith(STATIC)


def _one(found: Members) -> DefinitionSite | None:
    """The nearest of several that take the same, or all forms that one class has; otherwise the arguments decide."""
    shapes, sites = {_shape(each) for _, each in found or ()}, {(path, each.symbol) for path, each in found or ()}
    if not found or (len(shapes) > 1 and len(sites) > 1):
        return None
    path, definition = found[0]
    return DefinitionSite(path, definition.symbol)


def _shape(definition: Definition) -> tuple[tuple[str, bool], ...] | None:
    if definition.parameters is None:
        return None
    return tuple((each.kind, each.optional) for each in definition.parameters)
