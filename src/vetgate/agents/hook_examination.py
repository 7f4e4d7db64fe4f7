"""Is an agent really gated here? What its settings say, a canary through what is registered, and its program."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from vetgate.agents import CANARY, TANGLED, agent
from vetgate.agents.diagnosis import Examination, bad, good, look_at_launcher, note
from vetgate.agents.hook_registration import entries_in
from vetgate.agents.hook_settings import object_in
from vetgate.agents.installation import Scope
from vetgate.agents.mcp_servers import look_at
from vetgate.agents.quiet_process import run_quietly
from vetgate.expression import expression
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.hook_registration import HookFile, HookSettingsFile, Registered
    from vetgate.agents.installation import Installation, Plan, Writing
    from vetgate.agents.quiet_process import ProcessResult
    from vetgate.progress import Progress

REPAIR = "vetgate doctor --repair"
_WITHIN = 30.0
_VERSION_WITHIN = 20.0
_VERSION = expression(r"\d+\.\d+\.\d+")
_KEPT = ("HOME", "PATH", "USER", "LOGNAME", "LANG", "TMPDIR", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME")


@dataclass(frozen=True, slots=True)
class Examinee:
    """What is asked about an agent whose hooks are commands.

    `registered` are our commands, `problems` whatever keeps them from running. `wanted` are the events that we listen
    to, `guard` the one before a tool. `variables` are those that the agent sets for a hook, without a value for the
    project's folder. `is_denied` says whether an answer holds back an edit, `tried` is the version that was driven.
    """

    name: str
    guard: str
    wanted: tuple[str, ...]
    registered: Callable[[Installation], list[Registered]]
    problems: Callable[[Installation], Iterable[Diagnosis]]
    is_denied: Callable[[ProcessResult], bool]
    variables: Mapping[str, str]
    tried: str

    def examine(self, installation: Installation, progress: Progress) -> Examination:
        found = self.registered(installation)
        title = agent(self.name).known.title
        if not found:
            return Examination(self._not_registered(installation, title))
        return Examination(
            (*self._registration(installation, found, title), *self.problems(installation)),
            self._probed(installation, found, title, progress),
            self._client(title),
        )

    def require_supported(self) -> str:
        """What is worth knowing where the agent is not installed."""
        program = agent(self.name).known.program
        return (
            "" if shutil.which(program) else f"no `{program}` on the PATH; the hooks take effect once it is installed"
        )

    def _not_registered(self, installation: Installation, title: str) -> Iterator[Diagnosis]:
        """Of an agent that nobody uses here there is nothing to say."""
        if is_here(self.name, installation.root):
            what = f"{title} is on this machine, and vetgate is not registered with it"
            yield note(
                self.name, what, f"what {title} writes is judged at a commit alone", f"vetgate init --agent {self.name}"
            )

    def _registration(self, installation: Installation, found: list[Registered], title: str) -> Iterator[Diagnosis]:
        missing = [event for event in self.wanted if event not in {each.event for each in found}]
        where = ", ".join(dict.fromkeys(str(each.path) for each in found))
        if missing:
            why = "the gate does not hear of these events"
            yield bad(self.name, f"{where} lacks vetgate's hook for {', '.join(missing)}", why, REPAIR)
        else:
            yield good(self.name, f"{where} has vetgate's hooks for all {len(self.wanted)} events of {title}")
        short = [each for each in found if each.event == self.guard and 0 < each.seconds < 9]
        for each in short:
            why = f"{title} lets the call pass when its hook takes longer"
            yield bad(
                self.name, f"{each.path} gives our hook {each.seconds:g} s before a call, 10 are needed", why, REPAIR
            )
        if any(str(installation.launcher(self.name)) in each.command for each in found):
            yield look_at_launcher(installation, self.name)

    def _probed(
        self, installation: Installation, found: list[Registered], title: str, progress: Progress
    ) -> Iterator[Diagnosis]:
        commands = list(dict.fromkeys(each.command for each in found if each.event == self.guard))
        for done, command in enumerate(commands):
            progress(f"probing the hooks of {title}", done, len(commands))
            ran = self._run(installation, command)
            if ran.timed_out:
                yield bad(
                    self.name, f"{title}: the hook did not answer within {ran.seconds:.0f} s", "edits pass", REPAIR
                )
            elif self.is_denied(ran):
                yield good(self.name, f"{title}: a canary was stopped ({ran.seconds * 1000:.0f} ms)")
            else:
                said = " ".join((ran.stderr or ran.stdout).decode("utf-8", "replace").split())[:200] or "nothing"
                what = f"{title}: the hook let a function pass that is far too complex (status {ran.status}: {said})"
                yield bad(self.name, what, "nothing that it writes is judged", REPAIR)

    def _run(self, installation: Installation, command: str) -> ProcessResult:
        root = os.fspath(installation.root)
        path = os.path.join(root, "vetgate_canary.py")  # noqa: PTH118 - as text
        payload = agent(self.name).session_wire.edit_payload(path, TANGLED, root, CANARY)
        return run_quietly(
            ["/bin/sh", "-c", command],
            payload,
            cwd=root,
            env=kept_environment() | {name: value or root for name, value in self.variables.items()},
            seconds=_WITHIN,
        )

    def _client(self, title: str) -> Iterator[Diagnosis]:
        version = version_of(self.name)
        if version is None:
            what = f"no `{agent(self.name).known.program}` on the PATH"
            yield note(self.name, what, "the hooks take effect once it is installed", f"install {title}")
        else:
            yield good(self.name, f"{title} {version or 'of unknown version'} (vetgate was tried with {self.tried})")


def kept_environment() -> dict[str, str]:
    """What an agent surely passes on to what it starts."""
    return {name: os.environ[name] for name in os.environ if name in _KEPT or name.startswith("VETGATE_")}


def problems_in(file: HookFile, installation: Installation) -> Iterator[Diagnosis]:
    """What in settings of JSON keeps our hooks from running, for an agent that reads a repository's only in its top."""
    paths = file.paths(installation.root)
    for path in paths.values():
        yield from _switched_off(file.agent, path)
        yield from _too_short(file, path)
        if file.servers:
            yield from look_at(file.servers.words(read_bytes(path)), path, installation, kept_environment())
    if entries_in(paths[Scope.PROJECT]) and not entries_in(paths[Scope.USER]):
        what = f"{agent(file.agent).known.title} started in a subfolder does not load the repository's settings"
        repair = f"vetgate init --agent {file.agent}"
        yield note("subfolder", what, f"there the gate is off; start in {installation.root}", repair)


