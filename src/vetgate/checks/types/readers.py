"""What a declared type takes, what a value is by its look, where both stand side by side, and where a slip is right."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax
    from vetgate.source.walk import Walk

    See = Callable[["TypedValues", Node], None]


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

_PYTHON_TYPES: Mapping[str, Accepts] = {
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
_SCRIPT_TYPES: Mapping[str, Accepts] = {
    "number": _NUMBERS,
    "string": frozenset({TEXT}),
    "boolean": frozenset({BOOL}),
    "null": frozenset({NONE}),
    "undefined": frozenset({NONE}),
    "Array": frozenset({LIST}),
}
_GO_TYPES: Mapping[str, Accepts] = {
    **dict.fromkeys("int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte rune".split(), _WHOLE | {FLOAT}),  # noqa: SIM905
    **dict.fromkeys(("float32", "float64"), _ANY_NUMBER),
    "string": frozenset({TEXT}),
    "bool": frozenset({BOOL}),
    "error": frozenset({NONE}),
}
_JAVA_TYPES: Mapping[str, Accepts] = {
    **dict.fromkeys("int long short byte char".split(), _WHOLE),  # noqa: SIM905
    **dict.fromkeys(("float", "double"), _ANY_NUMBER),
    **dict.fromkeys("Integer Long Short Byte Character".split(), _WHOLE | {NONE}),  # noqa: SIM905
    **dict.fromkeys(("Float", "Double"), _ANY_NUMBER | {NONE}),
    "boolean": frozenset({BOOL}),
    "Boolean": frozenset({BOOL, NONE}),
    "String": frozenset({TEXT, NONE}),
}
_CSHARP_TYPES: Mapping[str, Accepts] = {
    **dict.fromkeys("int long short byte sbyte uint ulong ushort char nint nuint".split(), _WHOLE),  # noqa: SIM905
    **dict.fromkeys(("float", "double", "decimal"), _ANY_NUMBER),
    "bool": frozenset({BOOL}),
    "string": frozenset({TEXT, NONE}),
}
_TYPES: Mapping[str, Mapping[str, Accepts]] = {
    "python": _PYTHON_TYPES, "typescript": _SCRIPT_TYPES, "tsx": _SCRIPT_TYPES, "go": _GO_TYPES,
    "java": _JAVA_TYPES, "csharp": _CSHARP_TYPES,
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
    return _TYPES[language].keys() & set(_NAME.findall(declared))


def _any_of(parts: list[str], language: str) -> Accepts | None:
    found: Accepts = frozenset()
    for part in filter(str.strip, parts):
        known = accepts(part, language)
        if known is None:
            return None
        found |= known
    return found or None


def _one(text: str, language: str) -> Accepts | None:
    table = _TYPES[language]
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


_PYTHON: Mapping[str, str] = {
    "string": TEXT, "concatenated_string": TEXT, "integer": INT, "float": FLOAT, "true": BOOL, "false": BOOL,
    "none": NONE, "list": LIST, "list_comprehension": LIST, "dictionary": DICT, "dictionary_comprehension": DICT,
    "tuple": TUPLE, "set": SET, "set_comprehension": SET,
}  # fmt: skip
_SCRIPT_KINDS: Mapping[str, str] = {
    "string": TEXT, "template_string": TEXT, "number": INT, "true": BOOL, "false": BOOL, "null": NONE,
    "undefined": NONE, "array": LIST, "object": OBJECT,
}  # fmt: skip
_GO: Mapping[str, str] = {
    "interpreted_string_literal": TEXT, "raw_string_literal": TEXT, "int_literal": INT, "float_literal": FLOAT,
    "rune_literal": CHAR, "true": BOOL, "false": BOOL, "nil": NONE,
}  # fmt: skip
_JAVA: Mapping[str, str] = {
    "string_literal": TEXT, "decimal_integer_literal": INT, "hex_integer_literal": INT, "octal_integer_literal": INT,
    "binary_integer_literal": INT, "decimal_floating_point_literal": FLOAT, "hex_floating_point_literal": FLOAT,
    "character_literal": CHAR, "true": BOOL, "false": BOOL, "null_literal": NONE,
}  # fmt: skip
_CSHARP: Mapping[str, str] = {
    "string_literal": TEXT, "verbatim_string_literal": TEXT, "raw_string_literal": TEXT,
    "interpolated_string_expression": TEXT, "integer_literal": INT, "real_literal": FLOAT, "character_literal": CHAR,
    "boolean_literal": BOOL, "null_literal": NONE,
}  # fmt: skip
_TABLES: Mapping[str, Mapping[str, str]] = {
    "python": _PYTHON, "typescript": _SCRIPT_KINDS, "tsx": _SCRIPT_KINDS, "go": _GO, "java": _JAVA, "csharp": _CSHARP,
}  # fmt: skip
_SIGNED = frozenset({"unary_operator", "unary_expression", "prefix_unary_expression"})


def kind_of(syntax: Syntax, node: Node | None) -> str | None:
    """None for what is no literal."""
    while node is not None and node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    if node is None:
        return None
    if node.type in _SIGNED:
        return _signed(syntax, node)
    kind = _TABLES[syntax.language].get(node.type)
    if kind == TEXT and syntax.language == "python":
        return _text(syntax, node)
    return kind if kind not in _NUMBERS else _number(syntax, node)


def _signed(syntax: Syntax, node: Node) -> str | None:
    inner = _number(syntax, node.named_children[-1]) if node.named_children else None
    return inner if inner and node.children[0].type in {"-", "+"} else None


def _number(syntax: Syntax, node: Node) -> str | None:
    """None for complex numbers and big ones."""
    kind = _TABLES[syntax.language].get(node.type)
    return kind if kind in _NUMBERS and syntax.text(node)[-1:] not in {"j", "J", "n"} else None


def _text(syntax: Syntax, node: Node) -> str:
    prefix = syntax.text(node)[:3].partition('"')[0].partition("'")[0].lower()
    return BYTES if "b" in prefix else TEXT


# Whoever wrote this knows; whether that may be is for another check to say.
_HERE = (b"type: ignore", b"noqa", b"pyright:", b"ty: ignore", b"@ts-ignore", b"@ts-expect-error")
_ABOVE = (b"@ts-ignore", b"@ts-expect-error")
_MADE = expression(rb"^[ \t]*(?:[\w]+[ \t]+)*(?:class|type|interface|enum|struct|record)[ \t]+(\w+)", re.MULTILINE)
_GIVEN = expression(rb"^(\w+)[ \t]*=[^=]|^[ \t]*import\b.*\bas[ \t]+(\w+)", re.MULTILINE)
_PYTHON_IMPORT = expression(rb"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_SCRIPT_IMPORT = expression(rb"\bimport\b[^;'\"]*?\{([^}]*)\}")
_AS_ALWAYS = frozenset({b"typing", b"typing_extensions", b"builtins", b"__future__"})


def is_accepted(syntax: Syntax, node: Node, declared: str) -> bool:
    return _is_silenced(syntax, node) or not _made_here(syntax).isdisjoint(known_names(declared, syntax.language))


def _is_silenced(syntax: Syntax, node: Node) -> bool:
    start = syntax.data.rfind(b"\n", 0, node.start_byte) + 1
    above = syntax.data.rfind(b"\n", 0, max(start - 1, 0)) + 1
    end = syntax.data.find(b"\n", node.end_byte)
    here = syntax.data[start : end if end >= 0 else len(syntax.data)]
    return any(word in here for word in _HERE) or any(word in syntax.data[above:start] for word in _ABOVE)


def _made_here(syntax: Syntax) -> frozenset[str]:
    """Names that this file makes or brings in itself: a `List` of its own is not the one everybody knows."""
    return frozenset(name.decode("utf-8", "replace") for name in _names(syntax))


def _names(syntax: Syntax) -> Iterator[bytes]:
    data = syntax.data
    yield from _MADE.findall(data)
    for pair in _GIVEN.findall(data):
        yield from filter(None, pair)
    if syntax.language == "python":
        for module, listed in _PYTHON_IMPORT.findall(data):
            yield from re.findall(rb"\w+", listed) if module not in _AS_ALWAYS else ()
    for listed in _SCRIPT_IMPORT.findall(data) if syntax.language in SCRIPTS else ():
        yield from re.findall(rb"\w+", listed)


DEFAULT, RETURN, ASSIGNMENT = "default", "return", "assignment"
_FUNCTIONS = frozenset(
    """function_definition lambda function_declaration function_expression arrow_function method_definition
    generator_function generator_function_declaration method_declaration func_literal lambda_expression
    constructor_declaration local_function_statement anonymous_method_expression accessor_declaration class_body
    operator_declaration conversion_operator_declaration""".split()  # noqa: SIM905 - a list of names
)


@dataclass(frozen=True, slots=True)
class Slip:
    """A value that its declared type does not take."""

    rule: str
    node: Node
    declared: str
    given: str


@dataclass(slots=True)
class TypedValues:
    walk: Walk
    slips: list[Slip] = field(default_factory=list)
    judged: int = 0

    def text(self, node: Node | None) -> str:
        return self.walk.syntax.text(node) if node is not None else ""

    def judge(self, rule: str, declared: str, value: Node | None) -> None:
        """Only where both the type and the value are beyond doubt."""
        given = kind_of(self.walk.syntax, value)
        wanted = accepts(declared, self.walk.syntax.language) if given and declared else None
        if given is None or wanted is None or value is None:
            return
        self.judged += 1
        if given not in wanted:
            self.slips.append(Slip(rule, value, declared, given))

    def function(self) -> Node | None:
        """The one that a `return` here returns from."""
        return next((node for node in reversed(self.walk.path) if node.type in _FUNCTIONS), None)


def _field(rule: str, declared: str, value: str) -> See:
    def see(seen: TypedValues, node: Node) -> None:
        seen.judge(rule, _bare(seen.text(node.child_by_field_name(declared))), node.child_by_field_name(value))

    return see


def _bare(declared: str) -> str:
    """TypeScript's annotation begins with its colon."""
    return declared.removeprefix(":").strip()


