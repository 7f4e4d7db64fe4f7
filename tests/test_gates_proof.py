"""Proof of tests: new tests run on the code as it was, by real pytest in real repositories."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from fixtures import Clone, Session, WorkTree
from vetgate.config.load import defaults
from vetgate.engine.decide import decided
from vetgate.gates.changed_tests import changed_tests
from vetgate.gates.proof import ProofRunner
from vetgate.model import Decision, Gate, SkipKind, Status
from vetgate.project import Project

GATE = Gate("proof", (), prove="tests", on_fail="CONTINUE")
GIVEN = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": os.environ.get("HOME", "/")}
OLD = "def add(a, b):\n    return a - b\n"
NEW = "def add(a, b):\n    return a + b\n"
OLD_TEST = "from counting import add\n\n\ndef test_nothing():\n    assert add(0, 0) == 0\n"
TESTS = """from counting import add


def test_nothing():
    assert add(0, 0) == 0


def test_adds():
    assert add(1, 2) == 3


def test_is_a_number():
    assert isinstance(add(1, 2), int)
"""


class Repository(WorkTree):
    def put(self, name, text):
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def commit(self):
        self.git("add", "-A")
        self.git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    made = Repository(tmp_path / "project")
    made.put("counting.py", OLD)
    made.put("test_counting.py", OLD_TEST)
    made.commit()
    return made


def state_of(root):
    """All there is, with its times, the folder of git included."""
    return {
        path.relative_to(root): (path.stat().st_mtime_ns, path.read_bytes())
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def proven(repository, *, gate=GATE, given=GIVEN, seconds=100.0, **keys):
    project = Project(repository.root, repository.root.parent / "state")
    keys = keys or {"base": repository.git("rev-parse", "HEAD")}
    return ProofRunner(project, given, seconds, **keys).run(gate)


def test_a_test_that_passes_on_the_older_code_proves_nothing_and_is_named(repository):
    repository.put("counting.py", NEW)
    repository.put("test_counting.py", TESTS)
    before = state_of(repository.root)
    outcome = proven(repository)
    assert outcome.status is Status.FAILED
    assert [(each.symbol, each.span.path, each.span.line) for each in outcome.findings] == [
        ("test_is_a_number", "test_counting.py", 12)
    ]
    assert "proves nothing about this change" in outcome.findings[0].message
    assert outcome.evidence == "1 of 2 new or changed tests pass on the code as it was"
    config = defaults()
    config.gates["proof"] = GATE
    assert decided((outcome,), config) is Decision.WARN, "told, and it blocks nobody"
    assert state_of(repository.root) == before, "neither a file nor anything of git is touched"
    assert "worktree" not in repository.git("worktree", "list", "--porcelain").split("\n", 1)[1]


def test_tests_that_fail_there_are_proof(repository):
    repository.put("counting.py", NEW)
    repository.put("test_counting.py", TESTS.partition("\n\n\ndef test_is")[0] + "\n")
    outcome = proven(repository)
    assert (outcome.status, outcome.findings) == (Status.PASSED, ())
    assert outcome.evidence == "1 new or changed test: none passes on the code as it was"


def test_a_module_that_was_not_there_yet_fails_as_it_should(repository):
    repository.put("more.py", "def more():\n    return 1\n")
    repository.put("test_more.py", "from more import more\n\n\ndef test_more():\n    assert more() == 1\n")
    repository.put("test_counting.py", TESTS)
    outcome = proven(repository)
    assert [each.symbol for each in outcome.findings] == ["test_is_a_number"], "another file is not held up by it"


def test_a_test_with_another_body_counts_and_one_that_moved_does_not(repository):
    repository.put("counting.py", NEW)
    repository.put("test_counting.py", "import pytest\n\n" + OLD_TEST.replace("add(0, 0) == 0", "add(2, 0) == 2"))
    assert [each.symbol for each in proven(repository).findings] == ["test_nothing"]
    repository.put("test_counting.py", "# moved\n\n" + OLD_TEST)
    assert proven(repository).skip is SkipKind.NOTHING_TO_DO


def test_a_test_that_was_renamed_or_moved_is_not_new(repository):
    repository.put("counting.py", NEW)
    (repository.root / "test_counting.py").unlink()
    moved = "from counting import add\n\n\nclass TestAdd:\n    def test_zero(self):\n        assert add(0, 0) == 0\n"
    repository.put("test_more.py", moved.replace("(self)", "()"))
    assert proven(repository).skip is SkipKind.NOTHING_TO_DO
    repository.put("test_more.py", moved + "\n    def test_again(self):\n        assert add(0, 0) == 0\n")
    assert [each.symbol for each in proven(repository).findings] == ["TestAdd::test_zero", "TestAdd::test_again"]


def test_classes_parameters_and_skips(repository):
    repository.put("counting.py", NEW)
    repository.put(
        "test_counting.py",
        "import pytest\nfrom counting import add\n\n\nclass TestAdd:\n"
        "    @pytest.mark.parametrize('n', [0, 0])\n    def test_zero(self, n):\n        assert add(n, n) == 0\n\n"
        "    @pytest.mark.parametrize('n', [0, 1])\n    def test_some(self, n):\n        assert add(n, n) == 2 * n\n\n"
        "    def test_skipped(self):\n        pytest.skip('not here')\n",
    )
    assert [each.symbol for each in proven(repository).findings] == ["TestAdd::test_zero"]


def test_helpers_of_the_tests_come_with_them(repository):
    repository.put("tests/values.py", "ONE = 1\n")
    repository.put("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n")
    repository.put("tests/test_more.py", "from values import ONE\n\n\ndef test_values(two):\n    assert ONE < two\n")
    repository.put("counting.py", NEW)
    assert [each.symbol for each in proven(repository).findings] == ["test_values"]


def test_an_installed_project_is_not_taken_for_the_older_code(repository, tmp_path):
    """As `pip install -e` has it: a line in a .pth file that names the project's own folder."""
    repository.put("src/counted/__init__.py", OLD)
    repository.put("test_counting.py", OLD_TEST)
    repository.commit()
    site = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", str(site)], check=True)
    packages = next(site.glob("lib/python*/site-packages"))
    tools = Path(pytest.__file__).parent.parent
    (packages / "own.pth").write_text(f"{repository.root}/src\n{tools}\n")
    repository.put("src/counted/__init__.py", NEW)
    repository.put("test_counted.py", "from counted import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n")
    outcome = proven(repository, given=GIVEN | {"VIRTUAL_ENV": str(site)})
    assert (outcome.status, outcome.findings) == (Status.PASSED, ())


