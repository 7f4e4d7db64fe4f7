"""What a session committed or pushed behind the back of git's hooks, as git's own logs show it afterwards.

A script switches hooks off in ways that no text gives away, and cleans up: the branch is put back, or gone. It cannot
be undone, so it is told once and holds the turn once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.protected_file import unsearched_push
from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.model import EventKind, Outcome, Unchecked, UncheckedKind, UserError
from vetgate.respond.call import ENDS, checking
from vetgate.respond.landing import PUSHED_TO, Search
from vetgate.respond.protected_files import GIT_LOGS, as_guarded, guarding
from vetgate.respond.session_diff import began
from vetgate.respond.ship import runs_our_hook
from vetgate.source.clock import Deadline
from vetgate.source.git import Repository
from vetgate.source.git_outgoing import Outgoing, existing, is_in_history, new_commits, new_files
from vetgate.source.git_refs import (
    REMOTES,
    came_from_remotes,
    fetched_heads,
    log_ends,
    moves_since,
    own_tips,
    refs_state,
)
from vetgate.source.root import store_key
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vetgate.config.schema import Config
    from vetgate.model import Finding, Verdict
    from vetgate.project import SessionMemory
    from vetgate.respond.call import Call
    from vetgate.source.git_refs import Move

# What is noted of them: whether a push ran our hook, and the end of each log.
_NOTED = 2
_GIT_SECONDS = 2.0
# Of the time that an answer may take, how much may go into the search.
_SHARE, _SHARE_OF_LARGE = 0.3, 0.1
_NAMED = 5
_NOT_ALL = "not all commits of this session could be searched for secrets in time; a push searches the rest"


def note_logs(call: Call) -> None:
    """As they end when the session begins."""
    root = call.project.root
    if (root / ".git").exists():
        hooked = all(map(runs_our_hook, call.protected.hook_folders()))
        call.project.store.guard(call.event.session, {_place(call): (GIT_LOGS, [hooked, log_ends(root)])})


def report_pushed_unseen(call: Call, config: Config, gates: Iterable[str]) -> tuple[Outcome, ...]:
    """Pushes of this session of which our hook knows nothing, and the secrets in them; each told once."""
    return _report_pushed(call, config, guarding(config, gates), _noted(call))


def _report_pushed(
    call: Call, config: Config, gate: str | None, noted: tuple[bool, list[str]] | None
) -> tuple[Outcome, ...]:
    moves = _unsearched(call, config, _moves(call, noted)) if gate and noted and noted[0] else []
    if not gate or not moves:
        return ()
    mark = SessionMark.LEFT_HELD if call.event.kind in ENDS else SessionMark.LEFT_TOLD
    memory = call.memory(config)
    fresh = [move for move in moves if not memory.is_marked("", mark, move.after)]
    found: list[Finding] = []
    outcomes: list[Outcome] = []
    for move in fresh:
        left = _left(call, move)
        branch = without_secrets(move.ref.removeprefix(REMOTES))
        found.append(unsearched_push(branch, move.after, _in_words(left)))
        outcomes += _secrets_left(call, config, left) if left else ()
        if call.event.kind not in ENDS or call.is_from_client:
            memory.mark("", mark, move.after)
    return (*as_guarded(call, config, gate, found), *outcomes)


def report_committed_unseen(call: Call, config: Config, gates: Iterable[str], told: Verdict) -> tuple[Outcome, ...]:
    """The same when the turn ends, and secrets in whatever the session committed, on any branch, there or gone."""
    noted = _noted(call)
    if noted is None:
        return ()
    gate = guarding(config, gates)
    left = _report_pushed(call, config, gate, noted)
    searched = _search_commits(call, config, noted, gate) if gate else []
    said = {each.fingerprint for each in told.findings}
    pushed = {each.fingerprint for outcome in left for each in outcome.findings}
    fresh, held = _fresh(call.memory(config), searched, said | pushed)
    for each in pushed | held if call.is_from_client else ():
        call.memory(config).mark("", SessionMark.LEFT_HELD, each)
    return (*left, *fresh)


def _search_commits(call: Call, config: Config, noted: tuple[bool, list[str]], gate: str) -> list[Outcome]:
    """Searched anew only where git's files show that something moved since the last time."""
    root, memory = call.project.root, call.memory(config)
    state = refs_state(root, began(call))
    start = call.start()
    if not state or start is None or start.tips is None or memory.is_marked("", SessionMark.GIT_SEARCHED, state):
        return []
    try:
        there = set(start.tips)
        tips = {*own_tips(root), *(move.after for move in _moves(call, noted) if not move.ref.startswith(REMOTES))}
        fetched = (tip.id for tip in came_from_remotes(root, start.at) if not tip.is_pushed)
        made = existing(root, tips - there - _NO_OBJECT)
        before = existing(root, (*there, *fetched, *fetched_heads(root))) if made else ()
        found, is_cut = _secrets(call, config, _outgoing(call, made, before)) if made else ([], False)
    except UserError:
        return []
    if is_cut:
        rest = Unchecked(".git", UncheckedKind.UNFINISHED, _NOT_ALL)
        return [*found, Outcome.of_findings(gate, (), unchecked=(rest,))]
    call.project.store.unmark(call.event.session, str(root), SessionMark.GIT_SEARCHED)
    memory.mark("", SessionMark.GIT_SEARCHED, state)
    return found


