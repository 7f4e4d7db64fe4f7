"""What is known of the content as it lies there: which commands passed on it, whoever ran them, the agent included."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.gates.command_kinds import TEST, digest, kind_of
from vetgate.gates.content import SECONDS, changed_since, tree_of
from vetgate.source.git_ignored import ignored
from vetgate.source.root import real
from vetgate.source.shell.own_status import own_commands
from vetgate.store import Evidence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vetgate.config.schema import Config
    from vetgate.model import Event, Gate
    from vetgate.project import Project
    from vetgate.source.shell.own_status import StatusCommand
    from vetgate.store import Store


# Beside the content there is a world that changes: programs, dependencies, data.
FRESH_SECONDS = 12 * 3600.0


def command_words(command: str) -> tuple[str, ...]:
    """The words of a gate's command, where it is one; else its text."""
    own = own_commands(command, passed=False)
    return own[0].words if own and not own[0].cwd else (" ".join(command.split()),)


def _digests(gate: Gate, files: Sequence[str] | None) -> tuple[str, ...]:
    """Of a run over these files, and of a whole one, which says more; the first is what the gate itself runs."""
    words = command_words(gate.command)
    return (digest(words),) if files is None else (digest((*words, "", *files)), digest(words))


def gate_kind(gate: Gate) -> str:
    return gate.id if gate.id in {TEST, "lint", "types", "format", "build"} else kind_of(command_words(gate.command))


def fresh(store: Store, tree: str, gate: Gate, files: Sequence[str] | None = None) -> Evidence | None:
    """The pass of this gate's command on this content, if it is not too old; over `files` where it is about some."""
    if not tree:
        return None
    wanted = _digests(gate, files)
    oldest = time.time() - FRESH_SECONDS
    for proof in store.proofs(tree):
        if proof.command in wanted:
            return proof if proof.status == 0 and proof.time >= oldest else None
    return None


def passed_kind(store: Store, tree: str, kind: str) -> bool:
    """Whether any command of that kind passed last on this content."""
    oldest = time.time() - FRESH_SECONDS
    newest = next((proof for proof in store.proofs(tree) if proof.kind == kind and proof.time >= oldest), None)
    return newest is not None and newest.status == 0


def note_gate(store: Store, tree: str, gate: Gate, files: Sequence[str] | None, status: int) -> None:
    store.prove(Evidence(tree, _digests(gate, files)[0], gate_kind(gate), status, time.time(), f"gate {gate.id}"))


def test_gate(gates: Mapping[str, Gate]) -> Gate | None:
    """The gate that speaks of this project's tests."""
    return next((gate for gate in gates.values() if gate.command and gate_kind(gate) == TEST), None)


# What somebody says of tests who has seen them pass. What should be, will be or was asked for is something else.
_CLAIM = re.compile(
    r"(?i)\b(?:all|the|every|\d+|existing|unit|new)?\s*(?:unit |integration |e2e )?tests?(?: suite)?\s+"
    r"(?:now |all |still |are |is |both )*(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b"
    r"|\btest suite (?:now |is )?(?:pass(?:es|ed|ing)?|green)\b"
    r"|\b(?:ran|executed|verified with|confirmed with) (?:all )?(?:the |our )?(?:\w+ )?tests?\b"
)
_NO_CLAIM = re.compile(
    r"(?i)\b(?:not|n't|cannot|never|no|should|would|will|could|might|may|must|if|once|until|when|whether|ensure|"
    r"make sure|please|verify that|so that|to see|"
    r"expect(?:ed)?|need|want|fail(?:s|ed|ing)?|without|before|unless)\b|n't\b|\?"
)


def claims_tests_pass(message: str) -> bool:
    """Sentence by sentence, outside of code."""
    prose = re.sub(r"```.*?(?:```|\Z)|`[^`\n]*`|^\s*>.*$", " ", message, flags=re.DOTALL | re.MULTILINE)
    sentences = re.split(r"(?<=[.!?])\s+|\n+|;", prose)
    return any(_CLAIM.search(sentence) and not _NO_CLAIM.search(sentence) for sentence in sentences)


# Between the end of a command and our being told of it, where nobody saw it begin.
DELAY = 100_000_000
_MOST_UNDER_WAY = 200
# When commands were let go, by the number of the call; in a process that stays.
_began: OrderedDict[str, int] = OrderedDict()


def note_own_run(project: Project, config: Config, event: Event, told: int) -> None:
    """Only where the status is the command's own, and nothing changed while it ran; `told` is when we were, in ns."""
    status = event.status
    if status is None:
        return
    known = {command_words(gate.command): gate.id for gate in config.gates.values() if gate.command}
    telling = [
        (own, kind)
        for own in own_commands(event.command, passed=status == 0)
        if (kind := _kind(own, event, project, known))
    ]
    tree = tree_of(project) if telling and _stood_still(project, event, told) else ""
    for own, kind in telling if tree else ():
        project.store.prove(Evidence(tree, digest(own.words), kind, status, time.time(), "the agent"))


def _kind(own: StatusCommand, event: Event, project: Project, known: Mapping[tuple[str, ...], str]) -> str:
    """What it tells about; "" for nothing. A gate's own command counts only where the gate would run it."""
    where = real(Path(event.cwd, os.path.expanduser(own.cwd)))  # noqa: PTH111 - of nobody's home it makes no error
    if own.words in known and where != project.root:
        return ""
    inside = where == project.root or where.is_relative_to(project.root)
    return kind_of(own.words) or ("gate" if own.words in known else "") if inside else ""


def note_start(event: Event) -> None:
    """It is about to run: what changes from here on may have changed under it."""
    if event.call:
        _began[_call(event)] = time.time_ns()
    while len(_began) > _MOST_UNDER_WAY:
        with contextlib.suppress(KeyError):  # another thread was quicker
            _began.popitem(last=False)


def _stood_still(project: Project, event: Event, told: int) -> bool:
    """Whether no file that counts changed since the command was started."""
    began = _began.pop(_call(event), None) or _counted_back(event, told)
    if began is None:
        return False
    changed = changed_since(project, began)
    return not changed or set(changed) <= ignored(project.root, changed, SECONDS)


def _call(event: Event) -> str:
    return f"{event.session} {event.call}"


def _counted_back(event: Event, told: int) -> int | None:
    return None if event.took_ms is None else told - int(event.took_ms * 1e6) - DELAY
