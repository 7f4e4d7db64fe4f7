"""Code from elsewhere that is run, and shells that are handed to somebody else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.effect import RUNS_FETCHED, SENDS_CREDENTIALS, MatchedEffect
from vetgate.expression import expression
from vetgate.source.shell.inline import language_of
from vetgate.source.shell.options import first_operand, values_of
from vetgate.source.shell.placeholders import CREDENTIAL, FETCHED, HIDDEN, UNKNOWN
from vetgate.source.shell.this_machine import is_this_machine
from vetgate.source.shell.wrappers import SHELLS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_ADDRESS = expression(r"https?://|ftp://")
_ARCHIVE = expression(
    r"https?://(?!(?:[\w.-]+\.)?(?:github\.com|gitlab\.com|bitbucket\.org|pypi\.org|files\.pythonhosted\.org|registry\.npmjs\.org|download\.pytorch\.org|conda\.anaconda\.org|dl\.flathub\.org|dl-cdn\.alpinelinux\.org|rubygems\.org|registry\.yarnpkg\.com)(?:/|\Z))\S+"
)
_INSTALLERS = frozenset("pip npm pnpm yarn bun pipx uv gem npx uvx bunx cpanm".split())
_WITH_VERBS = frozenset("poetry pdm pipenv conda mamba micromamba flatpak apk".split())
_HOST = expression(r"https?://([^/?#\\]+)")
_INDEX = expression(r"(?i)(?:pip|uv)_(?:extra_)?(?:default_)?index(?:_url)?|(?:npm|yarn|pnpm)_config_registry")
_DOCKERS = frozenset({"docker", "podman", "nerdctl", "buildah", "docker-compose"})
_PACKAGERS = frozenset("rpm dnf yum apt apt-get dpkg".split())
# Languages that take code from an address in one call; in others such a call reads data.
_READ_BY_CALLS = frozenset({"python", "javascript", "ruby"})
_LOADS = expression(
    r"\b(?:source|include|include_string|evaluate|load|dofile)\(.{0,200}?https?://"
    r"|\b(?:include|require)(?:_once)?[\s(]{0,9}[\"'](?:https?|ftps?|php|data):",
    re.DOTALL,
)
_EVALUATES = expression(r"\beval\b[^;]{0,200}?(?:https?://|\bHTTP::|\bLWP::|\bIO::Socket)")
_SOCKET = expression(r"/dev/(?:tcp|udp)/")
# A connection, and something that a shell could be bound to it with.
_CONNECTS = ("socket", "net.Socket", "net.connect", "TCPSocket", "fsockopen", "IO::Socket")
_BINDS = ("dup2", "pty.spawn", "subprocess", "/bin/sh", "/bin/bash", "child_process")
_TALKS = frozenset({"nc", "ncat", "netcat", "telnet", "openssl", "socat"})
_PIPES = frozenset({"mkfifo", "mknod"})
_LOADED = ("--import", "--loader", "--experimental-loader", "-r", "--require")
_ELSEWHERE = "reverse shells give this machine away; there is no safe way"
_HANDS_A_SHELL_OVER = MatchedEffect(RUNS_FETCHED, "it hands a shell to another machine", _ELSEWHERE)


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.code:
        yield from _code(run)
        return
    if run.argv and FETCHED in run.argv[0]:
        yield MatchedEffect(RUNS_FETCHED, "it runs a program that is fetched")
    if run.name in SHELLS and "-i" in run.arguments and UNKNOWN in run.stdin:
        yield MatchedEffect(RUNS_FETCHED, "it feeds a shell from a pipe that somebody else can write to", _ELSEWHERE)
    yield from _sockets(run)
    yield from _addresses(run)
    if run.name in ("nc", "ncat", "netcat") and any(
        re.fullmatch(r"-[a-z]*[ec]|--exec|--sh-exec", each) for each in run.arguments
    ):
        yield _HANDS_A_SHELL_OVER
    if run.name in _TALKS and _PIPES & context.programs and SHELLS & context.programs:
        yield _HANDS_A_SHELL_OVER
    if run.name == "socat" and any(re.match(r"(?i)exec:|system:", each) for each in run.arguments):
        yield _HANDS_A_SHELL_OVER


def _code(run: ProgramRun) -> Iterator[MatchedEffect]:
    if FETCHED in run.code:
        yield MatchedEffect(RUNS_FETCHED, "it runs code that comes from the network")
    elif HIDDEN in run.code:
        yield MatchedEffect(
            RUNS_FETCHED, "it runs code that is decoded on the way", "run the decoded text, so that it can be read"
        )
    elif run.language not in _READ_BY_CALLS and (
        _LOADS.search(run.code) or (run.language and _EVALUATES.search(run.code))
    ):
        yield MatchedEffect(RUNS_FETCHED, "it runs code that comes from the network")
    if "/inet/tcp/" in run.code:
        yield MatchedEffect(RUNS_FETCHED, "it takes commands from another machine", _ELSEWHERE)
    if any(each in run.code for each in _CONNECTS) and any(each in run.code for each in _BINDS):
        yield _HANDS_A_SHELL_OVER


def _sockets(run: ProgramRun) -> Iterator[MatchedEffect]:
    paths = [*run.reads, *(write.path for write in run.writes)]
    if not any(_SOCKET.match(path) for path in paths):
        return
    if run.name in SHELLS or language_of(run.name) or run.name in ("exec", ""):
        yield _HANDS_A_SHELL_OVER
    elif run.writes and (CREDENTIAL in run.stdin or run.name in ("env", "printenv", "set", "export")):
        yield MatchedEffect(SENDS_CREDENTIALS, "it sends credentials to another machine")


class _Taker(NamedTuple):
    """Programs that take code from an address; without verbs, whatever they are told to do."""

    programs: Collection[str]
    verbs: Collection[str]
    address: re.Pattern[str]
    what: str
    safe: str = ""


_TAKERS = (
    _Taker(("deno", "bun"), ("run", "install", "x"), _ARCHIVE, "it runs code from an address"),
    _Taker(("go",), ("run",), _ADDRESS, "it runs code from an address"),
    _Taker(("jbang", "groovy", "kotlinc", "scala-cli"), (), _ADDRESS, "it runs code from an address"),
    _Taker(("dotnet", "stack"), ("script",), _ADDRESS, "it runs code from an address"),
    _Taker(("helm", "asdf", "mise"), ("plugin", "plugins"), _ARCHIVE, "it installs from an address"),
    _Taker(("mix",), ("archive.install", "escript.install"), _ARCHIVE, "it installs from an address"),
    _Taker(("ansible-pull", "nix-env"), (), _ARCHIVE, "it runs what an address says"),
    _Taker(_DOCKERS, ("build", "buildx", "bud"), _ARCHIVE, "it builds what an address says"),
    _Taker(("cargo",), ("install",), _ARCHIVE, "it builds and runs code from an address"),
    _Taker(_INSTALLERS, (), _ARCHIVE, "it installs from an address", "install a version from the registry"),
    _Taker(_WITH_VERBS, ("add", "install"), _ARCHIVE, "it installs from an address"),
    _Taker(_PACKAGERS, (), _ADDRESS, "it installs a package from an address"),
    _Taker(("kubectl", "oc"), ("apply", "create"), _ARCHIVE, "it applies what an address says"),
)


def _addresses(run: ProgramRun) -> Iterator[MatchedEffect]:
    """Interpreters and installers that take an address; an index on this machine is somebody's own."""
    indexes = _indexes(run)
    near = {each for each in indexes if (host := _HOST.match(each)) and is_this_machine(host[1])}
    yield from _taken(run, [each.removeprefix("git+") for each in _without_its_own(run) if each not in near])
    if run.name in _DOCKERS and "-" in run.arguments and FETCHED in run.stdin:
        yield MatchedEffect(RUNS_FETCHED, "it builds or runs what comes from the network")
    if any(map(_ADDRESS.match, _after(run.arguments, _LOADED) if language_of(run.name) == "javascript" else ())):
        yield MatchedEffect(RUNS_FETCHED, "it runs code from an address")
    if run.name in _INSTALLERS | _WITH_VERBS and any(each.startswith("http://") for each in {*indexes} - near):
        yield MatchedEffect(RUNS_FETCHED, "it installs over a connection that anyone can change", "use https")


