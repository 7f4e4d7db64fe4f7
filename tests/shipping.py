"""A project with a ship gate, and reviews put on record the way `vetgate review` does."""

from __future__ import annotations

import time
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from vetgate import __version__
from vetgate.gates.content import content_of
from vetgate.gates.loop_identity import files_of, loop_inputs, loop_rules
from vetgate.project import Project
from vetgate.source import git
from vetgate.source.git_shipping import tree_listing
from vetgate.store import DecisionBody, RecordedDecision, RecordedGate, RecordedLoop, RecordedReview

if TYPE_CHECKING:
    from fixtures import Clone

CONFIG = """\
version: 1
gates:
  test: {command: "true"}
  reviewed: {ship: true}
review:
  - {name: quick, gates: [code]}
  - {name: tests, gates: [test]}
on: {ship: [reviewed]}
"""


def accept(clone: Clone, text: str = CONFIG) -> None:
    clone.put("vetgate.yaml", text)
    said = clone.vetgate("trust", "--digest", sha256(text.encode()).hexdigest())
    assert said.returncode == 0, said.stdout + said.stderr


@contextmanager
def project(clone: Clone, root=None):
    found = Project(root or clone.root, clone.state)
    try:
        yield found
    finally:
        found.store.close()


def review(clone: Clone, root=None, base="", version=__version__, only=(), **statuses: str) -> RecordedReview:
    """Of the work tree, as `vetgate review` leaves it; each loop passed unless its status is given."""
    with project(clone, root) as found:
        config = found.effective().config
        repository = git.open_at(found.root)
        base = base or repository.trunk()
        fork = repository.fork(base)
        content = content_of(found)
        assert content is not None
        now, was = files_of(content.listed), files_of(tree_listing(found.root, fork))
        loops = tuple(
            RecordedLoop(
                loop.name,
                statuses.get(loop.name, "passed"),
                loop_inputs(loop, content.id, fork, now),
                loop_rules(loop, config),
                loop.blocks,
                blockers=("a.py:1: SQL injection",) if statuses.get(loop.name) == "failed" else (),
                gates=(RecordedGate("test", "skipped", "not found", skip="missing"),)
                if statuses.get(loop.name) == "skipped"
                else (),
            )
            for loop in config.loops
            if not only or loop.name in only
        )
        body = RecordedReview(
            content.id,
            base,
            fork,
            loops=loops,
            ship_allowed=not statuses,
            files={name: now.get(name, "") for name in {*was, *now} if was.get(name) != now.get(name)},
        )
        row = DecisionBody(decision="allow", agent="person", version=version, config=config.digest, review=body)
        found.store.record(RecordedDecision(f"d{time.time_ns():x}"[:11], time.time(), "", "review", row.plain()))
        return body


def with_remote(clone: Clone, text: str = CONFIG) -> Clone:
    """On a branch that left main, which the remote has."""
    clone.git("init", "-q", "--bare", str(clone.home.parent / "remote.git"))
    clone.put("a.txt", "one\n")
    accept(clone, text)
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "begin")
    clone.git("remote", "add", "origin", str(clone.home.parent / "remote.git"))
    clone.git("push", "-q", "--no-verify", "-u", "origin", "main")
    clone.git("switch", "-q", "-c", "topic")
    return clone


def commit(clone: Clone, message: str = "work", *words: str) -> str:
    clone.git("add", "-A")
    clone.git("commit", "-q", "-m", message, *words)
    return clone.git("rev-parse", "HEAD")