_NO_OBJECT = frozenset({"0" * 40, "0" * 64})


def _fresh(memory: SessionMemory, outcomes: Sequence[Outcome], said: set[str]) -> tuple[list[Outcome], set[str]]:
    """Those with something that is neither said already nor was held before, and the fingerprints of that."""
    kept, held = [], set[str]()
    for outcome in outcomes:
        prints = {each.fingerprint for each in outcome.findings} - said - held
        fresh = {each for each in prints if not memory.is_marked("", SessionMark.LEFT_HELD, each)}
        held |= fresh
        if fresh or outcome.unchecked:
            kept.append(outcome)
    return kept, held


def _secrets_left(call: Call, config: Config, outgoing: Outgoing) -> list[Outcome]:
    try:
        return _secrets(call, config, outgoing)[0]
    except UserError:  # some of it is gone already
        return []


def _secrets(call: Call, config: Config, outgoing: Outgoing) -> tuple[list[Outcome], bool]:
    """As our pre-push hook would find them; and whether the time ended before all was searched."""
    project, gates = call.project, checking(config, EventKind.PUSH)
    deadline = Deadline.after(call.seconds * _SHARE)
    # Commits that are made anew from older ones bring along what those had.
    top, known = outgoing.repository.top, outgoing.known
    search = Search(
        config,
        gates,
        call.analyzer,
        project.suppressions(),
        is_old=lambda blob: is_in_history(top, blob, known, _GIT_SECONDS),
        deadline=deadline,
        large_until=Deadline.after(call.seconds * _SHARE_OF_LARGE),
    )
    found = [verdict for verdict, _ in search.over(outgoing, (), project.store)]
    return [outcome for verdict in found for outcome in verdict.outcomes if outcome.findings], search.is_cut


def _unsearched(call: Call, config: Config, moves: Iterable[Move]) -> list[Move]:
    """A push that passed our hook is on record; the hook of another account keeps its own."""
    pushes = {move.after: move for move in moves if move.is_push}
    if not pushes or not call.runs_programs or not config.on.get(EventKind.PUSH, ()):
        return []
    ours = {
        each for name, ids in call.project.store.remote_tips().items() if name.startswith(PUSHED_TO) for each in ids
    }
    return [move for tip, move in pushes.items() if tip not in ours]


def _left(call: Call, move: Move) -> Outgoing | None:
    """What the remote did not have before, as far as it is still here."""
    root = call.project.root
    try:
        known = {move.before, *(each for ids in call.project.store.remote_tips().values() for each in ids)}
        return _outgoing(call, existing(root, {move.after}), existing(root, known - {move.after} - _NO_OBJECT))
    except UserError:
        return None


def _outgoing(call: Call, tips: Iterable[str], known: Iterable[str]) -> Outgoing:
    root = call.project.root
    return Outgoing(Repository(root, store_key(root), seconds=_GIT_SECONDS), tuple(tips), tuple(known))


def _in_words(left: Outgoing | None) -> str:
    if left is None or not left.tips:
        return "commits that are gone here"
    try:
        count = new_commits(left.repository.top, left.tips, left.known)
        names = new_files(left)
    except UserError:
        return "commits that git cannot show"
    more = f" and {len(names) - _NAMED} more files" if len(names) > _NAMED else ""
    files = without_secrets(", ".join(names[:_NAMED]))
    return f"{count} commit{'' if count == 1 else 's'}{f' with {files}' if files else ''}{more}"


def _moves(call: Call, noted: tuple[bool, list[str]]) -> list[Move]:
    return moves_since(call.project.root, noted[1], began(call))


def _noted(call: Call) -> tuple[bool, list[str]] | None:
    """None where nobody looked as the session began."""
    kind, held = call.project.store.guarded_file(call.event.session, _place(call))
    if kind != GIT_LOGS or not isinstance(held, list) or len(held) != _NOTED or not isinstance(held[1], list):
        return None
    return held[0] is True, [str(each) for each in held[1]]


def _place(call: Call) -> str:
    return str(call.project.root / ".git")
