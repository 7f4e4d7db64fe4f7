"""The gate that asks the record whether exactly what would leave was reviewed, for every surface that ships."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from vetgate import __version__
from vetgate.engine.decide import stops
from vetgate.engine.ship import (
    AskedContent,
    AskedLoop,
    PastLoop,
    PastReview,
    ShipReason,
    ShipRecord,
    ShipVerdict,
    ship_verdict,
    unknown,
)
from vetgate.gates.content import content_of
from vetgate.gates.loop_identity import files_of, loop_inputs, loop_rules
from vetgate.gates.sequence import judged
from vetgate.model import Decision, EventKind, Finding, GateKind, Outcome, Span, Status, UserError, Verdict
from vetgate.severity import Severity
from vetgate.source.git import EMPTY_TREE
from vetgate.source.git_shipping import (
    commit_trees,
    fork_at_remote,
    fork_of,
    index_tree,
    is_ancestor,
    is_unpublished,
    tree_listing,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from vetgate.config.schema import Config, Loop
    from vetgate.model import Gate
    from vetgate.project import Project
    from vetgate.store import RecordedLoop, RecordedReview, Store

BLOCKED, APPROVED = "Ship gate: BLOCKED", "Ship gate: APPROVED"
REVIEW = "vetgate review"
_CHECK = "ship"
# Of one branch there are few, and each loop that ran by itself is one of them.
_RECENT, MOST_REVIEWS = 50, 500
_AT_REMOTE = ", the newest ancestor that the remote has"
_AT_NOTHING = ", which holds no file, for the remote has nothing of this yet"
_FIXES = {
    ShipReason.NO_REVIEW: f"Run `{REVIEW}`.",
    ShipReason.STALE: f"Run `{REVIEW}` again: only loops whose files changed have to run.",
    ShipReason.FAILED: f"Fix what it found, then run `{REVIEW}` again.",
    ShipReason.BLOCKER: f"Fix what it found, then run `{REVIEW}` again.",
    ShipReason.NOT_RUN: f"Run `{REVIEW}`, with what this loop needs installed.",
    ShipReason.UNKNOWN: "Make the commit on a branch of its own, review it there, and let exactly that leave, by git.",
    ShipReason.CORRUPTED: "A person has to look at it: `vetgate log --verify`, then `vetgate trust`.",
}


class ShippedContent(NamedTuple):
    """`what` it is in words; `tree` names the content; `commit` is it, or what it would be a commit on.

    `trunk` is the commit at the end of what it goes into; `known` is what the remote has, None where nobody asked.
    `listed` are its files where git has no tree of that name yet. `problem`: why nobody can tell what would leave.
    """

    what: str
    tree: str = ""
    commit: str = ""
    trunk: str = ""
    listed: bytes | None = None
    problem: str = ""
    known: tuple[str, ...] | None = None


def listens(config: Config) -> bool:
    """Only `on.ship` decides."""
    return config.enabled and bool(config.on.get(EventKind.SHIP))


def work_tree(project: Project) -> ShippedContent:
    """What lies there, as a commit of all of it would hold it."""
    what = "the work tree"
    found = content_of(project)
    (head,) = commit_trees(project.root, ("HEAD",))
    if found is None:
        return ShippedContent(what, problem="git cannot tell what is in it")
    return ShippedContent(what, found.id, head.commit, head.trunk, found.listed)


def staged(project: Project, index: Path | None) -> ShippedContent:
    (head,) = commit_trees(project.root, ("HEAD",))
    tree, listed = index_tree(project.root, index)
    return ShippedContent("the commit", tree, head.commit, head.trunk, listed)


def commits(root: Path, names: Iterable[str], known: tuple[str, ...] | None = None) -> tuple[ShippedContent, ...]:
    """Each once, however many names it has."""
    found: dict[str, ShippedContent] = {}
    asked = tuple(names)
    for name, (commit, tree, trunk) in zip(asked, commit_trees(root, asked), strict=True):
        what = f"commit {commit[:10]}" if commit.startswith(name) else f"{name} (commit {commit[:10]})"
        lost = ShippedContent(name, problem=f"git knows no commit called {name}")
        found.setdefault(commit or name, ShippedContent(what, tree, commit, trunk, known=known) if commit else lost)
    return tuple(found.values())


def shipping(project: Project, config: Config, content: ShippedContent) -> ShipVerdict:
    """The one question that every surface asks. Mostly a recent review answers it."""
    if content.problem:
        return unknown(f"nobody can tell what would leave by {content.what}: {content.problem}")
    record = record_of(project.store, content.tree, _RECENT)
    verdict = _by_record(project, config, content, record)
    if verdict.allowed or len(record.reviews) < _RECENT:
        return verdict
    return _by_record(project, config, content, record_of(project.store, content.tree, MOST_REVIEWS))


def _by_record(project: Project, config: Config, content: ShippedContent, record: ShipRecord) -> ShipVerdict:
    if record.override or record.damage or not record.reviews or not content.commit:
        return ship_verdict(AskedContent(content.what, content.tree, "", _bare(config)), record)
    claimed, fork = _forks(project.root, content)
    files = _Files(project.root, content)
    asked = _asked(config, content, fork, (fork,), files)
    verdict = ship_verdict(asked, record)
    older = () if verdict.allowed else _older_forks(project.root, record, fork)
    if older:
        asked = _asked(config, content, fork, (fork, *older), files)
        verdict = ship_verdict(asked, record)
    if verdict.is_stale:
        beside = "" if fork == claimed else _AT_NOTHING if fork == EMPTY_TREE else _AT_REMOTE
        command = f"{REVIEW} --base {fork}" if beside else ""
        known = replace(asked, changed=files.since(fork), fork_words=beside, review_command=command)
        verdict = ship_verdict(known, record)
    return verdict


def _forks(root: Path, content: ShippedContent) -> tuple[str, str]:
    """Where it left what it goes into, by the refs here, and by what the remote has."""
    claimed = fork_of(root, content.trunk, content.commit)
    if content.known is not None:
        return claimed, fork_at_remote(root, claimed, content.commit, content.known)
    is_first = claimed == content.commit and is_unpublished(root)
    return claimed, EMPTY_TREE if is_first else claimed


def record_of(store: Store, tree: str, most: int) -> ShipRecord:
    """With so many reviews, the newest ones."""
    override = store.ship_override(tree, time.time())
    rows = (row.body for row in store.reviews(most))
    past = tuple(_review_of(body.review, body.version or "") for body in rows if body.review is not None)
    return ShipRecord(past, store.failure or store.tampered(), override)


def _review_of(review: RecordedReview, version: str) -> PastReview:
    return PastReview(review.tree, review.base, review.fork, tuple(map(_loop_of, review.loops)), review.files, version)


def _loop_of(loop: RecordedLoop) -> PastLoop:
    return PastLoop(loop.name, loop.status, loop.inputs, loop.rules, loop.blockers, loop.skipped)


def _older_forks(root: Path, record: ShipRecord, fork: str) -> tuple[str, ...]:
    """Commits below the one that counts now: who compared with those has seen at least as much of the same content."""
    forks = dict.fromkeys(past.fork for past in record.reviews if past.fork)
    return tuple(each for each in forks if each != fork and is_ancestor(root, each, fork))


@dataclass(slots=True)
class _Files:
    """The files of a content, listed when somebody asks."""

    root: Path
    content: ShippedContent
    known: Mapping[str, str] | None = None

    def all(self) -> Mapping[str, str]:
        if self.known is None:
            listed = self.content.listed
            self.known = files_of(tree_listing(self.root, self.content.tree) if listed is None else listed)
        return self.known

    def since(self, fork: str) -> dict[str, str]:
        was, now = files_of(tree_listing(self.root, fork)), self.all()
        return {name: now.get(name, "") for name in {*was, *now} if was.get(name) != now.get(name)}


def _asked(config: Config, content: ShippedContent, fork: str, forks: tuple[str, ...], files: _Files) -> AskedContent:
    loops = tuple(
        AskedLoop(
            loop.name,
            loop_rules(loop, config),
            frozenset(loop_inputs(loop, content.tree, each, files.all() if loop.inputs else {}) for each in forks),
            loop.blocks,
            must_run(loop, config),
            loop.inputs,
        )
        for loop in config.loops
    )
    return AskedContent(content.what, content.tree, fork, loops, version=__version__)


def _bare(config: Config) -> tuple[AskedLoop, ...]:
    """Where there is nothing to compare with."""
    return tuple(AskedLoop(loop.name, "", frozenset()) for loop in config.loops)


def must_run(loop: Loop, config: Config) -> bool:
    """Whether it has a gate that needs nobody else: models and services with a quota may be out of reach."""
    gates = [config.gates[name] for name in loop.names]
    return any(is_deterministic(gate) for gate in gates)


def is_deterministic(gate: Gate) -> bool:
    return gate.kind in {GateKind.CHECKS, GateKind.COMMAND} and not gate.quota


@dataclass(frozen=True, slots=True)
class ShipRunner:
    """Runs gates with `ship: true` over all that would leave at once."""

    project: Project
    config: Config
    contents: tuple[ShippedContent, ...]
    is_cheap: ClassVar[bool] = True

    def run(self, gate: Gate) -> Outcome:
        started = time.perf_counter()
        try:
            verdicts = [shipping(self.project, self.config, each) for each in self.contents]
        except UserError as error:
            return Outcome.errored(gate.id, error.message)
        elapsed = (time.perf_counter() - started) * 1000
        reasons = dict.fromkeys(each for verdict in verdicts for each in verdict.reasons)
        findings = tuple(
            Finding(
                _CHECK,
                each.kind,
                Span("", 1),
                each.text,
                Severity.ERROR,
                evidence=each.text,
                fix=f"Run `{each.command}`." if each.command else _FIXES.get(each.kind, ""),
            )
            for each in reasons
        )
        notes = dict.fromkeys(each for verdict in verdicts for each in verdict.notes)
        status = Status.FAILED if findings else Status.PASSED
        return Outcome(gate.id, status, findings, elapsed_ms=elapsed, evidence="\n".join(notes))


def ship_judged(project: Project, config: Config, contents: tuple[ShippedContent, ...]) -> Verdict:
    """What the gates of `on.ship` say of all that would leave."""
    gates = config.on.get(EventKind.SHIP, ())
    return judged(gates, config, {GateKind.SHIP: ShipRunner(project, config, contents)})


def override_command(project: Project, config: Config, contents: Iterable[ShippedContent]) -> str:
    """By which a person lets the first of these leave that is held back; "" where it names no content."""
    for each in contents:
        if each.tree and stops(ship_judged(project, config, (each,)).decision):
            named = f"{each.commit[:12]} " if each.listed is None else ""
            return f"vetgate ship {named}--override REASON"
    return ""


def ship_lines(verdict: Verdict) -> str:
    """The first line decides for whoever reads; then the reasons, each with what to do, and what to know."""
    lines = [BLOCKED if verdict.decision > Decision.WARN else APPROVED]
    if verdict.decision is Decision.WARN:
        lines.append("The gate only warns here:")
    fixes: dict[str, None] = {}
    for finding in verdict.findings:
        lines.append(f"- {finding.rule}: {finding.message}")
        fixes[finding.fix] = None
    for outcome in verdict.outcomes:
        lines += [f"- {outcome.gate}: {outcome.error}"] if outcome.error else []
        lines += (f"- note: {each}" for each in outcome.evidence.splitlines())
    return "\n".join(dict.fromkeys((*lines, *fixes)))
