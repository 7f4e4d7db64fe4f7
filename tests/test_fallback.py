"""The child that answers when there is no daemon."""

from __future__ import annotations

import os
import signal

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


def test_without_one_there_is_a_cause(monkeypatch):
    monkeypatch.setattr(fallback, "BOOT", SILENT)
    with pytest.raises(fallback.ChildError, match=r"took longer than 0\.5 s"):
        fallback.ask_child(b"", 0.5)
