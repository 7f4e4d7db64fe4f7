"""The project's own type checker beside the daemon: the real one, and ones that fail in every way."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import msgspec
import pytest

from fixtures import Session
from vetgate.checks.types.checkers import checker_of
from vetgate.checks.types.resident import RESIDENTS, Resident
from vetgate.checks.types.server import LanguageServer
from vetgate.gates.jobs import begin_job
from vetgate.gates.process import LOST
from vetgate.source.clock import Deadline

TY = Path(sys.executable).with_name("ty")
real = pytest.mark.skipif(not TY.exists(), reason="ty is not installed")
TYPED = "def double(n: int) -> int:\n    return n * 2\n\n\nx = double(1)\n"
SLIP = TYPED.replace("double(1)", "double('1')")


def settled(session: Session) -> None:
    for resident in RESIDENTS.at(session.root):
        resident.settle(Deadline.after(20))


@pytest.fixture(autouse=True)
def gone(tmp_path):
    """No process outlives its test."""
    yield
    for resident in RESIDENTS.at(tmp_path / "project"):
        resident.close()


class Typed(Session):
    def __init__(self, tmp_path: Path, checker: Path = TY) -> None:
        super().__init__(tmp_path)
        self.app.stays = True
        self.put(".venv/pyvenv.cfg", f"home = {Path(sys.base_prefix) / 'bin'}\nversion = 3.11\n")
        (self.root / ".venv/lib/python3.11/site-packages").mkdir(parents=True)
        (self.root / ".venv/bin").mkdir()
        (self.root / ".venv/bin/ty").symlink_to(checker)
        self.put("a.py", TYPED)
        self.trust("version: 1\n")

    def change(self, name: str, text: str) -> str:
        """One whole edit; what is told after it."""
        self.write(name, text)
        settled(self)
        self.put(name, text)
        said = self.landed(name).get("additionalContext", "")
        settled(self)
        return said

    def end(self) -> str:
        """What the end of a turn leaves to be told, at the next prompt: it holds nobody."""
        _, said = self.send("Stop", stop_hook_active=False)
        assert "decision" not in (said or {})
        _, later = self.send("UserPromptSubmit", prompt="Go on.")
        return str(later or "")


@real
def test_what_an_edit_brings_is_told_at_the_next_event_and_once(tmp_path):
    session = Typed(tmp_path)
    assert session.change("a.py", SLIP) == ""
    said = session.change("b.py", "y = 1\n")
    assert "types/checker" in said
    assert "a.py:5" in said
    assert "ty: " in said
    assert "invalid-argument-type" in said
    assert session.change("b.py", "y = 2\n") == ""


@real
def test_at_the_end_of_a_turn_nothing_stays_unsaid(tmp_path):
    session = Typed(tmp_path)
    session.change("a.py", SLIP)
    assert "invalid-argument-type" in session.end()
    assert session.end() == ""


@real
def test_a_prompt_is_an_event_too(tmp_path):
    session = Typed(tmp_path)
    session.change("a.py", SLIP)
    _, said = session.send("UserPromptSubmit", prompt="go on")
    assert "invalid-argument-type" in said["hookSpecificOutput"]["additionalContext"]


@real
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (SLIP, SLIP + "y = 1\n"),
        (TYPED, SLIP.replace("def ", "import nowhere\n\n\ndef ")),
        (TYPED, TYPED + "z = x\n"),
    ],
    ids=["there before", "with an import that is not installed", "nothing to say"],
)
def test_what_is_not_told(tmp_path, before, after):
    session = Typed(tmp_path)
    session.put("a.py", before)
    session.change("a.py", after)
    assert session.end() == ""


@real
def test_what_the_next_edit_fixes_is_not_told(tmp_path):
    session = Typed(tmp_path)
    session.change("a.py", SLIP)
    session.write("a.py", TYPED)
    session.put("a.py", TYPED)
    assert session.landed("a.py") == {}
    assert session.end() == ""


@real
def test_what_a_command_changed_is_known(tmp_path):
    session = Typed(tmp_path)
    session.put("lib.py", "def old(): ...\n")
    session.change("a.py", "import lib\n\nlib.old()\n")
    session.put("lib.py", "def new(): ...\n")
    session.tool("Bash", event="PostToolUse", command="git checkout other")
    session.change("a.py", "import lib\n\nlib.new()\n")
    assert session.end() == ""


@real
def test_off_by_its_rule(tmp_path):
    session = Typed(tmp_path)
    session.trust("version: 1\nrules: {types/checker: off}\n")
    session.change("a.py", SLIP)
    assert session.end() == ""


def jobs(session: Session) -> list[tuple[str, bool]]:
    """The file of each, and whether it has ended."""
    store = session.app.project(session.root).store
    return [(path, bool(outcome)) for path, outcome in store._rows("SELECT path, outcome FROM job")]


def asked_before(session: Session) -> None:
    """Another process, which is gone, was asked about a slip."""
    session.commit()
    session.start()
    session.put("a.py", SLIP)
    project = session.app.project(session.root)
    job = begin_job(project, session.id, "code", "a.py", SLIP)
    project.store.put_job(msgspec.structs.replace(job, owner="process-0-0.lock"))


def prompted(session: Session) -> str:
    _, said = session.send("UserPromptSubmit", prompt="go on")
    settled(session)
    return str(said or "")


@real
def test_what_a_process_that_is_gone_was_asked_is_asked_again(tmp_path):
    session = Typed(tmp_path)
    asked_before(session)
    assert prompted(session) == ""
    assert "invalid-argument-type" in prompted(session)
    assert (prompted(session), jobs(session)) == ("", [])


def test_where_nobody_can_be_asked_again_it_is_told_once_that_it_was_not_finished(tmp_path):
    session = Typed(tmp_path)
    session.app.stays = False
    asked_before(session)
    assert f"a.py was not checked to the end: {LOST}" in prompted(session)
    assert (prompted(session), jobs(session)) == ("", [])


def test_where_there_is_no_checker_any_more_it_is_told_once_that_it_was_not_finished(tmp_path):
    session = Typed(tmp_path)
    (session.root / ".venv/bin/ty").unlink()
    asked_before(session)
    assert f"a.py was not checked to the end: {LOST}" in prompted(session)
    assert (prompted(session), jobs(session)) == ("", [])


def test_what_was_lost_of_a_text_that_is_gone_is_not_told(tmp_path):
    session = Typed(tmp_path)
    session.app.stays = False
    asked_before(session)
    session.put("a.py", TYPED)
    assert (prompted(session), jobs(session)) == ("", [])


def test_what_it_is_asked_is_on_record_until_it_has_answered(tmp_path):
    go = tmp_path / "go"
    waits = f"import os, time\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
    session = Typed(tmp_path, scripted(tmp_path, waits + FAILS["answers with an error"]))
    session.write("a.py", SLIP)
    session.put("a.py", SLIP)
    session.landed("a.py")
    assert jobs(session) == [("a.py", False)]
    go.touch()
    settled(session)
    assert jobs(session) == []


def test_nothing_of_a_project_runs_that_nobody_accepted(tmp_path):
    mark = tmp_path / "ran"
    session = Typed(tmp_path, scripted(tmp_path, f"open({str(mark)!r}, 'w')"))
    session.app = type(session.app)(tmp_path / "other state")
    session.app.stays = True
    session.change("a.py", SLIP)
    assert not mark.exists()


SPEAKS = """
import json, sys
def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
    sys.stdout.buffer.flush()
