"""What moved to another file, is still had from the old one, and takes something else now."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

CLASS = "class Cart:\n    def add(self, item):\n        return item\n"
FUNCTION = "def load(a):\n    return a\n"
SCRIPT = "export function load(a: string) {\n  return a;\n}\n"
USES_CLASS = "from shop import Cart\n\ncart = Cart()\ncart.add(1)\n"
USES_FUNCTION = "from shop import load\n\nload(1)\n"
USES_SCRIPT = 'import { load } from "./shop";\nload("a");\n'
BACK_CLASS, BACK_FUNCTION = "from cart import Cart\n", "from cart import load\n"
BACK_SCRIPT = 'import { load } from "./cart";\nexport { load };\n'

BREAKS = {
    "a method": ("py", CLASS, BACK_CLASS, CLASS.replace("item)", "item, many)"), USES_CLASS, "app.py:4"),
    "a function": ("py", FUNCTION, BACK_FUNCTION, FUNCTION.replace("(a)", "(a, b)"), USES_FUNCTION, "app.py:3"),
    "a script": ("ts", SCRIPT, BACK_SCRIPT, SCRIPT.replace("string)", "string, b: string)"), USES_SCRIPT, "app.ts:2"),
}
FINE = {
    "as it was": ("py", CLASS, BACK_CLASS, CLASS, USES_CLASS),
    "with something optional": ("py", FUNCTION, BACK_FUNCTION, FUNCTION.replace("(a)", "(a, b=1)"), USES_FUNCTION),
    "perhaps": (
        "py",
        FUNCTION,
        "try:\n    from cart import load\nexcept ImportError:\n    load = None\n",
        FUNCTION.replace("(a)", "(a, b)"),
        USES_FUNCTION,
    ),
    "callers that followed": (
        "py",
        FUNCTION,
        BACK_FUNCTION,
        FUNCTION.replace("(a)", "(a, b)"),
        USES_FUNCTION.replace("load(1)", "load(1, 2)"),
    ),
    "a script as it was": ("ts", SCRIPT, BACK_SCRIPT, SCRIPT, USES_SCRIPT),
}


def said(folder, kind, was, *texts):
    back, new, use = texts
    files = {f"shop.{kind}": was, f"app.{kind}": use}
    return findings_of(folder, files, {f"shop.{kind}": back, f"cart.{kind}": new})


@pytest.mark.parametrize("case", BREAKS.values(), ids=BREAKS)
def test_who_still_calls_it_as_it_was(tmp_path, case):
    assert said(tmp_path, *case[:-1]) == [f"required-parameter: {case[-1]}"]


@pytest.mark.parametrize("case", FINE.values(), ids=FINE)
def test_whom_it_breaks_nobody(tmp_path, case):
    assert said(tmp_path, *case) == []
