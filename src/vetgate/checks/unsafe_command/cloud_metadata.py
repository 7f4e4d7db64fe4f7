"""Credentials that a machine of a cloud gives to whoever asks its metadata address."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import READS_CREDENTIALS, MatchedEffect
from vetgate.expression import expression
from vetgate.source.shell.placeholders import UNKNOWN, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.source.shell.runs import ProgramRun

_ASKS = frozenset(
    """
    curl wget wget2 http https httpie xh xhs curlie aria2c lynx w3m fetch httpx
    invoke-restmethod invoke-webrequest irm iwr
    """.split()
)
_NAMES = frozenset(
    {"metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"}
)
_ADDRESSES = frozenset(
    map(
        ipaddress.ip_address,
        ("169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "fd00:ec2::254", "fd00:ec2::23"),
    )
)
_ADDRESS = expression(r"(?:[A-Za-z]+://)?(?:[^/?#@\s]*@)?(?P<host>\[[^\]]+\]|[^/?#:\s]+)(?::\d+)?(?P<path>[/?#].*)?")
# What names an address beside the one that is asked: `--connect-to x:80:169.254.169.254:80`.
_ELSEWHERE = expression(r"(?:^|[:/=])(169\.254\.(?:169\.254|170\.23?))(?:[:/,]|$)")
# They send what they are fed.
_TALK = frozenset({"nc", "ncat", "netcat", "socat", "telnet"})
_GIVES = expression(rf"(?i)credentials|service-accounts|(?<!/api)/token\b|/identity\b|user-?data|kube-env|{UNKNOWN}")
_SAFE = "ask for a value that is not a credential, such as `…/meta-data/instance-id`"


def effects(run: ProgramRun) -> Iterator[MatchedEffect]:
    if run.name in _TALK and any(_is_metadata(each) for word in run.arguments for each in word.split(":")):
        if _GIVES.search(run.stdin):
            yield MatchedEffect(READS_CREDENTIALS, "it asks the metadata address of a cloud", _SAFE)
        return
    if run.name not in _ASKS:
        return
    is_sent_there = any(_ELSEWHERE.search(each) for each in run.arguments)
    for argument in run.arguments:
        found = _ADDRESS.fullmatch(argument)
        if found is None or not (is_sent_there or _is_metadata(found["host"])):
            continue
        if _GIVES.search(found["path"] or ""):
            what = f"it reads {shown(argument)}, by which a cloud gives away the credentials of this machine"
            yield MatchedEffect(READS_CREDENTIALS, what, _SAFE)
            return


def _is_metadata(host: str) -> bool:
    """By a name, or an address in any notation that programs take."""
    bare = host.strip("[]").rstrip(".").lower()
    if bare in _NAMES or bare.startswith("169.254.169.254."):  # as `169.254.169.254.nip.io`
        return True
    try:
        address = ipaddress.ip_address(bare) if ":" in bare else ipaddress.ip_address(socket.inet_aton(bare))
    except (ValueError, OSError):
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address) in _ADDRESSES
