"""Write kinds.json and the shapes of the last tier from kinds/*.toml; without `--write`, only say what drifted."""

from __future__ import annotations

import sys
import tomllib
from typing import TYPE_CHECKING

import msgspec

from vetgate.checks.secrets.shape import LEAST_START, prove, starts
from vetgate.checks.secrets.token_kinds import COMPILED, KINDS, TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterator

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
