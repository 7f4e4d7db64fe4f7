"""Edits of settings and pipelines that lower a bar, and edits that look like that and do not."""

from __future__ import annotations

import pytest

from changes import judged
from vetgate.checks.silenced_tool import CHECK
from vetgate.checks.silenced_tool.commands import checks_in, does_nothing
from vetgate.model import File

CI = ".github/workflows/ci.yml"
FLOW = """on:
  pull_request:
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - run: ruff check .
      - run: pytest --cov-fail-under=90
"""
RUFF = '[tool.ruff.lint]\nselect = ["E", "S"]\nignore = ["E501"]\n'
GOLANGCI = "linters:\n  enable:\n" + "".join(
    f"    - {name}\n" for name in ("goconst", "gofmt", "gosimple", "staticcheck", "stylecheck", "tenv")
)
GOLANGCI_2 = """version: "2"
linters:
  enable:
    - goconst
    - staticcheck
    - usetesting
formatters:
  enable:
    - gofmt
"""
LOWERED = {
    "next: errors of types do not stop the build": (
        "next.config.mjs",
        "export default { reactStrictMode: true };\n",
        "export default { reactStrictMode: true, typescript: { ignoreBuildErrors: true } };\n",
        "rule-off",
    ),
    "a script that lints gives way to a tool that tests": (
        ".github/workflows/ci.yml",
        "jobs:\n  a:\n    steps:\n      - run: npm run lint\n",
        "jobs:\n  a:\n    steps:\n      - run: npx jest\n",
        "dropped-check",
    ),
    "a test left out by the runner's options": (
        "pyproject.toml",
        "[tool.pytest.ini_options]\naddopts = '-q'\n",
        "[tool.pytest.ini_options]\naddopts = '-q --deselect tests/test_a.py::test_b'\n",
        "grown-ignore",
    ),
    "tests left out by name": (
        "pytest.ini",
        "[pytest]\naddopts = -q\n",
        "[pytest]\naddopts = -q -k 'not slow_one'\n",
        "grown-ignore",
    ),
    "tests left out in a pipeline": (
        CI,
        FLOW,
        FLOW.replace("run: pytest", "run: pytest -k 'not flaky'"),
        "tolerated-failure",
    ),
    "coverage in pyproject": (
        "pyproject.toml",
        "[tool.coverage.report]\nfail_under = 90\n",
        "[tool.coverage.report]\nfail_under = 50\n",
        "lowered-threshold",
    ),
    "coverage gone": (
        "pyproject.toml",
        "[tool.coverage.report]\nfail_under = 90\n",
        "[project]\n",
        "lowered-threshold",
    ),
    "coverage in an ini": (
        ".coveragerc",
        "[report]\nfail_under = 90\n",
        "[report]\nfail_under = 9\n",
        "lowered-threshold",
    ),
    "coverage of jest": (
        "jest.config.js",
        "module.exports = { coverageThreshold: { global: { lines: 80 } } };\n",
        "module.exports = { coverageThreshold: { global: { lines: 10 } } };\n",
        "lowered-threshold",
    ),
    "coverage in package.json": (
        "package.json",
        '{"jest": {"coverageThreshold": {"global": {"lines": 80}}}}',
        '{"jest": {"coverageThreshold": {"global": {"lines": 0}}}}',
        "lowered-threshold",
    ),
    "coverage of vitest": (
        "vitest.config.ts",
        "export default defineConfig({ test: { coverage: { thresholds: { lines: 80 } } } })\n",
        "export default defineConfig({ test: { coverage: { thresholds: { lines: 8 } } } })\n",
        "lowered-threshold",
    ),
    "codecov": (
        "codecov.yml",
        "coverage:\n  status:\n    project:\n      default:\n        target: 80%\n",
        "coverage:\n  status:\n    project:\n      default:\n        target: 10%\n",
        "lowered-threshold",
    ),
    "complexity": (
        "setup.cfg",
        "[flake8]\nmax-complexity = 10\n",
        "[flake8]\nmax-complexity = 40\n",
        "lowered-threshold",
    ),
    "phpstan": ("phpstan.neon", "parameters:\n  level: 8\n", "parameters:\n  level: 1\n", "lowered-threshold"),
    "an option of a command": (CI, FLOW, FLOW.replace("under=90", "under=10"), "lowered-threshold"),
    "strict off": (
        "tsconfig.json",
        '{"compilerOptions": {"strict": true}}',
        '{"compilerOptions": {"strict": false}}',
        "rule-off",
    ),
    "strict gone": (
        "tsconfig.json",
        '{\n  // all\n  "compilerOptions": {"strict": true,},\n}',
        '{"compilerOptions": {}}',
        "rule-off",
    ),
    "a part of strict": (
        "tsconfig.json",
        '{"compilerOptions": {"strict": true}}',
        '{"compilerOptions": {"strict": true, "strictNullChecks": false}}',
        "rule-off",
    ),
    "mypy": ("pyproject.toml", "[tool.mypy]\nstrict = true\n", "[tool.mypy]\nstrict = false\n", "rule-off"),
    "mypy of an ini": (
        "mypy.ini",
        "[mypy]\ndisallow_untyped_defs = True\n",
        "[mypy]\nignore_errors = True\n",
        "rule-off",
    ),
    "a rule of eslint": (
        ".eslintrc.json",
        '{"rules": {"no-eval": "error"}}',
        '{"rules": {"no-eval": "off"}}',
        "rule-off",
    ),
    "a rule of eslint by number": (".eslintrc.yml", "rules:\n  no-eval: 2\n", "rules:\n  no-eval: 0\n", "rule-off"),
    "a rule that only warns": (
        ".eslintrc.json",
        '{"rules": {"no-eval": "error"}}',
        '{"rules": {"no-eval": "warn"}}',
        "rule-off",
    ),
    "a rule of a flat file": (
        "eslint.config.mjs",
        'export default [{ rules: { "no-eval": "error" } }];\n',
        'export default [{ rules: { "no-eval": ["off"] } }];\n',
        "rule-off",
    ),
    "one more rule off": (
        ".eslintrc.json",
        '{"rules": {"semi": "error"}}',
        '{"rules": {"semi": "error", "no-eval": 0}}',
        "rule-off",
    ),
    "biome": ("biome.json", '{"linter": {"enabled": true}}', '{"linter": {"enabled": false}}', "rule-off"),
    "pyright": ("pyrightconfig.json", '{"typeCheckingMode": "strict"}', '{"typeCheckingMode": "off"}', "rule-off"),
    "rubocop": (
        ".rubocop.yml",
        "Style/Semicolon:\n  Enabled: true\n",
        "Style/Semicolon:\n  Enabled: false\n",
        "rule-off",
    ),
    "cargo": (
        "Cargo.toml",
        '[lints.clippy]\nunwrap_used = "deny"\n',
        '[lints.clippy]\nunwrap_used = "allow"\n',
        "rule-off",
    ),
    "warnings as errors": (
        "A.csproj",
        "<Project><TreatWarningsAsErrors>true</TreatWarningsAsErrors></Project>",
        "<Project><TreatWarningsAsErrors>false</TreatWarningsAsErrors></Project>",
        "rule-off",
    ),
    "an editorconfig": (
        ".editorconfig",
        "[*.cs]\ndotnet_diagnostic.CA1031.severity = error\n",
        "[*.cs]\ndotnet_diagnostic.CA1031.severity = none\n",
        "rule-off",
    ),
    "tests of maven": (
        "pom.xml",
        "<project><properties></properties></project>",
        "<project><properties><skipTests>true</skipTests></properties></project>",
        "rule-off",
    ),
    "ruff ignores more": ("pyproject.toml", RUFF, RUFF.replace('"E501"', '"E501", "S"'), "grown-ignore"),
    "ruff for a folder": (
        "ruff.toml",
        'line-length = 100\nselect = ["E"]\n',
        'line-length = 100\nselect = ["E"]\n[per-file-ignores]\n"src/*" = ["E"]\n',
        "grown-ignore",
    ),
    "flake8": (".flake8", "[flake8]\nignore = E501\n", "[flake8]\nignore = E501, F401\n", "grown-ignore"),
    "pylint": (
        ".pylintrc",
        "[MESSAGES CONTROL]\ndisable = C0114\n",
        "[MESSAGES CONTROL]\ndisable = C0114,\n    E1101\n",
        "grown-ignore",
    ),
    "files of eslint": (
        "eslint.config.js",
        'export default [{ ignores: ["dist/**"] }];\n',
        'export default [{ ignores: ["dist/**", "src/**"] }];\n',
        "grown-ignore",
    ),
    "golangci": (
        ".golangci.yml",
        "linters:\n  disable:\n    - lll\n",
        "linters:\n  disable:\n    - lll\n    - errcheck\n",
        "grown-ignore",
    ),
    "golangci, second version: a linter is left out on the way": (
        ".golangci.yml",
        GOLANGCI,
        GOLANGCI_2.replace("    - goconst\n", ""),
        "dropped-check",
    ),
    "golangci, second version: a formatter is in neither list": (
        ".golangci.yml",
        GOLANGCI,
        GOLANGCI_2.replace("    - gofmt\n", ""),
        "dropped-check",
    ),
    "golangci, second version: what it became part of is gone as well": (
        ".golangci.yml",
        GOLANGCI,
        GOLANGCI_2.replace("    - staticcheck\n", ""),
        "dropped-check",
    ),
    "golangci, first version: one is no part of another": (
        ".golangci.yml",
        GOLANGCI,
        GOLANGCI.replace("    - gosimple\n", ""),
        "dropped-check",
    ),
    "golangci, second version: a formatter": (
        ".golangci.yml",
        GOLANGCI_2,
        GOLANGCI_2.replace("    - gofmt\n", ""),
        "dropped-check",
    ),
    "coverage leaves out": (
        ".coveragerc",
        "[run]\nomit = setup.py\n",
        "[run]\nomit = setup.py, src/app.py\n",
        "grown-ignore",
    ),
    "coverage leaves out lines": (
        "pyproject.toml",
        '[tool.coverage.report]\nexclude_also = ["if TYPE_CHECKING"]\n',
        '[tool.coverage.report]\nexclude_also = ["if TYPE_CHECKING", "except Exception"]\n',
        "grown-ignore",
    ),
    "coverage leaves out lines of any three letters": (
        "pyproject.toml",
        '[tool.coverage.report]\nexclude_also = ["if TYPE_CHECKING"]\n',
        '[tool.coverage.report]\nexclude_also = ["if TYPE_CHECKING", "..."]\n',
        "grown-ignore",
    ),
    "coverage leaves out what never runs, or else anything": (
        "pyproject.toml",
        '[tool.coverage.report]\nexclude_also = ["if TYPE_CHECKING"]\n',
        '[tool.coverage.report]\nexclude_also = ["if TYPE_CHECKING", "raise NotImplementedError|.*"]\n',
        "grown-ignore",
    ),
    "bandit": (
        "pyproject.toml",
        '[tool.bandit]\nskips = ["B101"]\n',
        '[tool.bandit]\nskips = ["B101", "B602"]\n',
        "grown-ignore",
    ),
    "sonar": (
        "sonar-project.properties",
        "sonar.exclusions=dist/**\n",
        "sonar.exclusions=dist/**,src/auth/**\n",
        "grown-ignore",
    ),
    "a list of files": (".eslintignore", "dist\n", "dist\nsrc/auth\n", "grown-ignore"),
    "ruff selects less": ("pyproject.toml", RUFF, RUFF.replace('"E", "S"', '"E"'), "dropped-check"),
    "a hook": (
        ".pre-commit-config.yaml",
        "repos:\n  - repo: x\n    hooks:\n      - id: ruff\n      - id: mypy\n",
        "repos:\n  - repo: x\n    hooks:\n      - id: ruff\n",
        "dropped-check",
    ),
    "a step": (CI, FLOW, FLOW.replace("      - run: ruff check .\n", ""), "dropped-check"),
    "a step that says so": (CI, FLOW, FLOW.replace("ruff check .", "echo ok"), "dropped-check"),
    "a step in a comment": (CI, FLOW, FLOW.replace("      - run: ruff", "      # - run: ruff"), "dropped-check"),
    "a trigger": (CI, FLOW, FLOW.replace("pull_request", "workflow_dispatch"), "dropped-check"),
    "the whole pipeline": (CI, FLOW, None, "dropped-check"),
    "|| true": (CI, FLOW, FLOW.replace("check .", "check . || true"), "tolerated-failure"),
    "|| exit 0": (CI, FLOW, FLOW.replace("under=90", "under=90 || exit 0"), "tolerated-failure"),
    "; true": (CI, FLOW, FLOW.replace("under=90", "under=90; true"), "tolerated-failure"),
    "continue-on-error": (CI, FLOW, FLOW + "        continue-on-error: true\n", "tolerated-failure"),
    "continue-on-error of a job": (
        CI,
        FLOW,
        FLOW.replace("  test:\n", "  test:\n    continue-on-error: true\n"),
        "tolerated-failure",
    ),
    "if: false": (CI, FLOW, FLOW + "        if: false\n", "tolerated-failure"),
    "set +e": (
        CI,
        FLOW,
        FLOW.replace("run: ruff check .", "run: |\n          set +e\n          ruff check ."),
        "tolerated-failure",
    ),
    "exit-zero": (CI, FLOW, FLOW.replace("check .", "check . --exit-zero"), "tolerated-failure"),
    "allow_failure": (
        ".gitlab-ci.yml",
        "test:\n  script:\n    - pytest\n",
        "test:\n  script:\n    - pytest\n  allow_failure: true\n",
        "tolerated-failure",
    ),
    "a make file": ("Makefile", "lint:\n\teslint .\n", "lint:\n\teslint . || true\n", "tolerated-failure"),
    "a script of npm": (
        "package.json",
        '{"scripts": {"lint": "eslint ."}}',
        '{"scripts": {"lint": "eslint . || true"}}',
        "tolerated-failure",
    ),
    "a script that does nothing": (
        "package.json",
        '{"scripts": {"lint": "eslint ."}}',
        '{"scripts": {"lint": "exit 0"}}',
        "tolerated-failure",
    ),
    "a hook of git": (".husky/pre-commit", "npm run lint\n", "npm run lint || true\n", "tolerated-failure"),
    "a hook that leaves early": (".husky/pre-commit", "npm test\n", "exit 0\nnpm test\n", "tolerated-failure"),
    "a recipe that make does not mind": (
        "Makefile",
        "check:\n\tmypy src\n",
        "check:\n\t-mypy src\n",
        "tolerated-failure",
    ),
    "an option of pytest": (
        "pyproject.toml",
        '[tool.pytest.ini_options]\naddopts = "--cov-fail-under=90"\n',
        '[tool.pytest.ini_options]\naddopts = "--cov-fail-under=20"\n',
        "lowered-threshold",
    ),
    "hooks left out": ("release.sh", "git commit -m x\n", "git commit --no-verify -m x\n", "tolerated-failure"),
    "hidden from review": (".gitattributes", None, "src/** linguist-generated -diff\n", "hidden-from-review"),
    "shown as binary": (".gitattributes", "* text=auto\n", "* text=auto\n*.py binary\n", "hidden-from-review"),
}


