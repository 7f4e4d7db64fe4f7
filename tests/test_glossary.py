"""GLOSSARY.md holds: a word that it retires does not come back in a name, and no two classes of ours have one name."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "vetgate"
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Code that is judged, or compared with, speaks its own words.
FOREIGN = frozenset({"corpus", "data", "everyday"})


@dataclass(frozen=True)
class Named:
    """What a module names, and which of it are classes or functions."""

    classes: tuple[str, ...]
    functions: tuple[str, ...]
    others: tuple[str, ...]


@cache
def modules():
    """The trees themselves are not kept: so many nodes slow down the tests that come after."""
    return {
        path: named(ast.parse(path.read_text(encoding="utf-8")))
        for folder in (SOURCE, ROOT / "tests", ROOT / "scripts", ROOT / "bench")
        for path in sorted(folder.rglob("*.py"))
        if FOREIGN.isdisjoint(path.relative_to(ROOT).parts)
    }


def named(tree):
    classes, functions, others = [], [], []
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            classes.append(node.name)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append(node.name)
        elif isinstance(node, ast.arg):
            others.append(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            others.append(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            others.append(node.attr)
    return Named(tuple(classes), tuple(functions), tuple(others))


@cache
def retired(scope):
    """Words that are retired in `any name`, or as all of the name of a `class`, a `function`, a `module`."""
    section = (ROOT / "GLOSSARY.md").read_text(encoding="utf-8").partition("## Retired words")[2]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if "|" in line]
    return {word.strip() for words, _, where in rows[2:] for word in words.split(",") if scope in where}


def module_name(path):
    return path.parent.name if path.stem == "__init__" else path.stem


def spoken(name):
    """Its words, each between blanks: `take_over` and `takeOver` are the same."""
    return f" {' '.join(WORD.findall(name)).lower()} "


def test_the_table_is_read():
    assert {"tongue", "mended", "take over", "beside the past"} <= retired("any name")
    assert {"place", "told"} <= retired("class")
    assert "told" in retired("function")
    assert "place" not in retired("function")


def test_a_retired_word_is_part_of_no_name():
    back = {
        (str(path.relative_to(ROOT)), name)
        for path, found in modules().items()
        for name in {module_name(path), *found.classes, *found.functions, *found.others}
        if any(f" {words} " in spoken(name) for words in retired("any name"))
    }
    assert back == set()


def test_a_word_that_says_nothing_alone_names_no_class_function_or_module():
    back = [str(path.relative_to(ROOT)) for path in modules() if module_name(path) in retired("module")]
    for path, found in modules().items():
        for scope, names in (("class", found.classes), ("function", found.functions)):
            words = retired(scope)
            back += [f"{path.relative_to(ROOT)}: {name}" for name in names if name.lstrip("_").lower() in words]
    assert back == []


def test_no_two_classes_have_one_name():
    homes = defaultdict(list)
    for path, found in modules().items():
        if path.is_relative_to(SOURCE):
            for name in found.classes:
                homes[name.lstrip("_")].append(str(path.relative_to(SOURCE)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
