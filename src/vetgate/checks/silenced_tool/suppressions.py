"""Every directive of a text that tells a tool, or vetgate, to look away, in comments and attributes; and why."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.checks.silenced_tool.directives import ATTRIBUTES, COMMENTS, COVERAGE, Reach, Weight, is_security, places
from vetgate.checks.tokens import LexicalKind, kind_of, tokens
from vetgate.engine.suppressions import INLINE
from vetgate.expression import expression
from vetgate.model import Finding, Span
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.silenced_tool.directives import Directive
    from vetgate.checks.tokens import Tokens
    from vetgate.source.syntax import Source

_COMMENT = expression(r"#(?=[\s#])|//")
# A comment that only says what the code does gives no reason to look away.
_WHY = expression(
    r"\b(?:because|work(?:s|ing)?[ -]?around|cannot|can't|false positive|deliberate\w*|on purpose|intention\w*|"
    r"mypy|pyright|ruff|eslint|tsc|tsgo|type checkers?)\b",
    re.IGNORECASE,
)
# Files may begin with these, and they are no reasons either.
_DIRECTIVE = expression(
    r"^(?:#|//)\s*(?:(?:type|mypy|pyright|pyre|ty|ruff|flake8|pylint|isort|fmt|yapf|pragma|vetgate|biome|c8|istanbul)\b\s*[:-]"
    r"|@ts-|eslint-|oxlint-|noqa\b|nosec\b)",
    re.IGNORECASE,
)
_LEAST_WORDS = 4
# What no run of the tests on one machine reaches: another system, another version, a library that is not there.
_WHERE = r"(?<![\w.])(?:sys\.(?:platform|version_info|implementation)|os\.name|platform\.system\(\))(?:\[\d+\]|\.\w+)*"
_SYSTEM = (
    rf"(?:not\s+)?(?:[\"'][^\"']*[\"']\s+(?:not\s+)?in\s+{_WHERE}"
    rf"|{_WHERE}(?:\s*(?:==|!=|<=?|>=?|(?:not\s+)?in\b)|\())(?!.*\bif\b)[^&|]*"
)
_PART = expression(rf"^(?:el)?if\s+(?!.*\b(?:and|or)\b){_SYSTEM}:")
_NOT_RUN = expression(
    r"^except\s+\(?\s*(?:ImportError|ModuleNotFoundError)(?:\s*,\s*(?:ImportError|ModuleNotFoundError))*\s*\)?"
    r"(?:\s+as\s+\w+)?\s*:"
    r"|^if\s+(?:typing\.)?TYPE_CHECKING\s*:|^if\s+__name__\s*==|^raise\s+NotImplementedError\b"
    r"|^@(?:typing\.)?overload\b|^@(?:abc\.)?abstractmethod\b|^\.\.\.\s*(?:#|$)"
)
_ELSE = expression(r"^else\s*:")
_BLOCK = expression(r"^(?:if|elif|else|for|while|with|try|except|finally|def|class|async)\b")
_IMPORT = expression(r"^(?:import|from)\s")
_OF_IMPORTS = expression(
    r"^(?:import(?:-not-found|-untyped|-error)?|no-redef|TC00\d|reportMissing(?:Imports|ModuleSource|TypeStubs))$"
)


def reason_above(text: str, begin: int) -> str:
    """What the comment right above the line that begins there gives as a reason for it."""
    lines = text[max(0, begin - _LONGEST) : begin].split("\n")[:-1]
    told: list[str] = []
    while lines and _COMMENT.match(lines[-1].strip()):
        line = lines.pop().strip()
        if not _DIRECTIVE.match(line):
            told.insert(0, line.lstrip("#/ "))
    said = " ".join(told)
    return said if len(said.split()) >= _LEAST_WORDS and _WHY.search(said) else ""


def is_unreachable(text: str, begin: int) -> str:
    """The line that begins there, where it shows why no test covers it; that of its `if`, for an `else`."""
    line = text[begin : begin + _LONGEST].partition("\n")[0]
    said = line.partition("#")[0].strip()
    if _PART.match(said) or _NOT_RUN.match(said):
        return said
    opening = _opening(text, begin, line[: len(line) - len(line.lstrip())]) if _ELSE.match(said) else ""
    return opening if _PART.match(opening) else ""


def of_an_import(codes: tuple[str, ...], line: str) -> str:
    """The line, where it imports and all that is silenced is what the import does not bring along."""
    said = line.strip()
    return said if codes and _IMPORT.match(said) and all(map(_OF_IMPORTS.match, codes)) else ""


def _opening(text: str, begin: int, indent: str) -> str:
    """What an `else` belongs to: the line above it that stands as far in and opens a block."""
    for above in reversed(text[max(0, begin - _LONGEST) : begin].split("\n")):
        if above.startswith(indent) and _BLOCK.match(above[len(indent) :]):
            return above.partition("#")[0].strip()
    return ""


_PROSE = expression(r"\.(?:md|markdown|rst|txt|adoc|html?|jsonl?|csv|lock|svg|po|log)$", re.IGNORECASE)
_NOTES = expression(r"(?:^|/)(?:PKG-INFO|METADATA|CHANGES|CHANGELOG|NEWS)$", re.IGNORECASE)
_OPENS = expression(r"#|//|/\*|<!--|--|;|%|\{#|<%#|^\s*\*")
_WORDS = expression(r"[^\W\d_]{2,}")
_QUOTES = expression(r"[\"'`]")
_CLOSES = expression(r"[ \t}]*\)*[ \t\]]*")
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class ToolSuppression:
    """`code` is what it stands at, without spaces: it moves along with the code."""

    directive: Directive
    codes: tuple[str, ...]
    reason: str
    line: int
    column: int
    code: str

    @property
    def name(self) -> str:
        """The tool, how far it reaches, and the rules: `noqa: F401`, `eslint (file)`."""
        codes = f": {', '.join(self.codes)}" if self.codes else ""
        return f"{self.directive.tool}{self.directive.reach.value}{codes}"

    @property
    def digest(self) -> str:
        """Of what is silenced where, and behind that of where alone."""
        return digest_of(f"{self.name}\0{self.code}") + digest_of(self.code)

    @property
    def severity(self) -> Severity:
        if self.directive.weight is Weight.FORMAT:
            return Severity.NOTE
        if self.directive.weight is Weight.LEAK:
            return Severity.ERROR
        if self.directive.weight in {Weight.EXPECTED, Weight.BRANCH}:
            return Severity.NOTE if self.reason else Severity.WARNING
        return Severity.WARNING if self._is_narrow and self.reason else Severity.ERROR

    @property
    def _is_narrow(self) -> bool:
        return bool(self.codes) or (not self.directive.takes_codes and self.directive.reach is Reach.LINE)

    @property
    def lacks_only_a_reason(self) -> bool:
        """It says what it silences on its one line, and that is no matter of security."""
        is_of_a_line = self._is_narrow and self.directive.reach is Reach.LINE
        return is_of_a_line and not is_security(self.directive.tool, self.codes)


def digest_of(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def place_in(digest: str) -> str:
    """The code that a suppression stands at, from its digest."""
    return digest[16:]


def places_of(text: str) -> frozenset[str]:
    """The lines of a text, as they are where nothing is silenced."""
    return frozenset(digest_of("".join(line.split())) for line in text.split("\n"))


def suppressions(source: Source) -> Iterator[ToolSuppression]:
    only = "<!--" if _is_prose(source) else ""
    offsets = places(source.text) if only in source.text else []
    if not offsets:
        return
    found = tokens(source)
    if found is not None:
        yield from _in_tokens(source, found, offsets)
    else:
        yield from _in_lines(source, offsets, only)


def _is_prose(source: Source) -> bool:
    return bool(_PROSE.search(source.path)) or (bool(_NOTES.search(source.path)) and not source.text.startswith("#!"))


def _in_tokens(source: Source, found: Tokens, offsets: list[int]) -> Iterator[ToolSuppression]:
    done: set[int] = set()
    for offset in offsets:
        node = found.node(offset)
        if node is None:
            continue
        kind = kind_of(node)
        if kind is LexicalKind.COMMENT:
            while node.parent is not None and "comment" in node.parent.type:
                node = node.parent
            if node.start_byte not in done:
                done.add(node.start_byte)
                text = found.syntax.text(node)
                yield from _of_comment(source.text, found.character(node.start_byte), text[:_LONGEST])
        elif kind is LexicalKind.CODE:
            yield from _of_code(source.text, offset, done)


def _in_lines(source: Source, offsets: list[int], only: str) -> Iterator[ToolSuppression]:
    """Without a grammar: a comment begins where a line has the sign for one outside of quotes."""
    done: set[int] = set()
    for offset in offsets:
        begin = source.text.rfind("\n", 0, offset) + 1
        before = source.text[begin:offset]
        opened = _opened(source.text, offset, before)
        if opened is None:
            yield from () if only else _of_code(source.text, offset, done)
        elif begin not in done and (not only or only in before):
            done.add(begin)
            stop = source.text.find("\n", begin)
            comment = source.text[begin + opened.start() : stop if stop >= 0 else None]
            yield from _of_comment(source.text, begin + opened.start(), comment[:_LONGEST])


def _opened(text: str, offset: int, before: str) -> re.Match[str] | None:
    """Where the comment begins that the offset lies in; None in code, an attribute or a pragma of the language."""
    opened = next((o for o in _OPENS.finditer(before) if len(_QUOTES.findall(before[: o.start()])) % 2 == 0), None)
    is_pragma = text.startswith("pragma", offset) and not before.strip(" \t#")
    is_attribute = before.lstrip().startswith(("#[", "#!["))
    return None if opened is not None and opened[0] == "#" and (is_pragma or is_attribute) else opened


def _of_comment(text: str, start: int, comment: str) -> Iterator[ToolSuppression]:
    for directive, match in _directives_in(comment):
        own = (start, start + len(comment))
        found = _made(text, directive, match, (start + match.start(), *own), _reason(comment[match.end() :]))
        yield found if found.reason else replace(found, reason=_evident(text, found, start))


def _evident(text: str, found: ToolSuppression, start: int) -> str:
    """What else may give the reason, for what is silenced on a line and is no matter of security."""
    if found.directive.reach is not Reach.LINE or is_security(found.directive.tool, found.codes):
        return ""
    begin = text.rfind("\n", 0, start) + 1
    if found.directive.tool == COVERAGE:
        return reason_above(text, begin) or is_unreachable(text, begin)
    return reason_above(text, begin) or of_an_import(found.codes, text[begin : begin + _LONGEST].partition("\n")[0])


@lru_cache(maxsize=1024)
def _directives_in(comment: str) -> tuple[tuple[Directive, re.Match[str]], ...]:
    """Many comments of a text are the same, and there are a hundred directives."""
    found: list[tuple[Directive, re.Match[str]]] = []
    for directive in COMMENTS:
        for match in directive.pattern.finditer(comment):
            if not any(match.start() < other.end() and other.start() < match.end() for _, other in found):
                found.append((directive, match))
    return tuple(found)


def _of_code(text: str, offset: int, done: set[int]) -> Iterator[ToolSuppression]:
    begin = text.rfind("\n", 0, offset) + 1
    if begin in done:
        return
    done.add(begin)
    line = text[begin : begin + _LONGEST]
    stop = line.find("\n")
    own = line if stop < 0 else line[:stop]
    for directive in ATTRIBUTES:
        match = directive.pattern.search(line)
        if match and match.start() <= len(own) and not len(_QUOTES.findall(own[: match.start()])) % 2:
            reason = (
                _reason(own[match.end() :].partition("//")[2]) or _reason_above(text, begin) or _reason_within(line)
            )
            closed = _CLOSES.match(line, match.end())
            place = (begin + match.start(), begin + match.start(), begin + (closed or match).end())
            yield _made(text, directive, match, place, reason)
            return


def _made(
    text: str, directive: Directive, match: re.Match[str], place: tuple[int, int, int], reason: str
) -> ToolSuppression:
    offset, *own = place
    named = match["codes"] if directive.takes_codes else None
    codes = tuple(sorted({code.strip(" \"'\t") for code in re.split(r"[,\s]+", named or "")} - {""}))
    if {"all", "*", "ALL", "warnings"} & set(codes):
        codes = ()
    begin = text.rfind("\n", 0, offset) + 1
    line = text.count("\n", 0, offset) + 1
    return ToolSuppression(directive, codes, reason, line, offset - begin + 1, _code_at(text, *own))


def _code_at(text: str, start: int, end: int) -> str:
    """The rest of the line, or, where a directive stands alone, the next line."""
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = stop if stop >= 0 else len(text)
    own = "".join((text[begin:start] + text[end:stop]).split())
    if re.search(r"\w", own):
        return own
    following = (line for line in text[stop + 1 : stop + 500].split("\n") if line.strip())
    return "".join(next(following, "").split())


def _reason(rest: str) -> str:
    """What is written behind a directive, if it says anything."""
    told = rest.strip().strip("*/#-:>()").strip()
    words = _WORDS.findall(told)
    return told if len(words) > 1 and sum(map(len, words)) >= 6 else ""


def _reason_above(text: str, begin: int) -> str:
    above = text[max(0, begin - _LONGEST) : begin].rstrip("\n").rpartition("\n")[2].strip()
    return _reason(above) if above.startswith(("//", "#", "/*", "*")) and not above.startswith("#[") else ""


def _reason_within(line: str) -> str:
    match = re.search(r"(?:reason|Justification)\s*=\s*\"([^\"]*)\"", line)
    return _reason(match[1]) if match else ""


TOOL = "vetgate"
RULE = INLINE.partition("/")[2]
_CODE = expression(r"\s*(?!#|//|/\*|\*|<!--|--|;|%|\{/\*)\S")


def waiver_of(source: Source, each: ToolSuppression) -> Finding:
    reasoned = bool(each.codes and each.reason)
    names = ", ".join(each.codes)
    message = (
        f"This comment waives {names}." if reasoned else "This comment waives nothing: it needs a rule and a reason."
    )
    return Finding(
        INLINE.partition("/")[0],
        RULE,
        Span(source.path, each.line, each.column, _last_covered(source.text, each.line)),
        message,
        Severity.ERROR,
        symbol=names if reasoned else "",
        evidence=each.digest,
        fix="Fix what is found there. Where it is wrong, leave it to a person (`vetgate waive`).",
    )


def _last_covered(text: str, number: int) -> int:
    """Its own line, and where it stands alone the next one with code."""
    lines = text.split("\n")
    if _CODE.match(lines[number - 1]):
        return number
    following = (at for at in range(number, min(number + 10, len(lines))) if _CODE.match(lines[at]))
    return next(following, number - 1) + 1