@pytest.mark.parametrize(("path", "before", "after", "rule"), LOWERED.values(), ids=LOWERED)
def test_a_lowered_bar_blocks(path, before, after, rule):
    word, rules = judged(CHECK, File(path, before, after))
    assert (word, rule in rules) == ("block", True), rules


RAISED = {
    "coverage leaves out what never runs": (
        "pyproject.toml",
        "[tool.coverage.report]\nfail_under = 90\n",
        "[tool.coverage.report]\nfail_under = 90\nexclude_also = [\n"
        + "".join(
            f"  '{line}',\n"
            for line in (
                "if t.TYPE_CHECKING",
                "raise NotImplementedError",
                r": \.{3}",
                r"^\s*\.\.\.$",
                r"@(typing\.)?overload",
                'if __name__ == "__main__":',
            )
        )
        + "]\n",
    ),
    "a script gives way to the tool behind it": (
        ".github/workflows/ci.yml",
        "jobs:\n  a:\n    steps:\n      - run: npm run lint\n      - run: npm test\n",
        "jobs:\n  a:\n    steps:\n      - run: npx eslint .\n      - run: npx vitest run\n",
    ),
    "what is generated left out by options": (
        "pytest.ini",
        "[pytest]\naddopts = -q\n",
        "[pytest]\naddopts = -q --ignore=build --ignore node_modules\n",
    ),
    "options of the runner": ("pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -ra --strict-markers\n"),
    "a higher threshold": (
        "pyproject.toml",
        "[tool.coverage.report]\nfail_under = 90\n",
        "[tool.coverage.report]\nfail_under = 92\n",
    ),
    "strict on": ("tsconfig.json", '{"compilerOptions": {}}', '{"compilerOptions": {"strict": true}}'),
    "strict for a part of it": (
        "tsconfig.json",
        '{"compilerOptions": {"strictNullChecks": true}}',
        '{"compilerOptions": {"strict": true}}',
    ),
    "a rule that warned": (".eslintrc.json", '{"rules": {"no-eval": "warn"}}', '{"rules": {"no-eval": "error"}}'),
    "options of a rule": (
        ".eslintrc.json",
        '{"rules": {"max-len": ["error", 100]}}',
        '{"rules": {"max-len": ["error", 0]}}',
    ),
    "a wider selection": ("pyproject.toml", RUFF, RUFF.replace('"E", "S"', '"ALL"')),
    "an ignore less": ("pyproject.toml", RUFF, RUFF.replace('"E501"', "")),
    "the same under its newer name": ("pyproject.toml", RUFF.replace(".lint", ""), RUFF),
    "a warning that is an error": (
        "pytest.ini",
        "[pytest]\nfilterwarnings =\n    ignore::DeprecationWarning\n",
        "[pytest]\nfilterwarnings =\n    error\n",
    ),
    "another order": ("pyproject.toml", RUFF, RUFF.replace('"E", "S"', '"S", "E"')),
    "files that are built": (".eslintignore", "dist\n", "dist\nnode_modules\ncoverage\n"),
    "another setting": ("pyproject.toml", RUFF, RUFF + "line-length = 100\n"),
    "the same tool in another way": (CI, FLOW, FLOW.replace("- run: pytest", "- run: uv run pytest -q")),
    "another tool of the kind": (CI, FLOW, FLOW.replace("ruff check .", "flake8")),
    "one command for all": (CI, FLOW, FLOW.replace("ruff check .", "make check")),
    "one more step": (CI, FLOW, FLOW + "      - run: mypy src\n"),
    "a harmless || true": (CI, FLOW, FLOW + "      - run: docker rm -f x || true\n"),
    "a script that may fail": ("clean.sh", "rm x\n", "rm x || true\ngrep y z || true\n"),
    "golangci, second version: formatters apart, linters in one": (".golangci.yml", GOLANGCI, GOLANGCI_2),
    "another script": ("package.json", '{"scripts": {"lint": "eslint ."}}', '{"scripts": {"lint": "biome check ."}}'),
    "attributes of pictures": (".gitattributes", None, "* text=auto eol=lf\n*.png binary\npackage-lock.json -diff\n"),
    "generated code": (".gitattributes", None, "src/generated/** linguist-generated\n*.min.js -diff\n"),
    "broken settings": ("pyproject.toml", "[tool.x]\n", "[tool.coverage"),
}


