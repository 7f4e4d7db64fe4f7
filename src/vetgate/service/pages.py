"""The pages of checks and rules: what the docs show, `vetgate explain` prints, and reports bring along."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks import all_checks, page_path, rule_page_path
from vetgate.checks.catalogue import by_category, languages_of, weaknesses_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.engine.check import Check, Rule
    from vetgate.judges.judge import Judge

HEADING = re.compile(r"(#{1,6})\s+(.*)")
FENCE = re.compile(r"\s*(```|~~~)")
_FENCED = "```"
_CELL_END = re.compile(r"(?<!\\)\|")
_FIX_SECTION = "How to fix it"
_SECTION = re.compile(r"^(?=## )", re.MULTILINE)
_BLOCK = re.compile(r"^```\w.*?^```\n?", re.DOTALL | re.MULTILINE)
# Three examples in all tell most people enough.
_EXAMPLES = {"## Flags": 2, "## Leaves alone": 1}
_FEW = 3
_RULE_BLOCK = re.compile(r"\A.*?^```rule\n.*?^```\n", re.DOTALL | re.MULTILINE)


def page(check_id: str) -> str | None:
    return _read(page_path(check_id))


def own_page(check: Check, rule: Rule) -> str | None:
    """As it was written; None for a rule that shares its check's page."""
    return _read(rule_page_path(check, rule)) if rule.category else None


def about(identity: str) -> str | None:
    """What is written of a rule, for people."""
    family, _, name = identity.partition("/")
    check = all_checks().get(family)
    rule = next((rule for rule in check.rules if rule.id == name), None) if check else None
    return rule_text(check, rule) if check and rule else None


def judge_page(judge: Judge, *, raw: bool = False) -> str:
    """What its front matter tells the machine is said in a line, and its examples are left to `raw`."""
    written = judge.page.read_text(encoding="utf-8")
    if raw:
        return written
    told = written.split("---\n", 2)[2].partition("\n## Examples")[0].strip("\n")
    events = ", ".join(sorted(judge.events))
    facts = (
        f"A judge: it asks the model `{judge.tier}` unless its gate names others, blocks at {judge.block_at}; {events}."
    )
    return f"{told}\n\n## Facts\n\n{facts} Examples: `vetgate explain --raw {judge.id}`.\n"


def rule_text(check: Check, rule: Rule, *, examples: bool = False) -> str:
    """A rule's own page, or what the page of its check says about it; a few examples, or all of them."""
    own = own_page(check, rule)
    if own is None:
        return rule_page(check, rule, page(check.id) or "", examples=examples)
    return _readable(check, rule, own, examples=examples)


def _readable(check: Check, rule: Rule, written: str, *, examples: bool) -> str:
    """What its block tells the machine is said in a line."""
    name = f"{check.id}/{rule.id}"
    told = _RULE_BLOCK.sub("", written, count=1).strip("\n")
    shown = told if examples else in_short(told, name)
    return f"# {name}\n\n{rule.summary}.\n\n{facts(check, rule)}\n\n{shown}\n"


def in_short(written: str, name: str) -> str:
    """A page with a few of its examples, and how to see the others."""
    return "".join(_section_in_short(each, name) for each in _SECTION.split(written))


def _section_in_short(section: str, name: str) -> str:
    most = next((number for heading, number in _EXAMPLES.items() if section.startswith(heading)), 0)
    ends = [found.end() for found in _BLOCK.finditer(section)]
    if not most or len(ends) <= most:
        return section
    return f"{section[: ends[most - 1]]}\n{len(ends) - most} more: `vetgate explain --examples {name}`.\n\n"


def facts(check: Check, rule: Rule) -> str:
    owasp = f"OWASP {rule.owasp}" if rule.owasp else ""
    return " · ".join(filter(None, (str(rule.severity), weaknesses_of(rule), owasp, languages_of(check, rule))))


def overview(check: Check) -> str:
    """The rules by category, as a part of a page; empty for a check whose rules have none."""
    return "\n".join(_tables(check))


def _tables(check: Check) -> Iterator[str]:
    for title, rules in by_category(check).items():
        if not title:
            continue
        yield f"\n## {title}\n"
        yield "| rule | severity | weakness | finds |\n|---|---|---|---|"
        for rule in rules:
            yield f"| `{check.id}/{rule.id}` | {rule.severity} | {weaknesses_of(rule)} | {rule.summary} |"


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return None


def rule_page(check: Check, rule: Rule, page: str, *, examples: bool = False) -> str:
    own = section(page, f"{check.id}/{rule.id}") or section(page, rule.id.replace("-", " "))
    about = Excerpt(check.id, rule.id)
    items = list(about.items(page))
    parts = [f"# {check.id}/{rule.id}", rule.summary, *about.rows(page), *items]
    # What a rule has no words of its own for is said of all of them.
    parts += filter(None, [own or ("" if items else section(page, _FIX_SECTION))])
    there = list(about.examples(page))
    shown = there if examples else there[:_FEW]
    parts += shown
    if len(there) > len(shown):
        parts.append(f"{len(there) - len(shown)} more: `vetgate explain --examples {check.id}/{rule.id}`.")
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
        if block or line.startswith(_FENCED):
            block.append(line)
        if len(block) > 1 and line.startswith(_FENCED):
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
