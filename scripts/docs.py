"""Write what is generated from the code; with --check, only say what has drifted. Dead links fail either way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from links import dead_links
from picture import draw

# Each writes with `--write`; without, its status is 1 when something drifted. In this order: later ones read what
# earlier ones wrote, which is why each is a process of its own.
GENERATORS = (
    "vetgate.checks.security.document",
    "vetgate.checks.secrets.document",
    "vetgate.checks.document",
    "vetgate.config.document",
    "vetgate.cli.document",
)


def picture(*, write: bool) -> bool:
    """Whether docs/demo.svg differs from what the gate says today."""
    target = Path("docs/demo.svg")
    wanted = draw()
    if target.exists() and target.read_text(encoding="utf-8") == wanted:
        return False
    if write:
        target.write_text(wanted, encoding="utf-8")
    else:
        print("docs/demo.svg is not what the gate says; run python scripts/docs.py", file=sys.stderr)
    return not write


def main(arguments: list[str]) -> int:
    write = "--check" not in arguments
    flags = ["--write"] if write else []
    drifted = [subprocess.run([sys.executable, "-m", name, *flags], check=False).returncode for name in GENERATORS]
    dead = dead_links(Path())
    for link in dead:
        print(f"a dead link in {link}", file=sys.stderr)
    return 1 if any(drifted) | picture(write=write) | bool(dead) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
