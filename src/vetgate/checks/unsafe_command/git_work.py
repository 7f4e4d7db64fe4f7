"""git commands that throw work away: what they would really lose, by what git says of the tree before."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.command_context import real_path
from vetgate.checks.unsafe_command.effect import LOSES_WORK, MatchedEffect
from vetgate.checks.unsafe_command.files import is_answered, removed
from vetgate.checks.unsafe_command.losses import counted, listed
from vetgate.expression import expression
from vetgate.model import Decision
from vetgate.source.git_losses import files_of, has_ref, only_on, stashed, top_of
from vetgate.source.root import key
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import UNKNOWN, has_glob, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.checks.unsafe_command.words import Words
    from vetgate.source.git_losses import TreeState
    from vetgate.source.shell.runs import ProgramRun

    Reader = Callable[[Words, ProgramRun, EffectContext], Iterator[MatchedEffect]]

STASH = "run `git stash push -u` first; it can be brought back with `git stash pop`"
_LOOK = "look with `git clean -n`, then delete by name, or `git stash push -u`"
_OVERWRITES = "it overwrites changes that are not committed"
_UNKNOWN_TO_GIT = "it deletes files that git does not know"
_UNSURE = "an earlier part of the line changes files, so nobody can tell what is lost"
# Paths that mean more than one file to git itself, quoted or not.
_BROAD = expression(r"[.:/]*$|.*[*?\[]|:")
_HEADS = frozenset({"", "HEAD", "@"})
_UPSTREAM = expression(r"@\{(?:u|upstream)\}")
_COMMIT = expression(r"[0-9a-f]{7,40}")
_STASH_NAME = expression(r"(?:stash@\{)?(\d+)\}?")
# What can move a branch between the view and its deletion; to check another one out does not.
_MOVE_BRANCHES = frozenset({"branch", "update-ref", "reset", "rebase", "symbolic-ref", "commit", "cherry-pick", "am"})


def folder_of(run: ProgramRun, context: EffectContext) -> Path | None:
    """Where git looks for its repository; None for what is not known yet."""
    here = run.cwd or str(context.paths.place.cwd)
    named = run.env.get("GIT_DIR", "")
    if named and not any(option == "--git-dir" for option, _ in _options(run.arguments)):
        here = named if named.startswith("/") else f"{here}/{named}"
        return None if UNKNOWN in here or not here.startswith("/") else Path(here)
    for option, value in _options(run.arguments):
        # `--git-dir` starts from where the `-C` before it lead.
        here = value if value.startswith("/") else f"{here}/{value}"
        if option == "--git-dir":
            break
    return None if UNKNOWN in here or not here.startswith("/") else Path(here)


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    before = arguments[: len(arguments) - len(git_verb(arguments)[1])]
    for index, word in enumerate(before):
        if word in ("-C", "--git-dir") and index + 1 < len(before):
            yield word, before[index + 1]
        elif word.startswith("--git-dir="):
            yield "--git-dir", word.partition("=")[2]


class _TreeView(NamedTuple):
    """A work tree as git sees it, and the folder that paths start from; moved when the line changes it before."""

    folder: Path
    state: TreeState
    is_moved: bool

    def below(self, paths: Sequence[str]) -> set[str] | None:
        """Names from the top; None where one of them means more than what it says, or nothing that is there."""
        names = set()
        for path in paths:
            full = os.path.realpath(self.folder / path)
            name = posixpath.relpath(full, os.path.realpath(self.state.top))
            is_there = os.path.lexists(full) or name in self.state.missing or name == "."
            if not is_there or name.startswith("../"):
                return None
            names.add("" if name == "." else name)
        return names


def _view(run: ProgramRun, context: EffectContext) -> _TreeView | None:
    """None where nobody can tell what git would find."""
    top = _top(run, context)
    folder = folder_of(run, context)
    state = context.losses.state(top, whole=True) if top is not None else None
    if state is None or folder is None or not state.commit:
        return None
    return _TreeView(folder, state, context.losses.is_moved_before(run))


def _top(run: ProgramRun, context: EffectContext) -> Path | None:
    folder = folder_of(run, context)
    elsewhere = "GIT_WORK_TREE" in run.env or any(each.startswith("--work-tree") for each in run.arguments)
    if (
        folder is None
        or elsewhere
        or not folder.is_dir()
        or not context.paths.in_project(key(real_path(os.fspath(folder))))
    ):
        return None
    return top_of(os.path.realpath(folder / "any"))


def _overwritten(
    view: _TreeView | None,
    paths: Sequence[str],
    *,
    unknown: AbstractSet[str] = frozenset(),
    spared: AbstractSet[str] = frozenset(),
) -> Iterator[MatchedEffect]:
    """What stands in these paths, or anywhere, and differs from what is committed, or is `unknown` to git."""
    if view is not None and view.is_moved:
        yield MatchedEffect(LOSES_WORK, _OVERWRITES, STASH, Decision.ASK, f"overwrites files, and {_UNSURE}")
        return
    broad = any(has_glob(each) or _BROAD.match(each) for each in paths)
    names = {""} if view is not None and (broad or not paths) else view.below(paths) if view is not None else None
    if view is None or names is None:
        yield MatchedEffect(LOSES_WORK, _OVERWRITES, STASH)
        return
    at_risk = (view.state.changed | unknown) - spared
    lost = sorted(each for each in at_risk if any(_is_at(each.rstrip("/"), name) for name in names))
    if lost:
        loss = f"loses changes that are in no commit: {listed(lost)}"
        yield MatchedEffect(LOSES_WORK, _OVERWRITES, STASH, Decision.ASK, loss)


def _in_the_way(view: _TreeView | None, refs: Sequence[str], context: EffectContext) -> set[str] | None:
    """Files that git does not know and one of these commits has: they are overwritten. None where git cannot say."""
    unknown = view.state.untracked | view.state.ignored if view is not None and not view.is_moved else frozenset()
    if view is None or not unknown:
        return set()
    found = set()
    for ref in refs:
        names = files_of(view.state.top, "@{-1}" if ref == "-" else ref)
        if names is None:
            return None
        found |= {each for each in unknown if _is_taken(each, names)}
    places = {each: os.fspath(view.state.top / each) for each in found}
    return {
        each for each in found if not context.losses.is_made(places[each]) and not context.losses.is_new(places[each])
    }


def _is_taken(name: str, names: AbstractSet[str]) -> bool:
    if name.endswith("/"):  # ignored as a whole
        return any(each.startswith(name) for each in names)
    return name in names or any(each.as_posix() in names for each in PurePosixPath(name).parents)


def _is_at(name: str, folder: str) -> bool:
    return not folder or name == folder or name.startswith(f"{folder}/")


def reset(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if not words.has("--hard", "--merge"):
        return
    view = _view(run, context)
    target = words.plain[0] if words.plain else ""
    # A target that is not there is told below.
    in_the_way = _in_the_way(view, (target,) if target else (), context) or set()
    found = list(_overwritten(view, (), unknown=in_the_way))
    yield from found
    if (
        view is not None
        and not view.is_moved
        and target not in _HEADS
        and not any(each.decision is Decision.BLOCK for each in found)
    ):
        yield from _moved(view.state, target)


def _moved(state: TreeState, target: str) -> Iterator[MatchedEffect]:
    """The branch to another commit: away from those that only it may have."""
    what = f"it moves the branch to {shown(target)}"
    is_there = has_ref(state.top, target) or (_UPSTREAM.fullmatch(target) and state.ahead is not None)
    if not is_there and not _COMMIT.fullmatch(target):
        yield MatchedEffect(LOSES_WORK, f"{what}, which is not there", STASH)
    elif state.ahead is None:
        loss = "moves the branch away from commits that may be on no remote"
        yield MatchedEffect(LOSES_WORK, what, STASH, Decision.ASK, loss)
    elif state.ahead:
        are = "is" if state.ahead == 1 else "are"
        loss = f"moves the branch away from {counted(state.ahead, 'commit')} that {are} on no remote"
        yield MatchedEffect(LOSES_WORK, what, STASH, Decision.ASK, loss)


def index_over_tree(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """`checkout-index` and `read-tree`, where they write over what is there."""
    if words.has("-f", "--force", "-a", "--reset", "-u"):
        yield from _overwritten(_view(run, context), ())


def checkout(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """With paths, or by force, it overwrites what is not committed; with a branch it does not."""
    options = words.options
    if options.has("-f", "--force"):
        yield from _forced(words, run, context)
        return
    if options.has("-p", "--patch"):
        yield from _by_hunk(run, context)
        return
    if options.has("-b", "-B", "--orphan", "-t", "--track"):
        return
    if words.has("--pathspec-from-file") or (words.plain and _names_paths(words, run, context)):
        yield from _restored(words, run, context, _refs_before_paths(words))


def _by_hunk(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """A person says yes to every change, unless something else is made to."""
    if is_answered(run):
        yield from _overwritten(_view(run, context), ())


def switch(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if words.has("-f", "--force", "--discard-changes"):
        yield from _forced(words, run, context)


def _forced(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    view = _view(run, context)
    target = words.plain[0] if words.plain else ""
    names_path = "--" in words.all
    known = view is not None and (not target or names_path or target == "-" or has_ref(view.state.top, target))
    in_the_way = _in_the_way(view, words.options.plain if known else (), context)
    yield from _overwritten(view if known and in_the_way is not None else None, (), unknown=in_the_way or set())


def restore(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    options = words.options
    if options.has("--staged", "-S") and not options.has("--worktree", "-W"):
        return
    if options.has("-p", "--patch"):
        yield from _by_hunk(run, context)
        return
    source = value_of(options.all, "--source", "-s") or ""
    yield from _restored(words, run, context, (source,) if source else ())


def _restored(
    words: Words, run: ProgramRun, context: EffectContext, sources: tuple[str, ...]
) -> Iterator[MatchedEffect]:
    paths = [each for each in words.plain if each not in sources]
    view = _view(run, context)
    if view is not None and not all(has_ref(view.state.top, each) or _COMMIT.fullmatch(each) for each in sources):
        view = None
    in_the_way = _in_the_way(view, sources, context)
    spared = view.state.unmerged if view is not None and _settles_a_conflict(words) else frozenset()
    unsure = words.has("--pathspec-from-file") or not paths or any(UNKNOWN in each for each in paths)
    known = None if unsure or in_the_way is None else view
    yield from _overwritten(known, paths, unknown=in_the_way or set(), spared=spared)


def _refs_before_paths(words: Words) -> tuple[str, ...]:
    """`git checkout REF -- path`, and `git checkout REF path`."""
    if "--" in words.all:
        before = words.all[: words.all.index("--")]
        return tuple(each for each in before if not each.startswith("-"))
    return words.plain[:1] if len(words.plain) > 1 and not _BROAD.match(words.plain[0]) else ()


def _settles_a_conflict(words: Words) -> bool:
    """One side of a merge, for files by name; of everything at once nobody knows what else it overwrites."""
    broad = any(has_glob(each) or _BROAD.match(each) for each in words.plain)
    return words.options.has("--ours", "--theirs") and not broad


def _names_paths(words: Words, run: ProgramRun, context: EffectContext) -> bool:
    plain = words.plain
    if "--" in words.all or len(plain) > 1:
        return True
    name = plain[0]
    if has_glob(name) or name in (".", "./", ":/", ".."):
        return True
    folder = folder_of(run, context)
    is_there = folder is not None and UNKNOWN not in name and os.path.lexists(folder / name)
    return is_there and (name.startswith((".", "/")) or folder is None or not _is_ref(folder, name))


def _is_ref(folder: Path, name: str) -> bool:
    top = top_of(os.path.realpath(folder / "any"))
    return top is not None and has_ref(top, name)


def clean(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    words = words.without("-e", "--exclude")
    if _deletes(words.options, run):
        yield from _cleaned(words, _view(run, context), context)


def _deletes(options: Words, run: ProgramRun) -> bool:
    asks = options.has("-i", "--interactive")
    if options.has("-n", "--dry-run") or (asks and not is_answered(run)):
        return False
    return asks or options.has("-f", "--force") or "clean.requireforce=false" in " ".join(run.arguments).lower()


def _cleaned(words: Words, view: _TreeView | None, context: EffectContext) -> Iterator[MatchedEffect]:
    if view is not None and view.is_moved:
        yield MatchedEffect(LOSES_WORK, _UNKNOWN_TO_GIT, _LOOK, Decision.ASK, f"deletes files, and {_UNSURE}")
        return
    names = {""} if view is not None and not words.plain else view.below(words.plain) if view is not None else None
    if view is None or names is None:
        yield MatchedEffect(LOSES_WORK, _UNKNOWN_TO_GIT, _LOOK)
        return
    state, options = view.state, words.options
    known = (*(() if options.has("-X") else state.untracked), *(state.ignored if options.has("-x", "-X") else ()))
    losses = context.losses
    places = {each: os.fspath(state.top / each.rstrip("/")) for each in known}
    wanted = [each for each in known if any(_is_at(each.rstrip("/"), name) for name in names)]
    lost = sorted(each for each in wanted if not losses.is_made(places[each]) and not losses.is_new(places[each]))
    if lost:
        are = "is" if len(lost) == 1 else "are"
        loss = f"deletes {counted(len(lost), 'file')} that {are} in no commit: {listed(lost)}"
        yield MatchedEffect(LOSES_WORK, _UNKNOWN_TO_GIT, _LOOK, Decision.ASK, loss)


def stash(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    verb = words.plain[0] if words.plain else ""
    if verb not in ("drop", "clear"):
        return
    safe = "leave the stash; it costs nothing"
    what = f"it runs `git stash {verb}`"
    name = "" if verb == "clear" else _stash_name(words.plain[1:])
    top = None if name is None or context.losses.is_moved_before(run) else _top(run, context)
    held = stashed(top, name or "") if top is not None else None
    if held is None:
        loss = f"loses {'all stashes' if verb == 'clear' else 'a stash'}; what it holds cannot be known now"
        yield MatchedEffect(LOSES_WORK, what, safe, loss=loss)
    else:
        are = "is" if held == 1 else "are"
        loss = f"loses {_held(held, is_one=bool(name))} that {are} nowhere else"
        yield MatchedEffect(LOSES_WORK, what, safe, Decision.ASK, loss)


def _stash_name(operands: Sequence[str]) -> str | None:
    """As git lists it; None where that cannot be told."""
    named = _STASH_NAME.fullmatch(operands[0]) if operands else None
    return f"stash@{{{named[1] if named else 0}}}" if named or not operands else None


def _held(number: int, *, is_one: bool) -> str:
    if is_one:
        return counted(number, "file")
    return "1 stash" if number == 1 else f"{number} stashes"


def branch(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if not (words.has("-D") or (words.has("-d", "--delete") and words.has("-f", "--force"))):
        return
    safe = "delete it with -d, which refuses when commits would be lost"
    names = [each.removeprefix("refs/heads/") for each in words.plain]
    what = f"it deletes the branch {shown(', '.join(names))}"
    moved = context.losses.is_moved_before(run, _MOVE_BRANCHES)
    top = None if moved or words.has("-r", "--remotes") else _top(run, context)
    only = only_on(top, names) if top is not None else None
    if only is None:
        yield MatchedEffect(LOSES_WORK, what, safe)
    elif only:
        are = "is" if only == 1 else "are"
        loss = f"loses {counted(only, 'commit')} that {are} on no other branch and no remote"
        yield MatchedEffect(LOSES_WORK, what, safe, Decision.BLOCK, loss)
    else:
        loss = f"deletes the branch {shown(', '.join(names))}; its commits are merged or pushed"
        yield MatchedEffect(LOSES_WORK, what, safe, Decision.ASK, loss)


def remove(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """`git rm`: what is committed can be brought back."""
    options = words.options
    if options.has("--cached", "-n", "--dry-run"):
        return
    broad = any(shown(each) in ("*", "./*", ".", "./", ":/") for each in words.plain)
    if broad and options.has("-r"):
        yield MatchedEffect(LOSES_WORK, "it removes every file of the project", STASH)
    elif _top(run, context) is not None:
        paths = [f"{folder_of(run, context)}/{each}" for each in words.plain]
        yield from (each._replace(kind=LOSES_WORK) for each in removed(run, paths, context))
    elif options.has("-f", "--force"):
        yield MatchedEffect(LOSES_WORK, "it removes files with changes that are not committed", "remove it without -f")


def move(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """`git mv -f`: over the file that is there."""
    options = words.options
    folder = folder_of(run, context)
    if not options.has("-f", "--force") or options.has("-n", "--dry-run") or len(words.plain) < 2 or folder is None:
        return
    *sources, target = words.plain
    into = (folder / target).is_dir()
    targets = [f"{target}/{posixpath.basename(each)}" for each in sources] if into else [target]
    over = [each for each in targets if UNKNOWN in each or os.path.lexists(folder / each)]
    view = _view(run, context)
    if over:
        unknown = view.state.untracked | view.state.ignored if view is not None else frozenset()
        yield from _overwritten(view, over, unknown=unknown)


READERS: Mapping[str, Reader] = {
    "reset": reset,
    "checkout-index": index_over_tree,
    "read-tree": index_over_tree,
    "checkout": checkout,
    "switch": switch,
    "restore": restore,
    "clean": clean,
    "stash": stash,
    "branch": branch,
    "rm": remove,
    "mv": move,
}
