"""A file's text as it was committed before the session began: what the session commits itself is no measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.model import UserError
from vetgate.project import head_text
from vetgate.source.git_past import BaseCommits, base

if TYPE_CHECKING:
    from vetgate.project import Project


class Earlier:
    """Asks git when somebody wants to know, and once where to look."""

    def __init__(self, project: Project, session: str) -> None:
        self._project = project
        self._session = session
        self._past: BaseCommits | None = None

    def __call__(self, path: str) -> str | None:
        root = self._project.root
        start = self._project.start(self._session)
        if start is None or "\n" in path or path.startswith("/") or not (root / ".git").exists():
            return head_text(root, path)
        try:
            self._past = self._past or base(root, start)
            return next(iter(self._past.texts([path])[0]), None)
        except UserError:
            return None
