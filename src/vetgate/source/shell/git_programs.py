"""Git runs programs that its settings, options and addresses name: what it would run, as commands."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.options import value_of
from vetgate.source.shell.runs import Inner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Settings whose value git hands to a shell, without case.
_SETTINGS = expression(
    r"core\.(?:sshcommand|editor|pager|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..+"
    r"|diff\.external|diff\..+\.(?:command|textconv)|filter\..+\.(?:clean|smudge|process)|merge\..+\.driver"
    r"|(?:difftool|mergetool|man|browser)\..+\.(?:cmd|path)|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand"
    r"|interactive\.difffilter|trailer\..+\.(?:command|cmd)|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack)"
    r"|sendemail\.(?:.+\.)?(?:sendmailcmd|smtpserver|tocmd|cccmd|headercmd)|credential\.(?:.+\.)?helper|submodule\..+\.update"
    r"|tar\..+\.command|instaweb\.httpd|imap\.tunnel|receive\.procreceiverefs|fsck\..+\.command"
)
# Options of single commands whose value is a program.
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "fetch": ("--upload-pack",),
    "pull": ("--upload-pack",),
    "clone": ("--upload-pack", "-u"),
    "ls-remote": ("--upload-pack", "--exec"),
    "fetch-pack": ("--upload-pack", "--exec"),
    "push": ("--receive-pack", "--exec"),
    "send-pack": ("--receive-pack", "--exec"),
    "archive": ("--exec",),
    "grep": ("--open-files-in-pager", "-O"),
    "difftool": ("-x", "--extcmd"),
    "rebase": ("-x", "--exec"),
    "send-email": ("--sendmail-cmd", "--smtp-server", "--to-cmd", "--cc-cmd"),
}
_EXTERNAL = "ext::"


def set_to_run(setting: str) -> Iterator[Inner]:
    """`KEY=VALUE`, as behind `git -c`."""
    key, _, value = setting.partition("=")
    yield from of_setting(key, value)


def of_setting(key: str, value: str) -> Iterator[Inner]:
    if key.lower().startswith("alias."):
        yield Inner(script=value[1:]) if value.startswith("!") else Inner(script=f"git {value}")
    elif _SETTINGS.fullmatch(key.lower()):
        is_helper = key.lower().endswith("helper")
        if not is_helper or value.startswith("!"):
            yield Inner(script=value.removeprefix("!"))


def named_to_run(verb: str, rest: Sequence[str]) -> Iterator[Inner]:
    """What options name, and addresses that are commands (`ext::sh -c ...`)."""
    named = (value_of(rest, option) for option in _OPTIONS.get(verb, ()))
    addresses = (word.removeprefix(_EXTERNAL) for word in rest if word.startswith(_EXTERNAL))
    yield from (Inner(script=value) for value in (*named, *addresses) if value)
    for key, value in _settings(verb, rest):
        yield from of_setting(key, value)


def _settings(verb: str, rest: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Keys and values that the call writes down."""
    if verb == "config":
        yield from pairwise(word for word in rest if not word.startswith("-") and word != "set")
    elif verb == "clone":
        for option, setting in pairwise(rest):
            if option in {"-c", "--config"}:
                key, _, value = setting.partition("=")
                yield key, value
