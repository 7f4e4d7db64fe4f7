"""The shape of an answer, and reading one from whatever a model made of it."""

from __future__ import annotations

import json
from typing import Any

from vetgate.expression import expression
from vetgate.judgement import Answer, JudgeDecision, JudgeFinding
from vetgate.redact import redacted
from vetgate.severity import Severity

TOOL = "answer"
WRONG_FORM = "the model did not answer in the requested form"
DESCRIPTION = "Your decision on what was asked, and why. Call this once, when you are done."
_TEXT = {"type": "string"}
_FINDING: dict[str, Any] = {
    "type": "object",
    "properties": {
        "message": {"type": "string", "description": "What is wrong, in one or two sentences."},
        "category": {
            "type": "string",
            "description": "security, complexity, semantics, test, style, intent or similar",
        },
        "severity": {"type": "string", "enum": ["note", "warning", "error", "critical"]},
        "path": {"type": "string", "description": "The file it is in, or an empty text."},
        "line": {"type": "integer", "description": "The line it is at, or 0."},
        "rule": {"type": "string", "description": "A short name for this kind of problem, or an empty text."},
        "fix": {"type": "string", "description": "What to do instead, or an empty text."},
    },
    "required": ["message", "category", "severity", "path", "line", "rule", "fix"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "enum": ["allow", "deny"]},
        "confidence": {"type": "number", "description": "How sure you are, from 0 to 1."},
        "reason": {"type": "string", "description": "Why, in at most three sentences."},
        "findings": {"type": "array", "items": _FINDING},
    },
    "required": ["decision", "confidence", "reason", "findings"],
    "additionalProperties": False,
}

_SEVERITIES = {
    "note": Severity.NOTE,
    "info": Severity.NOTE,
    "minor": Severity.NOTE,
    "low": Severity.NOTE,
    "warning": Severity.WARNING,
    "medium": Severity.WARNING,
    "error": Severity.ERROR,
    "major": Severity.ERROR,
    "high": Severity.ERROR,
    "critical": Severity.CRITICAL,
    "blocker": Severity.CRITICAL,
}
_MOST_FINDINGS, _LONGEST, _LONGEST_NAME, _LONGEST_TEXT = 50, 2_000, 80, 200_000
_CONTROL = expression(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FENCED = expression(r"```(?:json)?\s*\n(.{1,50000}?)\n\s*```", 16)  # 16: a dot is any character


class MalformedAnswerError(ValueError):
    """Says what is wrong with an answer, in words that the model can act on."""


def read_answer(value: Any) -> Answer:
    """Strict about the decision, lenient about the rest; raises MalformedAnswerError."""
    if not isinstance(value, dict):
        raise MalformedAnswerError("The answer must be an object with decision, confidence, reason and findings.")
    word = str(value.get("decision", "")).strip().lower()
    if word not in set(JudgeDecision):
        raise MalformedAnswerError("`decision` must be allow or deny.")
    confidence = _number(value.get("confidence"))
    if confidence is None:
        raise MalformedAnswerError("`confidence` must be a number from 0 to 1.")
    findings = value.get("findings") or []
    if not isinstance(findings, list):
        raise MalformedAnswerError("`findings` must be a list.")
    read = tuple(_finding(each) for each in findings[:_MOST_FINDINGS])
    return Answer(JudgeDecision(word), confidence, _text(value.get("reason")), read)


def read_text(text: str) -> Answer:
    """From words that hold an answer as JSON. Two that contradict each other are none: one may be quoted."""
    found = [answer for answer in map(_tried, _objects(text[:_LONGEST_TEXT])) if answer is not None]
    if not found:
        raise MalformedAnswerError(f"Answer with JSON only: an object with {', '.join(SCHEMA['required'])}.")
    if len({answer.decision for answer in found}) > 1:
        raise MalformedAnswerError("Give exactly one answer; there were several decisions.")
    return found[-1]


def _tried(value: Any) -> Answer | None:
    try:
        return read_answer(value)
    except MalformedAnswerError:
        return None


def _objects(text: str) -> list[Any]:
    stripped = text.strip()
    for candidate in (stripped, *(match[1] for match in _FENCED.finditer(stripped))):
        try:
            return [json.loads(candidate)]
        except (ValueError, RecursionError):
            continue
    return _embedded(stripped)


def _embedded(text: str) -> list[Any]:
    decoder, at, found = json.JSONDecoder(), text.find("{"), []
    for _ in range(100):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found


def _finding(value: Any) -> JudgeFinding:
    if isinstance(value, str):
        value = {"message": value}
    message = _text(value.get("message")) if isinstance(value, dict) else ""
    if not message:
        raise MalformedAnswerError("Each of `findings` must be an object with a message.")
    line = _number(value.get("line"))
    return JudgeFinding(
        message=message,
        category=_name(value.get("category")) or "semantics",
        severity=_SEVERITIES.get(_name(value.get("severity")), Severity.WARNING),
        path=_text(value.get("path")).replace("\n", " "),
        line=int(line) if line is not None and 0 < line < 10**9 else 0,
        rule=_name(value.get("rule")),
        fix=_text(value.get("fix")),
    )


def _number(value: Any) -> float | None:
    """Also where it came as a text; `85%` is 0.85."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            return float(value.strip().removesuffix("%")) / (100 if value.strip().endswith("%") else 1)
        except ValueError:
            return None
    return float(value) if isinstance(value, int | float) else None


def _name(value: Any) -> str:
    return "-".join(_text(value).lower().split())[:_LONGEST_NAME]


def _text(value: Any) -> str:
    """Without what a terminal or a reader would be misled by, and without secrets that a model repeats."""
    if not isinstance(value, str):
        return ""
    return redacted(_CONTROL.sub("", value).strip())[:_LONGEST]
