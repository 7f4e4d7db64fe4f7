"""A function that is gone, and who still speaks of it: as a value, by way of its module, or through `require`."""

from __future__ import annotations

import pytest

from test_callers import GO, GO_MAIN, GO_MOD, PYTHON, SCRIPT, found

REST = "def other(a):\n    return a\n"
SCRIPT_REST = "export const x = 1;\n"
SWITCH = "package core\n\nfunc f(v any) {\n\tswitch load := v.(type) {\n\tcase int:\n\t\tuse(load)\n\t}\n}\n"
OLDER = "function load(a) {\n  return a;\n}\n\nfunction other() {}\n\nmodule.exports = { load, other };\n"
OLDER_REST = "function other() {}\n\nmodule.exports = { other };\n"

GONE = {
    "a table in the same file": (
        {"core.py": PYTHON + REST},
        {"core.py": REST + 'TABLE = {"a": load}\n'},
        "core.py:3",
    ),
    "a callback in the same file": ({"core.py": PYTHON + REST}, {"core.py": REST + "map(load, [])\n"}, "core.py:3"),
    "a decorator in the same file": (
        {"core.py": PYTHON + REST},
        {"core.py": REST + "@load\ndef more(): ...\n"},
        "core.py:3",
    ),
    "what the file lists as its own": (
        {"core.py": PYTHON + REST},
        {"core.py": '__all__ = ["load", "other"]\n' + REST},
        "core.py:1",
    ),
    "a value of a module": (
        {"core.py": PYTHON + REST, "app.py": 'import core\n\nTABLE = {"a": core.load}\n'},
        {"core.py": REST},
        "app.py:3",
    ),
    "a value of a module of a package": (
        {"p/__init__.py": "", "p/core.py": PYTHON + REST, "app.py": "from p import core as c\nrun(c.load)\n"},
        {"p/core.py": REST},
        "app.py:2",
    ),
    "a value of a namespace": (
        {"core.ts": SCRIPT + SCRIPT_REST, "app.ts": 'import * as core from "./core";\n[1].map(core.load);\n'},
        {"core.ts": SCRIPT_REST},
        "app.ts:2",
    ),
    "a component": (
        {"core.tsx": SCRIPT + SCRIPT_REST},
        {"core.tsx": SCRIPT_REST + "export const View = () => <load a={1} />;\n"},
        "core.tsx:2",
    ),
    "an export of what is not there": (
        {"core.ts": SCRIPT + SCRIPT_REST},
        {"core.ts": SCRIPT_REST + "export { load };\n"},
        "core.ts:2",
    ),
    "a callback beside a Go file": (
        {"go.mod": GO_MOD, "core/core.go": GO, "core/more.go": "package core\n\nvar all = []any{Load}\n"},
        {"core/core.go": "package core\n"},
        "core/more.go:3",
    ),
    "a callback in another Go package": (
        {"go.mod": GO_MOD, "core/core.go": GO, "main.go": GO_MAIN.replace("core.Load(1, 2)", "run(core.Load)")},
        {"core/core.go": "package core\n"},
        "main.go:6",
    ),
    "what is taken out of an older module": (
        {"core.js": OLDER, "app.js": 'const { load } = require("./core");\nload(1);\n'},
        {"core.js": OLDER_REST},
        "app.js:1",
    ),
    "what is taken out of it under another name": (
        {"core.js": OLDER, "app.js": 'const { load: fetchIt } = require("./core");\nfetchIt(1);\n'},
        {"core.js": OLDER_REST},
        "app.js:1",
    ),
    "what is reached in an older module": (
        {"core.js": OLDER, "app.js": 'const core = require("./core");\ncore.load(1);\n'},
        {"core.js": OLDER_REST},
        "app.js:2",
    ),
    "what is reached at once": (
        {"core.js": OLDER, "app.js": 'require("./core").load(1);\n'},
        {"core.js": OLDER_REST},
        "app.js:1",
    ),
    "what is loaded later": (
        {
            "core.ts": SCRIPT + SCRIPT_REST,
            "app.ts": 'async function f() {\n  const { load } = await import("./core");\n}\n',
        },
        {"core.ts": SCRIPT_REST},
        "app.ts:2",
    ),
    "what an older module passes on": (
        {
            "lib/core.js": OLDER,
            "lib/index.js": 'exports.load = require("./core").load;\n',
            "app.js": 'const { load } = require("./lib");\nload(1);\n',
        },
        {"lib/core.js": OLDER_REST},
        "lib/index.js:1",
    ),
}


@pytest.mark.parametrize(("before", "after", "where"), GONE.values(), ids=GONE.keys())
def test_a_function_that_is_gone_is_missed_by(tmp_path, before, after, where):
    (message,) = found(tmp_path, before, after)
    assert message.startswith("removed ")
    assert f" {where}" in message


