"""What stands in `.env` files is sent to no model, whatever it was copied to or quoted by."""

from __future__ import annotations

import os

import pytest

from judged_session import BEFORE_EDIT, STRICT, judged_session
from model_server import Judges, ModelServer
from vetgate.judgement import Investigation
from vetgate.judges.environment_values import HIDDEN, EnvironmentValues
from vetgate.models.tools import ProjectReader

VALUE = "violet-canary-77"


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    return root


@pytest.mark.parametrize(
    "line",
    [
        f"PIN={VALUE}",
        f"export PIN = {VALUE}",
        f"PIN='{VALUE}'",
        f'PIN="{VALUE}"  ',
        f"PIN={VALUE} # of the door",
        f"A=1\r\nPIN={VALUE}\r\n",
        f"PIN: {VALUE}",
    ],
)
def test_a_value_is_hidden_however_it_is_written_down(project, line):
    (project / ".env").write_text(line)
    assert EnvironmentValues(project).hidden_in(f"it says {VALUE}.") == f"it says {HIDDEN}."


@pytest.mark.parametrize("name", [".env.local", "apps/web/.env", "deploy/prod.env", ".envrc"])
def test_files_of_that_kind_near_the_top_are_read(project, name):
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).write_text(f"PIN={VALUE}\n")
    assert HIDDEN in EnvironmentValues(project).hidden_in(VALUE)


@pytest.mark.parametrize(
    "line",
    [
        "NODE_ENV=production",
        "PORT=8080",
        "API_URL=https://api.example.com/v1",
        "DATABASE_HOST=localhost:5432",
        "CACHE=/var/cache/app2",
        "DEBUG_TOKEN=",
        "DEBUG=true",
        "SHOWN_SECRET=null",
        "NAME=app1",
        "VERSION=1.24.3",
    ],
)
def test_ordinary_settings_stay(project, line):
    (project / ".env").write_text(line)
    value = line.partition("=")[2]
    text = f"x = {value!r} and more of {value}"
    assert EnvironmentValues(project).hidden_in(text) == text


def test_what_a_name_calls_secret_is_hidden_though_it_is_short(project):
    (project / ".env").write_text("DB_PASSWORD=hunter\n")
    assert EnvironmentValues(project).hidden_in("hunter, hunters") == f"{HIDDEN}, hunters"


def test_samples_hide_nothing(project):
    (project / ".env.example").write_text(f"PIN={VALUE}\n")
    assert EnvironmentValues(project).hidden_in(VALUE) == VALUE


def test_without_such_a_file_and_with_ones_that_cannot_be_read_a_text_stays(project):
    assert EnvironmentValues(project).hidden_in(VALUE) == VALUE
    os.mkfifo(project / ".env")
    (project / ".env.local").mkdir()
    (project / "a.env").symlink_to("nowhere")
    assert EnvironmentValues(project).hidden_in(VALUE) == VALUE


def test_an_investigation_reads_no_copy_of_it(project):
    (project / ".env").write_text(f"PIN={VALUE}\n")
    (project / "copy.txt").write_text(f"PIN={VALUE}\n")
    reader = ProjectReader(Investigation(project))
    for said in (reader.read("copy.txt"), reader.grep("PIN")):
        assert "PIN" in said
        assert VALUE not in said


def test_a_judge_is_asked_without_it(tmp_path, monkeypatch):
    with ModelServer([Judges()]) as server:
        session = judged_session(tmp_path, server, monkeypatch)
        (session.root / ".env").write_text(f"PIN={VALUE}\n")
        session.judged_by(STRICT, BEFORE_EDIT)
        session.write("a.py", f"PIN = read()  # not {VALUE}\n")
        (request,) = server.requests
        assert "PIN = read()" in request.text
        assert VALUE not in request.text
