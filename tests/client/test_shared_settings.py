"""Hooks in settings that are committed: they gate who has vetgate and are not in the way of who has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .gate import VETGATE, Daemon
from .model_server import Model, Say, Use
from .samples import TANGLED, TELLS
from .session import Options

if TYPE_CHECKING:
    from .conftest import GateMaker
    from .gate import Gate
    from .session import ClientSession

PROMPT = "Please write the routing."


@pytest.fixture
def shared(gate_in: GateMaker) -> Gate:
    gate = gate_in(Daemon.NONE, "project")
    assert not gate.home.user_settings.exists()
    return gate


def write_tangled(gate: Gate, path: str) -> ClientSession:
    write = Use("Write", {"file_path": str(gate.project / "routing.py"), "content": TANGLED})
    return gate.session(Model({PROMPT: [write, Say("Done.")]}), Options(environment={**gate.environment, "PATH": path}))


def test_who_has_vetgate_is_gated(shared: Gate) -> None:
    denied = write_tangled(shared, f"{VETGATE.parent}:/usr/bin:/bin").model.result(0)
    assert denied.is_error
    for detail in TELLS:
        assert detail in denied.text
    assert not (shared.project / "routing.py").exists()


def test_who_has_no_vetgate_is_told_and_left_alone(shared: Gate) -> None:
    session = write_tangled(shared, "/usr/bin:/bin")
    (start,) = session.hooks("SessionStart")
    assert "vetgate is not installed here" in start["stdout"]
    assert not session.model.result(0).is_error
    assert (shared.project / "routing.py").read_text() == TANGLED
