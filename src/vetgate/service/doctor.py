"""Is the gate really on? What agents examine of their side, and our own: configuration, store, folders, daemon."""

from __future__ import annotations

import os
import secrets
import shlex
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate import client, fallback
from vetgate.agents import CANARY, agent, agents, session_agents
from vetgate.agents.diagnosis import Diagnosis, Health, bad, good, note
from vetgate.checks import troubles
from vetgate.config.load import find
from vetgate.config.person import require_person
from vetgate.judges.triggers import longest_wait
from vetgate.model import CONFIG_NAME, UserError
from vetgate.ownership import fault, open_place
from vetgate.progress import Progress, unseen
from vetgate.project import Project
from vetgate.service.daemon import PATIENCE, call_from, listener
from vetgate.service.index import is_wanted
from vetgate.service.installation import A_FOLDER_OF_YOUR_OWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.agents.installation import Installation, Writing
    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.store import Store

_SET_UP = "vetgate init"
_LONG = 10.0
_TANGLED = "".join(f"    if a == {number}:\n        return {number}\n" for number in range(40))
_PLANTED = "others could put files there that the gate would trust"


@dataclass(frozen=True, slots=True)
class Examined:
    root: Path
    findings: tuple[Diagnosis, ...]

    @property
    def is_healthy(self) -> bool:
        return all(each.health is not Health.BAD for each in self.findings)

    def plain(self) -> dict[str, Any]:
        rows = [
            {"id": each.id, "status": each.health, "what": each.what, "why": each.why, "repair": each.repair}
            for each in self.findings
        ]
        return {"healthy": self.is_healthy, "project": str(self.root), "findings": rows}


def examine(installation: Installation, progress: Progress = unseen, *, asks_models: bool = False) -> Examined:
    """`asks_models`: each model is asked a question, which costs a little."""
    project = _set_up_project(installation)
    installation = _as_configured(installation, project)
    examined = [each.examination.examine(installation, progress) for each in agents()]
    found = list(_project(installation, project, asks_models=asks_models))
    found += (each for one in examined for each in one.registration)
    if project is not None:
        found += (each for one in examined for each in one.answers)
    return Examined(installation.root, (*found, *(each for one in examined for each in one.client)))


def repairs(installation: Installation) -> list[Writing]:
    """What can be put right by writing, for a person: our entries and the launcher."""
    require_person("repair the gate")
    configured = _as_configured(installation, _set_up_project(installation))
    wanted = (writing for each in agents() for writing in each.examination.repairs(configured))
    return [writing for writing in wanted if writing.changes]


def _set_up_project(installation: Installation) -> Project | None:
    is_set_up = Project.is_set_up(installation.root, installation.state)
    return Project(installation.root, installation.state) if is_set_up else None


def _as_configured(installation: Installation, project: Project | None) -> Installation:
    """With the time that hooks need for the judges in force."""
    if project is None:
        return installation
    config = project.effective().config
    return replace(installation, judged=longest_wait(config) if config.enabled else 0.0)


def _project(installation: Installation, project: Project | None, *, asks_models: bool) -> Iterator[Diagnosis]:
    if project is not None:
        in_force = project.effective()
        yield from _configuration(installation, in_force, project.store.trusted())
        yield from _store(project.store)
        yield from _index(project, in_force.config)
        if in_force.config.models or any(gate.judge for gate in in_force.config.gates.values()):
            from vetgate.service.model_health import examine_models  # noqa: PLC0415 - only where there are judges

            yield from examine_models(in_force.config, project, asks=asks_models)
    else:
        yield _not_set_up(installation)
    yield from _folders(installation)
    yield _daemon(installation.root)


def _configuration(
    installation: Installation, in_force: Effective, accepted: tuple[str, str] | None
) -> Iterator[Diagnosis]:
    file, place = in_force.file, installation.root / CONFIG_NAME
    if in_force.problem is not None:
        why = "its last good version is in force, or a person is asked"
        yield bad("configuration", in_force.problem.message, why, f"correct it in {place}")
        return
    if file is None:
        why = "the defaults are in force, and what the accepted file tightened"
        yield note("configuration", f"{CONFIG_NAME} is gone", why, f"restore {CONFIG_NAME}, or `vetgate init`")
        return
    if not file.config.enabled:
        why = "nothing is checked while `enabled` is false"
        yield bad("enabled", f"{CONFIG_NAME} switches the gates off", why, f"set `enabled: true` in {CONFIG_NAME}")
    for trouble in troubles(file.config):
        yield bad("rules", f"a rule of this project is left out: {trouble}", "it finds nothing", "vetgate test")
    if accepted and accepted[0] == file.sha256:
        yield good("configuration", f"{CONFIG_NAME} is valid and accepted")
        return
    waiting = in_force.ignored
    why = f"not in force: {'; '.join(waiting)}" if waiting else "it only tightens, so all of it is in force already"
    told = bad if waiting else note
    yield told("trust", f"{CONFIG_NAME} is valid, but nobody accepted it as it is now", why, "vetgate trust")


def _index(project: Project, config: Config) -> Iterator[Diagnosis]:
    if not config.enabled or not is_wanted(config):
        return
    found = project.index(config)
    if found is None:
        why = "duplicates and contracts are not checked; turns that change code say so at their end"
        yield bad("index", "the index of this project cannot be stored anywhere", why, f"look at {project.state_dir}")
    elif found.is_ready:
        files, _ = found.store.counts(str(found.root))
        yield good("index", f"the index of this project is ready, {files:,} {'file' if files == 1 else 'files'}")
    elif (progress := found.progress()) is not None:
        done = f"{progress.done:,} of {progress.total:,} files"
        yield good("index", f"the index of this project is being built, {done}; a turn waits for it at its end")
    else:
        told = "is not built yet: the next session builds it, and a turn waits for it at its end"
        yield good("index", f"the index of this project {told}")


