"""The pages of checks and rules: what the docs show, `vetgate explain` prints, and reports bring along."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks import all_checks, page_path, rule_page_path
from vetgate.checks.catalogue import by_category, languages_of, weaknesses_of
from vetgate.service.excerpt import rule_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.engine.check import Check, Rule

_SECTION = re.compile(r"^(?=## )", re.MULTILINE)
_BLOCK = re.compile(r"^```\w.*?^```\n?", re.DOTALL | re.MULTILINE)
_EXAMPLES = ("## Flags", "## Leaves alone")
_SHOWN = 3
_RULE_BLOCK = re.compile(r"\A.*?^```rule\n.*?^```\n", re.DOTALL | re.MULTILINE)


def page(check_id: str) -> str | None:
    return _read(page_path(check_id))


def own_page(check: Check, rule: Rule) -> str | None:
    """As it was written; None for a rule that shares its check's page."""
    return _read(rule_page_path(check, rule)) if rule.category else None


def about(identity: str) -> str | None:
    """What is written of a rule, for people."""
    family, _, name = identity.partition("/")
    check = all_checks().get(family)
    rule = next((rule for rule in check.rules if rule.id == name), None) if check else None
    return rule_text(check, rule) if check and rule else None


def rule_text(check: Check, rule: Rule) -> str:
    """A rule's own page, or what the page of its check says about it."""
    own = own_page(check, rule)
    return _readable(check, rule, own) if own is not None else rule_page(check, rule, page(check.id) or "")


def _readable(check: Check, rule: Rule, written: str) -> str:
    """What its block tells the machine is said in a line, and few of the examples are shown."""
    told = _RULE_BLOCK.sub("", written, count=1).strip("\n")
    sections = (_in_short(each, f"{check.id}/{rule.id}") for each in _SECTION.split(told))
    return f"# {check.id}/{rule.id}\n\n{rule.summary}.\n\n{facts(check, rule)}\n\n{''.join(sections)}\n"


def _in_short(section: str, name: str) -> str:
    if not section.startswith(_EXAMPLES):
        return section
    ends = [found.end() for found in _BLOCK.finditer(section)]
    if len(ends) <= _SHOWN:
        return section
    return f"{section[: ends[_SHOWN - 1]]}\n{len(ends) - _SHOWN} more: `vetgate explain --raw {name}`.\n\n"


def facts(check: Check, rule: Rule) -> str:
    owasp = f"OWASP {rule.owasp}" if rule.owasp else ""
    return " · ".join(filter(None, (str(rule.severity), weaknesses_of(rule), owasp, languages_of(check, rule))))


def overview(check: Check) -> str:
    """The rules by category, as a part of a page; empty for a check whose rules have none."""
    return "\n".join(_tables(check))


def _tables(check: Check) -> Iterator[str]:
    for title, rules in by_category(check).items():
        if not title:
            continue
        yield f"\n## {title}\n"
        yield "| rule | severity | weakness | finds |\n|---|---|---|---|"
        for rule in rules:
            yield f"| `{check.id}/{rule.id}` | {rule.severity} | {weaknesses_of(rule)} | {rule.summary} |"


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return None
