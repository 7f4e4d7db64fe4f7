"""Pages for a terminal: the little Markdown they use, wrapped and highlighted."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

import click

from vetgate.service.pages import FENCE, HEADING, cells, plain_heading

if TYPE_CHECKING:
    from collections.abc import Iterator

_ITEM = re.compile(r"(\s*(?:[-*+]|\d+\.)\s+)")
_CODE = re.compile(r"`([^`]+)`")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_LIMIT = re.compile(r"(\w+\.\w+)=(\d+)")
_RULER = re.compile(r"\|?[\s:|-]+\|?")
_NO_BREAK = "\x00"


def rendered(page: str, width: int) -> str:
    return "\n".join(_lines(page, width)).strip("\n") + "\n"


def _lines(page: str, width: int) -> Iterator[str]:
    fenced = False
    paragraph: list[str] = []
    for line in [*page.splitlines(), ""]:
        if FENCE.match(line):
            yield from _block(paragraph, width)
            paragraph = []
            fenced = not fenced
            yield from _limits(line)
        elif fenced:
            yield click.style(f"    {line}", fg="cyan") if line else ""
        elif not line.strip() or HEADING.match(line):
            yield from _block(paragraph, width)
            paragraph = []
            yield _own_line(line)
        elif paragraph and _begins(line, paragraph[0]):
            yield from _block(paragraph, width)
            paragraph = [line]
        else:
            paragraph.append(line)
    yield from _block(paragraph, width)


def _begins(line: str, first: str) -> bool:
    """Whether the line is no part of the paragraph that began with `first`."""
    return bool(_ITEM.match(line)) or _is_row(line) != _is_row(first)


def _limits(fence: str) -> Iterator[str]:
    """An example may be meant for other limits than the usual; its fence says so: ```go complexity.cognitive=5."""
    told = [f"{key}: {value}" for key, value in _LIMIT.findall(fence)]
    if told:
        yield click.style(f"    with {', '.join(told)}", dim=True)


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _own_line(line: str) -> str:
    found = HEADING.match(line)
    if not found:
        return line
    text = plain_heading(found.group(2))
    return click.style(text.upper() if len(found.group(1)) == 1 else text, bold=True)


def _block(lines: list[str], width: int) -> Iterator[str]:
    if lines and _is_row(lines[0]):
        yield from _table(lines)
    else:
        yield from _wrapped(lines, width)


def _table(lines: list[str]) -> Iterator[str]:
    rows = [[_inline(cell) for cell in cells(line)] for line in lines if not _RULER.fullmatch(line.strip())]
    columns = max(map(len, rows))
    widths = [max(_width(row[at]) for row in rows if at < len(row)) for at in range(columns)]
    for number, row in enumerate(rows):
        padded = (cell + " " * (wide - _width(cell)) for cell, wide in zip(row, widths, strict=False))
        yield "  ".join(padded).rstrip()
        if number == 0 and len(rows) < len(lines):
            yield "  ".join("-" * wide for wide in widths)


def _width(styled: str) -> int:
    return len(click.unstyle(styled))


def _wrapped(paragraph: list[str], width: int) -> Iterator[str]:
    if not paragraph:
        return
    item = _ITEM.match(paragraph[0])
    lead = item.group(1) if item else ""
    text = " ".join(line.strip() for line in paragraph)[len(lead.strip()) :].strip()
    # Code stays on one line, and every word of a bold passage is bold by itself, so that no mark is cut in two.
    text = _CODE.sub(lambda found: found.group(0).replace(" ", _NO_BREAK), text)
    text = _BOLD.sub(lambda found: " ".join(f"**{word}**" for word in found.group(1).split()), text)
    wrapped = textwrap.wrap(
        text,
        width,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield from (_inline(line).replace(_NO_BREAK, " ") for line in wrapped)


def _inline(line: str) -> str:
    line = _BOLD.sub(lambda found: click.style(found.group(1), bold=True), line)
    return _CODE.sub(lambda found: click.style(found.group(1), fg="cyan"), line)
