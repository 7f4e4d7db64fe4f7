"""Recall and false alarms per class, on code by people who did not see the rules, against peers on the same files.

    python bench/security.py [--ours] [--write-docs] [--language NAME] [--misses CLASS]

A vulnerable variant counts as found when a finding at warning or above names one of the class's weaknesses (CWE); a
safe one as a false alarm when a finding does. Every second variant of a class is held out: rules were never changed by
looking at those. After a change of the rules, `--write-docs` brings docs/measured/security.md up to date; with `--ours`
only its tables by class and language, in seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from typing import TYPE_CHECKING

import security_document
import security_peers
import security_speed
from security_corpus import SCRIPT, TITLES, Answers, Halves, Score, Variant, in_class, ours, score, variants, weaknesses

if TYPE_CHECKING:
    from collections.abc import Iterable

FIRST = ("python", SCRIPT)  # the languages in which every class is measured


def by_class(answers: Answers, languages: Iterable[str] = TITLES, *, held_out: bool = False) -> dict[str, Score]:
    classes: dict[str, list[Variant]] = defaultdict(list)
    for variant in answers:
        if variant.language in languages and (variant.held_out or not held_out):
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


def by_language(answers: Answers) -> dict[str, Halves]:
    found = {}
    for language in TITLES:
        whole, held_out = (by_class(answers, (language,), held_out=half) for half in (False, True))
        if whole:
            found[language] = Halves(whole, held_out)
    return found


def table_of_languages(languages: dict[str, Halves]) -> str:
    lines = [f"{'language':26}{'found':>14}{'false alarms':>16}{'held out: found':>20}{'false alarms':>16}"]
    for language, halves in languages.items():
        whole, held_out = halves.totals()
        line = f"{language:26}{whole.found:>7} of {whole.vulnerable:<3}{whole.alarms:>9} of {whole.safe:<3}"
        lines.append(
            f"{line}{held_out.found:>13} of {held_out.vulnerable:<3}{held_out.alarms:>9} of {held_out.safe:<3}"
        )
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
    parser.add_argument("--language", choices=TITLES, help="only the variants of one language")
    given = parser.parse_args(arguments)
    if given.language and given.write_docs:
        parser.error("the page holds all languages; leave out --language")
    sample = [each for each in variants() if given.language in {None, each.language}]
    answers, seconds = ours([each for each in sample if given.misses in {None, each.kind}])
    if given.misses:
        show_misses(answers, given.misses)
        return 0
    languages = by_language(answers)
    print(table(by_class(answers)))
    print("\nheld out:\n" + table(by_class(answers, held_out=True)))
    print("\n" + table_of_languages(languages))
    print(
        f"\n{len(sample)} variants in {seconds:.2f} s, {seconds / max(1, len(sample)) * 1000:.2f} ms each", flush=True
    )
    first = Halves(by_class(answers, FIRST), by_class(answers, FIRST, held_out=True))
    others = {language: halves for language, halves in languages.items() if language not in FIRST}
    blocks = {
        "classes": security_document.classes(first),
        "languages": security_document.languages(languages),
        "classes-by-language": security_document.by_language(others),
        "not-covered": security_document.not_covered(languages),
    }
    measured: dict[str, object] = {
        "held_out": {
            language: {kind: vars(each) for kind, each in halves.held_out.items()}
            for language, halves in languages.items()
        }
    }
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
