"""Memory of the daemon while large repositories are worked in, and five minutes after; no peer, but a bare start.

    python bench/memory.py [--rest SECONDS]

The repository holds Django, SQLAlchemy, Effect and the others of `real_code.py`: 7,000 source files. Every file that
the hook's benchmark edits is read and edited three times; the index is built first.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from pathlib import Path

from hook_latency import RealSession
from hook_machine import Machine
from real_code import edits

from vetgate import client

AT_MOST, AFTERWARDS, REST = 200, 120, 300


def resident(machine: Machine) -> float:
    """Megabytes of the daemon alone."""
    daemon = (machine.ask(client.STATUS) or {}).get("pid", "")
    status = Path(f"/proc/{daemon}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rest", type=int, default=REST, help="seconds to wait at the end")
    rest = asked.parse_args().rest
    home = Path(tempfile.mkdtemp(prefix="vgmemory"))
    machine = Machine(home)
    try:
        session = RealSession(machine, cold=False)
        session.begin()
        start = most = resident(machine)
        for path in session.files:
            file = machine.project / path
            session.send("PostToolUse", "Read", {"file_path": str(file)}, tool_response={})
            for edit in edits(path, file.read_text("utf-8"), 3):
                session.edit(file, edit, ())
            most = max(most, resident(machine))
        session.send("Stop", stop_hook_active=False)
        most = max(most, resident(machine))
        time.sleep(rest)
        left = resident(machine)
    finally:
        machine.ask(client.STOP)
        shutil.rmtree(home, ignore_errors=True)
    print(f"daemon: {start:.0f} MB after its start, {most:.0f} MB at most (aim {AT_MOST}), ", end="")
    print(f"{left:.0f} MB {rest} s after (aim {AFTERWARDS})")
    ratios = {"most / aim": round(most / AT_MOST, 3), "at rest / aim": round(left / AFTERWARDS, 3)}
    print(json.dumps({"bench": "memory", "ratios": ratios}))


if __name__ == "__main__":
    main()
