"""The pages of checks and rules: what the docs show, `vetgate explain` prints, and reports bring along."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks import all_checks, page_path, rule_page_path
from vetgate.checks.catalogue import by_category, languages_of, weaknesses_of
from vetgate.checks.security.user import user_rules
from vetgate.config.load import defaults, with_pages
from vetgate.model import UserError
from vetgate.service.configuration import Configurations
from vetgate.service.excerpt import rule_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.config.schema import Config, LineRule
    from vetgate.engine.check import Check, Rule

_SECTION = re.compile(r"^(?=## )", re.MULTILINE)
_BLOCK = re.compile(r"^```\w.*?^```\n?", re.DOTALL | re.MULTILINE)
_EXAMPLES = ("## Flags", "## Leaves alone")
_SHOWN = 3
_FAMILY = "security/"
_RULE_BLOCK = re.compile(r"\A.*?^```rule\n.*?^```\n", re.DOTALL | re.MULTILINE)


def page(check_id: str) -> str | None:
    return _read(page_path(check_id))


def own_page(check: Check, rule: Rule) -> str | None:
    """As it was written; None for a rule that shares its check's page."""
    return _read(rule_page_path(check, rule)) if rule.category else None


def page_about(identity: str, root: Path, *, raw: bool = False) -> str | None:
    """The page of a check or a rule, also of a project's own; `raw` as it was written."""
    for check in all_checks().values():
        if identity == check.id:
            text = page(check.id) or f"# {check.id}\n\n{check.summary}\n"
            return text if raw else text + overview(check)
        rule = next((each for each in check.rules if identity in {each.id, f"{check.id}/{each.id}"}), None)
        if rule:
            return (own_page(check, rule) if raw else None) or rule_text(check, rule)
    return _own_rule_page(identity, root)


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


def own_configuration(root: Path) -> Config:
    """What this project says of its rules, whether or not anybody accepted it; a broken file leaves its pages."""
    try:
        return Configurations().written(root)
    except UserError:
        return with_pages(defaults(), root)


def _own_rule_page(identity: str, root: Path) -> str | None:
    """What is written about a rule of this project's own."""
    config = own_configuration(root)
    name = identity.removeprefix(_FAMILY)
    page = next((page for page in config.security.pages if page.rule == name), None)
    if page is not None:
        left_out = [each.render({}) for each in user_rules(config.security).troubles if each.file == page.name]
        return _printable("\n\n".join([*(f"This rule is left out: {each}" for each in left_out), page.text]))
    rule = next((rule for rule in config.security.custom if rule.id == name), None)
    return _printable(_described(rule)) if rule else None


def _described(rule: LineRule) -> str:
    weakness = "".join(f" · CWE-{number}" for number in rule.cwe)
    parts = [f"# {_FAMILY}{rule.id}", rule.message, f"{rule.severity}{weakness} · lines that match `{rule.pattern}`"]
    return (
        "\n\n".join([*parts, *([f"Fix: {rule.fix}"] if rule.fix else []), "From vetgate.yaml: security.custom."]) + "\n"
    )


def _printable(text: str) -> str:
    """A page must not be able to move the cursor and show something else than what it says."""
    return "".join(
        char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text.expandtabs()
    )
