"""One assertion written otherwise: what lets more values pass is told, what a linter would rewrite is left alone."""

from __future__ import annotations

import pytest

from changes import judged
from vetgate.checks.weakened_test import CHECK
from vetgate.model import File

HOMES = {
    "python": ("tests/test_x.py", "def test_a():\n    x = f()\n    {}\n"),
    "unittest": ("tests/test_x.py", "class TestA(TestCase):\n    def test_a(self):\n        x = f()\n        {}\n"),
    "javascript": ("a.test.ts", "test('a', async () => {{\n  const x = f();\n  {};\n}});\n"),
    "java": ("ATest.java", "class ATest {{\n  @Test\n  void a() {{\n    X x = f();\n    {};\n  }}\n}}\n"),
    "csharp": ("ATests.cs", "class ATests {{\n  [Fact]\n  public void A() {{\n    var x = f();\n    {};\n  }}\n}}\n"),
    "rust": ("a.rs", "#[cfg(test)]\nmod tests {{\n  #[test]\n  fn a() {{\n    let x = f();\n    {};\n  }}\n}}\n"),
    "go": ("a_test.go", "package a\nfunc TestA(t *testing.T) {{\n\tx, err := f()\n\t{}\n}}\n"),
    "minitest": ("test/a_test.rb", "class ATest < Minitest::Test\n  def test_a\n    x = f\n    {}\n  end\nend\n"),
    "rspec": ("spec/a_spec.rb", "describe 'a' do\n  it 'b' do\n    x = f\n    {}\n  end\nend\n"),
    "php": (
        "tests/ATest.php",
        "<?php\nclass ATest extends TestCase {{\n  function testA() {{\n    $x = f();\n    {};\n  }}\n}}\n",
    ),
}
LOOSENED = [
    ("python", "assert x == 3", "assert x in (2, 3, 4, 5)"),
    ("python", "assert x == 3", "assert x == pytest.approx(3, abs=100)"),
    ("python", "assert x == 3", "assert x >= 0"),
    ("python", "assert x == 3", "assert x == 3 or x == 4"),
    ("python", "assert x == 3", "assert x is True"),
    (
        "python",
        'with pytest.raises(ValueError, match="bad"):\n        f(1)',
        "with pytest.raises(ValueError):\n        f(1)",
    ),
    ("python", "with pytest.raises(ValueError):\n        f(1)", "with pytest.raises(Exception):\n        f(1)"),
    ("unittest", "self.assertEqual(x, 3)", "self.assertIn(x, (3, 4))"),
    ("unittest", "self.assertAlmostEqual(x, 3, places=5)", "self.assertAlmostEqual(x, 3, places=0)"),
    ("javascript", "expect(x).toBe(3)", "expect(x).toBeGreaterThan(0)"),
    ("javascript", "expect(x).toEqual({ a: 1 })", "expect(x).toMatchObject({})"),
    ("javascript", "expect(() => f(1)).toThrow('bad')", "expect(() => f(1)).toThrow()"),
    ("java", "assertEquals(1.5, x, 0.001)", "assertEquals(1.5, x, 100.0)"),
    ("java", "assertThrows(BadInput.class, () -> f())", "assertThrows(Exception.class, () -> f())"),
    ("csharp", "Assert.Equal(3, x)", "Assert.InRange(x, 0, 100)"),
    ("rust", "assert_eq!(x, 3)", "assert!(x > 0)"),
    ("go", "assert.Equal(t, 3, x)", "assert.GreaterOrEqual(t, x, 0)"),
    ("go", "assert.InDelta(t, 1.5, x, 0.001)", "assert.InDelta(t, 1.5, x, 1000.0)"),
    ("rspec", "expect(x).to eq(1)", "expect(x).to be_within(100).of(1)"),
    ("rspec", "expect { f }.to raise_error(ArgumentError)", "expect { f }.to raise_error"),
    ("php", "$this->assertSame(3, $x)", "$this->assertContains($x, [1, 2, 3])"),
]
EMPTIED = [
    ("python", "assert x == 3", 'assert (x == 3, "three")'),
    ("python", "assert x == 3", "assert lambda: x == 3"),
    ("python", "assert x == []", "assert len(x) >= 0"),
    ("python", "assert x == 3", "assert x != None"),
    ("javascript", "await expect(x).rejects.toThrow('bad')", "expect(x).rejects.toThrow('bad')"),
    ("java", "assertEquals(3, x)", "assertDoesNotThrow(() -> f())"),
]
REWRITTEN = [
    ("python", "assert x == True", "assert x"),
    ("python", "assert x is True", "assert x"),
    ("python", "assert x == False", "assert not x"),
    ("python", "assert x is False", "assert not x"),
    ("python", "assert x == None", "assert x is None"),
    ("python", "assert len(x) == 0", "assert not x"),
    ("python", "assert x == []", "assert not x"),
    ("python", "assert not x is None", "assert x is not None"),
    ("python", 'assert not "a" in x', 'assert "a" not in x'),
    ("python", "assert len(x) > 0", "assert x"),
    ("python", "assert x == 0.1", "assert x == pytest.approx(0.1, abs=1e-6)"),
    ("python", "assert type(x) == int", "assert isinstance(x, int)"),
    ("python", 'assert x.find("a") != -1', 'assert "a" in x'),
    ("python", "assert x.a == 1 and x.b == 2", "assert x.a == 1\n    assert x.b == 2"),
    ("python", "assert x == 1 if y else 2", "assert x == (1 if y else 2)"),
    ("python", "assert abs(x - 3) < 1e-6", "assert x == pytest.approx(3, abs=1e-6)"),
    ("python", "assert abs(x - 3) < 0.5", "assert x == pytest.approx(3, abs=0.5)"),
    ("python", "with pytest.raises(Exception):\n        f(1)", "with pytest.raises(ValueError):\n        f(1)"),
    (
        "python",
        'with pytest.raises(ValueError) as e:\n        f(1)\n    assert str(e.value) == "bad"',
        'with pytest.raises(ValueError, match="bad"):\n        f(1)',
    ),
    ("unittest", 'self.assertTrue("a" in x)', 'self.assertIn("a", x)'),
    ("unittest", "self.assertEqual(x, None)", "self.assertIsNone(x)"),
    ("unittest", "self.assertEqual(x, True)", "self.assertTrue(x)"),
    ("unittest", "self.assertTrue(x == 3)", "self.assertEqual(x, 3)"),
    ("unittest", "self.assertTrue(x > 3)", "self.assertGreater(x, 3)"),
    ("unittest", "self.assertEquals(x, 3)", "self.assertEqual(x, 3)"),
    ("unittest", "self.assertTrue(isinstance(x, int))", "self.assertIsInstance(x, int)"),
    ("unittest", "self.assertEqual(len(x), 0)", "self.assertFalse(x)"),
    ("unittest", "self.assertEqual(x, 3)", "assert x == 3"),
    ("unittest", "self.assertNotEqual(x, None)", "self.assertIsNotNone(x)"),
    ("javascript", "expect(x.includes(1)).toBe(true)", "expect(x).toContain(1)"),
    ("javascript", "expect(x.length).toBe(3)", "expect(x).toHaveLength(3)"),
    ("javascript", "expect(x).toBe(undefined)", "expect(x).toBeUndefined()"),
    ("javascript", "expect(x).toEqual(true)", "expect(x).toBe(true)"),
    ("javascript", "expect(x > 3).toBe(true)", "expect(x).toBeGreaterThan(3)"),
    ("javascript", "expect(x === 3).toBe(true)", "expect(x).toBe(3)"),
    ("javascript", "assert.equal(x, true)", "assert.ok(x)"),
    ("javascript", "assert.equal(x, true)", "assert.strictEqual(x, true)"),
    ("javascript", "expect(x.indexOf(1)).not.toBe(-1)", "expect(x).toContain(1)"),
    ("javascript", "expect(x.some(v => v > 3)).toBe(true)", "expect(x).toEqual(expect.arrayContaining([5]))"),
    ("javascript", 'expect(typeof x).toBe("string")', "expect(x).toEqual(expect.any(String))"),
    ("javascript", "expect(f.mock.calls.length).toBe(1)", "expect(f).toHaveBeenCalledTimes(1)"),
    ("javascript", "expect(f).toBeCalled()", "expect(f).toHaveBeenCalled()"),
    ("javascript", "expect(x).toBeTruthy()", "expect(x).toBeInTheDocument()"),
    ("javascript", "expect(x).not.toBe(null)", "expect(x).not.toBeNull()"),
    ("javascript", "expect(() => f()).toThrowError()", "expect(() => f()).toThrow()"),
    ("java", "assertEquals(true, x.ok())", "assertTrue(x.ok())"),
    ("java", "assertEquals(0, x.size())", "assertTrue(x.isEmpty())"),
    ("java", "assertEquals(null, x)", "assertNull(x)"),
    ("java", "assertTrue(x == 3)", "assertEquals(3, x)"),
    ("java", "assertEquals(3, x)", "assertThat(x).isEqualTo(3)"),
    ("java", 'assertTrue(x.contains("a"))', 'assertThat(x).contains("a")'),
    ("java", "assertEquals(3, x.size())", "assertThat(x).hasSize(3)"),
    ("java", "assertTrue(x != null)", "assertNotNull(x)"),
    ("java", "assertEquals(0, x.size())", "assertThat(x).isEmpty()"),
    ("csharp", "Assert.Equal(true, x)", "Assert.True(x)"),
    ("csharp", "Assert.Equal(0, x.Count)", "Assert.Empty(x)"),
    ("csharp", "Assert.NotEqual(0, x.Count)", "Assert.NotEmpty(x)"),
    ("csharp", "Assert.Equal(1, x.Count)", "Assert.Single(x)"),
    ("csharp", "Assert.Equal(null, x)", "Assert.Null(x)"),
    ("csharp", "Assert.AreEqual(3, x)", "Assert.That(x, Is.EqualTo(3))"),
    ("csharp", "Assert.True(x.Contains(3))", "Assert.Contains(3, x)"),
    ("csharp", "Assert.Null(x)", "x.Should().BeNull()"),
    ("rust", "assert_eq!(x.ok(), true)", "assert!(x.ok())"),
    ("rust", "assert_eq!(x, false)", "assert!(!x)"),
    ("rust", "assert!(x == 3)", "assert_eq!(x, 3)"),
    ("rust", "assert_eq!(x, None)", "assert!(x.is_none())"),
    ("rust", "assert_eq!(x.len(), 0)", "assert!(x.is_empty())"),
    ("rust", "assert!(x > 3)", 'assert!(x > 3, "got {x}")'),
    ("rust", "assert!(x.is_err())", "assert_eq!(x, Err(E::Bad))"),
    ("go", "if x != 3 {\n\t\tt.Fatal(x)\n\t}", "assert.Equal(t, 3, x)"),
    ("go", "assert.Equal(t, nil, err)", "assert.NoError(t, err)"),
    ("go", "assert.True(t, x == 3)", "assert.Equal(t, 3, x)"),
    ("go", "assert.Equal(t, true, x)", "assert.True(t, x)"),
    ("go", "assert.Equal(t, 0, len(x))", "assert.Empty(t, x)"),
    ("go", "assert.Equal(t, 3, len(x))", "assert.Len(t, x, 3)"),
    ("go", 'if err == nil {\n\t\tt.Error("no")\n\t}', 'if !errors.Is(err, ErrBad) {\n\t\tt.Error("no")\n\t}'),
    ("minitest", "assert_equal nil, x", "assert_nil x"),
    ("minitest", "assert x == 3", "assert_equal 3, x"),
    ("minitest", "assert x.include?(3)", "assert_includes x, 3"),
    ("minitest", "assert_equal true, x", "assert x"),
    ("minitest", "assert x.empty?", "assert_empty x"),
    ("rspec", "expect(x).to eq(nil)", "expect(x).to be_nil"),
    ("rspec", "expect(x.size).to eq(3)", "expect(x).to have_attributes(size: 3)"),
    ("rspec", "expect(x.include?(1)).to eq(true)", "expect(x).to include(1)"),
    ("rspec", "x.should eq(3)", "expect(x).to eq(3)"),
    ("rspec", "expect(x).to eq(true)", "expect(x).to be(true)"),
    ("rspec", "expect(x).to eq(true)", "expect(x).to be_truthy"),
    ("php", "$this->assertEquals(true, $x)", "$this->assertTrue($x)"),
    ("php", "$this->assertEquals(3, count($x))", "$this->assertCount(3, $x)"),
    ("php", "$this->assertTrue(in_array(1, $x))", "$this->assertContains(1, $x)"),
    ("php", "$this->assertEquals(3, $x)", "$this->assertSame(3, $x)"),
    ("php", "$this->assertTrue($x instanceof A)", "$this->assertInstanceOf(A::class, $x)"),
    ("php", "$this->assertEquals(null, $x)", "$this->assertNull($x)"),
]


