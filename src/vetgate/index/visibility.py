"""Who may use what is not public: the words that languages share, and the rules of classes and packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.classes import ALL, CLASS, ReferenceContext, full_name, joined, surrounding
from vetgate.index.facts import STATIC, Import
from vetgate.index.inheritance import SourceDefinition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.classes import Classes
    from vetgate.index.facts import CallSite
    from vetgate.index.view import View


# For its class, for subclasses as well, for its package, for its file; in Rust for more than its module.
PRIVATE, PROTECTED, PACKAGE, FILE = "private", "protected", "package", "file"
CRATE, SUPER = "crate", "super"


_DEEPEST = 8
_NAMELESS = "?"


class ClassVisibility(NamedTuple):
    """With `packages`, what is not private is for the whole package, and what is private for the outermost class."""

    classes: Classes
    packages: bool

    def can_access(self, view: View, it: SourceDefinition, context: ReferenceContext, by: CallSite | Import) -> bool:
        """Whether what is said there may mean this; so it may, where nobody can tell."""
        visibility = it.definition.visibility
        if not visibility or self._has_another(view, it, context, by):
            return True
        if visibility == FILE or isinstance(by, Import):
            is_own = context.path == it.path
            return is_own if visibility == FILE else is_own or self._is_near(view, it, context)
        return self._is_inside(it, context) or self._is_near(view, it, context)

    def _is_inside(self, it: SourceDefinition, context: ReferenceContext) -> bool:
        symbol = it.definition.symbol
        around = symbol.partition(".")[0] if self.packages else symbol.rpartition(".")[0]
        if self.packages and context.path != it.path:
            return False
        return f"{joined(context.facts.space, context.owner)}.".startswith(f"{joined(it.facts.space, around)}.")

    def _is_near(self, view: View, it: SourceDefinition, context: ReferenceContext) -> bool:
        """Whether it is of the package, or in a subclass."""
        if it.definition.visibility == PRIVATE:
            return False
        if self.packages and context.facts.space == it.facts.space:
            return True
        return it.definition.visibility != PACKAGE and any(
            self._is_subclass(view, each, joined(it.facts.space, it.definition.symbol.rpartition(".")[0]))
            for each in self._around(context)
        )

    def _around(self, context: ReferenceContext) -> Iterator[SourceDefinition | None]:
        """The classes that something is said in, None for one without a name; of an import all those of the file."""
        if context.owner:
            found = list(surrounding(context))
            yield from found
            if not found or found[0].definition.symbol != context.owner:
                yield None
        else:
            yield from (
                SourceDefinition(context.path, each, context.facts)
                for each in context.facts.definitions
                if each.kind == CLASS
            )

    def _is_subclass(self, view: View, klass: SourceDefinition | None, of: str, depth: int = 0) -> bool:
        if klass is None or depth > _DEEPEST or full_name(klass).partition("`")[0] == of:
            return True
        outer = ReferenceContext(klass.path, klass.facts, klass.definition.symbol.rpartition(".")[0])
        for base in klass.definition.bases:
            above = self.classes.named(view, outer, base)
            if len(above) > 1 or any(self._is_subclass(view, each, of, depth + 1) for each in above):
                return True
        return False

    def _has_another(self, view: View, it: SourceDefinition, context: ReferenceContext, by: CallSite | Import) -> bool:
        """Whether something else of that name may be meant, once this is out of sight."""
        owner, _, name = it.definition.symbol.rpartition(".")
        if it.definition.kind == CLASS or name == owner.rpartition(".")[2]:
            return False
        found = [each for each in it.facts.definitions if each.symbol == owner and each.kind == CLASS]
        if len(found) != 1 or self.classes.inherited(view, SourceDefinition(it.path, found[0], it.facts), name) != []:
            return True
        if isinstance(by, Import) or "." in by.callee:
            return False
        # A name by itself may be that of a class around, or one that was brought along.
        own = joined(it.facts.space, owner)
        is_brought = any(_may_bring(each, name) and each.module != own for each in context.facts.imports)
        return is_brought or sum(1 for _ in surrounding(context)) > 1 or _NAMELESS in context.owner


def _may_bring(each: Import, name: str) -> bool:
    return each.local.startswith(STATIC) and each.name in {name, ALL, ""}