def _switched_off(name: str, path: Path) -> Iterator[Diagnosis]:
    known = agent(name).known
    read = known.gated.read_settings((read_bytes(path) or b"").decode("utf-8", "replace")) if known.gated else None
    if read is None or known.gated is None:
        yield bad("settings", f"{path} cannot be read", f"{known.title} takes no hook from it", f"put {path} right")
        return
    for switch in sorted(read.switched_on.intersection(known.gated.switches)):
        why = "no hook runs, neither a repository's nor your own"
        yield bad("disabled", f"{path} switches hooks off ({switch})", why, f"take that out of {path}")


def _too_short(file: HookFile, path: Path) -> Iterator[Diagnosis]:
    for entry in entries_in(path):
        timeout = entry.hook.get("timeout")
        if isinstance(timeout, int) and timeout < file.per_second:
            what = f"{path}:{entry.line}: the timeout of vetgate's hook for {entry.event} is {timeout} ms"
            why = f"{agent(file.agent).known.title} counts in milliseconds, and lets the call pass"
            yield bad("timeout", what, why, REPAIR)


def repaired(
    file: HookSettingsFile, install: Callable[[Installation], Plan], installation: Installation
) -> list[Writing]:
    """Our entries where they stand, and the launcher."""
    scopes = [scope for scope, path in file.paths(installation.root).items() if file.hooks_in(path)]
    alone = replace(installation, commands=False, mcp=False)  # they are no part of the gate
    return [writing for scope in scopes for writing in install(replace(alone, scope=scope)).writings]


def answer_in(ran: ProcessResult) -> dict[str, Any]:
    """The object that a hook answered with; nothing where that is none."""
    return object_in(ran.stdout) or {}


def is_here(name: str, root: Path) -> bool:
    """Whether the agent is installed, or somebody has settings of it, here or for themselves."""
    known = agent(name).known
    return known.is_configured(root) or (bool(known.program) and shutil.which(known.program) is not None)


def version_of(name: str) -> str | None:
    """Nothing where it does not say; None where it is not installed."""
    path = shutil.which(agent(name).known.program)
    if path is None:
        return None
    with tempfile.TemporaryDirectory(prefix="vetgate-") as home:
        environment = {"HOME": home, "TMPDIR": home, "PATH": os.environ.get("PATH", "")}
        ran = run_quietly([path, "--version"], b"", cwd=home, env=environment, seconds=_VERSION_WITHIN)
    match = _VERSION.search(ran.stdout.decode("utf-8", "replace")) if ran.status == 0 else None
    return match[0] if match else ""
