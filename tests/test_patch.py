"""Patches of `*** Begin Patch`, as the files they would make."""

from __future__ import annotations

import pytest

from vetgate.agents.tools import patch_proposals
from vetgate.source.edit import change_of
from vetgate.source.patch import PatchError, parse_patch, patches_in_command
from vetgate.tool_input import patched_paths


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root


def patch(*lines):
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))


def changed(project, text, **files):
    for name, content in files.items():
        (project / name.replace("_", ".")).write_bytes(content.encode())
    change = change_of(patch_proposals(text), project)
    return {file.path: file.after for file in change.files}, [item.reason for item in change.unchecked]


CODE = "def a():\n    return 1\n\n\ndef b():\n    return 1\n"
UPDATES = {
    "one line": (["@@", " def a():", "-    return 1", "+    return 2"], CODE.replace("return 1", "return 2", 1)),
    "below an anchor": (["@@ def b():", "-    return 1", "+    return 2"], CODE[:-9] + "return 2\n"),
    "two anchors": (["@@ def a():", "@@ def b():", "-    return 1", "+    return 2"], CODE[:-9] + "return 2\n"),
    "the first mark left out": ([" def a():", "-    return 1", "+    return 2"], CODE.replace("1", "2", 1)),
    "two hunks": (
        ["@@", "-def a():", "+def c():", "@@", "-def b():", "+def d():"],
        CODE.replace("def a", "def c").replace("def b", "def d"),
    ),
    "lines at the end": (["@@", "+x = 1"], f"{CODE}x = 1\n"),
    "at the end of the file": (
        ["@@", " def b():", "-    return 1", "+    pass", "*** End of File"],
        CODE[:-9] + "pass\n",
    ),
    "space at the ends differs": (["@@ def a():  ", "-  return 1 ", "+    return 2"], CODE.replace("1", "2", 1)),
    "an empty line without its sign": (["@@", "     return 1", "", "", " def b():", "+    x = 1"], None),
    "nothing at all": ([], CODE),
}


@pytest.mark.parametrize(("lines", "after"), UPDATES.values(), ids=UPDATES.keys())
def test_an_update(project, lines, after):
    files, unchecked = changed(project, patch("*** Update File: a.py", *lines), a_py=CODE)
    assert not unchecked
    assert files == {"a.py": CODE.replace("def b():\n", "def b():\n    x = 1\n") if after is None else after}


def test_line_ends_of_windows_do_not_matter(project):
    text = patch("*** Update File: a.py", "@@", " def a():", "-    return 1", "+    return 2").replace("\n", "\r\n")
    files, _ = changed(project, text, a_py=CODE.replace("\n", "\r\n"))
    assert files == {"a.py": CODE.replace("return 1", "return 2", 1)}


def test_a_pretty_dash_is_a_dash(project):
    files, _ = changed(project, patch("*** Update File: a.md", "@@", "-a - b", "+c"), a_md="a \u2014 b\n")
    assert files == {"a.md": "c\n"}


def test_several_files_in_one_patch(project):
    text = patch(
        *("*** Add File: new/n.py", "+x = 1", "+", "+y = 2"),
        *("*** Update File: a.py", "@@", "-a", "+b"),
        *("*** Delete File: gone.py",),
    )
    files, _ = changed(project, text, a_py="a\n", gone_py="g\n")
    assert files == {"new/n.py": "x = 1\n\ny = 2\n", "a.py": "b\n", "gone.py": None}


def test_a_move_keeps_what_it_was(project):
    (project / "a.py").write_text("a\n")
    text = patch("*** Update File: a.py", "*** Move to: sub/b.py", "@@", "-a", "+b")
    (file,) = change_of(patch_proposals(text), project).files
    assert (file.path, file.was, file.before, file.after) == ("sub/b.py", "a.py", "a\n", "b\n")


def test_a_file_that_a_patch_changes_twice_is_one_file(project):
    text = patch("*** Add File: a.py", "+a", "*** Update File: a.py", "@@", "-a", "+b")
    (file,) = change_of(patch_proposals(text), project).files
    assert (file.before, file.after) == (None, "b\n")


MISFITS = {
    "lines that are not there": ["@@", "-nowhere", "+b"],
    "an anchor that is not there": ["@@ class Nowhere:", "-a", "+b"],
}


