"""How git is started: read-only, quiet, in one language, and deaf to the variables of whoever called us.

A stray `GIT_DIR` or `GIT_WORK_TREE` would make every answer be about another repository, so all `GIT_*` variables are
dropped, except those that say where the user's own configuration lies. Git hooks are the one place where git itself
sets such a variable on purpose: `GIT_INDEX_FILE` names the index that is about to be committed (`git commit -a` and
`git commit PATH` prepare one beside the usual, and a caller may have named one anywhere). For a commit that is being
made `index_of_commit` takes it wherever it lies; everywhere else `index_of_hook` accepts it only inside the
repository's own git directory, where git puts it, and anything else is ignored.

A repository is not trusted either: it may replace objects, forge parents and name programs that git would run.
`git_settings` says what of its configuration is overruled.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import UserError
from vetgate.source.git_settings import ALWAYS, SEES_THE_HOOKS, Filters, as_variables, work_tree

if TYPE_CHECKING:
    from collections.abc import Mapping

TIMEOUT = 60.0

_KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"})
_SET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone must not go to the network because we looked
    "GIT_ALLOW_PROTOCOL": "",  # nor may anything else
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_REPLACE_REF_BASE": "refs/vetgate-follows-none/",
    "GIT_GRAFT_FILE": os.devnull,
    "LC_ALL": "C",
}
# These read nothing of the work tree, so no filter can come into play.
_READS_NO_FILES = frozenset(
    {
        "cat-file",
        "check-ignore",
        "config",
        "diff-tree",
        "for-each-ref",
        "ls-tree",
        "merge-base",
        "rev-list",
        "rev-parse",
        "show-ref",
    }
)
_LISTED = ("config", "--list", "--name-only", "--show-origin", "-z")


@dataclass(frozen=True, slots=True)
class GitAnswer:
    status: int
    out: bytes
    error: str

    @property
    def names(self) -> list[str]:
        return names_in(self.out)


def names_in(listed: bytes) -> list[str]:
    """What git prints with `-z`."""
    return [os.fsdecode(name) for name in listed.split(b"\0") if name]


def ask(
    args: tuple[str, ...],
    cwd: Path,
    *,
    stdin: bytes = b"",
    index: Path | None = None,
    seconds: float = TIMEOUT,
    variables: Mapping[str, str] | None = None,
) -> GitAnswer:
    """Run git and report how it went; raises only when there was no answer at all. `variables` are set beside ours."""
    environment = _environment(args, cwd) | dict(variables or {})
    if index is not None:
        environment["GIT_INDEX_FILE"] = os.fspath(index)
    return _answer(args, cwd, environment, stdin, seconds)


def _answer(args: tuple[str, ...], cwd: Path, environment: dict[str, str], stdin: bytes, seconds: float) -> GitAnswer:
    try:
        done = subprocess.run(  # noqa: S603 - fixed program, arguments as a list
            _command(args), cwd=cwd, env=environment, input=stdin, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise UserError(
            f"git {_name(args)} gave no answer within {seconds:.0f} seconds in {cwd}",
            hint="look for a stuck git process or a slow file system",
        ) from error
    except OSError as error:
        raise _not_started(error, cwd) from error
    return GitAnswer(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip())


def run(
    args: tuple[str, ...], cwd: Path, *, stdin: bytes = b"", index: Path | None = None, seconds: float = TIMEOUT
) -> bytes:
    """What git printed; a `UserError` with git's own words when it failed."""
    answer = ask(args, cwd, stdin=stdin, index=index, seconds=seconds)
    if answer.status != 0:
        raise failed(_name(args), answer, cwd)
    return answer.out


def start(args: tuple[str, ...], cwd: Path, variables: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """A git that is written to and read from while it runs; for commands that read no files of the work tree."""
    try:
        return subprocess.Popen(  # noqa: S603 - fixed program, arguments as a list
            _command(args),
            cwd=cwd,
            env=_environment(args, cwd) | dict(variables or {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise _not_started(error, cwd) from error


def failed(what: str, answer: GitAnswer, cwd: Path) -> UserError:
    lines = answer.error.splitlines() or [f"exit status {answer.status}"]
    rest = " ".join(line.strip() for line in lines[1:])
    return UserError(f"git {what} failed in {cwd}: {lines[0].removeprefix('fatal: ')}", hint=rest)


def index_of_hook(common: Path) -> Path | None:
    """The index of the commit being made, when git itself called us from a hook in its work tree."""
    named = os.environ.get("GIT_INDEX_FILE")
    if not named:
        return None
    index = Path(named).resolve()
    return index if index.is_relative_to(common.resolve()) and index.is_file() else None


def index_of_commit() -> Path | None:
    """The index that git makes a commit from. Git sets the variable for its hooks itself, so no caller can fake it."""
    named = os.environ.get("GIT_INDEX_FILE")
    return Path(named).absolute() if named else None


def plain_environment() -> dict[str, str]:
    """Ours, without the variables of whoever called us; `--exec-path` of a caller does not choose our git."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    chosen = os.environ.get("GIT_EXEC_PATH")
    if chosen:
        folders = kept.get("PATH", os.defpath).split(os.pathsep)
        kept["PATH"] = os.pathsep.join(folder for folder in folders if folder != chosen)
    return kept | _SET


def _environment(args: tuple[str, ...], cwd: Path) -> dict[str, str]:
    environment = plain_environment()
    if top := work_tree(cwd):
        environment["GIT_WORK_TREE"] = top
    settings = SEES_THE_HOOKS if "--git-path" in args else ALWAYS
    if _name(args) not in _READS_NO_FILES:
        settings = (*settings, *_filters(cwd, environment))
    return environment | as_variables(settings)


def _filters(cwd: Path, environment: dict[str, str]) -> tuple[tuple[str, str], ...]:
    def listed() -> bytes:
        return _answer(_LISTED, cwd, environment, b"", TIMEOUT).out

    return _known_filters.off(cwd, environment, listed)


_known_filters = Filters()


def _command(args: tuple[str, ...]) -> tuple[str, ...]:
    return ("git", "--no-pager", *args)


def _name(args: tuple[str, ...]) -> str:
    return next(arg for arg in args if not arg.startswith("-"))


def _not_started(error: OSError, cwd: Path) -> UserError:
    if error.filename in {"git", None}:
        return UserError("git is not installed, or not on the PATH", hint="install git, or check files without it")
    return UserError(f"cannot enter {cwd}: {error.strerror}")
