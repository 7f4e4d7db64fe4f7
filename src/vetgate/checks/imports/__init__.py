"""The imports check: modules that nobody knows, be they invented or mistyped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.imports import dotted, ecmascript, go, php, python, ruby, rust
from vetgate.checks.imports.unknown_imports import MISTYPED, UNKNOWN, WRONG_FILE
from vetgate.engine.check import Check, Report, Rule
from vetgate.model import Finding, Span
from vetgate.severity import Severity
from vetgate.source.language import is_generated
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from vetgate.checks.imports.unknown_imports import UnknownImport
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput
    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Source, Syntax

_RULES = {
    rule.id: rule
    for rule in (
        Rule(
            UNKNOWN,
            Severity.WARNING,
            "A package that neither the project nor its manifests nor its environment know.",
            languages=frozenset({"javascript", "typescript", "tsx", "python", "go", "rust", "ruby", "php"}),
        ),
        Rule(MISTYPED, Severity.ERROR, "A package that does not exist, one typo away from one that does."),
        Rule(
            WRONG_FILE,
            Severity.WARNING,
            "A file that does not exist, one typo away from one that does.",
            languages=frozenset({"javascript", "typescript", "tsx"}),
        ),
    )
}
_READERS = {
    "python": python.unknown,
    "javascript": ecmascript.unknown,
    "typescript": ecmascript.unknown,
    "tsx": ecmascript.unknown,
    "go": go.unknown,
    "rust": rust.unknown,
    "ruby": ruby.unknown,
    "php": php.unknown,
    "java": dotted.unknown_in_java,
    "csharp": dotted.unknown_in_csharp,
}


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - what every check is asked with
    source, syntax = check_input.source, check_input.parsed
    if is_generated(source.text):
        return Report()
    is_test = config.paths.is_test(source.path)
    read = _READERS[syntax.language]
    findings = tuple(_finding(source, syntax, each) for each in read(source, syntax, is_test=is_test))
    # A manifest may name it any moment; the text stays the same.
    return Report(findings, momentary=bool(findings))


def _finding(source: Source, syntax: Syntax, each: UnknownImport) -> Finding:
    node = each.node
    return Finding(
        check=CHECK.id,
        rule=each.rule,
        span=Span(source.path, first_line(node), syntax.column(node), last_line(node), syntax.end_column(node)),
        message=each.message,
        severity=_RULES[each.rule].severity,
        symbol=each.name,
        confidence=each.confidence,
        evidence=each.name,
        fix=each.fix,
    )


# Imports are found in the text, and looked up in the tree only where nobody knows them: no walk is needed.
CHECK = Check(
    id="imports",
    summary="Packages that nobody knows: invented, mistyped, or not yet declared.",
    details=(
        "packages that neither the standard library, the project, its manifests and lock files nor its environment"
        " know, with the one that may have been meant; a mistyped one blocks, one not yet declared is reported"
    ),
    scope="JavaScript, TypeScript, TSX, Python, Go, Rust, PHP, Ruby; mistyped ones in Java and C#",
    rules=tuple(_RULES.values()),
    languages=frozenset(_READERS),
    report=_report,
    rank=70,
)