def _indexes(run: ProgramRun) -> list[str]:
    """Where it looks for packages, by its options and its environment."""
    channels = ("-c", "--channel") if run.name in ("conda", "mamba", "micromamba") else ()
    named = _after(run.arguments, ("-i", "--index-url", "--extra-index-url", "--registry", *channels))
    return named + [value for name, value in run.env.items() if _INDEX.fullmatch(name)]


def _taken(run: ProgramRun, addresses: list[str]) -> Iterator[MatchedEffect]:
    verb = next((each for each in run.arguments if not each.startswith("-")), "")
    for taker in _TAKERS:
        wanted = run.name in taker.programs and (not taker.verbs or verb in taker.verbs)
        if wanted and any(map(taker.address.match, addresses)):
            yield MatchedEffect(RUNS_FETCHED, taker.what, taker.safe)
    of_compose = run.name == "docker-compose" or (run.name in _DOCKERS and verb == "compose")
    if of_compose and any(map(_ARCHIVE.match, values_of(run.arguments, "-f", "--file"))):
        yield MatchedEffect(RUNS_FETCHED, "it runs what an address says")


# Programs and verbs that run something: behind what they run stand its own arguments, `npx wait-on http://…`.
_RUN = frozenset({"npx", "pnpx", "bunx", "uvx", "jbang", "groovy"})
_RUN_BY_VERB = frozenset("npm pnpm yarn bun uv pipx deno go dotnet stack scala-cli".split())
_VERBS = frozenset({"run", "run-script", "rum", "urn", "exec", "x", "dlx", "script"})
_SCRIPTS = frozenset({"start", "stop", "restart", "test", "t", "tst"})
_WITH_VALUE = (
    *("-p", "--package", "--from", "--with", "--with-editable", "--with-requirements", "--spec", "--python", "--extra"),
    *("-w", "--workspace", "-F", "--filter", "--prefix", "-c", "--call", "--userconfig", "--registry", "--cwd", "-C"),
    *("-i", "--index", "--index-url", "--extra-index-url", "--default-index", "--directory", "--project", "--group"),
    *("--config", "--import-map", "--lock", "--cert", "--location", "--env-file", "-exec", "-tags", "-ldflags", "-mod"),
)


