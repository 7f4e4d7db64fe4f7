"""What a declared type takes of values whose look alone tells what they are; nothing is said of any other type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXT, BYTES, CHAR, INT, FLOAT, BOOL, NONE = "text", "bytes", "char", "int", "float", "bool", "none"
LIST, TUPLE, DICT, SET, OBJECT = "list", "tuple", "dict", "set", "object"

WORDS: Mapping[str, str] = {
    TEXT: "a string", BYTES: "bytes", CHAR: "a character", INT: "an integer", FLOAT: "a number with a fraction",
    BOOL: "a boolean", NONE: "null", LIST: "a list", TUPLE: "a tuple", DICT: "a mapping", SET: "a set",
    OBJECT: "an object",
}  # fmt: skip

Accepts = frozenset[str]
_NUMBERS = frozenset({INT, FLOAT})
_WHOLE = frozenset({INT, CHAR})
_ANY_NUMBER = frozenset({INT, FLOAT, CHAR})

_PYTHON: Mapping[str, Accepts] = {
    "int": frozenset({INT, BOOL}),
    "float": frozenset({INT, FLOAT, BOOL}),
    "complex": frozenset({INT, FLOAT, BOOL}),
    "bool": frozenset({BOOL}),
    "str": frozenset({TEXT}),
    "bytes": frozenset({BYTES}),
    "None": frozenset({NONE}),
    **dict.fromkeys(("list", "List"), frozenset({LIST})),
    **dict.fromkeys(("dict", "Dict"), frozenset({DICT})),
    **dict.fromkeys(("tuple", "Tuple"), frozenset({TUPLE})),
    **dict.fromkeys(("set", "Set"), frozenset({SET})),
}
_SCRIPT: Mapping[str, Accepts] = {
    "number": _NUMBERS,
    "string": frozenset({TEXT}),
    "boolean": frozenset({BOOL}),
    "null": frozenset({NONE}),
    "undefined": frozenset({NONE}),
    "Array": frozenset({LIST}),
}
_GO: Mapping[str, Accepts] = {
    **dict.fromkeys("int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte rune".split(), _WHOLE | {FLOAT}),  # noqa: SIM905
    **dict.fromkeys(("float32", "float64"), _ANY_NUMBER),
    "string": frozenset({TEXT}),
    "bool": frozenset({BOOL}),
    "error": frozenset({NONE}),
}
_JAVA: Mapping[str, Accepts] = {
    **dict.fromkeys("int long short byte char".split(), _WHOLE),  # noqa: SIM905
    **dict.fromkeys(("float", "double"), _ANY_NUMBER),
    **dict.fromkeys("Integer Long Short Byte Character".split(), _WHOLE | {NONE}),  # noqa: SIM905
    **dict.fromkeys(("Float", "Double"), _ANY_NUMBER | {NONE}),
    "boolean": frozenset({BOOL}),
    "Boolean": frozenset({BOOL, NONE}),
    "String": frozenset({TEXT, NONE}),
}
_CSHARP: Mapping[str, Accepts] = {
    **dict.fromkeys("int long short byte sbyte uint ulong ushort char nint nuint".split(), _WHOLE),  # noqa: SIM905
    **dict.fromkeys(("float", "double", "decimal"), _ANY_NUMBER),
    "bool": frozenset({BOOL}),
    "string": frozenset({TEXT, NONE}),
}
_TABLES: Mapping[str, Mapping[str, Accepts]] = {
    "python": _PYTHON, "typescript": _SCRIPT, "tsx": _SCRIPT, "go": _GO, "java": _JAVA, "csharp": _CSHARP,
}  # fmt: skip
SCRIPTS = frozenset({"typescript", "tsx"})
_NAME = expression(r"\w+")
_WRAPPED = expression(r"(?:\w+\.)?(Optional|Union)\[(.*)\]", re.DOTALL)
_ARRAY = expression(r"(?:readonly )?(?:[\w.$]+(?:<.*>)?|\(.*\))(?:\[\])+", re.DOTALL)


def accepts(declared: str, language: str) -> Accepts | None:
    """None for a type that is not known well enough."""
    text = declared.strip()
    if language == "python" and text[:1] in {"'", '"'} and text[-1:] == text[:1]:
        text = text[1:-1]  # elsewhere a quoted type is the text itself
    if language == "csharp" and text.endswith("?"):
        inner = accepts(text[:-1], language)
        return inner | {NONE} if inner is not None else None
    if language == "python" and (wrapped := _WRAPPED.fullmatch(text)):
        inner = _any_of(_split(wrapped[2], ","), language)
        return inner | {NONE} if inner is not None and wrapped[1] == "Optional" else inner
    parts = _split(text, "|") if language == "python" or language in SCRIPTS else [text]
    return _any_of(parts, language) if len(parts) > 1 else _one(text, language)


def known_names(declared: str, language: str) -> set[str]:
    """The names in a type that were taken to mean what they mean everywhere."""
    return _TABLES[language].keys() & set(_NAME.findall(declared))


def _any_of(parts: list[str], language: str) -> Accepts | None:
    found: Accepts = frozenset()
    for part in filter(str.strip, parts):
        known = accepts(part, language)
        if known is None:
            return None
        found |= known
    return found or None


def _one(text: str, language: str) -> Accepts | None:
    table = _TABLES[language]
    if language in SCRIPTS:
        if _ARRAY.fullmatch(text):
            return frozenset({LIST})
        base = text.partition("<")[0]
        return table.get(base) if base in {text, "Array"} else None
    if language == "python":
        base = text.partition("[")[0].strip()
        return table.get(base.removeprefix("typing.").removeprefix("t."))
    return table.get(text)


def _split(text: str, mark: str) -> list[str]:
    """At the marks that stand in no brackets and no quotes."""
    parts, depth, last = [], 0, 0
    for place, letter in enumerate(text):
        if letter in "[(<{":
            depth += 1
        elif letter in "])>}" and text[place - 1 : place] != "=":  # `=>` closes nothing
            depth -= 1
        elif letter == mark and depth == 0:
            parts.append(text[last:place])
            last = place + 1
    return [*parts, text[last:]]