def receive():
    length = 0
    while (line := sys.stdin.buffer.readline().strip()):
        length = int(line.partition(b":")[2])
    if not length:
        sys.exit()
    return json.loads(sys.stdin.buffer.read(length))
"""
ANSWERS = """
while True:
    said = receive()
    if said.get("method") == "initialize":
        send({"id": "q", "method": "workspace/configuration", "params": {"items": [{}, {}]}})
        told = receive()
        send({"id": said["id"], "result": {"told": told["result"]}})
    elif said.get("method") == "textDocument/diagnostic":
        send({"method": "window/logMessage", "params": {}})
        place = {"line": 4, "character": 2}
        item = {"code": 7, "message": "no\\nmore", "range": {"start": place, "end": place}}
        send({"id": said["id"], "result": {"items": [item]}})
"""
FAILS = {
    "ends at once": "",
    "says nothing": "while True: receive()",
    "speaks otherwise": "print('hello', flush=True); receive()",
    "promises too much": "sys.stdout.write('Content-Length: 99999999999\\r\\n\\r\\n'); sys.stdout.flush(); receive()",
    "answers with an error": "while True: send({'id': receive().get('id'), 'error': {}})",
}


def scripted(folder: Path, code: str) -> Path:
    program = folder / "server"
    program.write_text(f"#!{sys.executable}\n{SPEAKS}\n{code}\n")
    program.chmod(0o755)
    return program


def test_it_is_asked_and_answers_what_it_asks(tmp_path):
    server = LanguageServer([str(scripted(tmp_path, ANSWERS))], tmp_path)
    try:
        (said,) = server.diagnostics("a.py", "x", "python", Deadline.after(20)) or ()
        assert said == ("7", "no", 5, 3, 5)
    finally:
        server.close()


@pytest.mark.parametrize("code", FAILS.values(), ids=FAILS)
def test_one_that_fails_says_nothing(tmp_path, code):
    server = LanguageServer([str(scripted(tmp_path, code))], tmp_path)
    try:
        assert server.diagnostics("a.py", "x", "python", Deadline.after(0.3)) is None
    finally:
        server.close()


def test_one_that_cannot_be_started_is_left_alone_after_a_while(tmp_path):
    checker = checker_of("python")
    assert checker is not None
    resident = Resident(tmp_path, checker, (str(tmp_path / "nothing"),))
    for number in range(5):
        resident.before("s", f"{number}.py", "x", "python")
        resident.settle(Deadline.after(20))
    assert resident.given_up


def test_what_goes_wrong_where_it_is_told_does_not_end_it(tmp_path):
    checker = checker_of("python")
    assert checker is not None
    resident, told = Resident(tmp_path, checker, (str(scripted(tmp_path, ANSWERS)),)), []

    def tell(_):
        told.append(threading.current_thread())
        raise RuntimeError

    for _ in range(5):
        resident.before("s", "a.py", "x", "python")
        resident.after("s", "a.py", "x", "python", tell)
        resident.settle(Deadline.after(5))
    resident.close()
    assert len(told) == 5
    assert len(set(told)) == 1
    assert not resident.given_up
    resident.after("s", "a.py", "x", "python", tell)
    resident.close()
    assert len(told) == 6, "one that was closed begins anew"


@real
def test_a_file_that_was_incomplete_is_heard_of_again(tmp_path):
    session = Typed(tmp_path)
    session.put("a.py", "import nowhere\n")
    session.change("a.py", TYPED)
    session.change("a.py", SLIP)
    assert "invalid-argument-type" in session.end()


@real
def test_what_it_said_survives_the_daemon_and_is_told_once(tmp_path):
    session = Typed(tmp_path)
    session.change("a.py", SLIP)
    for resident in RESIDENTS.at(session.root):
        resident.close()
    session.app = type(session.app)(tmp_path / "state")
    assert "invalid-argument-type" in session.end()
    assert session.end() == ""


@real
def test_what_it_said_of_a_text_that_is_gone_is_not_told(tmp_path):
    session = Typed(tmp_path)
    session.change("a.py", SLIP)
    session.put("a.py", TYPED)
    assert session.end() == ""
    session.put("a.py", SLIP)
    assert session.end() == ""


@real
def test_what_the_next_edit_leaves_as_it_is_is_told_with_that(tmp_path):
    session = Typed(tmp_path)
    session.change("a.py", SLIP)
    assert session.change("a.py", SLIP + "y = 1\n") == ""
    assert "invalid-argument-type" in session.end()
    assert session.end() == ""


@real
def test_each_session_is_told_of_its_own_edits(tmp_path):
    session = Typed(tmp_path)
    session.change("a.py", SLIP)
    own, session.id = session.id, "other"
    assert session.end() == ""
    session.id = own
    assert "invalid-argument-type" in session.end()
