"""What a protected file says about the gates, as facts: those that must stay, and those that must not appear.

Facts can be kept without the text: settings may hold what nobody else should read.
"""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vetgate.known_agents import known_agents
from vetgate.source.git_settings import keeps_no_log, other_history, values_in
from vetgate.source.protected import ProtectedKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_NAME = "vetgate"
# Keys with which git runs, or reads, something else.
_RUNS = re.compile(
    r"^(?:core\.(?:hookspath|sshcommand|fsmonitor|editor|pager|attributesfile|excludesfile|gitproxy|askpass|alternaterefscommand)"
    r"|alias\..*|include\.path|includeif\..*|remote\..*\.(?:receivepack|uploadpack|vcs)|sequence\.editor|diff\.external"
    r"|trailer\..*\.(?:command|cmd)|gpg\.ssh\.defaultkeycommand|interactive\.difffilter|submodule\..*\.update"
    r"|filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:command|textconv)|merge\..*\.driver|credential\.(?:.*\.)?helper"
    r"|url\..*\.(?:insteadof|pushinsteadof)|gpg\..*program|gpg\.program|uploadpack\..*|receive\..*)$"
)
# Of these, what people and tools set every day: nothing is run but what git brings along or they installed.
_USUAL = re.compile(
    r"^(?:git[- ]lfs\b.*|store|cache.*|osxkeychain|manager(?:-core)?|libsecret|wincred|true|git-credential-\w+)$"
)
# An alias is another name for a command, unless it leaves hooks out or leads to a shell.
_SKIPS = re.compile(
    r"(?i)^!|--no-v|hookspath|(?:^|\s)-[a-z]*n[a-z]*(?:\s|$)|fast-import|commit-tree|update-ref|replace|(?:^|\s)-c\s*\w+\."
)
# What in a person's own settings decides about hooks, and which files git shows; the rest is theirs to change.
_ABOUT_HOOKS = re.compile(r"^(?:core\.(?:hookspath|fsmonitor|excludesfile)|include\.path|includeif\..*|alias\..*)$")
_GATED = tuple(agent.gated for agent in known_agents() if agent.gated)
_SWITCHES = tuple(name for gated in _GATED for name in gated.switches)
_BYPASSES = frozenset(gated.bypasses for gated in _GATED if gated.bypasses)
_VARIABLES = tuple(name for gated in _GATED for name in (*gated.unhooked_by, *gated.blinded_by, gated.moved_by) if name)
_POINTS_ELSEWHERE = re.compile(
    rf"^(?:{'|'.join(map(re.escape, _VARIABLES))}|VETGATE_(?!LOG$).*|GIT_(?:CONFIG|DIR|EXEC|TEMPLATE).*|HUSKY.*"
    r"|LEFTHOOK|SKIP|PRE_COMMIT_.*|HOME|PYTHON(?:PATH|HOME|STARTUP)|LD_PRELOAD)$"
)
_OF_AGENTS = re.compile(
    rf"^(?:\*\*)?/?(?:{'|'.join(re.escape(agent.folder) for agent in known_agents() if agent.folder)})/"
)
# Under which clients list servers, in texts where some of them take comments, and a comma behind the last entry.
_SERVERS = ("mcpServers", "servers")
_NO_VALUE = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)
_RUNS_BY_PROMPT = tuple(pair for agent in known_agents() for pair in agent.runs_by_prompt)
_EXECUTED = frozenset({ProtectedKind.GATE, ProtectedKind.GIT_HOOK, ProtectedKind.GIT_HOOK_ELSEWHERE})


class ProtectedFacts(NamedTuple):
    """`keeps` says what it means when one of them is gone, `lacks` what it means when one appears."""

    keeps: Mapping[str, str]
    lacks: Mapping[str, str]


def facts_of(kind: ProtectedKind, text: str | None, *, runs: bool = False) -> ProtectedFacts:
    """Of what a file says; `runs` is whether it may be executed, for those that have to be."""
    facts = _READERS[kind](text)
    if not runs or kind not in _EXECUTED or ("vetgate" not in facts.keeps and kind is not ProtectedKind.GATE):
        return facts
    return ProtectedFacts({**facts.keeps, "runs": "it is no longer executable"}, facts.lacks)


def program_facts(digest: str, version: str) -> ProtectedFacts:
    """Of the gate's own files."""
    return ProtectedFacts({digest: f"it is not what it was when the session began (vetgate {version})"}, {})


def weaker(before: ProtectedFacts, after: ProtectedFacts) -> list[str]:
    """What got worse between two looks at a file, in words."""
    gone = [meaning for fact, meaning in before.keeps.items() if fact not in after.keeps]
    come = [meaning for fact, meaning in after.lacks.items() if fact not in before.lacks]
    return list(dict.fromkeys((*gone, *come)))


def _settings(text: str | None) -> ProtectedFacts:
    """As every agent reads it to which it may belong."""
    read = [found for gated in _GATED if (found := gated.read_settings(text)) is not None]
    if not read:
        return ProtectedFacts({}, {"unreadable": "it can no longer be parsed, so every hook in it is lost"})
    keeps: dict[str, str] = {}
    lacks: dict[str, str] = {}
    for found in read:
        keeps |= {fact: meaning for event, how in found.ours.items() for fact, meaning in _entry(event, how)}
        keeps |= {f"{event} closed": f"a call passes when vetgate's hook for {event} fails" for event in found.closed}
        lacks |= {how: f"vetgate's hook does not hold a call any more ({how})" for how in found.weakened}
        lacks |= {name: f"{name} switches hooks off" for name in _SWITCHES if name in found.switched_on}
        elsewhere = (name for name in found.environment if _POINTS_ELSEWHERE.match(name))
        lacks |= {f"env {name}": f"{name} in it points hooks elsewhere" for name in elsewhere}
        lacks |= {each: f"{each} skips every permission prompt" for each in _BYPASSES if each == found.mode}
    return ProtectedFacts(keeps, lacks)


