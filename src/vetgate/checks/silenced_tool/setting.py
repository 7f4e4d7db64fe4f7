"""What a configuration file says, whatever it is written in, JSON and JavaScript among them: keys, a value, a line."""

from __future__ import annotations

import configparser
import re
import tomllib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import yaml

from vetgate.expression import expression
from vetgate.model import Unchecked
from vetgate.source.syntax import Source, first_line, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    ReadSetting = tuple[tuple[str, ...], str | float | bool | None, int]

_WORDS = {"true": True, "false": False, "null": None}


def json_objects(text: str) -> Iterator[ReadSetting]:
    """Every key that leads to a plain value; an object by itself is no program, so it is put in parentheses."""
    is_object = text.lstrip()[:1] in {"{", "["}
    syntax = parse(Source("settings", f"({text})" if is_object else text, "typescript"))
    if isinstance(syntax, Unchecked):
        return
    pending: list[tuple[tuple[str, ...], Node]] = [((), syntax.tree.root_node)]
    while pending:
        keys, node = pending.pop()
        if node.type in {"comment", "function_declaration"} or len(keys) > _DEEPEST:
            continue
        plain = _plain(node)
        if plain is not None and keys:
            yield keys, plain[0], first_line(node)
        elif node.type == "pair":
            value, name = node.child_by_field_name("value"), node.child_by_field_name("key")
            if value is not None and name is not None:
                pending.append(((*keys, _name(name)), value))
        elif plain is None:
            pending += [(keys, child) for child in reversed(node.named_children)]


def _plain(node: Node) -> tuple[str | float | bool | None] | None:
    text = (node.text or b"").decode("utf-8", "replace")
    if node.type in _WORDS:
        return (_WORDS[node.type],)
    if node.type == "string":
        return (text[1:-1],)
    if node.type in {"number", "unary_expression"}:
        try:
            return (float(text) if "." in text else int(text),)
        except ValueError:
            return None
    return (text,) if node.type in {"identifier", "member_expression", "regex"} else None


def _name(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace").strip("\"'")


Value = str | int | float | bool | None
# The one in C is ten times as quick, where it was built.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LARGEST = 400_000
_DEEPEST = 40
_MOST = 5_000  # nobody sets more by hand, and aliases of YAML multiply


@dataclass(frozen=True, slots=True)
class Setting:
    """An item of a list has the keys of its list."""

    keys: tuple[str, ...]
    value: Value
    line: int

    @property
    def path(self) -> str:
        return "/".join(self.keys)

    @property
    def number(self) -> float | None:
        if isinstance(self.value, bool):
            return None
        if isinstance(self.value, int | float):
            return float(self.value)
        match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*%?\s*", self.value or "")
        return float(match[1]) if match else None

    @property
    def word(self) -> str:
        return str(self.value).strip().lower()


def settings(path: str, text: str) -> tuple[Setting, ...]:
    """Nothing where the file is broken: then no tool reads it either."""
    if len(text) > LARGEST:
        return ()
    name = path.rpartition("/")[2].lower()
    for pattern, read in _READERS:
        if pattern.search(name):
            try:
                return tuple(islice(read(text), _MOST))
            except (ValueError, yaml.YAMLError, configparser.Error, RecursionError):
                return ()
    return ()


def _of_toml(text: str) -> Iterator[Setting]:
    for keys, value in _flat(tomllib.loads(text)):
        yield Setting(keys, value, _line_of(text, keys, value))


def _flat(content: Any) -> Iterator[tuple[tuple[str, ...], Value]]:
    pending: list[tuple[tuple[str, ...], Any]] = [((), content)]
    while pending:
        keys, value = pending.pop()
        if isinstance(value, dict):
            pending += [((*keys, str(key)), each) for key, each in reversed(value.items())]
        elif isinstance(value, list):
            pending += [(keys, each) for each in reversed(value)]
        elif isinstance(value, str | int | float | bool) or value is None:
            yield keys, value


