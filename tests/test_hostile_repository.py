"""A repository that names a program wherever git would run one: nothing that vetgate does starts any of them."""

from __future__ import annotations

import json
import os
import subprocess
import time

import pytest

from fixtures import GOOD, Clone
from vetgate.app import App
from vetgate.source.git_tree import changes, content

SESSION = "5e551011-0000-4000-8000-000000000001"
# Every setting by which git's own documentation lets a configuration name a program.
PROGRAMS = (
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "filter.Other Name.clean",
    "diff.evil.command",
    "diff.evil.textconv",
    "diff.external",
    "merge.evil.driver",
    "core.fsmonitor",
    "core.pager",
    "pager.log",
    "pager.diff",
    "core.editor",
    "sequence.editor",
    "core.askPass",
    "core.sshCommand",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "credential.helper",
    "credential.https://example.org.helper",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.ssh.defaultKeyCommand",
    "gpg.x509.program",
    "interactive.diffFilter",
    "uploadpack.packObjectsHook",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "submodule.inner.update",
    "alias.diff",
    "alias.ls-files",
    "difftool.evil.cmd",
    "man.evil.cmd",
    "trailer.x.command",
    "sendemail.sendmailcmd",
)
HOOKS = ("pre-commit", "post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout", "pre-push")
FLAGS = {
    "filter.evil.required": "true",
    "log.showSignature": "true",
    "diff.submodule": "log",
    "submodule.recurse": "true",
    "protocol.ext.allow": "always",
    "core.logAllRefUpdates": "always",
    "status.submoduleSummary": "true",
    "push.gpgSign": "if-asked",
}


class Hostile(Clone):
    def __init__(self, folder):
        super().__init__(folder)
        self.marks = folder / "marks"
        self.marks.mkdir()
        self.evil = folder / "evil"
        self.evil.mkdir()
        for name in ("a.py", "lib/b.py", "notes.txt"):
            self.put(name, GOOD)
        self.put(".gitattributes", '* filter=evil diff=evil merge=evil\nlib/** filter="Other Name"\n*.txt filter=far\n')
        self._with_submodule(folder)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "start")
        self.install_client("echo 2.1.325")
        self.git("init", "-q", "--bare", str(folder / "remote.git"))
        self.git("remote", "add", "origin", str(folder / "remote.git"))
        self.git("push", "-q", "-u", "origin", "main")

    def _with_submodule(self, folder):
        source = folder / "source"
        source.mkdir()
        self.git("init", "-q", cwd=source)
        self.put("c.py", GOOD, cwd=source)
        self.put(".gitattributes", "* filter=evil diff=evil\n", cwd=source)
        self.git("add", "-A", cwd=source)
        self.git("commit", "-q", "-m", "start", cwd=source)
        self.git("submodule", "--quiet", "add", str(source), "inner")

    def turns(self):
        """From here on whatever git runs for this repository leaves a mark."""
        hooks = self.evil / "hooks"
        for hook in HOOKS:
            self.hook(hooks / hook, self._script(f"hook {hook}"))
        self.put("far", f'[filter "far"]\n\tclean = "{self._marking("included filter")}"\n', cwd=self.evil)
        settings = {key: self._marking(key, bang=key.startswith(("alias", "submodule"))) for key in PROGRAMS}
        settings |= FLAGS | {"include.path": str(self.evil / "far"), "remote.evil.url": "ext::" + self._marking("ext")}
        for place, hooked in ((self.root, False), (self.root / "inner", True)):
            for key, value in settings.items():
                self.git("config", key, value, cwd=place)
            if hooked:
                self.git("config", "core.hooksPath", str(hooks), cwd=place)
        for hook in HOOKS[1:]:
            if not (self.hooks / hook).exists():
                self.hook(self.hooks / hook, self._script(f"hook {hook}"))

    def _marking(self, key, *, bang=False):
        script = self.hook(self.evil / f"run {key.replace('/', '_')}".replace(" ", "_"), self._script(key))
        return f"{'!' if bang else ''}{script}"

    def _script(self, key):
        return f"#!/bin/sh\necho ran >> '{self.marks}/{key.replace('/', '_')}'\ncat 2>/dev/null\nexit 0\n"

    def stirred(self):
        """Every file newer than the index, so that git would have to read it, and one that changed."""
        now = time.time_ns()
        for folder in (self.root, self.root / "inner"):
            for file in folder.rglob("*"):
                if file.is_file() and ".git" not in file.parts:
                    os.utime(file, ns=(now, now))
        self.put("a.py", GOOD + f"\n\nX = {now}\n")
        self.put("c.py", GOOD + f"\n\nX = {now}\n", cwd=self.root / "inner")

    def marked(self):
        return sorted(mark.name for mark in self.marks.iterdir())


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    machine = Hostile(tmp_path_factory.mktemp("hostile"))
    said = machine.init("--yes", "--settings", "user")
    assert said.returncode == 0, said.stderr
    machine.git("add", "-A")
    machine.git("commit", "-q", "-m", "gate")
    machine.put("staged.py", GOOD)
    machine.git("add", "staged.py")
    machine.turns()
    machine.app = App(machine.state)
    return machine


