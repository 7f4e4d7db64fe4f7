"""The scripts that git runs: one that starts vetgate, and for each hook one that calls it after a stranger's own.

A hook finds the first through git itself, so that no path of this machine stands in a file that people commit, a moved
clone keeps its gate, and a folder of hooks that serves many repositories costs nothing where vetgate was not set up.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from vetgate.agents.git.wire import COMMIT_MSG, PRE_COMMIT, PRE_PUSH

RUNNER = "vetgate"
BEFORE = ".vetgate-before"
_MARK = "# vetgate: written by `vetgate init`"
_BEGIN = "# >>> vetgate >>> the same rules as for an agent's edit; `vetgate init --remove` takes this out"
_END = "# <<< vetgate <<<"
_WHAT = {PRE_COMMIT: "commit", COMMIT_MSG: "commit", PRE_PUSH: "push"}

# Not status 1, which stops the commit: who took vetgate away, or has half of it, must still be able to work.
_GONE = 75
_START = f"""\
import sys
sys.path.append(sys.argv[1])
try:
    import vetgate.cli.git_hook
    from vetgate.cli.main import main
except ImportError as error:
    sys.exit(sys.stderr.write(f"vetgate cannot start: {{error}}\\n") and {_GONE})
sys.argv[:2] = ["vetgate"]
main()"""

_RUNNER = """\
#!/bin/sh
{mark}; git's hooks call it with their name and words. It lets everything pass when vetgate is gone.
if [ -e {python} ] && [ -e {program} ]; then
	{command} "$@"
	status=$?
	if [ $status -eq 126 ]; then printf '%s\\n' {broken} >&2; fi
	if [ $status -ne {gone} ]; then exit $status; fi
fi
printf '%s\\n' {message} >&2
exit 0
"""
_MESSAGE = (
    "vetgate is no longer at {}, so nothing was checked. Reinstall it and run `vetgate init --git`, or remove the "
    "hooks: `vetgate init --remove --git`"
)
_BROKEN = (
    "vetgate: {} exists and cannot be run, so nothing was checked and git stops. Make it executable again, or remove "
    "the hooks: delete the lines between vetgate's marks in .git/hooks"
)

_GATE = """\
vetgate=$(git rev-parse --git-common-dir)/hooks/{runner}
if [ -x "$vetgate" ]; then
	{feed}"$vetgate" {hook} "$@" || exit $?
elif [ -e vetgate.yaml ]; then
	echo "vetgate is not set up in this clone, so this {what} was not checked: vetgate init --git" >&2
fi
"""

# A script that asks for its own name, or has one do it that it reads in, is read in here, where $0 is what it was.
_CHAIN = """\
#!/bin/sh
{mark}, taken back by `vetgate init --remove`. The hook that was here before, if
# there was one, lies beside as {hook}{before}; it runs first, and its answer counts.
case $0 in
*/*) hook=$0 ;;
*) hook=./$0 ;;
esac
theirs() {{
	first=
	IFS= read -r first <"$hook{before}" || :
	case $first in
	'#!'*[/\\ ]sh | '#!'*[/\\ ]bash | '#!'*[/\\ ]dash | '#!'*[/\\ ]ksh | '#!'*[/\\ ]sh\\ -* | '#!'*[/\\ ]bash\\ -*)
		if grep -Eq 'basename|\\$\\{{0##|husky\\.sh' "$hook{before}" && ! grep -q BASH_SOURCE "$hook{before}"; then
			${{first#'#!'}} -c '. "$0{before}"' "$hook" "$@"
			return
		fi
		;;
	esac
	"$hook{before}" "$@"
}}
{read}if [ -x "$hook{before}" ]; then
	{feed}theirs "$@" || exit $?
fi
{gate}"""
# What git tells a pre-push hook can be read only once, and has several readers.
_READ = """\
refs=$(cat)
told() {
	if [ -n "$refs" ]; then printf '%s\\n' "$refs"; fi 2>/dev/null
}
"""
_PUSH_BLOCK = """\
vetgate_refs=$(cat)
{gate}if [ -n "$vetgate_refs" ]; then
	exec <<VETGATE_REFS
$vetgate_refs
VETGATE_REFS
else
	exec </dev/null
fi
"""

_SHELL = re.compile(rb"#!\s*\S*/(env\s+(-S\s+)?)?(sh|bash|dash|ksh|ash|zsh)\b")
_NAMES_ITSELF = re.compile(rb"basename|argv\[0\]|PROGRAM_NAME")
_LEAVES = re.compile(r"^(exit|exec)\b", re.MULTILINE)
_OPENING = re.compile(r"\A(#!.*\n)?(\. .*husky\.sh.*\n)?")
_BLOCK = re.compile(rf"^{re.escape(_BEGIN)}\n.*?^{re.escape(_END)}\n", re.MULTILINE | re.DOTALL)


