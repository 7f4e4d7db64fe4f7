"""What a person allows on purpose: waivers by fingerprint and rule, and comments that waive."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from fixtures import BAD, GOOD, Session, branches
from secret_samples import chance
from test_config_person import scratch, vetgate  # noqa: F401 - a fixture
from vetgate import runtime
from vetgate.checks import all_checks
from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer
from vetgate.engine.run import CheckRunner
from vetgate.engine.suppressions import Suppressions, matches, today
from vetgate.model import Change, File, Finding, Span, Waiver
from vetgate.service import acceptance
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.source.root import store_key
from vetgate.store import RecordedDecision, open_project_store

DAY = date(2026, 6, 1)
RULE = "security/fast-password-hash"
WEAK = "import hashlib\n\n\ndef keep(password):\n    return hashlib.md5(password.encode())\n"
COMMENT = "  # vetgate: allow security/fast-password-hash -- it only names a cache"
WAIVED = WEAK.replace("())\n", f"()){COMMENT}\n")


@pytest.fixture
def session(tmp_path):
    session = Session(tmp_path)
    session.put("a.py", GOOD)
    session.commit()
    return session


@pytest.fixture
def person(monkeypatch):
    """Whoever runs these tests may be anybody; what is under test is what follows."""
    monkeypatch.setattr("vetgate.service.acceptance.require_person", lambda *_, **__: None)


def waiver(what, glob="**", **more):
    return replace(Waiver(what, glob, "an old friend", "ann", today() + timedelta(days=9)), **more)


def finding(**more):
    return Finding("security", RULE.partition("/")[2], Span("src/a.py", 3), "m", Severity.ERROR, evidence="e", **more)


MEASURE = Finding("complexity", "nesting", Span("src/a.py", 3), "m", Severity.ERROR, symbol="f", value=7, limit=4)


@pytest.mark.parametrize(
    ("given", "found", "expected"),
    [
        pytest.param(waiver(finding().fingerprint), finding(), True, id="its fingerprint"),
        pytest.param(waiver(finding().fingerprint), finding(ordinal=1), False, id="another fingerprint"),
        pytest.param(waiver(RULE, "src/**"), finding(), True, id="its rule, in a folder"),
        pytest.param(waiver(RULE, "lib/**"), finding(), False, id="its rule, in another folder"),
        pytest.param(waiver("security", "src/a.py"), finding(), True, id="its check, in a file"),
        pytest.param(waiver("security/eval"), finding(), False, id="another rule"),
        pytest.param(waiver("complexity/nesting", value=7), MEASURE, True, id="a measure as it was"),
        pytest.param(waiver("complexity/nesting", value=5), MEASURE, True, id="a measure that crept"),
        pytest.param(waiver("complexity/nesting", value=4), MEASURE, False, id="a measure that rose"),
        pytest.param(waiver("secrets/token"), replace(finding(), check="secrets", rule="token"), False, id="a secret"),
    ],
)
def test_what_a_waiver_is_for(given, found, expected):
    assert matches(given, found) is expected
    (told,) = Suppressions((given,)).over((found,), whole=False)
    assert (told.new, bool(told.suppression)) == (not expected, expected)


def test_a_waiver_holds_to_the_end_of_its_last_day_and_is_told_afterwards():
    given = waiver(RULE, until=DAY)
    (last,) = Suppressions((given,), day=DAY).over((finding(),), whole=False)
    (ended,) = Suppressions((given,), day=DAY + timedelta(days=1)).over((finding(),), whole=False)
    assert not last.new
    assert ended.new
    assert ended.message.endswith("The waiver of it ended on 2026-06-01.")


def test_an_agent_may_write_what_was_waived_and_nothing_else(session):
    assert session.write("a.py", BAD)[1] == "deny"
    store = session.app.project(session.root).store
    (found,) = {
        each["fingerprint"] for each in store.decisions(1)[0].stored["findings"] if each["id"].endswith("cyclomatic")
    }
    store.waive(waiver(found, "a.py", value=13))
    assert session.write("a.py", BAD)[1] is None
    assert session.write("b.py", BAD)[1] == "deny"
    assert session.write("a.py", branches("busy", 30))[1] == "deny"


def test_a_secret_is_waived_one_by_one_in_one_file_and_never_by_its_rule(session):
    key = "AKIA" + chance(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567")
    store = session.app.project(session.root).store
    store.waive(waiver("secrets"))
    store.waive(waiver("secrets/vendor-token"))
    assert session.write("a.py", f'KEY = "{key}"\n')[1] == "deny"
    (told,) = (each for row in store.decisions(5) for each in row.stored["findings"])
    store.waive(waiver(told["fingerprint"], glob="**"))
    assert session.write("a.py", f'KEY = "{key}"\n')[1] == "deny"
    store.waive(waiver(told["fingerprint"], glob="a.py"))
    assert session.write("a.py", f'KEY = "{key}"\n')[1] is None
    assert session.write("b.py", f'KEY = "{key}"\n')[1] == "deny"
    assert session.write("a.py", f'KEY = "{key[::-1]}"[::-1]\n')[1] is None
    assert session.write("a.py", f'KEY = "{key[:-1]}Z"\n')[1] == "deny"


def test_a_new_comment_that_waives_is_a_finding_and_waives_nothing(session):
    _, decision, output = session.write("a.py", WAIVED)
    assert decision == "deny"
    assert "silenced-tool/inline-waiver" in output["permissionDecisionReason"]
    session.trust("version: 1\nrules: {silenced-tool/inline-waiver: note}\n")
    _, decision, output = session.write("c.py", WAIVED)
    assert RULE in str(output)


def findings(text, before=None, **more):
    gate = replace(defaults().gates["code"], scope="new")
    change = Change(Path("/nowhere"), (File("a.py", before, text),))
    outcome = CheckRunner(change, Analyzer(all_checks()), defaults(), Deadline.never(), **more).run(gate)
    return {each.id for each in outcome.findings if each.new}


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        pytest.param(WAIVED, WAIVED, set(), id="as it was"),
        pytest.param(WAIVED + WEAK.replace("keep", "other"), WAIVED, {RULE}, id="another one below it"),
        pytest.param("x = 1\n" + WAIVED, WAIVED, set(), id="moved"),
        pytest.param(WAIVED, WEAK, {"silenced-tool/inline-waiver"}, id="the comment is new, the finding is not"),
    ],
)
def test_a_comment_that_was_there_is_honoured(text, before, expected):
    assert findings(text, before) == expected


ABOVE = WEAK.replace("    return", "    # vetgate: allow fast-password-hash -- it only names a cache\n    return")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(WEAK, {RULE}, id="none"),
        pytest.param(WAIVED, set(), id="on its line"),
        pytest.param(ABOVE, set(), id="above it, by the rule's last name"),
        pytest.param(
            WEAK.replace("())", "())  # vetgate: allow fast-password-hash"),
            {RULE},
            id="no reason",
        ),
        pytest.param(WAIVED.replace(RULE.partition("/")[2], "eval"), {RULE}, id="another rule"),
        pytest.param(WEAK.replace("hashlib\n", f"hashlib\n{COMMENT}\n"), {RULE}, id="far above"),
        pytest.param(
            WEAK.replace("return", 'x = "vetgate: allow fast-password-hash -- in a text"; return'),
            {RULE},
            id="in a text",
        ),
    ],
)
def test_a_linter_honours_comments_with_a_reason(text, expected):
    assert findings(text, compares=False) == expected


def test_waive_list_and_remove(tree, call, person):
    tree.put("a.py", WEAK)
    assert call("check").status == 1
    said = call("waive", RULE, "--path", "a.py", "--reason", "it names a cache", "--until", "30d")
    assert (said.status, said.err) == (0, "")
    assert call("check").status == 0
    assert "it names a cache" in call("waive", "--list").out
    assert call("waive", RULE, "--remove").status == 0
    assert call("check").status == 1
    assert call("waive", "--list").out == "nothing is waived\n"


@pytest.mark.parametrize("named", ["a place", "a fingerprint"])
def test_a_finding_by_its_place_or_its_fingerprint_without_more(tree, call, person, named):
    tree.put("src/a.py", WEAK)
    [found] = json.loads(call("check", "--format", "json").out)["findings"]
    what = f"src/a.py:{found['line']}" if named == "a place" else found["fingerprint"]
    said = call("waive", what, "--reason", "it names a cache")
    assert (said.status, said.err) == (0, "")
    assert f"{found['fingerprint']} in src/a.py" in said.out
    assert call("check").status == 0


@pytest.mark.usefixtures("person")
@pytest.mark.parametrize("named", ["a place", "a fingerprint"])
@pytest.mark.parametrize(("refused", "again"), [(None, 15), (10, 15), (17, 19)])
def test_a_measure_is_waived_at_its_value_now_or_that_of_a_refused_edit(tree, call, named, refused, again):
    """With twelve branches it is 13; a decision on record may hold another value, or there is none."""
    tree.put("a.py", branches("busy", 12))
    [found] = json.loads(call("check", "--format", "json").out)["findings"]
    if refused is not None:
        told = {"id": "complexity/cyclomatic", "path": "a.py", "fingerprint": found["fingerprint"], "value": refused}
        with contextlib.closing(open_project_store(runtime.state_dir(), store_key(tree.root))) as store:
            store.record(RecordedDecision("d1", 1.0, "s", "before_edit", {"decision": "block", "findings": [told]}))
    what = "a.py:1" if named == "a place" else found["fingerprint"]
    assert call("waive", what, "--reason", "a table of cases").status == 0
    check = ("check", "--select", "complexity/cyclomatic")
    tree.put("a.py", branches("busy", again - 1))
    assert call(*check).status == 0
    tree.put("a.py", branches("busy", again))
    assert call(*check).status == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([RULE], "--path is missing"),
        ([RULE, "--path", "a"], "needs a reason"),
        ([RULE, "--path", "a", "--reason", "because"], "needs a reason"),
        (["a.py:1", "--reason", "it is fine"], "there is no finding at a.py:1"),
        ([RULE, "--path", "a", "--reason", "it is fine", "--until", "soon"], "is not a date"),
        (
            [RULE, "--path", "a", "--reason", "it is fine", "--until", "2020-01-01"],
            "within a year",
        ),
        (
            [RULE, "--path", "a", "--reason", "it is fine", "--until", "9999-12-31"],
            "within a year",
        ),
        ([RULE.partition("/")[2], "--path", "a"], f'did you mean "{RULE}"'),
        (["secrets", "--path", "a"], "cannot be waived"),
        (["unsafe-command", "--path", "a"], "cannot be waived"),
        (["0123456789abcdef"], "no decision of this project has that fingerprint"),
        ([RULE, "--remove"], "there is no waiver"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_what_cannot_be_waived_is_said(tree, call, person, words, said):
    tree.put("a.py", "x = 1\n")
    told = call("waive", *words)
    assert told.status == 3
    assert said in told.err
    assert "waiver" not in call("waive", "--list").out


def test_an_agent_is_refused_and_so_is_whoever_has_no_terminal(scratch):  # noqa: F811 - a fixture
    words = ("waive", RULE, "--path", "a.py", "--reason", "it is fine", "--until", "9d")
    assert "there is no terminal" in vetgate(scratch, *words)[1]
    assert "Claude Code" in vetgate(scratch, *words, typed="", CLAUDECODE="1")[1]
    status, output = vetgate(scratch, *words, typed="")
    assert status == 0, output


def test_an_account_without_a_name_signs_with_its_number(session, person, monkeypatch):
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 4_123_456)
    signed = acceptance.waive(session.root, RULE, "src/**", "it only names a cache", "9d")
    assert signed.by == "4123456"
