"""Edits that weaken tests, and edits that look like that and do not; each as a change from one text to another."""

from __future__ import annotations

import pytest

from changes import judged
from vetgate.checks.weakened_test import CHECK
from vetgate.model import File

PY = "tests/test_app.py"
TWO = "import app\n\n\ndef test_add():\n    assert app.add(1, 2) == 3\n    assert app.add(-1, 1) == 0\n"
HEAD = "import app\n\n\n"
BOTH = "        assert app.add(1, 2) == 3\n        assert app.add(-1, 1) == 0\n"
JS = "src/cart.test.ts"
CART = """import { total } from "./cart";

describe("total", () => {
  it("adds up", () => {
    expect(total([1, 2])).toBe(3);
    expect(total([])).toBe(0);
  });

  it("refuses negatives", () => {
    expect(() => total([-1])).toThrow();
  });
});
"""
GO = "calc/calc_test.go"
CALC = """package calc

import "testing"

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("sum")
	}
	if Add(0, 0) != 0 {
		t.Errorf("zero")
	}
}
"""
JAVA = "src/test/java/CartTest.java"
CART_JAVA = """class CartTest {
  @Test
  void addsUp() {
    assertEquals(3, Cart.total(1, 2));
    assertEquals(0, Cart.total());
  }
}
"""
HELPER = """  private static void testInvalid({0}) {{
{1}  }}
"""
ASSERTING = "    assertTrue(request.isFailure());\n    assertFalse(request.isDone());\n"
CALLED = """class CartTest {
  @Test
  void testSpace() {
    testInvalid("a b");
  }

"""
ONE_FORM = CALLED + HELPER.format("String said", f"    Request request = parse(said);\n{ASSERTING}") + "}\n"
OVERLOADED = (
    CALLED
    + HELPER.format("String said", "    testInvalid(bytes(said));\n")
    + HELPER.format("byte[] said", f"    Request request = parse(said);\n{ASSERTING}")
    + "}\n"
)
LOOP = "    for each in ['a', 'b', 'c']:\n        assert cut(each, 1) == each\n"
LOOPED = f"def test_cut():\n    assert cut('ab', 1) == 'a'\n    assert cut('') == ''\n{LOOP}"
GATHERED = """def test_upper():
    got = []
    for each in ['a', 'b', 'c']:
        got.append(upper(each))
    assert got == ['A', 'B', 'C']
"""
SMOKE = """func TestSmoke(t *testing.T) {
	RegisterHandler(t)
	RunSpecs(t, "smoke suite")
}
"""
SUITES = f"package calc\n\n{SMOKE}\n{SMOKE.replace('Smoke', 'Units').replace('smoke', 'units')}"
RUST = "src/lib.rs"
LIB = """pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
        assert!(add(0, 0) == 0);
    }
}
"""
CSHARP = "Tests/CartTests.cs"
CART_CS = """public class CartTests {
  [Fact]
  public void AddsUp() {
    Assert.Equal(3, Cart.Total(1, 2));
    Assert.Equal(0, Cart.Total());
  }
}
"""
PHP = "tests/CartTest.php"
CART_PHP = """<?php
class CartTest extends TestCase {
    public function testAddsUp(): void {
        $this->assertSame(3, Cart::total(1, 2));
        $this->assertSame(0, Cart::total());
    }
}
"""
PEST = "tests/Feature/CartTest.php"
CART_PEST = """<?php
it('adds up', function () {
    expect(Cart::total(1, 2))->toBe(3);
});
"""
RSPEC = "spec/cart_spec.rb"
CART_RB = """RSpec.describe Cart do
  it "adds up" do
    expect(Cart.total(1, 2)).to eq(3)
    expect(Cart.total).to eq(0)
  end
end
"""
MINI = "test/cart_test.rb"
CART_MINI = """class CartTest < Minitest::Test
  def test_adds_up
    assert_equal 3, Cart.total(1, 2)
    assert_equal 0, Cart.total
  end
end
"""
UNIT = "tests/test_unit.py"
CASE = """import unittest


class CartTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total(1, 2), 3)
        self.assertEqual(total(), 0)
"""
NODE = "test/cart.js"
CART_NODE = """const test = require("node:test");
const assert = require("node:assert");
test("adds up", () => {
  assert.strictEqual(total([1, 2]), 3);
});
"""
TAKEN = {
    "the only assertion, though it narrows a type": (
        PY,
        f"{HEAD}def test_page():\n    page = app.page()\n    assert page\n    print(page.title)\n",
        f"{HEAD}def test_page():\n    page = app.page()\n    print(page.title)\n",
        "removed-assertion",
    ),
    **{
        f"what was there, before {name}": (
            PY,
            f"{HEAD}def test_rows():\n    rows = app.rows()\n    assert rows\n    assert app.n == 2\n    {use}\n",
            f"{HEAD}def test_rows():\n    rows = app.rows()\n    assert app.n == 2\n    {use}\n",
            "removed-assertion",
        )
        for name, use in {
            "a loop that may be empty": "for row in rows.values():\n        assert row.ok == 3",
            "a call that nothing answers, too": "assert 'x' not in rows.lower()",
            "a part that may be empty": "print(rows[:3])",
            "an equal nothing": "assert rows.count(4) == 0",
            "a comment": "# rows.first.name",
            "a text": "print('rows.first.name')",
            "another value": "rows = app.other()\n    assert rows.first == 3",
        }.items()
    },
    "an assertion of two": (PY, TWO, TWO.replace("    assert app.add(-1, 1) == 0\n", ""), "removed-assertion"),
    "all assertions": (PY, TWO, HEAD + "def test_add():\n    app.add(1, 2)\n", "removed-assertion"),
    "a body that passes": (PY, TWO, HEAD + "def test_add():\n    pass\n", "removed-assertion"),
    "assert True": (PY, TWO, HEAD + "def test_add():\n    assert True\n", "tautology"),
    "assert true beside the old ones": (PY, TWO, TWO + "    assert 1 == 1\n", "tautology"),
    "or True": (PY, TWO, TWO.replace("== 3", "== 3 or True"), "tautology"),
    "what compares with itself": (PY, TWO, TWO.replace("app.add(1, 2) == 3", "result == result"), "tautology"),
    "a return in front": (PY, TWO, TWO.replace("():\n", "():\n    return\n", 1), "removed-assertion"),
    "a branch that is never taken": (
        PY,
        TWO,
        TWO.replace("    assert", "    if False:\n        assert"),
        "removed-assertion",
    ),
    "a failure that is caught": (
        PY,
        TWO,
        f"{HEAD}def test_add():\n    try:\n{BOTH}    except AssertionError:\n        pass\n",
        "swallowed-failure",
    ),
    "a failure that is suppressed": (
        PY,
        TWO,
        HEAD + "def test_add():\n    with contextlib.suppress(Exception):\n        assert app.add(1, 2) == 3\n",
        "swallowed-failure",
    ),
    "only that there is something": (
        PY,
        TWO,
        HEAD + "def test_add():\n    assert app.add(1, 2) is not None\n    assert app.add(-1, 1) is not None\n",
        "removed-assertion",
    ),
    "a skip": (PY, TWO, TWO.replace("def test", "@pytest.mark.skip\ndef test"), "skipped-test"),
    "a skip with a reason": (
        PY,
        TWO,
        TWO.replace("def test", '@pytest.mark.skip(reason="flaky")\ndef test'),
        "skipped-test",
    ),
    "an expected failure": (PY, TWO, TWO.replace("def test", "@pytest.mark.xfail\ndef test"), "skipped-test"),
    "a condition that always holds": (
        PY,
        TWO,
        TWO.replace("def test", '@pytest.mark.skipif(True, reason="x")\ndef test'),
        "skipped-test",
    ),
    "a skip in the body": (PY, TWO, TWO.replace("():\n", '():\n    pytest.skip("later")\n', 1), "skipped-test"),
    "a module that is skipped": (
        PY,
        TWO,
        TWO.replace("import app\n", "import app\n\npytestmark = pytest.mark.skip\n"),
        "skipped-test",
    ),
    "a test that is gone": (PY, TWO + "\n\ndef test_sub():\n    assert app.sub(1, 1) == 0\n", TWO, "removed-test"),
    "all of the file": (PY, TWO, "", "removed-test"),
    "a name that nobody collects": (PY, TWO, TWO.replace("def test_add", "def check_add"), "removed-test"),
    "a test that is a comment": (PY, TWO, "".join(f"# {line}\n" for line in TWO.splitlines()), "removed-test"),
    "unittest: assertions": (
        UNIT,
        CASE,
        CASE.replace("        self.assertEqual(total(), 0)\n", ""),
        "removed-assertion",
    ),
    "unittest: assertTrue(True)": (
        UNIT,
        CASE,
        CASE.replace("assertEqual(total(1, 2), 3)", "assertTrue(True)"),
        "tautology",
    ),
    "unittest: skip": (
        UNIT,
        CASE,
        CASE.replace("    def test", '    @unittest.skip("x")\n    def test'),
        "skipped-test",
    ),
    "unittest: skipTest": (
        UNIT,
        CASE,
        CASE.replace(
            "        self.assertEqual(total(1", '        self.skipTest("x")\n        self.assertEqual(total(1'
        ),
        "skipped-test",
    ),
    "jest: an expectation": (JS, CART, CART.replace("    expect(total([])).toBe(0);\n", ""), "removed-assertion"),
    "jest: expect(true)": (
        JS,
        CART,
        CART.replace("expect(total([1, 2])).toBe(3)", "expect(true).toBe(true)"),
        "tautology",
    ),
    "jest: expect without a matcher": (
        JS,
        CART,
        CART.replace("expect(() => total([-1])).toThrow()", "expect(() => total([-1]))"),
        "removed-assertion",
    ),
    "chai: a chain is gone": (
        JS,
        'it("a", () => {\n  f().should.equal(1);\n});\n',
        'it("a", () => {\n  f();\n});\n',
        "removed-assertion",
    ),
    "a failure that is printed": (
        PY,
        TWO,
        f"{HEAD}def test_add():\n    try:\n{BOTH}    except Exception as error:\n        print(error)\n",
        "swallowed-failure",
    ),
    "go: assert.True(t, true)": (
        GO,
        "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 3, Add(1, 2))\n}\n",
        "package a\n\nfunc TestA(t *testing.T) {\n\tassert.True(t, true)\n}\n",
        "tautology",
    ),
    "jest: skip": (JS, CART, CART.replace('it("adds', 'it.skip("adds'), "skipped-test"),
    "jest: xit": (JS, CART, CART.replace('it("adds', 'xit("adds'), "skipped-test"),
    "jest: a group is skipped": (JS, CART, CART.replace("describe(", "describe.skip("), "skipped-test"),
    "jest: todo": (JS, CART, CART.replace('it("adds', 'it.todo("adds'), "skipped-test"),
    "jest: only": (JS, CART, CART.replace('it("adds', 'it.only("adds'), "focused-test"),
    "jest: fdescribe": (JS, CART, CART.replace("describe(", "fdescribe("), "focused-test"),
    "jest: a test is gone": (
        JS,
        CART,
        CART.replace(
            CART[
                CART.index('  it("refuses') : CART.index(
                    '});\n"',
                )
                if False
                else CART.rindex("});")
            ],
            "",
        ),
        "removed-test",
    ),
    "jest: caught": (
        JS,
        CART,
        CART.replace(
            "    expect(total([1, 2])).toBe(3);\n", "    try { expect(total([1, 2])).toBe(3); } catch (e) {}\n"
        ),
        "swallowed-failure",
    ),
    "node: skip option": (
        NODE,
        CART_NODE,
        CART_NODE.replace('"adds up", ', '"adds up", { skip: true }, '),
        "skipped-test",
    ),
    "node: assert.ok(true)": (
        NODE,
        CART_NODE,
        CART_NODE.replace("strictEqual(total([1, 2]), 3)", "ok(true)"),
        "tautology",
    ),
    "go: a check is gone": (
        GO,
        CALC,
        CALC.replace('	if Add(0, 0) != 0 {\n		t.Errorf("zero")\n	}\n', ""),
        "removed-assertion",
    ),
    "go: skip": (GO, CALC, CALC.replace("{\n	if Add(1", '{\n	t.Skip("later")\n	if Add(1'), "skipped-test"),
    "go: a lower case name": (GO, CALC, CALC.replace("func TestAdd", "func testAdd"), "removed-test"),
    "java: assertions": (
        JAVA,
        CART_JAVA,
        CART_JAVA.replace("    assertEquals(0, Cart.total());\n", ""),
        "removed-assertion",
    ),
    "java: assertTrue(true)": (
        JAVA,
        CART_JAVA,
        CART_JAVA.replace("assertEquals(3, Cart.total(1, 2))", "assertTrue(true)"),
        "tautology",
    ),
    "java: disabled": (JAVA, CART_JAVA, CART_JAVA.replace("  @Test", "  @Disabled\n  @Test"), "skipped-test"),
    "java: no annotation": (JAVA, CART_JAVA, CART_JAVA.replace("  @Test\n", ""), "removed-test"),
    "java: caught": (
        JAVA,
        CART_JAVA,
        CART_JAVA.replace(
            "    assertEquals(3, Cart.total(1, 2));",
            "    try { assertEquals(3, Cart.total(1, 2)); } catch (AssertionError e) { }",
        ),
        "swallowed-failure",
    ),
    "rust: assertions": (RUST, LIB, LIB.replace("        assert_eq!(add(1, 2), 3);\n", ""), "removed-assertion"),
    "rust: assert!(true)": (RUST, LIB, LIB.replace("assert_eq!(add(1, 2), 3)", "assert!(true)"), "tautology"),
    "rust: ignore": (RUST, LIB, LIB.replace("    #[test]", "    #[test]\n    #[ignore]"), "skipped-test"),
    "rust: no attribute": (RUST, LIB, LIB.replace("    #[test]\n", ""), "removed-test"),
    "c#: assertions": (
        CSHARP,
        CART_CS,
        CART_CS.replace("    Assert.Equal(0, Cart.Total());\n", ""),
        "removed-assertion",
    ),
    "c#: Assert.True(true)": (
        CSHARP,
        CART_CS,
        CART_CS.replace("Assert.Equal(3, Cart.Total(1, 2))", "Assert.True(true)"),
        "tautology",
    ),
    "c#: skip": (CSHARP, CART_CS, CART_CS.replace("[Fact]", '[Fact(Skip = "later")]'), "skipped-test"),
    "c#: ignore": (
        CSHARP,
        CART_CS.replace("Fact", "Test"),
        CART_CS.replace("[Fact]", "[Test, Ignore]"),
        "skipped-test",
    ),
    "php: assertions": (
        PHP,
        CART_PHP,
        CART_PHP.replace("        $this->assertSame(0, Cart::total());\n", ""),
        "removed-assertion",
    ),
    "php: assertTrue(true)": (
        PHP,
        CART_PHP,
        CART_PHP.replace("assertSame(3, Cart::total(1, 2))", "assertTrue(true)"),
        "tautology",
    ),
    "php: skipped": (
        PHP,
        CART_PHP,
        CART_PHP.replace(
            "        $this->assertSame(3", "        $this->markTestSkipped();\n        $this->assertSame(3"
        ),
        "skipped-test",
    ),
    "pest: skip": (PEST, CART_PEST, CART_PEST.replace("});", "})->skip();"), "skipped-test"),
    "rspec: an expectation": (
        RSPEC,
        CART_RB,
        CART_RB.replace("    expect(Cart.total).to eq(0)\n", ""),
        "removed-assertion",
    ),
    "rspec: expect(true)": (
        RSPEC,
        CART_RB,
        CART_RB.replace("expect(Cart.total(1, 2)).to eq(3)", "expect(true).to eq(true)"),
        "tautology",
    ),
    "rspec: xit": (RSPEC, CART_RB, CART_RB.replace("  it ", "  xit "), "skipped-test"),
    "rspec: fit": (RSPEC, CART_RB, CART_RB.replace("  it ", "  fit "), "focused-test"),
    "rspec: skip": (RSPEC, CART_RB, CART_RB.replace('up" do\n', 'up" do\n    skip "later"\n'), "skipped-test"),
    "minitest: assertions": (
        MINI,
        CART_MINI,
        CART_MINI.replace("    assert_equal 0, Cart.total\n", ""),
        "removed-assertion",
    ),
    "minitest: skip": (MINI, CART_MINI, CART_MINI.replace("up\n", "up\n    skip\n", 1), "skipped-test"),
    "the script of the tests": (
        "package.json",
        '{"scripts": {"test": "jest --coverage"}}',
        '{"scripts": {"test": "true"}}',
        "disabled-runner",
    ),
    "the script says so": (
        "package.json",
        '{"scripts": {"test": "vitest"}}',
        '{"scripts": {"test": "echo ok && exit 0"}}',
        "disabled-runner",
    ),
    "the script is gone": ("package.json", '{"scripts": {"test": "vitest"}}', '{"scripts": {}}', "disabled-runner"),
    "an assertion beside a loop, not split off": (
        PY,
        LOOPED,
        LOOPED.replace("    assert cut('') == ''\n", ""),
        "removed-assertion",
    ),
    "a row and an assertion of a loop": (
        PY,
        LOOPED,
        LOOPED.replace("'a', 'b', 'c'", "'a', 'b'").replace("        assert cut(each, 1) == each\n", ""),
        "removed-assertion",
    ),
    "a helper with two forms, emptied": (
        JAVA,
        OVERLOADED,
        OVERLOADED.replace("    assertTrue(request.isFailure());\n    assertFalse(request.isDone());\n", ""),
        "removed-assertion",
    ),
    "a helper that got a second form and asserts less": (
        JAVA,
        ONE_FORM,
        OVERLOADED.replace("    assertTrue(request.isFailure());\n    assertFalse(request.isDone());\n", ""),
        "removed-assertion",
    ),
    "one of two that only call": (GO, SUITES, SUITES.replace(SMOKE, ""), "removed-test"),
    "both that only call, for a new one": (
        GO,
        SUITES,
        SUITES.replace(SMOKE, "").replace("TestUnits", "TestInterop"),
        "removed-test",
    ),
    "one that only calls, skipped under another name": (
        GO,
        SUITES,
        SUITES.replace("TestSmoke(t *testing.T) {\n", 'TestInterop(t *testing.T) {\n\tt.Skip("later")\n'),
        "removed-test",
    ),
    "one that only calls, for one that calls something else": (
        GO,
        SUITES,
        SUITES.replace(SMOKE, SMOKE.replace("TestSmoke", "TestInterop").replace("RunSpecs", "PrintSpecs")),
        "removed-test",
    ),
    "the target of make": ("Makefile", "test:\n\tpytest\n", "test:\n\t@true\n", "disabled-runner"),
}


