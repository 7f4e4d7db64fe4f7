"""What a command would really lose: git is asked before a loss is claimed, once for all of the command."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from glob import escape, iglob
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.command_context import is_build_output
from vetgate.source.git_losses import TreeState, top_of, tree_state
from vetgate.source.root import key
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.placeholders import SET, UNKNOWN, has_glob, shown
from vetgate.source.shell.runs import HERE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.checks.unsafe_command.command_context import CommandPaths
    from vetgate.source.shell.runs import ProgramRun

# What git keeps anyway is a person's business from here on: it takes them a while to see that it is gone.
MOST_FILES = 50
_MOST_MATCHES = 500
_MOST_PATHS = 100
_NAMED = 3
# Programs after which files are not where they were when git was asked.
_MOVERS = frozenset("mv gmv cp gcp ln install rsync rename tar unzip bsdtar patch dd".split())
_GIT_MOVERS = frozenset(
    """
    stash mv rm checkout switch restore reset apply am merge rebase cherry-pick revert pull clean worktree update-index
    read-tree checkout-index branch update-ref symbolic-ref tag
    """.split()
)


class FileRemoval(NamedTuple):
    """What deleting some paths means. `files` are in a commit as they are; `lost` are in none, by name.

    `folder` is one at the top of the project. A person `requested` all of it. `unsure` says why nobody can tell.
    """

    files: int = 0
    lost: tuple[str, ...] = ()
    folder: str = ""
    requested: bool = False
    unsure: str = ""

    @property
    def is_nothing(self) -> bool:
        return not (self.files or self.lost or self.unsure)


def listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@dataclass
class Losses:
    """Asked by the rules of one command. `runs` are all that it runs, in order."""

    paths: CommandPaths
    runs: Sequence[ProgramRun]
    _states: dict[tuple[Path, bool], TreeState | None] = field(default_factory=dict)

    def is_moved_before(self, run: ProgramRun, verbs: frozenset[str] = _GIT_MOVERS) -> bool:
        """Whether an earlier part of the line changes what git was asked about, with these commands of git."""
        at = next((index for index, each in enumerate(self.runs) if each.part == run.part), len(self.runs))
        return any(_moves(each, verbs) for each in self.runs[:at])

    def state(self, top: Path, *, whole: bool = False) -> TreeState | None:
        """Of the paths that the command names, or of all; another repository than the first one counts as unknown."""
        whole = whole or (top, True) in self._states
        known = (top, whole)
        if known not in self._states:
            if any(other != top for other, _ in self._states):
                return None
            names = () if whole else self._named(top)
            self._states[known] = tree_state(top, names)
        return self._states[known]

    def _named(self, top: Path) -> tuple[str, ...]:
        """Every path of the line in this work tree; nothing, so all of it, where one is as broad as that."""
        found: dict[str, None] = {}
        for run in self.runs:
            for word in (*run.arguments, *(write.path for write in run.writes)):
                for path in self.located(run, word):
                    if path == os.fspath(top):
                        return ()
                    if path.startswith(f"{top}/"):
                        found[path[len(os.fspath(top)) + 1 :]] = None
        return tuple(found) if 0 < len(found) <= _MOST_PATHS else ()

    def located(self, run: ProgramRun, path: str) -> list[str]:
        """What is on disk by that name: folders on the way are followed, the last link is not, globs are matched."""
        base = run.cwd or str(self.paths.place.cwd)
        if run.where != HERE or not path or UNKNOWN in path or UNKNOWN in base or "\0" in path:
            return []
        full = path if path.startswith("/") else f"{base}/{path}"
        full = full.replace(f"{SET}^", f"{SET}!")  # a shell knows both, glob only one
        found = list(islice(iglob(shown(escape(full))), _MOST_MATCHES)) if has_glob(full) else [full]  # noqa: PTH207
        return [place for each in found if (place := _place(each)) and os.path.lexists(place)]

    def removal(self, run: ProgramRun, paths: Sequence[str]) -> FileRemoval:
        """What is lost when these go, folders with all that is in them. Build output is nobody's loss."""
        places = [place for path in paths for place in self.located(run, path)]
        places = [place for place in dict.fromkeys(places) if not self.is_made(place)]
        if not places:
            return FileRemoval()
        tops = {top_of(place) for place in places}
        top = next(iter(tops))
        state = self.state(top) if top is not None and len(tops) == 1 else None
        if state is None or not state.commit:
            older = [self._name(place) for place in places if not self.is_new(place)]
            return FileRemoval(lost=tuple(older))
        if self.is_moved_before(run):
            return FileRemoval(unsure="an earlier part of the line moves files, so nobody can tell what is lost")
        names = [os.path.relpath(place, state.top) for place in places]
        lost = [name for each in names for name in self._lost_below(state, each)]
        folder = next((name for name in names if "/" not in name and (state.top / name).is_dir()), "")
        files = sum(self._kept_below(state, each) for each in names)
        judged = self.paths.place.is_requested
        requested = judged is not None and all(judged(Path(place)) for place in places)
        return FileRemoval(files, tuple(dict.fromkeys(lost)), folder if files else "", requested)

    def _lost_below(self, state: TreeState, name: str) -> Iterator[str]:
        for each in sorted((*state.changed, *state.untracked, *state.ignored)):
            plain = each.rstrip("/")
            inside = plain == name or plain.startswith(f"{name}/")
            # Of a folder that is ignored as a whole git does not say what is in it.
            around = each.endswith("/") and name.startswith(each)
            place = os.fspath(state.top / (name if around else plain))
            if not (inside or around) or self.is_made(place):
                continue
            if each in state.changed or not self.is_new(place):
                yield name if around else plain

    def _kept_below(self, state: TreeState, name: str) -> int:
        """Files that git knows; beyond the limit it does not matter how many."""
        place = state.top / name
        unknown = {*state.untracked, *state.ignored, *state.changed}
        if not place.is_dir() or place.is_symlink():
            return int(name not in unknown and not _is_below(name, state.ignored))
        found = 0
        for folder, folders, files in os.walk(place):
            inner = os.path.relpath(folder, state.top)
            folders[:] = [each for each in folders if f"{inner}/{each}/" not in state.ignored and each != ".git"]
            found += sum(f"{inner}/{each}" not in unknown for each in files)
            if found > MOST_FILES:
                break
        return found

    def is_made(self, place: str) -> bool:
        root = next((root for root in self.paths.roots if self.paths.is_inside(key(place), root)), None)
        return root is not None and is_build_output(key(place)[len(root) :].strip("/").split("/"))

    def is_new(self, place: str) -> bool:
        """Whether this session made it, all of it where it is a folder."""
        judged = self.paths.place.is_new
        return judged is not None and judged(Path(place))

    def _name(self, place: str) -> str:
        cwd = os.fspath(self.paths.place.cwd)
        return os.path.relpath(place, cwd) if place.startswith(f"{os.path.realpath(cwd)}/") else place


def _place(path: str) -> str:
    """With the folders on the way as they really are."""
    try:
        folder, name = os.path.split(path.rstrip("/") or "/")
        if name in ("", ".", ".."):
            return os.path.realpath(path)
        return f"{os.path.realpath(folder).rstrip('/')}/{name}"
    except (OSError, ValueError):
        return ""


def _is_below(name: str, folders: frozenset[str]) -> bool:
    return any(each.endswith("/") and name.startswith(each) for each in folders)


def _moves(run: ProgramRun, verbs: frozenset[str]) -> bool:
    if run.name == "git":
        return git_verb(run.arguments)[0] in verbs
    return run.name in _MOVERS
