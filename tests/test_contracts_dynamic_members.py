"""What a class or an object has in another way than by a method that stands there, and what is asked what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract_cases import findings_of

if TYPE_CHECKING:
    from pathlib import Path

RUBY = "class P\n  def self.name\n    1\n  end\n\n  def self.make\n    1\n  end\n\n  def get\n    1\n  end\n\n{}end\n"
RUBY_NOW = "class P\n{}end\n"
RUBY_USER = "class App\n  def go(x)\n    m = P.new\n    {}\n  end\nend\n"
PHP = "<?php\nnamespace App;\nclass M {{ public function {}($a) {{}} }}\n"
PHP_USER = (
    "<?php\nnamespace App;\nuse Lib\\Loud;\nfunction wrap(&$x, $y) {{ $x = new Loud($x); }}\n"
    "class P {{ function __construct(protected M $m) {{}}\n function go(M $m) {{ {} }} }}\n"
)
RUST = "pub struct Mail;\nimpl Mail {{ {} pub fn z(&self) {{}} }}\n{}"
RUST_USER = "mod mail;\n{}\npub fn go(m: &mail::Mail) {{ m.send(1); }}\n"
SEND = "pub fn send(&self, a: u8) {}"
CSHARP = "namespace Shop;\npublic class Box {{ {} }}\n"
CSHARP_USER = "using Shop;\nnamespace App;\nclass Use {{ int Run(Box b) => {}.Weigh(1); }}\n"
JAVA = "package shop;\npublic class Box {{ {} }}\n"
JAVA_USER = "package shop;\nclass Use {{ class In {{}} void run(Use use) {{ {}.open(); }} }}\n"


def ruby(use: str, more: str = "") -> tuple[dict[str, str], dict[str, str | None]]:
    return {"lib/p.rb": RUBY.format(""), "lib/app.rb": RUBY_USER.format(use)}, {"lib/p.rb": RUBY_NOW.format(more)}


def php(use: str) -> tuple[dict[str, str], dict[str, str | None]]:
    return {"src/M.php": PHP.format("send"), "src/P.php": PHP_USER.format(use)}, {"src/M.php": PHP.format("post")}


def rust(use: str, more: str = "") -> tuple[dict[str, str], dict[str, str | None]]:
    cargo = '[package]\nname = "a"\n[dependencies]\nother = "1"\n'
    files = {"Cargo.toml": cargo, "src/lib.rs": RUST_USER.format(use), "src/mail.rs": RUST.format(SEND, more)}
    return files, {"src/mail.rs": RUST.format("", more)}


def csharp(now: str, on: str = "b") -> tuple[dict[str, str], dict[str, str | None]]:
    was = CSHARP.format("public int Weigh(int a) => a;")
    return {"Shop/Box.cs": was, "App/Use.cs": CSHARP_USER.format(on)}, {"Shop/Box.cs": CSHARP.format(now)}


def java(now: str, on: str) -> tuple[dict[str, str], dict[str, str | None]]:
    was = JAVA.format("public void open() {}")
    return {"shop/Box.java": was, "shop/Use.java": JAVA_USER.format(on)}, {"shop/Box.java": JAVA.format(now)}


REACHED = {
    "ruby: every class has a name": ruby("P.name"),
    "ruby: an object extends itself": ruby("m.get", "  def initialize\n    extend Gets\n  end\n"),
    "ruby: an object makes its methods": ruby(
        "m.get", '  def initialize\n    %w[t].each { |n| define_singleton_method("ge#{n}") { 1 } }\n  end\n'
    ),
    "ruby: an object opens its own class": ruby(
        "m.get", "  def initialize\n    singleton_class.define_method(:other) { 1 }\n  end\n"
    ),
    "ruby: an object has methods of its own": ruby(
        "m.get", "  def initialize\n    class << self\n      def get; end\n    end\n  end\n"
    ),
    "ruby: a name that a pattern binds": ruby("m.get if /(?<m>a)/ =~ x"),
    "php: a property that is asked": php("if ($this->m instanceof Loud) { $this->m->send(); }"),
    "php: is_a": php("if (is_a($m, Loud::class)) { $m->send(); }"),
    "php: get_class": php("if (\\get_class($m) === Loud::class) { $m->send(); }"),
    "php: a property and get_class": php("if (get_class($this->m) === Loud::class) { $this->m->send(); }"),
    "php: ::class": php("if ($m::class === Loud::class) { $m->send(); }"),
    "php: a type that is written down": php("/** @var Loud $m */ $m->send();"),
    "php: filled by a function": php("$m = new M(); wrap($m, 1); $m->send();"),
    "rust: a trait of others for everybody": rust("use other::SendExt;"),
    "rust: a trait without a name": rust("use other::Sending as _;"),
    "rust: a trait of others with a usual name": rust("", "impl other::Send for Mail {}\n"),
    "rust: the same, brought along": rust("", "use other::Send;\nimpl Send for Mail {}\n"),
    "csharp: a property holds it": csharp("public Func<int, int> Weigh { get; set; } = a => a;"),
    "csharp: a field holds it": csharp("public Func<int, int> Weigh = a => a;"),
    "java: a class inside of another object": java("void shut() {}", "use.new Box()"),
    "java: a class without a name": java("void shut() {}", "new Box() { void open() {} }"),
}
MISSED = {
    "ruby: not every class has it": ruby("P.make"),
    "ruby: another object is extended": ruby("m.get", "  def initialize(other)\n    other.extend(Gets)\n  end\n"),
    "ruby: the class extends itself": ruby("m.get", "  def self.make\n    extend(Gets)\n  end\n"),
    "ruby: a pattern binds another name": ruby("m.get if /(?<n>a)/ =~ x"),
    "php: a property that is not asked": php("if ($this->n instanceof Loud) { $this->m->send(1); }"),
    "php: another is asked": php("if (is_a($n, Loud::class)) { $m->send(1); }"),
    "php: another is written down": php("/** @var Loud $n */ $m->send(1);"),
    "php: passed as it is": php("$m = new M(); kept($m); $m->send(1);"),
    "rust: a trait of the language without a name": rust("use std::fmt::Write as _;"),
    "rust: a trait of the language": rust("use std::os::unix::fs::PermissionsExt;"),
    "rust: a usual trait": rust("", "unsafe impl Send for Mail {}\nimpl std::fmt::Display for Mail {}\n"),
    "rust: usual traits, brought along": rust("", "use std::fmt::{self, Debug};\nimpl Debug for Mail {}\n"),
    "csharp: gone": csharp("public int Measure(int a) => a;"),
    "csharp: on what is made there": csharp("private int Weigh(int a) => a;", "new Box()"),
    "java: on what is made there": java("private void open() {}", "new Box()"),
    "java: another name": java("public void shut() {}", "(new Box())"),
}


@pytest.mark.parametrize(("files", "now"), REACHED.values(), ids=REACHED)
def test_what_may_be_reached_is_not_missed(tmp_path: Path, files: dict[str, str], now: dict[str, str | None]) -> None:
    assert [each for each in findings_of(tmp_path, files, now) if "by name" not in each] == []


@pytest.mark.parametrize(("files", "now"), MISSED.values(), ids=MISSED)
def test_what_is_gone_is_missed(tmp_path: Path, files: dict[str, str], now: dict[str, str | None]) -> None:
    assert len(findings_of(tmp_path, files, now)) == 1
