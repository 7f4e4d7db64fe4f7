"""Tests run by pytest, jest or vitest in some folder, and which of them passed there."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from vetgate.gates.isolation import environment
from vetgate.gates.process import run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vetgate.gates.changed_tests import ChangedTest
    from vetgate.model import Gate

_PLUGIN = "vetgate_proof_plugin"
# Keeps a run to the tests that are asked for, and writes down how each ended and which modules of the project itself
# were imported: with those nothing would be proven.
_PLUGIN_TEXT = """
import json, os, sys

with open(os.environ["VETGATE_PROOF"], encoding="utf-8") as file:
    ASKED = json.load(file)
ENDED = {}


def name_of(nodeid):
    return nodeid.replace(os.sep, "/")


def is_wanted(nodeid):
    plain = name_of(nodeid)
    return any(plain == name or plain.startswith(name + "[") for name in ASKED["tests"])


def pytest_collection_modifyitems(config, items):
    items[:] = [item for item in items if is_wanted(item.nodeid)]


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        name = name_of(report.nodeid)
        if ENDED.get(name) != "failed":
            ENDED[name] = report.outcome


def pytest_sessionfinish(session):
    root = ASKED["root"] + os.sep
    files = [str(getattr(module, "__file__", None) or "") for module in list(sys.modules.values())]
    own = sorted(os.path.relpath(file, root) for file in files if file.startswith(root))
    with open(ASKED["told"], "w", encoding="utf-8") as file:
        json.dump({"ended": ENDED, "imported": own}, file)
