"""A tool call that has not happened yet, as the file it would become."""

from __future__ import annotations

import json
import os
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from vetgate.agents.tools import looks_like_a_write, proposals
from vetgate.source.edit import Proposal, Replace, change_of, on_disk
from vetgate.source.notebook import CellEdit, parts_of
from vetgate.source.root import name_in
from vetgate.source.text import NotText, is_no_text


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root


def one(project, proposal):
    change = change_of([proposal], project)
    assert not change.unchecked
    (file,) = change.files
    return file


def write(project, name, data):
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_a_write_of_a_new_file_has_no_before(project):
    file = one(project, Proposal(project / "a.py", content="x = 1\n"))
    assert (file.path, file.before, file.after) == ("a.py", None, "x = 1\n")


@pytest.mark.parametrize(
    ("before", "replaces", "after"),
    [
        pytest.param("a b a", [Replace("a", "c")], "c b a", id="an edit replaces the first place"),
        pytest.param("a b a", [Replace("a", "c", everywhere=True)], "c b c", id="replace_all replaces every place"),
        pytest.param("a", [Replace("a", "b"), Replace("b", "c")], "c", id="several edits build on each other"),
        pytest.param("", [Replace("", "new")], "new", id="an empty old text fills an empty file"),
        pytest.param("x\ny\n", [Replace("x", "")], "y\n", id="deleting a line takes its end along"),
        pytest.param("a\r\nb\r\n", [Replace("a\nb", "c")], "c\n", id="line ends of Windows do not matter"),
        pytest.param("a\r\nb\r\n", [Replace("a\r\nb", "c")], "c\n", id="nor in the edit"),
        pytest.param(b"\xef\xbb\xbfa = 1\n", [Replace("a", "b")], "b = 1\n", id="a byte order mark is kept out"),
        pytest.param("ä".encode("utf-16"), [Replace("ä", "b")], "b", id="UTF-16 is read"),
        pytest.param(b"a = '\xe9'\n", [Replace("a", "b")], "b = '\udce9'\n", id="a stray Latin-1 byte stays in place"),
    ],
)
def test_an_edit_becomes_the_whole_file(project, before, replaces, after):
    write(project, "f.py", before)
    assert one(project, Proposal(project / "f.py", replaces=tuple(replaces))).after == after


@pytest.mark.parametrize(
    ("before", "proposal", "reason"),
    [
        pytest.param(
            "a",
            {"replaces": (Replace("z", "y"),)},
            "the text to replace is not in it",
            id="an edit that does not match",
        ),
        pytest.param(
            "a", {"replaces": (Replace("", "y"),)}, "replaces an empty text", id="an empty old text in a full file"
        ),
        pytest.param("", {"content": "x" * (20 * 1024 * 1024 + 1)}, "larger than 20 MiB", id="a huge write"),
        pytest.param("{}", {"cell": CellEdit("c", "x")}, "not a readable notebook", id="a notebook that is none"),
    ],
)
def test_what_cannot_be_built_is_said(project, before, proposal, reason):
    write(project, "f.py", before)
    change = change_of([Proposal(project / "f.py", **proposal)], project)
    assert not change.files
    assert reason in change.unchecked[0].reason


def test_a_binary_file_stands_for_its_readable_runs_and_no_text_can_pass_for_one(project):
    write(project, "f.png", b"\0\1\2\3" * 9 + b"a run of plain letters" + b"\0\1")
    before = one(project, Proposal(project / "f.png", content="x\n")).before
    assert is_no_text(before)
    assert "a run of plain letters" in before
    assert not is_no_text(one(project, Proposal(project / "g.env", content=before)).after)
    assert not is_no_text(one(project, Proposal(project / "h.env", content=before, appends=True)).after)
    assert not is_no_text(one(project, Proposal(project / "i.env", replaces=(Replace("", before),))).after)


def test_a_linked_folder_is_seen_through(project):
    write(project, "real/f.py", "x = 1\n")
    (project / "link").symlink_to("real")
    file = one(project, Proposal(project / "link" / "f.py", content="y"))
    assert (file.path, file.before) == ("real/f.py", "x = 1\n")


def test_a_path_through_the_parent_is_resolved(project):
    assert one(project, Proposal(project / "sub" / ".." / "f.py", content="y")).path == "f.py"


