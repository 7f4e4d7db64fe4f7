"""Where a command runs, what its paths really are, and which of them a tool can build again."""

from __future__ import annotations

import os
import posixpath
import sys
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.root import as_seen_from, is_own_file, key
from vetgate.source.shell.placeholders import SET, UNKNOWN, without_globs
from vetgate.source.shell.runs import CONTAINER, REMOTE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vetgate.model import Decision
    from vetgate.source.shell.runs import ProgramRun

_BUILT = frozenset(
    """
    dist build out target node_modules bower_components jspm_packages .venv venv .virtualenv __pycache__
    __pypackages__ coverage htmlcov .coverage .nyc_output .pytest_cache .mypy_cache .ruff_cache .tox .nox .eggs
    .hypothesis .pytype .ipynb_checkpoints .next .nuxt .svelte-kit .turbo .parcel-cache .cache .vite .angular
    .output .serverless .vercel .netlify .astro .docusaurus .gradle .dart_tool pods deriveddata .build .swiftpm
    _build _site .jekyll-cache .sass-cache .expo .expo-shared storybook-static tmp temp .tmp logs log test-results
    playwright-report .nx .rollup.cache .rpt2_cache .stack-work dist-newstyle zig-out zig-cache .zig-cache elm-stuff
    .lake wheelhouse pip-wheel-metadata .terraform .terragrunt-cache cdk.out .aws-sam .bundle obj cmakefiles testresults
    reports .phpunit.cache .eslintcache .stylelintcache .prettiercache .ds_store thumbs.db site .fleet dist-ssr
    release debug .metals .bloop .bsp .scala-build .cpcache caches _cacache .shadow-cljs .pnpm-store .yarn-cache lib-cov
    .lighthouseci .wrangler .pub-cache .pdm-build .hatch artifacts __snapshots__.tmp generated .generated
    __generated__ .snakemake .benchmarks .asv
    """.split()
)
_BUILT_GLOBS = tuple(
    """
    *.egg-info *.pyc *.pyo *.py[[]co] *.o *.so *.a *.class *.log *.tmp *.temp *.swp *.swo *.bak *.orig *.rej
    *.tsbuildinfo *.dist-info cmake-build-* bazel-* .coverage.* *.prof *.whl *.gcda *.gcno *.dsym *~ npm-debug.log*
    yarn-error.log* *.cache *_cache *-cache *.pid core.[0-9]* tmp-* tmp.*
    """.split()
)


def is_build_output(names: Sequence[str]) -> bool:
    """Whether a folder on the way, or the name itself, is one that tools make. `.git` is never."""
    if ".git" in names:
        return False
    if "vendor/bundle" in "/".join(names):
        return True
    return any(name.casefold() in _BUILT or _is_built_name(name) for name in names)


def _is_built_name(name: str) -> bool:
    folded = name.casefold()
    if folded in ("*", ".*", "**", "*.*"):
        return False
    return any(fnmatchcase(folded, glob) for glob in _BUILT_GLOBS)


@dataclass(frozen=True, slots=True)
class CommandContext:
    """`root` is the project there; `base` the one whose configuration judges, where that is another.

    `push` says what a push from a folder calls for, by whether a hook of ours looks at it; `is_new` whether the session
    made a file itself, `is_requested` whether a person's prompt asks to remove it. `moved` is where an agent keeps the
    folder that is else in the home, where its name is `moved_from`.
    """

    cwd: Path
    root: Path
    home: Path
    base: Path | None = None
    own: tuple[Path, ...] = ()
    push: Callable[[Path], Decision] | None = None
    is_new: Callable[[Path], bool] | None = None
    is_requested: Callable[[Path], bool] | None = None
    moved: Path | None = None
    moved_from: str = ""

    @property
    def projects(self) -> tuple[Path, ...]:
        return (self.root,) if self.base in (None, self.root) else (self.root, self.base)

    @property
    def configured(self) -> Path:
        """Where the paths of the configuration begin."""
        return self.base or self.root


_HOMES = expression(r"/(?:home|users)/[^/]+(?=/|\Z)|/root(?=/|\Z)")
MOST_PATH = 4096  # no system opens a longer one


def real_path(path: str) -> str:
    """With links followed as far as the path exists. Not remembered: a link may be new since the last command."""
    try:
        return posixpath.normpath(path) if is_own_file(path) else os.path.realpath(path)
    except (OSError, ValueError):
        return posixpath.normpath(path)


