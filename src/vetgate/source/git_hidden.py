"""Files that lie in a work tree although no commit will hold them, by rules that no commit holds either.

A rule of `.gitignore` is a part of the content: who reviews that sees it. `.git/info/exclude`, an excludes file that
the repository's own configuration names, and a `.gitignore` that ignores itself are files that nobody reviews.
Files may also lie there in another encoding than a commit holds them in.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vetgate.source.git_process import ask
from vetgate.source.git_rules import IGNORE_FILE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

_LISTED = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
_EXCLUDE = "info/exclude"
_ENCODING = "working-tree-encoding"
_AS_COMMITTED = frozenset({"unspecified", "unset", "set", "", "utf-8", "utf8"})
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


def reencoded_files(root: Path, names: Iterable[str], seconds: float) -> tuple[str, ...]:
    """Those that lie here in another encoding than a commit holds them in, each with that encoding."""
    given = b"".join(os.fsencode(name) + b"\0" for name in names)
    told = ask(("check-attr", "-z", "--stdin", _ENCODING), root, stdin=given, seconds=seconds)
    fields = [os.fsdecode(each) for each in told.out.split(b"\0")[:-1]]
    found = zip(fields[::3], fields[2::3], strict=True)
    return tuple(f"{name} ({encoding})" for name, encoding in found if encoding.lower() not in _AS_COMMITTED)


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
