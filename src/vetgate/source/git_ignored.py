"""What git is told to leave alone, since when it was, and which files therefore no commit will hold.

It is asked once, as long as nothing has changed that its answer depends on. A rule of `.gitignore` is a part of the
content: who reviews that sees it. `.git/info/exclude`, an excludes file that the repository's own configuration names,
and a `.gitignore` that ignores itself are files that nobody reviews.
"""

from __future__ import annotations

import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import UserError
from vetgate.source.disk import file_identity
from vetgate.source.git_base import base_commits
from vetgate.source.git_process import ask, plain_environment
from vetgate.source.git_settings import settings_files, values_in_force
from vetgate.source.git_tree import head
from vetgate.source.recent_sets import RecentValues
from vetgate.source.root import common_dir, git_dir

if TYPE_CHECKING:
    from collections.abc import Iterable

    Identity = tuple[object, ...]
    from collections.abc import Collection, Iterator

    from vetgate.source.git_base import Start


IGNORE_FILE = ".gitignore"
_EXCLUDES = "core.excludesfile"
# What stands for itself in git's settings and needs no reader: no quotes, comments, escapes, variables.
_NOT_PLAIN = frozenset("\"'\\#;%$")
_KEPT = 4_000
_answers: RecentValues[tuple[str, str], tuple[Identity, bool]] = RecentValues(_KEPT)


def ignored(root: Path, names: tuple[str, ...], seconds: float) -> frozenset[str]:
    """Which of these git is told to leave alone; what it knows already, it is not."""
    states = rules_of(root, names) or {}
    known = {name: _known(root, name, states) for name in names}
    asked = tuple(name for name, answer in known.items() if answer is None)
    found = _asked(root, asked, seconds) if asked else frozenset()
    if found is not None:
        for name in asked:
            if name in states:
                _answers.put((str(root), name), (states[name], name in found))
    return frozenset(name for name, answer in known.items() if answer) | (found or frozenset())


def is_ignored(root: Path, path: Path) -> bool:
    """Of one file or folder, asked anew; False where git cannot say it."""
    return ask(("check-ignore", "-q", "--", os.fspath(path)), root).status == 0


def _known(root: Path, name: str, states: dict[str, Identity]) -> bool | None:
    found = _answers.get((str(root), name))
    return found[1] if found is not None and found[0] == states.get(name) else None


def _asked(root: Path, names: tuple[str, ...], seconds: float) -> frozenset[str] | None:
    """None where git did not answer."""
    given = b"\0".join(os.fsencode(name) for name in names)
    try:
        answer = ask(("check-ignore", "-z", "--stdin"), root, stdin=given, seconds=seconds)
    except UserError:
        return None
    if answer.status not in {0, 1}:
        return None
    return frozenset(answer.names)


def rules_of(root: Path, names: Iterable[str]) -> dict[str, Identity] | None:
    """For each name all that git's answer depends on, told without reading; None where more than this may count."""
    own = git_dir(root)
    shared = _shared(own) if own else None
    if own is None or shared is None:
        return None
    found: dict[str, Identity] = {}
    # Of a file it also matters whether git knows it; a folder it never does.
    index = (file_identity(own / "index"),)
    of_kind = {name: () if os.path.isdir(root / name) else index for name in names}  # noqa: PTH112
    return {name: (shared, kind, *_above(root, name, found)) for name, kind in of_kind.items()}


def index_identity(root: Path) -> Identity:
    """Of git's list of what it knows; nothing where there is none."""
    own = git_dir(root)
    return file_identity(own / "index") if own else ()


def _above(root: Path, name: str, found: dict[str, Identity]) -> Identity:
    """The rules in the folders that it lies in, from the root on."""
    folder = name.rstrip("/").rpartition("/")[0]
    if folder not in found:
        above = _above(root, folder, found) if folder else ()
        found[folder] = (*above, file_identity(root / folder / IGNORE_FILE))
    return found[folder]


def _shared(own: Path) -> Identity | None:
    """Of every name: the settings, and the rules beside those of the folders."""
    environment = plain_environment()
    files = settings_files(own, environment)
    values = values_in_force(files)
    named = {value for key, value in values or () if key == _EXCLUDES}
    if values is None or any(_NOT_PLAIN.intersection(each) or not each.startswith(("/", "~/")) for each in named):
        return None
    home = environment.get("HOME", "")
    places = (home + each.removeprefix("~") if each.startswith("~") else each for each in named)
    usual = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
    more = (Path(usual) / "git/ignore", *map(Path, sorted(places)))
    return tuple(map(file_identity, (*files, *more, common_dir(own) / "info/exclude")))


