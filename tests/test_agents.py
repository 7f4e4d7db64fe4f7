"""Agents are packages with the same parts, and nothing else in the program knows any of them by name."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

import vetgate
from vetgate import client, core, launcher
from vetgate.agents import CANARY, Examining, HookWire, Registration, SessionWire, Transcript, Wire, agent, agents
from vetgate.agents.git.wire import hook_payload, parse, render
from vetgate.app import App
from vetgate.known_agents import known_agents
from vetgate.model import Decision, Event, EventKind, Message, UserError, Verdict
from vetgate.tool_input import COMMANDS, EDITS, READS

SOURCE = Path(vetgate.__file__).parent
# What is registered with an agent stands alone, so it says for itself what it has to know.
HOOK_PATH = frozenset({"client.py", "core.py", "launcher.py", "tool_input.py"})
# Words that mean something else at least as often: a cursor of a tree, `continue` of a language, git, where code lies.
ORDINARY = frozenset(
    {
        *(
            "amp",
            "an agent",
            "cn",
            "continue",
            "crush",
            "cursor",
            "droid",
            "forge",
            "git",
            "goose",
            "interpreter",
            "llm",
        ),
        "q",
    }
)
ALLOWED = {
    ("checks/unsafe_command/cloud.py", "copilot"): "the tool of a cloud, of the same name",
    ("checks/unsafe_command/publishing.py", "copilot"): "as above",
    ("checks/unsafe_command/packages.py", "aider-chat"): "a package that anybody may install",
    ("checks/unsafe_command/packages.py", "qwen-code"): "as above",
    ("index/csharp.py", "Task"): "a type of another language",
    ("models/claude_cli.py", "claude"): "a person's own client as a model, which the configuration calls so",
    ("models/claude_cli.py", "claude_code"): "as above: variables that it is started with",
    ("models/claude_cli.py", "claude_config_dir"): "as above",
    ("models/claude_cli.py", "disableallhooks"): "as above",
    ("config/migrate.py", "claude"): "names of models",
    ("config/models.py", "claude"): "as above: the value of `models.NAME.api`",
    ("models/client.py", "claude"): "the module of that name",
    ("cli/review.py", "claude"): "the option `--claude` of a review",
    ("service/review_selection.py", "claude"): "as above",
    ("service/review_export.py", "claude"): "names in the files of an older design",
    ("respond/review_context.py", "claude"): "the option `--claude` of a review",
    ("service/reconcile_items.py", "claude"): "the value of `--source` for what models found",
    ("mcp/change_tools.py", "claude"): "as above, and the choice of gates of a review",
}
# Fields of payloads, answers and transcripts, and what a client writes into a prompt by itself.
WIRE = (
    *("hook_event_name", "tool_name", "tool_input", "tool_response", "tool_use_id", "transcript_path"),
    *("permission_mode", "stop_hook_active", "background_tasks", "last_assistant_message", "notebook_path"),
    *("hookSpecificOutput", "hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext"),
    *("systemMessage", "stopReason", "defaultMode", "task-notification", "toolUseResult", "bashEditDiff"),
)
# Events that no gate listens to, and tools that nobody has to tell apart; those of other agents stand in their pages.
EVENTS = ("PostToolUseFailure", "PermissionRequest", "Notification", "PreCompact")
TOOLS = ("Task", "Agent", "Skill", "TodoWrite", "ExitPlanMode", "BashOutput", "KillShell")

PARTS = {"wire": Wire, "registration": Registration, "examination": Examining, "transcript": Transcript}
NAMES = tuple(each.name for each in agents())
PACKAGES = tuple(f"vetgate.agents.{name.replace('-', '_')}" for name in NAMES)


def words_of_agents() -> set[str]:
    found = set(WIRE)
    for each in known_agents():
        found |= {each.title, each.program, each.folder, *each.processes, *each.launches, *each.markers, *each.servers}
        found |= {path.rstrip("/") for path in (*each.settings, *each.hooks, *each.credentials, *each.machine)}
        if each.gated:
            found |= {each.gated.moved_by, each.gated.started_in, *each.gated.unhooked_by, *each.gated.blinded_by}
            found |= {*each.gated.switches, each.gated.bypasses}
    found |= {each.name.replace("-", "_") for each in agents()} | {each.name for each in agents()}
    return {word for word in found if word and word.casefold() not in ORDINARY}


def names_of_events() -> set[str]:
    declared = (each.gated.events for each in known_agents() if each.gated)
    return {*EVENTS, *(name for events in declared for name in events)}


def said_in(source: str) -> tuple[list[str], list[str]]:
    """Every string but those that are documentation, and every name."""
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    pages = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and _has_page(node)}
    texts, names = [], []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in pages:
            texts.append(node.value if isinstance(node.value, str) else node.value.decode("latin-1"))
        elif isinstance(node, ast.ImportFrom):
            names += [node.module or "", *(each.name for each in node.names)]
        elif isinstance(node, ast.Import):
            names += [each.name for each in node.names]
        elif isinstance(node, ast.Name | ast.FunctionDef | ast.ClassDef | ast.Attribute):
            names.append(getattr(node, "id", "") or getattr(node, "name", "") or getattr(node, "attr", ""))
    return texts, names


def _has_page(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return bool(node.body) and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)


@lru_cache(maxsize=1)
def named() -> re.Pattern[str]:
    """Words that name an agent wherever they stand, in any case."""
    shapes = "|".join(re.escape(word) for word in sorted(words_of_agents(), key=len, reverse=True))
    return re.compile(rf"(?i)(?<![a-z0-9])(?:{shapes})(?![a-z0-9])")


@lru_cache(maxsize=1)
def called() -> tuple[frozenset[str], re.Pattern[str]]:
    """Events and tools: those of one plain word mean an agent's only where they are a whole text of their own."""
    names = {*names_of_events(), *TOOLS, *COMMANDS, *EDITS, *READS} - {
        "stop"
    }  # what one agent calls an event is a word
    joined = sorted(name for name in names if re.search("[a-z][A-Z]", name) and name != "PowerShell")
    return frozenset(names), re.compile(rf"(?<![A-Za-z])(?:{'|'.join(joined)})(?![a-z])")


