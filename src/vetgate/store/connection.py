"""A connection to SQLite that ends with its last user."""

from __future__ import annotations

import contextlib
import sqlite3


class Connection(sqlite3.Connection):
    """Nobody closes a project while another thread may still answer from it, so it closes itself when all are done."""

    def __del__(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.close()
