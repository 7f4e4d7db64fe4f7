"""Checks that ask a language model: one module and one page each, found by walking this package.

A judge adds findings. It never removes one that a check made.
"""

from __future__ import annotations

import importlib
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from vetgate.config.models import judge_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.judges.judge import Judge


@lru_cache(maxsize=64)
def judge_named(name: str) -> Judge:
    """Raises KeyError for a name that no page has."""
    if name not in judge_names():
        raise KeyError(name)
    judge: Judge = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").JUDGE
    return judge


@cache
def all_judges() -> Mapping[str, Judge]:
    return {name: judge_named(name) for name in sorted(judge_names())}
