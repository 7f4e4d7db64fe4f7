"""Who may use a method of PHP that is not public."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.facts import Import, full_name
from vetgate.index.php_names import LINEAGE, MAGIC, class_in_file, class_name, named_class, receiver
from vetgate.index.reading import UNNAMED
from vetgate.index.visibility import PRIVATE

if TYPE_CHECKING:
    from vetgate.index.classes import ReferenceContext
    from vetgate.index.facts import CallSite
    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.view import View

# What is written in these is done by whoever takes them in.
_MIXED_IN = frozenset({"trait", "interface"})
_INCLUDES = expression(r"\b(?:include|require)(?:_once)?\b")
_DEEPEST = 8


def can_access(view: View, it: SourceDefinition, context: ReferenceContext, by: CallSite | Import) -> bool:
    """Whether what is said there may mean this; so it may, where nobody can tell."""
    if not it.definition.visibility or isinstance(by, Import):
        return True
    klass = class_in_file(it.path, it.facts, it.definition.symbol.rpartition(".")[0])
    if klass is None or klass.definition.made in _MIXED_IN or _is_answered(view, context, by):
        return True
    if not context.owner:
        return _may_be_included(view, klass, context, it.definition.visibility)
    user = class_in_file(context.path, context.facts, context.owner)
    if user is None or UNNAMED in context.owner or user.definition.made in _MIXED_IN:
        return True
    if it.definition.visibility == PRIVATE:
        return (user.path, user.definition.symbol) == (klass.path, klass.definition.symbol)
    return not _kin(view, user).isdisjoint(_kin(view, klass))


def _is_answered(view: View, context: ReferenceContext, call: CallSite) -> bool:
    """Whether `__call` may take what nobody else may."""
    asked = receiver(view, context.path, context.facts, call)
    answers = [LINEAGE.member(view, asked, name) for name in MAGIC] if asked is not None else []
    return not answers or any(each.site is not None or not each.sure for each in answers)


def _may_be_included(view: View, klass: SourceDefinition, context: ReferenceContext, visibility: str) -> bool:
    """What a method includes is part of it; what defines something of its own is not written for that."""
    if context.facts.definitions:
        return False
    return visibility != PRIVATE or bool(_INCLUDES.search(view.text(klass.path)))


def _kin(view: View, klass: SourceDefinition, depth: int = 0) -> frozenset[str]:
    """The class and all its base classes, as far as they are known."""
    found = {full_name(klass.facts.space, klass.definition.symbol)}
    for base in klass.definition.bases if depth <= _DEEPEST else ():
        name = class_name(klass.facts, base)
        above = named_class(view, name) if base != "?" else None
        found.update({name} - {"?"}, _kin(view, above, depth + 1) if above is not None else ())
    return frozenset(found)
