"""Files that move to where more is asked of them: out of what is left out, or out of the tests."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.model import File

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.config.paths import PathFilter


def asks_more(paths: PathFilter, home: str, path: str) -> bool:
    """Whether a file is held to more at `path` than it was at `home`: then nothing in it is old."""
    if not paths.checks(path):
        return False
    return not paths.checks(home) or (paths.is_test(home) and not paths.is_test(path))


def taken_apart(paths: PathFilter, files: Iterable[File]) -> Iterator[File]:
    """A rename to such a place is a file that is gone and a new one."""
    for file in files:
        if file.was and asks_more(paths, file.was, file.path):
            yield File(file.was, file.before, None)
            yield replace(file, before=None, was="")
        else:
            yield file
