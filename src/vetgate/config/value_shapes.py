"""The kinds of values a key may hold. One description serves the loader, the JSON Schema and the reference page."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from vetgate.config.glob import MOST_CHARACTERS, complaint
from vetgate.config.node import ConfigNode, Problem, did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST_ITEMS = 500
MOST_PATTERN = 500
NOT_YET = "not in this version of vetgate"


class ValueShape(Protocol):
    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        """Append what is wrong; a value without problems can be used as it is."""

    def schema(self) -> dict[str, Any]:
        """The same as JSON Schema."""

    def words(self) -> str:
        """The same for a person."""


def _wrong(node: ConfigNode, key: str, message: str) -> Problem:
    return Problem(node.place, key, message)


class Flag:
    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        if not isinstance(node.value, bool):
            problems.append(_wrong(node, key, f"must be true or false, not {shown(node.value)}"))

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def words(self) -> str:
        return "true or false"


class Whole(NamedTuple):
    low: int
    high: int

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            problems.append(_wrong(node, key, f"must be {self.words()}, not {shown(value)}"))

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def words(self) -> str:
        return f"a whole number from {self.low} to {self.high}"


class Share(NamedTuple):
    """A part of a whole, 0.85 for 85 %."""

    low: float
    high: float

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.low <= value <= self.high:
            problems.append(_wrong(node, key, f"must be {self.words()}, not {shown(value)}"))

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.low, "maximum": self.high}

    def words(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}"


class Choice(NamedTuple):
    options: tuple[str, ...]

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        if node.value in self.options and isinstance(node.value, str):
            return
        meant = '; did you mean "off"?' if node.value is False and "off" in self.options else ""
        meant = meant or did_you_mean(node.value, self.options)
        problems.append(_wrong(node, key, f"must be {self.words()}, not {shown(node.value)}{meant}"))

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.options)}

    def words(self) -> str:
        return f"{', '.join(self.options[:-1])} or {self.options[-1]}"


class Version(NamedTuple):
    """The version of the file's format; another one is a file for another vetgate."""

    number: int

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        if node.value is True or node.value != self.number:
            message = f"must be {self.number}, the format that this vetgate reads, not {shown(node.value)}"
            problems.append(_wrong(node, key, message))

    def schema(self) -> dict[str, Any]:
        return {"const": self.number}

    def words(self) -> str:
        return str(self.number)


class TextShape(NamedTuple):
    """Text that matches a pattern; `what` names it in messages. One that `may_be_secret` is never repeated there."""

    what: str
    pattern: str
    refused: frozenset[str] = frozenset()
    may_be_secret: bool = False

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        complaint = self.complaint(node.value)
        if complaint:
            problems.append(_wrong(node, key, complaint))

    def complaint(self, value: object) -> str:
        if not isinstance(value, str) or not re.fullmatch(self.pattern, value):
            given = "; the value is not shown: it may be a secret" if self.may_be_secret else ""
            return f"must be {self.what}{given or f', not {shown(value)}'}"
        return f"{value} is an action and cannot be used as a name" if value.upper() in self.refused else ""

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "string", "pattern": f"^(?:{self.pattern})$"}
        return schema | ({"not": {"enum": sorted(self.refused)}} if self.refused else {})

    def words(self) -> str:
        return self.what


class GlobShape:
    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        if not isinstance(node.value, str):
            problems.append(_wrong(node, key, f"must be {self.words()}, not {shown(node.value)}"))
            return
        wrong = complaint(node.value)
        if wrong:
            problems.append(_wrong(node, key, f"{shown(node.value)} {wrong}"))

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS}

    def words(self) -> str:
        return "a glob"


class Regex:
    """A regular expression as Python reads it."""

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        if not isinstance(node.value, str) or not 1 <= len(node.value) <= MOST_PATTERN:
            problems.append(_wrong(node, key, f"must be {self.words()}, not {shown(node.value)}"))
            return
        try:
            with warnings.catch_warnings(action="ignore"):
                re.compile(node.value)
        except (re.error, OverflowError, RecursionError) as error:
            problems.append(_wrong(node, key, f"is not a regular expression: {error}"))

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "maxLength": MOST_PATTERN}

    def words(self) -> str:
        return f"a regular expression of at most {MOST_PATTERN} characters"


class ListOf(NamedTuple):
    item: ValueShape
    least: int = 0

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        if not isinstance(node.value, list):
            written = f"; write it as [{_quoted(node.value)}]" if isinstance(node.value, str) else ""
            problems.append(_wrong(node, key, f"must be a list, not {shown(node.value)}{written}"))
            return
        if len(node.value) < self.least:
            problems.append(_wrong(node, key, "must not be empty"))
        if len(node.value) > MOST_ITEMS:
            problems.append(_wrong(node, key, f"has more than {MOST_ITEMS} entries"))
            return
        for number, item in enumerate(node.value):
            self.item.check(item, f"{key}[{number}]", problems)

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "array", "items": self.item.schema(), "maxItems": MOST_ITEMS}
        return schema | ({"minItems": self.least} if self.least else {})

    def words(self) -> str:
        return f"a list; each: {self.item.words()}"