def _line_of(text: str, keys: tuple[str, ...], value: Value) -> int:
    """TOML is read without places: the first line with the key, or below it with the item."""
    start = (
        re.search(rf"^\s*[\"']?{re.escape(keys[-1])}[\"']?\s*=|{re.escape(keys[-1])}", text, re.MULTILINE)
        if keys
        else None
    )
    if start is None:
        return 1
    item = text.find(f'"{value}"', start.start()) if isinstance(value, str) else -1
    at = item if 0 <= item < start.start() + 20_000 else start.start()
    return text.count("\n", 0, at) + 1


def _of_yaml(text: str) -> Iterator[Setting]:
    documents = [document for document in yaml.compose_all(text, Loader=LOADER) if document]
    pending: list[tuple[tuple[str, ...], Any]] = [((), document) for document in reversed(documents)]
    for _ in range(_MOST):
        if not pending:
            return
        keys, node = pending.pop()
        if isinstance(node, yaml.ScalarNode):
            yield Setting(keys, _scalar(node), node.start_mark.line + 1)
        elif isinstance(node, yaml.MappingNode) and len(keys) < _DEEPEST:
            pending += [((*keys, str(key.value)), value) for key, value in reversed(node.value)]
        elif isinstance(node, yaml.SequenceNode):
            pending += [(keys, value) for value in reversed(node.value)]


def _scalar(node: yaml.ScalarNode) -> Value:
    if node.tag.endswith(":bool"):
        return node.value.lower() in {"true", "yes", "on"}
    return None if node.tag.endswith(":null") else str(node.value)


def _of_ini(text: str) -> Iterator[Setting]:
    """Sections, keys, values over several lines; a value is cut into the items of a list when it is one."""
    section, key = "", ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = re.sub(r"(?:^|\s)[#;].*$", "", raw)
        if not line.strip():
            continue
        head = re.match(r"\[(.+)\]\s*$", line.strip())
        pair = re.match(r"([\w.\-]+)\s*[=:]\s*(.*)$", line)
        if head:
            section, key = head[1], ""
        elif pair and not raw[:1].isspace():
            key = pair[1]
            yield from _items((section, key), pair[2], number)
        elif key:
            yield from _items((section, key), line, number)


def _items(keys: tuple[str, ...], value: str, line: int) -> Iterator[Setting]:
    keys = tuple(each for each in keys if each)
    if "," not in value and " " in value.strip():
        yield Setting(keys, value.strip(), line)
        return
    yield from (Setting(keys, each.strip(), line) for each in value.split(",") if each.strip())


def _of_markup(text: str) -> Iterator[Setting]:
    """Elements and attributes with a plain value: enough for switches and limits in XML."""
    for match in re.finditer(r"<([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*\"[^\"]*\")*)\s*/?>(?:([^<]*)</\1\s*>)?", text):
        line = text.count("\n", 0, match.start()) + 1
        if match[3] and match[3].strip():
            yield from (Setting((match[1],), each.strip(), line) for each in match[3].split(";") if each.strip())
        for name, value in re.findall(r"([\w.:-]+)\s*=\s*\"([^\"]*)\"", match[2]):
            yield Setting((match[1], name), value, line)


def _of_objects(text: str) -> Iterator[Setting]:
    yield from (Setting(*found) for found in json_objects(text))


_READERS = (
    (expression(r"\.toml$|^pipfile$"), _of_toml),
    (expression(r"\.ya?ml$|\.neon(?:\.dist)?$|^\.(?:clang-tidy|yamllint|codeclimate|c8rc|nycrc|mocharc)$"), _of_yaml),
    (
        expression(r"\.(?:json[c5]?|[cm]?[jt]s)$|^\.(?:eslintrc|babelrc|jshintrc|stylelintrc|swcrc|oxlintrc|nycrc)$"),
        _of_objects,
    ),
    (
        expression(
            r"\.(?:ini|cfg|conf|properties)$|^\.(?:flake8|pylintrc|coveragerc|bandit|editorconfig|globalconfig)$"
            r"|^pylintrc$"
        ),
        _of_ini,
    ),
    (expression(r"\.(?:xml|csproj|vbproj|fsproj|props|targets|ruleset)(?:\.dist)?$"), _of_markup),
)
