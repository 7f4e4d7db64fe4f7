"""Other accounts on the machine: what they own, may write to or link to is not believed and not written to."""

from __future__ import annotations

import grp
import json
import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures import BAD, Clone
from hook_path import own_daemon
from two_users import THEM, US, folder, link, open_ground, python_for_all
from vetgate import ownership, runtime
from warm_program import RUN

pytestmark = pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can act as two accounts")


@pytest.fixture
def ground():
    with open_ground() as top:
        yield top


def a_home(top):
    return folder(top / "home" / "us", US)


def state_in(top, mode=0o700):
    return folder(a_home(top) / "state", US, mode)


def through_their_link(top):
    state_in(top)
    folder(top / "theirs", THEM)
    return link(top / "theirs" / "way", top / "home" / "us", THEM) / "state"


def a_link_of_theirs_in_a_sticky_folder(top):
    folder(top / "tmp", 0, 0o1777)
    state_in(top)
    return link(top / "tmp" / "vetgate", top / "home" / "us" / "state", THEM)


def our_link_into_their_folder(top):
    a_home(top)
    folder(top / "theirs" / "state", THEM, 0o777)
    return link(top / "home" / "us" / "state", top / "theirs" / "state", US)


def our_link_to_our_folder_in_theirs(top):
    a_home(top)
    folder(top / "theirs", THEM)
    folder(top / "theirs" / "state", US, 0o700)
    return link(top / "home" / "us" / "state", "../../theirs/state", US)


def a_chain_of_links_that_ends_with_them(top):
    a_home(top)
    folder(top / "theirs" / "state", THEM)
    link(top / "home" / "us" / "b", top / "theirs" / "state", US)
    return link(top / "home" / "us" / "a", "b", US)


def a_home_anybody_may_write_to(top):
    folder(top / "home" / "us", US, 0o777)
    return folder(top / "home" / "us" / "state", US, 0o700)


def a_home_a_group_may_write_to(top):
    folder(top / "home" / "us", US, 0o775, gid=100)
    return folder(top / "home" / "us" / "state", US, 0o700)


def links_that_never_end(top):
    a_home(top)
    return link(top / "home" / "us" / "state", "state", US)


def back_out_of_their_folder(top):
    """The names cancel out, the link between them does not."""
    state_in(top)
    folder(top / "theirs" / "deep", THEM)
    link(top / "home" / "us" / "way", top / "theirs" / "deep", US)
    return top / "home" / "us" / "way" / ".." / "state"


PLANTED = {
    "their folder": lambda top: folder(top / "theirs", THEM, 0o700),
    "ours, in their folder": lambda top: folder(folder(top / "theirs", THEM) / "state", US, 0o700),
    "not there yet, in their folder": lambda top: folder(top / "theirs", THEM, 0o777) / "state" / "deeper",
    "our link into their folder": our_link_into_their_folder,
    "our link to our own folder in theirs": our_link_to_our_folder_in_theirs,
    "their link to our folder": through_their_link,
    "their link in a sticky folder": a_link_of_theirs_in_a_sticky_folder,
    "a chain of links that ends with them": a_chain_of_links_that_ends_with_them,
    "links that never end": links_that_never_end,
    "a way through their folder and back": back_out_of_their_folder,
    "open to everybody": lambda top: state_in(top, 0o777),
    "open to everybody and sticky": lambda top: state_in(top, 0o1777),
    "a home that anybody may write to": a_home_anybody_may_write_to,
    "a home that a group may write to": a_home_a_group_may_write_to,
    "their folder in a sticky one": lambda top: folder(folder(top / "tmp", 0, 0o1777) / "vetgate", THEM, 0o700),
    "of the user nobody": lambda top: folder(folder(top / "srv", 65534) / "state", US, 0o700),
}


@pytest.mark.parametrize("plant", PLANTED)
def test_a_folder_that_others_decide_about(plant, ground):
    assert ownership.fault(str(PLANTED[plant](ground)), US)


def a_home_that_root_moved(top):
    folder(top / "var" / "home" / "us", US)
    folder(top / "var" / "home" / "us" / "state", US, 0o700)
    link(top / "home", "var/home", 0)
    return top / "home" / "us" / "state"


def on_another_disk(top):
    a_home(top)
    folder(top / "disk" / "us", US, 0o700)
    return link(top / "home" / "us" / "state", top / "disk" / "us", US)


ORDINARY = {
    "in a home": state_in,
    "readable to others": lambda top: state_in(top, 0o755),
    "not there yet": lambda top: a_home(top) / ".local" / "state" / "vetgate",
    "a home that root moved": a_home_that_root_moved,
    "our link to another disk": on_another_disk,
    "below a sticky folder": lambda top: folder(folder(top / "tmp", 0, 0o1777) / "x", US, 0o700),
    "a home closed to others": lambda top: folder(folder(top / "home", 0) / "us", US, 0o700) / "state",
    "root's own": lambda top: folder(top / "root", 0, 0o700),
}


@pytest.mark.parametrize("layout", ORDINARY)
def test_a_folder_that_is_ours(layout, ground):
    assert ownership.fault(str(ORDINARY[layout](ground)), US) == ""


