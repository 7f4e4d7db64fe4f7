"""What methods make of a text or a list whose value is known: how names and commands are put together."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from vetgate.source.shell.inline.values import Value, text_of
from vetgate.source.shell.placeholders import is_known
from vetgate.source.shell.runs import by_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_MOST = 4096


def from_codes(values: Sequence[Value]) -> str | None:
    """`String.fromCharCode(114, 109)`, `bytes([114, 109])`, `chr(114)`: the text of these numbers."""
    flat = [each for value in values for each in (value if isinstance(value, list) else [value])]
    numbers = [each for each in flat if isinstance(each, str)]
    if not flat or len(numbers) < len(flat) or len(flat) > _MOST:
        return None
    try:
        return "".join(chr(int(each, 0)) for each in numbers)
    except (ValueError, OverflowError):
        return None


def method(name: str, inside: Value, arguments: Sequence[Value]) -> Value:
    """None where it is no method of texts and lists, or nobody knows the outcome."""
    found = _METHODS.get(name)
    if found is None or inside is None or any(each is None for each in arguments):
        return None
    if isinstance(inside, str) and (not is_known(inside) or len(inside) > _MOST):
        return None
    try:
        return found(inside, [text_of(each) for each in arguments])
    except (ValueError, IndexError, TypeError):
        return None


def _split(inside: Value, given: Sequence[str]) -> Value:
    if not isinstance(inside, str):
        return None
    if not given:
        return [*inside.split()]
    return [*inside] if not given[0] else [*inside.split(given[0])]


def _reversed(inside: Value, given: Sequence[str]) -> Value:
    return inside[::-1] if inside is not None else None


def _joined(inside: Value, given: Sequence[str]) -> Value:
    return (given[0] if given else ",").join(map(text_of, inside)) if isinstance(inside, list) else None


def _concatenated(inside: Value, given: Sequence[str]) -> Value:
    return text_of(inside) + "".join(given) if isinstance(inside, str) else None


def _replaced(inside: Value, given: Sequence[str]) -> Value:
    return inside.replace(given[0], given[1]) if isinstance(inside, str) and given[0] else None


def _cut(inside: Value, given: Sequence[str]) -> Value:
    numbers = [int(each) for each in given[:2]]
    return inside[slice(*numbers) if len(numbers) > 1 else slice(numbers[0], None)] if inside is not None else None


def _repeated(inside: Value, given: Sequence[str]) -> Value:
    return inside * min(int(given[0]), 64) if isinstance(inside, str) else None


def _formatted(inside: Value, given: Sequence[str]) -> Value:
    """`"{} -rf {1}".format(…)`."""
    if not isinstance(inside, str):
        return None
    for index, each in enumerate(given):
        inside = inside.replace(f"{{{index}}}", each)
        inside = inside.replace("{}", each, 1)
    return inside


def _on_text(change: Callable[[str], str]) -> Callable[[Value, Sequence[str]], Value]:
    return lambda inside, given: change(inside) if isinstance(inside, str) else None


_METHODS: Mapping[str, Callable[[Value, Sequence[str]], Value]] = by_name(
    {
        "split": _split,
        "chars": lambda inside, given: _split(inside, [""]),
        "reverse toReversed": _reversed,
        "join": _joined,
        "concat": _concatenated,
        "format": _formatted,
        "replace replaceAll gsub sub": _replaced,
        "slice substring": _cut,
        "repeat": _repeated,
        "toLowerCase downcase lower": _on_text(str.lower),
        "toUpperCase upcase upper": _on_text(str.upper),
        "to_sym": _on_text(str),
        "removeprefix": lambda inside, given: inside.removeprefix(given[0]) if isinstance(inside, str) else None,
        "unescape": _on_text(unquote),
    }
)
