"""What git itself put into the tree is not the session's: it is taken for what the session started from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.model import Change, EventKind, File
from vetgate.respond.landing import either
from vetgate.respond.verdict import content
from vetgate.source.root import name_in
from vetgate.store import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.config.schema import Config
    from vetgate.engine.run import FileBaseline
    from vetgate.project import Project, SessionMemory
    from vetgate.respond.call import Call
    from vetgate.respond.questions import AskedFinding
    from vetgate.store import Known


def accept(call: Call, config: Config, files: Iterable[File], asked: frozenset[AskedFinding] | None = None) -> None:
    """Files that are as a commit from before has them: from another branch, say.

    Or as a person wanted them who was `asked`: what is to be mended and was no part of the question stays so.
    """
    store, session, root = call.project.store, call.event.session, call.project.root
    rows = store.seen_in(session)
    known = [file for file in files if file.after is not None and str(root / file.path) in rows]
    _learn(call, config, known, _Learning(call.memory(config), asked=asked))
    for file in known:
        place = str(root / file.path)
        seen = store.seen(session, place)
        if seen is not None and seen.config == config.digest:
            store.see(session, place, Seen(seen.config, seen.findings, content(file)))


def merge(call: Call, config: Config, files: Iterable[File], merged: Mapping[str, str]) -> None:
    """Files into which a merge has put the lines of another commit: `merged` is their text there."""
    changed = [file for file in files if file.path in merged]
    rows = call.project.store.seen_in(call.event.session) if changed else {}
    fresh = [file for file in changed if str(call.project.root / file.path) not in rows]
    memory = call.memory(config)
    _learn(call, config, [replace(file, after=file.before) for file in fresh], _Learning(memory))
    texts = [(file.path, merged[file.path]) for file in changed]
    _learn(call, config, [File(path, text, text) for path, text in texts], _Learning(memory, merged=True))


def unverified(project: Project, session: str) -> list[str]:
    """Files that somebody should have looked at and could not."""
    rows = project.store.seen_in(session).items()
    places = (name_in(project.root, project.root / place) for place, seen in rows if seen.unverified)
    return [place for place in places if not place.startswith("/")]


def _learn(call: Call, config: Config, files: list[File], learning: _Learning) -> None:
    """What the gates of an edit find in these files is kept as what the session started from."""
    if not files:
        return
    runner = call.runner(config, learning.memory, Change(call.project.root, tuple(files)))
    for gate in dict.fromkeys(config.on.get(EventKind.BEFORE_EDIT, ())):
        for path, past in runner.pasts(config.gates[gate]):
            learning.keep(path, past)


@dataclass(frozen=True, slots=True)
class _Learning:
    memory: SessionMemory
    merged: bool = False
    asked: frozenset[AskedFinding] | None = None

    def keep(self, path: str, past: FileBaseline) -> None:
        store, session, config = self.memory.store, self.memory.session, self.memory.config
        place = str(self.memory.root / path)
        seen = store.seen(session, place) or Seen("", ())
        if not past.whole or seen.config not in {"", config}:
            return
        taken = tuple(each for each in past.known if not self._is_owed(path, each))
        known = either(seen.findings, taken) if seen.config else taken
        if not self.merged:
            known = (*(each for each in known if not each.is_mark), *(each for each in past.known if each.is_mark))
        store.see(session, place, Seen(config, known, seen.judged, seen.unverified))

    def _is_owed(self, path: str, known: Known) -> bool:
        if self.asked is None or known.value is None or known.is_mark:
            return False
        return (path, known.id, known.symbol) not in self.asked and self.memory.owes(path)
