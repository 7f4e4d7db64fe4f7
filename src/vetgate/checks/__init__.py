"""The checks, found by walking this package: a module with a `CHECK` and a page of the same name beside it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, Rule
    from vetgate.severity import Severity

_HERE = Path(__file__).parent


@cache
def all_checks() -> Mapping[str, Check]:
    found = {}
    for module in pkgutil.iter_modules([str(_HERE)], "vetgate.checks."):
        check: Check | None = getattr(importlib.import_module(module.name), "CHECK", None)
        if check is not None:
            found[check.id] = check
    return found


def checks_under(config: Config) -> Mapping[str, Check]:
    """The checks with what a configuration adds to them."""
    return {name: check.configured_by(config) for name, check in all_checks().items()}


def known_names() -> dict[str, Severity | None]:
    """Every family and rule that a configuration may name, a rule with its own severity."""
    found: dict[str, Severity | None] = {}
    for check in all_checks().values():
        found[check.id] = None
        found |= {f"{check.id}/{rule.id}": rule.severity for rule in check.rules}
    return found


def troubles(config: Config) -> tuple[str, ...]:
    """Rules of the project's own that are left out, each with its file and line."""
    if not config.security:
        return ()
    from vetgate.checks.security.user import user_rules  # noqa: PLC0415 - few projects have rules of their own

    places = dict(config.security.places)
    return tuple(trouble.render(places) for trouble in user_rules(config.security).troubles)


def page_path(check_id: str) -> Path:
    return _HERE / f"{_module(check_id)}.md"


def rule_page_path(check: Check, rule: Rule) -> Path:
    """Where a rule has its own page, should it have one."""
    return _HERE / _module(check.id) / "rules" / rule.category / f"{rule.id}.md"


def _module(check_id: str) -> str:
    return check_id.replace("-", "_")
