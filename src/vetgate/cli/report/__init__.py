"""What `vetgate check` prints: one module per format, imported when asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetgate.cli.report.run import Run

FORMATS = ("text", "json", "sarif", "html", "github")


def render(run: Run, form: str) -> str:
    module = importlib.import_module(f"vetgate.cli.report.as_{form}")
    rendered: str = module.render(run)
    return rendered
