"""Exceptions as exit statuses: 0 allowed, 1 blocked, 2 wrong usage, 3 something the user can put right, 4 our bug."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from vetgate.cli.masked import masked_output
from vetgate.model import UserError
from vetgate.redact import redacted
from vetgate.source.root import project_root

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCKED = 1
USER_ERROR = 3
BUG = 4


def guarded(command: Callable[..., object]) -> int:
    """Whatever it prints, and whatever it dies of: no secret is shown."""
    with masked_output():
        return _run(command)


def current_root() -> Path:
    """The root of the project that the command was called in."""
    folder = Path.cwd()
    return project_root(folder) or folder


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
        # click answers a reader that went away (`vetgate check | head`) with status 1, which means blocked here.
        return 0 if isinstance(stop.__context__, BrokenPipeError) else int(stop.code or 0)
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
