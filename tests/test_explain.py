from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import click
import pytest
from click.shell_completion import ShellComplete

from vetgate import runtime
from vetgate.checks import all_checks
from vetgate.checks.security.rule import RULES
from vetgate.cli.main import vetgate
from vetgate.cli.markdown import rendered
from vetgate.service.pages import own_page, section
from vetgate.source.root import store_key
from vetgate.store import RecordedDecision, open_project_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixtures import Said, WorkTree

    Call = Callable[..., Said]

PAGE = """\
# complexity

Some **bold** words and `code`, in a paragraph that is long enough to be wrapped
somewhere in the middle of it.

## Flags

```python
# not a heading
x = `1`
```

- one item that is long enough to go on in a second line of the page
- another

### nesting

| a | b |

Deep.

## Leaves alone

Rest.
"""


class TestPages:
    def test_without_an_id_all_checks_and_rules_are_listed(self, tree: WorkTree, call: Call) -> None:
        said = call("explain")
        assert said.status == 0
        for name in ("complexity:", "complexity/cyclomatic", "complexity/cognitive", "complexity/nesting"):
            assert name in said.out

    @pytest.mark.parametrize("identity", ["complexity", "complexity/nesting", "nesting"])
    def test_a_check_and_a_rule_by_its_full_or_its_short_name(self, tree: WorkTree, call: Call, identity: str) -> None:
        said = call("explain", identity)
        assert said.status == 0
        assert identity.rpartition("/")[2] in said.out.lower()
        assert "\x1b" not in said.out

    def test_raw_is_the_page_as_written(self, tree: WorkTree, call: Call) -> None:
        assert call("explain", "complexity", "--raw").out.startswith("# ")

    @pytest.mark.parametrize(
        ("identity", "near"),
        [("nestin", "nesting"), ("complexity/cylomatic", "complexity/cyclomatic"), ("d0123456789", "vetgate explain")],
    )
    def test_an_unknown_id_gets_what_is_near_to_it(self, tree: WorkTree, call: Call, identity: str, near: str) -> None:
        said = call("explain", identity)
        assert (said.status, said.out) == (3, "")
        assert identity in said.err
        assert near in said.err.partition("hint:")[2]


