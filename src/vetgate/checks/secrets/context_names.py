"""The name that a text in code stands under: assigned to, passed as, keyed by, compared with, or by its position."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.evaluate import ARGUMENTS, CALLS, DECLARES, JOINS, STRINGS
from vetgate.checks.secrets.names import own_part

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

# What a value goes through on its way to its name.
_THROUGH = frozenset(
    "parenthesized_expression expression_list literal_element equals_value_clause as_expression argument "
    "satisfies_expression non_null_expression conditional_expression ternary_expression boolean_operator "
    "expression_statement initializer reference_expression attribute member_expression selector_expression "
    "field_expression member_access_expression element_value literal_value_element cast_expression typed_pattern "
    "property_initializer default_value value await_expression await closure_expression subscript".split()
)
_CONVERSIONS = re.compile(
    r"(?i)(?:secretstr|secret|bytes?|buffer|from|encode|str|string|to_string|tostring|to_owned|into|strip|trim|new|getbytes|"
    r"tochararray|b64decode|atob|base64_decode|unhexlify|fromhex|frombase64string|decode|decodestring|securestring|some|ok|"
    r"freeze|text|value|default|quote|of|reversed?|asbytes|as_bytes|as_str|literal|join|implode|concat)$"
)
# A call whose first argument names what the second one is.
_KEYED = re.compile(
    r"(?i)(?:getenv|env|get|fetch|setdefault|set|put|setenv|putenv|define|config|header|setheader|append|add|setproperty|"
    r"addheader|set_header|config_get|environ|lookup|(?:get|env)\w{0,12}?_?or_?(?:else|default)|env_?or|getstring|insert|setitem|option|with|"
    r"flag\.string(?:var)?|setenvironmentvariable)$"
)
_KEPT_APART = frozenset({"name", "method"})
# `env::var("API_TOKEN").unwrap_or("...")`
_FALLBACK = re.compile(
    r"""["']([A-Za-z_][\w.-]{1,80})["']\)+\s*\.(?:unwrap_or(?:_else)?|or_?else|get_?or_?else)$""", re.IGNORECASE
)
_EQUALITY = re.compile(r"(?i)(?:equals|equalsignorecase|compareto|contentequals|eql)$")
_EQUALS = frozenset({"==", "===", "!=", "!==", "||", "??", "or", "?:"})
_NAME_FIELDS = ("left", "name", "key", "pattern", "property", "field", "declarator")
_FILLS = frozenset({"default", "fallback", "default_value"})
_SETTING_NAME = re.compile(r"[A-Za-z_][\w.-]*(?=[\"'`]?$)")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w-]*")
_JOINED = re.compile(r"(?i)(?:\bjoin|implode|\bconcat)$")
_HIGHEST = 9


def name_of(syntax: Syntax, path: list[Node], node: Node) -> str:
    """Up from the value as far as it is only converted; "" where nothing names it."""
    child = node
    for parent in reversed(path[-_HIGHEST:]):
        name = _name_by_parent(syntax, path, parent, child)
        if name is not None:
            return name
        child = parent
    return ""


def _name_by_parent(syntax: Syntax, path: list[Node], parent: Node, child: Node) -> str | None:
    """What the node above says of the value; None where the value only goes through it."""
    kind = parent.type
    if kind in ARGUMENTS:
        alone = parent.named_child_count <= 1
        return None if alone else _keyed_by(syntax, parent, child) or _positioned(syntax, parent, child)
    if kind == "tuple":
        return _of_two(syntax, path, parent, child)
    if kind in CALLS:
        return _name_by_call(syntax, parent, child)
    if kind == "subscript" and parent.named_children[0].start_byte != child.start_byte:
        return ""  # by which something is looked up
    if kind in _THROUGH and not (kind == "argument" and parent.child_by_field_name("name") is not None):
        return None
    name = _own_name(syntax, parent, child)
    return _filled(syntax, path, parent) if name in _FILLS else name


def _name_by_call(syntax: Syntax, call: Node, child: Node) -> str | None:
    told = name_by_position(_function(syntax, call), 0) if child.type in ARGUMENTS else ""
    if not told and _is_conversion(syntax, call, child):
        return None
    return told or _compared_with(syntax, call) or _called(syntax, call)


def _filled(syntax: Syntax, path: list[Node], filling: Node) -> str:
    """By the first argument, `option("--token", default="...")`, or by the target of `key = Field(default="...")`."""
    arguments = filling.parent
    first = arguments.named_child(0) if arguments is not None and arguments.type in ARGUMENTS else None
    if arguments is None or first is None:
        return ""
    if first.type in STRINGS:
        return _last_word(syntax, first)
    above = next((node for node in reversed(path) if node.type in DECLARES and node.end_byte >= filling.end_byte), None)
    return _own_name(syntax, above, filling) if above is not None else ""


def _positioned(syntax: Syntax, arguments: Node, child: Node) -> str:
    call = arguments.parent
    places = [each.start_byte for each in arguments.named_children]
    if call is None or child.start_byte not in places:
        return ""
    return name_by_position(_function(syntax, call), places.index(child.start_byte))


def _called(syntax: Syntax, call: Node) -> str:
    """Where there is one argument: what `setToken("...")` sets, or what `env` falls back to."""
    function = _function(syntax, call)
    fallback = _FALLBACK.search(function)
    return fallback[1] if fallback else name_by_setter(function)


