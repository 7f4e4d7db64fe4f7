"""The gate's own folder: what it remembers, its launcher, its socket. Nobody but the gate opens them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import TAMPERS, MatchedEffect
from vetgate.expression import expression
from vetgate.source.shell.marks import shown, without_globs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

# They say that something is there, not what is in it.
_LOOKS = frozenset(
    """
    ls stat du df file find fd tree test [ [[ echo printf basename dirname realpath readlink cd pushd pwd exa eza lsof
    fuser mkdir touch which type command vetgate
    """.split()
)
# Text for people: may be read.
_READS = frozenset("cat head tail less more bat grep rg egrep fgrep wc sed awk jq sort uniq diff cut nl zcat".split())
_FOR_PEOPLE = expression(r".*\.(?:log|txt|md|report|jsonl)(?:\.\d+)?$|.*/(?:logs?|reports?|bin)/.*")
_STORE = expression(
    r"[^\s'\"`:,;|<>()=]*/(?:(?:state|cache)/vetgate/(?:[^\s'\"`,;|<>()]*\.(?:db|sqlite3?)\b|projects/|bin/|run/)|vetgate-hook\b)[^\s'\"`,;|<>()]*"
)
# Modules of ours with which a program could speak or decide for the gate.
_OUR_MODULES = expression(
    r"(?:from|import)\s+vetgate\.(?:app|answer|client|fallback|core|daemon|store|runtime|launcher|record|project|cli|config\.trust|respond)\b"
)
_TAKE_ADDRESSES = frozenset({"sqlite3", "litecli", "duckdb", "sqlite-utils"})
_STATES = (".local/state/vetgate", ".cache/vetgate")
_ELSEWHERE = expression(r"/(?:run/user/\d+|tmp|var/run|dev/shm)/vetgate(?:-\d+)?/.*")


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.code:
        yield from _code(run, context) if run.language else ()
        return
    if run.name in _LOOKS:
        return
    fed = [match[0] for match in _STORE.finditer(run.stdin)] if run.name in _TAKE_ADDRESSES else []
    for path in (*run.arguments, *run.reads, *run.argv[:1], *fed):
        for candidate in _paths(path):
            if _is_ours(candidate, run, context):
                yield MatchedEffect(TAMPERS, f"it opens or runs what is the gate's own ({shown(candidate)})")
                return


def _code(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """Code that names the store, or takes the gate's own modules; whoever develops them has them in the project."""
    paths = context.paths
    if not any(paths.in_project(folder) for folder in paths.own[1:]) and _OUR_MODULES.search(run.code):
        yield MatchedEffect(TAMPERS, "its code takes the gate's own modules")
    if "TIOCSTI" in run.code:
        yield MatchedEffect(TAMPERS, "its code types into a terminal")
    named = next((match[0] for match in _STORE.finditer(run.code)), "")
    named = named or next((str(folder) for folder in paths.place.own[:1] if str(folder) in run.code), "")
    if named:
        yield MatchedEffect(TAMPERS, f"its code opens what is the gate's own ({shown(named)})")


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
    states = (f"{paths.home}/{each}" for each in _STATES)
    ours = any(paths.is_inside(bare, state) for state in states) or any(
        paths.is_inside(bare, folder) for folder in paths.own[:1]
    )
    if not ours and not _ELSEWHERE.fullmatch(bare):
        return False
    return not (run.name in _READS and _FOR_PEOPLE.fullmatch(bare))
