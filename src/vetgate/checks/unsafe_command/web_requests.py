"""Requests that a command makes to a web service: where to, by which method, saying what."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.source.shell.options import value_of

if TYPE_CHECKING:
    from vetgate.source.shell.runs import ProgramRun

FORGES = frozenset({"gh", "glab", "hub"})
_HTTPIE = frozenset({"http", "https", "httpie", "xh", "xhs", "curlie"})
_POWERSHELL = frozenset({"invoke-restmethod", "invoke-webrequest", "irm", "iwr"})
_OTHERS = frozenset({"curl", "wget", "wget2", *_HTTPIE, *_POWERSHELL})
_METHODS = frozenset({"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"})
# Data makes a request one that writes, however it is spelled: `-fhead=x`, `-sSd@body`, `--post-data=x`.
_DATA = tuple("--field --raw-field --input --data --json --form --upload-file --post- --body- -body".split())
_DATA_LETTERS = {"gh": "fF", "glab": "fF", "hub": "fF", "curl": "dFT", "curlie": "dFT"}
_CLUSTER = expression(r"-[A-Za-z]+")
# Of HTTPie: `name=value`, `name:=json`, `name@file`; `name==value` is part of the address, `name:value` a header.
_ITEM = expression(r"[^/:=@\s-][^/:=@\s]*(?::?=(?!=)|@)")


class WebRequest(NamedTuple):
    """`addresses` are all words that may be one, without what follows a `?`; `text` is all that is said, input too."""

    method: str
    addresses: tuple[str, ...]
    text: str

    @property
    def writes(self) -> bool:
        return self.method not in {"GET", "HEAD"}


def request_of(run: ProgramRun) -> WebRequest | None:
    words = Words(run.arguments)
    if run.name in FORGES:
        if words.plain[:1] != ("api",):
            return None
    elif run.name not in _OTHERS:
        return None
    addresses = tuple(each.partition("?")[0].rstrip("/") for each in words.all if not each.startswith("-"))
    return WebRequest(_method(run, words), addresses, " ".join((*words.all, run.stdin)))


def _method(run: ProgramRun, words: Words) -> str:
    """As it is named; else data makes it one that writes."""
    arguments = run.arguments
    named = value_of(arguments, "-X", "--method", "--request", "-Method", "-method")
    if named is None and run.name in _HTTPIE:
        named = next((each for each in words.plain if each.upper() in _METHODS), None)
    if named is not None:
        return named.lstrip("=").upper()
    if run.name == "curl" and words.has("-G", "--get"):  # its data are a part of the address
        return "GET"
    return "POST" if any(_is_data(run.name, each) for each in arguments) else "GET"


def _is_data(program: str, argument: str) -> bool:
    if argument.lower().startswith(_DATA):
        return True
    letters = _DATA_LETTERS.get(program, "")
    if letters and argument.startswith("-") and not argument.startswith("--"):
        cluster = _CLUSTER.match(argument)
        return argument[1:2] in letters or (cluster is not None and any(each in letters for each in cluster[0][2:]))
    return program in _HTTPIE and _ITEM.match(argument) is not None