def send(machine, event, **more):
    given = {"session_id": SESSION, "cwd": str(machine.root), "hook_event_name": event, "tool_use_id": "t1", **more}
    reply = machine.app.answer("claude-code", json.dumps(given).encode(), str(machine.root))
    machine.app.flush()
    return reply


def hook(machine, name, *words, lines=""):
    done = subprocess.run(
        [str(machine.hooks / "vetgate"), name, *words],
        cwd=machine.root,
        env=machine.env,
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in {0, 1}, done.stderr
    return done


def said(machine, *words):
    done = machine.vetgate(*words)
    assert done.returncode in {0, 1}, done.stdout + done.stderr


def session(machine):
    send(machine, "SessionStart", source="startup")
    given = {"file_path": str(machine.root / "new.py"), "content": GOOD}
    send(machine, "PreToolUse", tool_name="Write", tool_input=given)
    machine.put("new.py", GOOD)
    send(machine, "PostToolUse", tool_name="Write", tool_input=given, tool_response={})
    send(machine, "PreToolUse", tool_name="Bash", tool_input={"command": "git stash drop; rm -rf lib"})
    machine.stirred()
    send(machine, "PostToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_response={})
    send(machine, "Stop", stop_hook_active=False)


def push(machine):
    head = machine.git("rev-parse", "HEAD")
    zeros = "0" * 40
    remote = str(machine.root.parent / "remote.git")
    hook(machine, "pre-push", "origin", remote, lines=f"refs/heads/main {head} refs/heads/new {zeros}\n")
    hook(
        machine,
        "pre-push",
        "evil",
        machine.git("config", "remote.evil.url"),
        lines=f"HEAD {head} refs/heads/x {zeros}\n",
    )


def message(machine):
    machine.put(".git/COMMIT_EDITMSG", "a message\n")
    hook(machine, "commit-msg", ".git/COMMIT_EDITMSG")


SURFACES = {
    "a session": session,
    "check": lambda machine: said(machine, "check"),
    "check staged": lambda machine: said(machine, "check", "--staged"),
    "check diff": lambda machine: said(machine, "check", "--diff", "HEAD~1"),
    "review": lambda machine: said(machine, "review"),
    "replay": lambda machine: said(machine, "replay", "--git", "HEAD"),
    "commit": lambda machine: hook(machine, "pre-commit"),
    "message": message,
    "push": push,
    "doctor": lambda machine: machine.vetgate("doctor"),
    "init": lambda machine: said(machine, "init", "--yes", "--dry-run"),
    "index": lambda machine: said(machine, "index", "--build"),
    "metrics": lambda machine: said(machine, "metrics"),
    "the name of the content": lambda machine: content(machine.root, 20.0),
    "what differs": lambda machine: changes(machine.root, "HEAD", 20.0),
}


@pytest.mark.parametrize("surface", SURFACES)
def test_nothing_of_the_repository_is_run(hostile, surface):
    hostile.stirred()
    SURFACES[surface](hostile)
    assert hostile.marked() == []


def test_git_itself_would_run_them(hostile):
    """Last, since it leaves marks: the traps work."""
    hostile.stirred()
    hostile.run("add", "-A")
    assert {"filter.evil.process", "core.fsmonitor"} <= set(hostile.marked())
