"""A configuration file as values that know their place, and what is wrong with them.

Reading is bounded: a hostile file costs no more than a large one. The parser's events are read rather than its node
graph: the composer of the YAML library recurses, and expands aliases without a limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from vetgate.expression import expression
from vetgate.model import UserError
from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Value = None | bool | int | float | str | list["ConfigNode"] | dict[str, "ConfigNode"]


# Begins the name of a file that comes with vetgate.
PRESET = "preset "
_MOST_SHOWN = 20
_HINT = "`vetgate config schema` prints every key; `vetgate config show` prints what is in force"


class Position(NamedTuple):
    """Lines and columns count from 1. `file` is what a person calls it: relative to the project, or a preset."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class ConfigNode(NamedTuple):
    """A value and where it stands; `key` is the place of its key when it is in a mapping."""

    value: Value
    place: Position
    key: Position | None = None

    @property
    def entries(self) -> dict[str, ConfigNode]:
        return self.value if isinstance(self.value, dict) else {}

    @property
    def items(self) -> list[ConfigNode]:
        return self.value if isinstance(self.value, list) else []

    def at(self, *keys: str) -> ConfigNode:
        """What is under these keys; an empty node where nothing is."""
        node = self
        for key in keys:
            node = node.entries.get(key, ConfigNode(None, node.place))
        return node

    @property
    def plain(self) -> object:
        if isinstance(self.value, dict):
            return {key: node.plain for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain for node in self.value]
        return self.value


class Problem(NamedTuple):
    place: Position
    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.key}: {self.message}" if self.key else f"{self.place}: {self.message}"


def failure(problems: Iterable[Problem]) -> UserError:
    """All of them at once, in the order of the files: nobody likes to fix a file one run at a time."""
    ordered = sorted(set(problems), key=lambda each: (each.place.file, each.place.line, each.place.column, each.key))
    lines = [str(problem) for problem in ordered[:_MOST_SHOWN]]
    if len(ordered) == 1:
        return UserError(lines[0], hint=_HINT)
    if len(ordered) > _MOST_SHOWN:
        lines.append(f"and {len(ordered) - _MOST_SHOWN} more")
    return UserError("\n  ".join([f"{len(ordered)} problems in the configuration", *lines]), hint=_HINT)


def shown(value: object) -> str:
    """A value as it may stand in a message: short, on one line, and no more of it than is needed to find it."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = str(value).lower() if isinstance(value, bool) else redacted(str(value))
    text = text if len(text) <= 40 else text[:37] + "..."
    printable = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return f'"{printable}"' if isinstance(value, str) else printable


def did_you_mean(word: object, known: Sequence[str]) -> str:
    """The end of a message about a word that is not known."""
    if not isinstance(word, str) or len(word) > 100:
        return ""
    import difflib  # noqa: PLC0415 - only a broken file pays for it

    lowered = {each.lower(): each for each in known}
    near = difflib.get_close_matches(word.lower(), list(lowered), n=1, cutoff=0.6)
    return f'; did you mean "{lowered[near[0]]}"?' if near else ""


MOST_BYTES = 256 * 1024
MOST_NODES = 5_000
MOST_DEPTH = 20

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNQUOTED = expression(r"(?:^|[\[\s,:{])[*&!%@`]")
_EMPTY = "the file is empty; it needs at least `version: 1`"


def read(data: bytes, file: str) -> tuple[ConfigNode, list[Problem]]:
    """The file's tree, and what is wrong with it although it can be read. A file that cannot be raises UserError."""
    text = _decode(data, file)
    tree = _NodeReader(file)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            tree.take(event)
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, text, file) from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position] if isinstance(error.position, int) else ""
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise _stop(Position(file, line, column), "a control character, which YAML does not allow") from None
    if tree.root is None or tree.root.value is None:
        raise _stop(Position(file, 1, 1), _EMPTY)
    return tree.root, tree.problems


def _stop(place: Position, message: str, key: str = "") -> UserError:
    return failure([Problem(place, key, message)])


