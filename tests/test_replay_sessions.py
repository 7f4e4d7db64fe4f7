from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from replay_code import PLAIN, branchy
from vetgate.agents.claude_code.transcript import transcripts
from vetgate.agents.conversation import Hunk
from vetgate.config.load import defaults
from vetgate.model import Decision, UserError
from vetgate.service.replay.judge import judge
from vetgate.service.replay.recording import patched, sessions, transcripts_at

if TYPE_CHECKING:
    from vetgate.service.replay.recording import RecordedEdit

SHOP = Path(__file__).parent / "data" / "transcripts" / "shop.jsonl"

pytestmark = pytest.mark.usefixtures("home")


def by_id(*transcripts: Path) -> dict[str, RecordedEdit]:
    return {edit.id: edit for edit in sessions(transcripts).items}


def written(folder: Path, *lines: dict[str, Any]) -> Path:
    file = folder / "made.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return file


def use(id_: str, tool: str, **given: Any) -> dict[str, Any]:
    content = [{"type": "tool_use", "id": id_, "name": tool, "input": given}]
    return {"type": "assistant", "sessionId": "s", "cwd": "/srv/shop", "message": {"content": content}}


def result(id_: str, details: Any, **more: Any) -> dict[str, Any]:
    content = [{"type": "tool_result", "tool_use_id": id_, "content": "done"}]
    return {"type": "user", "sessionId": "s", "message": {"content": content}, "toolUseResult": details, **more}


class TestRead:
    def test_every_edit_and_command_of_a_session_is_found_and_nothing_else(self) -> None:
        found = by_id(SHOP)
        assert list(found) == [
            "toolu_tax",
            "toolu_router",
            "toolu_note",
            "toolu_many",
            "toolu_test",
            "toolu_wipe",
            "toolu_blind",
        ]

    def test_an_edit_has_the_file_as_the_client_found_it_and_as_it_would_be(self) -> None:
        file = by_id(SHOP)["toolu_tax"].file
        assert file is not None
        assert (file.path, file.before) == ("price.py", "def price(item):\n    return item.net\n")
        assert file.after == "def price(item):\n    return item.net * 1.2\n"

    def test_several_replacements_are_made_one_after_the_other(self) -> None:
        file = by_id(SHOP)["toolu_many"].file
        assert file is not None
        assert file.after == "def gross(item):\n    return item.net * 1.19\n"

    def test_a_file_that_is_created_was_not_there_before(self) -> None:
        file = by_id(SHOP)["toolu_router"].file
        assert file is not None
        assert file.before is None

    def test_a_cell_is_changed_in_its_notebook(self) -> None:
        file = by_id(SHOP)["toolu_note"].file
        assert file is not None
        assert json.loads(file.after or "")["cells"][0]["source"] == "print(2)"

    def test_what_nobody_wrote_down_is_said_to_be_missing(self) -> None:
        assert "earlier content" in by_id(SHOP)["toolu_blind"].missing

    def test_a_command_knows_where_it_would_have_run(self) -> None:
        command = by_id(SHOP)["toolu_test"].command
        assert command is not None
        assert (command.text, command.cwd) == ("pytest -q", Path("/srv/shop"))

    def test_a_copy_of_a_session_counts_once(self, tmp_path: Path) -> None:
        copy = tmp_path / "resumed.jsonl"
        copy.write_bytes(SHOP.read_bytes())
        assert len(sessions((SHOP, copy)).items) == len(sessions((SHOP,)).items)

    def test_without_what_the_client_found_the_edits_before_tell(self, tmp_path: Path) -> None:
        file = written(
            tmp_path,
            use("one", "Write", file_path="/srv/shop/a.py", content="x = 1\n"),
            use("two", "Edit", file_path="/srv/shop/a.py", old_string="1", new_string="2"),
        )
        edit = by_id(file)["two"].file
        assert edit is not None
        assert (edit.before, edit.after) == ("x = 1\n", "x = 2\n")

    def test_a_refused_edit_leaves_the_file_as_it_was(self, tmp_path: Path) -> None:
        file = written(
            tmp_path,
            use("one", "Write", file_path="/srv/shop/a.py", content="x = 1\n"),
            result("one", {"filePath": "/srv/shop/a.py", "originalFile": None}),
            use("two", "Write", file_path="/srv/shop/a.py", content="x = 2\n"),
            result("two", "Error: hook error", toolDenialKind="permission-rule"),
            use("three", "Write", file_path="/srv/shop/a.py", content="x = 3\n"),
        )
        found = by_id(file)
        assert [found[id_].file.before for id_ in ("two", "three")] == ["x = 1\n", "x = 1\n"]  # type: ignore[union-attr]

    def test_what_a_person_made_of_a_proposal_is_what_the_next_edit_starts_from(self, tmp_path: Path) -> None:
        hunk = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-x = 1", "+x = 5"]}
        details = {"filePath": "/srv/shop/a.py", "originalFile": "x = 1\n", "userModified": True}
        file = written(
            tmp_path,
            use("one", "Edit", file_path="/srv/shop/a.py", old_string="1", new_string="2"),
            result("one", {**details, "structuredPatch": [hunk]}),
            use("two", "Edit", file_path="/srv/shop/a.py", old_string="5", new_string="6"),
        )
        found = by_id(file)
        assert found["one"].file.after == "x = 2\n"  # type: ignore[union-attr]
        assert found["two"].file.after == "x = 6\n"  # type: ignore[union-attr]

    def test_an_edit_that_does_not_fit_says_so(self, tmp_path: Path) -> None:
        file = written(
            tmp_path,
            use("one", "Write", file_path="/srv/shop/a.py", content="x = 1\n"),
            use("two", "Edit", file_path="/srv/shop/a.py", old_string="nowhere", new_string="2"),
        )
        assert "the text to replace is not in it" in by_id(file)["two"].missing

    @pytest.mark.parametrize(
        "line",
        [
            pytest.param('{"type": "assistant"}', id="a line without a message"),
            pytest.param('{"type": "assistant", "message": {"content": [7]}}', id="a block that is no object"),
            pytest.param(
                '{"type": "assistant", "message": {"content": [{"type": "tool_use"}]}}', id="a call without id"
            ),
            pytest.param("[]", id="a line that is no object"),
            pytest.param("\x00\xff", id="a line that is no JSON"),
        ],
    )
    def test_what_is_not_known_is_passed_over(self, line: str, tmp_path: Path) -> None:
        file = tmp_path / "odd.jsonl"
        file.write_bytes(line.encode("latin-1") + b"\n" + SHOP.read_bytes())
        assert len(sessions((file,)).items) == len(sessions((SHOP,)).items)


