"""Before a command by which code would leave, and when a person types /ship: the real hook, real git."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from fixtures import Session
from secret_samples import made_from
from shipping import CONFIG, review
from vetgate.app import App
from vetgate.engine.decide import Decision

# Else nobody publishes at all.
PUBLISHING = f"{CONFIG}commands: {{effects: {{publishes: allow}}}}\n"


@pytest.fixture
def session(tmp_path):
    made = Session(tmp_path)
    made.put("a.txt", "one\n")
    made.trust(PUBLISHING)
    made.commit("begin")
    made.git("branch", "-M", "main")
    made.git("switch", "-q", "-c", "topic")
    made.start()
    return made


def asked(session, command):
    _, decision, output = session.tool("Bash", command=command)
    return decision, output.get("permissionDecisionReason", "")


@pytest.mark.parametrize(
    "command",
    [
        "git push",
        "git push origin topic",
        "gh pr create --fill",
        "glab mr merge 3",
        "npm publish",
        "bash -c 'git push'",
    ],
)
def test_nothing_leaves_without_a_review(session, command):
    session.put("a.txt", "two\n")
    session.commit()
    decision, said = asked(session, command)
    assert decision == "deny"
    assert said.startswith("Ship gate: BLOCKED\n- no-review: no review of")
    assert "vetgate review" in said
    row = session.app.project(session.root).store.decisions(1)[0]
    assert row.body.decision == str(Decision.BLOCK)
    assert [each.rule for each in row.body.findings] == ["no-review"]


@pytest.mark.parametrize(
    "tool", ["mcp__github__create_pull_request", "mcp__github__merge_pull_request", "mcp__gitlab__create_merge_request"]
)
def test_a_tool_of_others_that_opens_a_pull_request_asks_as_well(session, tool):
    session.put("a.txt", "two\n")
    session.commit()
    assert "no-review" in session.tool(tool, title="x", head="topic")[2]["permissionDecisionReason"]
    review(session)
    assert session.tool(tool, title="x", head="topic")[1] is None


@pytest.mark.parametrize("tool", ["mcp__github__push_files", "mcp__github__create_or_update_file"])
def test_what_a_tool_writes_at_the_remote_was_reviewed_by_nobody(session, tool):
    review(session)
    given = {"branch": "topic", "path": "a.py", "content": "x = 1", "files": [{"path": "a.py", "content": "x = 1"}]}
    _, decision, output = session.tool(tool, **given)
    assert decision == "deny"
    assert "- unknown: nobody can tell what would leave" in output["permissionDecisionReason"]
    assert "--override" not in output["permissionDecisionReason"]
    session.trust("version: 1\n")
    _, decision, output = session.tool(tool, **given)
    assert decision == "deny", "it goes past git's hooks"
    assert "Ship gate" not in output["permissionDecisionReason"]
    token = made_from(r"ghp_[A-Za-z0-9]{36}")
    assert session.tool(tool, path="a.py", content=f'TOKEN = "{token}"\n')[1] == "deny", "it is still an edit"


def test_what_was_reviewed_leaves_and_an_edit_is_named(session):
    session.put("a.txt", "two\n")
    review(session)
    session.commit()
    assert asked(session, "git push origin topic")[0] is None
    assert asked(session, "gh pr create --fill")[0] is None
    session.put("a.txt", "three\n")
    # The last commit is what a push sends; a package is made of the files.
    assert asked(session, "git push")[0] is None
    decision, said = asked(session, "npm publish")
    assert decision == "deny"
    assert "a.txt changed since the review" in said
    session.commit()
    assert "a.txt changed since the review" in asked(session, "git push")[1]


def test_a_commit_in_the_same_command_is_judged_by_the_files(session):
    session.put("a.txt", "two\n")
    assert asked(session, "git commit -qam x && git push")[0] == "deny"
    review(session)
    assert asked(session, "git commit -qam x && git push")[0] is None


def test_a_branch_by_name(session):
    session.put("a.txt", "two\n")
    review(session)
    session.commit()
    session.git("branch", "other", "main")
    session.git("switch", "-q", "other")
    session.put("a.txt", "unseen\n")
    other = session.commit()
    assert asked(session, "git push origin topic")[0] is None
    said = asked(session, "git push origin topic other")[1]
    assert f"commit {other[:10]}" in said
    assert f"vetgate ship {other[:12]} --override REASON" in said
    assert asked(session, "git push --all")[0] == "deny"
    assert "no commit called nowhere" in asked(session, "git push origin nowhere")[1]


def test_a_commit_to_a_branch_that_counts(session):
    session.trust(f"{CONFIG}ship: {{branches: [main]}}\n")
    session.put("a.txt", "two\n")
    assert asked(session, "git commit -qam x")[0] is None
    session.git("switch", "-q", "main")
    decision, said = asked(session, "git commit -qam x")
    assert decision == "deny"
    assert "(commit)" in said
    review(session)
    assert asked(session, "git commit -qam x")[0] is None


class TestBranchesThatCount:
    @pytest.fixture
    def main(self, session):
        session.trust(f"{CONFIG}ship: {{branches: [main]}}\n")
        session.put("a.txt", "two\n")
        session.commit()
        session.git("switch", "-q", "main")
        return session

    @pytest.mark.parametrize(
        "command",
        [
            *("git merge topic", "git merge --no-ff topic -m x", "git cherry-pick topic", "git rebase topic"),
            *("git pull . topic", "git am x.patch", "git revert --no-edit HEAD", "git reset --hard topic"),
            *("git fetch . topic:main", "git rebase -i HEAD~1", "git reset topic", "git reset --soft topic"),
            *("git fetch . topic:x topic:main", "git pull . topic:main", "git subtree merge -P x topic"),
            *(
                "git fetch ../elsewhere topic:main",
                "git fetch x.bundle main:main",
                "git worktree add -B main ../m topic",
            ),
            "git switch topic && git worktree add ../m main && git -C ../m merge topic",
        ],
    )
    def test_every_way_onto_it_is_asked_about(self, main, command):
        decision, said = asked(main, command)
        assert (decision, said.startswith("Ship gate: BLOCKED")) == ("deny", True)

    @pytest.mark.parametrize(
        "command",
        [
            *("git reset a.txt", "git reset HEAD~1", "git reset --soft HEAD", "git reset -- topic"),
            *("git fetch origin main:main", "git worktree add ../x topic", "git worktree add ../x topic && cd ../x"),
            "git worktree add ../x topic && git -C ../x merge main",
        ],
    )
    def test_what_puts_nothing_new_onto_it_is_not(self, main, command):
        assert not asked(main, command)[1].startswith("Ship gate")

    def test_a_switch_in_the_same_command_counts(self, main):
        main.git("switch", "-q", "topic")
        assert asked(main, "git merge topic")[0] is None
        assert asked(main, "git switch main && git merge topic")[0] == "deny"
        assert asked(main, "git checkout - && git merge topic")[0] == "deny"
        assert asked(main, "git checkout main; git commit --allow-empty -m x")[0] == "deny"

    def test_what_was_reviewed_lands_and_nothing_beside_it(self, main):
        main.git("switch", "-q", "topic")
        review(main)
        main.git("switch", "-q", "main")
        for command in ("git merge topic", "git merge --no-ff topic", "git rebase topic"):
            assert asked(main, command)[0] is None
        assert asked(main, "git merge HEAD")[0] is None
        main.put("b.txt", "of main alone\n")
        main.commit()
        assert "main has commits that topic does not have" in asked(main, "git merge topic")[1]
        assert "commits on main that nobody has reviewed" in asked(main, "git cherry-pick topic")[1]


class TestElsewhere:
    """The session began in another project that a person accepted, without a ship gate."""

    @pytest.fixture
    def other(self, tmp_path, session):
        began = Session(tmp_path / "began")
        began.trust("version: 1\ncommands: {effects: {publishes: allow}}\n")
        began.commit()
        began.state, began.app = session.state, App(session.state)
        began.app.project(began.root).store.set_trusted(*trusted_text(began))
        began.id = "elsewhere"
        began.start()
        return began

    @pytest.mark.parametrize("way", ["cd {} && npm publish", "git -C {} push", "cd {} && gh pr create --fill"])
    def test_what_leaves_a_repository_is_up_to_that_one(self, session, other, way):
        session.put("a.txt", "two\n")
        session.commit()
        decision, said = asked(other, way.format(session.root))
        assert decision == "deny"
        assert "no review of" in said
        review(session)
        assert "Ship gate" not in asked(other, way.format(session.root))[1]

    def test_where_the_session_has_gone_to_stays_its_own(self, session, other):
        session.put("a.txt", "two\n")
        session.commit()
        _, said = other.send("PreToolUse", cwd=session.root, tool_name="Bash", tool_input={"command": "gh pr create"})
        assert said["hookSpecificOutput"]["permissionDecisionReason"].startswith("Ship gate: BLOCKED")

    def test_from_a_work_tree_with_another_configuration(self, session, tmp_path):
        session.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "more")
        (tmp_path / "tree" / "vetgate.yaml").write_text(f"{PUBLISHING}complexity: {{nesting: 2}}\n")
        decision, said = asked(session, f"cd {tmp_path / 'tree'} && gh pr create --fill")
        assert (decision, said.partition("\n")[0]) == ("deny", "Ship gate: BLOCKED")

    def test_what_is_only_told_hides_nothing_that_is_refused(self, session, other):
        """Of two ways out in one command."""
        other.trust(PUBLISHING.replace("ship: true}", "ship: true, on_fail: CONTINUE}"))
        other.put("a.txt", "one\n")
        other.commit()
        decision, said = asked(other, f"npm publish && cd {session.root} && npm publish")
        assert (decision, said.partition("\n")[0]) == ("deny", "Ship gate: BLOCKED")


def trusted_text(session):
    text = (session.root / "vetgate.yaml").read_text()
    return sha256(text.encode()).hexdigest(), text


def test_it_is_refused_as_often_as_it_is_tried(session):
    """Retries are for what can be put right by another edit; here nobody is worn down."""
    session.put("a.txt", "two\n")
    session.commit()
    assert {asked(session, "git push")[0] for _ in range(6)} == {"deny"}


def test_what_is_refused_for_itself_as_well_never_becomes_a_question(session):
    """Publishing is refused by itself, and after three times a person would be asked; not where nobody reviewed it."""
    session.trust(CONFIG.replace("version: 1", "version: 1\nrules: {unsafe-command/publishes: critical}"))
    session.put("a.txt", "two\n")
    session.commit()
    for _ in range(6):
        decision, said = asked(session, "npm publish")
        assert decision == "deny"
        assert "Ship gate: BLOCKED" in said


def test_a_gate_that_continues_only_tells(session):
    session.trust(CONFIG.replace("{ship: true}", "{ship: true, on_fail: CONTINUE}"))
    session.put("a.txt", "two\n")
    session.commit()
    reply, said = session.send("PreToolUse", tool_name="Bash", tool_input={"command": "git push"})
    assert reply.status == 0
    assert "deny" not in json.dumps(said)
    assert "no-review" in json.dumps(said)


def test_an_agent_cannot_override(session):
    decision, said = asked(session, "vetgate ship --override 'it is fine'")
    assert decision == "deny"
    assert "only a person lets something leave without it" in said


class TestPrompt:
    def context(self, session, prompt):
        said = session.said("UserPromptSubmit", prompt=prompt)
        return said.get("hookSpecificOutput", {}).get("additionalContext", "")

    @pytest.mark.parametrize("prompt", ["/ship", "/ship now", "/vetgate:ship", "  /ship\n"])
    def test_a_person_who_ships_gets_the_verdict(self, session, prompt):
        session.put("a.txt", "two\n")
        assert self.context(session, prompt).startswith("Ship gate: BLOCKED\n- no-review: ")
        review(session)
        assert self.context(session, prompt).splitlines()[0] == "Ship gate: APPROVED"

    @pytest.mark.parametrize("prompt", ["ship it", "/shipping", "what does /ship do?", "/review"])
    def test_nothing_is_said_otherwise(self, session, prompt):
        assert "Ship gate" not in self.context(session, prompt)

    def test_what_is_committed_may_leave_beside_a_scratch_file(self, session):
        session.put("a.txt", "two\n")
        review(session)
        session.commit()
        session.put("scratch.txt", "x\n")
        said = self.context(session, "/ship")
        assert said.startswith("Ship gate: APPROVED")
        assert "the work tree has changed since" in said


def test_without_on_ship_nobody_asks_git(tmp_path, monkeypatch):
    import vetgate.gates.ship as gate  # noqa: PLC0415

    session = Session(tmp_path)
    session.trust("version: 1\n")
    session.put("a.txt", "two\n")
    session.commit()
    monkeypatch.setattr(gate, "commit_trees", lambda *_: pytest.fail("git was asked"))
    assert asked(session, "git push")[0] is None
    assert session.said("UserPromptSubmit", prompt="/ship") == {}
