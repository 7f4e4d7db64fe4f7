"""The gate itself: its settings and the agent's, its hooks, its folder and store, its processes, its environment."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.command_context import real_path
from vetgate.checks.unsafe_command.effect import SKIPS_HOOKS, TAMPERS, MatchedEffect
from vetgate.checks.unsafe_command.gate_environment import environment_effects
from vetgate.checks.unsafe_command.own_files import hits_own, lies_on_the_way, paths_in_code
from vetgate.checks.unsafe_command.rights import closes_folders
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.checks.unsafe_command.targets import targets
from vetgate.checks.unsafe_command.words import Words, as_globs, one_of
from vetgate.expression import expression
from vetgate.known_agents import known_agents
from vetgate.model import Decision
from vetgate.source.protected import INSTRUCTIONS, hits_conversation_log
from vetgate.source.root import key
from vetgate.source.shell.interpreters import NAMES_OWN_PROGRAM
from vetgate.source.shell.placeholders import LISTS_GATE, NAMES_GATE, UNKNOWN, shown, without_globs
from vetgate.source.shell.this_machine import is_this_machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.checks.unsafe_command.command_context import CommandPaths
    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

# They say that something is there, not what is in it.
_LOOKS = frozenset(
    """
    ls stat du df file find fd tree test [ [[ echo printf basename dirname realpath readlink cd pushd pwd exa eza lsof
    fuser mkdir touch which type command vetgate
    """.split()
)
_TAKE_NO_FILES = frozenset("expr bc numfmt seq sleep kill date git gh logger notify-send local declare export".split())
# Text for people: may be read.
_READS = frozenset("cat head tail less more bat grep rg egrep fgrep wc sed awk jq sort uniq diff cut nl zcat".split())
_FOR_PEOPLE = expression(r".*\.(?:log|txt|md|report|jsonl)(?:\.\d+)?$|.*/(?:logs?|reports?|bin)/.*")
_STORE = expression(
    r"[^\s'\"`:,;|<>()=]*/(?:(?:state|cache)/vetgate/(?:[^\s'\"`,;|<>()]*\.(?:db|sqlite3?)\b|projects/|bin/|run/)|vetgate-hook\b)[^\s'\"`,;|<>()]*"
)
# Modules of ours with which a program could speak or decide for the gate.
_OUR_MODULES = expression(
    r"(?:from|import)\s+vetgate\.(?:app|answer|client|fallback|core|daemon|store|runtime|launcher|record|project|cli|config\.trust|respond)\b"
    r"|\brun_module\(\s*['\"]vetgate\b"
)
_WRITES = expression(
    r"\bopen\([^)]*,\s*['\"][wax]|write_(?:text|bytes)|unlink|rmtree|\bremove\(|\bcopy|\brename|\breplace\("
)
_SETTINGS = tuple(name for agent in known_agents() if agent.gated for name in agent.settings)
_WRITES_COMPUTED = expression(
    r"(?:writeFile|appendFile|truncate|createWriteStream|unlink|rename|symlink|chmod)\w*\(\s*[\w(]"
    r"|copyFile\w*\([^,]*,\s*[\w(]|\bopen\b\s*\(?\s*\w+\s*,\s*[\"']\+?[>+][^,;]*\$|File\.write\(?\s*\w"
)
_FILE_ARGUMENTS = expression(r"\b(?:ARGV|FILENAME)\b")
_AWKS = frozenset({"awk", "gawk", "mawk", "nawk"})
_TAKE_ADDRESSES = frozenset({"sqlite3", "litecli", "duckdb", "sqlite-utils"})
_STATES = (".local/state/vetgate", ".cache/vetgate")
_ELSEWHERE = expression(r"/(?:run/user/\d+|tmp|var/run|dev/shm)/vetgate(?:-\d+)?/.*")


def own_store_effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.code:
        yield from _code(run, context) if run.language else ()
        return
    if run.name in _LOOKS:
        return
    fed = [match[0] for match in _STORE.finditer(run.stdin)] if run.name in _TAKE_ADDRESSES else []
    named = () if run.name in _TAKE_NO_FILES else (*run.arguments, *run.reads)
    if any(map(_may_be_listed, named)):
        yield MatchedEffect(TAMPERS, "it opens what a listing above the gate's own folder names")
        return
    for path in (*run.arguments, *run.reads, *run.argv[:1], *fed):
        for candidate in _paths(path):
            if _is_ours(candidate, run, context):
                yield MatchedEffect(TAMPERS, f"it opens or runs what is the gate's own ({shown(candidate)})")
                return


def _code(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """Code that names the store, or takes the gate's own modules; whoever develops them has them in the project."""
    paths = context.paths
    is_ours = any(paths.in_project(folder) for folder in paths.own[1:])
    if not is_ours and _OUR_MODULES.search(run.code):
        yield MatchedEffect(TAMPERS, "its code imports the gate's own modules")
    if not is_ours and NAMES_OWN_PROGRAM.search(run.code) and _WRITES.search(run.code):
        yield MatchedEffect(TAMPERS, "its code may change the gate's own program")
    if "TIOCSTI" in run.code:
        yield MatchedEffect(TAMPERS, "its code types into a terminal")
    named = next((match[0] for match in _STORE.finditer(run.code)), "")
    named = named or next((str(folder) for folder in paths.place.own[:1] if str(folder) in run.code), "")
    named = named or next((each for each in paths_in_code(run.code, paths.home) if _leads_to_ours(each, paths)), "")
    if named:
        yield MatchedEffect(TAMPERS, f"its code opens what is the gate's own ({shown(named)})")
    if any(name in run.code for name in _SETTINGS) and _WRITES_COMPUTED.search(run.code):
        yield MatchedEffect(TAMPERS, "its code may change a file that the agent's settings name")


def _leads_to_ours(path: str, paths: CommandPaths) -> bool:
    """A folder between the home and the gate's state, or a glob that finds what is there."""
    if any(sign in path for sign in "*?["):
        return hits_own(path, paths)
    return path != paths.home and paths.is_inside(path, paths.home) and lies_on_the_way(path, paths)


def _may_be_listed(path: str) -> bool:
    """A word that is all from such a listing; in other text it is a number or a name."""
    return LISTS_GATE in path and path[0] in (LISTS_GATE, UNKNOWN)


def _paths(argument: str) -> Iterator[str]:
    """An argument, and what stands in it as a path: `dbname=/x`, `UNIX-CONNECT:/x`, `attach '/x'`."""
    yield argument
    for mark in ("=", ":", "'", '"', "@"):
        if mark in argument:
            yield from (piece for piece in argument.split(mark)[1:] if "/" in piece)


def _is_ours(path: str, run: ProgramRun, context: EffectContext) -> bool:
    paths = context.paths
    if not path or ("/" not in path and "." not in path):
        return False
    full = paths.resolve(run, path)
    if full is None:
        return False
    bare = without_globs(full)
    if not _only_reads(run) and hits_own(bare, context.paths):
        return True
    states = (f"{paths.home}/{each}" for each in _STATES)
    ours = any(paths.is_inside(bare, state) for state in states) or any(
        paths.is_inside(bare, folder) for folder in paths.own[:1]
    )
    if not ours and not _ELSEWHERE.fullmatch(bare):
        return False
    return not (_only_reads(run) and _FOR_PEOPLE.fullmatch(bare))


def _only_reads(run: ProgramRun) -> bool:
    """Not awk, where its program writes to a file by the name that it was given."""
    if run.name in _AWKS and any(">" in each and _FILE_ARGUMENTS.search(each) for each in run.arguments):
        return False
    return run.name in _READS


_TABLE = CommandTable(
    (
        TAMPERS,
        """
        vetgate off|trust|allow|suspend|uninstall|unlock|approve|hook
        vetgate waive !--list
        vetgate-hook => let the agent call its hooks
        vetgate.client|vetgate.fallback|vetgate.core|vetgate.answer|vetgate.daemon
        vetgate.service|vetgate.cli|vetgate.__main__
        vetgate init +--remove
        vetgate doctor +--repair
        vetgate baseline +--write
        vetgate ship +--override => run `vetgate review`; only a person lets something leave without it
        vetgate daemon stop|kill
        pip|pipx|uv|conda|mamba|poetry|pdm .. uninstall|remove .. vetgate
        pip|uv|conda|mamba|poetry|pdm .. install|add|upgrade|reinstall =vetgate[=<>~@!]*
        pip|uv|conda|mamba|poetry|pdm .. install|add =vetgate +-U|--upgrade|--force-reinstall|-I|--ignore-installed
        pip|uv|conda|mamba|poetry|pdm .. install|add =vetgate +--target|-t|--reinstall|--upgrade-package|--pre
        pip|uv|conda|mamba|poetry|pdm .. install|add =vetgate?@*
        pipx|uv .. upgrade|reinstall|inject|runpip =vetgate
        pkill|killall|pkexec =*vetgate*
        """
        + "".join(agent.tampers for agent in known_agents()),
    ),
    (
        SKIPS_HOOKS,
        """
        pre-commit|husky|lefthook uninstall
        overcommit +--uninstall
        yarn|npm|pnpm .. husky uninstall
        npm pkg delete =scripts.prepare
        npm|pnpm|yarn version +--no-commit-hooks
        cz|commitizen|git-cz|czg|standard-version|commit-and-tag-version|lerna|gt +--no-verify
        gh pr merge +--admin
        gh workflow disable
        """,
    ),
)


def _of_agents(globs: Iterable[str]) -> tuple[str, ...]:
    """Settings, scripts and extensions that the Write tool leaves alone as well, with what a package adds to them."""
    names = (name for agent in known_agents() for name in (*agent.settings, *agent.hooks, *agent.plugins))
    return (*(each for name in names for each in as_globs(name)), *globs)


# In the project, then below the home folder. What is protected is changed by a person, or shown to one.
_IN_PROJECT = tuple(
    """
    .git/hooks .git/hooks/* .git/config .git .git/hooks/pre-commit .git/hooks/pre-push .git/hooks/commit-msg
    .git/config.worktree .git/worktrees/* .git/modules/*/config .git/modules/*/hooks/* .git/info/grafts
    .git/objects/info/alternates .git/packed-refs .git/refs/* */.git/config.worktree
    .git/info/attributes .git/info/exclude vetgate.yaml vetgate.yml .vetgate .vetgate/* .husky .husky/* .mcp.json
    .pre-commit-config.yaml lefthook*.y*ml .lefthook*.y*ml */.git/hooks/* */.git/config
    """.split()
) + _of_agents(glob for agent in known_agents() for glob in (*agent.in_project, *agent.mcp))
_IN_HOME = tuple(
    """
    .config/git/hooks/* .local/state/vetgate .local/state/vetgate/* .cache/vetgate/* .config/vetgate*
    .local/share/uv/tools/vetgate* .local/pipx/venvs/vetgate* library/application?support/vetgate*
    .local/share/pipx/venvs/vetgate* .gitconfig .config/git/config
    .config/git/ignore
    """.split()
) + _of_agents(glob for agent in known_agents() for glob in agent.in_home)
# A person may want an agent to write these.
_INSTRUCTIONS = tuple(glob for name in INSTRUCTIONS for glob in as_globs(name))
_ANYWHERE = (
    "*/site-packages/vetgate",
    "*/site-packages/vetgate/*",
    "*/vetgate-hook",
    *(glob for agent in known_agents() for glob in agent.anywhere),
)
_BELOW_ROOT, _BELOW_HOME, _ANY = one_of(_IN_PROJECT), one_of(_IN_HOME), one_of(_ANYWHERE)
_ARE_INSTRUCTIONS = one_of(_INSTRUCTIONS)
_BEST_KNOWN = (
    *(name for agent in known_agents() if agent.gated for name in agent.settings),
    *("vetgate.yaml", ".git/config", ".git/hooks/pre-commit", ".git/hooks/pre-push"),
)
_TELL = "tell the person what you want to write there and why"
# Added to, not taken from: appending to these is ordinary work.
_READ_ONLY_PROGRAMS = frozenset({"touch", "chown"})
# What the process of the gate is told to run, and the option by which a pattern is looked for in that.
_DAEMON = "from vetgate.daemon import main;main()"
_WHOLE_LINE = expression(r"(?:^|\s)(?:-[a-zA-Z]*f|--full)")
_SHORTEST_PATTERN, _LONGEST_PATTERN = 3, 60


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    yield from environment_effects(run, context)
    yield from _TABLE.found(run)
    yield from _killed(run, context)
    yield from own_store_effects(run, context)
    changes = (_changed(path, run, context) for path in targets(run))
    yield from islice(filter(None, changes), 1)


def _changed(path: str, run: ProgramRun, context: EffectContext) -> MatchedEffect | None:
    """What it means that a program changes this file; None where nobody minds."""
    if NAMES_GATE in path:
        return MatchedEffect(TAMPERS, "it changes a file of the gate, or one that the agent's settings name")
    if _may_be_listed(path):
        return MatchedEffect(TAMPERS, "it changes what a listing above the gate's own folder names")
    full = context.paths.resolve(run, _on_this_machine(path, context))
    if full is None:
        return None
    place = context.paths.place
    if hits_conversation_log(without_globs(full).rstrip("/"), place.home, place.moved):
        return MatchedEffect(TAMPERS, f"it changes the log of an agent's conversation ({shown(path)})")
    if (is_protected(full, context) and not _is_harmless(run, full)) or _covers_ours(run, full, context):
        return MatchedEffect(TAMPERS, f"it changes {shown(path)}")
    if _is_instructions(full, context) and run.name not in _READ_ONLY_PROGRAMS:
        what = f"it changes {shown(path)}, which an agent reads in every project"
        return MatchedEffect(TAMPERS, what, _TELL, Decision.ASK, what.removeprefix("it "))
    return None


def _is_instructions(full: str, context: EffectContext) -> bool:
    """A person's own; whoever works on them in a repository of theirs has them in the project."""
    paths = context.paths
    below = paths.below_own_home(full)
    if below is None or paths.is_inside(full, key(real_path(str(paths.place.configured)))):
        return False
    return _matches(without_globs(below), _INSTRUCTIONS, _ARE_INSTRUCTIONS)


def _on_this_machine(path: str, context: EffectContext) -> str:
    """`localhost:.claude/x` is a path in the home folder."""
    host, mark, rest = path.partition(":")
    if not mark or "/" in host or not is_this_machine(host):
        return path
    return rest if rest.startswith("/") else f"{context.paths.place.home}/{rest.removeprefix('~/')}"


def _is_harmless(run: ProgramRun, full: str) -> bool:
    """A lock that a git which died left behind may go."""
    if full.endswith("/.git"):
        return run.name in ("chmod", "chgrp", "rm", *_READ_ONLY_PROGRAMS)  # of the folder; what loses it is told apart
    return run.name in _READ_ONLY_PROGRAMS or (full.endswith(".lock") and "/.git/" in full)


def _covers_ours(run: ProgramRun, full: str, context: EffectContext) -> bool:
    """Rights or owner of all that lies below a folder, or another folder in its place, with the gate's own in it."""
    changes_all = run.name in _CHANGE_RIGHTS and Words(run.arguments).has("-R", "--recursive")
    if not changes_all and run.name not in _LAID_OVER and not closes_folders(run, context.paths.place.home.name):
        return False
    if run.name == "chmod" and any(_ONLY_ADDS.fullmatch(each) for each in run.arguments):
        return False
    paths, folder = context.paths, full.rstrip("/") or "/"
    hooks = [f"{root}/.git/hooks" for root in paths.roots] if changes_all and run.name == "chmod" else []
    if closes_folders(run, paths.place.home.name) and any(paths.is_inside(each, folder) for each in hooks):
        return True
    return any(paths.is_inside(each, folder) for each in paths.own[:1])


_CHANGE_RIGHTS = frozenset({"chmod", "chown", "chgrp", "setfacl", "chattr"})
_LAID_OVER = frozenset({"mount"})
_ONLY_ADDS = expression(r"[augo]*\+[rwxXst]+")


# They change or stop a process that runs.
_ATTACH = frozenset("gdb lldb strace ltrace prlimit py-spy pyrasite reptyr criu renice cpulimit taskset perf".split())


def _killed(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """By name; or by a number that the command finds out, when it looks for ours."""
    if run.name in _ATTACH and UNKNOWN in " ".join(run.arguments) and "vetgate" in context.command:
        yield MatchedEffect(TAMPERS, "it attaches to the gate's own process")
    if run.name not in ("pkill", "killall", "kill"):
        return
    found_out = run.name == "kill" and any(UNKNOWN in each for each in run.arguments) and "vetgate" in context.command
    by_pattern = run.name == "pkill" and _WHOLE_LINE.search(" ".join(run.arguments)) is not None
    by_pattern = by_pattern and any(map(_names_us, run.arguments))
    if found_out or by_pattern or any("vetgate" in each for each in run.arguments):
        yield MatchedEffect(TAMPERS, "it ends the gate's own process")


def _names_us(pattern: str) -> bool:
    """Whether it finds the gate's own process by our name, and not by words that are everybody's."""
    if not _SHORTEST_PATTERN <= len(pattern) <= _LONGEST_PATTERN or pattern.startswith("-"):
        return False
    try:
        return re.search(pattern, _DAEMON) is not None and not re.search(pattern, _DAEMON.replace("vetgate", ""))
    except (re.error, RecursionError):
        return False


def is_protected(full: str, context: EffectContext) -> bool:
    paths = context.paths
    path = without_globs(full).rstrip("/")
    inside = (root for root in paths.roots if paths.is_inside(full, root))
    if any(_matches(path[len(root) :].strip("/"), _IN_PROJECT, _BELOW_ROOT) for root in inside):
        return True
    below = paths.below_own_home(path)
    if below is not None and _matches(below, _IN_HOME, _BELOW_HOME):
        return True
    if any(paths.is_inside(full, folder) for folder in paths.own) or hits_own(path, context.paths):
        return True
    if path in paths.interpreter:
        return True
    return _matches(path, _ANYWHERE, _ANY) or _shares_inode(path, context)


def _matches(path: str, globs: tuple[str, ...], pattern: re.Pattern[str]) -> bool:
    """By name; or a glob of the command's that would hit one of ours."""
    if pattern.match(path):
        return True
    return "*" in path and len(path) > 3 and any(fnmatchcase(glob, path) for glob in globs)


def _shares_inode(path: str, context: EffectContext) -> bool:
    """Another name for one of the few files that matter most."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return False
    if status.st_nlink < 2:
        return False
    places = (root / name for root in context.paths.place.projects for name in _BEST_KNOWN)
    return any(_is_same(status, place) for place in places)


def _is_same(status: os.stat_result, place: Path) -> bool:
    try:
        return os.path.samestat(status, place.stat())
    except OSError:
        return False
