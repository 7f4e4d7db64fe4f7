"""What judges may still spend. A question counts as what it may cost at most until it is over."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from vetgate.store import UNDER_WAY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.config.models import Budget
    from vetgate.store import ModelCall, Store

_DAY = 86_400.0
_LOOK = 0.5  # seconds between two looks at what other processes have spent
_LONGEST = 600.0  # no question takes as long: one that is still under way has lost its process


class Purse(NamedTuple):
    """Who pays: a project for all its sessions together, and each of them by itself."""

    store: Store
    budget: Budget


class Payments:
    """Thread-safe. Questions of this process and of others stand in the store from when they begin."""

    def __init__(self) -> None:
        self._changed = threading.Condition()

    def begin(self, purse: Purse, call: ModelCall, until: float, given_up: threading.Event) -> str:
        """Why this question, at the most that it may cost, is not asked; "" where it is.

        Where the money is only promised to others, they are waited for: they mostly cost less.
        """
        with self._changed:
            while True:
                over, may_wait = self._begun(purse, call)
                left = until - time.monotonic()
                if not (over and may_wait) or left <= 0 or given_up.is_set():
                    return over
                self._changed.wait(min(left, _LOOK))

    def end(self, purse: Purse, begun: ModelCall, call: ModelCall) -> None:
        purse.store.end_model_call(begun, call)
        with self._changed:
            self._changed.notify_all()

    def _begun(self, purse: Purse, call: ModelCall) -> tuple[str, bool]:
        may_wait = False

        def refuses(calls: list[ModelCall]) -> str:
            nonlocal may_wait
            over = over_budget(purse.budget, call, calls)
            paid = [each for each in calls if not _is_promised(each, call.time)]
            may_wait = bool(over) and not over_budget(purse.budget, call, paid)
            return over

        return purse.store.begin_model_call(call, call.time - _DAY, refuses), may_wait


def over_budget(budget: Budget, call: ModelCall, others: Sequence[ModelCall]) -> str:
    """Which limit such a question would break, with what others cost or may cost."""
    today = [each for each in others if each.time >= call.time - _DAY]
    limits = [("a day", budget.usd_per_day, today)]
    if call.session:
        limits.append(("a session", budget.usd_per_session, [each for each in others if each.session == call.session]))
    for period, limit, counted in limits:
        if not limit:
            continue
        if sum(each.usd for each in counted if not _is_promised(each, call.time)) >= limit:
            return f"the budget of {limit:g} USD {period} is used up"
        if sum(each.usd for each in counted) + call.usd > limit:
            return f"the rest of the budget of {limit:g} USD {period} may not be enough for it"
    return ""


def _is_promised(call: ModelCall, now: float) -> bool:
    return call.failure == UNDER_WAY and now - call.time < _LONGEST


PAYMENTS = Payments()
