"""What variables and fields hold: noted while a statement is walked, known once all of it is read.

A kind is the name of a class, behind `new` where it is of that class, not of a subclass. The same name may get a
value in several places: only what all of them agree on counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.index.facts import NEW

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.index.facts import CallSite

    Names = dict[str, str]

# Something that nobody can tell; and a value on which no method can be called anyway.
UNSURE, NOTHING = "?", "(nothing)"
# What a method gets first: an object of the class that it stands in, or that class.
ITSELF = "(itself)"
# What an import brings, and so another file knows.
BROUGHT = "(brought)"
# How the callee of a call begins whose object has no name yet.
_UNNAMED = f"{UNSURE}."
# Stands among the names of which each may have been given anything.
_LOST = "(lost)"


def agreed(one: str, other: str) -> str:
    """What holds of a name that is given both."""
    if other in {one, NOTHING}:
        return one
    if one == NOTHING:
        return other
    plain = one.removeprefix(NEW)
    return plain if plain == other.removeprefix(NEW) else UNSURE


class Objects:
    """The names of a statement at the top of a file, and the calls that wait to hear what they are called on."""

    def __init__(self, calls: list[CallSite]) -> None:
        self.outermost: Names = {}
        self._calls = calls
        self._waiting: list[tuple[int, str, Iterable[Names]]] = []
        self._merged_in: list[tuple[str, Names, Names]] = []

    def ask(self, name: str, *scopes: Names) -> None:
        """For the next call, of a name that one of these scopes may have; the innermost comes first."""
        self._waiting.append((len(self._calls), name, scopes))

    def merge_scope(self, name: str, inner: Names, outer: Names) -> None:
        """A name that a function has from what it stands in."""
        self._merged_in.append((name, inner, outer))

    def settle(self) -> None:
        for name, inner, outer in self._merged_in:
            bind(inner, name, held(name, [outer]) or UNSURE)
        for number, name, scopes in self._waiting:
            kind = held(name, scopes)
            if kind is not None and kind not in {ITSELF, BROUGHT}:
                self._calls[number] = _called_on(self._calls[number], name, kind if kind != NOTHING else UNSURE)

    def lasting(self) -> tuple[tuple[str, str], ...]:
        """Names of the file itself; also one of which nobody can tell, as another statement may have it too."""
        return tuple(each for each in self.outermost.items() if each[1] != NOTHING)


def _called_on(call: CallSite, name: str, kind: str) -> CallSite:
    if not call.callee.startswith(_UNNAMED):
        return replace(call, of=kind)
    return replace(call, callee=f"{name}.{call.callee.removeprefix(_UNNAMED)}", of=kind) if kind != UNSURE else call


def bind(names: Names, name: str, kind: str) -> None:
    """A name that is given a kind, "" for one that nobody can tell."""
    known, kind = names.get(name), kind or UNSURE
    names[name] = kind if known is None else agreed(known, kind)


def lose(names: Names) -> None:
    """Any of them may have been given anything."""
    names[_LOST] = UNSURE


def held(name: str, scopes: Iterable[Names]) -> str | None:
    return next((names.get(_LOST, names[name]) for names in scopes if name in names), None)
