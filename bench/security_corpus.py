"""The variants of bench/corpus/security, what each class is about, and what counts as found.

The corpus holds one file per class and language, cut at lines like `# === vulnerable: title`. A finding is the set of
weaknesses (CWE) that it names; a tool that names none gives empty sets.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.config.load import defaults
from vetgate.gates.linter import linter_verdict
from vetgate.model import Change, File
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

CORPUS = Path(__file__).parent / "corpus" / "security"
LANGUAGES = {
    ".py": "python",
    ".go": "go",
    ".java": "java",
    ".cs": "csharp",
    ".php": "php",
    ".rb": "ruby",
    ".rs": "rust",
}
SCRIPT = "script"  # JavaScript and TypeScript, whatever the ending
TITLES = {
    "python": "Python",
    SCRIPT: "JavaScript and TypeScript",
    "go": "Go",
    "java": "Java",
    "csharp": "C#",
    "php": "PHP",
    "ruby": "Ruby",
    "rust": "Rust",
}
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
    def language(self) -> str:
        return LANGUAGES.get(self.suffix, SCRIPT)

    @property
    def name(self) -> str:
        return f"{self.kind}_{self.number}{self.suffix}"


Answers = dict[Variant, list[frozenset[int]]]
Counts = Callable[[Variant, list[frozenset[int]]], bool]  # whether a tool's findings in a variant say what is wrong


@dataclass(frozen=True)
class Score:
    found: int
    vulnerable: int
    alarms: int
    safe: int

    @classmethod
    def total(cls, scores: Iterable[Score]) -> Score:
        every = list(scores)
        return cls(*(sum(getattr(each, name) for each in every) for name in ("found", "vulnerable", "alarms", "safe")))

    @property
    def recall(self) -> float:
        return self.found / max(1, self.vulnerable)

    @property
    def alarm_rate(self) -> float:
        return self.alarms / max(1, self.safe)


@dataclass(frozen=True)
class Halves:
    """The scores of every class: of all variants, and of those that no rule was changed by."""

    whole: dict[str, Score]
    held_out: dict[str, Score]

    def totals(self) -> tuple[Score, Score]:
        return Score.total(self.whole.values()), Score.total(self.held_out.values())


def variants() -> list[Variant]:
    found = []
    for path in sorted(path for path in CORPUS.iterdir() if path.suffix in {*LANGUAGES, ".ts"}):
        text = path.read_text(encoding="utf-8")
        cuts = list(CUT.finditer(text))
        ends = [cut.start() for cut in cuts[1:]] + [len(text)]
        for number, (cut, end) in enumerate(zip(cuts, ends, strict=True)):
            suffix = f".{cut[2]}" if cut[2] else path.suffix
            found.append(Variant(path.stem, number, cut[1] == "vulnerable", cut[3], suffix, text[cut.end() + 1 : end]))
    return found


def weaknesses() -> dict[str, frozenset[int]]:
    """What each class is about, from its one line in the corpus."""
    return {
        path.stem: frozenset(int(number) for number in re.findall(r"CWE-(\d+)", path.read_text(encoding="utf-8")))
        for path in CORPUS.glob("*.md")
    }


def in_class(about: dict[str, frozenset[int]]) -> Counts:
    """Only a finding that names a weakness of the variant's class counts, for it and against it."""
    return lambda variant, findings: any(finding & about[variant.kind] for finding in findings)


def anything(_: Variant, findings: list[frozenset[int]]) -> bool:
    return bool(findings)


def score(answers: Answers, members: Iterable[Variant], counts: Counts) -> Score:
    told = {True: [], False: []}
    for variant in members:
        told[variant.vulnerable].append(counts(variant, answers.get(variant, [])))
    return Score(sum(told[True]), len(told[True]), sum(told[False]), len(told[False]))


def ours(sample: list[Variant], least: Severity = Severity.WARNING) -> tuple[Answers, float]:
    """The security findings at `least` or above, and the seconds it took."""
    config = defaults()
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        answers = {}
        for variant in sample:
            change = Change(Path(folder), (File(variant.name, None, variant.code),))
            findings = linter_verdict(change, config).findings
            told = [each for each in findings if each.check == "security" and each.severity >= least]
            answers[variant] = [frozenset(each.cwe) for each in told]
        return answers, time.perf_counter() - started
