"""The environment of whoever called, without what a repository had a word in: it must not say where a key goes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.judges.environment_values import lenient_text
from vetgate.known_agents import known_agents
from vetgate.source.disk import existing_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_VARIABLE = expression(r"(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,100})[ \t]*[=:]")
_OF_KEYS = ("_KEY", "_TOKEN")  # a person may keep those of their models there
_MOST = 4_000_000


def own_environment(given: Mapping[str, str], roots: Iterable[Path]) -> dict[str, str]:
    """Without what settings of an agent in these folders set, and what an agent took over from a file of variables."""
    theirs: set[str] = set()
    folders = [root.resolve() for root in roots]
    for known in known_agents():
        for path in (folder / name for folder in folders for name in known.settings if known.gated is not None):
            text = existing_text(path)
            found = known.gated.read_settings(text) if known.gated and text else None
            theirs.update(found.environment if found else ())
        if known.variable_files and known.is_around(given):
            named = {name for folder in _with_parents(folders) for name in _named_in(folder, known.variable_files)}
            theirs.update(name for name in named if not name.endswith(_OF_KEYS))
    own = {name: value for name, value in given.items() if name not in theirs}
    if "PATH" in own:  # nor which program is started
        kept = [each for each in own["PATH"].split(os.pathsep) if not _is_inside(each, folders)]
        own["PATH"] = os.pathsep.join(kept)
    return own


def _with_parents(folders: Sequence[Path]) -> dict[Path, None]:
    """Agents look further up as well; what lies in the home folder is the person's."""
    home = Path.home().resolve()
    return dict.fromkeys(each for folder in folders for each in (folder, *folder.parents) if each != home)


def _named_in(folder: Path, files: Sequence[str]) -> Iterator[str]:
    return (found[1] for name in files for found in _VARIABLE.finditer(lenient_text(folder / name, _MOST)))


def _is_inside(folder: str, roots: Iterable[Path]) -> bool:
    return any(Path(folder).resolve().is_relative_to(root) for root in roots)
