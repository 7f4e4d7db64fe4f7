"""Annotations for a GitHub workflow: commands on standard output that the runner turns into notes beside the code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.service.safe_text import encodable
from vetgate.severity import Severity

if TYPE_CHECKING:
    from vetgate.model import Finding
    from vetgate.service.report.run import Run

_COMMANDS = {
    Severity.CRITICAL: "error",
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}


def render(run: Run) -> str:
    # The runner shows only the first ten of a kind: the worst come first.
    worst_first = sorted(run.findings, key=lambda finding: (finding.advisory, -finding.severity))
    lines = [_annotation(finding) for finding in worst_first]
    lines += [
        _command("warning", {"file": each.path, "title": "not checked"}, each.reason) for each in run.verdict.unchecked
    ]
    lines += [_command("error", {"title": "a check failed"}, error) for error in run.errors]
    if run.review is not None:
        lines += [f"loop {each.name}: {each.status} {each.took}".rstrip() for each in run.review.loops]
        lines += [_command("warning", {"title": "skipped"}, each) for each in run.review.skipped]
    lines.append(f"vetgate: {run.summary()}")
    return "\n".join(lines) + "\n"


def _annotation(finding: Finding) -> str:
    span = finding.span
    properties: dict[str, str | int] = {"file": span.path, "line": span.line, "endLine": span.end_line or span.line}
    # The runner takes columns only for a place within one line.
    if span.end_line in {0, span.line}:
        properties["col"] = span.column
        if span.end_column > span.column:
            properties["endColumn"] = span.end_column
    properties["title"] = finding.id
    message = f"{finding.message}\n{finding.fix}" if finding.fix else finding.message
    return _command("notice" if finding.advisory else _COMMANDS[finding.severity], properties, message)


def _command(name: str, properties: dict[str, str | int], message: str) -> str:
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return encodable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
