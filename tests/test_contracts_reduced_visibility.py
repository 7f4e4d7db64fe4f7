"""What is for fewer than it was: where it has moved and others followed, and where nobody had written it before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract_cases import findings_of

if TYPE_CHECKING:
    from pathlib import Path

JAVA = "package {};\npublic class Box {{\n    {} Box() {{}}\n    public void open() {{}}\n{}}}\n"
OF = "    public static Box of() { return new Box(); }\n"
JAVA_USER = "package app;\nimport {}.Box;\nclass Use {{ Box b = {}; }}\n"
TOOLS = "package shop;\npublic final class Tools {{ {} static int cut(int a) {{ return a; }} }}\n"
OTHER = "package shop;\npublic final class More { public static int cut(int a) { return a; } }\n"
CUT = "package app;\n{}\nclass Use {{ int z() {{ return cut(1); }} }}\n"
SCRIPT = "export class Box {{\n  {}constructor() {{}}\n\n  static make() {{\n    return new Box();\n  }}\n}}\n"
SCRIPT_USER = 'import {{ Box }} from "./{}";\n\nexport const box = {};\n'
RUBY = "class Box\n  def open\n    1\n  end\n\n  def self.of\n    new\n  end\n{}end\n"
HIDDEN = "  private_class_method :new\n"
RUBY_USER = "class App\n  def go\n    {}\n  end\nend\n"
Texts = dict[str, str | None]


def java(use: str) -> tuple[dict[str, str], Texts]:
    files = {"shop/Box.java": JAVA.format("shop", "public", ""), "app/Use.java": JAVA_USER.format("shop", "new Box()")}
    moved = JAVA.format("store", "private", OF)
    return files, {"shop/Box.java": None, "store/Box.java": moved, "app/Use.java": JAVA_USER.format("store", use)}


def static(imports: str) -> tuple[dict[str, str], Texts]:
    files = {"shop/Tools.java": TOOLS.format("public"), "shop/More.java": OTHER, "app/Use.java": CUT.format(imports)}
    return files, {"shop/Tools.java": TOOLS.format("private")}


def script(use: str) -> tuple[dict[str, str], Texts]:
    files = {"src/box.ts": SCRIPT.format(""), "src/use.ts": SCRIPT_USER.format("box", "new Box()")}
    moved = SCRIPT.format("private ")
    return files, {"src/box.ts": None, "src/crate.ts": moved, "src/use.ts": SCRIPT_USER.format("crate", use)}


def ruby(use: str, more: str) -> tuple[dict[str, str], Texts]:
    return {"lib/box.rb": RUBY.format(""), "lib/app.rb": RUBY_USER.format(use)}, {"lib/box.rb": RUBY.format(more)}


SHUT_OUT = {
    "java: it moved": java("new Box()"),
    "typescript: it moved": script("new Box()"),
    "java: brought along with all others": static("import static shop.Tools.*;"),
    "java: beside another name": static("import static shop.Tools.*;\nimport static shop.More.other;"),
    "ruby: new": ruby("Box.new", HIDDEN),
}
SEEN = {
    "java: it moved, and has another way": java("Box.of()"),
    "typescript: it moved, and has another way": script("Box.make()"),
    "java: another class may have it": static("import static shop.Tools.*;\nimport static shop.More.*;"),
    "ruby: another way": ruby("Box.of", HIDDEN),
    "ruby: new is for everybody again": ruby("Box.new", f"{HIDDEN}  public_class_method :new\n"),
    "ruby: a new of its own": ruby("Box.new", "  def self.new\n    1\n  end\n"),
    "ruby: new of a subclass, who may say otherwise": ruby("Lid.new\n  end\nend\n\nclass Lid < Box\n  def z", HIDDEN),
    "ruby: an ancestor": ruby("1\n  end\nend\n\nclass Lid < Box\n  def z", HIDDEN),
}


@pytest.mark.parametrize(("files", "now"), SHUT_OUT.values(), ids=SHUT_OUT)
def test_who_may_not_use_it_is_told(tmp_path: Path, files: dict[str, str], now: Texts) -> None:
    assert [each.partition(":")[0] for each in findings_of(tmp_path, files, now)] == ["export-removed"]


@pytest.mark.parametrize(("files", "now"), SEEN.values(), ids=SEEN)
def test_who_does_otherwise_is_not(tmp_path: Path, files: dict[str, str], now: Texts) -> None:
    assert findings_of(tmp_path, files, now) == []
