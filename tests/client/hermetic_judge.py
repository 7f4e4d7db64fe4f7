"""Asks the real client as a model, in a network of nothing but loopback; prints what it came to and what was sent.

python hermetic_judge.py CLIENT FOLDER
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from loopback import raise_loopback

from model_server import Fails, Garbles, Hangs, Judges, ModelServer, Says
from vetgate.judgement import Model, Part, Question
from vetgate.models.client import ask

QUESTION = Question("intent", "You are a judge.", (Part("Change", "<x>one and one</x>"),))
SCRIPTS = {
    "answers": [Judges("deny", 0.75, "Not asked for.", ({"message": "Unrelated.", "severity": "error"},))],
    "words": [Says("I would rather not say.")],
    "refused": [Fails(401)],
    "broken": [Fails(500)],
    "garbled": [Garbles()],
    "hangs": [Hangs()],
}


def main() -> None:
    if sys.platform == "linux":
        raise_loopback()
    client, folder = Path(sys.argv[1]), Path(sys.argv[2])
    for name in ("bin", "home", "tmp"):
        (folder / name).mkdir()
    (folder / "bin/claude").symlink_to(client)
    environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": f"{folder}/home", "TMPDIR": f"{folder}/tmp"}
    told = {}
    for name, script in SCRIPTS.items():
        with ModelServer(script) as server:
            model = Model("local", "claude-cli", "haiku", server.url, "$DUMMY")
            seconds = 8 if name in {"hangs", "broken", "garbled"} else 60
            reply = ask(QUESTION, model, {**environment, "DUMMY": "not-a-key"}, seconds)
        sent = [{"body": request.text, "headers": dict(request.headers)} for request in server.requests]
        told[name] = {"reply": asdict(reply), "sent": sent, "dropped": server.dropped.is_set()}
    left = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.jsonl"))
    print(json.dumps({"told": told, "transcripts": left}))


if __name__ == "__main__":
    main()
