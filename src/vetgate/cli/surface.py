"""Exceptions as exit statuses: 0 allowed, 1 blocked, 2 wrong usage, 3 something the user can put right, 4 our bug.

Whatever a command prints goes through here, whoever prints it: standard output and error show no secrets.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

from vetgate.model import UserError
from vetgate.redact import redacted
from vetgate.service.caller import root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from _typeshed import ReadableBuffer

BLOCKED = 1
USER_ERROR = 3
BUG = 4
_KEY = "PRIVATE KEY-----"
# A line of help holds nothing like it, and the check for secrets takes longer to load than to print that.
_MAY_HOLD = re.compile(
    r"\S{16}|(?=\S*\d)(?=\S*[A-Za-z])\S{8}|://|(?i:pass|pwd|secret|token|key|cred|auth|bearer|\bpat|dsn|salt|psk|jwt)"
)


def guarded(command: Callable[..., object]) -> int:
    """Whatever it prints, and whatever it dies of: no secret is shown."""
    with masked_output() as streams:
        status = _run(command)
    # click answers a reader that went away (`vetgate check | head`) with status 1, which means blocked here.
    return 0 if any(each.reader_left for each in streams) else status


def current_root() -> Path:
    """The root of the project that the command was called in."""
    return root_of(Path.cwd())


def say(text: str, *, err: bool = False) -> None:
    """As it is, whatever the terminal can show of it; no line is ended."""
    click.echo(text.encode("utf-8", "backslashreplace"), err=err, nl=False)


def show(form: str, plain: Any, lines: Iterable[str]) -> None:
    """As JSON, or as text line by line."""
    for line in [json.dumps(plain, indent=2)] if form == "json" else lines:
        click.echo(line)


def wants_colour(stream: TextIO | None = None) -> bool:
    """Whether standard output, or that stream, is somebody who likes colours."""
    is_terminal = (stream or sys.stdout).isatty()
    return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _run(command: Callable[..., object]) -> int:
    try:
        result = command(standalone_mode=False)
    except UserError as error:
        _say_error(error)
        return USER_ERROR
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SystemExit as stop:
        return int(stop.code or 0)
    except (click.Abort, KeyboardInterrupt):
        click.echo("vetgate: stopped", err=True)
        return 130
    except Exception as error:  # noqa: BLE001 - the surface: anything else is our bug
        from vetgate.answer import write_report  # noqa: PLC0415 - only when something broke

        report = write_report(error)
        click.echo(f"vetgate: internal error: {error.__class__.__name__}: {redacted(str(error))}", err=True)
        details = f"; details: {report}" if report else ""
        click.echo(f"  this is a bug in vetgate, not in your code{details}", err=True)
        return BUG
    return result if isinstance(result, int) else 0


def _say_error(error: UserError) -> None:
    click.secho(f"vetgate: {error.message}", err=True)
    if error.hint:
        click.echo(f"  hint: {error.hint}", err=True)
    if error.link:
        click.echo(f"  see:  {error.link}", err=True)


class _Masked(io.RawIOBase):
    """One write is one text: commands print a report, a document or a line at once."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._key = ""
        self.reader_left = False

    def write(self, data: ReadableBuffer, /) -> int:
        given = bytes(data)
        text = given.decode("utf-8", "surrogateescape")
        if self._key or _MAY_HOLD.search(text):
            text = self._hidden(text)
        with self._noticing():
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
            with self._noticing():
                self._stream.flush()

    @contextlib.contextmanager
    def _noticing(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            self.reader_left = True
            raise

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


@contextlib.contextmanager
def masked_output() -> Iterator[list[_Masked]]:
    """The streams are the caller's again afterwards; nothing of theirs is closed."""
    before = sys.stdout, sys.stderr
    masked = {number: _Masked(stream) for number, stream in enumerate(before) if hasattr(stream, "buffer")}
    made = [_text(stream, masked[at]) if at in masked else stream for at, stream in enumerate(before)]
    sys.stdout, sys.stderr = made
    try:
        yield list(masked.values())
    finally:
        for stream in made:
            with contextlib.suppress(OSError, ValueError):
                _flush(stream)
        sys.stdout, sys.stderr = before


def _flush(stream: TextIO) -> None:
    try:
        stream.flush()
    except BrokenPipeError:
        # What is left for a reader that went away would be complained about when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _text(stream: TextIO, masked: _Masked) -> TextIO:
    return io.TextIOWrapper(
        cast("Any", masked),  # raw: what is written at once stays whole
        encoding=stream.encoding or "utf-8",
        errors=stream.errors or "backslashreplace",
        newline="\n",
        write_through=True,
    )
