"""What is known of a value that may come from somebody else, and what a rule believes."""

from __future__ import annotations

from dataclasses import dataclass, replace

PARAMETER = "parameter"
COMPOSED = "composed-text"  # among the sanitizers: a text put together is no object any more
REQUEST = "request"  # among the sources of a rule: whatever a framework hands over
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
class Trust:
    """What a rule believes: what cleans a value, which tests admit it, and who sends it."""

    sanitizers: tuple[str, ...]
    guards: frozenset[str]
    sources: tuple[str, ...]
