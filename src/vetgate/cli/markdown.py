"""Pages for a terminal: the little Markdown they use, wrapped and highlighted."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_FENCE = re.compile(r"\s*(```|~~~)")
_ITEM = re.compile(r"(\s*(?:[-*+]|\d+\.)\s+)")
_CODE = re.compile(r"`([^`]+)`")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")


def rendered(page: str, width: int) -> str:
    return "\n".join(_lines(page, width)).strip("\n") + "\n"


def section(page: str, title: str) -> str | None:
    """The part of a page under a heading of that name, with the heading; None if there is none."""
    lines = page.splitlines()
    headings = list(_headings(lines))
    for at, (start, level, text) in enumerate(headings):
        if text == title:
            ends = (number for number, other, _ in headings[at + 1 :] if other <= level)
            return "\n".join(lines[start : next(ends, len(lines))]).rstrip() + "\n"
    return None


def _headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Line number, level and text of each."""
    fenced = False
    for number, line in enumerate(lines):
        fenced ^= bool(_FENCE.match(line))
        found = None if fenced else _HEADING.match(line)
        if found:
            yield number, len(found.group(1)), _plain(found.group(2))


def _plain(text: str) -> str:
    return text.strip().replace("`", "")


def _lines(page: str, width: int) -> Iterator[str]:
    fenced = False
    paragraph: list[str] = []
    for line in [*page.splitlines(), ""]:
        if _FENCE.match(line):
            yield from _wrapped(paragraph, width)
            paragraph = []
            fenced = not fenced
        elif fenced:
            yield click.style(f"    {line}", fg="cyan") if line else ""
        elif _stands_alone(line):
            yield from _wrapped(paragraph, width)
            paragraph = []
            yield _alone(line)
        elif _ITEM.match(line):
            yield from _wrapped(paragraph, width)
            paragraph = [line]
        else:
            paragraph.append(line)
    yield from _wrapped(paragraph, width)


def _stands_alone(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("|") or bool(_HEADING.match(line))


def _alone(line: str) -> str:
    found = _HEADING.match(line)
    if not found:
        return _inline(line)
    text = _plain(found.group(2))
    return click.style(text.upper() if len(found.group(1)) == 1 else text, bold=True)


def _wrapped(paragraph: list[str], width: int) -> Iterator[str]:
    if not paragraph:
        return
    item = _ITEM.match(paragraph[0])
    lead = item.group(1) if item else ""
    text = " ".join(line.strip() for line in paragraph)[len(lead.strip()) :].strip()
    wrapped = textwrap.wrap(
        text,
        width,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield from map(_inline, wrapped)


def _inline(line: str) -> str:
    line = _BOLD.sub(lambda found: click.style(found.group(1), bold=True), line)
    return _CODE.sub(lambda found: click.style(found.group(1), fg="cyan"), line)
