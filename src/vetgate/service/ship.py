"""May this leave? The ship gate as anybody may ask it, by what is on record of the work tree or a commit."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.checks.secrets.text_redaction import all_without_secrets, without_secrets
from vetgate.config.person import require_person
from vetgate.gates.ship import commits, listens, ship_judged, work_tree
from vetgate.gates.ship import ship_lines as verdict_lines
from vetgate.model import Decision, UserError
from vetgate.respond.ship import asked_to_ship
from vetgate.service.acceptance import hand
from vetgate.service.configuration import ProjectAround

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.gates.ship import ShippedContent
    from vetgate.model import Verdict

OVERRIDE_DAYS = 7
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class ShipAnswer:
    """`allowed` is the exit status; `text` begins with the verdict. Each of the `reasons` has its kind.

    `output` is what the gates printed that failed, where any ran for this.
    """

    allowed: bool
    text: str
    reasons: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    output: str = ""

    def plain(self) -> dict[str, Any]:
        """For programs."""
        reasons = [{"kind": kind, "message": text} for kind, text in self.reasons]
        shown = {"shipAllowed": self.allowed, "reasons": reasons, "notes": list(self.notes)}
        found: dict[str, Any] = all_without_secrets(shown)
        return found


@dataclass(frozen=True, slots=True)
class Shipping(ProjectAround):
    """Of the repository around a folder."""

    def config(self) -> Config:
        config = self.in_force.config
        if not listens(config):
            hint = "add `gates: {reviewed: {ship: true}}` and `on: {ship: [reviewed]}`, accept it with `vetgate trust`"
            raise UserError("`on.ship` lists no gates, so the ship gate is off here", hint=hint)
        return config

    def ask(self, commit: str | None = None) -> ShipAnswer:
        """Of a commit, or else of the work tree."""
        config = self.config()
        if commit is None:
            return _answer(asked_to_ship(self.project, config))
        return _answer(ship_judged(self.project, config, (self._commit(commit),)))

    def override(self, reason: str, commit: str | None = None) -> str:
        """A person lets exactly one content leave, on record; its name."""
        require_person("let content leave that was not reviewed")
        if len(_WORD.findall(reason)) < 2:
            raise UserError(
                "an override needs a reason of two words or more",
                hint='--override "why it cannot wait, in a few words"',
            )
        self.config()
        store = self.project.store
        if store.failure or store.is_lost:
            raise UserError(f"nothing can be recorded: {store.problem}")
        content = self._commit(commit) if commit else work_tree(self.project)
        if not content.tree:
            raise UserError(f"the content of {content.what} cannot be determined: {content.problem}")
        words = without_secrets(" ".join(reason.split()))
        store.override_ship(content.tree, words, time.time() + OVERRIDE_DAYS * 86_400, hand())
        return f"{content.what} (content {content.tree[:10]})"

    def _commit(self, name: str) -> ShippedContent:
        (content,) = commits(self.project.root, (name,))
        if content.problem:
            raise UserError(content.problem, hint="name a branch, a tag or a commit")
        return content


def _answer(verdict: Verdict) -> ShipAnswer:
    reasons = tuple((finding.rule, finding.message) for finding in verdict.findings)
    failed = tuple(("error", outcome.error) for outcome in verdict.outcomes if outcome.error)
    notes = tuple(note for outcome in verdict.outcomes for note in outcome.evidence.splitlines())
    return ShipAnswer(verdict.decision <= Decision.WARN, verdict_lines(verdict), reasons + failed, notes)
