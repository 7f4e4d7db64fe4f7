"""What git's commands other than `commit` and `push` make a branch of this repository hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.words import Words
from vetgate.source.shell.placeholders import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEADS = "refs/heads/"
# These make commits that nobody can name before the run.
_MAKES_COMMITS = frozenset({"cherry-pick", "revert", "am", "rebase", "pull", "quiltimport"})
MOVES = _MAKES_COMMITS | {"merge", "update-ref", "branch", "switch", "checkout", "reset", "fetch", "push"}
_ENDS = ("--abort", "--quit", "--show-current-patch", "--edit-todo")
_CREATES = {"switch": ("-C", "--force-create"), "checkout": ("-B",), "branch": ("-f", "--force")}
_RENAMES = ("-m", "-M", "-c", "-C", "--move", "--copy")
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
    if verb not in MOVES or words.has(*_ENDS):
        return None
    if verb in _MAKES_COMMITS:
        return _made(verb, words)
    if verb == "merge":
        return _merged(words)
    plain = words.plain
    if verb == "branch" and words.has(*_RENAMES) and plain:
        return BranchMove(plain[-1], _known(plain[-2]) if len(plain) > 1 else "HEAD")
    if verb in _CREATES:
        return _named(plain) if words.has(*_CREATES[verb]) else None
    if verb == "update-ref":
        return BranchMove() if words.has("--stdin") else None if words.has("-d") else _named(plain)
    if verb == "reset":
        return BranchMove(source=_known(plain[0])) if plain and words.has("--hard", "--keep", "--merge") else None
    return _copied(plain)


def _merged(words: Words) -> BranchMove | None:
    plain = words.without(*_WITH_VALUE).plain
    if words.has("--continue"):
        return BranchMove()
    if words.has("--squash") or not plain:
        return None
    return BranchMove(source=_known(plain[0]) if len(plain) == 1 else "", joins=True)


def _made(verb: str, words: Words) -> BranchMove | None:
    """What a branch takes from its own remote has left already."""
    plain = words.without(*_WITH_VALUE).plain
    if verb in ("cherry-pick", "revert") and words.has("-n", "--no-commit"):
        return None
    if verb == "pull":
        if len(plain) < 2 and "." not in plain:
            return None
        return BranchMove(source=f"{plain[0]}/{plain[1]}" if plain[0] not in _HERE else "", joins=True)
    if verb == "rebase":
        if len(plain) > 1:
            return BranchMove(plain[1])
        return BranchMove(source=_known(plain[0]), joins=True) if plain and not words.has("--onto") else BranchMove()
    return BranchMove()


def _named(plain: Sequence[str]) -> BranchMove | None:
    """The branch, and the commit that it then is."""
    name = plain[0].removeprefix(_HEADS) if plain else ""
    if not name or name.startswith("refs/"):
        return None
    return BranchMove("" if name == "HEAD" else name, _known(plain[1]) if len(plain) > 1 else "HEAD")


def _copied(plain: Sequence[str]) -> BranchMove | None:
    """`git fetch . topic:main`: from one branch of this repository to another."""
    if len(plain) < 2 or plain[0] not in _HERE:
        return None
    source, sign, target = plain[1].removeprefix("+").partition(":")
    return BranchMove(target.removeprefix(_HEADS), _known(source)) if sign and target else None


def _known(word: str) -> str:
    return "" if UNKNOWN in word else word
