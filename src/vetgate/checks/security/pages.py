"""A rule's page: its first fenced block, marked `rule`, is the rule; the rest is for people and for the tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import yaml

from vetgate.checks.security.rule import SecurityRule
from vetgate.model import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = Path(__file__).with_name("rules")
_BLOCK = re.compile(r"^```rule\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r"^# (?:[\w-]+: )?(.+)$", re.MULTILINE)


def rules_in(folder: Path) -> Iterator[SecurityRule]:
    for page in sorted(folder.rglob("*.md")):
        yield rule_of(page)


def rule_of(page: Path) -> SecurityRule:
    """Raises UserError with the page and the line for a block that is no rule."""
    text = page.read_text(encoding="utf-8")
    block = _BLOCK.search(text)
    if block is None:
        raise UserError(f"{page}:1: the page has no block marked `rule`", hint="begin it with ```rule")
    line = text.count("\n", 0, block.start(1)) + 1
    title = _TITLE.search(text)
    try:
        content = yaml.safe_load(block[1])
        if isinstance(content, dict):
            content = {"id": page.stem, "summary": title[1] if title else page.stem, **content}
        return msgspec.convert(content, SecurityRule)
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.line if error.problem_mark else 0
        raise UserError(f"{page}:{line + at}: {error.problem}") from error
    except msgspec.ValidationError as error:
        raise UserError(f"{page}:{line}: {error}") from error
