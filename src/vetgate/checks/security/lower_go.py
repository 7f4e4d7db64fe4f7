"""Go as expressions, definitions and functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.facts_go import FACTS
from vetgate.checks.security.lower_python import unescaped
from vetgate.checks.security.lowering import (
    Lowering,
    as_binary,
    as_list,
    as_member,
    as_name,
    as_number,
    as_part,
    call_of,
    interleaved,
    keyed,
    named,
    one_to_one,
    same,
    typed,
)
from vetgate.expression import expression
from vetgate.source.syntax import children_in

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item
    from vetgate.checks.security.lowering import Lower

_VERB = expression(r"%(?:\[(\d+)\])?[-+# 0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?([a-zA-Z%])")
_NUMBERS = frozenset("dtbocxXUeEfFgGp")
_FORMATS = {
    **dict.fromkeys(("Sprintf", "Printf", "Errorf", "Fatalf", "Panicf", "Logf", "Infof", "Warnf", "Debugf"), 0),
    "Warningf": 0,
    "Tracef": 0,
    "Fprintf": 1,
}
_VERSION = expression(r"(?:/v\d+|\.v\d+)$")
_COLLECTIONS = frozenset({"slice_type", "array_type", "implicit_length_array_type", "map_type"})
_PARSED = frozenset(
    {"uuid.Parse", "uuid.MustParse", "time.Parse", "net.ParseIP", "netip.ParseAddr", "mail.ParseAddress"}
)
_ASIDE = frozenset({"_", "err", "ok", "found", "exists"})
_PRINTED = frozenset({"Fprintf", "Fprint", "Fprintln"})


class Go(Lowering):
    facts = FACTS
    functions = frozenset({"function_declaration", "method_declaration", "func_literal"})
    exits = frozenset({"return_statement", "continue_statement", "break_statement", "goto_statement"})
    calls = frozenset({"call_expression", "composite_literal"})
    blocks = frozenset({"statement_list", "source_file"})
    ifs = frozenset({"if_statement"})
    binds = frozenset({"short_var_declaration", "assignment_statement", "var_spec", "const_spec", "range_clause"})
    passing = frozenset({"parenthesized_expression", "variadic_argument", "literal_element"})
    constants: ClassVar[Mapping[str, object]] = {"true": True, "false": False, "nil": None}
    places: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(calls, "call"),
        "assignment_statement": "assign",
        "binary_expression": "compare",
        "import_spec": "import",
        "function_declaration": "function",
        "method_declaration": "function",
    }

    # Definitions.

    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        if node.type == "range_clause":
            yield from self._ranged(node)
        elif node.type in {"var_spec", "const_spec"}:
            yield from self._declared(node)
        else:
            yield from self._assigned(node)

    def _assigned(self, node: Node) -> Iterator[tuple[str, Expression]]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None:
            return
        if operator is not None and operator.type == "+=":
            yield self.text(left), Expression(ex.TEXT, node, items=(named(left)[0], named(right)[0]))
        elif operator is None or operator.type == "=":
            yield from self._paired(named(left), named(right))

    def _paired(self, names: list[Node], values: list[Node]) -> Iterator[tuple[str, Expression]]:
        for name, value in one_to_one(names, values):
            written = self.text(name)
            if written == "_" or name.type not in {"identifier", "selector_expression"}:
                continue
            if len(names) > len(values) and written in _ASIDE:
                yield written, Expression(ex.OTHER, value.node)  # what a guard may speak of
            else:
                yield written, value

    def _declared(self, node: Node) -> Iterator[tuple[str, Expression]]:
        names = node.children_by_field_name("name")
        held = node.child_by_field_name("value")
        if held is not None:
            yield from self._paired(names, named(held))
            return
        kind = node.child_by_field_name("type")
        for name in names if kind is not None else ():
            written = self.text(kind) if kind is not None else ""
            empty = written in {"string", "strings.Builder", "bytes.Buffer"}
            value = Expression(ex.LITERAL, node, value="") if empty else Expression(ex.OTHER, node)
            yield self.text(name), typed(self.type_path(written, {}), value, node)

    def _ranged(self, node: Node) -> Iterator[tuple[str, Expression]]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        names = named(left) if left is not None else []
        if right is None:
            return
        if len(names) == 2 and self.text(names[0]) != "_":
            yield self.text(names[0]), Expression(ex.EITHER, right, items=(right,))
        for name in names[1:2]:
            yield self.text(name), Expression(ex.INDEX, right, items=(right,))

    def filled(self, call: Node) -> Iterator[tuple[str, Expression]]:
        """`json.Unmarshal(data, &into)`, `c.BindJSON(&into)`: what is pointed to holds what was read."""
        given = call.child_by_field_name("arguments")
        name = self.called(call)
        if given is None or name not in FACTS.fills:
            return
        if name in _PRINTED:
            yield from self._printed(call, given.named_children[:1])
            return
        for argument in given.named_children:
            inner = argument.type in {"unary_expression", "slice_expression"}
            operand = argument.child_by_field_name("operand") if inner else argument
            if operand is not None and operand.type == "identifier":
                yield self.text(operand), same(call)

    def _printed(self, call: Node, into: list[Node]) -> Iterator[tuple[str, Expression]]:
        """`fmt.Fprintf(&text, "…")` adds to the text."""
        for operand in (each.child_by_field_name("operand") for each in into if each.type == "unary_expression"):
            if operand is not None and operand.type == "identifier":
                yield self.text(operand), Expression(ex.TEXT, call, items=(operand, *self.lower(call).items[2:]))

    # Names.

    def imports(self, node: Node) -> Iterator[tuple[str, str]]:
        path, alias = node.child_by_field_name("path"), node.child_by_field_name("name")
        if path is None:
            return
        full = _VERSION.sub("", self.text(path).strip('"`'))
        last = _VERSION.sub("", full.rpartition("/")[2])
        for name in {self.text(alias)} if alias is not None else {last, last.removesuffix("-go").removeprefix("go-")}:
            yield name, full

    def type_path(self, kind: str, imports: Mapping[str, str]) -> str:
        bare = kind.lstrip("*.[]& ").partition("[")[0]
        package, dot, name = bare.partition(".")
        return f"{imports.get(package, package)}.{name}" if dot else bare

    def parameters(self, function: Node) -> Iterator[tuple[Node, str, str]]:
        """Those of the call; what a method belongs to comes last, since no call hands it over."""
        for role in ("parameters", "receiver"):
            for each in children_in(function, role):
                kind = each.child_by_field_name("type")
                for name in each.children_by_field_name("name"):
                    yield name, self.text(kind) if kind is not None else "", ""

    def chosen(self, case: Node) -> str:
        holder = case.parent
        subject = holder.child_by_field_name("value") if holder is not None else None
        value = case.child_by_field_name("value")
        return f"{self.text(subject)} == {self.text(value)}" if subject is not None and value is not None else ""

    def called(self, node: Node) -> str:
        callee = node.child_by_field_name("function") or node.child_by_field_name("type")
        if callee is None or callee.type in _COLLECTIONS:
            return ""
        last = callee.child_by_field_name("field") or callee.child_by_field_name("name") or callee
        return self.text(last) if last.end_byte - last.start_byte < 64 else ""

    # Lowerings.

    def _index(self, node: Node) -> Expression:
        holder, index = node.child_by_field_name("operand"), node.child_by_field_name("index")
        if holder is None or index is None:
            return Expression(ex.OTHER, node)
        if index.type == "interpreted_string_literal":
            return Expression(ex.ATTR, node, name=str(self._string(index).value), items=(holder,))
        return Expression(ex.INDEX, node, items=(holder, index))

    def _call(self, node: Node) -> Expression:
        callee, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or given is None:
            return Expression(ex.OTHER, node)
        arguments: list[Item] = list(named(given))
        if self.text(callee) in {"string", "[]byte", "[]rune"} and arguments:
            return Expression(ex.PASS, node, items=(arguments[0],))
        if self.text(callee) in _PARSED:
            return Expression(ex.OTHER, node)
        name = self.called(node)
        if name == "Clean" and self.text(given).startswith(('("/"', "(string(filepath.Separator)")):
            rooted = Expression(ex.NAME, callee, name="path.Rooted")  # what begins with / cannot climb
            return call_of(node, rooted, *arguments)
        if name == "new" and len(arguments) == 1:
            return Expression(ex.CALL, node, name="new", items=(arguments[0],))
        if name == "make":
            return Expression(ex.LIST, node, items=(Expression(ex.LITERAL, node, value=0),))
        joined = self._joined(name, arguments)
        if joined:
            return Expression(ex.TEXT, node, items=joined)
        if name in _FORMATS:
            arguments = self._formatted(arguments, _FORMATS[name])
            if name == "Sprintf" and len(arguments) == 1 and isinstance(arguments[0], Expression):
                return arguments[0]
        return call_of(node, callee, *arguments)

    def _joined(self, name: str, given: list[Item]) -> tuple[Item, ...]:
        """`fmt.Sprint(a, b)`, `strings.Join([]string{a, b}, " ")`, `strings.Replace("…", "$x", x, 1)` as texts."""
        first = given[0] if given else None
        if first is None or isinstance(first, Expression):
            return ()
        if name in {"Sprint", "Sprintln"}:
            return tuple(given)
        if name == "Join" and first.type == "composite_literal":
            return self.lower(first).items
        if name in {"Replace", "ReplaceAll"} and "string_literal" in first.type and len(given) > 2:
            return first, given[2]
        return ()

    def _formatted(self, arguments: list[Item], at: int) -> list[Item]:
        """`Fprintf(w, "…%s…", x)` as if the text had been put together before."""
        template = arguments[at] if at < len(arguments) else None
        if template is None or isinstance(template, Expression):
            return arguments
        literal = self.lower(template)
        if not isinstance(literal.value, str):
            return [*arguments[:at], Expression(ex.TEXT, template, items=tuple(arguments[at:]))]
        values = arguments[at + 1 :]
        following = iter(values)

        def chosen(match: re.Match[str]) -> Item | None:
            if match[2] == "%":
                return Expression(ex.LITERAL, template, value="%")
            value = (
                values[int(match[1]) - 1] if match[1] and 0 < int(match[1]) <= len(values) else next(following, None)
            )
            if value is None or match[2] in _NUMBERS:
                return Expression(ex.OTHER, template)
            return call_of(template, "strconv.Quote", value) if match[2] == "q" else value

        return [
            *arguments[:at],
            Expression(ex.TEXT, template, items=interleaved(template, literal.value, _VERB, chosen)),
        ]

    def _composite(self, node: Node) -> Expression:
        """A struct is lowered like a call with named arguments, so that `http.Cookie{…}` is looked up by its type."""
        kind, body = node.child_by_field_name("type"), node.child_by_field_name("body")
        if kind is None or body is None:
            return Expression(ex.OTHER, node)
        entries = [self._entry(each) for each in named(body)]
        if kind.type in _COLLECTIONS:
            return keyed(ex.DICT if kind.type == "map_type" else ex.LIST, node, entries)
        is_quoted = self.text(body).lstrip("{ \t\n").startswith(('"', "`"))
        if is_quoted and all(key is not None for key, _ in entries):  # `bson.M{"name": name}`
            return keyed(ex.DICT, node, entries)
        return keyed(ex.CALL, node, entries, kind, name="new")

    def _entry(self, element: Node) -> tuple[str | None, Node]:
        key, value = element.child_by_field_name("key"), element.child_by_field_name("value")
        return self.text(key).strip('"`') if key is not None else None, value or element

    def _string(self, node: Node) -> Expression:
        raw = self.text(node)[1:-1]
        return Expression(ex.LITERAL, node, value=raw if node.type == "raw_string_literal" else unescaped(raw))

    def _unary(self, node: Node) -> Expression:
        operator, operand = node.child_by_field_name("operator"), node.child_by_field_name("operand")
        if operand is not None and operator is not None and operator.type in {"&", "*", "<-"}:
            return Expression(ex.PASS, node, items=(operand,))
        return Expression(ex.OTHER, node)

    def _expressions(self, node: Node) -> Expression:
        """What a function returns beside its first value is an error or a truth value."""
        inner = named(node)
        if len(inner) == 1:
            return self.lower(inner[0])
        is_returned = node.parent is not None and node.parent.type == "return_statement"
        return Expression(ex.PASS, node, items=(inner[0],)) if is_returned and inner else as_list(self, node)

    lowerings: ClassVar[Mapping[str, Lower]] = {
        "identifier": as_name,
        "package_identifier": as_name,
        "type_identifier": as_name,
        "field_identifier": as_name,
        "qualified_type": as_member("package", "name"),
        "selector_expression": as_member("operand", "field"),
        "index_expression": _index,
        "slice_expression": as_part("operand"),
        "type_assertion_expression": as_part("operand"),
        "type_conversion_expression": as_part("operand"),
        "call_expression": _call,
        "composite_literal": _composite,
        "interpreted_string_literal": _string,
        "raw_string_literal": _string,
        "int_literal": as_number,
        "float_literal": as_number,
        "binary_expression": as_binary,
        "unary_expression": _unary,
        "expression_list": _expressions,
        "literal_value": as_list,
    }