class MapOf(NamedTuple):
    """A mapping whose keys are names that the user chooses."""

    name: TextShape
    value: ValueShape

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        if not isinstance(node.value, dict):
            problems.append(_wrong(node, key, f"must be a mapping, not {shown(node.value)}"))
            return
        for name, child in node.value.items():
            complaint = self.name.complaint(name)
            if complaint:
                problems.append(Problem(child.key or child.place, f"{key}.{_short(name)}", f"the name {complaint}"))
            self.value.check(child, f"{key}.{_short(name)}", problems)

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "propertyNames": self.name.schema(), "additionalProperties": self.value.schema()}

    def words(self) -> str:
        return f"a mapping from {self.name.words()} to {self.value.words()}"


class Key(NamedTuple):
    shape: ValueShape
    summary: str
    required: bool = False


class MappingShape(NamedTuple):
    """A mapping with a closed set of keys. `later` are keys of the product that this version does not have yet."""

    keys: Mapping[str, Key]
    later: frozenset[str] = frozenset()

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        if not isinstance(node.value, dict):
            problems.append(_wrong(node, key, f"must be a mapping, not {shown(node.value)}"))
            return
        for name, child in node.value.items():
            path = f"{key}.{_short(name)}" if key else _short(name)
            known = self.keys.get(name)
            if known is None:
                problems.append(Problem(child.key or child.place, path, self._unknown(name)))
            else:
                known.shape.check(child, path, problems)
        for name, known in self.keys.items():
            if known.required and name not in node.value:
                path = f"{key}.{name}" if key else name
                problems.append(_wrong(node, path, f"is missing; add `{name}: {known.shape.words()}`"))

    def _unknown(self, name: str) -> str:
        if name in self.later:
            return NOT_YET
        return f"unknown key{did_you_mean(name, list(self.keys))}"

    def schema(self) -> dict[str, Any]:
        properties = {name: key.shape.schema() | {"description": key.summary} for name, key in self.keys.items()}
        schema: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": properties}
        required = [name for name, key in self.keys.items() if key.required]
        return schema | ({"required": required} if required else {})

    def words(self) -> str:
        return "a mapping"


def _quoted(text: str) -> str:
    """As YAML reads it back: a glob's `*` would be an alias without quotes."""
    import json  # noqa: PLC0415 - only a broken file pays for it

    return json.dumps(text[:100], ensure_ascii=not text.isprintable())


def _short(name: str) -> str:
    return shown(name)[1:-1]


FILTER = TextShape("a name, or a glob of names (mcp__*)", r"[^\s\x00-\x1f]{1,200}")


class Together(NamedTuple):
    """One gate, or a list of gates that run at the same time."""

    name: TextShape

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        shape: ValueShape = ListOf(self.name, least=1) if isinstance(node.value, list) else self.name
        shape.check(node, key, problems)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.name.schema(), ListOf(self.name, least=1).schema()]}

    def words(self) -> str:
        return f"{self.name.words()}, or a list of them that run at once"


class Sequence(NamedTuple):
    """With filters it is a mapping; most are a list."""

    name: TextShape

    def check(self, node: ConfigNode, key: str, problems: list[Problem]) -> None:
        shape: ValueShape = self._table() if isinstance(node.value, dict) else ListOf(Together(self.name))
        shape.check(node, key, problems)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [ListOf(Together(self.name)).schema(), self._table().schema()]}

    def words(self) -> str:
        return "a list of gates, a nested list running at once; or {tools: [...], agents: [...], gates: [...]}"

    def _table(self) -> MappingShape:
        return MappingShape(
            {
                "tools": Key(ListOf(FILTER, least=1), "Only after these tools."),
                "agents": Key(ListOf(FILTER, least=1), "Only for subagents of these types."),
                "gates": Key(ListOf(Together(self.name)), "The gates, in order.", required=True),
            }
        )


def listed(sequence: ConfigNode, key: str) -> Iterator[tuple[ConfigNode, str]]:
    """Every gate's name in a sequence, with its key."""
    steps, key = (sequence.at("gates"), f"{key}.gates") if sequence.entries else (sequence, key)
    for number, step in enumerate(steps.items[:MOST_ITEMS]):
        if step.items:
            yield from ((node, f"{key}[{number}][{inner}]") for inner, node in enumerate(step.items))
        elif isinstance(step.value, str):
            yield step, f"{key}[{number}]"
