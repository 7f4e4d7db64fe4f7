"""Code that does not parse, as agents leave it between two edits: told, never punished."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.engine.analysis import source_of
from vetgate.model import Decision, Unchecked
from vetgate.source.language import language_of
from vetgate.source.syntax import first_error, parse
from vetgate.source.text import NotText
from vetgate.store import MarkKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.schema import Config
    from vetgate.model import Change, Verdict
    from vetgate.project import SessionMemory


def with_half_written(verdict: Verdict, change: Change, config: Config, memory: SessionMemory) -> Verdict:
    """Once a session and file: where code stops to parse that parsed before."""
    broken = {path: note for path, note in _broken(change, config) if not memory.is_marked(path, MarkKind.HALF_WRITTEN)}
    for path in broken:
        memory.mark(path, MarkKind.HALF_WRITTEN)
    if not broken:
        return verdict
    return replace(verdict, decision=max(verdict.decision, Decision.WARN), notes=(*verdict.notes, *broken.values()))


def _broken(change: Change, config: Config) -> Iterator[tuple[str, str]]:
    for file in change.files:
        if language_of(file.path) is None or not config.paths.checks(file.path):
            continue
        line = _error(file.path, file.after)
        if line and not _error(file.path, file.before):
            yield file.path, f"{file.path} does not parse from line {line} on; that is told, not held against it"


def _error(path: str, text: str | None) -> int:
    """The first line that does not parse; 0 where all does, or nobody can tell."""
    if text is None:
        return 0
    try:
        syntax = parse(source_of(path, text))
    except NotText:
        return 0
    return 0 if isinstance(syntax, Unchecked) else first_error(syntax) or 0
