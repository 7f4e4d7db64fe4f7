"""Agents are packages with the same parts, and nothing else in the program knows any of them by name."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import vetgate
from vetgate.agents import Examining, Registration, SessionWire, Transcript, Wire, agent, agents
from vetgate.agents.git.wire import hook_payload, parse, render
from vetgate.app import App
from vetgate.known_agents import known_agents
from vetgate.model import Decision, Event, EventKind, Message, UserError, Verdict

SOURCE = Path(vetgate.__file__).parent
# What is registered with an agent stands alone, so it says for itself what it has to know.
HOOK_PATH = frozenset(
    {"client.py", "core.py", "failure.py", "fallback.py", "launcher.py", "runtime.py", "tool_input.py"}
)
# Words that mean something else at least as often: a cursor of a tree, `continue` of a language, git, where code lies.
ORDINARY = frozenset({"amp", "an agent", "cn", "continue", "crush", "cursor", "droid", "forge", "git", "goose", "q"})
ALLOWED = {
    ("checks/unsafe_command/cloud.py", "copilot"): "the tool of a cloud, of the same name",
    ("checks/unsafe_command/publishing.py", "copilot"): "as above",
    ("checks/unsafe_command/known_packages.py", "aider-chat"): "a package that anybody may install",
    ("checks/unsafe_command/known_packages.py", "qwen-code"): "as above",
}
WIRE = ("hook_event_name", "tool_name", "tool_response", "hookSpecificOutput", "permissionDecision")

PARTS = {"wire": Wire, "registration": Registration, "examination": Examining, "transcript": Transcript}
NAMES = tuple(each.name for each in agents())


def words_of_agents() -> set[str]:
    found = set(WIRE)
    for each in known_agents():
        found |= {each.title, each.program, each.folder, *each.processes, *each.launches, *each.markers, *each.servers}
        found |= {path.rstrip("/") for path in (*each.settings, *each.hooks, *each.credentials, *each.machine)}
        if each.gated:
            found |= {each.gated.moved_by, each.gated.started_in, *each.gated.unhooked_by, *each.gated.blinded_by}
            found |= {*each.gated.switches, each.gated.bypasses}
    found |= {each.name.replace("-", "_") for each in agents()}
    return {word for word in found if word and word.casefold() not in ORDINARY}


def said_in(file: Path) -> list[str]:
    """Every string but those that are documentation, and every name."""
    tree = ast.parse(file.read_text("utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    pages = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and _has_page(node)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in pages:
            found.append(node.value if isinstance(node.value, str) else node.value.decode("latin-1"))
        elif isinstance(node, ast.ImportFrom):
            found += [node.module or "", *(each.name for each in node.names)]
        elif isinstance(node, ast.Name | ast.FunctionDef | ast.ClassDef | ast.Attribute):
            found.append(getattr(node, "id", "") or getattr(node, "name", "") or getattr(node, "attr", ""))
    return found


def _has_page(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return bool(node.body) and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)


def test_nothing_else_names_an_agent():
    # A backslash stands before what a pattern would take for something else.
    shapes = "|".join(re.escape(word) for word in sorted(words_of_agents(), key=len, reverse=True))
    named = re.compile(rf"(?i)(?<![a-z0-9])(?:{shapes})(?![a-z0-9])")
    outside = (file for file in sorted(SOURCE.rglob("*.py")) if not file.is_relative_to(SOURCE / "agents"))
    found = {
        (name, match[0].casefold())
        for file in outside
        if (name := file.relative_to(SOURCE).as_posix()) not in HOOK_PATH
        for text in said_in(file)
        for match in named.finditer(text.replace("\\", ""))
    }
    assert found == set(ALLOWED)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", NAMES)
def test_every_agent_has_every_part(name, part):
    if part == "transcript" and not agent(name).capabilities.keeps_transcripts:
        return
    module = getattr(agent(name), part)
    asked = SessionWire if part == "wire" and agent(name).known.gated else PARTS[part]
    for method, wanted in inspect.getmembers(asked, inspect.isfunction):
        if not method.startswith("_"):
            _, *parameters = inspect.signature(wanted).parameters
            assert list(inspect.signature(getattr(module, method)).parameters) == parameters, method


def test_an_agent_that_nobody_knows():
    with pytest.raises(UserError) as raised:
        agent("nobody")
    assert raised.value.hint == "one of: claude-code, git"


@pytest.mark.parametrize("name", ["nobody", "git"])
def test_events_of_a_session_come_from_an_agent_that_has_sessions(name, tmp_path):
    with pytest.raises(UserError) as raised:
        App(tmp_path).answer(name, b"1\0pre-commit\0", str(tmp_path))
    assert raised.value.hint == "one of: claude-code"


def test_what_decides_about_the_hooks_is_declared():
    gated = [each for each in known_agents() if each.gated]
    assert {each.name for each in agents() if each.known.gated} == {"claude-code"}
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
    assert set(loaded) == {"vetgate.agents.others", *packages, *(f"{each}.known" for each in packages)}


@pytest.mark.parametrize("name", [each.name for each in agents() if each.known.gated])
def test_an_agent_can_do_what_it_declares(name, tmp_path):
    wire, can = agent(name).wire, agent(name).capabilities
    path = tmp_path / "a.py"
    event = wire.parse(wire.edit_payload(str(path), "a = 1\n", str(tmp_path), "s"), str(tmp_path))
    seen = [file.after for file in event.change.files] if event.change else []
    assert (event.kind, seen == ["a = 1\n"]) == (EventKind.BEFORE_EDIT, can.shows_content)
    asked = wire.render(event, Verdict(Decision.ASK, messages=(Message(Decision.ASK, "really?"),)))
    assert (b'"ask"' in asked.stdout) == can.asks
    assert can.holds(event.kind, Decision.BLOCK)
    assert can.holds(event.kind, Decision.ASK) != can.asks
    assert not can.holds(EventKind.AFTER_EDIT, Decision.BLOCK)
    assert can.holds(EventKind.AFTER_EDIT, Decision.HALT)


CALLED = {
    "without words": (("pre-commit",), "", EventKind.COMMIT),
    "with a file": (("commit-msg", ".git/COMMIT_EDITMSG"), "", EventKind.COMMIT),
    "with nothing for a name": (("pre-push", "", "https://example.com/x.git"), "", EventKind.PUSH),
    "with refs": (("pre-push", "origin", "x"), "refs/heads/a 12 refs/heads/b 34\n", EventKind.PUSH),
}


@pytest.mark.parametrize(("words", "lines", "kind"), CALLED.values(), ids=CALLED.keys())
def test_what_git_calls_a_hook_with(words, lines, kind):
    event = parse(hook_payload(words, lines), "/repo")
    assert (event.agent, event.kind, (event.tool, *event.words)) == ("git", kind, words)
    assert [(ref.local, ref.remote) for ref in event.refs] == ([("12", "34")] if lines else [])


@pytest.mark.parametrize("payload", [b"", b"{}", b"2\0pre-commit"])
def test_what_no_hook_of_git_is_called_with(payload):
    with pytest.raises(ValueError, match=r"invalid literal|not what"):
        parse(payload, "/repo")


@pytest.mark.parametrize("decision", Decision)
def test_git_asks_nobody(decision):
    event = parse(hook_payload(("pre-commit",)), "/repo")
    reply = render(event, Verdict(decision, messages=(Message(decision, "why\n"),)))
    assert reply.status == (decision > Decision.WARN)
    assert reply.stderr == b"why\n"


@pytest.mark.parametrize("decision", [Decision.ASK, Decision.BLOCK, Decision.HALT])
def test_a_refusal_that_nobody_put_into_words_is_no_pass(decision):
    event = Event("claude-code", EventKind.BEFORE_EDIT, cwd=Path("/"))
    reply = agent("claude-code").wire.render(event, Verdict(decision))
    said = json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecision"]
    assert said == ("ask" if decision is Decision.ASK else "deny")
