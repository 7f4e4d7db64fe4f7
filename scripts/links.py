"""Links of our own pages that lead nowhere: a file that is not there, or a heading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)")
_BLOCK = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`[^`\n]*`")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def dead_links(top: Path) -> list[str]:
    pages = [*top.glob("*.md"), *top.glob("docs/**/*.md"), *top.glob("src/vetgate/checks/*.md")]
    return [
        f"{page.relative_to(top)}: {target}"
        for page in sorted(pages)
        for target in _LINK.findall(_SPAN.sub("", _BLOCK.sub("", page.read_text(encoding="utf-8"))))
        if not _leads_somewhere(page, target)
    ]


def _leads_somewhere(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    if "://" in path or path.startswith("mailto:"):
        return True
    place = page.parent / path if path else page
    if not anchor or place.suffix != ".md":
        return place.exists()
    return place.exists() and anchor in _anchors(place.read_text(encoding="utf-8"))


def _anchors(text: str) -> set[str]:
    """As GitHub names headings: lower case, spaces as dashes, and of the rest letters, digits, dashes, underscores."""
    titles = _HEADING.findall(_BLOCK.sub("", text))
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}
