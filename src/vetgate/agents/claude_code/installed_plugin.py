"""Our plugin as the client has it here: where it is installed, whether it is on, and the hooks that it brings."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate import __version__
from vetgate.agents.claude_code.plugin import HOOKS, PLUGIN, hooks
from vetgate.agents.claude_code.settings import managed_paths, settings_folder
from vetgate.agents.diagnosis import Diagnosis, bad, good, note
from vetgate.agents.hook_entries import Entry, command_entries
from vetgate.agents.json_text import MalformedError, parse
from vetgate.launcher import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_INSTALLED = "plugins/installed_plugins.json"
ENABLED = "enabledPlugins"


@dataclass(frozen=True, slots=True)
class InstalledPlugin:
    """`name` is that of the plugin and its marketplace; `switched_off` is the settings file that says so, if any."""

    name: str
    folder: Path
    version: str
    is_on: bool
    switched_off: Path | None = None

    @property
    def text(self) -> str:
        try:
            return (self.folder / HOOKS).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def entries(self) -> tuple[Entry, ...]:
        """The hooks that the client runs from it."""
        if not self.is_on:
            return ()
        try:
            return tuple(command_entries(self.text, parse(self.text)))
        except MalformedError:
            return ()

    def is_as_shipped(self) -> bool:
        found = _read(self.folder / HOOKS)
        return found.get("hooks") == hooks()


def find_plugin(root: Path, environment: Mapping[str, str]) -> InstalledPlugin | None:
    """The one that is on, else one that is only installed. What `--plugin-dir` loads for a session nobody can see."""
    folder = settings_folder(environment)
    listed = _read(folder / _INSTALLED).get("plugins")
    found = [
        _plugin(name, entry, root, folder)
        for name, entries in (listed.items() if isinstance(listed, dict) else ())
        if name.partition("@")[0] == PLUGIN and isinstance(entries, list)
        for entry in entries
        if isinstance(entry, dict) and _is_for(entry, root)
    ]
    return next((each for each in found if each.is_on), next(iter(found), None))


def _plugin(name: str, entry: Mapping[str, Any], root: Path, folder: Path) -> InstalledPlugin:
    is_on, said_by = False, None
    # The later file wins, as with every setting of the client.
    shared = (root / ".claude" / each for each in ("settings.json", "settings.local.json"))
    for path in (folder / "settings.json", *shared, *managed_paths()):
        listed = _read(path).get(ENABLED)
        if isinstance(listed, dict) and isinstance(listed.get(name), bool):
            is_on, said_by = listed[name], path
    place = Path(str(entry.get("installPath", "")))
    return InstalledPlugin(name, place, str(entry.get("version", "")), is_on, None if is_on else said_by)


def _is_for(entry: Mapping[str, Any], root: Path) -> bool:
    return entry.get("scope") == "user" or str(entry.get("projectPath", root)) == str(root)


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def look_at_plugin(plugin: InstalledPlugin | None, *, stands_alone: bool) -> Iterator[Diagnosis]:
    """Nothing where there is none. It `stands_alone` where no settings register our hooks."""
    if plugin is None:
        return
    if not plugin.is_on:
        by = f" in {plugin.switched_off}" if plugin.switched_off else ""
        why = "its hooks do not run; those in settings do" if not stands_alone else "nothing an agent writes is judged"
        what, repair = f"the plugin {plugin.name} is switched off{by}", f"claude plugin enable {plugin.name}"
        yield bad("plugin", what, why, repair) if stands_alone else note("plugin", what, why, repair)
        return
    update = f"claude plugin update {plugin.name}"
    if plugin.version != __version__:
        what = f"the plugin {plugin.name} is version {plugin.version or 'unknown'}, vetgate is {__version__}"
        yield note("plugin", what, "its commands may name what this vetgate does not have", update)
    elif not plugin.is_as_shipped():
        why = "this is not how vetgate registers itself, so it may be slower, blind or easy to pass"
        again = f"claude plugin uninstall {plugin.name}, then claude plugin install {plugin.name}"
        yield bad("plugin", f"{plugin.folder / HOOKS} is not what the plugin shipped", why, again)
        return
    if stands_alone and shutil.which(NAME) is None:
        why = "the plugin finds no vetgate and lets every call pass"
        yield bad("plugin", f"`{NAME}` is not on the PATH", why, 'uv tool install "vetgate[mcp]"')
        return
    how = "has vetgate's hooks" if stands_alone else "leaves every call to the hooks in the settings"
    yield good("plugin", f"the plugin {plugin.name} {plugin.version} {how}")