def test_an_entry_that_an_older_module_does_not_export_any_more(tmp_path):
    before = {
        "core.js": "exports.load = (a) => a;\nexports.x = 1;\n",
        "app.js": 'const { load } = require("./core");\n',
    }
    (message,) = found(tmp_path, before, {"core.js": "exports.x = 1;\n"})
    assert message == "export-removed `load` is no longer exported; it is used in 1 place: app.js:1."


METHOD = "class A:\n    def run(self):\n        return self.load(1)\n"
LOADS = "    def load(self, key):\n        return key\n"


def test_a_method_that_is_gone_and_still_called(tmp_path):
    before = {"a.py": METHOD + LOADS}
    (message,) = found(tmp_path, before, {"a.py": METHOD + LOADS.replace("load", "fetch")})
    assert message == "renamed `A.load` is called `fetch` now; it is used in 1 place: a.py:3."


FILES = {
    "a module in Python": ("core.py", PYTHON, "app.py", "import core\n"),
    "a module of a package": ("p/core.py", PYTHON, "p/app.py", "from . import core\n"),
    "a namespace": ("core.ts", SCRIPT, "app.ts", 'import * as core from "./core";\n'),
    "an older module": ("core.js", OLDER, "app.js", 'const core = require("./core");\n'),
}


@pytest.mark.parametrize(("path", "text", "user", "use"), FILES.values(), ids=FILES.keys())
def test_a_file_that_is_gone_is_missed_by_who_imports_it_as_a_whole(tmp_path, path, text, user, use):
    before = {path: text, user: use, "p/__init__.py": ""}
    assert found(tmp_path, before, {path: None}) == {
        f"export-removed `{path}` is gone; it is used in 1 place: {user}:1."
    }


PASSED_ON = {
    "all that a barrel passes on": (
        {"core.ts": "export const LIMIT = 1, x = 2;\n", "index.ts": 'export * from "./core";\n'},
        {"app.ts": 'import { LIMIT } from ".";\n'},
    ),
    "all that an older module passes on": (
        {"core.js": "exports.LIMIT = 1;\nexports.x = 2;\n", "index.js": 'module.exports = { ...require("./core") };\n'},
        {"app.js": 'const { LIMIT } = require(".");\n'},
    ),
    "all that a package passes on": (
        {"core.py": "LIMIT = 1\nx = 2\n", "index.py": "from core import *\n"},
        {"app.py": "from index import LIMIT\n"},
    ),
}


@pytest.mark.parametrize(("before", "user"), PASSED_ON.values(), ids=PASSED_ON.keys())
def test_a_name_that_is_gone_is_missed_by_who_gets_it_by_way_of(tmp_path, before, user):
    (path,) = user
    core = next(iter(before))
    (message,) = found(tmp_path, before | user, {core: before[core].replace("LIMIT", "MOST")})
    assert message.startswith("export-removed `LIMIT`")
    assert f" {path}:1" in message


NAMES = {
    "a constant in Python": ("core.py", "LIMIT = 1\nx = 2\n", "import core\nprint(core.LIMIT)\n"),
    "an export": ("core.ts", "export const LIMIT = 1, x = 2;\n", 'import * as core from "./core";\nf(core.LIMIT);\n'),
    "an older export": (
        "core.js",
        "exports.LIMIT = 1;\nexports.x = 2;\n",
        'const core = require("./core");\ncore.LIMIT;\n',
    ),
}


@pytest.mark.parametrize(("path", "text", "use"), NAMES.values(), ids=NAMES.keys())
def test_a_name_that_is_gone_is_missed_by_who_reaches_it_by_its_module(tmp_path, path, text, use):
    user = path.replace("core", "app")
    (message,) = found(tmp_path, {path: text, user: use}, {path: text.replace("LIMIT", "MOST")})
    assert message.startswith("export-removed `LIMIT`")
    assert f" {user}:2" in message


