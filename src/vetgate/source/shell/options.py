"""Where the options of a program end, what their values are, and what copies, tar and shells are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.expression import expression

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


def values_of(arguments: Sequence[str], *names: str) -> list[str]:
    """Of every time one of the options is there."""
    found = (value_of(arguments[index : index + 2], *names) for index in range(len(arguments)))
    return list(dict.fromkeys(each for each in found if each is not None))


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


_TAR_MAKES = frozenset("cru")


def packed_by_tar(arguments: Sequence[str]) -> list[str]:
    """What an archive is made of, below the folders that `-C` names; nothing where it is read."""
    folder, makes = "", False
    awaited: list[str] = []
    members: list[str] = []
    for index, argument in enumerate(arguments):
        if awaited:
            folder = _folder_below(folder, argument if awaited.pop(0) == "C" else "")
        elif argument.startswith("-") or index == 0:
            option = _tar_long(argument) if argument.startswith("--") else _tar_letters(argument)
            makes = makes or option.makes
            folder = _folder_below(folder, option.folder)
            awaited += option.awaited
        else:
            members.append(_below(folder, argument))
    return members if makes else []


class _TarOption(NamedTuple):
    """Whether an archive is made, the folder named in the same word, and what the words behind it are."""

    makes: bool
    folder: str = ""
    awaited: Sequence[str] = ()


def _tar_long(argument: str) -> _TarOption:
    name, sign, value = argument.partition("=")
    makes, kind = name in ("--create", "--append", "--update"), _TAR_TAKES.get(name)
    if sign:
        return _TarOption(makes, value if kind == "C" else "")
    return _TarOption(makes, awaited=() if kind is None else (kind,))


def _tar_letters(argument: str) -> _TarOption:
    """`-xC folder`, `-Cfolder`; without a dash, each letter that takes a value takes the next word."""
    letters = argument.lstrip("-")
    takers = [at for at, letter in enumerate(letters) if letter in _TAR_TAKES]
    if argument.startswith("-") and takers and letters[takers[0] + 1 :]:
        own, kind, value = letters[: takers[0]], letters[takers[0]], letters[takers[0] + 1 :]
        return _TarOption(_makes_archive(own), value if kind == "C" else "")
    takers = takers[:1] if argument.startswith("-") else takers
    return _TarOption(_makes_archive(letters), awaited=[_TAR_TAKES[letters[at]] for at in takers])


def _makes_archive(letters: str) -> bool:
    return not _TAR_MAKES.isdisjoint(letters)


def _folder_below(folder: str, path: str) -> str:
    return _below(folder, path) if path else folder


def _below(folder: str, path: str) -> str:
    return path if not folder or path.startswith(("/", "~")) else f"{folder.rstrip('/')}/{path}"


def _is_attached(argument: str, name: str) -> bool:
    if name.startswith("--"):
        return argument.startswith(f"{name}=")
    return len(name) == 2 and argument.startswith(name)


_LETTERS = expression(r"[-+][a-zA-Z]+")
_OF_SHELLS = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})


class ShellInput(NamedTuple):
    """A script, a file that holds one, or neither: then it comes from stdin."""

    script: str | None
    file: str
    arguments: tuple[str, ...]
    program: str = "bash"


def script_of(arguments: Sequence[str]) -> ShellInput:
    letters, rest = options_of(arguments)
    if "c" in letters:
        return ShellInput("".join(rest[:1]), "", rest[2:], "".join(rest[1:2]) or "bash")
    if "s" in letters or not rest:
        return ShellInput(None, "", rest)
    return ShellInput(None, rest[0], rest[1:])


def options_of(arguments: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The letters of all options, and what comes after."""
    letters = ""
    index = 0
    while index < len(arguments) and arguments[index].startswith(("-", "+")):
        argument = arguments[index]
        index += 2 if argument in _OF_SHELLS else 1
        if argument in ("--", "-"):
            break
        if _LETTERS.fullmatch(argument):
            letters += argument
        elif argument in ("--command", "--commands"):
            letters += "c"
    return letters, tuple(arguments[index:])
