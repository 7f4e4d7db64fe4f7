"""The rules, compiled.

rules.json is written from the pages (`python -m vetgate.checks.security.document --write`), so that a hook without a
daemon does not pay for reading a hundred of them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from vetgate.checks.security.rule import RuleTable, SecurityRule, table

COMPILED = Path(__file__).with_name("rules.json")


@cache
def rules() -> tuple[SecurityRule, ...]:
    if not COMPILED.exists():
        from vetgate.checks.security.rule_pages import RULES, rules_in  # noqa: PLC0415 - a work tree before its first build

        return tuple(rules_in(RULES))
    return msgspec.json.decode(COMPILED.read_bytes(), type=tuple[SecurityRule, ...])


@cache
def table_for(family: str) -> RuleTable:
    return table(rules(), family)
