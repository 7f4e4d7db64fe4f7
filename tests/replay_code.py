"""Code for replays: what the gate stops and what it lets pass."""

from __future__ import annotations


def branchy(name: str = "route", branches: int = 12) -> str:
    """A function above the limit of cyclomatic complexity."""
    lines = [f"def {name}(value):"]
    for number in range(branches):
        lines += [f"    if value == {number}:", f"        return {number * 7}"]
    return "\n".join((*lines, "    return None", ""))


PLAIN = "def double(value):\n    return value * 2\n"
