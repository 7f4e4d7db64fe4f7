"""What a check's own failure means, in one table that every tier reads.

Stdlib-free on purpose: the last tier (core.py) imports it when nothing else can be.
"""

OPEN = "open"  # the call passes, the file is marked unverified, `stop` and `commit` hold until it was checked
ASK = "ask"  # a person decides; without one the client refuses
CLOSED = "closed"  # the call does not happen

# A check that is not named here fails open. Configuration can only move a check to the right: open, ask, closed.
FAILS: dict[str, str] = {
    "complexity": OPEN,
    "security": OPEN,
    "secrets": CLOSED,
    "unsafe-command": CLOSED,
    "protected-file": CLOSED,
}

STRICTNESS = (OPEN, ASK, CLOSED)

# Tools that only read are never stopped, whatever breaks: a closed gate must not lock anybody out.
READS = frozenset(
    {"Read", "Glob", "Grep", "LS", "NotebookRead", "WebFetch", "WebSearch", "ToolSearch", "AskUserQuestion"}
)


def stricter(one: str, other: str) -> str:
    return max(one, other, key=STRICTNESS.index)
