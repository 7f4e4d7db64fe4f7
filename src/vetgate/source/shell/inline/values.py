"""What a reader of another language knows and gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.source.shell.placeholders import UNKNOWN, is_known

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vetgate.source.shell.runs import Inner

# What is only perhaps a command must not make a long script unreadable.
_MOST_TEXT, _MOST_TEXTS = 4_000, 64
# A text with marks, or a list of such; None is anything else.
Value = str | list["Value"] | None


@dataclass(frozen=True, slots=True)
class ReaderContext:
    home: str
    content: Callable[[str], str]
    written: dict[str, str] = field(default_factory=dict)  # by the code itself, which content does not know yet
    environment: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()  # behind the code, or the file that holds it


@dataclass(slots=True)
class Done:
    inners: list[Inner] = field(default_factory=list)
    printed: str = ""


def text_of(value: Value) -> str:
    if isinstance(value, list):
        return " ".join(map(text_of, value))
    return UNKNOWN if value is None else value


def texts_of(value: Value) -> tuple[str, ...]:
    return tuple(map(text_of, value)) if isinstance(value, list) else (text_of(value),)


def known_texts(values: Sequence[Value]) -> list[str]:
    """Those that are known, also out of lists; of a long one its beginning and its end."""
    flat = [text for value in values for text in (known_texts(value) if isinstance(value, list) else [value])]
    known = [text for text in flat if isinstance(text, str) and is_known(text) and text.strip()]
    return [part for text in known for part in dict.fromkeys((text[:_MOST_TEXT], text[-_MOST_TEXT:]))][:_MOST_TEXTS]