def as_change(kind, before, after):
    path, home = HOMES[kind]
    return File(path, home.format(before), home.format(after))


@pytest.mark.parametrize(("kind", "before", "after"), LOOSENED)
def test_an_assertion_that_lets_more_pass_is_told(kind, before, after):
    assert judged(CHECK, as_change(kind, before, after)) == ("told", ["removed-assertion"])


@pytest.mark.parametrize(("kind", "before", "after"), LOOSENED)
def test_the_way_back_is_left_alone(kind, before, after):
    assert judged(CHECK, as_change(kind, after, before)) == ("silent", [])


@pytest.mark.parametrize(("kind", "before", "after"), EMPTIED)
def test_an_assertion_that_hardly_can_fail_blocks(kind, before, after):
    assert judged(CHECK, as_change(kind, before, after))[0] == "block"


@pytest.mark.parametrize(("kind", "before", "after"), REWRITTEN)
def test_the_same_in_other_words_is_left_alone(kind, before, after):
    assert judged(CHECK, as_change(kind, before, after)) == ("silent", [])


def test_a_row_less_in_a_table_is_told():
    rows = ['{"none", 0, 0},', '{"one", 1, 1},', '{"two", 2, 4},', '{"three", 3, 9},']
    loop = "for _, c := range []struct{{n string; a, b int}}{{{}}} {{ if f(c.a) != c.b {{ t.Error(c) }} }}"
    before, after = loop.format("".join(rows)), loop.format("".join(rows[:3]))
    assert judged(CHECK, as_change("go", before, after)) == ("told", ["removed-assertion"])