def agents_in(source: str) -> set[str]:
    """What a module says that only an agent's package may know."""
    texts, names = said_in(source)
    whole, joined = called()
    # A backslash stands before what a pattern would take for something else.
    found = {match[0].casefold() for text in (*texts, *names) for match in named().finditer(text.replace("\\", ""))}
    found |= {match[0] for text in texts for match in joined.finditer(text)}
    return found | (whole & set(texts)) | {name for name in names if name.startswith(PACKAGES)}


def test_nothing_else_names_an_agent():
    outside = (file for file in sorted(SOURCE.rglob("*.py")) if not file.is_relative_to(SOURCE / "agents"))
    found = {
        (name, word)
        for file in outside
        if (name := file.relative_to(SOURCE).as_posix()) not in HOOK_PATH
        for word in agents_in(file.read_text("utf-8"))
    }
    assert found == set(ALLOWED)


NAMING = {
    "an event": 'if name == "PreToolUse": pass',
    "an event of one word": 'if name == "Stop": pass',
    "an event in a longer text": 'line = "the hook of PostToolUse is gone"',
    "a tool": 'if event.tool == "Bash": pass',
    "a tool in a list": 'READS = frozenset({"Read", "Other"})',
    "a settings folder": 'place = root / ".claude"',
    "a settings file": 'place = home / ".codex/hooks.json"',
    "a name": 'agent("claude-code")',
    "a title": 'print("Claude Code is too old")',
    "a marker": 'if "CLAUDECODE" in environment: pass',
    "what a client writes": 'if text.startswith("<task-notification>"): pass',
    "a field of a payload": 'raw["tool_input"]',
    "a package": "from vetgate.agents.git.wire import parse",
    "a package by its name": "import vetgate.agents.claude_code.wire",
}


