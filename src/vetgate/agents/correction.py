"""What an agent is told when it is stopped: the most important first, each thing once, with the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.engine.decide import blocks
from vetgate.model import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.config.schema import Output
    from vetgate.model import Finding, Gate, Step, Unchecked, Verdict

_STEPS_SHOWN = 10
_CODE_WIDTH = 100
_LONGEST = 9_000


def correction(
    verdict: Verdict, gates: Mapping[str, Gate], texts: Mapping[str, str], output: Output, *, landed: bool = False
) -> str:
    """The whole text for the model, never longer than a client shows. `landed`: the change is on disk already."""
    blocking, telling = _split(verdict, gates)
    parts = [_opening(verdict.decision, blocking, landed=landed)]
    shown = blocking[: output.max_suggestions]
    parts += [_full(number, finding, texts, output) for number, finding in enumerate(shown, start=1)]
    if len(blocking) > len(shown):
        parts.append("Also:\n" + "\n".join(_short(finding) for finding in blocking[len(shown) :]))
    if telling:
        title = "Told, not blocking:" if blocking else "vetgate let this edit through, and found:"
        parts.append("\n".join([title, *(_short(finding) for finding in telling)]))
    parts += [_not_checked(verdict.unchecked), *(f"vetgate: {note}" for note in verdict.notes)]
    if verdict.decision is Decision.BLOCK and verdict.id:
        parts.append(f"Details: vetgate explain {verdict.id}")
    return _cut("\n\n".join(part for part in parts if part))


def summary(verdict: Verdict, gates: Mapping[str, Gate]) -> str:
    """The one line a person sees."""
    blocking, _ = _split(verdict, gates)
    if not blocking:
        return ""
    first = blocking[0]
    more = f" and {len(blocking) - 1} more" if len(blocking) > 1 else ""
    return f"vetgate: {first.span.path}:{first.span.line} {first.id} in {first.symbol or 'the file'}{more}"


def _split(verdict: Verdict, gates: Mapping[str, Gate]) -> tuple[list[Finding], list[Finding]]:
    blocking, telling = [], []
    for outcome in verdict.outcomes:
        for finding in outcome.findings:
            if blocks(finding, gates[outcome.gate]):
                blocking.append(finding)
            elif finding.new:
                telling.append(finding)
    blocking.sort(key=lambda finding: -finding.severity)
    return blocking, telling


def _opening(decision: Decision, blocking: list[Finding], *, landed: bool) -> str:
    if decision < Decision.ASK or not blocking:
        return ""
    where = ", ".join(dict.fromkeys(finding.span.path for finding in blocking))
    count = f"{len(blocking)} finding{'s' if len(blocking) > 1 else ''}"
    if landed:
        return f"vetgate: {count} in {where} that this session introduced and that must be corrected before it ends."
    return (
        f"vetgate stopped this: {count} in {where} that the change introduces. Nothing was written. "
        "Correct it as below and try again; line numbers are those of the resulting file."
    )


def _full(number: int, finding: Finding, texts: Mapping[str, str], output: Output) -> str:
    lines = texts.get(finding.span.path, "").split("\n") if output.snippets else []
    text = [f"{number}. {finding.severity} {finding.id} at {finding.span.path}:{finding.span.line}", finding.message]
    text += _frame(finding.span.line, lines)
    text += [_step(step, lines) for step in finding.steps[:_STEPS_SHOWN]]
    if len(finding.steps) > _STEPS_SHOWN:
        text.append(f"  and {len(finding.steps) - _STEPS_SHOWN} more lines")
    if finding.fix:
        text.append(f"Fix: {finding.fix}")
    return "\n".join(text)


def _frame(number: int, lines: list[str]) -> Iterable[str]:
    if 0 < number <= len(lines):
        yield f"  {number} | {lines[number - 1].strip()[:_CODE_WIDTH]}"


def _step(step: Step, lines: list[str]) -> str:
    code = lines[step.line - 1].strip()[:_CODE_WIDTH] if 0 < step.line <= len(lines) else ""
    return f"  line {step.line}: {step.text}" + (f"    {code}" if code else "")


def _short(finding: Finding) -> str:
    return f"- {finding.severity} {finding.id} at {finding.span.path}:{finding.span.line}: {finding.message}"


def _not_checked(unchecked: Iterable[Unchecked]) -> str:
    return "\n".join(f"Not checked by vetgate: {item.path}: {item.reason}" for item in unchecked)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "\n[cut; fix these first]"
