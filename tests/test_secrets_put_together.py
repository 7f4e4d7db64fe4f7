"""A token that a program puts together from literals is found as what it comes to; ordinary code like it passes."""

from __future__ import annotations

import codecs

import pytest

from secret_samples import made_from
from vetgate.checks.secrets import CHECK
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check, source_of
from vetgate.source.clock import Deadline
from vetgate.source.text import decode, link_text

KEY = "AK" + made_from("IA[A-Z2-7]{16}", 3)
A, B = KEY[:7], KEY[7:]
WITH_X = KEY[:9] + "X" + KEY[9:]
DASHED = "-".join(KEY)


def found(path: str, text: str):
    return run_check(CHECK, source_of(path, text), defaults(), Deadline.never()).findings


PUT_TOGETHER = {
    "+= in Python": ("a.py", f'k = "{A}"\nk += "{B}"\n'),
    "+= of a name that others use": (
        "a.py",
        f'def f():\n    k = "zzz"\n\n\ndef g():\n    k = ""\n    k += "{A}"\n    k += "{B}"\n',
    ),
    "%": ("a.py", f'k = "{A}%s" % "{B}"\n'),
    "% with a tuple": ("a.py", f'k = "%s%s" % ("{A}", "{B}")\n'),
    "format": ("a.py", f'k = "{{}}{{}}".format("{A}", "{B}")\n'),
    "format by numbers and names": ("a.py", f'k = "{{0}}{{b}}".format("{A}", b="{B}")\n'),
    "an f-string with a name": ("a.py", f'p = "{A}"\nk = f"{{p}}{B}"\n'),
    "an f-string with a literal": ("a.py", f"k = f\"{A}{{'{B}'}}\"\n"),
    "replace": ("a.py", f'k = "{WITH_X}".replace("X", "")\n'),
    "a sum turned around": ("a.py", f'k = ("{B[::-1]}" + "{A[::-1]}")[::-1]\n'),
    "joined, then replaced": ("a.py", f'k = "-".join(["{A}", "{B}"]).replace("-", "")\n'),
    "split and joined": ("a.py", f'k = "".join("{DASHED}".split("-"))\n'),
    "appended": ("a.py", f'p = []\np.append("{A}")\np.append("{B}")\nk = "".join(p)\n'),
    "another case": ("a.py", f'k = "{KEY.lower()}".upper()\n'),
    "+= in JavaScript": ("a.js", f'let k = "{A}"; k += "{B}";\n'),
    "a template with a literal": ("a.js", f'const k = `{A}${{"{B}"}}`;\n'),
    "a template with a name": ("a.ts", f'const p = "{A}";\nconst k = `${{p}}{B}`;\n'),
    "concat": ("a.js", f'const k = "{A}".concat("{B}");\n'),
    "replace by an expression": ("a.js", f'const k = "{WITH_X}".replace(/X/g, "");\n'),
    "split and joined in JavaScript": ("a.js", f'const k = "{DASHED}".split("-").join("");\n'),
    "pushed": ("a.js", f'const p = []; p.push("{A}"); p.push("{B}");\n'),
    "+= in Go": ("a.go", f'package a\n\nfunc f() {{ s := "{A}"; s += "{B}" }}\n'),
    "Sprintf": ("a.go", f'package a\n\nvar k = fmt.Sprintf("%s%s", "{A}", "{B}")\n'),
    "strings.Replace": ("a.go", f'package a\n\nvar k = strings.Replace("{WITH_X}", "X", "", -1)\n'),
    "strings.Join": ("a.go", f'package a\n\nvar k = strings.Join([]string{{"{A}", "{B}"}}, "")\n'),
    "+= in Java": ("A.java", f'class A {{ void f() {{ String s = "{A}"; s += "{B}"; }} }}\n'),
    "String.format": ("A.java", f'class A {{ String s = String.format("%s%s", "{A}", "{B}"); }}\n'),
    "a builder": ("A.java", f'class A {{ String s = new StringBuilder().append("{A}").append("{B}").toString(); }}\n'),
    "String.join": ("A.java", f'class A {{ String s = String.join("", "{A}", "{B}"); }}\n'),
    "+= in Rust": ("a.rs", f'fn f() {{ let mut s = String::from("{A}"); s += "{B}"; }}\n'),
    "format!": ("a.rs", f'fn f() {{ let s = format!("{{}}{{}}", "{A}", "{B}"); }}\n'),
    "concat!": ("a.rs", f'fn f() {{ let s = concat!("{A}", "{B}"); }}\n'),
    "replace in Rust": ("a.rs", f'fn f() {{ let s = "{WITH_X}".replace("X", ""); }}\n'),
    "+= in C#": ("a.cs", f'class A {{ void f() {{ var s = "{A}"; s += "{B}"; }} }}\n'),
    "string.Format": ("a.cs", f'class A {{ string s = string.Format("{{0}}{{1}}", "{A}", "{B}"); }}\n'),
    "string.Concat": ("a.cs", f'class A {{ string s = string.Concat("{A}", "{B}"); }}\n'),
    ".= in PHP": ("a.php", f'<?php $a = "{A}"; $a .= "{B}";\n'),
    "sprintf": ("a.php", f'<?php $a = sprintf("%s%s", "{A}", "{B}");\n'),
    "str_replace": ("a.php", f'<?php $a = str_replace("X", "", "{WITH_X}");\n'),
    "implode": ("a.php", f'<?php $a = implode("", ["{A}", "{B}"]);\n'),
    "<< in Ruby": ("a.rb", f'a = "{A}"\na << "{B}"\n'),
    "format in Ruby": ("a.rb", f'a = format("%s%s", "{A}", "{B}")\n'),
    "% in Ruby": ("a.rb", f'a = "{A}%s" % "{B}"\n'),
    "gsub": ("a.rb", f'a = "{WITH_X}".gsub("X", "")\n'),
    "delete": ("a.rb", f'a = "{WITH_X}".delete("X")\n'),
    "JSON with escapes": ("a.json", '{"k": "\\u0041' + KEY[1:] + '"}'),
    "YAML with escapes": ("a.yaml", 'k: "\\x41' + KEY[1:] + '"\n'),
    "shell, empty quotes": ("a.sh", f"k={KEY[:3]}''{KEY[3:]}\n"),
    "shell, a quoted part": ("a.sh", f'k={KEY[:3]}"{KEY[3:]}"\n'),
    "shell, a backslash": ("a.sh", f"k={KEY[:3]}\\{KEY[3:]}\n"),
    "shell, escapes": ("a.sh", f"k=$'\\x41'{KEY[1:]}\n"),
    "shell, octal": ("a.sh", f"k=$'\\101'{KEY[1:]}\n"),
    "a line that goes on in .env": (".env.prod", f"k={A}\\\n{B}\n"),
    "a line that goes on in properties": ("a.properties", f"k={A}\\\n    {B}\n"),
    "a line that goes on in TOML": ("a.toml", f'k = """{A}\\\n    {B}"""\n'),
    "a line that goes on in YAML": ("a.yaml", f'k: "{A}\\\n    {B}"\n'),
    "a folded block in YAML": ("a.yaml", f"k: >-\n  {A}\n  {B}\n"),
    "C": ("a.c", f'char *k = "{A}"\n    "{B}";\n'),
    "Kotlin": ("a.kt", f'val k = "{A}" + "{B}"\n'),
    "Lua": ("a.lua", f'k = "{A}" .. "{B}"\n'),
    "Terraform": ("a.tf", f'k = join("", ["{A}", "{B}"])\n'),
    "variables of a shell": ("a.sh", f"A={A}\nB={B}\nexport K=$A${{B}}\n"),
    "a variable that grows": ("a.sh", f"k={A}\nk+={B}\n"),
    "variables of an environment": ("a.env", f"A={A}\nK=${{A}}{B}\n"),
    "octal in Python": ("a.py", f"k = '\\101{KEY[1:]}'\n"),
    "a wide escape": ("a.py", f"k = '\\U00000041{KEY[1:]}'\n"),
    "numbers": ("a.py", f"k = bytes({list(KEY.encode())}).decode()\n"),
    "numbers in JavaScript": ("a.js", f"const k = String.fromCharCode({', '.join(str(ord(each)) for each in KEY)});\n"),
    "a tuple": ("a.py", f'a, b = "{A}", "{B}"\nk = a + b\n'),
    "values of a map": ("a.js", f'const o = {{ a: "{A}", b: "{B}" }};\nconst k = o.a + o.b;\n'),
    "a format by a map": ("a.py", f"k = '%(a)s%(b)s' % {{'a': '{A}', 'b': '{B}'}}\n"),
    "arguments by name": ("a.py", f"k = Template('$a$b').substitute(a='{A}', b='{B}')\n"),
    "an attribute": ("a.py", f"class C:\n    a = '{A}'\n\n\nk = C.a + '{B}'\n"),
    "defaults": ("a.py", f"def f(a='{A}', b='{B}'):\n    return a + b\n"),
    "rot13": ("a.py", f"k = codecs.decode('{codecs.encode(KEY, 'rot13')}', 'rot13')\n"),
    "zipped halves": ("a.py", f"k = ''.join(a + b for a, b in zip('{KEY[::2]}', '{KEY[1::2]}'))\n"),
    "zipped halves of a list": ("a.py", f"k = ''.join([f'{{a}}{{b}}' for a, b in zip('{KEY[::2]}', '{KEY[1::2]}')])\n"),
    "zipped by map": ("a.py", f"k = ''.join(map(''.join, zip('{KEY[::2]}', '{KEY[1::2]}')))\n"),
    "zipped and chained": ("a.py", f"k = ''.join(chain.from_iterable(zip('{KEY[::2]}', '{KEY[1::2]}')))\n"),
    "zipped, each letter": ("a.py", f"k = ''.join(c for p in zip('{KEY[::2]}', '{KEY[1::2]}') for c in p)\n"),
    "what a function returns": ("a.py", f"def head():\n    return '{A}'\n\n\nk = head() + '{B}'\n"),
    "what two functions return": (
        "a.py",
        f"def one():\n    return '{A}'\n\n\ndef two():\n    return '{B}'\n\n\nk = one() + two()\n",
    ),
    "a function within a text": ("a.py", f"def head():\n    return '{A}'\n\n\nk = f'{{head()}}{B}'\n"),
    "a lambda": ("a.py", f"head = lambda: '{A}'\nk = head() + '{B}'\n"),
    "a method": ("a.ts", f"class C {{ head() {{ return '{A}'; }} k() {{ return this.head() + '{B}'; }} }}\n"),
    "an arrow function": ("a.js", f"const head = () => '{A}';\nconst k = head() + '{B}';\n"),
    "a function of Go": ("a.go", f'package a\n\nfunc head() string {{ return "{A}" }}\n\nvar k = head() + "{B}"\n'),
    "a choice": ("a.py", f"k = ('{A}' if True else '') + '{B}'\n"),
    "the other choice": ("a.py", f"k = ('' if DEBUG else '{A}') + '{B}'\n"),
    "a choice in JavaScript": ("a.js", f"const k = (prod ? '{A}' : '') + '{B}';\n"),
    "one or the other": ("a.py", f"k = ('{A}' or '') + '{B}'\n"),
    "named where it stands": ("a.py", f"k = (x := '{A}') + '{B}'\n"),
    "both named where they stand": ("a.py", f"k = (x := '{A}') + (y := '{B}')\n"),
    "assigned where it stands": ("a.js", f"let x; const k = (x = '{A}') + '{B}';\n"),
    "printf in a shell": ("a.sh", f"K=$(printf %s%s {A} {B})\n"),
    "printf into a variable": ("a.sh", f'printf -v K \'%s%s\' "{A}" "{B}"\n'),
    "printf of variables": ("a.sh", f"a={A}\nprintf '%s%s\\n' \"$a\" {B} > token\n"),
    "echoed in a shell": ("a.sh", f"K=$(echo -n {A})$(echo {B})\n"),
    "a link": ("token", link_text(KEY)),
    "UTF-16 in a line": ("a.cfg", decode(f"k={KEY}\n".encode("utf-16-le"))),
}


