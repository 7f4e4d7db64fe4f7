"""Code from elsewhere that is run, and shells that are handed to somebody else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import RUNS_FETCHED, SENDS_CREDENTIALS, Found
from vetgate.checks.unsafe_command.words import Words
from vetgate.source.shell.inline import language_of
from vetgate.source.shell.marks import FETCHED, HIDDEN, UNKNOWN, shown
from vetgate.source.shell.wrappers import SHELLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.look import Look
    from vetgate.source.shell.runs import Run

_ADDRESS = re.compile(r"https?://|ftp://")
_ARCHIVE = re.compile(
    r"https?://(?!(?:[\w.-]+\.)?(?:github\.com|gitlab\.com|bitbucket\.org|pypi\.org|files\.pythonhosted\.org|registry\.npmjs\.org|download\.pytorch\.org)/)\S+"
)
_SOCKET = re.compile(r"/dev/(?:tcp|udp)/")
# A connection, and something that a shell could be bound to it with.
_CONNECTS = ("socket", "net.Socket", "net.connect", "TCPSocket", "fsockopen", "IO::Socket")
_BINDS = ("dup2", "pty.spawn", "subprocess", "/bin/sh", "/bin/bash", "child_process")
_TALKS = frozenset({"nc", "ncat", "netcat", "telnet", "openssl", "socat"})
_PIPES = frozenset({"mkfifo", "mknod"})
_ELSEWHERE = "reverse shells give this machine away; there is no safe way"


def effects(run: Run, look: Look) -> Iterator[Found]:
    if run.code:
        yield from _code(run)
        return
    if run.argv and FETCHED in run.argv[0]:
        yield Found(RUNS_FETCHED, "the program it runs is fetched")
    if run.name in SHELLS and "-i" in run.arguments and UNKNOWN in run.stdin:
        yield Found(RUNS_FETCHED, "it feeds a shell from a pipe that somebody else can write to", _ELSEWHERE)
    yield from _sockets(run)
    yield from _addresses(run)
    if run.name in ("nc", "ncat", "netcat") and any(
        re.fullmatch(r"-[a-z]*[ec]|--exec|--sh-exec", each) for each in run.arguments
    ):
        yield Found(RUNS_FETCHED, "it hands a shell to another machine", _ELSEWHERE)
    if run.name in _TALKS and _PIPES & look.programs and SHELLS & look.programs:
        yield Found(RUNS_FETCHED, "it hands a shell to another machine", _ELSEWHERE)
    if run.name == "socat" and any(re.match(r"(?i)exec:|system:", each) for each in run.arguments):
        yield Found(RUNS_FETCHED, "it hands a shell to another machine", _ELSEWHERE)


def _code(run: Run) -> Iterator[Found]:
    if FETCHED in run.code:
        yield Found(RUNS_FETCHED, "it runs code that comes from the network")
    elif HIDDEN in run.code:
        yield Found(
            RUNS_FETCHED, "it runs code that is decoded on the way", "run the decoded text, so that it can be read"
        )
    if any(each in run.code for each in _CONNECTS) and any(each in run.code for each in _BINDS):
        yield Found(RUNS_FETCHED, "it hands a shell to another machine", _ELSEWHERE)


def _sockets(run: Run) -> Iterator[Found]:
    paths = [*run.reads, *(write.path for write in run.writes)]
    if not any(_SOCKET.match(path) for path in paths):
        return
    if run.name in SHELLS or language_of(run.name) or run.name in ("exec", ""):
        yield Found(RUNS_FETCHED, "it hands a shell to another machine", _ELSEWHERE)
    elif run.writes and "\ufdd5" in run.stdin:
        yield Found(SENDS_CREDENTIALS, "it sends credentials to another machine")


def _addresses(run: Run) -> Iterator[Found]:
    """Interpreters and installers that take an address."""
    words = Words(run.arguments)
    plain = words.plain
    if (
        run.name in ("deno", "bun")
        and plain[:1] in (("run",), ("install",), ("x",))
        and any(_ARCHIVE.match(each) for each in plain)
    ):
        yield Found(RUNS_FETCHED, "it runs code from an address")
    installs = run.name in ("pip", "npm", "pnpm", "yarn", "bun", "pipx", "uv", "gem", "npx", "uvx", "bunx") or (
        run.name == "python" and "pip" in run.arguments
    )
    if installs and any(_ARCHIVE.match(each.removeprefix("git+")) for each in plain):
        yield Found(
            RUNS_FETCHED,
            f"it installs from {shown(next(each for each in plain if _ADDRESS.search(each)))}",
            "install a named version from the registry",
        )
    if installs and any(
        each.startswith("http://")
        for each in _after(run.arguments, ("-i", "--index-url", "--extra-index-url", "--registry"))
    ):
        yield Found(RUNS_FETCHED, "it installs over a connection that anyone can change", "use https")
    if run.name in ("rpm", "dnf", "yum", "apt", "apt-get", "dpkg") and any(_ADDRESS.match(each) for each in plain):
        yield Found(RUNS_FETCHED, "it installs a package from an address")
    if (
        run.name in ("kubectl", "oc")
        and plain[:1] in (("apply",), ("create",))
        and any(_ARCHIVE.match(each) for each in run.arguments)
    ):
        yield Found(RUNS_FETCHED, "it applies what an address says")


def _after(arguments: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    found = [arguments[index + 1] for index, each in enumerate(arguments[:-1]) if each in names]
    return found + [each.partition("=")[2] for each in arguments if each.partition("=")[0] in names]