@pytest.mark.parametrize(("others", "ours"), [((), True), (("them",), False)])
def test_a_group_that_is_only_ours_may_write(ground, monkeypatch, others, ours):
    user = pwd.struct_passwd(("us", "x", US, US, "", "/", "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: user)
    monkeypatch.setattr(grp, "getgrgid", lambda gid: grp.struct_group(("us", "x", US, [*others])))
    folder(ground / "us", US, 0o775)
    assert (ownership.fault(str(folder(ground / "us" / "state", US, 0o700)), US) == "") is ours


NAMESPACE = """
import ctypes, os, sys
uid = os.getuid()
if ctypes.CDLL(None, use_errno=True).unshare(0x10000000):
    sys.exit(77)
open("/proc/self/setgroups", "w").write("deny")
open("/proc/self/uid_map", "w").write(f"0 {uid} 1")
sys.path.append(sys.argv[1])
from vetgate import ownership
print(os.lstat("/").st_uid, repr(ownership.fault(sys.argv[2])))
"""


def test_a_sandbox_that_shows_roots_folders_as_nobodys(ground):
    """As bubblewrap makes one: the account is the only one it knows."""
    state = state_in(ground)
    package = ground / "package"
    package.mkdir()
    subprocess.run(["cp", "-r", str(Path(ownership.__file__).parent), str(package)], check=True)
    done = subprocess.run(
        [
            python_for_all() or pytest.skip("no interpreter for all"),
            "-I",
            "-S",
            "-c",
            NAMESPACE,
            str(package),
            str(state),
        ],
        user=US,
        group=US,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"no user namespaces for others here: {done.stderr[-200:]}")
    assert done.stdout.strip() == "65534 ''"


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077])
def test_what_is_made_is_closed_whatever_the_umask(ground, umask):
    wanted = ground / "a" / "b" / "run"
    before = os.umask(umask)
    try:
        assert runtime.make_private(str(wanted))
    finally:
        os.umask(before)
    assert [each.stat().st_mode & 0o777 for each in (wanted, wanted.parent, wanted.parent.parent)] == [0o700] * 3


@pytest.fixture
def clone(ground):
    made = Clone(ground / "machine")
    made.install_client("echo 2.1.325")
    said = made.init("--yes", "--settings", "user")
    assert said.returncode == 0, said.stderr
    made.git("add", "-A")
    made.git("commit", "-q", "-m", "start")
    return made


def hook(clone, **event):
    event = {"session_id": "s", "cwd": str(clone.root), **event}
    done = subprocess.run(
        ["sh", "-c", json.loads(clone.user.read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"]],
        cwd=clone.root,
        env=clone.env,
        input=json.dumps(event),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def swapped(clone, ground):
    """What happens when somebody else holds the folder: the same files, in a folder of theirs."""
    theirs = folder(ground / "theirs", THEM)
    clone.state.rename(theirs / "state")
    clone.state.symlink_to(theirs / "state")
    return theirs / "state"


def test_a_state_folder_in_anothers_hands_is_not_used_and_the_gate_still_stands(clone, ground):
    theirs = swapped(clone, ground)
    before = {path: path.stat().st_mtime_ns for path in theirs.rglob("*")}
    status, said = hook(clone, hook_event_name="SessionStart", source="startup")
    assert status == 0
    assert f"because {theirs.parent} belongs to uid {THEM}" in said
    status, said = hook(
        clone,
        hook_event_name="PreToolUse",
        tool_name="Write",
        tool_input={"file_path": str(clone.root / "a.py"), "content": BAD},
    )
    assert status == 2, said
    status, said = hook(
        clone, hook_event_name="PreToolUse", tool_name="Bash", tool_input={"command": "git commit --no-verify -m x"}
    )
    assert status == 2, said
    (clone.root / "vetgate.yaml").unlink()
    status, said = hook(
        clone, hook_event_name="PreToolUse", tool_name="Bash", tool_input={"command": "git commit --no-verify -m x"}
    )
    assert status == 2, f"what cannot be read may have said that this project is gated: {said}"
    assert {path: path.stat().st_mtime_ns for path in theirs.rglob("*")} == before, "nothing of ours is written there"


def test_doctor_and_init_name_whose_it_is(clone, ground):
    theirs = swapped(clone, ground)
    report = json.loads(clone.vetgate("doctor", "--format", "json").stdout)
    (row,) = [each for each in report["findings"] if each["id"] == "state"]
    assert f"{clone.state} is not yours alone, so it is not used: {theirs.parent} belongs to" in row["what"]
    assert "VETGATE_STATE_DIR" in row["repair"]
    said = clone.init("--yes")
    assert said.returncode == 3
    assert f"{clone.state} is not used, because {theirs.parent} belongs to" in said.stderr


def test_doctor_says_how_to_close_a_folder_above(clone):
    with own_daemon() as variables:
        clone.env |= variables
        assert clone.init("--yes", "--settings", "user").returncode == 0
        (clone.home / ".local").chmod(0o777)
        report = json.loads(clone.vetgate("doctor", "--format", "json").stdout)
        (row,) = [each for each in report["findings"] if each["id"] == "state"]
        assert row["repair"] == f"chmod go-w {clone.home}/.local"
        (clone.home / ".local").chmod(0o755)
        assert json.loads(clone.vetgate("doctor", "--format", "json").stdout)["healthy"]


def test_a_commit_is_judged_without_the_folder(clone, ground):
    swapped(clone, ground)
    clone.put("a.py", BAD)
    clone.git("add", "-A")
    assert "busy" in clone.stopped("commit", "-m", "bad")


def test_check_works_with_a_home_of_somebody_else(clone, ground):
    """As in a container whose home was mounted: root, in the folder of an account."""
    home = folder(ground / "mounted", THEM)
    clone.put("a.py", "def plain(a):\n    return a\n")
    done = subprocess.run(
        [sys.executable, "-c", RUN, "check", "a.py"],
        cwd=clone.root,
        env=clone.env | {"HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list(home.iterdir())
