"""Write kinds.json and the shapes of the last tier from kinds/*.toml; without `--write`, only say what drifted."""

from __future__ import annotations

import sys
import tomllib
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

import msgspec

from vetgate.checks.secrets.token_kinds import COMPILED, KINDS, TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDEST = 3_000
MOST_OPEN = 6
LEAST_START = 2
MOST_STARTS = 40
MOST_MEMBERS = 6


class NotLinear(ValueError):  # noqa: N818 - a fact about a pattern
    """Nobody can say that this pattern takes a number of steps that has a bound."""


def prove(pattern: str) -> None:
    """Raise NotLinear, with the reason, unless the pattern's time has a bound."""
    try:
        parsed = _parser.parse(pattern)
    except _parser.error as error:
        raise NotLinear(f"it cannot be read: {error}") from None
    _, widest = parsed.getwidth()
    if widest > WIDEST:
        raise NotLinear(f"it can match {widest} characters, and {WIDEST} is the most")
    if _open_repeats(parsed) > MOST_OPEN:
        raise NotLinear(f"more than {MOST_OPEN} repetitions without a fixed number")


def _open_repeats(sequence: Any) -> int:
    count = 0
    for kind, value in sequence:
        if kind == op.MAX_REPEAT:
            least, most, body = value
            inside = _open_repeats(body)
            if inside and most > 1:
                raise NotLinear("a repetition inside of a repetition")
            count += inside + (least != most)
        elif kind == op.SUBPATTERN:
            count += _open_repeats(value[-1])
        elif kind == op.BRANCH:
            count += max(_open_repeats(branch) for branch in value[1])
        elif kind not in {op.LITERAL, op.IN}:
            raise NotLinear(f"{str(kind).lower()} is not one of the parts a pattern may be made of")
    return count


def starts(pattern: str) -> tuple[str, ...]:
    """The texts one of which every match begins with."""
    return tuple(dict.fromkeys(_starts(list(_parser.parse(pattern)))))


def _starts(sequence: list[Any]) -> list[str]:
    found = [""]
    for position, (kind, value) in enumerate(sequence):
        texts = _texts(kind, value)
        if texts is None or len(found) * len(texts) > MOST_STARTS:
            break
        if kind == op.MAX_REPEAT:  # what may be left out: both ways go on with the rest
            rest = _starts(sequence[position + 1 :])
            return [each + more + after for each in found for more in texts for after in ([""] if more else rest)]
        found = [each + more for each in found for more in texts]
    return found


def _texts(kind: Any, value: Any) -> list[str] | None:
    """All that a part can match, when that is a few fixed texts."""
    if kind == op.LITERAL:
        return [chr(value)]
    if kind == op.IN:
        return _members(value)
    if kind == op.SUBPATTERN:
        return _joined(list(value[-1]))
    if kind == op.BRANCH:
        branches = [_joined(list(branch)) for branch in value[1]]
        return None if None in branches else [text for branch in branches for text in branch or ()]
    if kind == op.MAX_REPEAT and value[:2] == (0, 1):
        once = _joined(list(value[2]))
        return None if once is None else [*once, ""]
    return None


def _joined(sequence: list[Any]) -> list[str] | None:
    found = [""]
    for kind, value in sequence:
        texts = _texts(kind, value)
        if texts is None:
            # The head of an alternative is better than nothing.
            return found if all(found) else None
        found = [each + more for each in found for more in texts]
    return found


def _members(members: list[tuple[Any, Any]]) -> list[str] | None:
    found: list[str] = []
    for kind, value in members:
        if kind not in {op.LITERAL, op.RANGE}:
            return None
        first, last = (value, value) if kind == op.LITERAL else value
        found += map(chr, range(first, last + 1))
    return found if len(found) <= MOST_MEMBERS else None


SHAPES = KINDS.parents[2] / "secret_shapes.py"
_HEAD = '''"""Tokens that the last tier knows by their shape.

Written by `python -m vetgate.checks.secrets.document --write` from the table of the secrets check.
"""

'''


def kinds_in_files() -> Iterator[TokenKind]:
    for file in sorted(KINDS.glob("*.toml")):
        for name, fields in tomllib.loads(file.read_text("utf-8")).items():
            yield checked(msgspec.convert({"id": name, "area": file.stem, **fields}, TokenKind))


def checked(kind: TokenKind) -> TokenKind:
    """With the texts its token begins with; raises ValueError when it has none, or when it might take long."""
    for pattern in (kind.pattern, kind.value):
        prove(pattern)
    if not kind.pattern or kind.anchor:
        return kind
    found = starts(kind.pattern)
    if min(map(len, found)) < LEAST_START:
        raise ValueError(f"{kind.id} begins with nothing to look for: give it an anchor")
    return msgspec.structs.replace(kind, starts=found)


def compiled() -> bytes:
    # A kind a line, so that a change of one kind is a change of one line.
    return b"[\n" + b",\n".join(msgspec.json.encode(kind) for kind in kinds_in_files()) + b"\n]\n"


def shapes() -> bytes:
    lines = [f"    ({_quoted(kind.id)}, r{_quoted(kind.pattern)}),\n" for kind in kinds_in_files() if kind.core]
    return (_HEAD + "SHAPES = (\n" + "".join(lines) + ")\n").encode("ascii")


def _quoted(text: str) -> str:
    return f'"{text}"'


def main(arguments: list[str]) -> int:
    drifted = 0
    for file, wanted in ((COMPILED, compiled()), (SHAPES, shapes())):
        if file.exists() and file.read_bytes() == wanted:
            continue
        if "--write" in arguments:
            file.write_bytes(wanted)
            continue
        drifted = 1
        sys.stderr.write(f"{file} is not what the kinds say; run python -m vetgate.checks.secrets.document --write\n")
    return drifted


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
