"""Edits of the past: of a range of commits, in which each file is an edit, or of recorded sessions of an agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from vetgate.agents import agents
from vetgate.model import Change, Command, File, UserError
from vetgate.source import git_history
from vetgate.source.edit import applied
from vetgate.source.root import name_in, project_root
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.source.git import Repository
    from vetgate.source.git_history import Touched

    Around = Callable[[str, str], Iterable[tuple[str, str]]]
    from vetgate.agents.conversation import Hunk, RecordedCall
    from vetgate.source.edit import Proposal

_UNKNOWN = "the transcript does not hold the file's earlier content"
_SESSION = 8
_COMMIT = 12


@dataclass(frozen=True, slots=True)
class RecordedEdit:
    """One file as it was changed once, or one command as it was run; where neither is known, `missing` says why.

    `origin` says for a person where it comes from. What else was changed with it is its `company`: code that moved from
    one file to another is known by that. `around` gives other files as they were then.
    """

    id: str
    origin: str
    path: str
    root: Path
    file: File | None = None
    command: Command | None = None
    missing: str = ""
    company: str = ""
    around: Around | None = None


@dataclass(frozen=True, slots=True)
class Company:
    """Files that were changed together, and the others beside them."""

    change: Change
    around: Around | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """`items` are small and can be sent to another process, which opens `edits` of them, one or more of each.

    `company` gives all files that were changed together, asked for by what an edit says.
    """

    what: str
    items: Sequence[Any]
    edits: Callable[[tuple[Any, ...]], Iterable[RecordedEdit]]
    company: Callable[[str], Company]
    notes: tuple[str, ...] = ()


def history(repository: Repository, wanted: str, newest: int | None = None) -> Recording:
    subjects = git_history.commits(repository, wanted, newest)
    files = git_history.touched(repository, tuple(subjects))
    by_commit = {commit: tuple(part) for commit, part in groupby(files, key=attrgetter("commit"))}

    def company(commit: str) -> Company:
        change = git_history.change_of(repository.top, by_commit[commit])
        return Company(change, partial(git_history.around, repository.top, commit))

    many = f"{len(subjects):,} {'commit' if len(subjects) == 1 else 'commits'} of {repository.top.name}"
    return Recording(many, files, partial(_edits, repository.top, subjects), company)


def _edits(top: Path, subjects: Mapping[str, str], files: tuple[Touched, ...]) -> Iterator[RecordedEdit]:
    for commit, part in groupby(files, key=attrgetter("commit")):
        change = git_history.change_of(top, tuple(part))
        origin = f"{commit[:_COMMIT]} {subjects[commit]}"
        around = partial(git_history.around, top, commit)
        for file in change.files:
            yield RecordedEdit(
                id=f"{commit[:_COMMIT]}:{file.path}",
                origin=origin,
                path=file.path,
                root=top,
                file=file,
                company=commit,
                around=around,
            )
        for item in change.unchecked:
            yield RecordedEdit(f"{commit[:_COMMIT]}:{item.path}", origin, item.path, top, missing=item.reason)


def sessions(transcripts: Sequence[Path]) -> Recording:
    read = _SessionReading()
    for transcript in transcripts:
        try:
            read.take(transcript)
        except OSError as error:
            raise UserError(f"{transcript} cannot be read: {error.strerror}") from error
    many = len(read.names)
    what = f"{many:,} {'session' if many == 1 else 'sessions'}"
    return Recording(what, read.edits, tuple, read.company, tuple(read.notes))


def transcripts_at(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The files named, and those in the folders named."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.glob("**/*.jsonl")) if path.is_dir() else [path]
        if not inside or not inside[0].is_file():
            raise UserError(f"there is no transcript at {path}", hint="name a .jsonl file, or a folder with some")
        found += inside
    return tuple(dict.fromkeys(found))


@dataclass(slots=True)
class _Session:
    """The files of a session: as first seen, and as they are after the last call."""

    first: dict[Path, str | None] = field(default_factory=dict)
    now: dict[Path, str | None] = field(default_factory=dict)

    def see(self, path: Path, text: str | None) -> None:
        self.first.setdefault(path, text)
        self.now[path] = text


@dataclass(slots=True)
class _SessionReading:
    edits: list[RecordedEdit] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)
    _beside: dict[str, tuple[File, ...]] = field(default_factory=dict)

    def take(self, transcript: Path) -> None:
        session = _Session()
        calls = _calls(transcript)
        for call in calls:
            # A session that was resumed or forked begins with a copy of the lines of the other.
            if call.id not in self._known:
                self._known.add(call.id)
                self.names.add(call.session)
                self._judgeable(session, call)
        if not calls:
            self.notes.append(f"{transcript} holds no edits and no commands")

    def company(self, edit: str) -> Company:
        files = self._beside[edit]
        root = next(each.root for each in self.edits if each.id == edit)
        return Company(Change(root, files))

    def _judgeable(self, session: _Session, call: RecordedCall) -> None:
        if call.found is not None:
            text = call.found.text
            session.see(call.found.path, None if text is None else text.replace("\r\n", "\n"))
        if call.command:
            root = _root(call.cwd)
            command = Command(call.command, call.cwd, root)
            self.edits.append(RecordedEdit(call.id, _origin(call), "command", root, command=command))
        for number, proposal in enumerate(call.proposals):
            edit_id = f"{call.id}:{number}" if number else call.id
            self.edits.append(self._edit(session, call, proposal, edit_id))

    def _edit(self, session: _Session, call: RecordedCall, proposal: Proposal, edit_id: str) -> RecordedEdit:
        place = call.cwd / proposal.path
        root = _root(call.cwd)
        name = name_in(root, place)
        if place not in session.now and proposal.content is None:
            return RecordedEdit(edit_id, _origin(call), name, root, missing=_UNKNOWN)
        before = session.now.get(place)
        try:
            after = applied(proposal, before)
        except NotText as why:
            return RecordedEdit(edit_id, _origin(call), name, root, missing=why.reason)
        file = File(name, before, after)
        others = (
            File(name_in(root, path), first, session.now[path])
            for path, first in session.first.items()
            if path != place
        )
        self._beside[edit_id] = (file, *others)
        if not call.refused:
            session.see(place, patched(before or "", call.hunks) if call.hunks else after)
        return RecordedEdit(edit_id, _origin(call), name, root, file=file, company=edit_id)


def _calls(transcript: Path) -> list[RecordedCall]:
    """As the first agent reads them that finds any in there."""
    kept = (each.transcript for each in agents() if each.capabilities.keeps_transcripts)
    return next(filter(None, (list(each.calls(transcript)) for each in kept)), [])


def patched(text: str, hunks: Sequence[Hunk]) -> str:
    """What a person made of a proposal, as the client wrote it down."""
    lines = text.split("\n")
    for hunk in sorted(hunks, key=lambda each: each.start, reverse=True):
        at = max(0, hunk.start - 1)
        lines[at : at + len(hunk.old)] = hunk.new
    return "\n".join(lines)


def _root(cwd: Path) -> Path:
    return project_root(cwd) or cwd


def _origin(call: RecordedCall) -> str:
    return f"session {call.session[:_SESSION]}, {call.at}" if call.at else f"session {call.session[:_SESSION]}"
