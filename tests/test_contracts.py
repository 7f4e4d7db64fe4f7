"""Signatures and their callers: told before the write, and held at the end of a turn."""

from __future__ import annotations

import subprocess

import pytest

from fixtures import Session
from test_duplicates import indexed
from vetgate.checks.contracts.signature import differences, misfit, returns_the_same
from vetgate.engine.analysis import Analysis
from vetgate.engine.run import CheckRunner
from vetgate.index.facts import CallSite, Definition, Parameter
from vetgate.index.read import read
from vetgate.model import Unchecked, UncheckedKind
from vetgate.source.syntax import Source


def signature(text: str) -> tuple[Parameter, ...]:
    return defined(text).parameters


def defined(text: str) -> Definition:
    return read(Source("a.py", f"def f({text}): ...\n", "python")).facts.definitions[0]


@pytest.mark.parametrize(
    ("parameters", "call", "expected"),
    [
        ("a, b", CallSite("f", 1, 2), None),
        ("a, b", CallSite("f", 1, 1), "`b` is missing"),
        ("a, b=1", CallSite("f", 1, 1), None),
        ("a", CallSite("f", 1, 2), "it takes 1 argument, not 2"),
        ("a, *rest", CallSite("f", 1, 9), None),
        ("a, *, b", CallSite("f", 1, 1), "`b` is missing"),
        ("a, *, b", CallSite("f", 1, 1, ("b",)), None),
        ("a, /", CallSite("f", 1, 0, ("a",)), "it takes no `a`"),
        ("a, **more", CallSite("f", 1, 1, ("x",)), None),
        ("a", CallSite("f", 1, 1, ("x",)), "it takes no `x`"),
        ("a, b, c", CallSite("f", 1, 1, (), is_open=True), None),
        ("a", CallSite("f", 1, 0, ("x",), is_open=True), "it takes no `x`"),
        ("", CallSite("f", 1, 1), "it takes no arguments, not 1"),
        ("a, b", CallSite("f", 1, 2, ("a",)), "it gets `a` twice"),
        ("a, /, **more", CallSite("f", 1, 1, ("a",)), None),
    ],
)
def test_whether_a_call_fits(parameters, call, expected):
    found = misfit(call, signature(parameters))
    assert (found and found.text) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a", "a, b", ["required-parameter"]),
        ("a", "a, b=1", []),
        ("a, b", "a", ["removed-parameter"]),
        ("a, b", "a, c", ["required-parameter", "removed-parameter"]),
        ("a, b=1", "a, b", ["default-removed"]),
        ("a, b", "b, a", ["reordered"]),
        ("a, *, b, c", "a, *, c, b", []),
        ("a, *rest", "a, **more", ["removed-parameter"]),
        ("a, **more", "a", ["removed-parameter"]),
        ("a, b", "a, *, b", ["removed-parameter"]),
        ("a", "a, /", ["removed-parameter"]),
        ("a, /, b", "a, b", []),
    ],
)
def test_what_two_signatures_differ_in(before, after, expected):
    assert [each.rule for each in differences(defined(before), defined(after))] == expected


@pytest.fixture
def session(tmp_path):
    session = Session(tmp_path)
    session.put("mail.py", "def send(user, text):\n    return user, text\n\n\ndef unused(a):\n    return a\n")
    session.put("app.py", 'import mail\n\n\ndef greet():\n    mail.send("ann", "hello")\n')
    session.put("pkg/__init__.py", "")
    session.put("pkg/more.py", 'from mail import send as post\n\npost("bob", text="hi")\n')
    session.commit()
    session.send("SessionStart", source="startup")
    return indexed(session)


NEEDS_MORE = "def send(user, text, sender):\n    return user, text, sender\n\n\ndef unused(a):\n    return a\n"


def written(session, name, text):
    _, decision, said = session.write(name, text)
    session.put(name, text)
    session.landed(name)
    return decision, (said or {}).get("additionalContext", "")


def test_callers_are_told_before_the_write_and_hold_the_end_until_they_are_fixed(session):
    decision, said = written(session, "mail.py", NEEDS_MORE)
    assert decision is None
    assert "`send` now needs `sender`; it is used in 2 places: app.py:5, pkg/more.py:3" in said
    held = session.stop_reason()
    assert "app.py:5" in held
    assert "1 | def send(user, text, sender):" in held
    written(session, "app.py", 'import mail\n\n\ndef greet():\n    mail.send("ann", "hello", "me")\n')
    left = session.stop_reason()
    assert "pkg/more.py:3" in left
    assert "app.py:5" not in left
    written(session, "pkg/more.py", 'from mail import send as post\n\npost("bob", text="hi", sender="me")\n')
    assert session.stop_reason() == ""


CLASS = "class Greeter:\n    def hello_there(self, name):\n        return name\n"


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (CLASS.replace("hello_there", "good_day"), "is called `good_day` now"),
        ("class Greeter:\n    pass\n", "is gone"),
        (CLASS + "\n\nclass Other:\n    def hello_there(self):\n        pass\n", ""),
    ],
    ids=["another name", "gone", "it stays"],
)
def test_a_method_that_only_its_name_is_known_of_is_told_and_holds_nobody(session, after, said):
    session.put("svc.py", CLASS)
    session.put("use.py", 'from svc import make\n\nmake().hello_there("x")\n')
    session.put("far.py", 'import os\n\nos.hello_there("x")\n')
    session.commit()
    indexed(session)
    decision, told = written(session, "svc.py", after)
    assert decision is None
    assert (f"{said}; it is used by its name alone, so it may be another: use.py:3." in told) == bool(said)
    assert "far.py" not in told
    assert session.stop_reason() == ""


