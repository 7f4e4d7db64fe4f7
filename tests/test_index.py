"""The project index: what is read of a text, how it lasts, and what imports mean."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from functools import partial

import pytest

from fixtures import IndexedTree
from vetgate.index.build import build, single_builder
from vetgate.index.facts import DefinitionSite, Parameter
from vetgate.index.project import ProjectIndex
from vetgate.index.read import _Recent, read
from vetgate.index.references import references
from vetgate.index.resolve import called, definition_of
from vetgate.index.view import View
from vetgate.source.language import language_of
from vetgate.source.syntax import Source
from vetgate.store import open_index_store, remove_index
from vetgate.store.index import FILE


def facts(path: str, text: str):
    return read(Source(path, text, language_of(path))).facts


def in_order(work, paths):
    return [work(tuple(paths))]


@pytest.fixture
def tree(tmp_path):
    return IndexedTree(tmp_path)


LONG = "def {name}(items, limit):\n    total = 0\n" + "".join(
    f"    for each in items:\n        if each.size > {n} and each.kind != limit:\n"
    f"            total += each.size * {n}\n"
    for n in range(4)
)


def test_parameters_of_python_by_kind():
    text = "class A:\n    def m(self, a, /, b, *rest, c, d=1, **more) -> int: ...\n"
    (_, method) = facts("a.py", text).definitions
    assert method.symbol == "A.m"
    assert method.parameters == (
        Parameter("a", "/"),
        Parameter("b"),
        Parameter("rest", "*"),
        Parameter("c", "k"),
        Parameter("d", "k", optional=True),
        Parameter("more", "**"),
    )
    assert method.returns == "int"


def test_a_decorator_that_may_change_the_signature_makes_it_unknown():
    text = "@app.command()\ndef f(a): ...\n\n@functools.lru_cache(maxsize=2)\ndef g(a): ...\n"
    first, second = facts("a.py", text).definitions
    assert (first.parameters, second.parameters) == (None, (Parameter("a"),))


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.py", "m.f(1, *rest, k=2)", ("m.f", 1, ("k",), True)),
        ("a.py", "f(x for x in y)", ("f", 1, (), False)),
        ("a.py", "f(x,\\\n  y)", ("f", 2, (), False)),
        ("a.py", "g()(1).h(2)", ("?.h", 1, (), False)),
        ("a.ts", "this.store.put(1, 2)", ("this.store.put", 2, (), False)),
        ("a.ts", "new Box(...all)", ("new Box", 1, (), True)),
        ("a.go", "package p\nfunc f() { x.G(a, b) }", ("x.G", 2, (), False)),
        ("a.go", "package p\nfunc f() { G(pair()) }", ("G", 1, (), True)),
    ],
    ids=[
        "dotted",
        "generator",
        "over two lines",
        "reached by a call",
        "this",
        "new and spread",
        "package",
        "several values in one",
    ],
)
def test_calls_with_what_they_hand_over(path, text, expected):
    each = facts(path, text).calls[0]
    assert (each.callee, each.positional, each.keywords, each.is_open) == expected


def test_exports_of_typescript():
    text = (
        'export { a as b } from "./z";\nexport * from "./w";\nexport default function f() {}\n'
        "export const g = () => 1, h = 2;\nexport { k };\n"
    )
    assert [(each.name, each.local, each.module) for each in facts("a.ts", text).exports] == [
        ("b", "a", "./z"),
        ("*", "*", "./w"),
        ("default", "f", ""),
        ("g", "g", ""),
        ("h", "h", ""),
        ("k", "k", ""),
    ]


@pytest.mark.parametrize(
    "language", ["python", "javascript", "typescript", "go", "java", "csharp", "php", "ruby", "rust"]
)
def test_functions_of_every_language_have_a_shape(language):
    body = {
        "python": ("a.py", "def f(a):\n" + "    b = a.go(1) + a\n" * 12),
        "javascript": ("a.js", "const f = (a) => {\n" + "  b = a.go(1) + a;\n" * 12 + "}\n"),
        "typescript": ("a.ts", "class C { f(a: A) {\n" + "  b = a.go(1) + a;\n" * 12 + "} }\n"),
        "go": ("a.go", "package p\nfunc f(a A) {\n" + "  b = a.go(1) + a\n" * 12 + "}\n"),
        "java": ("A.java", "class C { void f(A a) {\n" + "  b = a.go(1) + a;\n" * 12 + "} }\n"),
        "csharp": ("A.cs", "class C { void f(A a) {\n" + "  b = a.go(1) + a;\n" * 12 + "} }\n"),
        "php": ("a.php", "<?php function f($a) {\n" + "  $b = $a->go(1) + $a;\n" * 12 + "}\n"),
        "ruby": ("a.rb", "def f(a)\n" + "  b = a.go(1) + a\n" * 12 + "end\n"),
        "rust": ("a.rs", "fn f(a: A) {\n" + "  b = a.go(1) + a;\n" * 12 + "}\n"),
    }
    path, text = body[language]
    (function,) = read(Source(path, text, language_of(path))).functions
    assert function.name.endswith("f")
    assert len(function.blind) == len(function.kept) >= 50


def test_local_names_are_blind_and_called_ones_are_not():
    one = read(Source("a.py", LONG.format(name="first"), "python")).functions[0]
    renamed = LONG.format(name="other").replace("total", "sum_").replace("each", "item").replace("items", "all_")
    other = read(Source("a.py", renamed, "python")).functions[0]
    reached = read(Source("a.py", LONG.format(name="first").replace(".size", ".mass"), "python")).functions[0]
    assert one.blind == other.blind
    assert one.kept != other.kept
    assert one.blind != reached.blind


def test_what_git_ignores_and_the_configuration_leaves_out_is_not_indexed(tree):
    tree.write({".gitignore": "gen/\n", "a.py": "x = 1\n", "gen/b.py": "x = 1\n", "vendor/c.py": "x = 1\n"})
    assert list(tree.built().store.stamps(str(tree.root))) == ["a.py"]


def test_a_second_build_reads_only_what_changed(tree):
    tree.write({"a.py": "def f(): ...\n", "b.py": "def g(): ...\n"})
    found = tree.built()
    tree.write({"a.py": "def changed(): ...\n"})
    (tree.root / "b.py").unlink()
    work = build(found, in_order)
    assert (work.changed, work.gone) == (("a.py",), ("b.py",))
    assert View(found, {}).facts("a.py").definitions[0].symbol == "changed"
    assert found.outstanding().size == 0


def test_another_work_tree_shares_what_is_equal(tmp_path):
    one, other = IndexedTree(tmp_path / "one"), IndexedTree(tmp_path / "other")
    other.state = one.state
    for each in (one, other):
        each.write({"a.py": LONG.format(name="f")})
    one.built()
    read_again: list[str] = []
    build(other.index(), lambda work, paths: read_again.extend(paths) or [])
    assert read_again == []
    assert View(other.index(), {}).facts("a.py") == View(one.index(), {}).facts("a.py")


def test_a_file_that_changed_behind_the_index_is_read_when_it_is_asked_about(tree):
    tree.write({"a.py": "def f(): ...\n", "b.py": "from a import f\nf()\n"})
    found = tree.built()
    tree.write({"b.py": "# moved\nfrom a import f\n\nf()\n"})
    (call, _import) = references(View(found, {}), DefinitionSite("a.py", "f"), "f")
    assert (call.path, call.line) == ("b.py", 4)


def test_a_damaged_index_is_built_anew_and_says_so(tree):
    tree.write({"a.py": LONG.format(name="f")})
    tree.built().store.close()
    (tree.state / FILE).write_bytes(b"not a database at all, but long enough to be read as one" * 40)
    found = tree.index()
    assert "built anew" in found.store.problem
    assert not found.is_ready
    build(found, in_order)
    assert found.store.counts(str(tree.root)) == (1, 1)


def test_an_index_that_breaks_under_way_gives_no_answer_and_starts_anew(tree):
    tree.write({f"m{n}.py": LONG.format(name=f"f{n}") for n in range(30)})
    found = tree.built()
    found.store._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    found.store._reader.close()
    with (tree.state / FILE).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 200_000)
    found.store._reader, found.store._writer = (__import__("sqlite3").connect(tree.state / FILE) for _ in range(2))
    assert found.store.counts(str(tree.root)) == (0, 0)
    assert found.store.problem
    build(found, in_order)
    assert found.store.counts(str(tree.root)) == (30, 30)


def test_overloads_and_stubs_are_no_functions_to_compare(tree):
    parameters = ", ".join(f"option{number}: int | None = None" for number in range(30))
    tree.lay(a_dot_py=f'def f({parameters}) -> int: ...\n\n\ndef g({parameters}):\n    """Doc."""\n    ...\n')
    assert tree.built().store.counts(str(tree.root)) == (1, 0)
    tree.lay(a_dot_py=f"def f({parameters}) -> int:\n    return 1\n")
    assert tree.built().store.counts(str(tree.root)) == (1, 1)


DAMAGE = {
    "facts that nobody can read": "UPDATE text SET facts = x'93a188'",
    "facts that are no text": "UPDATE text SET facts = CAST('hello' AS BLOB)",
    "a name that is no text": "UPDATE file SET path = CAST(x'6d88' AS TEXT) WHERE path = 'b.py'",
    "a table that is gone": "DROP TABLE word",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE.keys())
def test_damage_that_the_file_does_not_show_is_built_anew_too(tree, statement):
    tree.lay(a_dot_py="def f(a):\n    return a\n", b_dot_py="from a import f\nf(1)\n")
    found = tree.built()
    with contextlib.closing(sqlite3.connect(found.store.path)) as other:
        other.execute(statement)
        other.commit()
    assert list(references(View(found, {}), DefinitionSite("a.py", "f"), "f")) == []
    found.store.stamps(str(tree.root))
    assert "built anew" in found.store.problem
    assert len(list(references(View(tree.built(), {}), DefinitionSite("a.py", "f"), "f"))) == 2


def test_a_file_that_somebody_else_has_replaced_is_noticed(tree):
    tree.lay(a_dot_py="x = 1\n")
    found = tree.built()
    assert not found.store.is_replaced
    remove_index(found.store.path)
    assert found.store.is_replaced
    tree.built()
    assert found.store.is_replaced


def test_a_builder_that_is_killed_leaves_an_index_that_goes_on(tree):
    tree.write({f"m{n}.py": LONG.format(name=f"f{n}") for n in range(40)})
    code = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom vetgate.index.build import build\n"
        "from vetgate.index.project import ProjectIndex\nfrom vetgate.store import open_index_store\n"
        "def some(work, paths):\n    yield work(tuple(paths[:10]))\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        "index = ProjectIndex(Path(sys.argv[1]), open_index_store(Path(sys.argv[2])), lambda path: True)\n"
        "build(index, some)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, tree.root, tree.state], check=False)
    assert killed.returncode == -signal.SIGKILL
    found = tree.index()
    assert not found.is_ready
    assert found.store.counts(str(tree.root)) == (10, 10)
    assert len(build(found, in_order).changed) == 30
    assert found.is_ready


def test_one_builder_at_a_time(tree):
    with single_builder(tree.state) as first, single_builder(tree.state) as second:
        assert (first, second) == (True, False)
    with single_builder(tree.state) as again:
        assert again


def test_the_index_is_closed_to_others(tree):
    tree.built()
    assert {
        oct((tree.state / name).stat().st_mode & 0o777) for name in ("index.db", "index.db-wal", "index.db-shm")
    } == {"0o600"}


def test_without_an_index_only_the_change_is_known(tree):
    view = View(tree.index(), {"a.py": "def f(): ...\n"})
    assert not view.sees_all
    assert view.exists("a.py")
    assert not view.exists("b.py")


def resolved(tree: IndexedTree, path: str) -> list[DefinitionSite | None]:
    view = View(tree.built(), {})
    here = view.facts(path)
    return [called(view, path, here, call) for call in here.calls]


PYTHON = {
    "src/app/__init__.py": "from .core import shared\n",
    "src/app/core.py": "def shared(a): ...\ndef other(a): ...\nclass Box:\n    def __init__(self, a): ...\n",
    "src/app/sub/__init__.py": "",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from app.core import shared\nshared(1)\n", DefinitionSite("src/app/core.py", "shared")),
        ("from ..core import shared as s\ns(1)\n", DefinitionSite("src/app/core.py", "shared")),
        ("import app.core\napp.core.other(1)\n", DefinitionSite("src/app/core.py", "other")),
        ("from app import core as c\nc.other(1)\n", DefinitionSite("src/app/core.py", "other")),
        ("from app import shared\nshared(1)\n", DefinitionSite("src/app/core.py", "shared")),
        ("from app.core import Box\nBox(1)\n", DefinitionSite("src/app/core.py", "Box")),
        ("from app.core import shared\ndef f(shared):\n    shared(1)\n", None),
        ("from elsewhere import shared\nshared(1)\n", None),
        ("def here(): ...\nhere()\n", DefinitionSite("src/app/sub/use.py", "here")),
        (
            "class A:\n    def m(self): ...\n    def n(self):\n        self.m()\n",
            DefinitionSite("src/app/sub/use.py", "A.m")),
    ],
    ids=[
        "absolute", "relative and renamed", "by its whole name", "module as another", "passed on by the package",
        "a class", "hidden by a parameter", "another package", "of the file itself", "a method of self",
    ],
)  # fmt: skip
def test_what_a_call_means_in_python(tree, text, expected):
    tree.write({**PYTHON, "src/app/sub/use.py": text})
    assert resolved(tree, "src/app/sub/use.py") == [expected]


SCRIPTS = {
    "tsconfig.json": '{\n  // aliases\n  "compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["web/src/*"]},},\n}\n',
    "web/src/core.ts": "export function shared(a: string) {}\nexport default class Box { constructor(a: string) {} }\n",
    "web/src/index.ts": 'export * from "./core";\nexport { shared as renamed } from "./core";\n',
    "packages/kit/package.json": '{"name": "@team/kit", "main": "dist/index.js"}',
    "packages/kit/src/index.ts": "export const tool = (a: number) => a;\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('import { shared } from "./core";\nshared("a");\n', DefinitionSite("web/src/core.ts", "shared")),
        ('import { shared } from "./core.js";\nshared("a");\n', DefinitionSite("web/src/core.ts", "shared")),
        ('import { shared as s } from "@/core";\ns("a");\n', DefinitionSite("web/src/core.ts", "shared")),
        ('import * as all from "./index";\nall.renamed("a");\n', DefinitionSite("web/src/core.ts", "shared")),
        ('import { shared } from ".";\nshared("a");\n', DefinitionSite("web/src/core.ts", "shared")),
        ('import Crate from "./core";\nnew Crate("a");\n', DefinitionSite("web/src/core.ts", "Box")),
        ('import { tool } from "@team/kit";\ntool(1);\n', DefinitionSite("packages/kit/src/index.ts", "tool")),
        ('import { shared } from "lodash";\nshared("a");\n', None),
        ('import { shared } from "./core";\n[].map((shared) => shared("a"));\n', None),
    ],
    ids=[
        "relative", "with the ending of what is built", "by an alias", "a namespace", "everything of the folder",
        "the default", "a package of the repository", "a package from outside", "hidden by a parameter",
    ],
)  # fmt: skip
def test_what_a_call_means_in_typescript(tree, text, expected):
    tree.write({**SCRIPTS, "web/src/use.ts": text})
    assert [place for place in resolved(tree, "web/src/use.ts") if place or not expected][:1] == [expected]


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("def f(a): ...\nf = wrapped(f)\n", "from core import f\nf(1, 2)\n"),
        ("if X:\n    f = g\nelse:\n    def f(a): ...\n", "from core import f\nf(1, 2)\n"),
        ("def loads(a): ...\n", "import json\njson.loads(1, 2)\n"),
    ],
    ids=["wrapped afterwards", "one of two", "beside a module of the standard library"],
)
def test_what_a_name_means_that_may_be_something_else(tree, text, use):
    tree.write({"pkg/__init__.py": "", "pkg/json.py": text, "core.py": text, "pkg/use.py": use})
    view = View(tree.built(), {})
    (place,) = resolved(tree, "pkg/use.py")
    assert place is None or definition_of(view, place) is None


def test_what_a_call_means_in_go(tree):
    tree.write(
        {
            "go.mod": "module example.com/app\n",
            "store/store.go": "package store\nfunc Open(path string) {}\n",
            "store/more.go": 'package store\nfunc again() { Open("a") }\n',
            "main.go": 'package main\nimport "example.com/app/store"\nfunc main() { store.Open("a") }\n',
        }
    )
    view = View(tree.built(), {})
    (place,) = resolved(tree, "main.go")
    assert definition_of(view, place)[0] == "store/store.go"
    found = references(view, DefinitionSite("store/store.go", "Open"), "Open")
    assert sorted((site.path, site.line) for site in found) == [("main.go", 3), ("store/more.go", 2)]


def test_who_calls_a_function_as_the_change_would_leave_it(tree):
    tree.write({**PYTHON, "use.py": "from app.core import other\nother(1)\n", "more.py": "other(2)\n"})
    found = tree.built()
    place = DefinitionSite("src/app/core.py", "other")
    assert [(site.path, site.line) for site in references(View(found, {}), place, "other")] == [
        ("use.py", 2),
        ("use.py", 1),
    ]
    changed = View(found, {"use.py": "print(1)\n", "new.py": "import app.core as c\nc.other(3)\n"})
    assert [(site.path, site.line) for site in references(changed, place, "other")] == [("new.py", 2)]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("use.py", "from app import shared\nshared(1)\n", 2),
        ("use.py", "import app\napp.shared(1)\n", 2),
        ("use.py", "import app\napp.core.shared(1)\n", 2),
        ("use.py", "from app import core as c\nc.shared(1)\n", 2),
        ("src/app/use.py", "from . import shared\nshared(1)\n", 2),
        ("src/app/sub/use.py", "from .. import shared as s\ns(1)\n", 2),
        ("src/app/use.py", "from .all import shared\nshared(1)\n", 0),
        ("use.py", "from other import shared\nshared(1)\n", 0),
    ],
    ids=[
        "passed on", "by the package", "through the package", "by the module", "from beside", "from below",
        "of a module that is not there", "of another package",
    ],
)  # fmt: skip
def test_calls_are_found_by_whatever_way_the_name_comes(tree, path, text, expected):
    tree.write({**PYTHON, path: text})
    found = references(View(tree.built(), {}), DefinitionSite("src/app/core.py", "shared"), "shared")
    assert next((site.line for site in found if site.call and site.path == path), 0) == expected


@pytest.mark.parametrize("many", [5, 300], ids=["few have the like", "everybody has the like"])
def test_a_twin_is_found_among_many_that_share_a_beginning(tree, many):
    tail = "def {name}(box, {parameters}):\n" + "".join(f"    box.part{n}(box.size{n})[{n}]\n" for n in range(40))
    body = "    box.open()\n    box.fill(box.size, box.kind)\n" * 8
    tree.write({f"m{n}.py": f"def f(box):\n{body}    box.own{n}()\n" for n in range(many)})
    tree.write({"twin.py": tail.format(name="g", parameters="a")})
    text = tail.format(name="h", parameters="a, b") + f"\n\ndef f(box):\n{body}    box.mine()\n"
    view = View(tree.built(), {"new.py": text})
    first, second = view.read("new.py").functions
    assert {like.twin.path for like in view.alike("new.py", first, 0.85)} == {"twin.py"}
    assert len(list(view.alike("new.py", second, 0.85))) == min(many, 60)


def test_the_builder_that_the_daemon_starts(tree, tmp_path):
    from vetgate.fallback import INDEX, command  # noqa: PLC0415 - only this test starts it
    from vetgate.source.root import store_key  # noqa: PLC0415
    from vetgate.store import folder_of  # noqa: PLC0415

    tree.write({"a.py": LONG.format(name="f")})
    state = tmp_path / "its-state"
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(command(INDEX, str(tree.root), str(state)), check=False, env=environment, timeout=60)
    assert done.returncode == 0
    store = open_index_store(folder_of(state, store_key(tree.root)))
    assert ProjectIndex(tree.root, store, partial(bool)).is_ready


def test_all_files_of_a_long_session_are_read_once():
    """The end of each turn looks at all of them, as they were and as they are."""
    sources = [Source(f"f{number}.py", f"def f{number}(a):\n    return a\n", "python") for number in range(150)]
    first = [read(source) for source in sources]
    assert all(read(source) is known for source, known in zip(sources, first, strict=True))


BROKEN = {
    "a.php": ("<?php\nfunction fee($a) { return $a; }\n", "final class A {\nfunction of() {\n"),
    "a.rb": ("def fee(a)\n  a\nend\n", "class A\n  def of\n"),
}


@pytest.mark.parametrize(("path", "parts"), BROKEN.items(), ids=BROKEN.keys())
def test_what_makes_no_sense_as_a_whole_is_read_as_by_whoever_sees_it_first(path, parts, monkeypatch):
    whole, more = parts
    facts(path, whole)
    warm = facts(path, whole + more)
    for each in ("_texts", "_pieces"):
        monkeypatch.setattr(f"vetgate.index.read.{each}", _Recent(1_000))
    assert warm == facts(path, whole + more)


def test_what_was_read_is_kept_of_so_much_source_and_no_more():
    made = []
    recent = _Recent(10_000)
    for text in [b"a" * 3_000, b"b" * 3_000, b"c" * 3_000, b"b" * 3_000, b"a" * 3_000]:
        recent.recall("python", text, lambda text=text: made.append(text[:1]) or text)
    assert made == [b"a", b"b", b"c", b"a"]
