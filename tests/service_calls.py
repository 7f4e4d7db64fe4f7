"""Every service once, from plain values, as a surface of another kind would ask: `ROOT STATE`, what came of it as JSON.

No folder is the current one, nobody sits at a terminal, and nothing of the command line is at hand.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from vetgate.config import person
from vetgate.service import acceptance
from vetgate.service.check import CheckRequest, check
from vetgate.service.configuration import Configurations
from vetgate.service.decisions import Filter, find_decision, open_record, plain
from vetgate.service.doctor import examine
from vetgate.service.explain import page_about
from vetgate.service.index import build_index, index_state
from vetgate.service.installation import installation_at
from vetgate.service.metrics import measured
from vetgate.service.replay.replay import ReplayRequest, replay
from vetgate.service.report import as_json, render
from vetgate.service.report.run import Run
from vetgate.service.review import Review, ReviewRequest
from vetgate.service.statistics import statistics

RULE = "complexity/cyclomatic"


def ask_all(root: Path, state: Path) -> dict[str, Any]:
    said: dict[str, Any] = {"progress": []}

    def progress(what: str, done: int, total: int) -> None:
        if done == total and what not in said["progress"]:
            said["progress"].append(what)

    wanted = acceptance.trustable(root, by_digest=True)
    acceptance.trust(wanted, "--digest")
    said["trust"] = acceptance.trustable(root, by_digest=True).is_accepted
    run = Run.of(check(CheckRequest(root), Configurations(), progress))
    said["check"] = as_json.plain(run)
    said["sarif"] = json.loads(render(run, "sarif"))
    said["review"] = as_json.plain(Review.at(root).run(ReviewRequest(root, "main"), progress=progress).report())
    with open_record(root) as record:
        said["decisions"] = [plain(row) for row in record.decisions(Filter(decision=("block",)))]
        said["verified"] = record.verified().problem
    said["decision"] = find_decision(root, said["decisions"][0]["id"])[0].id
    said["statistics"] = statistics(root).plain()
    said["explain"] = page_about(RULE, root)
    said["replay"] = replay(ReplayRequest(commits="HEAD"), root, progress).plain()
    said["metrics"] = [row.function for batch in measured((), root, progress) for row in batch.rows]
    said["index"] = build_index(root, state, progress=progress).functions, index_state(root, state).is_ready
    said["doctor"] = examine(installation_at(root), progress).plain()
    acceptance.waive(root, RULE, "a.py", "older than the rule", "30d")
    said["waivers"] = [each.what for each in acceptance.waivers(root)]
    said["waived"] = str(check(CheckRequest(root), Configurations()).verdict.decision)
    return said


if __name__ == "__main__":
    # Whoever runs the tests may be an agent; the refusal of one is tested elsewhere.
    acceptance.require_person = lambda *_, **__: None  # type: ignore[assignment]
    person.require_person = acceptance.require_person
    found = ask_all(Path(sys.argv[1]), Path(sys.argv[2]))
    surfaces = {"vetgate.cli", "vetgate.daemon", "click"}
    found["surfaces"] = sorted(surfaces.intersection(sys.modules))
    sys.stdout.write(json.dumps(found))
