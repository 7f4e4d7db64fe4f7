"""Setting up agents in a home and a project of a test's own."""

from __future__ import annotations

from vetgate.agents import agent
from vetgate.agents.installation import Receipts
from vetgate.service.installation import _receipt

THEIRS = {
    "codex": {
        ".codex/hooks.json": '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "mine"}]}]}}\n',
        ".codex/config.toml": 'model = "x"\n\n[features]\nhooks = true\n',
    },
    "copilot": {".copilot/hooks/mine.json": '{"version": 1}'},
    "cursor": {".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "mine"}]}}'},
    "gemini": {".gemini/settings.json": '{\n  "security": {"auth": {}}, "hooks": {"BeforeTool": []}\n}\n'},
    "opencode": {".config/opencode/plugin/mine.js": "export const Mine = async () => ({})\n"},
    "qwen": {".qwen/settings.json": '{"theme": "dark"}'},
}


def install(place, name):
    plan = agent(name).registration.install(place)
    receipts = Receipts(place.state)
    for writing in plan.writings:
        receipts.keep(_receipt(writing, receipts.of(writing.path), place.root))
        writing.write()
        writing.confirm()
    return plan


def taken_back(place, name):
    """What is left, and why."""
    found = agent(name).registration.remove(place, Receipts(place.state))
    for writing in found.writings:
        writing.write()
    return found.left


def files_in(folder):
    found = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {str(path.relative_to(folder)): data for path, data in found.items() if "state" not in path.parts}
