"""`vetgate explain`: the page of a check, a rule or a judge, or why a recorded decision was made."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.decision import render_decision
from vetgate.cli.markdown import rendered
from vetgate.cli.progress import Bar
from vetgate.cli.surface import current_root, say, wants_colour
from vetgate.service.decisions import find_decision
from vetgate.service.explain import listed, listed_judges, names_like, page_about, page_about_finding
from vetgate.service.finding_filter import is_finding

if TYPE_CHECKING:
    from collections.abc import Iterator


_WIDEST = 100


@click.command()
@click.argument(
    "identity", metavar="[ID]", required=False, shell_complete=lambda _, __, word: names_like(current_root(), word)
)
@click.option("--raw", is_flag=True, help="Print a page as it was written.")
@click.option("--examples", is_flag=True, help="Print all examples of a page, not only three.")
def explain(identity: str | None, *, raw: bool, examples: bool) -> None:
    """Explain a check, a rule, a weakness, a finding, a judge or a recorded decision.

    ID is a check (complexity), a rule (complexity/nesting, or just nesting), a weakness (sql-injection, xss, CWE-89,
    A03), a finding by its place (src/app.py:12) or its fingerprint, a judge (intent) or the id of a decision, as in
    the message of a refusal; its first letters are enough. For a judge's decision, each model's answer, tokens and
    cost are shown. Without ID, all checks, rules and judges are listed.
    """
    if identity is None:
        _say("\n".join(_listed()) + "\n")
        return
    text = page_about(identity, current_root(), raw=raw, examples=examples)
    if text is None and is_finding(identity):
        with Bar() as progress:
            text = page_about_finding(identity, current_root(), Path.cwd(), progress)
    if text is not None:
        _say(text if raw else rendered(text, min(_WIDEST, shutil.get_terminal_size().columns)))
        return
    _say("\n".join(render_decision(*find_decision(current_root(), identity))) + "\n")


def _say(text: str) -> None:
    say(text if wants_colour() else click.unstyle(text))


def _listed() -> Iterator[str]:
    for check, categories in listed(current_root()):
        yield f"{click.style(check.id, bold=True)}: {check.summary}"
        width = max(len(rule.id) for rule in check.rules) + len(check.id) + 1
        for title, rules in categories.items():
            yield from [f"\n  {click.style(title, bold=True)}"] if title else []
            for rule in rules:
                yield f"  {f'{check.id}/{rule.id}':<{width}}  {rule.severity!s:<8}  {rule.summary}"
    yield click.style("judges", bold=True) + ": ask a language model, where a gate names one"
    judges = list(listed_judges())
    width = max(len(judge.id) for judge in judges)
    for judge in judges:
        yield f"  {judge.id:<{width}}  {judge.tier!s:<8}  {judge.summary}"
