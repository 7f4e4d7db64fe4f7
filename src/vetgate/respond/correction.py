"""What an agent is told when it is stopped: the most important first, each thing once, with the way out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.safeguards import GONE as REMOVED_TEST
from vetgate.engine.decide import FAILURES, blocks
from vetgate.engine.settle import RISE
from vetgate.failure import advice
from vetgate.model import Decision, EventKind, FailureKind, Override, UncheckedKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from vetgate.config.schema import Output
    from vetgate.model import Finding, Gate, Outcome, Retry, Unchecked, Verdict

_STEPS_SHOWN = 10
_CODE_WIDTH = 100
_LONGEST_FINDING = 600
_BRIEF = 160
_LONGEST = 9_000
_TRIED_SHOWN = 3
_LINES_SHOWN = 20
_COPIES_SHOWN = 4
_COMMANDS = "unsafe-command"
_SAFE_WAY = "Do it the safe way, or say why you need it."
_ONCE = "A person can allow it once: vetgate allow"
# A command can change a thousand files; nobody reads a list of them.
_FAILURES_SHOWN = 5
# What a judge stops, and what then holds.
_HELD = {
    EventKind.BEFORE_EDIT: ("this edit", "Nothing was written. Do what was asked for, or tell the person why."),
    EventKind.BEFORE_COMMAND: ("this command", "It did not run. Do what was asked for, or tell the person why."),
    EventKind.BEFORE_TOOL: ("this call", "It did not happen. Do what was asked for, or tell the person why."),
    EventKind.STOP: ("the end of this turn", "Fix it, or tell the person why it is right."),
    EventKind.SUBAGENT_STOP: ("the end of this turn", "Fix it, or say why it is right."),
}


def correction(
    verdict: Verdict,
    gates: Mapping[str, Gate],
    texts: Callable[[str], str],
    output: Output,
    *,
    landed: bool = False,
    task: str = "",
    kind: EventKind = EventKind.BEFORE_EDIT,
) -> str:
    """The whole text for the model, never longer than a client shows. `landed`: the change is on disk already.

    What is tried again unchanged gets a short form: everything was said the first time. `task` is what the person
    asked for.
    """
    blocking, telling = _split(verdict, gates)
    judges = _judges(verdict, gates)
    if blocking and not blocking[0].span.path and not judges:
        return refused_command(verdict, blocking, task) if verdict.decision >= Decision.ASK else ""
    if (told := _without_fixes(verdict, blocking, telling)) is not None:
        return told
    opening = _opening(verdict.decision, blocking, landed=landed)
    if judges:
        is_earlier = any(each.earlier for each in verdict.outcomes)
        opening = _denied(verdict.decision, judges, kind, is_earlier=is_earlier)
    parts = [opening, _again(verdict)]
    parts += _list_fixes(blocking, texts, output, repeats=verdict.retry is not None and verdict.retry.same)
    if telling := [each for each in telling if not _is_noted(each, verdict.notes)]:
        title = "Told, not blocking:" if blocking else "vetgate let this through, and found:"
        parts.append("\n".join([title, *_listed(telling)]))
    parts += failure_notes(verdict.outcomes, verdict.unchecked, gates)
    parts += [f"{note[:1].upper()}{note[1:]}" if any(parts) else f"vetgate: {note}" for note in verdict.notes]
    context = _context(verdict, task) if blocking and verdict.decision >= Decision.ASK else ""
    details = f"Details: vetgate explain {verdict.id}" if verdict.decision >= Decision.ASK and verdict.id else ""
    return _cut(_joined(*parts), _joined(context, details))


def _without_fixes(verdict: Verdict, blocking: list[Finding], telling: list[Finding]) -> str | None:
    """What a command does, and what a person allowed: there is nothing to correct."""
    notes = [f"vetgate: {note}" for note in verdict.notes]
    if verdict.overridden is Override.PERSON:
        return "\n".join((*notes, *_listed(blocking)))
    deeds = _deeds(blocking, telling)
    return "\n".join((*deeds, *notes)) if deeds else None


def _deeds(blocking: list[Finding], telling: list[Finding]) -> list[str]:
    """What a command does that is only told: a line each."""
    if blocking or not telling or any(each.span.path or each.check != _COMMANDS for each in telling):
        return []
    return [f"vetgate: {each.message}" for each in telling]


def _list_fixes(
    blocking: list[Finding], texts: Callable[[str], str], output: Output, *, repeats: bool
) -> Iterable[str]:
    """As many in full as suggestions are wanted, the others in a line each."""
    groups = _finding_groups(blocking)
    shown = 0 if repeats else output.max_suggestions
    fixes: dict[str, int] = {}
    for number, group in enumerate(groups[:shown], start=1):
        yield _full(number, group, texts, output, fixes)
    if groups[shown:]:
        title = "As said before:" if repeats else "Also:"
        yield "\n".join([title, *_listed([finding for group in groups[shown:] for finding in group.findings])])


def _is_noted(finding: Finding, notes: tuple[str, ...]) -> bool:
    """Whether a note says already what became of it."""
    return finding.advisory and any(note.startswith(f"`{finding.symbol}` ") for note in notes)


def _listed(findings: list[Finding]) -> Iterable[str]:
    yield from map(_short, findings[:_LINES_SHOWN])
    if findings[_LINES_SHOWN:]:
        yield f"- and {len(findings) - _LINES_SHOWN} more"


def refused_command(verdict: Verdict, blocking: list[Finding], task: str = "") -> str:
    """A command has no lines to fix: what it would do, and how to get the same safely."""
    asks = verdict.decision is Decision.ASK
    opening = "vetgate asks a person about this command:" if asks else "vetgate stopped this command; it did not run:"
    effects = [f"- {finding.message} ({finding.id})\n  {finding.fix}" for finding in blocking]
    is_spent = verdict.retry is not None and verdict.retry.number > verdict.retry.most
    way_out = "" if asks else _ONCE if is_spent else f"{_SAFE_WAY} {_ONCE}"
    details = f"Details: vetgate explain {verdict.id}" if verdict.id else ""
    context = _context(verdict, task)
    return _cut("\n".join([opening, *effects]), _joined(_again(verdict), way_out, context, details))


def _context(verdict: Verdict, task: str) -> str:
    """What it is for, and what did not work."""
    lines = [f'The task is still: "{task}"'] if task else []
    if verdict.retry is not None and verdict.retry.tried:
        lines.append(f"Tried before and refused: {'; '.join(verdict.retry.tried[-_TRIED_SHOWN:])}.")
    return "\n".join(lines)


def _again(verdict: Verdict) -> str:
    """For a repeat: that it is one, and of what."""
    retry = verdict.retry
    if retry is None or retry.number == 1:
        return ""
    parts = [_budget(retry, verdict.decision)]
    if retry.same:
        parts.append("Nothing has changed since it was refused.")
    if retry.earlier:
        named = "" if retry.tried else f" (as {retry.earlier[0]})"
        parts.append(f"The same was refused before{named}, done another way.")
    return " ".join(part for part in parts if part)


def _budget(retry: Retry, decision: Decision) -> str:
    if decision < Decision.ASK:
        return ""  # a note says why it is let through
    if retry.number <= retry.most:
        return f"Attempt {retry.number} of {retry.most}."
    if decision is Decision.ASK:
        return f"This was refused {times(retry.most)}: now a person decides. Stop trying, and say what you need."
    often = times(retry.most)
    return f"This was refused {often} before. It will not pass as it is: fix it, or say what is in the way."


def summary(verdict: Verdict, gates: Mapping[str, Gate]) -> str:
    """The one line a person sees."""
    blocking, telling = _split(verdict, gates)
    if told := _deeds(blocking, telling):
        return told[0]
    if not blocking:
        notes = verdict.notes if verdict.decision >= Decision.ASK else ()
        said = (*failure_notes(verdict.outcomes, verdict.unchecked, gates), *(f"vetgate: {note}" for note in notes))
        return next(iter(said), "")
    first = blocking[0]
    more = f" and {len(blocking) - 1} more" if len(blocking) > 1 else ""
    if not first.span.path or _judges(verdict, gates):
        return f"vetgate: {first.message.removesuffix('.')}{more}"
    return f"vetgate: {_brief(first.message)} ({first.span.path}:{first.span.line}, {first.id}){more}"


def _brief(message: str) -> str:
    message = " ".join(message.split()).removesuffix(".")
    return message if len(message) <= _BRIEF else f"{message[: _BRIEF - 1]}…"


def _split(verdict: Verdict, gates: Mapping[str, Gate]) -> tuple[list[Finding], list[Finding]]:
    blocking, telling = [], []
    for outcome in verdict.outcomes:
        for finding in outcome.findings:
            if blocks(finding, gates[outcome.gate]):
                blocking.append(finding)
            elif finding.new and not finding.said:
                waits = finding.later and finding.severity >= gates[outcome.gate].block_at
                telling.append(replace(finding, later=waits))
    # What is wrong before what is only too much of something.
    blocking.sort(key=lambda finding: (-finding.severity, finding.value is not None))
    return blocking, telling


def _opening(decision: Decision, blocking: list[Finding], *, landed: bool) -> str:
    if not blocking:
        return ""
    where = ", ".join(dict.fromkeys(finding.span.path for finding in blocking))
    count = f"{_counted(len(blocking), 'finding')} ({_by_check(blocking)})"
    if landed:
        must = " and that must be corrected before it ends" if decision >= Decision.ASK else ""
        return f"vetgate: {count} in {where} that this session introduced{must}."
    if decision < Decision.ASK:
        return f"vetgate let this edit through, with {count} in {where} that it introduces."
    if decision is Decision.ASK:
        return f"vetgate asks a person about this edit: {count} in {where} that it introduces."
    return (
        f"vetgate stopped this: {count} in {where} that the change introduces. Nothing was written. "
        "Correct it as below and try again; line numbers are those of the resulting file."
    )


def _judges(verdict: Verdict, gates: Mapping[str, Gate]) -> list[str]:
    """The judges that deny it, where nobody else has anything against it."""
    denying = [
        each.gate for each in verdict.outcomes if any(blocks(found, gates[each.gate]) for found in each.findings)
    ]
    return list(dict.fromkeys(gates[name].judge for name in denying)) if all(gates[n].judge for n in denying) else []


def _denied(decision: Decision, judges: list[str], kind: EventKind, *, is_earlier: bool = False) -> str:
    who = f"the judge{'' if len(judges) == 1 else 's'} {' and '.join(judges)}"
    if decision < Decision.ASK:
        return f"vetgate: {who} denied this call after it had passed. Fix it, or tell the person why it is right."
    what, then = _HELD.get(kind, _HELD[EventKind.BEFORE_TOOL])
    if is_earlier:
        return (
            f"vetgate stopped {what}: {who} denied an earlier call after it had passed. Fix what is listed below, or "
            "tell the person why it is right; then make this call again."
        )
    if decision is Decision.ASK:
        return f"vetgate asks a person about {what}: {who} would deny it."
    return f"vetgate stopped {what}: {who} denied it. {then}"


def _by_check(blocking: list[Finding]) -> str:
    """`security 1, complexity 2`: the summary, by dimension, the weightiest first."""
    return ", ".join(f"{name} {number}" for name, number in Counter(each.check for each in blocking).items())


@dataclass(frozen=True, slots=True)
class _FindingGroup:
    """One thing to fix: the measures of a function, or a finding; `copies` are the same in other files."""

    findings: tuple[Finding, ...]
    copies: tuple[Finding, ...] = ()


def _finding_groups(findings: list[Finding]) -> list[_FindingGroup]:
    places: dict[object, list[Finding]] = {}
    for finding in findings:
        key = (finding.span.path, finding.span.line, finding.symbol) if finding.value is not None else id(finding)
        places.setdefault(key, []).append(finding)
    alike: dict[object, list[list[Finding]]] = {}
    for group in places.values():
        alike.setdefault(tuple((each.id, each.fingerprint, each.message) for each in group), []).append(group)
    return [_FindingGroup(tuple(groups[0]), tuple(group[0] for group in groups[1:])) for groups in alike.values()]


def _full(number: int, whole: _FindingGroup, texts: Callable[[str], str], output: Output, fixes: dict[str, int]) -> str:
    """At most so long as one finding may be; of the lines that lead to it as many as fit. A fix is said once."""
    # What is furthest above its limit says best where to begin: less of the rest is left after that.
    group = sorted(whole.findings, key=lambda each: (each.value or 0) / max(each.limit or 1, 1), reverse=True)
    first = group[0]
    lines = texts(first.span.path).split("\n") if output.snippets and first.rule != REMOVED_TEST else []
    names = ", ".join(finding.id for finding in group)
    head = [f"{number}. {first.severity} {names}{_at(first)}{_copies(whole.copies)}"]
    head += [f"{finding.message}{_risen(finding)}" for finding in group]
    said = fixes.setdefault(first.fix, number) if first.fix else number
    fix = [f"Fix: as for {said}."] if said != number else [f"Fix: {first.fix}"] if first.fix else []
    for steps in range(_STEPS_SHOWN, -1, -1):
        text = "\n".join([*head, *_frame(first.span.line, lines), *_steps(first, lines, steps), *fix])
        if len(text) <= _LONGEST_FINDING:
            break
    return text


def _copies(findings: tuple[Finding, ...]) -> str:
    if not findings:
        return ""
    more = f" and {len(findings) - _COPIES_SHOWN} more" if findings[_COPIES_SHOWN:] else ""
    return f"; the same at {', '.join(f'{each.span.path}:{each.span.line}' for each in findings[:_COPIES_SHOWN])}{more}"


def _risen(finding: Finding) -> str:
    if finding.before is None:
        return ""
    return f" It was {finding.before} before: only what this change adds counts, and less than {RISE} passes."


def _frame(number: int, lines: list[str]) -> Iterable[str]:
    if 0 < number <= len(lines):
        yield f"  {number} | {lines[number - 1].strip()[:_CODE_WIDTH]}"


def _steps(finding: Finding, lines: list[str], most: int) -> Iterable[str]:
    """Of a measure the heaviest steps in the order of the text, of a flow its way; a line's code shown once.

    What a flow does on the line of the finding, its message says.
    """
    at_once = finding.span.line if finding.value is None else 0
    steps = tuple(step for step in finding.steps if step.line != at_once)
    kept = list(steps[:most])
    if finding.value is not None:
        heaviest = sorted(steps, key=lambda step: -step.weight)[:most]
        kept = sorted(heaviest, key=lambda step: step.line)
    shown = 0
    for step in kept:
        code = lines[step.line - 1].strip()[:_CODE_WIDTH] if 0 < step.line <= len(lines) else ""
        yield f"  line {step.line}: {step.text}" + (f"    {code}" if code and step.line != shown else "")
        shown = step.line
    if len(steps) > len(kept):
        yield f"  and {_counted(len(steps) - len(kept), 'more step')}"


def _short(finding: Finding) -> str:
    severity = "to fix before your turn ends:" if finding.later else "advice" if finding.advisory else finding.severity
    return f"- {severity} {finding.id}{_at(finding)}: {finding.message}{_risen(finding)}"


def _at(finding: Finding) -> str:
    """A judge may not know the line, or speak of no file at all."""
    line = f":{finding.span.line}" if finding.span.line else ""
    return f" at {finding.span.path}{line}" if finding.span.path else ""


def times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _cut(text: str, ending: str) -> str:
    """What is said last is never what is cut off."""
    room = _LONGEST - len(ending)
    return _joined(text if len(text) <= room else f"{text[:room]}\n[cut; fix these first]", ending)


def failure_notes(outcomes: Iterable[Outcome], unchecked: Iterable[Unchecked], gates: Mapping[str, Gate]) -> list[str]:
    """What happened and what to do, each kind of failure once with all that it happened to."""
    groups: dict[FailureKind | None, list[str]] = {}
    for outcome in outcomes:
        if outcome.error and not outcome.pending:
            broken = FailureKind.MODEL if gates[outcome.gate].judge else FailureKind.ANALYSIS
            groups.setdefault(broken, []).append(f"gate {outcome.gate}: {outcome.error}")
    for item in unchecked:
        # Nothing is wrong with a file that an edit does not fit.
        kind = None if item.kind is UncheckedKind.MISFIT else FAILURES[item.kind]
        groups.setdefault(kind, []).append(f"{item.path}: {item.reason}")
    return [_failure_note(kind, what) for kind, what in groups.items()]


def _failure_note(kind: FailureKind | None, what: list[str]) -> str:
    more = f"; and {len(what) - _FAILURES_SHOWN} more" if len(what) > _FAILURES_SHOWN else ""
    listed = "; ".join(what[:_FAILURES_SHOWN]) + more
    if kind is None:
        then = "Read the file again, then make the edit fit it."
        return f"Not checked by vetgate: {listed}. {then}"
    return f"Not checked by vetgate: {listed} ({kind}). {advice(kind)}"
