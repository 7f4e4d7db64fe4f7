"""What was found, in formats for programs and pages: one module per format, imported when asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetgate.service.report.run import Run

FORMATS = ("json", "sarif", "html", "github", "markdown")


def render(run: Run, form: str) -> str:
    module = importlib.import_module(f"{__name__}.as_{form}")
    rendered: str = module.render(run)
    return rendered
