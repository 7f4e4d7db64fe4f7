"""Which functions of PHP a framework calls for a request, and what it hands them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

_VERBS = frozenset({"get", "post", "put", "patch", "delete", "any", "map", "match", "options", "route"})
_TEXTS = frozenset({"", "string", "?string", "array"})


class PhpRoutes:
    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax

    def given(self, function: Node, parameters: list[tuple[str, str]]) -> set[int]:
        """Parameters of the function that a route is given, and those that the route of a method names."""
        route = self._written(function, "attributes")
        if "Route(" in route:
            return {at for at, (name, _) in enumerate(parameters) if f"{{{name[1:]}" in route}
        if not self._is_routed(function) and not self._is_action(function):
            return set()
        return {at for at, (_, kind) in enumerate(parameters) if kind in _TEXTS}

    def is_view(self, function: Node) -> bool:
        """What a method of a controller or a route's function returns is sent as it is."""
        if function.type == "method_declaration":
            holder = function.parent.parent if function.parent is not None else None
            return holder is not None and self._written(holder, "name").endswith("Controller")
        return self._is_routed(function)

    def _is_action(self, function: Node) -> bool:
        """A public method of a controller of Laravel: what its models do not fill, the address does."""
        said = self._syntax.text(function).partition("(")[0]
        return "public " in said and "__" not in said and self.is_view(function)

    def _is_routed(self, function: Node) -> bool:
        """`Route::get("/users/{name}", function ($name) { … })`."""
        holder = function.parent.parent if function.parent is not None else None
        call = holder.parent if holder is not None and holder.type == "arguments" else None
        return call is not None and self._written(call, "name") in _VERBS

    def _written(self, node: Node, role: str) -> str:
        part = node.child_by_field_name(role)
        return self._syntax.text(part) if part is not None else ""
