"""What a command does that cannot be taken back, or that nobody asked for: the effects, and how each is decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vetgate.model import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.checks.unsafe_command.command_context import CommandPaths
    from vetgate.checks.unsafe_command.losses import Losses
    from vetgate.checks.unsafe_command.secrets import CredentialFiles
    from vetgate.source.shell.runs import ProgramRun


class EffectKind(NamedTuple):
    """`safe` is what to do instead, where the rule itself has nothing better to say."""

    summary: str
    safe: str
    cwe: tuple[int, ...] = ()


DELETES = "deletes-files"
LOSES_WORK = "loses-work"
LOSES_HISTORY = "loses-history"
SYSTEM = "changes-system"
RUNS_FETCHED = "runs-fetched-code"
READS_CREDENTIALS = "reads-credentials"
SENDS_CREDENTIALS = "sends-credentials"
PERSISTS = "persists"
DESTROYS_INFRASTRUCTURE = "destroys-infrastructure"
DESTROYS_DATA = "destroys-data"
PUBLISHES = "publishes"
SKIPS_HOOKS = "skips-hooks"
TAMPERS = "tampers-with-gate"
UNREADABLE = "unreadable"

KINDS: Mapping[str, EffectKind] = {
    DELETES: EffectKind(
        "deletes or truncates files that are not build output",
        "name the files one by one, or move them to a folder in /tmp first",
    ),
    LOSES_WORK: EffectKind(
        "throws away uncommitted work or local history", "run `git stash push -u` first, so that it can be brought back"
    ),
    LOSES_HISTORY: EffectKind(
        "rewrites or removes history that others have",
        "push a new commit (`git revert`), or a new branch, and let a person decide",
    ),
    SYSTEM: EffectKind(
        "changes a device or the system itself",
        "do it in a container or a temporary folder, or ask a person to run it",
    ),
    RUNS_FETCHED: EffectKind(
        "runs code that nobody has read",
        "save it to a file, show it, and run it in a step of its own once a person agrees",
        cwe=(494,),
    ),
    READS_CREDENTIALS: EffectKind(
        "reads credentials", "work with the names alone, or ask a person for the value that is needed", cwe=(522,)
    ),
    SENDS_CREDENTIALS: EffectKind("sends credentials to another place", "send made-up values instead", cwe=(201, 522)),
    PERSISTS: EffectKind(
        "leaves something behind that runs later or gives access",
        "put it into the project, as a script that a person starts",
        cwe=(506,),
    ),
    DESTROYS_INFRASTRUCTURE: EffectKind(
        "destroys infrastructure, volumes or what a registry holds",
        "show the plan (a dry run), and let a person carry it out",
    ),
    DESTROYS_DATA: EffectKind(
        "destroys data in a database", "work on a copy or in a transaction that is rolled back, or let a person do it"
    ),
    PUBLISHES: EffectKind("publishes or deploys", "use the dry run, and let a person publish"),
    SKIPS_HOOKS: EffectKind(
        "skips the hooks that check commits and pushes", "let the hooks run, and fix what they find"
    ),
    TAMPERS: EffectKind(
        "tampers with the gate, its settings or the agent's", "leave it as it is; a person can change it in a terminal"
    ),
    UNREADABLE: EffectKind("cannot be read", "write it as plain, shorter commands"),
}


# What no number of attempts turns into a question.
NEVER_ASKED = frozenset({SYSTEM, RUNS_FETCHED, READS_CREDENTIALS, SENDS_CREDENTIALS, PERSISTS, SKIPS_HOOKS, TAMPERS})


class MatchedEffect(NamedTuple):
    """What a rule says of one run, and what that calls for by itself: to be told, asked about or refused.

    `loss` says in a few words what would be lost, where somebody looked.
    """

    kind: str
    what: str
    safe: str = ""
    decision: Decision = Decision.BLOCK
    loss: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """`part` is the piece of the command that has the effect, `start` and `end` its place in it."""

    kind: str
    decision: Decision
    what: str
    part: str
    start: int
    end: int
    safe: str
    loss: str = ""


# What `commands.effects` may say of an effect, from the loosest on; `auto` leaves it to the rule.
AUTO = "auto"
WAYS = ("allow", "ask", AUTO, "block")
DEFAULTS: Mapping[str, str] = {name: "ask" if name == UNREADABLE else AUTO for name in KINDS}


@dataclass(frozen=True, slots=True)
class Policy:
    """What a project decides: a way for each effect, and paths that are freer or closer guarded than usual."""

    ways: Mapping[str, str] = field(default_factory=dict)
    trusted: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()

    def decision(self, effect: MatchedEffect) -> Decision:
        """What can be brought back is told whatever the way; everything else is at least asked about."""
        way = self.ways.get(effect.kind, DEFAULTS[effect.kind])
        if way == "allow":
            return Decision.ALLOW
        if way == AUTO or effect.decision < Decision.ASK:
            return effect.decision
        return min(effect.decision, Decision.ASK) if way == "ask" else Decision.BLOCK


@dataclass(frozen=True, slots=True)
class EffectContext:
    """`command` is all of it, `programs` are the names of all that it runs."""

    paths: CommandPaths
    policy: Policy
    secrets: CredentialFiles
    command: str
    programs: frozenset[str]
    losses: Losses


class Area(Protocol):
    """One area of effects."""

    def __call__(self, run: ProgramRun, context: EffectContext) -> Iterable[MatchedEffect]: ...
