"""Output of real tools, as they print it, read for places and for how tests went."""

from __future__ import annotations

import json

import pytest

from vetgate.gates.parse import detected, parsed
from vetgate.model import Gate
from vetgate.severity import Severity

PYTEST = """\
..F.s                                                                    [100%]
=================================== FAILURES ===================================
______________________________ TestSum.test_adds _______________________________

self = <test_sum.TestSum object at 0x7f>

    def test_adds(self):
>       assert add(1, 2) == 4
E       assert 3 == 4
E        +  where 3 = add(1, 2)

tests/test_sum.py:9: AssertionError
=========================== short test summary info ============================
FAILED tests/test_sum.py::TestSum::test_adds - assert 3 == 4
ERROR tests/test_more.py - ModuleNotFoundError: No module named 'nope'
==================== 1 failed, 3 passed, 1 skipped, 1 error in 0.12s ====================
"""
UNITTEST = """\
F.s
======================================================================
FAIL: test_adds (tests.test_sum.TestSum.test_adds)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/p/tests/test_sum.py", line 9, in test_adds
    self.assertEqual(add(1, 2), 4)
AssertionError: 3 != 4

----------------------------------------------------------------------
Ran 3 tests in 0.002s

FAILED (failures=1, skipped=1)
"""
JEST = """\
PASS src/other.test.js
FAIL src/sum.test.js
  \u25cf sum \u203a adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      3 | test('adds', () => {
    > 4 |   expect(sum(1, 2)).toBe(4);
        |                     ^

      at Object.<anonymous> (src/sum.test.js:4:21)

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 1 skipped, 2 passed, 4 total
Snapshots:   0 total
Time:        0.512 s, estimated 1 s
"""
VITEST = """\
 \u276f src/sum.test.ts (2 tests | 1 failed) 5ms
   \u00d7 sum > adds 3ms

\u23af\u23af\u23af\u23af\u23af\u23af\u23af Failed Tests 1 \u23af\u23af\u23af\u23af\u23af\u23af\u23af

 FAIL  src/sum.test.ts > sum > adds
AssertionError: expected 3 to be 4 // Object.is equality

- Expected
+ Received

 \u276f src/sum.test.ts:4:21

\u23af\u23af\u23af\u23af\u23af\u23af\u23af\u23af\u23af\u23af[1/1]\u23af

 Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 2 passed | 1 skipped (4)
   Start at  10:00:00
   Duration  312ms (transform 20ms)
"""
MOCHA = """\
  sum
    1) adds
    \u2714 ignores

  2 passing (5ms)
  1 pending
  1 failing

  1) sum
       adds:

      AssertionError [ERR_ASSERTION]: 3 == 4
      + expected - actual

      at Context.<anonymous> (test/sum.test.js:6:12)
      at process.processImmediate (node:internal/timers:476:21)
"""
GO = """\
--- FAIL: TestAdd (0.00s)
    add_test.go:8: got 3, want 4
FAIL
FAIL\texample.com/m\t0.002s
ok  \texample.com/n\t0.003s
"""
GO_BUILD = "# example.com/m\n./add.go:3:5: undefined: y\nFAIL\texample.com/m [build failed]\n"
CARGO = """\
running 2 tests
test tests::adds ... FAILED
test tests::other ... ok

failures:

---- tests::adds stdout ----
thread 'tests::adds' panicked at src/lib.rs:10:9:
assertion `left == right` failed
  left: 3
 right: 4
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace


failures:
    tests::adds

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
"""
RUSTC = "error[E0308]: mismatched types\n --> src/lib.rs:3:5\n  |\n3 |     1\n"
TSC = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n"
TSC_PRETTY = "src/a.ts:3:5 - error TS2322: Type 'string' is not assignable to type 'number'.\n"
MYPY = (
    'src/a.py:3: error: Incompatible return value type (got "str", expected "int")  [return-value]\n'
    "src/a.py:4: note: x\n"
)
ESLINT = (
    "\n/p/src/a.js\n  3:5   error    'x' is not defined  no-undef\n"
    "  4:1   warning  Odd thing           odd\n\n\u2716 2 problems\n"
)
RUFF = "src/a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n"
RUFF_FULL = "F401 [*] `os` imported but unused\n --> src/a.py:1:8\n  |\n1 | import os\n"
TAP = (
    "TAP version 14\n1..3\nok 1 - one\n"
    "not ok 2 - adds\n  ---\n  message: 'no good'\n  at: 'test/sum.js:7:3'\n  ...\nok 3 - x # SKIP later\n"
)
JUNIT = """\
<?xml version="1.0"?>
<testsuites><testsuite name="s" tests="3">
<testcase classname="a.B" name="adds" file="tests/b.py" line="9" time="0.1">
<failure message="3 != 4">stack</failure></testcase>
<testcase classname="a.B" name="ok" time="0.2"/><testcase classname="a.B" name="s" time="0"><skipped/></testcase>
</testsuite></testsuites>
"""
SARIF = json.dumps(
    {
        "runs": [
            {
                "results": [
                    {
                        "ruleId": "R1",
                        "level": "error",
                        "message": {"text": "No good."},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "src/a%20b.py"},
                                    "region": {"startLine": 3, "startColumn": 5},
                                }
                            }
                        ],
                    }
                ]
            }
        ]
    }
)

