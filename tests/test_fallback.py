"""The child that answers when there is no daemon."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from vetgate import fallback

LINGERS = "import os,sys,time;os.write(1, b'answer'+str(os.getpid()).encode());time.sleep(60)"
SILENT = "import time;time.sleep(60)"


def test_an_answer_that_is_out_counts_though_its_process_is_still_at_work(monkeypatch):
    monkeypatch.setattr(fallback, "BOOT", LINGERS.replace("{", "{{").replace("}", "}}"))
    told = fallback.ask_child(b"", 2.0)
    assert told.startswith(b"answer")
    os.kill(int(told[6:]), signal.SIGKILL)
    os.waitpid(int(told[6:]), 0)


def test_a_place_is_free_again_when_its_owner_was_killed(tmp_path):
    folder = tmp_path / "run"
    code = (
        "from vetgate import fallback; import time\n"
        f"print(fallback.take_slot({str(folder)!r}), flush=True); time.sleep(60)"
    )
    holders = []
    for _ in range(os.cpu_count() or 1):
        holders.append(subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE))
        assert holders[-1].stdout.readline().strip() != b"None"
    assert fallback.take_slot(str(folder)) is None
    for holder in holders:
        with holder:
            holder.kill()
    slot = fallback.take_slot(str(folder))
    assert slot is not None
    os.close(slot)


def test_who_cannot_keep_count_is_not_held_up(tmp_path):
    (tmp_path / "run").symlink_to(tmp_path)
    assert fallback.take_slot(str(tmp_path / "run")) == -1
    assert fallback.take_slot("") == -1


def test_without_one_there_is_a_cause(monkeypatch):
    monkeypatch.setattr(fallback, "BOOT", SILENT)
    with pytest.raises(fallback.ChildError, match=r"took longer than 0\.5 s"):
        fallback.ask_child(b"", 0.5)
