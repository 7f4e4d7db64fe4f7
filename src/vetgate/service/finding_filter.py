"""Findings and rules as people name them: `--select` and `--ignore`, a weakness, a place, a fingerprint."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.checks import all_checks, checks_under
from vetgate.checks.catalogue import by_category
from vetgate.config.node import did_you_mean
from vetgate.engine.decide import blocks, decided
from vetgate.model import FINGERPRINT, Decision, Status, UserError
from vetgate.progress import Progress, unseen
from vetgate.service.check import CheckRequest, check
from vetgate.service.configuration import Configurations
from vetgate.service.safe_text import printable
from vetgate.source.root import name_in, real

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, Rule
    from vetgate.model import Finding, Outcome
    from vetgate.service.check import Judged


_CWE = re.compile(r"(?:cwe[-: ]?)?0*([1-9][0-9]{0,3})")
_OWASP = re.compile(r"(?:owasp-?)?(a(?:0[1-9]|10))(?::\d{4})?")
# The name of the field for each number, and what else it is called.
_WEAKNESSES: tuple[tuple[int, tuple[str, ...]], ...] = (
    (22, ("path-traversal", "directory-traversal", "lfi", "zip-slip")),
    (78, ("command-injection", "shell-injection", "os-command-injection")),
    (79, ("xss", "cross-site-scripting")),
    (89, ("sql-injection", "sqli", "injection")),
    (90, ("ldap-injection",)),
    (94, ("code-injection", "rce", "remote-code-execution", "eval")),
    (117, ("log-injection", "log-forging", "crlf-injection")),
    (134, ("format-string",)),
    (208, ("timing-attack",)),
    (259, ("hardcoded-password", "hard-coded-password")),
    (295, ("certificate-validation", "tls", "ssl", "mitm")),
    (319, ("cleartext", "http")),
    (327, ("weak-crypto", "weak-cipher", "md5", "sha1")),
    (330, ("insecure-random", "weak-random", "weak-randomness")),
    (347, ("jwt",)),
    (352, ("csrf", "xsrf", "cross-site-request-forgery")),
    (377, ("insecure-temp-file", "temp-file")),
    (451, ("trojan-source", "bidi", "invisible-text")),
    (502, ("deserialization", "deserialisation", "insecure-deserialization", "pickle")),
    (601, ("open-redirect", "unvalidated-redirect")),
    (611, ("xxe", "xml-external-entity")),
    (614, ("cookie", "cookies")),
    (643, ("xpath-injection",)),
    (798, ("hardcoded-secret", "hardcoded-credentials", "hard-coded-credentials", "leaked-secret", "api-keys")),
    (915, ("mass-assignment",)),
    (918, ("ssrf", "server-side-request-forgery")),
    (942, ("cors",)),
    (943, ("nosql-injection",)),
    (1007, ("homoglyph", "homoglyphs")),
    (1021, ("clickjacking",)),
    (1321, ("prototype-pollution",)),
    (1333, ("redos", "regex-dos")),
    (1336, ("ssti", "template-injection")),
)


def rules_about(words: str) -> list[tuple[Check, Rule]]:
    """Every rule about it, those that name the weakness first among theirs before the others; empty when unknown."""
    name = re.sub(r"[\s_]+", "-", words.strip().lower())
    if cwe := _CWE.fullmatch(name):
        return _by_cwe(int(cwe[1]))
    if owasp := _OWASP.fullmatch(name):
        return [(check, rule) for check, rule in _all() if rule.owasp.lower().startswith(owasp[1])]
    number = next((number for number, names in _WEAKNESSES if name in names), 0)
    return _by_cwe(number) if number else [each for each in _all() if name in each[1].id.split("-")]


def _by_cwe(number: int) -> list[tuple[Check, Rule]]:
    found = [(check, rule) for check, rule in _all() if number in rule.cwe]
    return sorted(found, key=lambda each: (each[1].cwe[0] != number, -each[1].severity))


def _all() -> Iterator[tuple[Check, Rule]]:
    for each in all_checks().values():
        for rules in by_category(each).values():
            yield from ((each, rule) for rule in rules)


_PLACE = re.compile(r"(?P<path>.+?):(?P<line>[0-9]+)(?::[0-9]+)?")


def is_place(what: str) -> bool:
    return _PLACE.fullmatch(what) is not None


def is_finding(what: str) -> bool:
    return is_place(what) or FINGERPRINT.fullmatch(what) is not None


def look_up(
    what: str, root: Path, cwd: Path, progress: Progress = unseen, *, suppressed: bool = False
) -> Finding | None:
    """The finding that is there now; None when a fingerprint is nowhere in the project.

    One that a waiver or the baseline allows counts only where it is asked for.
    """
    if FINGERPRINT.fullmatch(what):
        found = _found(CheckRequest(root), progress, suppressed=suppressed)
        return next((each for each in found if each.fingerprint == what), None)
    place = _PLACE.fullmatch(what)
    if place is None:
        return None
    line = int(place["line"])
    path = name_in(root, real(cwd / place["path"]))
    found = _found(CheckRequest(cwd, (place["path"],)), progress, suppressed=suppressed)
    there = [each for each in found if each.span.path == path]
    around = [each for each in there if each.span.line <= line <= max(each.span.end_line, each.last_line)]
    at_line = [each for each in there if each.span.line == line] or around
    if not at_line:
        raise UserError(f"there is no finding at {printable(what)}", hint=f"vetgate check {printable(place['path'])}")
    if len(at_line) > 1:
        names = ", ".join(f"{each.fingerprint} ({each.id})" for each in at_line)
        raise UserError(
            f"{len(at_line)} findings are at {printable(what)}", hint=f"name one by its fingerprint: {names}"
        )
    return at_line[0]


def _found(request: CheckRequest, progress: Progress, *, suppressed: bool) -> list[Finding]:
    """Each once, although several gates may report it."""
    judged = check(request, Configurations(), progress)
    wanted = (each for each in judged.verdict.findings if each.new or (suppressed and each.suppression))
    return list({(each.span.path, each.fingerprint): each for each in wanted}.values())


_ALWAYS = "protected-file/looser-configuration"


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """Checks (`security`), rules (`security/sql-concatenation`), weaknesses (`xss`); none: all but those ignored."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()

    @classmethod
    def of(cls, select: Iterable[str], ignore: Iterable[str], config: Config) -> FindingFilter:
        """Names may be joined by commas; the error for an unknown one names the closest."""
        known = [
            name
            for check in checks_under(config).values()
            for name in (check.id, *(f"{check.id}/{rule.id}" for rule in check.rules))
        ]
        return cls(*(frozenset(_names(given, known)) for given in (select, ignore)))

    def takes(self, finding: Finding) -> bool:
        """A configuration that became looser is shown whatever is selected."""
        names = {finding.check, finding.id}
        return not names & self.ignore and (not self.select or bool(names & self.select) or finding.id == _ALWAYS)

    def applied(self, judged: Judged) -> Judged:
        if not self.select and not self.ignore:
            return judged
        config = judged.config
        outcomes = tuple(self._of(outcome, config) for outcome in judged.verdict.outcomes)
        of_gates = [outcome for outcome in outcomes if outcome.gate in config.gates]
        told = Decision.WARN if len(of_gates) < len(outcomes) else Decision.ALLOW  # files that nobody could look at
        return replace(
            judged, verdict=replace(judged.verdict, outcomes=outcomes, decision=max(told, decided(of_gates, config)))
        )

    def _of(self, outcome: Outcome, config: Config) -> Outcome:
        findings = tuple(filter(self.takes, outcome.findings))
        gate = config.gates.get(outcome.gate)
        held = gate is None or any(blocks(finding, gate) for finding in findings)
        status = outcome.status if held or outcome.status is not Status.FAILED else Status.PASSED
        return replace(outcome, findings=findings, status=status)


def _names(given: Iterable[str], known: list[str]) -> list[str]:
    names = [name.strip() for each in given for name in each.split(",") if name.strip()]
    return [each for name in names for each in _meant(name, known)]


def _meant(name: str, known: list[str]) -> list[str]:
    """A check or rule, also without its check, or all rules about a weakness (`xss`)."""
    exact = [name] if name in known else [each for each in known if each.rpartition("/")[2] == name]
    found = exact or [f"{check.id}/{rule.id}" for check, rule in rules_about(name)]
    if not found:
        raise UserError(
            f"no check, rule or weakness is called {name!r}{did_you_mean(name, known)}",
            hint="`vetgate explain` lists all checks and rules",
        )
    return found