def test_tests_that_reach_into_the_project_itself_prove_nothing_either_way(repository):
    repository.put("counting.py", NEW)
    path = f"import sys\n\nsys.path.insert(0, {str(repository.root)!r})\n"
    repository.put("test_counting.py", path + TESTS)
    outcome = proven(repository)
    assert outcome.skip is SkipKind.UNANSWERED
    assert "counting.py from the project itself" in outcome.evidence


def test_without_a_change_of_code_or_of_tests_nothing_runs(repository):
    repository.put("test_counting.py", TESTS)
    repository.put("README.md", "x\n")
    assert "nothing but tests has changed" in proven(repository).evidence
    repository.put("counting.py", NEW)
    repository.put("test_counting.py", OLD_TEST)
    assert proven(repository).evidence == "no test is new or changed"


def test_its_time_is_bounded(repository):
    repository.put("counting.py", NEW)
    repository.put("test_counting.py", f"import time\n{OLD_TEST.replace('assert', 'time.sleep(600); assert')}")
    outcome = proven(repository, gate=Gate("proof", (), prove="tests", timeout=4))
    assert outcome.skip is SkipKind.UNANSWERED
    assert "did not end within" in outcome.evidence


def test_without_pytest_it_is_missing(repository, tmp_path):
    repository.put("counting.py", NEW)
    repository.put("test_counting.py", TESTS)
    fake = tmp_path / "bin"
    fake.mkdir()
    outcome = proven(repository, given={"PATH": str(fake)})
    assert (outcome.skip, outcome.evidence) == (SkipKind.MISSING, "no Python with pytest was found")


