"""What a member or a parameter stands for when this file says so: an entry, a field of a class, a default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import classes
from vetgate.checks.security import expression as ex
from vetgate.checks.security.scope import PARAM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression, Item
    from vetgate.checks.security.scope import Module


_OWN = frozenset({"this", "self", "cls", "$this", "static"})
_STEPS = 6
_DEEPEST = 3
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
        return _own_fields(module, member)
    assigned = module.reaching(module.language.text(member.node), member.node) if _is_written(member.node) else []
    entry = _entry(module, holder, member.name, depth + 1)
    if assigned or entry is not None:
        return [*assigned, *([entry] if entry is not None else [])]
    if holder.kind == ex.NAME and not module.reaching(holder.name, holder.node):
        return classes.fields(module, module.class_named(holder.name), member.name)
    return []


def _is_written(node: Node) -> bool:
    """A name taken out of an object by a pattern has the text of that name, which would be defined by itself."""
    return node.type in {"member_expression", "attribute"}


def _entry(module: Module, holder: Expression, name: str, depth: int) -> Item | None:
    """The value that a literal object has under this name, when nothing else could be meant."""
    found = resolve_value(module, holder, depth)
    if found is None or found.kind != ex.DICT or None in found.keys or "*" in found.keys:
        return None
    return next((item for key, item in zip(found.keys, found.items, strict=True) if key == name), None)


def resolve_value(module: Module, expression: Expression, depth: int = 0) -> Expression | None:
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
            return module.function_named(callee.name)
        found = resolve_value(module, callee)
        return found.node if found is not None and found.kind == ex.FUNCTION else None
    holder = module.lower(callee.items[0]) if callee.kind == ex.ATTR else None
    if holder is None:
        return None
    if holder.kind == ex.NAME and (holder.name in _OWN or _is_receiver(module, holder)):
        own = classes.method(module, classes.body_around(callee.node), callee.name)
        return own or module.function_named(callee.name)
    return method_called(module, callee)


def _is_receiver(module: Module, name: Expression) -> bool:
    """`s` in `func (s *Server) …`: the object that the function around is a method of."""
    role = module.language.facts.receiver
    values = module.reaching(name.name, name.node) if role else []
    if len(values) != 1 or values[0].kind != PARAM:
        return False
    holder = values[0].value.child_by_field_name(role)
    return holder is not None and holder.start_byte <= values[0].node.start_byte < holder.end_byte


def method_called(module: Module, callee: Expression) -> Node | None:
    """`Name(…).method`, `x.method` after `x = new Name(…)`, `Name.method`; `methods.name` of a literal object, too."""
    holder = module.lower(callee.items[0])
    entry = _entry(module, holder, callee.name, 0)
    value = module.lower(entry) if entry is not None else None
    if value is not None:
        return value.node if value.kind == ex.FUNCTION else None
    return classes.method(module, _class_of(module, holder), callee.name)


def _class_of(module: Module, holder: Expression) -> Node | None:
    """The body of the class, in this file, of which this is an object, or which this is."""
    named = module.class_named(holder.name) if holder.kind == ex.NAME else None
    if named is not None:
        return named
    made = resolve_value(module, holder)
    if made is not None and made.kind == PARAM:
        return module.class_named(_type_of(module, made))
    maker = module.lower(made.items[0]) if made is not None and made.kind == ex.CALL else None
    return module.class_named(maker.name) if maker is not None and maker.kind == ex.NAME else None


def _type_of(module: Module, parameter: Expression) -> str:
    kinds = [
        kind for pattern, kind, _ in module.language.parameters(parameter.value) if pattern.id == parameter.node.id
    ]
    return kinds[0] if kinds else ""


def _own_fields(module: Module, member: Expression) -> list[Item]:
    """What `this.iv` and `self.iv` are set to: in this function, else anywhere in the class."""
    here = module.reaching(module.language.text(member.node), member.node)
    return [*here] or classes.fields(module, classes.body_around(member.node), member.name)


def default(module: Module, item: Item) -> Item | None:
    """What counts when nothing else is given: of a parameter, of `a || b`, of `os.environ.get("NAME", b)`."""
    found = resolve_value(module, module.lower(item))
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


def set_later(module: Module, name: Expression) -> list[Expression]:
    """`filter.owner = …`, `filter["owner"] = …` before the use of an object that is written out."""
    scope = next((each for each in module.scopes_around(name.node) if name.name in each.names), None)
    return [
        each.value
        for written, definitions in (scope.names.items() if scope is not None else ())
        if written.startswith((f"{name.name}.", f"{name.name}["))
        for each in definitions
        if each.at < name.node.start_byte
    ]


_SELVES = (["self"], ["cls"])
_MOST_CALLS = 40


def argument_for(module: Module, parameter: Expression, call: Expression) -> Item | None:
    """The argument for this parameter; None when it is left out or cannot be told."""
    names = [module.language.text(pattern) for pattern, _, _ in module.language.parameters(parameter.value)]
    name = module.language.text(parameter.node)
    position = int(parameter.name) - (names[:1] in _SELVES)
    given = zip(call.items[1:], call.keys, strict=False)
    found = [item for at, (item, key) in enumerate(given) if key == name or (key is None and at == position)]
    return found[0] if found else None


def arguments_of_all_calls(module: Module, parameter: Expression) -> list[Item]:
    """What every caller passes, if all of them are in this file for sure; else nothing."""
    function: Node = parameter.value
    name = module.language.name_of(function)
    calls = module.calls_of(name)
    if not _is_private(module, function, name) or not 0 < len(calls) <= _MOST_CALLS:
        return []
    given = list(_each(module, parameter, calls))
    return [item for item in given if item is not None] if None not in given else []


def _each(module: Module, parameter: Expression, calls: list[Node]) -> Iterator[Item | None]:
    for node in calls:
        call = module.lower(node)
        called = function_called(module, module.lower(call.items[0])) if call.kind == ex.CALL else None
        is_ours = called is not None and called.id == parameter.value.id
        yield argument_for(module, parameter, call) if is_ours else None


def _is_private(module: Module, function: Node, name: str) -> bool:
    if name.startswith(("_", "#")) and not name.startswith("__"):
        return True
    return any(module.language.text(child) == "private" for child in function.children[:2])


_LEVELS = 3  # a function, its argument, the list of arguments
_COUNTED = ("index", "enumerate", "reduce", "fold", "inject")


def iterated_value(module: Module, parameter: Expression) -> Node | Expression | None:
    """`names.each { |name| … }`, `array_map(fn($name) => …, $names)`: the names, for the parameter `name`."""
    function: Node = parameter.value
    call = _call_around(module, function)
    if call is None:
        return None
    callee = module.lower(call.items[0])
    counts = callee.name.endswith(_COUNTED) or callee.name.startswith(_COUNTED)
    if callee.name not in module.language.facts.each or (int(parameter.name) > 0 and counts):
        return None
    if callee.kind == ex.ATTR:
        return callee.items[0]
    others = (item for item in call.items[1:] if module.lower(item).node.id != function.id)
    return next(others, None)


def _call_around(module: Module, function: Node) -> Expression | None:
    holder = function.parent
    for _ in range(_LEVELS):
        if holder is None:
            return None
        if holder.type in module.language.calls:
            call = module.lower(holder)
            return call if call.kind == ex.CALL else None
        holder = holder.parent
    return None
