"""Proof of tests: new and changed tests are run on the code as it was, and those that pass there prove nothing."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from vetgate.gates.changed_tests import changed_tests, is_python_test, is_script_test, is_support
from vetgate.gates.content import base_of, changes_of, tree_of
from vetgate.gates.proof_runs import EarlierRunner, package_of
from vetgate.model import Finding, Outcome, SkipKind, Span, Status, UserError
from vetgate.severity import Severity
from vetgate.source import disk
from vetgate.source.git_process import run
from vetgate.source.git_tree import changes, texts
from vetgate.source.recent_sets import RecentValues
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vetgate.gates.changed_tests import ChangedTest
    from vetgate.gates.proof_runs import EarlierRun
    from vetgate.model import Gate
    from vetgate.project import Project
    from vetgate.source.git_tree import TreeDifference


_MODULES = "node_modules"
# Caches that a runner writes to: those of the project are not for us.
_OWN_CACHES = frozenset({".cache", ".vite", ".vite-temp", ".vitest"})
_LARGEST = 4 << 20


@contextlib.contextmanager
def earlier_code(root: Path, commit: str, on_top: Sequence[str], seconds: float) -> Iterator[Path]:
    """A folder with the files of the commit, and over them these files as they are now; gone when it is left."""
    with tempfile.TemporaryDirectory(prefix="vetgate-proof-", ignore_cleanup_errors=True) as name:
        base = Path(name).resolve()
        folder, index = base / "code", base / "index"
        folder.mkdir()
        # With an index of its own and a folder to write to: neither a work tree nor a ref is made in the repository.
        run(("read-tree", commit), root, index=index, seconds=seconds)
        run(("checkout-index", "--all", f"--prefix={folder}/"), root, index=index, seconds=seconds)
        for path in on_top:
            _copy(root / path, folder / path, folder)
        yield folder


def link_modules(root: Path, folder: Path, package: str) -> None:
    """What is installed for this package and those around it, entry by entry: caches are written to our own folder."""
    place = Path(package)
    for part in (place, *place.parents):
        installed, ours = root / part / _MODULES, folder / part / _MODULES
        # The commit may have a link here that leads elsewhere.
        is_inside = ours.parent.resolve().is_relative_to(folder)
        if not is_inside or not installed.is_dir() or ours.exists():
            continue
        ours.mkdir(parents=True)
        for entry in os.scandir(installed):
            if entry.name not in _OWN_CACHES:
                (ours / entry.name).symlink_to(entry.path)


def _copy(source: Path, target: Path, folder: Path) -> None:
    """Plain files alone, and only inside of the folder, whatever the commit has put in the way."""
    with contextlib.suppress(OSError):
        if source.is_symlink() or not source.is_file() or source.stat().st_size > _LARGEST:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.parent.resolve().is_relative_to(folder):
            return
        target.unlink(missing_ok=True)
        shutil.copyfile(source, target)


_SECONDS = 120
_RESERVE = 1.0
_GIT_SECONDS = 30.0
_MOST_TESTS = 200
_SUFFIXES = (".md", ".rst", ".txt")
# The same content beside the same commit proves the same.
_known: RecentValues[tuple[str, str, str, str], Outcome] = RecentValues(50)


@dataclass
class ProofRunner:
    """For one event: at the end of a turn what the `session` changed, in a review what differs from the commit `base`.

    It writes nothing to the project.
    """

    is_cheap: ClassVar[bool] = False

    project: Project
    given: Mapping[str, str]
    seconds: float
    session: str = ""
    base: str = ""
    started: float = field(default_factory=time.monotonic)

    def run(self, gate: Gate) -> Outcome:
        started = time.monotonic()
        tree = tree_of(self.project)
        base = self.base or base_of(self.project, self.session) or ""
        if not tree or not base:
            return Outcome.skipped(gate.id, "there is no commit that has the code as it was")
        key = (str(self.project.root), tree, base, gate.id)
        known = _known.get(key)
        if known is not None:
            return replace(known, elapsed_ms=0.0)
        outcome = replace(self._proven(gate, tree, base), elapsed_ms=(time.monotonic() - started) * 1000)
        if outcome.status is not Status.SKIPPED or outcome.skip is SkipKind.NOTHING_TO_DO:
            _known.put(key, outcome)
        return outcome

    def _proven(self, gate: Gate, tree: str, base: str) -> Outcome:
        root = self.project.root
        changed = changes(root, base, _GIT_SECONDS) if self.base else changes_of(self.project, self.session, tree)
        tests = _changed(root, base, changed)[:_MOST_TESTS]
        if not tests:
            return Outcome.skipped(gate.id, "no test is new or changed")
        if not self._changes_code(changed):
            return Outcome.skipped(gate.id, "nothing but tests has changed, so there is nothing they could prove")
        seconds = min(gate.timeout or _SECONDS, self.seconds - _RESERVE - (time.monotonic() - self.started))
        if seconds <= 0:
            return Outcome.skipped(gate.id, "no time was left to run the tests", SkipKind.UNANSWERED)
        until = time.monotonic() + seconds
        on_top = tuple(name for name in changed.files if self._is_of_tests(name))
        try:
            with earlier_code(root, base, on_top, seconds) as folder:
                runs = tuple(self._runs(gate, folder, tests, until))
        except (UserError, OSError) as error:
            return Outcome.skipped(gate.id, f"the code as it was cannot be laid out: {error}", SkipKind.UNANSWERED)
        return _outcome(gate, tests, runs)

    def _runs(self, gate: Gate, folder: Path, tests: tuple[ChangedTest, ...], until: float) -> Iterator[EarlierRun]:
        """One of pytest, and one for each package of scripts."""
        root = self.project.root
        groups: dict[str, list[ChangedTest]] = {}
        for case in tests:
            group = "" if is_python_test(case.path) else package_of(root, case.path)
            groups.setdefault(group, []).append(case)
        for group, cases in groups.items():
            runner = EarlierRunner(gate, root, folder, self.given, max(1.0, until - time.monotonic()))
            if not group:
                yield runner.pytest(cases)
            else:
                link_modules(root, folder, group)
                yield runner.scripts(cases)

    def _is_of_tests(self, name: str) -> bool:
        return is_support(name) or self.project.effective().config.paths.is_test(name)

    def _changes_code(self, changed: TreeDifference) -> bool:
        names = (*changed.files, *changed.gone)
        return any(not self._is_of_tests(name) and not name.endswith(_SUFFIXES) for name in names)


def _changed(root: Path, base: str, changed: TreeDifference) -> tuple[ChangedTest, ...]:
    names = [name for name in (*changed.files, *changed.gone) if _may_hold_tests(name)]
    before = texts(root, (base,), names)
    return changed_tests({name: (text, _read(root / name)) for name, (text,) in zip(names, before, strict=True)})


def _may_hold_tests(name: str) -> bool:
    return (is_python_test(name) or is_script_test(name)) and "\n" not in name


def _read(file: Path) -> str | None:
    try:
        return disk.read(file)
    except (OSError, NotText):
        return None


def _outcome(gate: Gate, tests: tuple[ChangedTest, ...], runs: tuple[EarlierRun, ...]) -> Outcome:
    """What passed on the older code is told, also where another run has no answer."""
    findings = tuple(_finding(case) for run in runs for case in run.passed)
    problems = tuple(dict.fromkeys(run.problem for run in runs if run.problem))
    count = f"{len(tests)} new or changed {'test' if len(tests) == 1 else 'tests'}"
    if findings:
        told = "; ".join((f"{len(findings)} of {count} pass on the code as it was", *problems))
        return Outcome(gate.id, Status.FAILED, findings, evidence=told)
    if problems:
        kind = SkipKind.MISSING if all(run.is_missing for run in runs if run.problem) else SkipKind.UNANSWERED
        return Outcome.skipped(gate.id, "; ".join(problems), kind)
    return Outcome.proven(gate.id, f"{count}: none passes on the code as it was")


def _finding(case: ChangedTest) -> Finding:
    return Finding(
        check="proof",
        rule="proves-nothing",
        span=Span(case.path, case.line),
        message=f"`{case.name}` proves nothing about this change: it passes on the code as it was before.",
        severity=Severity.WARNING,
        symbol=case.name,
        evidence=case.name,
        fix="Assert what the change makes true, so that the test fails without it.",
        advisory=True,
    )
