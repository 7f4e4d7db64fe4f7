"""What changed behind the gate's back goes through the same gates as an edit: a shell is no side door."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import islice
from os.path import lexists
from typing import TYPE_CHECKING

from vetgate.gates.sequence import judged
from vetgate.model import SILENT, Change, Decision, EventKind, File, UserError
from vetgate.respond.attempts import forgotten_before
from vetgate.respond.call import listening
from vetgate.respond.gates import config_of_checks
from vetgate.respond.grants import PENDING_SECONDS
from vetgate.respond.outside_folders import note_folder, outside
from vetgate.respond.project_index import broken_so_far, edited, note_edited, note_theirs, tend
from vetgate.respond.protected_files import note_allowed_command, note_programs, note_protected, with_tampering
from vetgate.respond.questions import answer_to, note_answer
from vetgate.respond.session_commits import note_logs, report_pushed_unseen
from vetgate.respond.session_diff import began, diff_since_session_start, missing
from vetgate.respond.session_files import note_start_files
from vetgate.respond.starting_point import accept, merge, unverified
from vetgate.respond.verdict import content, doubtful, remember, report, report_pass, verified, with_outcomes
from vetgate.source.edit import on_disk
from vetgate.source.git import EMPTY_TREE, find
from vetgate.source.git_ignored import IGNORE_FILE, AddedIgnored
from vetgate.source.root import name_in, real
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Outcome, Verdict
    from vetgate.project import SessionMemory
    from vetgate.respond.call import Call
    from vetgate.source.tree import ChangedPaths

# Files that were changed before the session began; beyond this they count as they are in the last commit.
_MOST_DIRTY = 200
# Whoever has more than these where nobody lints has put a library there; the commit looks at all of it.
_MOST_ADDED = 400


def begin(call: Call) -> None:
    """From here on the session answers for what changes, here and in the project that it began in."""
    if call.at_home is not call:
        begin(call.at_home)
    note_folder(call)
    store, root = call.project.store, call.project.root
    if store.swept(call.event.session, root) is None:
        store.begin(call.event.session, root, time.time_ns())
        call.project.note_refs(call.event.session)
        note_protected(call)
        note_logs(call)
        call.later.append(partial(_settle_in, call))


def _settle_in(call: Call) -> None:
    call.project.note_refs_inside(call.event.session)
    note_programs(call)
    _watch(call, began(call))
    if call.stays:
        _added_ignored(call)
    config = call.in_force.config
    call.project.store.forget_attempts(forgotten_before(config))
    call.project.store.forget_pending_grants(time.time() - PENDING_SECONDS)
    note_start_files(call)
    if config.enabled:
        _note_what_was_there(call, config)


def _watch(call: Call, since: int) -> None:
    """Nobody waits: every file is asked now, so that the end of the turn need not."""
    if call.stays and call.project.tree.watch():
        call.project.tree.verify(since)


def _go_on_from(call: Call, at: int) -> None:
    """Only once every file was asked: who ends before that leaves the next one to look from where we began.

    Watched also when it was another process that stayed as the session began.
    """
    _watch(call, at)
    call.project.store.sweep(call.event.session, call.project.root, at)


def _note_what_was_there(call: Call, config: Config) -> None:
    """What a person has not committed yet is theirs, not the session's."""
    root = call.project.root
    try:
        repository = find(root)
        names = repository.uncommitted() if repository else call.project.tree.looked_for(0).paths
    except UserError:
        return
    since = began(call)
    wanted = (name for name in names if config.paths.checks(name) and not _is_younger(root / name, since))
    found = on_disk((root / name for name in islice(wanted, _MOST_DIRTY)), root, root).files
    as_it_is = Change(root, tuple(File(file.path, file.after, file.after) for file in found))
    memory = call.memory(config)
    verdict = judged(config.on.get(EventKind.BEFORE_EDIT, ()), config, call.runners(config, memory, as_it_is))
    remember(memory, as_it_is, verdict)
    note_theirs(call, config, as_it_is)


def _is_younger(path: Path, since: int) -> bool:
    """A command may have run before there was time to look around; what it took away shows in the folder it was in."""
    for place in (path, *path.parents):
        try:
            return place.lstat().st_ctime_ns > since
        except OSError:
            continue
    return False


def after_command(call: Call) -> Verdict:
    """Also after one that failed, and after tools that nobody knows: what they wrote is on disk."""
    here = _after_command(call)
    return here if call.at_home is call else here.joined(_after_command(call.at_home))


