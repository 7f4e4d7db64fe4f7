"""What checks said of texts in an earlier run, kept on disk for a linter that looks at the same files again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from vetgate.engine.check import Report, Safeguard
from vetgate.model import Finding  # noqa: TC001 - the decoder reads the annotations

if TYPE_CHECKING:
    from collections.abc import Mapping


class Contents(Protocol):
    """Bytes by what they belong to; whatever breaks in there, nothing is found."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, value: bytes) -> None: ...


class _KeptReport(msgspec.Struct, frozen=True, array_like=True):
    findings: tuple[Finding, ...]
    safeguards: tuple[Safeguard, ...]


_DECODER = msgspec.msgpack.Decoder(dict[str, _KeptReport])


class KeptReports:
    """Of checks that look at nothing but one text; secrets in what they say are redacted already."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    def find(self, key: bytes) -> dict[str, Report]:
        found = self._contents.get(key)
        if found is None:
            return {}
        try:
            kept = _DECODER.decode(found)
        except msgspec.MsgspecError:  # another version wrote it, or the disk lost some of it
            return {}
        return {check: Report(each.findings, safeguards=each.safeguards) for check, each in kept.items()}

    def keep(self, key: bytes, reports: Mapping[str, Report]) -> None:
        kept = {check: _KeptReport(each.findings, each.safeguards) for check, each in reports.items()}
        self._contents.put(key, msgspec.msgpack.encode(kept))
