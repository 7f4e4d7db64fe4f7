"""Rules in the words of ast-grep, run where it is installed (`vetgate[rules]`), on texts with the words they need."""

from __future__ import annotations

import importlib
import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from vetgate.checks.security.fenced_blocks import BadBlock, FencedBlock
from vetgate.checks.security.rule import Pattern, SecurityRule
from vetgate.checks.security.user.text_findings import UserRuleMatch, finding
from vetgate.expression import expression
from vetgate.model import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vetgate.checks.security.user.text_findings import FileText
    from vetgate.model import Finding

    Possible = Callable[[str], bool]


# What ast-grep calls a language, in lower case -> what we do. Others are not looked at, so a rule for them is a slip.
_LANGUAGES = {
    **dict.fromkeys(("python", "py"), "python"),
    **dict.fromkeys(("javascript", "js", "jsx"), "javascript"),
    **dict.fromkeys(("typescript", "ts"), "typescript"),
    "tsx": "tsx",
    **dict.fromkeys(("go", "golang"), "go"),
    "java": "java",
    **dict.fromkeys(("rust", "rs"), "rust"),
    **dict.fromkeys(("csharp", "cs"), "csharp"),
    "php": "php",
    **dict.fromkeys(("ruby", "rb"), "ruby"),
}
_SEVERITIES = {"hint": "note", "info": "note"}
_VARIABLE = expression(r"\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)")
_NEEDS = 'an ast-grep rule needs vetgate[rules]: pip install "vetgate[rules]"'


class AstGrepRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of an ast-grep rule that mean something here."""

    id: str
    language: str
    message: str
    rule: dict[str, Any]
    constraints: dict[str, Any] = {}
    utils: dict[str, Any] = {}
    severity: Literal["hint", "info", "note", "warning", "error", "critical"] = "warning"
    note: str = ""
    fix: str = ""
    url: str = ""
    metadata: dict[str, Any] = {}

    @property
    def searched(self) -> dict[str, Any]:
        keys = {"rule": self.rule, "constraints": self.constraints, "utils": self.utils}
        return {key: value for key, value in keys.items() if value}


@dataclass(frozen=True, eq=False)
class Structure:
    rule: SecurityRule
    written: AstGrepRule
    languages: frozenset[str]
    possible: Possible

    def found(self, text: FileText, root: Any) -> Iterator[Finding]:
        for node in _guarded(lambda: root.find_all(self.written.searched)):
            message, fix = (_filled(each, node) for each in (self.written.message, self.written.fix))
            advice = " ".join(filter(None, (self.written.note.strip(), fix and f"Write: {fix}")))
            told = Pattern(languages=(self.written.language,), message=message, fix=advice)
            yield finding(self.rule, told, text, UserRuleMatch(_span(text.path, node), node.text(), node.text()))


@cache
def installed() -> bool:
    return importlib.util.find_spec("ast_grep_py") is not None


def parsed(text: FileText, language: str) -> Any:
    return _guarded(lambda: importlib.import_module("ast_grep_py").SgRoot(text.whole, language).root())


def structure_of(block: FencedBlock, name: str, summary: str) -> Structure:
    """Raises BadBlock, also where ast-grep is not installed."""
    written = block.read(AstGrepRule, {"id": name})
    if written.id != name:
        raise BadBlock(block.line_of(["id"]), f"the rule is called like its page, {name}, not {written.id}")
    language = _LANGUAGES.get(written.language.lower())
    if language is None:
        known = ", ".join(dict.fromkeys(_LANGUAGES.values()))
        raise BadBlock(block.line_of(["language"]), f"language must be one of {known}, not {written.language!r}")
    if not installed():
        raise BadBlock(block.line, _NEEDS)
    _try(block, written, language)
    cwe = written.metadata.get("cwe", ())
    rule = SecurityRule(
        id=name,
        category="custom",
        severity=_SEVERITIES.get(written.severity, written.severity),
        message=written.message,
        fix=written.note,
        find=(),
        cwe=tuple(number for number in cwe if isinstance(number, int)) if isinstance(cwe, list) else (),
        summary=summary or written.message,
    )
    return Structure(rule, written, frozenset({language}), possible(written.rule))


def _try(block: FencedBlock, written: AstGrepRule, language: str) -> None:
    """ast-grep understands a rule when it first looks for it, so it is made to."""
    try:
        _guarded(lambda: importlib.import_module("ast_grep_py").SgRoot("", language).root().find(written.searched))
    except Exception as error:
        raise BadBlock(block.line_of(["rule"]), _causes(str(error))) from error


def _guarded(act: Any) -> Any:
    """A panic of ast-grep is no Exception; here it becomes one."""
    try:
        return act()
    except (Exception, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as panic:
        raise RuntimeError(str(panic)) from panic


def _causes(message: str) -> str:
    """What ast-grep says, without its own stack."""
    told = message.partition("Stack backtrace")[0]
    lines = [re.sub(r"^\d+: ", "", line.strip()) for line in told.splitlines()]
    kept = [line for line in lines if line and line not in {"cannot get matcher", "Caused by:"}]
    return f"ast-grep: {' '.join(kept) or 'the rule is not understood'}"


def _span(path: str, node: Any) -> Span:
    place = node.range()
    return Span(path, place.start.line + 1, place.start.column + 1, place.end.line + 1, place.end.column + 1)


def _filled(message: str, node: Any) -> str:
    def value(found: re.Match[str]) -> str:
        if found[1]:
            several = node.get_multiple_matches(found[1])
            return "".join(each.text() for each in several) if several else found[0]
        one = node.get_match(found[2])
        return str(one.text()) if one is not None else found[0]

    return _VARIABLE.sub(value, message)


_METAVARIABLE = expression(r"\$+[A-Z_][A-Z0-9_]*|\${3}")
_WORD = expression(r"[A-Za-z_][A-Za-z0-9_]+")
# Whatever else stands beside them, these have to hold as well. `regex`, `kind`, `not` and `matches` name no word.
_RELATIONS = ("inside", "has", "follows", "precedes")


def possible(rule: Any) -> Possible:
    parts = list(_parts(rule)) if isinstance(rule, dict) else []
    return lambda text: all(part(text) for part in parts)


def _parts(rule: dict[str, Any]) -> list[Possible]:
    parts: list[Possible] = []
    pattern = rule.get("pattern")
    if isinstance(pattern, str):  # one with a context or another strictness may match without its words
        words = frozenset(_WORD.findall(_METAVARIABLE.sub(" ", pattern)))
        parts.append(lambda text: all(word in text for word in words))
    parts += [possible(rule[name]) for name in _RELATIONS if name in rule]
    if isinstance(rule.get("all"), list):
        parts += map(possible, rule["all"])
    if isinstance(rule.get("any"), list):
        options = [possible(each) for each in rule["any"]]
        parts.append(lambda text: any(option(text) for option in options))
    return parts
