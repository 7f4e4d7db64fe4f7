"""Changes to the files that decide whether a gate stands at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from vetgate.checks.protected_file.facts import facts_of, weaker
from vetgate.engine.check import Check, InTests, Rule
from vetgate.failure import CLOSED
from vetgate.known_agents import known_agents
from vetgate.model import File, Finding, Span
from vetgate.severity import Severity
from vetgate.source.protected import Protected, ProtectedKind
from vetgate.source.root import project_root, real

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.config.schema import Config
    from vetgate.model import Change

_RULES = (
    Rule("gate", Severity.CRITICAL, "The gate's own program, launcher or store is changed."),
    Rule("hooks-off", Severity.CRITICAL, "An agent's settings lose the gate's hooks, or switch hooks off."),
    Rule("agent-settings", Severity.ERROR, "An agent's settings are changed: a person decides."),
    Rule("agent-hook", Severity.ERROR, "A script that an agent's hooks run is changed: a person decides."),
    Rule("agent-prompt", Severity.ERROR, "A command or skill of an agent runs what no hook sees: a person decides."),
    Rule("agent-instructions", Severity.ERROR, "What an agent reads in every project is changed: a person decides."),
    Rule("mcp-servers", Severity.ERROR, "Programs that an agent starts by itself are changed: a person decides."),
    Rule("git-hook", Severity.ERROR, "A hook of git is changed: a person decides; one that ran vetgate stays."),
    Rule("git-config", Severity.ERROR, "Git's settings make it run or read something else."),
    Rule("git-history", Severity.CRITICAL, "Git is made to show other history than there is."),
    Rule("start-up", Severity.ERROR, "A start-up file, or a file that grants access, is changed: a person decides."),
    Rule("conversation-log", Severity.CRITICAL, "The log of a conversation, which judges believe, is changed."),
    Rule("outside-project", Severity.ERROR, "A file outside of every project is written: a person decides."),
    Rule("looser-configuration", Severity.ERROR, "The project's own settings, rules or baseline become looser."),
    Rule("unsearched-push", Severity.CRITICAL, "Something left by a push that git's hooks have not searched."),
    Rule("hook-manager", Severity.ERROR, "Hooks that a project runs at commit time are taken out: a person decides."),
)
_BY_ID = {rule.id: rule for rule in _RULES}
_RULE_WHEN_WEAKER = {ProtectedKind.AGENT_SETTINGS: "hooks-off"}
# Kinds that differ only in what of them counts.
_RULE_OF = {
    ProtectedKind.GIT_HOOK_ELSEWHERE: "git-hook",
    ProtectedKind.PERSON_GIT_CONFIG: "git-config",
    ProtectedKind.GIT_HIDDEN: "git-config",
    ProtectedKind.PROGRAM: "gate",
}
_BLOCKED = frozenset({"gate", "hooks-off", "git-config", "git-history", "conversation-log"})
# Anything that is written there is for a person to see, weaker or not.
_ALWAYS = frozenset(
    {
        ProtectedKind.GATE,
        ProtectedKind.AGENT_SETTINGS,
        ProtectedKind.AGENT_HOOK,
        ProtectedKind.GIT_HOOK,
        ProtectedKind.GIT_HISTORY,
        ProtectedKind.START_UP,
        ProtectedKind.INSTRUCTIONS,
        ProtectedKind.CONVERSATION,
    }
)
_SAYS_LITTLE = frozenset({"its content was changed"})
_FIX = {
    "gate": "Leave it alone. A person can change vetgate in a terminal: `vetgate --help`.",
    "conversation-log": "Leave it to the client, which writes it by itself. Reading it is fine.",
    "hooks-off": "Keep vetgate's entries as they are. A person takes them out with `vetgate init --remove`.",
}
_REPAIR = "Tell the person: `vetgate doctor --repair`, in a terminal of their own, shows and repairs it."
_REPAIR_BY_KIND = {
    ProtectedKind.PROGRAM: "A person who upgraded vetgate goes on in a new session. Otherwise they install it again "
    "and run `vetgate doctor --repair` in a terminal of their own.",
    ProtectedKind.START_UP: "Tell the person what was added and why; they decide whether it stays.",
    ProtectedKind.GIT_HIDDEN: "Use `.gitignore`, which everybody sees. Tell the person which rules were added.",
    ProtectedKind.GIT_HISTORY: "Tell the person: `git replace -l` lists replacements, `git replace -d` takes one away.",
}
_SHORT = 10
_ASK = "Tell the person what you want to change there and why; they decide."


def guard(change: Change, config: Config, protected: Protected) -> Iterator[Finding]:  # noqa: ARG001 - as all guards
    gone = (File(file.was, file.before, None) for file in change.files if file.was)  # moved away is deleted there
    for file in (*change.files, *gone):
        kind = protected.kind_of(change.root / file.path)
        if file.before == file.after:
            continue
        if kind is not None:
            yield from _found(file, kind)
        elif Path(file.path).is_absolute() and not _is_common(Path(file.path), protected.home):
            yield _outside(file.path)
    for item in change.unchecked:
        kind = protected.kind_of(change.root / item.path)
        if kind is not None:
            yield _finding(item.path, kind, [f"nobody can tell what would be written: {item.reason}"])


def _is_common(path: Path, home: Path) -> bool:
    """Where agents and programs keep passing things, and the agent its own notes; or a project of its own."""
    if project_root(path.parent) is not None:
        return True
    real_path = real(path)
    if any(real_path.is_relative_to(real(Path(folder))) for folder in (gettempdir(), "/tmp", "/var/tmp")):  # noqa: S108
        return True
    notes = ((real(home / agent.folder), name) for agent in known_agents() for name in agent.notes)
    return any(real_path.is_relative_to(folder / name) for folder, name in notes)


def _said(rule_id: str, path: str, message: str, evidence: str, fix: str, *, asks: bool = False) -> Finding:
    """What is wrong with a file as a whole."""
    severity = _BY_ID[rule_id].severity
    return Finding(CHECK.id, rule_id, Span(path, 1), message, severity, evidence=evidence, fix=fix, asks=asks)


def _outside(path: str) -> Finding:
    fix = "Write inside the project, or into a temporary folder; otherwise tell the person what the file is for."
    return _said("outside-project", path, f"{path} is outside every project.", path, fix, asks=True)


def _found(file: File, kind: ProtectedKind) -> Iterator[Finding]:
    worse = weaker(facts_of(kind, file.before), facts_of(kind, file.after))
    # That a file which is being written has another content is no news.
    worse = [each for each in worse if each not in _SAYS_LITTLE]
    if worse or kind in _ALWAYS:
        yield _finding(file.path, kind, worse)


def tampered(path: str, kind: ProtectedKind, worse: list[str]) -> Finding:
    """What somebody did to a protected file behind the gate's back: told, and open until it is put back."""
    return replace(_finding(path, kind, worse), asks=False, fix=_REPAIR_BY_KIND.get(kind, _REPAIR))


