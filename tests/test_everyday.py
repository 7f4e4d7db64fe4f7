"""Every row of tests/everyday holds: the contract with the patience of whoever works with it."""

from __future__ import annotations

from collections import Counter

import pytest

from everyday_runner import Day, projects, rows
from route_runner import Machine, environment_of, in_process, through_the_hook

ROWS = dict(rows())
EVERY = 10
THROUGH_THE_HOOK = [name for at, (name, row) in enumerate(ROWS.items()) if row.get("hook", at % EVERY == 0)]


@pytest.fixture(scope="session")
def machines(tmp_path_factory):
    """One for each kind of project, made when the first row asks for it."""
    return {}, tmp_path_factory.mktemp("everyday")


@pytest.fixture
def machine(machines, monkeypatch):
    known, folder = machines

    def made(project: str) -> Machine:
        if project not in known:
            known[project] = Machine(folder / project, projects()[project])
        found = known[project]
        found.reset()
        for name, value in environment_of(found).items():
            monkeypatch.setenv(name, value)
        return found

    return made


@pytest.mark.parametrize("name", ROWS)
def test_everyday(name, machine):
    found = machine(ROWS[name]["project"])
    ask, flush = in_process(found)
    Day(found, ROWS[name], ask, flush).run()


@pytest.mark.parametrize("name", THROUGH_THE_HOOK)
def test_everyday_through_the_hook(name, machine):
    found = machine(ROWS[name]["project"])
    Day(found, ROWS[name], through_the_hook(found)).run()


def test_every_kind_of_project_has_rows():
    counts = Counter(row["project"] for row in ROWS.values())
    assert set(counts) == set(projects())
    assert len(ROWS) >= 300
