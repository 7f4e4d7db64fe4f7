"""A project under the gate: its root, the configuration in force, and what the store remembers of a session."""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from vetgate.checks import known_names, troubles
from vetgate.config import baseline
from vetgate.config.looser import ConfigInForce
from vetgate.config.outside_config import outside_config, outside_config_in
from vetgate.config.pages import identity
from vetgate.config.trust import Effective, base, effective
from vetgate.engine.run import FileBaseline
from vetgate.engine.suppressions import Suppressions
from vetgate.index.project import ProjectIndex
from vetgate.model import BASELINE_NAME, CONFIG_NAME, UserError
from vetgate.ownership import fault
from vetgate.runtime import NOTES
from vetgate.source import disk
from vetgate.source.edit import root_for
from vetgate.source.git import Repository
from vetgate.source.git_base import Start, is_younger
from vetgate.source.git_ignored import AddedIgnoredMemory
from vetgate.source.git_refs import came_from_remotes, submodules, tips
from vetgate.source.git_tree import head
from vetgate.source.recent_sets import RecentSets, RecentValues
from vetgate.source.root import name_in, real, store_key
from vetgate.source.text import NotText, decode
from vetgate.source.tree import Tree
from vetgate.store import (
    IndexStore,
    Note,
    Seen,
    SessionMark,
    Store,
    UnusableError,
    divided,
    open_index_store,
    open_project_store,
    was_set_up,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vetgate.config.glob import PathFilter
    from vetgate.config.schema import Config
    from vetgate.model import Gate
    from vetgate.source.git_refs import Tip
    from vetgate.store import DecisionSink, SessionStore

# A function that moved is looked for in this many files at most.
_LOOKED_INTO = 20
_NAMES_KEPT = 8
_ASKED_AHEAD = 500
# An edit waits for the answer; without one there is nothing in the last commit.
_GIT_SECONDS = 1.0


class Project:
    """Kept warm by the daemon. Nothing in here outlives a change of the file it came from.

    `home` is the project that the session began in, when it is another one. `decisions` is where decisions go.
    """

    def __init__(self, root: Path, state_dir: Path, home: Project | None = None) -> None:
        self.root = root
        self.state_dir = state_dir
        self._home = home
        self._notes = state_dir / NOTES
        self.store = open_project_store(state_dir, store_key(root))
        self.decisions: DecisionSink = self.store
        self._lock = threading.Lock()
        self._taking = threading.Lock()
        self._effective: tuple[object, Effective] | None = None
        self._kept: Effective | None = None
        self._away: tuple[Effective, Effective | None, Effective] | None = None
        self._index: ProjectIndex | None = None
        self._covered: PathFilter | None = None
        self.added_ignored = AddedIgnoredMemory(root)
        self.asked_ahead: RecentSets[tuple[object, ...], str] = RecentSets(_ASKED_AHEAD)
        self._longer: tuple[object, bool] | None = None
        self.tree = Tree(root, self._enters)

    def effective(self) -> Effective:
        """The configuration in force, read anew when the file or what a person trusts has changed."""
        if self._home is None:
            return self.own_effective()
        home, trusted = self._home.effective(), self.store.trusted()
        near = None if trusted is None else self._own(trusted)
        known = self._away
        if known is None or known[0] is not home or known[1] is not near:
            config = outside_config(home.config) if near is None else outside_config_in(near.config, home.config)
            known = self._away = (home, near, (near or home)._replace(config=config))
        return known[2]

    def own_effective(self) -> Effective:
        """What is in force for a session that began here, wherever the one that asks began."""
        return self._own(self.store.trusted())

    def _own(self, trusted: tuple[str, str] | None) -> Effective:
        state = (disk.file_identity(self.root / CONFIG_NAME), identity(self.root), trusted and trusted[0])
        with self._lock:
            # Files it extends are not watched: a configuration made of several is read each time.
            if self._effective is None or self._effective[0] != state or self._effective[1].extends:
                self._effective = (state, self._load(trusted))
            return self._effective[1]

    def keep_last_good(self) -> None:
        """What is in force serves when the next version of the file is broken; also where the session began."""
        if self._home is not None:
            self._home.keep_last_good()
        found = self._effective[1] if self._effective is not None else None
        if found is not None and found is not self._kept and found.problem is None and found.text is not None:
            self.store.set_last_good(found.text)
            self._kept = found

    def index(self, config: Config) -> ProjectIndex | None:
        """What is known of the other files of the project; None where there is no place to keep it."""
        if self.store.folder is None:
            return None
        with self._lock:
            try:
                store = self._index_store(self.store.folder)
            except (OSError, UnusableError):
                return None
            if self._index is None or self._index.store is not store or self._covered != config.paths:
                self._index, self._covered = ProjectIndex(self.root, store, config.paths.checks), config.paths
            return self._index

    def _index_store(self, folder: Path) -> IndexStore:
        if self._index is not None and self._index.store.is_replaced:
            self._index.store.close()
            self._index = None
        return self._index.store if self._index is not None else open_index_store(folder)

    def _enters(self, folder: str) -> bool:
        """Asked about every folder there is, so by the configuration that the call itself began with."""
        known = self._effective[1] if self._effective is not None else self._away[2] if self._away is not None else None
        return (known or self.effective()).config.paths.enters(folder)

    def _load(self, trusted: tuple[str, str] | None) -> Effective:
        found = effective(self.root, trusted, self.store.last_good(), known_names())
        left_out = tuple(f"a rule of this project is left out: {trouble}" for trouble in troubles(found.config))
        return found._replace(notes=(*found.notes, *left_out))

    def take_notes(self, keep: Callable[[Note], None]) -> None:
        """What was decided here while the full program could not run, in any session: it may have been its last event.

        Each goes only when it is kept, so that it is rather told twice than not at all.
        """
        with self._taking:
            for note, file in sorted(self._noted(), key=lambda each: each[0].at):
                keep(note)
                with contextlib.suppress(OSError):
                    file.unlink()

    def _noted(self) -> Iterator[tuple[Note, Path]]:
        if fault(str(self._notes)):
            return
        for file in self._notes.glob("*.json"):
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
                told = json.loads(file.read_bytes())
                told.setdefault("id", f"d{file.stem[:10]}")
                where = Path(told.get("where", ""))
                place = real(where / (told["path"] or "any"))
                if root_for(place, where) == self.root:
                    yield Note.of(told, told["path"] and name_in(self.root, place), file.stat().st_mtime), file

    def start(self, session: str, repository: Path | None = None) -> Start | None:
        """When a session began here, and what the refs of a repository named then; None where it did not."""
        began = self.store.began(session, self.root)
        if began is None:
            return None
        tips = self.store.tips(session, str(store_key(repository or self.root)))
        if tips is None and repository not in {None, self.root} and is_younger(repository or self.root, began):
            # A clone that the session made: what this project had is not new in it.
            tips = self.store.tips(session, str(store_key(self.root)))
        return Start(began, tips)

    def note_refs(self, session: str, repository: Path | None = None) -> None:
        """What refs name as a session begins; of remotes' refs only those that came from there."""
        top = repository or self.root
        if not (top / ".git").exists():
            return
        try:
            now = tips(top)
        except UserError:
            return
        self.store.set_tips(session, str(store_key(top)), (tip.id for tip in now))
        if repository is None:
            note_remotes(self.store, top, now)

    def note_refs_inside(self, session: str) -> None:
        """The same for submodules."""
        for path in submodules(self.root) if (self.root / ".git").exists() else ():
            self.note_refs(session, self.root / path)

    @staticmethod
    def is_set_up(root: Path, state_dir: Path) -> bool:
        """Whether a person ever chose to gate this project; asking leaves no trace in one that nobody did."""
        if (root / CONFIG_NAME).exists():
            return True
        return was_set_up(state_dir, store_key(root))

    def suppressions(self) -> Suppressions:
        """What a person allowed in this project; a baseline as far as one accepted it."""
        waivers, accepted = self.store.allowed()
        if accepted is None:
            return Suppressions(waivers)
        with contextlib.suppress(UserError):
            return Suppressions(waivers, baseline.common(baseline.read(self.root) or {}, baseline.parsed(accepted)))
        return Suppressions(waivers)

    def accepted(self) -> ConfigInForce | None:
        """What a person accepted, None where nobody ever did."""
        trusted = self.store.trusted()
        if trusted is None:
            return None
        listed = self.store.baseline()
        with contextlib.suppress(UserError):
            return ConfigInForce(base(trusted, known_names()), baseline.parsed(listed) if listed is not None else None)
        return ConfigInForce(base(trusted, known_names()))

    def longer_baseline(self) -> bool:
        """Whether it excuses more than a person accepted; asked anew when the file has changed."""
        file = disk.file_identity(self.root / BASELINE_NAME)
        if not file:
            return False
        state = (file, self.store.baseline())
        if self._longer is None or self._longer[0] != state:
            self._longer = state, self._is_longer()
        return self._longer[1]

    def _is_longer(self) -> bool:
        accepted = self.accepted()
        with contextlib.suppress(UserError):
            return bool(baseline.beyond(baseline.read(self.root) or {}, (accepted and accepted.listed) or {}))
        return False


def note_remotes(store: Store, top: Path, now: Iterable[Tip]) -> None:
    """On record: what remotes have, by their refs as they were at first, or as a fetch or a push left them."""
    known = {(remote, each) for remote, ids in store.remote_tips().items() for each in ids}
    is_first = not known and store.trusted() is None
    came = {tip.id for tip in came_from_remotes(top, store.remotes_since())} if not is_first else set()
    found = [(tip.remote, tip.id) for tip in now if tip.remote and (is_first or tip.id in came)]
    store.add_remote_tips(each for each in found if each not in known)


def _repository(root: Path) -> Repository:
    return Repository(root, store_key(root), seconds=_GIT_SECONDS)


def head_text(root: Path, path: str) -> str | None:
    """A file's text in the last commit; without git, or when git does not answer, there is none."""
    if not (root / ".git").exists() or Path(path).is_absolute():
        return None
    try:
        data = _repository(root).head(path)
        return decode(data) if data is not None else None
    except (NotText, UserError):
        return None


def mentioning(root: Path, name: str, path: str) -> Iterable[tuple[str, str]]:
    """Other files of the same kind that speak of this name, as committed: on disk anybody may have put them.

    Git is asked once while the commit is the same: an agent comes back to the function that it writes.
    """
    tip = head(root)
    key = (root, name, path, tip)
    found = _MENTIONING.get(key) if tip else None
    if found is None:
        texts = ((place, head_text(root, place)) for place in _places(root, name, path, committed=True))
        found = tuple((place, text) for place, text in texts if text is not None)
        _MENTIONING.put(key, found)
    return found


def around(root: Path, name: str, path: str) -> Iterator[tuple[str, str]]:
    """Other files of the same kind that speak of this name, as they are on disk."""
    for place in _places(root, name, path, committed=False):
        with contextlib.suppress(NotText):
            yield place, disk.read(root / place)


_MENTIONING: RecentValues[tuple[Path, str, str, str], tuple[tuple[str, str], ...]] = RecentValues(_NAMES_KEPT)


def _places(root: Path, name: str, path: str, *, committed: bool) -> Iterable[str]:
    if not (root / ".git").exists() or not Path(path).suffix:
        return ()
    try:
        found = _repository(root).mentioning(name, Path(path).suffix, committed=committed)
    except UserError:
        return ()
    return [place for place in found if place != path][:_LOOKED_INTO]


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """The files of one session: as first seen, and as judged last; `agent` is which of its own agents asks, if any."""

    store: SessionStore
    root: Path
    session: str
    config: str
    agent: str = ""
    before_edit: bool = False

    def baseline(self, path: str, gate: Gate, now: FileBaseline, head: Callable[[], FileBaseline]) -> FileBaseline:
        seen = self._row(path)
        stood, _ = divided(seen.findings, gate.checks)
        if seen.config == self.config and seen.knows(gate.checks):
            return FileBaseline(stood, kept=True)
        is_new = not seen.config or (seen.config == self.config and not self._has_changed(path, seen))
        # Under another configuration, or by other gates, other things were found then. What is on disk now is no
        # measure: the session may have put it there. The last commit is, beside what was found.
        found = now if is_new and not (self.before_edit and self._is_laid_down(path)) else head()
        sure = seen.checks if seen.config == self.config else ()
        counted, older = divided(stood, sure)
        _, fresh = divided(found.known, sure)
        return replace(found, known=(*counted, *(dict.fromkeys((*older, *fresh)) if older else fresh)))

    def keep_baseline(self, path: str, gate: Gate, baseline: FileBaseline) -> None:
        """Under this configuration the first one counts, and only one that nothing cut short."""
        if baseline.whole and not baseline.kept:
            seen = self._row(path)
            seen = seen if seen.config == self.config else structs.replace(seen, judged="", unverified="")
            self.store.see(self.session, self._place(path), seen.learned(self.config, gate.checks, baseline.known))

    def _has_changed(self, path: str, seen: Seen) -> bool:
        """Whether the session may have put there what is on disk."""
        return bool(seen.judged) or self.is_marked(path, SessionMark.EDITED)

    def _is_laid_down(self, path: str) -> bool:
        """Whether somebody wrote it since the session began, behind the gate's back, and committed it nowhere."""
        root = self.root
        began = self.store.began(self.session, root)
        try:
            if began is None or (root / path).lstat().st_ctime_ns <= began or not (root / ".git").exists():
                return False
            return disk.read(root / path) != head_text(root, path)
        except (OSError, NotText):
            return False

    def elsewhere(self, path: str, counts: Callable[[str], bool]) -> frozenset[str]:
        place = self._place(path)
        rows = self.store.found_in(self.session).items()
        others = (seen for name, seen in rows if name != place and counts(name_in(self.root, Path(name))))
        return frozenset(known.evidence for seen in others for known in seen.findings)

    @property
    def lasts(self) -> bool:
        return not self.store.failure

    def owe(self, path: str) -> None:
        """Something in it was let pass on the promise that it is fixed before the turn, or its agent's, ends."""
        for agent in {"", self.agent}:
            self.mark(path, SessionMark.OWED, agent)

    def settle(self, path: str) -> None:
        """Nothing in it is to be fixed any more."""
        if self.owes(path):
            self.store.unmark(self.session, self._place(path), SessionMark.OWED)

    def owes(self, path: str) -> bool:
        return self.is_marked(path, SessionMark.OWED)

    def owing(self) -> frozenset[str]:
        """The files of which the session, by whichever agent, owes something."""
        return frozenset(self.marked(SessionMark.OWED))

    def due(self) -> frozenset[str]:
        """Those that are to be fixed now: an agent's own, and when the session's own turn ends all of them."""
        return frozenset(self.marked(SessionMark.OWED, self.agent))

    @property
    def _holder(self) -> str:
        return f"{self.session} {self.agent}" if self.agent else self.session

    def passed(self, path: str, judged: str, unverified: str = "") -> None:
        seen = structs.replace(self._row(path), judged=judged, unverified=unverified)
        self.store.see(self.session, self._place(path), seen)

    def forget(self, path: str) -> None:
        """As if nobody had seen it in this session."""
        self.store.see(self.session, self._place(path), Seen("", ()))

    def doubt(self, path: str, cause: str) -> None:
        """Somebody could not check this file: it has to be looked at before the session ends."""
        self.passed(path, "", cause)

    def places(self) -> tuple[Path, ...]:
        """Every file of the session that somebody looked at, or should have."""
        return tuple(Path(place) for place in self.store.seen_in(self.session))

    def stands(self, path: str, digest: str) -> bool:
        """Whether this content is what passed last, under this configuration: here, or put off by another session."""
        if self._is_sure(self._row(path), digest):
            return True
        return self._is_sure(self.store.owed_elsewhere(self.session, self._place(path), digest), digest)

    def _is_sure(self, seen: Seen | None, digest: str) -> bool:
        return seen is not None and (seen.config, seen.judged, seen.unverified) == (self.config, digest, "")

    def count_hold(self, reason: str) -> int:
        """How often in a row the session has been held back at its end for this very reason, this time included."""
        return self.store.hold(self._holder, reason)

    def let_go(self) -> None:
        self.store.let_go(self._holder)

    def is_marked(self, path: str, kind: SessionMark, subject: str = "") -> bool:
        return self.store.is_marked(self.session, self._place(path), kind, subject)

    def mark(self, path: str, kind: SessionMark, subject: str = "") -> None:
        self.store.mark(self.session, self._place(path), kind, subject)

    def marked(self, kind: SessionMark, subject: str = "") -> tuple[str, ...]:
        """The files that have this mark, as they are called in this work tree."""
        places = map(Path, self.store.marked(self.session, kind, subject))
        return tuple(name_in(self.root, place) for place in places)

    def _row(self, path: str) -> Seen:
        """What is remembered of the file; without a configuration when its first look is still to come."""
        return self.store.seen(self.session, self._place(path)) or Seen("", ())

    def _place(self, path: str) -> str:
        return str(self.root / path)
