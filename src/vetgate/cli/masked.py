"""Standard output and error without secrets: whatever a command prints goes through here, whoever prints it."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from typing import TYPE_CHECKING, Any, TextIO, cast

from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import ReadableBuffer

_KEY = "PRIVATE KEY-----"
# A line of help holds nothing like it, and the check for secrets takes longer to load than to print that.
_MAY_HOLD = re.compile(
    r"\S{16}|(?=\S*\d)(?=\S*[A-Za-z])\S{8}|://|(?i:pass|pwd|secret|token|key|cred|auth|bearer|\bpat|dsn|salt|psk|jwt)"
)


class _Masked(io.RawIOBase):
    """One write is one text: commands print a report, a document or a line at once."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._key = ""

    def write(self, data: ReadableBuffer, /) -> int:
        given = bytes(data)
        text = given.decode("utf-8", "surrogateescape")
        if self._key or _MAY_HOLD.search(text):
            text = self._hidden(text)
        self._stream.flush()
        self._stream.buffer.write(text.encode("utf-8", "surrogateescape"))
        return len(given)

    def _hidden(self, text: str) -> str:
        try:
            from vetgate.checks.secrets.text_redaction import json_without_secrets, without_secrets  # noqa: PLC0415 - takes long
        except Exception:  # noqa: BLE001 - an installation that is broken has to be able to say so
            return redacted(text)
        if text.lstrip()[:1] in {"{", "["}:
            return json_without_secrets(text)
        # A key that is printed line by line: each line is looked at behind the line that began it.
        shown = without_secrets(self._key + text).removeprefix(self._key)
        begun, ended = text.rfind("-----BEGIN "), text.rfind("-----END ")
        if begun > ended and _KEY in text[begun:]:
            self._key = text[begun:].partition("\n")[0] + "\n"
        elif ended >= 0:
            self._key = ""
        return shown

    def flush(self) -> None:
        if not self.closed:
            self._stream.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


@contextlib.contextmanager
def masked_output() -> Iterator[None]:
    """The streams are the caller's again afterwards; nothing of theirs is closed."""
    before = sys.stdout, sys.stderr
    made = []
    for stream in before:
        binary = getattr(stream, "buffer", None)
        made.append(stream if binary is None else _text(stream))
    sys.stdout, sys.stderr = made
    try:
        yield
    finally:
        for stream in made:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        sys.stdout, sys.stderr = before


def _text(stream: TextIO) -> TextIO:
    return io.TextIOWrapper(
        cast("Any", _Masked(stream)),  # raw: what is written at once stays whole
        encoding=stream.encoding or "utf-8",
        errors=stream.errors or "backslashreplace",
        newline="\n",
        write_through=True,
    )
