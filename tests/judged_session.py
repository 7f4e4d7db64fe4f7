"""A session whose project is judged by models on loopback."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fixtures import Session, wait_for
from model_server import Judges, ModelServer, Tokens
from transcripts import Transcript
from vetgate.gates.jobs import RUNS

if TYPE_CHECKING:
    from pathlib import Path

KEY = "not-a-real-key"
CLEAN = "def total(prices):\n    return sum(prices)\n"
OTHER = "def mean(prices):\n    return sum(prices) / len(prices)\n"
INJECTION = 'def find(db, request):\n    db.execute("SELECT * FROM t WHERE a = \'" + request.args["a"] + "\'")\n'
WRONG = {"message": "`def total` is not what was asked for", "category": "intent", "severity": "error", "path": "a.py"}
DENIES = partial(Judges, "deny", 0.95, "That is not what was asked for.", ({**WRONG, "line": 1},))
A_LOT = Tokens(input=100_000)  # a tenth of a dollar
STRICT = {"intent": {"judge": "intent", "mode": "strict"}}
LAZY = {"intent": {"judge": "intent", "mode": "lazy"}}
BEFORE_EDIT = {"before_edit": ["code", "intent"]}


class JudgedSession(Session):
    """With models that answer as the server says, and a person who asked for something."""

    def __init__(self, folder: Path, server: ModelServer) -> None:
        super().__init__(folder)
        self.server = server
        self.app.stays = True
        talk = Transcript()
        talk.user("add a function that sums prices")
        self.transcript = str(talk.write(folder / "s.jsonl"))

    def judged_by(self, gates: dict[str, dict[str, object]], on: dict[str, list[str]], **more: object) -> None:
        model = {"api": "anthropic", "model": "scripted", "url": self.server.url, "key": "$SCRIPTED_KEY"}
        names = {"haiku", "sonnet", "opus", *(name for gate in gates.values() for name in gate.get("models", ()))}
        models = {name: {**model, "price": {"input": 1, "output": 5}} for name in sorted(names)}
        self.configure(**{"models": models, "gates": gates, "on": on, **more})

    def answer(self, event: str, **fields: object):
        return super().answer(event, **{"transcript_path": self.transcript, **fields})

    @property
    def store(self):
        return self.app.project(self.root).store

    def settle(self) -> None:
        wait_for(lambda: not RUNS.is_busy, what="judges are still being asked")


def judged_session(folder, server, monkeypatch):
    """With the key that its models want, and no other."""
    monkeypatch.setenv("SCRIPTED_KEY", KEY)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    return JudgedSession(folder, server)
