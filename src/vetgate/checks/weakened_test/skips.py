"""Tests that are there and do not run: skipped, expected to fail, or left behind by one that has the floor."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.tokens import LexicalKind, tokens
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Source

_PYTHON = (
    r"@(?:pytest\.)?mark\.(?:skip|skipif|xfail)\b|@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b"
    r"|pytestmark\s*=.*mark\.(?:skip|xfail)\b"
    r"|(?<![\w.])(?:pytest\.)?importorskip\s*\(\s*[\"'][\w.]+[\"']"
    r"|(?<![\w.])pytest\.(?:skip|xfail)\s*\(|self\.skipTest\s*\(|raise\s+(?:unittest\.)?SkipTest"
    r"|marks\s*=.*mark\.(?:skip|xfail)\b"
    r"|__test__\s*=\s*False|collect_ignore(?:_glob)?\s*(?:=|\+=|\.append|\.extend)"
)
_ECMASCRIPT = (
    r"(?<![\w.$])(?:it|test|describe|context|suite|specify|bench|Deno\.test)(?:\.\w+)*\.(?:skip|todo|failing|fails"
    r"|fixme|ignore)\b(?!If)|(?<![\w.$])(?:it|test|describe)\.(?:skipIf\s*\(\s*true|runIf\s*\(\s*false)\b"
    r"|(?<![\w.$])(?:xit|xtest|xdescribe|xcontext|xspecify)\s*[(.`]|(?<![\w.$])(?:this|t|ctx|context)\.(?:skip"
    r"|todo)\s*\(|(?<![\w.$])pending\s*\("
    r"|[{,]\s*(?:skip|todo|ignore)\s*:\s*(?:true|[\"'`])"
)
_SKIPS = {
    "python": _PYTHON,
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "go": r"\b\w+\.Skip(?:f|Now)?\s*\(",
    "java": r"@(?:\w+\.)*(?:Disabled|Ignore)\b|enabled\s*=\s*false|assumeTrue\s*\(\s*false|assumeFalse\s*\(\s*true",
    "rust": r"#\[\s*ignore\b",
    "csharp": r"[\[,]\s*(?:\w+\.)*(?:Ignore|Explicit)\b(?=\s*[\](,])|\bSkip\s*=\s*[\"@$]|Assert\.(?:Ignore"
    r"|Inconclusive|Skip)\s*\(",
    "php": r"markTest(?:Skipped|Incomplete)\s*\(|->(?:skip|todo)\s*\(|(?<![\w>:$])(?:xit|todo)\s*\(",
    "ruby": r"(?<![\w.:@])(?:skip|pending)\b(?!\s*[=.:])|(?<![\w.:@])x(?:it|describe|context|specify|scenario"
    r"|example)\b"
    r"|(?:skip|pending):\s*(?:true|[\"'])|,\s*:(?:skip|pending)\b",
}
_ONLY = {
    "javascript": r"(?<![\w.$])(?:it|test|describe|context|suite|specify)(?:\.\w+)*\.only\b|(?<![\w.$])(?:fit"
    r"|fdescribe|fcontext|ftest|iit"
    r"|ddescribe)\s*[(.`]|[{,]\s*only\s*:\s*true",
    "php": r"->only\s*\(",
    "ruby": r"(?<![\w.:@])f(?:it|describe|context|specify|scenario|example)\b(?=[\s(]+[\"'\w])|focus:\s*true"
    r"|,\s*:focus\b",
}
_ONLY |= dict.fromkeys(("typescript", "tsx"), _ONLY["javascript"])
_MAY = expression(
    r"skip_?(?:if|unless)\b|xfail\s*\(\s*(?!\s|reason|strict|raises|run|condition\s*=\s*True|True\b|[\"')])",
    re.IGNORECASE,
)
IMPORT = "importorskip"
_NEXT = expression(r"\n\s*(?:@|def\b|async\b|class\b)")
_SURELY = expression(r"skip_?(?:if\s*\(\s*(?:True|1)\b|unless\s*\(\s*(?:False|0)\b)", re.IGNORECASE)
_AROUND = 12
_NODES = frozenset(
    {"if_statement", "if", "if_expression", "unless", "if_modifier", "unless_modifier", "ternary_expression"}
)


@dataclass(frozen=True, slots=True)
class Skip:
    """`depends`: it is skipped only where something is so."""

    what: str
    offset: int
    line: int
    is_only: bool
    depends: bool


def skips(source: Source) -> Iterator[Skip]:
    """Only in code: a string or a comment may speak of them."""
    language = source.language or ""
    for table, is_only in ((_SKIPS, False), (_ONLY, True)):
        pattern = table.get(language)
        matches = list(re.finditer(pattern, source.text, re.MULTILINE)) if pattern else []
        found = tokens(source) if matches else None
        for match in matches:
            start = match.start() + len(match[0]) - len(match[0].lstrip("[{, "))
            if found is not None and found.kind(start) is LexicalKind.CODE:
                line = source.text.count("\n", 0, start) + 1
                said = _NEXT.split(source.text[start : start + 120])[0]
                may = bool(_MAY.search(said)) and not _SURELY.search(said)
                depends = may or IMPORT in match[0] or _depends(found.node(start))
                yield Skip(_plain(match[0]), found.byte(start), line, is_only, depends)


def _plain(said: str) -> str:
    return re.sub(r"\s+", " ", said).strip(" [{,(=")


def _depends(node: Node | None) -> bool:
    """Within a branch, as far as the test goes."""
    for _ in range(_AROUND):
        if node is None or "function" in node.type or "method" in node.type or node.type == "lambda":
            return False
        if node.type in _NODES:
            return True
        node = node.parent
    return False
