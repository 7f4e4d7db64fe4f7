"""What is registered with an agent: a small `sh` script that runs the client and answers when even that cannot start.

The agent lets a call pass when its hook exits with anything but 2: a missing interpreter, a traceback, a kill.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from vetgate.failure import READS

NAME = "vetgate-hook"
# As an import would, by its loader, but from where it is known to be: finding it takes as long as running it. Its
# bytecode is cached, and a package that is gone ends with status 1. A script that is gone ends with 2, which would stop
# every call, reads included.
START = (
    "import sys;from _frozen_importlib_external import SourceFileLoader as L;"
    "n,p='vetgate.client',sys.argv.pop(1);m=sys.modules[n]=type(sys)(n);m.__file__=p;"
    "exec(L(n,p).get_code(n),m.__dict__);m.main()"
)

_SCRIPT = """\
#!/bin/sh
# Written by `vetgate init`. Runs the hook client; when that cannot run at all, stops edits and lets reads pass.
if [ -x {python} ] && [ -e {program} ]; then
	{command}
	status=$?
	case $status in
	0 | 2) exit "$status" ;;
	esac
	message="vetgate: the hook could not run (status $status), nothing was checked. In a terminal: vetgate doctor"
	object="{{\\"systemMessage\\":\\"$message\\"}}"
	gone=no
else
	gone=yes
	if [ -x {python} ]; then
		message={no_program}
		object={no_program_object}
	else
		message={no_python}
		object={no_python_object}
	fi
fi

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

# Whoever removes vetgate must still be able to work where it never stood.
stands_here() {{
	folder=$(field cwd)
	case $folder in
	*\\\\* | [!/]* | '') folder=$PWD ;; # escaped, or not told
	esac
	while :; do
		if [ -e "$folder/vetgate.yaml" ] || [ -h "$folder/vetgate.yaml" ]; then return 0; fi
		if [ -z "$folder" ] || [ -e "$folder/.git" ]; then return 1; fi
		folder=${{folder%/*}}
	done
}}
if [ $gone = yes ] && ! stands_here; then exit 0; fi

kind=$(field hook_event_name)
tool=$(field tool_name)
case $kind in
PreToolUse | '') ;;
*)
	printf '%s\\n' "$object"
	exit 0
	;;
esac
case $tool in
{reads}) exit 0 ;;
esac
printf '%s\\n' "$message" >&2
exit 2
"""
_GONE = (
    "vetgate is no longer at {}. Reinstall it and run `vetgate init`, "
    "or delete the entries with `vetgate-hook` from ~/.claude/settings.json"
)

_MISSING = "vetgate is not installed here, so nothing is checked. To install it: uv tool install vetgate"
_SHARED = (
    "if command -v vetgate-hook >/dev/null 2>&1; then vetgate-hook --agent {agent} || exit 2; "
    'elif head -c 65536 | grep -q \'"hook_event_name":"SessionStart"\'; then '
    "printf '%s' '{{\"systemMessage\":\"{missing}\"}}'; fi"
)


def is_registered(command: str) -> bool:
    """Whether this is all of a command line that we register, or the launcher's own path."""
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return (len(words) == 1 and Path(words[0]).name == NAME) or command == shared_command()


def script(
    state: Path,
    runtime: Path | None,
    agent: str = "claude-code",
    python: str = sys.executable,
    owner: int | None = None,
) -> str:
    """The launcher for this installation; both folders are written into it, so that no variable can point elsewhere.

    In a user's settings it sees every project, so it leaves those alone that nobody set up. With an `owner` it asks the
    daemon of that account, and nobody else answers.
    """
    package = Path(__file__).absolute().parent
    program = package / "client.py"
    words = [python, "-I", "-S", "-c", START, str(program), "--agent", agent]
    words += ["--projects", "set-up", "--state", str(state)]
    if runtime is not None:
        words += ["--runtime", str(runtime)]
    if owner is not None:
        words += ["--owner", str(owner)]
    return _SCRIPT.format(
        python=shlex.quote(python),
        program=shlex.quote(str(program)),
        command=" ".join(map(shlex.quote, words)),
        **_texts("no_program", _GONE.format(package)),
        **_texts("no_python", _GONE.format(python)),
        reads=" | ".join(sorted(READS)),
    )


def _texts(name: str, text: str) -> dict[str, str]:
    return {name: shlex.quote(text), f"{name}_object": shlex.quote(json.dumps({"systemMessage": text}))}


def shared_command(agent: str = "claude-code") -> str:
    """For settings that are committed: who has no vetgate is told at the start of a session, and is not in its way."""
    return _SHARED.format(agent=shlex.quote(agent), missing=_MISSING)
