"""A looser vetgate.yaml or a longer baseline: no command goes by it, and each reports it."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from fixtures import GOOD
from vetgate import project
from vetgate.config.load import defaults, loaded
from vetgate.config.looser import ConfigInForce, loosenings
from vetgate.model import BASELINE_NAME

STRICT = "version: 1\ncomplexity: {cyclomatic: 3}\n"
LOOSE = "version: 1\ncomplexity: {cyclomatic: 30}\n"
STRICTER = "version: 1\ncomplexity: {cyclomatic: 2}\n"
OUTSIDE = "version: 1\npaths: {exclude: ['**/*.py']}\n"
FOUR = "def f(a):\n" + "".join(f"    if a > {n}:\n        return {n}\n" for n in range(4)) + "    return a\n"
RULE = "protected-file/looser-configuration"


def accepted(tree, call, text=STRICT):
    """A repository whose file a person accepted, and committed."""
    data = tree.put("vetgate.yaml", text).read_bytes()
    tree.put("app.py", GOOD)
    tree.commit()
    assert call("trust", "--digest", sha256(data).hexdigest()).status == 0


def rules(said):
    return {f"{each['check']}/{each['rule']}" for each in json.loads(said.out)["findings"]}


def listing(*marks):
    return json.dumps({"version": 1, "files": {"app.py": dict.fromkeys(marks, "complexity/cyclomatic 5")}}) + "\n"


class TestWhereAPersonAccepted:
    def test_check_goes_by_what_was_accepted_and_reports_the_looser_file(self, tree, call):
        accepted(tree, call)
        tree.put("vetgate.yaml", LOOSE)
        tree.put("app.py", FOUR)
        said = call("check", "--format", "json")
        assert said.status == 1
        assert rules(said) == {RULE, "complexity/cyclomatic"}

    @pytest.mark.parametrize("words", [("--staged",), ("--diff", "HEAD")])
    def test_so_do_the_index_and_a_diff(self, tree, call, words):
        accepted(tree, call)
        tree.put("vetgate.yaml", LOOSE)
        tree.put("app.py", FOUR)
        tree.git("add", "-A")
        said = call("check", *words, "--format", "json")
        assert said.status == 1
        assert rules(said) == {RULE, "complexity/cyclomatic"}

    def test_a_looser_file_that_is_not_staged_is_not_in_force_for_the_index_either(self, tree, call):
        accepted(tree, call)
        tree.put("app.py", FOUR)
        tree.git("add", "-A")
        tree.put("vetgate.yaml", LOOSE)
        assert rules(call("check", "--staged", "--format", "json")) == {"complexity/cyclomatic"}

    def test_a_deleted_file_and_one_that_extends_something_looser(self, tree, call):
        accepted(tree, call)
        tree.put("app.py", FOUR)
        (tree.root / "vetgate.yaml").unlink()
        assert rules(call("check", "--format", "json")) == {RULE, "complexity/cyclomatic"}
        tree.put("vetgate.yaml", "version: 1\nextends: [advisory]\n")
        assert rules(call("check", "--format", "json")) == {RULE, "complexity/cyclomatic"}

    def test_a_stricter_file_and_another_layout_hold_at_once(self, tree, call):
        accepted(tree, call)
        tree.put(
            "app.py",
            FOUR.replace("if a > 3:\n        return 3\n    ", "").replace("    if a > 2:\n        return 2\n", ""),
        )
        assert call("check").status == 0
        tree.put("vetgate.yaml", f"# as agreed\n{STRICTER}")
        assert rules(call("check", "--format", "json")) == {"complexity/cyclomatic"}

    def test_metrics_and_baseline_leave_out_nothing_that_was_not_accepted(self, tree, call):
        accepted(tree, call)
        tree.put("vetgate.yaml", f"{STRICT}paths: {{exclude: ['**/*.py']}}\n")
        tree.put("app.py", FOUR)
        assert "app.py" in call("metrics", "--format", "jsonl").out
        tree.put(".vetgate/baseline.json", listing())
        assert "1 finding not in it" in call("baseline").out

    def test_a_longer_baseline_counts_for_nothing_and_is_reported(self, tree, call):
        accepted(tree, call)
        tree.put("app.py", FOUR)
        (found,) = (each for each in json.loads(call("check", "--format", "json").out)["findings"])
        tree.put(".vetgate/baseline.json", listing(found["fingerprint"]))
        assert rules(call("check", "--format", "json")) == {RULE, "complexity/cyclomatic"}

    def test_an_accepted_baseline_counts(self, tree, call):
        accepted(tree, call)
        tree.put("app.py", FOUR)
        (found,) = (each for each in json.loads(call("check", "--format", "json").out)["findings"])
        data = tree.put(".vetgate/baseline.json", listing(found["fingerprint"])).read_bytes()
        said = call("trust", "--digest", sha256(data).hexdigest())
        assert (said.status, BASELINE_NAME in said.out) == (0, True)
        assert call("check").status == 0

    def test_what_another_branch_has_is_not_in_force_and_is_a_note(self, tree, call):
        accepted(tree, call, LOOSE)
        tree.git("checkout", "-q", "-b", "newer")
        accepted(tree, call, STRICT)
        tree.git("checkout", "-q", "-")
        tree.git("checkout", "-q", "main")
        tree.put("app.py", FOUR)
        said = call("check", "--format", "json")
        assert rules(said) == {"complexity/cyclomatic"}
        assert "not accepted as it is now" in said.err

    def test_a_file_to_be_tried_is_tried(self, tree, call):
        accepted(tree, call)
        tree.put("app.py", FOUR)
        tree.put("tried.yaml", LOOSE)
        assert call("check", "--config", "tried.yaml", "app.py").status == 0


class TestWhereNobodyDid:
    def test_the_committed_file_is_in_force(self, tree, call):
        tree.put("vetgate.yaml", LOOSE)
        tree.put("app.py", FOUR)
        tree.commit()
        assert call("check").status == 0
        assert not (tree.root.parent / "home" / "state").exists()

    def test_a_looser_one_in_the_work_tree_is_a_finding_and_not_in_force(self, tree, call):
        tree.put("vetgate.yaml", STRICT)
        tree.commit()
        tree.put("vetgate.yaml", OUTSIDE)
        tree.put("app.py", FOUR)
        assert rules(call("check", "--format", "json")) == {RULE, "complexity/cyclomatic"}

    def test_with_a_base_that_of_the_base_is(self, tree, call):
        tree.put("vetgate.yaml", STRICT)
        base = tree.commit()
        tree.put("vetgate.yaml", LOOSE)
        tree.put("app.py", FOUR)
        tree.commit()
        assert rules(call("check", "--diff", base, "--format", "json")) == {RULE, "complexity/cyclomatic"}
        assert call("check").status == 0

    def test_a_baseline_counts_as_it_is_at_the_base(self, tree, call):
        tree.put("vetgate.yaml", STRICT)
        base = tree.commit()
        tree.put(".vetgate/baseline.json", listing("0123456789abcdef"))
        tree.commit()
        assert rules(call("check", "--diff", base, "--format", "json")) == {RULE}

    def test_a_project_that_is_being_set_up_loosens_nothing(self, tree, call):
        tree.put("app.py", FOUR)
        base = tree.commit()
        tree.put("vetgate.yaml", LOOSE)
        tree.put(".vetgate/baseline.json", listing("0123456789abcdef"))
        assert call("check", "--diff", base).status == 0
        assert call("check").status == 0

    def test_without_git_the_file_is_as_it_stands(self, tmp_path, home, call):
        (tmp_path / "plain").mkdir()
        (tmp_path / "plain" / "vetgate.yaml").write_text(LOOSE)
        (tmp_path / "plain" / "app.py").write_text(FOUR)
        assert call("check", cwd="plain").status == 0


def _standing(text):
    return ConfigInForce(loaded(text.encode(), None, None).config)


@pytest.mark.parametrize(
    ("who", "before", "after", "found"),
    [
        (None, None, LOOSE, 0),
        (None, STRICT, LOOSE, 1),
        (None, LOOSE, STRICT, 0),
        (STRICT, STRICT, LOOSE, 1),
        (STRICT, LOOSE, LOOSE, 0),
        (STRICT, LOOSE, STRICT, 0),
        (LOOSE, STRICT, LOOSE, 0),
        (STRICT, STRICT, None, 1),
        (STRICT, None, LOOSE, 1),
    ],
    ids=[
        "set up",
        "looser than committed",
        "stricter than committed",
        "looser than accepted",
        "as it was before, though looser than accepted",
        "put right",
        "accepted beforehand",
        "deleted",
        "written anew",
    ],
)
def test_looser_is_what_loosens_and_was_not_accepted(who, before, after, found):
    stand = [ConfigInForce() if text is None else _standing(text) for text in (before, after)]
    accepted_by = None if who is None else _standing(who)
    assert len(loosenings(accepted_by, *stand)) == found
    assert not loosenings(accepted_by, stand[1], stand[1])


def test_the_defaults_are_no_looser_than_themselves():
    assert not loosenings(ConfigInForce(defaults()), ConfigInForce(defaults()), ConfigInForce(None))


def test_an_edit_that_cannot_loosen_anything_does_not_read_what_was_accepted(session, monkeypatch):
    session.trust(STRICT)
    read = []
    real = project.base
    monkeypatch.setattr(project, "base", lambda *words: read.append(words) or real(*words))
    assert not session.write("app.py", GOOD)[0].stdout
    assert not read
    assert b"cyclomatic 30" in session.write("vetgate.yaml", LOOSE)[0].stdout
    assert read
