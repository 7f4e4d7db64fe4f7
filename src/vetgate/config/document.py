"""The JSON Schema and the reference page, generated from the keys: `python -m vetgate.config.document [--write]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.config.keys import FILE
from vetgate.config.layers import GROUND, preset
from vetgate.config.value_shapes import MapOf, MappingShape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.value_shapes import ValueShape

SCHEMA_FILE = Path(__file__).parent / "vetgate.schema.json"
_START = "<!-- generated from the schema by `python -m vetgate.config.document --write` -->"
_END = "<!-- end of what is generated -->"


def schema() -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "vetgate.yaml",
        "description": "What vetgate checks in this repository, and what blocks.",
    } | FILE.schema()


def schema_text() -> str:
    return json.dumps(schema(), indent=2) + "\n"


def reference() -> str:
    """A table of every key: what it may hold, its default, what it is for."""
    rows = ["| key | value | default | |", "| --- | --- | --- | --- |"]
    for path, shape, summary in _keys(FILE, ""):
        rows.append(f"| `{path}` | {_cell(shape.words())} | {_default(path)} | {_cell(summary)} |")
    return "\n".join(rows)


def page(current: str) -> str:
    """The page with its generated part renewed; what a person wrote around it stays."""
    before, _, rest = current.partition(_START)
    _, _, after = rest.partition(_END)
    return f"{before}{_START}\n\n{reference()}\n\n{_END}{after}"


def _keys(table: MappingShape, prefix: str) -> Iterator[tuple[str, ValueShape, str]]:
    for name, key in table.keys.items():
        path = f"{prefix}{name}"
        shape = key.shape
        if isinstance(shape, MappingShape):
            yield from _keys(shape, f"{path}.")
        elif isinstance(shape, MapOf) and isinstance(shape.value, MappingShape):
            yield from _keys(shape.value, f"{path}.NAME.")
        else:
            yield path, shape, key.summary


def _default(path: str) -> str:
    node = preset(GROUND).at(*path.replace("NAME", "code").split("."))
    if node.value is None:
        return "[recommended]" if path == "extends" else "the check's own" if path.endswith("on_error") else ""
    if isinstance(node.value, list) and len(node.value) > 3:
        return "see below"
    return f"`{json.dumps(node.plain)}`" if not isinstance(node.value, str) else f"`{node.value}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("**", "\\*\\*")


def _drift(write: bool, target: Path, wanted: str) -> bool:  # noqa: FBT001 - one private caller
    if target.exists() and target.read_text(encoding="utf-8") == wanted:
        return False
    if write:
        target.write_text(wanted, encoding="utf-8")
    return not write


def main(arguments: list[str]) -> int:
    write = "--write" in arguments
    guide = Path("docs/configuration.md")
    drifted = [
        str(target)
        for target, wanted in (
            (SCHEMA_FILE, schema_text()),
            (guide, page(guide.read_text(encoding="utf-8"))),
        )
        if _drift(write, target, wanted)
    ]
    for target in drifted:
        sys.stderr.write(f"{target} does not say what the schema says; run python -m vetgate.config.document --write\n")
    return 1 if drifted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