@pytest.mark.parametrize("lines", MISFITS.values(), ids=MISFITS.keys())
def test_a_hunk_that_does_not_fit(project, lines):
    files, unchecked = changed(project, patch("*** Update File: a.py", *lines), a_py="a\n")
    assert not files
    assert unchecked[0].startswith("the patch does not fit the file: ")


def test_an_update_of_a_file_that_is_not_there(project):
    _, unchecked = changed(project, patch("*** Update File: a.py", "@@", "-a", "+b"))
    assert unchecked == ["the edit does not fit the file: there is none"]


NONE = {
    "no patch": "hello",
    "no file": patch(),
    "a file without a name": patch("*** Add File: ", "+a"),
    "lines of no file": patch("+a"),
    "a line without a sign": patch("*** Update File: a.py", "@@", "x = 1"),
    "a padded head in a new file": patch("*** Add File: a.py", "+a", " *** Add File: b.py", "+b"),
    "a padded head behind a deleted file": patch("*** Delete File: a.py", "\u00a0*** Add File: b.py", "+b"),
    "two ends": patch("*** Update File: a.py", "@@", " *** End Patch", "*** Add File: b.py", "+b"),
}


@pytest.mark.parametrize("text", NONE.values(), ids=NONE.keys())
def test_what_is_no_patch(text):
    with pytest.raises(PatchError):
        parse_patch(text)


ADD = patch("*** Add File: a.py", "+x = 1")
COMMANDS = {
    "quoted": (f"apply_patch <<'EOF'\n{ADD}EOF\n", ""),
    "not quoted": (f"apply_patch <<EOF\n{ADD}EOF", ""),
    "below another folder": (f"cd sub && apply_patch <<'EOF'\n{ADD}EOF", "sub"),
    "by its other name": (f"applypatch <<'EOF'\n{ADD}EOF", ""),
    "from a pipe": (f"cat <<'EOF' | apply_patch\n{ADD}EOF", ""),
    "as an argument": (f"apply_patch '{ADD.strip()}'", ""),
    "with a padded end": (f"apply_patch <<'EOF'\n{ADD.replace('*** End', ' *** End')}EOF", ""),
    "by the agent itself": (f"codex --codex-run-as-apply-patch '{ADD.strip()}'", ""),
    "in a script": (f"bash -lc \"apply_patch <<'EOF'\n{ADD}EOF\"", ""),
    "in a script that goes elsewhere": (f"cd one && bash -lc \"cd two && apply_patch <<'EOF'\n{ADD}EOF\"", "one/two"),
    "with a patch in the file": (f"apply_patch <<'EOF'\n{ADD.replace('+x = 1', '+*** Begin Patch')}EOF", ""),
}


@pytest.mark.parametrize(("command", "folder"), COMMANDS.values(), ids=COMMANDS.keys())
def test_a_patch_in_a_command(command, folder):
    files, moved = patches_in_command(command)
    assert ([str(file.path) for file in files], moved) == (["a.py"], folder)


def test_what_a_shell_takes_off_a_script_is_no_part_of_the_patch():
    quoted = patch("*** Add File: a.py", '+key = \\"x\\"')
    files, _ = patches_in_command(f"bash -lc \"apply_patch <<'EOF'\n{quoted}EOF\"")
    assert [file.content for file in files] == ['key = "x"\n']


@pytest.mark.parametrize(
    "text",
    [patch("*** Update File: a.py", "@@", " *** End Patch", "*** Add File: b.py", "+b"), "*** Begin Patch\n+x\n"],
    ids=["two ends", "no end"],
)
def test_a_command_whose_patch_ends_nobody_knows_where(text):
    with pytest.raises(PatchError):
        patches_in_command(f"apply_patch <<'EOF'\n{text}EOF")


def test_the_last_tier_sees_a_padded_head():
    assert patched_paths(patch("*** Add File: a.py", "+*** Add File: no", " *** Delete File: b.py ")) == [
        "a.py",
        "b.py",
    ]


def test_a_patch_that_is_only_talked_of_is_none():
    assert patches_in_command(f"cat <<'EOF' > notes\n{ADD}EOF") == ((), "")
