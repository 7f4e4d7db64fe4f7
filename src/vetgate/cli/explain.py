"""`vetgate explain`: the page of a check or a rule, or why a recorded decision was made."""

from __future__ import annotations

import contextlib
import re
import shutil
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate import runtime
from vetgate.checks import all_checks, checks_under, known_names
from vetgate.checks.catalogue import by_category
from vetgate.cli.config import current_root
from vetgate.cli.decision import told
from vetgate.cli.markdown import rendered
from vetgate.cli.surface import wants_colour
from vetgate.model import UserError
from vetgate.service.configuration import is_known
from vetgate.service.pages import overview, own_configuration, own_page, own_rule_page, page, rule_text
from vetgate.source.root import project_root, real, store_key
from vetgate.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.store import RecordedDecision

_WIDEST = 100
_MOST_IDS = 5
_SEARCHED = 10_000
_ID = re.compile(r"d[0-9a-f]{4,}|[0-9a-f]{6,}")


def _completed(_context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    here = real(Path.cwd())
    names = known_names()
    known = (*names, *(name.rpartition("/")[2] for name in names))
    decisions = _decisions(project_root(here) or here, incomplete or "d")
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
    text = _page_of(identity, raw=raw) or own_rule_page(identity, current_root())
    if text is not None:
        _say(text if raw else rendered(text, min(_WIDEST, shutil.get_terminal_size().columns)))
        return
    _say("\n".join(told(*_decision(identity))) + "\n")


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


def _page_of(identity: str, *, raw: bool) -> str | None:
    for check in all_checks().values():
        if identity == check.id:
            text = page(check.id) or f"# {check.id}\n\n{check.summary}\n"
            return text if raw else text + overview(check)
        rule = next((each for each in check.rules if identity in {each.id, f"{check.id}/{each.id}"}), None)
        if rule:
            return (own_page(check, rule) if raw else None) or rule_text(check, rule)
    return None


def _decision(identity: str) -> list[RecordedDecision]:
    here = real(Path.cwd())
    root = project_root(here) or here
    found = _decisions(root, identity)
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        ids = ", ".join(list(found)[:_MOST_IDS])
        raise UserError(f"{len(found)} decisions begin with {identity!r}: {ids}", hint="write more of the id")
    if _ID.fullmatch(identity):
        hint = "every project has its own; `vetgate explain` lists checks and rules"
        raise UserError(f"no such decision in this project ({root}): {identity}", hint=hint)
    raise _unknown(identity)


def _decisions(root: Path, prefix: str) -> dict[str, list[RecordedDecision]]:
    """Decisions by ids that begin like this, newest first; looking leaves no store behind where there was none."""
    if not prefix or not is_known(root):
        return {}
    with contextlib.closing(Store.open(runtime.state_dir(), store_key(root))) as store:
        exact = store.decision(prefix)
        if exact:
            return {prefix: exact}
        found: dict[str, list[RecordedDecision]] = {}
        for row in store.decisions(_SEARCHED, accepted=True):
            if row.id.startswith(prefix):
                found.setdefault(row.id, []).append(row)
        return found


def _unknown(identity: str) -> UserError:
    names = list(known_names())
    near = get_close_matches(identity, (*names, *(name.rpartition("/")[2] for name in names)), n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "`vetgate explain` lists all checks and rules"
    return UserError(f"no check, rule or decision of this project is called {identity!r}", hint=hint)
