"""Kinds of nodes of the grammars that matter to texts; those of several languages do not clash."""

from __future__ import annotations

STRINGS = frozenset(
    {
        "string",
        "template_string",
        "interpreted_string_literal",
        "raw_string_literal",
        "string_literal",
        "verbatim_string_literal",
        "interpolated_string_expression",
        "encapsed_string",
        "heredoc_body",
    }
)
JOINS = frozenset(
    {
        "concatenated_string",
        "chained_string",
        "binary_operator",
        "binary_expression",
        "binary",
        "parenthesized_expression",
    }
)
LISTS = frozenset(
    {
        "expression_list",
        "list",
        "array",
        "array_creation_expression",
        "argument_list",
        "arguments",
        "tuple",
        "token_tree",
    }
)
# What holds values under keys, and one of them; joined in their order like the elements of a list.
MAPS = frozenset({"dictionary", "object", "hash", "parameters"})
KEYED = frozenset({"pair", "keyword_argument", "default_parameter"})
PARTS = frozenset({"interpolation", "template_substitution"})
ARGUMENTS = frozenset({"argument_list", "arguments"})
CALLS = frozenset(
    "call call_expression method_invocation invocation_expression function_call_expression new_expression "
    "object_creation_expression scoped_call_expression member_call_expression type_conversion_expression".split()
)
# What gives a value a name of its own.
DECLARES = frozenset(
    "assignment variable_declarator const_spec var_spec let_declaration const_item static_item assignment_expression "
    "const_element expression_list equals_value_clause".split()
)
