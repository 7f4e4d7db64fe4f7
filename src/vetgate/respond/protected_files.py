"""Protected files and the gate's own program between the start of a session and now: what changed behind its back."""

from __future__ import annotations

import contextlib
import os
import stat
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vetgate import __version__
from vetgate.checks.protected_file import CHECK, tampered
from vetgate.checks.protected_file.facts import ProtectedFacts, facts_of, program_facts, weaker
from vetgate.known_agents import known_agents
from vetgate.model import SILENT, Decision, Message, Outcome, Verdict
from vetgate.record import decision_id, record
from vetgate.respond import loosened_config
from vetgate.respond.call import ALWAYS, ENDS
from vetgate.respond.grants import of_command
from vetgate.respond.session_diff import diff_since_session_start
from vetgate.source.clock import elapsed_ms
from vetgate.source.disk import existing_text, read_existing
from vetgate.source.protected import LOG_INS, ProtectedKind
from vetgate.source.recent_sets import RecentValues
from vetgate.source.root import name_in
from vetgate.source.text import NotText
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vetgate.config.schema import Config
    from vetgate.model import Change, Finding
    from vetgate.respond.call import Call
    from vetgate.store import Store


_CACHES = "__pycache__"
_PART = 1 << 20
_PLACES = 8

# A file by path, last change, size and inode: whatever is done to it sets the moment, which nobody can set back.
Sign = tuple[str, int, int, int]
_KNOWN: RecentValues[str, tuple[list[Sign], str]] = RecentValues(_PLACES)


def digest_of(place: str) -> str:
    """Of a file, or of all files below a folder; "" where nothing is there. Bytecode is left out: it comes and goes."""
    signs = _signs(place)
    known = _KNOWN.get(place)
    if known is None or known[0] != signs:
        known = signs, _content(place, signs) if signs else ""
        _KNOWN.put(place, known)
    return known[1]


def _signs(place: str) -> list[Sign]:
    """What tells without reading that a file is another. Written out: hundreds of files, at every end of a turn."""
    try:
        status = os.stat(place)  # noqa: PTH116 - as above
    except OSError:
        return []
    if not stat.S_ISDIR(status.st_mode):
        return [_sign(place, status)]
    found: list[Sign] = []
    pending = [place]
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            _add_signs(found, entries, pending)
    return sorted(found)


def _add_signs(found: list[Sign], entries: Iterable[os.DirEntry[str]], pending: list[str]) -> None:
    for entry in entries:
        try:
            if not entry.is_dir():
                found.append(_sign(entry.path, entry.stat()))
            elif entry.name != _CACHES:
                pending.append(entry.path)
        except OSError:
            continue


def _sign(path: str, status: os.stat_result) -> Sign:
    return path, status.st_ctime_ns, status.st_size, status.st_ino


def _content(place: str, signs: list[Sign]) -> str:
    whole = blake2b(digest_size=16)
    for path, *_ in signs:
        whole.update(os.path.relpath(path, place).encode("utf-8", "surrogatepass") + b"\0")
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                while part := file.read(_PART):
                    whole.update(part)
        except OSError:
            whole.update(b"\0unreadable")
    return whole.hexdigest()


# Written by the people of a project, and other on another branch.
_OF_A_BRANCH = frozenset(
    {
        *(ProtectedKind.HOOK_MANAGER, ProtectedKind.AGENT_HOOK, ProtectedKind.GIT_HOOK_ELSEWHERE),
        *(ProtectedKind.AGENT_PROMPT, ProtectedKind.MCP_SERVERS),
    }
)
# Too many to be asked for after every command, or such as installers add to.
_AT_THE_END = frozenset({ProtectedKind.PROGRAM, ProtectedKind.AGENT_PROMPT, ProtectedKind.START_UP})
# What others note beside them: no file of these kinds is compared here.
GIT_LOGS = "git-logs"
_OTHERS = frozenset({loosened_config.KIND, GIT_LOGS})
_PUT_BACK = "a program overwrote it during this session, and vetgate put it back; what ran meanwhile was not checked"
_UNREADABLE = ProtectedFacts({}, {"unreadable": "it can no longer be read"})


def note_protected(call: Call) -> None:
    """As they are when the session begins, so that what happens to them later shows.

    Before the answer: the first command of a session may come before there was time to look around.
    """
    held = {str(path): (str(kind), list(_facts(path, kind))) for path, kind in call.protected.files()}
    call.project.store.guard(call.event.session, held)
    loosened_config.note_start(call)


