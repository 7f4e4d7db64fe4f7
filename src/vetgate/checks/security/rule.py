"""A rule as its page states it, looked up by the last name of a call, property, key or attribute; and all the pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from vetgate.checks.security.fenced_blocks import BadBlock, blocks
from vetgate.checks.security.guard_patterns import ALWAYS
from vetgate.checks.security.qualified_names import matches, tails
from vetgate.engine.check import Rule
from vetgate.expression import expression
from vetgate.model import UserError
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


FAMILIES = {
    "python": "python",
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "tsx": "ecmascript",
    "go": "go",
    "java": "java",
    "rust": "rust",
    "csharp": "csharp",
    "php": "php",
    "ruby": "ruby",
}
ANY = "*"
_LONGEST_KEPT = 120
_MOST_KEPT = 20_000  # paths whose rules are remembered; a project has a few thousand
PLACES = ("call", "assign", "key", "keyword", "attribute", "decorator", "compare", "operator", "returned", "defined")


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What must hold for one argument; every field that is given has to.

    `argument` is a position, a name, or several of either of which the first that is given counts; a name also finds a
    key of an object that is passed. `call`, as an argument, is the callee's own receiver, `callee` what is called
    itself; `index` is what stands between the brackets of an assignment's target; 0 and 1 are sides of a comparison.
    """

    argument: int | str | tuple[int | str, ...] | None = None
    tainted: bool | None = None
    constant: tuple[Any, ...] | None = None
    regex: str | None = None
    dynamic: bool | None = None
    missing: bool | None = None
    below: float | None = None
    path: tuple[str, ...] | None = None
    text: str | None = None
    length_below: int | None = None
    contains: Any = None
    mask: int | None = None
    written: str | None = None


class Pattern(Condition, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Exactly one of the places says where to look; the rest narrows it down.

    A place is a `call`, a value that is an `assign`ed to something, a `key` of an object, a `keyword` of a Python
    call, a JSX `attribute`, a `decorator`, one side of a `compare` or of an `operator` such as `%`,
    what is `returned` by a view, a function that is `defined`, or, for a project's own rules, a `line` that a regular
    expression matches.
    `nearby` and `unless_nearby` are looked for in the text of the function around.
    """

    languages: tuple[str, ...]
    call: tuple[str, ...] = ()
    assign: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    keyword: tuple[str, ...] = ()
    attribute: tuple[str, ...] = ()
    decorator: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    operator: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    defined: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    all: tuple[Condition, ...] = ()
    none: tuple[Condition, ...] = ()
    inside: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    context: str | None = None
    not_context: str | None = None
    nearby: str | None = None
    unless_nearby: str | None = None
    severity: str | None = None
    message: str | None = None
    fix: str | None = None

    def places(self) -> Iterable[tuple[str, str]]:
        """Kind of place and last name, for the table."""
        for kind in PLACES:
            for glob in getattr(self, kind):
                for tail in tails(glob):
                    yield kind, ANY if "*" in tail or kind == "compare" else tail


class SecurityRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`sources`, when given, are the paths that count as input; `request` among them stands for the usual ones.

    `parameters` and `local` say what a plain parameter, and what the program's own user gives, are worth.
    """

    id: str
    category: str
    severity: str
    message: str
    fix: str
    find: tuple[Pattern, ...]
    cwe: tuple[int, ...] = ()
    owasp: str = ""
    confidence: float = 0.9
    sanitizers: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    sources: tuple[str, ...] = ("request",)
    parameters: str = "off"
    local: str = "warning"
    summary: str = ""

    def accepted_guards(self) -> frozenset[str]:
        return ALWAYS | frozenset(self.guards)

    def described(self, languages: Iterable[str]) -> Rule:
        """As a check lists it."""
        return Rule(
            id=self.id,
            severity=Severity[self.severity.upper()],
            summary=self.summary[:1].upper() + self.summary[1:],
            category=self.category,
            cwe=self.cwe,
            owasp=self.owasp,
            confidence=self.confidence,
            languages=frozenset(languages),
        )


class TableRow(NamedTuple):
    rule: SecurityRule
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class RuleTable:
    """Rules of one language family by kind of place and last name."""

    rows: dict[tuple[str, str], tuple[TableRow, ...]]
    names: frozenset[str]
    _fitting: dict[tuple[str, str, str], tuple[TableRow, ...]] = field(default_factory=dict, repr=False, compare=False)

    def at(self, kind: str, name: str, path: str) -> tuple[TableRow, ...]:
        """Those whose place this is: `path` is what stands there; of a comparison the sides, one a line."""
        if len(path) > _LONGEST_KEPT or kind == "compare":
            return self._looked_up(kind, name, path)
        key = (kind, name, path)
        if key not in self._fitting:
            if len(self._fitting) >= _MOST_KEPT:
                self._fitting.clear()
            self._fitting[key] = self._looked_up(kind, name, path)
        return self._fitting[key]

    def named(self, kind: str, name: str) -> tuple[TableRow, ...]:
        """Those that may hold at a place of this name, whatever its path."""
        return (*self.rows.get((kind, name), ()), *self.rows.get((kind, ANY), ()))

    def _looked_up(self, kind: str, name: str, path: str) -> tuple[TableRow, ...]:
        paths = path.split("\n")
        return tuple(
            row
            for row in self.named(kind, name)
            if any(matches(each, getattr(row.pattern, kind)) for each in paths)
            and not matches(path, row.pattern.unless)
        )


def table(rules: Iterable[SecurityRule], family: str) -> RuleTable:
    rows: dict[tuple[str, str], list[TableRow]] = {}
    for rule in rules:
        for pattern in rule.find:
            if family in {FAMILIES.get(language) for language in pattern.languages}:
                row = TableRow(rule, pattern)
                for place in dict.fromkeys(pattern.places()):
                    rows.setdefault(place, []).append(row)
    return RuleTable({place: tuple(found) for place, found in rows.items()}, frozenset(name for _, name in rows))


# The first block of a page that is marked `rule` is the rule; the rest is for people and tests.
RULES = Path(__file__).with_name("rules")
_TITLE = expression(r"^# (?:[\w-]+: )?(.+)$", re.MULTILINE)


def rules_in(folder: Path) -> Iterator[SecurityRule]:
    for page in sorted(folder.rglob("*.md")):
        yield rule_of(page)


def rule_of(page: Path) -> SecurityRule:
    """Raises UserError with the page and the line for a block that is no rule."""
    text = page.read_text(encoding="utf-8")
    block = next((block for block in blocks(text) if block.kind == "rule"), None)
    if block is None:
        raise UserError(f"{page}:1: the page has no block marked `rule`", hint="begin it with ```rule")
    try:
        return block.read(SecurityRule, {"id": page.stem, "summary": title_of(text) or page.stem})
    except BadBlock as error:
        raise UserError(f"{page}:{error.line}: {error.message}") from error


def title_of(page: str) -> str:
    title = _TITLE.search(page)
    return title[1] if title else ""


COMPILED = Path(__file__).with_name("rules.json")


@cache
def rules() -> tuple[SecurityRule, ...]:
    if not COMPILED.exists():
        return tuple(rules_in(RULES))  # a work tree before its first build
    return msgspec.json.decode(COMPILED.read_bytes(), type=tuple[SecurityRule, ...])


@cache
def table_for(family: str) -> RuleTable:
    return table(rules(), family)
