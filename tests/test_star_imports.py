"""Which names `from module import *` brings, and which of several modules it brings them from."""

from __future__ import annotations

import pytest

from contract_cases import Edit, findings

PLAIN = "def load(a, b):\n    return a, b\n"
NARROW = "from other import _path as load\n\n__all__ = ['rank']\n\n\ndef rank(a):\n    return load(a)\n"
OTHER = "def _path(a):\n    return a\n"
USED = "import pkg\n\npkg.load(1, 2)\n"


@pytest.mark.parametrize(
    ("inits", "narrow", "expected"),
    [
        ("from .plain import *\nfrom .narrow import *\n", NARROW, []),
        (
            "from .plain import *\nfrom .narrow import *\n",
            NARROW.replace("'rank'", "'rank', 'load'"),
            ["wrong-arity: "],
        ),
        ("from .narrow import *\nfrom .plain import *\n", NARROW.replace("'rank'", "'rank', 'load'"), []),
        ("from .plain import *\nfrom .narrow import *\n", "def _hidden(a):\n    return a\n", []),
    ],
    ids=["not listed", "listed, and the last", "listed, and not the last", "nothing of that name"],
)
def test_the_module_that_is_meant(tmp_path, inits, narrow, expected):
    files = {"pkg/__init__.py": inits, "pkg/plain.py": PLAIN, "pkg/narrow.py": narrow, "other.py": OTHER}
    assert findings(tmp_path, files, Edit("app.py", "", USED)) == expected


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("__all__ = ['load']\n", "load", True),
        ("__all__: list[str] = [\n    'load',  # the one\n]\n", "load", True),
        ("__all__ = ('load',)\n", "_path", False),
        ("__all__ = ['load'] + more\n", "_path", True),
        ("__all__ = ['load']\n__all__ += more\n", "_path", True),
        ("", "load", True),
        ("", "_path", False),
    ],
)
def test_what_is_listed(tmp_path, text, name, found):
    core = f"{text}def load(a):\n    return a\n\n\ndef _path(a):\n    return a\n"
    files = {"pkg/__init__.py": "from .core import *\n", "pkg/core.py": core}
    expected = ["wrong-arity: "] if found else []
    assert findings(tmp_path, files, Edit("app.py", "", f"import pkg\n\npkg.{name}(1, 2)\n")) == expected
