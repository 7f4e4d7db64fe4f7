"""Commands by which code leaves: a push, a pull request, a package, a commit; found as a shell would run them."""

from __future__ import annotations

import contextlib
import enum
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command import publishing
from vetgate.checks.unsafe_command.branch_moves import MOVES, branch_moves
from vetgate.checks.unsafe_command.command_context import CommandContext
from vetgate.checks.unsafe_command.effect import PUBLISHES, Policy
from vetgate.checks.unsafe_command.git_work import folder_of
from vetgate.checks.unsafe_command.judge import followed
from vetgate.checks.unsafe_command.project_tasks import task_of
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.checks.unsafe_command.web_requests import request_of
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.follow import follow
from vetgate.source.shell.model import Unreadable
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import UNKNOWN, shown
from vetgate.source.shell.this_machine import is_this_machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vetgate.checks.unsafe_command.branch_moves import BranchMove
    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_REQUESTS = CommandTable(
    (
        PUBLISHES,
        """
        gh pr create|new|merge|ready|revert|reopen !--dry-run
        gh stack submit
        glab mr create|new|merge|accept|for|reopen
        glab mr update +--ready|-r
        lab mr create|merge
        hub pull-request|merge
        tea pr|pulls|pull create|c|merge|m|reopen|open
        berg|fj pull|pr create|merge
        az repos pr create|update
        aws codecommit create-pull-request|merge-pull-request-*|merge-branches-*
        bb|bkt pr create|merge
        av pr create|queue
        git-branchless|moz-phab submit
        git-submit|git-imap-send
        git-spr update|merge
        brew bump-formula-pr|bump-cask-pr !-n|--dry-run
        git-town propose|ship
        git-machete github|gitlab create-pr|create-mr|restack-pr
        git-send-email !--dry-run
        gt submit|s|ss|merge
        gt stack|s submit|s
        git-review !-d|--download|-l|--list|-n|--dry-run
        git-cl upload|land
        arc diff|land !--preview|--only
        repo upload !--dry-run|-n
        sl pr submit|s
        ghstack !-h
        spr !help
        """,
    ),
)
_PUSHES = CommandTable(
    (
        PUBLISHES,
        """
        gh repo create +--push
        hub sync
        gh stack push
        bumpp !--no-push
        ghp-import +-p|--push
        git-stack +--push
        git-town sync|hack !--no-push|--dry-run
        git-annex sync|push|assist !--no-push
        git-flow .. publish
        git-flow .. finish +-p|--push
        git-flow .. finish +--pushproduction|--pushdevelop|--pushtag
        """,
    ),
)
_EDITS = CommandTable((PUBLISHES, "aws codecommit put-file|delete-file|create-commit"))
# Where a forge takes a request, or the merge of one, whatever program asks for it.
_REQUEST_ADDRESS = expression(
    r"(?i)/(?:pulls|pull-?requests|merge_requests)(?:/[^/]+/(?:merge|ready_for_review)[^/]*)?\Z|/merges\Z"
)
# One that is there, which may be opened again.
_ONE_REQUEST_ADDRESS = expression(r"(?i)/(?:pulls|pull-?requests|merge_requests)/[^/]+\Z")
_OPENS_AGAIN = expression(
    rf"""(?i)stat(?:e|e_event|us)["'\s]*[:=]+["'\s]*(?:open|reopen|active|{re.escape(UNKNOWN)})"""
)
_REQUEST_MUTATION = expression(
    r"(?i)(?:create|merge|reopen)PullRequest\b|enablePullRequestAutoMerge|markPullRequestReadyForReview"
    r"|mergeRequest(?:Create|Accept)\b"
)
# Where packages and releases are uploaded to.
_PUBLISH_ADDRESS = expression(
    r"(?i)//(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com|uploads\.github\.com|upload\.pypi\.org"
    r"|test\.pypi\.org/legacy|rubygems\.org/api|crates\.io/api|(?:www|api)\.nuget\.org)(?:/|\Z)"
    r"|(?:\A|/)repos/[^/]+/[^/]+/releases(?:/|\Z)|(?:\A|/)projects/[^/]+/(?:releases|packages)(?:/|\Z)"
)
_PUBLISH_MUTATION = expression(r"(?i)releaseCreate\b")
# What writes to a branch of the remote without a commit here.
_EDIT_ADDRESS = expression(r"(?i)/contents/|/git/(?:commits|refs)\b|/repository/(?:commits\Z|files/)")
_EDIT_MUTATION = expression(r"(?i)createCommitOnBranch")
# Of `git push`: what takes a value of its own, and what names more than the words say.
_WITH_VALUE = frozenset({"-o", "--push-option", "--repo", "--receive-pack", "--exec"})
_ALL = ("--all", "--branches", "--mirror")
# All branches that the remote has by the same name.
_MATCHING = frozenset({":", "+:"})
_PLUMBING = frozenset({"send-pack", "http-push"})
_PUSHES_PARTS = frozenset({"subtree", "lfs", *_PLUMBING, "svn", "p4"})
_OF_GIT = frozenset({"push", "commit", *_PUSHES_PARTS, *MOVES})
# So deep tasks run each other, and so many in one command.
_DEEPEST_TASK, _MOST_TASKS = 4, 100
_COMMITS = frozenset({"commit", "merge", "cherry-pick", "revert", "am", "rebase", "pull", "commit-tree"})
_SWITCHES = frozenset({"switch", "checkout", "symbolic-ref"})


