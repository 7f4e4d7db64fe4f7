"""What `vetgate check` found in the files of a project when it last looked at them."""

from __future__ import annotations

import contextlib
import os
from contextvars import ContextVar
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
_open: ContextVar[EarlierReports | None] = ContextVar("earlier reports", default=None)


class EarlierReports:
    """Reports by content, and where files stop making sense. Another version, or another month, starts anew."""

    def __init__(self, store: ContentStore, root: Path) -> None:
        self._store = store
        self.root = root
        self._epoch = _epoch()
        self._seen: set[bytes] = set()
        self.kept = KeptReports(self, root)

    def get(self, key: bytes) -> bytes | None:
        return self._store.get(self._of(key))

    def put(self, key: bytes, value: bytes) -> None:
        self._store.put(self._of(key), value)

    def _of(self, key: bytes) -> bytes:
        return blake2b(self._epoch + key, digest_size=32).digest()

    def first_errors(self, sources: Iterable[Source], look: Callable[[Source], int]) -> dict[str, int]:
        """By path, the line at which each stops making sense; 0 for one that makes sense."""
        keys = {
            source.path: (self._of(f"first error\0{source.language}\0{digest_of(source.text)}".encode()), source)
            for source in sources
        }
        known = self._store.get_all([key for key, _ in keys.values()])
        found = {}
        for path, (key, source) in keys.items():
            told = known.get(key, b"")
            if told.isdigit():
                found[path] = int(told)
            else:
                found[path] = look(source)
                self._store.put(key, str(found[path]).encode())
        return found

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

    def count_seen(self, files: Iterable[Path], config: Config) -> int:
        """How many look as they did then; what is read of them decides."""
        keys = [self._of(stamp) for stamp in (_stamp(file, config) for file in files) if stamp]
        self._seen.update(self._store.get_all(keys))
        return sum(key in self._seen for key in keys)

    def note_seen(self, config: Config, files: Iterable[Path]) -> None:
        keys = {self._of(stamp) for stamp in (_stamp(file, config) for file in files) if stamp} - self._seen
        if keys:
            self._store.put_marks(keys)
            self._store.prune()


@contextlib.contextmanager
def earlier_reports(root: Path) -> Iterator[EarlierReports | None]:
    """None for a project of which nothing is remembered: looking at it leaves nothing behind.

    Below it the same one, for who asks in the same thread.
    """
    known = _open.get()
    if known is not None and known.root == root:
        yield known
    elif not is_known(root):
        yield None
    else:
        with contextlib.closing(ContentStore(folder_of(runtime.state_dir(), store_key(root)))) as store:
            found = EarlierReports(store, root)
            token = _open.set(found)
            try:
                yield found
            finally:
                _open.reset(token)


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
