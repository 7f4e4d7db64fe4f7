"""The silenced-tool check: a tool told to look away, a bar lowered, a failure that no longer counts."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from vetgate.checks.silenced_tool.casts import RULE as CAST
from vetgate.checks.silenced_tool.casts import casts
from vetgate.checks.silenced_tool.enforcement import DROPPED, LEFT_OUT, OFF, THRESHOLD, enforcement_of
from vetgate.checks.silenced_tool.git_attributes import hidden_lines
from vetgate.checks.silenced_tool.lost_enforcement import ID, find_lost_enforcement, safeguards_of
from vetgate.checks.silenced_tool.moved_suppressions import SUPPRESSION, drop_moved
from vetgate.checks.silenced_tool.pipelines import CHECKS, TESTS, pipeline, scripts
from vetgate.checks.silenced_tool.suppressions import RULE as INLINE
from vetgate.checks.silenced_tool.suppressions import TOOL as OURS
from vetgate.checks.silenced_tool.suppressions import suppressions, waiver_of
from vetgate.engine.check import Check, Report, Rule
from vetgate.model import Finding, Span, Unchecked, UncheckedKind
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.silenced_tool.suppressions import ToolSuppression
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput
    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Source

LET = "tolerated-failure"
HIDDEN = "hidden-from-review"
_RULES = (
    Rule(SUPPRESSION, Severity.ERROR, "A new comment or attribute silences a tool."),
    Rule(OFF, Severity.ERROR, "A rule or a strict setting is switched off."),
    Rule(LEFT_OUT, Severity.ERROR, "A list of what a tool leaves out has grown."),
    Rule(THRESHOLD, Severity.ERROR, "A limit is easier to meet than before."),
    Rule(DROPPED, Severity.ERROR, "A check, a step or a setting that held the code to a bar is gone."),
    Rule(LET, Severity.ERROR, "A check may fail without anybody noticing."),
    Rule(HIDDEN, Severity.ERROR, "Changes of readable files are kept out of a review."),
    Rule(INLINE, Severity.ERROR, "A new comment waives a finding of vetgate."),
    Rule(CAST, Severity.WARNING, "A cast hides code that stood there before from the compiler."),
)
_FIX = "Fix what the tool complains about"

# Nobody writes that many by hand.
_MOST = 1_000
_TOO_MANY = "more than 1,000 places silence a tool; the rest could not be looked at"


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - what every check is asked with
    source = check_input.source
    parts = (
        _suppressed(source),
        () if config.paths.is_test(source.path) else _cast(source),
        _switched_off(source),
        _let(source),
        _kept_from_review(source),
        _empty(source),
    )
    findings = tuple(islice(chain.from_iterable(parts), _MOST + 1))
    rest = (Unchecked(source.path, UncheckedKind.UNFINISHED, _TOO_MANY),) if len(findings) > _MOST else ()
    return Report(findings[:_MOST], rest, safeguards_of(source))


def _suppressed(source: Source) -> Iterator[Finding]:
    for each in suppressions(source):
        if each.directive.tool == OURS:
            yield waiver_of(source, each)
            continue
        yield Finding(
            ID,
            SUPPRESSION,
            Span(source.path, each.line, each.column),
            f"`{each.name}` is silenced here{_because(each)}.",
            each.severity,
            symbol=each.name,
            evidence=each.digest,
            last_line=each.line if each.lacks_only_a_reason else 0,
            fix=f"{_FIX}; where it is wrong, name the rule and write the reason behind it.",
        )


def _cast(source: Source) -> Iterator[Finding]:
    for each in casts(source):
        yield Finding(
            ID,
            CAST,
            Span(source.path, each.line, each.column),
            f"`{each.how}` silences the compiler on this line.",
            Severity.WARNING,
            symbol=each.how,
            evidence=" ".join(each.places),
            fix="Check the value before it is used, or declare the type that it really has.",
        )


def _because(each: ToolSuppression) -> str:
    if not each.codes and each.directive.takes_codes:
        return " for every rule"
    return "" if each.reason else " without a reason"


def _switched_off(source: Source) -> Iterator[Finding]:
    folder = source.path.rpartition("/")[0]
    for each in enforcement_of(source).offs:
        what = (
            f"`{each.item}` is left out by `{each.name}`" if each.rule == LEFT_OUT else f"`{each.name}` is switched off"
        )
        yield Finding(
            ID,
            each.rule,
            Span(source.path, each.line),
            f"{each.tool}: {what}.",
            Severity.WARNING if each.arguable else Severity.ERROR,
            symbol=f"{each.tool} {each.name}",
            evidence=f"{folder} {each.tool} {each.name} {each.item}",
            fix=f"{_FIX}, and leave its settings as they are.",
        )


def _let(source: Source) -> Iterator[Finding]:
    run = pipeline(source.path, source.text)
    for each in run.lets if run is not None else ():
        what = f"`{each.tool}` may fail" if each.tool else "What runs here may fail"
        yield Finding(
            ID,
            LET,
            Span(source.path, each.line),
            f"{what} without anybody noticing: `{each.how}`.",
            Severity.WARNING if each.arguable else Severity.ERROR,
            symbol=each.how,
            evidence=f"{source.path} {each.how} {each.tool}",
            fix="Let it fail, and fix what it finds.",
        )


def _kept_from_review(source: Source) -> Iterator[Finding]:
    if source.path.rpartition("/")[2] != ".gitattributes":
        return
    for line, pattern, how in hidden_lines(source.text):
        yield Finding(
            ID,
            HIDDEN,
            Span(source.path, line),
            f"`{how}` keeps changes of `{pattern}` out of a review.",
            Severity.ERROR,
            symbol=pattern,
            evidence=f"{pattern} {how}",
            fix="Leave files that people read open to review.",
        )


def _empty(source: Source) -> Iterator[Finding]:
    for each in scripts(source):
        if each.is_empty and CHECKS.search(each.name) and not TESTS.search(each.name):
            yield Finding(
                ID,
                LET,
                Span(source.path, each.line),
                f"The script `{each.name}` does nothing.",
                Severity.ERROR,
                symbol=f"script {each.name}",
                evidence=f"{source.path} script {each.name}",
                fix="Let it run the check that its name promises.",
            )


CHECK = Check(
    id=ID,
    summary="Tools that are silenced, limits that are lowered, failures that no longer count.",
    details=(
        "new comments that silence a tool, rules and strict settings switched off, limits lowered, "
        "checks dropped from a pipeline or allowed to fail, files hidden from review; against what was there "
        "before"
    ),
    rules=_RULES,
    report=_report,
    plain=True,
    compares=True,
    on_lost_safeguard=find_lost_enforcement,
    compare_with_before=drop_moved,
    rank=50,
)
