"""Options of checks: each check declares its own, and options.json lists them for the reader of a file.

No configuration may import a check, so `python -m vetgate.checks.document --write` writes down what they declare.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from vetgate.config.node import ConfigNode, Position
from vetgate.config.value_shapes import (
    Choice,
    Flag,
    GlobShape,
    Key,
    ListOf,
    MapOf,
    MappingShape,
    Regex,
    Share,
    TextShape,
    ValueShape,
    Whole,
)

if TYPE_CHECKING:
    from vetgate.config.schema import Config

T = TypeVar("T")
LISTED = Path(__file__).with_name("options.json")
LESS = "less"
MORE = "more"
OWN = "own"  # rules of a project's own, which `Config.security` holds


class Option(NamedTuple, Generic[T]):
    """`key` is its section and its name in vetgate.yaml; `stricter` says whether LESS or MORE of it is.

    That is the value of a number, how far down in its list a choice stands, how many entries a list has, and for a
    mapping that of each entry. `loosens` is said of entries of a list that loosen it.
    """

    key: str
    shape: ValueShape
    default: T
    summary: str
    stricter: str
    loosens: str = ""

    @property
    def name(self) -> str:
        return self.key.partition(".")[2]

    def of(self, config: Config) -> T:
        value: T = config.options.get(self.key, self.default)
        return value

    def tightened(self, was: T, wanted: T, ignored: list[str]) -> T:
        """The stricter of two values; `ignored` is told what would loosen."""
        value: T = self._stricter(self.shape, self.key, (was, wanted), ignored)
        return value

    def _stricter(self, shape: ValueShape, key: str, values: tuple[Any, Any], ignored: list[str]) -> Any:
        was, wanted = values
        if isinstance(shape, MappingShape):
            return {
                name: self._stricter(shape.keys[name].shape, f"{key}.{name}", (each, wanted.get(name, each)), ignored)
                for name, each in was.items()
            }
        if isinstance(shape, ListOf):
            return self._entries(was, wanted, ignored)
        low, high = (was, wanted) if self.stricter == LESS else (wanted, was)
        is_looser = shape.options.index(low) < shape.options.index(high) if isinstance(shape, Choice) else low < high
        if is_looser:
            ignored.append(f"{key} {_word(wanted)} is looser than {_word(was)}")
        return was if is_looser else wanted

    def _entries(self, was: tuple[str, ...], wanted: tuple[str, ...], ignored: list[str]) -> tuple[str, ...]:
        few, many = (was, wanted) if self.stricter == LESS else (wanted, was)
        looser = [each for each in many if each not in few]
        if looser:
            says = self.loosens or ("adds {}" if self.stricter == LESS else "leaves out {}")
            ignored.append(f"{self.key} {says.format(', '.join(map(str, looser)))}")
        return tuple(each for each in was if each in wanted) if self.stricter == LESS else (*wanted, *looser)


class Section(NamedTuple):
    """The options of one check, under one key."""

    check: str
    key: str
    summary: str
    options: tuple[Option[Any], ...]


_KINDS = {
    kind.__name__: kind
    for kind in (
        *(Section, Option, Key),
        *(Choice, Flag, GlobShape, ListOf, MapOf, MappingShape, Regex, Share, TextShape, Whole),
    )
}


def encoded(value: Any) -> Any:
    """As plain values that JSON can hold; `decoded` gives it back."""
    name = type(value).__name__
    if name in _KINDS:
        return {name: [encoded(each) for each in value] if isinstance(value, tuple) else []}
    if isinstance(value, dict):
        return {key: encoded(each) for key, each in value.items()}
    return [encoded(each) for each in value] if isinstance(value, tuple | frozenset) else value


def decoded(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(decoded, value))
    if not isinstance(value, dict):
        return value
    kind = _KINDS.get(next(iter(value), ""))
    return kind(*decoded(*value.values())) if kind else {key: decoded(each) for key, each in value.items()}


SECTIONS: tuple[Section, ...] = decoded(json.loads(LISTED.read_bytes()))
OPTIONS = tuple(option for section in SECTIONS for option in section.options if option.stricter != OWN)


def section_keys() -> dict[str, Key]:
    return {
        section.key: Key(
            MappingShape({option.name: Key(option.shape, option.summary) for option in section.options}),
            section.summary,
        )
        for section in SECTIONS
    }


def with_defaults(ground: ConfigNode) -> ConfigNode:
    """The ground under every configuration with what the checks declare."""

    def node(value: Any) -> ConfigNode:
        if isinstance(value, dict):
            return ConfigNode({key: node(each) for key, each in value.items()}, place, place)
        return ConfigNode([node(each) for each in value] if isinstance(value, tuple) else value, place, place)

    place = Position(ground.place.file, 1, 1)
    sections = {section.key: node({each.name: each.default for each in section.options}) for section in SECTIONS}
    return ConfigNode({**ground.entries, **sections}, ground.place, ground.key)


def read_options(values: Any) -> dict[str, Any]:
    """The value of each from the values of a whole file."""
    found = {}
    for option in OPTIONS:
        value = values[option.key.partition(".")[0]][option.name]
        found[option.key] = tuple(value) if isinstance(value, list) else value
    return found


def plain_sections(config: Config) -> dict[str, dict[str, Any]]:
    """As a file has them, in the order of the checks."""
    found: dict[str, dict[str, Any]] = {section.key: {} for section in SECTIONS}
    for key, value in config.options.items():
        section, _, name = key.partition(".")
        found[section][name] = list(value) if isinstance(value, tuple) else value
    return found


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
