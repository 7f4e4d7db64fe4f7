"""What git's commands other than `commit` and `push` make a branch of this repository hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.words import Words
from vetgate.source.shell.placeholders import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_HEADS = "refs/heads/"
_ENDS = ("--abort", "--quit", "--show-current-patch", "--edit-todo")
_WITH_VALUE = (
    "-m",
    "--message",
    "-F",
    "--file",
    "-s",
    "--strategy",
    "-X",
    "--strategy-option",
    "--onto",
    "--exec",
    "-x",
)
_REWRITES = (
    "--onto",
    "-i",
    "--interactive",
    "-x",
    "--exec",
    "--autosquash",
    "--root",
    "-r",
    "-f",
    "--force-rebase",
    "--no-ff",
)
_HERE = frozenset({".", "./"})


class BranchMove(NamedTuple):
    """`branch` is which one, "" for what is checked out; `source` the commit that it then is, "" for one yet unmade.

    `joins`: it is that commit only if nothing else is on the branch.
    """

    branch: str = ""
    source: str = ""
    joins: bool = False


def branch_move(verb: str, rest: Sequence[str]) -> BranchMove | None:
    """None for what moves no branch, or only by what its own remote has."""
    words = Words(rest).options
    reader = _READERS.get(verb)
    return None if reader is None or words.has(*_ENDS) else reader(words)


def _merge(words: Words) -> BranchMove | None:
    if words.has("--continue"):
        return BranchMove()
    plain = words.without(*_WITH_VALUE).plain
    if words.has("--squash") or not plain:
        return None
    return BranchMove(source=_known(plain[0]) if len(plain) == 1 else "", joins=True)


def _pull(words: Words) -> BranchMove | None:
    """What a branch takes from its own remote has left already."""
    plain = words.without(*_WITH_VALUE).plain
    if len(plain) < 2 and "." not in plain:
        return None
    return BranchMove(source=f"{plain[0]}/{plain[1]}" if plain[0] not in _HERE else "", joins=True)


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
    is_move = bool(words.plain) and words.has("--hard", "--keep", "--merge")
    return BranchMove(source=_known(words.plain[0])) if is_move else None


def _named(plain: Sequence[str]) -> BranchMove | None:
    """The branch, and the commit that it then is."""
    name = plain[0].removeprefix(_HEADS) if plain else ""
    if not name or name.startswith("refs/"):
        return None
    return BranchMove("" if name == "HEAD" else name, _known(plain[1]) if len(plain) > 1 else "HEAD")


def _copy(words: Words) -> BranchMove | None:
    """`git fetch . topic:main`: from one branch of this repository to another."""
    plain = words.plain
    if len(plain) < 2 or plain[0] not in _HERE:
        return None
    source, sign, target = plain[1].removeprefix("+").partition(":")
    return BranchMove(target.removeprefix(_HEADS), _known(source)) if sign and target else None


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
    "fetch": _copy,
    "push": _copy,
}
MOVES = frozenset(_READERS)