@pytest.mark.parametrize(("path", "before", "after", "rule"), TAKEN.values(), ids=TAKEN)
def test_it_blocks(path, before, after, rule):
    word, rules = judged(CHECK, File(path, before, after))
    assert (word, rule in rules) == ("block", True), rules


PARAMETRISED = """import app


@pytest.mark.parametrize(("a", "b", "c"), [(1, 2, 3), (-1, 1, 0)])
def test_add(a, b, c):
    assert app.add(a, b) == c
"""
NARROWED = (
    f"{HEAD}def test_page():\n    page = app.page()\n    assert page is not None\n    assert page.stats\n"
    "    assert page.stats.get(1) == 2\n    assert page.title == 'x'\n"
)
HELPED = f"{HEAD}class TestPage:\n    def test_page(self):\n        self._assert_seen(app.page())\n"
FINE = {
    "nothing": (PY, TWO, TWO),
    "one more": (PY, TWO, TWO + "    assert app.add(0, 0) == 0\n"),
    "a table instead": (PY, TWO, PARAMETRISED),
    "a loop instead": (
        PY,
        TWO,
        HEAD + "def test_add():\n    for a, b, c in [(1, 2, 3), (-1, 1, 0)]:\n        assert app.add(a, b) == c\n",
    ),
    "a helper that asserts": (
        PY,
        TWO,
        HEAD
        + "def adds(a, b, c):\n    assert app.add(a, b) == c\n\n\n"
        + "def test_add():\n    adds(1, 2, 3)\n    adds(-1, 1, 0)\n",
    ),
    "split in two": (
        PY,
        TWO,
        HEAD
        + "def test_positive():\n    assert app.add(1, 2) == 3\n\n\n"
        + "def test_negative():\n    assert app.add(-1, 1) == 0\n",
    ),
    "what only narrows a type": (
        PY,
        NARROWED,
        NARROWED.replace("    assert page is not None\n    assert page.stats\n", ""),
    ),
    "helpers that move to a base class": (
        PY,
        HELPED + "\n    def _assert_seen(self, page):\n        assert page.seen == 3\n",
        HELPED.replace("TestPage:", "TestPage(Base):"),
    ),
    "another name": (PY, TWO, TWO.replace("test_add", "test_addition")),
    "into a class": (
        PY,
        TWO,
        f"{HEAD}class TestAdd:\n    def test_add(self):\n{BOTH}",
    ),
    "other values": (PY, TWO, TWO.replace("== 3", "== 4")),
    "another order": (PY, TWO, TWO.replace("app.add(1, 2) == 3", "3 == app.add(1, 2)")),
    "pytest.raises": (PY, TWO, TWO + "    with pytest.raises(TypeError):\n        app.add(None, 1)\n"),
    "a test that is new": (PY, TWO, TWO + "\n\ndef test_sub():\n    assert app.sub(1, 1) == 0\n"),
    "a comment that speaks of skip": (PY, TWO, TWO + "    # do not use pytest.mark.skip here, nor assert True\n"),
    "a string that speaks of it": (PY, TWO, TWO.replace("== 3", '== 3, "@pytest.mark.skip"')),
    "an error that is told": (
        PY,
        TWO,
        f"{HEAD}def test_add():\n    try:\n{BOTH}    except Exception as error:\n        pytest.fail(str(error))\n",
    ),
    "a new test for one platform": (
        PY,
        TWO,
        TWO + '\n\n@pytest.mark.skipif(WINDOWS, reason="no fork")\ndef test_sub():\n    assert app.sub(1, 1) == 0\n',
    ),
    "no skip any more": (PY, TWO.replace("def test", "@pytest.mark.skip\ndef test"), TWO),
    "a skip that was there": (
        PY,
        TWO.replace("def test", "@pytest.mark.skip\ndef test"),
        TWO.replace("def test", "\n\n@pytest.mark.skip\ndef test") + "    x = 1\n",
    ),
    "jest: each": (
        JS,
        CART,
        CART.replace(
            "    expect(total([1, 2])).toBe(3);\n    expect(total([])).toBe(0);\n  });\n",
            "  });\n",
        ).replace(
            'it("adds up", () => {',
            'it.each([[[1, 2], 3], [[], 0]])("adds up", (given, sum) => {\n    expect(total(given)).toBe(sum);',
        ),
    ),
    "jest: reformatted": (
        JS,
        CART,
        CART.replace("    expect(total([])).toBe(0);", "    expect(\n      total([]),\n    ).toBe(0);"),
    ),
    "go: a table instead": (
        GO,
        CALC,
        """package calc

import "testing"

func TestAdd(t *testing.T) {
	cases := []struct{ a, b, want int }{{1, 2, 3}, {0, 0, 0}}
	for _, c := range cases {
		if Add(c.a, c.b) != c.want {
			t.Errorf("sum")
		}
	}
}
""",
    ),
    "java: other assertions": (
        JAVA,
        CART_JAVA,
        CART_JAVA.replace("assertEquals(3, Cart.total(1, 2))", "assertThat(Cart.total(1, 2)).isEqualTo(3)"),
    ),
    "rust: with a message": (RUST, LIB, LIB.replace("3);", '3, "sum");')),
    "rust: other code": (RUST, LIB, LIB.replace("{ a + b }", "{ b + a }")),
    "c#: fluent": (
        CSHARP,
        CART_CS,
        CART_CS.replace("Assert.Equal(3, Cart.Total(1, 2))", "Cart.Total(1, 2).Should().Be(3)"),
    ),
    "code that is no test": ("src/app.py", "def test_me():\n    assert x\n", ""),
    "a new script": ("package.json", '{"scripts": {"test": "jest"}}', '{"scripts": {"test": "vitest run"}}'),
    "the script that npm writes": (
        "package.json",
        None,
        '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}',
    ),
    "a loop that became a test of its own": (
        PY,
        LOOPED,
        LOOPED.replace(LOOP, "")
        + "\n\ndef test_cut_of_a_limited_size():\n"
        + LOOP.replace("cut(each, 1) == each", "cut(each, 1) == str(each)"),
    ),
    "one that only calls, under another name": (
        GO,
        SUITES,
        SUITES.replace("TestSmoke", "TestInterop").replace("smoke suite", "interop suite"),
    ),
    "a snapshot that is new": ("src/__snapshots__/a.test.js.snap", None, "exports[`a 1`] = `1`;\n"),
}