"""
_INSTALLED = (".venv", "venv", "env", ".env", "site-packages", "node_modules", ".tox", ".nox")


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """Which tests passed, or why nobody can say; `is_missing`: there is no such runner here."""

    passed: tuple[ChangedTest, ...] = ()
    problem: str = ""
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class EarlierRunner:
    """For tests on top of the code in `folder`, with what is installed for the project in `root`."""

    gate: Gate
    root: Path
    folder: Path
    given: Mapping[str, str]
    seconds: float

    def pytest(self, tests: Sequence[ChangedTest]) -> EarlierRun:
        python = self._python()
        if not python:
            return EarlierRun(problem="no Python with pytest was found", is_missing=True)
        beside = self.folder.parent / "pytest"
        beside.mkdir(exist_ok=True)
        asked, told = beside / "asked.json", beside / "told.json"
        (beside / f"{_PLUGIN}.py").write_text(_PLUGIN_TEXT, encoding="utf-8")
        names = [f"{case.path}::{case.name}" for case in tests]
        asked.write_text(json.dumps({"tests": names, "root": str(self.root), "told": str(told)}), encoding="utf-8")
        files = list(dict.fromkeys(case.path for case in tests))
        options = ("-p", _PLUGIN, "-p", "no:cacheprovider", "--rootdir=.", "--continue-on-collection-errors", "-q")
        ran = self._run((python, "-m", "pytest", *options, *files), self.folder, self._paths(beside, asked))
        read = _read(told)
        if ran or read is None:
            return EarlierRun(problem=ran or "pytest ended without a result")
        inside = [name for name in read.get("imported", ()) if not _is_installed(name)]
        if inside:
            return EarlierRun(problem=f"the tests import {inside[0]} from the project itself, and not the older code")
        ended = {name: how for name, how in read["ended"].items() if isinstance(how, str)}
        return EarlierRun(tuple(case for case in tests if _passed(case, ended)))

    def scripts(self, tests: Sequence[ChangedTest]) -> EarlierRun:
        """By vitest or jest, whichever is installed for their package."""
        program, package = self._script_runner(tests[0].path)
        if not program:
            return EarlierRun(problem="neither vitest nor jest is installed", is_missing=True)
        told = self.folder.parent / f"{program.name}-{len(package)}.json"
        told.unlink(missing_ok=True)
        cwd = self.folder / package
        if not cwd.resolve().is_relative_to(self.folder):
            return EarlierRun(problem=f"{package} leads out of the older code")
        files = list(dict.fromkeys(os.path.relpath(self.folder / case.path, cwd) for case in tests))
        options: tuple[str, ...] = ("run", "--reporter=json", f"--outputFile={told}")
        if program.name == "jest":
            options = ("--json", f"--outputFile={told}", "--coverage=false", "--runTestsByPath")
        problem = self._run((str(program), *options, *files), cwd, {})
        read = _read(told)
        if problem or read is None:
            return EarlierRun(problem=problem or f"{program.name} ended without a result")
        ended = _script_results(read, self.folder)
        return EarlierRun(tuple(case for case in tests if _passed_script(case, ended)))

    def _run(self, argv: Sequence[str], cwd: Path, variables: Mapping[str, str]) -> str:
        """Why it came to nothing; "" where it ended, however that was."""
        env = environment(self.gate, self.given, cwd, ()) | {"PYTHONDONTWRITEBYTECODE": "1"} | dict(variables)
        ran = run(argv, cwd=cwd, env=env, seconds=self.seconds)
        return ran.cause if ran.status is None else ""

    def _paths(self, beside: Path, asked: Path) -> dict[str, str]:
        """Before whatever is installed: an installed project would otherwise be the one in its own folder."""
        places = [self.folder, *(self.folder / name for name in ("src", "lib")), beside]
        return {"PYTHONPATH": os.pathsep.join(map(str, places)), "VETGATE_PROOF": str(asked)}

    def _python(self) -> str:
        """Of the project where it has one; never by a tool that would install the older code."""
        own = [self.root / name / "bin" / "python" for name in (".venv", "venv")]
        active = self.given.get("VIRTUAL_ENV")
        found = [*map(str, own), f"{active}/bin/python" if active else ""]
        found += [shutil.which(name, path=self.given.get("PATH")) or "" for name in ("python3", "python")]
        for python in dict.fromkeys(filter(None, found)):
            if os.access(python, os.X_OK):
                env = environment(self.gate, self.given, self.folder, ())
                asked = run((python, "-c", "import pytest"), cwd=self.folder.parent, env=env, seconds=self.seconds)
                if asked.status == 0:
                    return python
        return ""

    def _script_runner(self, path: str) -> tuple[Path | None, str]:
        """The program, and the folder of the package that the test belongs to."""
        package = package_of(self.root, path)
        for place in PurePosixPath(path).parents:
            for name in ("vitest", "jest"):
                program = self.root / place / "node_modules" / ".bin" / name
                if program.exists():
                    return program, package
        return None, package


def package_of(root: Path, path: str) -> str:
    places = [str(place) for place in PurePosixPath(path).parents]
    return next((each for each in places if (root / each / "package.json").is_file()), ".")


def _is_installed(name: str) -> bool:
    return any(part in _INSTALLED for part in Path(name).parts)


def _passed(case: ChangedTest, ended: Mapping[str, str]) -> bool:
    """Every run of it did, and there was one."""
    results = [how for name, how in ended.items() if _is_of(case, name)]
    return bool(results) and all(how == "passed" for how in results)


def _is_of(case: ChangedTest, name: str) -> bool:
    path, _, rest = name.partition("::")
    return path == case.path and case.is_named(rest)


def _script_results(read: Mapping[str, Any], folder: Path) -> list[tuple[str, str, str]]:
    """File, title and end of each test."""
    found: list[tuple[str, str, str]] = []
    for file in read.get("testResults") or ():
        path = os.path.relpath(os.path.realpath(str(file.get("name", ""))), folder)
        tests = file.get("assertionResults") or ()
        found += [(Path(path).as_posix(), str(test.get("title", "")), str(test.get("status", ""))) for test in tests]
    return found


def _passed_script(case: ChangedTest, ended: Sequence[tuple[str, str, str]]) -> bool:
    results = [how for path, title, how in ended if path == case.path and case.is_named(title)]
    return bool(results) and all(how == "passed" for how in results)


def _read(file: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
