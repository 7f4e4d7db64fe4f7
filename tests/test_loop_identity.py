"""By what a loop of a review is known again: its gates, and everything that decides about their answers."""

from __future__ import annotations

import json

import pytest

from vetgate.config.load import load
from vetgate.gates.loop_identity import loop_rules

MODEL = {"api": "anthropic", "model": "one", "key": "$ONE_KEY"}
OWN = {"custom": {"mine": {"pattern": "x", "message": "no"}}}
PLAIN = {
    "version": 1,
    "models": {"opus": MODEL, "other": MODEL},
    "gates": {"look": {"judge": "reviewer"}, "test": {"command": "true"}},
    "review": [{"name": name, "gates": [name]} for name in ("code", "look", "test")],
}
# Which loops are other ones then.
CHANGES = {
    "another model": ({"models": {"opus": {**MODEL, "model": "two"}, "other": MODEL}}, ["look"]),
    "another address": ({"models": {"opus": {**MODEL, "url": "https://example.org"}, "other": MODEL}}, ["look"]),
    "another weight": ({"models": {"opus": {**MODEL, "weight": 2}, "other": MODEL}}, ["look"]),
    "a model that nobody asks": ({"models": {"opus": MODEL, "other": {**MODEL, "model": "two"}}}, []),
    "another key": ({"models": {"opus": {**MODEL, "key": "$TWO_KEY"}, "other": MODEL}}, []),
    "another strategy": ({"consensus": {"strategy": "security-override"}}, ["look"]),
    "an adjudicator": ({"consensus": {"adjudicator": "other"}}, ["look"]),
    "a rule of the project's own": ({"security": OWN}, ["code"]),
}


def rules(folder, content):
    file = folder / "vetgate.yaml"
    file.write_text(json.dumps(content))
    config = load(file)
    return {loop.name: loop_rules(loop, config) for loop in config.loops}


@pytest.mark.parametrize(("change", "other"), CHANGES.values(), ids=CHANGES)
def test_what_makes_a_loop_another_one(tmp_path, change, other):
    was, now = rules(tmp_path, PLAIN), rules(tmp_path, {**PLAIN, **change})
    assert [name for name in was if was[name] != now[name]] == other


def test_lines_in_the_file_do_not(tmp_path):
    assert rules(tmp_path, {**PLAIN, "security": OWN}) == rules(tmp_path, {"security": OWN, **PLAIN})
