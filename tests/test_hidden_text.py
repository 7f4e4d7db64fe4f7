"""What a reader does not see, by where it stands; and what looks like that and is none."""

from __future__ import annotations

import pytest

from vetgate.checks.hidden_text import CHECK
from vetgate.checks.hidden_text.scripts import passes_for_latin, skeleton
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check, source_of
from vetgate.severity import Severity
from vetgate.source.clock import Deadline

TAGS = "".join(chr(0xE0000 + ord(each)) for each in "obey")


def found(path: str, text: str) -> list[tuple[str, Severity]]:
    report = run_check(CHECK, source_of(path, text), defaults(), Deadline.never())
    return [(finding.rule, finding.severity) for finding in report.findings]


ERRORS = [
    ("a comment that a terminal wipes out", "a.py", "run()  # fine\x1b[2K\nx = 1\n", "control-character"),
    ("a comment that goes back over itself", "a.js", "run() // ab\x08\x08\nx()\n", "control-character"),
    ("an order to a terminal among instructions", "CLAUDE.md", "Build. \x1b[8mobey\x1b[0m\n", "control-character"),
    ("an override in a comment", "a.py", "x = 1  # \u202e } \u2066if admin\u2069 \u2066\n", "bidi-control"),
    ("an isolate that leaves its string", "a.js", 'if (level !== "user\u2067 // admin") { run() }\n', "bidi-control"),
    ("an isolate from string to string", "a.py", 'x = "\u05d0\u2067" + y + "\u2069\u05d1"\n', "bidi-control"),
    ("an embedding between tokens", "a.go", "package a\n\nvar x =\u202a 1\u202c\n", "bidi-control"),
    ("a control in a language without a grammar", "a.kt", "val x = 1 // \u202e\n", "bidi-control"),
    ("a control in a shell script", "run.sh", "rm -rf \u2066build\n", "bidi-control"),
    ("an override in instructions", "AGENTS.md", "Build with make.\u202e\n", "bidi-control"),
    ("an override in prose", "docs/a.md", "Look here: \u202eexe.txt\n", "bidi-control"),
    ("tags in instructions", "AGENTS.md", f"Build with make.{TAGS}\n", "tag-character"),
    ("tags in a string", "a.py", f'x = "ok{TAGS}"\n', "tag-character"),
    ("tags behind a flag that is none", "a.md", f"\U0001f3f4{TAGS}x\n", "tag-character"),
    ("tags in a configuration", "mcp.json", f'{{"description": "sum{TAGS}"}}\n', "tag-character"),
    ("a zero width space in a name", "a.py", "def is\u200badmin(): ...\n", "invisible-character"),
    ("a zero width space in a string", "a.ts", 'if (role === "admin\u200b") go()\n', "invisible-character"),
    ("a joiner between Latin letters", "a.js", "const us\u200der = 1\n", "invisible-character"),
    ("a Hangul filler as a name", "a.js", "const { timeout, \u3164 } = req.query\n", "invisible-character"),
    ("a byte order mark within", "a.py", "x = 1\n\ufeffy = 2\n", "invisible-character"),
    ("a word joiner in code", "a.rb", "x =\u2060 1\n", "invisible-character"),
    ("a mark of direction in a Latin string", "a.py", 'x = "admin\u200f"\n', "invisible-character"),
    ("bits in zero widths", "README.md", "Hello\u200b\u200c\u200b\u200d there\n", "invisible-character"),
    ("selectors that carry a message", "a.py", 'x = "a\ufe01\ufe05\ufe0a\ufe0b"\n', "invisible-character"),
    ("a zero width space in instructions", "CLAUDE.md", "Run\u200b tests\n", "invisible-character"),
    ("a line separator that ends a comment", "a.js", "// harmless\u2028run()\n", "line-separator"),
    ("a paragraph separator in a string", "a.py", 'x = "a\u2029b"\n', "line-separator"),
    ("a Cyrillic letter in a name", "a.py", "def p\u0430yload(): ...\n", "mixed-script"),
    ("a Cyrillic letter at the end", "a.go", "package a\n\nfunc user_\u0430() {}\n", "mixed-script"),
    ("a Greek omicron", "A.java", "class A { int l\u03bfgin; }\n", "mixed-script"),
    ("a Greek letter inside a word", "a.rs", "fn p\u03b1ss() {}\n", "mixed-script"),
    ("full width letters", "a.py", "\uff45val(x)\n", "mixed-script"),
    ("bold letters", "a.py", "\U0001d41e\U0001d42f\U0001d41a\U0001d425(x)\n", "mixed-script"),
    ("a Cherokee letter", "a.cs", "class \u13aadmin {}\n", "mixed-script"),
    ("a Cyrillic letter in PHP", "a.php", "<?php $us\u0435r = 1;\n", "mixed-script"),
    ("a name that is another one", "a.py", "ace = 1\n\u0430\u0441\u0435 = 2\n", "mixed-script"),
    ("a name in an interpolation", "a.py", 'x = f"{us\u0435r}"\n', "mixed-script"),
]


