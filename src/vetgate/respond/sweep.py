"""What changed behind the gate's back, also outside of every project, goes through the same gates as an edit.

A shell is no side door: its files are nobody's code where they lie outside, but no place for secrets either.
"""

from __future__ import annotations

import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import islice
from os.path import lexists
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from vetgate.config.outside_config import guards_only
from vetgate.gates.sequence import judged
from vetgate.model import SILENT, Change, Decision, EventKind, File, UserError
from vetgate.respond.attempts import forgotten_before
from vetgate.respond.call import listening
from vetgate.respond.gates import config_of_checks
from vetgate.respond.grants import PENDING_SECONDS, answer_to, note_answer
from vetgate.respond.project_index import broken_so_far, edited, note_edited, note_theirs, tend
from vetgate.respond.protected_files import note_allowed_command, note_programs, note_protected, with_tampering
from vetgate.respond.session_commits import note_logs, report_pushed_unseen
from vetgate.respond.session_diff import MOST_AT_ONCE, began, diff_since_session_start, missing
from vetgate.respond.session_files import accept, merge, note_start_files, unverified
from vetgate.respond.verdict import content, doubtful, remember, report, report_pass, verified, with_outcomes
from vetgate.source.edit import on_disk
from vetgate.source.git import EMPTY_TREE, find
from vetgate.source.git_ignored import IGNORE_FILE, AddedIgnored
from vetgate.source.root import name_in, project_root, real
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.config.schema import Config
    from vetgate.model import Outcome, Verdict
    from vetgate.project import SessionMemory
    from vetgate.respond.call import Call
    from vetgate.source.tree import ChangedPaths


# Of each folder: how deep, how many names, how many files, and how large they may be.
_DEEPEST = 3
_MOST_NAMES = 2_000
_MOST_FILES = 200
_LARGEST = 1 << 20
_NEVER_ENTERED = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "venv", ".cache"})
_SHARED = (Path("/"), Path("/tmp"), Path("/var/tmp"), Path("/home"), Path(gettempdir()))  # noqa: S108


def note_folder(call: Call) -> None:
    """Where a command runs that is in no project."""
    folder = call.event.cwd
    if call.home is None or call.home is not call.project or folder == call.project.root:
        return
    place = real(folder)
    if not place.is_relative_to(call.project.root) and project_root(place) is None:
        call.project.store.mark(call.event.session, str(place), SessionMark.OUTSIDE)


def outside(call: Call, config: Config) -> tuple[Outcome, ...]:
    """What the gates say that guard the person, of all that changed there since the session began."""
    if call.at_home is not call or call.home is None:
        return ()
    folders = call.project.store.marked(call.event.session, SessionMark.OUTSIDE)
    since, own = began(call), real(call.own[0])
    files = [file for folder in folders for file in _changed(Path(folder), since, own)]
    files += [path for path in call.event.touched if project_root(path.parent) is None]
    if not files:
        return ()
    guards = guards_only(config)
    root = call.project.root
    change = on_disk(dict.fromkeys(files), root, root)
    verdict = judged(listening(guards, call.event.kind), guards, call.runners(guards, call.memory(guards), change))
    return tuple(outcome for outcome in verdict.outcomes if outcome.findings)


def _changed(folder: Path, since: int, own: Path) -> Iterator[Path]:
    """In a folder that others write to as well only what lies in it directly, and nothing hidden.

    `own` is where the gate itself writes. Its files are compared with what they were, and its databases are not to be
    opened beside the connections to them: that would end their locks.
    """
    if folder.is_relative_to(own):
        return
    is_shared = folder == real(Path.home()) or folder in _SHARED
    below = _below(folder, 0 if is_shared else _DEEPEST, str(own))
    entries = (entry for entry in below if not entry.is_dir(follow_symlinks=False))
    open_ones = (entry for entry in entries if not (is_shared and entry.name.startswith(".")))
    yield from (Path(entry.path) for entry in islice((each for each in open_ones if _is_new(each, since)), _MOST_FILES))


def _below(folder: Path, deepest: int, own: str) -> Iterator[os.DirEntry[str]]:
    """So many names at the most."""
    pending, left = [(str(folder), 0)], _MOST_NAMES
    while pending:
        here, depth = pending.pop()
        entries = _entries(Path(here))[:left]
        left -= len(entries)
        yield from entries
        inside = (entry for entry in entries if depth < deepest and entry.is_dir(follow_symlinks=False))
        pending += [(entry.path, depth + 1) for entry in inside if entry.path != own and _is_entered(entry)]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _is_entered(entry: os.DirEntry[str]) -> bool:
    """Projects are looked at as such."""
    return entry.name not in _NEVER_ENTERED and not os.path.lexists(f"{entry.path}/.git")


def _is_new(entry: os.DirEntry[str], since: int) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_ctime_ns > since and status.st_size <= _LARGEST


# Files that were changed before the session began; beyond this they count as they are in the last commit.
_MOST_DIRTY = 200


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
    names = {*found.paths, *gone, *_touched_paths(call), *added.against_the_rules}
    if thorough:
        names.update(unverified(call.project, session))
        names.update(name for name in edited(call, config) if not lexists(root / name))
    aside = (path for path in sorted(added.paths) if not config.paths.checks(path) and not _leads_on(root / path))
    names.update(islice(aside, max(MOST_AT_ONCE - len(names), 0)))
    result = diff_since_session_start(call, sorted(names))
    accept(call, config, result.brought)
    merge(call, config, result.change.files, result.merged)
    call.later.append(partial(note_edited, call, config, result.change))
    return doubtful(result.change, call.memory(config))


def _changed_since(call: Call, since: int, *, thorough: bool) -> tuple[ChangedPaths, tuple[str, ...]]:
    """What is there, and what is gone."""
    found = call.project.tree.listed(since, verified=thorough)
    if found is not None:
        return found, () if found.whole else missing(call)
    # Git looks for what is gone while we ask every file.
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


def _leads_on(path: Path) -> bool:
    """A link to a file that is there: whoever laid the link did not write that file."""
    return path.is_symlink() and path.exists()


def _note_forced(memory: SessionMemory, added: AddedIgnored) -> None:
    for path in added.against_the_rules:
        if not memory.is_marked(path, SessionMark.FORCED):
            memory.mark(path, SessionMark.FORCED)
            memory.forget(path)  # as long as git did not know it, it was nobody's business
