"""Code that the complexity check blocks, code that it does not, and the same twice in a notebook."""

from __future__ import annotations

import json

LIMIT = 10
BRANCHES = 12
VALUE = BRANCHES + 1

TANGLED = "def route(code):\n" + "".join(
    f"    if code == {number}:\n        return {number * 3}\n" for number in range(BRANCHES)
)
PLAIN = "def route(code):\n    return code * 3\n"

# What an agent needs to fix it: the function, its value, the limit, and the lines that count.
TELLS = ("route", str(VALUE), str(LIMIT), "cyclomatic")
BRANCH_LINES = range(2, 2 + 2 * BRANCHES, 2)


def notebook(source: str) -> str:
    cell = {"cell_type": "code", "id": "c1", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
    metadata = {"language_info": {"name": "python"}}
    return json.dumps({"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)