def note_programs(call: Call) -> None:
    """The program has hundreds of files: they are asked for behind the answer."""
    kind = ProtectedKind.PROGRAM
    held = {str(path): (str(kind), list(_facts(path, kind))) for path in call.protected.programs()}
    call.project.store.guard(call.event.session, held)


def tampering(call: Call) -> list[Finding]:
    """What has been done to them since, and still stands."""
    rows = call.project.store.guarded(call.event.session)
    held = {path: row for path, row in rows.items() if row[0] not in _OTHERS}
    if not held:
        return _loosened(call)
    known = dict(_as_noted((path, row) for path, row in held.items() if _is_due(call, row[0])))
    for path, kind in call.protected.files():
        if _is_due(call, kind):
            known.setdefault(str(path), (kind, facts_of(kind, None)))
    compared = ((path, kind, weaker(before, _facts(Path(path), kind))) for path, (kind, before) in known.items())
    worse = [(path, kind, left) for path, kind, how in compared if how and (left := _unwanted(call, path, kind, how))]
    brought = _brought(call, [path for path, kind, _ in worse if kind in _OF_A_BRANCH])
    return [*(tampered(path, kind, how) for path, kind, how in worse if path not in brought), *_loosened(call)]


def note_allowed_edit(call: Call, change: Change) -> None:
    """What a person let an agent write is no tampering when the turn ends."""
    after = ((change.root / file.path, file.after) for file in change.files)
    kinds = ((path, call.protected.kind_of(path), text) for path, text in after)
    _allow(call, [(path, kind, facts_of(kind, text)) for path, kind, text in kinds if kind is not None])


def note_allowed_command(call: Call) -> None:
    """The same of a command, for the start-up files that it names."""
    command = call.event.command
    named = [name for name in LOG_INS if name.rpartition("/")[2] in command]
    subject = of_command(command, call.event.cwd).subject if named else ""
    if not named or not call.project.store.is_marked(call.event.session, "", SessionMark.ALLOWED, subject):
        return
    kind = ProtectedKind.START_UP
    _allow(call, [(path, kind, _facts(path, kind)) for path in (call.protected.home / name for name in named)])


def _allow(call: Call, found: list[tuple[Path, ProtectedKind, ProtectedFacts]]) -> None:
    """It may be as it was, should the agent leave it at that, or as it was allowed."""
    rows = dict(_as_noted(call.project.store.guarded(call.event.session).items()))
    for path, kind, allowed in found:
        _, before = rows.get(str(path), (kind, facts_of(kind, None)))
        keeps = {fact: meaning for fact, meaning in before.keeps.items() if fact in allowed.keeps}
        either = ProtectedFacts(keeps, {**before.lacks, **allowed.lacks})
        call.project.store.guard(call.event.session, {str(path): (str(kind), list(either))})


def note_put_back(store: Store, session: str, paths: Iterable[Path]) -> None:
    """Somebody overwrote these launchers, and the daemon put them back: no later look finds what was done."""
    rows = dict(_as_noted(store.guarded(session).items()))
    for path in paths:
        kind, facts = rows.get(str(path), (ProtectedKind.GATE, ProtectedFacts({}, {})))
        told = ProtectedFacts({**facts.keeps, "overwritten": _PUT_BACK}, facts.lacks)
        store.guard(session, {str(path): (str(kind), list(told))})


def _unwanted(call: Call, path: str, kind: ProtectedKind, how: list[str]) -> list[str]:
    """Without what became of a launcher that a person had vetgate write anew, from whichever environment."""
    if kind is not ProtectedKind.GATE or not Path(path).is_file() or not os.access(path, os.X_OK):
        return how
    from vetgate.agents.installation import Receipts  # noqa: PLC0415 - only once something changed

    is_ours = Receipts(call.project.state_dir).vouch_for(Path(path), Path(path).read_bytes())
    return [each for each in how if each == _PUT_BACK] if is_ours else how


def changed_launchers(store: Store, is_as_written: Callable[[Path], bool]) -> list[Finding]:
    """For git's hooks, which go through no launcher: those that are not what they were as the last session began."""
    held = _as_noted(store.last_guarded(ProtectedKind.GATE).items())
    compared = ((Path(path), kind, weaker(before, _facts(Path(path), kind))) for path, (kind, before) in held)
    return [tampered(str(path), kind, how) for path, kind, how in compared if how and not is_as_written(path)]


