"""A daemon lives for days: what it keeps by somebody's names, paths or texts has a bound."""

from __future__ import annotations

import ast
from pathlib import Path

import vetgate

PACKAGE = Path(vetgate.__file__).parent
# Of these there are only as many as we wrote ourselves: languages, kinds of tokens, presets of the package.
OURS = frozenset({"language", "family", "engine", "start", "times", "kind", "negated"})
PRESETS = "config/layers.py"


def unbounded(tree: ast.AST) -> list[tuple[str, list[str]]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(is_unbounded(each) for each in node.decorator_list):
            names = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
            found.append((node.name, [name for name in names if name not in OURS]))
    return found


def is_unbounded(decorator: ast.expr) -> bool:
    text = ast.unparse(decorator)
    return text in {"cache", "functools.cache"} or (text.startswith("lru_cache") and "maxsize=None" in text)


def test_nothing_is_kept_without_a_bound_by_names_of_a_project():
    files = [file for file in PACKAGE.rglob("*.py") if file != PACKAGE / PRESETS]
    kept = [(file.name, *each) for file in files for each in unbounded(ast.parse(file.read_text())) if each[1]]
    assert not kept, "these grow with every name they are asked for; give them a maxsize"


def test_an_unbounded_cache_is_seen():
    assert unbounded(ast.parse("@cache\ndef f(path, language): ...")) == [("f", ["path"])]
    assert unbounded(ast.parse("@lru_cache(maxsize=None)\ndef f(path): ...")) == [("f", ["path"])]
    assert not unbounded(ast.parse("@lru_cache(maxsize=64)\ndef f(path): ..."))
