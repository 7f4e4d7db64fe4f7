"""The configuration in force as YAML, with a comment that says where each value comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.config.plain import plain
from vetgate.config.read import plain_value
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.node import ConfigNode, Position
    from vetgate.config.schema import Config

_COMMENT_COLUMN = 40
_SIMPLE = expression(r"[A-Za-z][A-Za-z0-9_/.-]*")


def show(config: Config, tree: ConfigNode, *, elsewhere: str = "default") -> str:
    """`tree` is what the file says; a value in force that it does not hold comes from `elsewhere`."""
    return "\n".join(_Page(elsewhere).lines(plain(config), tree, 0)) + "\n"


@dataclass(frozen=True, slots=True)
class _Page:
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
    if place.file == "preset recommended":
        return "default"
    return place.file if place.file.startswith("preset ") else f"{place.file}:{place.line}"


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
