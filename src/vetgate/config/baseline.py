"""`.vetgate/baseline.json`: what was found when the tool was adopted. Only a person can let it grow."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.expression import expression
from vetgate.model import BASELINE_NAME, FINGERPRINT, UserError

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 16 * 1024 * 1024
_ENTRY = expression(r"([a-z][a-z0-9-]*/[a-z][a-z0-9-]*)(?: (\d{1,9}))?")


class BaselineEntry(NamedTuple):
    rule: str
    value: int | None = None


# Path -> fingerprint -> what it is.
Listed = Mapping[str, Mapping[str, BaselineEntry]]


def read(root: Path) -> Listed | None:
    """None where there is no such file; UserError for one that cannot be read as one."""
    path = root / BASELINE_NAME
    try:
        if path.stat().st_size > LARGEST:
            raise UserError(
                f"{BASELINE_NAME} is larger than {LARGEST // (1024 * 1024)} MiB", hint="leave files out by `paths`"
            )
        return parsed(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"{BASELINE_NAME} cannot be read: {error.strerror}") from error


def parsed(data: bytes | str) -> Listed:
    try:
        content = json.loads(data)
        if content["version"] != 1:
            raise UserError(f"{BASELINE_NAME} has a version that this vetgate does not know", hint="update vetgate")
        return {
            path: {fingerprint: _entry(fingerprint, text) for fingerprint, text in entries.items()}
            for path, entries in content["files"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        hint = "`vetgate baseline --write` writes it anew"
        raise UserError(f"{BASELINE_NAME} is not what vetgate writes", hint=hint) from None


def _entry(fingerprint: str, text: Any) -> BaselineEntry:
    found = _ENTRY.fullmatch(text)
    if found is None or not FINGERPRINT.fullmatch(fingerprint):
        raise ValueError(text)
    return BaselineEntry(found[1], int(found[2]) if found[2] else None)


def text(listed: Listed) -> str:
    """A finding a line, in an order that does not change: made to be merged and to be read in a review."""
    files = {
        path: {fingerprint: _line(entry) for fingerprint, entry in sorted(listed[path].items())}
        for path in sorted(listed)
        if listed[path]
    }
    return json.dumps({"version": 1, "files": files}, indent=1, ensure_ascii=True) + "\n"


def _line(entry: BaselineEntry) -> str:
    return entry.rule if entry.value is None else f"{entry.rule} {entry.value}"


def common(one: Listed, other: Listed) -> Listed:
    """What both list, with the lower value of a measure."""
    return {
        path: {
            fingerprint: BaselineEntry(entry.rule, _lower(entry.value, other[path][fingerprint].value))
            for fingerprint, entry in entries.items()
            if fingerprint in other[path]
        }
        for path, entries in one.items()
        if path in other
    }


def beyond(one: Listed, other: Listed) -> list[tuple[str, BaselineEntry]]:
    """What `one` lists, or lists higher, than `other` does: path and entry."""
    shared = common(one, other)
    return [(path, entry) for path, fingerprint, entry in _all(one) if shared.get(path, {}).get(fingerprint) != entry]


def count(listed: Listed) -> int:
    return sum(len(entries) for entries in listed.values())


def _all(listed: Listed) -> Iterator[tuple[str, str, BaselineEntry]]:
    return ((path, fingerprint, entry) for path, entries in listed.items() for fingerprint, entry in entries.items())


def _lower(one: int | None, other: int | None) -> int | None:
    return min((each for each in (one, other) if each is not None), default=None)
