"""What a command would do that cannot be taken back, or that nobody asked for, before it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import DEFAULTS, KINDS, WAYS, Policy
from vetgate.config.options import LESS, MORE, Option
from vetgate.config.value_shapes import Choice, Key, ListOf, MappingShape, TextShape
from vetgate.engine.check import Check, Rule
from vetgate.failure import CLOSED
from vetgate.severity import Severity

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.model import Command, Finding

_RULES = tuple(
    Rule(id=name, severity=Severity.ERROR, summary=f"It {kind.summary}.", cwe=kind.cwe) for name, kind in KINDS.items()
)


_PATHS = ListOf(TextShape("a path: absolute, from home (~/x) or from the root of the project", r"[^\x00-\x1f]{1,400}"))
_NOWHERE: tuple[str, ...] = ()
EFFECTS = Option(
    "commands.effects",
    MappingShape({name: Key(Choice(WAYS), f"When a command {kind.summary}.") for name, kind in KINDS.items()}),
    dict(DEFAULTS),
    "What happens when a command has an effect: allow, ask a person, auto (by what would be lost), or block.",
    MORE,
)
_TRUSTED = Option(
    "commands.trusted",
    _PATHS,
    _NOWHERE,
    "Folders outside the project in which commands may delete and write.",
    LESS,
)
SENSITIVE = Option(
    "commands.sensitive",
    _PATHS,
    _NOWHERE,
    "Files and folders that hold credentials, in addition to the usual ones.",
    MORE,
)


def policy_of(config: Config) -> Policy:
    return Policy(EFFECTS.of(config), _TRUSTED.of(config), SENSITIVE.of(config))


def _command(command: Command, config: Config) -> tuple[Finding, ...]:
    from vetgate.checks.unsafe_command.in_place import judge_in_place  # noqa: PLC0415 - a linter reads no commands

    return judge_in_place(command, policy_of(config))


CHECK = Check(
    id="unsafe-command",
    summary="Commands that destroy, leak, publish, stay behind, or get around the gate.",
    details=(
        "commands that delete, lose work, run fetched code, read or send credentials, publish, destroy "
        "infrastructure, skip hooks or tamper with the gate, with a safe way to do the same; words in `grep`, "
        "`echo` and commit messages are text"
    ),
    scope="shell, with Python, Node, Perl and Ruby one-liners",
    rules=_RULES,
    on_command=_command,
    rank=130,
    options=(EFFECTS, _TRUSTED, SENSITIVE),
    options_summary="What commands may do; see docs/checks/unsafe-command.md.",
    gate="commands",
    on_error=CLOSED,
    decisions=EFFECTS,
    in_last_tier=True,
)
