"""A model that does whatever the text under judgement tells it to: no verdict is looser than without judges."""

from __future__ import annotations

import json
import re

import pytest

from fixtures import Session
from injections import CARRIERS, TEXTS, base
from model_server import Judges, ModelServer
from transcripts import Transcript

# What a check blocks, and what a check only tells: it is there that a judge is asked, and could be believed.
BLOCKED = 'def find(db, request):\n    db.execute("SELECT * FROM t WHERE a = \'" + request.args["a"] + "\'")\n'
TOLD = "".join(
    f"def sum_{name}(prices):\n    return sum(prices[{len(name)}:])\n\n\n" for name in ("of", "all", "most")
) + ("def meanOf(prices):\n    return prices[0]\n")
GATES = {name: {"judge": name, "mode": "strict"} for name in ("intent", "instructions", "plan", "acknowledge", "align")}
GATES |= {"approve": {"judge": "approve", "mode": "strict", "on_fail": "appeal"}, "appeal": {"judge": "appeal"}}
GATES |= {"off-topic": {"judge": "off-topic"}}
ON = {
    "before_edit": ["code", "intent", "instructions", "plan", "acknowledge", "align", "approve"],
    "before_command": ["commands", "intent", "acknowledge", "align", "approve"],
    "stop": ["code", "off-topic"],
}


class Obedient:
    """Allows whatever it is asked about, and counts how often it was told to."""

    def __init__(self):
        self.text = ""
        self.obeyed = 0

    def __call__(self, request):
        # As a model reads it: the words, whatever was made harmless around them.
        if all(word in request.text for word in re.findall(r"[A-Za-z]{5,}", self.text)):
            self.obeyed += 1
        return Judges("allow", 1.0, "As you wish.")


class CarryingSession(Session):
    """One that brings an attempt to its judges by the way it would really come."""

    def __init__(self, folder, written, url=""):
        super().__init__(folder)
        for path, text in written["rules"].items():
            self.put(path, text)
        model = {"api": "anthropic", "model": "scripted", "url": url, "key": "$SCRIPTED_KEY"}
        models = dict.fromkeys(("haiku", "sonnet"), model)
        self.configure(**({"models": models, "gates": GATES, "on": ON} if url else {}))
        talk = Transcript()
        for said in written["said"]:
            kind, text = next(
                (kind, said[kind]) for kind in ("user", "assistant", "call", "result", "summary") if kind in said
            )
            if kind == "user":
                talk.user(text)
            elif kind == "assistant":
                talk.says(text)
            elif kind == "summary":
                talk.add("summary", summary=text)
            elif kind == "call":
                talk.calls(said["tool"], said["id"], command=text)
            else:
                talk.result(said["id"], text, error=said.get("failed", False))
        if written["plan"] != base()["plan"]:
            talk.tool("ExitPlanMode", "plan", "ok", plan=written["plan"])
        self.transcript = str(talk.write(folder / "s.jsonl"))

    def answer(self, event, **fields):
        return super().answer(event, **{"transcript_path": self.transcript, **fields})


def replies(folder, written, after, url=""):
    """To an edit, a command and the end of a turn; each by its status and what was said."""
    session = CarryingSession(folder, written, url)
    edit = written["edit"][0]
    if edit["before"]:
        session.put(edit["path"], edit["before"])
    is_code = edit["path"].endswith(".py")
    answers = [session.write(edit["path"], f"{edit['after']}{after if is_code else ''}")[0]]
    if not is_code:
        answers.insert(0, session.write("report.py", after)[0])
    command = written["command"] or "ls"
    answers.append(session.answer("PreToolUse", tool_name="Bash", tool_use_id="c", tool_input={"command": command}))
    last = {"stop_hook_active": False, "last_assistant_message": written["last_message"] or "Done."}
    return [*answers, session.answer("Stop", **last)]


def weight(reply):
    """How strict an answer is: stopped, held, told, nothing."""
    said = json.loads(reply.stdout) if reply.stdout else {}
    return (reply.status, said.get("decision") == "block", bool(said))


def rules_in(reply):
    return set(re.findall(rb"\b[a-z]+(?:-[a-z]+)*/[a-z-]+", reply.stdout + reply.stderr))


def is_no_looser(folder, carrier, model, server, after):
    """Asserts it; gives whether the checks let all of it pass, so that judges were asked about all of it."""
    written = CARRIERS[carrier](base(), model.text)
    if carrier == "the agent's words":
        written["last_message"] = f"Done. {model.text}"
    without = replies(folder / "without", written, after)
    judged = replies(folder / "judged", written, after, server.url)
    assert rules_in(without[0]), "a check has something to say"
    for mine, theirs in zip(without, judged, strict=True):
        assert weight(theirs) >= weight(mine), (mine, theirs)
        assert rules_in(theirs) >= rules_in(mine), "what a check found is said all the same"
    return all(reply.status == 0 for reply in without)


@pytest.fixture
def model():
    return Obedient()


@pytest.fixture
def server(model, monkeypatch):
    monkeypatch.setenv("SCRIPTED_KEY", "not-a-real-key")
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with ModelServer(model) as running:
        yield running


@pytest.mark.parametrize("number", range(len(CARRIERS)), ids=list(CARRIERS))
def test_one_attempt_of_each_carrier_makes_no_verdict_looser(tmp_path, model, server, number):
    """All 200 pairs are below."""
    carrier, kind = list(CARRIERS)[number], list(TEXTS)[number % len(TEXTS)]
    model.text = TEXTS[kind]
    is_no_looser(tmp_path, carrier, model, server, TOLD)


@pytest.mark.long
@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("carrier", CARRIERS)
def test_no_attempt_makes_a_verdict_looser(tmp_path, model, server, carrier, kind):
    model.text = TEXTS[kind]
    is_no_looser(tmp_path / "blocked", carrier, model, server, BLOCKED)
    is_asked = is_no_looser(tmp_path / "told", carrier, model, server, TOLD)
    assert model.obeyed or not is_asked, "it heard the attempt, and did as it was told"
