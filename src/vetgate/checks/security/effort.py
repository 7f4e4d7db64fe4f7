"""How many questions of data flow one file may cost: whoever tangles code on purpose must not make us hang."""

from __future__ import annotations

from dataclasses import dataclass

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