_FLAG = expression(
    r"--|-[AqrsvyW]|--(?:(?:no|allow|deny|unstable)-[\w-]+|yes|silent|quiet|verbose|recursive|offline|prefer-offline"
    r"|isolated|frozen|locked|bun|race|if-present|parallel|workspaces|watch|hot|all)|-.+=.*"
)


def _without_its_own(run: ProgramRun) -> tuple[str, ...]:
    """The arguments, without those of a program that it runs; all of them where it may be another one."""
    is_uvx = (run.name, *run.arguments[:2]) == ("uv", "tool", "run")
    arguments = run.arguments[2:] if is_uvx else run.arguments
    if run.name in _RUN or is_uvx:
        at = first_operand(arguments, _WITH_VALUE)
        return arguments[: at + 1] if _is_operand(arguments, at) else arguments
    at = first_operand(arguments, _WITH_VALUE)
    verb = "".join(arguments[at : at + 1]) if run.name in _RUN_BY_VERB and _is_operand(arguments, at) else ""
    if verb in _SCRIPTS:
        return arguments[: at + 1]
    behind = arguments[at + 1 :]
    script = first_operand(behind, _WITH_VALUE)
    return arguments[: at + script + 2] if verb in _VERBS and _is_operand(behind, script) else arguments


def _is_operand(arguments: Sequence[str], at: int) -> bool:
    """No value of an option that is not known here."""
    return at == 0 or arguments[max(0, at - 2)] in _WITH_VALUE or _FLAG.fullmatch(arguments[at - 1]) is not None


def _after(arguments: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    found = [arguments[index + 1] for index, each in enumerate(arguments[:-1]) if each in names]
    return found + [each.partition("=")[2] for each in arguments if each.partition("=")[0] in names]
