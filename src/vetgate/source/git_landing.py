"""What git is about to take in: the index at a commit, commits at a push, beside all that was there before."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.model import Change, Event, File, UserError
from vetgate.source import git_changes, git_objects
from vetgate.source.disk import read
from vetgate.source.git_outgoing import existing, new_commits
from vetgate.source.git_process import index_of_commit, names_in, run
from vetgate.source.git_refs import commit_named
from vetgate.source.text import NotText, decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from vetgate.source.git import Repository

_NAMES = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all")
MESSAGE = "COMMIT_EDITMSG"
# Below it git shows what is committed, with `--verbose`; it never becomes part of the message.
_SCISSORS = "------------------------ >8 ------------------------"
# What git tells its hooks where it opens none.
_NO_EDITOR = ":"
# A push that joins more lines of work than this is compared with the newest ones.
_MOST_BASES = 8


@dataclass(frozen=True, slots=True)
class Landing:
    """A change, and the other commits whose content is not new either: what is merged in stood there before."""

    change: Change
    beside: tuple[str, ...] = ()

    def text_beside(self, path: str) -> str | None:
        """The file in one of those commits, where it is not what the change starts from."""
        if "\n" in path:  # git reads one name per line
            return None
        starts = next((file.before for file in self.change.files if file.path == path), None)
        for data in git_objects.read(tuple(f"{commit}:{path}" for commit in self.beside), self.change.root):
            try:
                text = None if data is None else decode(data)
            except NotText:
                continue
            if text is not None and text != starts:
                return text
        return None


@dataclass(frozen=True, slots=True)
class Ref:
    """One line of what git tells a pre-push hook; an object id of zeros is a ref that does not exist."""

    local: str
    remote: str
    names: tuple[str, ...] = ()

    @property
    def is_deleted(self) -> bool:
        return not self.local.strip("0")

    @property
    def is_created(self) -> bool:
        return not self.remote.strip("0")


@dataclass(frozen=True, slots=True)
class LandingEvent(Event):
    """Something is about to land: a commit, then its message, or a push.

    `message` is the file of the message, "" where git names none, and None for anything else; `remote` is the name and
    the address of what a push goes to, `refs` what it would send.
    """

    message: str | None = None
    remote: tuple[str, ...] = ()
    refs: tuple[Ref, ...] = ()


def at_commit(repository: Repository) -> Landing:
    """The index against HEAD; of a merge only what differs from every parent."""
    index = index_of_commit()
    parents = _merged(repository)
    change = repository.staged(index)
    for parent in parents:
        change = _limited(change, run((*_NAMES, "--cached", parent), repository.top, index=index))
    return Landing(change, parents)


def of_message(event: LandingEvent, repository: Repository) -> Landing:
    if not event.message:
        raise UserError("the commit-msg hook was called without a file", hint="git passes it the file with the message")
    try:
        text = read(event.cwd / event.message)
    except NotText:  # in another encoding, or with control characters: git itself says what it thinks of that
        return Landing(Change(repository.top))
    message = _until_scissors(text)
    return Landing(Change(repository.top, (File(MESSAGE, None, message),) if message.strip() else ()))


def _until_scissors(text: str) -> str:
    """Without what `--verbose` shows below. Git cuts nothing off where it opened no editor, nor what is no diff."""
    kept = text.splitlines(keepends=True)
    end = next((number for number, line in enumerate(kept) if line.rstrip().endswith(_SCISSORS)), len(kept))
    comment = "".join(kept[end : end + 1]).partition(_SCISSORS)[0].strip()
    below = (line for line in kept[end + 1 :] if not (comment and line.startswith(comment)))
    is_cut = os.environ.get("GIT_EDITOR") != _NO_EDITOR and next(below, "diff ").startswith("diff ")
    return "".join(kept[:end]) if is_cut else text


def at_push(repository: Repository, refs: Iterable[Ref], known: tuple[str, ...]) -> tuple[Landing, ...]:
    """What each pushed ref adds to all that is `known` to be at the remote."""
    found: dict[str, Landing] = {}
    for ref in refs:
        commit = "" if ref.is_deleted else commit_named(repository.top, ref.local)
        if commit is not None and commit not in found:
            bases = _bases(repository, commit, ref, known)
            if bases:
                found[commit] = _between(repository, bases, commit)
    return tuple(found.values())


def _between(repository: Repository, bases: tuple[str, ...], commit: str) -> Landing:
    top = repository.top
    change = git_changes.from_index(top, run((*git_changes.RAW, bases[0], commit), top))
    for base in bases[1:]:
        change = _limited(change, run((*_NAMES, base, commit), top))
    return Landing(replace(change, base=bases[0]), bases[1:])


def _bases(repository: Repository, commit: str, ref: Ref, known: tuple[str, ...]) -> tuple[str, ...]:
    """The newest commits that the remote has, below those that it has not; none for a first push.

    A history that began anew is compared with what it takes the place of, else with some branch of the remote.
    """
    asked = "".join((f"{commit}\n", *(f"^{each}\n" for each in known))).encode("ascii")
    listed = run(("rev-list", "--boundary", "--date-order", "--stdin"), repository.top, stdin=asked)
    lines = os.fsdecode(listed).splitlines()
    bases = tuple(line[1:] for line in lines if line.startswith("-"))[:_MOST_BASES]
    if bases or not lines:
        return bases
    own = () if ref.is_created else (ref.remote,)
    return tuple(base for each in (*own, *known) if (base := commit_named(repository.top, each)))[:1]


def _limited(change: Change, listed: bytes) -> Change:
    names = {*names_in(listed)}
    files = tuple(file for file in change.files if file.path in names)
    return replace(change, files=files, unchecked=tuple(item for item in change.unchecked if item.path in names))


def known_to_remote(
    repository: Repository,
    refs: Iterable[Ref],
    answer: Callable[[], Mapping[str, str] | None],
    recorded: Callable[[bool], Iterable[str]],
) -> tuple[str, ...]:
    """What the remote has: git's own word for the refs that are pushed, and for the others that of the remote.

    It is asked only if that could make a difference. `recorded` is what we know of it from before, or, where it
    answered, of other remotes: what was had from them is not this push's either.
    """
    refs = tuple(refs)
    top = repository.top
    pushed = [ref.local for ref in refs if not ref.is_deleted]
    told = existing(top, (ref.remote for ref in refs if not ref.is_created))
    if not any(ref.is_created for ref in refs if not ref.is_deleted):
        claimed = new_commits(top, pushed, told, claimed=True)
        if claimed == new_commits(top, pushed, told):
            return told
    there = answer()
    return existing(top, (*told, *(there or {}).values(), *recorded(there is not None)))


def _merged(repository: Repository) -> tuple[str, ...]:
    """The commits that the one being made merges into HEAD."""
    place = _path(repository, "MERGE_HEAD")
    try:
        names = place.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(name for name in names if commit_named(repository.top, name))


def _path(repository: Repository, name: str) -> Path:
    told = run(("rev-parse", "--path-format=absolute", "--git-path", name), repository.top)
    return repository.top / os.fsdecode(told.removesuffix(b"\n"))


def hooks_folder(repository: Repository) -> Path:
    """Where git looks for hooks: `core.hooksPath`, or the folder that all work trees share."""
    return _path(repository, "hooks")
