"""What kind of text a character stands in, and words that are not what they look like."""

from __future__ import annotations

import enum
import re
from functools import cached_property
from typing import TYPE_CHECKING

from vetgate.checks.hidden_text.scripts import CYRILLIC, LATIN, is_all_looks, passes_for_latin, script, skeleton
from vetgate.checks.tokens import LexicalKind, tokens
from vetgate.expression import expression
from vetgate.known_agents import known_agents
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.tokens import Tokens
    from vetgate.source.syntax import Source


class TextKind(enum.Enum):
    CODE = "code"
    STRING = "a string"
    COMMENT = "a comment"
    SOURCE = "source text"
    INSTRUCTIONS = "instructions to an agent"
    DATA = "data"
    PROSE = "text"


_OF_KIND = {LexicalKind.CODE: TextKind.CODE, LexicalKind.STRING: TextKind.STRING, LexicalKind.COMMENT: TextKind.COMMENT}
_PAGES = "|".join(name for agent in known_agents() for name in agent.instructions)
_RULES = "|".join(re.escape(name) for agent in known_agents() for name in agent.rules)
_FOLDERS = "|".join(re.escape(agent.folder) for agent in known_agents() if agent.folder)
_INSTRUCTIONS = expression(
    rf"(?:^|/)(?:(?:AGENTS|SKILL|CONVENTIONS|{_PAGES})(?:\.[\w-]+)?\.md|{_RULES}|llms(?:-full)?\.txt"
    rf"|(?:{_FOLDERS})[^/]*/.*|[^/]*\.mdc|[^/]*\.(?:prompt|instructions|chatmode)\.md)$",
    re.IGNORECASE,
)
_TRANSLATIONS = expression(
    r"(?:^|/)(?:i18n|l10n|locales?|lang|langs|languages|translations?|messages|nls|intl)(?:/|[._-][\w-]+\.\w+$)|\.(?:po|pot|xliff?"
    r"|strings|arb|ftl|resx|srt|vtt|lproj)$",
    re.IGNORECASE,
)
_PROSE = expression(
    r"\.(?:md|markdown|mdown|rst|txt|adoc|asciidoc|tex|html?|xhtml|svg|csv|tsv|org|log|bib|eml)$", re.IGNORECASE
)
_DATA = expression(
    r"\.(?:jsonc?|json5|jsonl|ndjson|ya?ml|toml|ini|cfg|conf|properties|xml|plist|lock|snap|ambr)$", re.IGNORECASE
)
_BARE = expression(
    r"(?:^|/)(?:README|LICEN[CS]E|COPYING|AUTHORS|CONTRIBUTORS|CHANGELOG|CHANGES|NOTICE|NEWS|THANKS)[^/]*$"
)


class TextKinds:
    """Says of an offset where it is; the text is parsed when somebody asks."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def at(self, offset: int) -> TextKind:
        if self._source.language is None:
            return self._whole
        return TextKind.SOURCE if self._tokens is None else _OF_KIND[self._tokens.kind(offset)]

    def around(self, offset: int) -> str:
        """The token that holds it; "" where there is no grammar."""
        node = self._tokens.node(offset) if self._tokens else None
        return self._tokens.syntax.text(node) if self._tokens and node else ""

    @property
    def are_data(self) -> bool:
        return self._source.language is None and self._whole is TextKind.DATA

    @cached_property
    def _whole(self) -> TextKind:
        return text_kind_of(self._source.path)

    @cached_property
    def _tokens(self) -> Tokens | None:
        return tokens(self._source)


_FORMATS = (
    *("%PDF-", "%!PS-Adobe", "\udc89PNG", "GIF8", "\udcff\udcd8\udcff", "II*", "RIFF", "\udcc5\udcd0\udcd3\udcc6"),
    *("PK\x03\x04", "\x1f\udc8b", "BZh", "Rar!", "7z\udcbc\udcaf", "\udcfd7zXZ", "(\udcb5/\udcfd", "\x7fELF"),
    *("OggS", "ID3", "fLaC", "wOFF", "wOF2"),
)
_NOT_TEXT = expression("[\udc80-\udcff\x01-\x08\x0e-\x1a]")


def is_binary_format(source: Source) -> bool:
    """A document, a picture or an archive, by how it begins; code is judged as code, whatever it begins with."""
    return source.language is None and source.text.startswith(_FORMATS) and _NOT_TEXT.search(source.text) is not None


def text_kind_of(path: str) -> TextKind:
    for pattern, place in (
        (_INSTRUCTIONS, TextKind.INSTRUCTIONS),
        (_TRANSLATIONS, TextKind.PROSE),
        (_PROSE, TextKind.PROSE),
        (_DATA, TextKind.DATA),
        (_BARE, TextKind.PROSE),
    ):
        if pattern.search(path):
            return place
    return TextKind.SOURCE


_WORD = expression(r"[^\W\d]\w{0,99}")  # what is longer is no name
_WIDE = expression("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+")
_SPOKEN = frozenset({TextKind.COMMENT, TextKind.PROSE, TextKind.INSTRUCTIONS})


def disguised(text: str, places: TextKinds) -> Iterator[tuple[int, str, Severity]]:
    """Each word that passes for another one: where it is, and how bad that is there."""
    # No word reaches over a line, and most lines hold none of another script.
    foreign = {
        match[0]
        for line in text.split("\n")
        if not line.isascii()
        for match in _WORD.finditer(line)
        if not match[0].isascii()
    }
    speaks_cyrillic = any(_is_open(word) for word in foreign)
    guilty = {word for word in foreign if passes_for_latin(word)}
    doubles = {word for word in foreign - guilty if is_all_looks(word)}
    if not guilty and not doubles:
        return
    plain = {match[0] for match in _WORD.finditer(text) if match[0].isascii()}
    for match in _WORD.finditer(text):
        word = match[0]
        if word in guilty or word in doubles:
            severity = _severity(word, places.at(match.start()), skeleton(word) in plain, speaks_cyrillic)
            if severity is not None and (word in guilty or severity is Severity.ERROR or not speaks_cyrillic):
                yield match.start(), word, severity


def _is_open(word: str) -> bool:
    """A word of another script that nobody takes for Latin."""
    return all(script(each) != LATIN for each in word) and not is_all_looks(word)


def _severity(word: str, place: TextKind, has_double: bool, speaks: bool) -> Severity | None:  # noqa: FBT001 - one call
    if place in _SPOKEN:
        return None
    if place is TextKind.CODE:
        return Severity.ERROR if has_double or passes_for_latin(word) else Severity.WARNING
    if len(word) == 1:
        return None  # a sign by itself, such as that of a network, is nobody's name
    # East Asian text writes foreign words as wide as its own.
    if _WIDE.fullmatch(word):
        return None
    # In Russian a foreign word takes a Russian ending.
    if is_all_looks(word) or (speaks and script(word[-1]) == CYRILLIC):
        return None
    return Severity.WARNING
