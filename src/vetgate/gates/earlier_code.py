"""The project as a commit has it, in a folder of its own: nothing of the repository is written, no hook is run."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.source.git_process import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MODULES = "node_modules"
# Caches that a runner writes to: those of the project are not for us.
_OWN_CACHES = frozenset({".cache", ".vite", ".vite-temp", ".vitest"})
_LARGEST = 4 << 20


@contextlib.contextmanager
def earlier_code(root: Path, commit: str, on_top: Sequence[str], seconds: float) -> Iterator[Path]:
    """A folder with the files of the commit, and over them these files as they are now; gone when it is left."""
    with tempfile.TemporaryDirectory(prefix="vetgate-proof-", ignore_cleanup_errors=True) as name:
        base = Path(name).resolve()
        folder, index = base / "code", base / "index"
        folder.mkdir()
        # With an index of its own and a folder to write to: neither a work tree nor a ref is made in the repository.
        run(("read-tree", commit), root, index=index, seconds=seconds)
        run(("checkout-index", "--all", f"--prefix={folder}/"), root, index=index, seconds=seconds)
        for path in on_top:
            _copy(root / path, folder / path, folder)
        yield folder


def link_modules(root: Path, folder: Path, package: str) -> None:
    """What is installed for this package and those around it, entry by entry: caches are written to our own folder."""
    place = Path(package)
    for part in (place, *place.parents):
        installed, ours = root / part / _MODULES, folder / part / _MODULES
        # The commit may have a link here that leads elsewhere.
        is_inside = ours.parent.resolve().is_relative_to(folder)
        if not is_inside or not installed.is_dir() or ours.exists():
            continue
        ours.mkdir(parents=True)
        for entry in os.scandir(installed):
            if entry.name not in _OWN_CACHES:
                (ours / entry.name).symlink_to(entry.path)


def _copy(source: Path, target: Path, folder: Path) -> None:
    """Plain files alone, and only inside of the folder, whatever the commit has put in the way."""
    with contextlib.suppress(OSError):
        if source.is_symlink() or not source.is_file() or source.stat().st_size > _LARGEST:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.parent.resolve().is_relative_to(folder):
            return
        target.unlink(missing_ok=True)
        shutil.copyfile(source, target)
