"""Packages that are fetched and run in one go: nobody has read what is in them.

Known is what the project declares or has installed, what lies in it, and tools that developers use everywhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.effect import RUNS_FETCHED, MatchedEffect
from vetgate.checks.unsafe_command.known_packages import is_well_known
from vetgate.expression import expression
from vetgate.source.shell.marks import UNKNOWN, shown
from vetgate.source.shell.options import first_operand, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_SAFE = "add it to the project's dependencies first, where a person sees it, then run it from there"
NPM, PYPI = "npm", "pypi"
_OFFLINE = frozenset({"--no-install", "--no", "--offline", "--no-yes"})
_MANIFESTS: Mapping[str, tuple[str, ...]] = {
    NPM: ("package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "deno.json", "deno.lock"),
    PYPI: (
        "pyproject.toml", "uv.lock", "poetry.lock", "pdm.lock", "Pipfile", "Pipfile.lock", "setup.cfg", "setup.py",
        "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements/dev.txt",
        ".pre-commit-config.yaml", "tox.ini", "noxfile.py",
    ),
}  # fmt: skip
_MOST_BYTES = 8_000_000
_VERSION = expression(r"(?<=[\w.-])(?:@|==|>=|~=|<=|<|>)[^/]*$|\[[^\]]*\]$")
_FROM_ELSEWHERE = expression(
    r"(?:git\+|https?:|ssh:|git:|github:|gitlab:|bitbucket:|gist:|git@|file:/)|[\w-]+/[\w.-]+$"
)


class PackageRunner(NamedTuple):
    """How a program that fetches and runs is called: words first, then options, then the package."""

    registry: str
    words: tuple[str, ...] = ()
    with_value: frozenset[str] = frozenset()
    package: tuple[str, ...] = ()
    prefix: str = ""


def _runner(registry: str, words: str = "", with_value: str = "", package: str = "", prefix: str = "") -> PackageRunner:
    return PackageRunner(registry, tuple(words.split()), frozenset(with_value.split()), tuple(package.split()), prefix)


_NPX = "-c --call -w --workspace --prefix --registry --cache --userconfig --node-arg --shell"
_UVX = "--python --index --index-url --extra-index-url --default-index --env-file --directory --project -c -w --with"
_RUNNERS: Mapping[str, tuple[PackageRunner, ...]] = {
    "npx": (_runner(NPM, "", _NPX, "-p --package"),),
    "pnpx": (_runner(NPM, "", "", "--package"),),
    "bunx": (_runner(NPM, "", "", "-p --package"),),
    "npm": (
        _runner(NPM, "exec", _NPX, "-p --package"),
        _runner(NPM, "x", _NPX, "-p --package"),
        _runner(NPM, "init", "--scope", "", "create-"),
        _runner(NPM, "create", "--scope", "", "create-"),
        _runner(NPM, "innit", "--scope", "", "create-"),
    ),
    "pnpm": (_runner(NPM, "dlx", "-C --dir --filter", "--package"), _runner(NPM, "create", "", "", "create-")),
    "yarn": (_runner(NPM, "dlx", "", "-p --package"), _runner(NPM, "create", "", "", "create-")),
    "bun": (_runner(NPM, "x", "", "-p --package"), _runner(NPM, "create", "", "", "create-")),
    "uvx": (_runner(PYPI, "", _UVX, "--from"),),
    "uv": (_runner(PYPI, "tool run", _UVX, "--from"),),
    "pipx": (_runner(PYPI, "run", "--python --pip-args --index-url --with", "--spec"),),
}
_DENO = expression(r"(?:npm|jsr):/?(?P<name>@?[^@\s]+(?:/[^@\s/]+)?)")


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    for registry, package in _fetched(run):
        if not _is_known(registry, package, run, context):
            what = shown(package) or "a package that only the run will tell"
            yield MatchedEffect(RUNS_FETCHED, f"it fetches and runs {what}, which the project does not declare", _SAFE)
            return


def _fetched(run: ProgramRun) -> Iterator[tuple[str, str]]:
    """The packages that are run, with the registry they come from."""
    start = first_operand(run.arguments) if run.name in ("npm", "pnpm", "yarn", "bun", "uv", "pipx") else 0
    for runner in _RUNNERS.get(run.name, ()):
        end = start + len(runner.words)
        if run.arguments[start:end] == runner.words:
            rest = (*run.arguments[:start], *run.arguments[end:])
            yield from ((runner.registry, each) for each in _packages(runner, rest))
            yield from _libraries(rest)
    if run.name == "uv" and run.arguments[:1] == ("run",):
        yield from _libraries(run.arguments)
    if run.name == "deno" and run.arguments[:1] and run.arguments[0] in ("run", "x", "install", "serve"):
        yield from ((NPM, match["name"]) for each in run.arguments[1:] if (match := _DENO.match(each)))
    yield from _others(run)


def _libraries(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What is installed beside a program is as ordinary as `pip install`, unless it comes from an address."""
    yield from ((PYPI, each) for each in _values(arguments, ("--with",)) if _FROM_ELSEWHERE.match(each))


