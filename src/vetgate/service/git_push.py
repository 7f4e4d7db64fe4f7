"""A push as the pre-push hook sees it: what the remote has, what is new to it, and whether that may leave."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from vetgate.agents.git.wire import MESSAGE
from vetgate.respond.outgoing import Search
from vetgate.source.git_landing import at_push, known_to_remote
from vetgate.source.git_outgoing import Outgoing
from vetgate.source.git_remote import refs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vetgate.config.schema import Config
    from vetgate.engine.analysis import Analyzer
    from vetgate.model import File, Verdict
    from vetgate.project import Project
    from vetgate.source.git import Repository
    from vetgate.source.git_landing import Landing, Ref

# More places than these are counted, not shown.
_MOST = 20

# No remote has a name with a space. What one remote was sent, or claims to have, counts for no other one:
# a script can make a folder a remote.
_PUSHED_TO = "pushed to "


@dataclass(frozen=True, slots=True)
class Push:
    """`on_record` is the name under which the store keeps what was pushed to this address."""

    project: Project
    repository: Repository
    refs: tuple[Ref, ...]
    on_record: str
    known: tuple[str, ...]

    @classmethod
    def of(cls, project: Project, repository: Repository, refs: tuple[Ref, ...], words: Sequence[str]) -> Push:
        """Git calls the hook with the remote's name and its address."""
        remote, address = (*words, "", "")[:2]
        on_record = _on_record(address)

        def recorded(has_answered: bool) -> Iterable[str]:  # noqa: FBT001 - a question with two answers
            tips = project.store.remote_tips()
            own = {remote, on_record}
            return (
                each
                for name, ids in tips.items()
                if (not has_answered if name in own else not name.startswith(_PUSHED_TO))
                for each in ids
            )

        known = known_to_remote(
            repository, refs, lambda: refs_of(address, repository.top) if address else None, recorded
        )
        return cls(project, repository, refs, on_record, known)

    @property
    def pushed(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ref.local for ref in self.refs if not ref.is_deleted))

    def landings(self) -> tuple[Landing, ...]:
        return at_push(self.repository, self.refs, self.known)

    def secrets(
        self,
        config: Config,
        gates: tuple[str, ...],
        analyzer: Analyzer,
        told: Verdict,
        seen: Callable[[int], None],
    ) -> list[tuple[Verdict, File]]:
        """Secrets in anything that would be sent, besides those that are told already.

        `seen` hears now and then how many objects were searched.
        """
        search = Search(config, gates, analyzer, self.project.suppressions(), MESSAGE, seen)
        outgoing = Outgoing(self.repository, self.pushed, self.known)
        names = dict.fromkeys(name for ref in self.refs if not ref.is_deleted for name in ref.names)
        known = {finding.fingerprint for finding in told.findings if finding.check == "secrets"}
        found = [
            each
            for each in search.over(outgoing, names, self.project.store)
            if not each[0].findings or not {finding.fingerprint for finding in each[0].findings} <= known
        ]
        if len(found) > _MOST:
            note = f"{len(found) - _MOST} more places with secrets are not shown"
            found[_MOST - 1] = (replace(found[_MOST - 1][0], notes=(note,)), found[_MOST - 1][1])
        return found[:_MOST]

    def passed(self) -> None:
        """What was judged here, and what git was told by the remote, need not be judged again."""
        there = (ref.remote for ref in self.refs if not ref.is_created)
        self.project.store.add_remote_tips((self.on_record, each) for each in (*self.pushed, *there))


def _on_record(address: str) -> str:
    """An address may hold a password."""
    return f"{_PUSHED_TO}{sha256(os.fsencode(address)).hexdigest()[:32]}"
