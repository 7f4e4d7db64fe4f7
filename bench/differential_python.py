"""Python against ruff's C901, and against complexipy where it and the cognitive_complexity package agree."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import warnings
from collections import Counter
from typing import TYPE_CHECKING

from differential_corpus import CACHE, python_sources, python_tools

from vetgate.checks.complexity import Measures, measure
from vetgate.source.clock import Deadline
from vetgate.source.syntax import Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def compared() -> Iterator[tuple[str, str, int, int]]:
    files = python_sources()
    tools = python_tools()
    sys.path.insert(0, str(tools))
    cyclomatic = _ruff(tools)
    for path in files:
        text = path.read_text("utf-8", "replace")
        measured = measure(Source(str(path), text, "python"), Deadline.never()).functions
        crowded = Counter(function.line for function in measured)
        ours = {function.line: function for function in measured if crowded[function.line] == 1}
        for line, value in cyclomatic.get(str(path), {}).items():
            if crowded[line] < 2:
                yield "ruff C901 (cyclomatic)", _place(path, line), _of(ours, line, "cyclomatic"), value
        for line, value in _cognitive(text).items():
            if crowded[line] < 2:
                yield "complexipy = cognitive_complexity", _place(path, line), _of(ours, line, "cognitive"), value


def _of(functions: dict[int, Measures], line: int, measure_name: str) -> int:
    return getattr(functions[line], measure_name) if line in functions else -1


def _place(path: Path, line: int) -> str:
    return f"{path.relative_to(CACHE)}:{line}"


def _ruff(tools: Path) -> dict[str, dict[int, int]]:
    command = [str(tools / "bin" / "ruff"), "check", "--isolated", "--no-cache", "--ignore-noqa", "--select", "C901"]
    command += ["--config", "lint.mccabe.max-complexity=0", "--output-format", "json", str(CACHE / "pypi")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    values: dict[str, dict[int, int]] = {}
    for message in json.loads(done.stdout):
        found = re.search(r"\((\d+) > 0\)", message["message"])
        if found:
            values.setdefault(message["filename"], {})[message["location"]["row"]] = int(found[1])
    return values


def _cognitive(text: str) -> dict[int, int]:
    """The values on which the two public tools agree; they disagree on a fifth of the functions that are not zero."""
    import complexipy  # noqa: PLC0415
    from cognitive_complexity.api import get_cognitive_complexity  # noqa: PLC0415

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        one = {function.line_start: function.complexity for function in complexipy.code_complexity(text).functions}
    except (SyntaxError, ValueError, RecursionError):
        return {}
    agreed = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno in one:
            other = get_cognitive_complexity(node)
            if other == one[node.lineno]:
                agreed[node.lineno] = other
    return agreed
