"""Tasks of a project by which code leaves: what package.json, a Makefile or a justfile has them run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from vetgate.checks.unsafe_command import leaving as leaving_module
from vetgate.checks.unsafe_command import project_tasks
from vetgate.checks.unsafe_command.leaving import leaving
from vetgate.source.shell.runs import ProgramRun

SCRIPTS = {
    "ship": "npm publish",
    "dry": "npm publish --dry-run",
    "postversion": "git push --follow-tags",
    "all": "npm run lint && npm run ship",
    "lint": "eslint .",
    "test": "vitest run",
    "pretest": "tsc",
    "postdeploy-docs": "gh pr create --fill",
    "deploy-docs": "mkdocs build",
    "again": "npm run again",
    "broken": "npm publish '",
    "number": 3,
}
MAKEFILE = """\
NPM ?= npm
URL := https://example.org/x
.PHONY: all test
all: build test  # the usual
build:
\t@echo build
test: build
\t-pytest -q
out: build notes
\t@$(NPM) publish

notes:
\techo "git push later"
again: build
	$(MAKE) -s tag
more:
	+${MAKE} again
up: tag
tag:
\tgit push origin v1
loop: loop
\ttrue
"""
JUSTFILE = """\
export A := "1"

test:
    pytest -q

send target="main": test
    @gh pr create --base {{target}}

ci: test send
"""
LEAVES = (
    *(
        "npm run ship",
        "yarn ship",
        "pnpm run ship",
        "bun run ship",
        "npm run-script ship",
        "npm run all",
        "npm version 1.0.1",
    ),
    *("npm run deploy-docs", "npm --prefix .. run ship", "cd sub && npm run ship", "bash -c 'npm run ship'"),
    *(
        "make out",
        "make -j4 tag",
        "make up",
        "make build out",
        "make -C .. out",
        "sudo make NPM=npm out",
        "make -j out",
        "make -j 2 out",
    ),
    *(
        "make again",
        "make more",
        "bmake out",
        "make -f Makefile out",
        "make --file=other.mk out",
        "just -f other.just up",
    ),
    *(
        "run-s lint ship",
        "npx run-p test 's*'",
        "npm-run-all --parallel lint all",
        "node --run ship",
        "node --run=ship",
    ),
    *("nr ship", "concurrently npm:ship npm:lint", "npx concurrently 'npm:deploy-*'", "pnpm run '/^sh/'"),
    *("just send", "just ci", "just send next", "just test send"),
)
STAYS = (
    *(
        "npm test",
        "npm t",
        "npm run test",
        "npm run lint",
        "npm run dry",
        "npm run again",
        "npm run broken",
        "npm run number",
    ),
    *(
        "npm version",
        "npm version --help",
        "npm run",
        "npm run nothing",
        "npm ci",
        "yarn lint",
        "pnpm install",
        "bun test",
    ),
    *(
        "make",
        "make test",
        "make -n out",
        "make --dry-run tag",
        "make notes",
        "make loop",
        "make nothing",
        "make -f x out",
    ),
    *("make -f other.mk", "just -f other.just", "run-s lint test", "run-p 'l*'", "npm-run-all lint dry", "nr test"),
    *("node --run test", "concurrently npm:lint 'npm:te*'", "pnpm run '/^lint/'", "node --run", "run-s --help ship"),
    *("just", "just test", "just --list", "just -n send", "just --show send"),
)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "package.json").write_text(json.dumps({"scripts": SCRIPTS}))
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "justfile").write_text(JUSTFILE)
    (tmp_path / "other.mk").write_text("test:\n\ttrue\nout:\n\tgit push\n")
    (tmp_path / "other.just").write_text("test:\n    true\nup:\n    git push\n")
    return tmp_path


def found(command, project):
    place = project / "sub" if ".." in command else project
    return leaving(command, place, project, Path("/home/me"))


@pytest.mark.parametrize("command", LEAVES)
def test_what_a_task_sends_is_found(project, command):
    (each,) = found(command, project)
    assert each.folder in {project, project / "sub", project / "sub" / ".."}


@pytest.mark.parametrize("command", STAYS)
def test_other_tasks_pass(project, command):
    assert found(command, project) == ()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"scripts": []}', '{"scripts": {"ship": {}}}', "[" * 100_000])
def test_a_file_that_is_no_package_runs_nothing(project, text):
    (project / "package.json").write_text(text)
    assert found("npm run ship", project) == ()


def test_what_comes_before_in_the_same_command_counts(project):
    (each,) = found("git commit -qam x && npm run ship", project)[1:]
    assert each.after_commit


def test_a_file_that_cannot_be_read_runs_nothing(project):
    (project / "Makefile").unlink()
    os.mkfifo(project / "Makefile")
    assert found("make out", project) == ()
    assert found("make -C $'a\\0b' out", project) == ()


def test_tasks_that_run_each_other_many_times_are_followed_so_far(project, monkeypatch):
    asked = []

    def task_of(run, cwd):
        asked.append(run)
        return project_tasks.task_of(run, cwd)

    monkeypatch.setattr(leaving_module, "task_of", task_of)
    scripts = {f"s{each}": " && ".join([f"npm run s{each + 1}"] * 12) for each in range(6)}
    (project / "package.json").write_text(json.dumps({"scripts": scripts}))
    assert found("npm run s0", project) == ()
    assert len(asked) < 1_000


def test_a_long_value_of_a_makefile_stands_in_shortened(project):
    (project / "Makefile").write_text("V = " + "x" * 100_000 + "\nall:\n" + "\techo $(V)\n" * 1_000)
    task = project_tasks.task_of(ProgramRun(("make", "all"), cwd=str(project)), str(project))
    assert task is not None
    assert len(task[1]) < 2_000_000
