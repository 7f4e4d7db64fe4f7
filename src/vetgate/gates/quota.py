"""How often an hour a command may run, counted for all projects and work trees of a user.

The file lies in the user's state folder. Nothing secret hangs on it: what is damaged or from the future is dropped.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.gates.evidence import command_words
from vetgate.gates.locks import opened, taken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vetgate.model import Gate

HOUR = 3600.0
NAME = "quota.json"
_LOCK = "quota.lock"
_VERSION = 1
# The seed drops what is older than two hours; beyond an hour nothing counts, and an export shows the hour before.
_KEPT = 2 * HOUR
# A clock that was put back leaves runs in the future: a little is the clocks' own, more is nobody's run.
_DRIFT = 5.0
# No vendor asks for more; whatever says so was misread, or lies.
_LONGEST_WAIT = 24 * HOUR
_PATIENCE = 2.0
_LONGEST_FILE = 1 << 20
_NUMBERS = ("until", "noted", "total")
# Programs known by two names.
_ALIASES = {"cr": "coderabbit"}


@dataclass(frozen=True, slots=True)
class ProgramUsage:
    """What one program has used: when it ran, and until when its vendor wants no more; times of the wall clock."""

    runs: tuple[float, ...] = ()
    until: float = 0.0
    noted: float = 0.0
    total: int = 0

    def at(self, now: float) -> ProgramUsage:
        """Without what is too old, and without what a jump of the clock has put into the future."""
        kept = tuple(sorted(each for each in self.runs if now - _KEPT <= each <= now + _DRIFT))
        # A wait is as long as it was when it was noted; from before that moment the clock was put back.
        holds = self.noted - _DRIFT <= now < self.until <= self.noted + _LONGEST_WAIT
        return ProgramUsage(
            kept, self.until if holds else 0.0, self.noted if holds else 0.0, max(self.total, len(kept))
        )

    def last_hour(self, now: float) -> tuple[float, ...]:
        return tuple(each for each in self.runs if each > now - HOUR)


@dataclass(frozen=True, slots=True)
class Quota:
    """Of one program, in the state folder of a user."""

    folder: Path
    program: str
    limit: int
    clock: Callable[[], float] = field(default=time.time)

    @classmethod
    def of_gate(cls, gate: Gate, folder: Path) -> Quota:
        return cls(folder, program_of(gate), gate.quota)

    def take(self) -> str:
        """Why no run may begin, "" where one may: it is counted then, for one that crashes used the service as well."""
        was, now = self._change(
            lambda used, now: (
                used if self._refusal(used, now) else replace(used, runs=(*used.runs, now), total=used.total + 1)
            )
        )
        return self._refusal(was, now)

    def give_back(self) -> None:
        """The last run never reached the service: its program is not there."""
        self._change(lambda used, _: replace(used, runs=used.runs[:-1], total=max(0, used.total - 1)))

    def wait(self, seconds: float) -> str:
        """The vendor asked for that; what is to be said of it."""
        longest = min(seconds, _LONGEST_WAIT)
        _, now = self._change(lambda used, now: replace(used, until=now + longest, noted=now))
        return _asked(self.program, now + longest)

    def _change(self, change: Callable[[ProgramUsage, float], ProgramUsage]) -> tuple[ProgramUsage, float]:
        """What was used before, and when that was."""
        with _locked(self.folder):
            now = self.clock()
            known = _read(self.folder)
            used = known.get(self.program, ProgramUsage()).at(now)
            known[self.program] = change(used, now)
            if known[self.program] is not used:
                _write(self.folder, known, now)
            return used, now

    def usage(self) -> ProgramUsage:
        return _read(self.folder).get(self.program, ProgramUsage()).at(self.clock())

    def words(self) -> str:
        """How much is used, or why nothing may run, for whoever plans a run."""
        now, used = self.clock(), self.usage()
        return self._refusal(used, now) or f"{len(used.last_hour(now))} of {self.limit} runs used in the last hour"

    def _refusal(self, used: ProgramUsage, now: float) -> str:
        if used.until:
            return _asked(self.program, used.until)
        recent = used.last_hour(now)
        if not self.limit or len(recent) < self.limit:
            return ""
        following = recent[len(recent) - self.limit] + HOUR
        count = f"{len(recent)} of {self.limit} runs used in the last hour"
        return f"limited: {count}, next at {clock_time(following)}"


def program_of(gate: Gate) -> str:
    """The program that the command starts: two projects that ask the same service share what they use."""
    words = [word for word in command_words(gate.command) if word]
    first = (words[0].split() or [""])[0] if words else ""
    name = first.rpartition("/")[2]
    return _ALIASES.get(name, name) or gate.id


def clock_time(moment: float) -> str:
    """As the clock on the wall shows it."""
    return datetime.fromtimestamp(moment).astimezone().strftime("%H:%M")


def exported_quota(folder: Path, program: str, limit: int, now: float | None = None) -> dict[str, Any]:
    """As rate-limit-state.json of the four-loop review has it; vetgate itself never reads one."""
    moment = time.time() if now is None else now
    used = _read(folder).get(program, ProgramUsage()).at(moment)
    local = [datetime.fromtimestamp(each).astimezone() for each in used.runs]
    buckets = Counter(f"{each.year}-{each.month}-{each.day}-{each.hour}" for each in local)
    last = datetime.fromtimestamp(used.runs[-1], UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if used.runs else None
    return {
        "version": "1.0",
        "limit_per_hour": limit,
        "buckets": dict(buckets),
        "total_executions": used.total,
        "last_execution": last,
    }


_LIMIT = re.compile(
    r"(?i)\brate[ _-]?limit(?:s|ed|ing)?\b|\btoo many requests\b|\bquota (?:is |was )?(?:exceeded|exhausted|used up)"
    r"|\bHTTP[ /]?(?:\d\.\d )?429\b|\bstatus(?: code)?:? 429\b|\busage limit\b|\breview limit (?:reached|exceeded)"
)
_RETRY = re.compile(
    r"(?i)(?:retry[-_ ]?after|(?:try|retry)(?: again)? (?:after|in)|wait[-_ ]?time|please wait|wait(?: for)?"
    r"|resets? in|available in)\W{0,6}(?P<rest>[^\n]{1,60})"
)
_CLOCK = re.compile(r"(?<!\d)(?:(\d{1,2}):)?(\d{1,2}):(\d{2})(?!\d)")
_UNIT = re.compile(
    r"(?i)(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|ms|milliseconds?|m|seconds?|secs?|s)\b"
)
_SECONDS = {"d": 86_400.0, "h": HOUR, "m": 60.0, "s": 1.0}
# Without a word of the vendor: some minutes, so that nobody hammers at a closed door, and no whole hour is lost.
_UNKNOWN_WAIT = 5 * 60.0


def says_limited(text: str) -> bool:
    """Whether this tells of a limit that was reached."""
    return bool(_LIMIT.search(text))


def told_wait(text: str) -> float:
    """For how many seconds the vendor wants to be left alone."""
    for match in _RETRY.finditer(text):
        if seconds := _seconds(match["rest"]):
            return min(seconds, _LONGEST_WAIT)
    return _UNKNOWN_WAIT


def _seconds(text: str) -> float:
    text = text.lstrip("*\"': ")
    if clock := _CLOCK.match(text):
        hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        return hours * HOUR + minutes * 60.0 + seconds
    total, end = 0.0, 0
    for unit in _UNIT.finditer(text):
        if re.search(r"[^\s,*&]", text[end : unit.start()].replace("and", "")):
            break
        total += float(unit[1]) * _unit(unit[2].lower())
        end = unit.end()
    if total:
        return total
    bare = re.match(r"\d+(?:\.\d+)?(?!\w)", text)  # as the header has it: seconds
    return float(bare[0]) if bare else 0.0


def _unit(name: str) -> float:
    return 0.001 if name in {"ms", "millisecond", "milliseconds"} else _SECONDS[name[0]]


def _asked(program: str, until: float) -> str:
    return f"limited: {program} says its rate limit is reached, next at {clock_time(until)}"


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Among processes; where there are no locks, or somebody holds it for too long, two may count as one."""
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = opened(folder / _LOCK)
    try:
        if lock is not None:
            taken(lock, time.monotonic() + _PATIENCE)
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _read(folder: Path) -> dict[str, ProgramUsage]:
    """What can be read of it; a file that is none of ours holds nothing."""
    try:
        with (folder / NAME).open("rb") as file:
            content = json.loads(file.read(_LONGEST_FILE))
    except (OSError, ValueError, RecursionError):
        return {}
    programs = content.get("programs") if isinstance(content, dict) and content.get("version") == _VERSION else None
    if not isinstance(programs, dict):
        return {}
    return {str(name): _usage(value) for name, value in programs.items() if isinstance(value, dict)}


def _usage(value: dict[str, Any]) -> ProgramUsage:
    runs = value.get("runs")
    times = tuple(float(each) for each in runs if _is_number(each)) if isinstance(runs, list) else ()
    until, noted, total = (_number(value.get(name)) for name in _NUMBERS)
    return ProgramUsage(times, until, noted, max(0, int(total)))


def _number(value: Any) -> float:
    return float(value) if _is_number(value) else 0.0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("1e18")


def _write(folder: Path, known: dict[str, ProgramUsage], now: float) -> None:
    """Whole or not at all; where nothing can be written, the command still runs."""
    current = {name: usage.at(now) for name, usage in known.items()}
    plain = {
        name: {"runs": list(usage.runs), "until": usage.until, "noted": usage.noted, "total": usage.total}
        for name, usage in sorted(current.items())
        if usage.runs or usage.until or usage.total
    }
    data = json.dumps({"version": _VERSION, "programs": plain}).encode()
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(prefix=f".{NAME}.", dir=folder)  # only its owner can read it
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(folder / NAME)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
