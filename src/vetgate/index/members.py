"""The method that is meant by a call on an object whose class is known, in a language where files define names."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import Definition, Facts
from vetgate.index.lineage import Home, Lineage, Member
from vetgate.index.objects import UNSURE
from vetgate.index.place import NEW
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.index.facts import Call
    from vetgate.index.view import View

# Ancestors that bring no method which somebody would call.
_BARE = frozenset({"object", "Generic", "ABC"})
_NOBODY = Home("", Definition("object", 0, "class"), Facts())
# Ancestors from elsewhere that leave alone what their heirs define.
_TAME = frozenset(
    {*dir(builtins), "Enum", "IntEnum", "StrEnum", "Flag", "NamedTuple", "BaseModel", "Thread", "TestCase"}
)
_MAKES_NAMES = ("__getattr__", "__getattribute__")
_DEEPEST = 8
_DOUBT = Member(None, sure=False)


def kind_of(facts: Facts, call: Call) -> str:
    """What it is called on, as far as that is known: a class, behind `new` where it is no heir."""
    if call.of:
        return call.of if call.of != UNSURE else ""
    first, _, rest = call.callee.partition(".")
    return next((kind for name, kind in facts.objects if name == first), "") if rest and "." not in rest else ""


class Members(NamedTuple):
    """`class_named` is the class that a name means in a file."""

    class_named: Callable[[View, str, Facts, str], Home | None]

    def called(self, view: View, path: str, facts: Facts, call: Call) -> Member:
        """For a call on an object of a known kind."""
        kind, name = kind_of(facts, call), call.callee.rpartition(".")[2]
        if facts is not view.facts(path):
            return self._member(view, path, facts, (kind, name))  # a text that another one stands for here
        key = ("member", path, kind, name)
        if key not in view.found:
            view.found[key] = self._member(view, path, facts, (kind, name))
        found = view.found[key]
        return found if isinstance(found, Member) else _DOUBT

    def _member(self, view: View, path: str, facts: Facts, wanted: tuple[str, str]) -> Member:
        kind, name = wanted
        home = self.class_named(view, path, facts, kind.removeprefix(NEW))
        if home is None:
            return _DOUBT
        lineage = Lineage(self.ancestor, _MAKES_NAMES)
        is_sure = language_of(home.path) != "python" or self._is_tame(view, home)
        if kind.startswith(NEW) and lineage.member(view, home, "__new__").place is not None:
            is_sure = False  # what it makes may be anything
        return lineage.member(view, home, name) if is_sure else _DOUBT

    def ancestor(self, view: View, home: Home, base: str) -> Home | None:
        """Where there are several, it counts in which order they are asked: nobody knows, then."""
        counting = [each for each in home.definition.bases if _last(each) not in _BARE]
        if base not in counting:
            return _NOBODY
        return self.class_named(view, home.path, home.facts, base) if len(counting) == 1 else None

    def _is_tame(self, view: View, home: Home, depth: int = 0) -> bool:
        """Whether nothing further up has a way of its own with what its heirs define, as a metaclass may."""
        if depth > _DEEPEST:
            return False
        for base in home.definition.bases:
            above = self.class_named(view, home.path, home.facts, base) if _last(base) not in _BARE else _NOBODY
            if not (self._is_tame(view, above, depth + 1) if above is not None else _last(base) in _TAME):
                return False
            if above is not None and any(each.symbol == _adding(above) for each in above.facts.definitions):
                return False
        return True


def _adding(home: Home) -> str:
    return f"{home.definition.symbol}.__init_subclass__"


def _last(base: str) -> str:
    return base.rpartition(".")[2]
