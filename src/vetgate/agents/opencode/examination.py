"""Is OpenCode really gated here? Our plugin as it stands, whether it loads, and what it is answered."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from typing import TYPE_CHECKING

from vetgate.agents.diagnosis import bad
from vetgate.agents.hook_examination import REPAIR, Examinee, answer_in, kept_environment
from vetgate.agents.hook_registration import Registered
from vetgate.agents.installation import Scope
from vetgate.agents.opencode.known import NAME
from vetgate.agents.opencode.registration import GUARD, OWN, SERVERS, hook_seconds, plugin, seconds
from vetgate.agents.quiet_process import run_quietly
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.installation import Installation
    from vetgate.agents.quiet_process import ProcessResult

_COMMAND = re.compile(r'^const COMMAND = (".*")$', re.MULTILINE)
_LOADS = (
    "const found = await import(process.argv[1]); const hooks = await found.Vetgate({}); "
    "process.exit(hooks['tool.execute.before'] ? 0 : 3)"
)
_WITHIN = 20.0


def _registered(installation: Installation) -> list[Registered]:
    found = []
    for path in OWN.paths(installation.root).values():
        text = (read_bytes(path) or b"").decode("utf-8", "replace")
        command = _COMMAND.search(text) if OWN.is_there(path) else None
        if command:
            said = json.loads(command[1])
            limit = hook_seconds(GUARD, installation.root, os.environ)
            found += [Registered(path, event, f"{said} --event {event}", limit) for event in seconds()]
    return found


def _problems(installation: Installation) -> Iterator[Diagnosis]:
    for scope, path in OWN.paths(installation.root).items():
        if OWN.is_there(path):
            wanted = plugin(installation, scope).encode()
            if read_bytes(path) != wanted and scope is Scope.USER:
                yield bad("plugin", f"{path} is not what this version writes", "it may let calls pass", REPAIR)
            yield from _load(path)
    if os.environ.get("OPENCODE_PURE"):
        yield bad("disabled", "OPENCODE_PURE is set", "OpenCode loads no plugin", "unset OPENCODE_PURE")
    yield from SERVERS.look(installation, kept_environment())


def _load(path: Path) -> Iterator[Diagnosis]:
    """OpenCode drops a plugin that does not load, and says nothing: another program that reads it says whether."""
    program = next(filter(None, map(shutil.which, ("bun", "node"))), None)
    if program is None:
        return
    words = (
        [program, "-e", _LOADS, str(path)]
        if program.endswith("bun")
        else [program, "--input-type=module", "-e", _LOADS, str(path)]
    )
    with tempfile.TemporaryDirectory(prefix="vetgate-") as folder:
        place = os.path.join(folder, "plugin.mjs")  # noqa: PTH118 - as text
        shutil.copyfile(path, place)
        ran = run_quietly(
            [*words[:-1], place], b"", cwd=folder, env={"PATH": os.environ.get("PATH", "")}, seconds=_WITHIN
        )
    if ran.status != 0:
        said = " ".join(ran.stderr.decode("utf-8", "replace").split())[:200]
        yield bad("plugin", f"{path} does not load: {said}", "OpenCode drops it, and nothing is judged", REPAIR)


def _is_denied(ran: ProcessResult) -> bool:
    """As the plugin reads it."""
    return ran.status == 0 and answer_in(ran).get("decision") == "deny" and b"complexity" in ran.stdout


_EXAMINEE = Examinee(NAME, GUARD, tuple(seconds()), _registered, _problems, _is_denied, {}, "1.18.33")
examine, require_supported = _EXAMINEE.examine, _EXAMINEE.require_supported
repairs = OWN.repairs