@pytest.mark.parametrize("source", NAMING.values(), ids=NAMING.keys())
def test_it_is_noticed_who_names_an_agent(source):
    assert agents_in(source)


@pytest.mark.parametrize(
    "source", ['"""Not for Bash."""', "# PreToolUse", 'verb = "Stop it"', "class Glob: pass", 'git = "git"']
)
def test_words_that_everybody_uses_name_no_agent(source):
    assert not agents_in(source)


def test_what_stands_alone_knows_what_the_packages_declare():
    gated = [(each.name, each.known.gated) for each in agents() if each.known.gated]
    assert client.AGENT == launcher.AGENT == gated[0][0]
    assert set(client.ENVIRONMENT) >= {name for _, each in gated for name in (each.started_in, each.moved_by) if name}
    known = {name for _, each in gated for name in each.events} | set(EVENTS) | {"postToolUseFailure", "subagentStop"}
    assert {name.decode() for name in client.LONG_DEADLINES} | set(core.DECIDED) <= known


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", NAMES)
def test_every_agent_has_every_part(name, part):
    if part == "transcript" and not agent(name).capabilities.keeps_transcripts:
        return
    module = getattr(agent(name), part)
    wire = SessionWire if agent(name).known.gated else HookWire
    asked = wire if part == "wire" else PARTS[part]
    for method, wanted in inspect.getmembers(asked, inspect.isfunction):
        if not method.startswith("_"):
            _, *parameters = inspect.signature(wanted).parameters
            assert list(inspect.signature(getattr(module, method)).parameters) == parameters, method


def test_an_agent_that_nobody_knows():
    with pytest.raises(UserError) as raised:
        agent("nobody")
    assert raised.value.hint == f"one of: {', '.join(NAMES)}"


@pytest.mark.parametrize("name", ["nobody", "git"])
def test_events_of_a_session_come_from_an_agent_that_has_sessions(name, tmp_path):
    with pytest.raises(UserError) as raised:
        App(tmp_path).answer(name, b"1\0pre-commit\0", str(tmp_path))
    assert raised.value.hint == f"one of: {', '.join(each for each in NAMES if each != 'git')}"


def test_what_decides_about_the_hooks_is_declared():
    gated = [each for each in known_agents() if each.gated]
    assert {each.name for each in agents() if each.known.gated} == {*NAMES} - {"git"}
    assert all(each.settings and each.folder and each.markers for each in gated)
    programs = [name for each in known_agents() for name in each.launches]
    assert len(programs) == len(set(programs))


