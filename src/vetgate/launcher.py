"""What is registered with an agent: a small `sh` script that runs the client and answers when even that cannot start.

Agents let a call pass when their hook fails in any other way than the one they ask for: a missing interpreter, a
traceback, a kill. So the script says itself what the agent's own form (`agents/*/form.py`) would say.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.tool_input import READS

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "vetgate-hook"
# The projects that a hook judges which stands in no settings: those that were set up and where no settings register us.
UNREGISTERED = "unregistered"
AGENT = "claude-code"  # whose launcher stands by itself; those of others have a folder each, with their name
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
if [ -e {python} ] && [ -e {program} ]; then
	set -- {command} "$@"
	status=127 # nothing has run yet
	{quick}if [ $status = 127 ]; then
		"$@"
		status=$?
	fi
	case $status in
	0 | 2) exit "$status" ;;
	esac
	message="vetgate: the hook could not run (status $status), nothing was checked. In a terminal: vetgate doctor"
	escaped=$message
	gone=no
else
	gone=yes
	if [ -e {python} ]; then
		message={no_program}
		escaped={no_program_escaped}
	else
		message={no_python}
		escaped={no_python_escaped}
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
silent() {{
	{silent}
}}
if [ $gone = yes ] && ! stands_here; then silent; fi

kind=$(field hook_event_name)
previous=
for word; do
	if [ "$previous" = --event ]; then kind=$word; fi
	previous=$word
done
tool=$(field {tool})
case $kind in
{guards} | '') ;;
*)
	{passed}
	;;
esac
case $tool in
{reads}) silent ;;
esac
{borrowed}{denied}
"""
# On the way of every call the interpreter's start is most of what it costs: see client.pl. It loads nothing, so it is
# not asked where the environment says what to load or to print.
PERL = "/usr/bin/perl"
_STEERS_PERL = (
    *("PERL5OPT", "PERL5LIB", "PERLLIB", "PERL5DB", "PERLIO", "PERLIO_DEBUG", "PERL_UNICODE", "PERL_SIGNALS"),
    *("PERL_HASH_SEED", "PERL_HASH_SEED_DEBUG", "PERL_PERTURB_KEYS"),
)
# A file that is cut off or cannot be read must not end with 0, which lets the call pass, nor with 2.
_START_QUICK = "eval { require shift } && defined &main && main(@ARGV); exec { $ARGV[0] } @ARGV; exit 127"
# Perl warns of a locale that is not installed, as many a session over SSH has one; what it says would be our reason.
_QUICK = """\
if [ -x {perl} ] && [ -z "{steered}" ]; then
		PERL_BADLANG=0 {words} "$@"
		status=$?
	fi
	"""
_GONE = (
    "vetgate is no longer at {}. Reinstall it and run `vetgate init`, or delete the entries with `vetgate-hook` from {}"
)

_MISSING = (
    "vetgate is not installed here, so nothing is checked. To install it: uv tool install . in a clone of vetgate"
)
# Some agents let a call pass when a refusal has no text.
_SHARED_BY_OTHERS = (
    "if command -v vetgate-hook >/dev/null 2>&1; then {command}; status=$?; "
    "case $status in 0 | 2) exit $status ;; esac; echo 'vetgate: the hook could not run' >&2; exit 2; "
    'elif head -c 65536 | grep -q \'"hook_event_name":"SessionStart"\'; then '
    "printf '%s' '{{\"systemMessage\":\"{missing}\"}}'; fi"
)
_SHARED = (
    "if command -v vetgate-hook >/dev/null 2>&1; then vetgate-hook --agent {agent}{projects} || exit 2; "
    'elif head -c 65536 | grep -q \'"hook_event_name":"SessionStart"\'; then '
    "printf '%s' '{{\"systemMessage\":\"{missing}\"}}'; fi"
)


Answer = tuple[int, bytes, bytes]  # exit status, stdout, stderr
MESSAGE = "@MESSAGE@"


class Spoken(NamedTuple):
    """What an agent calls its events and tools, and what it is to be told: answers that say MESSAGE.

    `guards` are the events before a tool, `reads` tools that only read, `tool` is the field with a tool's name, and
    `silence` what lets a call pass where nothing at all does not.
    """

    denied: Answer
    passed: Answer
    guards: Iterable[str] = ("PreToolUse",)
    reads: Iterable[str] = READS
    tool: str = "tool_name"
    silence: bytes = b""


