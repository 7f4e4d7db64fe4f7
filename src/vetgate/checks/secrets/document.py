"""Write kinds.json from kinds/*.toml; without `--write`, only say whether it has drifted."""

from __future__ import annotations

import sys
import tomllib
from typing import TYPE_CHECKING

import msgspec

from vetgate.checks.secrets.kind import COMPILED, KINDS, Kind
from vetgate.checks.secrets.shape import LEAST_START, prove, starts

if TYPE_CHECKING:
    from collections.abc import Iterator


def kinds_in_files() -> Iterator[Kind]:
    for file in sorted(KINDS.glob("*.toml")):
        for name, fields in tomllib.loads(file.read_text("utf-8")).items():
            yield checked(msgspec.convert({"id": name, "area": file.stem, **fields}, Kind))


def checked(kind: Kind) -> Kind:
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


def main(arguments: list[str]) -> int:
    wanted = compiled()
    if COMPILED.exists() and COMPILED.read_bytes() == wanted:
        return 0
    if "--write" in arguments:
        COMPILED.write_bytes(wanted)
        return 0
    sys.stderr.write(f"{COMPILED} is not what the kinds say; run python -m vetgate.checks.secrets.document --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
