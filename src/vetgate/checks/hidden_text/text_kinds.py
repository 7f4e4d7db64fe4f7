"""What kind of text a character stands in, as far as it decides what it may do there."""

from __future__ import annotations

import enum
import re
from functools import cached_property
from typing import TYPE_CHECKING

from vetgate.checks.tokens import LexicalKind, tokens
from vetgate.expression import expression
from vetgate.known_agents import known_agents

if TYPE_CHECKING:
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
        return _of_path(self._source.path)

    @cached_property
    def _tokens(self) -> Tokens | None:
        return tokens(self._source)


def _of_path(path: str) -> TextKind:
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
