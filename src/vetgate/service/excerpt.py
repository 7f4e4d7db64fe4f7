"""What a check's page says about one of its rules: its own section, or else every part of the page that names it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.engine.check import Check, Rule

HEADING = re.compile(r"(#{1,6})\s+(.*)")
FENCE = re.compile(r"\s*(```|~~~)")
_BLOCK = "```"
_CELL_END = re.compile(r"(?<!\\)\|")
_FIX_SECTION = "How to mend it"
_EXAMPLES = 6


def rule_page(check: Check, rule: Rule, page: str) -> str:
    own = section(page, f"{check.id}/{rule.id}") or section(page, rule.id.replace("-", " "))
    about = Excerpt(check.id, rule.id)
    items = list(about.items(page))
    parts = [f"# {check.id}/{rule.id}", rule.summary, *about.rows(page), *items]
    # What a rule has no words of its own for is said of all of them.
    parts += filter(None, [own or ("" if items else section(page, _FIX_SECTION))])
    examples = list(about.examples(page))
    parts += examples[:_EXAMPLES]
    if examples[_EXAMPLES:]:
        parts.append(f"More examples: `vetgate explain {check.id}`.")
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


class Excerpt:
    def __init__(self, family: str, rule: str) -> None:
        self.rule, self.id = rule, f"{family}/{rule}"
        self.option = f"{family}.{rule}="
        self.item = re.compile(rf"[-*] \*\*{re.escape(rule)}\*\*", re.IGNORECASE)

    def rows(self, page: str) -> Iterator[str]:
        """The rule's line of the table of rules, as a table of its own."""
        head: list[str] = []
        for line in page.splitlines():
            if not line.startswith("|"):
                head = []
                continue
            head.append(line)
            if self.id in cells(line)[0] or cells(line)[0] == f"`{self.rule}`":
                yield "\n".join([*head[:2], line])
                return

    def items(self, page: str) -> Iterator[str]:
        """Items of lists that begin with the rule's name, each list under its heading."""
        heading, found = "", []
        lines = page.splitlines()
        for at, line in enumerate(lines):
            if HEADING.match(line):
                heading = line
            elif self.item.match(line):
                rest = _until_next(lines[at + 1 :])
                found.append("\n\n".join([heading, "\n".join([line, *rest])]))
        yield from found

    def examples(self, page: str) -> Iterator[str]:
        """Pieces of code that the rule finds, or that are written for its limit; each under its heading."""
        told = ""
        for heading, block in _blocks(page):
            if self.option in block.partition("\n")[0] or self.id in block:
                yield block if told == heading else f"{heading}\n\n{block}"
                told = heading


def _blocks(page: str) -> Iterator[tuple[str, str]]:
    """Every piece of fenced code, with the heading it stands under."""
    heading = ""
    block: list[str] = []
    for line in page.splitlines():
        if not block and HEADING.match(line):
            heading = line
        if block or line.startswith(_BLOCK):
            block.append(line)
        if len(block) > 1 and line.startswith(_BLOCK):
            yield heading, "\n".join(block)
            block = []


def _until_next(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith(" "):
            return
        yield line


def section(page: str, title: str) -> str | None:
    """The part of a page under a heading of that name, with the heading; None if there is none."""
    lines = page.splitlines()
    headings = list(_headings(lines))
    for at, (start, level, text) in enumerate(headings):
        if text.lower() == title.lower():
            ends = (number for number, other, _ in headings[at + 1 :] if other <= level)
            return "\n".join(lines[start : next(ends, len(lines))]).rstrip() + "\n"
    return None


def _headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Line number, level and text of each."""
    fenced = False
    for number, line in enumerate(lines):
        fenced ^= bool(FENCE.match(line))
        found = None if fenced else HEADING.match(line)
        if found:
            yield number, len(found.group(1)), plain_heading(found.group(2))


def plain_heading(text: str) -> str:
    return text.strip().replace("`", "")


def cells(row: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(row.strip().strip("|"))]
