"""The samples of bench/corpus/secrets: files that hold a secret, and look-alikes that hold none.

`formats/` holds the shapes of what vendors hand out, `forms.toml` the files they stand in, `generic.toml` secrets that
only their names tell; `written/` and `lookalikes/` hold whole files, cut at lines like `=== path`, under `## kind`.
There, `<<shape>>` is random text, `<<!shape>>` a secret, and `<<!shape %% " + ">>` one that is written in two parts.
The same seed gives the same samples; one more kind leaves those of the others as they were.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from zlib import crc32

from secrets_shapes import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPUS = Path(__file__).parent / "corpus" / "secrets"
SEED = 20261115
KIND, CUT = re.compile(r"^## (.+)$", re.MULTILINE), re.compile(r"^=== (.+)$", re.MULTILINE)
HOLE = re.compile(r"<<(!?)(.+?)>>(?!>)")
SLOT = re.compile(r"\$(UPPER_CASE|snake_case|camelCase|PascalCase|kebab-case|VALUE|INDENTED)")


@dataclass(frozen=True)
class Sample:
    """A small file. `lines` are those that the secret stands on: none, in a look-alike."""

    area: str
    kind: str
    number: int
    path: str
    text: str
    lines: frozenset[int]
    together: bool = False  # the samples of its kind are twins: one would give the other away

    @property
    def secret(self) -> bool:
        return bool(self.lines)

    @property
    def held_out(self) -> bool:
        """About half, and the same half whatever else is added."""
        return crc32(f"{self.area}/{self.kind}/{'' if self.together else self.number}".encode()) % 2 == 1

    @property
    def title(self) -> str:
        return f"{self.area}/{self.kind} {self.number}"


@dataclass(frozen=True)
class Form:
    language: str
    kind: str
    path: str
    text: str


def samples() -> list[Sample]:
    found = [*_formats(), *_generic(), *_written("written"), *_values(), *_written("lookalikes")]
    twice = [title for title, times in Counter(each.title for each in found).items() if times > 1]
    if twice:
        raise SystemExit(f"bench/corpus/secrets: two samples are called `{twice[0]}`")
    return found


def _formats() -> Iterator[Sample]:
    forms = _forms()
    for path in sorted((CORPUS / "formats").glob("*.toml")):
        for vendor in _read(path)["vendor"]:
            for entry in vendor["kinds"]:
                kind = f"{vendor['name']}: {entry['kind']}"
                for number, form in enumerate(_chosen(kind, entry, forms)):
                    yield _filled(path.stem, kind, number, form, entry)


def _chosen(kind: str, entry: dict[str, Any], forms: list[Form]) -> list[Form]:
    """Two files that name it and two that do not; three that name it, where only the name tells."""
    if "path" in entry:
        return [Form("", "named", entry["path"], entry["text"])] * 2
    rng = Random(f"{SEED} {kind}")
    wanted = {"block": 3} if entry.get("forms") == "block" else {"named": 3} if entry.get("named") else {}
    chosen = []
    for form_kind, many in (wanted or {"named": 2, "bare": 2}).items():
        there = [form for form in forms if form.kind == form_kind and _fits(form, entry)]
        chosen += rng.sample(there, min(many, len(there)))
    return chosen


def _fits(form: Form, entry: dict[str, Any]) -> bool:
    return not entry.get("only") or form.language in entry["only"]


def _generic() -> Iterator[Sample]:
    """Every form that names its value, with several of the names that say secret."""
    entries = _read(CORPUS / "generic.toml")["secret"]
    numbers: Counter[str] = Counter()
    for place, form in enumerate(form for form in _forms() if form.kind == "named"):
        for turn in range(3):
            entry = entries[(place * 3 + turn) % len(entries)]
            if _fits(form, entry):
                yield _filled("generic", f"{form.language}: {entry['as']}", numbers[form.language], form, entry)
                numbers[form.language] += 1


def _values() -> Iterator[Sample]:
    """Look-alikes that differ from a secret in nothing but their value."""
    named = [form for form in _forms() if form.kind == "named"]
    for entry in _read(CORPUS / "lookalike_values.toml")["lookalike"]:
        fitting = [form for form in named if _fits(form, entry)]
        start = crc32(entry["kind"].encode())
        for number, value in enumerate(entry["values"]):
            form = fitting[(start + number * 7) % len(fitting)]
            name = entry["as"][number % len(entry["as"])]
            yield _filled("look-alikes", entry["kind"], number, form, {"as": name, "shape": value, "fake": True})


def _filled(area: str, kind: str, number: int, form: Form, entry: dict[str, Any]) -> Sample:
    fake = entry.get("fake", False)
    names = _names(entry.get("as", "login"))
    value = f"<<{'' if fake else '!'}{entry['shape']}>>"
    template = SLOT.sub(lambda slot: names.get(slot[1], value), form.text.lstrip("\n"))
    return replace(_sample(area, kind, number, form.path, template), together=not fake)


def _names(name: str) -> dict[str, str]:
    words = name.replace("-", "_").split("_")
    pascal = "".join(word[:1].upper() + word[1:] for word in words)
    return {
        "UPPER_CASE": "_".join(words).upper(),
        "snake_case": "_".join(words),
        "camelCase": pascal[:1].lower() + pascal[1:],
        "PascalCase": pascal,
        "kebab-case": "-".join(words),
    }


def _written(folder: str) -> Iterator[Sample]:
    for path in sorted((CORPUS / folder).glob("*.txt")):
        for kind, block in _cut(KIND, path.read_text(encoding="utf-8")):
            for number, (name, text) in enumerate(_cut(CUT, block)):
                area = path.stem if folder == "written" else "look-alikes"
                yield _sample(area, kind, number, name, text)


def _cut(at: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    cuts = list(at.finditer(text))
    for cut, end in zip(cuts, [*(each.start() for each in cuts[1:]), len(text)], strict=True):
        yield cut[1], text[cut.end() + 1 : end].rstrip("\n") + "\n"


def _sample(area: str, kind: str, number: int, path: str, template: str) -> Sample:
    rng = Random(f"{SEED} {area} {kind} {number}")
    path = HOLE.sub(lambda hole: value_of(hole[2], rng), path)
    text, lines, at = "", set[int](), 0
    for hole in HOLE.finditer(template):
        text += template[at : hole.start()]
        value = _hole_filled(hole[2], text, rng)
        if hole[1]:
            first = text.count("\n") + 1
            lines |= set(range(first, first + value.count("\n") + 1))
        text, at = text + value, hole.end()
    text += template[at:]
    if lines and path.endswith(".ipynb"):  # tools count its lines in different ways; it holds one secret
        lines |= set(range(text.count("\n") + 1))
    return Sample(area, kind, number, path, text, frozenset(lines))


def _hole_filled(shape: str, before: str, rng: Random) -> str:
    shape, _, joint = shape.partition(" %% ")
    value = value_of(shape, rng)
    if joint:
        middle = rng.randint(len(value) // 3, len(value) * 2 // 3)
        return value[:middle] + joint.replace("\\n", "\n").replace("\\t", "\t") + value[middle:]
    line = before.rpartition("\n")[2]
    indent = line if line.isspace() else ""
    return value.replace("\n", f"\n{indent}")


def _forms() -> list[Form]:
    return [Form(**each) for each in _read(CORPUS / "forms.toml")["form"]]


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
