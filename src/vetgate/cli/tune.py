"""`vetgate tune`: what the record suggests to change in the configuration. It proposes and never applies."""

from __future__ import annotations

import json
import os.path
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from vetgate.cli.stats import FORMATS, recorded
from vetgate.engine.suppressions import can_be_waived

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.service.statistics import Learned, OfRule

# With fewer blocks than this nothing is said about a rule: it could be chance.
_FEWEST = 5
_MANY = 10
_REPEATED = 3


@dataclass(frozen=True, slots=True)
class Proposal:
    """`change` is what a person would write or run."""

    rule: str
    why: str
    change: str


@click.command()
@click.option("--since", metavar="WHEN", default="", help="Only what is not older: 12h, 7d, 2026-11-15.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report.")
def tune(since: str, form: str) -> None:
    """Propose changes of vetgate.yaml from what was blocked, overridden, waived and fixed; nothing is changed.

    A rule that people let through more often than not, or that nobody heeds, is proposed to be told only; waivers of
    the same rule that repeat are proposed as one. `vetgate replay --diff` shows what a proposal would have meant.
    """
    found = list(proposals(recorded(since)))
    if form == "json":
        click.echo(json.dumps([asdict(each) for each in found], indent=2))
        return
    for each in found:
        click.echo(f"{each.rule}: {each.why}\n  {each.change}")
    if not found:
        click.echo("nothing to propose: no rule stands out in what is on record")


def proposals(found: Learned) -> Iterator[Proposal]:
    for each in found.rules:
        repeated = len(each.waivers) >= _REPEATED
        if repeated:
            yield Proposal(each.rule, f"waived {len(each.waivers)} times", _one_waiver(each))
        if why := _noisy(each):
            yield Proposal(each.rule, why, _demoted(each))


def _noisy(each: OfRule) -> str:
    let = each.overridden + each.waived
    if each.blocked >= _FEWEST and 2 * let >= each.blocked:
        return f"of {each.blocked} blocks {let} were overridden or waived"
    if each.blocked >= _MANY and 10 * each.fixed <= each.blocked and can_be_waived(each.rule.partition("/")[0]):
        return f"of {each.blocked} blocks only {each.fixed} led to a fix"
    return ""


def _demoted(each: OfRule) -> str:
    check, _, name = each.rule.partition("/")
    if check == "unsafe-command":
        # Where a person is asked already, the next step is not to.
        return f"commands: {{effects: {{{name}: {'allow' if 2 * each.asks > each.blocked else 'ask'}}}}}"
    if not can_be_waived(check):
        return f"look at what it finds (`vetgate log --rule {each.rule}`): a rule that fails closed is not demoted"
    return f"rules: {{{each.rule}: warning}}"


def _one_waiver(each: OfRule) -> str:
    folder = os.path.commonpath([glob.partition("*")[0].rpartition("/")[0] or "." for glob in each.waivers])
    if folder in {"", "."}:
        return f"they have no folder in common; if it is wrong everywhere: {_demoted(each)}"
    return f"vetgate waive {each.rule} --path '{folder}/**' --reason … --until …"
