"""What judges may still spend. A question counts as what it may cost at most until it is over."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.models import Budget
    from vetgate.store import Store

_DAY = 86_400.0
_LOOK = 0.5  # seconds between two looks at what others of this machine have spent


class Purse(NamedTuple):
    """Who pays: a project for all its sessions together, and each of them by itself."""

    store: Store
    session: str
    budget: Budget


class Promises:
    """Thread-safe. What questions under way in this process may cost; another process counts once it has paid."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._usd: defaultdict[tuple[str, str], list[float]] = defaultdict(list)

    @contextmanager
    def pay(self, purse: Purse, usd: float, until: float, given_up: threading.Event) -> Iterator[str]:
        """Why a question that costs so much at most is not asked, "" where it is.

        Where the money is only promised to others, they are waited for: they mostly cost less.
        """
        key = str(purse.store.folder), purse.session
        with self._changed:
            while over := self._over(purse, usd):
                left = until - time.monotonic()
                if left <= 0 or given_up.is_set() or self._over(purse, usd, promised=False):
                    break
                self._changed.wait(min(left, _LOOK))
            if not over:
                self._usd[key].append(usd)
        try:
            yield over
        finally:
            with self._changed:
                if not over:
                    self._usd[key].remove(usd)
                    self._changed.notify_all()

    def _over(self, purse: Purse, usd: float, *, promised: bool = True) -> str:
        """Which limit such a question would break."""
        (_, session, budget), store = purse, purse.store
        folder = str(store.folder)
        limits: list[tuple[str, float, float, str | None]] = [("a day", budget.usd_per_day, time.time() - _DAY, None)]
        limits += [("a session", budget.usd_per_session, 0.0, session)] if session else []
        for period, limit, since, whose in limits:
            if not limit:
                continue
            spent = store.spent(since, whose)
            paying = (made for (of, by), made in self._usd.items() if promised and of == folder and whose in (None, by))
            if spent >= limit:
                return f"the budget of {limit:g} USD {period} is used up"
            if spent + sum(map(sum, paying)) + usd > limit:
                return f"what is left of the budget of {limit:g} USD {period} may not be enough for it"
        return ""


PROMISES = Promises()
