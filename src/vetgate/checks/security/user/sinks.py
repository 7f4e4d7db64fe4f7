"""A call of the project's own that a rule of vetgate treats like its first one."""

from __future__ import annotations

import msgspec

from vetgate.checks.security.compiled_rules import rules
from vetgate.checks.security.fenced_blocks import BadBlock
from vetgate.checks.security.rule import FAMILIES, Pattern, SecurityRule


def with_sinks(name: str, globs: tuple[str, ...]) -> SecurityRule:
    """The rule with only these to look for: in every language family, as the first of its calls that input reaches."""
    rule = next((rule for rule in rules() if rule.id == name), None)
    if rule is None:
        raise BadBlock(0, "only rules of vetgate itself take more sinks")
    first: dict[str, Pattern] = {}
    for pattern in rule.find:
        family = FAMILIES.get(pattern.languages[0], "")
        if pattern.call and pattern.tainted:
            first.setdefault(family, pattern)
    if not first:
        raise BadBlock(0, f"security/{name} does not follow input into a call, so there is nothing to add to")
    return msgspec.structs.replace(rule, find=tuple(_like(pattern, globs) for pattern in first.values()))


def _like(pattern: Pattern, globs: tuple[str, ...]) -> Pattern:
    """What narrows the rule's own calls down by their surroundings says nothing about these."""
    return Pattern(
        languages=pattern.languages,
        call=globs,
        argument=pattern.argument,
        tainted=True,
        text=pattern.text,
        severity=pattern.severity,
        message=pattern.message,
        fix=pattern.fix,
    )
