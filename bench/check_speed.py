"""`vetgate check` over 1,000 Python files of released packages, twice, against bandit; and a change in 5,000 files.

python bench/check_speed.py
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from real_code import RELEASES, packages
from security_tools import BANDIT, environment_of

from vetgate.source.root import store_key
from vetgate.store import open_project_store

# With one, imports are looked up: in the folders above each file and in what it names.
MANIFEST = '[project]\nname = "shop"\nversion = "1"\ndependencies = ["django", "flask", "requests", "sqlalchemy"]\n'
FILES, MANY, ROUNDS = 1_000, 5_000, 3
SHORTEST, LONGEST = 60, 500  # lines; two hundred on average
GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0")
VETGATE = str(Path(sys.executable).with_name("vetgate"))


def chosen(count: int) -> list[tuple[Path, str]]:
    """Evenly over all Python files of a middling size, with the name that each has in the project."""
    found = []
    for release, folder in packages(tuple(each for each in RELEASES if each.suffixes == (".py",))).items():
        found += [
            (path, f"{release.name}/{path.relative_to(folder)}")
            for path in sorted(folder.rglob("*.py"))
            if SHORTEST <= path.read_text("utf-8", "replace").count("\n") <= LONGEST
        ]
    return [found[int(number * len(found) / count)] for number in range(count)]


def planted(project: Path, count: int) -> None:
    for number, (path, name) in enumerate(chosen(count)):
        copy = project / (name if not (project / name).exists() else f"copy{number}/{name}")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    (project / "pyproject.toml").write_text(MANIFEST)
    for words in (["init", "-q"], ["add", "-A", "-f"], ["commit", "-qm", "as released"]):
        subprocess.run([*GIT, *words], cwd=project, check=True)


def took(command: list[str], project: Path, environment: dict[str, str]) -> float:
    """Seconds by the clock; findings are no failure."""
    started = time.perf_counter()
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1, 2}:
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr[-500:]}")
    return time.perf_counter() - started


def over_files(home: Path, environment: dict[str, str]) -> dict[str, float]:
    project = home / "thousand"
    project.mkdir()
    planted(project, FILES)
    bandit = environment_of(BANDIT) / "bandit"
    first, second, theirs = [], [], []
    for _ in range(ROUNDS):
        shutil.rmtree(environment["VETGATE_STATE_DIR"], ignore_errors=True)
        # As in a project that is set up: of another one nothing is remembered.
        open_project_store(Path(environment["VETGATE_STATE_DIR"]), store_key(project)).begin("bench", project, 0)
        first.append(took([VETGATE, "check"], project, environment))
        theirs.append(took([str(bandit), "-q", "-r", "."], project, environment))
        second.append(took([VETGATE, "check"], project, environment))
    ours, again, bandits = map(statistics.median, (first, second, theirs))
    print(f"{FILES} files: first run {ours:.1f} s, second {again:.2f} s, bandit {bandits:.1f} s")
    return {"first run / bandit": round(ours / bandits, 3), "second run / first": round(again / ours, 3)}


def over_change(home: Path, environment: dict[str, str]) -> dict[str, float]:
    project = home / "many"
    project.mkdir()
    planted(project, MANY)
    subprocess.run([VETGATE, "index", "--build"], cwd=project, env=environment, check=True, stdout=subprocess.DEVNULL)
    for path in sorted(project.rglob("*.py"))[100:300:100]:
        path.write_text(f"{path.read_text()}\n\ndef added(a):\n    return a\n")
    times = {
        name: statistics.median(took([VETGATE, *words], project, environment) for _ in range(ROUNDS))
        for name, words in (("check --diff", ("check", "--diff", "HEAD")), ("review", ("review", "--free")))
    }
    empty = statistics.median(took([VETGATE, "--version"], project, environment) for _ in range(ROUNDS))
    for name, seconds in times.items():
        print(f"{name} of two changed files in {MANY}: {seconds:.2f} s (aim 1.0; `vetgate --version` {empty:.2f} s)")
    return {f"{name} / vetgate --version": round(seconds / empty, 3) for name, seconds in times.items()}


def main() -> None:
    home = Path(tempfile.mkdtemp(prefix="vgcheck"))
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "VETGATE_STATE_DIR": str(home / "state"),
        "VETGATE_RUNTIME_DIR": str(home / "run"),
    }
    try:
        ratios = {**over_files(home, environment), **over_change(home, environment)}
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print(json.dumps({"bench": "check", "ratios": ratios}))


if __name__ == "__main__":
    main()
