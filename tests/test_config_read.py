"""Broken and odd files: each problem with its place, and never anything but a UserError."""

from __future__ import annotations

import contextlib
import json
import warnings

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vetgate.config.load import defaults, loaded
from vetgate.config.node import MOST_BYTES, read
from vetgate.model import UserError

KNOWN = frozenset(
    {
        *(name for gate in defaults().gates.values() for name in gate.checks),
        "complexity/nesting",
        "complexity/cyclomatic",
    }
)


def message(text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(UserError) as caught:
        loaded(data, KNOWN, None)
    return caught.value.message


BROKEN = {
    "a misspelt key at the top": (
        "version: 1\ncomplexty: {}\n",
        '2:1: complexty: unknown key; did you mean "complexity"?',
    ),
    "a misspelt key inside": (
        "version: 1\ncomplexity:\n  cyclomattic: 3\n",
        '3:3: complexity.cyclomattic: unknown key; did you mean "cyclomatic"?',
    ),
    "a key nothing is like": ("version: 1\nzzz: 1\n", "2:1: zzz: unknown key"),
    "a merge key": ("version: 1\n<<: {}\n", "2:1: <<: unknown key"),
    "a key of a later version": ("version: 1\ntelemetry: {}\n", "2:1: telemetry: not in this version"),
    "an event of a later version": (
        "version: 1\non: {session_end: [code]}\n",
        "2:6: on.session_end: not in this version",
    ),
    "a judge beside checks": (
        "version: 1\ngates: {t: {judge: intent, checks: [complexity]}}\n",
        "gates.t.judge: is set together with checks",
    ),
    "checks where only judges are asked": (
        "version: 1\non: {before_tool: [code]}\n",
        'on.before_tool[0]: the gate "code" runs no judge, and here only judges are asked',
    ),
    "a number that is text": (
        "version: 1\ncomplexity: {nesting: four}\n",
        '2:23: complexity.nesting: must be a whole number from 0 to 1000, not "four"',
    ),
    "a number below its range": ("version: 1\ncomplexity: {cyclomatic: 0}\n", "2:26: complexity.cyclomatic: must be"),
    "a fraction": ("version: 1\ncomplexity: {length: 1.5}\n", "2:22: complexity.length: must be a whole number"),
    "true for a number": (
        "version: 1\ncomplexity: {length: true}\n",
        "2:22: complexity.length: must be a whole number",
    ),
    "a number too long to convert": (
        f"version: 1\ncomplexity: {{length: {'9' * 5000}}}\n",
        "2:22: complexity.length: must be a whole number",
    ),
    "a word that is no choice": (
        "version: 1\ngates: {code: {block_at: eror}}\n",
        '2:26: gates.code.block_at: must be note, warning, error or critical, not "eror"; did you mean "error"?',
    ),
    "false for off": ("version: 1\nrules: {complexity: false}\n", "2:21: rules.complexity: must be off, note"),
    "yes is text": ("version: 1\nenabled: yes\n", '2:10: enabled: must be true or false, not "yes"'),
    "text for a list": (
        "version: 1\nextends: strict\n",
        '2:10: extends: must be a list, not "strict"; write it as ["strict"]',
    ),
    "a glob for a list": (
        'version: 1\npaths: {exclude: "**/gen/**"}\n',
        '2:18: paths.exclude: must be a list, not "**/gen/**"; write it as ["**/gen/**"]',
    ),
    "a rule by its last name": (
        "version: 1\nrules: {nesting: error}\n",
        '2:9: rules.nesting: unknown check "nesting"; did you mean "complexity/nesting"?',
    ),
    "a list for a mapping": ("version: 1\ngates: []\n", "2:8: gates: must be a mapping, not a list"),
    "a key without a value": ("version: 1\npaths:\n", "2:7: paths: must be a mapping, not nothing"),
    "an unknown preset": (
        "version: 1\nextends: [strct]\n",
        '2:11: extends[0]: unknown preset "strct"; did you mean "strict"?',
    ),
    "an empty extends": ("version: 1\nextends: []\n", "2:10: extends: must not be empty"),
    "no version": ("enabled: true\n", "1:1: version: is missing; add `version: 1`"),
    "another version": ("version: 2\n", "1:10: version: must be 1"),
    "version true": ("version: true\n", "1:10: version: must be 1"),
    "a gate that is not defined": (
        "version: 1\non:\n  before_edit: [cod]\n",
        '3:17: on.before_edit[0]: there is no gate "cod"; did you mean "code"?',
    ),
    "a gate listed twice": (
        "version: 1\non: {stop: [code, code]}\n",
        '2:19: on.stop[1]: the gate "code" is listed twice',
    ),
    "a gate without anything to run": (
        "version: 1\ngates:\n  mine: {scope: file}\n",
        "3:3: gates.mine: has nothing to run",
    ),
    "a gate with an empty list": ("version: 1\ngates:\n  mine: {checks: []}\n", "3:18: gates.mine: has nothing to run"),
    "a gate called STOP": (
        "version: 1\ngates: {STOP: {checks: [complexity]}}\n",
        "2:9: gates.STOP: the name STOP is an action",
    ),
    "a gate called Continue": (
        "version: 1\ngates: {Continue: {checks: [complexity]}}\n",
        "2:9: gates.Continue: the name",
    ),
    "a gate's name with a space": (
        "version: 1\ngates: {a b: {checks: [complexity]}}\n",
        "2:9: gates.a b: the name must be",
    ),
    "an unknown check": (
        "version: 1\ngates: {code: {checks: [complexiti]}}\n",
        '2:25: gates.code.checks[0]: unknown check "complexiti"; did you mean "complexity"?',
    ),
    "an unknown rule": (
        "version: 1\nrules: {complexity/nestin: off}\n",
        '2:9: rules.complexity/nestin: unknown rule "complexity/nestin"; did you mean "complexity/nesting"?',
    ),
    "an empty glob": ('version: 1\npaths: {tests: [""]}\n', '2:17: paths.tests[0]: "" matches nothing'),
    "a glob that is a comment": ('version: 1\npaths: {tests: ["#x"]}\n', '2:17: paths.tests[0]: "#x" matches nothing'),
    "a glob that is none": ('version: 1\npaths: {tests: ["[z-a]"]}\n', '2:17: paths.tests[0]: "[z-a]" is not a glob'),
    "an unquoted star": ("version: 1\npaths: {exclude: [*.py]}\n", "2:20: not valid YAML"),
    "an unquoted alias": (
        "version: 1\npaths: {exclude: [*gen]}\n",
        "2:19: paths.exclude: nothing is called *gen here; put quotes",
    ),
    "a tag": ("version: !!int 1\n", "1:10: version: a YAML tag"),
    "a Python object": (
        "version: 1\nextends: !!python/object/apply:os.system [strict]\n",
        "2:10: extends: a YAML tag",
    ),
    "a key given twice": (
        "version: 1\nenabled: true\nenabled: false\n",
        "3:1: enabled: the key appears twice (first on line 2)",
    ),
    "a key given twice, inside": (
        "version: 1\ncomplexity: {nesting: 1, nesting: 2}\n",
        "2:26: complexity.nesting: the key appears twice",
    ),
    "a list as a key": ("version: 1\n? [a]\n: b\n", "2:3: a list or mapping cannot be a key"),
    "a tab": ("version: 1\npaths:\n\ttests: []\n", "3:1: a tab in the indentation; YAML wants spaces"),
    "two documents": ("version: 1\n---\nversion: 1\n", "2:1: a second document"),
    "a list at the top": ("- version: 1\n", "1:1: must be a mapping, not a list"),
    "a word at the top": ("hello\n", '1:1: must be a mapping, not "hello"'),
    "an empty file": ("", "1:1: the file is empty; it needs at least `version: 1`"),
    "only comments": ("# nothing\n", "1:1: the file is empty"),
    "a control character": ("version: 1\nlog_level: \x01\n", "2:12: a control character"),
    "not UTF-8": (b"version: 1\nlog_level: \xff\n", "2:12: byte 0xff is not UTF-8"),
    "UTF-16": ("version: 1".encode("utf-16"), "1:1: the file is UTF-16; save it as UTF-8"),
    "too large": ("version: 1\n#" + "x" * MOST_BYTES, "1:1: the file is larger than"),
    "too deep": ("version: " + "[" * 3000, "1:29: version: nested more than 20 deep"),
    "a list without end": (
        "version: 1\npaths: {tests: [" + "a, " * 501 + "]}\n",
        "2:16: paths.tests: has more than 500 entries",
    ),
    "an alias of itself": ("version: &a [*a]\n", "1:14: version: nothing is called *a here"),
    "not closed": ("version: [1\n", "2:1: not valid YAML: a comma or the closing ] is missing"),
    "a mapping not closed": ("complexity: {nesting: 1\n", "not valid YAML: a comma or the closing } is missing"),
    "a colon too many": ("version: 1: 2\n", "1:11: not valid YAML: a colon where none may be"),
    "a key without a colon": ("version: 1\nenabled\ndaemon: off\n", "not valid YAML: a key without a colon"),
    "a line too far in": ("version: 1\n  enabled: true\n", "not valid YAML: a colon where none may be"),
    "a line too far out": ("paths:\n  tests: []\n exclude: []\n", "not valid YAML: the indentation does not fit"),
    "a quote not closed": ('version: "1\n', "not valid YAML: a quote is not closed"),
    "an unknown escape": ('log_level: "\\q"\n', "not valid YAML: an unknown escape in double quotes"),
}


def test_a_wrong_key_and_its_wrong_value_are_told_at_once():
    told = message("version: 1\nrules: {nesting: eror}\n")
    assert told.startswith("2 problems")
    assert '2:9: rules.nesting: unknown check "nesting"; did you mean "complexity/nesting"?' in told
    assert '2:18: rules.nesting: must be off, note, warning, error or critical, not "eror"' in told


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_told_with_its_place(text, expected):
    told = message(text)
    assert "\n" not in told, "one problem is told once"
    assert told.startswith("vetgate.yaml:")
    assert expected in told


def test_all_problems_are_told_at_once_in_the_order_of_the_file():
    told = message(
        "version: 1\n"
        "log_levle: info\n"
        "complexity: {nesting: -1, length: x}\n"
        "gates: {mine: {}}\n"
        "on: {before_edit: [cod]}\n"
        "enabled: true\n"
        "enabled: true\n"
    )
    first, *lines = told.splitlines()
    assert first == "6 problems in the configuration"
    assert [line.strip().split(": ")[0] for line in lines] == [
        "vetgate.yaml:2:1",
        "vetgate.yaml:3:23",
        "vetgate.yaml:3:35",
        "vetgate.yaml:4:9",
        "vetgate.yaml:5:20",
        "vetgate.yaml:7:1",
    ]


def test_a_hundred_problems_are_cut_short():
    told = message("version: 1\n" + "".join(f"key{number}: 1\n" for number in range(100)))
    assert told.startswith("100 problems")
    assert told.endswith("and 80 more")


def test_a_problem_shows_no_more_of_a_value_than_is_needed():
    told = message("version: 1\nlog_level: " + "s" * 30 + "SECRET" * 20)
    assert told.count("SECRET") <= 2
    assert message('version: 1\nlog_level: "a\\e[2Jb"\n').isprintable()


def test_aliases_are_counted_in_full():
    doubling = "".join(f"k{n}: &a{n} [{f'*a{n - 1}, *a{n - 1}' if n else 'x, x'}]\n" for n in range(30))
    assert "more than 5000 values, aliases counted in full" in message(doubling)


ODD = {
    "a byte order mark": "\ufeffversion: 1\ncomplexity: {nesting: 9}\n".encode(),
    "Windows line ends": b"version: 1\r\ncomplexity:\r\n  nesting: 9\r\n",
    "old Mac line ends": b"version: 1\rcomplexity:\r  nesting: 9\r",
    "JSON": b'{"version": 1, "complexity": {"nesting": 9}}',
    "a document marker": b"---\nversion: 1\ncomplexity: {nesting: 9}\n...\n",
    "an alias": b"version: 1\ncomplexity: {nesting: &n 9, parameters: *n}\n",
    "no line end": b"version: 1\ncomplexity: {nesting: 0x9}",
    "a quoted key": b'"version": 1\n"complexity": {"nesting": 9}\n',
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_an_odd_file_is_read(data):
    assert loaded(data, KNOWN, None).config.options["complexity.nesting"] == 9


SCALARS = {
    "on": "on", "off": "off", "yes": "yes", "no": "no", "y": "y", "null": None, "~": None, "true": True, "FALSE": False,
    "12": 12, "-3": -3, "0o17": 15, "0x1F": 31, "017": 17, "1_000": "1_000", "1:30": "1:30", "1.5": 1.5, "1e3": 1000.0,
    "2024-01-01": "2024-01-01", '"12"': "12", "'true'": "true",
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SCALARS.items())
def test_words_mean_what_they_mean_in_yaml_1_2(text, value):
    tree, problems = read(f"key: {text}\n".encode(), "f")
    assert not problems
    found = tree.at("key").value
    assert (type(found), found) == (type(value), value)


WORDS = [
    *("version: 1", "gates:", "on:", "paths: {exclude: ['", "']}", "complexity", "extends: [", "rules: {", "off"),
    *(
        "  - ",
        "*a",
        "&a ",
        "!",
        "[",
        "]",
        "{",
        "}",
        "\n",
        "\t",
        "? ",
        ": ",
        "'",
        '"',
        "\\",
        "---\n",
        "...",
        "#",
        "<<: ",
    ),
]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map("".join), st.binary()))
@example("version: 1\nextends: ['\x00.yaml']")
def test_no_file_raises_anything_but_a_user_error(content):
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    with contextlib.suppress(UserError):
        loaded(data, KNOWN, None)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.text(alphabet="*?[]!\\-a/ .#&|~^", min_size=1, max_size=12), min_size=1, max_size=3),
    st.text(max_size=20),
)
def test_a_glob_that_was_accepted_can_be_matched(globs, path):
    text = json.dumps({"version": 1, "paths": {"include": globs, "exclude": globs, "tests": globs}})
    try:
        paths = loaded(text.encode(), KNOWN, None).config.paths
    except UserError:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert paths.checks(path) in {True, False}
        assert paths.is_test(path) in {True, False}
