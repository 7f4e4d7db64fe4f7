"""What a check's page says about one of its rules: its own section, or else every part of the page that names it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.cli.markdown import cells, section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.engine.check import Check, Rule

_FENCE = "```"
_HEADING = re.compile(r"#{1,6}\s")
_MENDING = "How to mend it"
_EXAMPLES = 6


def rule_page(check: Check, rule: Rule, page: str) -> str:
    own = section(page, f"{check.id}/{rule.id}") or section(page, rule.id.replace("-", " "))
    about = Excerpt(check.id, rule.id)
    items = list(about.items(page))
    parts = [f"# {check.id}/{rule.id}", rule.summary, *about.rows(page), *items]
    # What a rule has no words of its own for is said of all of them.
    parts += filter(None, [own or ("" if items else section(page, _MENDING))])
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
            if _HEADING.match(line):
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
        if not block and _HEADING.match(line):
            heading = line
        if block or line.startswith(_FENCE):
            block.append(line)
        if len(block) > 1 and line.startswith(_FENCE):
            yield heading, "\n".join(block)
            block = []


def _until_next(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith(" "):
            return
        yield line
