"""What is in force for a command: what a person accepted here, else what is committed, and what on disk is looser.

And the file itself: shown with where each value comes from, or made of an older design.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from vetgate.checks import known_names, troubles
from vetgate.config import baseline
from vetgate.config.layers import read_file
from vetgate.config.load import defaults, find, load, loaded, with_pages
from vetgate.config.looser import Changed, ConfigInForce, standing, standing_with
from vetgate.config.migrate import is_gates_file, is_review_file, migrated_gates, migrated_review
from vetgate.config.migrate_judge import is_judge_file, migrated_judge
from vetgate.config.node import ConfigNode, Position, failure, read
from vetgate.config.plain import show
from vetgate.config.stricter import tighten
from vetgate.config.template import SHAPES, review_template
from vetgate.config.trust import base, effective, project_file
from vetgate.model import CONFIG_NAME, Decision, UserError, Verdict
from vetgate.project import Project
from vetgate.respond.loosened_config import as_committed, between, committed, with_loosened
from vetgate.runtime import state_dir
from vetgate.source import git
from vetgate.source.replace import write_bytes
from vetgate.source.root import store_key
from vetgate.source.stack import detect
from vetgate.store import Store, folder_of, open_project_store, was_set_up

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vetgate.config.baseline import Listed
    from vetgate.config.load import LoadedConfig
    from vetgate.config.migrate import Migration
    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.model import Change, Finding
    from vetgate.source.git import Repository

_NO_FILE = b"version: 1\n"
_MOST = 3
_MIGRATES = "a gates.json (gates, hooks), a review-config.yaml (loop1, loop2, loop3) or a judge.config.json"


_SEARCHED = 10_000  # rows of the log, the newest first


class InForce(NamedTuple):
    """The configuration and the baseline to go by, what the files loosen, and lines for a person."""

    config: Config
    listed: Listed
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


class _AcceptedConfig(NamedTuple):
    """What the store has of a person: their configuration, and the list of old findings."""

    trusted: tuple[str, str] | None = None
    listed: Listed | None = None


class Configurations:
    """What the projects that one command is about are configured with; each file is read once.

    `tried` is a file to go by instead of the projects' own.
    """

    def __init__(self, tried: Path | None = None) -> None:
        self._tried = tried
        self._files: dict[Path, LoadedConfig | None] = {}
        self._other: dict[Path, Config] = {}

    def written(self, root: Path) -> Config:
        """The file as it stands there, whether anybody accepted it or not."""
        if self._tried is not None:
            if root not in self._other:
                self._other[root] = named(self._tried, root)
            return self._other[root]
        file = self._file(root)
        return file.config if file is not None else with_pages(defaults(), root)

    def in_force(self, root: Path, commit: str = "HEAD", change: Change | None = None) -> InForce:
        """What a person accepted here and, where nobody did, what is committed; stricter files hold at once.

        `change` is what is judged where that is not the work tree. Raises UserError for a file that cannot be read.
        """
        found = self._in_force(root, commit, change)
        if self._tried is not None:
            found = InForce(self.written(root), found.listed)
        left_out = tuple(f"a rule of this project is left out: {trouble}" for trouble in troubles(found.config))
        return found._replace(notes=(*found.notes, *left_out))

    def _in_force(self, root: Path, commit: str, change: Change | None) -> InForce:
        kept = _kept(root)
        now = self._standing(root) if change is None else _changed(root, commit, change)
        before = as_committed(root, commit)
        accepted = ConfigInForce(base(kept.trusted, known_names()), kept.listed) if kept.trusted is not None else None
        findings = tuple(between(accepted, before, now))
        reference = accepted if accepted is not None else None if before.is_nothing else before
        allowed = kept.listed if kept.listed is not None else reference.listed if reference is not None else now.listed
        listed = baseline.common(now.listed or {}, allowed or {})
        for_agents = effective(root, kept.trusted, None, known_names(), self._files.get(root))
        config = for_agents.config if kept.trusted is not None else _unaccepted(root, before, now)
        notes = () if findings or find(root) is None else _waiting(for_agents)
        return InForce(config, listed, findings, notes)

    def _standing(self, root: Path) -> ConfigInForce:
        file = self._file(root)
        return standing_with(file and file.config, root)

    def _file(self, root: Path) -> LoadedConfig | None:
        if root not in self._files:
            self._files[root] = project_file(root, known_names())
        return self._files[root]


def named(file: Path, root: Path) -> Config:
    """A file that somebody wants to try."""
    if not file.exists():
        raise UserError(f"there is no file {file}", hint="--config takes the path of a configuration file")
    return load(file, known_names(), root)


def loosened(project: Project, in_force: Effective, commit: str) -> Verdict:
    """What is looser in a project's files than what a person accepted, as a verdict beside that of the checks.

    A file that nobody can read loosens nothing: what was good last is in force, and that was said already.
    """
    nothing = Verdict(Decision.ALLOW)
    if in_force.problem is not None:
        return nothing
    file = in_force.file
    try:
        now = standing_with(file and file.config, project.root)
    except UserError:
        return nothing
    findings = between(project.accepted(), as_committed(project.root, commit), now)
    return with_loosened(nothing, findings, in_force.config)


def _changed(root: Path, commit: str, change: Change) -> ConfigInForce:
    find(root)  # a file by a name that nobody reads is an error
    texts = {file.path: file.after for file in change.files}
    return standing(Changed(committed(root, commit), texts), known_names(), root)


def _unaccepted(root: Path, before: ConfigInForce, now: ConfigInForce) -> Config:
    """What is committed, where nobody accepted anything."""
    if before.config is None:
        return now.config or with_pages(defaults(), root)
    wanted = now.config or defaults()
    same = before.config.digest == wanted.digest
    return wanted if same else tighten(before.config, wanted, known_names()).config


def _waiting(for_agents: Effective) -> tuple[str, ...]:
    ignored = for_agents.ignored
    if not ignored:
        return ()
    more = f"; and {len(ignored) - _MOST} more" if len(ignored) > _MOST else ""
    waits = (
        f"{CONFIG_NAME} is not accepted as it is now; until `vetgate trust`, agents are held to the stricter settings"
    )
    return (f"{waits} ({'; '.join(ignored[:_MOST])}{more})",)


def _kept(root: Path) -> _AcceptedConfig:
    """Looking leaves no store behind where there was none."""
    if not is_known(root):
        return _AcceptedConfig()
    with open_store(root) as store:
        listed = store.baseline()
        with contextlib.suppress(UserError):
            return _AcceptedConfig(store.trusted(), None if listed is None else baseline.parsed(listed))
        return _AcceptedConfig(store.trusted())


def is_known(root: Path) -> bool:
    """Whether anything is remembered of this project."""
    key = store_key(root)
    try:
        return (folder_of(state_dir(), key) / "store.db").exists() or was_set_up(state_dir(), key)
    except OSError:
        return False


def open_store(root: Path) -> contextlib.closing[Store]:
    """What is remembered of a project."""
    return contextlib.closing(open_project_store(state_dir(), store_key(root)))


def recorded_store(root: Path) -> contextlib.closing[Store]:
    """The same for who only reads: UserError where nothing is on record."""
    if not is_known(root):
        raise UserError(f"nothing is recorded of {root}", hint="`vetgate init` sets a project up")
    return open_store(root)


@dataclass(frozen=True, slots=True)
class ProjectAround:
    """The repository around a folder, and the configuration that a person accepted there."""

    repository: Repository
    project: Project
    in_force: Effective

    @classmethod
    def at(cls, folder: Path) -> Self:
        repository = git.open_at(folder)
        project = Project(repository.top, state_dir())
        in_force = project.effective()
        project.keep_last_good()
        return cls(repository, project, in_force)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(filter(None, (*self.in_force.notes, self.project.store.problem)))


class ShownConfiguration(NamedTuple):
    """YAML with where each value comes from, and what is wrong with the file, whatever is in force instead."""

    text: str
    problem: UserError | None


def show_configuration(root: Path) -> ShownConfiguration:
    with open_store(root) as store:
        trusted = store.trusted()
        found = effective(root, trusted, store.last_good(), known_names())
        accepted = _accepted_words(store) if trusted is not None else "default"
    notes = "".join(f"# {line}\n" for note in found.notes for line in note.splitlines())
    if found.problem:
        tree = ConfigNode({}, Position(CONFIG_NAME, 1, 1))
        elsewhere = "default" if found.must_ask else "last good version"
    else:
        tree = (found.file or loaded(_NO_FILE, None, None, name="default")).tree
        elsewhere = accepted
    return ShownConfiguration(notes + show(found.config, tree, elsewhere=elsewhere), found.problem)


def _accepted_words(store: Store) -> str:
    """By whom and when the file in force was accepted."""
    row = next((row for row in store.decisions(_SEARCHED, accepted=True) if row.is_acceptance and row.body.trust), None)
    if row is None:
        return "accepted earlier"
    who = f" by {row.body.by.user}" if row.body.by and row.body.by.user else ""
    return f"accepted{who} on {time.strftime('%Y-%m-%d %H:%M', time.localtime(row.time))}"


def configuration_file(root: Path) -> Path:
    found = find(root)
    if found is None:
        raise UserError(
            f"there is no {CONFIG_NAME} in {root}: the defaults are in force", hint="`vetgate init` writes one"
        )
    return found


def migrated_configuration(file: Path, root: Path) -> Migration:
    """A file of an older design as the text of a vetgate.yaml, which can be read as one."""
    if not file.exists():
        raise UserError(f"{file} does not exist", hint="paths are relative to the current folder")
    node, problems = read(read_file(file, file.name), file.name)
    if problems:
        raise failure(problems)
    content: Any = node.plain
    commands = {task.name: task.command for task in detect(root).tasks}
    if is_gates_file(content):
        found = migrated_gates(content)
    elif is_review_file(content):
        found = migrated_review(content, commands)
    elif is_judge_file(content):
        found = migrated_judge(content, known_names(), commands)
    else:
        raise UserError(f"{file.name} is none of the files that can be migrated", hint=_MIGRATES)
    loaded(found.text.encode(), known_names(), None, name=f"{file.name} as {CONFIG_NAME}")
    return found


def schema_document() -> str:
    """The JSON Schema of vetgate.yaml."""
    from vetgate.config.document import schema_text  # noqa: PLC0415 - only this builds it

    return schema_text()


def review_shapes() -> Mapping[str, str]:
    """The shapes that the loops of a review can have, the usual one first, and what each runs."""
    return SHAPES


def review_loops(root: Path, shape: str) -> str:
    """Gates and loops of that shape, as text for a vetgate.yaml."""
    return review_template(shape, [(task.name, task.command) for task in detect(root).tasks])


def write_configuration(root: Path, text: str) -> None:
    """Only where there is none."""
    target = root / CONFIG_NAME
    if target.exists():
        raise UserError(f"there is a {CONFIG_NAME} already", hint="run it without --write and copy what you need")
    write_bytes(target, text.encode(), expected=None)
