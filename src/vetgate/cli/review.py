"""`vetgate review`: the loops of a review over all that a branch changes, in order."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.judgement import usd
from vetgate.cli.report import FORMATS, render
from vetgate.cli.review_progress import GateLines, came_to
from vetgate.cli.surface import BLOCKED, say, wants_colour
from vetgate.service.caller import ANY_AGENT, Caller
from vetgate.service.review import Review, ReviewRequest
from vetgate.service.review_log import ReviewLog
from vetgate.service.review_loops import UNCHANGED
from vetgate.service.review_scope import ReviewScope
from vetgate.service.review_selection import GateChoice
from vetgate.service.safe_text import counted, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vetgate.service.review import Reviewed
    from vetgate.service.review_plan import PlannedGate, PlannedLoop, PlannedReview

_STOPPED = 130
_SHOWN = 10


@click.command(
    epilog="Exit status: 0 passed (warnings pass), 1 blocked, 2 wrong usage, 3 something to fix first, 130 stopped."
)
@click.argument("paths", nargs=-1)
@click.option("--loops", metavar="LOOPS", default="", help="Only these, by number or name: `1,2` or `tests,model`.")
@click.option("--free", "choice", flag_value=GateChoice.FREE, help="No models, and no gates with a quota.")
@click.option("--claude", "choice", flag_value=GateChoice.MODELS, help="Only the gates that ask models.")
@click.option("--all", "choice", flag_value=GateChoice.ALL, help="Every gate (the default).")
@click.option("--skip-cr", is_flag=True, help="Leave out gates with a quota and the outside reviewer.")
@click.option(
    "--scope",
    type=click.Choice([str(each) for each in ReviewScope]),
    default=str(ReviewScope.BRANCH),
    show_default=True,
    help="Everything that the branch changes, uncommitted changes, or staged changes.",
)
@click.option("--base", metavar="BASE", help="What to compare with; by default the branch's target branch.")
@click.option("--dry-run", is_flag=True, help="Only show what would run, with estimated time and cost.")
@click.option(
    "--export",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write loop-state.json, claude-review-results.json and rate-limit-state.json there, for other scripts.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), help="How to report: `output.format`, else text.")
def review(  # noqa: PLR0917 - what can be asked for
    paths: tuple[str, ...],
    loops: str,
    choice: str | None,
    scope: str,
    base: str | None,
    folder: Path | None,
    form: str | None,
    *,
    skip_cr: bool,
    dry_run: bool,
) -> int:
    """Run the loops of a review over what this branch changes.

    Runs the loops of `review` in vetgate.yaml, or the gates of `on.review` as one loop, in the order written there. A
    loop that fails ends the review, unless it says `blocks: false`. Uncommitted changes count, untracked files
    included. PATHS limit what checks and models look at.
    """
    cwd = Path.cwd()
    wanted = Review.at(cwd)
    for note in wanted.notes:
        click.echo(f"vetgate: {note}", err=True)
    config = wanted.config()
    form = form or config.output.format
    names = tuple(filter(None, (name.strip() for name in loops.split(","))))
    kinds = GateChoice(choice) if choice else GateChoice.ALL
    kinds = GateChoice.NOBODY_OUTSIDE if skip_cr and kinds is GateChoice.ALL else kinds  # the others ask nobody outside
    asked_by = Caller.of(cwd).agent
    request = ReviewRequest(
        cwd,
        base,
        ReviewScope(scope),
        paths,
        names,
        kinds,
        measured=form == "json",
        asked_by="" if asked_by == ANY_AGENT else asked_by,
    )
    if dry_run:
        from vetgate.service.review_plan import plan  # noqa: PLC0415 - else nothing asks what it would take

        return _say_plan(plan(wanted, request), form)
    lines = GateLines(_printer(form), came_to)
    with lines, ReviewLog(wanted.project.store.folder, config, lines) as log:
        reviewed = wanted.run(request, log, lines)
        log.review_ends(ship_allowed=reviewed.record.ship_allowed, blockers=reviewed.record.blockers)
    if folder is not None:
        from vetgate.service.review_export import export  # noqa: PLC0415 - as above

        export(reviewed, folder)
    return _say(reviewed, form, log.path)


def _printer(form: str) -> Callable[[str], None]:
    """Lines are part of the text; beside another format only somebody who watches, or a pipeline, gets them."""
    if form == "text":
        return click.echo
    is_watched = sys.stderr.isatty() or bool(os.environ.get("CI"))
    return (lambda text: click.echo(text, err=True)) if is_watched else (lambda _: None)


def _say(reviewed: Reviewed, form: str, log: str) -> int:
    is_text = form == "text"
    run = reviewed.report(for_people=is_text, log=log)
    if reviewed.text and is_text:
        say(f"\n{reviewed.text}\n\n")
    say(render(run, form, colour=wants_colour()))
    if reviewed.text and not is_text:
        say(f"{reviewed.text}\n", err=True)
    if reviewed.was_stopped:
        click.echo("vetgate: stopped; finished loops are on record", err=True)
        return _STOPPED
    return BLOCKED if run.blocked else 0


def _say_plan(planned: PlannedReview, form: str) -> int:
    if form == "json":
        say(json.dumps(planned.plain(), indent=2, ensure_ascii=True) + "\n")
    else:
        say("\n".join(_plan_lines(planned)) + "\n")
    return 0


def _plan_lines(planned: PlannedReview) -> Iterator[str]:
    loops = [each for each in planned.loops if not each.left_out]
    what = f"{counted(len(loops), 'loop')} over {counted(len(planned.files), 'file')}"
    yield f"{what} ({planned.scope}) since {planned.base} ({planned.fork[:10]}); nothing was run"
    for name in planned.files[:_SHOWN]:
        yield f"  {printable(name)}"
    if len(planned.files) > _SHOWN:
        yield f"  and {len(planned.files) - _SHOWN} more"
    for loop in planned.loops:
        yield from _loop_lines(loop)
    yield "; ".join(_estimate(planned))


def _estimate(planned: PlannedReview) -> Iterator[str]:
    cost = f" and {usd(planned.usd)}" if planned.asks_models else ""
    if planned.seconds or not planned.unknown:
        yield f"about {planned.seconds:.0f} s{cost} in all"
    if planned.unknown:
        yield f"time unknown, no past runs: {', '.join(planned.unknown)}"
        yield f"at most {planned.at_most} s in all"


def _loop_lines(loop: PlannedLoop) -> Iterator[str]:
    limit = f", at most {loop.timeout} s" if loop.timeout else ""
    holds = "" if loop.blocks else ", never blocks"
    why = loop.left_out if loop.left_out in {"", UNCHANGED} else f"not run, {loop.left_out}"
    yield f"loop {loop.number} {loop.name}{limit}{holds}" + (f": {why}" if why else "")
    for step in loop.steps if not loop.left_out else ():
        together = "  at once: " if len(step) > 1 else "  "
        yield from (f"{together}{_gate_words(each)}" for each in step)


def _gate_words(gate: PlannedGate) -> str:
    if gate.left_out:
        return f"{gate.gate}: not run, {gate.left_out}"
    models = f" by {', '.join(gate.models)}" if gate.models else ""
    took = "" if gate.seconds is None else f", about {gate.seconds:g} s" if gate.seconds else ", less than 1 s"
    cost = f", about {usd(gate.usd)}" if gate.usd is not None else ""
    quota = f", {gate.quota}" if gate.quota else ""
    skipped = f", would be skipped: {printable(gate.would_skip)}" if gate.would_skip else ""
    return f"{gate.gate}: {printable(gate.runs)}{models}{took}{cost}{quota}{skipped}"
