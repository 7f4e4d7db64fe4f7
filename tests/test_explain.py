from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vetgate import runtime
from vetgate.cli.markdown import rendered, section
from vetgate.source.root import store_key
from vetgate.store import DecisionRow, Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from command_line import Said, Tree

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
    def test_without_an_id_all_checks_and_rules_are_listed(self, tree: Tree, call: Call) -> None:
        said = call("explain")
        assert said.status == 0
        for name in ("complexity:", "complexity/cyclomatic", "complexity/cognitive", "complexity/nesting"):
            assert name in said.out

    @pytest.mark.parametrize("identity", ["complexity", "complexity/nesting", "nesting"])
    def test_a_check_and_a_rule_by_its_full_or_its_short_name(self, tree: Tree, call: Call, identity: str) -> None:
        said = call("explain", identity)
        assert said.status == 0
        assert identity.rpartition("/")[2] in said.out.lower()
        assert "\x1b" not in said.out

    def test_raw_is_the_page_as_written(self, tree: Tree, call: Call) -> None:
        assert call("explain", "complexity", "--raw").out.startswith("# ")

    @pytest.mark.parametrize(
        ("identity", "near"),
        [("nestin", "nesting"), ("complexity/cylomatic", "complexity/cyclomatic"), ("d0123456789", "vetgate explain")],
    )
    def test_an_unknown_id_gets_what_is_near_to_it(self, tree: Tree, call: Call, identity: str, near: str) -> None:
        said = call("explain", identity)
        assert (said.status, said.out) == (3, "")
        assert identity in said.err
        assert near in said.err.partition("hint:")[2]


class TestDecisions:
    def test_gate_rule_line_why_and_how_long(self, tree: Tree, call: Call) -> None:
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
                }
            ],
            "unchecked": [{"path": "b.py", "reason": "binary"}],
            "elapsed_ms": 7.25,
            "config": "abc",
            "version": "0.1.0",
        }
        store = Store.open(runtime.state_dir(), store_key(tree.top))
        store.record(DecisionRow("d0011223344", 1_700_000_000.0, "session-1", "before_edit", body))
        store.close()
        (tree.top / "sub").mkdir()
        said = call("explain", "d0011223344", cwd="project/sub")
        assert said.status == 0
        assert said.out.startswith("d0011223344: block\n")
        for words in (
            "in 7.25 ms",
            "before_edit, claude-code with Write, session session-1",
            "gate     code failed in 3.5 ms",
            "src/a.py:12  error  complexity/cyclomatic, gate code",
            "`f` has cyclomatic complexity 14, limit 10",
            "b.py: binary",
        ):
            assert words in said.out


class TestMarkdown:
    def test_a_page_for_a_narrow_terminal(self) -> None:
        text = rendered(PAGE, 40)
        assert "\x1b[1mCOMPLEXITY\x1b[0m" in text
        assert "\x1b[1mbold\x1b[0m" in text
        assert "    # not a heading" in text
        assert "| a | b |" in text
        plain = [line for line in text.splitlines() if "\x1b" not in line and "|" not in line]
        assert max(map(len, plain)) <= 40
        assert "  in a second line of the page" in text or "  a second line of the page" in text

    def test_a_section_ends_where_the_next_of_its_level_begins(self) -> None:
        assert section(PAGE, "nesting") == "### nesting\n\n| a | b |\n\nDeep.\n"
        flags = section(PAGE, "Flags")
        assert flags is not None
        assert "Deep." in flags
        assert "Rest." not in flags

    @pytest.mark.parametrize("title", ["not a heading", "missing"])
    def test_no_such_section(self, title: str) -> None:
        assert section(PAGE, title) is None
