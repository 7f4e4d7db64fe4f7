from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from vetgate.source import disk
from vetgate.source.text import LARGEST, NotText

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_regular_file_is_text_with_plain_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes("\ufeffx = 'ä'\r\n".encode())
    assert disk.read(file) == "x = 'ä'\n"


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param(lambda path: path.mkdir(), "not a regular file", id="a folder"),
        pytest.param(lambda _: None, "cannot be read: No such file or directory", id="nothing there"),
        pytest.param(os.mkfifo, "not a regular file", id="a pipe that nobody writes into"),
        pytest.param(
            lambda path: path.write_bytes(b"x" * (LARGEST + 1)), "larger than 20 MiB", id="more than we would read"
        ),
    ],
)
def test_what_has_no_text_to_judge(tmp_path: Path, make: Callable[[Path], object], reason: str) -> None:
    path = tmp_path / "a.py"
    make(path)
    with pytest.raises(NotText) as refused:
        disk.read(path)
    assert refused.value.reason == reason
