"""Security rules with data flow: each rule is a page, all of them one table, looked up on the walk all checks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security.by_piece import findings_of
from vetgate.checks.security.findings import OUT_OF_TIME
from vetgate.checks.security.rule import FAMILIES, rules
from vetgate.checks.security.scan import FileScan
from vetgate.config.keys import PROSE, RULE_NAME, SEVERITIES
from vetgate.config.options import OWN, Option
from vetgate.config.value_shapes import Choice, Key, ListOf, MapOf, MappingShape, Regex, TextShape, Whole
from vetgate.engine.check import Check, InTests, Report
from vetgate.model import Unchecked, UncheckedKind
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.checks.security.rule import SecurityRule
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput, Rule
    from vetgate.source.clock import Deadline


_RULE_NAME = TextShape("a rule's name (lower-case letters, digits and -)", RULE_NAME)
_CALL = TextShape("the name of a call (db.query, *.run_sql, {a,b}.query)", r"[^\s\x00-\x1f]{1,200}")
_LINE_RULE = MappingShape(
    {
        "pattern": Key(Regex(), "A line with a match is a finding.", required=True),
        "message": Key(PROSE, "What is wrong; {code} stands for what matched.", required=True),
        "severity": Key(Choice(SEVERITIES), "Its severity; warning by default."),
        "fix": Key(PROSE, "How to fix it."),
        "cwe": Key(ListOf(Whole(1, 9_999)), "CWE numbers of the weakness."),
        "languages": Key(
            ListOf(Choice(tuple(FAMILIES)), least=1), "Only files in these; javascript is TypeScript, too."
        ),
    }
)
_NOTHING: dict[str, object] = {}
_OPTIONS = (
    Option(
        "security.custom", MapOf(_RULE_NAME, _LINE_RULE), _NOTHING, "Rules of your own that match lines, by name.", OWN
    ),
    Option(
        "security.sinks",
        MapOf(_RULE_NAME, ListOf(_CALL, least=1)),
        _NOTHING,
        "Calls of your own that a rule of vetgate treats like its first call.",
        OWN,
    ),
)


def _under(config: Config) -> Check:
    if not config.security:
        return CHECK
    from vetgate.checks.security.user.check import extended  # noqa: PLC0415 - few projects have rules of their own

    return extended(CHECK, config.security)


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - severities are the engine's
    found = findings_of(check_input.parsed, check_input.source.path, deadline)
    findings, reason = found.findings, found.unfinished
    if isinstance(check_input.state, FileScan):
        check_input.state.told.update((finding.rule, finding.span.line) for finding in findings)
    # Code that is too tangled is what it is, however long one looks.
    kind = UncheckedKind.UNFINISHED if reason == OUT_OF_TIME else UncheckedKind.OTHER
    return Report(findings, (Unchecked(check_input.source.path, kind, reason),) if reason else ())


def _noted(noted: FileScan) -> Iterable[int]:
    """Another name for something known matters wherever it is used."""
    if noted.aliases:
        return range(1, last_line(noted.syntax.tree.root_node) + 1)
    return (first_line(node) for _, _, node in noted.places)


def _rule(rule: SecurityRule) -> Rule:
    families = {FAMILIES.get(language) for pattern in rule.find for language in pattern.languages}
    return rule.described(language for language, family in FAMILIES.items() if family in families)


CHECK = Check(
    id="security",
    summary="Input that reaches code, commands, queries, files, addresses or markup; weak and switched-off protection.",
    details=(
        "input that reaches code, commands, queries, files, addresses or markup, with the way it takes line by "
        "line; unsafe deserialisation; weak and switched-off protection"
    ),
    scope="JavaScript, TypeScript, TSX, Python; the common frameworks of Go, Java, C#, PHP, Ruby and Rust",
    rules=tuple(map(_rule, rules())),
    languages=frozenset(FAMILIES),
    report=_report,
    in_tests=InTests.QUIET,
    configured=_under,
    noted_lines=_noted,
    rank=20,
    options=_OPTIONS,
    options_summary="What this project adds to the security check; see docs/user-rules.md.",
)
