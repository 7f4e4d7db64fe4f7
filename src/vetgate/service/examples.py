"""A page holds its own tests: the examples below `## Flags` and `## Leaves alone`.

An example is a fenced block. Its first word is the language; `key=value` words after it set options, such as
`complexity.length=5`, `secrets.allow=one,two` (a list) or `path=tests/test_x.py`:

    ```python complexity.parameters=2
    def move(x, y, z):  # finds: complexity/parameters
        ...
    ```

A comment `finds: family/rule` says that the line it stands on is where that finding starts; several are separated
by commas. A comment alone on its line speaks of the next line, for lines that cannot carry one. An example that flags
has a mark, one that is left alone has none.

A block with the word `before` is no example by itself: it is what the next one is compared with; nor is one with the
word `beside`: it is another file of the project, at its `path`, that all examples below it in the section are part of.
In one with the word `escaped`, a code point such as `u{202E}` behind a backslash stands for its character, which nobody
could see there.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.checks import all_checks
from vetgate.checks import troubles as troubles_of
from vetgate.checks.security.user import user_rules
from vetgate.config.pages import read_page, read_pages
from vetgate.config.schema import Security
from vetgate.engine.analysis import Analyzer, run_check
from vetgate.engine.run import CheckRunner
from vetgate.index.build import build
from vetgate.index.project import ProjectIndex
from vetgate.model import Change, Command, File, Gate, UserError
from vetgate.service.configuration import Configurations
from vetgate.source.clock import Deadline
from vetgate.source.language import LANGUAGES
from vetgate.source.protected import Protected
from vetgate.source.root import name_in, real
from vetgate.source.syntax import Source
from vetgate.store import open_index_store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.config.pages import Page
    from vetgate.config.schema import Config
    from vetgate.engine.check import Check

    # Line of the example and rule.
    Places = Counter[tuple[int, str]]

FLAGS = "Flags"
LEAVES_ALONE = "Leaves alone"
BEFORE = "before"
BESIDE = "beside"
ESCAPED = "escaped"
_FAMILY = "security"
_SECTION = re.compile(r"^## (?P<title>[^\n]+)\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]+)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_ESCAPE = re.compile(r"\\u\{([0-9A-Fa-f]{1,6})\}")
_MARK = re.compile(r"(?:#|//|/\*|--|<!--)\s*finds:\s*(?P<ids>[\w/\-]+(?:\s*,\s*[\w/\-]+)*)\s*(?:\*/|-->)?\s*$")


class Example(NamedTuple):
    """`line` is the page's line on which the code begins; `number` counts within the section."""

    section: str
    number: int
    language: str
    options: dict[str, str]
    code: str
    line: int
    before: str | None = None
    beside: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.section} {self.number} ({self.language})"


def examples(page: str) -> Iterator[Example]:
    for section in _SECTION.finditer(page):
        title = section["title"].strip()
        if title not in {FLAGS, LEAVES_ALONE}:
            continue
        number, before = 0, None
        beside: dict[str, str] = {}
        for fence in _FENCE.finditer(section["body"]):
            language, *options = fence["info"].split()
            code = _ESCAPE.sub(lambda it: chr(int(it[1], 16)), fence["code"]) if ESCAPED in options else fence["code"]
            if BEFORE in options:
                before = code
                continue
            settings = dict(option.split("=", 1) for option in options if "=" in option)
            if BESIDE in options:
                beside[settings["path"]] = code
                continue
            number += 1
            line = page.count("\n", 0, section.start("body") + fence.start("code")) + 1
            yield Example(title, number, language, settings, code, line, before, tuple(beside.items()))
            before = None


def marked(code: str) -> Places:
    """What the comments of an example say will be found, by line."""
    expected: Places = Counter()
    for line, text in enumerate(code.splitlines(), 1):
        mark = _MARK.search(text)
        if mark:
            stands_alone = not text[: mark.start()].strip()
            expected.update((line + stands_alone, name.strip()) for name in mark["ids"].split(","))
    return expected


