"""At a commit and a push: what is about to land is judged as an edit would be, what leaves is searched for secrets."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate import __version__
from vetgate.checks.secrets.token_kinds import COMPILED
from vetgate.config.gates import calling_only
from vetgate.engine.decide import at_the_end
from vetgate.engine.run import CheckRunner, Forgetful
from vetgate.engine.suppressions import Suppressions
from vetgate.gates.sequence import judged
from vetgate.model import Change, Decision, File, GateKind, Verdict
from vetgate.project import mentioning
from vetgate.source import git_objects
from vetgate.source.clock import Deadline
from vetgate.source.git_landing import MESSAGE, Landing
from vetgate.source.git_outgoing import BLOB, TREE, Introduction, Object
from vetgate.source.text import NotText, decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.engine.analysis import Analyzer
    from vetgate.engine.run import FileBaseline
    from vetgate.gates.sequence import Runners
    from vetgate.index.project import ProjectIndex
    from vetgate.model import Gate, Known
    from vetgate.source.git_outgoing import Outgoing
    from vetgate.store import Store


_NOT_BUILT = "the index of the project could not be built in time; `vetgate index --build` builds it"


class Parents(Forgetful):
    """No session: what one of the parents had is not new, and what one of them gave up is not lost."""

    def baseline(self, path: str, gate: Gate, now: FileBaseline, head: Callable[[], FileBaseline]) -> FileBaseline:  # noqa: ARG002
        other = head()
        return replace(now, known=either(now.known, other.known)) if other.known or other.safeguards else now


def landed(
    landing: Landing,
    gates: Iterable[str],
    config: Config,
    analyzer: Analyzer,
    suppressions: Suppressions | None = None,
    *,
    index: ProjectIndex | None = None,
) -> Verdict:
    """Nobody waits for a hook's own clock here, so every file is looked at; one that could not be is held back."""
    runners = landing_runners(landing, config, analyzer, suppressions or Suppressions(), index)
    return at_the_end(judged(gates, config, runners))


def landing_runners(
    landing: Landing, config: Config, analyzer: Analyzer, suppressions: Suppressions, index: ProjectIndex | None
) -> Runners:
    runner = CheckRunner(
        landing.change,
        analyzer,
        config,
        Deadline.never(),
        Parents(),
        landing.text_beside,
        partial(mentioning, landing.change.root),
        # What the change does not hold is as it was in the last commit; on disk anything may lie.
        partial(mentioning, landing.change.root),
        suppressions=suppressions,
        index=index,
        final=True,
        sees_all=(landing.change.root / ".git").exists,
        no_index=_NOT_BUILT if index is not None and not index.is_ready else "",
    )
    return {GateKind.CHECKS: runner}


def either(one: Iterable[Known], other: Iterable[Known]) -> tuple[Known, ...]:
    """Findings of either side, the higher value of a measure; safeguards of both, the lower value."""
    one, other = tuple(one), tuple(other)
    return (*_highest((*one, *other)), *_plain(one, other), *_kept_by_both(one, other))


def _highest(known: Iterable[Known]) -> tuple[Known, ...]:
    found: dict[tuple[str, str], Known] = {}
    for each in known:
        if not each.is_safeguard and each.value is not None:
            place = (each.id, each.symbol)
            found[place] = max(found.get(place, each), each, key=lambda known: known.value or 0)
    return tuple(found.values())


def _plain(one: Iterable[Known], other: Iterable[Known]) -> tuple[Known, ...]:
    """As often as the side has it that has it more often."""
    counts = [Counter(each for each in side if not each.is_safeguard and each.value is None) for side in (one, other)]
    return tuple((counts[0] | counts[1]).elements())


def _kept_by_both(one: Iterable[Known], other: Iterable[Known]) -> tuple[Known, ...]:
    there = {(each.id, each.symbol): each for each in other if each.is_safeguard}
    pairs = ((each, there.get((each.id, each.symbol))) for each in one if each.is_safeguard)
    return tuple(min(each, same, key=lambda known: known.value or 0) for each, same in pairs if same)


# No remote has a name with a space. What one remote was sent, or claims to have, counts for no other one:
# a script can make a folder a remote.
PUSHED_TO = "pushed to "
_FAMILY = "secrets"
_SHORT = 10
# So many names of files are judged as one text.
_NAMES = 2000
_NAMES_KEPT = 200_000
_ENCODING = re.compile(rb"^encoding ([^\s]{1,40})$", re.MULTILINE)
_LONG_NAME = re.compile(r"[A-Za-z0-9_+=-]{16}")


