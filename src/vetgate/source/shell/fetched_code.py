"""Files and archives from the network that lie on disk by now, and programs that run what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import FETCHED

if TYPE_CHECKING:
    from collections.abc import Mapping

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
# They run, install or load the file that they are given.
_RUN_A_FILE = frozenset(
    """
    go tsx ts-node esno swc-node deno bun uv java dpkg rpm apt apt-get dnf yum pip pipx npm pnpm yarn gem cargo dotnet
    nix nix-shell jbang kotlin scala groovy elixir erl racket sbcl guile swipl octave
    """.split()
)
# Files that a program goes by unasked.
_GOES_BY: Mapping[str, tuple[str, ...]] = {
    "nox": ("noxfile.py",),
    "tox": ("tox.ini",),
    **dict.fromkeys(("pip", "uv", "pipx", "poetry"), ("setup.py", "pyproject.toml")),
    "cargo": ("build.rs", "Cargo.toml", ".cargo/config.toml"),
    "rake": ("Rakefile",),
    "bundle": ("Gemfile",),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "gradle": ("build.gradle", "build.gradle.kts", "settings.gradle"),
    "mvn": ("pom.xml",),
    "cmake": ("CMakeLists.txt",),
    "meson": ("meson.build",),
    "docker": ("Dockerfile",),
    "composer": ("composer.json",),
}
_COMPILES = frozenset("gcc g++ cc c++ clang clang++ rustc gfortran tcc".split())
_DATA = expression(
    r"\.(?:jsonl?|ndjson|csv|tsv|txt|ya?ml|xml|html?|md|sql|log|ini|toml|parquet|png|jpe?g|gif|svg|pdf|db)$"
)
_AT_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0"})
_IN_VALUE = expression(r"[=,:\s]+")
_INSTALLERS = frozenset({"setup.py", "install.py", "install.sh", "configure", "bootstrap.sh"})


def note_folder(run: ProgramRun, scope: ShellState) -> None:
    """Where its files are now; in a folder that nobody named, they may lie beside those of the project."""
    named = value_of(run.arguments, *_INTO)
    folder = scope.absolute(named or scope.cwd).rstrip("/")
    scope.unpacked[folder] = scope.unpacked.get(folder, False) or bool(named)


def runs_fetched(run: ProgramRun, folder: str, scope: ShellState) -> bool:
    """`folder` is where the program goes by itself."""
    place = scope.absolute(folder or scope.cwd)
    named = (each for each in run.arguments if not _DATA.search(each))
    if run.name in _RUN_A_FILE and (_is_fed(run) or any(_is_fetched(each, scope) for each in named)):
        return True
    if any(_is_fetched(f"{place}/{each}", scope) for each in _GOES_BY.get(run.name, ())):
        return True
    return bool(scope.unpacked) and run.name in _BUILD and _builds(run, place, scope)


def loads_fetched(run: ProgramRun, scope: ShellState) -> bool:
    """`LD_PRELOAD=./x.so`, `NODE_OPTIONS=--require=./x.js`: a variable names the file."""
    return any(_is_fetched(part, scope) for value in run.env.values() for part in _IN_VALUE.split(value))


def note_compiled(run: ProgramRun, scope: ShellState) -> None:
    if run.name in _COMPILES and (_is_fed(run) or any(_is_fetched(each, scope) for each in run.arguments)):
        made = "rust_out" if run.name == "rustc" else "a.out"
        scope.files[scope.absolute(value_of(run.arguments, "-o") or made)] = FETCHED


def _is_fed(run: ProgramRun) -> bool:
    """Code that comes over the network to its input."""
    return FETCHED in run.stdin and not _AT_INPUT.isdisjoint(run.arguments)


def _is_fetched(path: str, scope: ShellState) -> bool:
    return bool(path) and FETCHED in scope.files.get(scope.absolute(path), "")


def _builds(run: ProgramRun, place: str, scope: ShellState) -> bool:
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