@pytest.mark.parametrize(("path", "text", "rule"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_it_is_an_error(path, text, rule):
    assert (rule, Severity.ERROR) in found(path, text)


TOLD = [
    ("a carriage return inside a line", "a.js", "f() // x\rg()\nh()\n", "control-character"),
    ("a lone zero width space in prose", "docs/a.md", "word\u200bword\n", "invisible-character"),
    ("a lone zero width space in a comment", "a.py", "# word\u200bword\n", "invisible-character"),
    ("a line separator in data", "data/a.json", '{"text": "a\u2028b"}\n', "line-separator"),
    ("an override that a test is fed with", "tests/data/names.json", '{"text": "a\u202eb"}\n', "bidi-control"),
    ("a Cyrillic letter in a string", "a.py", 'url = "https://p\u0430ypal.com"\n', "mixed-script"),
    ("a Cyrillic letter in the name of a package", "package.json", '{"l\u043edash": "1"}\n', "mixed-script"),
]


@pytest.mark.parametrize(("path", "text", "rule"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_it_is_told_and_does_not_block(path, text, rule):
    assert found(path, text) == [(rule, Severity.WARNING)]


FINE = [
    ("a colour in a string", "a.py", 'red = "\x1b[31m"\n'),
    ("a colour in a script", "a.sh", 'echo "\x1b[31m"\n'),
    ("what a program printed", "a.snap", "\x1b[31mred\n"),
    ("ends of lines twice converted", "a.py", "x = 1\r\r\ny = 2\r\r\n"),
    ("ends of lines of an old system", "a.py", "x = 1\ry = 2\r"),
    ("a form feed", "a.py", "x = 1\n\x0c\ny = 2\n"),
    ("wide letters in Japanese", "ja.json", '{"a": "\uff21\uff22\uff23\uff08\u682a\uff09"}\n'),
    ("plain text", "a.py", "x = 1\n"),
    ("Hebrew in a translation", "i18n/he.json", '{"hello": "\u05e9\u05dc\u05d5\u05dd"}\n'),
    ("Arabic in a comment", "a.js", "// \u0645\u0631\u062d\u0628\u0627 123\nrun()\n"),
    ("a mark of direction in Hebrew", "a.py", 'x = "\u05e9\u05dc\u05d5\u05dd C++\u200e"\n'),
    ("balanced isolates in Arabic", "a.py", 'x = "\u0645\u0631\u2068abc\u2069\u062d"\n'),
    ("embeddings in a translation", "locales/ar.yaml", "a: \u202b\u0645\u0631\u062d\u0628\u0627\u202c\n"),
    ("a non-joiner in Persian", "a.py", 'x = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"\n'),
    ("a joiner in Hindi", "a.py", "# \u0915\u094d\u200d\u0937\nx = 1\n"),
    ("a zero width space in Thai", "docs/th.md", "\u0e2a\u0e27\u0e31\u0e2a\u200b\u0e14\u0e35\n"),
    ("a family of four", "a.ts", 'const x = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"\n'),
    ("a rainbow flag", "a.md", "\U0001f3f3\ufe0f\u200d\U0001f308\n"),
    ("a skin tone and a profession", "a.py", 'x = "\U0001f469\U0001f3fd\u200d\U0001f4bb"\n'),
    ("the flag of Wales", "a.md", "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f\n"),
    ("pictures of signs", "a.md", "\u2764\ufe0f \u2714\ufe0f \u00a9\ufe0f 1\ufe0f\u20e3 \u26a0\ufe0f \u2194\ufe0f\n"),
    ("a variant of an ideograph", "a.txt", "\u845b\U000e0100\n"),
    ("a byte order mark at the start", "a.cs", "\ufeffclass A {}\n"),
    ("a soft hyphen in prose", "docs/a.md", "Donau\u00addampf\n"),
    ("names in Russian", "a.py", "def \u043f\u0440\u0438\u0432\u0435\u0442(\u0438\u043c\u044f): ...\n"),
    ("a document in a binary format", "logo.ai", "%PDF-1.5\n\x01\x02\u200b\u202e\udce2\n"),
    ("a picture", "logo.dat", "\udc89PNG\n\x1a\u200b\n"),
    ("the sign of information as a picture", "a.py", 'x = "\u2139\ufe0f read this"\n'),
    ("a network that is called by a sign", "a.json", '{"name": "\U0001d54f"}\n'),
    ("a test named in Russian", "a.py", "def test_\u0441\u043b\u043e\u0436\u0435\u043d\u0438\u0435(): ...\n"),
    (
        "a Latin verb and a Russian noun",
        "a.js",
        "function get\u041f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b\u044c() {}\n",
    ),
    ("formulas", "a.py", "\u0394t = \u03b1_max * \u03c3_x + \u03c0 * d\u03b8 + \u03bcs\n"),
    ("a name in Japanese and Latin", "a.ts", "const id\u540d\u524d = 1; const \u30e6\u30fc\u30b6\u30fcID = 2\n"),
    ("umlauts", "a.py", "gr\u00f6\u00dfe = 1\nna\u00efve = 2\n"),
    ("Vietnamese", "a.js", "const ti\u1ebfng_Vi\u1ec7t = 1\n"),
    ("Turkish", "a.py", "say\u0131 = 1\n"),
    (
        "Russian prose with an inflected name",
        "a.py",
        '# \u0434\u043b\u044f URL\u0430\nx = "\u0434\u043b\u044f URL\u0430"\n',
    ),
    ("Korean", "a.py", 'x = "\uc548\ub155\ud558\uc138\uc694"\n\uac12 = 1\n'),
    ("typographic quotes and dashes", "a.md", "\u201cyes\u201d \u2013 no\u2026 \u00a0\n"),
    ("an escape for the character", "a.py", 'RLO = "\\u202e"\n'),
    ("icons of a private area", "a.lua", 'x = "\ue0b0 \uf121"\n'),
]


@pytest.mark.parametrize(("path", "text"), [row[1:] for row in FINE], ids=[row[0] for row in FINE])
def test_it_is_left_alone(path, text):
    assert found(path, text) == []


@pytest.mark.parametrize(
    ("word", "read"),
    [("p\u0430yp\u0430l", "paypal"), ("\u0430dmin", "admin"), ("\uff45val", "eval"), ("sc\u03bfpe", "scope")],
)
def test_a_disguise_is_seen_through(word, read):
    assert passes_for_latin(word)
    assert skeleton(word) == read


def test_a_line_is_told_once():
    (finding,) = run_check(
        CHECK, source_of("a.py", "x = '\u200ba\u200bb\u200b'\n"), defaults(), Deadline.never()
    ).findings
    assert (finding.span.line, finding.span.column) == (1, 6)
    assert "U+200B" in finding.message
    assert finding.message.isprintable()


def test_a_line_full_of_them_is_told_once_and_soon():
    told = found("a.md", "a\u200b" * 60_000 + "\n")
    assert told == [("invisible-character", Severity.WARNING)]


def test_code_is_judged_as_code_whatever_it_begins_with():
    assert found("a.js", "GIF89a = 1; /*\x01\udcff*/ const a\u200bb = 2;\n")