_LISTED = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
_EXCLUDE = "info/exclude"
_ENCODING = "working-tree-encoding"
_AS_COMMITTED = frozenset({"unspecified", "unset", "set", "", "utf-8", "utf8"})
_OF_REPOSITORY = ("config", "--local", "--get", "core.excludesFile")


def hidden_files(root: Path, content: Collection[str], seconds: float) -> tuple[str, ...]:
    """Each with the file whose rule hides it; `content` are the files that a commit would hold."""
    ignored = ask(_LISTED, root, seconds=seconds)
    if ignored.status != 0 or not ignored.out:
        return ()
    told = ask(("check-ignore", "-v", "-z", "--stdin"), root, stdin=ignored.out, seconds=seconds)
    fields = [os.fsdecode(each) for each in told.out.split(b"\0")[:-1]]
    is_own = not ask(_OF_REPOSITORY, root, seconds=seconds).out
    return tuple(_hidden(fields, content, is_own=is_own))


def reencoded_files(root: Path, names: Iterable[str], seconds: float) -> tuple[str, ...]:
    """Those that lie here in another encoding than a commit holds them in, each with that encoding."""
    given = b"".join(os.fsencode(name) + b"\0" for name in names)
    told = ask(("check-attr", "-z", "--stdin", _ENCODING), root, stdin=given, seconds=seconds)
    fields = [os.fsdecode(each) for each in told.out.split(b"\0")[:-1]]
    found = zip(fields[::3], fields[2::3], strict=True)
    return tuple(f"{name} ({encoding})" for name, encoding in found if encoding.lower() not in _AS_COMMITTED)


def _hidden(fields: list[str], content: Collection[str], *, is_own: bool) -> Iterator[str]:
    for source, _line, _rule, name in zip(*(fields[each::4] for each in range(4)), strict=True):
        folder, _, file = source.rpartition("/")
        if file == IGNORE_FILE and not source.startswith("/"):
            within = f"{folder}/" if folder else ""
            # A folder that is ignored as a whole, as caches and environments are, holds no code of the content.
            is_reviewed = source in content or not any(each.startswith(within) for each in content)
        else:
            is_reviewed = is_own and not source.endswith(_EXCLUDE)
        if not is_reviewed:
            yield f"{name} ({source})"


_SECONDS = 2.0
_ADDED = "A"
# Folders that nobody lints, and what lies in those that git looks at: of more git is asked each time.
_MOST_FOLDERS, _MOST_FILES = 500, 2_000
_SESSIONS = 64


def is_covered(root: Path, path: str, start: Start) -> bool:
    """Whether a rule from before the session keeps this path out of git, and git does not know the file.

    False when git has no answer, for then nobody can say that the file never leaves the machine.
    """
    if path.startswith("/") or "\0" in path or not (root / ".git").exists():
        return False
    try:
        answer = ask(("check-ignore", "-v", "-z", "--stdin"), root, stdin=os.fsencode(path), seconds=_SECONDS)
        source, _, rule = (*(os.fsdecode(each) for each in answer.out.split(b"\0")[:3]), "", "", "")[:3]
        # Git also names the rule that takes a file back in.
        return bool(source) and not rule.startswith("!") and _was_there(root, source, rule, start)
    except UserError:
        return False


def _was_there(root: Path, source: str, rule: str, start: Start) -> bool:
    file = root / Path(source).expanduser()
    try:
        if file.lstat().st_ctime_ns < start.at:
            return True
    except OSError:
        return False
    if not file.is_relative_to(root):
        return False
    text = base_commits(root, start).base_text(file.relative_to(root).as_posix())
    return rule in (line.strip() for line in (text or "").splitlines())


class AddedIgnored(NamedTuple):
    """New files in the index that a rule ignores; all that differs from a commit, or that git does not know yet.

    It is not `whole` where git did not answer everything.
    """

    against_the_rules: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    whole: bool = True


