"""Recall and false alarms per class, on code by people who did not see the rules, against peers on the same files.

    python bench/security.py [--ours] [--write-docs] [--misses CLASS]

A vulnerable variant counts as found when a finding at warning or above names one of the class's weaknesses (CWE); a
safe one as a false alarm when a finding does. Every second variant of a class is held out: rules were never changed by
looking at those. After a change of the rules, `--write-docs` brings docs/measured/security.md up to date; with `--ours`
only its table by class, in seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict

import security_document
import security_peers
import security_speed
from security_corpus import Answers, Score, Variant, in_class, ours, score, variants, weaknesses


def by_class(answers: Answers, *, held_out: bool = False) -> dict[str, Score]:
    classes: dict[str, list[Variant]] = defaultdict(list)
    for variant in answers:
        if variant.held_out or not held_out:
            classes[variant.kind].append(variant)
    counts = in_class(weaknesses())
    return {kind: score(answers, members, counts) for kind, members in sorted(classes.items())}


def table(scores: dict[str, Score]) -> str:
    lines = [f"{'class':26}{'found':>14}{'false alarms':>16}"]
    total = Score.total(scores.values())
    for kind, each in (*scores.items(), ("all", total)):
        lines.append(f"{kind:26}{each.found:>7} of {each.vulnerable:<3}{each.alarms:>9} of {each.safe:<3}")
    lines.append(f"recall {total.recall:.1%}, false alarms {total.alarm_rate:.1%}")
    return "\n".join(lines)


def show_misses(answers: Answers, kind: str) -> None:
    counts = in_class(weaknesses())
    for variant, findings in answers.items():
        right = counts(variant, findings) is variant.vulnerable
        if variant.kind == kind and not right and not variant.held_out:
            wrong = "MISSED" if variant.vulnerable else "FALSE ALARM"
            print(f"--- {wrong} {variant.name}: {variant.title}\n{variant.code}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", action="store_true", help="without the peers and the times")
    parser.add_argument("--write-docs", action="store_true", help="write what was measured into docs/measured")
    parser.add_argument("--misses", metavar="CLASS", help="show what is wrong in the half that rules may be changed by")
    given = parser.parse_args(arguments)
    sample = variants()
    answers, seconds = ours(sample)
    if given.misses:
        show_misses(answers, given.misses)
        return 0
    whole, held_out = by_class(answers), by_class(answers, held_out=True)
    print(table(whole))
    print("\nheld out:\n" + table(held_out))
    print(
        f"\n{len(sample)} variants in {seconds:.2f} s, {seconds / max(1, len(sample)) * 1000:.2f} ms each", flush=True
    )
    blocks = {"classes": security_document.classes(whole, held_out)}
    measured: dict[str, object] = {"held_out": {kind: vars(each) for kind, each in held_out.items()}}
    if not given.ours:
        comparison = security_peers.compare(sample)
        print(security_peers.table(comparison), flush=True)
        speed = security_speed.measure()
        print("\n" + security_speed.table(speed))
        blocks |= security_document.compared(comparison) | security_document.timed(speed)
        measured |= {"peers": comparison.as_json(), "speed": speed.as_json()}
    if given.write_docs:
        security_document.write(blocks)
    print(json.dumps({"security": measured}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
