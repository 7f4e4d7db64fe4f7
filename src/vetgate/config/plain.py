"""A Config as plain values again: what a file would say that means exactly this."""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from vetgate.config.gates import plain_gate, plain_sequence
from vetgate.config.pages import Page

if TYPE_CHECKING:
    from vetgate.config.schema import Config, LineRule

# Beside the keys of a file: no file can hold it.
_PAGES = ".vetgate/checks"


def plain(config: Config) -> dict[str, Any]:
    """In the order of the schema; loading it gives an equal configuration, whatever the original extended."""
    return {
        "version": 1,
        "enabled": config.enabled,
        "log_level": config.log_level,
        "daemon": config.daemon,
        "paths": {name: list(globs) for name, globs in asdict(config.paths).items()},
        "gates": {name: plain_gate(gate) for name, gate in config.gates.items()},
        "on": {str(event): plain_sequence(sequence) for event, sequence in config.sequences.items()},
        "complexity": asdict(config.complexity),
        "security": {
            "custom": {rule.id: _line_rule(rule) for rule in config.security.custom},
            "sinks": {rule: list(globs) for rule, globs in config.security.sinks},
        },
        "secrets": {"allow": list(config.secrets.allow), "entropy": config.secrets.entropy},
        "duplicates": asdict(config.duplicates),
        "commands": {
            "effects": dict(config.commands.effects),
            "trusted": list(config.commands.trusted),
            "sensitive": list(config.commands.sensitive),
        },
        "retries": asdict(config.retries),
        "rules": {name: str(severity) if severity else "off" for name, severity in config.rules.items()},
        "on_failure": dict(config.on_failure),
        "output": asdict(config.output),
    }


def text(config: Config) -> str:
    """As JSON, which is YAML: what the store keeps, independent of any other file."""
    return json.dumps(plain(config) | _pages(config), ensure_ascii=False, indent=1)


def without_pages(kept: str) -> tuple[bytes, tuple[Page, ...]]:
    """What `text` made, as a file could hold it, and the pages beside it."""
    if _PAGES not in kept:
        return kept.encode("utf-8", "surrogatepass"), ()
    content = json.loads(kept)
    pages = tuple(Page(*each) for each in content.pop(_PAGES, ()))
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"), pages


def digest(config: Config) -> str:
    return sha256(json.dumps(plain(config) | _pages(config), sort_keys=True).encode()).hexdigest()


def _pages(config: Config) -> dict[str, Any]:
    return {_PAGES: [list(page) for page in config.security.pages]} if config.security.pages else {}


def _line_rule(rule: LineRule) -> dict[str, Any]:
    keys: dict[str, Any] = {"pattern": rule.pattern, "message": rule.message, "severity": str(rule.severity)}
    keys |= {"fix": rule.fix} if rule.fix else {}
    keys |= {"cwe": list(rule.cwe)} if rule.cwe else {}
    return keys | ({"languages": list(rule.languages)} if rule.languages else {})
