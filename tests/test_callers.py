"""Who is broken by a change, by whatever way they got what changed, and who is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures import IndexedTree
from vetgate.checks.contracts import CHECK
from vetgate.config.load import defaults
from vetgate.engine.check import WholeChange
from vetgate.index.view import View
from vetgate.model import Change, File
from vetgate.source.clock import Deadline

PYTHON = "def load(a, b):\n    return a, b\n"
SCRIPT = "export function load(a: number, b: number) {\n  return a + b;\n}\n"
DEFAULT = SCRIPT.replace("export", "export default")
GO = "package core\n\nfunc Load(a int, b int) int {\n\treturn a\n}\n"
GO_MAIN = 'package main\n\nimport "ex.com/m/core"\n\nfunc main() {\n\tcore.Load(1, 2)\n}\n'
GO_MOD = "module ex.com/m\n"
ALIASES = '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./src/*"]}}}'


def needs_more(text):
    return text.replace("b)", "b, c)").replace("b: number)", "b: number, c: number)").replace("b int)", "b int, c int)")


def found(tmp_path, before, after):
    """What is said of going from these files to those, None for a file that goes."""
    tree = IndexedTree(tmp_path)
    tree.write(before)
    index = tree.built()
    files = tuple(File(path, before.get(path), text) for path, text in after.items())
    return across(index, tree.root, files)


def across(index, root, files):
    moved = dict.fromkeys(file.was for file in files if file.was)
    view = View(index, moved | {file.path: file.after for file in files})
    report = CHECK.on_whole_change(WholeChange(Change(root, files), view, defaults(), Deadline.never()))
    return {f"{each.rule} {each.message}" for each in report.findings}


WAYS = {
    "a name that a package passes on under another one": (
        "pkg/core.py",
        {"pkg/__init__.py": "from .core import load as fetch\n", "app.py": "from pkg import fetch\nfetch(1, 2)\n"},
    ),
    "all names that a package passes on": (
        "pkg/core.py",
        {"pkg/__init__.py": "from .core import *\n", "app.py": "from pkg import load\nload(1, 2)\n"},
    ),
    "a module that passes it on": (
        "core.py",
        {"api.py": "from core import load\n", "app.py": "from api import load\nload(1, 2)\n"},
    ),
    "all names of a module": ("core.py", {"app.py": "from core import *\nload(1, 2)\n"}),
    "the sources beside the tests": (
        "packages/a/src/pkg/core.py",
        {"packages/a/src/pkg/__init__.py": "", "packages/a/tests/app.py": "from pkg.core import load\nload(1, 2)\n"},
    ),
    "a barrel": (
        "src/core.ts",
        {"src/index.ts": 'export { load } from "./core";\n', "src/app.ts": 'import { load } from ".";\nload(1, 2);\n'},
    ),
    "a barrel under another name": (
        "src/core.ts",
        {
            "src/index.ts": 'export { load as fetchIt } from "./core";\n',
            "src/app.ts": 'import { fetchIt } from "./index";\nfetchIt(1, 2);\n',
        },
    ),
    "a barrel of barrels": (
        "src/lib/core.ts",
        {
            "src/index.ts": 'export * from "./lib";\n',
            "src/lib/index.ts": 'export * from "./core";\n',
            "src/x/app.ts": 'import { load } from "..";\nload(1, 2);\n',
        },
    ),
    "a module as a name of a barrel": (
        "src/core.ts",
        {
            "src/index.ts": 'export * as core from "./core";\n',
            "src/app.ts": 'import { core } from "./index";\ncore.load(1, 2);\n',
        },
    ),
    "barrels in a circle": (
        "src/core.ts",
        {
            "src/a.ts": 'export * from "./b";\n',
            "src/b.ts": 'export * from "./a";\nexport * from "./core";\n',
            "src/app.ts": 'import { load } from "./a";\nload(1, 2);\n',
        },
    ),
    "a name that is imported and then exported": (
        "src/core.ts",
        {
            "src/index.ts": 'import { load } from "./core";\nexport { load };\n',
            "src/app.ts": 'import { load } from "./index";\nload(1, 2);\n',
        },
    ),
    "an alias of a configuration that is referred to": (
        "src/core.ts",
        {
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
            "tsconfig.app.json": ALIASES,
            "src/app.ts": 'import { load } from "@/core";\nload(1, 2);\n',
        },
    ),
    "an import of the package's own": (
        "src/core.ts",
        {
            "package.json": '{"imports": {"#base": "./src/core.ts"}}',
            "src/app.ts": 'import { load } from "#base";\nload(1, 2);\n',
        },
    ),
    "Go's dot": ("core/core.go", {"go.mod": GO_MOD, "app.go": GO_MAIN.replace(' "', ' . "').replace("core.L", "L")}),
    "Go's version": ("core/v2/core.go", {"go.mod": GO_MOD, "app.go": GO_MAIN.replace("/core", "/core/v2")}),
    "the package at the root of a Go module": (
        "core.go",
        {"go.mod": "module ex.com/core\n", "cmd/app.go": GO_MAIN.replace("m/core", "core")},
    ),
}
TEXTS = {".py": PYTHON, ".ts": SCRIPT, ".go": GO}


@pytest.mark.parametrize(("changed", "others"), WAYS.values(), ids=WAYS.keys())
def test_a_caller_is_found_by_way_of(tmp_path, changed, others):
    text = TEXTS[changed[changed.rindex(".") :]]
    (caller,) = (path for path in others if "app." in path and "tsconfig" not in path)
    (message,) = found(tmp_path, {changed: text, **others}, {changed: needs_more(text)})
    assert message.startswith("required-parameter ")
    assert f" {caller}:" in message


def test_a_default_export_is_called_as_everybody_likes(tmp_path):
    before = {"core.ts": DEFAULT, "app.ts": 'import fetchIt from "./core";\nfetchIt(1, 2);\n'}
    (message,) = found(tmp_path, before, {"core.ts": needs_more(DEFAULT)})
    assert "app.ts:2" in message


USE = "from core import load\nload(1, 2)\n"
USE_SCRIPT = 'import { load } from "./core";\nload(1, 2);\n'
LEFT = {
    "moved, and all names of the new place passed on": (
        {"core.py": PYTHON, "app.py": USE},
        {"core.py": "from kernel import *\n", "kernel.py": PYTHON},
    ),
    "a module that makes its names": (
        {"core.py": PYTHON, "app.py": USE},
        {"core.py": "def __getattr__(name):\n    return name\n"},
    ),
    "an import that reckons with it": (
        {"core.py": PYTHON, "app.py": "try:\n    from core import load\nexcept ImportError:\n    FAST = False\n"},
        {"core.py": "x = 1\n"},
    ),
    "a function for want of another": (
        {"core.py": "try:\n    from fast import load\nexcept ImportError:\n    def load(a):\n        return a\n"},
        {"app.py": USE},
    ),
    "a barrel in its place": (
        {"core.ts": SCRIPT, "app.ts": USE_SCRIPT},
        {"core.ts": 'export * from "./kernel";\n', "kernel.ts": SCRIPT},
    ),
    "another default": (
        {"core.ts": DEFAULT, "app.ts": 'import load from "./core";\nload(1, 2);\n'},
        {"core.ts": DEFAULT.replace("load", "fetchIt")},
    ),
    "a class that is an interface now": (
        {"core.ts": "export class A {}\n", "app.ts": 'import { A } from "./core";\nlet a: A;\n'},
        {"core.ts": "export interface A {}\n"},
    ),
    "a function that is only declared now": (
        {"core.ts": SCRIPT, "app.ts": USE_SCRIPT},
        {"core.ts": "export declare function load(a: number, b: number): number;\n"},
    ),
    "a name out of an object": (
        {"core.ts": SCRIPT, "app.ts": USE_SCRIPT},
        {"core.ts": "export const { load, more } = made();\n"},
    ),
    "a file that does not parse": (
        {"core.ts": SCRIPT, "app.ts": USE_SCRIPT},
        {"core.ts": "export function load(a: number, b: number) {\n  return a +\n"},
    ),
    "nothing to pass": (
        {"core.ts": "export function load(a?: void) {}\n", "app.ts": 'import { load } from "./core";\nload();\n'},
        {"core.ts": "export function load(a: void) {}\n"},
    ),
    "another file of the same Go package": (
        {"go.mod": GO_MOD, "core/core.go": GO, "main.go": GO_MAIN},
        {"core/core.go": "package core\n", "core/more.go": GO},
    ),
    "another platform of the same Go package": (
        {"go.mod": GO_MOD, "core/core_linux.go": GO, "core/core_darwin.go": GO, "main.go": GO_MAIN},
        {"core/core_linux.go": "package core\n"},
    ),
}


LEFT |= {
    f"a call that a test wants to fail, by {name}": ({core: text}, {use: written})
    for name, core, text, use, written in (
        (
            "a block",
            "core.py",
            PYTHON,
            "test_a.py",
            "from core import load\nwith pytest.raises(TypeError):\n    load(1)\n",
        ),
        ("a call", "core.py", PYTHON, "test_a.py", "from core import load\nraises(TypeError, lambda: load(1))\n"),
        ("a mark", "core.py", PYTHON, "test_a.py", "from core import load\n@mark.xfail\ndef test():\n    load(1)\n"),
        ("an expectation", "core.ts", SCRIPT, "a.test.ts", f"{USE_SCRIPT}expect(() => load(1)).toThrow();\n"),
    )
}


@pytest.mark.parametrize(("before", "after"), LEFT.values(), ids=LEFT.keys())
def test_nobody_is_broken_by(tmp_path, before, after):
    assert found(tmp_path, before, after) == set()


BARREL = 'export { load, x } from "./core";\n'
HIDDEN = {
    "a constant": (
        {"core.ts": "export const LIMIT = 1;\nexport const x = 1;\n", "app.ts": 'import { LIMIT } from "./core";\n'},
        {"core.ts": "const LIMIT = 1;\nexport const x = 1;\n"},
        "export-removed `LIMIT` is no longer exported; it is used in 1 place: app.ts:1.",
    ),
    "a type": (
        {"core.ts": "export interface A {}\nexport const x = 1;\n", "app.ts": 'import type { A } from "./core";\n'},
        {"core.ts": "export const x = 1;\n"},
        "export-removed `A` is no longer exported; it is used in 1 place: app.ts:1.",
    ),
    "an entry of a barrel": (
        {"index.ts": BARREL, "core.ts": SCRIPT + "export const x = 1;\n", "app.ts": 'import { load } from ".";\n'},
        {"index.ts": BARREL.replace("load, ", "")},
        "export-removed `load` is no longer exported; it is used in 1 place: app.ts:1.",
    ),
    "a whole module of a barrel": (
        {
            "index.ts": 'export * from "./core";\nexport const y = 1;\n',
            "core.ts": SCRIPT,
            "app.ts": 'import { load } from ".";\n',
        },
        {"index.ts": "export const y = 1;\n"},
        "export-removed `load` is no longer exported; it is used in 1 place: app.ts:1.",
    ),
    "a name that a package passed on": (
        {"pkg/__init__.py": "from .core import load\n", "pkg/core.py": PYTHON, "app.py": "from pkg import load\n"},
        {"pkg/__init__.py": ""},
        "export-removed `load` can no longer be imported from here; it is used in 1 place: app.py:1.",
    ),
    "a name that a barrel passes on": (
        {"index.ts": 'export { load } from "./core";\n', "core.ts": SCRIPT},
        {"core.ts": "export const x = 1;\n"},
        "removed `load` is gone; it is used in 1 place: index.ts:1.",
    ),
}


@pytest.mark.parametrize(("before", "after", "expected"), HIDDEN.values(), ids=HIDDEN.keys())
def test_what_others_import_and_cannot_have_any_more(tmp_path, before, after, expected):
    assert found(tmp_path, before, after) == {expected}


def test_a_file_that_moved_without_those_that_import_it(tmp_path):
    tree = IndexedTree(tmp_path)
    tree.write({"core.py": PYTHON, "app.py": USE})
    index = tree.built()
    moved = File("kernel.py", PYTHON, PYTHON, was="core.py")
    assert across(index, tree.root, (moved,)) == {
        "export-removed `core.py` is `kernel.py` now; it is used in 1 place: app.py:1."
    }
    assert across(index, tree.root, (moved, File("app.py", USE, USE.replace("core", "kernel")))) == set()


def test_many_barrels_that_pass_on_each_other_take_no_time_without_end(tmp_path):
    names = [f"part{number}" for number in range(30)]
    barrels = {f"{name}.ts": "".join(f'export * from "./{other}";\n' for other in names) for name in names}
    before = {**barrels, "core.ts": SCRIPT, "app.ts": 'import { nothing } from "./part0";\nnothing(1);\n'}
    assert found(tmp_path, before, {"app.ts": before["app.ts"] + "nothing(2);\n"}) == set()


def test_every_file_that_time_did_not_suffice_for_is_unchecked():
    files = tuple(File(f"{name}.py", "def f(a): ...\n", "def f(b): ...\n") for name in "abc")
    view = View(None, {file.path: file.after for file in files})
    report = CHECK.on_whole_change(WholeChange(Change(Path(), files), view, defaults(), Deadline.after(-1)))
    assert [item.path for item in report.unchecked] == ["a.py", "b.py", "c.py"]
