"""Where the options of a program end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def first_operand(arguments: Sequence[str], with_value: Collection[str] = (), skip: int = 0) -> int:
    """The index behind the options and `skip` operands; options in `with_value` take the next argument along."""
    index = 0
    while index < len(arguments):
        argument = arguments[index]
        if argument == "--":
            index += 1
            break
        if not argument.startswith("-") or argument == "-":
            break
        index += 2 if argument in with_value or _cluster_takes(argument, with_value) else 1
    return min(index + skip, len(arguments))


def _cluster_takes(argument: str, with_value: Collection[str]) -> bool:
    """`-nu root`: the last letter of a cluster may want the next argument; one before it has its value right there."""
    if argument.startswith("--") or len(argument) < 3:
        return False
    takers = [index for index, letter in enumerate(argument[1:], 1) if f"-{letter}" in with_value]
    return bool(takers) and takers[0] == len(argument) - 1


def value_of(arguments: Sequence[str], *names: str) -> str | None:
    """The value of the first of the options that is there: `-o x`, `-ox`, `--out x`, `--out=x`."""
    for index, argument in enumerate(arguments):
        if argument in names:
            return arguments[index + 1] if index + 1 < len(arguments) else None
        attached = next((each for each in names if _is_attached(argument, each)), None)
        if attached is not None:
            return argument[len(attached) :].removeprefix("=" if attached.startswith("--") else "")
    return None


# Options with a value of programs that copy.
_OF_COPIES = {
    "install": ("-m", "-o", "-g", "-S", "--mode", "--owner", "--group", "--suffix"),
    "cp": ("-S", "--suffix"),
    "mv": ("-S", "--suffix"),
    "ln": ("-S", "--suffix"),
}
_INTO = ("-t", "--target-directory")


def copied(name: str, arguments: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """What `cp`, `mv`, `install` or `ln` takes, and where it goes; a folder ends with a slash if an option names it."""
    takes = (*_OF_COPIES.get(name.removeprefix("g"), ()), *_INTO)
    operands: list[str] = []
    rest = arguments
    while rest:
        start = first_operand(rest, takes)
        operands += rest[start : start + 1]
        rest = rest[start + 1 :]
    folder = value_of(arguments, *_INTO) if name.removeprefix("g") in _OF_COPIES else None
    if folder:
        return tuple(operands), f"{folder.rstrip('/')}/"
    return tuple(operands[:-1]), operands[-1] if len(operands) > 1 else ""


_TAR_TAKES = {
    **dict.fromkeys("fbgHIKLNTVX", ""),
    "C": "C",
    "--directory": "C",
    **dict.fromkeys("--file --files-from --exclude-from --newer --transform --use-compress-program".split(), ""),
}


def packed_by_tar(arguments: Sequence[str]) -> list[str]:
    """What an archive is made of, below the folders that `-C` names; nothing where it is read."""
    folder, makes = "", False
    awaited: list[str] = []
    members: list[str] = []
    for index, argument in enumerate(arguments):
        if awaited:
            folder = _below(folder, argument) if awaited.pop(0) == "C" else folder
        elif argument.startswith("--"):
            name, sign, value = argument.partition("=")
            makes = makes or name in ("--create", "--append", "--update")
            kind = _TAR_TAKES.get(name)
            awaited += [kind] if kind is not None and not sign else []
            folder = _below(folder, value) if kind == "C" and sign else folder
        elif argument.startswith("-") or index == 0:
            letters = argument.lstrip("-")
            takers = [at for at, letter in enumerate(letters) if letter in _TAR_TAKES]
            takers = takers[:1] if argument.startswith("-") else takers
            attached = letters[takers[0] + 1 :] if takers and argument.startswith("-") else ""
            own = letters[: takers[0]] if attached else letters
            makes = makes or any(letter in own for letter in "cru")
            folder = _below(folder, attached) if attached and letters[takers[0]] == "C" else folder
            awaited += [] if attached else [_TAR_TAKES[letters[at]] for at in takers]
        else:
            members.append(_below(folder, argument))
    return members if makes else []


def _below(folder: str, path: str) -> str:
    return path if not folder or path.startswith(("/", "~")) else f"{folder.rstrip('/')}/{path}"


def _is_attached(argument: str, name: str) -> bool:
    if name.startswith("--"):
        return argument.startswith(f"{name}=")
    return len(name) == 2 and argument.startswith(name)
