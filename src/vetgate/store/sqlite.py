"""The store of a project as one SQLite file, outside the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.store.acceptances import Acceptances
from vetgate.store.jobs import Jobs
from vetgate.store.results import Ledger, ModelCalls, ReviewMemory
from vetgate.store.sessions import Sessions

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.store.protocol import Store


class SqliteStore(Acceptances, Jobs, Ledger, ModelCalls, ReviewMemory, Sessions):
    """Thread-safe. No verdict depends on it: when the file fails, a copy in memory serves, and `problem` says why."""


def open_project_store(state_dir: Path, project: Path) -> Store:
    """Of `project`: the git common directory, or the root where there is no git."""
    return SqliteStore.open(state_dir, project)
