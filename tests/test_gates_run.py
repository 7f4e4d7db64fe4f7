"""Commands of a project: started, bounded and ended as they should be, with real processes."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from secret_samples import chance
from vetgate.config.load import defaults
from vetgate.engine.decide import decided
from vetgate.gates.command import argv_of, run_command
from vetgate.gates.isolation import environment, file_arguments, find_sandbox
from vetgate.gates.output import excerpt, readable
from vetgate.gates.process import KEPT_HEAD, KEPT_TAIL
from vetgate.gates.sequence import judged, run_steps
from vetgate.model import Decision, Finding, Gate, GateKind, Outcome, Span, Status
from vetgate.severity import Severity

GIVEN = {"PATH": os.environ["PATH"], "HOME": "/home/x"}


def ran(command: str, root: Path, *, files=(), seconds: float = 30, given=GIVEN, **keys):
    return run_command(Gate("g", (), command=command, **keys), root, given, files, seconds)


def test_status_and_output_are_the_command_s_own(tmp_path):
    result = ran("echo out; echo err >&2; exit 3", tmp_path)
    assert (result.status, result.output, result.cause) == (3, b"out\nerr\n", "")


def test_it_runs_in_the_project_with_nobody_at_the_keyboard(tmp_path):
    result = ran("pwd; cat; echo after", tmp_path)
    assert result.output.decode().split() == [str(tmp_path), "after"]


def test_it_is_ended_with_all_its_children_when_its_time_is_over(tmp_path):
    (tmp_path / "fork.py").write_text(
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.close(1)\n"
        "    open('pid', 'w').write(str(os.getpid()))\ntime.sleep(600)\n"
    )
    result = ran(f"{sys.executable} fork.py & while [ ! -s pid ]; do :; done; sleep 600", tmp_path, seconds=3)
    assert result.status is None
    assert "did not end within 3 seconds" in result.cause
    child = int((tmp_path / "pid").read_text())
    gone = not Path(f"/proc/{child}/stat").exists() or " Z " in Path(f"/proc/{child}/stat").read_text()
    assert gone, "also the one that left the group"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody tells whose child it is")
def test_a_child_with_a_session_and_an_environment_of_its_own_is_ended_as_well(tmp_path):
    leaves = "env -i setsid sh -c 'echo $$ > pid; exec sleep 600' & while [ ! -s pid ]; do :; done; sleep 600"
    result = ran(leaves, tmp_path, seconds=3)
    assert result.was_ended
    stat = Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}/stat")
    assert not stat.exists() or " Z " in stat.read_text()


def test_a_child_that_stays_does_not_hold_the_gate_up(tmp_path):
    result = ran("sleep 45 & echo done", tmp_path, seconds=20)
    assert (result.status, result.output) == (0, b"done\n")


def test_of_much_output_beginning_and_end_are_kept(tmp_path):
    result = ran("echo first; yes filler | head -n 200000; echo last; exit 1", tmp_path)
    assert result.output.startswith(b"first\n")
    assert result.output.endswith(b"last\n")
    assert len(result.output) < KEPT_HEAD + KEPT_TAIL + 100
    (left_out,) = re.findall(rb"\[\.\.\. (\d+) lines \.\.\.\]", result.output)
    assert abs(int(left_out) + result.output.count(b"filler") - 200_000) < 2


def test_a_failure_in_the_midst_of_much_output_is_shown_and_lines_are_counted_right(tmp_path):
    much = "yes a line that says nothing of worth | head -n 20000"
    result = ran(f"{much}; echo 'x.py:3: error: it is 1 and not 2'; {much}; exit 1", tmp_path)
    shown = excerpt(readable(result.output))
    assert shown.index("x.py:3: error: it is 1 and not 2") < shown.index("Beginning and end")
    told = shown.partition("Beginning and end")[2]
    left_out = sum(int(number) for number in re.findall(r"\[\.\.\. (\d+) lines \.\.\.\]", told))
    assert abs(left_out + told.count("nothing of worth") - 40_000) < 5


def test_secrets_are_hidden_however_a_program_prints_them(tmp_path):
    made = sha256(b"made up").hexdigest()
    secrets = {
        "AWS_SECRET_ACCESS_KEY=": made[:40],
        "aws_secret_access_key = ": f"{made[:18]}/{made[19:39]}+",
        "password: ": f"{made[40:52]}!",
    }
    script = "; ".join(f"echo '{name}{value}'" for name, value in secrets.items())
    shown = excerpt(readable(ran(script, tmp_path).output))
    assert not [value for value in secrets.values() if value in shown]
    assert all(name in shown for name in secrets)


CODE = [
    "12 |     token: Option<String>,",
    "E       token = make_token(user.name)",
    "src/a.py:3: error: Argument token: Optional[str] is bad",
    "E   KeyError: secret_key: tests/fixtures/key_1.pem",
]


def test_code_that_speaks_of_secrets_stays(tmp_path):
    (tmp_path / "said").write_text("\n".join(CODE))
    assert readable(ran("cat said", tmp_path).output).split("\n") == CODE


def test_what_follows_the_name_of_a_key_is_not_lost(tmp_path):
    said = ['assert dump().startswith("-----BEGIN " "PRIVATE KEY-----")', "FAILED test_a.py::test_b", "2 failed"]
    (tmp_path / "said").write_text("\n".join(said).replace('" "', ""))
    shown = excerpt(readable(ran("cat said; exit 1", tmp_path).output))
    assert shown.endswith("FAILED test_a.py::test_b\n2 failed")


def test_no_line_is_cut_within(tmp_path):
    line = "begin " + "word " * 8 + "end"
    result = ran(f"yes '{line}' | head -n 5000", tmp_path)
    assert set(result.output.decode().strip().split("\n")) - {line} == {
        next(each for each in result.output.decode().split("\n") if each.startswith("[..."))
    }


def test_of_one_endless_line_the_end_is_kept_as_well(tmp_path):
    result = ran("head -c 300000 /dev/zero | tr '\\0' x; echo the end; exit 1", tmp_path)
    shown = excerpt(readable(result.output))
    assert shown.endswith("xthe end")
    assert shown.startswith("xxx")
    assert len(shown) < 2000


HOSTILE = ["a b.py", "$(touch pwned).py", "; touch pwned;.py", "`touch pwned`", "-rf", "'\"\\", "new\nline.py", "*"]


@pytest.mark.parametrize("written", ["{files}", '"{files}"', "'{files}'"])
def test_names_of_files_are_arguments_and_nothing_else(tmp_path, written):
    command = f"""{sys.executable} -c 'import sys,json;print(json.dumps(sys.argv[1:]))' {written}"""
    result = ran(command, tmp_path, files=HOSTILE)
    assert json.loads(result.output) == ["./-rf" if name == "-rf" else name for name in HOSTILE]
    assert not (tmp_path / "pwned").exists()


def test_names_of_files_in_the_environment(tmp_path):
    result = ran('printf "%s" "$VETGATE_FILES"', tmp_path, files=["a.py", "b c.py"])
    assert result.output == b"a.py\nb c.py"


def test_too_many_files_are_the_whole_folder():
    assert file_arguments([f"{'x' * 200}{n}" for n in range(1000)]) == (".",)


def test_the_environment_holds_no_keys_unless_they_were_asked_for(tmp_path):
    given = {**GIVEN, "ANTHROPIC_API_KEY": "k", "GITHUB_TOKEN": "t", "DATABASE_URL": "d", "LC_ALL": "C"}
    found = environment(Gate("g", (), command="x"), given, tmp_path, ())
    assert not {"ANTHROPIC_API_KEY", "GITHUB_TOKEN", "DATABASE_URL"} & set(found)
    assert (found["LC_ALL"], found["CI"], found["PATH"]) == ("C", "true", GIVEN["PATH"])
    asked = environment(Gate("g", (), command="x", env=("DATABASE_URL",)), given, tmp_path, ())
    assert asked["DATABASE_URL"] == "d"
    restricted = environment(Gate("g", (), command="x", path=("/usr/bin", "./bin")), given, tmp_path, ())
    assert restricted["PATH"] == f"/usr/bin:{tmp_path}/bin"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit it")
def test_memory_is_limited(tmp_path):
    eats = f"{sys.executable} -c 'x = bytearray(900 << 20)'"
    assert ran(eats, tmp_path, memory=400).status != 0
    assert ran(eats, tmp_path).status == 0


def test_a_limit_changes_nothing_about_files():
    assert argv_of("ls {files}", ["a b"], 64)[-3:] == ['ls "$@"', "vetgate", "a b"]


CAUSES = {
    "a program that is not there": ("no-such-program-here", "not found"),
    "a folder that is not there": ("true", "could not be started"),
}


@pytest.mark.parametrize(("command", "cause"), CAUSES.values(), ids=CAUSES)
def test_what_could_not_run_is_no_failure_of_the_code(tmp_path, command, cause):
    root = tmp_path if command != "true" else tmp_path / "gone"
    result = ran(command, root)
    assert result.status is None
    assert cause in result.cause


@pytest.mark.parametrize("command", ["sh -c 'exit 127'", "echo 1 test failed; exit 127", "sh -c 'exit 126'"])
def test_a_program_that_ends_like_one_that_is_not_there_has_run(tmp_path, command):
    assert ran(command, tmp_path).status in {126, 127}


@pytest.mark.parametrize(
    "command",
    [
        "no-such-program-here 2>/dev/null",
        "sh -c no-such-program-here",
        "timeout 5 no-such-program-here",
    ],
)
def test_what_is_not_there_never_ran(tmp_path, command):
    assert ran(command, tmp_path).is_missing


def test_a_required_sandbox_that_is_missing_runs_nothing(tmp_path, monkeypatch):
    from vetgate.gates import command  # noqa: PLC0415

    monkeypatch.setattr(command, "find_sandbox", lambda: "")
    result = ran("touch ran", tmp_path, sandbox="required")
    assert "requires a sandbox" in result.cause
    assert not (tmp_path / "ran").exists()
    assert ran("true", tmp_path, sandbox="auto").status == 0


@pytest.mark.skipif(not find_sandbox(), reason="no bubblewrap that can do its work")
def test_in_its_sandbox_a_command_writes_in_the_project_and_reaches_nobody(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    wanted = f"touch inside; touch {tmp_path}/outside; cat /proc/net/dev"
    result = ran(wanted, project, sandbox="required")
    assert (project / "inside").exists()
    assert not (tmp_path / "outside").exists()
    assert [line.split(b":")[0].strip() for line in result.output.splitlines() if b": " in line][-1:] == [b"lo"]


def test_another_user_who_is_not_there_runs_nothing(tmp_path):
    result = ran("touch ran", tmp_path, user="nobody-of-this-name")
    assert "no such user" in result.cause
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_another_user_may_do_less(tmp_path):
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    (tmp_path / "secret").touch(0o600)
    result = ran("id -u; echo $USER; cat secret; echo x > mine", tmp_path, user="nobody")
    assert result.output.split()[1] == b"nobody"
    assert result.output.split()[0] != b"0"
    assert result.output.count(b"ermission denied") == 2
    assert not (tmp_path / "mine").exists()


READABLE = {
    "colours go": (b"\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07", "red link"),
    "a progress bar leaves its last word": (b"10%\r50%\rdone\nnext", "done\nnext"),
    "a return at the end of a line": (b"one\r\ntwo\r\n", "one\ntwo"),
    "characters that cannot be seen": (b"a\x00b\x07c\xe2\x80\xaed", "abcd"),
    "bytes that are no text": (b"a\xffb", "a\N{REPLACEMENT CHARACTER}b"),
    "lines that only seem to hold something": (b"a\n \x00\n\x00 \n \nb\n", "a\n\nb"),
    "empty lines": (b"a\n\n\n\n\nb\n", "a\n\nb"),
}


@pytest.mark.parametrize(("data", "expected"), READABLE.values(), ids=READABLE)
def test_output_as_it_is_read(data, expected):
    assert readable(data) == expected


def test_no_secret_of_the_output_is_repeated():
    token = f"ghp_{chance(36)}"
    assert token not in readable(f"connecting with token {token}\n".encode())
    assert "connecting" in readable(f"connecting with token {token}\n".encode())


def test_the_failing_part_comes_first_and_the_middle_is_left_out():
    lines = [f"test {n} ok" for n in range(3000)]
    lines[1500] = "FAILED tests/test_a.py::test_one - assert 1 == 2"
    shown = excerpt("\n".join(lines), 2000)
    assert "FAILED tests/test_a.py::test_one" in shown.split("\n", 5)[3]
    assert shown.index("FAILED") < shown.index("test 0 ok") < shown.index("test 2999 ok")
    assert "lines ...]" in shown
    assert len(shown) < 2300


def test_a_summary_without_failures_is_no_failing_part():
    lines = ["0 errors, 0 failed"] + [f"line {n}" for n in range(3000)]
    assert excerpt("\n".join(lines), 500).startswith("0 errors")


def gates(**actions):
    return {name: Gate(name, (), command=name, **keys) for name, keys in actions.items()}


PASS, FAIL, ERROR = Status.PASSED, Status.FAILED, Status.ERRORED
FORMAT_CHECK_TEST = gates(format={"on_pass": "check", "on_fail": "STOP"}, check={}, test={})
CHECK_RETICULATE = gates(check={"on_pass": "reticulate"}, reticulate={}, test={})
PIPELINE = gates(format={"on_pass": "check", "on_fail": "STOP"}, check={"on_pass": "test"}, test={})
PLAIN = gates(check={}, test={})
PERMISSIVE = gates(check={"on_fail": "CONTINUE"}, test={"on_fail": "CONTINUE"})
INVERTED = gates(check={"on_pass": "BLOCK", "on_fail": "STOP"})
PARALLEL = gates(a={}, b={"on_fail": "STOP"}, c={})
CLOSED = gates(check={"on_error": "closed"}, test={})

SEQUENCES = {
    "all pass": (PLAIN, [["check"], ["test"]], {}, "check test", Decision.ALLOW),
    "a block ends the list": (PLAIN, [["check"], ["test"]], {"check": FAIL}, "check", Decision.BLOCK),
    "the last one blocks": (PLAIN, [["check"], ["test"]], {"test": FAIL}, "check test", Decision.BLOCK),
    "permissive goes on": (
        PERMISSIVE, [["check"], ["test"]], {"check": FAIL, "test": FAIL}, "check test", Decision.WARN,
    ),
    "a chain is a subroutine, then the list goes on": (
        FORMAT_CHECK_TEST, [["format"], ["test"]], {}, "format check test", Decision.ALLOW,
    ),
    "a chain's first fails": (FORMAT_CHECK_TEST, [["format"], ["test"]], {"format": FAIL}, "format", Decision.HALT),
    "a chain's second fails": (
        FORMAT_CHECK_TEST, [["format"], ["test"]], {"check": FAIL}, "format check", Decision.BLOCK,
    ),
    "a subroutine in between": (
        CHECK_RETICULATE, [["check"], ["test"]], {}, "check reticulate test", Decision.ALLOW,
    ),
    "a subroutine that fails": (
        CHECK_RETICULATE, [["check"], ["test"]], {"reticulate": FAIL}, "check reticulate", Decision.BLOCK,
    ),
    "a pipeline of one listed gate": (PIPELINE, [["format"]], {}, "format check test", Decision.ALLOW),
    "a pipeline that fails at its end": (
        PIPELINE, [["format"]], {"test": FAIL}, "format check test", Decision.BLOCK,
    ),
    "inverted: blocks when it passes": (INVERTED, [["check"]], {}, "check", Decision.BLOCK),
    "inverted: stops when it fails": (INVERTED, [["check"]], {"check": FAIL}, "check", Decision.HALT),
    "at once: all run, the strongest counts": (
        PARALLEL, [["a", "b"], ["c"]], {"a": FAIL, "b": FAIL}, "a b", Decision.HALT,
    ),
    "at once and on": (PARALLEL, [["a", "b"], ["c"]], {}, "a b c", Decision.ALLOW),
    "what could not run is told": (PLAIN, [["check"], ["test"]], {"check": ERROR}, "check test", Decision.WARN),
    "what could not run blocks where it is closed": (
        CLOSED, [["check"], ["test"]], {"check": ERROR}, "check", Decision.BLOCK,
    ),
}  # fmt: skip


def in_force(gates):
    return replace(defaults(), gates=gates)


class Scripted:
    """Each gate comes to what is said of it, and passes otherwise."""

    is_cheap = False

    def __init__(self, went):
        self.went = went

    def run(self, gate):
        return Outcome(gate.id, self.went.get(gate.id, PASS))


@pytest.mark.parametrize(("given", "steps", "went", "order", "decision"), SEQUENCES.values(), ids=SEQUENCES)
def test_a_sequence(given, steps, went, order, decision):
    outcomes = run_steps(tuple(map(tuple, steps)), in_force(given), {GateKind.COMMAND: Scripted(went)})
    assert [each.gate for each in outcomes] == order.split()
    assert decided(outcomes, in_force(given)) is decision


def test_gates_of_one_step_run_at_the_same_time(tmp_path):
    """Each waits for the other: one after the other neither would end."""
    both = {
        name: Gate(name, (), command=f"touch {name}; while [ ! -e {other} ]; do :; done")
        for name, other in (("a", "b"), ("b", "a"))
    }

    class Real:
        is_cheap = False

        def run(self, gate):
            status = run_command(gate, tmp_path, GIVEN, (), 20).status
            return Outcome(gate.id, PASS if status == 0 else FAIL)

    assert (
        decided(run_steps((("a", "b"),), in_force(both), {GateKind.COMMAND: Real()}), in_force(both)) is Decision.ALLOW
    )


class Finds:
    """A runner of checks that finds one thing of this severity."""

    is_cheap = True

    def __init__(self, severity):
        self.severity = severity

    def run(self, gate):
        return Outcome(gate.id, FAIL, (Finding("c", "r", Span("a.py", 1), "m", self.severity),))


@pytest.mark.parametrize(
    ("severity", "order", "decision"),
    [(Severity.ERROR, "code test", Decision.BLOCK), (Severity.WARNING, "code", Decision.WARN)],
    ids=["what blocks calls the next", "what is below is told"],
)
def test_a_chain_goes_from_one_kind_of_gate_to_another(severity, order, decision):
    gates = {"code": Gate("code", ("c",), on_fail="test"), "test": Gate("test", (), command="x")}
    runners = {GateKind.CHECKS: Finds(severity), GateKind.COMMAND: Scripted({"test": FAIL})}
    outcomes = run_steps((("code",),), in_force(gates), runners)
    assert [each.gate for each in outcomes] == order.split()
    assert decided(outcomes, in_force(gates)) is decision


@pytest.mark.parametrize("gate", [Gate("g", ("c",)), Gate("g", (), command="x")], ids=["checks", "command"])
def test_what_is_told_late_holds_nobody_back(gate):
    outcome = Finds(Severity.CRITICAL).run(gate)
    assert decided((outcome,), in_force({"g": gate})) is Decision.BLOCK
    assert decided((replace(outcome, late=True),), in_force({"g": gate})) is Decision.WARN


def test_what_is_cheap_runs_also_when_another_one_holds():
    gates = {name: Gate(name, ("c",)) for name in ("a", "b")} | {"test": Gate("test", (), command="x")}
    runners = {GateKind.CHECKS: Finds(Severity.ERROR), GateKind.COMMAND: Scripted({})}
    assert [each.gate for each in run_steps((("a",), ("test", "b")), in_force(gates), runners)] == ["a", "b"]


def test_a_kind_of_gate_needs_nothing_but_a_runner():
    gates = {"code": Gate("code", ("c",)), "other": Gate("other", (), command="x")}
    config, checks = in_force(gates), {GateKind.CHECKS: Finds(Severity.NOTE)}
    assert [each.gate for each in judged(gates, config, checks).outcomes] == ["code"]
    verdict = judged(gates, config, checks | {GateKind.COMMAND: Scripted({"other": FAIL})})
    assert (verdict.decision, verdict.outcomes[-1].gate) == (Decision.BLOCK, "other")
