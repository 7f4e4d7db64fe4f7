"""CodeRabbit's remarks that have no thread of their own: collapsed sections in the body of a review.

A section says how many remarks it holds and has a collapsed part for each file, in which each remark begins with its
lines. What was counted and cannot be read is told, so that nobody takes what is left for all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TAG = expression(r"(?i)<(/?)details[^>]{0,200}>|<summary[^>]{0,200}>([^<]{0,500})</summary>|</?blockquote[^>]{0,200}>")
_SECTION = expression(r"(?i)([a-z][a-z ]{0,60}?) comments? \((\d{1,5})\)\s*$")
_FILE = expression(r"^\s*(\S.{0,400}?) \((\d{1,5})\)\s*$")
_REMARK = expression(r"(?m)^\s{0,3}`(\d{1,7})(?:\s?[-\u2013]\s?(\d{1,7}))?`\s*:?\s*")
_INLINE = expression(r"(?m)^\s{0,3}\*\*([^*\n]{1,400}?):(\d{1,7})(?:-(\d{1,7}))?\*\*\s*:?\s*")
_RULE = expression(r"(?m)^\s{0,3}-{3,}\s*$")
_QUOTED = expression(r"(?m)^>[ \t]?")
# Praise, not remarks.
_NOT_MEANT = frozenset({"additional"})


@dataclass(frozen=True, slots=True)
class Remark:
    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class CommentSection:
    """`count` is what its heading says."""

    kind: str
    count: int
    remarks: tuple[Remark, ...]


@dataclass
class _OpenTag:
    """A collapsed part that is being read."""

    title: str = ""
    start: int = 0


def sections(body: str) -> tuple[CommentSection, ...]:
    text = _QUOTED.sub("", body) if "\n>" in body or body.startswith(">") else body
    return tuple(_sections(text))


def _sections(text: str) -> Iterator[CommentSection]:
    parts = list(_parts(text))
    for depth, title, start, end in parts:
        heading = _SECTION.search(title)
        kind = heading[1].strip().lower() if heading else ""
        if heading is None or kind in _NOT_MEANT:
            continue
        inner = [each for each in parts if each[0] == depth + 1 and start <= each[2] and each[3] <= end]
        yield CommentSection(kind, int(heading[2]), tuple(_remarks(text[start:end], text, inner)))


def _remarks(whole: str, text: str, files: Sequence[tuple[int, str, int, int]]) -> Iterator[Remark]:
    named = [(found[1], text[start:end]) for _, title, start, end in files if (found := _FILE.match(title))]
    for path, content in named:
        starts = list(_REMARK.finditer(content))
        ends = [each.start() for each in starts[1:]] + [len(content)]
        for found, end in zip(starts, ends, strict=True):
            yield Remark(path, int(found[1]), _plain(content[found.end() : end]))
    if not named:
        starts = list(_INLINE.finditer(whole))
        ends = [each.start() for each in starts[1:]] + [len(whole)]
        for found, end in zip(starts, ends, strict=True):
            yield Remark(found[1], int(found[2]), _plain(whole[found.end() : end]))


def _plain(text: str) -> str:
    return _RULE.sub("", _TAG.sub(lambda found: found[2] or "", text)).strip()


def _parts(text: str) -> Iterator[tuple[int, str, int, int]]:
    """Each collapsed part: how deep it lies, its title, and where its content begins and ends."""
    stack: list[_OpenTag] = []
    for tag in _TAG.finditer(text):
        if tag[2] is not None:
            if stack and not stack[-1].title:
                stack[-1].title, stack[-1].start = tag[2].strip(), tag.end()
        elif tag[0].lower().startswith("<details"):
            stack.append(_OpenTag(start=tag.end()))
        elif tag[1] and stack:
            done = stack.pop()
            yield len(stack), done.title, done.start, tag.start()
    while stack:  # cut off: what is there is read all the same
        done = stack.pop()
        yield len(stack), done.title, done.start, len(text)
