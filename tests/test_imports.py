"""Imports against projects as they lie on disk: what every kind of manifest, lock file and environment makes known."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from vetgate.checks.imports import CHECK
from vetgate.checks.imports.misspellings import is_slip, nearest
from vetgate.checks.imports.unknown_imports import MISTYPED, UNKNOWN
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check, source_of
from vetgate.source.clock import Deadline

if TYPE_CHECKING:
    from pathlib import Path

PYPROJECT = '[project]\nname = "shop"\ndependencies = ["requests"]\n'
PACKAGE = '{"name": "shop", "dependencies": {"express": "5"}}'


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return root


def judged(root: Path, path: str, text: str) -> list[tuple[str, str]]:
    report = run_check(CHECK, source_of(path, text, root=root), defaults(), Deadline.never())
    assert report.momentary == bool(report.findings)
    return [(finding.rule, finding.symbol) for finding in report.findings]


KNOWN_TO_PYTHON = {
    "an extra": ("pyproject.toml", '[project]\nname = "a"\n[project.optional-dependencies]\nx = ["wanted[all]>=1"]\n'),
    "a group": (
        "pyproject.toml",
        '[project]\nname = "a"\n[dependency-groups]\ndev = ["wanted", {include-group = "x"}]\n',
    ),
    "poetry": ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3"\nwanted = {version = "1"}\n'),
    "a group of poetry": ("pyproject.toml", '[tool.poetry.group.dev.dependencies]\nwanted = "*"\n'),
    "an environment of hatch": (
        "pyproject.toml",
        '[project]\nname="a"\n[tool.hatch.envs.x]\ndependencies = ["wanted"]\n',
    ),
    "requirements": ("requirements-dev.txt", "# wanted things\nwanted==1.0 ; python_version > '3'  # so\n"),
    "a folder of requirements": ("requirements/base.txt", "wanted\n"),
    "a repository": ("requirements.txt", "other\n-e git+https://example.org/x/wanted.git@main\n"),
    "setup.py": ("setup.py", "setup(name='a', install_requires=['wanted >= 2'])\n"),
    "setup.cfg": ("setup.cfg", "[options]\ninstall_requires =\n    wanted>=1\n"),
    "a Pipfile": ("Pipfile", '[packages]\nwanted = "*"\n'),
    "uv's lock": ("uv.lock", 'version = 1\n[[package]]\nname = "wanted"\nversion = "1"\n'),
    "poetry's lock": ("poetry.lock", '[[package]]\nname = "wanted"\nversion = "1"\n'),
    "a lock of pipenv": ("Pipfile.lock", '{"default": {"wanted": {"version": "1"}}}'),
    "conda": ("environment.yml", "dependencies:\n  - wanted=1\n"),
    "another name with the same words": ("requirements.txt", "python-wanted\n"),
    "a module beside": ("wanted.py", ""),
    "a package in src": ("src/wanted/__init__.py", ""),
    "a package of another part": ("services/pay/lib/wanted/__init__.py", ""),
    "another part's manifest": ("services/pay/pyproject.toml", '[project]\nname = "pay"\ndependencies = ["wanted"]\n'),
    "a namespace without any module": ("wanted/deep/a.py", ""),
    "an extension": ("native/wanted.cpython-311-x86_64-linux-gnu.so", ""),
}


@pytest.mark.parametrize(("name", "text"), KNOWN_TO_PYTHON.values(), ids=KNOWN_TO_PYTHON)
def test_python_knows_a_module_by(tmp_path, name, text):
    write(tmp_path, {"services/api/requirements.txt": "flask\n"})
    code = "import flask\nimport wanted\n"
    assert judged(tmp_path, "services/api/app.py", code) == [("unknown-package", "wanted")]
    other = write(tmp_path / "other", {"services/api/requirements.txt": "flask\n", name: text})
    assert judged(other, "services/api/app.py", code) == []


def test_what_is_installed_is_known(tmp_path):
    site = ".venv/lib/python3.12/site-packages"
    write(
        tmp_path,
        {"pyproject.toml": PYPROJECT, ".venv/pyvenv.cfg": "", f"{site}/wanted/a.py": "", f"{site}/flat.py": ""},
    )
    assert judged(tmp_path, "a.py", "import wanted, flat\nimport missing\n") == [("unknown-package", "missing")]


def test_a_folder_that_only_looks_like_an_environment_is_none(tmp_path):
    write(tmp_path, {"pyproject.toml": PYPROJECT, "env/lib/python3.12/site-packages/wanted/a.txt": ""})
    assert judged(tmp_path, "a.py", "import hidden_thing\n") == [("unknown-package", "hidden_thing")]


def test_a_finding_is_gone_as_soon_as_the_manifest_names_the_package(tmp_path):
    write(tmp_path, {"pyproject.toml": PYPROJECT})
    assert judged(tmp_path, "a.py", "import wanted\n") == [("unknown-package", "wanted")]
    write(tmp_path, {"pyproject.toml": PYPROJECT.replace('"requests"', '"requests", "wanted"')})
    assert judged(tmp_path, "a.py", "import wanted\n") == []


def test_a_manifest_changed_without_another_size_is_read_again(tmp_path):
    place = write(tmp_path, {"requirements.txt": "wanted\n"}) / "requirements.txt"
    os.utime(place, ns=(1, 1))
    assert judged(tmp_path, "a.py", "import wanted\n") == []
    place.write_text("unasks\n", encoding="utf-8")
    os.utime(place, ns=(2, 2))
    assert judged(tmp_path, "a.py", "import wanted\n") == [("unknown-package", "wanted")]


QUIET = {
    "no manifest": ({"tool.py": ""}, "a.py", "import wanted\n"),
    "a manifest with nothing but settings": (
        {"pyproject.toml": "[tool.black]\nline-length = 100\n"},
        "a.py",
        "import wanted\n",
    ),
    "a short name that everybody knows": ({"tool.py": ""}, "a.py", "import yaml\nimport grpc\nimport jose\n"),
    "a manifest half written": ({"pyproject.toml": "[project\nname ="}, "a.py", "import wanted\n"),
    "words in a text": ({"pyproject.toml": PYPROJECT}, "a.py", '"""\nimport wanted\nfrom wanted import x\n"""\n'),
    "a stub": ({"pyproject.toml": PYPROJECT}, "a.pyi", "import wanted\n"),
    "a path of its own": (
        {"pyproject.toml": PYPROJECT},
        "a.py",
        "import sys\nsys.path.insert(0, 'x')\nimport wanted\n",
    ),
    "a try": (
        {"pyproject.toml": PYPROJECT},
        "a.py",
        "try:\n    import wanted\nexcept ImportError:\n    import wonted\n",
    ),
    "a relative import": ({"pyproject.toml": PYPROJECT}, "a.py", "from . import wanted\nfrom .wanted import x\n"),
    "a test": ({"pyproject.toml": PYPROJECT}, "tests/test_a.py", "import wanted\n"),
    "generated code": ({"pyproject.toml": PYPROJECT}, "a.py", "# Generated by a tool. DO NOT EDIT.\nimport wanted\n"),
    "packages whose names begin like an address": (
        {"requirements.txt": "httpx\nhttpie>=3\nhttps://x.io/a.whl#egg=other\n"},
        "a.py",
        "import httpx\nimport httpie\nimport other\n",
    ),
    "a file outside of the project": ({"pyproject.toml": PYPROJECT}, "/elsewhere/a.py", "import wanted\n"),
    "JavaScript without a manifest": ({}, "a.js", 'import x from "wanted"\n'),
    "Go without a manifest": ({}, "a.go", 'package a\n\nimport "github.com/a/b"\n'),
}


@pytest.mark.parametrize(("files", "path", "text"), QUIET.values(), ids=QUIET)
def test_it_says_nothing_about(tmp_path, files, path, text):
    assert judged(write(tmp_path, files), path, text) == []


def test_a_slip_is_told_in_a_test_and_in_a_function_as_well(tmp_path):
    write(tmp_path, {"pyproject.toml": PYPROJECT})
    slip = [("mistyped-package", "reqeusts")]
    assert judged(tmp_path, "tests/test_a.py", "import reqeusts\n") == slip
    assert judged(tmp_path, "a.py", "def f():\n    from reqeusts import get\n") == slip


def test_a_slip_is_told_without_a_manifest_too(tmp_path):
    write(tmp_path, {"tool.py": ""})
    assert judged(tmp_path, "a.py", "import reqeusts\nimport yaml\n") == [("mistyped-package", "reqeusts")]


def test_a_module_is_told_once(tmp_path):
    write(tmp_path, {"pyproject.toml": PYPROJECT})
    assert judged(tmp_path, "a.py", "import wanted\nfrom wanted.a import b\n") == [("unknown-package", "wanted")]


def test_a_script_that_names_its_dependencies_is_its_own_manifest(tmp_path):
    head = '# /// script\n# requires-python = ">=3.12"\n# dependencies = ["rich"]\n# ///\n'
    assert judged(tmp_path, "a.py", f"{head}import rich\nimport wanted\n") == [("unknown-package", "wanted")]


KNOWN_TO_NODE = {
    "a dependency for development": ("package.json", '{"devDependencies": {"wanted": "1"}}'),
    "its own name": ("package.json", '{"name": "wanted"}'),
    "types": ("package.json", '{"devDependencies": {"@types/wanted": "1"}}'),
    "the manifest of the whole": ("package.json", '{"workspaces": ["web"], "dependencies": {"wanted": "1"}}'),
    "another workspace": ("packages/w/package.json", '{"name": "wanted"}'),
    "npm's lock": ("package-lock.json", '{"packages": {"node_modules/wanted": {"version": "1"}}}'),
    "pnpm's lock": ("pnpm-lock.yaml", "packages:\n  wanted@1.0.0:\n    resolution: {}\n"),
    "yarn's lock": ("yarn.lock", 'wanted@^1.0.0:\n  version "1.0.0"\n'),
    "what is installed": ("node_modules/wanted/package.json", "{}"),
    "a path of the compiler": ("web/tsconfig.json", '{"compilerOptions": {"paths": {"wanted": ["./x"],},},} // so'),
    "a base of the compiler": ("tsconfig.json", '{"compilerOptions": {"baseUrl": "src"}}'),
    "an alias of a bundler": ("web/vite.config.ts", "export default {resolve: {alias: {wanted: './x'}}}"),
    "a declaration": ("web/types/x.d.ts", 'declare module "wanted" {}'),
    "an import map": ("deno.json", '{"imports": {"wanted": "jsr:@a/b"}}'),
}


@pytest.mark.parametrize(("name", "text"), KNOWN_TO_NODE.values(), ids=KNOWN_TO_NODE)
def test_node_knows_a_package_by(tmp_path, name, text):
    base = {"web/package.json": PACKAGE, "src/wanted.ts": "", "web/a.ts": ""}
    code = 'import express from "express"\nimport { x } from "wanted/deep"\nexport * from "wanted"\n'
    assert judged(write(tmp_path / "one", base), "web/a.ts", code) == [("unknown-package", "wanted")]
    assert judged(write(tmp_path / "two", {**base, name: text}), "web/a.ts", code) == []


IN_NODE = {
    "require": 'const x = require("wanted")\n',
    "a late import": 'async function f() { await import("wanted") }\n',
    "a scope": 'import x from "@wanted/x/y"\n',
    "in TypeScript": 'import x = require("wanted")\n',
}


@pytest.mark.parametrize("code", IN_NODE.values(), ids=IN_NODE)
def test_every_way_to_import_counts(tmp_path, code):
    write(tmp_path, {"package.json": PACKAGE})
    assert [rule for rule, _ in judged(tmp_path, "a.ts", code)] == ["unknown-package"]


NOT_IN_NODE = {
    "a text": 'const sql = "select a from \\"wanted\\""\nlog("take it from", "wanted")\n',
    "a comment": '// import x from "wanted"\n',
    "somebody else's require": 'loader.require("wanted")\n',
    "a try": 'try { require("wanted") } catch {}\n',
    "caught": 'import("wanted").catch(() => null)\n',
    "an address": 'import x from "https://example.org/wanted.js"\nimport y from "npm:wanted"\n',
    "an alias with capitals": 'import x from "Wanted/x"\n',
    "a file": 'import "wanted.css"\n',
    "a file with another ending": 'import x from "./there.js"\n',
    "a folder": 'import x from "./folder"\n',
    "a file with a question": 'import x from "./there?raw"\n',
}


@pytest.mark.parametrize("code", NOT_IN_NODE.values(), ids=NOT_IN_NODE)
def test_what_is_no_import_of_a_package_does_not_count(tmp_path, code):
    write(tmp_path, {"package.json": PACKAGE, "there.ts": "", "folder/index.ts": ""})
    assert judged(tmp_path, "a.ts", code) == []


def test_go_knows_what_any_module_of_the_project_requires(tmp_path):
    write(tmp_path, {"go.mod": "module example.org/a\n\nrequire (\n\tgithub.com/a/b v1.0.0\n)\n"})
    code = 'package a\n\nimport (\n\t"net/http"\n\tx "github.com/a/b/v2"\n\t"github.com/c/d"\n)\n'
    assert judged(tmp_path, "x/a.go", code) == [("unknown-package", "github.com/c/d")]
    write(
        tmp_path / "two",
        {"go.mod": "module example.org/a\n", "b/go.mod": "module example.org/b\nrequire github.com/c/d v1\n"},
    )
    assert judged(tmp_path / "two", "a.go", 'package a\n\nimport "github.com/c/d"\n') == []


SLIPS = [("reqeusts", "requests"), ("expresss", "express"), ("collectons", "collections"), ("lodash_es", "lodash-es")]
OTHERS = [
    ("preact", "react"),
    ("boto3", "boto2"),
    ("parsers", "parser"),
    ("vite", "vitest"),
    ("black", "block"),
    ("x", "y"),
]


@pytest.mark.parametrize(("written", "known"), SLIPS)
def test_a_slip_is_one(written, known):
    assert is_slip(written, known)
    assert nearest(written, [known, "other"]) == known


@pytest.mark.parametrize(("written", "known"), OTHERS)
def test_another_name_is_no_slip(written, known):
    assert not is_slip(written, known)


CARGO = '[package]\nname = "shop"\nedition = "2021"\n[dependencies]\nserde_json = "1"\ntokio = "1"\n'
LOCK = {
    "packages": [
        {"name": "symfony/console", "autoload": {"psr-4": {"Symfony\\Component\\Console\\": ""}}},
        {"name": "phpunit/phpunit", "autoload": {"classmap": ["src/"]}, "suggest": {"acme/suggested": "*"}},
    ]
}
COMPOSER = {
    "composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}',
    "composer.lock": json.dumps(LOCK),
}
GEMS = {
    "Gemfile": "source 'https://rubygems.org'\ngem 'nokogiri'\ngem 'rails'\n",
    "Gemfile.lock": "GEM\n  specs:\n    nokogiri (1.16.0)\n      racc (~> 1.4)\n    rails (7.1.0)\n    net-ssh (7.0)\n",
}
POM = "<project><dependencies><dependency><groupId>org.springframework</groupId></dependency></dependencies></project>"
PROJECT = '<Project><ItemGroup><PackageReference Include="Newtonsoft.Json" Version="13" /></ItemGroup></Project>'

TOLD = {
    "a crate nobody knows": ({"Cargo.toml": CARGO}, "src/a.rs", "use fast_json_ai::parse;\n", UNKNOWN),
    "a mistyped crate": ({"Cargo.toml": CARGO}, "src/a.rs", "use serde_jsno::Value;\n", MISTYPED),
    "a mistyped crate in a test": ({"Cargo.toml": CARGO}, "tests/a.rs", "use serde_jsno::Value;\n", MISTYPED),
    "an old declaration": ({"Cargo.toml": CARGO}, "src/a.rs", "extern crate fast_json_ai;\n", UNKNOWN),
    "a gem nobody knows": (GEMS, "lib/a.rb", "require 'speedy_cache'\n", UNKNOWN),
    "a mistyped gem": (GEMS, "lib/a.rb", "require 'nokogrii'\n", MISTYPED),
    "a mistyped gem without a lock": ({"Gemfile": GEMS["Gemfile"]}, "lib/a.rb", "require 'nokogrii'\n", MISTYPED),
    "a namespace nobody knows": (COMPOSER, "src/A.php", "<?php\nuse Speedy\\Cache\\Pool;\n", UNKNOWN),
    "a mistyped namespace": (COMPOSER, "src/A.php", "<?php\nuse Symfony\\Component\\Conosle\\Input;\n", MISTYPED),
    "a mistyped package of Java": ({"pom.xml": POM}, "A.java", "import org.springframwork.web.A;\n", MISTYPED),
    "a mistyped package of C#": ({"a.csproj": PROJECT}, "A.cs", "using Newtonsfot.Json;\n", MISTYPED),
}


@pytest.mark.parametrize(("files", "path", "text", "rule"), TOLD.values(), ids=TOLD)
def test_a_package_of_another_language_that_nobody_knows(tmp_path, files, path, text, rule):
    assert [each for each, _ in judged(write(tmp_path, files), path, text)] == [rule]


RUST = {
    "itself": "use shop::orders;\nuse crate::a;\nuse std::io;\nuse self::b;\n",
    "what is declared in the file": "mod money;\nuse money::Cents;\n",
    "what another use brings": "use tokio::sync;\nuse sync::Mutex;\n",
    "one of several": "use tokio::{net, sync};\nuse net::TcpStream;\n",
    "another name": "use tokio as rt;\nuse rt::spawn;\n",
    "what a glob may bring": "use tokio::prelude::*;\nuse stream::Iter;\n",
    "a macro": "macro_rules! made { () => {} }\npub(crate) use made;\n",
    "under a condition": "#[cfg(windows)]\nuse windows_sys::Win32;\n",
    "below a condition": "#[cfg(windows)]\nmod w {\n    use windows_sys::Win32;\n}\n",
    "a module of the project": "use carts::Cart;\n",
}


@pytest.mark.parametrize("text", RUST.values(), ids=RUST)
def test_what_rust_may_mean_is_left_alone(tmp_path, text):
    root = write(tmp_path, {"Cargo.toml": CARGO, "src/shop/carts.rs": ""})
    assert judged(root, "src/lib.rs", text) == []


def test_under_the_first_edition_paths_begin_anywhere(tmp_path):
    root = write(tmp_path, {"Cargo.toml": '[package]\nname = "shop"\n'})
    assert judged(root, "src/lib.rs", "use made_by_a_macro::Thing;\n") == []


def test_a_crate_under_another_name_is_known_by_both(tmp_path):
    manifest = (
        CARGO + 'short = { package = "a-long-name", version = "1" }\n[target."cfg(unix)".dependencies]\nnix = "1"\n'
    )
    root = write(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": "extern crate tokio as rt;\n"})
    assert judged(root, "src/a.rs", "use short::A;\nuse nix::B;\nuse rt::C;\n") == []


RUBY = {
    "Ruby's own": "require 'json'\nrequire 'net/http'\nrequire 'open-uri'\n",
    "a gem by its path": "require 'nokogiri/html'\nrequire 'net/ssh'\n",
    "what rails brings": "require 'active_support/core_ext'\nrequire 'action_controller'\n",
    "a file of the project": "require 'carts/all'\n",
    "where it may fail": "begin\n  require 'oj'\nrescue LoadError\nend\n",
    "in a method": "def oj\n  require 'oj'\nend\n",
    "on a condition": "require 'oj' if fast?\n",
    "another load path": "$:.unshift 'x'\nrequire 'oj'\n",
}


@pytest.mark.parametrize("text", RUBY.values(), ids=RUBY)
def test_what_ruby_may_find_is_left_alone(tmp_path, text):
    assert judged(write(tmp_path, {**GEMS, "lib/carts/all.rb": ""}), "lib/a.rb", text) == []


def test_without_a_lock_nobody_knows_what_gems_bring_along(tmp_path):
    assert judged(write(tmp_path, {"Gemfile": GEMS["Gemfile"]}), "lib/a.rb", "require 'speedy_cache'\n") == []


PHP = {
    "what is locked": "use Symfony\\Component\\Console\\Input;\n",
    "its own": "use Shop\\Cart;\n",
    "the file's own": "namespace Made\\Here;\nuse Made\\There;\n",
    "a class without a namespace": "use Throwable;\n",
    "what an extension brings": "use MongoDB\\Driver\\Manager;\n",
    "a package that lists its classes": "use PhpUnit\\Framework\\TestCase;\n",
    "what a package suggests": "use Suggested\\Thing;\n",
    "what is asked for": "use Nyholm\\Psr7\\Factory;\nif (class_exists(Factory::class)) {}\n",
}


@pytest.mark.parametrize("text", PHP.values(), ids=PHP)
def test_what_composer_may_load_is_left_alone(tmp_path, text):
    assert judged(write(tmp_path, COMPOSER), "src/A.php", f"<?php\n{text}") == []


def test_without_a_lock_no_namespace_is_told(tmp_path):
    root = write(tmp_path, {"composer.json": COMPOSER["composer.json"]})
    assert judged(root, "src/A.php", "<?php\nuse Acme\\Cache\\Pool;\n") == []


DOTTED = {
    "Java's own": ("pom.xml", POM, "A.java", "import java.util.List;\n"),
    "another group": ("pom.xml", POM, "A.java", "import org.hibernate.Session;\nimport com.acme.speedy.Cache;\n"),
    "a folder of the project": ("org/springframwork/A.java", "", "A.java", "import org.springframwork.A;\n"),
    "C#'s own": ("a.csproj", PROJECT, "A.cs", "using System.Text.Json;\nusing Microsoft.Extensions.Logging;\n"),
    "another package": ("a.csproj", PROJECT, "A.cs", "using Serilog;\nusing Newton.Physics;\n"),
}


@pytest.mark.parametrize(("file", "content", "path", "text"), DOTTED.values(), ids=DOTTED)
def test_where_packages_are_called_otherwise_only_a_slip_counts(tmp_path, file, content, path, text):
    assert judged(write(tmp_path, {"pom.xml": POM, file: content}), path, text) == []


def test_coordinates_of_gradle_are_groups(tmp_path):
    root = write(
        tmp_path, {"build.gradle.kts": 'dependencies { implementation("io.micrometer:micrometer-core:1.0") }\n'}
    )
    assert judged(root, "A.java", "import io.micromter.core.Counter;\n") == [(MISTYPED, "io.micromter.core.Counter")]