@dataclass
class Search:
    """Texts that belong to no file, messages and names themselves, are judged as a message is.

    `is_old` knows contents that were committed before; `is_cut` where the time ended before all was searched. Of what
    is too large for an edit or a commit to be searched at all, as much as `large_until` leaves time for: it was told.
    """

    config: Config
    gates: tuple[str, ...]
    analyzer: Analyzer
    suppressions: Suppressions
    seen: Callable[[int], None] = lambda _: None
    is_old: Callable[[str], bool] = lambda _: False
    deadline: Deadline = field(default_factory=Deadline.never)
    large_until: Deadline = field(default_factory=Deadline.never)
    is_cut: bool = field(default=False, init=False)
    _names: set[str] = field(default_factory=set)
    _stopped_names: set[str] = field(default_factory=set)
    _rules: bytes = b""

    def __post_init__(self) -> None:
        asked = f"{__version__} {self.config.options} {self.config.paths}".encode()
        self._rules = blake2b(asked + COMPILED.read_bytes(), digest_size=32).digest()
        reached = [self.config.gates[name] for name in self.config.reached(self.gates)]
        only = {
            gate.id: replace(gate, checks=tuple(name for name in gate.checks if name.partition("/")[0] == _FAMILY))
            for gate in reached
            if _FAMILY in gate.families
        }
        only = calling_only(only, only)
        called = {name for gate in only.values() for name in (gate.on_pass, gate.on_fail)}
        # One that is called by a gate without such checks has nobody left to call it.
        self.gates = tuple(name for name in only if name in self.gates or name not in called)
        self.config = replace(self.config, gates={**self.config.gates, **only})

    def over(self, outgoing: Outgoing, names: Iterable[str], store: Store) -> Iterator[tuple[Verdict, File]]:
        """What was found, each with the text that holds it under a name that says where it is."""
        if not self.gates or not outgoing.tips:
            return
        yield from self._text("the names of what is pushed", "\n".join(names), outgoing.repository.top)
        clean: dict[str, None] = {}
        suspects: dict[str, Object] = {}
        stopped: set[str] = set()
        done = 0

        def wanted(ids: list[str]) -> set[str]:
            nonlocal done
            done += len(ids)
            self.seen(done)
            marks = {self._mark(each): each for each in ids}
            known = store.searched(list(marks))
            store.add_searched(map(self._mark, clean))
            clean.clear()
            return {each for mark, each in marks.items() if mark not in known}

        for each in outgoing.objects(wanted):
            if each.is_large and self.large_until.passed():
                stopped.add(each.id)
                clean.pop(each.id, None)
                continue
            if self.deadline.passed():  # the rest is for the next time
                self.is_cut = True
                break
            found = [*self._in_object(each, outgoing)]
            if self._is_suspect(each, outgoing, suspects):
                suspects.setdefault(each.id, each)
            yield from found
            if found or each.id in suspects or self._has_stopped_name(each):
                stopped.add(each.id)  # a large object comes in pieces: one is enough
            clean[each.id] = None
            if each.id in stopped:
                del clean[each.id]
        suspects = {id_: each for id_, each in suspects.items() if not self.is_old(id_)}
        # A suspect that passes does so beside what this remote has: it is searched again for every other one.
        yield from self._introduced(suspects, outgoing)
        store.add_searched(map(self._mark, clean))

    def in_names(self, change: Change) -> Iterator[tuple[Verdict, File]]:
        """Secrets in the names of files that are new; a name as short as most are holds none."""
        fresh = [file.path for file in change.files if file.after is not None and (file.before is None or file.was)]
        if self.gates and any(_LONG_NAME.search(name) for name in fresh):
            yield from self._text("the names of new files", "\n".join(fresh), change.root)

    def _mark(self, id_: str) -> bytes:
        """What was looked for is part of it: other rules, another configuration, another search."""
        return blake2b(id_.encode("ascii"), digest_size=16, key=self._rules).digest()

    def _is_suspect(self, each: Object, outgoing: Outgoing, known: Mapping[str, Object]) -> bool:
        if each.kind != BLOB or each.id in known:
            return each.id in known
        return _stops(self._judged(each.path or MESSAGE, None, _text(each.data), outgoing.repository.top))

    def _in_object(self, each: Object, outgoing: Outgoing) -> Iterator[tuple[Verdict, File]]:
        if each.kind == TREE:
            yield from self._named(each, outgoing)
        elif each.kind != BLOB:
            text = _text(each.data) + _in_named_encoding(each.data)
            yield from self._text(f"{each.kind} {each.id[:_SHORT]}", text, outgoing.repository.top)

    def _named(self, tree: Object, outgoing: Outgoing) -> Iterator[tuple[Verdict, File]]:
        fresh = [name for name in tree.names() if name not in self._names]
        if len(self._names) < _NAMES_KEPT:
            self._names.update(fresh)
        for at in range(0, len(fresh), _NAMES):
            label = f"names of files in {tree.path or 'the top folder'}"
            some = fresh[at : at + _NAMES]
            for found in self._text(label, "\n".join(some), outgoing.repository.top):
                self._stopped_names.update(some)
                yield found

    def _has_stopped_name(self, tree: Object) -> bool:
        """A name is reported once; no other folder that holds it counts as searched."""
        return tree.kind == TREE and bool(self._stopped_names) and not self._stopped_names.isdisjoint(tree.names())

    def _text(self, label: str, text: str, top: Path) -> Iterator[tuple[Verdict, File]]:
        verdict = self._judged(MESSAGE, None, text, top)
        if _stops(verdict):
            yield _called(verdict, label), File(label, None, text)

    def _introduced(self, suspects: dict[str, Object], outgoing: Outgoing) -> list[tuple[Verdict, File]]:
        """A secret counts where it came in: beside what stood there in the parents of that commit."""
        if not suspects:
            return []
        places = outgoing.introduced(suspects)
        found: list[tuple[Verdict, File]] = []
        for id_, each in suspects.items():
            text = _text(each.data)
            told = [
                (verdict, File(_label(place), None, text))
                for place in places.get(id_) or [Introduction("", each.path, ())]
                if (verdict := self._beside(place, text, outgoing)) is not None
            ]
            found += told[:1]
        return found

    def _beside(self, place: Introduction, text: str, outgoing: Outgoing) -> Verdict | None:
        top = outgoing.repository.top
        there = git_objects.read(place.before, top) or (None,)
        before = [None if data is None else _text(data) for data in there]
        verdicts = [self._judged(place.path or MESSAGE, was, text, top) for was in before]
        return _called(verdicts[0], _label(place)) if all(map(_stops, verdicts)) else None

    def _judged(self, path: str, before: str | None, after: str, top: Path) -> Verdict:
        change = Change(top, (File(path, before, after),))
        return landed(Landing(change), self.gates, self.config, self.analyzer, self.suppressions)


