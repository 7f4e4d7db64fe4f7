"""Submodules that a push takes along: git pushes them where it is told to, and their own hooks are seldom ours.

By an option, which no hook gets to see, or by `push.recurseSubmodules`. So what a pushed commit names of a submodule is
searched whenever the submodule's own remotes lack it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vetgate.source.git import find
from vetgate.source.git_outgoing import Outgoing, existing, new_submodules
from vetgate.source.git_process import ask
from vetgate.source.git_remote import refs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.source.git import Repository

_ADDRESSES = ("config", "--get-regexp", "-z", r"^remote\..*\.(push)?url$")


def outgoing_submodules(outgoing: Outgoing, remote: str) -> Iterator[tuple[str, Outgoing]]:
    """The folder of each submodule that has commits to send, and what those are.

    Git sends them to the remote of the same name. Without one nobody knows to which: a folder that a script made a
    remote of the submodule has what none of the others was sent.
    """
    top = outgoing.repository.top
    for path, named in new_submodules(outgoing).items():
        folder = top / path
        repository = find(folder) if (folder / ".git").exists() else None
        if repository is None or repository.top == top:
            continue
        if tips := existing(folder, named):
            remotes = _remotes(repository)
            every = {remotes[remote]} if remote in remotes else {*remotes.values()}
            yield from ((path, Outgoing(repository, tips, _known_at(each, repository))) for each in every)


def _remotes(repository: Repository) -> dict[str, tuple[str, ...]]:
    """Where each of them is pushed to."""
    found: dict[str, dict[str, list[str]]] = {}
    for entry in filter(None, ask(_ADDRESSES, repository.top).out.split(b"\0")):
        key, _, address = os.fsdecode(entry).partition("\n")
        name, _, kind = key.removeprefix("remote.").rpartition(".")
        found.setdefault(name, {}).setdefault(kind, []).append(address)
    return {name: tuple(kinds.get("pushurl") or kinds["url"]) for name, kinds in found.items()}


def _known_at(addresses: tuple[str, ...], repository: Repository) -> tuple[str, ...]:
    """What the remotes say themselves; for one that does not answer, what the submodule takes it to have."""
    top = repository.top
    answers = [refs_of(address, top) for address in addresses]
    claimed = ask(("for-each-ref", "--format=%(objectname)", "refs/remotes"), top).out if None in answers else b""
    ids = (id_ for answer in answers if answer is not None for id_ in answer.values())
    return existing(top, (*ids, *os.fsdecode(claimed).split()))