def test_what_is_known_of_agents_loads_none_of_their_parts():
    code = (
        "import sys; from vetgate.agents import agents; from vetgate.known_agents import known_agents;"
        "agents(), known_agents(); print(*sorted(each for each in sys.modules if each.startswith('vetgate.agents.')))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    packages = {f"vetgate.agents.{name.replace('-', '_')}" for name in NAMES}
    shared = {"vetgate.agents.hook_settings", "vetgate.agents.others"}
    assert set(loaded) == {*shared, *packages, *(f"{each}.known" for each in packages)}


@pytest.mark.parametrize("name", [each.name for each in agents() if each.known.gated])
def test_an_agent_can_do_what_it_declares(name, tmp_path):
    wire, can = agent(name).wire, agent(name).capabilities
    path = tmp_path / "a.py"
    event = wire.parse(wire.edit_payload(str(path), "a = 1\n", str(tmp_path), "s"), str(tmp_path))
    seen = [file.after for file in event.change.files] if event.change else []
    assert (event.kind, seen == ["a = 1\n"]) == (EventKind.BEFORE_EDIT, can.shows_content)
    asked = wire.render(event, Verdict(Decision.ASK, messages=(Message(Decision.ASK, "really?"),)))
    assert (b'"ask"' in asked.stdout) == can.asks
    both = (Message(Decision.ASK, "really?"), Message(Decision.WARN, "by the way"))
    beside = wire.render(event, Verdict(Decision.ASK, messages=both))
    assert (b'"ask"' in beside.stdout, beside.status) == (can.asks, asked.status), "a word takes no decision's place"
    assert can.holds(event.kind, Decision.BLOCK)
    assert can.holds(event.kind, Decision.ASK) != can.asks
    assert not can.holds(EventKind.AFTER_EDIT, Decision.BLOCK)
    assert can.holds(EventKind.AFTER_EDIT, Decision.HALT)


@pytest.mark.parametrize("order", [1, -1], ids=["first", "last"])
@pytest.mark.parametrize(("decision", "said"), [(Decision.ASK, "ask"), (Decision.BLOCK, "deny")])
def test_a_word_beside_a_decision_does_not_take_its_place(decision, said, order):
    messages = (Message(decision, "really?"), Message(Decision.WARN, "by the way"))[::order]
    event = Event("claude-code", EventKind.BEFORE_COMMAND)
    reply = agent("claude-code").wire.render(event, Verdict(decision, messages=messages))
    output = json.loads(reply.stdout)["hookSpecificOutput"]
    assert (output["permissionDecision"], output["permissionDecisionReason"]) == (said, "really?")
    assert output["additionalContext"] == "by the way"


MESSAGE_FILE = ".git/COMMIT_EDITMSG"
ADDRESS = "https://example.com/x.git"
CALLED = {
    "without words": (("pre-commit",), "", EventKind.COMMIT, None),
    "with a file": (("commit-msg", MESSAGE_FILE), "", EventKind.COMMIT, MESSAGE_FILE),
    "without a file": (("commit-msg",), "", EventKind.COMMIT, ""),
    "with nothing for a name": (("pre-push", "", ADDRESS), "", EventKind.PUSH, None),
    "with refs": (("pre-push", "origin", "x"), "refs/heads/a 12 refs/heads/b 34\n", EventKind.PUSH, None),
}


@pytest.mark.parametrize(("words", "lines", "kind", "message"), CALLED.values(), ids=CALLED.keys())
def test_what_git_calls_a_hook_with(words, lines, kind, message):
    event = parse(hook_payload(words, lambda: lines), "/repo")
    assert (event.agent, event.kind, event.tool, event.message) == ("git", kind, words[0], message)
    assert event.remote == (words[1:] if kind is EventKind.PUSH else ())
    assert [(ref.local, ref.remote) for ref in event.refs] == ([("12", "34")] if lines else [])


def test_only_a_push_has_lines_to_read():
    def read():
        raise AssertionError

    assert parse(hook_payload(("pre-commit",), read), "/repo").session == ""
    assert parse(hook_payload(("pre-push", CANARY), read), "/repo").session == CANARY


@pytest.mark.parametrize("payload", [b"", b"{}", b"2\0pre-commit"])
def test_what_no_hook_of_git_is_called_with(payload):
    with pytest.raises(ValueError, match=r"invalid literal|not what"):
        parse(payload, "/repo")


@pytest.mark.parametrize("decision", Decision)
def test_git_asks_nobody(decision):
    event = parse(hook_payload(("pre-commit",), str), "/repo")
    reply = render(event, Verdict(decision, messages=(Message(decision, "why\n"),)))
    assert reply.status == (decision > Decision.WARN)
    assert reply.stderr == b"why\n"


@pytest.mark.parametrize("decision", [Decision.ASK, Decision.BLOCK, Decision.HALT])
def test_a_refusal_that_nobody_put_into_words_is_no_pass(decision):
    event = Event("claude-code", EventKind.BEFORE_EDIT, cwd=Path("/"))
    reply = agent("claude-code").wire.render(event, Verdict(decision))
    said = json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecision"]
    assert said == ("ask" if decision is Decision.ASK else "deny")
