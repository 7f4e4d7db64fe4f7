"""`vetgate test`: do the rules of this project find what their pages say?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vetgate.checks import troubles
from vetgate.cli.surface import BLOCKED, USER_ERROR, current_root
from vetgate.config.pages import FOLDER, read_page, read_pages
from vetgate.model import UserError
from vetgate.service.configuration import Configurations
from vetgate.service.examples import trials
from vetgate.source.root import name_in, real

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.pages import Page
    from vetgate.service.examples import Places, Trial, Tried

_FORMATS = ("text", "json")


@click.command(epilog="Exit status: 0 all passed, 1 an example failed, 2 wrong usage, 3 a page is broken.")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]...")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True, help="How to report.")
def test(paths: tuple[str, ...], form: str) -> int:
    """Run the examples on the pages of this project's own rules.

    PATHS are pages or folders of them, .vetgate/checks unless given. Below `## Flags` every line with a comment
    `finds: security/NAME` has to be found, and nothing else; below `## Leaves alone` nothing.
    """
    root = current_root()
    config = Configurations().written(root)
    results = tuple(trials(tuple(_pages(root, paths)), config))
    click.echo(_as_json(results) if form == "json" else "\n".join(_as_text(results)))
    told = {trial.trouble for trial in results}
    others = () if paths else tuple(each for each in troubles(config) if each not in told)
    for trouble in others:
        click.echo(f"broken: {_printable(trouble)}", err=True)
    if others or told - {""}:
        return USER_ERROR
    return BLOCKED if any(not tried.passed for trial in results for tried in trial.tried) else 0


def _pages(root: Path, paths: tuple[str, ...]) -> Iterator[Page]:
    if not paths:
        yield from (found.page for found in read_pages(root))
    for path in dict.fromkeys(real(Path.cwd() / each) for each in paths):
        if not path.exists():
            raise UserError(f"there is no {path}", hint="PATHS are pages or folders of them")
        for page in sorted(path.glob("*.md")) if path.is_dir() else [path]:
            yield read_page(page, name_in(root, page)).page


def _as_text(results: tuple[Trial, ...]) -> Iterator[str]:
    for trial in results:
        yield f"{trial.page.name}  {trial.rule}"
        if trial.trouble:
            yield f"  broken  {_printable(trial.trouble)}"
        elif not trial.tried:
            yield "  no examples below `## Flags` and `## Leaves alone`"
        for tried in trial.tried:
            yield f"  {'ok' if tried.passed else 'FAILED':<6}  {_printable(str(tried.example))}"
            yield from (f"          {line}" for line in _differences(tried))
    yield _summary(results)


def _differences(tried: Tried) -> Iterator[str]:
    if tried.problem:
        yield f"line {tried.example.line - 1}: {_printable(tried.problem)}"
        return
    told = [(place, "-", "expected, not found") for place in tried.missing.elements()]
    told += [(place, "+", "found, not expected") for place in tried.unexpected.elements()]
    lines = tried.example.code.splitlines()
    for (line, rule), sign, words in sorted(told):
        code = lines[line - 1].strip() if line <= len(lines) else ""
        yield f"{sign} line {tried.example.line + line - 1}: {rule} {words}"
        yield f"    {_printable(code)}"


def _summary(results: tuple[Trial, ...]) -> str:
    if not results:
        return f"there are no pages in {FOLDER}"
    tried = [each for trial in results for each in trial.tried]
    passed = sum(each.passed for each in tried)
    broken = sum(bool(trial.trouble) for trial in results)
    counts = [f"{_counted(passed, 'example')} passed"]
    counts += [f"{len(tried) - passed} failed"] if passed < len(tried) else []
    counts += [f"{_counted(broken, 'page')} broken"] if broken else []
    return f"{_counted(len(results), 'page')}: {', '.join(counts)}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _as_json(results: tuple[Trial, ...]) -> str:
    pages = [
        {
            "path": trial.page.name,
            "rule": trial.rule,
            "trouble": trial.trouble or None,
            "examples": [_example(tried) for tried in trial.tried],
        }
        for trial in results
    ]
    tried = [each for trial in results for each in trial.tried]
    counts = {"passed": sum(each.passed for each in tried), "failed": sum(not each.passed for each in tried)}
    return json.dumps({"pages": pages, **counts, "broken": sum(bool(each.trouble) for each in results)}, indent=2)


def _example(tried: Tried) -> dict[str, Any]:
    """Lines count on the page."""

    def places(found: Places) -> list[dict[str, Any]]:
        return [{"line": tried.example.line + line - 1, "rule": rule} for line, rule in sorted(found.elements())]

    return {
        "section": tried.example.section,
        "number": tried.example.number,
        "language": tried.example.language,
        "line": tried.example.line,
        "passed": tried.passed,
        "problem": tried.problem or None,
        "expected": places(tried.expected),
        "found": places(tried.found),
        "missing": places(tried.missing),
        "unexpected": places(tried.unexpected),
    }


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