def loosened(path: str, how: Iterable[str], *, by_a_person: bool) -> Finding:
    """A file of the project's own that would hold code to less; never in force, and open until a person accepts it."""
    what = "; ".join(how)
    message = f"{path} is looser than {'what a person accepted' if by_a_person else 'before'}: {what}."
    fix = "It is not in force. Undo the change, or ask the person to accept it: `vetgate trust` in their terminal."
    return _said("looser-configuration", path, message, what, fix)


def unsearched_push(branch: str, tip: str, what: str) -> Finding:
    """Nothing brings back what left: told, and held once."""
    message = f"{branch} was pushed past git's pre-push hook, so vetgate did not search {tip[:_SHORT]}: {what}."
    fix = "Tell the person what was pushed, and how. A secret that left has to be revoked."
    return _said("unsearched-push", branch, message, f"{branch} {tip}", fix)


def no_longer_readable(path: str, why: str) -> Finding:
    """What was read last stays in force here; whoever gets it from the repository has nothing to go by."""
    fix = "Its last readable version is in force. Restore the file, or fix it."
    return _said("looser-configuration", path, f"{path} can no longer be read: {why}.", why, fix)


def _finding(path: str, kind: ProtectedKind, worse: list[str]) -> Finding:
    usual = _RULE_OF.get(kind, str(kind))
    rule = _RULE_WHEN_WEAKER.get(kind, usual) if worse else usual
    what = "; ".join(worse) or _what(kind)
    asks = rule not in _BLOCKED and not (kind is ProtectedKind.GIT_HOOK and bool(worse))
    return _said(rule, path, f"{path} is a protected file: {what}.", what, _FIX.get(rule, _ASK), asks=asks)


def _what(kind: ProtectedKind) -> str:
    return _BY_ID[_RULE_OF.get(kind, str(kind))].summary.partition(":")[0].rstrip(".").lower()


CHECK = Check(
    id="protected-file",
    summary="Changes to agents' settings and hooks, git's hooks and configuration, and the gate itself.",
    scope="any file",
    rules=_RULES,
    on_touched_files=guard,
    in_tests=InTests.BLOCKS,
    rank=120,
    gate="protected",
    on_error=CLOSED,
    allowed_by="a person changes that file by hand",
    in_last_tier=True,
)
