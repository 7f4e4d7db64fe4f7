"""Which language a file is written in, and its grammar."""

from __future__ import annotations

import importlib
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tree_sitter import Language

if TYPE_CHECKING:
    from collections.abc import Mapping

# Language -> grammar wheel and the function in it. A wheel is imported when its language is first met.
_GRAMMARS: Mapping[str, tuple[str, str]] = {
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "javascript": ("tree_sitter_javascript", "language"),
    "python": ("tree_sitter_python", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "ruby": ("tree_sitter_ruby", "language"),
}

LANGUAGES = frozenset(_GRAMMARS)

_SUFFIXES: Mapping[str, str] = {
    "ts": "typescript",
    "mts": "typescript",
    "cts": "typescript",
    "tsx": "tsx",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "py": "python",
    "pyi": "python",
    "pyw": "python",
    "wsgi": "python",
    "go": "go",
    "java": "java",
    "rs": "rust",
    "cs": "csharp",
    "csx": "csharp",
    "php": "php",
    "phtml": "php",
    "rb": "ruby",
    "rake": "ruby",
    "gemspec": "ruby",
}

_NAMES: Mapping[str, str] = {"gemfile": "ruby", "rakefile": "ruby", "guardfile": "ruby", "vagrantfile": "ruby"}


@lru_cache(maxsize=1024)
def language_of(path: str) -> str | None:
    name = path.replace("\\", "/").rpartition("/")[2].lower().rstrip()
    stem, dot, suffix = name.rpartition(".")
    return _SUFFIXES.get(suffix) if dot and stem else _NAMES.get(name)


_INTERPRETER = re.compile(
    r"#![^\n]{0,200}?[/ ](python|pypy|node|nodejs|bun|deno|ruby|php)[\d.]*(?:[ \t\r]|$)", re.MULTILINE
)
_INTERPRETED: Mapping[str, str] = {
    **dict.fromkeys(("python", "pypy"), "python"),
    **dict.fromkeys(("node", "nodejs"), "javascript"),
    **dict.fromkeys(("bun", "deno"), "typescript"),
    "ruby": "ruby",
    "php": "php",
}


def language_in(path: str, text: str) -> str | None:
    """By its name; a script that has no ending by the interpreter that its first line names."""
    language = language_of(path)
    if language is not None or not text.startswith("#!") or "." in path.replace("\\", "/").rpartition("/")[2]:
        return language
    found = _INTERPRETER.match(text)
    return _INTERPRETED[found[1]] if found else None


@cache
def grammar(language: str) -> Language:
    module, function = _GRAMMARS[language]
    return Language(getattr(importlib.import_module(module), function)())


def may_hold_code(path: str) -> bool:
    """Whether there is a grammar for it; a notebook holds code in one."""
    return language_of(path) is not None or path.endswith(".ipynb")
