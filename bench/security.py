"""Recall and false alarms per class, on code by people who did not see the rules, against peers on the same files.

python bench/security.py [--ours] [--misses CLASS]

bench/corpus/security holds one file per class and language, cut at lines like `# === vulnerable: title`. A vulnerable
variant counts as found when a finding names one of the class's weaknesses (CWE); a safe one as a false alarm when a
finding does. Peers that name no weakness are credited with any finding in a vulnerable variant, and charged with any in
a safe one. Every second variant of a class is held out: rules were never changed by looking at those.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from vetgate.app import App
from vetgate.config.load import defaults
from vetgate.model import Change, File, Severity

CORPUS = Path(__file__).parent / "corpus" / "security"
CUT = re.compile(r"^(?:#|//) === (vulnerable|safe)(?: \((\w+)\))?: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Variant:
    kind: str  # the class, as the file is called
    number: int
    vulnerable: bool
    title: str
    suffix: str
    code: str

    @property
    def held_out(self) -> bool:
        return self.number % 2 == 1

    @property
    def name(self) -> str:
        return f"{self.kind}_{self.number}{self.suffix}"


def variants() -> list[Variant]:
    found = []
    for path in sorted(CORPUS.glob("*.[pt][ys]")):
        text = path.read_text(encoding="utf-8")
        cuts = list(CUT.finditer(text))
        ends = [cut.start() for cut in cuts[1:]] + [len(text)]
        for number, (cut, end) in enumerate(zip(cuts, ends, strict=True)):
            suffix = f".{cut[2]}" if cut[2] else path.suffix
            found.append(Variant(path.stem, number, cut[1] == "vulnerable", cut[3], suffix, text[cut.end() + 1 : end]))
    return found


def weaknesses() -> dict[str, set[int]]:
    """What each class is about, from its one line in the corpus."""
    return {
        path.stem: {int(number) for number in re.findall(r"CWE-(\d+)", path.read_text(encoding="utf-8"))}
        for path in CORPUS.glob("*.md")
    }


def ours(sample: list[Variant]) -> tuple[dict[Variant, set[int]], float]:
    """The weaknesses found at warning or above, and the seconds it took."""
    config = defaults()
    with tempfile.TemporaryDirectory() as folder:
        app = App(Path(folder))
        started = time.perf_counter()
        found = {}
        for variant in sample:
            change = Change(Path(folder), (File(variant.name, None, variant.code),))
            findings = app.check(change, config).findings
            told = [each for each in findings if each.check == "security" and each.severity >= Severity.WARNING]
            found[variant] = {cwe for each in told for cwe in each.cwe}
        return found, time.perf_counter() - started


def report(
    found: dict[Variant, set[int]], about: dict[str, set[int]], *, held_out: bool | None = None
) -> list[dict[str, object]]:
    rows = []
    by_class: dict[str, list[Variant]] = defaultdict(list)
    for variant in found:
        if held_out is None or variant.held_out is held_out:
            by_class[variant.kind].append(variant)
    for kind, members in sorted(by_class.items()):
        bad = [each for each in members if each.vulnerable]
        good = [each for each in members if not each.vulnerable]
        hits = sum(bool(found[each] & about[kind]) for each in bad)
        alarms = sum(bool(found[each] & about[kind]) for each in good)
        rows.append({"class": kind, "vulnerable": len(bad), "found": hits, "safe": len(good), "alarms": alarms})
    return rows


def table(rows: list[dict[str, object]]) -> str:
    lines = [f"{'class':26}{'found':>14}{'false alarms':>16}"]
    total = [sum(int(str(row[key])) for row in rows) for key in ("found", "vulnerable", "alarms", "safe")]
    lines += [
        f"{row['class']:26}{row['found']:>7} of {row['vulnerable']:<3}{row['alarms']:>9} of {row['safe']:<3}"
        for row in rows
    ]
    lines.append(f"{'all':26}{total[0]:>7} of {total[1]:<3}{total[2]:>9} of {total[3]:<3}")
    lines.append(f"recall {total[0] / max(1, total[1]):.1%}, false alarms {total[2] / max(1, total[3]):.1%}")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", action="store_true", help="without the peers")
    parser.add_argument("--misses", metavar="CLASS", help="show what is wrong in the half that rules may be changed by")
    given = parser.parse_args(arguments)
    sample, about = variants(), weaknesses()
    found, seconds = ours(sample)
    if given.misses:
        for variant in sample:
            right = bool(found[variant] & about[variant.kind]) is variant.vulnerable
            if variant.kind == given.misses and not right and not variant.held_out:
                what = "MISSED" if variant.vulnerable else "FALSE ALARM"
                print(f"--- {what} {variant.name}: {variant.title}\n{variant.code}")
        return 0
    print(table(report(found, about)))
    print("\nheld out:\n" + table(report(found, about, held_out=True)))
    print(f"\n{len(sample)} variants in {seconds:.2f} s, {seconds / max(1, len(sample)) * 1000:.2f} ms each")
    if not given.ours:
        subprocess.run([sys.executable, str(Path(__file__).with_name("security_peers.py"))], check=False)
    print(json.dumps({"security": report(found, about, held_out=True)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
