"""`vetgate explain`: the page of a check or a rule, or why a recorded decision was made."""

from __future__ import annotations

import shutil
import time
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vetgate import runtime
from vetgate.checks import all_checks, known_names
from vetgate.cli.colour import wants_colour
from vetgate.cli.markdown import rendered, section
from vetgate.cli.pages import page
from vetgate.cli.report.words import printable
from vetgate.model import UserError
from vetgate.source.root import project_root, real, store_key
from vetgate.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.store import DecisionRow

_WIDEST = 100


@click.command()
@click.argument("identity", metavar="[ID]", required=False)
@click.option("--raw", is_flag=True, help="Print a page as it was written.")
def explain(identity: str | None, *, raw: bool) -> None:
    """Explain a check, a rule or a recorded decision.

    ID is a check (complexity), a rule (complexity/nesting, or just nesting) or the id of a decision, as a blocked
    agent was told it. Without ID, all checks and rules are listed.
    """
    if identity is None:
        _say("\n".join(_listed()) + "\n")
        return
    text = _page_of(identity)
    if text is not None:
        _say(text if raw else rendered(text, min(_WIDEST, shutil.get_terminal_size().columns)))
        return
    decision = _decision(identity)
    if decision is None:
        raise _unknown(identity)
    _say("\n".join(_told(decision)) + "\n")


def _say(text: str) -> None:
    shown = text if wants_colour() else click.unstyle(text)
    click.echo(shown.encode("utf-8", "backslashreplace"), nl=False)


def _listed() -> Iterator[str]:
    for check in all_checks().values():
        yield f"{click.style(check.id, bold=True)}: {check.summary}"
        width = max(len(rule.id) for rule in check.rules) + len(check.id) + 1
        for rule in check.rules:
            yield f"  {f'{check.id}/{rule.id}':<{width}}  {rule.severity!s:<8}  {rule.summary}"


def _page_of(identity: str) -> str | None:
    """A rule's own section of its check's page, where it has one."""
    for check in all_checks().values():
        text = page(check.id) or ""
        if identity == check.id:
            return text or f"# {check.id}\n\n{check.summary}\n"
        for rule in check.rules:
            if identity in {rule.id, f"{check.id}/{rule.id}"}:
                return section(text, rule.id) or f"# {check.id}/{rule.id}\n\n{rule.summary}\n\n{text}"
    return None


def _decision(identity: str) -> DecisionRow | None:
    here = real(Path.cwd())
    store = Store.open(runtime.state_dir(), store_key(project_root(here) or here))
    try:
        return store.decision(identity)
    finally:
        store.close()


def _unknown(identity: str) -> UserError:
    names = list(known_names())
    near = get_close_matches(identity, (*names, *(name.rpartition("/")[2] for name in names)), n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "`vetgate explain` lists all checks and rules"
    return UserError(f"no check, rule or decision of this project is called {identity!r}", hint=hint)


def _told(row: DecisionRow) -> Iterator[str]:
    body = row.body
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.time))
    yield click.style(f"{row.id}: {body.get('decision')}", bold=True)
    yield f"  when     {when}, in {body.get('elapsed_ms')} ms"
    yield f"  event    {row.event}, {_by(body)}, session {printable(row.session) or 'unknown'}"
    yield f"  files    {', '.join(map(printable, body.get('files', ()))) or 'none'}"
    for gate in body.get("gates", ()):
        error = f": {printable(gate['error'])}" if gate.get("error") else ""
        yield f"  gate     {gate['gate']} {gate['status']} in {gate['elapsed_ms']} ms{error}"
    for finding in body.get("findings", ()):
        old = "" if finding.get("new") else " (was there before)"
        place = f"{printable(finding['path'])}:{finding['line']}"
        yield f"  finding  {place}  {finding['severity']}  {finding['id']}, gate {finding['gate']}{old}"
        yield f"           {printable(finding['message'])}"
    for item in body.get("unchecked", ()):
        yield f"  not checked  {printable(item['path'])}: {printable(item['reason'])}"
    yield f"  judged by vetgate {body.get('version')}, configuration {body.get('config') or 'unknown'}"


def _by(body: dict[str, Any]) -> str:
    tool = f" with {body['tool']}" if body.get("tool") else ""
    inner = f" ({printable(body['subagent'])})" if body.get("subagent") else ""
    return f"{body.get('agent')}{inner}{tool}"
