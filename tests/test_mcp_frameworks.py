"""`run_tests` with the real frameworks, installed from their registry."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import closing
from hashlib import sha256

import pytest

from mcp_calls import calls
from vetgate.source.root import store_key
from vetgate.store import open_project_store

pytestmark = pytest.mark.long

KEYS = {"framework", "passed", "failed", "skipped", "duration", "failures"}
JEST = """\
const sum = (a, b) => a + b;
describe("sum", () => {
  test("adds", () => expect(sum(1, 2)).toBe(3));
  test("fails", () => {
    expect(sum(1, 2)).toBe(4);
  });
  test.skip("is left out", () => {});
});
"""
VITEST = 'import { describe, expect, test } from "vitest";\n' + JEST.partition("\n")[2].replace("sum(1, 2)", "1 + 2")
MOCHA = """\
const assert = require("node:assert");
describe("sum", function () {
  it("adds", function () { assert.strictEqual(1 + 2, 3); });
  it("fails", function () {
    assert.strictEqual(1 + 2, 4);
  });
  it.skip("is left out", function () {});
});
"""
FRAMEWORKS = [
    ("jest", "29", "t/a.test.js", JEST),
    ("jest", "30", "t/a.test.js", JEST),
    ("vitest", "3", "t/a.test.mjs", VITEST),
    ("vitest", "4", "t/a.test.mjs", VITEST),
    ("mocha", "11", "test/a.js", MOCHA),
]


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda each: f"{each[0]} {each[1]}")
@pytest.mark.parametrize("by", ["found", "script"])
def test_counts_durations_and_failures_are_read(clone, framework, by):
    name, version, path, text = framework
    if shutil.which("npm") is None:
        pytest.fail("npm is not installed", pytrace=False)
    package = {"name": "x", "version": "1.0.0", "devDependencies": {name: f"^{version}"}}
    runs = f"{name} run" if name == "vitest" else name
    clone.put("package.json", json.dumps({**package, "scripts": {"test": runs}}))
    clone.put(".gitignore", "node_modules\n")
    clone.put(path, text)
    options = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"]
    subprocess.run(["npm", "install", *options], cwd=clone.root, check=True, timeout=300, capture_output=True)
    accepted = json.dumps({"version": 1, **({"gates": {"test": {"command": "npm test"}}} if by == "script" else {})})
    clone.put("vetgate.yaml", accepted)
    with closing(open_project_store(clone.state, store_key(clone.root))) as store:
        store.set_trusted(sha256(accepted.encode()).hexdigest(), accepted)
    env = clone.env | {"PATH": f"{clone.env['PATH']}:/usr/local/bin:/usr/bin:/bin"}
    whole, part, one = calls(
        clone.root,
        env,
        ("run_tests", {"framework": name} if by == "found" else {}),
        ("run_tests", {"framework": name, "pattern": path}),
        ("run_tests", {"framework": name, "pattern": "adds"}),
    )
    for found in (whole, part):
        assert found.keys() >= KEYS
        assert found["framework"] == name, found
        assert (found["passed"], found["failed"], found["skipped"]) == (1, 1, 1), found
        assert found["duration"] > 0
        assert found["exit_status"] not in {0, None}
        (failure,) = found["failures"]
        assert failure["testFile"] == path
        assert "fails" in failure["testName"]
        assert failure["line"] == 5
        assert "4" in failure["error"]
        assert f"{path}:5" in failure["stack"]
    assert (one["passed"], one["failed"], one["ok"]) == (1, 0, True), one
