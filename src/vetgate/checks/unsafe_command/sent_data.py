"""What a request takes along: files of the project that a pipe feeds it, and live keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import PUBLISHES, SENDS_CREDENTIALS, MatchedEffect
from vetgate.expression import expression
from vetgate.model import Decision
from vetgate.source.shell.options import values_of
from vetgate.source.shell.placeholders import OWN_FILES, shown, without_globs
from vetgate.source.shell.this_machine import is_this_machine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_SENDERS = frozenset(
    """
    curl curlie wget wget2 http https httpie xh xhs nc ncat netcat socat telnet websocat ssh mail mailx sendmail mutt
    croc wormhole ffsend transfer pastebinit ntfy openssl
    """.split()
)
# Programs that put files on another machine when they are told so, by a text at their input or behind an option.
_TRANSFERS = frozenset({"sftp", "ftp", "lftp", "tnftp", "ncftp", "tftp"})
_PUTS = expression(
    r"(?im)(?:^|[;\"'\s])(?:m?put|reput|append|send|mirror[ \t]+(?:-\w*R\w*|--reverse))[ \t]+(?:-\w+[ \t]+)*"
    r"(?P<file>[^\s;]+)"
)
_HOST = expression(
    r"(?:[a-z][a-z0-9+.-]*://)?(?:[^\s/@]*@)?(?P<host>\[[0-9a-f:]+\]|(?:[\w-]+\.)+[A-Za-z][\w-]*|localhost|\d[\d.]+)"
    r"(?=[:/?#]|\Z)"
)
_UPLOADS = ("-T", "--upload-file", "--post-file", "--body-file")
_DATA = ("-F", "--form", "-d", "--data", "--data-binary", "--data-urlencode")
_TAKEN_ALONG = expression(r"(?:[\w.\[\]-]*=|--[\w-]+=)?@([^@;]+)")
_CODE = expression(
    r"\.(?:py|[cm]?[jt]sx?|go|rs|java|kts?|rb|php|cs|swift|c|cc|cpp|h|hpp|vue|svelte|sh|db|sqlite3?|bundle|patch|diff)$"
)
_HEADERS = frozenset({"-H", "--header", "-u", "--user", "--oauth2-bearer", "-b", "--cookie", "-A", "-a", "--auth"})
# A run of letters and digits that might be a key: nothing else is looked at more closely.
_LONG = expression(r"(?<![\w-])(?=[\w-]{0,200}[G-Zg-z])(?=[\w-]{0,200}[A-Z])(?=[\w-]{0,200}\d)[\w-]{16,}")
_CODE_PUSHES = expression(r"\b(?:dulwich|pygit2|GitPython)\b|\bimport\s+git\b|\bfrom\s+git\s+import\b")
_PUSH = expression(r"\bpush\s*\(")


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.name in _SENDERS or run.name in _TRANSFERS:
        yield from _files(run, context)
        yield from _keys(run)
    elif run.language == "python" and _CODE_PUSHES.search(run.code) and _PUSH.search(run.code):
        what = "its code pushes past git's hooks"
        yield MatchedEffect(PUBLISHES, what, "commit it, and push with git", Decision.ASK)


def _files(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    hosts = _hosts(run)
    if hosts and all(map(is_this_machine, hosts)):
        return
    place = shown(hosts[0]) if hosts else "another machine"
    if OWN_FILES in run.stdin or any(OWN_FILES in each for each in run.arguments):
        what = f"it sends files of the project to {place}"
        yield MatchedEffect(PUBLISHES, what, "leave it to a person, or push with git", Decision.ASK)
    elif code := next((each for each in _uploaded(run) if _is_own_code(each, run, context)), ""):
        what = f"it sends {shown(code)} to {place}"
        yield MatchedEffect(PUBLISHES, what, "leave it to a person, or push with git", Decision.ASK)
    if run.name not in _TRANSFERS:
        return
    for found in _PUTS.finditer("\n".join((*run.arguments, run.stdin))):
        full = context.paths.resolve(run, without_globs(found["file"]))
        if full is not None and context.secrets.is_secret(full):
            yield MatchedEffect(SENDS_CREDENTIALS, f"it sends {shown(found['file'])}, which holds credentials")
        else:
            yield MatchedEffect(PUBLISHES, f"it copies files to {place}", "leave the copy to a person", Decision.ASK)


def _uploaded(run: ProgramRun) -> Iterator[str]:
    """`-T file`, `-F name=@file`, `-d @file`."""
    yield from values_of(run.arguments, *_UPLOADS)
    yield from (match[1] for match in map(_TAKEN_ALONG.match, run.arguments) if match)


def _is_own_code(path: str, run: ProgramRun, context: EffectContext) -> bool:
    """What is sent as data of a request is mostly JSON; code and databases of the project are no data."""
    full = context.paths.resolve(run, path) if _CODE.search(path) else None
    return full is not None and context.paths.in_project(full)


def _hosts(run: ProgramRun) -> list[str]:
    taken_along = {each for each in values_of(run.arguments, *_DATA) if each.partition("=")[2][:1] == "@"}
    found = [match["host"] for each in run.arguments if each not in taken_along and (match := _HOST.match(each))]
    if found or run.name not in ("ssh", "nc", "ncat", "netcat", *_TRANSFERS):
        return found
    return [each.rpartition("@")[2] for each in run.arguments if not each.startswith("-")][:1]


def _keys(run: ProgramRun) -> Iterator[MatchedEffect]:
    """In a header, for the vendor that gave it away, or for a server on this machine a key is where it belongs."""
    texts = [each for index, each in enumerate(run.arguments) if not _is_header(run, index)]
    text = "\n".join((*texts, run.stdin))
    if not _LONG.search(text):
        return
    from vetgate.checks.secrets.exposure import why_mild  # noqa: PLC0415 - few commands need them
    from vetgate.checks.secrets.tokens import tokens  # noqa: PLC0415

    data = text.encode("utf-8", "replace")
    hosts = _hosts(run)
    for match in tokens(data):
        if match.kind is None or match.kind.severity != "critical" or why_mild(data, match):
            continue
        vendor = match.kind.vendor.partition(" ")[0].lower()
        if not hosts or not all(vendor in host.lower() or is_this_machine(host) for host in hosts):
            yield MatchedEffect(SENDS_CREDENTIALS, f"it sends a live key ({match.kind.vendor} {match.kind.what})")
            return


def _is_header(run: ProgramRun, index: int) -> bool:
    argument, before = run.arguments[index], run.arguments[index - 1] if index else ""
    return before in _HEADERS or argument.startswith(("-H", "--header=", "--user=", "--oauth2-bearer="))