def _as_option(value: str, default: object) -> object:
    """What stands on a page, as the kind of value that the option has: `5`, `true`, `low`, or `one,two` for a list."""
    if isinstance(default, bool):
        return value == "true"
    if isinstance(default, (int, float)):
        return type(default)(value)
    return tuple(value.split(",")) if isinstance(default, tuple) else value


def found(example: Example, check: Check, config: Config) -> Places:
    """What the check, run alone, finds in an example, by line. Raises ValueError where it cannot tell."""
    written = {key: value for key, value in example.options.items() if "." in key}
    if unknown := written.keys() - config.options.keys():
        raise ValueError(f"there is no option {min(unknown)}")
    chosen = {key: _as_option(value, config.options[key]) for key, value in written.items()}
    config = replace(config, options={**config.options, **chosen})
    path = example.options.get("path", f"example.{example.language}")
    if check.on_touched_files is not None:
        return _guarded(example, check, config, path)
    if check.compares or check.on_whole_change is not None:
        return _compared(example, check, config, path)
    if check.on_command is not None and example.language == "sh":
        command = Command(example.code, Path("/home/dev/work/app"), Path("/home/dev/work/app"))
        return Counter((finding.span.line, finding.id) for finding in check.on_command(command, config))
    source = Source(path, example.code, example.language if example.language in LANGUAGES else None)
    with _project(example.beside) as root:
        report = run_check(check, replace(source, root=root), config, Deadline.never())
    if report.unchecked:
        raise ValueError(report.unchecked[0].reason)
    return Counter((finding.span.line, finding.id) for finding in report.findings)


@contextmanager
def _project(beside: Iterable[tuple[str, str]]) -> Iterator[Path | None]:
    """A folder with the files that stand beside an example; None where there are none."""
    if not beside:
        yield None
        return
    with TemporaryDirectory(prefix="vetgate-") as folder:
        root = Path(folder)
        for path, text in beside:
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        yield root


def _indexed(root: Path) -> ProjectIndex:
    folder = root / ".index"
    folder.mkdir()
    index = ProjectIndex(root, open_index_store(folder), bool)
    build(index, lambda work, paths: [work(tuple(paths))])
    return index


def _compared(example: Example, check: Check, config: Config, path: str) -> Places:
    gate = Gate("example", (check.id,))
    with _project(example.beside) as root:
        index = _indexed(root) if root and check.on_whole_change else None
        change = Change(root or Path(), (File(path, example.before or "", example.code),))
        outcome = CheckRunner(change, Analyzer({check.id: check}), config, Deadline.never(), index=index).run(gate)
    if outcome.unchecked or outcome.error:
        raise ValueError(outcome.error or outcome.unchecked[0].reason)
    return Counter((finding.span.line, finding.id) for finding in outcome.findings if finding.new)


def _guarded(example: Example, check: Check, config: Config, path: str) -> Places:
    """Of a check that asks which file is touched: the mark stands first, before the file's own text."""
    assert check.on_touched_files is not None  # noqa: S101
    after = example.code.partition("\n")[2] if marked(example.code) else example.code
    change = Change(Path("/work/project"), (File(path, example.before, after),))
    protected = Protected(change.root, Path("/home/me"), (Path("/home/me/.local/state/vetgate"),))
    return Counter((2, finding.id) for finding in check.on_touched_files(change, config, protected))


@dataclass(frozen=True)
class Tried:
    """One example; `problem` says why nothing could be compared."""

    example: Example
    expected: Places
    found: Places
    problem: str = ""

    @property
    def missing(self) -> Places:
        return self.expected - self.found

    @property
    def unexpected(self) -> Places:
        return self.found - self.expected

    @property
    def passed(self) -> bool:
        return not self.problem and self.expected == self.found

    def plain(self) -> dict[str, Any]:
        """Lines count on the page."""
        example = self.example

        def places(found: Places) -> list[dict[str, Any]]:
            return [{"line": example.line + line - 1, "rule": rule} for line, rule in sorted(found.elements())]

        return {
            "section": example.section,
            "number": example.number,
            "language": example.language,
            "line": example.line,
            "passed": self.passed,
            "problem": self.problem or None,
            "expected": places(self.expected),
            "found": places(self.found),
            "missing": places(self.missing),
            "unexpected": places(self.unexpected),
        }