def find_added_ignored(root: Path, commit: str) -> AddedIgnored:
    # Not `git diff`: that writes the index anew where a file was only touched, and then it would be asked again.
    compared = ("diff-index", "--name-status", "-z", "--no-renames", "--ignore-submodules=all", commit, "--")
    # Both look at every file of the tree, so they do it at the same time.
    with ThreadPoolExecutor(1, thread_name_prefix="ignored") as aside:
        others = aside.submit(_names, ("ls-files", "-z", "--others", "--exclude-standard"), root)
        differs = _names(compared, root)
        told = iter(differs or ())
        changed = {path: status for status, path in zip(told, told, strict=False)}
        covered: tuple[str, ...] | None = ()
        if _ADDED in changed.values():
            covered = _names(("ls-files", "-z", "--cached", "--ignored", "--exclude-standard"), root)
        unknown = others.result()
    against = tuple(path for path in covered or () if changed.get(path) == _ADDED)
    return AddedIgnored(against, (*changed, *(unknown or ())), None not in (differs, covered, unknown))


def _names(args: tuple[str, ...], root: Path) -> tuple[str, ...] | None:
    """None where git had no answer."""
    answer = ask(args, root, seconds=_SECONDS)
    if answer.status != 0:
        return None
    return tuple(name for name in answer.names if not name.endswith("/"))


class _Unlinted(NamedTuple):
    """All that git's answer about the folders that nobody lints depends on, told without asking it."""

    commit: str
    listed: Identity
    rules: dict[str, Identity]
    files: dict[str, tuple[int, ...]]


@dataclass
class AddedIgnoredMemory:
    """What git said to each session, as long as it would say the same of the folders that nobody lints.

    Of what lies elsewhere whoever asks learns by other means, and calls `forget` where rules have changed.
    """

    root: Path
    _told: dict[str, tuple[_Unlinted | None, Identity, AddedIgnored]] = field(default_factory=dict)
    _tracked: tuple[object, tuple[str, ...] | None] = ((), None)

    def forget(self, session: str) -> None:
        self._told.pop(session, None)

    def has_new_index(self, session: str) -> bool:
        """Whether git's list has changed since this session asked, or it never did."""
        index = index_identity(self.root)
        return bool(index) and (session not in self._told or self._told[session][1] != index)

    def find(self, session: str, commit: str, folders: tuple[str, ...] | None) -> AddedIgnored:
        """`folders` are all that nobody lints; None where nobody knows them, and git is asked each time."""
        index = index_identity(self.root)
        now = self._unlinted(commit, index, folders) if folders is not None else None
        told = self._told.get(session)
        if now is not None and told is not None and told[0] == now:
            return told[2]
        found = find_added_ignored(self.root, commit)
        if len(self._told) > _SESSIONS:
            self._told.clear()
        self._told[session] = (now if found.whole else None, index, found)
        return found

    def _unlinted(self, commit: str, index: Identity, folders: tuple[str, ...]) -> _Unlinted | None:
        """None where that takes more than a look at a few files."""
        base = head(self.root) if commit == "HEAD" else commit
        rules = rules_of(self.root, folders)
        if not base or rules is None or len(folders) > _MOST_FOLDERS:
            return None
        left_alone = ignored(self.root, folders, _SECONDS) if folders else frozenset()
        known = self._known_in(tuple(sorted(left_alone)), index)
        if known is None:
            return None
        files = _files_in(self.root, [each for each in folders if each not in left_alone], known)
        return None if files is None else _Unlinted(base, index, rules, files)

    def _known_in(self, folders: tuple[str, ...], index: Identity) -> tuple[str, ...] | None:
        """Files that git knows although it is told to leave their folder alone."""
        if not folders:
            return ()
        if self._tracked[0] != (folders, index) or self._tracked[1] is None:
            asked = ("--literal-pathspecs", "ls-files", "-z", "--", *folders)
            self._tracked = (folders, index), _names(asked, self.root)
        return self._tracked[1]


def _files_in(root: Path, folders: list[str], more: tuple[str, ...]) -> dict[str, tuple[int, ...]] | None:
    """All below these folders, and more beside them; None where they are too many to be looked at each time."""
    found = {name: _entry_identity(root / name) for name in (*folders, *more)}
    pending = list(folders)
    while pending:
        here = pending.pop()
        with contextlib.suppress(OSError), os.scandir(root / here) as entries:
            for entry in entries:
                found[f"{here}/{entry.name}"] = _entry_identity(entry)
                if entry.is_dir(follow_symlinks=False):
                    pending.append(f"{here}/{entry.name}")
        if len(found) > _MOST_FILES:
            return None
    return found


def _entry_identity(entry: os.DirEntry[str] | Path) -> tuple[int, ...]:
    try:
        status = entry.lstat() if isinstance(entry, Path) else entry.stat(follow_symlinks=False)
    except OSError:
        return ()
    return status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
