"""What the doctor found out: each with why it matters and how to put it right."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Health(enum.StrEnum):
    GOOD = "good"
    NOTE = "note"  # worth knowing; the gate stands
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    id: str
    health: Health
    what: str
    why: str = ""
    repair: str = ""


def good(name: str, what: str) -> Diagnosis:
    return Diagnosis(name, Health.GOOD, what)


def note(name: str, what: str, why: str, repair: str) -> Diagnosis:
    return Diagnosis(name, Health.NOTE, what, why, repair)


def bad(name: str, what: str, why: str, repair: str) -> Diagnosis:
    return Diagnosis(name, Health.BAD, what, why, repair)
