"""Python classes whose constructor is made of their fields: dataclasses, attrs, named tuples, models of pydantic.

Only as far as the class alone tells. Anything that may change what a call has to pass makes it unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import KEYWORD, KEYWORDS, PLAIN, Parameter
from vetgate.source.syntax import children_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.index.reading import Reading

DATACLASS, ATTRS, OLD_ATTRS, TUPLE, MODEL = "dataclass", "attrs", "old attrs", "tuple", "model"
_BY_DECORATOR = {"dataclass": DATACLASS, "define": ATTRS, "frozen": ATTRS, "mutable": ATTRS, "s": OLD_ATTRS}
_BY_BASE = {"NamedTuple": TUPLE, "BaseModel": MODEL}
# What the name at the class has to be imported from, for it to be the one that is meant.
ORIGINS = {
    DATACLASS: ("dataclasses.dataclass",),
    ATTRS: tuple(f"{module}.{name}" for module in ("attr", "attrs") for name in ("define", "frozen", "mutable")),
    OLD_ATTRS: ("attr.s",),
    TUPLE: ("typing.NamedTuple", "typing_extensions.NamedTuple"),
    MODEL: ("pydantic.BaseModel", "pydantic.main.BaseModel"),
}
_SPECIFIERS = {
    DATACLASS: {"field"},
    ATTRS: {"field", "ib", "attrib"},
    OLD_ATTRS: {"ib", "attrib"},
    MODEL: {"Field", "PrivateAttr"},
}
_DEFAULTS = {"default", "default_factory", "factory"}
_MAKERS = {"__init__", "__new__"}
# Of the options of a decorator, those that leave fields and their order as they are.
_HARMLESS = frozenset(
    """frozen slots eq order repr unsafe_hash match_args weakref_slot hash cmp cache_hash str on_setattr
    getstate_setstate""".split()  # noqa: SIM905 - a list of names
)


class Fields(NamedTuple):
    """By which word the class is made, what that is, and what a call passes; None where nobody can tell."""

    word: str
    kind: str
    parameters: tuple[Parameter, ...] | None


class _UnknownFieldsError(Exception):
    """The class alone does not say what a call has to pass."""


def fields(reading: Reading, node: Node, decorators: list[str], bases: list[str]) -> Fields | None:
    """None for a class that is not made of its fields; `decorators` are the texts behind the `@`."""
    for decorator in decorators:
        word, _, options = decorator.partition("(")
        kind = _BY_DECORATOR.get(word.strip().rpartition(".")[2], "")
        if kind:
            return Fields(word.strip(), kind, _parameters(reading, node, kind, options))
    for base in bases:
        kind = _BY_BASE.get(base.rpartition(".")[2], "")
        if kind:
            return Fields(base, kind, _parameters(reading, node, kind, ""))
    return None


def _parameters(reading: Reading, node: Node, kind: str, options: str) -> tuple[Parameter, ...] | None:
    try:
        return tuple(_Body(reading, kind, _options(options)).parameters(node.child_by_field_name("body")))
    except _UnknownFieldsError:
        return None


def _options(text: str) -> dict[str, str]:
    found = {}
    for part in filter(str.strip, text.rstrip(") \n").split(",")):
        name, is_set, value = part.partition("=")
        if not is_set:
            raise _UnknownFieldsError
        found[name.strip()] = value.strip()
    return found


class _Body:
    def __init__(self, reading: Reading, kind: str, options: dict[str, str]) -> None:
        if options.keys() - _HARMLESS - {"kw_only", "auto_attribs"} or options.get("kw_only") not in {None, "True"}:
            raise _UnknownFieldsError
        self._reading = reading
        self._kind = ATTRS if kind == OLD_ATTRS and options.get("auto_attribs") == "True" else kind
        self._by_name = kind == MODEL or "kw_only" in options
        self._found: dict[str, Parameter] = {}
        self._defaulted: set[str] = set()
        self._taken: set[str] = set()
        self._is_closed = False

    def parameters(self, body: Node | None) -> Iterator[Parameter]:
        for child in body.named_children if body is not None else ():
            self._see(child)
        if self._found.keys() & self._taken:
            raise _UnknownFieldsError  # a property or a value of the same name
        for name, each in self._found.items():
            yield Parameter(each.name, each.kind, each.optional or name in self._defaulted)
        if self._kind == MODEL and not self._is_closed:
            yield Parameter("", KEYWORDS)  # what it does not know it leaves out

    def _see(self, node: Node) -> None:
        inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else node
        if inner.type == "assignment":
            self._assigned(inner)
        elif inner.type == "decorated_definition":
            self._decorated(inner)
        elif inner.type in {"function_definition", "class_definition"}:
            self._defined(inner)
        elif inner.type not in {"comment", "string", "concatenated_string", "pass_statement", "ellipsis"}:
            raise _UnknownFieldsError

    def _defined(self, node: Node) -> None:
        name = self._text(node.child_by_field_name("name"))
        if name in _MAKERS or (name == "Config" and self._kind == MODEL):
            raise _UnknownFieldsError
        self._taken.add(name)

    def _decorated(self, node: Node) -> None:
        for child in node.named_children:
            text = self._text(child).removeprefix("@")
            if child.type != "decorator":
                self._defined(child)
            elif text.endswith(".default"):
                self._defaulted.add(text.removesuffix(".default"))
            elif (
                self._kind == MODEL and ("model_validator" in text or "root_validator" in text) and "after" not in text
            ):
                raise _UnknownFieldsError  # it may bring what is missing

    def _assigned(self, node: Node) -> None:
        left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        name, hint = self._text(left), self._text(node.child_by_field_name("type"))
        if left is None or left.type != "identifier" or (name.startswith("__") and not name.endswith("__")):
            raise _UnknownFieldsError
        specified = self._specified(value)
        if name == "model_config" and self._kind == MODEL:
            self._configured(self._text(value))
        elif not hint and specified is None:
            self._taken.add(name)
        elif (not hint and self._kind != OLD_ATTRS) or (hint and self._kind == OLD_ATTRS and specified is None):
            raise _UnknownFieldsError
        else:
            self._field(name, hint, value, specified)

    def _configured(self, text: str) -> None:
        if "alias" in text or "allow" in text or not text.startswith(("ConfigDict(", "{")):
            raise _UnknownFieldsError
        self._is_closed = "forbid" in text

    def _field(self, name: str, hint: str, value: Node | None, specified: dict[str, str] | None) -> None:
        if "KW_ONLY" in hint:
            self._by_name = True
            return
        if "ClassVar" in hint or (self._kind == MODEL and name.startswith("_")):
            return
        given = specified or {}
        if given.get("init", "True") != "True":
            if given["init"] != "False":
                raise _UnknownFieldsError
            return
        if any("alias" in option for option in given) or given.get("kw_only", "True") != "True":
            raise _UnknownFieldsError
        kind = KEYWORD if self._by_name or "kw_only" in given else PLAIN
        called = name.lstrip("_") if self._kind in {ATTRS, OLD_ATTRS} else name
        self._found[name] = Parameter(called, kind, self._is_optional(hint, value, specified))

    def _is_optional(self, hint: str, value: Node | None, specified: dict[str, str] | None) -> bool:
        if self._kind == MODEL and ("Optional" in hint or "None" in hint or "Field" in hint or "Any" in hint):
            return True  # one version asks for it, another does not
        if specified is None:
            return value is not None and not (self._kind == MODEL and self._text(value) == "...")
        return bool(specified.keys() & _DEFAULTS) or specified.get("", "...") not in {"...", "Ellipsis"}

    def _specified(self, value: Node | None) -> dict[str, str] | None:
        """What is said of a field by a call; what is not named is under "". None where it is no such call."""
        function = value.child_by_field_name("function") if value is not None and value.type == "call" else None
        if value is None or self._text(function).rpartition(".")[2] not in _SPECIFIERS.get(self._kind, ()):
            return None
        found = {}
        for child in children_in(value, "arguments"):
            if child.type in {"list_splat", "dictionary_splat"}:
                raise _UnknownFieldsError
            if child.type == "keyword_argument":
                name = self._text(child.child_by_field_name("name"))
                found[name] = self._text(child.child_by_field_name("value"))
            elif child.type != "comment":
                found[""] = self._text(child)
        return found

    def _text(self, node: Node | None) -> str:
        return self._reading.text(node)
