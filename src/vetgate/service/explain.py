"""What is written of a check or a rule, also of a rule of a project's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks import all_checks
from vetgate.checks.security.user import user_rules
from vetgate.config.load import defaults, with_pages
from vetgate.model import UserError
from vetgate.service.configuration import Configurations
from vetgate.service.pages import overview, own_page, page, rule_text

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.schema import Config, LineRule

_FAMILY = "security/"


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
    written = next((each for each in config.security.pages if each.rule == name), None)
    if written is not None:
        left_out = [each.render({}) for each in user_rules(config.security).troubles if each.file == written.name]
        return _printable("\n\n".join([*(f"This rule is left out: {each}" for each in left_out), written.text]))
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
