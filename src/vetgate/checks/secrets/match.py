"""One secret in a text. The value lives here and goes no further: what leaves is masked or hashed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetgate.checks.secrets.token_kinds import TokenKind

SHOWN = 4


@dataclass(frozen=True, slots=True)
class SecretMatch:
    """`start` and `end` are bytes of the text: where the value stands, or the expression that makes it."""

    rule: str
    value: str
    start: int
    end: int
    kind: TokenKind | None = None
    name: str = ""
    confidence: float = 0.9
    how: str = ""
    what: str = ""
    mild: str = ""  # why it may be seen: public by design, or for a sandbox only

    def __repr__(self) -> str:
        """Without the value: a traceback, a log line or a failing test prints it."""
        return f"SecretMatch({self.rule}, {self.start}-{self.end})"


@dataclass(frozen=True, slots=True)
class Pair:
    """A text that stands under a name; `name` is empty where it stands for itself.

    `aside`: in a comment or in prose, where only what a machine made counts.
    """

    name: str
    value: str
    start: int
    end: int
    how: str = ""
    aside: bool = False

    def __repr__(self) -> str:
        return f"Pair({self.start}-{self.end})"


def shown(value: str) -> str:
    """At most the first four characters, and never most of a short one."""
    return f"{value[: min(SHOWN, len(value) // 4)]}…"
