"""Every route of tests/routes holds, and every look-alike beside it passes."""

from __future__ import annotations

import pytest

from route_runner import Machine, Route, environment_of, in_process, rows, through_the_hook

ROWS = dict(rows())
EVERY = 10
THROUGH_THE_HOOK = [name for at, (name, row) in enumerate(ROWS.items()) if row.get("hook", at % EVERY == 0)]


@pytest.fixture(scope="session")
def _machine(tmp_path_factory):
    return Machine(tmp_path_factory.mktemp("routes") / "machine")


@pytest.fixture
def machine(_machine, monkeypatch):
    _machine.reset()
    for name, value in environment_of(_machine).items():
        monkeypatch.setenv(name, value)
    return _machine


@pytest.mark.parametrize("name", ROWS)
def test_route(name, machine):
    ask, flush = in_process(machine)
    Route(machine, ROWS[name], ask, flush).run()


@pytest.mark.parametrize("name", THROUGH_THE_HOOK)
def test_route_through_the_hook(name, machine):
    Route(machine, ROWS[name], through_the_hook(machine)).run()


def test_every_family_has_a_look_alike():
    families = {name.partition(":")[0] for name in ROWS}
    assert families == {name.partition(":")[0] for name, row in ROWS.items() if row["expect"] == "passes"}


def test_no_row_stands_in_for_another():
    assert len(ROWS) == len([*rows()])