_NESTED = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": MESSAGE}
OWN = Spoken(
    (2, b"", f"{MESSAGE}\n".encode()),
    (0, json.dumps({"systemMessage": MESSAGE}, separators=(",", ":")).encode(), b""),
)
# A client that borrows the settings of this one drops the reason of a refusal that ends with 2.
_BORROWED = (0, json.dumps({"hookSpecificOutput": _NESTED}).encode(), b"")


def is_registered(command: str) -> bool:
    """Whether this is all of a command line that we register: the launcher's own path, with the event's name or not."""
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    agent = words[words.index("--agent") + 1] if "--agent" in words[:-1] else AGENT
    event = words[words.index("--event") + 1].rstrip(";") if "--event" in words[:-1] else ""
    is_launcher = bool(words) and Path(words[0]).name == NAME and words[1:] == (["--event", event] if event else [])
    shared = {shared_command(agent, event=event), shared_command(agent, UNREGISTERED, event)}
    return is_launcher or command in shared


def _said(answer: Answer) -> str:
    """As lines of the script: the message stands in variables there, plain and escaped for JSON."""
    status, stdout, stderr = answer
    lines = []
    if stderr:
        lines.append("printf '%s\\n' \"$message\" >&2")
    if stdout:
        parts = (shlex.quote(part) if part else "" for part in stdout.decode().strip().split(MESSAGE))
        lines.append("printf '%s\\n' " + '"$escaped"'.join(parts))
    return "\n\t".join((*lines, f"exit {status}"))


def place(folder: Path, agent: str) -> Path:
    """Where the launcher of an agent stands, in a folder of ours."""
    return folder / NAME if agent == AGENT else folder / agent / NAME


def script(
    state: Path,
    runtime: Path | None,
    agent: str = AGENT,
    *,
    settings: str = "~/.claude/settings.json",
    python: str = sys.executable,
    owner: int | None = None,
    spoken: Spoken = OWN,
) -> str:
    """The launcher for this installation; both folders are written into it, so that no variable can point elsewhere.

    In a user's `settings` it sees every project, so it leaves those alone that nobody set up. With an `owner` it asks
    the daemon of that account, and nobody else answers. It is answered as the agent has `spoken`.
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
        quick=_quick(package) if owner is None else "",
        **_texts("no_program", _GONE.format(package, settings)),
        **_texts("no_python", _GONE.format(python, settings)),
        tool=spoken.tool,
        guards=" | ".join(sorted(spoken.guards)),
        reads=" | ".join(sorted(spoken.reads)),
        passed=_said(spoken.passed),
        silent=_said((0, spoken.silence, b"")),
        borrowed=f'if [ -n "$COPILOT_CLI" ]; then\n\t{_said(_BORROWED)}\nfi\n' if agent == AGENT else "",
        denied=_said(spoken.denied).replace("\n\t", "\n"),
    )


def quick_words(package: Path) -> list[str]:
    """What stands before the client's own command, where the system tells all that client.pl looks at."""
    return [PERL, "-f", "-e", _START_QUICK, str(package / "client.pl")] if sys.platform == "linux" else []


def _quick(package: Path) -> str:
    words = quick_words(package)
    if not words:
        return ""
    steered = "".join(f"${{{name}+set}}" for name in _STEERS_PERL)
    return _QUICK.format(perl=PERL, steered=steered, words=shlex.join(words))


def _texts(name: str, text: str) -> dict[str, str]:
    return {name: shlex.quote(text), f"{name}_escaped": shlex.quote(json.dumps(text)[1:-1])}


def shared_command(agent: str = AGENT, projects: str = "", event: str = "") -> str:
    """For what is shared with others: who has no vetgate is told at the start of a session, and is not in its way."""
    only = f" --projects {projects}" if projects else ""
    if agent == AGENT:
        return _SHARED.format(agent=shlex.quote(agent), projects=only, missing=_MISSING)
    words = shlex.join(["vetgate-hook", "--agent", agent, *(("--event", event) if event else ())])
    return _SHARED_BY_OTHERS.format(command=f"{words}{only}", missing=_MISSING)
