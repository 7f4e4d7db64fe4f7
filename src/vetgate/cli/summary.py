"""`vetgate summary`: what a session came to, for the person who let an agent work."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from vetgate.cli.surface import current_root, show
from vetgate.service.safe_text import counted
from vetgate.service.session_summary import session_summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.service.session_summary import SessionSummary
    from vetgate.service.status import RefusedCall

_CALLS_SHOWN = 10


@click.command()
@click.option("--session", metavar="ID", default="", help="Of this session; the first letters are enough.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
def summary(session: str, form: str) -> None:
    """Sum a session up: what was refused, corrected, deferred and let through, and the time and money it took.

    Without --session, the last one of this project.
    """
    found = session_summary(current_root(), session)
    show(form, found.plain(), _lines(found))


def _lines(found: SessionSummary) -> Iterator[str]:
    began = time.strftime("%Y-%m-%d %H:%M", time.localtime(found.began))
    ended = time.strftime("%H:%M", time.localtime(found.ended))
    took = f"{found.waiting_ms / 1000:.1f} s in vetgate"
    cost = f", ${found.cost:.2f} for models" if found.cost else ""
    yield f"session {found.session[:8]}, {began} to {ended}: {counted(found.judged, 'call')} judged, {took}{cost}"
    yield f"refused      {len(found.refused) or 'nothing'}"
    yield from _calls(found.refused, found.session)
    if found.asked:
        yield f"asked you    {len(found.asked)}"
        yield from _calls(found.asked, found.session)
    parts = (
        ("corrected", found.corrected),
        ("deferred", found.deferred),
        ("let through", found.let_through),
        ("waived", found.waived),
    )
    for name, rules in parts:
        if rules:
            most = sorted(rules.items(), key=lambda each: -each[1])
            yield f"{name:<12} {', '.join(f'{rule} ({number})' for rule, number in most)}"


def _calls(calls: Sequence[RefusedCall], session: str) -> Iterator[str]:
    for each in calls[-_CALLS_SHOWN:]:
        yield f"  {each.id}  {each.about}  {each.reason}"
    if len(calls) > _CALLS_SHOWN:
        yield f"  and {len(calls) - _CALLS_SHOWN} before: vetgate log --session {session[:8]}"