class LeavingKind(enum.StrEnum):
    PUSH = "push"
    REQUEST = "pull request"
    PUBLISH = "publishing"
    REMOTE_EDIT = "writing at the remote"
    COMMIT = "commit"


_TABLES = {LeavingKind.REQUEST: _REQUESTS, LeavingKind.PUSH: _PUSHES, LeavingKind.REMOTE_EDIT: _EDITS}


class Leaving(NamedTuple):
    """One way out. `folder` is where it starts, None for what only the run will tell.

    `sources` are what a push names: refs and commits, or nothing for what is checked out; `sends_all` says all of its
    branches. `after_commit`: the same command makes a commit first, which nobody can name yet. `move` says which branch
    of this repository moves otherwise than by a commit, and `branch` what the same command checks out first.
    """

    kind: LeavingKind
    what: str
    folder: Path | None
    sources: tuple[str, ...] = ()
    sends_all: bool = False
    after_commit: bool = False
    move: BranchMove | None = None
    branch: str = ""

    @property
    def is_commit(self) -> bool:
        return self.kind is LeavingKind.COMMIT

    @property
    def is_published(self) -> bool:
        return self.kind is LeavingKind.PUBLISH

    @property
    def is_made_remotely(self) -> bool:
        """In no commit of this repository."""
        return self.kind is LeavingKind.REMOTE_EDIT


def leaving(command: str, cwd: Path, root: Path, home: Path) -> tuple[Leaving, ...]:
    """Nothing for what no shell could read: that is refused by others."""
    place = CommandContext(cwd, root, home)
    try:
        runs, context = followed(command, place, Policy())
    except Unreadable:
        return ()
    # One that runs another in its place is the same way out.
    found: dict[tuple[str, tuple[int, int], BranchMove | None], Leaving] = {}
    commits, branch = False, ""
    trees: dict[Path, Leaving] = {}
    for run in map(_git_by_name, _with_tasks(runs, context)):
        for each in _of(run, context):
            placed = _placed(each._replace(after_commit=commits, branch=branch), trees)
            found.setdefault((each.kind, run.part, each.move), placed)
        verb, rest = git_verb(run.arguments) if run.name == "git" else ("", ())
        if verb == "worktree":
            trees.update(_made_tree(run, rest, context))
        commits = commits or verb in _COMMITS
        branch = _switched(rest) or branch if verb in _SWITCHES else branch
    return tuple(found.values())


def _with_tasks(
    runs: Sequence[ProgramRun],
    context: EffectContext,
    above: tuple[tuple[str, str], ...] = (),
    followed_tasks: list[tuple[str, str]] | None = None,
) -> Iterator[ProgramRun]:
    """Each, and what it runs where it is a task of the project; a task that no shell could read runs nothing."""
    done = [] if followed_tasks is None else followed_tasks
    place = context.paths.place
    for run in runs:
        yield run
        may_follow = len(above) < _DEEPEST_TASK and len(done) < _MOST_TASKS
        task = task_of(run, str(place.cwd)) if may_follow else None
        if task is None or task in above:
            continue
        done.append(task)
        folder, text = task
        with contextlib.suppress(Unreadable):
            inner = follow(text, context.secrets, home=str(place.home), cwd=folder)
            yield from (replace(each, part=run.part) for each in _with_tasks(inner, context, (*above, task), done))


def _git_by_name(run: ProgramRun) -> ProgramRun:
    """`git-push` is git as well, and hub hands on what it does not do itself."""
    if run.name == "hub" and git_verb(run.arguments)[0] in _OF_GIT - {"merge"}:
        return replace(run, argv=("git", *run.arguments))
    verb = run.name.removeprefix("git-")
    return run if verb == run.name or verb not in _OF_GIT else replace(run, argv=("git", verb, *run.arguments))


def _switched(rest: Sequence[str]) -> str:
    """The branch that is checked out then; "" where only paths are."""
    plain = Words(rest).plain
    return "" if "--" in rest or not plain else plain[-1].removeprefix("refs/heads/")


def _made_tree(run: ProgramRun, rest: Sequence[str], context: EffectContext) -> Iterator[tuple[Path, Leaving]]:
    """The folder of a work tree that this command makes, where it is made, and what is checked out in it."""
    named = value_of(rest, "-b", "-B")
    verb, *plain = Words(rest).without("-b", "-B", "--reason").plain or ("",)
    here = folder_of(run, context)
    if verb == "add" and plain and here is not None and UNKNOWN not in plain[0]:
        folder = Path(os.path.normpath(here / plain[0]))
        if _is_taken(folder):
            return
        name = named or (plain[1] if len(plain) > 1 else folder.name)
        yield folder, Leaving(LeavingKind.COMMIT, "", here, branch=name.removeprefix("refs/heads/"))


