"""`vetgate test`: do the rules of this project find what their pages say?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.surface import BLOCKED, USER_ERROR, current_root
from vetgate.model import RULES_FOLDER
from vetgate.service.examples import try_pages
from vetgate.service.safe_text import counted, without_controls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.service.examples import Trial, Tried

_FORMATS = ("text", "json")


@click.command(epilog="Exit status: 0 all passed, 1 an example failed, 2 wrong usage, 3 a page is broken.")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]...")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True, help="How to report.")
def test(paths: tuple[str, ...], form: str) -> int:
    """Run the examples on the pages of this project's own rules.

    PATHS are pages or folders of them, .vetgate/checks unless given. Below `## Flags` exactly the lines with a
    comment `finds: security/NAME` must be found; below `## Leaves alone` none.
    """
    tested = try_pages(current_root(), Path.cwd(), paths)
    click.echo(json.dumps(tested.plain(), indent=2) if form == "json" else "\n".join(_as_text(tested.trials)))
    for trouble in tested.troubles:
        click.echo(f"broken: {without_controls(trouble)}", err=True)
    if tested.is_broken:
        return USER_ERROR
    return 0 if tested.has_passed else BLOCKED


def _as_text(results: tuple[Trial, ...]) -> Iterator[str]:
    for trial in results:
        yield f"{trial.page.name}  {trial.rule}"
        if trial.trouble:
            yield f"  broken  {without_controls(trial.trouble)}"
        elif not trial.tried:
            yield "  no examples below `## Flags` and `## Leaves alone`"
        for tried in trial.tried:
            yield f"  {'ok' if tried.passed else 'FAILED':<6}  {without_controls(str(tried.example))}"
            yield from (f"          {line}" for line in _differences(tried))
    yield _summary(results)


def _differences(tried: Tried) -> Iterator[str]:
    if tried.problem:
        yield f"line {tried.example.line - 1}: {without_controls(tried.problem)}"
        return
    told = [(place, "-", "expected, not found") for place in tried.missing.elements()]
    told += [(place, "+", "found, not expected") for place in tried.unexpected.elements()]
    lines = tried.example.code.splitlines()
    for (line, rule), sign, words in sorted(told):
        code = lines[line - 1].strip() if line <= len(lines) else ""
        yield f"{sign} line {tried.example.line + line - 1}: {rule} {words}"
        yield f"    {without_controls(code)}"


def _summary(results: tuple[Trial, ...]) -> str:
    if not results:
        return f"there are no pages in {RULES_FOLDER}"
    tried = [each for trial in results for each in trial.tried]
    passed = sum(each.passed for each in tried)
    broken = sum(bool(trial.trouble) for trial in results)
    counts = [f"{counted(passed, 'example')} passed"]
    counts += [f"{len(tried) - passed} failed"] if passed < len(tried) else []
    counts += [f"{counted(broken, 'page')} broken"] if broken else []
    return f"{counted(len(results), 'page')}: {', '.join(counts)}"
