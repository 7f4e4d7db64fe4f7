"""A store can be replaced: others know values, protocols and where one is opened, and nothing of SQLite."""

from __future__ import annotations

import ast
import inspect
from contextlib import closing
from pathlib import Path

import pytest

from vetgate import store
from vetgate.store import protocol
from vetgate.store.home_projects import HomeProjectFiles
from vetgate.store.index import SqliteIndexStore
from vetgate.store.sqlite import SqliteStore

SOURCE = Path(store.__file__).parent.parent
OUTSIDE = [path for path in sorted(SOURCE.rglob("*.py")) if not path.is_relative_to(SOURCE / "store")]
# The room itself, and the values alone for a surface that only shows them.
DOORS = {"vetgate.store", "vetgate.store.records"}


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", each.name) for each in node.names)


def test_nobody_outside_knows_how_it_is_kept():
    inside = [
        (str(path.relative_to(SOURCE)), module, name)
        for path in OUTSIDE
        for module, name in imports(path)
        if module == "sqlite3" or (module.startswith("vetgate.store") and module not in DOORS)
    ]
    assert inside == []


def test_what_the_room_shows_is_no_store_of_its_own():
    shown = [getattr(store, name) for name in store.__all__]
    assert not {SqliteStore, SqliteIndexStore, HomeProjectFiles} & {each for each in shown if inspect.isclass(each)}


@pytest.mark.parametrize(
    ("kept", "asked"),
    [
        (SqliteStore, protocol.Store),
        (SqliteIndexStore, protocol.IndexStore),
        (HomeProjectFiles, protocol.HomeProjects),
    ],
)
def test_everything_that_others_can_call_is_in_the_protocol(kept, asked):
    public = {name for name in dir(kept) if not name.startswith("_")}
    own = {"file", "lost", "open", "seal", "standing"}  # how this one works inside
    assert public - own <= {
        name for each in asked.__mro__ for name in (*vars(each), *vars(each).get("__annotations__", ()))
    }


# Verbs that also say what came of it.
VERBS = {"hold", "take_grant", "claim_job", "claim_jobs", "begin_model_call"}
QUERIES = sorted(
    name
    for each in protocol.Store.__mro__
    for name, member in vars(each).items()
    if inspect.isfunction(member) and not name.startswith("_") and inspect.signature(member).return_annotation != "None"
)
VALUES = {
    "str": "x",
    "int": 1,
    "float": 1.0,
    "Path": Path("x"),
    "list[bytes]": [b"x"],
    "SessionMark": store.SessionMark.SAID,
}


@pytest.mark.parametrize("name", sorted(set(QUERIES) - VERBS))
def test_a_query_leaves_no_trace(name, tmp_path):
    kept = SqliteStore.open(tmp_path / "state", tmp_path)
    with closing(kept):
        kept.set_trusted("digest", "version: 1\n")
        query = getattr(kept, name)
        wanted = [each for each in inspect.signature(query).parameters.values() if each.default is each.empty]
        before = "\n".join(kept._connection.iterdump())
        query(*(VALUES[each.annotation] for each in wanted))
        assert "\n".join(kept._connection.iterdump()) == before


def test_there_are_queries():
    assert {"trusted", "seen", "is_marked", "proofs", "model_calls", "tampered"} <= set(QUERIES) - VERBS
    assert set(QUERIES) >= VERBS
