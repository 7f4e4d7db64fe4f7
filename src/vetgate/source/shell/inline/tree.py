"""JavaScript and Ruby on a command line, by their grammars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Parser

from vetgate.expression import expression
from vetgate.source.language import grammar
from vetgate.source.shell.inline import texts
from vetgate.source.shell.inline.actions import FOLDER_OPTIONS, RUNNERS, CodeReader, InlineCall, output_of, variable
from vetgate.source.shell.inline.tables import deed_of
from vetgate.source.shell.inline.values import Done, ReaderContext, Value, known_texts, text_of
from vetgate.source.shell.placeholders import CREDENTIAL, FETCHED, UNKNOWN, is_known, without_globs
from vetgate.source.shell.runs import Inner, by_name
from vetgate.source.shell.words import unescaped
from vetgate.source.trial import can_be_parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

_MOST_DEPTH = 40
_MOST_NODES = 20_000
_MOST_UNKNOWN = 200
_ARGUMENT = expression(r"(ARGV|process\.argv)\[(\d{1,3})\]")  # the first of Node.js is Node.js itself
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
    "augmented_assignment_expression": ("left", "right"),
    "operator_assignment": ("left", "right"),
}
_ADDS = frozenset({"augmented_assignment_expression", "operator_assignment"})
_FUNCTION_LIKE = frozenset({"member_expression", "subscript_expression", "call_expression", "identifier"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function"})
_NOTHING = frozenset({"null", "undefined", "nil"})
# What such a call does is told without an argument.
_WITHOUT_ARGUMENTS = frozenset({"home", "homedir", "fork", "cwd", "pwd", "getwd"})
_PASSED_AS_CODE = frozenset({"eval", "exec", "execSync"})


def read_tree(language: str, code: str, known: ReaderContext) -> Done:
    data = without_globs(code).encode("utf-8", "replace")
    reader = _TreeReader(language, data, known)
    if not can_be_parsed(language, data):  # nor by the program that it is meant for
        return reader.done
    reader.read(Parser(grammar(language)).parse(data).root_node)
    return reader.done


class _TreeReader(CodeReader):
    def __init__(self, language: str, data: bytes, known: ReaderContext) -> None:
        super().__init__(language, known)
        self._data = data
        self._functions: dict[str, str] = {}
        self._unknown = 0
        self._seen: dict[int, Value] = {}
        self._depth = 0

    def read(self, root: Node) -> None:
        for node in _in_order(root):
            kind = node.type
            if kind in _ASSIGNS:
                self._assign(node, *_ASSIGNS[kind])
            elif kind in ("formal_parameters", "block_parameters"):
                self._parameters(node)
            elif kind == "arrow_function" and (single := node.child_by_field_name("parameter")) is not None:
                self._parameters(single)
            elif kind == "import_specifier":
                name = node.child_by_field_name("name")
                self._renamed(name, node.child_by_field_name("alias") or name)
            elif kind in _CALLS or kind == "subshell":
                self.value(node)

    def _assign(self, node: Node, one: str, other: str) -> None:
        left, right = node.child_by_field_name(one), node.child_by_field_name(other)
        if left is None or right is None:
            return
        name, value = self.text(left), self.value(right)
        if node.type in _ADDS:
            value = text_of(self._values.get(name)) + text_of(value)
        self._values[name] = value
        self._name_functions(left, right)
        self._note_environment(left, right)

    def _parameters(self, node: Node) -> None:
        """A function's own parameters: what is called by such a name, only the run tells."""
        for each in _in_order(node):
            if each.type in ("identifier", "shorthand_property_identifier_pattern"):
                self._functions.setdefault(self.text(each), UNKNOWN)

    def _note_environment(self, left: Node, right: Node) -> None:
        """`process.env.HUSKY = "0"`: for every program behind it."""
        text = self.text(left)
        for beginning in ("process.env.", "ENV["):
            if text.startswith(beginning):
                name = text.removeprefix(beginning).strip("[]'\"")
                self._environment[name] = text_of(self.value(right))

    def _name_functions(self, left: Node, right: Node) -> None:
        """`const run = x.execSync` and `const {execSync: run} = x`: other names for functions."""
        if left.type == "object_pattern":
            for pair in left.named_children:
                if pair.type == "pair_pattern":
                    self._renamed(pair.child_by_field_name("key"), pair.child_by_field_name("value"))
                elif pair.type == "shorthand_property_identifier_pattern":
                    self._renamed(pair, pair)
        elif left.type == "identifier" and right.type in _FUNCTION_LIKE:
            name = self._function_name(right)
            if name != self.text(left) and (name == UNKNOWN or deed_of(self._language, name) is not None):
                self._functions[self.text(left)] = name

    def _renamed(self, name: Node | None, alias: Node | None) -> None:
        if name is not None and alias is not None:
            value = self.value(name) if name.type == "computed_property_name" else self.text(name).strip("'\"")
            known = deed_of(self._language, text_of(value)) is not None
            self._functions[self.text(alias)] = text_of(value) if known else _as_method(value)

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
        if found := _ARGUMENT.fullmatch(text):
            place = int(found[2]) - (found[1] == "process.argv")
            return self._known.arguments[place] if 0 <= place < len(self._known.arguments) else None
        return self._values.get(text)

    def subshell(self, node: Node) -> Value:
        script = self._string(node)
        self.done.inners.append(Inner(script=script, cwd=self._folder))
        return output_of(script)

    # Calls

    def _call(self, node: Node) -> Value:
        function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        receiver = node.child_by_field_name("receiver")
        if function is not None and function.type == "member_expression":
            receiver = function.child_by_field_name("object")
        name = self._name(node, function)
        arguments, named = self._arguments(node.child_by_field_name("arguments"))
        if name == "await" and len(arguments) == 1:  # outside of functions it is read as a name that is called
            return arguments[0]
        if receiver is not None and receiver.type == "regex":
            return None
        name, arguments = self._indirect(node, name, arguments)
        self._unnamed(name, arguments, named)
        inside = self.value(receiver) if receiver is not None else None
        self._hand_on(node, [inside, *arguments])
        self._hand_over(node, inside)
        made = texts.method(name.rpartition(".")[2], inside, arguments)
        if made is not None:
            return made
        deed = deed_of(self._language, name)
        if deed is None or (not arguments and inside is None and name.rpartition(".")[2] not in _WITHOUT_ARGUMENTS):
            return self._unknown_call(node, inside)
        if inside is not None and (
            not arguments or name.rpartition(".")[2] in ("toString", "trim", "strip", "join", "to_s")
        ):
            return self._method(name, inside, arguments)
        call = InlineCall(self._language, arguments, named, self._known)
        result = self._perform(deed, call, self._passed_environment(node))
        self._handed_on(node, result)
        self._hand_over(node, result)
        return result

    def _name(self, node: Node, function: Node | None) -> str:
        if function is not None:
            return self._function_name(function)
        method, receiver = node.child_by_field_name("method"), node.child_by_field_name("receiver")
        name = self.text(method) if method is not None else ""
        return f"{self.text(receiver)}.{name}" if receiver is not None else name

    def _function_name(self, node: Node) -> str:
        """Of whatever is called; names that are put together are followed, and one that nobody knows is UNKNOWN."""
        kind, text = node.type, self.text(node)
        if kind == "identifier":
            return self._functions.get(text, text)
        if kind == "member_expression":
            return "." + text.rpartition(".")[2] if "(" in text or "[" in text else text
        if kind == "subscript_expression":
            index = node.child_by_field_name("index")
            return _as_method(self.value(index) if index is not None else None)
        if kind in _WRAPPED or kind == "sequence_expression":
            inner = node.named_children
            return self._function_name(inner[-1]) if inner else text
        return self._returned(node) if kind == "call_expression" else text

    def _returned(self, node: Node) -> str:
        """A function that a call gives: `Reflect.get(x, "name")`, `promisify(f)`, `f.bind(x)`."""
        function = node.child_by_field_name("function")
        if function is None:
            return UNKNOWN
        if function.type == "member_expression" and self.text(function).endswith(".bind"):
            bound = function.child_by_field_name("object")
            return self._function_name(bound) if bound is not None else UNKNOWN
        arguments = node.child_by_field_name("arguments")
        last = arguments.named_children[-1:] if arguments is not None else []
        if self.text(function).endswith("promisify") and last:
            return self._function_name(last[0])
        value = self.value(last[0]) if last else None
        return f".{value}" if isinstance(value, str) and value.isidentifier() else UNKNOWN

    def _indirect(self, node: Node, name: str, arguments: list[Value]) -> tuple[str, list[Value]]:
        """`f.call(x, …)`, `f.apply(x, […])`, `Reflect.apply(f, x, […])`, Ruby's `send(:name, …)` as what they call."""
        verb = name.rpartition(".")[2]
        function = node.child_by_field_name("function")
        if self._language == "ruby":
            return self._sent(node, verb, arguments)
        if function is None or function.type != "member_expression" or verb not in ("call", "apply"):
            return name, arguments
        inner = function.child_by_field_name("object")
        handed = node.child_by_field_name("arguments")
        if inner is None or handed is None:
            return name, arguments
        if self.text(inner) == "Reflect" and handed.named_children:
            return self._function_name(handed.named_children[0]), _flat(arguments[2:])
        rest = arguments[1:]
        return self._function_name(inner), _flat(rest) if verb == "apply" else rest

    def _sent(self, node: Node, verb: str, arguments: list[Value]) -> tuple[str, list[Value]]:
        if verb in ("send", "public_send", "__send__", "try") and arguments:
            return f".{text_of(arguments[0]).lstrip(':')}", arguments[1:]
        receiver = node.child_by_field_name("receiver")
        while receiver is not None and self._is_bound(receiver):
            receiver = receiver.child_by_field_name("receiver")
        if verb in ("call", "()", "curry") and receiver is not None and receiver.type == "call":
            handed, _ = self._arguments(receiver.child_by_field_name("arguments"))
            method = receiver.child_by_field_name("method")
            if handed and method is not None and self.text(method) in ("method", "public_method", "instance_method"):
                return f".{text_of(handed[0]).lstrip(':')}", arguments
        return (f".{verb}", arguments) if verb == "spawn" else (self._of_constant(node, verb), arguments)

    def _is_bound(self, node: Node) -> bool:
        method = node.child_by_field_name("method") if node.type == "call" else None
        return method is not None and self.text(method) in ("bind", "to_proc", "unbind")

    def _of_constant(self, node: Node, verb: str) -> str:
        """`Object.const_get("File" + "Utils").rm_rf`: by the method alone."""
        receiver = node.child_by_field_name("receiver")
        if receiver is None:
            return verb
        text = self.text(receiver)
        return f".{verb}" if "(" in text else f"{text}.{verb}"

    def _hand_on(self, node: Node, values: list[Value]) -> None:
        """`setTimeout(execSync, 0, "…")`: a function that runs things, beside what it will be called with."""
        handed = node.child_by_field_name("arguments")
        functions = [each for each in (handed.named_children if handed else ()) if each.type in _FUNCTION_LIKE]
        names = [self._function_name(each) for each in functions if each.type != "call_expression"]
        if any(deed_of(self._language, name) in RUNNERS for name in names):
            self._run_perhaps(values)

    def _unnamed(self, name: str, arguments: list[Value], named: dict[str, Value]) -> None:
        """Called by a name that only the run will tell: what it is given is judged as if it were run, or deleted."""
        self._unknown += name == UNKNOWN
        if name != UNKNOWN or self._unknown > _MOST_UNKNOWN:
            return
        for each in known_texts(arguments):
            self.done.inners.append(Inner(script=each, stdin="", cwd=self._folder))
            if "recursive" in named:
                self.done.inners.append(Inner(("rm", "-rf", each), stdin=""))

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
        call = InlineCall(self._language, [inside, *arguments], {}, self._known)
        result = deed(call)
        self.done.inners += call.inners(self._environment, self._folder)
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
            elif child.type != "comment":
                found.append(self.value(child))
        return found, named

    def _passed_environment(self, node: Node) -> dict[str, str]:
        """Of `{env: {HUSKY: "0"}}`."""
        found: dict[str, Value] = {}
        for pair in _in_order(node):
            key, value = (
                (pair.child_by_field_name(name) for name in ("key", "value")) if pair.type == "pair" else (None, None)
            )
            if key is not None and value is not None and self.text(key) == "env" and value.type == "object":
                for each in value.named_children:
                    self._pair(each, found)
        return {name: text_of(value) for name, value in found.items()}

    def _pair(self, pair: Node, named: dict[str, Value]) -> None:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            name, known, text = self.text(key).strip("'\":"), self.value(value), self.text(value)
            if name not in FOLDER_OPTIONS:
                named[name] = text if known is None else known
            elif text not in _NOTHING:
                named[name] = known


_KINDS: Mapping[str, Callable[[_TreeReader, Node], Value]] = by_name(
    {
        "binary_expression binary": _TreeReader.binary,
        "identifier constant member_expression subscript_expression element_reference": _TreeReader.named,
        "subshell": _TreeReader.subshell,
        "unary_expression unary number integer": lambda reader, node: reader.text(node),
        "simple_symbol": lambda reader, node: reader.text(node)[1:],
        "delimited_symbol": lambda reader, node: reader.text(node)[2:-1],
    }
)


def _as_method(name: Value) -> str:
    """By what is known of its name; UNKNOWN is nothing."""
    return f".{name}" if isinstance(name, str) and is_known(name) else UNKNOWN


def _flat(values: list[Value]) -> list[Value]:
    return [each for value in values for each in (value if isinstance(value, list) else [value])]


def _in_order(root: Node) -> Iterator[Node]:
    pending = [root]
    count = 0
    while pending and count < _MOST_NODES:
        node = pending.pop()
        count += 1
        yield node
        pending.extend(reversed(node.named_children))
