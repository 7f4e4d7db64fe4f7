"""Rust as expressions, definitions and functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.facts_rust import EXTRACTOR, FACTS, NARROW, SENT, WEB
from vetgate.checks.security.lower_python import unescaped
from vetgate.checks.security.lowering import (
    Lowering,
    as_boolean,
    as_either,
    as_list,
    as_name,
    as_number,
    call_of,
    either_of,
    keyed,
    named,
    same,
    sign_of,
)
from vetgate.checks.security.rust_tokens import MacroTokens, chained
from vetgate.expression import expression
from vetgate.source.syntax import child_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.security.lowering import Lower
    from vetgate.source.syntax import Syntax

    Text = Callable[[Node], str]

_REFERENCE = expression(r"^(?:&(?:'\w+\s+)?(?:mut\s+)?)+")
_REQUESTS = frozenset({"HttpRequest", "Request", "ServiceRequest"})
_WRAPPERS = expression(r"^(?:\w+::)*(?:Data|State|Extension|ReqData|Arc|Rc|Box)<(.+)>$")  # hands its methods on
_DEEPEST = 4


def path_of(kind: str, imports: Mapping[str, str]) -> str:
    bare = _unaliased(_inner(kind), imports)
    if EXTRACTOR.match(bare) and any(path.partition(".")[0] in WEB for path in (dotted(bare), *imports.values())):
        return "" if NARROW.match(bare) else SENT
    first, _, rest = dotted(bare).partition("<")[0].partition(".")
    whole = imports.get(first, first) + (f".{rest}" if rest else "")
    return "Request" if whole.rpartition(".")[2] in _REQUESTS else whole


def _unaliased(kind: str, imports: Mapping[str, str]) -> str:
    """`use axum::extract::Path as UrlPath`: the name that the crate gave it."""
    name = kind.partition("<")[0]
    own = imports.get(name, name).rpartition(".")[2]
    return f"{own}{kind[len(name) :]}" if own != name else kind


def _inner(kind: str) -> str:
    """`web::Data<Client>` and `&State<Arc<Client>>` are a `Client` to whoever calls it."""
    bare = _REFERENCE.sub("", kind)
    for _ in range(_DEEPEST):
        around = _WRAPPERS.match(bare)
        if around is None:
            break
        bare = _REFERENCE.sub("", around[1])
    return bare


def dotted(path: str) -> str:
    return "".join(path.split()).replace("::", ".")


_AROUND = frozenset(
    {"match_pattern", "ref_pattern", "mut_pattern", "reference_pattern", "captured_pattern", "or_pattern"}
)
_CHAINED = frozenset({"call_expression", "field_expression", "try_expression", "await_expression"})
_TEXT_TYPE = expression(r"^(?:\w+::)*(?:String|Url|Uri|PathBuf|HeaderValue)\b")
_LISTS = frozenset({"tuple_pattern", "slice_pattern"})


def becomes_text(text: Text, parsed: Node) -> bool:
    """`let path: PathBuf = given.parse()?`: most of what is parsed is a number, this is not."""
    around = parsed.parent
    while around is not None and around.type in _CHAINED:
        around = around.parent
    kind = around.child_by_field_name("type") if around is not None and around.type == "let_declaration" else None
    return kind is not None and _TEXT_TYPE.match(text(kind)) is not None


def bound(text: Text, pattern: Node, value: Expression) -> Iterator[tuple[str, Expression]]:
    """`Some(name)` and `Query(name)` bind what they hold; names with a capital are variants, not variables."""
    pending = [(pattern, value)]
    while pending:
        each, given = pending.pop()
        kind = each.type
        if kind in {"identifier", "shorthand_field_identifier"}:
            name = text(each)
            if not name[:1].isupper():
                yield name, given
        elif kind == "tuple_struct_pattern":
            inner = [child for child in each.named_children[1:] if child.type != "_"]
            pending.extend((child, given) for child in inner)
        elif kind == "struct_pattern":
            pending.extend(_fields(text, each, given))
        elif kind in _LISTS:
            element = Expression(ex.INDEX, given.node, items=(given,))
            pending.extend((child, element) for child in each.named_children)
        elif kind in _AROUND:
            condition = each.child_by_field_name("condition")
            skipped = condition.id if condition is not None else 0
            pending.extend((child, given) for child in each.named_children if child.id != skipped)


def _fields(text: Text, pattern: Node, value: Expression) -> Iterator[tuple[Node, Expression]]:
    for field in pattern.named_children:
        name = field.child_by_field_name("name") if field.type == "field_pattern" else None
        if name is not None:
            member = Expression(ex.ATTR, field, name=text(name), items=(value,))
            yield field.child_by_field_name("pattern") or name, member


_VALUES = ("_expression", "_literal", "identifier", "_block")


def tail_of(block: Node) -> Node | None:
    """What stands last without a semicolon is what the block gives."""
    last = named(block)[-1:]
    if not last:
        return None
    if last[0].type == "expression_statement":
        inner = last[0].named_children[:1]
        ended = last[0].children[-1].type == ";"
        return inner[0] if inner and not ended else None
    kind = last[0].type
    return last[0] if kind.endswith(_VALUES) or kind in {"block", "macro_invocation", "self"} else None


_PASSING = frozenset(
    """
    reference_expression try_expression await_expression parenthesized_expression unsafe_block async_block else_clause
    base_field_initializer
    """.split()
)
_HOLDS = frozenset({"Some", "Ok", "Err"})
_PARSED = expression(r"parse::<\s*(?:\w+::)*(?:String|Url|Uri|PathBuf|HeaderValue)\b")
_ROUTE = expression(r"#\[(?:rocket::)?(?:get|post|put|patch|delete|head|options|route)\(")
_ROUTED = expression(r"<(\w+)(?:\.\.)?>")
_SAME = {
    **dict.fromkeys(
        ("to_string", "to_owned", "into", "clone", "as_str", "as_ref", "as_deref", "as_bytes", "unwrap"), 0
    ),
    **dict.fromkeys(("unwrap_or_default", "as_mut", "into_string", "into_owned", "to_vec", "into_bytes", "borrow"), 0),
    "expect": 1,
}
_CALLED = expression(rb"(\w+!?)\((?!.)", re.DOTALL)
_STATIC_MUT = "static mut"
_LONGEST_NAME = 64


class Rust(Lowering):
    facts = FACTS
    passing = _PASSING
    places: ClassVar[Mapping[str, str]] = {
        "call_expression": "call",
        "macro_invocation": "call",
        "field_initializer": "key",
        "static_item": "call",
        "token_tree": "call",  # inside of a macro
        "assignment_expression": "assign",
        "binary_expression": "compare",
        "use_declaration": "import",
        "function_item": "function",
        "return_expression": "returned",
    }
    functions = frozenset({"function_item", "closure_expression"})
    exits = frozenset({"return_expression", "break_expression", "continue_expression"})
    calls = frozenset({"call_expression", "macro_invocation"})
    blocks = frozenset({"block", "source_file", "declaration_list", "match_block"})
    ifs = frozenset({"if_expression"})
    binds = frozenset(
        """
        let_declaration let_condition assignment_expression compound_assignment_expr for_expression match_arm const_item
        static_item
        """.split()
    )

    def __init__(self, syntax: Syntax) -> None:
        super().__init__(syntax)
        self._tokens = MacroTokens(self.lower, self.text)

    # Definitions: what a name may stand for.

    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        defining = self._defining.get(node.type)
        if defining is not None:
            yield from defining(self, node)

    def _let(self, node: Node) -> Iterator[tuple[str, Expression]]:
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        kind = node.child_by_field_name("type")
        if pattern is None or value is None:
            return
        narrow = kind is not None and NARROW.match(self.text(kind)) and "literal" not in value.type
        yield from bound(self.text, pattern, Expression(ex.OTHER, value) if narrow else same(value))

    def _assignment(self, node: Node) -> Iterator[tuple[str, Expression]]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and left.type in {"identifier", "field_expression"}:
            joins = node.type == "compound_assignment_expr"
            yield self.text(left), Expression(ex.TEXT, node, items=(left, right)) if joins else same(right)

    def _item(self, node: Node) -> Iterator[tuple[str, Expression]]:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None:
            yield self.text(name), same(value)

    def _loop(self, node: Node) -> Iterator[tuple[str, Expression]]:
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        if pattern is not None and value is not None:
            yield from bound(self.text, pattern, Expression(ex.INDEX, value, items=(value,)))

    def _arm(self, node: Node) -> Iterator[tuple[str, Expression]]:
        match = node.parent.parent if node.parent is not None else None
        value = match.child_by_field_name("value") if match is not None else None
        pattern = node.child_by_field_name("pattern")
        if value is not None and pattern is not None:
            yield from bound(self.text, pattern, same(value))

    def filled(self, call: Node) -> Iterator[tuple[str, Expression]]:
        """`write!(sql, "{name}")`: the text goes on with it."""
        given = self.lower(call).items[1:] if call.type == "macro_invocation" else ()
        holder = given[0] if given else None
        if holder is not None and not isinstance(holder, Expression) and holder.type == "identifier":
            yield self.text(holder), Expression(ex.TEXT, call, items=given)

    _defining: ClassVar[dict[str, Callable[[Rust, Node], Iterator[tuple[str, Expression]]]]] = {
        "let_declaration": _let,
        "let_condition": _let,
        "assignment_expression": _assignment,
        "compound_assignment_expr": _assignment,
        "const_item": _item,
        "static_item": _item,
        "for_expression": _loop,
        "match_arm": _arm,
    }

    def imports(self, node: Node) -> Iterator[tuple[str, str]]:
        argument = node.child_by_field_name("argument")
        pending = [("", argument)] if argument is not None else []
        while pending:
            prefix, each = pending.pop()
            path, listed = each.child_by_field_name("path"), each.child_by_field_name("list")
            alias = each.child_by_field_name("alias")
            if listed is not None:
                within = f"{prefix}{dotted(self.text(path))}." if path is not None else prefix
                pending.extend((within, child) for child in named(listed))
            elif each.type in {"identifier", "scoped_identifier", "use_as_clause", "self"}:
                written = self.text(path if alias is not None and path is not None else each)
                whole = f"{prefix}{dotted(written)}".removesuffix(".self")
                yield self.text(alias) if alias is not None else whole.rpartition(".")[2], whole

    def parameters(self, function: Node) -> Iterator[tuple[Node, str, str]]:
        """Each parameter's pattern and its type; `self` is none of them."""
        holder = function.child_by_field_name("parameters")
        for each in named(holder) if holder is not None else ():
            pattern = each.child_by_field_name("pattern") if each.type == "parameter" else each
            kind = each.child_by_field_name("type") if each.type == "parameter" else None
            if pattern is not None and each.type not in {"self_parameter", "attribute_item"}:
                yield pattern, self.text(kind) if kind is not None else "", ""

    def bind(self, pattern: Node, value: Expression) -> Iterator[tuple[str, Expression]]:
        yield from bound(self.text, pattern, value)

    def type_path(self, kind: str, imports: Mapping[str, str]) -> str:
        return path_of(kind, imports)

    def filled_parameters(self, function: Node) -> set[int]:
        """`#[get("/users/<name>?<sort>")]` of Rocket names the parameters that it fills; a handler may take a text."""
        before = function.prev_named_sibling
        route = ""
        while before is not None and before.type in {"attribute_item", "line_comment"}:
            route += self.text(before)
            before = before.prev_named_sibling
        names = set(_ROUTED.findall(route)) if _ROUTE.search(route) else set()
        parameters = ((self.text(pattern), kind) for pattern, kind, _ in self.parameters(function))
        return {at for at, (name, kind) in enumerate(parameters) if name in names and "PathBuf" not in kind}

    def chosen(self, case: Node) -> str:
        """`"name" | "age" => …` of a match on texts."""
        match = case.parent.parent if case.parent is not None else None
        subject = match.child_by_field_name("value") if match is not None else None
        pattern = case.child_by_field_name("pattern")
        text = self.text(pattern) if pattern is not None else ""
        return f"{self.text(subject)} == {text}" if subject is not None and text.startswith('"') else ""

    def called(self, node: Node) -> str:
        if node.type == "static_item":
            return _STATIC_MUT if any(child.type == "mutable_specifier" for child in node.children) else ""
        if node.type == "token_tree":
            start = node.start_byte  # by bytes, since there are many of these
            word = _CALLED.search(self._syntax.data, max(start - _LONGEST_NAME, 0), start + 1)
            return word[1].decode() if word is not None else ""
        if node.type == "macro_invocation":
            return f"{self.written(node, 'macro').rpartition('::')[2]}!"
        callee = node.child_by_field_name("function")
        if callee is not None and callee.type == "generic_function":
            callee = callee.child_by_field_name("function")
        if callee is None:
            return ""
        last = callee.child_by_field_name("field") or callee.child_by_field_name("name") or callee
        return self.text(last) if last.end_byte - last.start_byte < _LONGEST_NAME else ""

    def shown(self, node: Node) -> str:
        begins = chained(node)[0] if node.type == "token_tree" else node
        return self._syntax.data[begins.start_byte : node.end_byte].decode("utf-8", "replace")

    def returned(self, function: Node) -> Iterator[Node]:
        body = function.child_by_field_name("body")
        if body is not None and (body.type != "block" or tail_of(body) is not None):
            yield body

    # Lowerings.

    def _static(self, node: Node) -> Expression:
        return call_of(node, _STATIC_MUT)

    def _scoped(self, node: Node) -> Expression:
        path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
        if name is None or path is None:
            return Expression(ex.NAME, node, name=dotted(self.text(node)).lstrip("."))
        return Expression(ex.ATTR, node, name=self.text(name), items=(path,))

    def _field(self, node: Node) -> Expression:
        holder, name = node.child_by_field_name("value"), node.child_by_field_name("field")
        if holder is None or name is None:
            return Expression(ex.OTHER, node)
        if name.type == "integer_literal":  # what a wrapper such as `Query(values)` holds
            return Expression(ex.PASS, node, items=(holder,))
        return Expression(ex.ATTR, node, name=self.text(name), items=(holder,))

    def _generic(self, node: Node) -> Expression:
        function = node.child_by_field_name("function") or node.child_by_field_name("type")
        return self.lower(function) if function is not None else Expression(ex.OTHER, node)

    def _call(self, node: Node) -> Expression:
        callee, holder = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or holder is None:
            return Expression(ex.OTHER, node)
        given = tuple(child for child in named(holder) if child.type != "attribute_item")
        lowered = self.lower(callee)
        if lowered.kind == ex.NAME and lowered.name in _HOLDS and given:
            return Expression(ex.PASS, node, items=(given[0],))
        known = self._unchanged(node, lowered, given)
        if known is not None:
            return known
        if lowered.name == "parse" and not given and not _PARSED.search(self.text(callee)):
            return Expression(
                ex.PASS if becomes_text(self.text, node) else ex.OTHER, node, "parse", None, lowered.items
            )
        return call_of(node, lowered, *given)

    def _unchanged(self, node: Node, callee: Expression, given: tuple[Node, ...]) -> Expression | None:
        """`name.to_string()`, `String::from(name)`, `found.unwrap_or(other)`: another type, the same value."""
        if callee.kind != ex.ATTR:
            return None
        if callee.name in _SAME and len(given) == _SAME[callee.name]:
            return Expression(ex.PASS, node, items=callee.items)
        if callee.name == "unwrap_or" and given:
            return Expression(ex.EITHER, node, items=(*callee.items, given[0]))
        if callee.name in {"new", "with_capacity"} and self.text(callee.node).startswith("String::"):
            return Expression(ex.LITERAL, node, value="")
        is_text = callee.name == "from" and self.text(callee.node) == "String::from"
        return Expression(ex.PASS, node, items=(given[0],)) if is_text and given else None

    def pair(self, node: Node) -> tuple[Node | None, Node | None]:
        return node.child_by_field_name("field"), node.child_by_field_name("value")

    def _macro(self, node: Node) -> Expression:
        tree = child_of(node, "token_tree")
        if tree is None:
            return Expression(ex.OTHER, node)
        return self._tokens.macro(node, self.written(node, "macro"), tree)

    def _nested(self, node: Node) -> Expression:
        return self._tokens.call(node)

    def _string(self, node: Node) -> Expression:
        raw = node.type == "raw_string_literal"
        parts = [self.text(child) for child in node.named_children]
        text = "".join(part if raw else unescaped(part) for part in parts)
        kind = "bytes" if self.text(node)[:1] == "b" else ""
        return Expression(ex.LITERAL, node, value=text, name=kind)

    def _character(self, node: Node) -> Expression:
        return Expression(ex.LITERAL, node, value=unescaped(self.text(node).removeprefix("b").strip("'")))

    def _binary(self, node: Node) -> Expression:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = sign_of(node)
        if left is None or right is None or sign != "+":
            return Expression(ex.OTHER, node, name=sign)
        return Expression(ex.TEXT, node, name=sign, items=(left, right))

    def _unary(self, node: Node) -> Expression:
        inner = named(node)
        if inner and node.children[0].type == "*":
            return Expression(ex.PASS, node, items=(inner[0],))
        value = self.lower(inner[0]).value if inner and node.children[0].type == "-" else None
        return Expression(ex.LITERAL, node, value=-value) if isinstance(value, int) else Expression(ex.OTHER, node)

    def _block(self, node: Node) -> Expression:
        tail = tail_of(node)
        return Expression(ex.PASS, node, items=(tail,)) if tail is not None else Expression(ex.OTHER, node)

    def _match(self, node: Node) -> Expression:
        body = node.child_by_field_name("body")
        arms = named(body) if body is not None else []
        return either_of(*(arm.child_by_field_name("value") for arm in arms), node=node)

    def _cast(self, node: Node) -> Expression:
        value, kind = node.child_by_field_name("value"), node.child_by_field_name("type")
        if value is None or (kind is not None and NARROW.match(self.text(kind)) and "literal" not in value.type):
            return Expression(ex.OTHER, node, name="as")
        return Expression(ex.PASS, node, items=(value,))

    def _index(self, node: Node) -> Expression:
        inner = named(node)
        if len(inner) == 2 and inner[1].type == "range_expression":
            return Expression(ex.PASS, node, items=(inner[0],))
        key = self.lower(inner[1]).value if len(inner) == 2 and inner[1].type == "string_literal" else None
        if isinstance(key, str):
            return Expression(ex.ATTR, node, name=key, items=(inner[0],))
        return Expression(ex.INDEX, node, items=tuple(inner[:2]))

    def _struct(self, node: Node) -> Expression:
        body = node.child_by_field_name("body")
        return keyed(ex.DICT, node, map(self._entry, named(body) if body is not None else ()))

    def _entry(self, each: Node) -> tuple[str, Node]:
        field, value = each.child_by_field_name("field"), each.child_by_field_name("value")
        said = field or (each if each.type == "shorthand_field_initializer" else None)
        return self.text(said) if said is not None else "*", value or each.named_children[-1]

    lowerings: ClassVar[Mapping[str, Lower]] = {
        "identifier": as_name,
        "type_identifier": as_name,
        "self": as_name,
        "crate": as_name,
        "scoped_identifier": _scoped,
        "scoped_type_identifier": _scoped,
        "field_expression": _field,
        "generic_function": _generic,
        "generic_type": _generic,
        "call_expression": _call,
        "macro_invocation": _macro,
        "static_item": _static,
        "token_tree": _nested,
        "string_literal": _string,
        "char_literal": _character,
        "raw_string_literal": _string,
        "integer_literal": as_number,
        "float_literal": as_number,
        "boolean_literal": as_boolean,
        "binary_expression": _binary,
        "unary_expression": _unary,
        "block": _block,
        "if_expression": as_either,
        "match_expression": _match,
        "type_cast_expression": _cast,
        "array_expression": as_list,
        "tuple_expression": as_list,
        "index_expression": _index,
        "struct_expression": _struct,
    }