@pytest.mark.parametrize(("path", "before", "after"), FINE.values(), ids=FINE)
def test_it_is_left_alone(path, before, after):
    assert judged(CHECK, File(path, before, after)) == ("silent", [])


TOLD = {
    "a helper that got a second form, and an assertion that allows more": (
        JAVA,
        ONE_FORM,
        OVERLOADED.replace("assertFalse(request.isDone())", "assertNotNull(request.state())"),
        "removed-assertion",
    ),
    "three into one": (
        PY,
        "def test_user():\n    u = load()\n    assert u.name == 'a'\n    assert u.age == 3\n    assert u.mail == 'x'\n",
        "def test_user():\n    assert load() == User('a', 3, 'x')\n",
        "removed-assertion",
    ),
    "rows of a loop that gathers what is asserted behind it": (
        PY,
        GATHERED,
        GATHERED.replace("'a', 'b', 'c'", "'a'").replace("'A', 'B', 'C'", "'A'"),
        "removed-assertion",
    ),
    "skipped on one platform": (
        PY,
        TWO,
        TWO.replace("def test", '@pytest.mark.skipif(sys.platform == "win32", reason="no fork")\ndef test'),
        "skipped-test",
    ),
    "expected to fail on one version": (
        PY,
        TWO,
        TWO.replace("def test", '@pytest.mark.xfail(\n    sys.version_info < (3, 12), reason="a bug"\n)\ndef test'),
        "skipped-test",
    ),
    "a new test that is skipped": (
        PY,
        TWO,
        TWO + "\n\n@pytest.mark.skip\ndef test_sub():\n    assert app.sub(1, 1) == 0\n",
        "skipped-test",
    ),
    "go: skipped when short": (
        GO,
        CALC,
        CALC.replace("{\n	if Add(1", "{\n	if testing.Short() {\n		t.Skip()\n	}\n	if Add(1"),
        "skipped-test",
    ),
    "a snapshot": (
        "src/__snapshots__/a.test.js.snap",
        "exports[`a 1`] = `1`;\n",
        "exports[`a 1`] = `2`;\n\nexports[`b 1`] = `3`;\n",
        "rewritten-snapshot",
    ),
}


