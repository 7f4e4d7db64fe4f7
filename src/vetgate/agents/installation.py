"""What setting up writes: the files, each planned, shown and written whole, and what is kept to take them back."""

from __future__ import annotations

import difflib
import enum
import hmac
import json
import os
import shlex
import shutil
import stat
from dataclasses import dataclass, field, replace
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from vetgate import core, launcher, runtime
from vetgate.agents import agent
from vetgate.model import UserError
from vetgate.source.replace import read_bytes, remove, write_bytes
from vetgate.store import Seal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LAUNCHER, SETTINGS, COMMANDS, MCP = "launcher", "settings", "commands", "MCP server"
INSTRUCTIONS = "instructions"
EXECUTABLE = 0o755
_PRIVATE = 0o600  # a settings file can hold tokens, and so can the copy of it


class Scope(enum.StrEnum):
    """Whose settings: a person's own, a repository's, or a person's own for one repository."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Installation:
    """Where everything stands: the project, our two folders outside of it, and whose settings are meant, if said.

    `judged` is how many seconds the project's judges are waited for before a call, at most.
    `commands`: also what people may type there, as far as the agent knows files for that; `mcp`: also our server;
    `instructions`: also lines in the page that the agent reads first.
    `tracked`: also in files that the repository has in git, which a person has to agree to.
    """

    root: Path
    state: Path
    runtime: Path | None
    scope: Scope | None = None
    judged: float = 0.0
    commands: bool = True
    mcp: bool = True
    instructions: bool = False
    tracked: bool = False

    @property
    def target(self) -> Scope:
        """Where an agent is registered that keeps no settings of a person for one repository."""
        return Scope.PROJECT if self.scope is Scope.PROJECT else Scope.USER

    def keeps(self, scope: Scope, projects: tuple[str, ...]) -> bool:
        """Whether what is a person's own everywhere stays for these other projects: unless it is named, it does."""
        return scope is Scope.USER and bool(projects) and self.scope is None

    def launcher(self, name: str) -> Path:
        return launcher.place(self.state / "bin", name)

    def command(self, name: str, scope: Scope, event: str = "") -> str:
        """What is registered. A committed file is shared with people who have another home, or no vetgate.

        `event` is said there where the agent's payloads do not say it.
        """
        if scope is Scope.PROJECT:
            return launcher.shared_command(name, event=event)
        return shlex.join([os.fspath(self.launcher(name)), *(("--event", event) if event else ())])

    def launcher_writing(self, name: str) -> Writing:
        path = self.launcher(name)
        return Writing(path, LAUNCHER, read_bytes(path), launcher_script(name, self.state, self.runtime), EXECUTABLE)


def launcher_script(name: str, state: Path, runtime: Path | None, owner: int | None = None) -> bytes:
    settings = f"~/{agent(name).known.settings[0]}"
    spoken = launcher.OWN if name == launcher.AGENT else _spoken(name)
    return launcher.script(state, runtime, name, settings=settings, owner=owner, spoken=spoken).encode()


def _spoken(name: str) -> launcher.Spoken:
    form: Any = core.form_of(name)
    if not hasattr(form, "GUARDS"):
        return launcher.OWN
    return launcher.Spoken(
        form.denied({}, launcher.MESSAGE),
        form.passed({}, launcher.MESSAGE),
        form.GUARDS,
        form.READS,
        form.TOOL,
        getattr(form, "SILENCE", b""),
    )


