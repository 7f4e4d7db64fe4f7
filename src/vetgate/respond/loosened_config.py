"""A configuration or a baseline that became looser than a person accepted: as findings, wherever that shows."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from vetgate.checks import known_names
from vetgate.checks.protected_file import loosened, no_longer_readable
from vetgate.config.load import restored_config
from vetgate.config.looser import Changed, ConfigInForce, OnDisk, loosenings, may_matter, standing
from vetgate.config.plain import text
from vetgate.config.trust import project_file
from vetgate.engine.decide import decided
from vetgate.model import BASELINE_NAME, CONFIG_NAME, RULES_FOLDER, Outcome, UserError
from vetgate.redact import redacted
from vetgate.respond.call import ALWAYS
from vetgate.source.git_objects import Committed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vetgate.config.looser import ConfigFiles
    from vetgate.config.schema import Config
    from vetgate.model import Change, Finding, Verdict
    from vetgate.respond.call import Call

KIND = "configuration"
_GIT_SECONDS = 1.0
# What is noted of them: the configuration, and the digest of the baseline.
_NOTED = 2
_DEFAULTS = ConfigInForce()


def by_change(accepted: ConfigInForce | None, change: Change, below: ConfigFiles) -> list[Finding]:
    """What a change does to them, over the files it starts from."""
    texts = {file.path: file.after for file in change.files}
    if not may_matter(texts.keys()):
        return []
    try:
        after = standing(Changed(below, texts), known_names(), change.root)
    except UserError as error:
        return _unreadable(_before(below, change.root), error)
    return between(accepted, _before(below, change.root), after)


def between(accepted: ConfigInForce | None, before: ConfigInForce, after: ConfigInForce) -> list[Finding]:
    found = loosenings(accepted, before, after, known_names())
    is_person = accepted is not None and accepted is not _DEFAULTS
    return [loosened(path, how, by_a_person=is_person) for path, how in found]


def committed(root: Path, commit: str = "HEAD") -> ConfigFiles:
    return Committed(root, commit, RULES_FOLDER, _GIT_SECONDS)


def as_committed(root: Path, commit: str = "HEAD") -> ConfigInForce:
    """As a commit has them; nothing where there is no such commit, or it holds none that can be read."""
    if not (root / ".git").exists():
        return ConfigInForce()
    try:
        return _before(committed(root, commit), root)
    except UserError:
        return ConfigInForce()


def with_loosened(verdict: Verdict, findings: Iterable[Finding], config: Config) -> Verdict:
    """The verdict with what they come to, as the outcome of the gate that guards protected files."""
    found = tuple(findings)
    if not found:
        return verdict
    outcome = Outcome.of_findings(ALWAYS, found)
    decision = max(verdict.decision, decided((outcome,), config))
    return replace(verdict, decision=decision, outcomes=(*verdict.outcomes, outcome))


def before_the_write(call: Call, change: Change) -> list[Finding]:
    """Told, and let pass: it is not in force, and the turn does not end before it is put back or accepted."""
    accepted, below = call.project.accepted(), OnDisk(change.root)
    found = by_change(accepted, change, below)
    if found or accepted is not None:
        return [replace(each, later=True, advisory=True) for each in found]
    # A project that is being set up: nothing is held, and yet the defaults stay in force until a person accepts it.
    return [replace(each, advisory=True) for each in by_change(_DEFAULTS, change, below)]


def note_start(call: Call) -> None:
    """What they say when the session begins, so that what a person left there is not held against it."""
    root = call.project.root
    known = _before(OnDisk(root), root)
    config = None if known.config is None else redacted(text(known.config))
    facts = [config, _digest(root)]
    call.project.store.guard(call.event.session, {str(root / CONFIG_NAME): (KIND, facts)})


def since_start(call: Call) -> list[Finding]:
    """What became looser since then, and still stands. Next to nothing to ask for where all is as accepted."""
    project = call.project
    in_force = project.effective()
    if not in_force.looser and in_force.problem is None and not project.longer_baseline():
        return []
    root = project.root
    try:
        after = standing(OnDisk(root), known_names(), root)
    except UserError as error:
        return _unreadable(_at_start(call, ConfigInForce()), error)
    return between(project.accepted(), _at_start(call, after), after)


def _unreadable(before: ConfigInForce, why: UserError) -> list[Finding]:
    """Where they could be read before: what nobody could read then is nobody's fault now."""
    return [] if before.config is None else [no_longer_readable(CONFIG_NAME, str(why))]


def _at_start(call: Call, now: ConfigInForce) -> ConfigInForce:
    """As the session found them; as the last commit has them where that is not on record."""
    root = call.project.root
    before = as_committed(root)
    kind, held = call.project.store.guarded_file(call.event.session, str(root / CONFIG_NAME))
    if kind != KIND or not isinstance(held, list) or len(held) != _NOTED:
        return before
    config, listed = held
    kept = None
    with contextlib.suppress(UserError, ValueError):
        kept = restored_config(config, known_names()) if isinstance(config, str) else None
    return ConfigInForce(kept, now.listed if listed == _digest(root) else before.listed)


def made_of(root: Path) -> tuple[str, ...]:
    """The files that say what is in force, there or not: the project's own, what it extends, its rules, its list."""
    names: tuple[str, ...] = (CONFIG_NAME, *((BASELINE_NAME,) if (root / BASELINE_NAME).exists() else ()))
    with contextlib.suppress(UserError):
        file = project_file(root, known_names())
        names = (*names, *(part.name for part in (*file.parts, *file.pages))) if file is not None else names
    return tuple(dict.fromkeys(names))


def _before(files: ConfigFiles, root: Path) -> ConfigInForce:
    try:
        return standing(files, known_names(), root)
    except UserError:
        return ConfigInForce()


def _digest(root: Path) -> str:
    try:
        return sha256((root / BASELINE_NAME).read_bytes()).hexdigest()
    except OSError:
        return ""
