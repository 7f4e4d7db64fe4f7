"""How grave a finding is."""

from __future__ import annotations

import enum


class Severity(enum.IntEnum):
    NOTE = 1
    WARNING = 2
    ERROR = 3
    CRITICAL = 4

    def __str__(self) -> str:
        return self.name.lower()
