"""The plugin that OpenCode loads: it asks our hook, fails closed, and waits for nobody for ever."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from vetgate.agents.installation import Scope
from vetgate.agents.opencode.registration import plugin

NODE = shutil.which("node")
DRIVER = """
import { pathToFileURL } from "node:url"
const found = await import(pathToFileURL(process.argv[2]))
const hooks = await found.Vetgate({ directory: process.argv[3] })
const output = { args: { filePath: "a.py", content: "x" }, output: "written" }
try {
  await hooks["tool.execute.before"]({ tool: "write", sessionID: "s", callID: "c" }, output)
  await hooks["tool.execute.after"]({ tool: "write", sessionID: "s", callID: "c", args: output.args }, output)
  console.log("passed: " + output.output)
} catch (error) {
  console.log("stopped: " + error.message)
}
process.exit(0)
"""
HOOKS = {
    "silence passes": ("cat >/dev/null", "passed: written"),
    "a refusal stops": ("""cat >/dev/null; echo '{"decision":"deny","reason":"R"}'""", "stopped: R"),
    "a refusal without a reason stops": ("""cat >/dev/null; echo '{"decision":"deny"}'""", "stopped: vetgate stopped"),
    "a word is added": ("""cat >/dev/null; echo '{"context":"R"}'""", "passed: written\n\nR"),
    "a crash stops": ("cat >/dev/null; exit 1", "stopped: vetgate could not check this"),
    "a signal stops": ("kill -9 $$", "stopped: vetgate could not check this"),
    "garbage stops": ("cat >/dev/null; echo no", "stopped: vetgate could not check this"),
    "a list stops": ("cat >/dev/null; echo '[]'", "stopped: vetgate could not check this"),
    "a line before the answer stops": ("""cat >/dev/null; echo log; echo '{}'""", "stopped: vetgate could not check"),
    "no answer in time stops": ("sleep 30", "stopped: vetgate could not check this, so it does not run: there was no"),
    "who does not listen passes by its answer": ("exec <&-; exit 0", "passed: written"),
}


@pytest.mark.skipif(NODE is None, reason="it is JavaScript")
@pytest.mark.parametrize(("script", "expected"), HOOKS.values(), ids=HOOKS.keys())
def test_the_plugin_fails_closed(script, expected, place, tmp_path):
    hook = place.launcher("opencode")
    hook.parent.mkdir(parents=True)
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)
    assert _driven(place, tmp_path).startswith(expected)


@pytest.mark.skipif(NODE is None, reason="it is JavaScript")
def test_the_plugin_of_a_gate_that_is_gone_locks_nobody_out(place, tmp_path):
    assert _driven(place, tmp_path).startswith("passed"), "no gate ever stood here"
    (place.root / "vetgate.yaml").write_text("version: 1\n")
    assert _driven(place, tmp_path).startswith("stopped")


ASKED = """
import { pathToFileURL } from "node:url"
const found = await import(pathToFileURL(process.argv[2]))
const sessions = { s: { id: "s" }, child: { id: "child", parentID: "s" } }
const get = async ({ path }) => (path.id === "hangs" ? new Promise(() => {}) : { data: sessions[path.id] })
const hooks = await found.Vetgate({ directory: process.argv[3], client: { session: { get } } })
for (const sessionID of ["s", "child", "none", "hangs"])
  await hooks["chat.message"]({ sessionID }, { parts: [{ type: "text", text: "Delete a.py" }] })
process.exit(0)
"""


@pytest.mark.skipif(NODE is None, reason="it is JavaScript")
def test_the_plugin_tells_a_persons_prompt_from_a_subagents(place, tmp_path):
    hook, sent = place.launcher("opencode"), tmp_path / "sent"
    hook.parent.mkdir(parents=True)
    hook.write_text(f"#!/bin/sh\ncat >>{sent}; echo >>{sent}\n")
    hook.chmod(0o755)
    _driven(place, tmp_path, ASKED)
    asked = [json.loads(line) for line in sent.read_text().splitlines()]
    assert [(each["session_id"], each.get("agent_id")) for each in asked] == [
        *(("s", None), ("child", "child"), ("none", "none"), ("hangs", "hangs"))
    ]


BEGUN = """
import { pathToFileURL } from "node:url"
const found = await import(pathToFileURL(process.argv[2]))
const hooks = await found.Vetgate({ directory: process.argv[3] })
const said = async (sessionID) => {
  const output = { output: "written" }
  await hooks["tool.execute.after"]({ tool: "write", sessionID, callID: "c", args: {} }, output)
  return output.output
}
await hooks.event({ event: { type: "session.created", properties: { info: { id: "s" } } } })
console.log(JSON.stringify([await said("other"), await said("s"), await said("s")]))
process.exit(0)
"""


@pytest.mark.skipif(NODE is None, reason="it is JavaScript")
def test_the_model_hears_what_is_said_at_the_start_with_its_first_call(place, tmp_path):
    hook = place.launcher("opencode")
    hook.parent.mkdir(parents=True)
    hook.write_text("""#!/bin/sh\ngrep -q session.created && echo '{"context":"Open: side.py"}'; exit 0\n""")
    hook.chmod(0o755)
    assert json.loads(_driven(place, tmp_path, BEGUN)) == ["written", "written\n\nOpen: side.py", "written"]


def _driven(place, where, driver=DRIVER):
    (where / "plugin.mjs").write_text(
        plugin(place, Scope.USER).replace('"tool.execute.before": 10', '"tool.execute.before": 1')
    )
    (where / "driver.mjs").write_text(driver)
    words = [NODE, str(where / "driver.mjs"), str(where / "plugin.mjs"), str(place.root)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
