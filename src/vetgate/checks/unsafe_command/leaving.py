"""Commands by which code leaves: a push, a pull request, a package, a commit; found as a shell would run them."""

from __future__ import annotations

import enum
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command import publishing
from vetgate.checks.unsafe_command.command_context import CommandContext, CommandPaths
from vetgate.checks.unsafe_command.effect import PUBLISHES, EffectContext, Policy
from vetgate.checks.unsafe_command.git_work import folder_of
from vetgate.checks.unsafe_command.losses import Losses
from vetgate.checks.unsafe_command.secrets import CredentialFiles
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.checks.unsafe_command.words import Words
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.follow import follow
from vetgate.source.shell.model import Unreadable
from vetgate.source.shell.placeholders import UNKNOWN, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.source.shell.runs import ProgramRun

_FIELDS = "-f|-F|--field|--raw-field|--input"
_POSTS = f"POST|-XPOST|--method=POST|{_FIELDS}"
_DATA = "POST|-XPOST|--request=POST|-d|--data|--data-raw|--data-binary|--json"
_REQUESTS = CommandTable(
    (
        PUBLISHES,
        f"""
        gh pr create|merge|ready !--dry-run
        gh api =*/pulls +{_POSTS}
        gh api =*/pulls/*/merge
        gh api =*/merges
        gh api =*createPullRequest*
        gh api =*mergePullRequest*
        glab mr create|merge|accept|new
        glab api =*/merge_requests +{_POSTS}
        glab api =*/merge_requests/*/merge
        curl =*/pulls +{_DATA}
        curl =*/pulls/*/merge
        curl =*/merge_requests +{_DATA}
        curl =*/merge_requests/*/merge*
        hub pull-request|merge
        tea pr|pulls create|merge
        az repos pr create|update
        bb pr create|merge
        git-town propose|ship
        gt submit|merge
        spr
        """,
    ),
)
# What writes to a branch of the remote without a commit here.
_REMOTE_EDITS = CommandTable(
    (
        PUBLISHES,
        f"""
        gh api =*/contents/* +PUT|-XPUT|--method=PUT
        gh api =*/git/commits +{_POSTS}
        gh api =*/git/refs* +PATCH|-XPATCH|--method=PATCH|{_POSTS}
        gh api =*createCommitOnBranch*
        glab api =*/repository/commits +{_POSTS}
        glab api =*/repository/files/* +POST|PUT|-XPOST|-XPUT|--method=POST|--method=PUT
        """,
    ),
)
# Of `git push`: what takes a value of its own, and what names more than the words say.
_WITH_VALUE = frozenset({"-o", "--push-option", "--repo", "--receive-pack", "--exec"})
_ALL = ("--all", "--branches", "--mirror")
_PUSHES_PARTS = frozenset({"subtree", "lfs", "send-pack", "svn", "p4"})
_OF_GIT = frozenset({"push", "commit", *_PUSHES_PARTS})
_COMMITS = frozenset({"commit", "merge", "cherry-pick", "revert", "am", "rebase", "pull", "commit-tree"})


class LeavingKind(enum.StrEnum):
    PUSH = "push"
    REQUEST = "pull request"
    PUBLISH = "publishing"
    REMOTE_EDIT = "writing at the remote"
    COMMIT = "commit"


_TABLES = {LeavingKind.REQUEST: _REQUESTS, LeavingKind.REMOTE_EDIT: _REMOTE_EDITS}


class Leaving(NamedTuple):
    """One way out. `folder` is where it starts, None for what only the run will tell.

    `sources` are what a push names: refs and commits, or nothing for what is checked out; `sends_all` says all of its
    branches. `after_commit`: the same command makes a commit first, which nobody can name yet.
    """

    kind: LeavingKind
    what: str
    folder: Path | None
    sources: tuple[str, ...] = ()
    sends_all: bool = False
    after_commit: bool = False

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
    paths = CommandPaths(place)
    secrets = CredentialFiles(paths, ())
    try:
        runs = follow(command, secrets, home=str(home), cwd=str(cwd))
    except Unreadable:
        return ()
    context = EffectContext(paths, Policy(), secrets, command, frozenset(run.name for run in runs), Losses(paths, runs))
    found: dict[tuple[str, tuple[int, int]], Leaving] = {}  # one that runs another in its place is the same way out
    commits = False
    for run in map(_git_by_name, runs):
        for each in _of(run, context):
            found.setdefault((each.kind, run.part), each._replace(after_commit=commits))
        commits = commits or (run.name == "git" and git_verb(run.arguments)[0] in _COMMITS)
    return tuple(found.values())


def _git_by_name(run: ProgramRun) -> ProgramRun:
    """`git-push` is git as well."""
    verb = run.name.removeprefix("git-")
    return run if verb == run.name or verb not in _OF_GIT else replace(run, argv=("git", verb, *run.arguments))


def _of(run: ProgramRun, context: EffectContext) -> Iterator[Leaving]:
    if run.name == "git":
        yield from _of_git(run, context)
        return
    named = (each for each, table in _TABLES.items() if any(table.found(run)))
    kind = next(named, LeavingKind.PUBLISH)
    if kind is not LeavingKind.PUBLISH or any(publishing.effects(run, context)):
        here = run.cwd or str(context.paths.place.cwd)
        folder = None if UNKNOWN in here or not here.startswith("/") else Path(here)
        yield Leaving(kind, shown(" ".join(run.argv))[:120], folder)


def _of_git(run: ProgramRun, context: EffectContext) -> Iterator[Leaving]:
    verb, rest = git_verb(run.arguments)
    words = Words(rest)
    if words.has("-h", "--help"):
        return
    what = shown(" ".join(run.argv))[:120]
    if verb == "commit" and not words.has("--dry-run"):
        yield Leaving(LeavingKind.COMMIT, what, folder_of(run, context))
    if verb in _PUSHES_PARTS and (verb == "send-pack" or {"push", "dcommit", "submit"} & set(words.plain)):
        yield Leaving(LeavingKind.PUSH, what, folder_of(run, context))
    if verb == "push" and not words.has("-n", "--dry-run", "-d", "--delete"):
        sources = tuple(_sources(rest))
        if not sources or any(sources):  # `:branch` deletes
            named = tuple(each for each in sources if each)
            yield Leaving(LeavingKind.PUSH, what, folder_of(run, context), named, words.has(*_ALL))


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
    source = refspec.removeprefix("+").partition(":")[0]
    return "HEAD" if UNKNOWN in source else source
