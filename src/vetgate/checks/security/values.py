"""What a member or a parameter stands for when this file says so: an entry, a field of a class, a default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.scope import PARAM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.scope import Module

    Item = Node | Expression

_OWN = frozenset({"this", "self", "cls"})
_STEPS = 6
_DEEPEST = 3
_CLASSES = frozenset({"class_definition", "class_declaration", "abstract_class_declaration", "enum_declaration"})
_WRAPS = ("declaration", "definition")
_DEFAULTED = frozenset({"default_parameter", "typed_default_parameter", "required_parameter", "optional_parameter"})
_PATTERNS = frozenset({"assignment_pattern", "object_assignment_pattern"})
_OR = frozenset({"||", "??", "or"})
_ENVIRONMENT = frozenset({"os.environ.get", "os.getenv", "environ.get", "getenv"})


def members(module: Module, member: Expression, depth: int = 0) -> list[Item]:
    """The values that `config.name`, `this.name` or `Name.FIELD` may have; empty when nobody can tell."""
    holder = module.lower(member.items[0])
    if depth > _DEEPEST:
        return []
    if holder.kind == ex.NAME and holder.name in _OWN:
        return list(_own_fields(module, member))
    assigned = module.reaching(module.language.text(member.node), member.node) if _is_written(member.node) else []
    entry = _entry(module, holder, member.name, depth + 1)
    if assigned or entry is not None:
        return [*assigned, *([entry] if entry is not None else [])]
    if holder.kind == ex.NAME and not module.reaching(holder.name, holder.node):
        return [value for value, _ in _fields(module, _body_of(module, holder.name), member.name)]
    return []


def _is_written(node: Node) -> bool:
    """A name taken out of an object by a pattern has the text of that name, which would be defined by itself."""
    return node.type in {"member_expression", "attribute"}


def _entry(module: Module, holder: Expression, name: str, depth: int) -> Item | None:
    """The value that a literal object has under this name, when nothing else could be meant."""
    found = meant(module, holder, depth)
    if found is None or found.kind != ex.DICT or None in found.keys or "*" in found.keys:
        return None
    return next((item for key, item in zip(found.keys, found.items, strict=True) if key == name), None)


def meant(module: Module, expression: Expression, depth: int = 0) -> Expression | None:
    """What a name, a member or a passed value certainly stands for."""
    for _ in range(_STEPS):
        if expression.kind == ex.PASS:
            values: list[Item] = [expression.items[0]]
        elif expression.kind == ex.NAME:
            values = list(module.reaching(expression.name, expression.node))
        elif expression.kind == ex.ATTR:
            values = members(module, expression, depth)
        else:
            return expression
        if len(values) != 1:
            return None
        expression = module.lower(values[0])
    return None


def function_called(module: Module, callee: Expression) -> Node | None:
    """The function of this file that is called, if it is one."""
    if callee.kind == ex.NAME:
        values = module.reaching(callee.name, callee.node)
        if not values:
            return module.functions.get(callee.name)
        found = meant(module, callee)
        return found.node if found is not None and found.kind == ex.FUNCTION else None
    holder = module.lower(callee.items[0]) if callee.kind == ex.ATTR else None
    own = holder is not None and holder.kind == ex.NAME and holder.name in _OWN
    return module.functions.get(callee.name) if own else None


def method_called(module: Module, callee: Expression) -> Node | None:
    """`Name(…).method` and `x.method` after `x = new Name(…)`, when the file has the class."""
    made = meant(module, module.lower(callee.items[0]))
    maker = module.lower(made.items[0]) if made is not None and made.kind == ex.CALL else None
    body = _body_of(module, maker.name) if maker is not None and maker.kind == ex.NAME else None
    for statement in body.named_children if body is not None else ():
        method = statement.child_by_field_name("definition") or statement
        if method.type in module.language.functions and module.language.name_of(method) == callee.name:
            return method
    return None


def _own_fields(module: Module, member: Expression) -> Iterator[Item]:
    """What `this.iv` and `self.iv` are set to: in the class, in this function and in the constructor."""
    written = module.language.text(member.node)
    here = module.reaching(written, member.node)
    if here:
        yield from here
        return
    for value, method in _fields(module, _class_around(member.node), member.name, {"constructor", "__init__"}):
        if method is None:
            yield value
        else:
            yield from (definition.value for definition in module.scope(method).names.get(written, ()))


def _fields(
    module: Module, body: Node | None, name: str, methods: set[str] | None = None
) -> Iterator[tuple[Node, Node | None]]:
    """Values of the fields of this name, and the methods that were asked for."""
    for statement in body.named_children if body is not None else ():
        each = statement.named_children[0] if statement.type == "expression_statement" else statement
        named = next(filter(None, map(each.child_by_field_name, ("name", "property", "left"))), None)
        value = each.child_by_field_name("value") or each.child_by_field_name("right")
        said = module.language.text(named) if named is not None else ""
        if said == name and value is not None:
            yield value, None
        elif methods and said in methods:
            yield each, each


def _class_around(node: Node) -> Node | None:
    holder = node.parent
    while holder is not None and holder.type not in {"class_body", "class_definition"}:
        holder = holder.parent
    return holder.child_by_field_name("body") if holder is not None and holder.type == "class_definition" else holder


def _body_of(module: Module, name: str) -> Node | None:
    """The body of a class or an enumeration that the file itself has."""
    for statement in module.root.named_children:
        inner = next(filter(None, map(statement.child_by_field_name, _WRAPS)), statement)
        named = inner.child_by_field_name("name") if inner.type in _CLASSES else None
        if named is not None and module.language.text(named) == name:
            return inner.child_by_field_name("body")
    return None


def default(module: Module, item: Item) -> Item | None:
    """What counts when nothing else is given: of a parameter, of `a || b`, of `os.environ.get("NAME", b)`."""
    found = meant(module, module.lower(item))
    if found is None:
        return None
    if found.kind == PARAM:
        holder = found.node.parent
        return holder.child_by_field_name("value") if holder is not None and holder.type in _DEFAULTED else None
    if found.kind == ex.EITHER:
        return found.items[-1] if _is_fallback(found.node) else None
    return _of_environment(module, found)


def _is_fallback(node: Node) -> bool:
    operator = node.child_by_field_name("operator")
    return node.type in _PATTERNS or (operator is not None and operator.type in _OR)


def _of_environment(module: Module, call: Expression) -> Item | None:
    if call.kind != ex.CALL or len(call.items) < 3:
        return None
    callee = module.lower(call.items[0]).node
    return call.items[2] if module.language.text(callee) in _ENVIRONMENT else None
