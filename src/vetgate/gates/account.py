"""A command as another user of the system, who may do less than whoever runs vetgate."""

from __future__ import annotations

import os
from typing import NamedTuple


class Account(NamedTuple):
    uid: int
    gid: int
    name: str
    home: str

    def environment(self) -> dict[str, str]:
        return {"HOME": self.home, "USER": self.name, "LOGNAME": self.name}


def account(name: str) -> Account | str:
    """Whom to become, or why that cannot be."""
    try:
        import pwd  # noqa: PLC0415 - not on Windows

        found = pwd.getpwnam(name)
    except (ImportError, KeyError):
        return f"it is to run as {name}, and there is no such user here"
    if os.geteuid() not in {0, found.pw_uid}:
        return f"it is to run as {name}, and only root may become somebody else"
    return Account(found.pw_uid, found.pw_gid, found.pw_name, found.pw_dir)
