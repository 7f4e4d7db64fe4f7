"""How long an agent waits for a verdict on real code, against an empty Node.js hook; one interleaved run.

    python bench/hook_latency.py [--files N] [--cold]

The files are those of `real_code.py`, all in one repository of 25,000 files: each is edited in a session of its own, as
an agent does it, with every edit landing; between two calls the empty hook is called. The daemon's own processor time
stands beside. Half of the files are read before they are edited. At the end one session edits many files. `--cold` has
no index of the project: it is built meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import string
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from hook_machine import EMPTY_NODE_HOOK, SESSION, THINKS, Machine, node
from real_code import Edit, edits, planted, refused

from vetgate import client
from vetgate.checks import all_checks
from vetgate.checks.secrets.redaction import word_redactor
from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer, source_of
from vetgate.source.clock import Deadline

FILES, EDITS = 25_000, 8
SETTLES = 5.0  # seconds at most from the start of a session to its first call
GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0")
NODE, LATER, OLD, CLEAN = "empty Node.js hook", "later edit", "later edit, old findings", "later edit, no old findings"
UNSEEN, MIDDLE, READ = "first edit, not read", "first edit, not read, 300 to 700 lines", "first edit, read before"
WRITE, REFUSED, STOP = "write of a whole file", "refused edit", "stop after ten edits"
COMMAND, SWEEP, LATE_STOP = "before a command", "sweep after a command", "stop in a session of many files"
MANY, TURNS = 24, 6
# What is aimed at, as a multiple of the empty hook: at the median, and nineteen of twenty times.
AIMS = {
    LATER: (0.5, 1.0),
    READ: (0.8, None),
    MIDDLE: (1.2, None),
    REFUSED: (1.0, None),
    STOP: (1.0, None),
    SWEEP: (0.6, None),
}
AIM_OF_PROCESSOR = 8.0


class RealSession:
    """Sessions in one repository of real code; times by what was asked, in milliseconds."""

    def __init__(self, machine: Machine, *, cold: bool) -> None:
        self.machine = machine
        self.session = SESSION
        self.files = planted(machine.project)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.processor: list[float] = []
        self._calls = 0
        self._empty = machine.project.parent / "empty.js"
        self._empty.write_text(EMPTY_NODE_HOOK)
        self._commit()
        if not cold:
            vetgate = str(Path(sys.executable).with_name("vetgate"))
            subprocess.run(
                [vetgate, "index", "--build"],
                cwd=machine.project,
                env=machine.environment,
                check=True,
                stdout=subprocess.DEVNULL,
            )

    def _commit(self) -> None:
        """With so many small files beside the code that the repository is a large one."""
        there = sum(len(names) for _, _, names in os.walk(self.machine.project))
        for number in range(max(0, FILES - there)):
            file = self.machine.project / "beside" / f"part{number // 200}" / f"note{number}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"note {number}\n")
        shutil.rmtree(self.machine.project / ".git")
        for words in (["init", "-q"], ["add", "-A", "-f"], ["commit", "-qm", "as released"]):
            subprocess.run([*GIT, *words], cwd=self.machine.project, check=True, stdout=subprocess.DEVNULL)

    def begin(self, session: str = SESSION) -> None:
        """With what is done behind its start: a person has yet to say what they want."""
        self.session = session
        self.send("SessionStart", source="startup")
        self.machine.warm_up()
        until = time.monotonic() + SETTLES
        while (self.machine.ask(client.STATUS) or {}).get("busy") != "0" and time.monotonic() < until:
            time.sleep(THINKS)

    def send(self, event: str, tool: str = "", tool_input: dict[str, object] | None = None, **more: object) -> float:
        self._calls += 1
        payload: dict[str, object] = {
            "session_id": self.session,
            "transcript_path": "/dev/null",
            "cwd": str(self.machine.project),
            "hook_event_name": event,
            **more,
        }
        if tool:
            payload |= {"tool_name": tool, "tool_input": tool_input or {}, "tool_use_id": f"toolu_{self._calls}"}
        elapsed, done = self.machine.answered([str(self.machine.launcher)], json.dumps(payload).encode())
        self.said = done
        return elapsed

    def timed(self, names: tuple[str, ...], *call: object, **more: object) -> None:
        """Beside the empty hook, before it or after it by turns."""
        first = self._calls % 2
        if first:
            self._node()
        elapsed = self.send(*call, **more)  # type: ignore[arg-type]
        for name in names:
            self.times[name].append(elapsed)
        if not first:
            self._node()

    def _node(self) -> None:
        self.times[NODE].append(self.machine.answered([node(), str(self._empty)], b"{}")[0])

    def work_on(self, number: int, path: str, *, has_findings: bool) -> None:
        """Ten edits of one file in a new session, one that is refused, a command and the end of the turn."""
        self.begin(f"{SESSION}{number}")
        file = self.machine.project / path
        text = released = file.read_text("utf-8")
        first = (UNSEEN, MIDDLE) if 300 <= text.count("\n") <= 700 else (UNSEEN,)
        if number % 2:
            first = (READ,)
            self.send("PostToolUse", "Read", {"file_path": str(file)}, tool_response={})
            time.sleep(THINKS)
        for step, edit in enumerate(edits(path, text, EDITS + 1)):
            if step == 1:
                time.sleep(THINKS)
                before = self.processor_time()
            self.edit(file, edit, first if step == 0 else (LATER, OLD if has_findings else CLEAN))
            text = edit.over(text)
        time.sleep(THINKS)
        spent = self.processor_time() - before
        if spent >= 0:  # less than before is another daemon's
            self.processor.append(spent / EDITS)
        self.write(file, f"{text}\n")
        self.refuse(file, refused(path, f"{text}\n", _secret()))
        self.command(file)
        time.sleep(THINKS)
        self.timed((STOP,), "Stop", stop_hook_active=False)
        file.write_text(released, "utf-8")

    def work_on_many(self, paths: list[str]) -> None:
        """One edit of each in one session; then turns of one edit, whose ends look at all of them."""
        self.begin(f"{SESSION} of many files")
        for path in paths:
            self.edit_once(path)
        for path in paths[:TURNS]:
            self.edit_once(path)
            time.sleep(THINKS)
            self.timed((LATE_STOP,), "Stop", stop_hook_active=False)
            time.sleep(THINKS)

    def edit_once(self, path: str) -> None:
        file = self.machine.project / path
        self.edit(file, next(edits(path, file.read_text("utf-8"), 1)), ())

    def edit(self, file: Path, edit: Edit, names: tuple[str, ...]) -> None:
        given: dict[str, object] = {"file_path": str(file), "old_string": edit.old, "new_string": edit.new}
        self.timed(names, "PreToolUse", "Edit", given)
        if self.said.returncode:
            sys.exit(f"an edit of {file} was stopped: {self.said}")
        file.write_text(edit.over(file.read_text("utf-8")), "utf-8")
        self.send("PostToolUse", "Edit", given, tool_response={"filePath": str(file)})

    def write(self, file: Path, text: str) -> None:
        given: dict[str, object] = {"file_path": str(file), "content": text}
        self.timed((WRITE,), "PreToolUse", "Write", given)
        file.write_text(text, "utf-8")
        self.send("PostToolUse", "Write", given, tool_response={"filePath": str(file)})

    def refuse(self, file: Path, edit: Edit) -> None:
        given: dict[str, object] = {"file_path": str(file), "old_string": edit.old, "new_string": edit.new}
        self.timed((REFUSED,), "PreToolUse", "Edit", given)
        if b'"deny"' not in self.said.stdout:
            sys.exit(f"a secret in {file} was not refused: {self.said}")

    def command(self, file: Path) -> None:
        given: dict[str, object] = {"command": "git status --short"}
        self.timed((COMMAND,), "PreToolUse", "Bash", given)
        file.write_text(f"{file.read_text('utf-8')}\n", "utf-8")
        self.timed((SWEEP,), "PostToolUse", "Bash", given, tool_response={})

    def processor_time(self) -> float:
        """Milliseconds of the daemon, all its threads."""
        daemon = (self.machine.ask(client.STATUS) or {}).get("pid", "")
        fields = Path(f"/proc/{daemon}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _secret() -> str:
    """By chance, and each another one: the same again would be a second attempt."""
    chance = random.SystemRandom()
    return "AKIA" + "".join(chance.choice(string.ascii_uppercase + "234567") for _ in range(16))


def with_findings(session: RealSession) -> set[str]:
    """The files in which something was found before anybody edits them."""
    config = defaults()
    analyzer = Analyzer(all_checks(), word_redactor)
    found = set()
    for path in session.files:
        text = (session.machine.project / path).read_text("utf-8")
        source = source_of(path, text, root=session.machine.project)
        if analyzer.analyze(config.gates["code"], config, source, Deadline.never()).findings:
            found.add(path)
    return found


def p50_p95(times: list[float]) -> tuple[float, float]:
    return statistics.median(times), statistics.quantiles(times, n=20)[18] if len(times) > 1 else times[0]


def shown(session: RealSession) -> dict[str, float]:
    """The table, and its ratios by name."""
    against = p50_p95(session.times[NODE])
    ratios = {}
    print(f"{'':<42}{'calls':>6}{'p50 ms':>9}{'p95 ms':>9}{'p50 x':>8}{'p95 x':>8}   x: times the empty Node.js hook")
    for name, times in sorted(session.times.items(), key=lambda each: each[0] != NODE):
        found = p50_p95(times)
        ratio, late = (each / other for each, other in zip(found, against, strict=True))
        aim = AIMS.get(name)
        aims = f"   aim {aim[0]}" + (f" and {aim[1]}" if aim[1] else "") if aim else ""
        print(f"{name:<42}{len(times):>6}{found[0]:>9.1f}{found[1]:>9.1f}{ratio:>8.2f}{late:>8.2f}{aims}")
        if name != NODE:
            ratios[name] = round(ratio, 3)
            ratios[f"{name}, p95"] = round(late, 3)
    spent, against_node = statistics.mean(session.processor), against[0]
    print(f"processor time of the daemon per later edit, all it does for it: {spent:.1f} ms (aim {AIM_OF_PROCESSOR})")
    ratios["processor time per later edit"] = round(spent / against_node, 3)
    return ratios


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--files", type=int, default=0, help="only every so many, so that these are left")
    asked.add_argument("--cold", action="store_true")
    arguments = asked.parse_args()
    home = Path(tempfile.mkdtemp(prefix="vgbench"))
    machine = Machine(home)
    try:
        session = RealSession(machine, cold=arguments.cold)
        files = session.files[:: max(1, len(session.files) // arguments.files)] if arguments.files else session.files
        found = with_findings(session)
        session.begin()
        for number, path in enumerate(files):
            session.work_on(number, path, has_findings=path in found)
        session.work_on_many(files[:MANY])
        index = "being built" if arguments.cold else "built"
        print(f"{len(files)} files of released packages, {len(found & set(files))} with old findings; index {index}")
        ratios = shown(session)
    finally:
        machine.ask(client.STOP)
        shutil.rmtree(home, ignore_errors=True)
    name = "hook, index being built" if arguments.cold else "hook"
    print(json.dumps({"bench": name, "ratios": ratios}))


if __name__ == "__main__":
    main()
