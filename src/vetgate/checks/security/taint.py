"""What is known of a value that may come from somebody else, what a rule believes, and how much one file may cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

PARAMETER = "parameter"
COMPOSED = "composed-text"  # among the sanitizers: a text put together is no object any more
REQUEST = "request"  # among the sources of a rule: whatever a framework passes
_STEPS = 8


@dataclass(frozen=True, slots=True)
class Taint:
    """`kind` says who sent it; `steps` the lines it passed, from the source on."""

    kind: str
    label: str
    steps: tuple[tuple[int, str], ...]
    path: str = ""  # of the source

    def through(self, line: int, text: str) -> Taint:
        if self.steps and (self.steps[-1][0] == line or len(self.steps) >= _STEPS):
            return self
        return replace(self, steps=(*self.steps, (line, f"through {text}")))


@dataclass(frozen=True, slots=True)
class RuleTrust:
    """What a rule believes: what cleans a value, which tests admit it, and who sends it."""

    sanitizers: tuple[str, ...]
    guards: frozenset[str]
    sources: tuple[str, ...]


_MOST = 20_000  # ordinary files ask a few dozen questions, the largest of well-known libraries about five thousand


@dataclass(slots=True)
class Effort:
    left: int = _MOST

    def spend(self) -> bool:
        """Whether one more question may be asked."""
        if self.left > 0:
            self.left -= 1
            return True
        return False

    @property
    def is_spent(self) -> bool:
        return self.left == 0