def _prompt(text: str | None) -> ProtectedFacts:
    found = ((match[0], meaning) for pattern, meaning in _RUNS_BY_PROMPT for match in re.finditer(pattern, text or ""))
    return ProtectedFacts({}, {_digest(passage): meaning for passage, meaning in found})


def _mcp_servers(text: str | None) -> ProtectedFacts:
    """What a client starts, by the name it has there; a text that is none starts nothing."""
    try:
        read = json.loads(_NO_VALUE.sub(lambda found: found[1] or "", text or "{}"))
        servers = [pair for key in _SERVERS for pair in (read.get(key) or {}).items()]
    except (ValueError, AttributeError, RecursionError):
        return ProtectedFacts({}, {})
    lacks = {_digest(json.dumps([name, how])): f"it makes the client start the server {name}" for name, how in servers}
    return ProtectedFacts({"vetgate": "vetgate's server is gone"} if _NAME in dict(servers) else {}, lacks)


def _git_config(text: str | None) -> ProtectedFacts:
    return _settings_of_git(text, _RUNS)


def _person_git_config(text: str | None) -> ProtectedFacts:
    return _settings_of_git(text, _ABOUT_HOOKS)


def _settings_of_git(text: str | None, wanted: re.Pattern[str]) -> ProtectedFacts:
    given = [(name, value.strip('"')) for name, value in values_in(text or "")]
    values = [(name, value) for name, value in given if wanted.match(name) and _counts(name, value)]
    lacks = {f"{name} {_digest(value)}": f"{name} makes git run or read something else" for name, value in values}
    blind = (name for name, value in given if keeps_no_log(name, value))
    return ProtectedFacts({}, lacks | {name: f"with {name} git keeps no log of what is pushed" for name in blind})


def _counts(name: str, value: str) -> bool:
    if name.startswith("alias."):
        return _SKIPS.search(value) is not None
    return name.startswith("core.") or _USUAL.match(value) is None


def _git_hook(text: str | None) -> ProtectedFacts:
    if text is None:
        return ProtectedFacts({}, {})
    keeps = {"vetgate": "it no longer runs vetgate"} if _NAME in text else {}
    return ProtectedFacts({"there": "the hook is gone", **keeps}, {_digest(text): "its content was changed"})


def _git_hook_elsewhere(text: str | None) -> ProtectedFacts:
    """Written by the people of a project, or by a tool for hooks: only that it runs vetgate has to stay."""
    return ProtectedFacts({"vetgate": "it no longer runs vetgate"} if text and _NAME in text else {}, {})


def _git_history(text: str | None) -> ProtectedFacts:
    meaning = "it makes git show another history than the real one"
    return ProtectedFacts({}, {_digest(line): meaning for line in other_history(text or "")})


def _git_hidden(text: str | None) -> ProtectedFacts:
    """Agents have git leave out settings of their own; a rule that takes files back in hides nothing."""
    lines = (line.strip() for line in (text or "").split("\n"))
    rules = (line for line in lines if line and line[0] not in "#!" and not _OF_AGENTS.match(line))
    meaning = "it makes git skip files, and with it the record of what was checked"
    return ProtectedFacts({}, {_digest(rule): meaning for rule in rules})


def _script(text: str | None) -> ProtectedFacts:
    if text is None:
        return ProtectedFacts({}, {})
    return ProtectedFacts({"there": "the file is gone"}, {_digest(text): "its content was changed"})


def _lines(text: str | None) -> ProtectedFacts:
    lines = (line.strip() for line in (text or "").split("\n"))
    kept = (line for line in lines if line and not line.startswith("#"))
    return ProtectedFacts({_digest(line): "what it ran is gone or changed" for line in kept}, {})


_READERS: dict[ProtectedKind, Callable[[str | None], ProtectedFacts]] = {
    ProtectedKind.GATE: _script,
    ProtectedKind.AGENT_SETTINGS: _settings,
    ProtectedKind.AGENT_HOOK: _script,
    ProtectedKind.AGENT_PROMPT: _prompt,
    ProtectedKind.INSTRUCTIONS: _prompt,
    ProtectedKind.MCP_SERVERS: _mcp_servers,
    ProtectedKind.GIT_HOOK: _git_hook,
    ProtectedKind.GIT_HOOK_ELSEWHERE: _git_hook_elsewhere,
    ProtectedKind.GIT_CONFIG: _git_config,
    ProtectedKind.PERSON_GIT_CONFIG: _person_git_config,
    ProtectedKind.GIT_HISTORY: _git_history,
    ProtectedKind.GIT_HIDDEN: _git_hidden,
    ProtectedKind.HOOK_MANAGER: _lines,
    ProtectedKind.START_UP: _script,
    ProtectedKind.CONVERSATION: _script,
}


def _entry(event: str, how: object) -> Iterator[tuple[str, str]]:
    meaning = f"vetgate's hook for {event} is gone or changed"
    yield event, meaning
    yield f"{event} {_digest(json.dumps(how))}", meaning


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
