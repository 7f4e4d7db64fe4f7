"""JavaScript and TypeScript against ESLint's `complexity` and sonarjs's `cognitive-complexity`."""

from __future__ import annotations

import json
import subprocess
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from differential_corpus import CACHE, NODE_TOOLS, MissingError, node_programs, node_sources, node_tools

from vetgate.checks.complexity import FileMeasures, Measures, measure
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT = Path(__file__).with_name("differential.cjs")


FUNCTIONS = frozenset({"FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"})


def compared() -> Iterator[tuple[str, str, int, int]]:
    for answer in _reference(node_sources()):
        path = Path(answer["file"])
        measured = None if "error" in answer else _measured(path)
        if measured is None or measured.unchecked:
            continue  # the reference cannot parse it, or it is above the size that vetgate parses
        ours = {function.extent: function for function in measured.functions}
        for theirs in answer["functions"]:
            yield from _values(path, ours.get((theirs["start"], theirs["end"])), theirs)


def _values(path: Path, mine: Measures | None, theirs: dict) -> Iterator[tuple[str, str, int, int]]:
    if mine is None and theirs["type"] not in FUNCTIONS:
        return  # an initialiser without a branch is not told
    line, cyclomatic, cognitive = (mine.line, mine.cyclomatic, mine.cognitive) if mine else (theirs["start"], -1, -1)
    place = f"{path.relative_to(CACHE)}:{line}"
    yield "ESLint complexity (cyclomatic)", place, cyclomatic, theirs["cyclomatic"]
    if theirs["type"] in FUNCTIONS:
        yield "sonarjs cognitive-complexity", place, cognitive, theirs["cognitive"]


def _measured(path: Path) -> FileMeasures:
    text = path.read_text("utf-8", "replace")
    return measure(Source(str(path), text, language_of(path.name)), Deadline.never())


def _reference(files: list[Path]) -> Iterator[dict]:
    """One answer a file; kept, since the reference takes minutes."""
    key = blake2b("".join(NODE_TOOLS).encode() + SCRIPT.read_bytes(), digest_size=6).hexdigest()
    kept = CACHE / "npm" / f"answers-{key}.jsonl"
    if not kept.exists():
        node, _ = node_programs()
        names = "\n".join(str(file) for file in files)
        done = subprocess.run(
            [node, str(SCRIPT)], cwd=node_tools(), input=names, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise MissingError(f"the reference run failed:\n{done.stderr[-800:]}")
        kept.write_text(done.stdout)
    with kept.open() as lines:
        yield from map(json.loads, lines)
