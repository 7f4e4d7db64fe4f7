"""What is wrong with a rule of a project's own. It is told, and the other rules run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from vetgate.checks.security.fenced_blocks import BadBlock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Trouble:
    """`file` is a page or the configuration; of the configuration the `key` is known, and its place may be."""

    file: str
    line: int
    message: str
    key: str = ""

    def render(self, places: Mapping[str, object]) -> str:
        where = places.get(self.key, self.file) if self.key else f"{self.file}:{self.line}"
        return f"{where}: {self.key}: {self.message}" if self.key else f"{where}: {self.message}"


def attempt(file: str, key: str, make: Callable[[], Made]) -> Made | Trouble:
    try:
        return make()
    except BadBlock as error:
        return Trouble(file, error.line or 1, error.message, key)
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001 - a broken rule never takes the gate down
        return Trouble(file, 1, f"the rule cannot be understood ({error.__class__.__name__}: {error})", key)
