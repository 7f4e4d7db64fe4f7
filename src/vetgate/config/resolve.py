"""A merged tree -> Config: every name stands for something, or the file is wrong. Found at load, never at an edit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from vetgate.config.gates import built_gate, built_sequences, event_problems, gate_problems
from vetgate.config.glob import PathFilter
from vetgate.config.node import ConfigNode, Problem, did_you_mean, shown
from vetgate.config.plain import digest
from vetgate.config.schema import Commands, Config, Duplicates, Limits, LineRule, Output, Retries, Secrets, Security
from vetgate.model import Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from vetgate.config.node import Position
    from vetgate.config.pages import Page


def name_problems(tree: ConfigNode, known_checks: Collection[str] | None) -> Iterator[Problem]:
    gates = tree.at("gates").entries
    yield from gate_problems(gates)
    for name, gate in gates.items():
        for number, check in enumerate(gate.at("checks").items):
            yield from _check_problems(check, str(check.value), f"gates.{name}.checks[{number}]", known_checks)
    for rule, node in tree.at("rules").entries.items():
        yield from _check_problems(ConfigNode(rule, node.key or node.place), rule, f"rules.{rule}", known_checks)
    for rule, node in tree.at("security", "sinks").entries.items():
        key = f"security.sinks.{rule}"
        yield from _check_problems(ConfigNode(rule, node.key or node.place), f"security/{rule}", key, known_checks)
    yield from event_problems(tree.at("on"), gates)


def own_rules(tree: ConfigNode, pages: tuple[Page, ...]) -> set[str]:
    """What the project itself calls a rule, and may therefore name elsewhere."""
    names = (*tree.at("security", "custom").entries, *(page.rule for page in pages))
    return {f"security/{name}" for name in names}


def _check_problems(node: ConfigNode, name: str, key: str, known: Collection[str] | None) -> Iterator[Problem]:
    if known is None or name in known:
        return
    kind = "rule" if "/" in name else "check"
    yield Problem(node.place, key, f"unknown {kind} {shown(name)}{_meant(name, known)}")


def _meant(name: str, known: Collection[str]) -> str:
    """A rule is often called by its last name alone."""
    whole = [each for each in sorted(known) if each.endswith(f"/{name}")]
    return f'; did you mean "{whole[0]}"?' if whole else did_you_mean(name, sorted(known))


def build(tree: ConfigNode, path: Path | None, pages: tuple[Page, ...] = ()) -> Config:
    """The configuration of a tree without problems."""
    values: Any = tree.plain
    sequences = built_sequences(values["on"])
    config = Config(
        enabled=values["enabled"],
        log_level=values["log_level"],
        daemon=values["daemon"],
        paths=PathFilter(**{name: tuple(globs) for name, globs in values["paths"].items()}),
        gates={name: built_gate(name, keys) for name, keys in values["gates"].items()},
        on={event: sequence.names for event, sequence in sequences.items()},
        sequences=sequences,
        complexity=Limits(**values["complexity"]),
        security=_security(values["security"], pages, tuple(_places(tree))),
        secrets=Secrets(tuple(values["secrets"]["allow"]), values["secrets"]["entropy"]),
        commands=_commands(values["commands"]),
        retries=Retries(**values["retries"]),
        rules={name: None if word == "off" else Severity[word.upper()] for name, word in values["rules"].items()},
        output=Output(**values["output"]),
        on_failure=values["on_failure"],
        duplicates=Duplicates(**values["duplicates"]),
        path=path,
    )
    return replace(config, digest=digest(config))


def _commands(keys: dict[str, Any]) -> Commands:
    return Commands(keys["effects"], tuple(keys["trusted"]), tuple(keys["sensitive"]))


def _places(tree: ConfigNode) -> Iterator[tuple[str, Position]]:
    """Where rules of the project's own stand: what is wrong with them comes to light when they are compiled."""
    for part in ("custom", "sinks"):
        for name, node in tree.at("security", part).entries.items():
            yield f"security.{part}.{name}", node.key or node.place


def _security(keys: dict[str, Any], pages: tuple[Page, ...], places: tuple[tuple[str, Position], ...]) -> Security:
    return Security(
        custom=tuple(_line_rule(name, rule) for name, rule in keys["custom"].items()),
        sinks=tuple((rule, tuple(globs)) for rule, globs in keys["sinks"].items()),
        pages=pages,
        places=places,
    )


def _line_rule(name: str, keys: dict[str, Any]) -> LineRule:
    return LineRule(
        id=name,
        pattern=keys["pattern"],
        message=keys["message"],
        severity=Severity[keys.get("severity", "warning").upper()],
        fix=keys.get("fix", ""),
        cwe=tuple(keys.get("cwe", ())),
        languages=tuple(keys.get("languages", ())),
    )
