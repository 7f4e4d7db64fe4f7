"""Which files hold tests, where tests begin and end, and what they are called, by language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.grammar import CALLS, arguments, callee, name_of, text
from vetgate.expression import expression
from vetgate.source.syntax import enclosing, first_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tree_sitter import Node

_MOST = 5000
_ATTRIBUTES = frozenset({"attribute_item", "attribute_list", "decorator", "line_comment", "comment", "block_comment"})
_RUST = expression(r"#\[\s*(?:[\w:]+::)?(?:test|rstest|test_case|wasm_bindgen_test|quickcheck|proptest|case|bench)\b")
_JAVA = expression(r"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b")
_CSHARP = expression(
    r"[\[,]\s*(?:\w+\.)*(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|Property)\b"
)
_PHP = expression(r"#\[\s*(?:\w+\\)*Test\b|@test\b")
_GO = expression(r"(?:Test|Benchmark|Fuzz|Example)(?![a-z])")
_CASES = expression(
    r"^(?:Deno\.|t\.|test\.)?(?:it|test|specify|fit|xit|ftest|xtest|iit|step|bench)(?:\.\w+)*(?:\(.*\)|`.*`)?$",
    re.DOTALL,
)
_GROUPS = expression(
    r"^(?:[fx]?(?:describe|context|suite|feature)|test\.describe|ddescribe|(?:RSpec\.)?(?:shared_examples(?:_for)?|shared_context|describe))(?:\.\w+)*(?:\(.*\)|`.*`)?$",
    re.DOTALL,
)
_RUBY = expression(r"^[fx]?(?:it|test|specify|scenario|example|should|its)$")
_SCOPES = frozenset(
    {"class_definition", "class_declaration", "class", "mod_item", "impl_item", "namespace_declaration", "module"}
)


@dataclass(frozen=True, slots=True)
class TestSpan:
    name: str
    line: int
    start: int
    end: int
    text: str
    idle: bool = False


def find_tests(nodes: Sequence[Node], language: str) -> list[TestSpan]:
    """In order; a step of another test is part of it."""
    seek = _SEEKERS.get(language, _in_ecmascript)
    found: list[TestSpan] = []
    idle: dict[int, bool] = {}
    for node in nodes:
        if len(found) == _MOST or (found and node.end_byte <= found[-1].end):
            continue
        name = seek(node)
        if name:
            first = _with_attributes(node)
            whole = _whole(first, node)
            place = (first_line(node), first.start_byte, node.end_byte)
            found.append(TestSpan(_qualified(node, name), *place, whole, language == "python" and _is_idle(node, idle)))
    return found


def _is_idle(node: Node, known: dict[int, bool]) -> bool:
    """In a class that no runner collects, and that nothing in the file builds on; `known` holds those that were met."""
    around = enclosing(node.parent, {"class_definition"})
    if (
        around is None
        or around.child_by_field_name("superclasses") is not None
        or name_of(around).lower().startswith("test")
    ):
        return False
    if around.start_byte not in known:
        root = around
        while root.parent is not None:
            root = root.parent
        known[around.start_byte] = len(re.findall(rf"\b{re.escape(name_of(around))}\b", text(root))) == 1
    return known[around.start_byte]


def _with_attributes(node: Node) -> Node:
    """From its first decorator or attribute on."""
    first = node
    if node.parent is not None and node.parent.type == "decorated_definition":
        return node.parent
    while first.prev_named_sibling is not None and first.prev_named_sibling.type in _ATTRIBUTES:
        if (
            first.prev_named_sibling.type in {"comment", "line_comment", "block_comment"}
            and node.type != "method_declaration"
        ):
            before = first.prev_named_sibling.prev_named_sibling
            if before is None or before.type not in {"attribute_item", "attribute_list"}:
                break
        first = first.prev_named_sibling
    return first


def _whole(first: Node, node: Node) -> str:
    parts = [text(first)]
    each = first
    while each.start_byte < node.start_byte and each.next_named_sibling is not None:
        each = each.next_named_sibling
        parts.append(text(each))
    return "\n".join(parts)


def _qualified(node: Node, name: str) -> str:
    """With the names of the classes and groups around it."""
    names = [name]
    outer = node.parent
    while outer is not None:
        if outer.type in _SCOPES and name_of(outer):
            names.append(name_of(outer))
        elif outer.type in CALLS and _GROUPS.match(callee(outer)):
            names.append(_title(outer))
        outer = outer.parent
    return " > ".join(reversed([each for each in names if each]))


def _title(node: Node) -> str:
    given = arguments(node)
    return text(given[0]).strip("\"'`")[:200] if given else ""


def _in_python(node: Node) -> str:
    return name_of(node) if node.type == "function_definition" and name_of(node).startswith("test") else ""


def _in_go(node: Node) -> str:
    return name_of(node) if node.type == "function_declaration" and _GO.match(name_of(node)) else ""


def _by_attribute(pattern: re.Pattern[str]) -> Callable[[Node], str]:
    def seek(node: Node) -> str:
        if node.type not in {"function_item", "method_declaration"}:
            return ""
        body = node.child_by_field_name("body")
        head = _whole(_with_attributes(node), node)
        cut = len(text(body)) if body is not None else 0
        return name_of(node) if pattern.search(head[: len(head) - cut]) else ""

    return seek


def _in_java(node: Node) -> str:
    return _by_attribute(_JAVA)(node) or (
        name_of(node) if node.type == "method_declaration" and re.match(r"test[A-Z_]", name_of(node)) else ""
    )


def _in_php(node: Node) -> str:
    if node.type == "method_declaration" and name_of(node).startswith("test"):
        return name_of(node)
    return _by_attribute(_PHP)(node) or _in_ecmascript(node)


def _in_ruby(node: Node) -> str:
    if node.type in {"method", "singleton_method"}:
        return name_of(node) if name_of(node).startswith("test_") else ""
    if node.type != "call" or not _RUBY.match(callee(node)) or node.child_by_field_name("block") is None:
        return ""
    return _title(node) or f"line of {callee(node)}"


def _in_ecmascript(node: Node) -> str:
    if node.type not in CALLS or node.type == "macro_invocation":
        return ""
    called = callee(node)
    given = arguments(node)
    if len(called) > 400_000 or not given or not _CASES.match(called):
        return ""
    # `it.each(table)` is called itself, with the title and the function.
    if node.parent is not None and node.parent.type in CALLS and node.parent.child_by_field_name("function") == node:
        return ""
    first = given[0].named_children[0] if given[0].type == "argument" and given[0].named_children else given[0]
    titled = first.type in {"string", "template_string", "encapsed_string", "binary_expression", "identifier", "object"}
    return (
        text(first).strip("\"'`")[:200]
        if titled and (len(given) > 1 or "todo" in called or first.type == "object")
        else ""
    )


_SEEKERS: dict[str, Callable[[Node], str]] = {
    "python": _in_python,
    "go": _in_go,
    "java": _in_java,
    "rust": _by_attribute(_RUST),
    "csharp": _by_attribute(_CSHARP),
    "php": _in_php,
    "ruby": _in_ruby,
}


# By language: names that the usual runners collect. Rust and C# collect by attribute, wherever it stands.
_COLLECTED = {
    "python": expression(r"(?:^|/)(?:test[^/]*|[^/]*_test|tests|conftest)\.py$"),
    "go": expression(r"_test\.go$"),
    "java": expression(r"(?:^|/)(?:Test[^/]*|[^/]*(?:Tests?|TestCase|IT|ITCase|Spec|Should))\.java$"),
    "php": expression(r"(?:Test|Cest|Spec)\.php$|(?:^|/)tests?/.*\.php$"),
    "ruby": expression(r"(?:_spec|_test)\.rb$|(?:^|/)test_[^/]*\.rb$"),
    "rust": expression(r"\.rs$"),
    "csharp": expression(r"\.csx?$"),
}
_ECMASCRIPT = expression(
    r"(?:\.|-|_)(?:test|spec|tests|specs|cy|e2e|e2e-spec)\.[cm]?[jt]sx?$|(?:^|/)(?:__tests__|test|tests|spec|specs"
    r"|e2e|cypress)/"
    r"(?!.*(?:fixtures|__mocks__|support|helpers?)/).*\.[cm]?[jt]sx?$|(?:^|/)test-[^/]*\.[cm]?js$|(?:^"
    r"|/)tests?\.[cm]?[jt]sx?$"
)
SNAPSHOT = expression(r"\.snap$|\.ambr$|(?:^|/)__snapshots__/|\.snap\.new$|\.(?:verified|approved)\.\w+$|\.snapshot$")


def is_collected(path: str, language: str | None) -> bool:
    if language in {"javascript", "typescript", "tsx"}:
        return bool(_ECMASCRIPT.search(path))
    pattern = _COLLECTED.get(language or "")
    return bool(pattern and pattern.search(path))
