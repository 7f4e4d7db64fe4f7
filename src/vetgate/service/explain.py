"""What is written of a check, a rule or a judge, also of a rule of a project's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks import all_checks, checks_under, known_names
from vetgate.checks.catalogue import by_category, weaknesses_of
from vetgate.checks.security.user import user_rules
from vetgate.config.load import defaults, with_pages
from vetgate.config.models import judge_names
from vetgate.judges import all_judges
from vetgate.model import UserError
from vetgate.progress import Progress, unseen
from vetgate.service.configuration import Configurations
from vetgate.service.decisions import decisions_like
from vetgate.service.finding_filter import look_up, rules_about
from vetgate.service.pages import in_short, judge_page, overview, own_page, page, rule_text
from vetgate.service.safe_text import without_controls

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from vetgate.config.schema import Config, LineRule
    from vetgate.engine.check import Check, Rule
    from vetgate.judges.judge import Judge

_FAMILY = "security/"


def page_about(identity: str, root: Path, *, raw: bool = False, examples: bool = False) -> str | None:
    """The page of a check, a rule or a judge, also of a project's own rule; `raw` as it was written.

    Of their `examples` a few are shown, unless all are wanted.
    """
    for check in all_checks().values():
        if identity == check.id:
            return _check_page(check, raw=raw, examples=examples)
        rule = next((each for each in check.rules if identity in {each.id, f"{check.id}/{each.id}"}), None)
        if rule:
            return (own_page(check, rule) if raw else None) or rule_text(check, rule, examples=examples)
    if identity in all_judges():
        return judge_page(all_judges()[identity], raw=raw)
    return _own_rule_page(identity, root) or _page_about_weakness(identity, examples=examples)


def _check_page(check: Check, *, raw: bool, examples: bool) -> str:
    text = page(check.id) or f"# {check.id}\n\n{check.summary}\n"
    if raw:
        return text
    return (text if examples else in_short(text, check.id)) + overview(check)


def page_about_finding(what: str, root: Path, cwd: Path, progress: Progress = unseen) -> str | None:
    """What is found at a place (`app.py:12`) or has a fingerprint, and the page of its rule."""
    found = look_up(what, root, cwd, progress, suppressed=True)
    if found is None:
        return None
    allowed = f"It does not block: {found.suppression.reason}." if found.suppression else ""
    told = "\n\n".join(filter(None, (found.message, f"Fix: {found.fix}" if found.fix else "", allowed)))
    where = f"{found.span.path}:{found.span.line}"
    return _shown(f"**{where}**\n\n{told}\n\n") + (page_about(found.id, root) or "")


def _page_about_weakness(words: str, *, examples: bool) -> str | None:
    """The page of the only rule about it; the rules, where there are several."""
    found = rules_about(words)
    if not found:
        return None
    if len(found) == 1:
        return rule_text(*found[0], examples=examples)
    rows = [
        f"| `{check.id}/{rule.id}` | {rule.severity} | {weaknesses_of(rule)} | {rule.summary} |"
        for check, rule in found
    ]
    head = "| rule | severity | weakness | finds |\n|---|---|---|---|"
    first = f"{found[0][0].id}/{found[0][1].id}"
    return "\n".join([f"# {_shown(words)}\n", head, *rows, f"\n`vetgate explain {first}` shows the first one.\n"])


def listed(root: Path) -> Iterator[tuple[Check, Mapping[str, tuple[Rule, ...]]]]:
    """All checks, with their rules by category, those of this project's own among them."""
    return ((check, by_category(check)) for check in checks_under(_own_configuration(root)).values())


def listed_judges() -> Iterator[Judge]:
    return iter(all_judges().values())


def names_like(root: Path, prefix: str) -> list[str]:
    """What begins like this and can be explained: checks, rules, judges, recorded decisions."""
    names = known_names()
    known = dict.fromkeys((*names, *(name.rpartition("/")[2] for name in names), *sorted(judge_names())))
    return [name for name in (*known, *decisions_like(root, prefix or "d")) if name.startswith(prefix)]


def _own_configuration(root: Path) -> Config:
    """What this project says of its rules, whether or not anybody accepted it; a broken file leaves its pages."""
    try:
        return Configurations().written(root)
    except UserError:
        return with_pages(defaults(), root)


def _own_rule_page(identity: str, root: Path) -> str | None:
    """What is written about a rule of this project's own."""
    config = _own_configuration(root)
    name = identity.removeprefix(_FAMILY)
    written = next((each for each in config.security.pages if each.rule == name), None)
    if written is not None:
        left_out = [each.render({}) for each in user_rules(config.security).troubles if each.file == written.name]
        return _shown("\n\n".join([*(f"This rule is left out: {each}" for each in left_out), written.text]))
    rule = next((rule for rule in config.security.custom if rule.id == name), None)
    return _shown(_described(rule)) if rule else None


def _described(rule: LineRule) -> str:
    weakness = "".join(f" · CWE-{number}" for number in rule.cwe)
    parts = [f"# {_FAMILY}{rule.id}", rule.message, f"{rule.severity}{weakness} · lines that match `{rule.pattern}`"]
    return (
        "\n\n".join([*parts, *([f"Fix: {rule.fix}"] if rule.fix else []), "From vetgate.yaml: security.custom."]) + "\n"
    )


def _shown(text: str) -> str:
    return without_controls(text.expandtabs(), kept="\n")