def test_a_method_that_another_class_has_as_well_is_not_missed(session):
    session.put("svc.py", CLASS)
    session.put("other.py", CLASS.replace("Greeter", "Other"))
    session.put("use.py", 'from svc import make\n\nmake().hello_there("x")\n')
    session.commit()
    indexed(session)
    assert written(session, "svc.py", "class Greeter:\n    pass\n") == (None, "")


def test_what_nobody_calls_may_change(session):
    text = (session.root / "mail.py").read_text().replace("def unused(a)", "def unused(a, b)")
    assert written(session, "mail.py", text) == (None, "")
    assert session.stop_reason() == ""


def test_a_function_that_is_gone_is_told_with_who_imports_it(session):
    _, said = written(session, "mail.py", "def unused(a):\n    return a\n")
    assert "`send` is gone" in said
    assert "pkg/more.py:1" in said
    assert "contracts/removed" in session.stop_reason()


def test_a_function_that_is_passed_on_from_elsewhere_is_not_gone(session):
    written(session, "post.py", "def send(user, text):\n    return user, text\n")
    assert written(session, "mail.py", "from post import send\n\n\ndef unused(a):\n    return a\n") == (None, "")
    assert session.stop_reason() == ""


def test_a_call_that_does_not_fit_a_function_of_another_file(session):
    _, said = written(session, "new.py", 'from mail import send\n\nsend("ann")\nsend("ann", body="x")\n')
    assert "contracts/wrong-arity" in said
    assert "contracts/unknown-keyword" in said
    assert "mail.py:1" in session.stop_reason()


def test_a_commit_of_what_is_still_broken_is_stopped(session):
    from vetgate.config.load import defaults  # noqa: PLC0415
    from vetgate.gates.linter import linter_verdict  # noqa: PLC0415
    from vetgate.model import Change, Decision, File  # noqa: PLC0415

    project = session.app.project(session.root)
    config = defaults()
    before = (session.root / "mail.py").read_text()
    change = Change(session.root, (File("mail.py", before, NEEDS_MORE),))
    verdict = linter_verdict(change, config, index=project.index(config))
    assert verdict.decision is Decision.BLOCK
    assert {finding.id for finding in verdict.findings if finding.check == "contracts"} == {
        "contracts/required-parameter"
    }


def test_methods_by_name_alone_only_advise(session):
    written(session, "store.py", "class Store:\n    def put_row(self, a):\n        return a\n")
    written(session, "use.py", "def f(anything):\n    return anything.put_row(1)\n")
    _, said = written(session, "store.py", "class Store:\n    def put_row(self, a, b):\n        return a, b\n")
    assert "by its name alone" in said
    assert session.stop_reason() == ""


def shell(session, command):
    call = {"tool_name": "Bash", "tool_input": {"command": command}}
    session.send("PreToolUse", **call)
    subprocess.run(["sh", "-c", command], cwd=session.root, check=True)
    _, said = session.send("PostToolUse", **call, tool_response={})
    return said["hookSpecificOutput"]["additionalContext"] if said else ""


def test_a_file_that_a_shell_moved_holds_the_turn_until_its_callers_follow(session):
    assert "`mail.py` is `post.py` now" in shell(session, "git mv mail.py post.py")
    assert "pkg/more.py:1" in session.stop_reason()
    shell(session, "sed -i s/mail/post/ app.py pkg/more.py")
    assert session.stop_reason() == ""


def test_what_git_ignores_is_no_part_of_the_project(session):
    shell(session, "echo out/ > .gitignore && mkdir out && cp app.py out")
    shell(session, """sed -i '/^def send/s/text/text, c/' mail.py && sed -i '/^post/s/)/, c=1)/' pkg/more.py""")
    assert "out/" not in shell(session, """sed -i '/mail.send/s/)/, 1)/' app.py""")
    assert session.stop_reason() == ""


def test_what_a_shell_breaks_is_told(session):
    session.send("PreToolUse", tool_name="Bash", tool_input={"command": "sed"})
    subprocess.run(
        ["sed", "-i", "s/def send(user, text)/def send(user, text, sender)/", "mail.py"], cwd=session.root, check=True
    )
    _, said = session.send("PostToolUse", tool_name="Bash", tool_input={"command": "sed"})
    assert "contracts/required-parameter" in said["hookSpecificOutput"]["additionalContext"]
    assert "app.py:5" in session.stop_reason()


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        ("int", "str", False),
        ("Iterator[None]", "Generator[None]", True),
        ("Iterator[int]", "Generator[int, None, None]", True),
        ("Optional[int]", "int | None", True),
        ("List[Dict[str, int]]", "list[dict[str, int]]", True),
        ('"User"', "User", True),
        ("User | None", "User", True),
        ("User", "User | None", False),
        ("Union[int, str]", "str | int", True),
        ("Array<string>", "string[]", True),
        ("Promise<string>", "string", False),
        ("(int, error)", "int", False),
    ],
)
def test_whether_another_type_is_another_thing_to_a_caller(was, now, expected):
    assert returns_the_same(was, now) is expected


def test_what_no_time_was_left_for_when_a_turn_ends_holds_it_once(session, monkeypatch):
    text = NEEDS_MORE.replace("sender)", "sender=None)")
    session.write("mail.py", text)
    session.put("mail.py", text)
    unseen = Analysis(unchecked=(Unchecked("mail.py", UncheckedKind.UNFINISHED, "the time ran out", "contracts"),))
    monkeypatch.setattr(CheckRunner, "whole_change", lambda *_: unseen)
    assert "the time ran out" in session.stop_reason()
    assert session.stop_reason() == ""
