"""Many globs as one pattern: a path is compared with all of them at once."""

from __future__ import annotations

from fnmatch import translate
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable


def one_of(globs: Iterable[str]) -> re.Pattern[str]:
    return expression("|".join(translate(glob) for glob in globs))