@pytest.mark.parametrize(("path", "text"), PUT_TOGETHER.values(), ids=PUT_TOGETHER)
def test_a_token_that_is_put_together_is_found_once_and_not_repeated(path, text):
    findings = found(path, text)
    assert {each.rule for each in findings} == {"vendor-token"}
    assert KEY not in repr(findings)


COOKIES = ["utf-7", "unicode_escape", "raw-unicode-escape", "rot13", "hz", "iso2022_jp", "punycode", "no_such_codec"]


@pytest.mark.parametrize("name", COOKIES)
def test_python_that_is_read_as_other_letters_is_a_finding(name):
    for head in (f"# -*- coding: {name} -*-\n", f"#!/usr/bin/python\n# vim: set fileencoding={name} :\n"):
        (finding,) = found("a.py", f"{head}x = 1\n")
        assert (finding.rule, finding.severity.name) == ("unreadable-encoding", "ERROR")
    assert [each.rule for each in found("tool", f"#!/usr/bin/env python3\n# coding={name}\n")] == [
        "unreadable-encoding"
    ]


HARMLESS = {
    "UTF-8": ("a.py", "# -*- coding: utf-8 -*-\nx = 1\n"),
    "UTF-8 as an editor writes it": ("a.py", "# -*- coding: utf-8-unix -*-\nx = 1\n"),
    "Latin-1": ("a.py", "# coding: iso-8859-15\nx = 1\n"),
    "Japanese": ("a.py", "# coding: shift_jis\nx = 1\n"),
    "a comment further down": ("a.py", "x = 1\ny = 2\n# coding: utf-7\n"),
    "the same words in another language": ("a.rb", "# encoding: utf-7\nx = 1\n"),
    "a name that grows": ("a.py", 'query = "SELECT *"\nquery += " FROM t"\nquery += " WHERE a = 1"\n'),
    "a format": ("a.py", 'url = "https://{}/{}".format("example.com", "token-service-for-everybody")\n'),
    "a format of paths": ("a.js", "const p = `${root}/${'node_modules'}/tool`;\n"),
    "a table of numbers": ("a.py", f"TABLE = {list(range(32, 127))}\n"),
    "a map": ("a.js", "const headers = { accept: 'application/json', agent: 'curl/8.0', etag: 'W/abc' };\n"),
    "variables": ("a.sh", "DIR=/usr/local\nBIN=$DIR/bin\nPATH=$BIN:$PATH\necho $DIR$BIN\n"),
    "a replacement": ("a.py", 'name = "AKIA-like-names".replace("-", "_")\n'),
    "quotes in a script": ("a.sh", "echo 'it'\"'\"'s done' && grep \"AKIA\" file''name\n"),
    "a choice of texts": ("a.py", 'name = ("production" if LIVE else "staging") + "-credentials-of-the-service"\n'),
    "functions that return texts": (
        "a.py",
        'def base():\n    return "https://x.io/"\n\n\nurl = base() + "api_token_list"\n',
    ),
    "pairs": ("a.py", 'names = ",".join(a + b for a, b in zip("ABCDEFGHIJ", "KLMNOPQRST"))\n'),
    "printed texts": ("a.sh", 'NAME=$(printf %s%s app "-$VERSION")\nOUT=$(echo build)/$(printf "%s" "$NAME")\n'),
    "lines that go on": ("Makefile", "FILES = a.c \\\n    b.c \\\n    c.c\n"),
    "escapes in JSON": ("a.json", '{"greeting": "caf\\u00e9 \\u0041nd more words of it"}'),
    "a folded block": ("a.yaml", "text: >-\n  words that go on\n  for several lines\n"),
}


@pytest.mark.parametrize(("path", "text"), HARMLESS.values(), ids=HARMLESS)
def test_what_looks_like_it_passes(path, text):
    assert not found(path, text)


USED_AGAIN = {
    "a shell's variable": ("a.sh", f'k=\'{KEY}\'\nupload "$k"\ncurl -u "$k:" https://api.acme.io\n'),
    "an f-string": ("a.py", f'k = "{KEY}"\nurl = f"https://acme.io/{{k}}"\n'),
}


@pytest.mark.parametrize(("path", "text"), USED_AGAIN.values(), ids=USED_AGAIN)
def test_a_key_is_reported_where_it_is_written_and_not_again_where_it_is_used(path, text):
    assert [each.span.line for each in found(path, text)] == [1]
