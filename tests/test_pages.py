"""Every page under vetgate/checks holds its own tests: the examples below `## Flags` and `## Leaves alone`.

An example is a fenced block. Its first word is the language; `key=value` words after it set options, such as
`complexity.length=5` or `path=tests/test_x.py`:

    ```python complexity.parameters=2
    def move(x, y, z):  # finds: complexity/parameters
        ...
    ```

A comment `finds: family/rule` says that the line it stands on is where that finding starts; several are separated
by commas. A comment alone on its line speaks of the next line, for lines that cannot carry one. The page's check runs
alone over each example: all that is marked must be found and nothing else. An example that flags has a mark, one
that is left alone has none.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

import vetgate.checks
from vetgate.checks import all_checks, page_path
from vetgate.config.load import defaults
from vetgate.engine.look import alone
from vetgate.source.deadline import Deadline
from vetgate.source.language import LANGUAGES
from vetgate.source.syntax import Source

ROOT = Path(vetgate.checks.__file__).parent
SECTIONS = ("Flags", "Leaves alone")
_SECTION = re.compile(r"^## (?P<title>[^\n]+)\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]+)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"(?:#|//|/\*|--|<!--)\s*finds:\s*(?P<ids>[\w/\-]+(?:\s*,\s*[\w/\-]+)*)\s*(?:\*/|-->)?\s*$")


class Example(NamedTuple):
    page: str
    section: str
    number: int
    language: str
    options: dict[str, str]
    code: str

    @property
    def check(self) -> str:
        return _check_of(Path(self.page))


def pages() -> list[Path]:
    """Those of the checks that are offered: a folder without a `CHECK` is still being built."""
    return [page for page in sorted(ROOT.rglob("*.md")) if _check_of(page.relative_to(ROOT)) in all_checks()]


def _check_of(page: Path) -> str:
    return page.parts[0].removesuffix(".md").replace("_", "-")


def examples(page: Path) -> list[Example]:
    name = page.relative_to(ROOT).as_posix()
    found = []
    for section in _SECTION.finditer(page.read_text("utf-8")):
        if section["title"].strip() in SECTIONS:
            for number, fence in enumerate(_FENCE.finditer(section["body"]), 1):
                language, *options = fence["info"].split()
                settings = dict(option.split("=", 1) for option in options)
                found.append(Example(name, section["title"].strip(), number, language, settings, fence["code"]))
    return found


def marked(code: str) -> Counter[tuple[int, str]]:
    expected: Counter[tuple[int, str]] = Counter()
    for line, text in enumerate(code.splitlines(), 1):
        mark = _MARK.search(text)
        if mark:
            alone = not text[: mark.start()].strip()
            expected.update((line + alone, name.strip()) for name in mark["ids"].split(","))
    return expected


def found(example: Example) -> Counter[tuple[int, str]]:
    config = defaults()
    limits = {
        key.removeprefix("complexity."): int(value)
        for key, value in example.options.items()
        if key.startswith("complexity.")
    }
    config = replace(config, complexity=replace(config.complexity, **limits))
    path = example.options.get("path", f"example.{example.language}")
    source = Source(path, example.code, example.language if example.language in LANGUAGES else None)
    report = alone(all_checks()[example.check], source, config, Deadline.never())
    return Counter((finding.span.line, finding.id) for finding in report.findings)


ALL = [example for page in pages() for example in examples(page)]


@pytest.mark.parametrize("example", ALL, ids=lambda e: f"{e.page}: {e.section} {e.number} ({e.language})")
def test_an_example_finds_what_its_comments_say(example):
    expected = marked(example.code)
    assert bool(expected) == (example.section == "Flags"), "an example that flags has a mark, one left alone has none"
    assert found(example) == expected


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_has_a_title_and_both_kinds_of_examples(page):
    assert page.read_text("utf-8").startswith("# ")
    assert {example.section for example in examples(page)} == set(SECTIONS)


def test_every_check_has_its_page():
    assert [check for check in all_checks() if not page_path(check).exists()] == []


def test_every_rule_is_shown_on_a_page():
    shown = {name for example in ALL for _, name in marked(example.code)}
    assert {f"{check.id}/{rule.id}" for check in all_checks().values() for rule in check.rules} <= shown


def test_a_mark_speaks_of_its_line_or_if_alone_of_the_next():
    code = "a()  // finds: x/one, x/two\n/* finds: x/three */\nb\n<!-- finds: y/four -->\n<p>\nc  # finds nothing\n"
    assert marked(code) == Counter({(1, "x/one"): 1, (1, "x/two"): 1, (3, "x/three"): 1, (5, "y/four"): 1})
