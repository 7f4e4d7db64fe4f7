"""What the rules find at the places that the walk noted, said as findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.fixes import fix_code
from vetgate.checks.security.rule import table_for
from vetgate.checks.security.scan import LONGEST_EVIDENCE
from vetgate.expression import expression
from vetgate.model import Finding, Span, Step
from vetgate.severity import Severity
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from vetgate.checks.security.match import RuleMatch
    from vetgate.checks.security.rule import RuleTable
    from vetgate.checks.security.scan import FileScan
    from vetgate.source.clock import Deadline

_SPACE = expression(r"\s+")
OUT_OF_TIME = "the time for the security rules ran out"
_TANGLED = "its data flow is too tangled to be followed everywhere; what was found before that is reported"


def found(
    noted: FileScan,
    path: str,
    table: RuleTable | None = None,
    deadline: Deadline | None = None,
    sites: Iterable[tuple[str, str, Node]] | None = None,
) -> Iterator[Finding]:
    """What the rules of a table find, vetgate's own unless one is given; `noted.unfinished` says what was left off.

    At these `sites`, else at all that the walk has noted.
    """
    table = table or table_for(noted.family)
    for place in noted.places if sites is None else sites:
        if deadline is not None and deadline.passed():
            noted.unfinished = OUT_OF_TIME
            return
        node = place[2]
        for match in _at(noted, table, *place):
            if (match.rule.id, first_line(node)) in noted.told:
                continue  # the call and its option, both on one line, are one thing to fix
            noted.told.add((match.rule.id, first_line(node)))
            yield _finding(noted, _span(noted, path, node), match, node)
    if noted.matcher.effort.is_spent:
        noted.unfinished = _TANGLED


def _at(noted: FileScan, table: RuleTable, kind: str, name: str, node: Node) -> Iterable[RuleMatch]:
    matcher = noted.matcher
    called = noted.module.lower(node) if kind == "call" and name in noted.aliases else None
    if called is not None and called.kind == ex.CALL:
        name = matcher.paths.of(called.items[0]).rpartition(".")[2].removesuffix("()") or name
    return _strongest(matcher.matches_at(table, kind, name, node))


def _strongest(matches: Iterable[RuleMatch]) -> Iterable[RuleMatch]:
    """Of each rule the pattern that weighs most; among equals the one that its page names first."""
    strongest: dict[str, RuleMatch] = {}
    for match in matches:
        known = strongest.get(match.rule.id)
        if known is None or _severity(match) > _severity(known):
            strongest[match.rule.id] = match
    return strongest.values()


def _span(noted: FileScan, path: str, node: Node) -> Span:
    syntax = noted.syntax
    return Span(path, first_line(node), syntax.column(node), last_line(node), syntax.end_column(node))


def _finding(noted: FileScan, span: Span, match: RuleMatch, node: Node) -> Finding:
    rule, pattern = match.rule, match.pattern
    code = _SPACE.sub(" ", noted.module.language.shown(node))
    sink = code if len(code) <= 60 else code[:57] + "…"
    steps = tuple(Step(line, text) for line, text in match.taint.steps) if match.taint else ()
    if steps:
        steps = (*steps, Step(first_line(node), f"reaches `{sink}`"))
    # What to do and, where that follows from the code alone, the code as it could be.
    advice, instead = pattern.fix or rule.fix, fix_code(noted, rule.id, node)
    return Finding(
        check="security",
        rule=rule.id,
        span=span,
        message=_filled(pattern.message or rule.message, match, sink),
        severity=_severity(match),
        symbol=_symbol(noted, node),
        confidence=rule.confidence if match.taint is None or match.taint.kind == "remote" else 0.4,
        evidence=code[:LONGEST_EVIDENCE],
        fix=f"{advice} Here: `{instead}`" if instead else advice,
        replacement=instead,
        steps=steps,
        cwe=rule.cwe,
        owasp=rule.owasp,
    )


def _severity(match: RuleMatch) -> Severity:
    """What only a parameter or the program's own user could bring is worth a word, never a block."""
    severity = Severity[(match.pattern.severity or match.rule.severity).upper()]
    if match.surmised:
        severity = min(severity, Severity.WARNING)
    if match.taint is None or match.taint.kind == "remote":
        return severity
    weakest = Severity[(match.rule.parameters if match.taint.kind == "parameter" else match.rule.local).upper()]
    return min(severity, weakest)


def _filled(message: str, match: RuleMatch, sink: str) -> str:
    source = match.taint.label if match.taint else ""
    return message.replace("{source}", source).replace("{sink}", match.path.replace("@", "")).replace("{code}", sink)


def symbol_at(noted: FileScan, offset: int) -> str:
    """The function around a byte."""
    node = noted.syntax.tree.root_node.descendant_for_byte_range(offset, offset)
    return _symbol(noted, node) if node is not None else ""


def _symbol(noted: FileScan, node: Node) -> str:
    """The names of the functions around, the innermost last."""
    function = noted.module.function_around(node)
    if function is None:
        return ""
    if function.id not in noted.symbols:
        names: list[str] = []
        around: Node | None = function
        while around is not None:
            name = noted.module.language.name_of(around)
            names += [name] if name else []
            around = noted.module.function_around(around)
        noted.symbols[function.id] = ".".join(reversed(names))
    return noted.symbols[function.id]
