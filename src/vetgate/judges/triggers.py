"""Whether a judge is waited for: strict where a mistake is likely or costs much, lazy otherwise. Values only."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.model import EventKind

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.model import Event

LARGE_EDIT = 20  # lines; more are waited for
FIRST_TOOLS = 3
BEFORE = frozenset({EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.BEFORE_TOOL})
_AFTER = frozenset({EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND, EventKind.AFTER_TOOL})


class Waiting(enum.StrEnum):
    """`SKIP`: no judge is asked at all; `LAZY`: one is asked, and its answer told later."""

    SKIP = "skip"
    LAZY = "lazy"
    STRICT = "strict"


class PathTrust(enum.StrEnum):
    """What is known of the files that a call is about, of several the strictest."""

    TRUSTED = "trusted"  # inside the project or the agent's own notes
    SPECIAL = "special"  # instructions to agents, plans
    UNTRUSTED = "untrusted"
    SENSITIVE = "sensitive"


@dataclass(frozen=True, slots=True)
class SessionCounters:
    """What a session did so far, before the call in question. `denied` and `failed` speak of the call before it.

    Tools that only read are not counted: they pass at once, and the first call after a prompt is mostly one.
    """

    tools: int = 0
    since_prompt: int = 0
    denied: bool = False
    failed: bool = False

    def after(self, event: Event, *, denied: bool = False) -> SessionCounters:
        """The counters once an event was answered: a denial or an error makes the next call strict, and only that."""
        if event.kind in {EventKind.PROMPT, EventKind.SESSION_START}:
            fresh = SessionCounters() if event.kind is EventKind.SESSION_START else self
            return replace(fresh, since_prompt=0)
        if event.kind in BEFORE and not event.only_reads:
            return SessionCounters(self.tools + 1, self.since_prompt + 1, denied=denied)
        if event.kind in _AFTER and event.failed:
            return replace(self, failed=True)
        return self


def longest_wait(config: Config) -> float:
    """Seconds that judges before a call take at most: one after the other, each with the gates that it calls."""

    def seconds(name: str) -> float:
        reached = (config.gates[each] for each in config.reached([name]))
        return sum(config.judge_seconds(gate) for gate in reached if gate.judge)

    waited = {
        kind: [each for each in config.on.get(kind, ()) if config.gates[each].mode != Waiting.LAZY] for kind in BEFORE
    }
    return max(sum(map(seconds, names)) for names in waited.values())


def waiting_for(event: Event, session: SessionCounters, changed_lines: int, trust: PathTrust) -> tuple[Waiting, str]:
    """How a gate with `mode: auto` treats this event, and why in a few words; "" for what is not strict.

    Reading inside the project, and searching, pass at once. What is no call of a tool (the end of a turn, a review) is
    waited for: nothing comes after it to be told of. A subagent mostly looks around: its plan mode, the beginning of
    its session and the prompt are its parent's.
    """
    if event.kind not in BEFORE:
        return (Waiting.LAZY, "") if event.kind in _AFTER else (Waiting.STRICT, "the turn ends")
    is_exposed = trust in {PathTrust.UNTRUSTED, PathTrust.SENSITIVE}
    if event.only_reads and not is_exposed:
        return Waiting.SKIP, ""
    is_own = not (event.subagent or event.subagent_id)
    reasons = (
        (event.kind is EventKind.BEFORE_COMMAND, "a command"),
        (event.starts_agent, "it starts an agent"),
        (is_exposed, f"the path is {trust}"),
        (trust is PathTrust.SPECIAL, "a special file"),
        (session.denied, "the call before it was denied"),
        (session.failed, "the call before it failed"),
        (is_own and session.tools < FIRST_TOOLS, "the session has just begun"),
        (is_own and session.since_prompt == 0, "the first call after a prompt"),
        (changed_lines > LARGE_EDIT, f"it changes {changed_lines} lines, more than {LARGE_EDIT}"),
        (is_own and event.plans, "plan mode"),
    )
    why = next((words for holds, words in reasons if holds), "")
    return (Waiting.STRICT, why) if why else (Waiting.LAZY, "")
