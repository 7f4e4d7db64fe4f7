"""Runs a program that has no ancestors to speak of, and leaves its exit status in a file.

    python orphan.py STATUS_FILE PROGRAM [ARGUMENT...]

What only a person may do is refused below an agent, and these tests may themselves be run by one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path


def main() -> None:
    parent = os.getpid()
    if os.fork():
        return  # the caller waits for the program's output, which ends with it
    while os.getppid() == parent:
        time.sleep(0.001)
    status = subprocess.run(sys.argv[2:], check=False).returncode
    Path(sys.argv[1]).write_text(str(status))


main()
