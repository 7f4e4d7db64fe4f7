"""Names of a person's own for git's commands, and what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.source.git_config import values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.checks.unsafe_command.place import CommandContext

_ALIAS = "alias."


def aliases_of(place: CommandContext) -> Mapping[str, str]:
    """In the order in which git reads them: the last one counts."""
    own = (root / ".git" / "config" for root in place.projects)
    files = (place.home / ".config" / "git" / "config", place.home / ".gitconfig", *own)
    found = (value for file in files for value in values_of(file))
    return {name.removeprefix(_ALIAS): value.strip('"') for name, value in found if name.startswith(_ALIAS)}
