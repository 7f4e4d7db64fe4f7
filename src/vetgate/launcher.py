"""What is registered with an agent: a small `sh` script that runs the client and answers when even that cannot start.

The agent lets a call pass when its hook exits with anything but 2: a missing interpreter, a traceback, a kill.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from vetgate.failure import READS

# An import and not a script: its bytecode is cached, and a package that is gone ends with status 1. A script that is
# gone ends with 2, which would stop every call, reads included.
START = "import sys;sys.path.append(sys.argv.pop(1));from vetgate.client import main;main()"

_SCRIPT = """\
#!/bin/sh
# Written by `vetgate init`. Runs the hook client; when that cannot run at all, stops edits and lets reads pass.
{command}
status=$?
case $status in
0 | 2) exit "$status" ;;
esac

# Nobody read the event when the interpreter is missing; a client that died half-way leaves nothing to read.
PATH=/usr/bin:/bin:$PATH
event=$(dd bs=65536 count=1 2>/dev/null | tr -d '\\000')
field() {{
	case $event in
	*"\\"$1\\":\\""*)
		rest=${{event#*"\\"$1\\":\\""}}
		printf '%s' "${{rest%%\\"*}}"
		;;
	esac
}}
kind=$(field hook_event_name)
tool=$(field tool_name)
message="vetgate: the hook could not run (status $status), nothing was checked. In a terminal: vetgate doctor"

case $kind in
PreToolUse | '') ;;
*)
	printf '{{"systemMessage":"%s"}}\\n' "$message"
	exit 0
	;;
esac
case $tool in
{reads}) exit 0 ;;
esac
printf '%s\\n' "$message" >&2
exit 2
"""

_MISSING = "vetgate is not installed here, so nothing is checked. To install it: uv tool install vetgate"
_SHARED = (
    "if command -v vetgate-hook >/dev/null 2>&1; then vetgate-hook --agent {agent} || exit 2; "
    'elif head -c 65536 | grep -q \'"hook_event_name":"SessionStart"\'; then '
    "printf '%s' '{{\"systemMessage\":\"{missing}\"}}'; fi"
)


def script(state: Path, runtime: Path | None, agent: str = "claude-code", python: str = sys.executable) -> str:
    """The launcher for this installation; both folders are written into it, so that no variable can point elsewhere.

    In a user's settings it sees every project, so it leaves those alone that nobody set up.
    """
    package = Path(__file__).absolute().parent
    words = [python, "-I", "-S", "-c", START, str(package.parent), "--agent", agent]
    words += ["--projects", "set-up", "--state", str(state)]
    if runtime is not None:
        words += ["--runtime", str(runtime)]
    return _SCRIPT.format(command=" ".join(map(shlex.quote, words)), reads=" | ".join(sorted(READS)))


def shared_command(agent: str = "claude-code") -> str:
    """For settings that are committed: who has no vetgate is told at the start of a session, and is not in its way."""
    return _SHARED.format(agent=shlex.quote(agent), missing=_MISSING)
