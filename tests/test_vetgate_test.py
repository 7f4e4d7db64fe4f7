"""`vetgate test`, and what `check` and `explain` say of a project's own rules."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

GUIDE = (Path(__file__).parent.parent / "docs" / "user-rules.md").read_text("utf-8")
PAGE = """# launch: no launching

```rule
severity: error
message: "`{code}`"
find:
  - languages: [python, javascript]
    call: [launch]
```

## Flags

```python
launch()  # finds: security/launch
```

## Leaves alone

```javascript
land();
```
"""


@pytest.fixture
def pages(tree):
    def put(**contents):
        for name, content in contents.items():
            tree.put(f".vetgate/checks/{name.replace('_', '-')}.md", content)

    return put


def test_examples_that_hold_pass(pages, call):
    pages(launch=PAGE)
    said = call("test")
    assert said.status == 0
    assert said.out.splitlines() == [
        ".vetgate/checks/launch.md  security/launch",
        "  ok      Flags 1 (python)",
        "  ok      Leaves alone 1 (javascript)",
        "1 page: 2 examples passed",
    ]


def test_a_difference_is_shown_line_by_line(pages, call):
    pages(launch=PAGE.replace("launch()  #", "start()  #").replace("land();", "land();\nlaunch();"))
    said = call("test")
    assert said.status == 1
    assert said.out.splitlines()[1:-1] == [
        "  FAILED  Flags 1 (python)",
        "          - line 14: security/launch expected, not found",
        "              start()  # finds: security/launch",
        "  FAILED  Leaves alone 1 (javascript)",
        "          + line 21: security/launch found, not expected",
        "              launch();",
    ]
    assert said.out.splitlines()[-1] == "1 page: 0 examples passed, 2 failed"


def test_the_same_as_json(pages, call):
    pages(launch=PAGE.replace("land();", "launch();"))
    said = call("test", "--format", "json")
    told = json.loads(said.out)
    assert (said.status, told["passed"], told["failed"], told["broken"]) == (1, 1, 1, 0)
    good, bad = told["pages"][0]["examples"]
    assert (good["passed"], good["expected"]) == (True, [{"line": 14, "rule": "security/launch"}])
    assert (bad["section"], bad["line"], bad["passed"]) == ("Leaves alone", 20, False)
    assert (bad["missing"], bad["unexpected"]) == ([], [{"line": 20, "rule": "security/launch"}])


def test_a_broken_page_is_an_error_and_the_others_are_tried(pages, call):
    pages(launch=PAGE, nothing="# nothing\n")
    said = call("test")
    assert said.status == 3
    assert "  broken  .vetgate/checks/nothing.md:1: the page has no block" in said.out
    assert said.out.splitlines()[-1] == "2 pages: 2 examples passed, 1 page broken"


def test_a_rule_of_the_configuration_that_is_left_out_is_an_error_too(tree, call):
    tree.put("vetgate.yaml", "version: 1\nsecurity: {sinks: {weak-hash: [x]}}\n")
    said = call("test")
    assert said.status == 3
    assert "broken: vetgate.yaml:2:20: security.sinks.weak-hash: " in said.err


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("  # finds: security/launch", "", "line 13: no line is marked with `finds: security/...`"),
        ("land();", "launch(); // finds: security/launch", "line 19: it has a mark, but is to be left alone"),
        ("```javascript", "```klingon", "line 19: klingon is not a language that vetgate reads"),
        ("```python\n", "```python complexity.depth=3\n", "line 13: "),
    ],
    ids=["no mark", "a mark too many", "an unknown language", "an unknown option"],
)
def test_an_example_that_says_nothing_fails(pages, call, old, new, told):
    pages(launch=PAGE.replace(old, new))
    said = call("test")
    assert said.status == 1
    assert f"          {told}" in said.out


def test_other_rules_count_only_where_an_example_names_them(pages, call):
    more = (
        "import os\nfrom flask import request\nos.system(request.args['x']){mark}\nlaunch()  # finds: security/launch"
    )
    pages(launch=PAGE.replace("launch()  # finds: security/launch", more.replace("{mark}", "")))
    assert call("test").status == 0
    pages(launch=PAGE.replace("launch()  # finds: security/launch", more.replace("{mark}", "  # finds: security/xyz")))
    said = call("test")
    assert said.status == 1
    assert "line 16: security/xyz expected, not found" in said.out


def test_paths_are_pages_or_folders(pages, tree, call):
    pages(launch=PAGE, nothing="# nothing\n")
    tree.put("other/land.md", PAGE.replace("security/launch", "security/land"))
    assert call("test", ".vetgate/checks/launch.md").status == 0
    assert call("test", "other").out.splitlines()[0] == "other/land.md  security/land"
    said = call("test", "nowhere")
    assert (said.status, "there is no" in said.err) == (3, True)


def test_a_page_without_examples_and_a_project_without_pages_are_said(pages, call, tree):
    assert call("test").out == "there are no pages in .vetgate/checks\n"
    pages(launch=PAGE.partition("## Flags")[0])
    said = call("test")
    assert (said.status, "no examples" in said.out) == (0, True)


def test_check_runs_the_pages_and_says_what_is_left_out(pages, tree, call):
    pages(launch=PAGE, nothing="# nothing\n")
    tree.put("a.py", "launch()\n")
    said = call("check", "a.py")
    assert said.status == 1
    assert "security/launch" in said.out
    assert "note: a rule of this project is left out: .vetgate/checks/nothing.md:1: " in said.err
    told = json.loads(call("check", "a.py", "--format", "sarif").out)
    (described,) = told["runs"][0]["tool"]["driver"]["rules"]
    assert described["shortDescription"]["text"] == "No launching"


def test_explain_prints_the_page(pages, tree, call):
    pages(launch=PAGE + "\x1b[2J", nothing="# nothing\n")
    assert "No launching" in call("explain").out
    for name in ("security/launch", "launch"):
        said = call("explain", name)
        assert (said.status, "launch: no launching" in said.out.lower()) == (0, True)
    raw = call("explain", "launch", "--raw").out
    assert raw.startswith(PAGE)
    assert "\x1b" not in raw
    assert "This rule is left out: .vetgate/checks/nothing.md:1" in call("explain", "nothing").out
    tree.put("vetgate.yaml", "version: 1\nsecurity: {custom: {mine: {pattern: abc, message: Not this.}}}\n")
    assert "Not this." in call("explain", "security/mine").out


def test_what_the_guide_shows_works(pages, tree, call):
    shown = re.findall(r"^````markdown\n(.*?)^````$", GUIDE, re.DOTALL | re.MULTILINE)
    has_ast_grep = importlib.util.find_spec("ast_grep_py") is not None
    pages(report_query=shown[0], **({"console": shown[1]} if has_ast_grep else {}))
    configuration = re.search(r"^## In vetgate.yaml\n\n```yaml\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    tree.put("vetgate.yaml", configuration[1])
    tree.put("a.ts", 'console.log(token);\nfetch("https://internal.example.org");\n')
    said = call("test")
    assert said.status == 0
    assert "2 examples passed" in said.out
    found = json.loads(call("check", "--format", "json").out)["findings"]
    assert {finding["rule"] for finding in found} == {"internal-host"} | ({"console"} if has_ast_grep else set())
