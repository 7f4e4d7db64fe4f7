"""One file against the table: the walk notes places with a name that some rule knows; only those are looked at."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING

from vetgate.checks.security.match import ELEMENT, PERCENT, VIEW, Matcher
from vetgate.checks.security.node_sites import ROLES
from vetgate.checks.security.rule import ANY, FAMILIES, table_for
from vetgate.checks.security.scope import Module
from vetgate.expression import expression
from vetgate.source.walk import Visitor

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.security.lowering import Lowering
    from vetgate.checks.security.rule import RuleTable
    from vetgate.source.syntax import Syntax
    from vetgate.source.walk import See, Walk

_LOWERINGS = {
    "python": ("lower_python", "Python"),
    "ecmascript": ("lower_ecmascript", "Ecmascript"),
    "go": ("lower_go", "Go"),
    "java": ("lower_java", "Java"),
    "csharp": ("lower_csharp", "CSharp"),
    "php": ("lower_php", "Php"),
    "ruby": ("lower_ruby", "Ruby"),
    "rust": ("lower_rust", "Rust"),
}


@cache
def lowering(family: str) -> type[Lowering]:
    module, name = _LOWERINGS[family]
    found: type[Lowering] = getattr(importlib.import_module(f"vetgate.checks.security.{module}"), name)
    return found


_EQUALS = frozenset({"==", "===", "!=", "!=="})
_LAST_OF_TARGET = ("property", "attribute", "subscript", "index")
_ELEMENTS = frozenset({"subscript_expression", "subscript"})
_PROMISED = expression(r"^(?:util\.)?promisify\(([\w.]+)\)$")
_MADE = expression(r"^(?:await )?([\w.]+)\(")  # what a call gives may be called, too: `compile(text)(values)`
_REQUIRED = expression(r"""^require\(["'](?:node:)?([^"']+)["']\)$""")
_VIEW = expression(
    r"^@(?:[\w.]+\.(?:route|get|post|put|patch|delete|errorhandler)|Get|Post|Put|Patch|Delete|All)\(|^class\s+\w+\([^)]*MethodView"
)
_ANY_VIEW = expression(r"@\w[\w.]*\(|MethodView")
_SECRETIVE = expression(
    r"digest|mac\b|signature|sig\b|token|secret|api[_-]?key|_key\b|csrf|otp|passw|passcode|pwd|hash|expected|computed|calculated",
    re.IGNORECASE,
)
_CALLS = frozenset({"call", "call_expression"})
_LONGEST_NAME = 64
_LITERALS = frozenset({"string", "concatenated_string", "integer", "float"})
_NAMES_AGAIN = frozenset({"identifier", "member_expression", "attribute", "call_expression", "await_expression"})
LONGEST_EVIDENCE = 300
ALIAS = "alias"


@dataclass(eq=False)
class FileScan:
    """What the walk saw of one file."""

    syntax: Syntax
    names: Container[str]
    rows: Container[tuple[str, str]]  # kinds of places with names that some rule asks for
    module: Module
    path: list[Node]  # around the node at hand, while the walk goes on
    places: list[tuple[str, str, Node]] = field(default_factory=list)
    aliases: set[str] = field(default_factory=set)
    told: set[tuple[str, int]] = field(default_factory=set)
    symbols: dict[int, str] = field(default_factory=dict)
    unfinished: str = ""  # why not everything was looked at
    shared: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)  # what concerns all of it, and from where

    @property
    def family(self) -> str:
        return FAMILIES[self.syntax.language]

    @cached_property
    def has_views(self) -> bool:
        return self.module.about_text("views", lambda text: _ANY_VIEW.search(text) is not None)

    @cached_property
    def matcher(self) -> Matcher:
        return Matcher(self.module, self.family)

    def add_alias(self, local: str, node: Node) -> None:
        self.aliases.add(local)
        self.shared.append((node.start_byte, (ALIAS, local)))

    def add_required(self, node: Node) -> None:
        required = self.module.language.required(self.module.lower(node))
        if required:
            self.module.required.add(required)
            self.shared.append((node.start_byte, ("required", required)))


class _Every:
    """The names that a rule which ends in a star asks for: all there are."""

    def __contains__(self, name: object) -> bool:
        return True


def begin(walk: Walk, more: Mapping[str, RuleTable] | None = None) -> FileScan:
    """`more` are tables beside vetgate's own, by family."""
    syntax = walk.syntax
    family = FAMILIES[syntax.language]
    language = lowering(family)(syntax)
    own = table_for(family)
    names, rows = _known(own, more[family]) if more else (own.names, own.rows)
    return FileScan(syntax, names, rows, Module(language, syntax.tree.root_node), walk.path)


