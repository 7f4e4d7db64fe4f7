"""Judges in real sessions of the client: waited for, told later, appealed, and at the end of a turn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from model_server import Judges, ModelServer

from .model_server import Model, Say
from .samples import PLAIN
from .session import Options
from .test_every_mode import PROMPT, write
from .test_gates import accepted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .gate import Gate
    from .session import ClientSession

WRONG = {"message": "`def route` is not what was asked for", "category": "intent", "severity": "error"}
DENIES = Judges("deny", 0.95, "That is not what was asked for.", (WRONG,))
MEAN = "def mean(prices):\n    return sum(prices) / len(prices)\n"
KEY = {"SCRIPTED_API_KEY": "not-a-real-key"}


@pytest.fixture
def answers() -> list[Judges]:
    """What the judges' model says, in order, the last one again and again."""
    return [Judges()]


@pytest.fixture
def judges(answers: list[Judges]) -> Iterator[ModelServer]:
    with ModelServer(answers) as server:
        yield server


def judged(gate: Gate, judges: ModelServer, gates: dict[str, object], on: dict[str, list[str]]) -> None:
    model = {"api": "anthropic", "model": "scripted", "url": judges.url, "key": "$SCRIPTED_API_KEY"}
    models = dict.fromkeys(("haiku", "sonnet", "opus"), model)
    # Longer than any machine needs to load what asks.
    consensus = {"timeout": 60}
    accepted(gate, json.dumps({"version": 1, "models": models, "gates": gates, "on": on, "consensus": consensus}))


def session_of(gate: Gate, *replies: object) -> ClientSession:
    return gate.session(Model({PROMPT: [*replies]}), Options(environment=KEY))


def test_a_strict_judge_keeps_a_write_from_the_disk(gate: Gate, judges: ModelServer, answers: list[Judges]) -> None:
    answers[:] = [DENIES]
    judged(gate, judges, {"intent": {"judge": "intent", "mode": "strict"}}, {"before_edit": ["code", "intent"]})
    # The first may load what asks for longer than a hook waits, and is told later then.
    session = session_of(gate, write(gate, "a.py", MEAN), write(gate, "routing.py", PLAIN), Say("I see."))
    denied = session.model.result(1)
    assert denied.is_error
    assert "is not what was asked for" in denied.text
    assert not (gate.project / "routing.py").exists()
    assert PROMPT in judges.requests[0].text, "it was shown what the person asked for"


def test_a_lazy_judge_is_told_before_the_turn_is_over(gate: Gate, judges: ModelServer, answers: list[Judges]) -> None:
    answers[:] = [DENIES]
    judged(gate, judges, {"intent": {"judge": "intent", "mode": "lazy"}}, {"before_edit": ["code", "intent"]})
    session = session_of(gate, write(gate, "routing.py", PLAIN), Say("Done."), Say("I see."))
    assert not session.model.result(0).is_error
    assert (gate.project / "routing.py").read_text() == PLAIN
    told = session.model.requests[-1].text
    assert "is not what was asked for" in told


def test_an_appeal_overturns_a_judge(gate: Gate, judges: ModelServer, answers: list[Judges]) -> None:
    answers[:] = [DENIES, Judges("allow", 0.9, "The user asked for it.")]
    gates = {"intent": {"judge": "intent", "mode": "strict", "on_fail": "appeal"}, "appeal": {"judge": "appeal"}}
    judged(gate, judges, gates, {"before_edit": ["code", "intent"]})
    session = session_of(gate, write(gate, "routing.py", PLAIN), Say("Done."))
    assert not session.model.result(0).is_error
    assert (gate.project / "routing.py").read_text() == PLAIN
    denied, appealed = judges.requests
    assert PROMPT in denied.text
    assert "is not what was asked for" in appealed.text, "the appeal sees the denial"


def test_an_off_topic_end_of_a_turn_is_held(gate: Gate, judges: ModelServer, answers: list[Judges]) -> None:
    answers[:] = [Judges("deny", 0.95, "Nobody asked for a poem."), Judges()]
    judged(gate, judges, {"topic": {"judge": "off-topic"}}, {"stop": ["code", "topic"]})
    session = session_of(gate, write(gate, "a.py", MEAN), Say("A poem about prices."), Say("Sorry. Done."))
    assert "Nobody asked for a poem." in session.model.requests[-1].text