def _is_taken(folder: Path) -> bool:
    """A work tree is made in an empty folder only, or where there is nothing yet."""
    try:
        return any(folder.iterdir())
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True


def _placed(each: Leaving, trees: Mapping[Path, Leaving]) -> Leaving:
    """In a work tree that is not there yet, as if that were checked out where it is made."""
    if each.folder is None or not trees:
        return each
    folder = Path(os.path.normpath(each.folder))
    made = next((there for top, there in trees.items() if folder.is_relative_to(top)), None)
    return each if made is None else each._replace(folder=made.folder, branch=made.branch)


def _of(run: ProgramRun, context: EffectContext) -> Iterator[Leaving]:
    if run.name == "git":
        yield from _of_git(run, context)
        return
    named = (each for each, table in _TABLES.items() if any(table.found(run)))
    kind = next(named, None) or _requested(run)
    kind = kind or (LeavingKind.PUBLISH if any(publishing.effects(run, context)) else None)
    if kind is not None:
        here = run.cwd or str(context.paths.place.cwd)
        folder = None if UNKNOWN in here or not here.startswith("/") else Path(here)
        yield Leaving(kind, shown(" ".join(run.argv))[:120], folder)


def _requested(run: ProgramRun) -> LeavingKind | None:
    """By what is asked of a forge, not by the program that asks."""
    request = request_of(run)
    if request is None or not request.writes:
        return None
    addresses = [each for each in request.addresses if not _is_served_here(each)]
    asks_graph = any("graphql" in each for each in addresses)
    for kind, address, mutation in (
        (LeavingKind.REQUEST, _REQUEST_ADDRESS, _REQUEST_MUTATION),
        (LeavingKind.REMOTE_EDIT, _EDIT_ADDRESS, _EDIT_MUTATION),
        (LeavingKind.PUBLISH, _PUBLISH_ADDRESS, _PUBLISH_MUTATION),
    ):
        if any(map(address.search, addresses)) or (asks_graph and mutation.search(request.text)):
            return kind
    opens_again = any(map(_ONE_REQUEST_ADDRESS.search, addresses)) and _OPENS_AGAIN.search(request.text)
    return LeavingKind.REQUEST if opens_again else None


def _is_served_here(address: str) -> bool:
    """A service that somebody develops may well have such addresses."""
    _, sign, rest = address.partition("://")
    host = (rest if sign else address).partition("/")[0]
    return is_this_machine(host)


def _of_git(run: ProgramRun, context: EffectContext) -> Iterator[Leaving]:
    verb, rest = git_verb(run.arguments)
    words = Words(rest)
    if words.has("-h", "--help"):
        return
    what = shown(" ".join(run.argv))[:120]
    if verb and verb not in _OF_GIT:  # `git town` is `git-town`
        yield from _of(replace(run, argv=(f"git-{verb}", *rest)), context)
        return
    for move in branch_moves(verb, rest):
        yield Leaving(LeavingKind.COMMIT, what, folder_of(run, context), move=move)
    if verb == "commit" and not words.has("--dry-run"):
        yield Leaving(LeavingKind.COMMIT, what, folder_of(run, context))
    if verb in _PUSHES_PARTS and (verb in _PLUMBING or {"push", "dcommit", "submit"} & set(words.plain)):
        yield Leaving(LeavingKind.PUSH, what, folder_of(run, context))
    if verb == "push":
        yield from _pushed(words, Leaving(LeavingKind.PUSH, what, folder_of(run, context)))


def _pushed(words: Words, push: Leaving) -> Iterator[Leaving]:
    is_dry = words.has("-n", "--dry-run") and not words.has("--no-dry-run")
    sources = tuple(_sources(words.all))
    if is_dry or words.has("-d", "--delete") or (sources and not any(sources)):  # `:branch` deletes
        return
    named = tuple(each for each in sources if each and each not in _MATCHING)
    yield push._replace(sources=named, sends_all=words.has(*_ALL) or not _MATCHING.isdisjoint(sources))


def _sources(rest: Sequence[str]) -> Iterator[str]:
    """What stands before the colon of each refspec; "" for one that deletes."""
    plain: list[str] = []
    skips = is_tag = named = False
    for word in rest:
        if skips:
            skips = False
        elif word in _WITH_VALUE:
            skips, named = True, named or word == "--repo"
        elif word.startswith("--repo="):
            named = True
        elif not word.startswith("-"):
            plain.append(word)
    for word in plain if named else plain[1:]:
        if word == "tag" and not is_tag:
            is_tag = True
        else:
            yield _source(word)


def _source(refspec: str) -> str:
    """What only the run will tell is mostly what is checked out; git's own hook knows."""
    if refspec in _MATCHING:
        return refspec
    source = refspec.removeprefix("+").partition(":")[0]
    return "HEAD" if UNKNOWN in source else source
