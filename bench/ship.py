"""What the ship gate adds to an agent's command, against an empty Node.js hook; one interleaved run.

python bench/ship.py [ROUNDS]
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from hook_machine import EMPTY_NODE_HOOK, SESSION, THINKS, Machine, node, p50_p95

from vetgate import __version__, client
from vetgate.gates.content import content_of
from vetgate.gates.loop_identity import files_of, loop_inputs, loop_rules
from vetgate.project import Project
from vetgate.source import git
from vetgate.store import DecisionBody, RecordedDecision, RecordedLoop, RecordedReview

FILES = 2_000
CONFIG = """\
version: 1
gates: {test: {command: "true"}, reviewed: {ship: true}}
review:
  - {name: quick, gates: [code]}
  - {name: tests, gates: [test], inputs: ["src/**"]}
on: {ship: [reviewed]}
"""
COMMANDS = {"git push": "git push origin topic", "npm publish (work tree)": "npm publish", "git status": "git status"}
ALLOWED = "commands: {effects: {publishes: allow}}\n"


class Shipped(Machine):
    """With a real repository of so many files, on a branch that was reviewed; or without a ship gate."""

    def __init__(self, home: Path, config: str) -> None:
        super().__init__(home)
        shutil.rmtree(self.project / ".git")
        self.git("init", "-q", "-b", "main")
        for number in range(FILES):
            file = self.project / "src" / f"{number // 50}" / f"{number}.ts"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"export const value{number} = {number};\n")
        text = config + ALLOWED
        (self.project / ".gitignore").write_text("orders*\n")  # of the edits by which the daemon is warmed up
        (self.project / "vetgate.yaml").write_text(text)
        self.commit("begin")
        self.git("switch", "-q", "-c", "topic")
        (self.project / "src" / "0" / "0.ts").write_text("export const changed = 1;\n")
        self.commit("work")
        project = Project(self.project, self.state)
        project.store.set_trusted(sha256(text.encode()).hexdigest(), text)
        if project.effective().config.review:
            review(project)
        project.store.close()

    def git(self, *words: str) -> None:
        identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
        subprocess.run(["git", *identity, *words], cwd=self.project, check=True, env=self.environment)

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def command(self, text: str, number: int) -> bytes:
        event = {"session_id": SESSION, "transcript_path": "/dev/null", "cwd": str(self.project)}
        event |= {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": f"toolu_{number}"}
        return json.dumps({**event, "tool_input": {"command": text}}).encode()


def review(project: Project) -> None:
    config, content = project.effective().config, content_of(project)
    if content is None:
        sys.exit("git does not name the content")
    fork, files = git.open_at(project.root).fork("main"), files_of(content.listed)
    loops = tuple(
        RecordedLoop(each.name, "passed", loop_inputs(each, content.id, fork, files), loop_rules(each, config))
        for each in config.loops
    )
    body = DecisionBody(version=__version__, review=RecordedReview(content.id, "main", fork, loops=loops))
    project.store.record(RecordedDecision("dbench", time.time(), "", "review", body.plain()))


def main() -> None:
    rounds = max(30, int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    home = Path(tempfile.mkdtemp(prefix="vgbench"))
    empty = home / "empty.js"
    empty.write_text(EMPTY_NODE_HOOK)
    machines = {
        "with a ship gate": Shipped(home / "with", CONFIG),
        "without": Shipped(home / "without", "version: 1\n"),
    }
    times: dict[str, list[float]] = {}
    try:
        for machine in machines.values():
            machine.warm()
        for number in range(rounds + 3):
            for name, machine in machines.items():
                for what, text in COMMANDS.items():
                    time.sleep(THINKS)
                    elapsed = machine.run([str(machine.launcher)], machine.command(text, number))
                    times.setdefault(f"{what}, {name}", []).append(elapsed)
            elapsed = machine.run([node(), str(empty)], machine.command("git push", number))
            times.setdefault("empty Node.js hook", []).append(elapsed)
    finally:
        for machine in machines.values():
            machine.ask(client.STOP)
        shutil.rmtree(home, ignore_errors=True)
    figures = {name: p50_p95(each[3:]) for name, each in times.items()}
    against = figures["empty Node.js hook"][0]
    print(f"whole call before a command, {FILES} files, reviewed and approved, {rounds} rounds")
    for name, (p50, p95) in figures.items():
        print(f"  {name:<42} p50 {p50:7.2f} ms   p95 {p95:7.2f} ms   {p50 / against:5.2f} x Node.js")
    ratio = round(figures["git push, with a ship gate"][0] / against, 3)
    print(f"git push with a ship gate / empty Node.js hook: {ratio} (target: at most 1)")
    print(json.dumps({"bench": "ship", "ratio_to_node": ratio, "whole_ms": figures}))


if __name__ == "__main__":
    main()
