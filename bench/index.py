"""What the project index costs: building it, asking it, keeping it, and a verdict beside it; targets in brackets.

python bench/index.py [ROUNDS]
"""

from __future__ import annotations

import json
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from differential_corpus import CACHE, MissingError, node_sources, python_sources
from hook_machine import Machine, p50_p95

from vetgate import client
from vetgate.config.load import defaults
from vetgate.index.facts import DefinitionSite
from vetgate.index.references import references
from vetgate.index.view import View
from vetgate.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vetgate.index.facts import FunctionTokens
    from vetgate.index.project import ProjectIndex

GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org")
FUNCTIONS = 30_000
FEW, MANY = 10, 10_000
SIMILARITY = 0.85
FUNCTION = """\
def {name}(orders, currency, step{step}):
    total = {step}
    lines = []
    for order in orders:
        if order.currency != currency and order.{name}_at > step{step}:
            order.amount = order.amount * rates[order.currency] / rates[currency] + step{step}
        total += order.amount * (order.{name} - order.paid{step})
        lines = [*lines, (order.{name}, total)]
    return lines, total, rates[{step}].of(total)
"""
_FUNCTION = re.compile(rb"^\s*(?:async )?def ", re.MULTILINE)


def planted(machine: Machine, sources: Iterable[Path]) -> int:
    """The files as a repository; how many there are."""
    count = 0
    for source in sources:
        place = machine.project / source.relative_to(CACHE)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, place)
        count += 1
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*GIT, *words], cwd=machine.project, check=True)
    return count


def of_functions(sources: Iterable[Path], most: int) -> Iterator[Path]:
    found = 0
    for source in sources:
        found += len(_FUNCTION.findall(source.read_bytes()))
        if found > most:
            return
        yield source


def built(machine: Machine) -> tuple[float, float]:
    """How many seconds it took, and how many of processor time, which load disturbs less."""
    started, worked = time.perf_counter(), _worked()
    command = [sys.executable, "-m", "vetgate", "index", "--build"]
    done = subprocess.run(command, cwd=machine.project, env=machine.environment, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"vetgate index: {done.stderr.decode()[-500:]}")
    return time.perf_counter() - started, _worked() - worked


def _worked() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Took(NamedTuple):
    """Milliseconds by the clock, and of processor time, which load disturbs less."""

    clock: float
    worked: float


def timed(act: Callable[[], object]) -> Took:
    started, worked = time.perf_counter(), time.thread_time()
    act()
    return Took((time.perf_counter() - started) * 1000, (time.thread_time() - worked) * 1000)


class IndexQueries:
    """The index of a project, asked about some of its files, the same in every run."""

    def __init__(self, machine: Machine, rounds: int) -> None:
        found = Project(machine.project, machine.state).index(defaults())
        if found is None:
            sys.exit("there is no index")
        self.index: ProjectIndex = found
        files = sorted(machine.project.rglob("*.py"))
        chosen = random.Random(7).sample(files, min(len(files), rounds * 20))
        self.texts = {path.relative_to(machine.project).as_posix(): path.read_text("utf-8") for path in chosen}
        self.rounds = rounds * 10

    def duplicates(self) -> list[Took]:
        """One function of a file that is being changed, beside all others."""
        return list(islice(self._duplicates(), self.rounds))

    def _duplicates(self) -> Iterator[Took]:
        for path, text in self.texts.items():
            view = View(self.index, {path: text})
            for function in view.read(path).functions[:2]:
                if function.tokens >= defaults().duplicates.tell:
                    yield timed(lambda v=view, p=path, f=function: _alike(v, p, f))

    def callers(self) -> list[Took]:
        """All call sites of one function of a file that is being changed."""
        return list(islice(self._callers(), self.rounds))

    def _callers(self) -> Iterator[Took]:
        for path, text in self.texts.items():
            for each in View(self.index, {path: text}).read(path).facts.definitions[:2]:
                if each.kind == "function" and not each.name.startswith("_"):
                    view = View(self.index, {path: text})
                    view.read(path)
                    yield timed(lambda v=view, p=path, e=each: list(references(v, DefinitionSite(p, e.symbol), e.name)))

    def again(self) -> list[Took]:
        """A file that was written: read and kept anew."""
        times = []
        for path, text in islice(self.texts.items(), self.rounds):
            (self.index.root / path).write_text(f"{text}\n\ndef added(a, b):\n    return a.find(b)\n", "utf-8")
            times.append(timed(lambda p=path: self.index.refresh([p])))
        return times