class TestDecisions:
    def test_gate_rule_line_why_and_how_long(self, tree: WorkTree, call: Call) -> None:
        body = {
            "decision": "block",
            "agent": "claude-code",
            "tool": "Write",
            "files": ["src/a.py"],
            "gates": [{"gate": "code", "status": "failed", "error": "", "elapsed_ms": 3.5}],
            "findings": [
                {
                    "gate": "code",
                    "id": "complexity/cyclomatic",
                    "path": "src/a.py",
                    "line": 12,
                    "severity": "error",
                    "message": "`f` has cyclomatic complexity 14, limit 10",
                    "new": True,
                    "fix": "Split it up.",
                    "steps": [[14, "+1 if"], [17, "+1 while"]],
                }
            ],
            "unchecked": [{"path": "b.py", "reason": "binary"}],
            "elapsed_ms": 7.25,
            "config": "c0ffee" * 10,
            "version": "0.1.0",
        }
        store = open_project_store(runtime.state_dir(), store_key(tree.root))
        store.record(RecordedDecision("d0011223344", 1_700_000_000.0, "session-1", "before_edit", body))
        store.close()
        (tree.root / "sub").mkdir()
        said = call("explain", "d0011223344", cwd="project/sub")
        assert said.status == 0
        assert said.out.startswith("d0011223344: block\n")
        for words in (
            "in 7.25 ms",
            "before_edit, claude-code with Write, session session-1",
            "gate     code blocked it in 3.5 ms",
            "             line 14: +1 if\n             line 17: +1 while\n           fix: Split it up.\n",
            "src/a.py:12  error  complexity/cyclomatic, gate code",
            "`f` has cyclomatic complexity 14, limit 10",
            "b.py: binary",
        ):
            assert words in said.out
        assert "c0ffee" not in said.out

    def test_a_review_names_neither_its_event_twice_nor_a_session(self, tree: WorkTree, call: Call) -> None:
        body = {"decision": "block", "agent": "person", "tool": "review", "gates": [], "elapsed_ms": 1}
        with contextlib.closing(open_project_store(runtime.state_dir(), store_key(tree.root))) as store:
            store.record(RecordedDecision("d0022334455", 1_700_000_000.0, "", "review", body))
        assert "  event    review, person\n" in call("explain", "d0022334455").out

    @pytest.fixture
    def kept(self, tree: WorkTree) -> None:
        with contextlib.closing(open_project_store(runtime.state_dir(), store_key(tree.root))) as store:
            for identity in ("d0011223344", "d0011999999", "dffffffffff", "dffffffffff"):
                body = {"decision": "block", "gates": [], "elapsed_ms": 1}
                store.record(RecordedDecision(identity, 1_700_000_000.0, "s", "before_edit", body))

    @pytest.mark.parametrize(
        ("identity", "status", "words"),
        [
            ("d00112", 0, "d0011223344: block"),
            ("dff", 0, "dffffffffff: block"),
            ("d0011", 3, "2 decisions begin with 'd0011': d0011999999, d0011223344"),
            ("d1234567890", 3, "no such decision in this project ("),
        ],
        ids=["a prefix of one", "a prefix of one that came twice", "a prefix of two", "a prefix of none"],
    )
    @pytest.mark.usefixtures("kept")
    def test_the_first_letters_of_an_id(self, call: Call, identity: str, status: int, words: str) -> None:
        said = call("explain", identity)
        assert said.status == status
        assert words in said.out + said.err

    @pytest.mark.usefixtures("kept")
    def test_what_came_again_is_told_with_when_it_came_before(self, tree: WorkTree, call: Call) -> None:
        with contextlib.closing(open_project_store(runtime.state_dir(), store_key(tree.root))) as store:
            body = {"decision": "allow", "gates": [], "elapsed_ms": 2}
            store.record(RecordedDecision("dffffffffff", 1_700_000_009.0, "s", "stop", body))
        said = call("explain", "dffffffffff").out
        assert said.startswith("dffffffffff: allow\n")
        newest, _, before = said.partition("the same came 2 times before:\n")
        assert "before_edit" not in newest
        assert [line.split()[3] for line in before.splitlines()] == ["block", "block"]
        assert "the same came" not in call("explain", "d0011223344").out

    def test_another_project_is_named_and_nothing_is_left_behind(self, tree: WorkTree, call: Call, home: Path) -> None:
        said = call("explain", "d1234567890")
        assert said.status == 3
        assert f"no such decision in this project ({tree.root})" in said.err
        assert not (home / "state").exists()

    def test_a_shell_completes_ids_rules_and_checks(self, tree: WorkTree, kept: None, call: Call) -> None:
        call("explain")  # in the project's folder
        wanted = {
            "d0": {"d0011223344", "d0011999999"},
            "complexity/ne": {"complexity/nesting"},
            "nest": {"nesting"},
        }
        for begun, names in wanted.items():
            assert {
                each.value for each in ShellComplete(vetgate, {}, "vetgate", "_X").get_completions(["explain"], begun)
            } == names


class TestRules:
    def test_a_rule_s_own_parts_of_the_page_and_nothing_else(self, tree: WorkTree, call: Call) -> None:
        said = call("explain", "nesting").out
        for words in (
            "COMPLEXITY/NESTING",
            "turn the outermost if",
            "is the largest number",
            "with complexity.nesting: 2",
        ):
            assert words in said
        for other in ("cyclomatic", "gocognit", "Length is", "complexity.cognitive"):
            assert other not in said

    def test_a_rule_with_a_section_of_its_own(self, tree: WorkTree, call: Call) -> None:
        said = call("explain", "cognitive").out
        assert "one more for each level of nesting" in said
        assert "One, and one more for each:\n" not in said


