"""What git's commands other than `commit` and `push` make a branch of this repository hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_HEADS = "refs/heads/"
_ENDS = ("--abort", "--quit", "--show-current-patch", "--edit-todo")
_WITH_VALUE = tuple("-m --message -F --file -s --strategy -X --strategy-option --onto --exec -x".split())
_OF_FETCHES = tuple(
    """
    --depth --deepen --shallow-since --shallow-exclude --refmap --negotiation-tip -j --jobs --server-option --filter
    --upload-pack
    """.split()
)
_REWRITES = tuple("--onto -i --interactive -x --exec --autosquash --root -r -f --force-rebase --no-ff".split())
_HERE = frozenset({".", "./"})
_REMOTE = expression(r"[\w-]+")
_JOINS_TREES = (("add",), ("merge",), ("pull",))


class BranchMove(NamedTuple):
    """`branch` is which one, "" for what is checked out; `source` the commit that it then is, "" for one yet unmade.

    `joins`: it is that commit only if nothing else is on the branch. `may_be_path`: where there is no such commit, it
    names files.
    """

    branch: str = ""
    source: str = ""
    joins: bool = False
    may_be_path: bool = False


def branch_moves(verb: str, rest: Sequence[str]) -> tuple[BranchMove, ...]:
    """Nothing for what moves no branch, or only by what its own remote has."""
    words = Words(rest).options
    if words.has(*_ENDS):
        return ()
    reader = _READERS.get(verb)
    found = reader(words) if reader is not None else None
    copies = _copies(verb, words) if verb in _COPIES else ()
    return (*filter(None, (found,)), *copies)


def _merge(words: Words) -> BranchMove | None:
    if words.has("--continue"):
        return BranchMove()
    plain = words.without(*_WITH_VALUE).plain
    if words.has("--squash") or not plain:
        return None
    return BranchMove(source=_known(plain[0]) if len(plain) == 1 else "", joins=True)


def _pull(words: Words) -> BranchMove | None:
    """What a branch takes from its own remote has left already."""
    plain = words.without(*_WITH_VALUE, *_OF_FETCHES).plain
    if len(plain) < 2 and "." not in plain:
        return None
    if len(plain) > 2:  # a commit that joins them all
        return BranchMove(joins=True)
    source = plain[-1].removeprefix("+").partition(":")[0]
    return BranchMove(source=f"{plain[0]}/{source}" if plain[0] not in _HERE else "", joins=True)


def _rebase(words: Words) -> BranchMove:
    plain = words.without(*_WITH_VALUE).plain
    if len(plain) == 1 and not words.has(*_REWRITES):
        return BranchMove(source=_known(plain[0]), joins=True)
    return BranchMove(plain[1] if len(plain) > 1 else "")


def _pick(words: Words) -> BranchMove | None:
    return None if words.has("-n", "--no-commit") else BranchMove()


def _make(_words: Words) -> BranchMove:
    return BranchMove()


def _branch(words: Words) -> BranchMove | None:
    plain = words.plain
    if plain and words.has("-m", "-M", "-c", "-C", "--move", "--copy"):
        return BranchMove(plain[-1], _known(plain[-2]) if len(plain) > 1 else "HEAD")
    return _named(plain) if words.has("-f", "--force") else None


def _check_out(words: Words) -> BranchMove | None:
    return _named(words.plain) if words.has("-B", "-C", "--force-create") else None


def _update_ref(words: Words) -> BranchMove | None:
    if words.has("--stdin"):
        return BranchMove()
    return None if words.has("-d") else _named(words.plain)


def _alias(words: Words) -> BranchMove | None:
    """From then on a branch is another name of a second one, and holds whatever comes onto that."""
    plain = words.plain
    name = plain[0].removeprefix(_HEADS) if len(plain) > 1 else ""
    return None if not name or plain[0] == name else BranchMove(name)


def _reset(words: Words) -> BranchMove | None:
    if not words.plain or words.has("-p", "--patch"):
        return None
    is_named = words.has("--hard", "--soft", "--mixed", "--keep", "--merge")
    if not is_named and len(words.plain) > 1:
        return None
    return BranchMove(source=_known(words.plain[0]), may_be_path=not is_named)


def _tree(words: Words) -> BranchMove | None:
    """`git worktree add -B main FOLDER topic`."""
    name = value_of(words.all, "-B")
    plain = words.without("-B", "--reason").plain
    if not name or plain[:1] != ("add",):
        return None
    return BranchMove(name, _known(plain[2]) if len(plain) > 2 else "HEAD")


def _subtree(words: Words) -> BranchMove | None:
    return BranchMove() if words.plain[:1] in _JOINS_TREES else None


def _named(plain: Sequence[str]) -> BranchMove | None:
    """The branch, and the commit that it then is."""
    name = plain[0].removeprefix(_HEADS) if plain else ""
    if not name or name.startswith("refs/"):
        return None
    return BranchMove("" if name == "HEAD" else name, _known(plain[1]) if len(plain) > 1 else "HEAD")


def _copies(verb: str, words: Words) -> Iterator[BranchMove]:
    """`git fetch . topic:main`: onto a branch from another one, but not from its own at a remote."""
    place, *refspecs = words.without(*_OF_FETCHES).plain or ("",)
    for refspec in refspecs:
        source, sign, target = refspec.removeprefix("+").partition(":")
        source, target = source.removeprefix(_HEADS), target.removeprefix(_HEADS)
        if not sign or not target or target.startswith("refs/"):
            continue
        if place in _HERE:
            yield BranchMove(target, _known(source))
        elif verb != "push" and (source != target or not _REMOTE.fullmatch(place)):
            yield BranchMove(target, _known(f"{place}/{source}"))


def _known(word: str) -> str:
    return "" if UNKNOWN in word else word


_READERS: dict[str, Callable[[Words], BranchMove | None]] = {
    "merge": _merge,
    "pull": _pull,
    "rebase": _rebase,
    "cherry-pick": _pick,
    "revert": _pick,
    "am": _make,
    "quiltimport": _make,
    "branch": _branch,
    "switch": _check_out,
    "checkout": _check_out,
    "update-ref": _update_ref,
    "reset": _reset,
    "symbolic-ref": _alias,
    "worktree": _tree,
    "subtree": _subtree,
}
_COPIES = frozenset({"fetch", "pull", "push"})
MOVES = frozenset({*_READERS, *_COPIES})
