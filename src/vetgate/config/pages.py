"""Pages with rules of a project's own, `.vetgate/checks/*.md`: read here, understood by the check they belong to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from vetgate.config.layers import ConfigPart, read_file
from vetgate.model import RULES_FOLDER, UserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOST_PAGES = 200
MOST_BYTES = 64 * 1024
_SUFFIX = ".md"
_FOR_PEOPLE = "readme.md"


class Page(NamedTuple):
    """`name` is its path from the root; `problem` says why there is no text."""

    name: str
    text: str
    problem: str = ""

    @property
    def rule(self) -> str:
        """The rule goes by the name of its page."""
        return self.name.rpartition("/")[2].removesuffix(_SUFFIX)


class PageFile(NamedTuple):
    """A page, and its bytes, which a person accepts."""

    page: Page
    part: ConfigPart


def identity(root: Path) -> tuple[tuple[object, ...], ...]:
    """Changes whenever a page does; next to nothing to ask for where there is none."""
    try:
        with os.scandir(f"{root}/{RULES_FOLDER}") as entries:
            return tuple(sorted(map(_state, entries), key=str))
    except OSError:
        return ()


def _state(entry: os.DirEntry[str]) -> tuple[object, ...]:
    try:
        status = entry.stat()
    except OSError:
        return (entry.name,)
    return entry.name, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def read_pages(root: Path) -> tuple[PageFile, ...]:
    """Every page, by name; one that cannot be read takes no other along."""
    names = page_names(root)
    return _so_many(names, [read_page(root / name, name) for name in names[:MOST_PAGES]])


def pages_from(reads: Callable[[str], bytes | None], names: list[str]) -> tuple[PageFile, ...]:
    """The same of pages that are not on disk, or not yet."""
    return _so_many(names, [_page(name, reads(name) or b"") for name in names[:MOST_PAGES]])


def _so_many(names: list[str], found: list[PageFile]) -> tuple[PageFile, ...]:
    if len(names) > MOST_PAGES:
        more = Page(names[MOST_PAGES], "", f"more than {MOST_PAGES} pages: this one and those after it are not read")
        found.append(PageFile(more, ConfigPart(more.name, b"")))
    return tuple(found)


def read_page(path: Path, name: str) -> PageFile:
    try:
        data = read_file(path, name)
    except UserError as error:
        return PageFile(Page(name, "", error.message.removeprefix(f"{name}:1:1: ")), ConfigPart(name, b""))
    return _page(name, data)


def _page(name: str, data: bytes) -> PageFile:
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return PageFile(Page(name, "", "is not UTF-8"), ConfigPart(name, data))
    too_large = f"is larger than {MOST_BYTES} bytes" if len(data) > MOST_BYTES else ""
    return PageFile(Page(name, "" if too_large else text, too_large), ConfigPart(name, data))


def page_names(root: Path) -> list[str]:
    try:
        found = sorted(os.listdir(f"{root}/{RULES_FOLDER}"))  # noqa: PTH208 - there is none almost everywhere; this asks cheapest
    except OSError:
        return []
    return [f"{RULES_FOLDER}/{name}" for name in found if is_page(name)]


def is_page(name: str) -> bool:
    return name.endswith(_SUFFIX) and name.lower() != _FOR_PEOPLE
