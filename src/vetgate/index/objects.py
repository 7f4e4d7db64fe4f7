"""What variables and fields hold: noted while a statement is walked, known once all of it is read.

A kind is the name of a class, behind `new` where the object is one of that class and of no heir. The same name may be
given a value in several places: only what all of them agree on counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.index.place import NEW

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vetgate.index.facts import Call

    Names = dict[str, str]

# Something that nobody can tell; and a value on which no method can be called anyway.
UNSURE, NOTHING = "?", "None"


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

    def __init__(self) -> None:
        self.outermost: Names = {}
        self._waiting: list[tuple[int, str, Sequence[Names]]] = []

    def ask(self, call: int, name: str, scopes: Sequence[Names]) -> None:
        """For a call, by its number, of a name that one of these scopes may have; the innermost comes first."""
        self._waiting.append((call, name, scopes))

    def settle(self, calls: list[Call]) -> None:
        for number, name, scopes in self._waiting:
            kind = held(name, scopes)
            if kind is not None:
                calls[number] = replace(calls[number], of=kind if kind != NOTHING else UNSURE)

    def lasting(self) -> tuple[tuple[str, str], ...]:
        """Variables of the file itself of which is known what they are."""
        return tuple(each for each in self.outermost.items() if each[1] not in {UNSURE, NOTHING})


def bind(names: Names, name: str, kind: str) -> None:
    known = names.get(name)
    names[name] = kind if known is None else agreed(known, kind)


def held(name: str, scopes: Iterable[Names]) -> str | None:
    return next((names[name] for names in scopes if name in names), None)
