"""A class of Java that becomes an interface: it has no constructor any more, and its heirs need none of it."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

CLASS = "package a;\npublic class Repo { public int f() { return 1; } }\n"
INTERFACE = "package a;\npublic interface Repo { int f(); }\n"
SUBCLASS = "package a;\npublic class SqlRepo implements Repo { public int f() { return 1; } }\n"


@pytest.mark.parametrize(
    ("use", "more", "expected"),
    [
        ("int g(Repo r) { return r.f(); }", {"a/SqlRepo.java": SUBCLASS}, []),
        ("int g() { return new Repo() { public int f() { return 2; } }.f(); }", {}, []),
        ("int g() { return 1; }", {"a/More.java": "package a;\ninterface More extends Repo { }\n"}, []),
        (
            "int g() { return 1; }",
            {"a/Ops.java": "package a;\nenum Ops implements Repo { A; public int f() { return 1; } }\n"},
            [],
        ),
        ("int g() { return new Repo().f(); }", {"a/SqlRepo.java": SUBCLASS}, ["removed: a/U.java:2"]),
    ],
    ids=["an heir", "one without a name", "another interface", "an enumeration", "one that is still made"],
)
def test_who_misses_the_constructor(tmp_path, use, more, expected):
    files = {"a/Repo.java": CLASS, "a/U.java": f"package a;\nclass U {{ {use} }}\n"}
    assert findings_of(tmp_path, files, {"a/Repo.java": INTERFACE, **more}) == expected
