"""Gates that run while somebody watches the log: when each begins, that it still runs, and that it is over."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vetgate.gates.locks import running_gates
from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.gates.locks import RunningGate

_SECONDS_BETWEEN = 30.0


class Watch:
    """Asked again and again, it says only what is new."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._told: dict[RunningGate, float] = {}

    def news(self) -> Iterator[str]:
        now = time.time()
        running = running_gates(self._folder)
        for each in running:
            if each not in self._told:
                yield f"{_when(each.since)}  gate {printable(each.gate)} runs in {printable(each.root)}"
            elif now - self._told[each] >= _SECONDS_BETWEEN:
                yield f"{_when(now)}  gate {printable(each.gate)} still runs, for {now - each.since:.0f} s"
            else:
                continue
            self._told[each] = now
        for each in self._told.keys() - set(running):
            del self._told[each]
            yield f"{_when(now)}  gate {printable(each.gate)} ended after {now - each.since:.1f} s"


def _when(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment))
