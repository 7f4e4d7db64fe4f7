"""A text read for the index."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.index import ecmascript, go, others, python
from vetgate.index.facts import Read
from vetgate.index.reading import read as read_syntax
from vetgate.model import Unchecked
from vetgate.source.language import grammar
from vetgate.source.syntax import Source, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.index.reading import See

_READERS: Mapping[str, Mapping[str, See]] = {
    "python": python.READERS,
    "javascript": ecmascript.READERS,
    "typescript": ecmascript.READERS,
    "tsx": ecmascript.READERS,
    "go": go.READERS,
    "java": others.JAVA,
    "csharp": others.CSHARP,
    "php": others.PHP,
    "ruby": others.RUBY,
    "rust": others.RUST,
}
# Part of every digest: what an older reader noted is not what this one would.
_VERSION = b"3"


@cache
def _by_number(language: str) -> Mapping[int, See]:
    kinds = grammar(language)
    readers = _READERS[language]
    names = ((number, kinds.node_kind_for_id(number) or "") for number in range(kinds.node_kind_count))
    return {number: readers[name] for number, name in names if name in readers and kinds.node_kind_is_named(number)}


def read(source: Source) -> Read:
    """What can be known of it; nothing of what nobody can parse."""
    syntax = parse(source)
    if isinstance(syntax, Unchecked) or syntax.language not in _READERS:
        return Read()
    return read_syntax(syntax, _by_number(syntax.language))


def digest(text: str, language: str) -> bytes:
    content = text.encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=16, person=language.encode()[:15] + _VERSION).digest()
