"""Adopting the gate on old code: what is listed does not count, the list shrinks, and only a person lets it grow."""

from __future__ import annotations

import json

import pytest

from fixtures import BAD, GOOD, Session, branches
from test_config_person import scratch, vetgate  # noqa: F401 - a fixture
from vetgate.config import baseline
from vetgate.model import BASELINE_NAME as NAME


@pytest.fixture
def person(monkeypatch):
    monkeypatch.setattr("vetgate.service.baseline.require_person", lambda *_, **__: None)


@pytest.fixture
def old(tree, call, person):
    """Old code, adopted."""
    tree.put("old.py", BAD)
    tree.put("worse.py", branches("worse", 20))
    tree.commit()
    assert call("check").status == 1
    assert call("baseline", "--write").status == 0
    return tree


def listed(tree):
    return json.loads((tree.root / NAME).read_text())["files"]


def test_what_is_listed_does_not_count_and_what_is_new_does(old, call):
    said = call("check")
    assert said.status == 0
    assert "in the baseline" in said.out
    assert call("check", "--all").out.count("(in the baseline)") == len(listed(old)["old.py"]) + len(
        listed(old)["worse.py"]
    )
    old.put("new.py", branches("fresh", 14))
    assert call("check").status == 1


def test_what_is_listed_can_be_explained(old, call):
    old.put("mode.py", "import os\n\nos.chmod('a', 0o777)\n")
    call("baseline", "--write")
    said = call("explain", "mode.py:3").out
    assert "It does not block: in the baseline." in said


def test_copies_in_several_files_are_counted_one_by_one(old, call):
    old.put("copy.py", (old.root / "worse.py").read_text())
    call("baseline", "--write")
    entries = sum(len(entries) for entries in listed(old).values())
    assert call("check").out.startswith(f"{entries} in the baseline in 4 files")


def test_a_listed_function_may_creep_and_not_grow(old, call):
    old.put("old.py", branches("busy", 14))
    assert call("check").status == 0
    old.put("old.py", branches("busy", 15))
    assert call("check").status == 1


def test_it_is_the_same_bytes_every_time_and_a_finding_a_line(old, call):
    first = (old.root / NAME).read_bytes()
    call("baseline", "--write")
    assert (old.root / NAME).read_bytes() == first
    assert b'"complexity/cyclomatic 13"' in first
    assert call("baseline").out == f"{NAME} is as short as it can be\n"
    assert (old.root / NAME).read_bytes() == first


def test_it_shrinks_when_code_got_better(old, call):
    before = listed(old)
    old.put("old.py", GOOD)
    old.put("worse.py", branches("worse", 15))
    said = call("baseline", "--check")
    assert (said.status, listed(old)) == (1, before)
    assert call("baseline").status == 0
    assert listed(old).keys() == {"worse.py"}
    assert "complexity/cyclomatic 16" in listed(old)["worse.py"].values()
    assert call("baseline", "--check").status == 0


def test_a_long_one_is_read_to_its_end(old, call):
    entries = listed(old) | {
        f"gone/{number}.py": {f"{number:016x}": "complexity/cyclomatic 20"} for number in range(6000)
    }
    old.put(NAME, json.dumps({"version": 1, "files": entries}))
    assert call("check").status == 0


def test_it_never_grows_by_itself(old, call):
    before = listed(old)
    old.put("new.py", BAD)
    said = call("baseline")
    assert "not in it" in said.out
    assert listed(old) == before


def test_somebody_elses_entries_wait_for_a_person(old, call):
    old.put("new.py", branches("fresh", 14))
    content = json.loads((old.root / NAME).read_text())
    found = json.loads(call("check", "--format", "json").out)["findings"]
    content["files"]["new.py"] = {each["fingerprint"]: f"{each['check']}/{each['rule']} 99" for each in found}
    old.put(NAME, json.dumps(content))
    assert call("check").status == 1


def test_without_a_store_the_file_counts_as_it_stands(old, call, monkeypatch, tmp_path):
    monkeypatch.setenv("VETGATE_STATE_DIR", str(tmp_path / "ci"))
    assert call("check").status == 0


def test_a_gate_over_whole_files_takes_off_what_a_person_accepted(tmp_path):
    session = Session(tmp_path)
    session.trust("version: 1\ngates: {code: {scope: file}}\n")
    session.put("a.py", BAD + "x = 1\n")
    session.commit()
    assert session.edit("a.py", "x = 1", "x = 2")[1] == "deny"
    store = session.app.project(session.root).store
    findings = store.decisions(1)[0].stored["findings"]
    entries = {each["fingerprint"]: baseline.BaselineEntry(each["id"], each["value"]) for each in findings}
    session.put(NAME, baseline.text({"a.py": entries}))
    assert session.edit("a.py", "x = 1", "x = 3")[1] == "deny"
    store.set_baseline(baseline.text({"a.py": entries}))
    assert session.edit("a.py", "x = 1", "x = 4")[1] is None


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"version": 2, "files": {}}', '{"version": 1, "files": {"a.py": {"x": "y"}}}', "[" * 100_000],
    ids=["empty", "a list", "no version", "a later version", "no fingerprints", "deep"],
)
def test_a_broken_one_is_said(tree, call, content):
    tree.put("a.py", GOOD)
    tree.put(NAME, content)
    said = call("check")
    assert said.status == 3
    assert NAME in said.err


def test_without_one_there_is_nothing_to_shrink(tree, call):
    assert "there is no .vetgate/baseline.json" in call("baseline").err


def test_only_a_person_writes_one_and_trust_accepts_what_came_along(scratch):  # noqa: F811 - a fixture
    (scratch / "a.py").write_text(branches("busy", 40))
    assert "only a person" in vetgate(scratch, "baseline", "--write")[1]
    assert "only a person" in vetgate(scratch, "baseline", "--write", typed="", CLAUDECODE="1")[1]
    status, output = vetgate(scratch, "baseline", "--write", typed="")
    assert (status, "complexity/cyclomatic" in output) == (0, True)
    more = json.loads((scratch / NAME).read_text())
    more["files"]["b.py"] = {"0123456789abcdef": "security/eval"}
    (scratch / NAME).write_text(json.dumps(more))
    status, output = vetgate(scratch, "trust", typed="y\ny\n")
    assert status == 0
    assert "1  security/eval" in output
    assert "Accept that?" not in vetgate(scratch, "trust", typed="")[1]