KEPT = {
    "a method that an ancestor has now": (
        {"a.py": METHOD + LOADS},
        {"a.py": "class Base:\n" + LOADS + METHOD.replace("A:", "A(Base):")},
    ),
    "a method that an ancestor may have": (
        {"a.py": "import lib\n" + METHOD.replace("A:", "A(lib.B):") + LOADS},
        {"a.py": "import lib\n" + METHOD.replace("A:", "A(lib.B):")},
    ),
    "a name that is made as the module is loaded": (
        {"core.py": PYTHON, "app.py": "import core\ncore.load(1, 2)\n"},
        {"core.py": 'lazy(__name__, {"load": "kernel.load"})\n'},
    ),
    "a constant that is made as the module is loaded": (
        {"core.py": "LIMIT = 1\n", "app.py": "import core\nprint(core.LIMIT)\n"},
        {"core.py": "globals().update(read())\n"},
    ),
    "a method that is set": (
        {"a.py": METHOD + LOADS},
        {"a.py": METHOD + "    def __init__(self, load):\n        self.load = load\n"},
    ),
    "a method that heirs have": (
        {"a.py": METHOD + LOADS, "b.py": "from a import A\nclass B(A):\n" + LOADS},
        {"a.py": METHOD},
    ),
    "a method that is only declared now": (
        {"a.ts": "class A {\n  run() { this.load(); }\n  load() {}\n}\n"},
        {"a.ts": "abstract class A {\n  run() { this.load(); }\n  abstract load(): void;\n}\n"},
    ),
    "a module that is a package now": (
        {"core.py": PYTHON, "app.py": "import core\ncore.load(1, 2)\n"},
        {"core.py": None, "core/__init__.py": PYTHON},
    ),
    "a copy of a package that is a dependency now": (
        {"six.py": PYTHON, "app.py": "import six\nfrom six import load\nsix.load(1, 2)\n", "requirements.txt": "six\n"},
        {"six.py": None},
    ),
    "a function of any type": (
        {"go.mod": GO_MOD, "core/core.go": GO, "main.go": GO_MAIN},
        {"core/core.go": "package core\n\nfunc Load[T any](a T, b T) T {\n\treturn a\n}\n"},
    ),
    "one of Python's own": ({"core.py": "def filter(a, b): ...\n"}, {"core.py": "x = filter(None, [])\n"}),
    "one of the browser's own": (
        {"core.ts": "export const x = 1;\nfunction structuredClone(a: number) {}\n"},
        {"core.ts": "export const x = structuredClone(1);\n"},
    ),
    "one of Go's own": (
        {"go.mod": GO_MOD, "core/core.go": "package core\n\nfunc max(a, b int) int {\n\treturn a\n}\n"},
        {"core/core.go": "package core\n\nvar x = max(1, 2)\n"},
    ),
    "a variable of the same name": ({"core.py": PYTHON}, {"core.py": "def f(load):\n    return load\n"}),
    "a loop's variable": (
        {"core.ts": SCRIPT},
        {"core.ts": "export const x = 1;\nfor (const load of all) use(load);\n"},
    ),
    "what is caught": (
        {"core.ts": SCRIPT},
        {"core.ts": "export const x = 1;\ntry {} catch (load) { use(load); }\n"},
    ),
    "a part of a namespace": (
        {"core.ts": SCRIPT},
        {"core.ts": "export const x = 1;\nimport load = A.load;\nuse(load);\n"},
    ),
    "a class in a function": (
        {"core.py": "class A: ...\n"},
        {"core.py": "def f():\n    class A: ...\n    return A\n"},
    ),
    "a type that is switched on": (
        {"go.mod": GO_MOD, "core/core.go": GO.replace("Load", "load")},
        {"core/core.go": SWITCH},
    ),
    "an argument by that name": ({"core.py": PYTHON}, {"core.py": "f(load=1)\n"}),
    "a member by that name": ({"core.py": PYTHON}, {"core.py": "f(a.load)\n"}),
    "a word in a text": ({"core.py": PYTHON}, {"core.py": 'x = "load"\n'}),
    "all names of a module that nobody knows": ({"core.py": PYTHON}, {"core.py": "from lib import *\nmap(load, [])\n"}),
    "a type of the same name": (
        {"core.ts": "export class A {}\n"},
        {"core.ts": "export const x = 1;\ninterface A {}\nlet a: A;\n"},
    ),
    "a script that has it from another": ({"core.js": "function load() {}\n"}, {"core.js": "load();\n"}),
    "an older module that somebody fills": (
        {"core.js": OLDER, "app.js": 'const { load } = require("./core");\n'},
        {"core.js": "Object.assign(exports, made());\nexports.other = 1;\n"},
    ),
    "an older module that passes all on": (
        {"core.js": OLDER, "app.js": 'const { load } = require("./core");\n'},
        {"core.js": 'module.exports = { ...require("./kernel") };\n', "kernel.js": OLDER},
    ),
    "an older module that is a function now": (
        {"core.js": OLDER, "app.js": 'const { load } = require("./core");\n'},
        {"core.js": "module.exports = made;\n"},
    ),
    "an import that reckons with it": (
        {"core.js": OLDER, "app.js": 'try {\n  require("./core").load();\n} catch {}\n'},
        {"core.js": OLDER_REST},
    ),
    "an entry with a value for want of it": (
        {"core.js": OLDER, "app.js": 'const { load = null } = require("./core");\n'},
        {"core.js": OLDER_REST},
    ),
    "a function whose type is said elsewhere": (
        {"core.ts": "export const x = 1;\n"},
        {"core.ts": "export const f: Handler = (a, b) => {};\nexport let g = (a: number) => a;\nf(1);\ng();\n"},
    ),
}


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT.keys())
def test_nobody_misses(tmp_path, before, after):
    assert found(tmp_path, before, after) == set()
