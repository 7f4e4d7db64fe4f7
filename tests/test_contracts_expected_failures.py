"""Calls that are meant to fail, or that somebody reckons with failing: no rule tells of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract_cases import findings_of

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = ("cart.py", "class Cart:\n    def add(self, x): ...\n    def drop(self): ...\n\n\ndef send(x): ...\n")
PYTHON_NOW = "class Cart:\n    def add(self, x, y): ...\n\n\ndef send(x, y): ...\n"
SCRIPT = ("src/cart.ts", "export class Cart {\n  add(x: number) {}\n}\n")
SCRIPT_NOW = "export class Cart {\n  add(x: number, y: number) {}\n}\n"
PHP = ("src/C.php", "<?php\nnamespace App;\nclass C { public function add($x) {} public function drop() {} }\n")
PHP_NOW = "<?php\nnamespace App;\nclass C { public function add($x, $y) {} }\n"
RUBY = (
    "lib/c.rb",
    "class C\n  def add(x)\n    x\n  end\n\n  def self.of(x)\n    x\n  end\n\n  def drop\n    1\n  end\nend\n",
)
RUBY_NOW = "class C\n  def add(x, y)\n    x\n  end\n\n  def self.of(x, y)\n    x\n  end\nend\n"
TREES = {"py": (PYTHON, PYTHON_NOW), "ts": (SCRIPT, SCRIPT_NOW), "php": (PHP, PHP_NOW), "rb": (RUBY, RUBY_NOW)}
USERS = {
    "py": (
        "test_cart.py",
        "import pytest\nfrom contextlib import suppress\nfrom cart import Cart, send\n\n\ndef test(c: Cart):\n    {}\n",
    ),
    "ts": ("src/cart.test.ts", 'import {{ Cart }} from "./cart";\nconst c = new Cart();\n{}\n'),
    "php": (
        "tests/CTest.php",
        "<?php\nnamespace T;\nuse App\\C;\nclass CTest {{ function testIt(C $c) {{ {} }} }}\n",
    ),
    "rb": ("test/c_test.rb", "class T\n  def test_a\n    c = C.new\n    {}\n  end\nend\n"),
}
MEANT = {
    "python: a method that needs more": ("py", "with pytest.raises(TypeError):\n        c.add(1)"),
    "python: a function that needs more": ("py", "with pytest.raises(TypeError):\n        send(1)"),
    "python: a method that is gone": ("py", "with pytest.raises(AttributeError):\n        c.drop()"),
    "python: any error": ("py", "with pytest.raises(Exception):\n        c.drop()"),
    "python: an error nobody can tell": ("py", "with pytest.raises(error):\n        c.drop()"),
    "python: tried": ("py", "try:\n        c.add(1)\n    except TypeError:\n        c.add(1, 2)"),
    "python: tried as one of several": ("py", "try:\n        c.drop()\n    except (KeyError, AttributeError): ..."),
    "python: suppressed": ("py", "with suppress(AttributeError):\n        c.drop()"),
    "python: passed": ("py", "pytest.raises(TypeError, send, 1)"),
    "typescript: toThrow": ("ts", "expect(() => c.add(1)).toThrow();"),
    "typescript: known to be wrong": ("ts", "// @ts-expect-error y is needed\nc.add(1);"),
    "php: expectException": ("php", "$this->expectException(\\ArgumentCountError::class); $c->add(1);"),
    "php: caught": ("php", "try { $c->drop(); } catch (\\Error $e) { $c->add(1, 2); }"),
    "ruby: assert_raises": ("rb", "assert_raises(NoMethodError) { c.drop }"),
    "ruby: raise_error": ("rb", "expect { C.of(1) }.to raise_error(ArgumentError)"),
    "ruby: rescued": ("rb", "begin\n      c.drop\n    rescue NoMethodError\n      1\n    end"),
    "ruby: rescued by the method": ("rb", "c.drop\n  rescue NameError\n    1"),
    "ruby: asked first": ("rb", "c.drop if c.respond_to?(:drop)"),
    "ruby: put in its place": ("rb", "allow(c).to receive(:add).and_return(1)\n    c.add(1)"),
    "ruby: put in the place of all": ("rb", "C.any_instance.stubs(:add).returns(1)\n    c.add(1)"),
    "ruby: put in the place of any": ("rb", "allow_any_instance_of(C).to receive(:add)\n    c.add(1)"),
}
BROKEN = {
    "python: another error": ("py", "with pytest.raises(ValueError):\n        c.add(1)"),
    "python: a caught error of another kind": ("py", "try:\n        c.add(1)\n    except AttributeError: ..."),
    "python: in the handler": ("py", "try:\n        c.add(1, 2)\n    except TypeError:\n        c.add(1)"),
    "typescript: no test of it": ("ts", "expect(c.add(1)).toBe(1);"),
    "php: another error": ("php", "$this->expectException(\\LengthException::class); $c->add(1);"),
    "php: caught as another error": ("php", "try { $c->drop(); } catch (\\LengthException $e) {}"),
    "ruby: another error": ("rb", "assert_raises(KeyError) { c.drop }"),
    "ruby: the name of a test": ("rb", 'it "raises an error" do\n      C.of(1)\n    end'),
    "ruby: in the handler": ("rb", "begin\n      1\n    rescue NoMethodError\n      c.drop\n    end"),
    "ruby: something else is asked for": ("rb", "c.drop if c.respond_to?(:other)"),
    "ruby: another is put in its place": ("rb", "allow(c).to receive(:other)\n    c.add(1)"),
}


def _findings_of_call(folder: Path, ending: str, body: str) -> list[str]:
    (path, before), now = TREES[ending]
    user, text = USERS[ending]
    found = findings_of(folder, {path: before, user: text.format("")}, {path: now, user: text.format(body)})
    return [each for each in found if "by name" not in each]


@pytest.mark.parametrize(("ending", "body"), MEANT.values(), ids=MEANT)
def test_what_is_meant_to_fail_is_not_told(tmp_path: Path, ending: str, body: str) -> None:
    assert _findings_of_call(tmp_path, ending, body) == []


@pytest.mark.parametrize(("ending", "body"), BROKEN.values(), ids=BROKEN)
def test_what_is_not_meant_is_told(tmp_path: Path, ending: str, body: str) -> None:
    assert _findings_of_call(tmp_path, ending, body) != []


def test_a_file_that_is_gone_is_missed_beside_such_a_test(tmp_path: Path) -> None:
    text = 'import { open } from "./box";\n\nopen();\nexpect(() => ts()).toThrow();\n'
    files = {"src/box.ts": "export function open() {}\n", "src/use.ts": text}
    assert findings_of(tmp_path, files, {"src/box.ts": None}) != []


def test_an_import_that_is_meant_to_fail(tmp_path: Path) -> None:
    text = "import pytest\n\n\ndef test():\n    with pytest.raises({}):\n        from mail import send\n"
    for error, is_told in (("ImportError", False), ("KeyError", True)):
        files = {"mail.py": "def send(): ...\n\n\ndef other(): ...\n", "test_mail.py": text.format(error)}
        found = findings_of(tmp_path / error, files, {"mail.py": "def other(): ...\n"})
        assert bool(found) == is_told