def _returned(seen: TypedValues, node: Node) -> None:
    function = seen.function()
    if function is None:
        return
    declared = _declared(seen, function)
    listed = [child for child in node.named_children if "comment" not in child.type]
    if declared and len(listed) == 1:
        seen.judge(RETURN, declared, listed[0])


def _declared(seen: TypedValues, function: Node) -> str:
    found = (function.child_by_field_name(name) for name in ("return_type", "returns", "type"))
    node = next(filter(None, found), None)
    if node is None or node.type == "type_predicate_annotation" or function.type.startswith("generator"):
        return ""
    declared = _bare(seen.text(node))
    if any(child.type == "async" for child in function.children) and seen.walk.syntax.language in SCRIPTS:
        is_promise = declared.startswith("Promise<") and declared.endswith(">")
        return declared[len("Promise<") : -1] if is_promise else ""
    is_star = any(child.type == "*" for child in function.children)
    return "" if is_star else declared


def _arrow(seen: TypedValues, node: Node) -> None:
    """`(): number => "x"`: the body is what it returns."""
    body = node.child_by_field_name("body")
    if body is not None and body.type != "statement_block":
        seen.judge(RETURN, _declared(seen, node), body)


def _go_variable(seen: TypedValues, node: Node) -> None:
    declared = seen.text(node.child_by_field_name("type"))
    values = node.child_by_field_name("value")
    for value in values.named_children if values is not None and declared else ():
        seen.judge(ASSIGNMENT, declared, value)


