from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .session import Home, client_binary

if TYPE_CHECKING:
    from collections.abc import Iterable


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.client)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    client_binary()
    return Home.create(tmp_path / "dev")