def _decode(data: bytes, file: str) -> str:
    start = Position(file, 1, 1)
    if len(data) > MOST_BYTES:
        raise _stop(start, f"the file is larger than {MOST_BYTES} bytes")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _stop(start, "the file is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = Position(file, before.count(b"\n") + 1, error.start - before.rfind(b"\n"))
        raise _stop(place, f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8") from None
    if not text.strip():
        raise _stop(start, _EMPTY)
    return text


def _syntax_error(error: yaml.MarkedYAMLError, text: str, file: str) -> UserError:
    mark = error.problem_mark or error.context_mark
    place = Position(file, mark.line + 1, mark.column + 1) if mark else Position(file, 1, 1)
    lines = text.splitlines()
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return _stop(place, "a tab in the indentation; YAML wants spaces")
    quoting = "; put quotes around text that begins with *, &, !, %, @ or `" if _UNQUOTED.search(line) else ""
    said = str(error.problem)
    fault = next((words for part, words in _FAULTS if part in said), "this cannot be read")
    return _stop(place, f"not valid YAML: {fault}{quoting}")


# What the parser says, in the words of whoever wrote the file.
_FAULTS = (
    ("',' or '}'", "a comma or the closing } is missing"),
    ("',' or ']'", "a comma or the closing ] is missing"),
    ("mapping values are not allowed", "a colon where none may be; put quotes around text that holds one"),
    ("expected ':'", "a key without a colon"),
    ("expected key", "the indentation does not fit the lines above"),
    ("expected '-'", "the indentation does not fit the lines above"),
    ("expected alphabetic", "a name has to follow * and &"),
    ("end of stream", "a quote is not closed"),
    ("escape", "an unknown escape in double quotes"),
    ("cannot start any token", "no text may begin with this character"),
)


class _Open:
    """A list or mapping that is being read."""

    def __init__(self, event: Any, place: Position, key_place: Position | None, nodes_before: int) -> None:
        self.place = place
        self.key_place = key_place
        self.anchor: str | None = event.anchor
        self.nodes_before = nodes_before
        self.is_mapping = isinstance(event, yaml.MappingStartEvent)
        self.items: list[ConfigNode] = []
        self.entries: dict[str, ConfigNode] = {}
        self.pending: tuple[str, Position] | None = None
        self.pending_is_duplicate = False


class _NodeReader:
    def __init__(self, file: str) -> None:
        self.root: ConfigNode | None = None
        self.problems: list[Problem] = []
        self._file = file
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[ConfigNode, int]] = {}
        self._nodes = 0
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        match event:
            case yaml.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    raise _stop(self._at(event), "a second document (after `---`); a configuration is one document")
            case yaml.AliasEvent():
                self._alias(event)
            case yaml.ScalarEvent():
                self._scalar(event)
            case yaml.CollectionStartEvent():
                self._start(event)
            case yaml.CollectionEndEvent():
                self._end()

    def _at(self, event: Any) -> Position:
        mark = event.start_mark
        return Position(self._file, mark.line + 1, mark.column + 1)

    def _path(self) -> str:
        return ".".join(level.pending[0] for level in self._open if level.pending)

    def _awaits_key(self) -> bool:
        return bool(self._open) and self._open[-1].is_mapping and self._open[-1].pending is None

    def _count(self, nodes: int, place: Position) -> None:
        self._nodes += nodes
        if self._nodes > MOST_NODES:
            raise _stop(place, f"more than {MOST_NODES} values, aliases counted in full", self._path())

    def _refuse_tag(self, event: Any, place: Position) -> None:
        if event.tag is not None:
            self.problems.append(Problem(place, self._path(), "a YAML tag; put quotes around text that begins with !"))

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        place = self._at(event)
        self._count(1, place)
        self._refuse_tag(event, place)
        if self._awaits_key():
            self._key(event.value, place)
            return
        value = plain_value(event.value) if event.style is None or event.style == "" else event.value
        self._add(ConfigNode(value, place, self._key_place()), event.anchor, 1)

    def _key(self, text: str, place: Position) -> None:
        level = self._open[-1]
        level.pending = (text, place)
        level.pending_is_duplicate = text in level.entries
        if level.pending_is_duplicate:
            first = level.entries[text].key
            where = f" (first on line {first.line})" if first else ""
            self.problems.append(Problem(place, self._path(), f"the key appears twice{where}"))

    def _key_place(self) -> Position | None:
        return self._open[-1].pending[1] if self._open and self._open[-1].pending else None

    def _start(self, event: Any) -> None:
        place = self._at(event)
        if self._awaits_key():
            raise _stop(place, "a list or mapping cannot be a key", self._path())
        if len(self._open) >= MOST_DEPTH:
            raise _stop(place, f"nested more than {MOST_DEPTH} deep", self._path())
        self._refuse_tag(event, place)
        self._open.append(_Open(event, place, self._key_place(), self._nodes))

    def _end(self) -> None:
        level = self._open.pop()
        self._count(1, level.place)
        value: Any = level.entries if level.is_mapping else level.items
        self._add(ConfigNode(value, level.place, level.key_place), level.anchor, self._nodes - level.nodes_before)

    def _alias(self, event: Any) -> None:
        place = self._at(event)
        known = self._anchors.get(event.anchor)
        if known is None or self._awaits_key():
            message = f"nothing is called *{event.anchor[:40]} here; put quotes around text that begins with *"
            raise _stop(place, message, self._path())
        node, size = known
        self._count(size, place)
        self._add(ConfigNode(node.value, place, self._key_place()), None, size)

    def _add(self, node: ConfigNode, anchor: str | None, size: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = (node, size)
        if not self._open:
            self.root = node
            return
        level = self._open[-1]
        if not level.is_mapping:
            level.items.append(node)
            return
        if level.pending is not None and not level.pending_is_duplicate:
            level.entries[level.pending[0]] = node
        level.pending = None


def walk(node: ConfigNode, path: str = "") -> Iterator[tuple[str, ConfigNode]]:
    """Every value with its key path, as far down as mappings go."""
    if not isinstance(node.value, dict):
        yield path, node
        return
    for key, child in node.value.items():
        yield from walk(child, f"{path}.{key}" if path else key)


_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# Longer digit strings stay text: Python refuses to convert very long ones, and no setting needs them.
_INTEGER = expression(r"[-+]?[0-9]{1,18}")
_BASED = expression(r"0o[0-7]{1,15}|0x[0-9a-fA-F]{1,15}")
_FLOAT = expression(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def plain_value(text: str) -> str | int | float | bool | None:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if len(text) <= 40 and _FLOAT.fullmatch(text):
        return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return text
