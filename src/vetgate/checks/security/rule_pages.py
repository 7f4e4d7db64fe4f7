"""The rules, compiled, and their pages: the first block marked `rule` is the rule; the rest is for people and tests."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vetgate.checks.security.fenced_blocks import BadBlock, blocks
from vetgate.checks.security.rule import RuleTable, SecurityRule, table
from vetgate.expression import expression
from vetgate.model import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

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
