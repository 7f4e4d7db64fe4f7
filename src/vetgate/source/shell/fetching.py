"""Where a download goes: the file a later part of the same command may run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.options import value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_URL = expression(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_BUCKET_PROGRAMS = frozenset({"aws", "gsutil", "gcloud", "rclone", "s3cmd"})
_BUCKET = expression(r"(?:s3|gs|az)://")
_REMOTE_NAME = expression(r"-[a-zA-Z]*O[a-zA-Z]*|--remote-name(?:-all)?")


def urls(arguments: Sequence[str]) -> list[str]:
    return [argument for argument in arguments if _URL.match(argument)]


def _name_in(arguments: Sequence[str]) -> str:
    addresses = urls(arguments) or [a for a in arguments if not a.startswith("-") and "." in a]
    return addresses[-1].partition("?")[0].rstrip("/").rpartition("/")[2] if addresses else ""


def _curl(arguments: Sequence[str]) -> str:
    for argument in arguments:
        cluster = re.fullmatch(r"-[a-zA-Z]*o(.*)", argument)
        if cluster:
            after = arguments[list(arguments).index(argument) + 1 :]
            name = cluster[1] or (after[0] if after else "")
            return "" if name == "-" else name
    named = value_of(arguments, "--output")
    if named:
        return "" if named == "-" else named
    return _name_in(arguments) if any(_REMOTE_NAME.fullmatch(a) for a in arguments) else ""


def _wget(arguments: Sequence[str]) -> str:
    named = value_of(arguments, "-O", "--output-document")
    for index, argument in enumerate(arguments):
        cluster = re.fullmatch(r"-[a-zA-Z]*O(.*)", argument)
        if cluster:
            named = cluster[1] or (arguments[index + 1] if index + 1 < len(arguments) else "")
    if named:
        return "" if named == "-" else named
    folder = value_of(arguments, "-P", "--directory-prefix")
    name = _name_in(arguments)
    return f"{folder.rstrip('/')}/{name}" if folder and name else name


def destination(name: str, arguments: Sequence[str]) -> str:
    """The file that a download is written to; nothing when it is printed."""
    if name == "curl":
        return _curl(arguments)
    if name == "wget":
        return _wget(arguments)
    if name in ("aria2c", "axel"):
        return value_of(arguments, "-o", "--out") or _name_in(arguments)
    if name in ("http", "https", "xh"):
        return value_of(arguments, "-o", "--output") or ""
    if name in ("scp", "rsync", "sftp") and len(arguments) > 1 and ":" in arguments[-2]:
        name = arguments[-2].rpartition(":")[2].rpartition("/")[2]
        return f"{arguments[-1].rstrip('/')}/{name}" if arguments[-1].endswith((".", "/")) else arguments[-1]
    return _out_of_a_bucket(name, arguments)


def _out_of_a_bucket(name: str, arguments: Sequence[str]) -> str:
    if name == "az" and "download" in arguments:
        return value_of(arguments, "-f", "--file") or ""
    copies = name in _BUCKET_PROGRAMS and len(arguments) > 1 and _BUCKET.match(arguments[-2])
    return arguments[-1].removeprefix("-") if copies else ""
