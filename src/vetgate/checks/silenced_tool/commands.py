"""Lines of shell: which tool a command holds the code to, and whether its failure counts."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

TEST, LINT, TYPES, SECURITY, ALL = "test", "lint", "types", "security", "all"

_TOOLS = {
    TEST: r"pytest|py\.test|unittest|nosetests|jest|vitest|mocha|ava|tap|karma|jasmine|playwright test|cypress run"
    r"|node --test"
    r"|bun test|deno test|go test|gotestsum|cargo (?:test|nextest)|mvn(?:w)?\b[^|;&]*\b(?:test|verify|install)"
    r"|gradlew?\b[^|;&]*\b(?:test|check|build)|dotnet test|phpunit|pest|paratest|rspec|minitest|rails test"
    r"|rake (?:test|spec)|ctest"
    r"|swift test|flutter test|dart test|mix test|sbt test|coverage (?:run|report)|codecov|c8|nyc|behave|robot"
    r"|hypothesis",
    LINT: r"eslint|biome (?:check|lint|ci)|oxlint|standard|xo|stylelint|prettier\b[^|;&]*(?:-c\b|--check|-l\b)|ruff"
    r"|flake8|pylint|black"
    r"\b[^|;&]*--check|isort\b[^|;&]*(?:-c\b|--check)|golangci-lint|staticcheck|go vet|gofmt -l|revive"
    r"|cargo (?:clippy|fmt)"
    r"|checkstyle|pmd|spotbugs|spotless|ktlint|detekt|swiftlint|dotnet format|phpcs|php-cs-fixer\b[^|;&]*--dry-run"
    r"|rubocop|standardrb"
    r"|reek|shellcheck|hadolint|actionlint|yamllint|markdownlint\S*|commitlint|vale|sqlfluff|tflint|clang-tidy"
    r"|cppcheck|deno lint",
    TYPES: r"tsc|vue-tsc|mypy|dmypy|pyright|basedpyright|pyre|pytype|ty check|flow check|phpstan|psalm|sorbet"
    r"|srb tc|steep|deno check",
    SECURITY: r"bandit|semgrep|gitleaks|trufflehog|detect-secrets|trivy|grype|snyk|npm audit|pnpm audit"
    r"|yarn (?:npm )?audit|pip-audit"
    r"|safety|cargo (?:audit|deny)|gosec|govulncheck|brakeman|bundle[- ]audit|composer audit|codeql|checkov|tfsec"
    r"|zizmor|osv-scanner"
    r"|dependency-check|sonar-scanner|vetgate",
    ALL: r"tox|nox|pre-commit run|lefthook run|lint-staged|make (?:test|check|lint|ci|verify|all)\S*|just (?:test"
    r"|check|lint|ci)\S*"
    r"|task (?:test|check|lint|ci)\S*|(?:npm|pnpm|yarn|bun)(?: run)?(?: -\S+)* (?:test|lint|check|ci|verify"
    r"|validate|typecheck"
    r"|type-check|types|audit|format:check|tsc)[\w:.-]*|npm t\b|composer (?:run )?(?:test|lint|check|analyse|stan"
    r"|cs)\S*"
    r"|bundle exec rake|(?:hatch|poe|pdm|rye|uv|poetry|mise|invoke|inv|nx|turbo|moon)(?: run)?(?: \S+)? (?:test"
    r"|lint|check|ci|fmt"
    r"|typecheck)\S*|(?:run[-_])?(?:tests?|check|lint|ci|verify)(?:[-_]\w+)?\.(?:sh|py"
    r"|js|ps1)",
}
# Behind a folder too, but no folder or file of that name; make's sign not to mind a failure may stand before it.
_KNOWN = {
    kind: expression(rf"(?:(?<![\w.-])|(?<=\t-)|(?<=\t@-))(?P<tool>{tools})(?![\w/-]|\.\w)")
    for kind, tools in _TOOLS.items()
}
_KEYWORD = expression(
    r"\|\||;\s*(?:true|exit 0|:)|set \+e|no-verify|exit-zero|passWithNoTests|pass-with-no-tests|skipTests"
    r"|test\.skip|--no-fail|fail-never"
    r"|-fn\b|-x test|fail-under|max-warnings|deselect|continue-on-collection-errors|--ignore|--no-error|--soft-fail"
    r"|HUSKY|SKIP=|-k[= ]"
)
_PASSES = expression(
    r"\|\|\s*(?:true|:|exit\s+0|echo\b|/bin/true|return\s+0|printf\b)|;\s*(?:true|:|exit\s+0)\s*(?:[\"'][\s,}]*)?$"
)
_SEPARATOR = expression(r"&&|\|\||;|\n")
_GIVES_UP = expression(
    r"--exit-zero\b|--(?:passWithNoTests|pass-with-no-tests|no-fail\S*|fail-never|soft-fail"
    r"|no-error-on-unmatched-pattern|exit-code[= ]0)"
    r"(?![\w-])|-D(?:skipTests|skipITs|maven\.test\.skip|maven\.test\.failure\.ignore)\b(?!=false)|(?<!\S)-fn\b"
    r"|(?<!\S)-x\s+test\b"
    r"|--continue-on-collection-errors"
)
_LEAVES_OUT = expression(
    r"--(?:deselect|ignore|ignore-glob|testPathIgnorePatterns|exclude)[= ]\S+|(?<!\S)-k[= ][\"']?not\b[^\"']*[\"']?"
)
_NO_VERIFY = expression(
    r"\bgit\b[^|;&\n]*\s(?:--no-verify|-n(?=\s[^|;&]*-m))\b|\bHUSKY(?:_SKIP_HOOKS)?=[01]\b|--no-verify\b"
)
_FLOOR = expression(
    r"--(?P<name>cov-fail-under|fail-under|coverage-threshold|min-coverage)[= ](?P<number>\d+(?:\.\d+)?)"
)
_CEILING = expression(r"--(?P<name>max-warnings)[= ](?P<number>\d+)")
_NOTHING = expression(
    r"[@-]*(?:|true|:|/bin/true|exit(?:\s+0)?|return\s+0|(?:echo|printf)\b[^|<>]*"
    r"|node\s+-e\s+[\"']?(?:process\.exit\(0?\))?[\"']?)"
)
_LONGEST = 4000


class Weak(NamedTuple):
    """A command that may fail unseen; `tool` is "" where it is none that checks."""

    how: str
    tool: str


def checks_in(line: str) -> Iterator[tuple[str, str]]:
    """The kinds of checks a line runs, with the tool."""
    yield from _checks_of(line[:_LONGEST])


@lru_cache(maxsize=1024)
def _checks_of(line: str) -> tuple[tuple[str, str], ...]:
    """A line is asked for several times."""
    return tuple(
        (kind, re.sub(r"\s+", " ", match["tool"]).partition(" -")[0])
        for kind, pattern in _KNOWN.items()
        for match in pattern.finditer(line)
    )


def weak(line: str) -> Iterator[Weak]:
    """How a line lets failures pass, each with the check that it lets off."""
    line = line[:_LONGEST]
    if not _KEYWORD.search(line):
        return
    for match in _PASSES.finditer(line):
        command = _SEPARATOR.split(line[: match.start()])[-1]
        if command.strip():
            yield Weak(match[0].strip(), next((tool for _, tool in checks_in(command)), ""))
    tool = next((tool for _, tool in checks_in(line)), "")
    yield from (Weak(match[0].strip(), tool or "the build") for match in _GIVES_UP.finditer(line))
    yield from (Weak(match[0].strip(), tool) for match in _LEAVES_OUT.finditer(line) if tool)
    if _NO_VERIFY.search(line):
        yield Weak("--no-verify" if "no-verify" in line else "HUSKY", "the hooks")
    if re.search(r"(?<!\S)set \+e\b", line):
        yield Weak("set +e", "")


def left_out(options: str) -> Iterator[str]:
    """What options of a test runner leave out by name."""
    yield from (match[0].strip() for match in _LEAVES_OUT.finditer(options[:_LONGEST]))


def limits(line: str) -> Iterator[tuple[str, float]]:
    """Limits among the options; what must not rise is negative."""
    yield from ((match["name"], float(match["number"])) for match in _FLOOR.finditer(line))
    yield from ((match["name"], -float(match["number"])) for match in _CEILING.finditer(line))


def does_nothing(command: str) -> bool:
    """Whether a script only pretends: `true`, `exit 0`, an `echo`."""
    return all(_NOTHING.fullmatch(part.strip()) for part in _SEPARATOR.split(command[:_LONGEST]))
