"""Is a value hard-coded? Literals are, and what is made of nothing but literals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.qualified_names import matches
from vetgate.checks.security.values import function_called, members, resolve_value
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.checks.security.expression import Expression, Item
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher

_DEEPEST = 12
_SIGNS = frozenset({"*", "**", "<<"})
_MAKES = tuple(
    """
    bytes bytearray str bytes.fromhex bytearray.fromhex Buffer.{from,alloc,allocUnsafe} Buffer
    buffer.Buffer.{from,alloc} {Uint8Array,ArrayBuffer,Uint32Array} {Uint8Array,Uint32Array}.{from,of}
    {binascii.unhexlify,binascii.a2b_hex,base64.b64decode,base64.b64encode,base64.urlsafe_b64encode,base64.b16decode,base64.b32decode,base64.urlsafe_b64decode}
    {codecs.decode,codecs.encode} *.enc.{Utf8,Hex,Base64,Latin1}.parse CryptoJS.lib.WordArray.create
    crypto-js.lib.WordArray.create TextEncoder().encode {atob,btoa} util.TextEncoder().encode
    {hex2bin,base64_decode,str_repeat,pack,hash} *.{from_slice,strict_decode64,decode64}
    """.split()
)
_ZEROS = ("{bytes,bytearray,Uint8Array,ArrayBuffer,Buffer.alloc}", "buffer.Buffer.alloc")
_SIZE = expression(r"size$|length$|len$|NONCEBYTES$", re.IGNORECASE)
_KEEPS = frozenset(
    "encode decode ljust rjust zfill padEnd padStart repeat slice substring subarray toString fill concat join".split()
)


def is_hardcoded(matcher: Matcher, parts: list[str | Expression], _flow: Flow) -> bool:
    """Made of literals alone, so everybody who reads the code knows it."""
    known = "".join(part for part in parts if isinstance(part, str))
    unknown = [part for part in parts if not isinstance(part, str)]
    return bool(known or unknown) and all(_is_fixed(matcher, part, 0) for part in unknown)


def fallback(matcher: Matcher, parts: list[str | Expression], _flow: Flow) -> bool:
    """`process.env.SECRET || "literal"`, `os.getenv("SECRET", "literal")`: the literal serves when nothing is set."""
    return any(not isinstance(part, str) and _falls_back(matcher, part) for part in parts)


_PLACEHOLDER = expression(r"^$|change.?me|^<.*>$|x{3,}|example|placeholder|\*{3}|^\.+$|replace.?me|todo", re.IGNORECASE)


def _falls_back(matcher: Matcher, expression: Expression) -> bool:
    if expression.kind in {ex.ATTR, ex.NAME}:
        expression = resolve_value(matcher.module, expression) or expression
    if expression.kind == ex.EITHER:
        return any(_is_secret_literal(matcher, item) for item in expression.items[1:])
    if expression.kind == ex.CALL and matches(
        matcher.paths.of(expression.items[0]), ("os.environ.get", "os.getenv", "environ.get", "getenv")
    ):
        return any(_is_secret_literal(matcher, item) for item in expression.items[2:])
    return False


def _is_secret_literal(matcher: Matcher, item: Item) -> bool:
    value = matcher.constant(item)
    return isinstance(value, str) and not _PLACEHOLDER.search(value)


def _is_fixed(matcher: Matcher, item: Item, depth: int) -> bool:
    expression = matcher.module.lower(item)
    if depth > _DEEPEST:
        return False
    if expression.kind == ex.LITERAL:
        return expression.value is not None
    if expression.kind in {ex.LIST, ex.TEXT, ex.PASS}:
        return _all_fixed(matcher, expression.items, depth)
    if expression.kind == ex.NAME:
        return _all_fixed(matcher, matcher.module.reaching(expression.name, expression.node), depth)
    if expression.kind == ex.ATTR:
        return _all_fixed(matcher, members(matcher.module, expression), depth)
    if expression.kind == ex.CALL:
        return _is_made_of_fixed(matcher, expression, depth)
    return expression.name in _SIGNS and _all_fixed(matcher, expression.node.named_children, depth)


def _all_fixed(matcher: Matcher, items: Iterable[Item], depth: int) -> bool:
    found = list(items)
    return bool(found) and all(_is_fixed(matcher, item, depth + 1) for item in found)


def _is_made_of_fixed(matcher: Matcher, call: Expression, depth: int) -> bool:
    callee = matcher.module.lower(call.items[0])
    given = call.items[1:]
    path = matcher.paths.of(callee)
    if len(given) == 1 and matches(path, _ZEROS) and _is_size(matcher.module.lower(given[0])):
        return True
    facts = matcher.module.language.facts
    if matches(path, _MAKES) or matches(path, facts.makes):
        return _all_fixed(matcher, given, depth)
    if callee.kind == ex.ATTR and (callee.name in _KEEPS or callee.name in facts.still_text):
        return _all_fixed(matcher, (callee.items[0], *given), depth)
    function = function_called(matcher.module, callee)
    return function is not None and _all_fixed(matcher, matcher.module.scope(function).returns, depth)


def _is_size(expression: Expression) -> bool:
    """`SecretBox.NONCE_SIZE`, `nacl.secretbox.nonceLength`: a number that a library names."""
    return expression.kind == ex.ATTR and _SIZE.search(expression.name) is not None