@dataclass(frozen=True, slots=True)
class Writing:
    """One file that is about to be written.

    `before` is what was read when it was planned, `after` what is to stand there; None means no file.
    """

    path: Path
    kind: str
    before: bytes | None
    after: bytes | None
    mode: int | None = None

    @property
    def changes(self) -> bool:
        if self.before != self.after:
            return True
        return self.mode is not None and self.before is not None and stat.S_IMODE(self.path.stat().st_mode) != self.mode

    @property
    def verb(self) -> str:
        if self.before is None:
            return "create"
        return "remove" if self.after is None else "change"

    def diff(self) -> str:
        return "".join(
            line if line.endswith("\n") else f"{line}\n"
            for line in difflib.unified_diff(
                _lines(self.before),
                _lines(self.after),
                str(self.path) if self.before is not None else "/dev/null",
                str(self.path) if self.after is not None else "/dev/null",
            )
        )

    def write(self) -> None:
        if self.after is not None:
            write_bytes(self.path, self.after, expected=self.before, mode=self.mode)
        elif self.before is not None:
            remove(self.path, expected=self.before)

    def confirm(self) -> None:
        """Look at what was written; raise UserError, with the file as it was, when nobody can rely on it."""

    def original(self, earlier: Receipt | None) -> bytes | None:
        """The file as it would be without us; `earlier` is there when this is an upgrade of what we wrote before."""
        return earlier.before if earlier and earlier.is_untouched(self.before) else self.before


@dataclass
class Plan:
    """`notes` say what is left to a person, or worth knowing; `stuck` which hooks cannot be had.

    `tracked` are files in git that were left alone; for each, `stuck` says what to add by hand.
    """

    writings: list[Writing] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    tracked: list[Path] = field(default_factory=list)

    @property
    def changes(self) -> list[Writing]:
        return [writing for writing in self.writings if writing.changes]

    def add(self, other: Plan) -> None:
        self.writings += other.writings
        self.notes += other.notes
        self.stuck += other.stuck
        self.tracked += other.tracked


def unmanaged(title: str, command: str) -> NoReturn:
    """For an agent of which an administrator cannot register anything."""
    raise UserError(
        f"{title} has no administrator's settings that are known to run {command}",
        hint="register it for each account",
    )


@dataclass
class Removal:
    """What would be taken back, and what stays with the reason why."""

    writings: list[Writing] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def add(self, other: Removal) -> None:
        self.writings += other.writings
        self.left += other.left


class RegistrationPart(Protocol):
    """What is written for an agent, in one file or in several of a kind."""

    def plan(self, installation: Installation) -> Plan: ...
    def removal(self, installation: Installation, receipts: Receipts) -> Removal: ...


@dataclass(frozen=True, slots=True)
class RegistrationParts:
    """All that is written for an agent; `note` is said with it, `shared_note` where it is for a whole repository."""

    parts: tuple[RegistrationPart, ...]
    note: str = ""
    shared_note: str = ""

    def install(self, installation: Installation) -> Plan:
        plan = Plan()
        for part in self.parts:
            plan.add(part.plan(installation))
        if note := self.note or (self.shared_note if installation.scope is Scope.PROJECT else ""):
            plan.notes.append(note)
        return plan

    def remove(self, installation: Installation, receipts: Receipts) -> Removal:
        found = Removal()
        for part in self.parts:
            found.add(part.removal(installation, receipts))
        return found


class ScopedFile:
    """One file in each scope; a person has none of their own for one repository: theirs is in force everywhere.

    `path` is that of a scope and a project, `called` what is in it for a person.
    """

    path: Callable[[Scope, Path], Path]
    called = ""

    def paths(self, root: Path) -> dict[Scope, Path]:
        return {scope: self.path(scope, root) for scope in (Scope.USER, Scope.PROJECT)}

    def folder(self, scope: Scope, root: Path) -> Path:
        return self.path(scope, root).parent

    def is_there(self, path: Path) -> bool:
        """Whether anything of ours is in it."""
        raise NotImplementedError

    def removed(self, path: Path, receipts: Receipts) -> Removal:
        raise NotImplementedError

    def removal(self, installation: Installation, receipts: Receipts) -> Removal:
        found = Removal()
        for scope, path in self.paths(installation.root).items():
            if installation.scope not in {None, scope} or not self.is_there(path):
                continue
            others = receipts.others(path, installation.root)
            if installation.keeps(scope, others):
                found.left.append(f"{self.called}{path}: still needed in {', '.join(others)}")
            else:
                found.add(self.removed(path, receipts))
        return found


