"""What stands in a look-up for the case that nothing is found: `${DB_PASSWORD:-...}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.match import Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DEFAULT = re.compile(r"\$\{([A-Za-z_][\w.-]{1,100}?)(?::-|:=|:)([^{}$\s]{6,300})\}")


def with_defaults(pairs: Iterable[Pair]) -> Iterator[Pair]:
    for pair in pairs:
        yield pair
        found = _DEFAULT.search(pair.value) if "${" in pair.value else None
        if found is not None:
            start = pair.start + len(pair.value[: found.start(2)].encode("utf-8", "replace"))
            end = start + len(found[2].encode("utf-8", "replace"))
            yield Pair(found[1].replace(".", "_"), found[2], start, end)
