"""A file nobody accepted can tighten and never loosen, whatever it says."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vetgate.config.keys import COMMANDS_ONLY, EVENTS, JUDGES_ONLY, SEVERITIES
from vetgate.config.load import defaults, loaded
from vetgate.config.stricter import narrower, tighten
from vetgate.failure import STRICTNESS
from vetgate.model import ACTIONS, EventKind
from vetgate.severity import Severity

# Where gates of checks do not stand.
_OTHERS = COMMANDS_ONLY | JUDGES_ONLY | {EventKind.SHIP}
OWN = {
    **dict.fromkeys(name for gate in defaults().gates.values() for name in gate.checks),
    "complexity/cyclomatic": Severity.ERROR,
    "complexity/nesting": Severity.WARNING,
    "secrets": None,
    "secrets/token": Severity.CRITICAL,
}
PATHS = ["a.py", "src/a.py", "gen/a.py", "tests/a.py", "dist/a.js", "x/dist/keep/a.js", "/outside/a.py"]


def config(content: str):
    return loaded(f"version: 1\n{content}".encode(), OWN, None).config


LOOSER = {
    "a higher limit": ("complexity: {cyclomatic: 30}", "complexity.cyclomatic 30 is looser than 10"),
    "a higher bar": ("gates: {code: {block_at: critical}}", "gates.code.block_at critical is looser than error"),
    "a check left out": (
        "gates: {code: {checks: [complexity/nesting]}}",
        f"gates.code.checks leaves out {', '.join(defaults().gates['code'].checks)}",
    ),
    "a gate that does not listen": ("on: {before_edit: []}", "on.before_edit leaves out code"),
    "approval without a prompt": (
        "gates: {code: {approve: true}}",
        "gates.code.approve true skips your permission prompt",
    ),
    "everything off": ("enabled: false", "enabled false turns the gates off"),
    "more left out": ("paths: {exclude: [src/**]}", "paths.exclude leaves more files out (src/**)"),
    "less looked at": ("paths: {include: [src/**]}", "paths.include leaves files out (**)"),
    "more called tests": ("paths: {tests: [src/**]}", "paths.tests makes more files tests (src/**)"),
    "a rule off": ("rules: {complexity/nesting: off}", "rules.complexity/nesting off is looser than warning"),
    "a check off": ("rules: {complexity: off}", "rules.complexity off is looser than error"),
    "a kind of token allowed": ("secrets: {allow: [zapier-webhook]}", "secrets.allow lets zapier-webhook pass"),
    "only what looks random": ("secrets: {entropy: high}", "secrets.entropy high is looser than normal"),
    "functions less alike": ("duplicates: {similarity: 0.95}", "duplicates.similarity 0.95 is looser than 0.85"),
    "a rule lowered": ("rules: {secrets/token: error}", "rules.secrets/token error is looser than critical"),
}


@pytest.mark.parametrize(("content", "expected"), LOOSER.values(), ids=LOOSER)
def test_what_loosens_is_ignored_and_named(content, expected):
    result = tighten(defaults(), config(content), OWN)
    assert expected in result.ignored
    assert _looser(defaults(), result.config) == []


def test_what_a_stricter_base_says_is_kept():
    base = config("gates: {code: {scope: file, on_error: closed}}\nrules: {complexity: critical}\n")
    result = tighten(base, defaults(), OWN)
    assert result.ignored == (
        "gates.code.scope new is looser than file",
        "gates.code.on_error open is looser than closed",
        "rules.complexity/cyclomatic was critical",
        "rules.complexity/nesting was critical",
    )
    assert (result.config.gates["code"].scope, result.config.gates["code"].on_error) == ("file", "closed")


TIGHTER = {
    "a lower limit": ("complexity: {cyclomatic: 5}", lambda c: c.options["complexity.cyclomatic"] == 5),
    "a lower bar": ("gates: {code: {block_at: note}}", lambda c: c.gates["code"].block_at == Severity.NOTE),
    "the whole file": ("gates: {code: {scope: file}}", lambda c: c.gates["code"].scope == "file"),
    "a stricter direction": ("gates: {code: {on_error: ask}}", lambda c: c.gates["code"].on_error == "ask"),
    "shorter functions": ("duplicates: {block: 80}", lambda c: c.options["duplicates.block"] == 80),
    "more than what looks random": ("secrets: {entropy: low}", lambda c: c.options["secrets.entropy"] == "low"),
    "one more check": (
        f"gates: {{code: {{checks: [{', '.join((*defaults().gates['code'].checks, 'complexity/nesting'))}]}}}}",
        lambda c: "complexity/nesting" in c.gates["code"].checks,
    ),
    "one more gate": (
        "gates: {mine: {checks: [secrets]}}\non: {before_edit: [code, mine]}",
        lambda c: c.on[EVENTS[0]] == ("code", "mine") and c.gates["mine"].checks == ("secrets",),
    ),
    "files taken back": ('paths: {exclude: ["!**/dist/**"]}', lambda c: c.paths.checks("dist/a.js")),
    "tests taken back": ('paths: {tests: ["!tests/**"]}', lambda c: not c.paths.is_test("tests/a.py")),
    "a rule raised": ("rules: {complexity/nesting: error}", lambda c: c.rules["complexity/nesting"] == Severity.ERROR),
    "a check raised": (
        "rules: {complexity: error}",
        lambda c: c.rules == {"complexity/cyclomatic": Severity.ERROR, "complexity/nesting": Severity.ERROR},
    ),
}


@pytest.mark.parametrize(("content", "effect"), TIGHTER.values(), ids=TIGHTER)
def test_what_tightens_is_taken(content, effect):
    result = tighten(defaults(), config(content), OWN)
    assert result.ignored == ()
    assert effect(result.config)
    assert not effect(defaults()) if "mine" not in content and "rules" not in content else True
    assert result.config.digest != defaults().digest


def test_without_the_rules_own_severities_only_the_highest_is_surely_stricter():
    result = tighten(defaults(), config("rules: {complexity: error, secrets: critical}"), frozenset(OWN))
    assert result.config.rules == {"secrets": Severity.CRITICAL}
    assert result.ignored == ("rules.complexity error is looser than its own severity",)


def test_what_is_neither_looser_nor_stricter_is_taken():
    result = tighten(defaults(), config("log_level: debug\ndaemon: off\noutput: {snippets: false}\n"), OWN)
    assert (result.config.log_level, result.config.daemon, result.config.output.snippets) == ("debug", "off", False)
    assert result.ignored == ()


GLOB_LISTS = {
    "the same": (["a", "!b"], ["a", "!b"], True),
    "fewer": (["a"], ["a", "c"], True),
    "more": (["a", "c"], ["a"], False),
    "one more taken back": (["a", "!a/x"], ["a"], True),
    "one less taken back": (["a"], ["a", "!a/x"], False),
    "another order": (["!a/x", "a"], ["a", "!a/x"], False),
    "nothing": ([], ["a"], True),
}


@pytest.mark.parametrize(("one", "other", "expected"), GLOB_LISTS.values(), ids=GLOB_LISTS)
def test_lists_of_globs_compare_by_form(one, other, expected):
    assert narrower(tuple(one), tuple(other)) is expected


globs = st.lists(
    st.sampled_from(["src/**", "gen/**", "**/dist/**", "!**/dist/**", "!**/dist/keep/**", "!src/a.py", "**", "*.py"]),
    max_size=4,
    unique=True,
)
checks = st.lists(st.sampled_from(sorted(OWN)), min_size=1, max_size=3, unique=True)
gate = st.fixed_dictionaries(
    {"checks": checks},
    optional={
        "block_at": st.sampled_from(SEVERITIES),
        "scope": st.sampled_from(["new", "file"]),
        "on_error": st.sampled_from(STRICTNESS),
        "on_fail": st.sampled_from(ACTIONS),
        "approve": st.booleans(),
    },
)
limits = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(["cyclomatic", "cognitive", "nesting", "length", "parameters"], st.integers(1, 60))
)


@st.composite
def configs(draw):
    gates = draw(st.dictionaries(st.sampled_from(["code", "mine", "other"]), gate))
    names = st.lists(st.sampled_from(sorted({"code", *gates})), max_size=2, unique=True)
    content = {
        "version": 1,
        "enabled": draw(st.booleans()),
        "paths": {"include": draw(globs) or ["**"], "exclude": draw(globs), "tests": draw(globs)},
        "gates": gates,
        "on": draw(st.dictionaries(st.sampled_from([str(event) for event in EVENTS if event not in _OTHERS]), names)),
        "complexity": draw(limits),
        "rules": draw(st.dictionaries(st.sampled_from(sorted(OWN)), st.sampled_from(["off", *SEVERITIES]))),
    }
    return loaded(json.dumps(content).encode(), OWN, None).config


def _severity(config, rule):
    return config.rules.get(rule, config.rules.get(rule.partition("/")[0], OWN[rule])) or 0


def _looser(base, other):
    """Every way in which `other` lets something pass that `base` does not: what it means, not how it is written."""
    ways = [key for key, value in base.options.items() if key.startswith("complexity.") and other.options[key] > value]
    ways += ["enabled"] * (base.enabled and not other.enabled)
    ways += [path for path in PATHS if base.paths.checks(path) and not other.paths.checks(path)]
    ways += [f"test {path}" for path in PATHS if other.paths.is_test(path) and not base.paths.is_test(path)]
    ways += [rule for rule in OWN if "/" in rule and _severity(other, rule) < _severity(base, rule)]
    ways += [f"{event} {name}" for event in EVENTS for name in base.on[event] if name not in other.on[event]]
    ways += [f"approve {name}" for name, each in other.gates.items() if each.approve and not _approves(base, name)]
    for name, was in base.gates.items():
        now = other.gates[name]
        ways += [f"{name} checks"] * (not set(was.checks) <= set(now.checks))
        ways += [f"{name} block_at"] * (now.block_at > was.block_at)
        ways += [f"{name} on_fail"] * (ACTIONS.index(now.on_fail) < ACTIONS.index(was.on_fail))
        ways += [f"{name} scope"] * (was.scope == "file" and now.scope != "file")
        directions = [STRICTNESS.index(each.on_error or "open") for each in (was, now)]
        ways += [f"{name} on_error"] * (directions[1] < directions[0])
    return ways


def _approves(base, name):
    return name in base.gates and base.gates[name].approve


@settings(max_examples=100, deadline=None)
@given(configs(), configs(), st.sampled_from([OWN, frozenset(OWN), None]))
def test_the_result_is_never_looser_than_the_base(base, file, known):
    result = tighten(base, file, known)
    assert _looser(base, result.config) == []


@settings(max_examples=60, deadline=None)
@given(configs(), configs())
def test_what_was_taken_once_is_taken_again_without_a_word(base, file):
    result = tighten(base, file, OWN)
    again = tighten(base, result.config, OWN)
    assert again.ignored == ()
    assert again.config == result.config


@settings(max_examples=60, deadline=None)
@given(configs(), configs())
def test_a_file_that_loosens_is_named(base, file):
    # A gate that the file does not know stays as it is: it can be unused, not undefined.
    if _looser(base, replace(file, gates={**base.gates, **file.gates})):
        assert tighten(base, file, OWN).ignored
