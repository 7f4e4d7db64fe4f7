"""A page of a project's own: one `rule` block, or blocks in the words of ast-grep."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.security.fenced_blocks import BadBlock, FencedBlock, blocks
from vetgate.checks.security.rule import SecurityRule
from vetgate.checks.security.rule_pages import title_of
from vetgate.checks.security.user.structure import Structure, structure_of
from vetgate.checks.security.user.validation import complaints
from vetgate.config.keys import RULE_NAME

if TYPE_CHECKING:
    from vetgate.config.pages import Page

_SILENT = {"category": "custom", "severity": "warning", "fix": ""}


class PageRules(NamedTuple):
    """What one page brings."""

    rule: SecurityRule
    structures: tuple[Structure, ...] = ()


def own_rule(page: Page) -> PageRules:
    """Raises BadBlock."""
    if page.problem:
        raise BadBlock(1, page.problem)
    if not re.fullmatch(RULE_NAME, page.rule):
        raise BadBlock(1, "a page is called like its rule: lower-case letters, digits and -, and .md")
    found = blocks(page.text)
    written = [block for block in found if block.kind == "rule"]
    if not found:
        raise BadBlock(1, "the page has no block marked `rule` or `ast-grep`")
    if len(written) > 1 or (written and len(found) > 1):
        raise BadBlock(found[1].line - 1, "a page holds one `rule` block, or `ast-grep` blocks")
    if written:
        return PageRules(_checked(written[0], page))
    structures = tuple(structure_of(block, page.rule, title_of(page.text)) for block in found)
    return PageRules(structures[0].rule, structures)


def _checked(block: FencedBlock, page: Page) -> SecurityRule:
    given = _SILENT | {"id": page.rule, "summary": title_of(page.text) or page.rule}
    rule = block.read(SecurityRule, given)
    if rule.id != page.rule:
        raise BadBlock(block.line_of(["id"]), f"the rule is called like its page, {page.rule}, not {rule.id}")
    for path, message in complaints(rule):
        raise BadBlock(block.line_of(path), f"{_written(path)}: {message}")
    return rule


def _written(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