def _known(own: RuleTable, more: RuleTable) -> tuple[Container[str], Container[tuple[str, str]]]:
    if any(name == ANY and kind != "compare" for kind, name in more.rows):
        return _Every(), _Every()
    return own.names | more.names, own.rows.keys() | more.rows.keys()


def _call(noted: FileScan, node: Node) -> None:
    callee = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    if callee is None:
        return
    last = callee.child_by_field_name("property") or callee.child_by_field_name("attribute") or callee
    name = noted.syntax.text(last) if last.end_byte - last.start_byte < _LONGEST_NAME else ""
    noted.module.see_call(name, node)
    if name == "require":
        noted.add_required(node)
    if callee.type in _CALLS:
        name = _name_called(noted, callee)
    if ("call", name) in noted.rows or name in noted.aliases or (name[:1].isupper() and _fills_record(node)):
        noted.places.append(("call", name, node))


def _name_called(noted: FileScan, call: Node) -> str:
    """`XPathEvaluator(tree)(text)`: what a call gives is known by the name of that call."""
    callee = call.child_by_field_name("function")
    if callee is None:
        return ""
    last = callee.child_by_field_name("property") or callee.child_by_field_name("attribute") or callee
    return noted.syntax.text(last) if last.end_byte - last.start_byte < _LONGEST_NAME else ""


def _fills_record(node: Node) -> bool:
    """`new Order(values)`, `Order(**values)`: any class may be one whose objects are kept in a database."""
    given = node.child_by_field_name("arguments")
    if given is None:
        return False
    if node.type == "new_expression":
        return given.named_child_count == 1
    return any(child.type == "dictionary_splat" for child in given.named_children)


def _assign(noted: FileScan, node: Node) -> None:
    _declared(noted, node)
    left = node.child_by_field_name("left")
    if left is None:
        return
    last = next((found for found in map(left.child_by_field_name, _LAST_OF_TARGET) if found is not None), left)
    if left.type in _ELEMENTS and last.type != "string":
        noted.places.append(("assign", ELEMENT, node))
    elif last.end_byte - last.start_byte < _LONGEST_NAME:
        name = noted.syntax.text(last).strip("'\"")
        if ("assign", name) in noted.rows:
            noted.places.append(("assign", name, node))


def _decorator(noted: FileScan, node: Node) -> None:
    inner = next(iter(node.named_children), node)
    written = noted.syntax.text(inner.child_by_field_name("function") or inner).rpartition(".")[2]
    if ("decorator", written) in noted.rows:
        noted.places.append(("decorator", written, node))


def _compare(noted: FileScan, node: Node) -> None:
    # The sign first: most operators are no comparison at all, and this is asked very often.
    sign = node.child(1)
    if sign is None or sign.type not in _EQUALS or node.end_byte - node.start_byte > 200:
        return
    if _SECRETIVE.search(noted.syntax.text(node)):
        noted.places.append(("compare", "", node))


def _operator(noted: FileScan, node: Node) -> None:
    """`format % values` where the format is not written there; a remainder has a number on its right."""
    sign, left, right = (node.child_by_field_name(role) for role in ("operator", "left", "right"))
    if sign is None or left is None or right is None or sign.type != PERCENT:
        return
    if left.type not in _LITERALS and right.type not in _LITERALS and PERCENT in noted.names:
        noted.places.append(("operator", PERCENT, node))


def _key(noted: FileScan, node: Node) -> None:
    key = node.child_by_field_name("key")
    name = noted.syntax.text(key).strip("'\"") if key is not None else ""
    if ("key", name) in noted.rows:
        noted.places.append(("key", name, node))


def _keyword(noted: FileScan, node: Node) -> None:
    name = noted.syntax.text(node.named_children[0]) if node.named_children else ""
    if ("keyword", name) in noted.rows:
        noted.places.append(("keyword", name, node))


def _attribute(noted: FileScan, node: Node) -> None:
    name = noted.syntax.text(node.named_children[0]) if node.named_children else ""
    if ("attribute", name) in noted.rows:
        noted.places.append(("attribute", name, node))


