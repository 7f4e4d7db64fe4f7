"""A Config as plain values again: what a file would say that means this, where each comes from, what differs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from vetgate.config.gates import plain_gate, plain_loops, plain_sequence
from vetgate.config.models import plain_models
from vetgate.config.node import PRESET, plain_value
from vetgate.config.options import plain_sections
from vetgate.config.pages import Page
from vetgate.expression import expression
from vetgate.model import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.node import ConfigNode, Position
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
        "on": {
            str(event): plain_sequence(sequence)
            for event, sequence in config.sequences.items()
            if event is not EventKind.REVIEW or not config.review
        },
        "review": plain_loops(config.review),
        "ship": {"branches": list(config.ship.branches), "people": config.ship.people},
        **plain_sections(config),
        "security": {
            "custom": {rule.id: _line_rule(rule) for rule in config.security.custom},
            "sinks": {rule: list(globs) for rule, globs in config.security.sinks},
        },
        **plain_models(config),
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


_COMMENT_COLUMN = 40
_SIMPLE = expression(r"[A-Za-z][A-Za-z0-9_/.-]*")


def show(config: Config, tree: ConfigNode, *, elsewhere: str = "default") -> str:
    """`tree` is what the file says; a value in force that it does not hold comes from `elsewhere`."""
    return "\n".join(_PlainText(elsewhere).lines(plain(config), tree, 0)) + "\n"


@dataclass(frozen=True, slots=True)
class _PlainText:
    elsewhere: str

    def lines(self, values: dict[str, Any], node: ConfigNode, depth: int) -> Iterator[str]:
        indent = "  " * depth
        for key, value in values.items():
            said = node.at(key)
            if isinstance(value, dict) and value:
                yield f"{indent}{_word(key)}:"
                yield from self.lines(value, said, depth + 1)
            elif isinstance(value, list) and len(sources := self._sources(value, said)) > 1:
                yield f"{indent}{_word(key)}:"
                for item, source in zip(value, self._each(value, said), strict=True):
                    yield _commented(f"{indent}  - {_word(item)}", source)
            else:
                source = sources[0] if isinstance(value, list) and sources else self._source(value, said)
                yield _commented(f"{indent}{_word(key)}: {_flow(value)}", source)

    def _source(self, value: object, said: ConfigNode) -> str:
        if said.value is not None and said.plain == value:
            return _called(said.place)
        called = _called(said.place)
        waits = said.value is not None and called != "default"
        return f"{self.elsewhere} ({called} is not accepted)" if waits else self.elsewhere

    def _each(self, values: list[Any], said: ConfigNode) -> list[str]:
        places = {item.plain: _called(item.place) for item in said.items if isinstance(item.value, str | int)}
        if any(isinstance(value, list) for value in values):
            return [self._source(values, said)] * len(values)
        return [places.get(value, self.elsewhere) for value in values]

    def _sources(self, values: list[Any], said: ConfigNode) -> list[str]:
        return list(dict.fromkeys(self._each(values, said)))


def _called(place: Position) -> str:
    if place.file == f"{PRESET}recommended":
        return "default"
    return place.file if place.file.startswith(PRESET) else f"{place.file}:{place.line}"


def _commented(text: str, comment: str) -> str:
    return f"{text:<{_COMMENT_COLUMN}}  # {comment}"


def _flow(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_word(item) for item in value)}]"
    return "{}" if value == {} else _word(value)


def _word(value: object) -> str:
    if isinstance(value, list):
        return _flow(value)
    if isinstance(value, str):
        bare = _SIMPLE.fullmatch(value) and plain_value(value) == value
        return value if bare else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def changes(base: Config, other: Config) -> tuple[str, ...]:
    return (*_changes(plain(base), plain(other), ""), *_changed_pages(base.security.pages, other.security.pages))


def _changed_pages(old: tuple[Page, ...], new: tuple[Page, ...]) -> Iterator[str]:
    before, after = {page.name: page for page in old}, {page.name: page for page in new}
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            yield f"{name}: {'gone' if name not in after else 'new' if name not in before else 'changed'}"


def _changes(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[str]:
    for key in {**old, **new}:
        name = f"{path}.{key}" if path else key
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if isinstance(before, dict | None) and isinstance(after, dict | None):
            yield from _changes(before or {}, after or {}, name)
        elif (
            isinstance(before, list) and isinstance(after, list) and sorted(map(str, before)) != sorted(map(str, after))
        ):
            yield from (f"{name}: - {each}" for each in before if each not in after)
            yield from (f"{name}: + {each}" for each in after if each not in before)
        else:
            yield f"{name}: {_shown(before)} -> {_shown(after)}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return "unset" if value is None else str(value)
