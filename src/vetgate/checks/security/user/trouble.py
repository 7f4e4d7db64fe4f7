"""What is wrong with a rule of a project's own. It is told, and the other rules run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from vetgate.checks.security.block import BadBlock

if TYPE_CHECKING:
    from collections.abc import Callable

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Trouble:
    """`file` is a page or the configuration; `place` is its line, or the key where only that is known."""

    file: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.place}: {self.message}"


def attempted(file: str, place: str, make: Callable[[], Made]) -> Made | Trouble:
    try:
        return make()
    except BadBlock as error:
        return Trouble(file, str(error.line) if error.line else place, error.message)
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001 - a broken rule never takes the gate down
        return Trouble(file, place, f"the rule cannot be understood ({error.__class__.__name__}: {error})")
