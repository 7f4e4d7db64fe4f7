"""What tests are made of in each language: kinds of nodes, names of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

CALLS = frozenset(
    {
        "call",
        "call_expression",
        "method_invocation",
        "macro_invocation",
        "invocation_expression",
        "function_call_expression",
        "member_call_expression",
        "nullsafe_member_call_expression",
        "scoped_call_expression",
    }
)
FUNCTIONS = frozenset(
    {
        "function_definition",
        "function_declaration",
        "method_declaration",
        "function_item",
        "method",
        "singleton_method",
        "method_definition",
        "local_function_statement",
        "variable_declarator",
    }
)
ASSERTS = frozenset({"assert_statement"})
TRIES = frozenset({"try_statement", "try_expression", "begin"})
HANDLERS = frozenset({"except_clause", "except_group_clause", "catch_clause", "rescue"})
BLOCKS = frozenset(
    {"block", "statement_block", "compound_statement", "function_body", "body_statement", "constructor_body"}
)
ENDS = frozenset({"return_statement", "return", "raise_statement", "throw_statement", "return_expression"})
IFS = frozenset(
    {"if_statement", "if", "if_expression", "unless", "if_modifier", "unless_modifier", "conditional_expression"}
)
LOOPS = frozenset(
    {
        "for_statement",
        "for_in_statement",
        "while_statement",
        "foreach_statement",
        "for_expression",
        "enhanced_for_statement",
        "for",
        "while",
        "do_statement",
        "range_clause",
    }
)
LISTS = frozenset(
    {
        "list",
        "tuple",
        "array",
        "array_expression",
        "literal_value",
        "array_initializer",
        "element_value_array_initializer",
        "array_creation_expression",
        "initializer_expression",
        "collection_expression",
        "dictionary",
        "object",
        "hash",
        "set",
    }
)
WANTED = CALLS | FUNCTIONS | ASSERTS | TRIES | BLOCKS | IFS | LOOPS | LISTS | {"with_statement", "assignment"}
_SPACES = expression(r"\s+")
_ENOUGH = 200_000
_CHAIN = 60
_OUTSIDE = expression(r"statement|block|body|program|module|source_file|list|declaration|arguments")
_LONGEST = 2000  # of a chain of calls; its end says what is called


def text(node: Node | None) -> str:
    return "" if node is None else (node.text or b"").decode("utf-8", "replace")


def flat(source: str) -> str:
    return _SPACES.sub("", source)


def wanted(root: Node) -> Iterator[Node]:
    """Every node of the wanted kinds, in order, without recursion."""
    cursor = root.walk()
    for _ in range(_ENOUGH):
        node = cursor.node
        if node is not None and node.type in WANTED:
            yield node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def callee(node: Node) -> str:
    """The path that is called, as written and without spaces: `self.assertEqual`, `expect(a).toBe`, `assert_eq`."""
    function = node.child_by_field_name("function") or node.child_by_field_name("macro")
    if function is not None:
        return flat(text(function)[-_LONGEST:])
    name = node.child_by_field_name("name") or node.child_by_field_name("method")
    owner = (
        node.child_by_field_name("object") or node.child_by_field_name("scope") or node.child_by_field_name("receiver")
    )
    return flat(f"{text(owner)[-_LONGEST:]}.{text(name)}" if owner is not None else text(name))


def arguments(node: Node) -> list[Node]:
    given = node.child_by_field_name("arguments")
    if given is None:
        given = next(
            (each for each in node.named_children if each.type in {"token_tree", "argument_list", "arguments"}), None
        )
    return [] if given is None else [each for each in given.named_children if "comment" not in each.type]


def name_of(node: Node) -> str:
    return text(node.child_by_field_name("name"))


def whole(node: Node) -> Node:
    """The expression that begins with a node: all of the chain behind `expect(a)`."""
    for _ in range(_CHAIN):
        parent = node.parent
        if parent is None or parent.start_byte != node.start_byte or _OUTSIDE.search(parent.type):
            break
        node = parent
    return node
