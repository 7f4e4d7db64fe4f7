"""`vetgate explain`: the page of a check or a rule, or why a recorded decision was made."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import click

from vetgate.checks import checks_under, known_names
from vetgate.checks.catalogue import by_category
from vetgate.cli.decision import render_decision
from vetgate.cli.markdown import rendered
from vetgate.cli.surface import current_root, wants_colour
from vetgate.service.decisions import decisions_like, find_decision
from vetgate.service.explain import own_configuration, page_about

if TYPE_CHECKING:
    from collections.abc import Iterator


_WIDEST = 100


def _completed(_context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    names = known_names()
    known = (*names, *(name.rpartition("/")[2] for name in names))
    decisions = decisions_like(current_root(), incomplete or "d")
    return [name for name in (*dict.fromkeys(known), *decisions) if name.startswith(incomplete)]


@click.command()
@click.argument("identity", metavar="[ID]", required=False, shell_complete=_completed)
@click.option("--raw", is_flag=True, help="Print a page as it was written.")
def explain(identity: str | None, *, raw: bool) -> None:
    """Explain a check, a rule or a recorded decision.

    ID is a check (complexity), a rule (complexity/nesting, or just nesting) or the id of a decision, as a blocked
    agent was told it; its first letters are enough. Without ID, all checks and rules are listed.
    """
    if identity is None:
        _say("\n".join(_listed()) + "\n")
        return
    text = page_about(identity, current_root(), raw=raw)
    if text is not None:
        _say(text if raw else rendered(text, min(_WIDEST, shutil.get_terminal_size().columns)))
        return
    _say("\n".join(render_decision(*find_decision(current_root(), identity))) + "\n")


def _say(text: str) -> None:
    shown = text if wants_colour() else click.unstyle(text)
    click.echo(shown.encode("utf-8", "backslashreplace"), nl=False)


def _listed() -> Iterator[str]:
    for check in checks_under(own_configuration(current_root())).values():
        yield f"{click.style(check.id, bold=True)}: {check.summary}"
        width = max(len(rule.id) for rule in check.rules) + len(check.id) + 1
        for title, rules in by_category(check).items():
            yield from [f"\n  {click.style(title, bold=True)}"] if title else []
            for rule in rules:
                yield f"  {f'{check.id}/{rule.id}':<{width}}  {rule.severity!s:<8}  {rule.summary}"