def test_no_hook_and_no_filter_of_the_repository_is_run(repository):
    mark = repository.root.parent / "ran"
    for name in ("post-checkout", "post-index-change"):
        hook = repository.root / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
        hook.chmod(0o755)
    repository.put(".gitattributes", "*.py filter=own\n")
    repository.commit()
    repository.git("config", "filter.own.smudge", f"touch {mark}; cat")
    repository.git("config", "core.fsmonitor", f"touch {mark}")
    mark.unlink(missing_ok=True)
    repository.put("counting.py", NEW)
    repository.put("test_counting.py", TESTS)
    assert proven(repository).status is Status.FAILED
    assert not mark.exists()


def test_what_was_proven_once_is_known_for_the_same_content(repository):
    repository.put("counting.py", NEW)
    repository.put("test_counting.py", TESTS)
    assert proven(repository).elapsed_ms
    again = proven(repository)
    assert (again.elapsed_ms, len(again.findings)) == (0.0, 1)


def test_at_the_end_of_a_turn_the_agent_is_told_and_goes_free(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", GIVEN["PATH"])
    session = Session(tmp_path)
    session.put("counting.py", OLD)
    session.put("test_counting.py", OLD_TEST)
    session.git("add", "-A")
    session.git("commit", "-qm", "x")
    session.configure(gates={"proof": {"prove": "tests"}}, on={"stop": ["proof"]})
    session.start()
    session.put("counting.py", NEW)
    session.put("test_counting.py", TESTS)
    said = session.stop()
    assert "decision" not in said
    assert "proof failed" in json.dumps(said)
    assert "`test_is_a_number` proves nothing" in json.dumps(session.said("UserPromptSubmit", prompt="Go on."))


SCRIPT = """import { add } from "./add";

describe("add", () => {
  it("adds", () => {
    expect(add(1, 2)).toBe(3);
  });
  test.each([[0, 0], [1, 1]])("is %i", (n, m) => {
    expect(typeof add(n, m)).toBe("number"); // it('is not a test', () => {})
  });
});
"""


def test_tests_of_scripts_are_known_by_title_and_body():
    found = changed_tests({"add.test.ts": (None, SCRIPT)})
    assert [(each.name, each.line) for each in found][:2] == [("adds", 4), ("is %i", 7)]
    assert found[1].is_named("is 0")
    changed = SCRIPT.replace("toBe(3)", "toBe(4)").replace("\n  it", "\n\n  it")
    assert [each.name for each in changed_tests({"add.test.ts": (SCRIPT, changed)})] == ["adds"]
    renamed = SCRIPT.replace('"adds"', '"sums up"')
    assert changed_tests({"add.test.ts": (SCRIPT, None), "sum.test.ts": (None, renamed)}) == ()
    copied = changed_tests({"add.test.ts": (SCRIPT, SCRIPT), "sum.test.ts": (None, SCRIPT)})
    assert [each.path for each in copied] == ["sum.test.ts"] * len(found)


# Speaks the JSON that both write: a test passes when the code has what its title names.
FAKE = """#!{python}
import json, os, sys
out = next(word.partition("=")[2] for word in sys.argv if word.startswith("--outputFile="))
files = [word for word in sys.argv[1:] if ".test." in word]
code = open("add.js").read()
results = [{{"name": os.path.abspath(file), "status": "failed", "assertionResults": [
    {{"title": title, "ancestorTitles": ["add"], "fullName": "add " + title,
      "status": "passed" if word in code else "failed"}}
    for title, word in (("adds", "+"), ("is a number", "return"))
]}} for file in files]
json.dump({{"testResults": results}}, open(out, "w"))
open("node_modules/.cache-of-run", "w").write(" ".join(sys.argv))
sys.exit(1)
"""
SCRIPT_TEST = 'it("adds", () => { expect(add(1, 2)).toBe(3); });\nit("is a number", () => { add(1, 2); });\n'


@pytest.mark.parametrize("program", ["jest", "vitest"])
@pytest.mark.parametrize("package", ["", "packages/a/"])
def test_by_jest_and_vitest(tmp_path, program, package):
    repository = Repository(tmp_path / "project")
    repository.put(".gitignore", "node_modules\n")
    repository.put(f"{package}package.json", "{}")
    repository.put(f"{package}add.js", "export const add = (a, b) => { return a - b; };\n")
    repository.commit()
    repository.put(f"node_modules/.bin/{program}", FAKE.format(python=sys.executable))
    (repository.root / f"node_modules/.bin/{program}").chmod(0o755)
    repository.put(f"{package}node_modules/left/index.js", "")
    repository.put(f"{package}add.js", "export const add = (a, b) => { return a + b; };\n")
    repository.put(f"{package}add.test.js", SCRIPT_TEST)
    before = state_of(repository.root)
    outcome = proven(repository)
    assert [(each.symbol, each.span.path) for each in outcome.findings] == [("is a number", f"{package}add.test.js")]
    assert state_of(repository.root) == before, "caches of the run lie elsewhere"


def test_without_jest_and_vitest_it_is_missing(tmp_path):
    repository = Repository(tmp_path / "project")
    repository.put("add.js", "1;\n")
    repository.commit()
    repository.put("add.js", "2;\n")
    repository.put("add.test.js", SCRIPT_TEST)
    outcome = proven(repository)
    assert (outcome.skip, outcome.evidence) == (SkipKind.MISSING, "neither vitest nor jest is installed")


@pytest.mark.long
@pytest.mark.parametrize("program", ["vitest", "jest"])
def test_by_the_real_runner(tmp_path, program):
    npm = shutil.which("npm")
    repository = Repository(tmp_path / "project")
    repository.put(".gitignore", "node_modules\n")
    repository.put("package.json", '{"name": "x", "version": "1.0.0"}')
    done = npm and subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", program], cwd=repository.root, check=False
    )
    if not done or done.returncode:
        pytest.skip(f"npm cannot install {program} here")
    head = 'import { it, expect } from "vitest";\nimport { add } from "./add.js";\n'
    if program == "jest":
        head = 'const { add } = require("./add.js");\n'
    export = "module.exports = { add };" if program == "jest" else "export { add };"
    repository.put("add.js", f"const add = (a, b) => a - b;\n{export}\n")
    repository.commit()
    repository.put("add.js", f"const add = (a, b) => a + b;\n{export}\n")
    repository.put("add.test.js", head + SCRIPT_TEST)
    before = state_of(repository.root)
    outcome = proven(repository)
    assert [each.symbol for each in outcome.findings] == ["is a number"], outcome
    assert state_of(repository.root) == before