def _loosened(call: Call) -> list[Finding]:
    """Settings of another branch are not in force either where they are looser, but nobody loosened anything."""
    found = loosened_config.since_start(call)
    if not found:
        return []
    names = {*loosened_config.made_of(call.project.root), *(each.span.path for each in found)}
    paths = [str(call.project.root / name) for name in names]
    return [] if _brought(call, paths).issuperset(paths) else found


def _is_due(call: Call, kind: str) -> bool:
    return kind not in _AT_THE_END or call.event.kind in ENDS


def _brought(call: Call, paths: list[str]) -> frozenset[str]:
    """Of these files, those that git put there as a commit from before the session has them: another branch, say."""
    root = call.project.root
    names = [name for name in (name_in(root, Path(path)) for path in paths) if not name.startswith("/")]
    if not names:
        return frozenset()
    brought = diff_since_session_start(call, names).brought
    return frozenset(str(root / file.path) for file in brought)


def with_tampering(call: Call, config: Config, gates: Iterable[str]) -> tuple[Outcome, ...]:
    """As the outcome of the gate that guards protected files, where one listens."""
    gate = guarding(config, gates)
    return as_guarded(call, config, gate, tampering(call)) if gate else ()


def guarding(config: Config, gates: Iterable[str]) -> str | None:
    return next((name for name in gates if CHECK.id in config.gates[name].checks), None)


def as_guarded(call: Call, config: Config, gate: str, found: Iterable[Finding]) -> tuple[Outcome, ...]:
    """As that gate weighs it."""
    findings = call.analyzer.weighed(found, config.gates[gate], config, "")
    return (Outcome.of_findings(gate, findings),) if findings else ()


def config_change(call: Call) -> Verdict:
    """A change of settings that would drop our hooks is not taken over by a session that is running."""
    worse = [each for each in tampering(call) if each.rule == "hooks-off"]
    if not worse:
        return SILENT
    text = f"{worse[0].message} vetgate keeps the session's hooks as they are. In a terminal: vetgate doctor --repair"
    outcome = Outcome.of_findings(ALWAYS, worse)
    message = Message(Decision.BLOCK, text)
    verdict = Verdict(Decision.BLOCK, (outcome,), id=decision_id(call.payload), messages=(message,))
    record(call.project.decisions, call.event, verdict, call.in_force.config, elapsed_ms(call.started))
    return verdict


def switched_off(root: Path) -> list[Finding]:
    """Settings in a repository with which an agent runs no hooks, not even a person's own."""
    places = ((known, known.gated, name) for known in known_agents() if known.gated for name in known.settings)
    found = []
    for known, gated, name in places:
        read = gated.read_settings(existing_text(root / name))
        off = sorted(read.switched_on.intersection(gated.switches)) if read else []
        how = [f"{each} switches off every hook of {known.title}, a person's own as well" for each in off]
        found += [tampered(name, ProtectedKind.AGENT_SETTINGS, how)] if how else []
    return found


def _facts(path: Path, kind: ProtectedKind) -> ProtectedFacts:
    if kind is ProtectedKind.PROGRAM:
        return program_facts(digest_of(str(path)), __version__)
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return facts_of(kind, None)
    except OSError:
        return _UNREADABLE
    seen = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return _read(path, kind, seen, runs=bool(status.st_mode & 0o111))


@lru_cache(maxsize=512)
def _read(path: Path, kind: ProtectedKind, _seen: tuple[int, ...], *, runs: bool) -> ProtectedFacts:
    """Once, as long as the file stays the same."""
    try:
        # References are many and their names are bytes: no limit of source files applies.
        text = (
            path.read_bytes().decode("latin-1")
            if kind is ProtectedKind.GIT_HISTORY
            else read_existing(path, follow=True)
        )
        return facts_of(kind, text, runs=runs)
    except (NotText, OSError):
        return _UNREADABLE


def _as_noted(
    rows: Iterable[tuple[str, tuple[str, object]]],
) -> Iterator[tuple[str, tuple[ProtectedKind, ProtectedFacts]]]:
    """Without what is no note of ours: it must not end the answer."""
    for path, (kind, facts) in rows:
        with contextlib.suppress(ValueError):
            held = msgspec.convert(facts, tuple[dict[str, str], dict[str, str]])
            yield path, (ProtectedKind(kind), ProtectedFacts(*held))
