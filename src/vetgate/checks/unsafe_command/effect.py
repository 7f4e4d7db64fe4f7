"""What a command does that cannot be taken back, or that nobody asked for: the effects, and how each is decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vetgate.model import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.checks.unsafe_command.command_context import CommandPaths
    from vetgate.checks.unsafe_command.secrets import CredentialFiles
    from vetgate.source.shell.runs import ProgramRun


class EffectKind(NamedTuple):
    """`safe` is what to do instead, where the rule itself has nothing better to say."""

    summary: str
    safe: str
    default: Decision = Decision.BLOCK
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
        "deletes or truncates files that are no build output",
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
        "changes a raw device or the state of the machine",
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
        "leaves something behind that runs or gives access later",
        "put it into the project, as a script that a person starts",
        cwe=(506,),
    ),
    DESTROYS_INFRASTRUCTURE: EffectKind(
        "destroys infrastructure or what a registry holds", "show the plan (a dry run), and let a person carry it out"
    ),
    DESTROYS_DATA: EffectKind(
        "destroys data in a database", "work on a copy or in a transaction that is rolled back, or let a person do it"
    ),
    PUBLISHES: EffectKind("publishes or deploys", "use the dry run, and let a person publish"),
    SKIPS_HOOKS: EffectKind(
        "skips the hooks that check commits and pushes", "let the hooks run, and mend what they find"
    ),
    TAMPERS: EffectKind(
        "tampers with the gate, its settings or the agent's", "leave it as it is; a person can change it in a terminal"
    ),
    UNREADABLE: EffectKind("cannot be read", "write it as plain, shorter commands", default=Decision.ASK),
}


class MatchedEffect(NamedTuple):
    """What a rule says of one run; where it `asks`, a person decides on what would be refused."""

    kind: str
    what: str
    safe: str = ""
    asks: bool = False


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


@dataclass(frozen=True, slots=True)
class Policy:
    """What a project decides: a decision for each effect, and paths that are freer or closer guarded than usual."""

    decisions: Mapping[str, Decision] = field(default_factory=dict)
    trusted: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()

    def decision(self, kind: str) -> Decision:
        return self.decisions.get(kind, KINDS[kind].default)


@dataclass(frozen=True, slots=True)
class EffectContext:
    """`command` is all of it, `programs` are the names of all that it runs."""

    paths: CommandPaths
    policy: Policy
    secrets: CredentialFiles
    command: str
    programs: frozenset[str]


class Area(Protocol):
    """One area of effects."""

    def __call__(self, run: ProgramRun, context: EffectContext) -> Iterable[MatchedEffect]: ...
