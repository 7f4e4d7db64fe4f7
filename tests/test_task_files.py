"""Tasks by which code leaves, as mise, Task, poe, pdm, hatch and deno keep them."""

from __future__ import annotations

from pathlib import Path

import pytest

from vetgate.checks.unsafe_command.leaving import leaving

FILES = {
    "mise.toml": """\
[vars]
tool = "npm"
[tasks]
test = "pytest -q"
ship = "npm publish"
several = ["pytest -q", "git push origin topic"]
nested.run = "gh pr create --fill"
nested.alias = "n"
[tasks.after]
depends = ["test", "ship --now"]
[tasks.mixed]
run = [{task = "test"}, {tasks = ["ship"]}]
[tasks.filled]
run = "{{vars.tool}} publish"
[tasks."docs:send"]
run = "git push"
[tasks.loop]
depends = ["loop"]
""",
    "Taskfile.yml": """\
version: "3"
vars: {NPM: npm, AGAIN: 3}
tasks:
  default: {deps: [test]}
  test: pytest -q
  lint: [ruff check ., mypy]
  out: npm publish
  ci:
    deps: [lint]
    cmds:
      - task: test
      - cmd: "{{.NPM}} publish"
  up:
    aliases: [u]
    cmds: [{defer: git push}]
  all: {deps: [{task: up}]}
  loop: {cmds: [{task: loop}]}
  1: git push
""",
    "pyproject.toml": """\
[tool.poe.tasks]
check = "pytest -q"
send = "twine upload dist/*"
line = ["check", "send"]
steps = {sequence = [{cmd = "pytest"}, {shell = "git push origin v1"}]}
other = {ref = "send"}
python = {script = "pkg:main"}
[tool.pdm.scripts]
lint = "ruff check ."
up = {cmd = ["twine", "upload", "dist/x"]}
both = {composite = ["lint", "up --verbose"]}
post_docs = "git push"
docs = {shell = "mkdocs build"}
[tool.hatch.envs.default.scripts]
cov = ["pytest", "send-it"]
send-it = "twine upload dist/*"
quick = "pytest -q"
[tool.hatch.envs.docs.scripts]
put = "mkdocs gh-deploy"
""",
    "deno.json": """\
{"tasks": {"test": "deno test", "ship": "deno publish", "ci": {"command": "deno lint", "dependencies": ["ship"]}}}
""",
}
LEAVES = (
    *("mise run ship", "mise r several", "mise nested", "mise run n", "mise run after", "mise run mixed"),
    *("mise run -j 4 ship", "mise tasks run ship", "mise run test ::: ship", "mise run filled", "mise run docs:send"),
    *("mise -C .. run ship", "cd sub && mise run ship", "bash -c 'mise run ship'", "mise run --force ship --x"),
    *("task out", "task test out", "go-task ci", "task u", "task all", "task -d .. out", "task out X=1"),
    *("poe send", "poe line", "poe steps", "poe other", "uv run poe send", "poetry run poe line", "poe -v send"),
    *(
        "pdm run up",
        "pdm up",
        "pdm run both",
        "pdm run docs",
        "hatch run cov",
        "hatch run send-it",
        "hatch run docs:put",
    ),
    *("hatch -e docs run put", "deno task ship", "deno task ci"),
)
STAYS = (
    *("mise run test", "mise run loop", "mise run nothing", "mise install", "mise run -n ship", "mise tasks ls"),
    *("mise run test -- ship", "mise run test ship", "mise ls", "task", "task test", "task lint", "task --dry out"),
    *("task -l out", "task --summary out", "task loop", "task -t x.yml out", "poe check", "poe python", "poe -d send"),
    *(
        "pdm run lint",
        "pdm install",
        "pdm run --list up",
        "hatch run quick",
        "hatch build",
        "deno task test",
        "deno test",
    ),
)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "sub").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def found(command, project):
    place = project / "sub" if ".." in command else project
    return leaving(command, place, project, Path("/home/me"))


@pytest.mark.parametrize("command", LEAVES)
def test_what_a_task_sends_is_found(project, command):
    (each,) = found(command, project)
    assert each.folder is not None


@pytest.mark.parametrize("command", STAYS)
def test_other_tasks_pass(project, command):
    assert found(command, project) == ()


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "tasks: [out]", "tasks: {out: 3}", "tasks: {out: {cmds: 3}}", "[" * 100_000, "a: &a [*a]"]
)
def test_a_file_that_lists_no_tasks_runs_nothing(project, text):
    (project / "Taskfile.yml").write_text(text)
    assert found("task out", project) == ()


def test_what_refers_to_itself_over_and_over_has_an_end(project):
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)), "tasks: {out: *a39}"]
    (project / "Taskfile.yml").write_text("\n".join(lines))
    assert found("task out", project) == ()
