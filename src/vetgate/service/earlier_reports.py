"""What `vetgate check` found in the files of a project when it last looked at them."""

from __future__ import annotations

import contextlib
import os
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate import __version__, runtime
from vetgate.engine.analysis import digest_of
from vetgate.engine.kept_reports import KeptReports
from vetgate.engine.suppressions import today
from vetgate.service.configuration import is_known
from vetgate.source.root import store_key
from vetgate.store import ContentStore, folder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vetgate.config.schema import Config
    from vetgate.source.syntax import Source

_PROGRAM = Path(__file__).parent.parent


class EarlierReports:
    """Reports by content, and where files stop making sense. Another version, or another month, starts anew."""

    def __init__(self, store: ContentStore, root: Path) -> None:
        self._store = store
        self._root = root
        self._epoch = _epoch()

    def get(self, key: bytes) -> bytes | None:
        return self._store.get(self._of(key))

    def put(self, key: bytes, value: bytes) -> None:
        self._store.put(self._of(key), value)

    def _of(self, key: bytes) -> bytes:
        return blake2b(self._epoch + key, digest_size=32).digest()

    @property
    def kept(self) -> KeptReports:
        return KeptReports(self, self._root)

    def first_error(self, source: Source, look: Callable[[Source], int]) -> int:
        key = f"first error\0{source.language}\0{digest_of(source.text)}".encode()
        found = self.get(key)
        if found is not None and found.isdigit():
            return int(found)
        line = look(source)
        self.put(key, str(line).encode())
        return line

    def hides_nothing(self, source: Source, look: Callable[[Source], bool]) -> bool:
        """Whether it may be shown as it is. Of one that may not, nothing is kept."""
        texts = f"{digest_of(source.text)}\0{digest_of(source.beside)}"
        key = f"hides nothing\0{source.path}\0{source.language}\0{source.shapes_only}\0{texts}".encode()
        if self.get(key) is not None:
            return True
        found = look(source)
        if found:
            self.put(key, b"")
        return found

    def is_seen(self, file: Path, config: Config) -> bool:
        """Whether it looks as it did then; what is read of it decides."""
        key = _stamp(file, config)
        return bool(key) and self.get(key) is not None

    def note_seen(self, config: Config, files: Iterable[Path]) -> None:
        for key in filter(None, (_stamp(file, config) for file in files)):
            self.put(key, b"")
        self._store.prune()


@contextlib.contextmanager
def earlier_reports(root: Path) -> Iterator[EarlierReports | None]:
    """None for a project of which nothing is remembered: looking at it leaves nothing behind."""
    if not is_known(root):
        yield None
        return
    with contextlib.closing(ContentStore(folder_of(runtime.state_dir(), store_key(root)))) as store:
        yield EarlierReports(store, root)


def _stamp(file: Path, config: Config) -> bytes:
    try:
        status = file.stat()
    except OSError:
        return b""
    return f"seen\0{file}\0{status.st_mtime_ns}\0{status.st_size}\0{config.digest}".encode("utf-8", "surrogatepass")


@cache
def _epoch() -> bytes:
    """Findings about what ends, such as tokens, hold for a month; program files tell versions under work apart."""
    newest = 0
    for folder, folders, _ in os.walk(_PROGRAM):
        folders[:] = [name for name in folders if name != "__pycache__"]
        newest = max(newest, *(each.stat().st_mtime_ns for each in os.scandir(folder) if each.is_file()), 0)
    return f"{__version__} {newest} {today():%Y-%m}\0".encode()
