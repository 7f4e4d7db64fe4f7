"""What a check's own failure means, in one table that every tier reads.

Stdlib-free on purpose: the last tier (core.py) imports it when nothing else can be.
"""

OPEN = "open"  # the call passes, the file is marked unverified, `stop` and `commit` hold until it was checked
ASK = "ask"  # a person decides; without one the client refuses
CLOSED = "closed"  # the call does not happen

# The checks of this build, by `python -m vetgate.checks.document --write`: who reads it may not be able to ask them.
FAILS: dict[str, str] = {
    "complexity": OPEN,
    "security": OPEN,
    "hidden-text": OPEN,
    "secrets": CLOSED,
    "silenced-tool": OPEN,
    "weakened-test": OPEN,
    "imports": OPEN,
    "duplicates": OPEN,
    "contracts": OPEN,
    "types": OPEN,
    "naming": OPEN,
    "protected-file": CLOSED,
    "unsafe-command": CLOSED,
}
# Of each of these core.py carries out the little that needs nothing else: an edit without any of it is not held up.
IN_LAST_TIER = frozenset({"secrets", "protected-file", "unsafe-command"})
# A finding of these can be waived by its fingerprint and where it stands, never by a rule.
WAIVED_SINGLY = frozenset({"secrets"})
# Configuration can only move a check to the right.
STRICTNESS = (OPEN, ASK, CLOSED)


def fails_closed(check: str) -> bool:
    return FAILS.get(check) == CLOSED


def stricter(one: str, other: str) -> str:
    return max(one, other, key=STRICTNESS.index)


# What of ours can break. `allow`: the change passes and the file is unverified; `ask`: a person decides; `deny`: it
# does not happen. A check that fails closed does so whatever stands here: `on_failure` can only be stricter than it.
FALLBACKS: dict[str, str] = {
    "config": "allow",  # the last good version is in force; without one a person is asked
    "parse": "allow",
    "analysis": "allow",
    "timeout": "allow",
    "model": "allow",
    "test": "ask",
    "filesystem": "allow",
}
ANSWERS = ("allow", "ask", "deny")

# Whether trying again may help, and what a person can do.
ADVICE: dict[str, tuple[bool, str]] = {
    "config": (True, "fix vetgate.yaml; `vetgate config show` says what is wrong and what is in force"),
    "parse": (True, "it is checked again as soon as it can be read as code; `paths.exclude` leaves it out for good"),
    "analysis": (False, "this is a bug of vetgate, not of the code; `vetgate doctor` says more"),
    "timeout": (True, "it is checked again when the turn ends; smaller files and changes are quicker"),
    "model": (True, "the other checks have run; `vetgate doctor` says whether the model can be reached"),
    "test": (True, "run the command of the gate by hand and see what it says"),
    "filesystem": (True, "check its owner, its permissions and whether it exists"),
}


def advice(kind: str) -> str:
    recoverable, what = ADVICE[kind]
    return f"{'It can be tried again: ' if recoverable else 'Trying again will not help: '}{what}."