@dataclass(frozen=True)
class Trial:
    """One page; `trouble` says why its rule cannot be run."""

    page: Page
    tried: tuple[Tried, ...] = ()
    trouble: str = ""

    @property
    def rule(self) -> str:
        return f"{_FAMILY}/{self.page.rule}"


@dataclass(frozen=True)
class Tested:
    """`troubles` are those of the project's other rules."""

    trials: tuple[Trial, ...]
    troubles: tuple[str, ...]

    @property
    def is_broken(self) -> bool:
        return bool(self.troubles) or any(trial.trouble for trial in self.trials)

    @property
    def has_passed(self) -> bool:
        return all(tried.passed for trial in self.trials for tried in trial.tried)

    def plain(self) -> dict[str, Any]:
        passed = [tried.passed for trial in self.trials for tried in trial.tried]
        return {
            "pages": [
                {
                    "path": trial.page.name,
                    "rule": trial.rule,
                    "trouble": trial.trouble or None,
                    "examples": [tried.plain() for tried in trial.tried],
                }
                for trial in self.trials
            ],
            "passed": passed.count(True),
            "failed": passed.count(False),
            "broken": sum(bool(trial.trouble) for trial in self.trials),
        }


def try_pages(root: Path, cwd: Path, paths: tuple[str, ...] = ()) -> Tested:
    """The examples of these pages, or folders of them; without any of all pages of the project."""
    config = Configurations().written(root)
    tried = tuple(trials(tuple(_pages(root, cwd, paths)), config))
    told = {trial.trouble for trial in tried}
    return Tested(tried, () if paths else tuple(each for each in troubles_of(config) if each not in told))


def _pages(root: Path, cwd: Path, paths: tuple[str, ...]) -> Iterator[Page]:
    if not paths:
        yield from (found.page for found in read_pages(root))
    for path in dict.fromkeys(real(cwd / each) for each in paths):
        if not path.exists():
            raise UserError(f"there is no {path}", hint="PATHS are pages or folders of them")
        for page in sorted(path.glob("*.md")) if path.is_dir() else [path]:
            yield read_page(page, name_in(root, page)).page


def trials(pages: tuple[Page, ...], config: Config) -> Iterator[Trial]:
    """Every page beside all the others, so that a name that is taken shows."""
    security = Security(custom=config.security.custom, pages=pages)
    config = replace(config, security=security)
    troubles = {trouble.file: trouble.render({}) for trouble in user_rules(security).troubles}
    for page in pages:
        if page.name in troubles:
            yield Trial(page, trouble=troubles[page.name])
        else:
            yield Trial(
                page, tuple(_tried(example, f"{_FAMILY}/{page.rule}", config) for example in examples(page.text))
            )


def _tried(example: Example, own: str, config: Config) -> Tried:
    """Other rules count only where the example speaks of them: a page is not broken by a newer vetgate."""
    expected = marked(example.code)
    problem = _problem(example, expected)
    if problem:
        return Tried(example, expected, Counter(), problem)
    asked = {own, *(rule for _, rule in expected)}
    try:
        everything = found(example, all_checks()[_FAMILY], config)
    except (ValueError, TypeError) as error:
        return Tried(example, expected, Counter(), str(error))
    return Tried(example, expected, Counter({place: n for place, n in everything.items() if place[1] in asked}))


def _problem(example: Example, expected: Places) -> str:
    if example.language not in LANGUAGES:
        return f"{example.language} is not a language that vetgate reads ({', '.join(sorted(LANGUAGES))})"
    if bool(expected) == (example.section == FLAGS):
        return ""
    return "it has a mark, but is to be left alone" if expected else "no line is marked with `finds: security/...`"