def _alike(view: View, path: str, function: FunctionTokens) -> list[object]:
    return list(view.alike(path, function, SIMILARITY))


def edit(machine: Machine, step: int) -> bytes:
    """One Edit that gives a function another parameter and another body: its callers and its like are looked up."""
    path = machine.project / "orders.py"
    functions = [FUNCTION.format(name=f"total{number}", step=step if number == 9 else 0) for number in range(40)]
    path.write_text("\n\n".join(functions))
    tool_input = {
        "file_path": str(path),
        "old_string": functions[9],
        "new_string": FUNCTION.format(name="total9", step=step + 1),
        "replace_all": False,
    }
    event = {"session_id": "bench", "transcript_path": "/dev/null", "cwd": str(machine.project)}
    event |= {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": tool_input, "tool_use_id": f"t{step}"}
    return json.dumps(event).encode()


def verdicts(machines: list[Machine], rounds: int) -> list[list[float]]:
    """Later edits of a file in each project, one after the other in turns."""
    times: list[list[float]] = [[] for _ in machines]
    for number in range(rounds + 3):
        for machine, found in zip(machines, times, strict=True):
            payload = edit(machine, number)
            call = machine.call()
            frame, address = call.frame(payload, 4), call.address()
            started = time.perf_counter()
            answer = client.answer_in(client.ask_daemon(address, frame, 4))
            if answer is None or answer[0]:
                sys.exit(f"the daemon answered {answer}")
            if number >= 3:
                found.append((time.perf_counter() - started) * 1000)
    return times


def large_and_small(home: Path, rounds: int) -> dict[str, float]:
    few, many = Machine(home / "few"), Machine(home / "many")
    everything = [*python_sources(), *node_sources()]
    planted(few, everything[:FEW])
    count = planted(many, everything[:MANY])
    built(few)
    seconds, worked = built(many)
    try:
        few.warm()
        many.warm()
        small, large = verdicts([few, many], rounds)
        pid = (many.ask(client.STATUS) or {})["pid"]
        memory = int(re.findall(r"VmRSS:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) / 1024
    finally:
        few.ask(client.STOP)
        many.ask(client.STOP)
    ratio = statistics.median(large) / statistics.median(small)
    print(f"{count:,} files: read in {seconds:.1f} s, {worked:.1f} s of processor time")
    print(f"verdict on an edit, {FEW} files  p50 {statistics.median(small):.2f} ms")
    print(f"verdict on an edit, {count:,} files  p50 {statistics.median(large):.2f} ms: {ratio:.2f} times (1.3)")
    print(f"daemon beside {count:,} files: {memory:.0f} MB (200)")
    return {"verdict_ratio": round(ratio, 3), "daemon_mb": round(memory)}


def one_project(home: Path, rounds: int) -> dict[str, float]:
    machine = Machine(home / "one")
    python = [path for path in python_sources() if "homeassistant" in path.parts]
    count = planted(machine, of_functions(python, FUNCTIONS))
    seconds, worked = built(machine)
    asked = IndexQueries(machine, rounds)
    _, compared = asked.index.store.counts(str(machine.project))
    print(f"{FUNCTIONS:,} functions, {count:,} files: {seconds:.1f} s (10), {worked:.1f} s of processor time")
    figures = {"build_s": round(seconds, 1), "build_processor_s": round(worked, 1), "compared": compared}
    for name, what, times, target in (
        ("duplicate_ms", f"beside {compared:,} functions", asked.duplicates(), 3),
        ("callers_ms", "the callers of a function", asked.callers(), 1),
        ("reindex_ms", "a file read again", asked.again(), 10),
    ):
        p50, p95 = p50_p95([each.clock for each in times])
        worked, most = p50_p95([each.worked for each in times])
        print(f"{what}: p50 {p50:.2f} ms, p95 {p95:.2f} ms ({target}), {len(times)} times")
        print(f"  of processor time: p50 {worked:.2f} ms, p95 {most:.2f} ms")
        figures |= {name: p50, f"{name}_p95": p95, f"{name}_processor_p95": most}
    return figures


def main() -> None:
    rounds = max(20, int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    home = Path(tempfile.mkdtemp(prefix="vgindex"))
    try:
        figures = one_project(home, rounds) | large_and_small(home, rounds * 2)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print(json.dumps({"bench": "index", **figures}))


if __name__ == "__main__":
    try:
        main()
    except MissingError as error:
        sys.exit(str(error))