@dataclass(frozen=True)
class CommandPaths:
    """Paths of one command, told apart by whose they are."""

    place: CommandContext
    trusted: tuple[str, ...] = ()
    links: dict[str, str] = field(default_factory=dict)  # made by this very command: where they lead, by their place
    _resolved: dict[str, str] = field(default_factory=dict)

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """Of the projects that the command may work in, the innermost first."""
        return tuple(sorted({key(real_path(str(root))) for root in self.place.projects}, key=len, reverse=True))

    def root_of(self, path: str) -> str | None:
        """The project that a path lies in."""
        return next((root for root in self.roots if self.is_inside(path, root)), None)

    @cached_property
    def home(self) -> str:
        return key(real_path(str(self.place.home)))

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The gate's own folders: where its state is, and its program."""
        return tuple(key(real_path(str(folder))) for folder in self.place.own)

    @cached_property
    def interpreter(self) -> frozenset[str]:
        """The program that runs the gate, by its name and where that leads."""
        named = Path(sys.executable)
        return frozenset(
            {key(str(named)), key(real_path(str(named))), key(f"{real_path(str(named.parent))}/{named.name}")}
        )

    @cached_property
    def cwd(self) -> str:
        return key(real_path(str(self.place.cwd)))

    @cached_property
    def _temporary(self) -> tuple[str, ...]:
        names = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/dev/shm")  # noqa: S108
        return tuple(dict.fromkeys([*names, *(key(real_path(name)) for name in names[:2])]))

    @cached_property
    def _trusted(self) -> tuple[str, ...]:
        """What configuration adds, as folders of this machine."""
        found = []
        for path in self.trusted:
            expanded = str(self.place.home) + path[1:] if path.startswith("~") else path
            found.append(
                key(real_path(expanded if expanded.startswith("/") else f"{self.place.configured}/{expanded}"))
            )
        return tuple(found)

    def resolve(self, run: ProgramRun, path: str) -> str | None:
        """The real path as a key; globs stay in it as marks. None where it is not of this machine, or unknown."""
        if run.where == REMOTE or not path or path[0] == UNKNOWN or len(path) > MOST_PATH:
            return None
        if run.where == CONTAINER:
            path = _outside(path, run)
            if not path:
                return None
        base = run.cwd or str(self.place.cwd)
        full = as_seen_from(path if path.startswith("/") else f"{base}/{path}", base)
        if not full.startswith("/"):
            return None
        full = self._followed(full) if self.links else full
        found = self._resolved.get(full)
        if found is None:
            found = self._resolved[full] = _resolved(full)
        return found

    def _followed(self, full: str) -> str:
        """Through links that are not there yet."""
        plain = posixpath.normpath(full)
        link = next((each for each in self.links if plain.startswith(each + "/")), None)
        return full if link is None else self.links[link] + plain[len(link) :]

    def is_inside(self, path: str, folder: str) -> bool:
        return path == folder or path.startswith(folder.rstrip("/") + "/")

    def is_above(self, path: str) -> bool:
        """Whether it holds the project, the home or where the command runs; or is one of these."""
        bare = path.rstrip("/") or "/"
        return any(self.is_inside(each, bare) for each in (*self.roots, self.home, self.cwd))

    def below_home(self, path: str) -> str | None:
        """What follows the home folder, ours or anybody's; None for a path that is in none."""
        for home in (self.home, key(str(self.place.home))):
            if self.is_inside(path, home):
                return path[len(home) :].strip("/")
        other = _HOMES.match(path)
        return path[other.end() :].strip("/") if other else None

    def below_own_home(self, path: str) -> str | None:
        """The same of this home alone; an agent's folder that a variable moved counts as if it lay there."""
        if self.place.moved is not None and self.is_inside(path, self._moved):
            return f"{self.place.moved_from}{path[len(self._moved) :]}"
        return path[len(self.home) :].strip("/") if self.is_inside(path, self.home) else None

    @cached_property
    def _moved(self) -> str:
        return key(real_path(str(self.place.moved)))

    def in_project(self, path: str) -> bool:
        return self.root_of(path) is not None

    def is_temporary(self, path: str) -> bool:
        """What lies beside a project that is itself in such a folder is not."""
        for beside in (root.rpartition("/")[0] for root in self.roots):
            if beside not in self._temporary and self.is_inside(path, beside):
                return False
        return any(self.is_inside(path, each) and path.rstrip("/") != each for each in self._temporary)

    def is_temporary_root(self, path: str) -> bool:
        return path.rstrip("/") in self._temporary

    def is_trusted(self, path: str) -> bool:
        return any(self.is_inside(path, each) for each in self._trusted)

    def relative(self, path: str) -> str:
        root = self.root_of(path)
        return path if root is None else path[len(root) :].strip("/")

    def is_build_output(self, path: str) -> bool:
        """Below the project or the home; elsewhere a name says nothing."""
        base = next((each for each in (*self.roots, self.home) if self.is_inside(path, each)), None)
        if base is None:
            return False
        return is_build_output(without_globs(path[len(base) :].strip("/")).split("/"))

    def exists_as_file(self, path: str) -> bool | None:
        """None when there is nothing."""
        real = Path(path)
        try:
            return real.is_file() if real.exists() else None
        except (OSError, ValueError):
            return None


def _resolved(full: str) -> str:
    """Links before `..`, as the system follows them: `link/..` is beside where the link leads."""
    head, mark, tail = _before_glob(full)
    real = key(real_path(head)).rstrip("/")
    return posixpath.normpath(f"{real}/{key(mark + tail)}") if mark else real or "/"


def _before_glob(path: str) -> tuple[str, str, str]:
    """The folders before the first glob, and the rest from there."""
    names = path.split("/")
    for index, name in enumerate(names):
        if any(mark in name for mark in ("\ufdd1", "\ufdd2", SET, UNKNOWN)):
            return "/".join(names[:index]) or "/", "/".join(names[index:])[:1], "/".join(names[index:])[1:]
    return path, "", ""


def _outside(path: str, run: ProgramRun) -> str:
    """A path in a container as one of this machine, where a folder of it is mounted there."""
    for inside, host in run.mounts:
        if path == inside or path.startswith(inside.rstrip("/") + "/"):
            return host.rstrip("/") + path[len(inside.rstrip("/")) :] or "/"
    return ""
