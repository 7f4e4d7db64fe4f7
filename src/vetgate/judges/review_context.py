"""What a reviewer sees beside the change: specifications, the latest commits, what the project is made of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.judges.gather import text_in
from vetgate.judges.path_rules import PathRules
from vetgate.judges.prompt import clean, cut
from vetgate.model import UserError
from vetgate.source import git_process, stack
from vetgate.source.git_refs import branch

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vetgate.judges.surroundings import CodeExcerpt
    from vetgate.model import Change

_SPEC_FOLDERS = ("specs/", "docs/specs/", ".specify/")
_SPEC_SUFFIX = ".spec.md"
_READABLE = (".md", ".markdown", ".rst", ".txt", ".adoc", ".yaml", ".yml", ".json")
_MOST_SPECS, _MOST_SPEC_CHARACTERS = 4, 20_000
_LONGEST_COMMIT = 600
_MOST_BESIDE = 200
_WORD = re.compile(r"[a-z]+|[0-9]+")
# Words that say what kind of work a branch is, and not which.
_KINDS = frozenset(
    {
        *("feature", "feat", "fix", "bugfix", "hotfix", "chore", "docs", "doc", "refactor", "test", "tests", "release"),
        *("task", "issue", "branch", "wip", "dev", "develop", "main", "master", "trunk"),
        *("spec", "specs", "specify", "plan", "tasks", "md", "txt"),
    }
)
_SHORTEST = 4  # letters of a word that is enough alone
_RECORD, _FIELD = "\x1e", "\x1f"


@dataclass(frozen=True, slots=True)
class ReviewContext:
    """`specs` are files with their text, `commits` the latest ones, newest first, `beside` the files around the change.

    `related` is code that the change affects or stands in. `left_out` counts the files and the lines of the change
    that no question shows.
    """

    stack: str = ""
    specs: tuple[tuple[str, str], ...] = ()
    commits: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    related: tuple[CodeExcerpt, ...] = ()
    left_out: tuple[int, int] = (0, 0)


def review_context(
    root: Path, change: Change, *, specs: bool, commits: int, sensitive: tuple[str, ...] = ()
) -> ReviewContext:
    """Everything but the related code. What git does not tell is left out."""
    listed = _listed(root)
    paths = PathRules(root, sensitive)
    return ReviewContext(
        stack=stack_of(root),
        specs=tuple(specs_of(root, branch(root), listed, paths)) if specs else (),
        commits=commits_of(root, commits),
        beside=_beside(listed, change),
    )


def commits_of(root: Path, most: int) -> tuple[str, ...]:
    """Newest first: what their authors wrote, shortened."""
    if most <= 0:
        return ()
    told = _git(root, "log", f"-{most}", "--no-color", f"--format=%h{_FIELD}%B{_RECORD}")
    found = (each.strip().partition(_FIELD) for each in told.split(_RECORD) if each.strip())
    return tuple(f"{name} {clean(text.strip()[: 2 * _LONGEST_COMMIT])[:_LONGEST_COMMIT]}" for name, _, text in found)


def stack_of(root: Path) -> str:
    found = stack.detect(root)
    languages = ", ".join(f"{name} ({count} files)" for name, count in found.languages)
    lines = [f"languages: {languages}"] if languages else []
    lines += [f"package managers: {', '.join(found.managers)}"] if found.managers else []
    return "\n".join(lines)


def specs_of(root: Path, branch: str, listed: Iterable[str], paths: PathRules) -> list[tuple[str, str]]:
    """Those whose name has most words in common with the branch's, the best first."""
    wanted = words_of(branch)
    if not wanted:
        return []
    scored = [(_likeness(wanted, path), path) for path in listed if is_spec(path)]
    best = sorted((-score, path) for score, path in scored if score)
    found = []
    for _, path in best:
        text = "" if paths.is_withheld(path) else text_in(root, path)
        if text.strip():
            found.append((path, cut(text, _MOST_SPEC_CHARACTERS)))
        if len(found) == _MOST_SPECS:
            break
    return found


def is_spec(path: str) -> bool:
    if path.endswith(_SPEC_SUFFIX):
        return True
    return path.startswith(_SPEC_FOLDERS) and path.endswith(_READABLE)


def words_of(name: str) -> frozenset[str]:
    """Without those that any branch may have; 007 is 7."""
    return frozenset(each.lstrip("0") or each for each in _WORD.findall(name.lower()) if each not in _KINDS)


def _likeness(wanted: frozenset[str], path: str) -> int:
    """How many words they share: at least two, or one that is long or a number, and stands for the whole branch."""
    shared = wanted & words_of(path)
    if len(shared) > 1:
        return len(shared)
    return int(shared == wanted and any(len(word) >= _SHORTEST or word.isdigit() for word in shared))


def _beside(listed: Iterable[str], change: Change) -> tuple[str, ...]:
    """The files in the folders of those that changed, as far as there is room."""
    folders = {file.path.rpartition("/")[0] for file in change.files}
    return tuple(path for path in listed if path.rpartition("/")[0] in folders)[:_MOST_BESIDE]


def _listed(root: Path) -> list[str]:
    told = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return sorted({name for name in told.split("\0") if name})


def _git(root: Path, *words: str) -> str:
    try:
        answer = git_process.ask(words, root)
    except UserError:
        return ""
    return answer.out.decode("utf-8", "replace") if answer.status == 0 else ""
