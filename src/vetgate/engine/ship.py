"""Whether exactly this content may leave, by what is on record: values in, a verdict with its reasons out."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vetgate.config.glob import PathFilter
from vetgate.model import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_NAMED = 3
_SHORT = 10


class ShipReason(enum.StrEnum):
    """Why nothing may leave."""

    NO_REVIEW = "no-review"
    STALE = "stale"
    FAILED = "failed"
    NOT_RUN = "not-run"
    CORRUPTED = "corrupted"
    BLOCKER = "blocker"
    UNKNOWN = "unknown"


class ShipHold(NamedTuple):
    """`command` is what would undo it, where that is more than its kind says."""

    kind: ShipReason
    text: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class ShipVerdict:
    """It `is_stale` where any loop is, whether that holds it back or not."""

    allowed: bool
    reasons: tuple[ShipHold, ...] = ()
    notes: tuple[str, ...] = ()
    is_stale: bool = False


@dataclass(frozen=True, slots=True)
class AskedLoop:
    """A loop as it is configured now.

    `inputs` names the content that it would look at, once for each commit that this may be compared with. What others
    did not answer may be skipped, but not where it `must_run`.
    """

    name: str
    rules: str
    inputs: frozenset[str]
    blocks: bool = True
    must_run: bool = True
    globs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedContent:
    """What would leave: `what` in words, its tree, the commit it is compared with, and what differs from that.

    `changed` has the content of each file that differs, "" for one that is gone. `fork_words` say more of the commit,
    and `review_command` how to compare with it where a review would not do that by itself.
    """

    what: str
    tree: str
    fork: str
    loops: tuple[AskedLoop, ...]
    changed: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    fork_words: str = ""
    review_command: str = ""


@dataclass(frozen=True, slots=True)
class PastLoop:
    """What a loop came to: on which content, under which rules, why nothing may leave, and what did not run."""

    name: str
    status: str
    inputs: str
    rules: str
    blockers: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PastReview:
    """A review as it is on record, and the version of vetgate that made it."""

    tree: str
    base: str
    fork: str
    loops: tuple[PastLoop, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    version: str = ""


@dataclass(frozen=True, slots=True)
class ShipRecord:
    """`reviews` are newest first. `damage` says what was done to the record, `override` why a person let it pass."""

    reviews: tuple[PastReview, ...] = ()
    damage: str = ""
    override: str = ""


def ship_verdict(asked: AskedContent, record: ShipRecord) -> ShipVerdict:
    """Every loop needs a result for exactly this content under exactly these rules; the newest one counts."""
    if record.override:
        return ShipVerdict(allowed=True, notes=(record.override,))
    if record.damage:
        return _blocked(ShipHold(ShipReason.CORRUPTED, f"the record of reviews cannot be trusted: {record.damage}"))
    if not asked.loops:
        return _blocked(ShipHold(ShipReason.NO_REVIEW, "no review loops are configured"))
    if not record.reviews:
        return _blocked(ShipHold(ShipReason.NO_REVIEW, f"no review of {asked.what} is on record"))
    said = [(loop, remark) for loop in asked.loops for remark in _about(loop, asked, record.reviews)]
    # The same once: where all loops are stale for one edit, that is one reason.
    holds = tuple(dict.fromkeys(each for loop, each in said if loop.blocks and isinstance(each, ShipHold)))
    others = (each for loop, each in said if each not in holds)
    notes = dict.fromkeys(each if isinstance(each, str) else f"{each.text} (it does not block)" for each in others)
    if not holds and not any(_answered(loop, record.reviews) for loop in asked.loops):
        holds = (ShipHold(ShipReason.NOT_RUN, f"no gate of the review of {asked.what} could run"),)
    is_stale = any(isinstance(each, ShipHold) and each.kind is ShipReason.STALE for _, each in said)
    return ShipVerdict(not holds, holds, tuple(notes), is_stale)


def unknown(why: str) -> ShipVerdict:
    """Nobody can tell what would leave."""
    return _blocked(ShipHold(ShipReason.UNKNOWN, why))


def _blocked(reason: ShipHold) -> ShipVerdict:
    return ShipVerdict(allowed=False, reasons=(reason,))


def _answered(loop: AskedLoop, reviews: tuple[PastReview, ...]) -> bool:
    found = _newest(loop, _own(loop, reviews))
    return found is not None and found.status in {Status.PASSED, Status.FAILED}


def _own(loop: AskedLoop, reviews: tuple[PastReview, ...]) -> list[tuple[PastReview, PastLoop]]:
    return [(past, found) for past in reviews for found in past.loops if found.name == loop.name]


def _newest(loop: AskedLoop, own: list[tuple[PastReview, PastLoop]]) -> PastLoop | None:
    """Of this content under these rules."""
    return next((each for _, each in own if each.inputs in loop.inputs and each.rules == loop.rules), None)


def _about(loop: AskedLoop, asked: AskedContent, reviews: tuple[PastReview, ...]) -> Iterator[ShipHold | str]:
    own = _own(loop, reviews)
    found = _newest(loop, own)
    if found is not None:
        yield from _came_to(loop, found)
    elif not own:
        yield ShipHold(ShipReason.NOT_RUN, f"the loop `{loop.name}` was not run")
    else:
        yield ShipHold(ShipReason.STALE, _why_stale(loop, asked, own), asked.review_command)


def _came_to(loop: AskedLoop, found: PastLoop) -> Iterator[ShipHold | str]:
    """What would hold it back, and plain text of what a person should know."""
    skipped = "; ".join(found.skipped)
    if found.status == Status.FAILED:
        yield ShipHold(ShipReason.FAILED, f"the loop `{loop.name}` failed")
        yield from (ShipHold(ShipReason.BLOCKER, f"{loop.name}: {each}") for each in found.blockers)
    elif found.status == Status.PASSED:
        yield from (ShipHold(ShipReason.BLOCKER, f"{loop.name}: {each}") for each in found.blockers)
        yield from (f"{loop.name}: {each}" for each in found.skipped)
    elif found.status == Status.SKIPPED and not loop.must_run:
        yield f"the loop `{loop.name}` was skipped{_because(skipped)}"
    else:  # also a status that a later version may have: nobody can say that it passed
        yield ShipHold(ShipReason.NOT_RUN, f"no gate of the loop `{loop.name}` ran{_because(skipped)}")


def _because(text: str) -> str:
    return f": {text}" if text else ""


def _why_stale(loop: AskedLoop, asked: AskedContent, own: list[tuple[PastReview, PastLoop]]) -> str:
    """By the result that is nearest to this content: the same content under other rules before any other content."""
    past, found = next((each for each in own if each[1].inputs in loop.inputs), own[0])
    if found.inputs in loop.inputs:
        if past.version and asked.version and past.version != asked.version:
            return f"the review was made by vetgate {past.version}, and this is {asked.version}"
        return f"the configuration of the loop `{loop.name}` has changed since the review"
    names = _differing(past.files, asked.changed, loop.globs) if past.fork == asked.fork else []
    if names:
        return f"{_listed(names)} changed since the review: {asked.what} is not what was reviewed"
    if past.tree == asked.tree:
        return (
            f"the review compared with commit {past.fork[:_SHORT]} ({past.base}), and {asked.what} is compared "
            f"with {asked.fork[:_SHORT]}{asked.fork_words}"
        )
    moved = _differing(past.files, asked.changed, loop.globs)
    if past.fork != asked.fork:
        since = f"; different: {_listed(moved)}" if moved else ""
        return (
            f"{asked.what} is based on commit {asked.fork[:_SHORT]}{asked.fork_words}, "
            f"the review on {past.fork[:_SHORT]} ({past.base}){since}"
        )
    return f"{asked.what} is not what was reviewed (tree {asked.tree[:_SHORT]}, reviewed {past.tree[:_SHORT]})"


def _differing(was: Mapping[str, str], now: Mapping[str, str], globs: tuple[str, ...]) -> list[str]:
    wanted = PathFilter(globs, (), ()) if globs else None
    names = (name for name in sorted({*was, *now}) if _content(was.get(name)) != _content(now.get(name)))
    return [name for name in names if wanted is None or wanted.checks(name)]


def _content(entry: str | None) -> str | None:
    """Without the mode, which not every record has."""
    return entry.rpartition(" ")[2] if entry else entry


def _listed(names: Iterable[str]) -> str:
    first, *rest = names = list(names)
    shown = ", ".join(names[:_NAMED])
    return first if not rest else f"{shown} and {len(names) - _NAMED} more" if len(names) > _NAMED else shown