def inside(folder: str, found: tuple[Verdict, File]) -> tuple[Verdict, File]:
    """As the repository around this one names it."""
    verdict, file = found
    return _called(verdict, f"{folder}/{file.path}"), replace(file, path=f"{folder}/{file.path}")


def _stops(verdict: Verdict) -> bool:
    return verdict.decision >= Decision.BLOCK


def _label(place: Introduction) -> str:
    return f"{place.path} (commit {place.commit[:_SHORT]})" if place.commit else place.path or "a pushed object"


def _called(verdict: Verdict, label: str) -> Verdict:
    """Its findings under another name of the place."""
    outcomes = tuple(
        replace(
            outcome,
            findings=tuple(replace(each, span=replace(each.span, path=label)) for each in outcome.findings),
            unchecked=tuple(replace(each, path=label) for each in outcome.unchecked),
        )
        for outcome in verdict.outcomes
    )
    return replace(verdict, outcomes=outcomes)


def _in_named_encoding(data: bytes) -> str:
    """The message of a commit once more, as git shows it: in the encoding that its header names."""
    head, _, message = data.partition(b"\n\n")
    named = _ENCODING.search(head)
    try:
        return "\n" + message.decode(named[1].decode("ascii"), "replace") if named else ""
    except (LookupError, UnicodeError):  # git does not know it either, and shows the bytes
        return ""


def _text(data: bytes) -> str:
    try:
        return decode(data)
    except NotText:
        return data.decode("utf-8", "surrogateescape")
