from __future__ import annotations

import compileall
import contextlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

import vetgate

from .gate import Daemon, Gate
from .session import Machine, client_binary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    GateMaker: TypeAlias = Callable[..., Gate]


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.client)


@pytest.fixture
def home(tmp_path: Path) -> Machine:
    client_binary()
    return Machine.create(tmp_path / "dev")


@pytest.fixture(scope="session")
def _compiled() -> None:
    """A daemon leaves when a folder of its program changes, and the first import in a fresh checkout does that."""
    compileall.compile_dir(vetgate.__path__[0], quiet=2)


@pytest.fixture
def gate_in(tmp_path: Path, _compiled: None) -> Iterator[GateMaker]:
    """Make a machine with the gate set up and its daemon in the given state."""
    client_binary()
    with contextlib.ExitStack() as made:

        def make(daemon: Daemon, place: str = "user") -> Gate:
            # Not below tmp_path: the name of a socket has to be short.
            runtime = Path(made.enter_context(tempfile.TemporaryDirectory(prefix="vg-", dir="/tmp")))
            gate = Gate(Machine.create(tmp_path / daemon), runtime, daemon, place)
            made.callback(gate.tear_down)
            gate.set_up()
            return gate

        yield make


@pytest.fixture
def gate(gate_in: GateMaker) -> Gate:
    return gate_in(Daemon.WARM)
