"""What a lazy judge adds to an edit, against the same edit without one, in one interleaved run.

python bench/lazy_judges.py [ROUNDS]

Twice: with `mode: lazy`, and with `auto`, which first has to find out that nobody needs to wait.

The verdict of a warm process is timed, not the start of the hook, which is the same for both; beside the time that
passes the processor time of the thread that answers, which a busy machine changes less. The model is a server on
loopback that answers at once; it is asked behind the answer.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from model_server import Judges, ModelServer
from transcripts import Transcript
from vetgate.app import App
from vetgate.gates.jobs import RUNS

ROUNDS = 200
LINES = "".join(f"def total{n}(orders, rate):\n    return sum(orders) * rate + {n}\n\n\n" for n in range(60))


def app_with(folder: Path, config: dict[str, object]) -> tuple[App, Path]:
    project = folder / "project"
    project.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    text = json.dumps({"version": 1, **config})
    (project / "vetgate.yaml").write_text(text)
    (project / "module.py").write_text(LINES)
    app = App(folder / "state")
    app.stays = True
    app.project(project).store.set_trusted(sha256(text.encode()).hexdigest(), text)
    return app, project


def edit(project: Path, transcript: Path, number: int, name: str) -> bytes:
    """Each text is new: what a process has analyzed once costs the next one nothing."""
    fresh = f"def sum_{name}{number}("
    given = {"file_path": str(project / "module.py"), "old_string": "def total7(", "new_string": fresh}
    event = {"session_id": "s", "cwd": str(project), "hook_event_name": "PreToolUse", "tool_name": "Edit"}
    return json.dumps(
        event | {"tool_input": given, "tool_use_id": f"t{number}", "transcript_path": str(transcript)}
    ).encode()


def timed_edit(app: App, project: Path, payload: bytes) -> tuple[float, float]:
    """Milliseconds that one clean edit takes, and of processor time."""
    started, worked = time.perf_counter(), time.thread_time()
    reply = app.answer("claude-code", payload, str(project))
    took = (time.perf_counter() - started) * 1000, (time.thread_time() - worked) * 1000
    if reply.status or reply.stdout:
        sys.exit(f"not a clean edit: {reply}")
    app.flush()
    while RUNS.is_busy:  # what is asked behind one answer must not slow the next one down
        time.sleep(0.001)
    return took


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    os.environ["SCRIPTED_KEY"] = "not-a-real-key"
    with tempfile.TemporaryDirectory() as place, ModelServer([Judges()]) as server:
        folder = Path(place)
        talk = Transcript()
        talk.user("rename a function")
        transcript = talk.write(folder / "s.jsonl")
        model = {"api": "anthropic", "model": "scripted", "url": server.url, "key": "$SCRIPTED_KEY"}
        judged = {
            mode: {
                "models": {"haiku": model},
                "gates": {"intent": {"judge": "intent", "mode": mode}},
                "on": {"before_edit": ["code", "intent"]},
                "budget": {"usd_per_day": 0},
                "consensus": {"timeout": 600},
            }
            for mode in ("lazy", "auto")
        }
        ways = {name: app_with(folder / name, config) for name, config in ({"without": {}} | judged).items()}
        took: dict[str, list[float]] = {name: [] for name in ways}
        used: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(rounds + 20):
            turn = number % len(ways)
            for name, (app, project) in (*[*ways.items()][turn:], *[*ways.items()][:turn]):
                elapsed, worked = timed_edit(app, project, edit(project, transcript, number, name))
                took[name].append(elapsed)
                used[name].append(worked)
        asked = len(server.requests)
    worst = 0.0
    for what, times in (("processor time", used), ("time", took)):
        alone = statistics.median(times["without"][20:])
        for name in judged:
            pairs = zip(times["without"][20:], times[name][20:], strict=True)
            added = statistics.median(with_it - without for without, with_it in pairs)
            worst = max(worst, added) if what == "time" else worst
            p50 = statistics.median(times[name][20:])
            print(f"{what}: p50 {alone:.2f} ms without a judge, {p50:.2f} ms with {name}; {added:+.2f} ms (aim: 1)")
    print(f"{asked} questions were asked meanwhile")
    print(json.dumps({"bench": "lazy_judges", "added_ms": round(worst, 3), "p50_ms": round(alone, 3)}))


if __name__ == "__main__":
    main()