def test_the_root_is_the_edited_file_s_own(project, tmp_path):
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    change = change_of([Proposal(other / "f.py", content="y")], project)
    assert (change.root, change.files[0].path) == (other, "f.py")


def test_without_git_the_nearest_configuration_marks_the_root(tmp_path):
    write(tmp_path, "p/vetgate.yaml", "version: 1\n")
    change = change_of([Proposal(tmp_path / "p" / "deep" / "er" / "f.py", content="y")], tmp_path)
    assert change.root == tmp_path / "p"


def test_a_file_outside_of_every_project_is_named_in_full(project, tmp_path):
    outside = tmp_path / "loose" / "f.py"
    change = change_of([Proposal(outside, content="y")], project)
    assert (change.root, change.files[0].path) == (project, outside.as_posix())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_opened(project):
    os.mkfifo(project / "pipe.py")
    assert on_disk([project / "pipe.py"], project).unchecked[0].reason == "not a regular file"


def test_a_missing_file_on_disk_is_a_file_without_content(project):
    assert on_disk([project / "gone.py"], project).files[0].after is None


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "id": "m", "source": ["# title"]},
        {"cell_type": "code", "id": "c", "source": ["%matplotlib inline\n", "x = 1\n"]},
        {"cell_type": "code", "source": "%%bash\nif true; then echo; fi"},
    ]
}


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (CellEdit("c", "y = 2"), "# cell 2\ny = 2\n# cell 3\n\n"),
        (CellEdit("cell-1", "y = 2"), "# cell 2\ny = 2\n# cell 3\n\n"),
        (CellEdit("c", "", mode="delete"), "# cell 2\n\n"),
        (CellEdit("m", "z = 3", mode="insert"), "# cell 2\nz = 3\n# cell 3\n\nx = 1\n\n# cell 4\n\n"),
        (CellEdit("m", "z = 3", kind="code"), "# cell 1\nz = 3\n# cell 2\n\nx = 1\n\n# cell 3\n\n"),
    ],
    ids=["replaced by id", "replaced by number", "deleted", "inserted behind", "turned into code"],
)
def test_a_cell_edit_becomes_the_notebook_s_code(project, edit, expected):
    write(project, "n.ipynb", json.dumps(NOTEBOOK))
    assert parts_of(one(project, Proposal(project / "n.ipynb", cell=edit)).after).code == expected


def test_several_files_of_one_call_are_all_judged(project):
    given = {"files": [{"path": "a.py", "content": "x\n"}, {"path": "b.py", "content": "y\n"}]}
    assert [file.path for file in change_of(proposals(given), project).files] == ["a.py", "b.py"]


def test_a_file_below_another_object_is_judged(project):
    given = {"request": {"path": "a.py", "content": "x\n"}, "options": {"encoding": "utf-8"}}
    assert [file.path for file in change_of(proposals(given, "mcp__fs__write_file"), project).files] == ["a.py"]


def test_a_whole_file_is_judged_whatever_is_called_a_preview(project):
    given = {"path": "a.py", "content": "x\n", "dryRun": True}
    assert [file.path for file in change_of(proposals(given, "mcp__fs__write_file"), project).files] == ["a.py"]


def test_what_is_appended_comes_behind_what_is_there(project):
    write(project, "a.py", "x = 1\n")
    given = {"path": "a.py", "content": "y = 2\n"}
    (file,) = change_of(proposals(given, "mcp__fs__append_file"), project).files
    assert file.after == "x = 1\ny = 2\n"


def test_an_address_of_a_file_is_decoded(project):
    given = {"uri": f"file://{project}/a%20b.py", "content": "x"}
    assert change_of(proposals(given), project).files[0].path == "a b.py"


def test_a_part_of_a_file_is_not_taken_for_the_whole():
    given = {"relative_path": "a.py", "name_path": "Shop/total", "body": "def total(self):\n    return 1\n"}
    assert proposals(given, "mcp__serena__replace_symbol_body") == ()
    assert looks_like_a_write(given | {"body": given["body"] * 5})


