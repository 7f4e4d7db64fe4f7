"""A folder that every account can enter, and two accounts that only have a number: a person's and a stranger's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

import vetgate

if TYPE_CHECKING:
    from collections.abc import Iterator

US, THEM = 65501, 65502


@contextmanager
def open_ground() -> Iterator[Path]:
    """Not pytest's own folder: that is closed to other accounts."""
    top = Path(tempfile.mkdtemp(prefix="vg"))
    top.chmod(0o755)
    try:
        yield top
    finally:
        subprocess.run(["chmod", "-R", "u+rwx", str(top)], check=False, capture_output=True)
        shutil.rmtree(top)


def folder(path: Path, uid: int, mode: int = 0o755, gid: int = -1) -> Path:
    path.mkdir(parents=True)
    path.chmod(mode)
    os.chown(path, uid, uid if gid < 0 else gid)
    return path


def link(path: Path, target: Path | str, uid: int) -> Path:
    path.symlink_to(target)
    os.lchown(path, uid, uid)
    return path


def python_for_all() -> str:
    """An interpreter that every account may run, as like ours as there is; "" where there is none."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for found in (getattr(sys, "_base_executable", sys.executable), f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        try:
            subprocess.run([found, "-I", "-S", "-c", ""], user=THEM, group=THEM, extra_groups=[], cwd="/", check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return found
    return ""


def installation(top: Path) -> Path:
    """Our package with all that it needs, where every account can run it: the folder's `bin/python`."""
    place = top / "opt"
    python = python_for_all()
    assert python, "ask before"
    subprocess.run([python, "-m", "venv", "--without-pip", str(place)], check=True)
    library = next((place / "lib").glob("python*/site-packages"))
    shutil.copytree(Path(vetgate.__file__).parent, library / "vetgate", ignore=shutil.ignore_patterns("__pycache__"))
    needed = Path(click.__file__).parent.parent
    try:
        subprocess.run(["ls", str(needed)], user=THEM, group=THEM, check=True, capture_output=True)
    except subprocess.CalledProcessError:
        copied = top / "needed"
        if subprocess.run(["cp", "-al", str(needed), str(copied)], check=False, capture_output=True).returncode:
            shutil.copytree(needed, copied, dirs_exist_ok=True)
        needed = copied
    (library / "needed.pth").write_text(f"{needed}\n")
    return place
