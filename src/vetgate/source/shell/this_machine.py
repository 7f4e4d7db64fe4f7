"""Which names of hosts are this machine."""

from __future__ import annotations

import ipaddress
import os
from functools import lru_cache

_NAMES = frozenset(
    {"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback", "0", "localhost4", "localhost6"}
)
# What `hostname` prints while a command is followed.
OWN_NAME = "localhost"


@lru_cache(maxsize=64)
def is_this_machine(host: str) -> bool:
    """`user@host`, `ssh://user@host:22` and `[::1]` too."""
    bare = host.removeprefix("ssh://").rpartition("@")[2].rstrip("/").lower()
    bare = bare.partition("]")[0].removeprefix("[") if bare.startswith("[") else bare
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    own = os.uname().nodename.lower()
    if bare in _NAMES or bare.endswith(".localhost") or (own and bare in (own, own.partition(".")[0], f"{own}.local")):
        return True
    try:
        address = ipaddress.ip_address(_four(bare))
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _four(text: str) -> str:
    """`127.1` is `127.0.0.1`, and so is `2130706433`."""
    if text.isdigit() and int(text) < 2**32:
        return str(ipaddress.ip_address(int(text)))
    parts = text.split(".")
    if 1 < len(parts) < 4 and all(part.isdigit() for part in parts):
        return ".".join([*parts[:-1], *["0"] * (4 - len(parts)), parts[-1]])
    return text
