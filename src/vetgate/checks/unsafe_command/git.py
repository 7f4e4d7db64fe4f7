"""git: work that is thrown away, history that is rewritten, hooks that are skipped or do not look."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command import git_work
from vetgate.checks.unsafe_command.effect import (
    LOSES_HISTORY,
    LOSES_WORK,
    PUBLISHES,
    RUNS_FETCHED,
    SKIPS_HOOKS,
    TAMPERS,
    MatchedEffect,
)
from vetgate.checks.unsafe_command.git_work import folder_of
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.known_agents import known_agents
from vetgate.model import Decision
from vetgate.source.git_settings import keeps_no_log, values_of
from vetgate.source.root import common_dir, git_dir
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.options import first_operand, value_of
from vetgate.source.shell.placeholders import shown
from vetgate.source.shell.runs import ProgramRun
from vetgate.source.shell.this_machine import is_this_machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from vetgate.checks.unsafe_command.command_context import CommandContext
    from vetgate.checks.unsafe_command.effect import EffectContext

    Reader = Callable[[Words, ProgramRun, EffectContext], Iterator[MatchedEffect]]

_MAKES_ONE = expression(r"\bgit\b[^;&|\n]*\s(?:init|clone)\b|\bgh\s+repo\s+(?:clone|fork)\b")
_SAFE = "push from the project itself; or a person runs `vetgate init --git` in that repository first"
_TOP = "--show-toplevel"


def pushed(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """Without anybody who knows which repositories are gated, as for a command by itself, nothing is said."""
    judged = context.paths.place.push
    if judged is None:
        return
    folder = folder_of(run, context)
    if folder is None:
        if _TOP not in context.command or _MAKES_ONE.search(context.command):
            yield MatchedEffect(SKIPS_HOOKS, "it pushes from a folder that only the run will tell", _SAFE, Decision.ASK)
        return
    folder = _repository_of_new_work_tree(folder, context) or folder
    is_new = not folder.is_dir() or (_MAKES_ONE.search(context.command) and folder != context.paths.place.configured)
    decision = Decision.BLOCK if is_new else judged(folder)
    if decision is not Decision.ALLOW:
        what = f"it pushes from {shown(str(folder))}, where no hook of vetgate looks at what leaves"
        yield MatchedEffect(SKIPS_HOOKS, what, _SAFE, min(decision, Decision.BLOCK))


def _repository_of_new_work_tree(folder: Path, context: EffectContext) -> Path | None:
    """Of which the same command makes this work tree: its hooks are those of the repository."""
    runs = context.losses.runs
    if _MAKES_ONE.search(context.command) or any(run.name in _PUTS_ANOTHER for run in runs):
        return None
    for run in runs:
        verb, rest = git_verb(run.arguments) if run.name == "git" else ("", ())
        repository = folder_of(run, context) if verb == "worktree" and rest[:1] == ("add",) else None
        if repository is not None:
            operand = "".join(rest[first_operand(rest[1:], _OF_NEW_WORK_TREE) + 1 :][:1])
            if operand and Path(os.path.normpath(repository / operand)) == Path(os.path.normpath(folder)):
                return repository
    return None


_OF_NEW_WORK_TREE = ("-b", "-B", "--reason")
# What could lay another repository where the work tree was made.
_PUTS_ANOTHER = frozenset({"mv", "cp", "ln", "rsync", "mount", "tar", "unzip", "install"})
_GUARDED = (".git/", "vetgate", ".vetgate", *(agent.folder for agent in known_agents() if agent.gated))
_REVERT = "push a new commit (`git revert`) or a new branch; a rewrite is for a person to do"

# Names here are git's own commands.
_TABLE = CommandTable(
    (
        LOSES_WORK,
        """
        reflog expire|delete => leave the reflog: it is what brings lost commits back
        gc +--prune=now|--prune=all => run `git gc` without --prune
        prune !-n|--dry-run => run `git gc`, which keeps what is recent
        worktree remove +-f|--force => commit or stash in it first, then remove it without --force
        branch +-f|--force|-C => make a new branch at that commit
        update-ref +-d => delete branches with `git branch -d`
        symbolic-ref +-d|--delete
        filter-branch|filter-repo
        submodule deinit +-f|--force => commit in it first
        svn reset
        lfs prune +-f|--force
        switch +-C|--force-create => make the branch under a new name
        checkout +-B => make the branch under a new name
        tag +-f|--force => use a new name for the tag
        """,
    ),
    (
        SKIPS_HOOKS,
        """
        commit-tree => commit with `git commit`
        fast-import => commit with `git commit`, or bring history in with `git fetch` and `git merge`
        replace * !-l|--list|-d|--delete => leave history as it is; `git replace -d` takes a replacement away
        replace +--convert-graft-file
        update-ref !-d|--delete => move a branch with `git merge --ff-only`, `git reset --keep` or `git fetch`
        symbolic-ref refs/remotes/* refs/heads/* => ask the remote with `git remote set-head origin --auto`
        fetch|pull .*|/*|file:* =*:refs/remotes/* => fetch from the remote itself
        hash-object .. commit|tag => commit with `git commit`
        mktag => tag with `git tag -a`
        receive-pack|http-push => push with `git push`
        commit|push|merge|am|rebase|pull|cherry-pick|revert +--no-verify|--no-verif|--no-veri|--no-ver
        commit +-n
        send-pack
        """,
    ),
)


# Libraries that write commits by themselves, and switches of those that call git.
_UNHOOKED_CODE = expression(
    r"\b(?:skip_hooks|no_verify)\s*=\s*True|\bcreate_commit\(\s*[\"'](?:HEAD|refs/)|isomorphic-git.*\.commit\(|simple-?git.*--no-verify",
    re.DOTALL,
)


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.code and run.language and _UNHOOKED_CODE.search(run.code):
        yield MatchedEffect(
            SKIPS_HOOKS, "its code commits or pushes past git's hooks", "call `git commit` and `git push`"
        )
    if run.name == "git":
        yield from _git(run, context)
    elif run.name.startswith("git-"):
        yield from _git(replace(run, argv=("git", run.name.removeprefix("git-"), *run.arguments)), context)
    elif run.name == "bfg":
        yield MatchedEffect(LOSES_HISTORY, "it rewrites all history", _REVERT)
    elif run.name == "hub":
        yield from _git(replace(run, argv=("git", *run.arguments)), context)
    elif run.name in ("jj", "gt"):
        yield from _others(run, context)


def _git(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    verb, rest = git_verb(run.arguments)
    verb = verb.removeprefix("git-")
    yield from _settings(run)
    yield from _another_git(verb, run, context)
    words = Words(_expanded(rest))
    if words.has("--help", "-h") or verb == "help":
        return
    yield from _TABLE.found(ProgramRun((verb, *words.all)))
    reader = _READERS.get(verb)
    if reader is not None:
        yield from reader(words, run, context)
    alias = aliases_of(context.paths.place).get(verb.lower(), "")
    if alias and verb not in _ALIASED:
        yield from (each for each in _of_alias(alias, rest) if each.kind == SKIPS_HOOKS)
        if _PUSHES.search(alias):
            yield from pushed(run, context)


# Commands that nobody can put an alias in the place of: git would not look at it.
_ALIASED = frozenset(
    """
    add am branch checkout cherry-pick clean clone commit config diff fetch init log merge pull push rebase reset
    restore revert rm show stash status switch tag worktree
    """.split()
)
_PUSHES = expression(r"\bpush\b")
_SKIPS_IN_SHELL = expression(r"(?i)--no-v|hookspath|fast-import|commit-tree|HUSKY=0|\bcommit\s[^|;&]*-[a-z]*n[a-z]*\b")


def _of_alias(alias: str, rest: Sequence[str] = ()) -> Iterator[MatchedEffect]:
    """What `git NAME` does where NAME stands for this; text behind a `!` goes to a shell."""
    if alias.startswith("!"):
        if _SKIPS_IN_SHELL.search(alias):
            yield MatchedEffect(SKIPS_HOOKS, "the alias skips hooks")
        return
    words = (*alias.split(), *rest)
    verb, behind = git_verb(words)
    yield from _settings(ProgramRun(("git", *words)))
    yield from _TABLE.found(ProgramRun((verb, *_expanded(behind))))


def _another_git(verb: str, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """`--git-dir` and `--exec-path`: another repository's hooks, or another git's programs."""
    arguments = run.arguments[: len(run.arguments) - len(git_verb(run.arguments)[1])]
    if value_of(arguments, "--exec-path"):
        yield MatchedEffect(SKIPS_HOOKS, "it has git run other programs than its own")
    folder = value_of(arguments, "--git-dir")
    full = context.paths.resolve(run, folder) if folder and verb in _WITH_HOOKS else None
    if full is not None and not _is_inside_work_tree(full):
        yield MatchedEffect(SKIPS_HOOKS, "it commits to a repository apart, whose hooks are others")


_WITH_HOOKS = frozenset({"commit", "push", "merge"})


def _is_inside_work_tree(folder: str) -> bool:
    """The usual place: `.git` in a work tree, or a work tree's own part of it."""
    return folder.rstrip("/").endswith("/.git") or "/.git/" in folder


# Git takes any beginning of a long option that is not ambiguous.
_LONG = tuple(
    """
    --force --hard --no-verify --delete --mirror --discard-changes --force-with-lease --prune
    """.split()
)


def _expanded(rest: Sequence[str]) -> list[str]:
    found = []
    for argument in rest:
        whole = [name for name in _LONG if len(argument) > 4 and name.startswith(argument)]
        found.append(min(whole, key=len) if whole and argument not in _LONG else argument)
    return found


def _settings(run: ProgramRun) -> Iterator[MatchedEffect]:
    """`git -c core.hooksPath=…` and its like: settings for one call, or for a clone from its start."""
    for setting in _passed_settings(run.arguments):
        name, _, value = setting.partition("=")
        name = name.lower()
        if found := _in_any_way(name, value):
            yield found
        elif name in ("include.path", "core.gitproxy") or name.startswith("includeif."):
            yield MatchedEffect(TAMPERS, "it sets git's settings for this call")
    for setting in _passed_settings(run.arguments, from_environment=True):
        name = setting.partition("=")[0].lower()
        if (
            name in _RUN_BY_GIT
            or _RUN_FOR_REMOTE.fullmatch(name)
            or name.startswith(("alias.", "filter.", "includeif."))
        ):
            yield MatchedEffect(TAMPERS, f"it brings a setting ({shown(name)}) whose value nobody can read here")


def _passed_settings(arguments: Sequence[str], *, from_environment: bool = False) -> Iterator[str]:
    """The values of -c, --config and --config-env, apart or attached."""
    names = ("--config-env",) if from_environment else ("-c", "--config", "--config-env")
    for index, argument in enumerate(arguments):
        long, sign, value = argument.partition("=")
        if argument in names and index + 1 < len(arguments):
            yield arguments[index + 1]
        elif sign and long in names:
            yield value
        elif "-c" in names and argument.startswith("-c") and not argument.startswith("--"):
            yield argument[2:]


_HOST = expression(
    r"(?:(?:https?|ssh|git|ftps?|git\+ssh|ssh\+git)://(?P<key>[^/@\s]*:[^/@\s]*@)?(?:[^/@\s]*@)?|[\w.-]+@|(?=[\w.-]{2,}:(?!//)))"
    r"(?P<host>[\w.-]+)"
)


def _stranger(words: Words, context: EffectContext) -> str:
    """The host that an address names, where no remote of the project is there; "" where one is, or for a name."""
    operands = words.without("-o", "--push-option", "--receive-pack", "--exec").plain
    found = _HOST.match(value_of(words.all, "--repo") or "".join(operands[:1]))
    if found is None or is_this_machine(found["host"]):
        return ""
    folders = (common_dir(own) for root in context.paths.place.projects if (own := git_dir(root)) is not None)
    settings = (each for folder in folders for each in values_of(folder / "config"))
    known = {match["host"] for name, url in settings if name.endswith("url") and (match := _HOST.match(url))}
    return found["host"] if found["key"] or found["host"] not in known else ""


def _push(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if words.has("-n", "--dry-run"):
        return
    yield from pushed(run, context)
    if host := _stranger(words, context):
        what = f"it pushes to {shown(host)}, which is no remote of this repository"
        yield MatchedEffect(PUBLISHES, what, "push to a remote that is set up", Decision.ASK)
    if words.has("-f", "--force", "--mirror", "--prune"):
        yield MatchedEffect(LOSES_HISTORY, "it overwrites what the remote has", _REVERT)
    elif words.has("-d", "--delete") or any(re.match(r":(?!/)\S", each) for each in words.plain[1:]):
        yield MatchedEffect(LOSES_HISTORY, "it deletes a branch or tag of the remote", "let a person delete it")
    elif any(each.startswith("+") for each in words.plain[1:]):
        yield MatchedEffect(LOSES_HISTORY, "the + overwrites what the remote has", _REVERT)
    lease = [each for each in words.all if each.startswith("--force-with-lease")]
    targets = {each.rpartition(":")[2] for each in words.plain[1:]}
    if lease and targets & {"main", "master", "production", "release", "develop"}:
        yield MatchedEffect(LOSES_HISTORY, "it rewrites a branch that others build on", _REVERT)


_READS_SETTINGS = ("--get", "--get-all", "--get-regexp", "-l", "--list", "--get-urlmatch", "--show-origin")
_HOOK_SETTINGS = frozenset({"core.hookspath", "extensions.worktreeconfig"})
_RUN_BY_GIT = frozenset(
    """
    core.sshcommand core.fsmonitor core.editor core.pager include.path init.templatedir core.gitproxy
    """.split()
)
_RUN_FOR_REMOTE = expression(r"remote\..+\.(?:receivepack|uploadpack|vcs)")
_SAFEGUARDS = frozenset({"receive.denynonfastforwards", "receive.denydeletes", "http.sslverify"})


def _is_about_hooks(name: str) -> bool:
    """`hook.NAME.command` and `.event` put hooks into settings, `.enabled` switches them off."""
    return name in _HOOK_SETTINGS or name.startswith("hook.")


def _in_any_way(name: str, value: str) -> MatchedEffect | None:
    """What a setting means for one call as well as for good."""
    if _is_about_hooks(name):
        return MatchedEffect(SKIPS_HOOKS, "it points git to other hooks")
    if keeps_no_log(name, value):
        return MatchedEffect(TAMPERS, "git then keeps no log of what is pushed")
    if name in ("protocol.allow", "protocol.ext.allow") and value.lower() in ("always", "user"):
        return MatchedEffect(RUNS_FETCHED, "git then runs commands that are part of an address")
    return None


def _config(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if words.has("-e", "--edit") or words.plain[:1] == ("edit",):
        yield MatchedEffect(
            TAMPERS, "it opens git's settings in an editor", "set one value with `git config NAME VALUE`"
        )
        return
    if words.has("--rename-section", "--remove-section") or words.plain[:1] in (
        ("rename-section",),
        ("remove-section",),
    ):
        if not _HOOK_SECTIONS.isdisjoint(each.lower() for each in words.plain):
            yield MatchedEffect(SKIPS_HOOKS, "it takes away settings that hooks go by")
        return
    if words.has(*_READS_SETTINGS) or words.plain[:1] in (("get",), ("list",)):
        return
    taken = words.without("--file", "-f", "--blob", "--type", "--default", "--value", "--comment").plain
    plain = [each for each in taken if each not in ("set", "unset")]
    removes = words.has("--unset", "--unset-all", "--remove-section") or "unset" in words.plain
    if plain and (len(plain) > 1 or removes):
        yield from _setting(plain[0].lower(), plain[-1])


_HOOK_SECTIONS = frozenset({"core", "extensions", "include", "hook"})


def _setting(name: str, value: str) -> Iterator[MatchedEffect]:
    if found := _in_any_way(name, value):
        yield found
    elif name.startswith("alias.") and any(each.kind == SKIPS_HOOKS for each in _of_alias(value)):
        yield MatchedEffect(SKIPS_HOOKS, "it makes an alias that skips hooks")
    elif (
        name in _RUN_BY_GIT
        or _RUN_FOR_REMOTE.fullmatch(name)
        or name.startswith(("filter.", "includeif."))
        or (name.startswith("alias.") and value.startswith("!"))
    ):
        yield MatchedEffect(TAMPERS, f"it makes git run something else ({shown(value)})")
    elif name == "core.excludesfile":
        yield MatchedEffect(TAMPERS, "it has git leave out files that nobody sees listed", "use .gitignore")
    elif name in _SAFEGUARDS:
        yield MatchedEffect(LOSES_HISTORY, "it takes a safeguard of git away")


def _apply(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """A patch limited to protected files is about them."""
    include = value_of(words.all, "--include", "--directory")
    if include and include.removeprefix("./").startswith(_GUARDED):
        yield MatchedEffect(TAMPERS, f"it patches {shown(include)}")


def _others(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    words = Words(run.arguments)
    if "push" in words.plain[:2]:
        yield from pushed(run, context)
    if words.plain[:1] == ("push",) and words.has("--force", "-f"):
        yield MatchedEffect(LOSES_HISTORY, "it overwrites what the remote has", _REVERT)


def _pushes_a_part(words: Words, run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """`git subtree push` and `git lfs push`."""
    if words.plain[:1] == ("push",) and not words.has("--dry-run"):
        yield from pushed(run, context)


_READERS: Mapping[str, Reader] = {
    **git_work.READERS,
    "subtree": _pushes_a_part,
    "lfs": _pushes_a_part,
    "push": _push,
    "config": _config,
    "apply": _apply,
    "am": _apply,
}


_ALIAS = "alias."


def aliases_of(place: CommandContext) -> Mapping[str, str]:
    """In the order in which git reads them: the last one counts."""
    own = (root / ".git" / "config" for root in place.projects)
    files = (place.home / ".config" / "git" / "config", place.home / ".gitconfig", *own)
    found = (value for file in files for value in values_of(file))
    return {name.removeprefix(_ALIAS): value.strip('"') for name, value in found if name.startswith(_ALIAS)}
