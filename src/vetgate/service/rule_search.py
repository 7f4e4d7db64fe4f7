"""Rules by what people call them: a weakness (`sql-injection`, `CWE-89`), OWASP (`A03`), a word of theirs (`sql`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks import all_checks
from vetgate.checks.catalogue import by_category

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.engine.check import Check, Rule

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
    for check in all_checks().values():
        for rules in by_category(check).values():
            yield from ((check, rule) for rule in rules)