class TestRulesWithTheirOwnPage:
    @pytest.mark.parametrize("identity", ["security/sql-concatenation", "sql-concatenation"])
    def test_the_page_without_what_is_meant_for_the_machine(self, tree: WorkTree, call: Call, identity: str) -> None:
        said = call("explain", identity).out
        assert said.startswith("SECURITY/SQL-CONCATENATION\n\nSQL that is put together from values.\n")
        for words in ("critical · CWE-89 · OWASP A03:2021 · JavaScript, TypeScript, TSX, Python", "Fix\n", "Flags\n"):
            assert words in said
        assert "category: injection" not in said

    def test_few_of_many_examples(self, tree: WorkTree, call: Call) -> None:
        said = call("explain", "security/sql-concatenation").out
        whole = call("explain", "--raw", "security/sql-concatenation").out
        assert said.count("more: vetgate explain --examples security/sql-concatenation") == 2
        assert len(said) < len(whole) / 4

    def test_all_examples_on_demand(self, tree: WorkTree, call: Call) -> None:
        few, all_of_them = (call("explain", *words, "sql-concatenation").out for words in ((), ("--examples",)))
        assert len(all_of_them) > 4 * len(few)
        assert "more: " not in all_of_them

    @pytest.mark.parametrize(
        ("words", "rule"),
        [
            ("sql-injection", "SECURITY/SQL-CONCATENATION"),
            ("SQL injection", "SECURITY/SQL-CONCATENATION"),
            ("CWE-89", "SECURITY/SQL-CONCATENATION"),
            ("cwe89", "SECURITY/SQL-CONCATENATION"),
            ("ssrf", "SECURITY/REQUEST-TO-GIVEN-HOST"),
            ("xss", "security/html-sink"),
            ("A03", "security/shell-command"),
            ("OWASP A10:2021", "SECURITY/REQUEST-TO-GIVEN-HOST"),
            ("hardcoded-secret", "secrets/vendor-token"),
            ("sql", "SECURITY/SQL-CONCATENATION"),
        ],
    )
    def test_a_weakness_as_people_call_it(self, tree: WorkTree, call: Call, words: str, rule: str) -> None:
        said = call("explain", words)
        assert said.status == 0, said.err
        assert rule in said.out

    def test_a_finding_by_its_place(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", "import os\n\nos.chmod('a', 0o777)\n")
        said = call("explain", "a.py:3").out
        assert said.startswith("a.py:3\n")
        assert "SECURITY/WORLD-WRITABLE-FILE" in said
        assert call("explain", "a.py:1").status == 3

    def test_a_finding_by_its_fingerprint(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", "import os\n\nos.chmod('a', 0o777)\n")
        (finding,) = json.loads(call("check", "--format", "json").out)["findings"]
        assert call("explain", finding["fingerprint"]).out == call("explain", "a.py:3").out
        assert call("explain", "0123456789abcdef").status == 3

    def test_raw_is_all_of_it(self, tree: WorkTree, call: Call) -> None:
        said = call("explain", "sql-concatenation", "--raw").out
        assert said == (RULES / "injection" / "sql-concatenation.md").read_text("utf-8")

    def test_the_check_lists_them_by_category_the_strongest_first(self, tree: WorkTree, call: Call) -> None:
        said = call("explain", "security").out
        assert said.startswith("SECURITY\n")
        injection, xss = said.index("\nInjection\n"), said.index("\nCross-site scripting\n")
        assert injection < said.index("security/shell-command ") < said.index("security/log-line ") < xss
        assert xss < said.index("security/html-sink ") < said.index("\nCryptography\n")

    def test_every_rule_with_a_category_has_its_page(self) -> None:
        rules = [(check, rule) for check in all_checks().values() for rule in check.rules if rule.category]
        assert [rule.id for check, rule in rules if own_page(check, rule) is None] == []
        assert len(rules) >= 50


class TestMarkdown:
    def test_a_page_for_a_narrow_terminal(self) -> None:
        text = rendered(PAGE, 40)
        assert "\x1b[1mCOMPLEXITY\x1b[0m" in text
        assert "\x1b[1mbold\x1b[0m" in text
        assert "    # not a heading" in text
        assert "\na  b\n" in text
        plain = [line for line in text.splitlines() if "\x1b" not in line and "|" not in line]
        assert max(map(len, plain)) <= 40
        assert "  in a second line of the page" in text or "  a second line of the page" in text

    def test_columns_stand_below_each_other(self) -> None:
        table = "| rule | limit |\n|---|---|\n| `nesting` | 4 |\n| a \\| b | **10** |\n"
        assert click.unstyle(rendered(table, 80)).splitlines() == [
            "rule     limit",
            "-------  -----",
            "nesting  4",
            "a | b    10",
        ]

    @pytest.mark.parametrize("width", range(20, 40))
    def test_marks_are_never_cut_in_two(self, width: int) -> None:
        text = rendered("Some words and `code of several words`, and **a bold passage of words** at the end.", width)
        assert "`" not in text
        assert "*" not in text
        assert "code of several words" in text

    def test_an_example_says_which_limits_it_is_for(self) -> None:
        text = click.unstyle(rendered("```go complexity.nesting=2 complexity.length=3\nx\n```\n", 80))
        assert text == "    with complexity.nesting: 2, complexity.length: 3\n    x\n"

    def test_a_section_ends_where_the_next_of_its_level_begins(self) -> None:
        assert section(PAGE, "nesting") == "### nesting\n\n| a | b |\n\nDeep.\n"
        flags = section(PAGE, "Flags")
        assert flags is not None
        assert "Deep." in flags
        assert "Rest." not in flags

    @pytest.mark.parametrize("title", ["not a heading", "missing"])
    def test_no_such_section(self, title: str) -> None:
        assert section(PAGE, title) is None
