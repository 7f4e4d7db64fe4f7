"""Type checkers that a project may have installed for itself, and which of their words are worth passing on."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Checker:
    """`places` are where a project keeps it. `codes` are worth telling; with one of `incomplete` nothing it says is.

    `languages` are ours with what the protocol calls them.
    """

    name: str
    places: tuple[str, ...]
    arguments: tuple[str, ...]
    languages: Mapping[str, str]
    codes: frozenset[str]
    incomplete: frozenset[str]

    def command(self, root: Path) -> tuple[str, ...] | None:
        found = (root / place for place in self.places)
        program = next((place for place in found if os.access(place, os.X_OK)), None)
        return (str(program), *self.arguments) if program is not None else None


_TY = Checker(
    name="ty",
    places=(".venv/bin/ty", "venv/bin/ty", ".venv/Scripts/ty.exe", "venv/Scripts/ty.exe"),
    arguments=("server",),
    languages={"python": "python"},
    codes=frozenset(
        """call-non-callable invalid-argument-type invalid-assignment invalid-parameter-default invalid-return-type
        missing-argument missing-attribute parameter-already-assigned too-many-positional-arguments unknown-argument
        unresolved-attribute unresolved-reference""".split()  # noqa: SIM905 - a list of names
    ),
    # What cannot be imported has no types, and neither has what is made of it.
    incomplete=frozenset({"import-not-found", "unresolved-import"}),
)
_TSGO = Checker(
    name="tsgo",
    places=("node_modules/.bin/tsgo", "node_modules/.bin/tsgo.cmd"),
    arguments=("--lsp", "--stdio"),
    languages={"typescript": "typescript", "tsx": "typescriptreact"},
    # Unknown names and members, values of another type, calls with too few or too many arguments.
    codes=frozenset({"2304", "2322", "2339", "2345", "2353", "2551", "2552", "2554", "2555", "2739", "2740", "2741"}),
    # Modules, their types, and libraries that are not there.
    incomplete=frozenset(
        {"2307", "2318", "2503", "2580", "2581", "2582", "2583", "2584", "2688", "2792", "2875", "7016"}
    ),
)
CHECKERS = (_TY, _TSGO)


def checker_of(language: str) -> Checker | None:
    return next((checker for checker in CHECKERS if language in checker.languages), None)
