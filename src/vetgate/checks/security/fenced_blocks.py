"""A fenced block of a page as a value; what is wrong with it is said with its line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec
import yaml

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Value = TypeVar("Value")
_FENCE = expression(r"^```(?P<kind>rule|ast-grep)[ \t]*\n(?P<text>.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_AT = expression(r" - at `\$(?P<path>.*)`$")
_STEP = expression(r"\.(?P<key>[^.\[]+)|\[(?P<index>\d+|\.\.\.)\]")
_FIELD = expression(r"unknown field `(?P<field>[^`]+)`")


class BadBlock(Exception):  # noqa: N818 - it is the block that is bad
    """What is wrong, and on which line of the page."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


class FencedBlock(NamedTuple):
    """`line` is the page's line on which the text begins."""

    kind: str
    text: str
    line: int

    def read(self, wanted: type[Value], given: Mapping[str, object]) -> Value:
        """`given` holds where the block is silent. Raises BadBlock."""
        try:
            content = yaml.safe_load(self.text)
            if not isinstance(content, dict):
                raise BadBlock(self.line, "the block is not a mapping")
            return msgspec.convert({**given, **content}, wanted)
        except yaml.MarkedYAMLError as error:
            raise BadBlock(self.line + _line_of(error), str(error.problem or error.context)) from error
        except yaml.YAMLError as error:
            raise BadBlock(self.line, " ".join(str(error).split())) from error
        except msgspec.ValidationError as error:
            raise BadBlock(self._line_of_error(str(error)), _in_words(str(error))) from error

    def line_of(self, path: Iterable[str | int]) -> int:
        """Where the value at this path begins, or the last of those around it that is there."""
        node = yaml.compose(self.text, yaml.SafeLoader)
        line = 0
        for step in path:
            node = _below(node, step)
            if node is None:
                break
            line = node.start_mark.line
        return self.line + line

    def _line_of_error(self, message: str) -> int:
        at, field = _AT.search(message), _FIELD.search(message)
        steps: list[str | int] = list(_steps(at["path"])) if at else []
        return self.line_of([*steps, *([field["field"]] if field else [])])


def _line_of(error: yaml.MarkedYAMLError) -> int:
    """Where what is not closed was opened, when that shows only at the end."""
    at_end = "end of stream" in (error.problem or "")
    mark = (error.context_mark if at_end else None) or error.problem_mark
    return mark.line if mark else 0


def blocks(page: str) -> list[FencedBlock]:
    return [
        FencedBlock(found["kind"], found["text"], page.count("\n", 0, found.start("text")) + 1)
        for found in _FENCE.finditer(page)
    ]


def _in_words(message: str) -> str:
    words = {"Object contains unknown field": "unknown key", "Object missing required field": "missing key", "`$.": "`"}
    for theirs, ours in words.items():
        message = message.replace(theirs, ours)
    return message


def _steps(path: str) -> Iterator[str | int]:
    for step in _STEP.finditer(path):
        if step["key"]:
            yield step["key"]
        elif step["index"].isdigit():
            yield int(step["index"])


def _below(node: yaml.Node | None, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
        return node.value[step] if step < len(node.value) else None
    return None