def _after_command(call: Call) -> Verdict:
    config = config_of_checks(call, call.in_force.config)
    gates = listening(config, EventKind.AFTER_COMMAND)
    if not config.enabled or not gates:
        return SILENT
    if answer := answer_to(call, config, {}):
        note_answer(call, config, answer)
    change = sweep(call, config)
    call.later.append(partial(tend, call, config, gates))
    memory = call.memory(config)
    # What was told stays open until the end of the turn; it is not told after every command.
    fresh = tuple(file for file in change.files if not memory.is_marked(file.path, SessionMark.SWEPT, content(file)))
    for file in fresh:
        memory.mark(file.path, SessionMark.SWEPT, content(file))
    change = replace(change, files=fresh)
    note_allowed_command(call)
    tampered = with_tampering(call, config, gates)
    tampered = (*tampered, *outside(call, config), *report_pushed_unseen(call, config, gates))
    if tampered and memory.is_marked("", SessionMark.TAMPERED, _fingerprints(tampered)):
        tampered = ()
    elif tampered:
        memory.mark("", SessionMark.TAMPERED, _fingerprints(tampered))
    if not change.files and not change.unchecked and not tampered:
        return SILENT
    call.later.append(partial(_doubt, memory, change))
    verdict = verified(call, config, gates, change)
    more = (*tampered, *broken_so_far(call, config, gates, change))
    verdict = with_outcomes(call, config, verdict, more)
    if verdict.decision is Decision.ALLOW:
        return report_pass(call, verdict, config, change)
    return report(call, verdict, config, change)


def _doubt(memory: SessionMemory, change: Change) -> None:
    """Whatever the verdict: what nobody could look at is looked at when the turn ends."""
    for item in change.unchecked:
        memory.doubt(item.path, item.reason)


def _fingerprints(outcomes: Iterable[Outcome]) -> str:
    return " ".join(finding.fingerprint for outcome in outcomes for finding in outcome.findings)


def sweep(call: Call, config: Config, *, thorough: bool = False) -> Change:
    """Every file of the project that changed since the session last looked, and whose content nobody has passed.

    From here on the session knows of them, and of what git itself has put there.
    """
    root, session = call.project.root, call.event.session
    since = call.project.store.swept(session, root)
    if since is None:
        begin(call)
        return Change(root)
    found, gone = _changed_since(call, since, thorough=thorough)
    call.later.append(partial(_go_on_from, call, found.at))
    if any(path.rpartition("/")[2] == IGNORE_FILE for path in (*found.paths, *gone)):
        call.project.added_ignored.forget(session)
    # Where git's index has changed since the last look, and when the turn ends.
    is_due = thorough or call.project.added_ignored.has_new_index(session)
    added = _added_ignored(call) if is_due else AddedIgnored()
    _note_forced(call.memory(config), added)
    aside = sorted(path for path in added.paths if not config.paths.checks(path))[:_MOST_ADDED]
    names = {*found.paths, *gone, *_touched_paths(call), *added.against_the_rules, *aside}
    if thorough:
        names.update(unverified(call.project, session))
        names.update(name for name in edited(call, config) if not lexists(root / name))
    result = diff_since_session_start(call, sorted(names))
    accept(call, config, result.brought)
    merge(call, config, result.change.files, result.merged)
    call.later.append(partial(note_edited, call, config, result.change))
    return doubtful(result.change, call.memory(config))


def _changed_since(call: Call, since: int, *, thorough: bool) -> tuple[ChangedPaths, tuple[str, ...]]:
    """What is there, and what is gone."""
    found = call.project.tree.listed(since, verified=thorough)
    if found is None:
        return _looked_for(call, since)
    return found, () if found.whole else missing(call)


def _looked_for(call: Call, since: int) -> tuple[ChangedPaths, tuple[str, ...]]:
    """What is there, and what is gone: git looks for that while we ask every file."""
    with ThreadPoolExecutor(1, thread_name_prefix="sweep") as aside:
        gone = aside.submit(missing, call)
        return call.project.tree.looked_for(since), gone.result()


def _touched_paths(call: Call) -> Iterable[str]:
    root = call.project.root
    names = (name_in(root, real(path)) for path in call.event.touched)
    return (name for name in names if not name.startswith("/"))


def _added_ignored(call: Call) -> AddedIgnored:
    """What git took in although nobody lints it: in excluded folders, and against the ignore rules."""
    root = call.project.root
    try:
        if not (root / ".git").exists():
            return AddedIgnored()
        base = call.base_commits(root).base
        return call.project.added_ignored.find(call.event.session, base or EMPTY_TREE, call.project.tree.aside())
    except UserError:
        return AddedIgnored()


def _note_forced(memory: SessionMemory, added: AddedIgnored) -> None:
    for path in added.against_the_rules:
        if not memory.is_marked(path, SessionMark.FORCED):
            memory.mark(path, SessionMark.FORCED)
            memory.forget(path)  # as long as git did not know it, it was nobody's business