def test_hunks_are_applied_from_the_end() -> None:
    hunks = (Hunk(1, ("a",), ("A", "A")), Hunk(3, ("c",), ()))
    assert patched("a\nb\nc\nd\n", hunks) == "A\nA\nb\nd\n"


class TestJudged:
    def test_a_session_under_the_defaults(self) -> None:
        found = {id_: judge(edit, defaults()) for id_, edit in by_id(SHOP).items()}
        stopped = {id_: {each.id for each in one.stopping} for id_, one in found.items() if one.is_stopped}
        assert stopped["toolu_router"] == {"complexity/cyclomatic"}
        assert stopped["toolu_wipe"] == {"unsafe-command/deletes-files"}
        assert set(stopped) == {"toolu_router", "toolu_wipe"}
        assert found["toolu_blind"].unjudged
        assert found["toolu_tax"].decision is Decision.ALLOW

    def test_code_that_moves_to_another_file_has_its_old_one_for_company(self, tmp_path: Path) -> None:
        file = written(
            tmp_path,
            use("cut", "Write", file_path="/srv/shop/old.py", content=PLAIN),
            result("cut", {"filePath": "/srv/shop/old.py", "originalFile": branchy()}),
            use("put", "Write", file_path="/srv/shop/new.py", content=branchy()),
            result("put", {"filePath": "/srv/shop/new.py", "originalFile": None}),
        )
        change = sessions((file,)).company("put").change
        assert {each.path: each.before for each in change.files} == {"new.py": None, "old.py": branchy()}


class TestFind:
    def test_a_folder_gives_all_transcripts_in_it(self) -> None:
        assert SHOP in transcripts_at((SHOP.parent,))

    @pytest.mark.parametrize("name", ["missing.jsonl", "empty"])
    def test_where_there_is_none_the_user_is_told(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        with pytest.raises(UserError, match="no transcript"):
            transcripts_at((tmp_path / name,))

    def test_the_client_names_its_folders_after_the_project(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
        place = tmp_path / "projects" / "-srv-shop-api" / "one.jsonl"
        place.parent.mkdir(parents=True)
        place.write_text("")
        assert transcripts(Path("/srv/shop")) == (place,)
        assert transcripts(Path("/srv/other")) == ()
