"""The rules of a check in the order people look for them, and the words for what is known of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.engine.check import Check, Rule

_TITLES: Mapping[str, str] = {
    "injection": "Injection",
    "xss": "Cross-site scripting",
    "auth": "Passwords, tokens and secrets",
    "crypto": "Cryptography",
    "data": "Data that builds objects",
    "files": "Files",
    "web": "Web servers, browsers and requests",
    "memory": "Memory",
    "custom": "Of this project",
}
_LANGUAGES: Mapping[str, str] = {
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "tsx": "TSX",
    "python": "Python",
    "go": "Go",
    "java": "Java",
    "rust": "Rust",
    "csharp": "C#",
    "php": "PHP",
    "ruby": "Ruby",
}


def by_category(check: Check) -> dict[str, tuple[Rule, ...]]:
    """The strongest first; a check without categories is one, which has no title."""
    order = [*_TITLES, *sorted({rule.category for rule in check.rules} - set(_TITLES))]
    found = {}
    for category in order:
        rules = [rule for rule in check.rules if rule.category == category]
        if rules:
            title = _TITLES.get(category, category.capitalize())
            found[title] = tuple(sorted(rules, key=lambda rule: -rule.severity))
    return found


def languages_of(check: Check, rule: Rule) -> str:
    return in_words(rule.languages or check.languages)


def in_words(languages: Iterable[str]) -> str:
    wanted = set(languages)
    if not wanted:
        return "any text"
    known = [title for name, title in _LANGUAGES.items() if name in wanted]
    return ", ".join([*known, *sorted(wanted - set(_LANGUAGES))])


def weaknesses_of(rule: Rule) -> str:
    return ", ".join(f"CWE-{number}" for number in rule.cwe)