@pytest.mark.parametrize(("path", "before", "after", "rule"), TOLD.values(), ids=TOLD)
def test_it_is_told(path, before, after, rule):
    assert judged(CHECK, File(path, before, after)) == ("told", [rule])


def test_a_test_that_moved_to_another_test_file_is_not_lost():
    assert judged(CHECK, File(PY, TWO, None), File("tests/unit/test_add.py", None, TWO)) == ("silent", [])
    assert judged(CHECK, File(PY, TWO, ""), around={"tests/unit/test_add.py": TWO}) == ("silent", [])


def test_a_test_that_goes_with_what_it_tested_is_told(tmp_path):
    (tmp_path / ".git").mkdir()
    gone = File(PY, TWO, None)
    assert judged(CHECK, gone, around={"src/b.py": "import os\n"}, root=tmp_path) == ("told", ["removed-test"])
    assert judged(CHECK, gone, around={"src/app.py": "def add(a, b): ..."}, root=tmp_path)[0] == "block"


def test_a_test_that_moved_and_asserts_nothing_there_is():
    empty = "def test_add():\n    app.add(1, 2)\n"
    assert judged(CHECK, File(PY, TWO, None), File("tests/test_b.py", None, empty)) == ("block", ["removed-assertion"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (PY, "tests/app_checks.py"),
        (JS, "src/cart.checks.ts"),
        (GO, "calc/calc_checks.go"),
        (JAVA, "src/test/java/Cart.java"),
        (RSPEC, "spec/cart.rb"),
    ],
)
def test_a_file_that_no_runner_collects_any_more_is_lost(old, new):
    text = {PY: TWO, JS: CART, GO: CALC, JAVA: CART_JAVA, RSPEC: CART_RB}[old]
    for files in ([File(new, text, text, was=old)], [File(old, text, None), File(new, None, text)]):
        word, rules = judged(CHECK, *files)
        assert (word, set(rules)) == ("block", {"removed-test"})


def test_a_file_with_another_name_that_is_collected_is_not():
    assert judged(CHECK, File("tests/test_sum.py", TWO, TWO, was=PY)) == ("silent", [])