PLACES = {
    "pytest": (PYTEST, ("tests/test_sum.py", 9, "assert 3 == 4")),
    "unittest": (UNITTEST, ("tests/test_sum.py", 9, "AssertionError: 3 != 4")),
    "jest": (
        JEST,
        ("src/sum.test.js", 4, "expect(received).toBe(expected) // Object.is equality Expected: 4 Received: 3"),
    ),
    "vitest": (VITEST, ("src/sum.test.ts", 4, "AssertionError: expected 3 to be 4 // Object.is equality")),
    "mocha": (MOCHA, ("test/sum.test.js", 6, "AssertionError [ERR_ASSERTION]: 3 == 4")),
    "go": (GO, ("add_test.go", 8, "got 3, want 4")),
    "go build": (GO_BUILD, ("add.go", 3, "undefined: y")),
    "cargo": (CARGO, ("src/lib.rs", 10, "assertion `left == right` failed")),
    "cargo build": (RUSTC, ("src/lib.rs", 3, "mismatched types")),
    "tsc": (TSC, ("src/a.ts", 3, "Type 'string' is not assignable to type 'number'.")),
    "tsc pretty": (TSC_PRETTY, ("src/a.ts", 3, "Type 'string' is not assignable to type 'number'.")),
    "mypy": (MYPY, ("src/a.py", 3, 'Incompatible return value type (got "str", expected "int")')),
    "eslint": (ESLINT, ("src/a.js", 3, "'x' is not defined")),
    "ruff": (RUFF, ("src/a.py", 1, "`os` imported but unused")),
    "ruff full": (RUFF_FULL, ("src/a.py", 1, "`os` imported but unused")),
    "tap": (TAP, ("test/sum.js", 7, "no good")),
    "junit": (JUNIT, ("tests/b.py", 9, "3 != 4")),
    "sarif": (SARIF, ("src/a b.py", 3, "No good.")),
}  # fmt: skip


def read(text: str, **keys):
    return parsed(Gate("g", (), command="x", **keys), text, "/p")


@pytest.mark.parametrize(("name", "text", "expected"), [(n, *v) for n, v in PLACES.items()], ids=PLACES)
def test_the_first_place_that_a_tool_names(name, text, expected):
    assert detected(text) == name.split()[0], "it is known by its output"
    finding = read(text).findings[0]
    assert (finding.span.path, finding.span.line, finding.message) == expected
    assert read(text, parse=name.split()[0]).findings[0] == finding


RESULTS = {
    "pytest": (PYTEST, (3, 2, 1, 0.12), "TestSum::test_adds"),
    "unittest": (UNITTEST, (1, 1, 1, 0.002), "tests.test_sum.TestSum.test_adds"),
    "jest": (JEST, (2, 1, 1, 0.512), "sum \u203a adds"),
    "vitest": (VITEST, (2, 1, 1, 0.312), "sum > adds"),
    "mocha": (MOCHA, (2, 1, 1, 0.005), "sum adds"),
    "go": (GO, (0, 1, 0, 0.005), "TestAdd"),
    "cargo": (CARGO, (1, 1, 0, 0.01), "tests::adds"),
    "tap": (TAP, (1, 1, 1, None), "adds"),
    "junit": (JUNIT, (1, 1, 1, 0.3), "a.B.adds"),
}


@pytest.mark.parametrize(("name", "text", "counts", "failure"), [(n, *v) for n, v in RESULTS.items()], ids=RESULTS)
def test_how_the_tests_went(name, text, counts, failure):
    results = read(text).results
    assert results.framework == name
    assert (results.passed, results.failed, results.skipped, results.duration) == counts
    assert results.failures[0].name == failure


def test_a_failure_has_its_stack():
    assert "assert add(1, 2) == 4" in read(PYTEST).results.failures[0].stack
    assert "at Object.<anonymous>" in read(JEST).results.failures[0].stack


def test_warnings_are_warnings():
    assert [finding.severity for finding in read(ESLINT).findings] == [Severity.ERROR, Severity.WARNING]


def test_a_pattern_of_one_s_own():
    pattern = r"^(?P<path>[^@]+)@(?P<line>\d+) (?P<message>.+)$"
    findings = read("src/a.py@7 all wrong\nnothing here\n", pattern=pattern).findings
    assert [(each.span.path, each.span.line, each.message) for each in findings] == [("src/a.py", 7, "all wrong")]


def test_the_same_failure_has_the_same_fingerprint_in_the_next_run():
    later = PYTEST.replace("0.12s", "9.99s").replace("0x7f", "0x8a").replace("3 == 4", "5 == 6")
    assert [each.fingerprint for each in read(PYTEST).findings] == [each.fingerprint for each in read(later).findings]


NOTHING = {
    "nothing": "",
    "prose": "all is well\n",
    "broken JSON": '{"runs": [',
    "broken XML": "<testsuite><testcase>",
    "a bomb": '<!DOCTYPE x [<!ENTITY a "b">]><testsuite name="&a;"></testsuite>',
    "deep JSON": '{"runs": ' + "[" * 20000,
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING)
def test_what_nobody_can_read_gives_nothing(text):
    assert read(text).findings == ()
    assert read(text, parse="none").findings == ()