def _others(run: ProgramRun) -> Iterator[tuple[str, str]]:
    """Go, Nix, Ruby and .NET: addresses of code, or names of packages."""
    rest = run.arguments[1:]
    operands = [each for each in rest if not each.startswith("-")]
    verb = run.arguments[:1]
    if run.name == "go" and verb == ("run",) and operands and re.match(r"[\w-]+\.[\w.]+/.*@", operands[0]):
        yield "go", operands[0].partition("@")[0]
    if run.name == "nix" and verb and verb[0] in ("run", "shell") and operands and ":" in operands[0]:
        yield "nix", operands[0]
    if (run.name == "gem" and verb == ("exec",)) or (run.name == "dotnet" and run.arguments[:2] == ("tool", "exec")):
        names = operands[1:] if run.name == "dotnet" else operands
        yield from (("other", each) for each in names[:1])
    if run.name == "dnx":
        yield from (("other", each) for each in run.arguments[:1])


def _packages(runner: PackageRunner, arguments: Sequence[str]) -> Iterator[str]:
    if not _OFFLINE.isdisjoint(arguments):
        return
    named = list(_values(arguments, runner.package))
    start = first_operand(arguments, (*runner.with_value, *runner.package))
    if named or value_of(arguments[:start], "-c", "--call"):
        yield from named
        return
    if start < len(arguments):
        yield _created(runner.prefix, arguments[start])


def _created(prefix: str, name: str) -> str:
    """`npm init foo` runs create-foo, `npm init @a/foo` runs @a/create-foo."""
    if not prefix or name.startswith((".", "/", UNKNOWN)) or _FROM_ELSEWHERE.match(name):
        return name
    scope, slash, rest = name.partition("/") if name.startswith("@") else ("", "", name)
    if scope and not rest:
        return f"@{scope[1:].partition('@')[0]}/create"
    return f"{scope}{slash}{rest if rest.startswith(prefix) else prefix + rest}"


def _values(arguments: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    for index, argument in enumerate(arguments):
        name, sign, value = argument.partition("=")
        if argument in names and index + 1 < len(arguments):
            yield from arguments[index + 1].split(",")
        elif sign and name in names:
            yield from value.split(",")


def _is_known(registry: str, package: str, run: ProgramRun, context: EffectContext) -> bool:
    if UNKNOWN in package:
        return False
    if package.startswith((".", "/", "~")):
        full = context.paths.resolve(run, package)
        return full is not None and context.paths.in_project(full)
    if package.startswith("-") or not package:
        return True
    if registry == NPM and _FROM_ELSEWHERE.match(package) and not package.startswith("@"):
        return False
    if registry == PYPI and _FROM_ELSEWHERE.match(package):
        return False
    name = _VERSION.sub("", _VERSION.sub("", package)).lower()
    return is_well_known(registry, name) or _is_declared(registry, name, run, context)


def _is_declared(registry: str, name: str, run: ProgramRun, context: EffectContext) -> bool:
    for folder in _folders(run, context):
        if registry == NPM and _is_installed(folder, name):
            return True
        if registry == PYPI and (folder / ".venv" / "bin" / name).exists():
            return True
        if any(_names(folder / file, name) for file in _MANIFESTS.get(registry, ("go.mod", "go.sum", "flake.nix"))):
            return True
    return False


def _is_installed(folder: Path, name: str) -> bool:
    return (folder / "node_modules" / name / "package.json").exists() or (
        folder / "node_modules" / ".bin" / name
    ).exists()


def _folders(run: ProgramRun, context: EffectContext) -> Iterator[Path]:
    """Where the command runs, and above it up to the project's root."""
    place = context.paths.place
    here = place.cwd if not run.cwd.startswith("/") else type(place.cwd)(run.cwd)
    above = (here, *here.parents)
    yield from (each for each in above if any(each.is_relative_to(root) for root in place.projects))
    yield from (root for root in place.projects if root not in above)


def _names(file: Path, name: str) -> bool:
    """Whether a manifest names the package, as a whole word."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return False
        text = file.read_text("utf-8", "replace").lower()
    except (OSError, ValueError):
        return False
    if name not in text and name.replace("-", "_") not in text:
        return False
    spelled = re.escape(name).replace("\\-", "[-_.]")
    return re.search(rf"(?<![\w@/.-]){spelled}(?![\w/-])", text) is not None
