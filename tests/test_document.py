from __future__ import annotations

from pathlib import Path

from vetgate.cli import document
from vetgate.cli.main import COMMANDS

DOCS = Path(__file__).parent.parent / "docs" / "commands.md"


def test_the_page_says_what_the_commands_say() -> None:
    written = DOCS.read_text(encoding="utf-8")
    assert document.page(written) == written, "run: python -m vetgate.cli.document --write"


def test_every_command_and_option_is_there() -> None:
    generated = document.page("").partition(document.MARKER)[2]
    assert all(f"\n## vetgate {name}\n" in generated for name in COMMANDS)
    assert "`--format text\\|json\\|sarif\\|html\\|github\\|markdown`" in generated
    assert "Default: `text`." in generated


def test_what_people_wrote_above_the_marker_stays() -> None:
    assert document.page(f"Words.\n\n{document.MARKER}\n\nold").startswith(f"Words.\n\n{document.MARKER}\n\n## ")
