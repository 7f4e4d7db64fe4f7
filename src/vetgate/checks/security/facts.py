"""What the engine has to know of a language beside its syntax: one table for each.

A language is plugged in by a lowering (see lowering.py) that names its facts, and by a line in rule.FAMILIES and in
families.py. JavaScript and Python have facts of their own in sources.py, frameworks.py, guards.py and propagation.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.checks.security.propagation import KEPT_PATHS, KEYED, NARROWS, PROPAGATES

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class LanguageFacts:
    """Paths as in paths.py: `net/http.Request().URL` is a member of something whose type is `Request`.

    `typed`: the path of a parameter or a variable is its declared type with `()` behind it.
    """

    remote: tuple[str, ...] = ()  # what starts with one of these paths was sent by somebody else
    sent: re.Pattern[str] | None = None  # and so was what such a path begins
    local: tuple[str, ...] = ()  # and these are given by the person who runs the program
    propagates: frozenset[str] = PROPAGATES  # last names of calls: what goes in, comes out
    kept_paths: frozenset[str] = KEPT_PATHS  # the same, where only the whole path says so
    keyed: frozenset[str] = KEYED  # looked up by the first argument, which does not come out
    narrows: frozenset[str] = NARROWS  # what comes out is a number, a truth value or a name of ours
    getters: re.Pattern[str] | None = None  # calls without arguments that give a part of their object
    still_text: frozenset[str] = frozenset()  # methods of a text that leave it as it is, or nearly so
    makes: tuple[str, ...] = ()  # paths of calls whose result is as constant as their arguments
    grows: frozenset[str] = frozenset()  # methods that add what they are given to their object
    fills: frozenset[str] = frozenset()  # calls that write what they read into an argument; see Lowering.filled
    brings: re.Pattern[str] | None = None  # a file without this has no input; calls in it need not be followed
    bare: bool = False  # a name alone calls the function of that name
    typed: bool = False
    narrow_types: re.Pattern[str] | None = None  # no text has such a type
    filled: re.Pattern[str] | None = None  # an annotation of a parameter that is filled with what was sent
    fields: re.Pattern[str] | None = None  # a declared field: its name as group `name`, its type as group `type`
    each: frozenset[str] = frozenset()  # calls that hand every element to a function; JavaScript has its own
    receiver: str = ""  # the role under which a method names its own object
    tests: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # as in admission.py, beside those there
    alone: bool = False  # those of admission.py are for other languages
    derives: re.Pattern[str] | None = None  # `\1` in it is the value: testing what is made so tests the value
    resolves: re.Pattern[str] | None = None  # takes `..` out of a path
    leaves: re.Pattern[str] | None = None  # a statement that never gets to what follows
    returns: frozenset[str] = frozenset({"return_statement"})
    cases: frozenset[str] = frozenset()  # branches that are entered when a value is one of a few
    loops: frozenset[str] = frozenset({"for_statement", "for_in_statement"})
    numbers: frozenset[str] = frozenset({"length", "size", "byteLength"})  # members that are no text


def below(owners: str, members: str) -> tuple[str, ...]:
    """Every member of every owner, both separated by spaces."""
    return tuple(f"{owner}.{member}" for owner in owners.split() for member in members.split())


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())
