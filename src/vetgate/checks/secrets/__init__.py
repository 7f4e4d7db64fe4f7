"""Secrets in any text: tokens of four hundred kinds, private keys, passwords in addresses and under telling names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.checks.secrets.decode import opaque_encoding
from vetgate.checks.secrets.fold import FOLDED
from vetgate.checks.secrets.literal_pairs import literal_pairs
from vetgate.checks.secrets.messages import (
    NOT_SEARCHED,
    RULES,
    UNREADABLE,
    evidence_of,
    fix_for,
    message_for,
    severity_of,
)
from vetgate.checks.secrets.redaction import BOM
from vetgate.checks.secrets.scan import OUT_OF_TIME, ScanOptions, SecretScan, scan, scan_shapes
from vetgate.config.keys import RULE_NAME
from vetgate.config.options import LESS, Option
from vetgate.config.value_shapes import Choice, ListOf, TextShape
from vetgate.engine.check import Check, InTests, Report
from vetgate.failure import CLOSED
from vetgate.model import Finding, Span, Unchecked, UncheckedKind
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.source.language import LANGUAGES
from vetgate.source.syntax import Positions
from vetgate.source.text import TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.secrets.match import SecretMatch
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput

_NO_KINDS: tuple[str, ...] = ()
_ALLOW = Option(
    "secrets.allow",
    ListOf(TextShape("a kind of token (stripe-secret-key)", RULE_NAME)),
    _NO_KINDS,
    "Kinds of vendor tokens that are not secret in this project, by name.",
    LESS,
    loosens="lets {} pass",
)
_ENTROPY = Option(
    "secrets.entropy",
    Choice(("low", "normal", "high")),
    "normal",
    "How random a value under a telling name must look: low finds more, high leaves memorable values alone.",
    LESS,
)
_OWN_SECONDS = 1.0
_CWE = {"encrypted-private-key": (321,), "private-key": (321,), "password": (259, 798)}


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:
    path, text = check_input.source.path, check_input.source.text.removeprefix(BOM)
    # Others may have used up the time; what must not fail open has some of its own.
    late = Deadline(max(deadline.at, Deadline.after(_OWN_SECONDS).at))
    syntax = check_input.syntax
    pairs, is_whole = literal_pairs(syntax, late) if syntax is not None else (None, True)
    asked = ScanOptions(
        allow=frozenset(_ALLOW.of(config)),
        bar=_ENTROPY.of(config),
        is_test=config.paths.is_test(path),
        pairs=pairs,
        views=pairs is None,
    )
    beside = check_input.source.beside
    try:
        found = (
            scan(path, text, asked, late)
            if not check_input.source.shapes_only
            else scan_shapes(path, text, asked, late)
        )
        shown = scan(path, beside, replace(asked, pairs=None), late) if beside else SecretScan(())
    except Exception as error:  # noqa: BLE001 - whatever it is, its text must not get out
        # What an exception says may quote the text.
        raise RuntimeError(f"{type(error).__name__} while looking for secrets") from None
    findings = (*_findings(path, text, found), *_findings(path, beside, shown), *_misread(path, text))
    unread = dict.fromkeys(("" if is_whole else OUT_OF_TIME, found.unread, shown.unread))
    return Report(findings, tuple(_unchecked(path, reason) for reason in unread if reason))


def _unchecked(path: str, reason: str) -> Unchecked:
    # A file with too many of them is what it is, however long one looks.
    return Unchecked(path, UncheckedKind.UNFINISHED if reason == OUT_OF_TIME else UncheckedKind.OTHER, reason)


def _findings(path: str, text: str, found: SecretScan) -> Iterator[Finding]:
    places = Positions(text.encode("utf-8", "replace"))
    return (_finding(path, places, match) for match in _without_uses(found.matches))


def _without_uses(matches: tuple[SecretMatch, ...]) -> Iterator[SecretMatch]:
    """A key is reported where it is written, and not again where the same file uses its variable."""
    written = {(match.value, match.mild) for match in matches if not match.how}
    return (match for match in matches if match.how != FOLDED or (match.value, match.mild) not in written)


def _misread(path: str, text: str) -> Iterator[Finding]:
    encoding, line = opaque_encoding(path, text)
    if encoding:
        yield Finding(
            check="secrets",
            rule=UNREADABLE,
            span=Span(path, line),
            message=f"Python reads this file as `{encoding}`: its text does not show what Python reads.",
            severity=Severity.ERROR,
            evidence=encoding,
            fix="Save it as UTF-8 and remove the coding comment.",
            cwe=(506,),
            owasp="A08:2021",
        )


def _finding(path: str, places: Positions, match: SecretMatch) -> Finding:
    line, column = places.at(match.start)
    end_line, end_column = places.at(match.end)
    return Finding(
        check="secrets",
        rule=match.rule,
        span=Span(path, line, column, end_line, end_column),
        message=message_for(match),
        severity=severity_of(match),
        symbol=match.name,
        confidence=match.confidence,
        evidence=evidence_of(match.value),
        fix=fix_for(match, path),
        cwe=_CWE.get(match.rule, (798,)),
        owasp="A07:2021",
    )


def _not_searched(path: str) -> Finding:
    return Finding(
        check="secrets",
        rule=NOT_SEARCHED,
        span=Span(path, 1),
        message=f"{path} is {TOO_LARGE}: nobody has searched it for secrets.",
        severity=Severity.WARNING,
        fix="Keep large data outside the repository, or check yourself that it holds no key.",
    )


CHECK = Check(
    id="secrets",
    summary="Tokens of vendors, private keys, passwords in addresses, and values whose name says secret.",
    details=(
        "four hundred kinds of vendor tokens, private keys, passwords in addresses, values whose name says secret;"
        " put together from pieces or encoded, too"
    ),
    rules=RULES,
    languages=LANGUAGES,
    report=_report,
    plain=True,
    covers_all_files=True,
    on_too_large_file=_not_searched,
    in_tests=InTests.BLOCKS,
    rank=40,
    options=(_ALLOW, _ENTROPY),
    options_summary="What counts as a secret.",
    on_error=CLOSED,
    waived_singly=True,
    allowed_by="a kind of token that is not secret here goes into `secrets.allow`",
    in_last_tier=True,
)
