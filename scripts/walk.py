"""The way of a call through the program: which modules and functions it passes, in order, and how deep it goes.

python scripts/walk.py [--names] [--write docs/measured/walk.md]

A clean edit, an edit with a finding, the end of a turn (each warm: the second of its kind) and a `vetgate check`, on a
throw-away repository with a home of its own. Checks and libraries are left out: this is about the way to them.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import vetgate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

PACKAGE = str(Path(vetgate.__file__).parent) + os.sep
LEFT_OUT = ("checks",)
# No functions that anybody wrote, but what Python makes of parts of them.
PARTS = frozenset({"<lambda>", "<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>", "<module>"})
BEFORE = "def total(orders):\n    return sum(order.price for order in orders)\n"
CLEAN = BEFORE.replace("order.price", "order.price * order.count")
FINDING = """\
def find(connection, request):
    return connection.execute("SELECT * FROM users WHERE name = '" + request.args["name"] + "'")
"""


@dataclass
class Way:
    """Modules and functions in the order in which they were first entered."""

    functions: dict[tuple[str, str], None] = field(default_factory=dict)
    depth: int = 0
    _at: int = 0

    def step(self, frame: FrameType, kind: str, argument: object) -> None:  # noqa: ARG002 - the profiler's signature
        module = _module_of(frame.f_code.co_filename)
        if module is None:
            return
        if kind == "call":
            self._at += 1
            self.depth = max(self.depth, self._at)
            if frame.f_code.co_name not in PARTS:
                self.functions.setdefault((module, frame.f_code.co_qualname))
        elif kind == "return":
            self._at = max(0, self._at - 1)

    @property
    def modules(self) -> list[str]:
        return list(dict.fromkeys(module for module, _ in self.functions))


def _module_of(file: str) -> str | None:
    if not file.startswith(PACKAGE):
        return None
    parts = Path(file.removeprefix(PACKAGE)).with_suffix("").parts
    if parts[0] in LEFT_OUT:
        return None
    return ".".join(part for part in parts if part != "__init__") or "vetgate"


def walk(act: Callable[[], object]) -> Way:
    way = Way()
    threading.setprofile(way.step)
    sys.setprofile(way.step)
    try:
        act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # None ends it, which the stubs do not know
    return way


class Project:
    """A repository with one file, and an agent's events in it."""

    def __init__(self, folder: Path) -> None:
        from vetgate.app import App  # noqa: PLC0415 - only now does the environment say where its home is

        self.root = folder / "project"
        self.root.mkdir()
        (self.root / "vetgate.yaml").write_text("version: 1\n")
        (self.root / "orders.py").write_text(BEFORE)
        git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "start"]):
            subprocess.run([*git, *words], cwd=self.root, check=True)
        self.app = App(folder / "state")
        self.app.stays = True

    def event(self, name: str, **more: object) -> bytes:
        event = {"session_id": "walk", "cwd": str(self.root), "hook_event_name": name, "permission_mode": "default"}
        return json.dumps(event | more).encode()

    def write(self, path: str, content: str) -> bytes:
        given = {"file_path": str(self.root / path), "content": content}
        return self.event("PreToolUse", tool_name="Write", tool_input=given, tool_use_id="toolu_1")

    def answer(self, payload: bytes) -> None:
        self.app.answer("claude-code", payload, str(self.root))


def ways() -> dict[str, Way]:
    from vetgate.cli.main import main  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        project = Project(Path(folder))
        stop = project.event("Stop", stop_hook_active=False)
        for payload in (project.event("SessionStart", source="startup"), project.write("orders.py", CLEAN), stop):
            project.answer(payload)
            project.app.flush()
        found = {
            "a clean edit": walk(lambda: project.answer(project.write("orders.py", f"{CLEAN}\n"))),
            "an edit with a finding": walk(lambda: project.answer(project.write("users.py", FINDING))),
        }
        project.app.flush()
        (project.root / "orders.py").write_text(f"{CLEAN}\n")
        found["the end of a turn"] = walk(lambda: project.answer(stop))
        project.app.flush()
        os.chdir(project.root)
        sys.argv = ["vetgate", "check"]

        def check() -> None:
            with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())), contextlib.suppress(SystemExit):
                main()

        check()
        found["`vetgate check`"] = walk(check)
        os.chdir("/")
    return found


def listed(found: dict[str, Way], *, names: bool = False) -> Iterator[str]:
    """The modules of each way, in order."""
    for name, way in found.items():
        yield f"\n## {name[0].upper()}{name[1:]}\n"
        for module in way.modules:
            functions = [function for each, function in way.functions if each == module]
            yield f"- `{module}` {len(functions)}" + (f": {', '.join(functions)}" if names else "")


def renewed(page: str, found: dict[str, Way]) -> str:
    """The page with the figures of today; what is said of them stays."""
    for name, way in found.items():
        row = rf"(?m)^\| {re.escape(name)} \| (\d+) \| \d+ \| (\d+) \| \d+ \| (\d+) \| \d+ \|$"
        after = len(way.modules), len(way.functions), way.depth
        page = re.sub(row, rf"| {name} | \1 | {after[0]} | \2 | {after[1]} | \3 | {after[2]} |", page)
    head = page.partition("\n## ")[0].rstrip("\n")
    return "\n".join((head, *listed(found))) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--names", action="store_true", help="the functions, too")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew the figures of this page")
    options = parser.parse_args()
    page = options.write and options.write.resolve()
    found = ways()
    if page is not None:
        page.write_text(renewed(page.read_text(encoding="utf-8"), found), encoding="utf-8")
    print("| way | modules | functions | depth |\n|---|---|---|---|")
    for name, way in found.items():
        print(f"| {name} | {len(way.modules)} | {len(way.functions)} | {way.depth} |")
    if page is None:
        print("\n".join(listed(found, names=options.names)))


if __name__ == "__main__":
    main()
