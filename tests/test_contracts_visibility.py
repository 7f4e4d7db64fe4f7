"""What is for fewer than it was: who is told, and what may still be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract_cases import Edit, findings

if TYPE_CHECKING:
    from pathlib import Path

JAVA = {
    "shop/Box.java": """package shop;

public class Box {
    public Box(String name) {}

    public static Box of(String name) {
        return new Box(name);
    }

    public int weigh(int count) {
        return count;
    }

    public int weigh(int count, int more) {
        return count;
    }

    public static class Lid {
        public void shut() {}

        void open() {
            Box.of("a").weigh(1);
            new Box("b");
            of("c");
        }
    }
}
""",
    "shop/Near.java": """package shop;

class Near {
    int run(Box box) {
        return box.weigh(1) + new Box("a").weigh(2);
    }
}
""",
    "app/Far.java": """package app;

import shop.Box;

class Far {
    int run(Box box) {
        Box.of("a");
        new Box("b");
        return box.weigh(1) + box.weigh(1, 2);
    }
}
""",
    "app/Heir.java": """package app;

import shop.Box;

class Heir extends Box {
    Heir() {
        super("a");
    }

    int run() {
        Box other = new Box("a") {};
        return weigh(1) + this.weigh(2);
    }
}
""",
    "app/Lids.java": """package app;

import shop.Box.Lid;

class Lids {
    void run(Lid lid) {
        lid.shut();
    }
}
""",
}
RUBY = {
    "lib/box.rb": """module Shop
  class Box
    class Lid
      def self.make(size)
        size
      end
    end

    def initialize(name)
      Lid.make(1)
    end

    def self.of(name)
      new(name)
    end

    def self.twice(name)
      of(name)
      self.of(name)
    end
  end

  class Heir < Box
    def self.all
      of("a")
      new("b")
    end
  end
end
""",
    "lib/app.rb": """module Shop
  class App
    def run
      Box.of("a")
      Box.new("b")
      Box::Lid.make(1)
      Heir.new("c")
    end
  end
end
""",
}
PHP = {
    "src/Box.php": """<?php
namespace Shop;

class Box {
    public function __construct(string $name) {}

    public static function of(string $name): self { return new self($name); }

    public function weigh(int $count): int { return $this->scale($count) + self::sum(1); }

    public function scale(int $count): int { return $count; }

    public static function sum(int $count): int { return $count; }
}
""",
    "src/Heir.php": """<?php
namespace Shop;

class Heir extends Box {
    public function run() {
        parent::__construct('a');
        return $this->scale(1) + self::sum(1) + Box::sum(2);
    }
}
""",
    "src/app.php": """<?php
namespace App;

use Shop\\Box;

function run() {
    Box::of('a');
    Box::sum(1);
    new Box('b');
}
""",
    "src/view.php": """<?php
Shop\\Box::sum(1);
""",
    "src/Magic.php": """<?php
namespace Shop;

class Magic {
    public static function find($id) { return $id; }
    public static function __callStatic($name, $given) { return 1; }
}
""",
    "src/use_magic.php": """<?php
function magic() { Shop\\Magic::find(1); }
""",
}
RUST = {
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": """pub mod boxes;
mod other;

pub use boxes::make;

pub fn run() {
    boxes::make(1);
    boxes::Lid::shut(1);
}
""",
    "src/boxes.rs": """pub fn make(a: u8) -> u8 {
    a
}

pub struct Lid;

impl Lid {
    pub fn shut(a: u8) {}

    fn twice() {
        Self::shut(1);
        Lid::shut(2);
    }
}

pub mod inner {
    pub fn deep(a: u8) {
        super::make(a);
        super::Lid::shut(a);
    }

