"""SARIF, JUnit's XML and TAP: formats that many tools write."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from vetgate.gates.parse.results import Complaint, Parsed, number, of_tests, positive
from vetgate.suite_results import TestFailure, TestResults

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_TAP_LINE = re.compile(
    r"^(?P<not>not )?ok\b(?: (?P<number>\d+))?(?: - | )?(?P<name>[^#]*)(?:# (?P<mark>SKIP|TODO)\b.*)?$", re.IGNORECASE
)
_TAP_KEY = re.compile(r"^\s+(?P<key>message|error|at|file|line|location):\s*(?P<value>.*)$")
_PLACE = re.compile(r"(?P<file>[^\s()'\"]+\.\w+):(?P<line>\d+)")


def sarif(text: str) -> Parsed:
    try:
        document = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except (ValueError, RecursionError):
        return Parsed()
    return Parsed(tuple(_sarif_complaints(document)))


def _sarif_complaints(document: Any) -> Iterator[Complaint]:
    for run in _list(document, "runs"):
        for result in _list(run, "results"):
            where = next(iter(_list(result, "locations")), {})
            physical = _table(where, "physicalLocation")
            region = _table(physical, "region")
            level = str(result.get("level", "warning"))
            if level != "none":
                yield Complaint(
                    path=unquote(str(_table(physical, "artifactLocation").get("uri", "")).removeprefix("file://")),
                    line=positive(region.get("startLine")),
                    column=positive(region.get("startColumn")),
                    message=str(_table(result, "message").get("text", "")),
                    rule=str(result.get("ruleId", "")),
                    is_warning=level != "error",
                )


def junit(text: str) -> Parsed:
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - only who meets such a document pays for it

    start = re.search(r"<\?xml|<testsuites?[\s>]", text)
    end = max(text.rfind("</testsuites>") + 13, text.rfind("</testsuite>") + 12)
    document = text[start.start() : end] if start else ""
    # Entities are how a small document becomes a large one; no report needs any of its own.
    if not document or "<!DOCTYPE" in document or "<!ENTITY" in document:
        return Parsed()
    try:
        root = ET.fromstring(document)  # noqa: S314 - without entities of its own, see above
    except ET.ParseError:
        return Parsed()
    cases = list(root.iter("testcase"))
    failures = tuple(failure for case in cases if (failure := _junit_failure(case)) is not None)
    skipped = sum(1 for case in cases if case.find("skipped") is not None)
    seconds = sum(_decimal(case.get("time")) for case in cases)
    results = TestResults(
        "junit", len(cases) - len(failures) - skipped, len(failures), skipped, round(seconds, 6), failures
    )
    return of_tests(results)


def _junit_failure(case: Element) -> TestFailure | None:
    told = case.find("failure")
    told = told if told is not None else case.find("error")
    if told is None:
        return None
    stack = (told.text or "").strip()
    place = _PLACE.search(stack)
    name = ".".join(part for part in (case.get("classname"), case.get("name")) if part)
    file = case.get("file") or (place["file"] if place else "")
    line = number(case.get("line")) or (number(place["line"]) if place else 0)
    return TestFailure(name, file, line, told.get("message") or stack.split("\n")[0], stack)


def tap(text: str) -> Parsed:
    passed = skipped = 0
    failures: list[TestFailure] = []
    details: dict[str, str] = {}
    for line in text.split("\n"):
        match = _TAP_LINE.match(line)
        if match is None:
            key = _TAP_KEY.match(line)
            if key and failures:
                details[key["key"].lower()] = key["value"].strip().strip("'\"|-").strip()
                failures[-1] = _tap_failure(failures[-1].name, details)
            continue
        details = {}
        if match["mark"]:
            skipped += 1
        elif match["not"]:
            failures.append(_tap_failure(match["name"].strip() or f"test {match['number'] or ''}".strip(), details))
        else:
            passed += 1
    return of_tests(TestResults("tap", passed, len(failures), skipped, None, tuple(failures)))


def _tap_failure(name: str, details: dict[str, str]) -> TestFailure:
    where = details.get("at") or details.get("location") or f"{details.get('file', '')}:{details.get('line', '')}"
    place = _PLACE.search(where)
    error = details.get("message") or details.get("error") or ""
    return TestFailure(name, place["file"] if place else "", number(place["line"]) if place else 0, error)


def _list(source: Any, key: str) -> list[dict[str, Any]]:
    found = source.get(key) if isinstance(source, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _table(source: Any, key: str) -> dict[str, Any]:
    found = source.get(key) if isinstance(source, dict) else None
    return found if isinstance(found, dict) else {}


def _decimal(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
