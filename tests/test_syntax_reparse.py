"""Parsing along an earlier tree gives the tree that parsing from scratch gives, or none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Parser

from vetgate.source.language import grammar
from vetgate.source.syntax import reparsed

SAMPLES = {
    "python": """\
import os

class A(B):
    x = 1

    def f(self, a=1):
        if a:
            return f'{a}'
        return [b for b in a]

def g():
    pass
""",
    "typescript": """\
import a from 'b';
export class C<T> extends D {
  x = 1;
  f(a: number): T | null {
    return a < 1 ? `${a}` : null;
  }
}
const g = async (x) => { await x?.y; };
""",
    "tsx": "export const A = ({ b }) => <div className={b}>{b && <p>text</p>}</div>;\n",
    "go": """\
package a

func f(a int) error {
	if a > 1 {
		return fmt.Errorf("x %d", a)
	}
	return nil
}
""",
    "rust": """\
fn f(a: &str) -> Result<(), E> {
    match a {
        "x" => Ok(()),
        _ => Err(E::new(a)?),
    }
}
""",
    "ruby": """\
class A < B
  def f(a)
    return unless a
    puts "x #{a}"
  end
end
""",
    "php": """\
<?php
class A {
  function f($a) { if ($a) { echo "x $a"; } return <<<EOT
$a
EOT;
  }
}
""",
    "java": """\
class A {
  int f(int a) {
    for (int i = 0; i < a; i++) { g(i); }
    return a;
  }
}
""",
    "csharp": """\
class A {
  int F(int a) {
    foreach (var b in c) { G(b ?? a); }
    return a;
  }
}
""",
}
PIECES = [
    "",
    "x",
    "\n",
    "    ",
    "(",
    ")",
    "{",
    "}",
    "'",
    '"',
    "#",
    "//",
    "`",
    "if a:",
    "return 1",
    "a < b",
    "/* */",
    "é",
    ";",
]


def shape(tree):
    found, cursor = [], tree.walk()
    while True:
        node = cursor.node
        found.append((node.type, node.start_byte, node.end_byte))
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found


@pytest.mark.parametrize("language", SAMPLES)
def test_any_edit_gives_the_tree_of_a_fresh_parse(language):
    parser = Parser(grammar(language))

    @settings(max_examples=150, deadline=None)
    @given(st.data())
    def edits(data):
        old = (SAMPLES[language] * data.draw(st.integers(1, 3))).encode()
        start = data.draw(st.integers(0, len(old)))
        end = data.draw(st.integers(start, min(len(old), start + 40)))
        new = old[:start] + data.draw(st.sampled_from(PIECES)).encode() + old[end:]
        tree = reparsed(parser, old, parser.parse(old), new)
        if tree is not None:
            assert shape(tree) == shape(parser.parse(new))

    edits()


def test_a_small_edit_is_worth_it():
    parser = Parser(grammar("python"))
    old = SAMPLES["python"].encode()
    assert reparsed(parser, old, parser.parse(old), old.replace(b"x = 1", b"y = 2")) is not None


def test_what_does_not_parse_is_parsed_from_scratch():
    parser = Parser(grammar("python"))
    old = SAMPLES["python"].encode()
    assert reparsed(parser, old, parser.parse(old), old.replace(b"def g():", b"def g((:")) is None