    pub fn top() {
        deep(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes() {
        make(1);
        Lid::shut(1);
    }
}
""",
    "src/other.rs": """use crate::boxes::{inner, Lid};

fn all() {
    Lid::shut(1);
    inner::deep(1);
}
""",
    "tests/far.rs": """use shop::boxes::Lid;

#[test]
fn far() {
    shop::make(1);
    Lid::shut(1);
}
""",
}
CSHARP = {
    "Shop/Box.cs": """namespace Shop;

public class Box
{
    public Box(string name) { }

    public static int Of(string name) => new Box(name).Weigh(1);

    public int Weigh(int count) => count;

    public class Lid
    {
        public static void Shut(int a) { Of("a"); }
    }
}

public class Heir : Box
{
    public Heir() : base("a") { }

    int Run() => Weigh(1) + this.Weigh(2);
}
""",
    "Shop/Use.cs": """namespace Shop;

class Use
{
    int Run(Box box)
    {
        new Box("a");
        Box.Lid.Shut(1);
        return box.Weigh(1) + Box.Of("b");
    }
}
""",
}
TYPESCRIPT = {
    "src/box.ts": """export class Box {
  constructor(private name: string) {}

  static of(name: string) {
    return new Box(name);
  }

  static twice(name: string) {
    return [1, 2].map(() => Box.of(name));
  }
}

export class Near extends Box {
  static all() {
    return Box.of("a");
  }
}
""",
    "src/app.ts": """import { Box } from "./box";

new Box("a");
Box.of("b");
// @ts-expect-error: it is private, and meant
Box.of("c");
""",
    "src/heir.ts": """import { Box, Near } from "./box";

class Heir extends Near {
  static all() {
    return Box.of("a");
  }
}
""",
    "src/plain.js": """import { Box } from "./box";

Box.of("a");
new Box("b");
""",
}
GO = {
    "go.mod": "module shop\n",
    "box/box.go": """package box

func Make(a int) int { return a }

func Twice() int { return Make(2) }
""",
    "main.go": """package main

import "shop/box"

func main() { box.Make(1) }
""",
}
FAR = [*(f"Far.java:{line}" for line in (7, 8, 9, 3)), *(f"Heir.java:{line}" for line in (7, 11, 5, 3))]
BREAKING = {
    "java: a method for its package": (
        JAVA,
        Edit("shop/Box.java", "public static Box of", "static Box of"),
        ["export-removed: app/Far.java:7"],
    ),
    "java: a method for heirs": (
        JAVA,
        Edit("shop/Box.java", "public static Box of", "protected static Box of"),
        ["export-removed: app/Far.java:7"],
    ),
    "java: a method for its class": (
        JAVA,
        Edit("shop/Box.java", "public int weigh(int count) {", "private int weigh(int count) {"),
        ["export-removed: app/Far.java:9, app/Heir.java:12, shop/Near.java:5"],
    ),
    "java: one of two forms": (
        JAVA,
        Edit("shop/Box.java", "public int weigh(int count, int more)", "int weigh(int count, int more)"),
        ["export-removed: app/Far.java:9"],
    ),
    "java: a constructor for its package and heirs": (
        JAVA,
        Edit("shop/Box.java", "public Box(String", "protected Box(String"),
        ["export-removed: app/Far.java:8"],
    ),
    "java: a constructor for its class": (
        JAVA,
        Edit("shop/Box.java", "public Box(String", "private Box(String"),
        ["export-removed: app/Far.java:8, app/Heir.java:7, app/Heir.java:11, shop/Near.java:5"],
    ),
    "java: a class for its package": (
        JAVA,
        Edit("shop/Box.java", "public class Box", "class Box"),
        ["export-removed: " + ", ".join(f"app/{it}" for it in FAR)],
    ),
    "java: a class inside of another": (
        JAVA,
        Edit("shop/Box.java", "public static class Lid", "private static class Lid"),
        ["export-removed: app/Lids.java:7, app/Lids.java:3"],
    ),
    "ruby: a method of the class": (
        RUBY,
        Edit("lib/box.rb", "    def self.twice", "    private_class_method :of\n\n    def self.twice"),
        ["export-removed: lib/app.rb:4"],
    ),
    "ruby: the method as it is defined": (
        RUBY,
        Edit("lib/box.rb", "    def self.of", "    private_class_method def self.of"),
        ["export-removed: lib/app.rb:4"],
    ),
    "ruby: making": (
        RUBY,
        Edit("lib/box.rb", "    def initialize", "    private_class_method :new\n\n    def initialize"),
        ["export-removed: lib/app.rb:5"],
    ),
    "ruby: a constant": (
        RUBY,
        Edit("lib/box.rb", "    def initialize", "    private_constant :Lid\n\n    def initialize"),
        ["export-removed: lib/app.rb:6"],
    ),
    "php: a method for heirs": (
        PHP,
        Edit("src/Box.php", "public static function sum", "protected static function sum"),
        ["export-removed: src/app.php:8"],
    ),
    "php: a method for its class": (
        PHP,
        Edit("src/Box.php", "public static function sum", "private static function sum"),
        ["export-removed: src/Heir.php:7, src/app.php:8, src/view.php:2"],
    ),
    "php: a method that heirs call": (
        PHP,
        Edit("src/Box.php", "public function scale", "private function scale"),
        ["export-removed: src/Heir.php:7"],
    ),
    "php: a constructor": (
        PHP,
        Edit("src/Box.php", "public function __construct", "private function __construct"),
        ["export-removed: src/Heir.php:6, src/app.php:9"],
    ),
    "rust: a function for its module": (
        RUST,
        Edit("src/boxes.rs", "pub fn make", "fn make"),
        ["export-removed: src/lib.rs:7, src/lib.rs:4, tests/far.rs:5"],
    ),
    "rust: a function for its crate": (
        RUST,
        Edit("src/boxes.rs", "pub fn make", "pub(crate) fn make"),
        ["export-removed: tests/far.rs:5"],
    ),
    "rust: a function of a type": (
        RUST,
        Edit("src/boxes.rs", "    pub fn shut", "    fn shut"),
        ["export-removed: src/lib.rs:8, src/other.rs:4, tests/far.rs:6"],
    ),
    "rust: a function for the module around": (
        RUST,
        Edit("src/boxes.rs", "    pub fn deep", "    pub(super) fn deep"),
        ["export-removed: src/other.rs:5"],
    ),
    "rust: a name that is not passed on": (
        RUST,
        Edit("src/lib.rs", "pub use boxes::make;", ""),
        ["export-removed: tests/far.rs:5"],
    ),
    "rust: a name that is passed on in the crate": (
        RUST,
        Edit("src/lib.rs", "pub use boxes::make;", "pub(crate) use boxes::make;"),
        ["export-removed: tests/far.rs:5"],
    ),
    "rust: a name that is only used": (
        RUST,
        Edit("src/lib.rs", "pub use boxes::make;", "use boxes::make;"),
        ["export-removed: tests/far.rs:5"],
    ),
    "rust: a module for its crate": (
        RUST,
        Edit("src/lib.rs", "pub mod boxes", "mod boxes"),
        ["export-removed: tests/far.rs:1"],
    ),
    "rust: a module inside of another": (
        RUST,
        Edit("src/boxes.rs", "pub mod inner", "mod inner"),
        ["export-removed: src/other.rs:1"],
    ),
    "rust: a type": (
        RUST,
        Edit("src/boxes.rs", "pub struct Lid", "pub(crate) struct Lid"),
        ["export-removed: tests/far.rs:6, tests/far.rs:1"],
    ),
    "csharp: a method for its class": (
        CSHARP,
        Edit("Shop/Box.cs", "public int Weigh", "private int Weigh"),
        ["export-removed: Shop/Box.cs:21, Shop/Use.cs:9"],
    ),
    "csharp: a method that says nothing": (
        CSHARP,
        Edit("Shop/Box.cs", "public static int Of", "static int Of"),
        ["export-removed: Shop/Use.cs:9"],
    ),
    "csharp: a method for heirs": (
        CSHARP,
        Edit("Shop/Box.cs", "public int Weigh", "protected int Weigh"),
        ["export-removed: Shop/Use.cs:9"],
    ),
    "csharp: a constructor": (
        CSHARP,
        Edit("Shop/Box.cs", "public Box(", "protected Box("),
        ["export-removed: Shop/Use.cs:7"],
    ),
    "typescript: a method of the class": (
        TYPESCRIPT,
        Edit("src/box.ts", "static of", "private static of"),
        ["export-removed: src/box.ts:15, src/app.ts:4, src/heir.ts:5"],
    ),
    "typescript: a method for heirs": (
        TYPESCRIPT,
        Edit("src/box.ts", "static of", "protected static of"),
        ["export-removed: src/app.ts:4"],
    ),
    "typescript: a constructor": (
        TYPESCRIPT,
        Edit("src/box.ts", "  constructor(", "  private constructor("),
        ["export-removed: src/app.ts:3"],
    ),
    "typescript: another kind of name": (
        TYPESCRIPT,
        Edit("src/box.ts", "static of", "static #of"),
        ["renamed: src/box.ts:9, src/box.ts:15, src/app.ts:4, src/heir.ts:5, src/plain.js:3"],
    ),
    "go: a name that others cannot say": (
        GO,
        Edit("box/box.go", "func Make(", "func make("),
        ["renamed: box/box.go:5, main.go:5"],
    ),
    "csharp: a class inside of another": (
        CSHARP,
        Edit("Shop/Box.cs", "public class Lid", "private class Lid"),
        ["export-removed: Shop/Use.cs:8"],
    ),
}
HARMLESS = {
    "java: for everybody": (JAVA, Edit("shop/Box.java", "    void open()", "    public void open()")),
    "java: for heirs, which alone use it": (
        {path: text for path, text in JAVA.items() if "Far" not in path},
        Edit("shop/Box.java", "public Box(String", "protected Box(String"),
    ),
    "csharp: for the assembly": (CSHARP, Edit("Shop/Box.cs", "public int Weigh", "internal int Weigh")),
    "csharp: for the assembly and heirs": (CSHARP, Edit("Shop/Box.cs", "public Box(", "protected internal Box(")),
    "php: somebody answers for it": (
        PHP,
        Edit("src/Magic.php", "public static function find", "private static function find"),
    ),
    "rust: for the crate, which alone uses it": (
        RUST,
        Edit("src/boxes.rs", "    pub fn deep", "    pub(crate) fn deep"),
    ),
    "rust: a name that is passed on with all others": (
        RUST,
        Edit("src/lib.rs", "pub use boxes::make;", "pub use boxes::*;"),
    ),
    "rust: a function instead of one that was passed on": (
        RUST,
        Edit("src/lib.rs", "pub use boxes::make;", "pub fn make(a: u8) -> u8 { a }"),
    ),
    "rust: passed on under its own name too": (
        RUST,
        Edit("src/lib.rs", "pub use boxes::make;", "pub use boxes::{make, Lid};"),
    ),
    "rust: a module for its crate, which alone uses it": (
        RUST,
        Edit("src/boxes.rs", "pub mod inner", "pub(crate) mod inner"),
    ),
    "rust: a test inside sees it": (RUST, Edit("src/boxes.rs", "    pub fn top", "    fn top")),
    "ruby: behind private, where that says nothing": (
        RUBY,
        Edit("lib/box.rb", "    def self.of", "    private\n\n    def self.of"),
    ),
}

LIKE = {
    "java: an interface says so for its members": (
        {
            "shop/Drawn.java": "package shop;\n\npublic interface Drawn {\n    public void draw(int a);\n}\n",
            "app/Use.java": "package app;\n\nimport shop.Drawn;\n\nclass Use {\n"
            "    void run(Drawn drawn) { drawn.draw(1); }\n}\n",
        },
        Edit("shop/Drawn.java", "public void draw", "void draw"),
    ),
    "java: another form is for everybody": (
        {
            "shop/Box.java": "package shop;\n\npublic class Box {\n    public void put(int a) {}\n\n"
            "    public void put(String a) {}\n}\n",
            "app/Use.java": "package app;\n\nimport shop.Box;\n\nclass Use {\n"
            "    void run(Box box) { box.put(1); }\n}\n",
        },
        Edit("shop/Box.java", "public void put(String", "private void put(String"),
    ),
    "java: a class inside of its own file": (
        {
            "shop/Box.java": "package shop;\n\npublic class Box {\n    public static class Lid {\n"
            "        public Lid(int a) {}\n    }\n\n    Lid lid = new Lid(1);\n}\n"
        },
        Edit("shop/Box.java", "public Lid(", "private Lid("),
    ),
    "csharp: an ancestor has one as well": (
        {
            "A.cs": "class A { public int Run(int a) => a; }\nclass B : A { public new int Run(int a) => a; }\n",
            "C.cs": "class C { int Go(B b) => b.Run(1); }\n",
        },
        Edit("A.cs", "public new int Run", "private new int Run"),
    ),
    "csharp: a class in several parts": (
        {
            "One.cs": "public partial class A { public static int Run(int a) => a; }\n",
            "Two.cs": "public partial class A { int Go() => Run(1) + A.Run(2); }\n",
        },
        Edit("One.cs", "public static", "private static"),
    ),
    "php: both have the same ancestor": (
        {
            "a.php": "<?php\nclass A extends Base { public static function go() {} }\n",
            "b.php": "<?php\nclass B extends Base { function run() { A::go(); } }\n",
        },
        Edit("a.php", "public static", "protected static"),
    ),
    "php: a trait becomes part of who takes it in": (
        {
            "a.php": "<?php\ntrait T { public static function go() {} }\nclass A { use T; }\n",
            "b.php": "<?php\nclass B { function run() { A::go(); } }\n",
        },
        Edit("a.php", "public static", "private static"),
    ),
    "php: what a method of the class includes": (
        {
            "a.php": "<?php\nclass A { public static function go() {} function show() { include 'view.php'; } }\n",
            "view.php": "<?php\nA::go();\n",
        },
        Edit("a.php", "public static", "private static"),
    ),
    "php: a function that is bound to the class": (
        {
            "a.php": "<?php\nclass A { public static function go() {} }\n",
            "b.php": "<?php\nclass B { function run() {"
            " return Closure::bind(function () { A::go(); }, null, A::class); } }\n",
        },
        Edit("a.php", "public static", "private static"),
    ),
    "ruby: somebody answers for what is missing": (
        {
            "a.rb": "class A\n  def self.go(a)\n  end\n\n  def self.method_missing(name)\n  end\nend\n",
            "b.rb": "A.go(1)\n",
        },
        Edit("a.rb", "  def self.go", "  private_class_method def self.go"),
    ),
    "ruby: an ancestor from elsewhere may answer": (
        {"a.rb": "class A < Vendor::Base\n  def self.go(a)\n  end\nend\n", "b.rb": "A.go(1)\n"},
        Edit("a.rb", "  def self.go", "  private_class_method def self.go"),
    ),
    "ruby: a test wants it to fail": (
        {
            "a.rb": "class A\n  def self.go(a)\n  end\nend\n",
            "b.rb": "class T\n  def run\n    assert_raises(NoMethodError) { A.go(1) }\n  end\nend\n",
        },
        Edit("a.rb", "  def self.go", "  private_class_method def self.go"),
    ),
    "rust: a file that a library and a program take in": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "mod post;\n",
            "src/main.rs": "mod post;\n\nfn main() {\n    post::send(1);\n}\n",
            "src/post.rs": "pub fn send(a: u8) {}\n",
        },
        Edit("src/post.rs", "pub fn", "pub(crate) fn"),
    ),
    "rust: a file beside tests that one of them takes in": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "",
            "tests/far.rs": "mod near;\n\nfn far() {\n    near::send(1);\n}\n",
            "tests/near.rs": "pub fn send(a: u8) {}\n",
        },
        Edit("tests/near.rs", "pub fn", "pub(crate) fn"),
    ),
    "rust: a function that has the name of its module": (
        {
            "src/lib.rs": "mod rules;\n\nuse rules::check;\n\nfn go() {\n    rules::check(1);\n}\n",
            "src/rules/mod.rs": "pub use check::*;\n\npub mod check;\n",
            "src/rules/check.rs": "pub fn check(a: u8) {}\n",
        },
        Edit("src/rules/mod.rs", "pub mod", "mod"),
    ),
    "rust: what a trait has": (
        {
            "src/lib.rs": "pub mod post;\n\nuse post::Send;\n\nfn go() {\n    post::Send::send(1);\n}\n",
            "src/post.rs": "pub trait Send {\n    fn send(a: u8);\n}\n",
        },
        Edit("src/post.rs", "fn send(a: u8)", "fn send(b: u8)"),
    ),
    "typescript: in the class itself": (
        {"a.ts": "export class A {\n  static go() {}\n\n  run() {\n    A.go();\n  }\n}\n"},
        Edit("a.ts", "static go", "private static go"),
    ),
}


@pytest.mark.parametrize(("files", "edit", "told"), BREAKING.values(), ids=BREAKING)
def test_told(tmp_path: Path, files: dict[str, str], edit: Edit, told: list[str]) -> None:
    assert findings(tmp_path, files, edit) == told


@pytest.mark.parametrize(("files", "edit"), (HARMLESS | LIKE).values(), ids=HARMLESS | LIKE)
def test_left_alone(tmp_path: Path, files: dict[str, str], edit: Edit) -> None:
    assert findings(tmp_path, files, edit) == []