def _not_set_up(installation: Installation) -> Diagnosis:
    why = f"hooks in your own settings judge only projects that have a {CONFIG_NAME}"
    try:
        find(installation.root)
    except UserError as error:  # it has one of another name
        return bad("configuration", error.message, why, error.hint)
    return bad("configuration", f"{installation.root} is not set up: it has no {CONFIG_NAME}", why, _SET_UP)


def _store(store: Store) -> Iterator[Diagnosis]:
    store.verify_sessions()
    if store.failure:
        why = "vetgate remembers neither earlier findings nor what it reported"
        yield bad("store", store.failure, why, "check the folder's owner, permissions and free space")
    elif broken := store.broken():
        why = "acceptances or decisions were changed, cut off or lost behind the gate's back"
        repair = "find out who did it; then `vetgate trust`, in a terminal, accepts the configuration again"
        yield bad("store", f"the record in {store.where} is not as it was written: {broken}", why, repair)
    else:
        yield good("store", f"the store can be read and written: {store.where}")


def _folders(installation: Installation) -> Iterator[Diagnosis]:
    for name, folder in (("state", installation.state), ("runtime", installation.runtime)):
        if folder is None:
            why = "there is no warm process, so every answer takes a little longer"
            yield note(name, "there is no folder for a socket", why, "set XDG_RUNTIME_DIR to a folder of your own")
        else:
            yield from _folder(name, folder)
    places = (installation.launcher(each.name) for each in session_agents())
    faults = {why: place for place in places if (why := fault(str(place)))}
    for why, place in faults.items() if not fault(str(installation.state)) else ():
        yield bad("launcher", f"{place} is not yours alone: {why}", _PLANTED, _repair_of(place))


def _folder(name: str, folder: Path) -> Iterator[Diagnosis]:
    try:
        found = folder.lstat()
    except FileNotFoundError:
        found = None
    except OSError as error:
        why = "nothing can be stored there, and no warm process can answer"
        yield bad(name, f"{folder} cannot be used: {error.strerror}", why, f"look at who owns {folder.parent}")
        return
    if why := fault(str(folder)):
        used = "; until then nothing is remembered" if name == "state" else "; until then there is no warm process"
        yield bad(
            name, f"{folder} is not yours alone, so it is not used: {why}", f"{_PLANTED}{used}", _repair_of(folder)
        )
    elif found is None:
        return
    elif _is_open(found, stat.S_IWGRP | stat.S_IWOTH):
        yield bad(name, f"{folder} is not yours alone", _PLANTED, f"chown {os.getuid()} {folder}; chmod 700 {folder}")
    elif _is_open(found, stat.S_IRWXG | stat.S_IRWXO):
        yield note(name, f"others can look into {folder}", "it holds what was decided", f"chmod 700 {folder}")


def _repair_of(path: Path) -> str:
    place = open_place(str(path))
    return f"chmod go-w {shlex.quote(place)}" if place else A_FOLDER_OF_YOUR_OWN


def _is_open(found: os.stat_result, bits: int) -> bool:
    return not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or bool(found.st_mode & bits)


def _daemon(root: Path) -> Diagnosis:
    call = call_from(root)
    pid = listener(call.address())
    if pid and not client.is_program(pid, fallback.DAEMON):
        what = f"process {pid} ({_program(pid)}) listens on the warm process's socket"
        why = "it can let anything pass, except at the end of a turn and at a commit"
        return bad("daemon", what, why, f"find out what it is and end it: kill {pid}")
    frame = client.ask_daemon(call.address(), client.pack(client.STATUS, {}), PATIENCE)
    if frame is None and pid is not None:
        why = "hooks judge without it, which takes a little longer"
        return note("daemon", "the warm process does not answer", why, "end it if it stays so: `vetgate daemon status`")
    if frame is None:
        return good("daemon", "no warm process yet; the first hook call starts it")
    if frame[1].get("current") != "yes":
        return note("daemon", "the warm process is of another version", "it ends by itself", "vetgate daemon stop")
    if differs := _answers_otherwise(call):
        why = "for the same event a fresh process gives another verdict"
        return bad("daemon", f"the warm process (pid {pid}) {differs}", why, "vetgate daemon stop")
    return good("daemon", f"a warm process answers (pid {frame[1].get('pid')}), and a fresh one says the same")


def _program(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError:
        return "unknown"


def _answers_otherwise(call: client.ClientCall) -> str:
    """What the warm process says of a bad edit and of a good one, beside what a fresh process says."""
    name = f"canary_{secrets.token_hex(4)}"
    for body in (_TANGLED, "    return 1\n"):
        path, content = f"{call.project}/{name}.py", f"def {name}(a):\n{body}"
        frame = call.frame(agent(call.agent).session_wire.edit_payload(path, content, call.project, CANARY), _LONG)
        warm = client.answer_in(client.ask_daemon(call.address(), frame, _LONG))
        try:
            fresh = client.answer_in(client.split(fallback.ask_child(frame, _LONG)))
        except fallback.ChildError:
            return ""  # the canaries through the hooks tell more
        if warm is not None and fresh is not None and warm != fresh:
            return "lets a bad edit pass" if fresh[0] else "does not say what it should"
    return ""
