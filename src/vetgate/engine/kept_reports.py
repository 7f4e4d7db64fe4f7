"""What checks said of texts in an earlier run, kept on disk for a linter that looks at the same files again."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

import msgspec

from vetgate.engine.check import Report, Safeguard
from vetgate.model import Finding  # noqa: TC001 - the decoder reads the annotations
from vetgate.source.disk_cache import listed, stamp_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vetgate.source.disk_cache import DiskReads


class Contents(Protocol):
    """Bytes by what they belong to; whatever breaks in there, nothing is found."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, value: bytes) -> None: ...


class KeptReport(msgspec.Struct, frozen=True, array_like=True):
    """`folders` and `files` are what the check looked at beside the text; `digest` is what it saw there."""

    findings: tuple[Finding, ...]
    safeguards: tuple[Safeguard, ...]
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    digest: bytes = b""

    @property
    def report(self) -> Report:
        return Report(self.findings, safeguards=self.safeguards)


_DECODER = msgspec.msgpack.Decoder(dict[str, KeptReport])


class KeptReports:
    """Of checks that look at one text and at what can be named; secrets in what they say are redacted already.

    Of one run: a folder or file that many checks looked at is looked at once.
    """

    def __init__(self, contents: Contents, root: Path | None = None) -> None:
        self._contents = contents
        # Work trees of one project share what is kept: below the root a path is relative.
        self._root = "" if root is None else f"{root}/"
        self._folders: dict[str, bytes] = {}
        self._files: dict[str, bytes] = {}

    def find(self, key: bytes) -> dict[str, KeptReport]:
        """Of the checks that would see what they saw then."""
        found = self._contents.get(key)
        if found is None:
            return {}
        try:
            kept = _DECODER.decode(found)
        except msgspec.MsgspecError:  # another version wrote it, or the disk lost some of it
            return {}
        return {check: each for check, each in kept.items() if self._stands(each)}

    def keep(
        self,
        key: bytes,
        known: Mapping[str, KeptReport],
        reports: Mapping[str, Report],
        reads: Mapping[str, DiskReads | None],
    ) -> None:
        """`reads` has None for what was `known`."""
        complete = {check: read for check, read in reads.items() if read is not None and read.is_complete}
        made = {check: self._made(reports[check], read) for check, read in complete.items()}
        if made:
            self._contents.put(key, msgspec.msgpack.encode({**known, **made}))

    def _made(self, report: Report, reads: DiskReads) -> KeptReport:
        folders, files = sorted(reads.folders), sorted(reads.files)
        saw = [
            *(_of_names(reads.folders[folder]) for folder in folders),
            *(repr(reads.files[file]).encode() for file in files),
        ]
        return KeptReport(
            report.findings,
            report.safeguards,
            tuple(map(self._relative, folders)),
            tuple(map(self._relative, files)),
            _joined(saw),
        )

    def _stands(self, kept: KeptReport) -> bool:
        if not kept.digest:
            return not kept.folders and not kept.files
        return kept.digest == _joined([*map(self._folder, kept.folders), *map(self._file, kept.files)])

    def _folder(self, path: str) -> bytes:
        if path not in self._folders:
            self._folders[path] = _of_names(listed(self._absolute(path)))
        return self._folders[path]

    def _file(self, path: str) -> bytes:
        if path not in self._files:
            self._files[path] = repr(stamp_of(self._absolute(path))).encode()
        return self._files[path]

    def _relative(self, path: str) -> str:
        return path.removeprefix(self._root)

    def _absolute(self, path: str) -> str:
        return path if path.startswith("/") else f"{self._root}{path}"


def _of_names(names: frozenset[str]) -> bytes:
    text = "\0".join(sorted(names)).encode("utf-8", "surrogateescape")
    return blake2b(text, digest_size=16).digest()


def _joined(saw: list[bytes]) -> bytes:
    return blake2b(b"\0".join(saw), digest_size=16).digest() if saw else b""
