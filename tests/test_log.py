"""The log: as much as asked for, one object a line, nobody else's to read."""

from __future__ import annotations

import json
import stat

import pytest

from vetgate.log import Log


def lines(folder):
    file = folder / "vetgate.log"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("debug", ["debug", "info", "warning", "error"]),
        ("warning", ["warning", "error"]),
        ("error", ["error"]),
        ("nonsense", ["warning", "error"]),
    ],
)
def test_as_much_is_written_as_is_wanted(tmp_path, wanted, expected):
    log = Log(tmp_path)
    for level in ("debug", "info", "warning", "error"):
        log.write(level, wanted, "something", number=3)
    assert [line["level"] for line in lines(tmp_path)] == expected


def test_only_the_owner_reads_it(tmp_path):
    Log(tmp_path).write("error", "error", "x")
    assert stat.S_IMODE((tmp_path / "vetgate.log").stat().st_mode) == 0o600


def test_a_large_log_is_turned_over(tmp_path):
    (tmp_path / "vetgate.log").write_text("x" * 1_000_001)
    Log(tmp_path).write("error", "error", "x")
    assert len(lines(tmp_path)) == 1
    assert (tmp_path / "vetgate.log.1").stat().st_size == 1_000_001


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path):
    Log(tmp_path / "missing").write("error", "error", "x")
    assert not (tmp_path / "missing").exists()


def test_odd_text_stays_one_line_of_json(tmp_path):
    Log(tmp_path).write("error", "error", "x", text="a\nb\ud800")
    assert lines(tmp_path)[0]["text"] == "a\nb\ud800"
