"""Expressions as every language has them: a few kinds, lowered one node at a time when somebody asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Node

NAME = "name"  # name
ATTR = "attr"  # items[0] . name; value is how it is written, where no single node says so
INDEX = "index"  # items[0] [ items[1] ]; without items[1], any element of it
CALL = "call"  # items[0] ( items[1:] ), keys[i] names the i-th argument; name is "new" or "tagged" for those forms
TEXT = "text"  # the items joined to one text, in order
LITERAL = "literal"  # value
LIST = "list"  # items
DICT = "dict"  # items, keys; a key of None is not known, "*" is a spread
EITHER = "either"  # one of the items
PASS = "same"  # noqa: S105 - items[0], unchanged for our purposes: await, parentheses, casts
FUNCTION = "function"  # node
REGEX = "regex"  # value: the pattern
OTHER = "other"  # a truth value, a number: nothing flows through it


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """`items` are nodes not yet lowered, or expressions that no single node stands for (destructuring)."""

    kind: str
    node: Node
    name: str = ""
    value: Any = None
    items: tuple[Node | Expression, ...] = ()
    keys: tuple[str | None, ...] = ()


if TYPE_CHECKING:
    Item = Node | Expression
