"""The secrets of a text taken out of what is shown of it, and of what is said about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.checks.secrets.file_kinds import file_kind_of
from vetgate.checks.secrets.literal_pairs import literal_pairs
from vetgate.checks.secrets.match import SHOWN, shown
from vetgate.checks.secrets.named_values import SCHEMES
from vetgate.checks.secrets.names import secret_in
from vetgate.checks.secrets.readers import pairs_in
from vetgate.checks.secrets.scan import ScanOptions, scan_shapes, scan_text
from vetgate.checks.secrets.values import is_code, looked_up
from vetgate.source.clock import Deadline
from vetgate.source.language import LANGUAGES
from vetgate.source.syntax import Syntax, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vetgate.checks.secrets.match import Pair, SecretMatch
    from vetgate.source.syntax import Source

    Heads = dict[int, dict[str, list[str]]]

BOM = "\ufeff"
_SECONDS = 1.0
_HIDDEN = "*"
_LETTER = re.compile(r"[^\s\"'`+.,()\[\]{}]")
_SHORTEST = 6
_HEAD = 8
_FEW = 50


@dataclass(frozen=True, slots=True, repr=False)
class Redaction:
    """`spans` are bytes of the text, `values` what stands there, the longest first.

    One that is not `whole` is of as much of the text as time sufficed for.
    """

    spans: tuple[tuple[int, int], ...] = ()
    values: tuple[str, ...] = ()
    whole: bool = True
    _heads: Heads = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for value in self.values:
            head = _head(value)
            self._heads.setdefault(len(head), {}).setdefault(head, []).append(value)

    def over_text(self, text: str) -> str:
        """The text with as many characters and lines as before."""
        if not self.spans and not self.values:
            return text
        data = text.encode("utf-8", "surrogateescape")
        pieces, last = [], 0
        for start, end in sorted(self.spans):
            if start >= last:
                pieces += [data[last:start].decode("utf-8", "surrogateescape"), _masked(data[start:end])]
                last = end
        pieces.append(data[last:].decode("utf-8", "surrogateescape"))
        redacted = "".join(pieces)
        for value in self._in(redacted):
            redacted = redacted.replace(value, _starred(value, _kept(value)))
        return redacted

    def over_words(self, words: str) -> str:
        """A message, with a secret that is cut off at its end hidden as well."""
        for value in self._in(words):
            words = _hidden(words, value)
        return words

    def _in(self, text: str) -> Iterable[str]:
        """The values that may stand in it, the longest first: of many, few do."""
        if len(self.values) <= _FEW:
            return self.values
        found: set[str] = set()
        for size, heads in self._heads.items():
            for head in {text[start : start + size] for start in range(len(text) - size + 1)} & heads.keys():
                found.update(heads[head])
        return sorted(found, key=len, reverse=True)


def _masked(data: bytes) -> str:
    """Signs stay, so that an expression is still to be seen; of letters and digits the first few."""
    text = data.decode("utf-8", "replace")
    return _starred(text, _kept("".join(_LETTER.findall(text))))


def _starred(text: str, kept: int) -> str:
    left = kept

    def star(found: re.Match[str]) -> str:
        nonlocal left
        left -= 1
        return found[0] if left >= 0 else _HIDDEN

    return _LETTER.sub(star, text)


def _kept(value: str) -> int:
    return min(SHOWN, len(value) // 4)


def _head(value: str) -> str:
    return value[:_HEAD] if len(value) > _HEAD + SHOWN else value


def _hidden(words: str, value: str) -> str:
    head = _head(value)
    place = words.find(head)
    while place >= 0:
        same = len(head)
        while same < len(value) and words[place + same : place + same + 1] == value[same]:
            same += 1
        words = words[:place] + shown(value) + words[place + same :]
        place = words.find(head, place + SHOWN + 1)
    return words


def redaction_over(matches: Iterable[SecretMatch], pairs: Iterable[Pair]) -> Redaction:
    """Over what was found, the pieces it was put together from, and all else that stands under a secret's name."""
    found = list(matches)
    spans = {(match.start, match.end) for match in found}
    values = {match.value for match in found}
    put_together = {match.value for match in found if match.how}
    for pair in pairs:
        part = len(pair.value) >= _SHORTEST and any(pair.value in whole for whole in put_together)
        if part or _is_named(pair):
            spans.add((pair.start, pair.end))
            values |= {pair.value, SCHEMES.sub("", pair.value)}
    values |= {line for value in values if "\n" in value for line in value.split("\n")}
    kept = sorted((value for value in values if len(value) >= _SHORTEST), key=len, reverse=True)
    return Redaction(tuple(spans), tuple(kept))


def _is_named(pair: Pair) -> bool:
    return (
        len(pair.value) >= _SHORTEST
        and bool(secret_in(pair.name))
        and not is_code(pair.value)
        and not looked_up(pair.value)
    )


def redaction_of(source: Source) -> Redaction:
    """Whatever a gate asks for, and however a rule is weighed: no secret is shown."""
    return _redaction(replace(source, first=(), root=None))


@lru_cache(maxsize=16)
def _redaction(source: Source) -> Redaction:
    """Of the same text once, for what is said of it and for what is shown of it."""
    text = source.text.removeprefix(BOM)
    if source.shapes_only:
        return redaction_over(list(scan_shapes("", text, ScanOptions(most=0)).matches), ())
    syntax = parse(source) if source.language in LANGUAGES else None
    pairs, whole = literal_pairs(syntax, Deadline.after(_SECONDS)) if isinstance(syntax, Syntax) else (None, True)
    has_tree = pairs is not None
    if pairs is None and source.path and file_kind_of(source.path).prose:
        # Nobody objects to a name and a value in prose; shown they are not.
        return redaction_over(scan_text("", text), ())
    if pairs is None:
        pairs = tuple(pairs_in(source.path, text.encode("utf-8", "replace"))) if source.path else ()
    # By no path: what stands in an example is hidden as well, there is no harm in it.
    redaction = redaction_over(scan_text("", text, ScanOptions(pairs=pairs, generic=False, views=not has_tree)), pairs)
    redaction = replace(redaction, whole=whole)
    if not source.beside:
        return redaction
    beside = redaction_over(scan_text(source.path, source.beside, ScanOptions(bar="low")), ())
    return replace(redaction, values=tuple(sorted({*redaction.values, *beside.values}, key=len, reverse=True)))


def word_redactor(source: Source) -> Callable[[str], str]:
    return redaction_of(source).over_words


def hides_nothing(source: Source) -> bool:
    """Whether it may be shown as it is, for good: all of it was read."""
    redaction = redaction_of(source)
    return redaction.whole and not (redaction.spans or redaction.values or source.text.startswith(BOM))


def redacted_source(source: Source) -> str:
    """The text as it may be shown: every line and column in its place."""
    return redaction_of(source).over_text(source.text.removeprefix(BOM))
