"""What is looser in a project's files than what a person accepted, as a verdict beside that of the checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.config.looser import standing_with
from vetgate.model import Decision, UserError, Verdict
from vetgate.respond.loosened_config import as_committed, between, with_loosened

if TYPE_CHECKING:
    from vetgate.config.trust import Effective
    from vetgate.project import Project


def loosened(project: Project, in_force: Effective, commit: str) -> Verdict:
    """A file that nobody can read loosens nothing: what was good last is in force, and that was said already."""
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
