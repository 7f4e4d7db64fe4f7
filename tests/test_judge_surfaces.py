"""Judges on the command line: asked by hand, in a review, in figures, explained and examined; real processes."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from fixtures import Clone, wait_for
from model_server import Fails, Hangs, Judges, ModelServer, Tokens
from transcripts import Transcript
from vetgate.agents.diagnosis import Health
from vetgate.checks import known_names
from vetgate.cli.main import vetgate
from vetgate.config.load import load
from vetgate.judges import all_judges
from vetgate.project import Project
from vetgate.service.model_health import examine_models
from vetgate.source.root import store_key
from vetgate.source.unified_diff import read_diff
from vetgate.store import open_project_store
from warm_program import RUN

KEY = "not-a-real-key-of-anybody"
WRONG = {"message": "`return 2` is not what was asked for", "category": "intent", "severity": "critical"}
DENIES = partial(Judges, "deny", 0.95, "That is not what was asked for.", ({**WRONG, "path": "a.py", "line": 2},))
TAG = re.compile(r"data-[0-9a-f]{16}")
DIFF = """\
diff --git a/src/a.py b/src/a.py
--- a/src/a.py
+++ b/src/a.py
@@ -10,3 +10,4 @@ def f():
 one
-two
+three
+four
 five
"""


@pytest.fixture
def answers():
    """What the model says, in order, the last one again and again."""
    return [Judges()]


@pytest.fixture
def server(answers):
    with ModelServer(answers) as running:
        yield running


class JudgedClone(Clone):
    """A clone on a branch of its own whose accepted configuration names models on loopback; a key is set."""

    def __init__(self, folder, server):
        super().__init__(folder)
        self.server = server
        self.env |= {"SCRIPTED_KEY": KEY}
        self.put("a.py", "def f():\n    return 1\n")

    def configure(self, *, accepted=True, **content):
        model = {"api": "anthropic", "model": "scripted", "url": self.server.url, "key": "$SCRIPTED_KEY"}
        models = {name: {**model, "price": {"input": 1, "output": 5}} for name in ("haiku", "opus", "second")}
        text = json.dumps({"version": 1, "models": models, **content})
        self.put("vetgate.yaml", text)
        if accepted:
            with closing(open_project_store(self.state, store_key(self.root))) as store:
                store.set_trusted(sha256(text.encode()).hexdigest(), text)
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", "begin")
        self.git("branch", "-M", "main")
        self.git("switch", "-q", "-c", "topic")
        self.put("a.py", "def f():\n    return 2\n")

    def talk(self):
        said = Transcript()
        said.user("make f return 3")
        said.says("I set it to 2.")
        return str(said.write(self.home / "talk.jsonl"))


@pytest.fixture
def clone(tmp_path, server):
    made = JudgedClone(tmp_path, server)
    made.configure()
    return made


def sent(request):
    """The instructions and the prompt as they came over the wire."""
    system, (message,) = request.body["system"], request.body["messages"]
    instructions = system if isinstance(system, str) else "".join(block["text"] for block in system)
    content = message["content"]
    return instructions, content if isinstance(content, str) else "".join(block["text"] for block in content)


class TestJudge:
    def test_it_judges_what_the_work_tree_changes(self, clone, server):
        said = clone.vetgate("judge", "reviewer")
        assert (said.returncode, said.stderr) == (0, "")
        assert said.stdout.startswith("judge reviewer: allow, 90% sure\n")
        assert "opus: allow, 90% sure" in said.stdout
        assert "100 tokens in, 20 out, 0 cached, 0.0002 USD" in said.stdout
        (request,) = server.requests
        assert "+     2|     return 2" in sent(request)[1]

    def test_a_denial_is_status_1_and_says_where(self, clone, answers):
        answers[:] = [DENIES()]
        said = clone.vetgate("judge", "intent", "--transcript", clone.talk())
        assert said.returncode == 1
        assert "judge intent: deny, 95% sure" in said.stdout
        assert "a.py:2  critical  intent  `return 2` is not what was asked for" in said.stdout

    def test_a_diff_is_judged_with_its_line_numbers(self, clone, server):
        (clone.root / "x.diff").write_text(DIFF)
        assert clone.vetgate("judge", "reviewer", "--diff", "x.diff").returncode == 0
        prompt = sent(server.requests[0])[1]
        assert "file src/a.py\n" in prompt
        assert "-      | two\n+    11| three\n+    12| four" in prompt

    def test_a_file_is_judged_as_it_is(self, clone, server):
        assert clone.vetgate("judge", "reviewer", "--file", "a.py").returncode == 0
        assert "new file a.py\n+     1| def f():" in sent(server.requests[0])[1]

    def test_a_sensitive_file_is_never_sent(self, clone, server):
        clone.put(".env", "HOST=db.example\n")
        clone.vetgate("judge", "reviewer", "--file", ".env")
        assert all("db.example" not in request.text for request in server.requests)

    def test_the_last_words_of_a_transcript_are_the_end_of_its_turn(self, clone, server):
        assert clone.vetgate("judge", "off-topic", "--transcript", clone.talk()).returncode == 0
        assert "I set it to 2." in sent(server.requests[0])[1]

    @pytest.mark.parametrize("name", ["codex", "copilot", "gemini", "qwen"])
    def test_the_transcript_of_another_agent_is_known_by_its_lines(self, clone, server, name):
        talk = Path(__file__).parent / "data" / "transcripts" / f"{name}.jsonl"
        assert clone.vetgate("judge", "off-topic", "--transcript", str(talk)).returncode == 0
        assert "All is written." in sent(server.requests[0])[1]

    def test_json_holds_what_each_model_said(self, tmp_path, server, answers):
        answers[:] = [DENIES()]
        clone = JudgedClone(tmp_path, server)
        clone.configure(consensus={"strategy": "majority"})
        words = ("--model", "haiku", "--model", "second", "--format", "json")
        said = clone.vetgate("judge", "reviewer", *words)
        told = json.loads(said.stdout)
        assert (told["judge"], told["decision"], told["agreement"]) == ("reviewer", "deny", "agree")
        assert [each["model"] for each in told["modelResults"]] == ["haiku", "second"]
        assert told["issues"][0]["message"] == WRONG["message"]

    def test_a_gate_says_how_its_judge_is_asked(self, tmp_path, server):
        clone = JudgedClone(tmp_path, server)
        clone.configure(gates={"second-look": {"judge": "reviewer", "models": ["second"]}})
        assert "second: allow" in clone.vetgate("judge", "reviewer").stdout

    def test_models_that_nobody_accepted_are_not_asked(self, tmp_path, server):
        clone = JudgedClone(tmp_path, server)
        with closing(open_project_store(clone.state, store_key(clone.root))) as store:
            store.set_trusted(sha256(b"version: 1\n").hexdigest(), "version: 1\n")
        clone.configure(accepted=False)
        said = clone.vetgate("judge", "reviewer")
        assert said.returncode == 3
        assert "nobody accepted the model `opus`" in said.stderr
        assert "vetgate trust" in said.stderr
        assert not server.requests

    def test_in_a_folder_that_nobody_set_up_nothing_is_asked_and_nothing_is_left(self, clone, tmp_path):
        other = tmp_path / "other"
        other.mkdir()
        (other / "a.py").write_text("a = 1\n")
        before = set(clone.state.rglob("*"))
        said = clone.vetgate("judge", "reviewer", "--file", "a.py", cwd=other)
        assert said.returncode == 3
        assert "nobody accepted" in said.stderr
        assert set(clone.state.rglob("*")) == before

    def test_what_cannot_be_asked_says_why(self, clone, server):
        table = [
            ("nobody", 3, "there is no judge 'nobody'"),
            ("reviwer", 3, 'did you mean "reviewer"'),
            ("reviewer --model none", 3, "no model `none` is configured"),
            ("reviewer --diff nowhere.diff", 2, "cannot be read"),
            ("reviewer --diff a.py", 3, "not a unified diff"),
            ("reviewer --file b.py", 3, "b.py does not exist"),
            ("reviewer --file a.py --diff a.py", 2, "exclude each other"),
            ("intent", 3, "--transcript FILE"),
            ("", 2, "Missing argument"),
        ]
        for words, status, told in table:
            said = clone.vetgate("judge", *words.split())
            assert (words, said.returncode) == (words, status)
            assert told in said.stderr
        assert not server.requests

    def test_a_model_that_fails_is_no_denial(self, clone, answers):
        answers[:] = [Fails(401)]
        said = clone.vetgate("judge", "reviewer")
        assert said.returncode == 3
        assert "reviewer came to no answer: opus:" in said.stderr

    def test_it_waits_no_longer_than_its_consensus(self, tmp_path, server, answers):
        answers[:] = [Hangs()]
        clone = JudgedClone(tmp_path, server)
        clone.configure(consensus={"timeout": 1})
        said = clone.vetgate("judge", "reviewer")
        assert said.returncode == 3
        assert "did not answer in time" in said.stderr


class TestDryRun:
    @pytest.mark.parametrize("form", ["text", "json"])
    def test_it_prints_what_the_wire_would_carry_to_the_byte_and_sends_nothing(self, clone, server, form):
        clone.put("a.py", f'def f():\n    return "ä"  # {"ghp" + "_"}{"aB3" * 12}\n')
        without_key = {"SCRIPTED_KEY": ""}
        talk = clone.talk()
        words = ("judge", "intent", "--transcript", talk)
        dry = clone.vetgate(*words, "--dry-run", "--format", form, **without_key)
        assert (dry.returncode, dry.stderr) == (0, "")
        assert not server.requests
        assert clone.vetgate(*words).returncode == 0
        instructions, prompt = (TAG.sub("data-TAG", part) for part in sent(server.requests[0]))
        told = TAG.sub("data-TAG", dry.stdout)
        if form == "json":
            plain = json.loads(told)
            assert (plain["instructions"], plain["prompt"]) == (instructions, prompt)
            assert plain["models"][0]["model"] == "haiku"
            assert plain["models"][0]["usd"] > 0
        else:
            shown = re.fullmatch(r"--- instructions .*?\n(.*)\n--- prompt .*?\n(.*)\n--- cost.*", told, re.DOTALL)
            assert shown
            assert (shown[1], shown[2]) == (instructions, prompt)
            assert "haiku (anthropic, scripted): about" in told
            assert told.endswith("nothing was sent\n")

    def test_nothing_of_it_is_on_record(self, clone):
        clone.vetgate("judge", "reviewer", "--dry-run")
        assert "all: 0 calls" in clone.vetgate("stats", "--cost").stdout


class TestUnifiedDiff:
    def test_new_deleted_and_renamed_files(self, tmp_path):
        text = (
            "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n"
            "--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
            '--- "a/old \\303\\244.py"\t2026\n+++ b/now.py\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n'
        )
        new, gone, renamed = read_diff(text, tmp_path).files
        assert (new.path, new.before, new.after) == ("new.py", None, "a\nb\n")
        assert (gone.path, gone.before, gone.after) == ("gone.py", "a\n", None)
        assert (renamed.path, renamed.was) == ("now.py", "old ä.py")

    @pytest.mark.parametrize(
        "text",
        ["", "hello", "--- a\n", "--- a\n+++ b\n@@ -9,x @@\n", "--- a\n+++ b\n@@ -1,99 +999999999,99 @@\n a", "@@"],
    )
    def test_whatever_it_is_it_is_read(self, tmp_path, text):
        read_diff(text, tmp_path)

    def test_lines_of_a_second_hunk_keep_their_numbers(self, tmp_path):
        text = "--- a/a\n+++ b/a\n@@ -2 +2,2 @@\n-x\n+y\n+z\n@@ -10 +11 @@\n-q\n+r\n"
        (file,) = read_diff(text, tmp_path).files
        assert file.after.split("\n").index("r") == 10
        assert file.before.split("\n").index("q") == 9


class TestReview:
    def test_its_judges_see_what_the_branch_changes_and_hold_it(self, tmp_path, server, answers):
        answers[:] = [DENIES()]
        clone = JudgedClone(tmp_path, server)
        clone.configure(gates={"look": {"judge": "reviewer"}}, on={"review": ["code", "look"]})
        said = clone.vetgate("review")
        assert said.returncode == 1
        assert re.search(r"look: failed( in [\d.]+ s)?\n  judge reviewer: deny, 95% sure", said.stdout)
        assert "return 2" in sent(server.requests[0])[1]

    def test_json_and_the_log_hold_the_results_of_models_and_tests(self, tmp_path, server):
        clone = JudgedClone(tmp_path, server)
        tests = "printf '1..2\\nok 1 - adds\\nnot ok 2 - sums\\n'; exit 1"
        gates = {"look": {"judge": "reviewer"}, "test": {"command": tests, "on_fail": "CONTINUE", "parse": "tap"}}
        clone.configure(gates=gates, on={"review": ["code", "look", "test"]})
        said = clone.vetgate("review", "--format", "json")
        told = {each["gate"]: each for each in json.loads(said.stdout)["gates"]}
        judgement = told["look"]["judgement"]
        assert (judgement["judge"], judgement["decision"]) == ("reviewer", "allow")
        assert judgement["modelResults"][0]["tokens"] == {"input": 100, "output": 20, "cached": 0, "written": 0}
        assert (told["test"]["testResults"]["passed"], told["test"]["testResults"]["failed"]) == (1, 1)
        assert told["test"]["testResults"]["failures"][0]["name"] == "sums"
        log = json.loads(clone.vetgate("log", "--format", "json").stdout)
        kept = {gate["gate"]: gate for row in log for gate in row.get("gates", ())}
        assert kept["look"]["judgement"]["modelResults"] == judgement["modelResults"]
        assert kept["test"]["testResults"] == told["test"]["testResults"]

    def test_what_two_reviewers_found_is_listed_once_with_both_names(self, tmp_path, server, answers):
        words = {"message": "`return 2` gives the wrong total for an empty order", "category": "semantics"}
        both = {**words, "severity": "error", "path": "a.py", "line": 2}  # below what blocks: the next loop runs
        other = {**both, "message": "For an empty order the total is wrong: `return 2`", "category": "logic"}
        apart = {**both, "message": "`f` is never called with a customer", "line": 1}
        answers[:] = [Judges("deny", 0.9, "no", (both,)), Judges("deny", 0.9, "no", (other, apart))]
        clone = JudgedClone(tmp_path, server)
        gates = {"claude": {"judge": "reviewer"}, "glm": {"judge": "reviewer", "models": ["second"]}}
        clone.configure(
            gates=gates, review=[{"name": "models", "gates": ["claude"]}, {"name": "more", "gates": ["glm"]}]
        )
        told = json.loads(clone.vetgate("review", "--format", "json").stdout)
        assert len(server.requests) == 2
        found = [each["message"] for each in told["findings"]]
        assert found == [apart["message"], f"{both['message']} (claude, glm)"]

    def test_a_model_that_hangs_is_waited_for_as_long_as_its_consensus_says(self, tmp_path, server, answers):
        answers[:] = [Hangs()]
        clone = JudgedClone(tmp_path, server)
        gates = {"look": {"judge": "reviewer", "consensus": {"timeout": 1}}}
        clone.configure(gates=gates, on={"review": ["code", "look"]})
        said = clone.vetgate("review")
        assert said.returncode == 0
        assert "look: skipped (opus: the model did not answer in time)" in said.stdout

    def test_a_loop_that_waits_for_a_model_ends_with_its_time_and_is_skipped(self, tmp_path, server, answers):
        answers[:] = [Hangs()]
        clone = JudgedClone(tmp_path, server)
        loops = [{"name": "code", "gates": ["code"]}, {"name": "model", "gates": ["look"], "timeout": 1}]
        clone.configure(gates={"look": {"judge": "reviewer"}}, review=loops)
        said = clone.vetgate("review", "--format", "json")
        told = json.loads(said.stdout)
        assert said.returncode == 0
        assert [each["status"] for each in told["loops"]] == ["passed", "skipped"]
        assert told["skipped"] == ["look: opus: the model did not answer in time"]
        assert told["ship_allowed"]

    def test_what_blocks_is_a_critical_finding_and_reconciling_reads_it(self, tmp_path, server, answers):
        answers[:] = [DENIES()]
        clone = JudgedClone(tmp_path, server)
        clone.configure(gates={"look": {"judge": "reviewer"}}, review=[{"name": "model", "gates": ["look"]}])
        folder = tmp_path / "out"
        told = json.loads(clone.vetgate("review", "--format", "json", "--export", str(folder)).stdout)
        assert told["blockers"] == ["model: look: a.py:2: `return 2` is not what was asked for"]
        (found,) = json.loads((folder / "claude-review-results.json").read_text())["findings"]
        assert (found["severity"], found["category"], found["file"], found["line"]) == ("critical", "intent", "a.py", 2)
        state = json.loads((folder / "loop-state.json").read_text())
        assert (state["loops"]["model"]["status"], state["loops"]["model"]["findings"]) == ("fail", [found])

    def test_the_plan_names_models_and_what_they_cost(self, tmp_path, server):
        clone = JudgedClone(tmp_path, server)
        clone.configure(gates={"look": {"judge": "reviewer"}}, on={"review": ["code", "look"]})
        said = clone.vetgate("review", "--dry-run").stdout
        assert re.search(r"^  look: judge reviewer by opus, about 0\.0\d+ USD$", said, re.MULTILINE)
        assert not server.requests
        clone.vetgate("review")
        said = clone.vetgate("review", "--dry-run").stdout
        assert re.search(r"^  look: judge reviewer by opus, .*, about 0\.0002 USD$", said, re.MULTILINE)

    def test_the_plan_of_a_model_without_a_key_costs_nothing(self, tmp_path, server):
        clone = JudgedClone(tmp_path, server)
        clone.configure(gates={"look": {"judge": "reviewer"}}, on={"review": ["code", "look"]})
        said = clone.vetgate("review", "--dry-run", SCRIPTED_KEY="").stdout
        assert "would be skipped: $SCRIPTED_KEY is not set" in said
        assert "USD" not in said

    def test_ctrl_c_gives_up_a_question_that_nobody_answers(self, tmp_path, server, answers):
        answers[:] = [Hangs()]
        clone = JudgedClone(tmp_path, server)
        clone.configure(gates={"look": {"judge": "reviewer"}}, on={"review": ["look"]})
        words = [sys.executable, "-c", RUN, "review"]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        running = subprocess.Popen(words, cwd=clone.root, env=clone.env, text=True, **pipes)
        wait_for(lambda: server.requests)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=15)
        assert running.returncode == 130, out + err

    def test_explain_tells_the_whole_of_a_judgement(self, tmp_path, server, answers):
        answers[:] = [DENIES(), Judges(), Judges()]
        clone = JudgedClone(tmp_path, server)
        look = {"judge": "reviewer", "models": ["haiku", "opus", "second"], "consensus": {"strategy": "majority"}}
        clone.configure(gates={"look": look}, on={"review": ["code", "look"]})
        assert clone.vetgate("review").returncode == 0
        rows = json.loads(clone.vetgate("log", "--format", "json").stdout)
        number = next(row["id"] for row in rows if any(gate["gate"] == "look" for gate in row.get("gates", ())))
        said = clone.vetgate("explain", number).stdout
        assert "judge reviewer: allow" in said
        assert "models disagree" in said
        assert said.count("100 tokens in, 20 out, 0 cached, 0.0002 USD") == 3
        assert "overruled: a.py:2  critical  intent" in said
        assert "disagreement: " in said


class TestCost:
    def test_by_judge_and_model_in_three_periods(self, clone, answers):
        answers[:] = [Judges(tokens=Tokens(100, 20, 300)), Fails(401)]
        clone.vetgate("judge", "reviewer")
        clone.vetgate("judge", "reviewer")
        told = json.loads(clone.vetgate("stats", "--cost", "--format", "json").stdout)
        assert list(told) == ["today", "7 days", "all"]
        (row,) = told["all"]["models"]
        assert (row["judge"], row["model"], row["calls"], row["failures"]) == ("reviewer", "opus", 2, 1)
        assert (row["input_tokens"], row["output_tokens"], row["cached_share"]) == (400, 20, 0.75)
        assert row["usd"] == pytest.approx(told["all"]["usd"])
        assert 0 < row["median_ms"] <= row["p95_ms"]
        text = clone.vetgate("stats", "--cost").stdout
        assert "today: 2 calls, 0.0002 USD" in text
        assert re.search(r"reviewer +opus +2 +1 +400 +20 +75% +0\.0002", text)


class TestExplain:
    def test_the_page_of_a_judge(self, clone):
        said = clone.vetgate("explain", "intent")
        assert said.returncode == 0
        assert "Is this what the user asked for?" in said.stdout
        assert "asks the model haiku" in said.stdout
        raw = clone.vetgate("explain", "--raw", "off-topic").stdout
        assert raw == all_judges()["off-topic"].page.read_text()

    def test_all_of_them_are_listed_and_completed(self, clone):
        listed = clone.vetgate("explain").stdout
        assert all(f"  {name} " in listed for name in all_judges())
        for command in ("explain", "judge"):
            found = ShellComplete(vetgate, {}, "vetgate", "_X").get_completions([command], "off-")
            assert [each.value for each in found] == ["off-topic"]
        assert "did you mean intent" in clone.vetgate("explain", "intnt").stderr


class TestDoctor:
    def models(self, clone, *words, **env):
        said = clone.vetgate("doctor", "--format", "json", *words, **env)
        return [each for each in json.loads(said.stdout)["findings"] if each["id"] == "models"]

    def test_it_says_of_each_model_whether_its_key_is_there(self, clone, server):
        found = self.models(clone)
        assert [each["what"] for each in found] == [
            f"{name} (anthropic, scripted): its key was found" for name in ("haiku", "opus", "second")
        ]
        missing = self.models(clone, SCRIPTED_KEY="")
        assert all(each["status"] == "note" for each in missing)
        assert "$SCRIPTED_KEY is not set" in missing[0]["what"]
        assert not server.requests

    def test_with_models_each_is_asked(self, clone, server, answers):
        answers[:] = [Judges(), Fails(401), Fails(404)]
        found = self.models(clone, "--models")
        assert len(server.requests) == 3
        assert "answers allow in" in found[0]["what"]
        assert "100 tokens in, 20 out and cost 0.000200 USD" in found[0]["what"]
        assert found[1]["status"] == "note"
        assert "cannot be asked" in found[1]["what"]
        assert "`models.opus.key`" in found[1]["repair"]
        assert "`url`, `model`" in found[2]["repair"], "its key is not to blame"
        assert "doctor" in clone.vetgate("stats", "--cost").stdout, "what it cost is on record"

    def test_drift_is_found(self, tmp_path, server):
        clone = JudgedClone(tmp_path, server)
        gates = {"plan": {"judge": "plan"}, "intent": {"judge": "intent", "mode": "strict"}}
        clone.configure(gates=gates, on={"before_edit": ["code", "plan", "intent"]})
        found = {each["what"]: each for each in self.models(clone)}
        missing = "the gate `plan` asks `sonnet`, and no model of that name is configured"
        assert found[missing]["status"] == "bad"

    def test_init_gives_judges_time_and_doctor_finds_where_it_is_missing(self, tmp_path, server):
        clone = JudgedClone(tmp_path, server)
        clone.configure()
        assert clone.init("--yes").returncode == 0
        assert json.loads(clone.user.read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] == 10
        gates = {"intent": {"judge": "intent", "on_fail": "appeal"}, "appeal": {"judge": "appeal"}}
        clone.configure(gates=gates, on={"before_edit": ["code", "intent"]})
        said = "judges before a call may take 30 s, and Claude Code leaves them 5.5 s"
        assert said in [each["what"] for each in self.models(clone)]
        drifted = json.loads(clone.vetgate("doctor", "--format", "json").stdout)["findings"]
        assert any("timeout is 10, not 40" in each["what"] for each in drifted if each["id"] == "drift")
        assert clone.init("--yes").returncode == 0
        assert json.loads(clone.user.read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] == 40
        assert said not in [each["what"] for each in self.models(clone)]


def test_no_surface_prints_or_keeps_a_key(clone, answers):
    """Also where an endpoint repeats it."""
    answers[:] = [Fails(401, message=f"wrong key {KEY}"), Judges(reason=f"the key is {KEY}")]
    commands = [
        ["judge", "reviewer"],
        ["judge", "reviewer", "--format", "json"],
        ["judge", "reviewer", "--dry-run"],
        ["doctor"],
        ["doctor", "--models"],
        ["doctor", "--models", "--format", "json"],
        ["stats", "--cost"],
        ["log", "--format", "json"],
        ["config", "show"],
        ["explain", "reviewer"],
    ]
    for words in commands:
        said = clone.vetgate(*words)
        assert KEY not in said.stdout + said.stderr, words
    kept = [name for name, content in clone.files().items() if KEY.encode() in content]
    assert not kept


def test_a_commit_is_judged_where_a_gate_says_so(tmp_path, server, answers):
    answers[:] = [DENIES()]
    clone = JudgedClone(tmp_path, server)
    clone.gated()
    clone.configure(gates={"look": {"judge": "reviewer"}}, on={"commit": ["code", "look"]})
    clone.git("add", "a.py")
    assert "That is not what was asked for" in clone.stopped("commit", "-m", "two")
    answers[:] = [Judges()]
    asked = len(server.requests)
    assert "That is not what was asked for" in clone.stopped("commit", "-m", "two")  # the same is not asked twice
    assert len(server.requests) == asked
    clone.put("a.py", "def f():\n    return 3\n")
    clone.git("add", "a.py")
    clone.git("commit", "-q", "-m", "two")
    assert "return 2" in sent(server.requests[0])[1]


def test_doctor_says_when_what_models_need_is_not_installed(tmp_path, monkeypatch):
    text = "version: 1\nmodels: {haiku: {api: anthropic, model: some, key: $SCRIPTED_KEY}}\n"
    (tmp_path / "vetgate.yaml").write_text(text)
    config = load(tmp_path / "vetgate.yaml", known_names(), tmp_path)
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    first, *_ = examine_models(config, Project(tmp_path, tmp_path / "state"), asks=False)
    assert (first.health, "vetgate[models]" in first.what) == (Health.BAD, True)
