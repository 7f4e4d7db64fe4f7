"""Write what is generated from the code; with --check, only say what has drifted. Dead links fail either way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from links import dead_links
from picture import draw

from vetgate.agents.claude_code.plugin import FOLDER, plugin_files

# Each writes with `--write`; without, its status is 1 when something drifted. In this order: later ones read what
# earlier ones wrote, which is why each is a process of its own.
GENERATORS = (
    "vetgate.checks.security.document",
    "vetgate.checks.secrets.document",
    "vetgate.checks.document",
    "vetgate.judges.document",
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


def plugin(*, write: bool) -> bool:
    """Whether the plugin differs from the tables and texts that it is made of, or holds anything else."""
    wanted = plugin_files()
    there = {str(path) for path in Path(FOLDER).rglob("*") if path.is_file()}
    drifted = [name for name, text in wanted.items() if not Path(name).exists() or Path(name).read_text() != text]
    for name in there - wanted.keys():
        print(f"{name} is no part of the plugin; delete it", file=sys.stderr)
    for name in drifted:
        if write:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(wanted[name], encoding="utf-8")
        else:
            print(f"{name} is not what it is made of; run python scripts/docs.py", file=sys.stderr)
    return bool(there - wanted.keys()) or (bool(drifted) and not write)


def main(arguments: list[str]) -> int:
    write = "--check" not in arguments
    flags = ["--write"] if write else []
    drifted = [subprocess.run([sys.executable, "-m", name, *flags], check=False).returncode for name in GENERATORS]
    dead = dead_links(Path())
    for link in dead:
        print(f"a dead link in {link}", file=sys.stderr)
    return 1 if any(drifted) | picture(write=write) | plugin(write=write) | bool(dead) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