def test_a_path_no_file_system_has_is_said(project):
    change = change_of([Proposal(Path("a\0.py"), content="x")], project)
    assert "no such path" in change.unchecked[0].reason


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("%%time\nx = 1", "\nx = 1"),
        ("%%bash\nls", "\n"),
        ("x = (1\n % 3)", "x = (1\n % 3)"),
        ("y = (a\n != 3)", "y = (a\n != 3)"),
        ("!ls\n%matplotlib inline\nx = 1", "\n\nx = 1"),
    ],
)
def test_only_what_is_no_python_is_left_out_of_a_cell(source, plain):
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": source}]})
    assert parts_of(notebook).code == f"# cell 1\n{plain}"


def test_code_and_what_it_printed_stand_in_the_lines_of_the_file():
    printed = {"output_type": "stream", "name": "stdout", "text": ["one\n", 'two "2"']}
    shown = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo", "text/plain": "a\nb"}}
    cells = [
        {"cell_type": "markdown", "source": ["# title"]},
        {"cell_type": "code", "source": ["%env A=b\n", "\n", "x = 1\n"], "outputs": [printed, shown]},
        {"cell_type": "code", "source": ["y = [\n", "    2]"], "outputs": []},
    ]
    notebook = json.dumps({"cells": cells, "metadata": {"t": "z"}}, indent=1)
    rows = notebook.split("\n")
    parts = parts_of(notebook)
    code = {number: line for number, line in enumerate(parts.code.split("\n")) if line}
    assert list(code.values()) == ["x = 1", "y = [", "    2]"]
    assert all(line in rows[number] for number, line in code.items())
    beside = {number: line for number, line in enumerate(parts.beside.split("\n")) if line}
    assert list(beside.values()) == ["# title", "%env A=b", "one", 'two "2"', "a\rb", "z"]
    assert all(line.split("\r")[0].split('"')[0] in rows[number] for number, line in beside.items())


def test_a_name_given_twice_leaves_the_lines_unknown():
    notebook = '{"cells": [\n{"cell_type": "code", "source": ["x = 1"],\n"source": ["y = 2"]}]}'
    assert parts_of(notebook).code == "y = 2"
    assert parts_of(notebook).beside == ""


def test_a_notebook_in_another_language_is_not_judged_as_python():
    notebook = json.dumps({"cells": [], "metadata": {"kernelspec": {"language": "R"}}})
    with pytest.raises(NotText, match="a notebook in r"):
        parts_of(notebook)


@pytest.mark.parametrize(
    ("tool_input", "expected"),
    [
        ({"file_path": "f", "content": "c"}, "content"),
        ({"path": "f", "contents": "c"}, "content"),
        ({"path": "f", "edits": [{"oldText": "a", "newText": "b"}]}, "replaces"),
        ({"file_path": "f", "old_string": "a", "new_string": "b", "replace_all": True}, "replaces"),
        ({"path": "f", "old_str": "a", "new_str": "b"}, "replaces"),
        ({"notebook_path": "f", "new_source": "x", "cell_id": "c"}, "cell"),
        ({"path": "f", "edits": [{"oldText": "a", "newText": "b"}], "dryRun": True}, None),
        ({"pathInProject": "f", "text": "c"}, "content"),
        ({"files": [{"path": "f", "content": "c"}]}, "content"),
        ({"edits": [{"path": "f", "oldText": "a", "newText": "b"}]}, "replaces"),
        ({"path": "f", "edits": ["nonsense", {"oldText": "a", "newText": "b"}]}, "replaces"),
        ({"path": "f"}, None),
        ({"content": "c"}, None),
        ({"path": 3, "content": ["x"]}, None),
        ({}, None),
    ],
    ids=str,
)
def test_the_shapes_of_a_write_are_recognised(tool_input, expected):
    found = proposals(tool_input)
    if expected is None:
        assert found == ()
    else:
        assert getattr(found[0], expected)


@pytest.mark.parametrize(
    ("root", "path", "name"),
    [
        (PurePosixPath("/a"), PurePosixPath("/a/b/c"), "b/c"),
        (PurePosixPath("/a"), PurePosixPath("/a"), "."),
        (PurePosixPath("/a"), PurePosixPath("/ab/c"), "/ab/c"),
        (PurePosixPath("/"), PurePosixPath("/b"), "b"),
        (PureWindowsPath("C:/Work"), PureWindowsPath("c:/work/b"), "b"),
        (PureWindowsPath("//Server/Share/p"), PureWindowsPath("//server/share/p/b"), "b"),
    ],
)
def test_a_file_is_called_by_its_place_below_the_root(root, path, name):
    assert name_in(root, path) == name