@pytest.mark.parametrize(("path", "before", "after"), RAISED.values(), ids=RAISED)
def test_a_bar_that_stays_or_rises_is_left_alone(path, before, after):
    assert judged(CHECK, File(path, before, after)) == ("silent", [])


FIRST = {
    "tox: the outcome does not count": (
        "tox.ini",
        "[testenv]\ncommands = pytest\n",
        "[testenv]\nignore_outcome = true\ncommands = pytest\n",
    ),
    "the first settings of a tool": ("pyproject.toml", "[project]\n", f"[project]\n{RUFF}"),
    "with a reason": ("pyproject.toml", RUFF, RUFF.replace('["E501"]', '[\n  "E501",\n  "S101", # tests assert\n]')),
    "for tests alone": ("ruff.toml", 'select = ["E"]\n', 'select = ["E"]\n[per-file-ignores]\n"tests/*" = ["S101"]\n'),
    "an upload that may fail": (
        CI,
        FLOW,
        FLOW + "      - uses: actions/upload-artifact@v4\n        continue-on-error: true\n",
    ),
}


@pytest.mark.parametrize(("path", "before", "after"), FIRST.values(), ids=FIRST)
def test_what_can_be_argued_about_is_told(path, before, after):
    assert judged(CHECK, File(path, before, after))[0] == "told"


