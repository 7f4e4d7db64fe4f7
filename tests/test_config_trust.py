"""Which configuration is in force: accepted, not accepted, broken, gone."""

from __future__ import annotations

from hashlib import sha256

import pytest

from vetgate.config.load import defaults, loaded
from vetgate.config.plain import text
from vetgate.config.trust import NO_FILE, effective, project_file
from vetgate.model import UserError
from vetgate.severity import Severity

KNOWN = {
    **dict.fromkeys(name for gate in defaults().gates.values() for name in gate.checks),
    "complexity/nesting": Severity.WARNING,
}
LOOSE = "version: 1\ncomplexity: {cyclomatic: 30, nesting: 2}\n"
BROKEN = "version: 1\ncomplexity: {cyclomatic: ten}\n"


@pytest.fixture
def project(tmp_path):
    def put(content=None, **others):
        path = tmp_path / "vetgate.yaml"
        path.unlink(missing_ok=True)
        if content is not None:
            path.write_text(content)
        for name, other in others.items():
            (tmp_path / f"{name}.yaml").write_text(other)
        return tmp_path

    return put


def accepted(root):
    file = project_file(root, KNOWN)
    return file.sha256, text(file.config)


def in_force(root, trusted=None, last_good=None):
    return effective(root, trusted, last_good, KNOWN)


def test_without_a_file_the_defaults_are_in_force(project):
    found = in_force(project())
    assert (found.config, found.notes, found.must_ask, found.problem) == (defaults(), (), False, None)


def test_an_accepted_file_is_in_force_as_it_is(project):
    root = project(LOOSE)
    found = in_force(root, accepted(root))
    assert found.config.options["complexity.cyclomatic"] == 30
    assert (found.notes, found.ignored) == ((), ())
    assert accepted(root)[0] == sha256(LOOSE.encode()).hexdigest()


def test_a_file_that_nobody_accepted_can_only_tighten(project):
    found = in_force(project(LOOSE))
    assert (found.config.options["complexity.cyclomatic"], found.config.options["complexity.nesting"]) == (10, 2)
    assert found.ignored == ("complexity.cyclomatic 30 is looser than 10",)
    (note,) = found.notes
    assert "complexity.cyclomatic 30 is looser than 10" in note
    assert "vetgate trust" in note
    assert (found.problem, found.must_ask) == (None, False)


def test_a_file_that_only_tightens_needs_no_word(project):
    found = in_force(project("version: 1\nextends: [strict]\n"))
    assert found.config.options["complexity.cyclomatic"] == 8
    assert found.notes == ()


def test_a_later_file_is_measured_by_the_accepted_one(project):
    trusted = accepted(project(LOOSE))
    found = in_force(project("version: 1\ncomplexity: {cyclomatic: 25, nesting: 3}\n"), trusted)
    assert (found.config.options["complexity.cyclomatic"], found.config.options["complexity.nesting"]) == (25, 2)
    assert found.ignored == ("complexity.nesting 3 is looser than 2",)


def test_a_broken_file_leaves_the_last_good_version_in_force(project):
    good = in_force(project("version: 1\ncomplexity: {cyclomatic: 7}\n"))
    found = in_force(project(BROKEN), last_good=good.text)
    assert found.config.options["complexity.cyclomatic"] == 7
    assert found.must_ask is False
    assert "vetgate.yaml:2:26: complexity.cyclomatic: must be" in found.notes[0]
    assert found.problem.message.startswith("vetgate.yaml:2:26: complexity.cyclomatic")


def test_breaking_a_file_does_not_bring_into_force_what_was_not_accepted(project):
    before = in_force(project(LOOSE))
    found = in_force(project(BROKEN), last_good=before.text)
    assert found.config.options["complexity.cyclomatic"] == 10


def test_a_broken_file_falls_back_to_the_accepted_one(project):
    trusted = accepted(project(LOOSE))
    for forgotten in (None, "version: 99\n", "\ud800"):
        assert in_force(project(BROKEN), trusted, forgotten).config.options["complexity.cyclomatic"] == 30


def test_a_file_that_was_never_good_has_to_be_asked_about(project):
    found = in_force(project(BROKEN))
    assert found.must_ask
    assert found.config == defaults()
    assert "vetgate.yaml:2:26: complexity.cyclomatic" in found.notes[0]


def test_a_file_that_cannot_be_read_is_a_broken_one(project):
    root = project()
    (root / "vetgate.yaml").mkdir()
    assert "is not a regular file" in in_force(root).notes[0]
    assert in_force(root).must_ask


def test_a_dangling_link_is_a_broken_file_not_a_missing_one(project):
    root = project()
    (root / "vetgate.yaml").symlink_to("nowhere")
    assert in_force(root).must_ask


def test_deleting_an_accepted_file_loosens_nothing(project):
    trusted = accepted(project(LOOSE))
    found = in_force(project(), trusted)
    assert (found.config.options["complexity.cyclomatic"], found.config.options["complexity.nesting"]) == (10, 2)
    assert "vetgate.yaml is gone" in found.notes[0]
    assert in_force(project(), (NO_FILE, text(defaults()))).config == defaults()


def test_acceptance_covers_the_files_it_extends(project):
    mine = "version: 1\nextends: [./team.yaml]\n"
    trusted = accepted(project(mine, team="version: 1\ncomplexity: {cyclomatic: 12}\n"))
    first = in_force(project(mine), trusted)
    assert (first.config.options["complexity.cyclomatic"], first.extends) == (12, True)
    later = in_force(project(mine, team="version: 1\ncomplexity: {cyclomatic: 99}\n"), trusted)
    assert later.config.options["complexity.cyclomatic"] == 12
    assert later.ignored == ("complexity.cyclomatic 99 is looser than 12",)


def test_what_is_remembered_stands_alone(project):
    root = project("version: 1\nextends: [./team.yaml]\n", team="version: 1\ncomplexity: {nesting: 1}\n")
    found = in_force(root)
    again = loaded(found.text.encode(), KNOWN, None).config
    assert again.options == found.config.options
    assert again.digest == found.config.digest


def test_a_check_that_left_the_product_does_not_take_the_gate_with_it(project):
    gone = '{"version": 1, "gates": {"code": {"checks": ["gone"]}}}'
    found = in_force(project("version: 1\n"), ("0" * 64, gone))
    assert found.config.gates["code"].checks == defaults().gates["code"].checks


def test_the_other_spelling_is_told(project):
    root = project()
    (root / "vetgate.yml").write_text("version: 1\n")
    with pytest.raises(UserError, match=r"vetgate\.yml is not read"):
        project_file(root, KNOWN)
    assert in_force(root).must_ask
