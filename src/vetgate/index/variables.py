"""What names hold in languages that declare none: known of a scope once all of it has been read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from vetgate.index.facts import Call

# What holds the same as the name around its scope.
OUTER = "^"
_DEEPEST = 8


class Variables:
    """The types that a name of a scope is given, "" for one that nobody can tell; a scope is a number, 0 for none."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[int, str], set[str]] = {}
        self._outer: dict[int, int] = {}
        self._lost: set[int] = set()
        self._asked: list[tuple[int, int, str]] = []

    def bind(self, scope: int, name: str, kind: str) -> None:
        self._kinds.setdefault((scope, name), set()).add(kind)

    def reach_out(self, scope: int, outer: int, name: str) -> None:
        """A name that a function has from what it stands in."""
        self._outer[scope] = outer
        self.bind(scope, name, OUTER)

    def lose(self, scope: int) -> None:
        """Any of its names may have been given anything."""
        self._lost.add(scope)

    def ask(self, place: int, scope: int, name: str) -> None:
        """The call of that place is one of what the name holds."""
        if scope:
            self._asked.append((place, scope, name))

    def settle(self, calls: list[Call]) -> None:
        """Tell the calls what they are called on."""
        for place, scope, name in self._asked:
            kind = self._kind(scope, name)
            if kind:
                call = calls[place]
                calls[place] = replace(call, callee=f"{name}.{call.callee.rpartition('.')[2]}", of=kind)

    def _kind(self, scope: int, name: str, depth: int = 0) -> str:
        if not scope or scope in self._lost or depth > _DEEPEST:
            return ""
        kinds = self._kinds.get((scope, name), set())
        outer = self._outer.get(scope, 0)
        known = {self._kind(outer, name, depth + 1) if kind == OUTER else kind for kind in kinds}
        return known.pop() if len(known) == 1 else ""
