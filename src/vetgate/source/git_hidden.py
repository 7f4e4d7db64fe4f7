"""Files that lie in a work tree although no commit will hold them, by rules that no commit holds either.

A rule of `.gitignore` is a part of the content: who reviews that sees it. `.git/info/exclude`, an excludes file that
the repository's own configuration names, and a `.gitignore` that ignores itself are files that nobody reviews.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vetgate.source.git_process import ask
from vetgate.source.git_rules import IGNORE_FILE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

_LISTED = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
_EXCLUDE = "info/exclude"
_OF_REPOSITORY = ("config", "--local", "--get", "core.excludesFile")


def hidden_files(root: Path, content: Collection[str], seconds: float) -> tuple[str, ...]:
    """Each with the file whose rule hides it; `content` are the files that a commit would hold."""
    ignored = ask(_LISTED, root, seconds=seconds)
    if ignored.status != 0 or not ignored.out:
        return ()
    told = ask(("check-ignore", "-v", "-z", "--stdin"), root, stdin=ignored.out, seconds=seconds)
    fields = [os.fsdecode(each) for each in told.out.split(b"\0")[:-1]]
    is_own = not ask(_OF_REPOSITORY, root, seconds=seconds).out
    return tuple(_hidden(fields, content, is_own=is_own))


def _hidden(fields: list[str], content: Collection[str], *, is_own: bool) -> Iterator[str]:
    for source, _line, _rule, name in zip(*(fields[each::4] for each in range(4)), strict=True):
        folder, _, file = source.rpartition("/")
        if file == IGNORE_FILE and not source.startswith("/"):
            within = f"{folder}/" if folder else ""
            # A folder that is ignored as a whole, as caches and environments are, holds no code of the content.
            is_reviewed = source in content or not any(each.startswith(within) for each in content)
        else:
            is_reviewed = is_own and not source.endswith(_EXCLUDE)
        if not is_reviewed:
            yield f"{name} ({source})"