def _import(noted: FileScan, node: Node) -> None:
    noted.module.see_import(node)
    noted.shared.append((node.start_byte, ("import", noted.syntax.text(node))))
    for local, path in noted.module.language.imports(node):
        if path.rpartition(".")[2] in noted.names:
            noted.add_alias(local, node)


def _declared(noted: FileScan, node: Node) -> None:
    """`const run = cp.exec` and `const { exec: run } = require("child_process")` give a known thing another name."""
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    if value is None or value.type not in _NAMES_AGAIN:
        return
    for local, bound in noted.module.language.definitions(node):
        text = noted.syntax.text(bound.node)
        whole = _PROMISED.match(text) or _REQUIRED.match(text)
        made = _MADE.match(text)
        written = (whole[1] if whole else made[1] if made else text).rpartition(".")[2]
        if bound.name in noted.names or written in noted.names:
            noted.add_alias(local, node)


def _returned(noted: FileScan, node: Node) -> None:
    """What a view returns is an answer, without any call."""
    if VIEW not in noted.names or not noted.has_views:
        return
    kinds = noted.module.language.functions
    function = next((each for each in reversed(noted.path) if each.type in kinds), None)
    if function is not None and any(_VIEW.match(written) for written in _written_before(noted, function)):
        noted.places.append(("returned", VIEW, node))


def _written_before(noted: FileScan, function: Node) -> Iterator[str]:
    """Decorators of a function, or the head of the class that it is a method of."""
    holder = function.parent
    if holder is None:
        return
    if holder.type == "decorated_definition":
        yield from (noted.syntax.text(child) for child in holder.named_children if child.type == "decorator")
    elif holder.type == "block" and holder.parent is not None and holder.parent.type == "class_definition":
        yield noted.syntax.text(holder.parent)[:LONGEST_EVIDENCE]
    elif function.type == "method_definition":
        before = function.prev_named_sibling
        while before is not None and before.type == "decorator":
            yield noted.syntax.text(before)
            before = before.prev_named_sibling


def _function(noted: FileScan, node: Node) -> None:
    noted.module.see_function(node)
    name = node.child_by_field_name("name")
    if name is not None and ("defined", written := noted.syntax.text(name)) in noted.rows:
        noted.places.append(("defined", written, node))


def _class(noted: FileScan, node: Node) -> None:
    noted.module.see_class(node)


_ENTER = {
    "call_expression": _call,
    "new_expression": _call,
    "call": _call,
    "assignment_expression": _assign,
    "assignment": _assign,
    "augmented_assignment_expression": _assign,
    "augmented_assignment": _assign,
    "return_statement": _returned,
    "pair": _key,
    "keyword_argument": _keyword,
    "jsx_attribute": _attribute,
    "decorator": _decorator,
    "binary_expression": _compare,
    "binary_operator": _operator,
    "comparison_operator": _compare,
    "import_statement": _import,
    "import_from_statement": _import,
    "variable_declarator": _declared,
    "function_declaration": _function,
    "method_definition": _function,
    "function_definition": _function,
    "arrow_function": _function,
    "function_expression": _function,
    "generator_function_declaration": _function,
    "class_declaration": _class,
    "abstract_class_declaration": _class,
    "class_definition": _class,
    "class": _class,
    "enum_declaration": _class,
}
_ROLES = {**ROLES, "compare": _compare, "class": _class, "function": _function, "import": _import}


@cache
def _entering(family: str) -> Mapping[str, See]:
    made = lowering(family)
    entering: dict[str, See] = {kind: _ROLES[role] for kind, role in made.places.items()} or dict(_ENTER)
    for kinds, see in ((made.binds | made.facts.returns, _binding), (made.functions, _scoped)):
        entering |= {kind: _both(see, entering.get(kind)) for kind in kinds}
    return entering


def _both(first: See, second: See | None) -> See:
    if second is None:
        return first

    def see(noted: FileScan, node: Node) -> None:
        first(noted, node)
        second(noted, node)

    return see


def _binding(noted: FileScan, node: Node) -> None:
    noted.module.order.bindings.append(node)


def _scoped(noted: FileScan, node: Node) -> None:
    noted.module.order.functions.append(node)


@cache
def visitor_of(language: str) -> Visitor:
    return Visitor(begin, _entering(FAMILIES[language]))


def visitor_with(more: Mapping[str, RuleTable], language: str) -> Visitor:
    """One that notes the places of these tables, too."""
    return Visitor(partial(begin, more=more), _entering(FAMILIES[language]))
