"""Folders that an archive from the network was unpacked into, and programs that run what lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.source.shell.options import value_of

if TYPE_CHECKING:
    from vetgate.source.shell.runs import ProgramRun
    from vetgate.source.shell.scope import ShellState

UNPACKS = frozenset({"tar", "bsdtar", "gtar", "unzip", "cpio", "7z"})
_INTO = ("-C", "--directory", "-d")
# They run what files of the folder say that they work in, or that an argument names.
_BUILD = frozenset(
    """
    make gmake just npm pnpm yarn bun pip pipx uv cargo go mvn gradle cmake meson ninja ant sbt rake bundle composer
    pytest tox nox poetry dotnet
    """.split()
)
_INSTALLERS = frozenset({"setup.py", "install.py", "install.sh", "configure", "bootstrap.sh"})


def note_folder(run: ProgramRun, scope: ShellState) -> None:
    """Where its files are now; in a folder that nobody named, they may lie beside those of the project."""
    named = value_of(run.arguments, *_INTO)
    folder = scope.absolute(named or scope.cwd).rstrip("/")
    scope.unpacked[folder] = scope.unpacked.get(folder, False) or bool(named)


def builds_it(run: ProgramRun, folder: str, scope: ShellState) -> bool:
    """`folder` is where the program goes by itself."""
    if not scope.unpacked or run.name not in _BUILD:
        return False
    place = scope.absolute(folder or scope.cwd)
    named = (scope.absolute(each) for each in run.arguments if "/" in each and not each.startswith("-"))
    return any(_is_inside(each, scope) for each in (place, *named))


def is_unpacked(path: str, scope: ShellState) -> bool:
    """Of a script that an interpreter is given."""
    folder, _, name = scope.absolute(path).rpartition("/")
    return bool(scope.unpacked) and (
        _is_inside(folder, scope, deep=scope.cwd) or (name in _INSTALLERS and folder in scope.unpacked)
    )


def _is_inside(path: str, scope: ShellState, *, deep: str = "") -> bool:
    """In a folder that was named for it, or below; of any other one, only below, and for scripts only from there."""
    return any(
        path == folder or path.startswith(f"{folder}/")
        if named
        else path.startswith(f"{folder}/") and (not deep or deep.startswith(f"{folder}/"))
        for folder, named in scope.unpacked.items()
    )