def runner(state: Path, python: str = sys.executable) -> str:
    """Starts this installation, with its state folder written into it: no variable can point it elsewhere."""
    package = Path(__file__).absolute().parents[2]
    words = [python, "-I", "-c", _START, str(package.parent), "hook", "--agent", "git", "--state", str(state)]
    return _RUNNER.format(
        mark=_MARK,
        python=shlex.quote(python),
        program=shlex.quote(str(package / "client.py")),
        command=" ".join(map(shlex.quote, words)),
        message=shlex.quote(_MESSAGE.format(package)),
        broken=shlex.quote(_BROKEN.format(python)),
        gone=_GONE,
    )


def chain(hook: str) -> str:
    """A whole hook of ours, for a folder that is not committed."""
    pushes = hook == PRE_PUSH
    feed = "told | " if pushes else ""
    return _CHAIN.format(
        mark=_MARK, hook=hook, before=BEFORE, read=_READ if pushes else "", feed=feed, gate=_gate(hook, feed)
    )


def with_block(text: str, hook: str) -> str:
    """A hook of others with our lines in it: last, so that they see what it leaves behind, unless it ends early."""
    kept = without_block(text)
    if hook == PRE_PUSH or _LEAVES.search(kept):
        opening = _OPENING.match(kept)
        at = opening.end() if opening else 0
        return f"{kept[:at]}{_block(hook)}{kept[at:]}"
    return f"{kept}{'' if not kept or kept.endswith(chr(10)) else chr(10)}{_block(hook)}"


def line_by_hand(hook: str) -> str:
    """What a person adds to a hook of their own instead of our lines."""
    return f'"$(git rev-parse --git-common-dir)/hooks/{RUNNER}" {hook} "$@" || exit $?'


def runs_by_hand(text: str, hook: str) -> bool:
    return re.search(rf"^[^#\n]*hooks/{RUNNER}[\"']?[ \t]+{hook}\b", text, re.MULTILINE) is not None


def without_block(text: str) -> str:
    return _BLOCK.sub("", text)


def has_block(text: str) -> bool:
    return _BLOCK.search(text) is not None


def is_ours(data: bytes) -> bool:
    """A whole file that we wrote, of whatever version."""
    return _MARK.encode() in data[:200]


def is_shell(data: bytes) -> bool:
    """A script that lines of ours can stand in; one without a first line of its own is run by `sh`."""
    return _SHELL.match(data) is not None or (not data.startswith(b"#!") and b"\0" not in data)


def can_be_renamed(data: bytes) -> bool:
    """Whether it would not notice that it has another name; of a shell script we take care."""
    return is_shell(data) or b"\0" in data or _NAMES_ITSELF.search(data) is None


def _block(hook: str) -> str:
    if hook == PRE_PUSH:
        inside = _PUSH_BLOCK.format(gate=_gate(hook, "printf '%s\\n' \"$vetgate_refs\" | "))
    else:
        inside = _gate(hook, "")
    return f"{_BEGIN}\n{inside}{_END}\n"


def _gate(hook: str, feed: str) -> str:
    return _GATE.format(runner=RUNNER, hook=hook, what=_WHAT[hook], feed=feed)
