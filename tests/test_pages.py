"""Every page under vetgate/checks holds its own tests; vetgate.service.examples says how they are written."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import vetgate.checks
from vetgate.checks import all_checks, page_path
from vetgate.config.load import defaults
from vetgate.service.examples import FLAGS, LEAVES_ALONE, examples, found, marked

ROOT = Path(vetgate.checks.__file__).parent


def check_of(page: Path) -> str:
    return page.relative_to(ROOT).parts[0].removesuffix(".md").replace("_", "-")


def pages() -> list[Path]:
    """Those of the checks that are offered: a folder without a `CHECK` is still being built."""
    return [page for page in sorted(ROOT.rglob("*.md")) if check_of(page) in all_checks()]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


ALL = [(page, example) for page in pages() for example in examples(page.read_text("utf-8"))]


@pytest.mark.parametrize(("page", "example"), ALL, ids=[f"{name(page)}: {example}" for page, example in ALL])
def test_an_example_finds_what_its_comments_say(page, example):
    expected = marked(example.code)
    assert bool(expected) == (example.section == FLAGS), "an example that flags has a mark, one left alone has none"
    assert found(example, all_checks()[check_of(page)], defaults()) == expected


@pytest.mark.parametrize("page", pages(), ids=name)
def test_a_page_has_a_title_and_both_kinds_of_examples(page):
    text = page.read_text("utf-8")
    assert text.startswith("# ")
    assert {example.section for example in examples(text)} == {FLAGS, LEAVES_ALONE}


def test_every_check_has_its_page():
    assert [check for check in all_checks() if not page_path(check).exists()] == []


# What another program says cannot be shown by an example; tests/test_types_checker.py asks the real one.
SAID_BY_OTHERS = {"types/checker"}
# Too large for a page, or about what a person accepted: limits.yaml and looser_configuration.yaml of tests/routes.
SHOWN_AS_ROUTES = {"secrets/not-searched", "protected-file/looser-configuration", "protected-file/unsearched-push"}


def test_every_rule_is_shown_on_a_page():
    shown = {rule for _, example in ALL for _, rule in marked(example.code)} | SAID_BY_OTHERS | SHOWN_AS_ROUTES
    assert {f"{check.id}/{rule.id}" for check in all_checks().values() for rule in check.rules} <= shown


def test_a_mark_speaks_of_its_line_or_if_alone_of_the_next():
    code = "a()  // finds: x/one, x/two\n/* finds: x/three */\nb\n<!-- finds: y/four -->\n<p>\nc  # finds nothing\n"
    assert marked(code) == Counter({(1, "x/one"): 1, (1, "x/two"): 1, (3, "x/three"): 1, (5, "y/four"): 1})


def test_an_example_knows_its_line():
    (example,) = examples("# t\n\n## Flags\n\ntext\n\n```python path=a.py\nx\n```\n")
    assert (example.line, example.options, str(example)) == (8, {"path": "a.py"}, "Flags 1 (python)")
