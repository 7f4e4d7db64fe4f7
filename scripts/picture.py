"""docs/demo.svg: what an agent is told, drawn from what the gate really says about the demo's edit."""

from __future__ import annotations

import json
import tempfile
from html import escape
from pathlib import Path

from demo import BAD, GOOD

from vetgate.app import App

WIDTH, LINE, LEFT, TOP = 1180, 21, 24, 62
COLUMNS = 118
COLOURS = {"prompt": "#7aa2f7", "bad": "#f7768e", "good": "#9ece6a", "text": "#c0caf5", "dim": "#787c99"}


def draw() -> str:
    refused, passed = _said(BAD), _said(GOOD)
    assert refused
    assert not passed
    rows = [("prompt", "● Write(src/price.ts)"), *_rows(refused), ("text", "")]
    rows += [("prompt", "● Write(src/price.ts)"), ("good", "  written"), ("text", "")]
    height = TOP + LINE * len(rows)
    lines = "\n".join(
        f'  <text x="{LEFT}" y="{TOP + LINE * number}" fill="{COLOURS[kind]}">{escape(text)}</text>'
        for number, (kind, text) in enumerate(rows)
        if text
    )
    dots = "".join(
        f'<circle cx="{x}" cy="22" r="6" fill="{colour}"/>'
        for x, colour in ((26, "#f7768e"), (48, "#e0af68"), (70, "#9ece6a"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">\n'
        "  <title>An agent's edit is refused with the lines and the fix; the corrected one is written</title>\n"
        f'  <rect width="{WIDTH}" height="{height}" rx="10" fill="#1a1b26"/>\n  {dots}\n'
        '  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" '
        'xml:space="preserve">\n'
        f"{lines}\n  </g>\n</svg>\n"
    )


def _said(content: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "shop"
        (root / ".git").mkdir(parents=True)
        call = {
            "session_id": "picture",
            "cwd": str(root),
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": str(root / "src" / "price.ts"), "content": content},
        }
        return App(Path(folder) / "state").answer("claude-code", json.dumps(call).encode(), str(root)).stderr.decode()


def _rows(said: str) -> list[tuple[str, str]]:
    # The id of the decision depends on the folder; the picture must not.
    lines = [line for line in said.strip().split("\n") if not line.startswith("Details:")]
    rows = []
    for number, line in enumerate(lines):
        kind = "bad" if number == 0 or ". error " in line else "good" if line.startswith("Fix:") else "text"
        rows += [(kind, f"  {part}") for part in _wrapped(line)]
    return rows


def _wrapped(line: str) -> list[str]:
    if len(line) <= COLUMNS:
        return [line]
    cut = line.rfind(" ", 0, COLUMNS)
    return [line[:cut], *_wrapped(line[cut + 1 :])]


if __name__ == "__main__":
    print(draw(), end="")
