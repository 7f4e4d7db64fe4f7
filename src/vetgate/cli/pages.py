"""The page of each check: what the docs show, `vetgate explain` prints, and reports link their rules to."""

from __future__ import annotations

from vetgate.checks import page_path


def page(check_id: str) -> str | None:
    try:
        return page_path(check_id).read_text(encoding="utf-8")
    except OSError:
        return None
