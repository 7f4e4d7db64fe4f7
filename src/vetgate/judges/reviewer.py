"""A review of a whole change, as an experienced colleague would do it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.judgement import Part, Tier
from vetgate.judges import pieces, presets
from vetgate.judges.judge import Judge, section
from vetgate.judges.prompt import GROUND_RULES
from vetgate.model import EventKind
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.judges.judge import Context
    from vetgate.judges.review_context import ReviewContext

REFUTATION_TOKENS = 512


def _parts(context: Context) -> tuple[Part, ...] | None:
    change = context.event.change or context.change
    if change is None or not change.files:
        return None
    # What stays the same from question to question comes first: it can be cached.
    before = tuple(_background(context.review)) if context.review else ()
    after = tuple(_related(context.review)) if context.review else ()
    return *pieces.rules(context), *before, pieces.said(context), pieces.change(context), *after


def _background(review: ReviewContext) -> Iterator[Part]:
    if review.stack:
        yield Part("What the project is made of", review.stack)
    if review.specs:
        texts = [f"{path}\n{pieces.quoted(text)}" for path, text in review.specs]
        yield Part("Specifications that match the branch", "\n\n".join(texts))
    if review.commits:
        yield Part("The latest commits, newest first", "\n".join(map(pieces.quoted, review.commits)))
    if review.beside:
        yield Part("Files in the folders of the change", "\n".join(review.beside))


def _related(review: ReviewContext) -> Iterator[Part]:
    if review.related:
        label = "Code around the change and code that calls it, with line numbers"
        yield Part(label, "\n\n".join(map(str, review.related)))
    files, lines = review.left_out
    if files or lines:
        yield Part("What is not shown here", f"[… {lines} lines omitted …] of {files} other files of the same change")


def refutation_instructions() -> str:
    """Of the second, short question about one finding."""
    return f"{GROUND_RULES}\n\n{section(JUDGE.page, 'Refutation')}"


JUDGE = Judge(
    "reviewer",
    "Reviews a change for defects that no check can see.",
    Tier.OPUS,
    frozenset({EventKind.REVIEW, EventKind.COMMIT, EventKind.STOP, EventKind.BEFORE_EDIT}),
    presets.REVIEW,
    _parts,
    most_tokens=4096,
    block_at=Severity.CRITICAL,
    wants_rules=True,
    reviews=True,
)
