"""JavaScript and Ruby on a command line, by their grammars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Parser

from vetgate.source.language import grammar
from vetgate.source.shell.ansi import unescaped
from vetgate.source.shell.inline.actions import Call, variable
from vetgate.source.shell.inline.tables import deed_of
from vetgate.source.shell.inline.values import Done, Known, Value, text_of
from vetgate.source.shell.marks import CREDENTIAL, FETCHED, UNKNOWN, without_globs
from vetgate.source.shell.runs import Inner
from vetgate.source.trial import can_be_parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

_MOST_DEPTH = 40
_MOST_NODES = 20_000
_CALLS = frozenset({"call_expression", "new_expression", "call"})
_TEXTS = frozenset({"string", "template_string", "string_content", "string_fragment", "bare_string"})
_WRAPPED = frozenset(
    {"parenthesized_expression", "parenthesized_statements", "await_expression", "expression_statement"}
)
_LISTS = frozenset({"array", "string_array"})
_ASSIGNS = {
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "assignment": ("left", "right"),
}
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function"})
_PASSED_AS_CODE = frozenset({"eval", "exec", "execSync"})


def read_tree(language: str, code: str, known: Known) -> Done:
    data = without_globs(code).encode("utf-8", "replace")
    reader = _Reader(language, data, known)
    if not can_be_parsed(language, data):  # nor by the program that it is meant for
        return reader.done
    reader.read(Parser(grammar(language)).parse(data).root_node)
    return reader.done


class _Reader:
    def __init__(self, language: str, data: bytes, known: Known) -> None:
        self.done = Done()
        self._language = language
        self._data = data
        self._known = known
        self._values: dict[str, Value] = {}
        self._seen: dict[int, Value] = {}
        self._depth = 0

    def read(self, root: Node) -> None:
        for node in _in_order(root):
            kind = node.type
            if kind in _ASSIGNS:
                left, right = (node.child_by_field_name(name) for name in _ASSIGNS[kind])
                if left is not None and right is not None:
                    self._values[self.text(left)] = self.value(right)
            elif kind in _CALLS or kind == "subshell":
                self.value(node)

    def text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def value(self, node: Node) -> Value:
        if node.id in self._seen:
            return self._seen[node.id]
        if self._depth > _MOST_DEPTH:
            return None
        self._depth += 1
        found = self._seen[node.id] = self._value(node)
        self._depth -= 1
        return found

    def _value(self, node: Node) -> Value:
        kind = node.type
        if kind in _TEXTS:
            return self._string(node)
        if kind in _WRAPPED:
            inner = node.named_children
            return self.value(inner[0]) if inner else None
        if kind in _LISTS:
            return [self.value(child) for child in node.named_children]
        if kind in _CALLS:
            return self._call(node)
        found = _KINDS.get(kind)
        return found(self, node) if found else None

    def _string(self, node: Node) -> str:
        if not node.named_children:
            text = self.text(node)
            return text if node.type in ("string_fragment", "string_content") else text[1:-1]
        pieces = []
        for child in node.named_children:
            if child.type == "escape_sequence":
                pieces.append(unescaped(self.text(child)))
            elif child.type in ("template_substitution", "interpolation"):
                inner = child.named_children
                pieces.append(text_of(self.value(inner[0]) if inner else None))
            else:
                pieces.append(self.text(child))
        return "".join(pieces)

    def binary(self, node: Node) -> Value:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None or self.text(operator) != "+":
            return None
        one, other = self.value(left), self.value(right)
        return one + other if isinstance(one, list) and isinstance(other, list) else text_of(one) + text_of(other)

    def named(self, node: Node) -> Value:
        text = self.text(node)
        if text == "process.env":
            return UNKNOWN + CREDENTIAL
        if text.startswith("process.env."):
            return variable(text[12:], self._known)
        if text in ("process.env.HOME", "ENV['HOME']", 'ENV["HOME"]', "process.env['HOME']"):
            return self._known.home
        return self._values.get(text)

    def subshell(self, node: Node) -> Value:
        script = self._string(node)
        self.done.inners.append(Inner(script=script))
        return FETCHED + UNKNOWN if script.lstrip().startswith(("curl", "wget")) else UNKNOWN

    # Calls

    def _call(self, node: Node) -> Value:
        function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        receiver = node.child_by_field_name("receiver")
        if function is not None and function.type == "member_expression":
            receiver = function.child_by_field_name("object")
        name = self._name(node, function)
        arguments, named = self._arguments(node.child_by_field_name("arguments"))
        if receiver is not None and receiver.type == "regex":
            return None
        inside = self.value(receiver) if receiver is not None else None
        self._hand_over(node, inside)
        deed = deed_of(self._language, name)
        if deed is None or (not arguments and inside is None and name not in ("Dir.home", "os.homedir", "fork")):
            return self._unknown_call(node, inside)
        if inside is not None and (
            not arguments or name.rpartition(".")[2] in ("toString", "trim", "strip", "join", "to_s")
        ):
            return self._method(name, inside, arguments)
        call = Call(self._language, arguments, named, self._known)
        result = deed(call)
        self.done.inners += call.done.inners
        self.done.printed += call.done.printed
        self._handed_on(node, result)
        self._hand_over(node, result)
        return result

    def _name(self, node: Node, function: Node | None) -> str:
        if function is not None:
            text = self.text(function)
            return text if function.type == "identifier" else "." + text.rpartition(".")[2] if "(" in text else text
        method, receiver = node.child_by_field_name("method"), node.child_by_field_name("receiver")
        name = self.text(method) if method is not None else ""
        return f"{self.text(receiver)}.{name}" if receiver is not None else name

    def _method(self, name: str, inside: Value, arguments: list[Value]) -> Value:
        """Of a text or a list."""
        method = name.rpartition(".")[2]
        if method == "join" and isinstance(inside, list):
            separator = text_of(arguments[0]) if arguments else ","
            return separator.join(map(text_of, inside))
        if method in ("toString", "trim", "strip", "to_s", "chomp", "text", "body", "read", "then"):
            return inside
        deed = deed_of(self._language, f".{method}")
        if deed is None:
            return None
        call = Call(self._language, [inside, *arguments], {}, self._known)
        result = deed(call)
        self.done.inners += call.done.inners
        return result

    def _unknown_call(self, node: Node, inside: Value) -> Value:
        """`fetch(x).then(eval)`: what is handed a fetched text and takes it as code."""
        self._handed_on(node, inside)
        return inside if isinstance(inside, str) and FETCHED in inside else None

    def _hand_over(self, node: Node, value: Value) -> None:
        """What a block or a callback gets: a value of the list it goes over, or what was fetched."""
        given = value[0] if isinstance(value, list) and value else value
        if given is None:
            return
        arguments = node.child_by_field_name("arguments")
        functions = [each for each in (arguments.named_children if arguments else ()) if each.type in _FUNCTIONS]
        for function in [*functions, node.child_by_field_name("block")]:
            if function is not None:
                self._bind(function, given)

    def _bind(self, function: Node, value: Value) -> None:
        parameters = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
        if parameters is None:
            return
        names = [parameters] if parameters.type == "identifier" else parameters.named_children
        for name in names[:1]:
            self._values[self.text(name)] = value

    def _handed_on(self, node: Node, value: Value) -> None:
        arguments = node.child_by_field_name("arguments")
        if arguments is None or not isinstance(value, str) or FETCHED not in value:
            return
        words = {self.text(each) for each in _in_order(arguments) if each.type == "identifier"}
        if words & _PASSED_AS_CODE:
            self.done.inners.append(Inner(script=value, language=self._language))

    def _arguments(self, node: Node | None) -> tuple[list[Value], dict[str, Value]]:
        found: list[Value] = []
        named: dict[str, Value] = {}
        for child in node.named_children if node is not None else []:
            if child.type == "object":
                for pair in child.named_children:
                    self._pair(pair, named)
            elif child.type == "pair":
                self._pair(child, named)
            elif child.type == "template_string" or child.type != "comment":
                found.append(self.value(child))
        return found, named

    def _pair(self, pair: Node, named: dict[str, Value]) -> None:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            known = self.value(value)
            named[self.text(key).strip("'\":")] = self.text(value) if known is None else known


_KINDS: Mapping[str, Callable[[_Reader, Node], Value]] = {
    "binary_expression": _Reader.binary,
    "binary": _Reader.binary,
    "identifier": _Reader.named,
    "constant": _Reader.named,
    "member_expression": _Reader.named,
    "subscript_expression": _Reader.named,
    "element_reference": _Reader.named,
    "subshell": _Reader.subshell,
    "unary_expression": lambda reader, node: reader.text(node),
    "unary": lambda reader, node: reader.text(node),
    "number": lambda reader, node: reader.text(node),
    "integer": lambda reader, node: reader.text(node),
}


def _in_order(root: Node) -> Iterator[Node]:
    pending = [root]
    count = 0
    while pending and count < _MOST_NODES:
        node = pending.pop()
        count += 1
        yield node
        pending.extend(reversed(node.named_children))
