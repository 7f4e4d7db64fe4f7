"""JavaScript and TypeScript against ESLint's `complexity` and sonarjs's `cognitive-complexity`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from differential_corpus import CACHE, MissingError, node_programs, node_sources, node_tools

from vetgate.checks.complexity import Measured, measure
from vetgate.source.deadline import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT = Path(__file__).with_suffix("").parent / "differential.cjs"


def compared() -> Iterator[tuple[str, str, int, int]]:
    files = node_sources()
    for answer in _reference(files):
        if "error" in answer:
            continue
        path = Path(answer["file"])
        measured = _measured(path)
        if measured.unchecked:
            continue  # above the size that is parsed
        ours = {function.extent: function for function in measured.functions}
        for theirs in answer["functions"]:
            mine = ours.get((theirs["start"], theirs["end"]))
            if mine is None and theirs["type"] not in {
                "FunctionDeclaration",
                "FunctionExpression",
                "ArrowFunctionExpression",
            }:
                continue  # an initialiser without a branch is not told
            place = f"{path.relative_to(CACHE)}:{mine.line if mine else theirs['start']}"
            yield "ESLint complexity (cyclomatic)", place, mine.cyclomatic if mine else -1, theirs["cyclomatic"]
            if theirs["type"].endswith(("Function", "FunctionDeclaration", "FunctionExpression")):
                yield "sonarjs cognitive-complexity", place, mine.cognitive if mine else -1, theirs["cognitive"]


def _measured(path: Path) -> Measured:
    text = path.read_text("utf-8", "replace")
    return measure(Source(str(path), text, language_of(path.name)), Deadline.never())


def _reference(files: list[Path]) -> Iterator[dict]:
    """One answer a file; kept, since the reference takes minutes."""
    kept = node_tools() / "answers.jsonl"
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
