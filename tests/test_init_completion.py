"""The completion script, run by a real bash."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).with_name("vetgate")
ASK = """
{script}
COMP_WORDS=({words}); COMP_CWORD={last}
_vetgate_completion vetgate
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **more)


@pytest.fixture(scope="module")
def script():
    done = run([PROGRAM, "completion", "bash"])
    assert done.returncode == 0, done.stderr
    return done.stdout


COMPLETED = {
    "a command": ("vetgate do", {"doctor"}),
    "an option of a command": ("vetgate init --d", {"--dry-run"}),
    "a choice": ("vetgate completion z", {"zsh"}),
    "the value of an option": ("vetgate init --settings l", {"local"}),
}


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize(("line", "expected"), COMPLETED.values(), ids=COMPLETED.keys())
def test_bash_completes(script, line, expected):
    words = line.split()
    ask = ASK.format(script=script, words=" ".join(words), last=len(words) - 1)
    path = f"{PROGRAM.parent}:/usr/bin:/bin"
    done = run(["bash", "--norc", "--noprofile", "-c", ask], env={"PATH": path, "HOME": "/nonexistent"})
    assert set(done.stdout.split()) == expected, done.stderr


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_get_a_script_of_theirs(shell):
    assert f"_VETGATE_COMPLETE={shell}_complete" in run([PROGRAM, "completion", shell]).stdout


def test_an_unknown_shell_is_wrong_usage():
    assert run([PROGRAM, "completion", "tcsh"]).returncode == 2
