"""What `on.EVENT` may hold: a list of gates, in which a nested list runs at once, or such a list with filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.config.value_shapes import MOST_ITEMS, Key, ListOf, MappingShape, TextShape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.node import ConfigNode, Problem
    from vetgate.config.value_shapes import ValueShape

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
