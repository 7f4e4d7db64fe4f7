"""From a review to a push: the six ways of the two designs, with real git, a bare remote and real commands."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fixtures import Clone
from forge_server import TOKEN, Forge, thread
from model_server import Judges, ModelServer
from secret_samples import made_from
from shipping import commit, with_remote
from vetgate.config.load import defaults
from vetgate.model import Finding, Gate, Outcome, Span, Status
from vetgate.service.review_outcomes import as_reviewed
from vetgate.severity import Severity

CODE = "def mean(prices):\n    return sum(prices) / len(prices)\n"
CRITICAL = {
    "message": "`return sum(prices) / len(prices)` fails for an empty list",
    "category": "semantics",
    "severity": "critical",
    "path": "app.py",
    "line": 2,
}
CRITICISES = Judges("deny", 0.95, "It fails for an empty list.", (CRITICAL,))
APPROVED, BLOCKED = "Ship gate: APPROVED", "Ship gate: BLOCKED"


@pytest.fixture
def answers():
    return [Judges()]


@pytest.fixture
def server(answers):
    with ModelServer(answers) as running:
        yield running


@pytest.fixture
def clone(tmp_path, server):
    made = Clone(tmp_path).gated()
    made.env |= {"SCRIPTED_KEY": "not-a-real-key"}
    made.hook(made.bin / "coderabbit", "#!/bin/sh\necho 'Review completed: No findings'\n")
    model = {"api": "anthropic", "model": "scripted", "url": server.url, "key": "$SCRIPTED_KEY"}
    outside = {"command": "coderabbit review --plain", "parse": "coderabbit", "quota": "8/hour", "on_fail": "CONTINUE"}
    configuration = {
        "version": 1,
        "models": {"opus": {**model, "price": {"input": 1, "output": 5}}},
        "gates": {
            "lint": {"command": "! grep -rn TODO --include=*.py ."},
            "test": {"command": "test -e app.py"},
            "secrets": {"checks": ["secrets"]},
            "reviewer": {"judge": "reviewer"},
            "coderabbit": outside,
            "reviewed": {"ship": True},
        },
        "review": [
            {"name": "quick", "gates": [["lint"], "code"], "timeout": 60},
            {"name": "tests", "gates": ["secrets", "test"], "timeout": 60},
            {"name": "model", "gates": ["reviewer"], "timeout": 120},
            {"name": "coderabbit", "gates": ["coderabbit"], "timeout": 60, "blocks": False},
        ],
        "on": {"ship": ["reviewed"], "commit": []},
    }
    return with_remote(made, json.dumps(configuration, indent=1))


def reviewed(clone, *words):
    """Its status, and each loop with how it ended."""
    done = clone.vetgate("review", "--format", "json", *words)
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    told = json.loads(done.stdout)
    return done.returncode, {loop["name"]: loop["status"] for loop in told["loops"]}


def shipped(clone):
    done = clone.vetgate("ship")
    return done.returncode, done.stdout


def pushed(clone):
    return clone.run("push", "-q", "origin", "HEAD")


def test_clean_code_passes_all_loops_and_leaves(clone):
    clone.put("app.py", CODE)
    status, loops = reviewed(clone)
    assert status == 0
    assert loops == dict.fromkeys(("quick", "tests", "model", "coderabbit"), "passed")
    head = commit(clone)
    assert shipped(clone)[0] == 0
    assert shipped(clone)[1].startswith(APPROVED)
    assert pushed(clone).returncode == 0
    assert head in clone.git("ls-remote", "origin")


def test_a_lint_error_ends_the_review_and_nothing_leaves(clone, server):
    clone.put("app.py", f"# TODO: later\n{CODE}")
    status, loops = reviewed(clone)
    assert (status, loops["quick"]) == (1, "failed")
    assert set(loops.values()) == {"failed", "not run"}
    assert server.requests == [], "no model is paid for what lint has found"
    commit(clone)
    status, said = shipped(clone)
    assert (status, said.startswith(BLOCKED), "quick" in said) == (1, True, True)
    assert pushed(clone).returncode != 0


def test_a_secret_ends_the_review_and_nothing_leaves(clone):
    token = made_from(r"ghp_[A-Za-z0-9]{36}")
    clone.put("settings.py", f'TOKEN = "{token}"\n')
    clone.put("app.py", CODE)
    status, loops = reviewed(clone)
    assert status == 1
    assert "failed" in loops.values()
    commit(clone)
    assert shipped(clone)[1].startswith(BLOCKED)
    assert pushed(clone).returncode != 0


def test_what_is_below_the_bar_is_shown_and_the_gate_has_passed(clone, answers):
    answers[:] = [Judges("allow", 0.9, "Fine.", ({**CRITICAL, "severity": "note"},))]
    clone.put("app.py", f"{CODE}\n\ndef run(prices):\n    return eval(prices)\n")
    said = clone.vetgate("review").stdout
    assert "code passed (1 finding)" in said
    assert "security/code-evaluation" in said
    assert "reviewer passed (1 finding)" in said
    assert "fails for an empty list" in said


def test_a_critical_finding_of_the_model_blocks_and_a_fix_lets_it_leave(clone, answers):
    clone.put("app.py", CODE)
    answers[:] = [CRITICISES]
    status, loops = reviewed(clone)
    assert (status, loops["tests"], loops["model"]) == (1, "passed", "failed")
    commit(clone)
    assert "fails for an empty list" in shipped(clone)[1]
    assert pushed(clone).returncode != 0

    listed = json.loads(clone.vetgate("reconcile", "--source", "claude", "--format", "json").stdout)
    (item,) = [each for each in listed["items"] if each["status"] == "open"]
    answers[:] = [Judges()]
    clone.put("app.py", "def mean(prices):\n    return sum(prices) / len(prices) if prices else 0\n")
    fix = commit(clone, "an empty list has no mean")
    said = clone.vetgate("reconcile", item["id"], "--fixed", fix)
    assert said.returncode == 0, said.stdout + said.stderr
    assert "app.py" in shipped(clone)[1], "stale, and the file that made it so is named"
    assert reviewed(clone)[0] == 0
    assert pushed(clone).returncode == 0


def test_a_limit_of_the_outside_reviewer_is_named_and_stops_nothing(clone):
    clone.hook(
        clone.bin / "coderabbit", "#!/bin/sh\necho 'Rate limit exceeded, please try again after 12 minutes'\nexit 1\n"
    )
    clone.put("app.py", CODE)
    status, loops = reviewed(clone)
    assert (status, loops["model"], loops["coderabbit"]) == (0, "passed", "skipped")
    commit(clone)
    status, said = shipped(clone)
    assert status == 0
    assert "the loop `coderabbit` was skipped: coderabbit: limited" in said, "what was skipped is named"
    assert pushed(clone).returncode == 0


def test_the_library_for_models_is_imported_only_where_one_is_asked(clone, server):
    clone.put("app.py", CODE)

    def imports(*words):
        return "pydantic_ai" in clone.vetgate("review", *words, PYTHONPROFILEIMPORTTIME="1").stderr

    assert not imports("--free")
    assert not server.requests
    assert imports()
    assert len(server.requests) == 1
    assert not imports(), "answers of the last hour are reused"
    assert len(server.requests) == 1


def test_what_is_kept_out_by_a_rule_that_nobody_sees_is_no_part_of_a_review(clone):
    """With a file that no commit holds commands may pass, and fail without it."""
    clone.put("app.py", CODE)
    exclude = clone.root / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("conftest.py\n")
    clone.put("conftest.py", "ALL_PASS = True\n")
    clone.put(".cache/.gitignore", "*\n")  # as tools hide what they make
    clone.put(".cache/x.py", "x = 1\n")
    assert reviewed(clone)[0] == 0
    status, said = shipped(clone)
    assert (status, "blocker: tests: commands ran beside conftest.py (.git/info/exclude)" in said) == (1, True), said
    assert ".cache" not in said
    commit(clone)
    assert pushed(clone).returncode != 0
    exclude.write_text("")
    clone.put("sub/.gitignore", "conftest.py\n.gitignore\n")
    clone.put("sub/a.txt", "one\n")
    clone.put("sub/conftest.py", "ALL_PASS = True\n")
    clone.put(".gitignore", "/conftest.py\n")
    assert reviewed(clone)[0] == 0
    assert "beside sub/.gitignore (sub/.gitignore), sub/conftest.py (sub/.gitignore)," in shipped(clone)[1]
    clone.put("sub/.gitignore", "conftest.py\n")
    assert reviewed(clone)[0] == 0
    commit(clone)
    assert pushed(clone).returncode == 0


def test_code_that_commands_read_in_another_encoding_is_no_part_of_a_review(clone):
    """A command that looks for a word does not find it in UTF-16, and the commit holds it in UTF-8."""
    clone.put(".gitattributes", "*.py working-tree-encoding=UTF-16LE\n*.txt working-tree-encoding=UTF-16LE\n")
    (clone.root / "app.py").write_bytes(f"# TODO: later\n{CODE}".encode("utf-16-le"))
    (clone.root / "words.txt").write_bytes("a word\n".encode("utf-16-le"))
    reviewed(clone)
    status, said = shipped(clone)
    assert status == 1
    assert "commands read app.py (UTF-16LE), and a commit holds UTF-8" in said, said
    assert "words.txt" not in said


def test_feedback_of_a_pull_request_is_settled_and_the_first_loop_runs_again(clone):
    clone.put("app.py", CODE)
    assert reviewed(clone)[0] == 0
    commit(clone)
    assert pushed(clone).returncode == 0
    place = clone.git("remote", "get-url", "origin")
    clone.git("remote", "set-url", "origin", "git@github.com:acme/app.git")
    clone.git("remote", "set-url", "--push", "origin", place)
    with Forge() as forge:
        forge.threads = [thread(2, "app.py", body="An empty list divides by zero."), thread(1, "a.txt")]
        of_request = ("reconcile", "--source", "pr", "--pr", "7", "--api", forge.url)

        def asked(*words):
            return clone.vetgate(*of_request, *words, GITHUB_TOKEN=TOKEN)

        told = asked("--format", "json")
        assert told.stdout, told.stderr
        first, second = json.loads(told.stdout)["items"]
        clone.put("app.py", "def mean(prices):\n    return sum(prices) / len(prices) if prices else 0\n")
        fix = commit(clone, "an empty list has no mean")
        assert clone.vetgate("reconcile", first["id"], "--fixed", fix).returncode == 0
        refuted = clone.vetgate("reconcile", second["id"], "--refuted", "the file is read nowhere in app.py")
        assert refuted.returncode == 0, refuted.stderr
        done = asked("--then-review")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lint: passed" in done.stdout
    status, said = shipped(clone)
    assert (status, "app.py changed since the review" in said) == (1, True), "the other loops are stale still"
    assert reviewed(clone)[0] == 0
    assert pushed(clone).returncode == 0


def test_loops_that_run_one_by_one_come_to_the_same(clone):
    clone.put("app.py", CODE)
    for number in ("1", "2", "model"):
        assert reviewed(clone, "--loops", number)[0] == 0
        assert shipped(clone)[0] == (0 if number == "model" else 1)
    commit(clone)
    assert pushed(clone).returncode == 0


MINOR = Finding("reviewer", "naming", Span("app.py", 1), "The name says little.", Severity.WARNING)
CAME_TO = {
    "a minor finding": ((MINOR,), "", Status.PASSED),
    "nothing said, and yet denied": ((), "", Status.FAILED),
    "a minor finding, and files that nobody saw": ((MINOR,), "2 of 3 files were not reviewed", Status.SKIPPED),
}


@pytest.mark.parametrize(("findings", "error", "status"), CAME_TO.values(), ids=CAME_TO)
def test_a_gate_that_failed_below_its_bar_has_passed_if_it_saw_everything(findings, error, status):
    gate = Gate("reviewer", (), judge="reviewer", block_at=Severity.CRITICAL)
    config = replace(defaults(), gates={"reviewer": gate})
    assert as_reviewed(Outcome("reviewer", Status.FAILED, findings, error=error), config).status is status
