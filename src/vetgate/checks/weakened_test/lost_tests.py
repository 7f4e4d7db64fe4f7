"""A test that is gone or asserts less: moved, reworked, removed along with what it tested, or weakened."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.assertions import SOMETHING
from vetgate.checks.weakened_test.safeguards import ASSERTION, GONE, ID, RUNNER, read_source, worth
from vetgate.checks.weakened_test.skips import skips
from vetgate.checks.weakened_test.test_spans import is_collected
from vetgate.model import Finding, Span
from vetgate.severity import Severity
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.weakened_test.reading import Test
    from vetgate.checks.weakened_test.safeguards import Worth
    from vetgate.engine.check import Loss, Safeguard

_BACK = "Keep the test and correct the code until it passes; if the task asks to remove it, a person can allow that."


def find_lost_tests(loss: Loss) -> Finding | None:
    if loss.rule == RUNNER:
        if loss.now is not None or not loss.source.text:
            return None
        others = any(safeguard.rule == RUNNER and safeguard.value for safeguard in loss.after)
        name = loss.symbol.removeprefix("script ")
        return _finding(loss, RUNNER, f"The script `{name}` is gone.", Severity.WARNING if others else Severity.ERROR)
    return _gone(loss) if loss.now is None else _shrunk(loss)


def _gone(loss: Loss) -> Finding | None:
    moved = _moved(loss)
    if moved is not None:
        place, test, collected = moved
        if collected and test.value + test.idle >= loss.value:
            return None
        if not collected:
            message = f"`{loss.symbol}` is in {place}, where no runner looks for tests."
            return _finding(loss, GONE, message, fix="Give the file a name that the runner collects.")
        return _finding(
            loss, ASSERTION, f"`{loss.symbol}` moved to {place} and asserts less there.", _how_bad(test.value)
        )
    renamed = _renamed(loss)
    if renamed is not None:
        message = f"`{loss.symbol}` is now called `{renamed.symbol}` and asserts less."
        return None if renamed.value >= loss.value else _finding(loss, ASSERTION, message, _how_bad(renamed.value))
    if _is_renamed_call(loss):
        return None
    if _is_reworked(loss):
        return None if _sum_after(loss) >= _sum_before(loss) else _less(loss)
    if _subject_is_gone(loss):
        message = f"`{loss.symbol}` was removed along with what it tested."
        return _finding(loss, GONE, message, Severity.WARNING, fix="Make sure that nothing of it is still in use.")
    return _finding(
        loss, GONE, f"The test `{loss.symbol}` is gone.", fix=f"{_BACK} Where its subject goes too, remove that first."
    )


def _less(loss: Loss) -> Finding:
    message = f"`{loss.symbol}` was replaced by tests that assert less."
    return _finding(loss, ASSERTION, message, Severity.WARNING)


def _moved(loss: Loss) -> tuple[str, Test, bool] | None:
    """Where the test is now, and whether a runner finds it there; a place where one does comes first."""
    places = [(loss.source.path, loss.source.text), *loss.others(_short(loss.symbol))]
    stood = {known.symbol for known in loss.before}
    found: tuple[str, Test, bool] | None = None
    for path, text in places:
        language = language_of(path)
        own = stood if path == loss.source.path and is_collected(path, language) else set()
        tests = (each for each in _tests(path, text, language) if each.name not in own)
        test = next((each for each in tests if _is_same(loss, each)), None)
        # In another file a class may be built on by anybody.
        is_idle = test is not None and test.idle and path == loss.source.path and not _collects_any(loss)
        runs = is_collected(path, language) and not is_idle
        if test is not None and (runs or _is_taken_up(loss, test.name, path)):
            return path, test, True
        found = found or (None if test is None else (path, test, False))
    return found


def _collects_any(loss: Loss) -> bool:
    """Where tests stood in classes of any name before, somebody has told the runner to collect them."""
    return any(worth(known.evidence).idle for known in loss.before)


def _is_taken_up(loss: Loss, test: str, home: str) -> bool:
    """Whether a file that is collected builds on the class or group it is part of now, or imports the test itself."""
    scope, _, short = test.rpartition(" > ")
    name = scope.rpartition(" > ")[2] or short
    places = [(loss.source.path, loss.source.text), *loss.others(name)]
    speaks = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return any(path != home and is_collected(path, language_of(path)) and speaks.search(text) for path, text in places)


def _is_same(loss: Loss, test: Test) -> bool:
    """Many tests are called `test_repr`: the same one calls the same."""
    mine = next((worth(known.evidence) for known in loss.before if known.symbol == loss.symbol), worth(""))
    if _short(test.name) != _short(loss.symbol):
        return False
    return not mine.calls or bool(mine.calls & set(test.calls)) or test.name == loss.symbol


def _short(name: str) -> str:
    return name.rpartition(" > ")[2]


def _tests(path: str, text: str, language: str | None) -> tuple[Test, ...]:
    read = read_source(Source(path, text, language)) if language else None
    return read.tests if read is not None else ()


def _is_reworked(loss: Loss) -> bool:
    """New tests of the file call what this one called."""
    before = {known.symbol: worth(known.evidence) for known in loss.before}
    mine = before.get(loss.symbol)
    for safeguard in loss.after:
        if safeguard.rule != GONE:
            continue
        now, old = worth(safeguard.evidence), before.get(safeguard.symbol)
        if now.idle and not _collects_any(loss):
            continue
        grew = old is None or len(now.digests) * now.rows > len(old.digests) * old.rows
        if grew and now.digests and (mine is None or not mine.calls or now.calls & mine.calls):
            return True
    return False


def _is_renamed_call(loss: Loss) -> bool:
    """A test that asserts nothing and only calls: as many new ones of the file as are gone call the same."""
    before = {known.symbol: worth(known.evidence) for known in loss.before if known.id.endswith(f"/{GONE}")}
    after = {each.symbol: worth(each.evidence) for each in loss.after if each.rule == GONE and each.value}
    mine = before.get(loss.symbol)
    if mine is None or mine.digests or not mine.calls:
        return False
    gone = sum(each.calls == mine.calls for name, each in before.items() if name not in after)
    fresh = after.keys() - before.keys() - _skipped(loss.source)
    return gone <= sum(after[name].calls == mine.calls for name in fresh)


def _skipped(source: Source) -> set[str]:
    tests = _tests(source.path, source.text, source.language)
    return {next((test.name for test in tests if each.offset < test.end), "") for each in skips(source)}


def _renamed(loss: Loss) -> Safeguard | None:
    """A new test of the file that is this one, with the name of what it tests replaced; nobody defines that now."""
    before = {known.symbol: worth(known.evidence) for known in loss.before}
    mine = before.get(loss.symbol)
    if mine is None:
        return None
    fresh = (each for each in loss.after if each.rule == GONE and each.symbol not in before)
    replacing = (each for each in fresh if _replaces(loss, mine, each))
    return max(replacing, key=lambda each: each.value, default=None)


def _replaces(loss: Loss, mine: Worth, test: Safeguard) -> bool:
    names = _replaced_name(loss, mine, test)
    if names is None:
        return False
    old, new = names
    defines = re.compile(_DEFINES.format(re.escape(old)))
    others = [(loss.source.path, loss.source.text), *loss.others(old)]
    return any(True for _ in loss.others(new)) and not any(defines.search(text) for _, text in others)


def _replaced_name(loss: Loss, mine: Worth, test: Safeguard) -> tuple[str, str] | None:
    """What the test called and what it calls in its place; by its own name, where it calls nothing any more."""
    calls = worth(test.evidence).calls
    was, now = mine.calls - calls, calls - mine.calls
    if len(was) == 1 and len(now) == 1:
        old, new = next(iter(was)), next(iter(now))
        follows = loss.symbol.replace(old, new) == test.symbol or _short(loss.symbol) == _short(test.symbol)
        return (old, new) if follows else None
    for old in was if not now else ():
        before, between, after = loss.symbol.rpartition(old)
        called = re.fullmatch(rf"{re.escape(before)}(\w+){re.escape(after)}", test.symbol) if between else None
        if called:
            return old, called[1]
    return None


# In any of the languages: a keyword and the name, a name that is assigned a function, a method by its braces.
_DEFINES = (
    r"(?m)\b(?:def|function|func|fn|class|struct|const|let|var|sub)\s+(?:\([^)]*\)\s*)?{0}\b"
    r"|^\s*(?:[\w<>\[\],.]+\s+)+{0}\s*\([^;{{]*\)\s*(?:throws[^{{]*)?\{{"
)


def _subject_is_gone(loss: Loss) -> bool:
    """Nothing that the test called is spoken of anywhere else any more."""
    mine = next((worth(known.evidence) for known in loss.before if known.symbol == loss.symbol), None)
    if not loss.sees_all or mine is None or not mine.calls:
        return False
    if any(re.search(rf"\b{re.escape(name)}\b", loss.source.text) for name in mine.calls):
        return False
    return not any(True for name in mine.calls for _ in loss.others(name))


def _shrunk(loss: Loss) -> Finding | None:
    if loss.now is None or _sum_after(loss) >= _sum_before(loss):
        return None
    before = next((worth(known.evidence) for known in loss.before if known.symbol == loss.symbol), worth(""))
    now = worth(loss.now.evidence)
    if now.idle and not _collects_any(loss):
        taken_up = _is_taken_up(loss, loss.now.symbol, loss.source.path)
        message = f"`{loss.symbol}` is now in a class that no runner collects."
        return None if taken_up else _finding(loss, GONE, message)
    if not now.digests:
        return _finding(loss, ASSERTION, f"`{loss.symbol}` no longer asserts anything.")
    return _compared(loss, before, now)


def _compared(loss: Loss, before: Worth, now: Worth) -> Finding | None:
    """By what is gone from it and what came instead."""
    elsewhere = set(_elsewhere(loss))
    gone = Counter(before.digests) - Counter(now.digests)
    removed = Counter({each: count for each, count in gone.items() if each not in elsewhere})
    added = Counter(now.digests) - Counter(before.digests)
    if removed and not added:
        count = removed.total()
        return _finding(loss, ASSERTION, f"{_counted(count)} of `{loss.symbol}` {'is' if count == 1 else 'are'} gone.")
    if not removed and now.guarded > before.guarded:
        return _guarded(loss, before, now)
    if not removed and now.rows >= before.rows:
        return None
    value = loss.now.value if loss.now else 0
    if _is_only_weak(now, value) and not _is_only_weak(before, loss.value) and not _says_true(loss):
        return _finding(loss, ASSERTION, f"`{loss.symbol}` now only asserts that a value exists, not what it is.")
    return _finding(loss, ASSERTION, f"`{loss.symbol}` asserts less than before.", Severity.WARNING)


def _guarded(loss: Loss, before: Worth, now: Worth) -> Finding:
    all_of_it = now.guarded >= len(now.digests) and before.guarded < len(before.digests)
    message = f"{'All' if all_of_it else 'Some'} assertions of `{loss.symbol}` now run only under a condition."
    severity = Severity.ERROR if all_of_it else Severity.WARNING
    return _finding(loss, ASSERTION, message, severity, fix="Make sure that they run whenever the test does.")


def _is_only_weak(test: Worth, value: int) -> bool:
    return value - 1 <= len(test.digests) * SOMETHING * test.rows


def _says_true(loss: Loss) -> bool:
    """An exact value that became `true` may be what the code gives back now."""
    read = read_source(loss.source)
    name = loss.now.symbol if loss.now else ""
    return any(each.says_true for test in (read.tests if read else ()) if test.name == name for each in test.assertions)


def _elsewhere(loss: Loss) -> Iterator[str]:
    """Assertions of other tests, and of helpers of the file."""
    for safeguard in loss.after:
        if loss.now is None or safeguard.symbol != loss.now.symbol:
            yield from worth(safeguard.evidence).digests
    read = read_source(loss.source)
    yield from read.loose if read is not None else ()


def _sum_before(loss: Loss) -> int:
    return sum((known.value or 1) - 1 for known in loss.before if known.id.endswith(f"/{GONE}"))


def _sum_after(loss: Loss) -> int:
    return sum(safeguard.value - 1 for safeguard in loss.after if safeguard.rule == GONE)


def _counted(count: int) -> str:
    return "One assertion" if count == 1 else f"{count} assertions"


def _how_bad(value: int) -> Severity:
    return Severity.ERROR if value <= 1 else Severity.WARNING


def _finding(loss: Loss, rule: str, message: str, severity: Severity = Severity.ERROR, fix: str = _BACK) -> Finding:
    return Finding(
        ID,
        rule,
        Span(loss.source.path, loss.now.line if loss.now else 1),
        message,
        severity,
        symbol=loss.symbol,
        evidence=f"lost {rule} {loss.symbol}",
        fix=fix,
    )
