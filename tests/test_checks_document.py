"""docs/checks/ says what the checks say, and its links lead somewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from vetgate.checks import all_checks
from vetgate.checks.document import FOLDER, main, pages
from vetgate.config.load import defaults
from vetgate.failure import FAILS

ROOT = Path(__file__).parent.parent
_LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)")


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.usefixtures("root")
def test_the_pages_say_what_the_checks_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = _LINK.findall(pages()[page])
    assert [link for link in links if not (ROOT / page.parent / link).exists()] == []


def test_the_index_names_every_check_and_every_rule() -> None:
    index = pages()[FOLDER / "README.md"]
    names = [f"{check.id}/{rule.id}" for check in all_checks().values() for rule in check.rules]
    assert [name for name in names if f"[`{name}`](" not in index] == []
    row = next(line for line in index.splitlines() if "`security/sql-concatenation`" in line)
    assert "| critical | CWE-89 | JavaScript, TypeScript, TSX, Python, Go, " in row
    assert row.endswith(" | SQL that is put together from values |")


def test_every_check_is_in_every_table() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [check for check in all_checks() if f"\n| [{check}]({FOLDER}/{check}.md) | " not in readme] == []
    assert set(FAILS) == set(all_checks())
    assert sorted(check for gate in defaults().gates.values() for check in gate.checks) == sorted(all_checks())


def test_what_drifted_is_named_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(ROOT / "README.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main([]) == 1
    assert "docs/checks/security.md does not say" in capsys.readouterr().err
    assert main(["--write"]) == 0
    assert main([]) == 0
    (FOLDER / "README.md").write_text("old")
    assert main([]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "docs/checks/README.md does not say what the checks say; run python -m vetgate.checks.document --write"
    ]


@pytest.mark.parametrize(
    "module", ["vetgate.checks.document", "vetgate.checks.security.document", "vetgate.checks.secrets.document"]
)
def test_what_is_written_is_what_the_pages_say(module: str) -> None:
    said = subprocess.run([sys.executable, "-m", module], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
