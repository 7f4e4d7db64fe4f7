"""Writing a file whole or not at all, and putting back what did not come out right."""

from __future__ import annotations

import stat

import pytest

from vetgate.agents.claude_code.registration import SettingsWriting
from vetgate.agents.installation import SETTINGS, Installation
from vetgate.model import UserError
from vetgate.service.installation import carry_out
from vetgate.source.replace import remove, write_bytes


def test_a_file_somebody_changed_meanwhile_is_left_alone(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b"theirs")
    with pytest.raises(UserError, match="changed by somebody else"):
        write_bytes(path, b"ours", expected=b"what we read")
    with pytest.raises(UserError, match="changed by somebody else"):
        remove(path, expected=b"what we read")
    assert path.read_bytes() == b"theirs"
    assert [each.name for each in tmp_path.iterdir()] == ["settings.json"]


def test_a_file_that_appeared_meanwhile_is_left_alone(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b"theirs")
    with pytest.raises(UserError):
        write_bytes(path, b"ours", expected=None)
    assert path.read_bytes() == b"theirs"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_the_mode_of_a_file_stays(tmp_path, mode):
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_bytes(path, b"new", expected=b"old")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_link_to_a_file_that_is_not_there_yet_is_written_through(tmp_path):
    link = tmp_path / "settings.json"
    link.symlink_to(tmp_path / "dotfiles" / "real.json")
    write_bytes(link, b"new", expected=None)
    assert link.is_symlink()
    assert (tmp_path / "dotfiles" / "real.json").read_bytes() == b"new"


DAMAGED = {
    "a file the client would skip": b'{"hooks": []}',
    "a file without our entries": b'{"hooks": {}}',
}


@pytest.mark.parametrize("after", DAMAGED.values(), ids=DAMAGED.keys())
def test_settings_that_do_not_read_back_as_they_should_are_put_back(tmp_path, after):
    path = tmp_path / "settings.json"
    path.write_bytes(b"{ }")
    installation = Installation(tmp_path, tmp_path / "state", None)
    with pytest.raises(UserError, match="it was put back"):
        carry_out([SettingsWriting(path, SETTINGS, b"{ }", after)], installation)
    assert path.read_bytes() == b"{ }"
