"""Which lowering a language family has; a module is imported when its language is first met."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetgate.checks.security.lowering import Lowering

_LOWERINGS = {
    "python": ("lower_python", "Python"),
    "ecmascript": ("lower_ecmascript", "Ecmascript"),
    "go": ("lower_go", "Go"),
    "java": ("lower_java", "Java"),
    "csharp": ("lower_csharp", "CSharp"),
    "php": ("lower_php", "Php"),
    "ruby": ("lower_ruby", "Ruby"),
    "rust": ("lower_rust", "Rust"),
}


@cache
def lowering(family: str) -> type[Lowering]:
    module, name = _LOWERINGS[family]
    found: type[Lowering] = getattr(importlib.import_module(f"vetgate.checks.security.{module}"), name)
    return found
