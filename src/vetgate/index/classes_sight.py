"""Who may use what is not for everybody, where functions belong to classes and classes to packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.classes import CLASS, Here, full_name, joined, surrounding
from vetgate.index.facts import Import
from vetgate.index.lineage import Home
from vetgate.index.meanings import ALL
from vetgate.index.place import STATIC
from vetgate.index.reach import FILE, PACKAGE, PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.classes import Classes
    from vetgate.index.facts import Call
    from vetgate.index.view import View

_DEEPEST = 8
_NAMELESS = "?"


class Sight(NamedTuple):
    """With `packages`, what is not private is for the whole package, and what is private for the outermost class."""

    classes: Classes
    packages: bool

    def sees(self, view: View, it: Home, here: Here, by: Call | Import) -> bool:
        """Whether what is said there may mean this; so it may, where nobody can tell."""
        reach = it.definition.reach
        if not reach or self._has_another(view, it, here, by):
            return True
        if reach == FILE or isinstance(by, Import):
            is_own = here.path == it.path
            return is_own if reach == FILE else is_own or self._is_near(view, it, here)
        return self._is_inside(it, here) or self._is_near(view, it, here)

    def _is_inside(self, it: Home, here: Here) -> bool:
        symbol = it.definition.symbol
        around = symbol.partition(".")[0] if self.packages else symbol.rpartition(".")[0]
        if self.packages and here.path != it.path:
            return False
        return f"{joined(here.facts.space, here.owner)}.".startswith(f"{joined(it.facts.space, around)}.")

    def _is_near(self, view: View, it: Home, here: Here) -> bool:
        """Whether it is of the package, or in an heir."""
        if it.definition.reach == PRIVATE:
            return False
        if self.packages and here.facts.space == it.facts.space:
            return True
        return it.definition.reach != PACKAGE and any(
            self._is_heir(view, each, joined(it.facts.space, it.definition.symbol.rpartition(".")[0]))
            for each in self._around(here)
        )

    def _around(self, here: Here) -> Iterator[Home | None]:
        """The classes that something is said in, None for one without a name; of an import all those of the file."""
        if here.owner:
            found = list(surrounding(here))
            yield from found
            if not found or found[0].definition.symbol != here.owner:
                yield None
        else:
            yield from (Home(here.path, each, here.facts) for each in here.facts.definitions if each.kind == CLASS)

    def _is_heir(self, view: View, home: Home | None, of: str, depth: int = 0) -> bool:
        if home is None or depth > _DEEPEST or full_name(home).partition("`")[0] == of:
            return True
        outer = Here(home.path, home.facts, home.definition.symbol.rpartition(".")[0])
        for base in home.definition.bases:
            above = self.classes.named(view, outer, base)
            if len(above) > 1 or any(self._is_heir(view, each, of, depth + 1) for each in above):
                return True
        return False

    def _has_another(self, view: View, it: Home, here: Here, by: Call | Import) -> bool:
        """Whether something else of that name may be meant, once this is out of sight."""
        owner, _, name = it.definition.symbol.rpartition(".")
        if it.definition.kind == CLASS or name == owner.rpartition(".")[2]:
            return False
        found = [each for each in it.facts.definitions if each.symbol == owner and each.kind == CLASS]
        if len(found) != 1 or self.classes.inherited(view, Home(it.path, found[0], it.facts), name) != []:
            return True
        if isinstance(by, Import) or "." in by.callee:
            return False
        # A name by itself may be that of a class around, or one that was brought along.
        own = joined(it.facts.space, owner)
        is_brought = any(_may_bring(each, name) and each.module != own for each in here.facts.imports)
        return is_brought or sum(1 for _ in surrounding(here)) > 1 or _NAMELESS in here.owner


def _may_bring(each: Import, name: str) -> bool:
    return each.local.startswith(STATIC) and each.name in {name, ALL, ""}