def _of_two(syntax: Syntax, path: list[Node], pair: Node, child: Node) -> str:
    """`auth=("user", "password")`."""
    above = next((node for node in reversed(path) if node.start_byte < pair.start_byte), None)
    named = above.child_by_field_name("name") if above is not None else None
    second = pair.named_child_count == 2 and pair.named_children[1].start_byte == child.start_byte
    return "password" if second and named is not None and "auth" in syntax.text(named) else ""


def _compared_with(syntax: Syntax, call: Node) -> str:
    """`token.equals("...")`."""
    whose = call.child_by_field_name("object")
    return _last_word(syntax, whose) if whose is not None and _EQUALITY.search(_function(syntax, call)) else ""


def _own_name(syntax: Syntax, parent: Node, child: Node) -> str:
    if parent.type in JOINS and not (parent.child_count >= 3 and parent.children[1].type in _EQUALS):
        return ""
    if parent.type == "comparison_operator" or parent.type in JOINS:
        others = [each for each in parent.named_children if each.start_byte != child.start_byte]
        return _last_word(syntax, others[0]) if others else ""
    for name in _NAME_FIELDS:
        named = parent.child_by_field_name(name)
        if named is not None and named.start_byte < child.start_byte:
            return _last_word(syntax, named)
    first = parent.named_child(0) if parent.named_child_count > 1 else None
    if first is None or first.start_byte >= child.start_byte or parent.type not in _PAIRS:
        return ""
    return _last_word(syntax, first)


_PAIRS = frozenset(
    "keyed_element array_element_initializer pair const_element property_element variable_declarator "
    "assignment_expression assignment_statement short_var_declaration element_value_pair hash_element jsx_attribute "
    "optional_parameter keyword_parameter simple_parameter parameter argument initializer_expression".split()
)


def _keyed_by(syntax: Syntax, arguments: Node, child: Node) -> str:
    inside = arguments.named_children
    if len(inside) < 2 or inside[1].start_byte != child.start_byte:
        return ""
    first = inside[0] if inside[0].type != "argument" else inside[0].named_children[0]
    called = arguments.parent
    if first.type not in STRINGS or called is None or not _KEYED.search(_function(syntax, called)):
        return ""
    found = _SETTING_NAME.search(syntax.text(first)[:200])
    return own_part(found[0]) if found else _last_word(syntax, first)


def _is_conversion(syntax: Syntax, call: Node, child: Node) -> bool:
    inside = child.type in ARGUMENTS or child.type in STRINGS or child.type == "parenthesized_expression"
    return bool(_CONVERSIONS.search(_function(syntax, call))) or not inside


def _function(syntax: Syntax, call: Node) -> str:
    for name in ("function", "name", "method", "constructor", "type"):
        called = call.child_by_field_name(name)
        if called is not None:
            return _owner(syntax, call, name) + syntax.text(called)[-80:].rstrip(">)]")
    created = call.named_child(0) if call.type == "object_creation_expression" else None
    return syntax.text(created)[-80:] if created is not None else ""


def _owner(syntax: Syntax, call: Node, name: str) -> str:
    """`jwt.` of `jwt.sign`, where the grammar keeps the two apart."""
    owner = call.child_by_field_name("receiver") or call.child_by_field_name("object") if name in _KEPT_APART else None
    owner = owner or (call.child_by_field_name("scope") if name == "name" else None)
    return f"{syntax.text(owner)[-40:]}." if owner is not None else ""


def _last_word(syntax: Syntax, node: Node) -> str:
    words = _IDENTIFIER.findall(syntax.text(node)[:200])
    return words[-1] if words else ""


def is_joined(syntax: Syntax, path: list[Node]) -> bool:
    """`"".join([...])` and `[...].join("")`."""
    call = next((node for node in reversed(path[-3:]) if node.type in CALLS), None)
    return call is not None and bool(_JOINED.search(_function(syntax, call)))


# The last words of what is called, the number of the argument, and what that argument is.
_POSITIONS = tuple(
    (re.compile(rf"(?i)(?:^|[^a-z0-9])(?:{called})$"), position, name)
    for called, position, name in (
        (
            r"(?:set_?)?(?:http)?basic_?auth(?:entication)?|login|networkcredential|passwordauthentication",
            1,
            "password",
        ),
        (r"usernamepassword\w{0,40}|passwordcredentials?", 1, "password"),
        (r"(?:drivermanager\W{1,2})?getconnection|mysqli?(?:_connect)?|(?:my)?pdo|real_connect", 2, "password"),
        (r"(?:pymysql|mysqldb)\W{1,2}connect", 2, "password"),
        (r"jwt\W{1,2}(?:sign|verify|encode|decode)", 1, "jwt_secret"),
        (r"signedstring|hmacshakeyfor", 0, "jwt_secret"),
        (r"createhmac", 1, "hmac_key"),
        (r"hmac\W{1,2}new", 0, "hmac_key"),
        (r"hash_hmac", 2, "hmac_key"),
        (r"cookie_?parser", 0, "cookie_secret"),
        (r"fernet", 0, "encryption_key"),
    )
)
_SETTER = re.compile(r"(?:[Ss]et|[Ww]ith|[Uu]se|[Aa]dd)(?=[A-Z_])_?")
_LAST = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,80}$")


def name_by_position(function: str, position: int) -> str:
    """`jwt.sign(claims, "...")`: the name of the argument at that place, "" where nothing is known of it."""
    return next((name for called, place, name in _POSITIONS if place == position and called.search(function)), "")


def name_by_setter(function: str) -> str:
    """`setPassword("...")`, `.apiKey("...")`: a call with one argument that is named for it."""
    found = _LAST.search(function)
    return _SETTER.sub("", found[0], count=1) if found else ""