def test_settings_that_moved_to_another_file_are_not_lost():
    ruff = RUFF.replace("tool.ruff.", "")
    assert judged(CHECK, File("pyproject.toml", RUFF, ""), File("ruff.toml", None, ruff))[0] != "block"


def test_a_step_that_moved_to_another_pipeline_is_not_lost():
    rest = FLOW.replace("      - run: ruff check .\n", "")
    lint = FLOW.replace("      - run: pytest --cov-fail-under=90\n", "")
    assert judged(CHECK, File(CI, FLOW, rest), File(".github/workflows/lint.yml", None, lint)) == ("silent", [])


@pytest.mark.parametrize(
    "command", ["true", ":", "exit 0", "echo skipped", "@true", "echo a && exit 0", "", "echo 'no tests'; true"]
)
def test_a_command_that_does_nothing(command):
    assert does_nothing(command)


@pytest.mark.parametrize("command", ["pytest", "echo x && exit 1", "true && jest", "./run", "echo x | tee y"])
def test_a_command_that_does_something(command):
    assert not does_nothing(command)


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("uv run pytest -q", {"test"}),
        ("npx eslint . && tsc --noEmit", {"lint", "types"}),
        ("npm run lint", {"all"}),
        ("cargo clippy -- -D warnings", {"lint"}),
        ("./node_modules/.bin/jest", {"test"}),
        ("pip install pytest-cov", set()),
        ("cd src", set()),
    ],
)
def test_the_checks_of_a_line(line, kinds):
    assert {kind for kind, _ in checks_in(line)} == kinds
