"""What language models were asked and what that cost: tokens and money, never what was said."""

from __future__ import annotations

import msgspec

from vetgate.store.encoding import plain
from vetgate.store.file import StoreFile
from vetgate.store.records import ModelCall


class ModelCalls(StoreFile):
    """Rows that vetgate did not write cost nothing."""

    def note_model_call(self, call: ModelCall) -> None:
        row = _row(call)
        marks = ", ".join("?" * (len(row) + 1))
        self._run(f"INSERT INTO model_call VALUES ({marks})", *row, self.seal.of("model call", *row))  # noqa: S608 - our own

    def model_calls(self, since: float = 0.0, session: str | None = None) -> tuple[ModelCall, ...]:
        """Oldest first."""
        sql = "SELECT * FROM model_call WHERE time >= ? AND (? IS NULL OR session = ?) ORDER BY time"
        whose = None if session is None else plain(session)
        names = ModelCall.__struct_fields__

        def sealed(*row: object) -> tuple[ModelCall, object]:
            return msgspec.convert(dict(zip(names, row, strict=False)), ModelCall), row[-1]

        found = self._read(sealed, sql, since, whose, whose)
        return tuple(call for call, mark in found if mark == self.seal.of("model call", *_row(call)))

    def spent(self, since: float = 0.0, session: str | None = None) -> float:
        """US dollars."""
        return sum(call.usd for call in self.model_calls(since, session))


def _row(call: ModelCall) -> tuple[str | float | int, ...]:
    return tuple(plain(value) if isinstance(value, str) else value for value in msgspec.structs.astuple(call))
