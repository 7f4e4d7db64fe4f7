"""What is written about a rule of this project's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks import troubles
from vetgate.cli.config import current_root
from vetgate.cli.judge import configuration
from vetgate.config.load import defaults, with_pages
from vetgate.model import UserError

if TYPE_CHECKING:
    from vetgate.config.schema import Config, LineRule

_FAMILY = "security/"


def own_configuration() -> Config:
    """What this project says of its rules, whether or not anybody accepted it; a broken file leaves its pages."""
    try:
        return configuration(current_root(), None)
    except UserError:
        return with_pages(defaults(), current_root())


def own_rule_page(identity: str) -> str | None:
    config = own_configuration()
    name = identity.removeprefix(_FAMILY)
    page = next((page for page in config.security.pages if page.rule == name), None)
    if page is not None:
        left_out = [each for each in troubles(config) if each.startswith(f"{page.name}:")]
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
