"""A Config as plain values again: what a file would say that means exactly this."""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.model import Gate


def plain(config: Config) -> dict[str, Any]:
    """In the order of the schema; loading it gives an equal configuration, whatever the original extended."""
    return {
        "version": 1,
        "enabled": config.enabled,
        "log_level": config.log_level,
        "daemon": config.daemon,
        "paths": {name: list(globs) for name, globs in asdict(config.paths).items()},
        "gates": {name: _gate(gate) for name, gate in config.gates.items()},
        "on": {str(event): list(names) for event, names in config.on.items()},
        "complexity": asdict(config.complexity),
        "rules": {name: str(severity) if severity else "off" for name, severity in config.rules.items()},
        "output": asdict(config.output),
    }


def text(config: Config) -> str:
    """As JSON, which is YAML: what the store keeps, independent of any other file."""
    return json.dumps(plain(config), ensure_ascii=False, indent=1)


def digest(config: Config) -> str:
    return sha256(json.dumps(plain(config), sort_keys=True).encode()).hexdigest()


def _gate(gate: Gate) -> dict[str, Any]:
    keys: dict[str, Any] = {"checks": list(gate.checks), "block_at": str(gate.block_at), "scope": gate.scope}
    if gate.on_error:
        keys["on_error"] = gate.on_error
    return keys | {"approve": gate.approve}
