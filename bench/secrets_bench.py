"""Secrets found by vendor's format, and look-alikes flagged, against other scanners on the same files in one run.

    python bench/secrets_bench.py [--ours | --peers] [--write-docs] [--misses AREA] [--packages]

The samples are made at run time from bench/corpus/secrets, which was written without sight of the check. About half is
held out: `--misses` shows only of the other half what is missed, or flagged (`--misses look-alikes`).

This file is not called secrets.py: every program beside it would import it in place of the standard library's module.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import secrets_document
import secrets_packages
from secrets_corpus import samples
from secrets_peers import compare
from secrets_score import areas, is_right, ours, score

from vetgate.severity import Severity

if TYPE_CHECKING:
    from secrets_peers import Comparison
    from secrets_score import Answers, Ours, Score


def main(arguments: list[str]) -> int:
    given = _arguments(arguments)
    if given.packages:
        return secrets_packages.show()
    sample = samples()
    if given.misses:
        return show_misses(ours(sample), given.misses)
    measured: dict[str, object] = {"samples": len(sample)}
    told: dict[str, Answers] = {}
    blocks = {"corpus": secrets_document.corpus(sample)}
    if not given.peers:
        own = ours(sample)
        told = {"vetgate": own.answers(), "vetgate, errors": own.answers(Severity.ERROR)}
        print(by_area(told["vetgate"]), flush=True)
        print(f"\n{len(sample)} files, {pace(own.milliseconds)}\n", flush=True)
        blocks |= {"areas": secrets_document.areas(told["vetgate"]), "warm": pace(own.milliseconds)}
    if not given.ours:
        comparison = compare(sample)
        told |= comparison.told | {"all others together": comparison.together()}
        print(by_tool(told, comparison))
        blocks |= secrets_document.compared(told, comparison)
        measured |= comparison.as_json()
    measured["tools"] = {tool: scores(answers) for tool, answers in told.items()}
    if given.write_docs:
        secrets_document.write(blocks)
    print(json.dumps({"secrets": measured}))
    return 0


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", action="store_true", help="without the other scanners")
    parser.add_argument("--peers", action="store_true", help="the other scanners only")
    parser.add_argument("--write-docs", action="store_true", help="write what was measured into docs/measured")
    parser.add_argument("--misses", metavar="AREA", help="show what is wrong in the half that may be looked at")
    parser.add_argument("--packages", action="store_true", help="what the check says of large packages, masked")
    return parser.parse_args(arguments)


def scores(answers: Answers) -> dict[str, dict[str, int]]:
    return {"whole": asdict(score(answers)), "held_out": asdict(score(answers, held_out=True))}


def by_area(answers: Answers) -> str:
    lines = [f"{'area':14}{'found':>14}{'whole kinds':>16}{'held out: found':>20}{'whole kinds':>16}"]
    for area in [*areas(answers), ""]:
        pair = score(answers, area=area), score(answers, area=area, held_out=True)
        lines.append(f"{area or 'all':14}" + "".join(_cells(each) for each in pair))
    for name, each in (("whole", score(answers)), ("held out", score(answers, held_out=True))):
        lines.append(
            f"{name}: found {each.recall:.1%}, kinds found in every sample {each.kind_recall:.1%}, "
            f"look-alikes flagged {each.flagged} of {each.lookalikes}, {each.flag_rate:.1%}"
        )
    return "\n".join(lines)


def _cells(each: Score) -> str:
    return f"{each.found:>8} of {each.secrets:<5}{each.kinds_found:>7} of {each.kinds:<4}"


def by_tool(told: dict[str, Answers], comparison: Comparison) -> str:
    lines = [f"{'tool':24}{'recall':>8}{'kinds':>8}{'flagged':>9}{'held out: recall':>18}{'kinds':>8}{'flagged':>9}"]
    for tool, answers in told.items():
        whole, held_out = score(answers), score(answers, held_out=True)
        cells = [f"{value:.1%}" for each in (whole, held_out) for value in _shares(each)]
        lines.append(f"{tool:24}{cells[0]:>8}{cells[1]:>8}{cells[2]:>9}{cells[3]:>18}{cells[4]:>8}{cells[5]:>9}")
    lines.append(f"\n{'tool':24}{'one file, ms':>14}{'each of many, ms':>18}")
    lines += [f"{each.tool:24}{each.alone:>14,.0f}{each.each:>18.2f}" for each in comparison.paces]
    return "\n".join([*lines, *(f"missing: {each}" for each in comparison.missing)])


def _shares(each: Score) -> tuple[float, float, float]:
    return each.recall, each.kind_recall, each.flag_rate


def pace(milliseconds: list[float]) -> str:
    ordered = sorted(milliseconds)
    late = ordered[int(len(ordered) * 0.95)]
    return f"{statistics.median(ordered):.2f} ms each in a warm process (median), {late:.2f} ms at the 95th of 100"


def show_misses(own: Ours, area: str) -> int:
    answers = own.answers()
    wrong = [each for each in answers if each.area == area and not is_right(each, answers[each])]
    for each in (each for each in wrong if not each.held_out):
        said = ", ".join(f"{finding.rule} in line {finding.span.line}" for finding in own.findings[each])
        print(f"--- {'MISSED' if each.secret else 'FLAGGED'} {each.title}: {each.path} ({said or 'nothing found'})")
        print("\n".join(line[:200] for line in each.text.splitlines()[:20]) + "\n")
    print(f"{len(wrong)} wrong in `{area}`, {sum(each.held_out for each in wrong)} of them held out and not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