@dataclass(frozen=True, slots=True)
class Receipt:
    """One file as it was before we wrote it, and as we left it.

    `before` is None when there was none; `projects` are the folders it was written for. The `seal` shows that it is a
    receipt of ours for that content, from whichever environment.
    """

    path: Path
    kind: str
    before: bytes | None
    after: str
    projects: tuple[str, ...] = ()
    seal: str = ""

    def is_untouched(self, data: bytes | None) -> bool:
        return data is not None and digest(data) == self.after

    def without(self, project: Path) -> Receipt:
        return replace(self, projects=tuple(name for name in self.projects if name != str(project)))

    def with_project(self, project: Path) -> Receipt:
        return replace(self, projects=tuple(sorted({*self.projects, str(project)})))


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


class Receipts:
    """Kept in the state folder."""

    def __init__(self, state: Path) -> None:
        self.folder = state / "init"
        self._state = state

    def sealed(self, receipt: Receipt) -> Receipt:
        """Only for what is being written: a receipt that was read stays as it is."""
        return replace(receipt, seal=self._seal_of(receipt))

    def vouch_for(self, path: Path, data: bytes | None) -> bool:
        """Whether this is what vetgate itself wrote there last."""
        receipt = self.of(path)
        if receipt is None or not receipt.is_untouched(data):
            return False
        return bool(receipt.seal) and hmac.compare_digest(receipt.seal, self._seal_of(receipt))

    def _seal_of(self, receipt: Receipt) -> str:
        """Nothing where the key cannot be had: then nobody vouches for it."""
        try:
            return Seal.of_project(self._state, self.folder).of(os.fspath(receipt.path), receipt.after)
        except OSError:
            return ""

    def of(self, path: Path) -> Receipt | None:
        return self._read(self._place(path))

    def others(self, path: Path, project: Path) -> tuple[str, ...]:
        """The other projects that a file was written for."""
        receipt = self.of(path)
        return receipt.without(project).projects if receipt else ()

    def all(self) -> Iterator[Receipt]:
        for place in sorted(self.folder.glob("*")):
            receipt = self._read(place)
            if receipt:
                yield receipt

    def copy_of(self, path: Path) -> Path:
        return self._place(path) / "before"

    def keep(self, receipt: Receipt) -> None:
        place = self._place(receipt.path)
        if not (runtime.make_private(str(self.folder)) and runtime.make_private(str(place))):
            raise UserError(
                f"{self.folder} cannot be used to record what init writes",
                hint=f"make it a folder of your own: chmod 700 {self.folder}",
            )
        if receipt.before is None:
            (place / "before").unlink(missing_ok=True)
        else:
            self._write(place / "before", receipt.before)
        facts = {
            "path": os.fspath(receipt.path),
            "kind": receipt.kind,
            "created": receipt.before is None,
            "after": receipt.after,
            "projects": list(receipt.projects),
            "seal": receipt.seal,
        }
        self._write(place / "receipt.json", json.dumps(facts, indent=2).encode() + b"\n")

    def forget(self, path: Path) -> None:
        shutil.rmtree(self._place(path), ignore_errors=True)

    def _place(self, path: Path) -> Path:
        return self.folder / blake2b(os.fsencode(os.path.realpath(path)), digest_size=8).hexdigest()

    def _write(self, path: Path, data: bytes) -> None:
        write_bytes(path, data, expected=read_bytes(path), mode=_PRIVATE)

    def _read(self, place: Path) -> Receipt | None:
        try:
            facts = json.loads((place / "receipt.json").read_bytes())
            before = None if facts["created"] else (place / "before").read_bytes()
            projects, seal = tuple(facts["projects"]), str(facts.get("seal", ""))
            return Receipt(Path(facts["path"]), facts["kind"], before, facts["after"], projects, seal)
        except (OSError, ValueError, KeyError, TypeError):
            return None  # damaged or half written: then only what we recognise as ours is taken back


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
