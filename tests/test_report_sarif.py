"""SARIF 2.1.0: what the format demands, checked key by key; nothing is fetched for it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from vetgate.cli.report import render
from vetgate.engine.check import Check, Rule
from vetgate.model import Decision, Finding, Outcome, Span, Status, Step, Unchecked, UncheckedKind, Verdict
from vetgate.service.report.as_sarif import described
from vetgate.service.report.run import Run
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURED = Finding(
    check="complexity",
    rule="cyclomatic",
    span=Span("src/a b.py", 4, 5, 9, 3),
    message="too tangled",
    severity=Severity.ERROR,
    symbol="Service.tangled",
    value=12,
    limit=10,
    fix="Split it up.",
    steps=(Step(5, "+1 if"), Step(6, "+2 for")),
)
INJECTED = Finding(
    check="security",
    rule="sql-concatenation",
    span=Span("/elsewhere/db.py", 2, 1),
    message="put together",
    severity=Severity.CRITICAL,
    confidence=0.8,
    cwe=(89,),
    owasp="A03:2021",
)
FLOWN = replace(
    INJECTED,
    span=Span("src/db.py", 12, 5, 12, 24),
    steps=(
        Step(14, '`request.args["q"]` comes from outside'),
        Step(11, "through `query`"),
        Step(12, "reaches `run(query)`"),
    ),
)


def check_of(name: str, rule: Rule) -> Check:
    return Check(name, name, (rule,), frozenset({"python"}))


COMPLEXITY = check_of("complexity", Rule("cyclomatic", Severity.ERROR, "Paths through a function."))
INJECTION = Rule(
    "sql-concatenation", Severity.CRITICAL, "SQL from values.", "injection", (89, 564), "A03:2021", confidence=0.9
)
CHECKS = {"complexity": COMPLEXITY, "security": check_of("security", INJECTION)}

# Every object that we write: key -> (kind, required). What is not listed here must not appear.
LOG = {"$schema": (str, True), "version": (str, True), "runs": (list, True)}
RUN = {
    "tool": (dict, True),
    "originalUriBaseIds": (dict, True),
    "columnKind": (str, True),
    "invocations": (list, True),
    "results": (list, True),
}
DRIVER = {"name": (str, True), "version": (str, True), "rules": (list, True)}
DESCRIPTOR = {
    "id": (str, True),
    "name": (str, True),
    "shortDescription": (dict, True),
    "fullDescription": (dict, True),
    "defaultConfiguration": (dict, False),
    "help": (dict, True),
    "properties": (dict, False),
}
INVOCATION = {
    "executionSuccessful": (bool, True),
    "exitCode": (int, True),
    "toolExecutionNotifications": (list, True),
}
NOTIFICATION = {"level": (str, True), "message": (dict, True), "locations": (list, False)}
RESULT = {
    "ruleId": (str, True),
    "ruleIndex": (int, True),
    "level": (str, True),
    "message": (dict, True),
    "locations": (list, True),
    "partialFingerprints": (dict, True),
    "baselineState": (str, True),
    "properties": (dict, True),
    "relatedLocations": (list, False),
    "codeFlows": (list, False),
}
CODE_FLOW = {"threadFlows": (list, True)}
THREAD_FLOW = {"locations": (list, True)}
THREAD_FLOW_LOCATION = {"location": (dict, True)}
MESSAGE = {"text": (str, True), "markdown": (str, False)}
LOCATION = {
    "id": (int, False),
    "physicalLocation": (dict, True),
    "logicalLocations": (list, False),
    "message": (dict, False),
}
PHYSICAL = {"artifactLocation": (dict, True), "region": (dict, False)}
ARTIFACT = {"uri": (str, True), "uriBaseId": (str, False)}
REGION = {"startLine": (int, True), "startColumn": (int, False), "endLine": (int, False), "endColumn": (int, False)}

LEVELS = {"none", "note", "warning", "error"}


def conforms(value: dict[str, Any], shape: dict[str, tuple[type, bool]]) -> None:
    assert set(value) <= set(shape), set(value) - set(shape)
    for key, (kind, required) in shape.items():
        assert key in value or not required, key
        assert key not in value or type(value[key]) is kind, key


def conforms_location(location: dict[str, Any]) -> None:
    conforms(location, LOCATION)
    conforms(location["physicalLocation"], PHYSICAL)
    artifact = location["physicalLocation"]["artifactLocation"]
    conforms(artifact, ARTIFACT)
    assert artifact["uri"].isascii()
    assert " " not in artifact["uri"]
    region = location["physicalLocation"].get("region", {"startLine": 1})
    conforms(region, REGION)
    assert all(number >= 1 for number in region.values())
    assert region.get("endLine", region["startLine"]) >= region["startLine"]


def locations_of_flows(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for flow in result.get("codeFlows", ()):
        conforms(flow, CODE_FLOW)
        for thread in flow["threadFlows"]:
            conforms(thread, THREAD_FLOW)
            assert thread["locations"]
            for each in thread["locations"]:
                conforms(each, THREAD_FLOW_LOCATION)
                yield each["location"]


def log_of(*findings: Finding, **more: Any) -> dict[str, Any]:
    outcome = Outcome(
        "code",
        Status.FAILED,
        findings,
        (Unchecked("bin.py", UncheckedKind.NOT_CODE, "binary"),),
        error=more.pop("error", ""),
    )
    run = Run(
        Verdict(Decision.BLOCK, (outcome,)),
        checks=CHECKS,
        page={"complexity/cyclomatic": "# cyclomatic\n"}.get,
        **more,
    )
    log: dict[str, Any] = json.loads(render(run, "sarif"))
    return log


def test_every_object_has_the_keys_and_kinds_that_the_format_defines() -> None:
    log = log_of(MEASURED, INJECTED, FLOWN, error="complexity: crashed")
    conforms(log, LOG)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    conforms(run, RUN)
    assert set(run["tool"]) == {"driver"}
    conforms(run["tool"]["driver"], DRIVER)
    for rule in run["tool"]["driver"]["rules"]:
        conforms(rule, DESCRIPTOR)
        for key in ("shortDescription", "fullDescription", "help"):
            conforms(rule[key], MESSAGE)
        assert rule["defaultConfiguration"]["level"] in LEVELS
        tags = rule["properties"]["tags"]
        assert tags == sorted(set(tags), key=tags.index)
    for invocation in run["invocations"]:
        conforms(invocation, INVOCATION)
        for notice in invocation["toolExecutionNotifications"]:
            conforms(notice, NOTIFICATION)
            assert notice["level"] in LEVELS
            for location in notice.get("locations", ()):
                conforms_location(location)
    for result in run["results"]:
        conforms(result, RESULT)
        assert result["level"] in LEVELS
        assert result["baselineState"] in {"new", "unchanged", "updated", "absent"}
        conforms(result["message"], MESSAGE)
        for location in (*result["locations"], *result.get("relatedLocations", ()), *locations_of_flows(result)):
            conforms_location(location)


def test_a_result_points_at_its_rule_and_its_lines() -> None:
    (run,) = log_of(MEASURED, INJECTED)["runs"]
    injected, measured = run["results"]
    rules = run["tool"]["driver"]["rules"]
    assert rules[measured["ruleIndex"]]["id"] == measured["ruleId"] == "complexity/cyclomatic"
    assert rules[injected["ruleIndex"]]["id"] == "security/sql-concatenation"
    assert measured["message"] == {"text": "too tangled\nSplit it up."}
    assert measured["partialFingerprints"] == {"vetgate/v1": MEASURED.fingerprint}
    (location,) = measured["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 4, "startColumn": 5, "endLine": 9, "endColumn": 3},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "Service.tangled"}]
    related = [
        (each["physicalLocation"]["region"]["startLine"], each["message"]["text"])
        for each in measured["relatedLocations"]
    ]
    assert related == [(5, "+1 if"), (6, "+2 for")]
    assert injected["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///elsewhere/db.py"}
    assert injected["properties"] == {"severity": "critical", "confidence": 0.8, "cwe": ["CWE-89"], "owasp": "A03:2021"}


def test_a_flow_is_a_code_flow_in_its_own_order_that_ends_at_the_finding() -> None:
    (run,) = log_of(FLOWN, MEASURED)["runs"]
    measured, flown = sorted(run["results"], key=lambda result: result["ruleId"])
    (flow,) = flown["codeFlows"]
    (thread,) = flow["threadFlows"]
    way = [each["location"] for each in thread["locations"]]
    assert [each["message"]["text"] for each in way] == [step.text for step in FLOWN.steps]
    assert [each["physicalLocation"]["region"]["startLine"] for each in way] == [14, 11, 12]
    assert way[-1]["physicalLocation"] == flown["locations"][0]["physicalLocation"]
    assert "relatedLocations" not in flown
    assert "codeFlows" not in measured


def test_rules_bring_their_page_along() -> None:
    (run,) = log_of(MEASURED)["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["shortDescription"] == {"text": "Paths through a function."}
    assert rule["help"] == {"text": "# cyclomatic\n", "markdown": "# cyclomatic\n"}
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule["properties"] == {"tags": ["complexity"], "precision": "very-high"}


def test_a_rule_with_weakness_numbers_is_one_of_security() -> None:
    (run,) = log_of(INJECTED)["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["properties"] == {
        "tags": ["security", "injection", "external/cwe/cwe-89", "external/cwe/cwe-564"],
        "precision": "high",
        "security-severity": "9.5",
    }


@pytest.mark.parametrize(
    ("severity", "lowest", "below"),
    [
        pytest.param(Severity.CRITICAL, 9.0, 10.0, id="critical"),
        pytest.param(Severity.ERROR, 7.0, 9.0, id="an error is high"),
        pytest.param(Severity.WARNING, 4.0, 7.0, id="a warning is medium"),
        pytest.param(Severity.NOTE, 0.0, 4.0, id="a note is low"),
    ],
)
def test_scores_lie_in_the_band_of_their_severity(severity: Severity, lowest: float, below: float) -> None:
    checks = {"security": check_of("security", replace(INJECTION, severity=severity))}
    rule = described(Run(Verdict(Decision.WARN), checks=checks), "security/sql-concatenation")
    assert lowest < float(rule["properties"]["security-severity"]) < below


@pytest.mark.parametrize(
    ("confidence", "precision"), [(1.0, "very-high"), (0.9, "high"), (0.6, "medium"), (0.4, "low"), (0.0, "low")]
)
def test_precision_is_the_rule_s_confidence_in_a_word(confidence: float, precision: str) -> None:
    checks = {"security": check_of("security", replace(INJECTION, confidence=confidence))}
    rule = described(Run(Verdict(Decision.WARN), checks=checks), "security/sql-concatenation")
    assert rule["properties"]["precision"] == precision


@pytest.mark.parametrize(
    ("severity", "level"),
    [(Severity.CRITICAL, "error"), (Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.NOTE, "note")],
)
def test_levels(severity: Severity, level: str) -> None:
    (run,) = log_of(MEASURED.at(severity))["runs"]
    assert run["results"][0]["level"] == level


def test_what_was_there_before_is_unchanged() -> None:
    (run,) = log_of(replace(MEASURED, new=False), everything=True)["runs"]
    assert run["results"][0]["baselineState"] == "unchanged"


def test_what_was_not_checked_and_what_failed_are_notifications() -> None:
    (run,) = log_of(error="complexity: crashed")["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [notice["message"]["text"] for notice in invocation["toolExecutionNotifications"]] == [
        "not checked: binary",
        "complexity: crashed",
    ]


def test_a_name_that_is_not_utf8_keeps_its_bytes() -> None:
    name = b"caf\xe9.py".decode("utf-8", "surrogateescape")
    (run,) = log_of(replace(MEASURED, span=Span(name, 1)))["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "caf%E9.py"
