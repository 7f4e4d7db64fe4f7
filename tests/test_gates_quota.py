"""How often a command may run: counted for all projects of a user, whatever the clock and the file go through."""

from __future__ import annotations

import json
import stat
import threading
from datetime import UTC, datetime

import pytest

from vetgate.gates.quota import HOUR, NAME, Quota, clock_time, exported_quota, program_of, says_limited, told_wait
from vetgate.model import Gate

NOON = 1_800_000_000.0


class Clock:
    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def quota(folder, clock, limit=2, program="coderabbit"):
    return Quota(folder, program, limit, clock)


def test_after_so_many_runs_the_next_waits_until_the_first_is_an_hour_old(tmp_path):
    clock = Clock()
    ours = quota(tmp_path, clock)
    assert ours.take() == ""
    clock.now += 600
    assert ours.take() == ""
    clock.now += 60
    assert ours.take() == f"limited: 2 of 2 runs used in the last hour, next at {clock_time(NOON + HOUR)}"
    clock.now = NOON + HOUR + 1
    assert ours.take() == "", "the window slides: the first run is older than an hour"
    assert "next at" in ours.take()


def test_two_projects_share_what_one_program_may_use_and_another_program_has_its_own(tmp_path):
    clock = Clock()
    assert not quota(tmp_path, clock, limit=1).take()
    assert quota(tmp_path, clock, limit=1).take().startswith("limited: 1 of 1")
    assert not quota(tmp_path, clock, limit=1, program="other").take()


def test_at_the_same_moment_no_more_runs_begin_than_there_may(tmp_path):
    answers: list[str] = []
    threads = [
        threading.Thread(target=lambda: answers.append(quota(tmp_path, Clock(), limit=3).take())) for _ in range(12)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert answers.count("") == 3


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff\xfe", b'{"version": 1, "programs": []}', b'{"version": 9, "programs": {}}',
     b'{"version": 1, "programs": {"coderabbit": {"runs": ["x", NaN, true, 1e99], "until": "y", "total": -4}}}'],
)  # fmt: skip
def test_a_damaged_file_counts_as_none_and_is_written_anew(tmp_path, content):
    (tmp_path / NAME).write_bytes(content)
    ours = quota(tmp_path, Clock(), limit=1)
    assert ours.take() == ""
    assert ours.take().startswith("limited")


def test_only_its_owner_reads_the_file(tmp_path):
    quota(tmp_path / "state", Clock()).take()
    assert stat.S_IMODE((tmp_path / "state" / NAME).stat().st_mode) == 0o600
    assert [each.name for each in (tmp_path / "state").glob(".*")] == []


@pytest.mark.parametrize("jump", [-3 * HOUR, -400 * 24 * HOUR, 3 * HOUR, 4000 * 24 * HOUR])
def test_a_jump_of_the_clock_locks_nobody_out(tmp_path, jump):
    clock = Clock()
    ours = quota(tmp_path, clock)
    ours.take()
    ours.take()
    ours.wait(1800)
    clock.now += jump
    assert ours.take() == ""
    assert ours.take() == ""
    assert ours.take().startswith("limited"), "and from then on it counts as ever"


def test_the_clock_of_another_process_may_be_a_little_behind(tmp_path):
    clock = Clock()
    ours = quota(tmp_path, clock, limit=1)
    ours.take()
    clock.now -= 2
    assert ours.take().startswith("limited")


def test_old_runs_are_dropped_from_the_file_and_the_total_stays(tmp_path):
    clock = Clock()
    ours = quota(tmp_path, clock)
    ours.take()
    clock.now += 3 * HOUR
    ours.take()
    kept = json.loads((tmp_path / NAME).read_text())["programs"]["coderabbit"]
    assert (kept["runs"], kept["total"]) == ([clock.now], 2)


def test_what_the_vendor_asks_for_holds_also_below_the_limit(tmp_path):
    clock = Clock()
    ours = quota(tmp_path, clock, limit=8)
    told = ours.wait(12 * 60)
    assert told == f"limited: coderabbit says its rate limit is reached, next at {clock_time(NOON + 720)}"
    assert ours.take() == told
    clock.now += 721
    assert ours.take() == ""


def test_a_run_that_never_reached_the_service_is_given_back(tmp_path):
    ours = quota(tmp_path, Clock(), limit=1)
    ours.take()
    ours.give_back()
    assert ours.take() == ""


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Rate limit exceeded, please try after 5 minutes and 32 seconds", 332),
        ("rate limit: try after 12 minutes", 720),
        ("rate limit exceeded, retry in 00:41:10", 2470),
        ("Retry-After: 90", 90),
        ("retry_after=45", 45),
        ("Please wait **45 seconds** before requesting another review", 45),
        ("try again in 1 hour, 2 minutes", 3720),
        ("usage limit reached; resets in 1h 5m", 3900),
        ("waitTime: 1500 ms", 1.5),
        ("try again in 9000 days", 24 * HOUR),
        ("rate limit exceeded", 300),
        ("try again in a while", 300),
    ],
)
def test_how_long_to_wait_is_read_from_what_the_vendor_says(text, seconds):
    assert told_wait(text) == seconds


def test_other_errors_are_no_limit():
    assert says_limited("HTTP 429 Too Many Requests")
    assert says_limited("rate_limit")
    assert not says_limited("connection refused on port 4290")


@pytest.mark.parametrize(
    ("command", "program"),
    [("coderabbit review --plain", "coderabbit"), ("/opt/bin/cr review", "coderabbit"), ("a && b", "a")],
)
def test_it_is_counted_by_program(command, program):
    assert program_of(Gate("g", (), command=command, quota=8)) == program


def test_the_export_has_the_schema_of_the_seed_and_nothing_reads_it(tmp_path):
    clock = Clock()
    ours = quota(tmp_path, clock, limit=8)
    ours.take()
    ours.take()
    told = exported_quota(tmp_path, "coderabbit", 8, clock.now)
    local = datetime.fromtimestamp(NOON).astimezone()
    assert told == {
        "version": "1.0",
        "limit_per_hour": 8,
        "buckets": {f"{local.year}-{local.month}-{local.day}-{local.hour}": 2},
        "total_executions": 2,
        "last_execution": datetime.fromtimestamp(NOON, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    (tmp_path / "rate-limit-state.json").write_text(json.dumps(told | {"buckets": {}}))
    assert len(ours.usage().runs) == 2
