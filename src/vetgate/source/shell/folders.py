"""Options by which a program works in another folder than the one that it is started in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.source.shell.placeholders import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class _FolderOptions(NamedTuple):
    """What it is called, and behind how many operands it still counts: what stands later belongs to another program."""

    names: tuple[str, ...]
    operands: int = 0


_ANYWHERE = 1_000
_OPTIONS: Mapping[str, _FolderOptions] = {
    **dict.fromkeys(("make", "gmake", "ninja"), _FolderOptions(("-C", "--directory"), _ANYWHERE)),
    "just": _FolderOptions(("-d", "--working-directory"), _ANYWHERE),
    **dict.fromkeys(("task", "go-task"), _FolderOptions(("-d", "--dir"), _ANYWHERE)),
    **dict.fromkeys(("npm", "npx"), _FolderOptions(("--prefix", "-C"), 2)),
    "pnpm": _FolderOptions(("-C", "--dir", "--prefix"), 1),
    **dict.fromkeys(("yarn", "bun"), _FolderOptions(("--cwd",), 1)),
    "uv": _FolderOptions(("--directory",), 1),
    "poetry": _FolderOptions(("-C", "--directory"), 1),
    "mise": _FolderOptions(("-C", "--cd"), 1),
    "poe": _FolderOptions(("-C", "--directory"), 1),
    "pdm": _FolderOptions(("-p", "--project"), 2),
    "deno": _FolderOptions(("--cwd",), 1),
    **dict.fromkeys(("git", "cargo", "go"), _FolderOptions(("-C",))),
    "bwrap": _FolderOptions(("--chdir",), _ANYWHERE),
    "systemd-run": _FolderOptions(("--working-directory",)),
    "daemon": _FolderOptions(("--chdir", "-D")),
    "start-stop-daemon": _FolderOptions(("-d", "--chdir"), _ANYWHERE),
    **dict.fromkeys(("unshare", "nsenter"), _FolderOptions(("--wd", "-w"))),
    "watchexec": _FolderOptions(("--workdir",)),
    "parallel": _FolderOptions(("--wd", "--workdir")),
}


def moved_to(name: str, arguments: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The folder, "" for where it is started, and what is left of the arguments; several lead on from each other."""
    options = _OPTIONS.get(name)
    if options is None:
        return "", tuple(arguments)
    folders: list[str] = []
    rest: list[str] = []
    operands, index = 0, 0
    while index < len(arguments) and arguments[index] != "--" and operands <= options.operands:
        argument = arguments[index]
        attached = next((each for each in options.names if _is_attached(argument, each)), "")
        if argument in options.names and index + 1 < len(arguments):
            folders.append(arguments[index + 1])
            index += 1
        elif attached:
            folders.append(argument[len(attached) :].removeprefix("="))
        else:
            rest.append(argument)
            operands += not argument.startswith("-")
        index += 1
    return joined(folders), (*rest, *arguments[index:])


def joined(folders: Sequence[str]) -> str:
    """Of folders that are entered one after the other."""
    folder = ""
    for each in filter(None, folders):
        leads_on = folder and not each.startswith(("/", "~", UNKNOWN))
        folder = f"{folder.rstrip('/')}/{each}" if leads_on else each
    return folder


def _is_attached(argument: str, name: str) -> bool:
    return argument.startswith(f"{name}=") if name.startswith("--") else argument.startswith(name) and argument != name