def test_a_review_names_what_proves_nothing_and_what_is_missing(tmp_path):
    clone = Clone(tmp_path).gated()
    text = (
        "version: 1\ngates:\n  proof: {prove: tests}\n  lint: {command: 'no-such-linter .'}\n"
        "  docs: {command: 'make docs'}\non: {review: [proof, lint, docs]}\n"
    )
    clone.put("vetgate.yaml", text)
    clone.put("Makefile", "build:\n\ttrue\n")
    clone.put("counting.py", OLD)
    said = clone.vetgate("trust", "--digest", sha256(text.encode()).hexdigest())
    assert said.returncode == 0, said.stdout + said.stderr
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "begin")
    clone.git("branch", "-M", "main")
    clone.git("switch", "-q", "-c", "topic")
    clone.put("counting.py", NEW)
    clone.put("test_counting.py", TESTS)
    said = clone.vetgate("review", "--format", "json", VIRTUAL_ENV=sys.prefix)
    assert said.returncode == 0, said.stdout + said.stderr
    gates = {each["gate"]: each for each in json.loads(said.stdout)["gates"]}
    assert gates["proof"]["status"] == "failed"
    assert "test_is_a_number" in said.stdout
    assert (gates["lint"]["status"], gates["lint"]["skip"]) == ("skipped", "missing")
    assert gates["docs"]["error"] == "missing: make knows no docs"
    assert "was skipped" in clone.vetgate("review").stdout