def _go_return(seen: TypedValues, node: Node) -> None:
    function = seen.function()
    result = function.child_by_field_name("result") if function is not None else None
    if result is None or not node.named_children:
        return
    values: Sequence[Node] = node.named_children[0].named_children
    types = _go_results(seen, result)
    if len(types) == len(values):
        for declared, value in zip(types, values, strict=True):
            seen.judge(RETURN, declared, value)


def _go_results(seen: TypedValues, result: Node) -> list[str]:
    if result.type != "parameter_list":
        return [seen.text(result)]
    found = []
    for child in result.named_children:
        names = len(child.children_by_field_name("name")) or 1
        found += [seen.text(child.child_by_field_name("type"))] * names
    return found


def _java_variable(seen: TypedValues, node: Node) -> None:
    declared = seen.text(node.child_by_field_name("type"))
    for each in node.children_by_field_name("declarator"):
        if each.child_by_field_name("dimensions") is None:
            seen.judge(ASSIGNMENT, declared, each.child_by_field_name("value"))


def _csharp_variable(seen: TypedValues, node: Node) -> None:
    declared = seen.text(node.child_by_field_name("type"))
    for each in node.named_children:
        if each.type == "variable_declarator" and each.named_child_count == 2:
            seen.judge(ASSIGNMENT, declared, each.named_children[1])


def _csharp_parameter(seen: TypedValues, node: Node) -> None:
    if any(child.type == "=" for child in node.children):
        seen.judge(DEFAULT, seen.text(node.child_by_field_name("type")), node.named_children[-1])


def _csharp_arrow(seen: TypedValues, node: Node) -> None:
    around = seen.walk.path[-1] if seen.walk.path else None
    if around is not None and around.type == "method_declaration" and node.named_children:
        seen.judge(RETURN, _declared(seen, around), node.named_children[0])


_SCRIPT: Mapping[str, See] = {
    "required_parameter": _field(DEFAULT, "type", "value"),
    "variable_declarator": _field(ASSIGNMENT, "type", "value"),
    "public_field_definition": _field(ASSIGNMENT, "type", "value"),
    "return_statement": _returned,
    "arrow_function": _arrow,
}
READERS: Mapping[str, Mapping[str, See]] = {
    "python": {
        "typed_default_parameter": _field(DEFAULT, "type", "value"),
        "assignment": _field(ASSIGNMENT, "type", "right"),
        "return_statement": _returned,
    },
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": {"var_spec": _go_variable, "const_spec": _go_variable, "return_statement": _go_return},
    "java": {
        "local_variable_declaration": _java_variable,
        "field_declaration": _java_variable,
        "return_statement": _returned,
    },
    "csharp": {
        "variable_declaration": _csharp_variable,
        "parameter": _csharp_parameter,
        "property_declaration": _field(ASSIGNMENT, "type", "value"),
        "return_statement": _returned,
        "arrow_expression_clause": _csharp_arrow,
    },
}


def is_soft(slip: Slip, language: str) -> bool:
    """Nothing where something is declared: an old habit for defaults and fields that are filled in later.

    TypeScript takes it for any type where a project is not strict about it.
    """
    return slip.given == NONE and (slip.rule != RETURN or language in SCRIPTS)
