"""Which settings of which tool hold code to a bar, and which way is down."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    import re


class How(enum.Enum):
    ON = "to be on"
    OFF = "to be off"
    LEVEL = "a level that must not fall"
    FLOOR = "a number that must not fall"
    CEILING = "a number that must not rise"
    IGNORES = "a list of what is left out"
    KEEPS = "a list of what is asked for"
    OPTIONS = "options of a command line"


@dataclass(frozen=True, slots=True)
class Meaning:
    """`file` is sought in the name of a file, `keys` matches all its keys; its group `name` is how people call it."""

    tool: str
    file: re.Pattern[str]
    keys: re.Pattern[str]
    how: How


_PYPROJECT = r"^pyproject\.toml$"
_INI = r"^(?:setup\.cfg|tox\.ini)$"
_JS = r"\.(?:[cm]?[jt]s|jsonc?|json5|ya?ml)"
_PACKAGE = r"^package\.json$"


def _table(tool: str, file: str, prefix: str, **ways: str) -> tuple[Meaning, ...]:
    return tuple(
        Meaning(tool, expression(file), expression(rf"(?:{prefix})(?P<name>{keys})"), How[way.upper()])
        for way, keys in ways.items()
    )


_MYPY = {
    "on": r"strict|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|strict_\w+|extra_checks",
    "off": r"ignore_errors|ignore_missing_imports|allow_\w+|implicit_\w+|follow_untyped_imports",
    "ignores": r"disable_error_code|exclude",
    "keeps": r"enable_error_code",
}
_RUFF = {
    "ignores": r"(?:lint/)?(?:(?:extend-)?ignore|(?:extend-)?per-file-ignores/.+|exclude)|(?:extend-)?exclude",
    "keeps": r"(?:lint/)?(?:extend-)?select",
    "ceiling": r"(?:lint/)?(?:mccabe/max-complexity|pylint/max-[\w-]+)",
}
_FLAKE8 = {
    "ignores": r"(?:extend-)?ignore|per-file-ignores|(?:extend-)?exclude",
    "keeps": r"(?:extend-)?select|enable-extensions",
    "ceiling": r"max-(?:complexity|cognitive-complexity|expression-complexity)",
    "off": r"exit-zero",
}
_PYLINT = {
    "ignores": r"(?:.+/)?(?:disable|ignore|ignore-paths|ignore-patterns)",
    "keeps": r"(?:.+/)?(?:enable|load-plugins)",
    "floor": r"(?:.+/)?fail-under",
    "ceiling": r"(?:.+/)?max-(?:args|branches|statements|locals|returns|complexity|nested-blocks|attributes)",
}
_COVERAGE = {
    "floor": r"(?:.+/)?fail_under",
    "ignores": r"(?:.+/)?(?:omit|exclude_lines|exclude_also)",
    "on": r"(?:.+/)?branch",
    "off": r"(?:.+/)?ignore_errors",
}
_PYTEST = {
    "on": r"xfail_strict|strict\w*",
    "ignores": r"norecursedirs|collect_ignore",
    "keeps": r"filterwarnings|testpaths",
    "options": r"addopts",
}
_JEST = {
    "floor": r"coverageThreshold/.+",
    "ignores": r"(?:testPath|coveragePath|modulePath|watchPath)IgnorePatterns",
    "off": r"passWithNoTests",
    "keeps": r"testMatch|testRegex",
}
_ESLINT = {
    "level": r"(?:.+/)?rules/[^/]+",
    "ignores": r"(?:.+/)?(?:ignores|ignorePatterns|globalIgnores)",
    "keeps": r"(?:.+/)?extends",
    "on": r"(?:.+/)?(?:reportUnusedDisableDirectives|noInlineConfig)",
}

TOOLS: tuple[Meaning, ...] = (
    *_table(
        "typescript",
        r"^(?:ts|js)config[\w.-]*\.json$",
        r"compilerOptions/",
        on=r"strict\w*|alwaysStrict|no(?:Implicit|Unused|Unchecked)\w+|noFallthroughCasesInSwitch"
        r"|noPropertyAccessFromIndexSignature"
        r"|noEmitOnError|exactOptionalPropertyTypes|useUnknownInCatchVariables|checkJs"
        r"|forceConsistentCasingInFileNames",
        off=r"skipLibCheck|allowUnreachableCode|allowUnusedLabels|suppress\w+|noStrictGenericChecks|noCheck",
    ),
    *_table("typescript", r"^(?:ts|js)config[\w.-]*\.json$", "", ignores="exclude"),
    *_table("eslint", rf"^\.eslintrc|^eslint\.config{_JS}$", "", **_ESLINT),
    *_table("eslint", _PACKAGE, "eslintConfig/", **_ESLINT),
    *_table("oxlint", r"^\.?oxlintrc(?:\.json)?$", "", level=r"rules/.+|categories/.+", ignores=r"ignorePatterns"),
    *_table("tslint", r"^tslint\.json$", "", level=r"rules/[^/]+"),
    *_table(
        "biome",
        r"^biome\.jsonc?$",
        r"(?:overrides/)?",
        on=r"(?:linter|javascript/linter)/enabled|linter/rules/(?:\w+/)?(?:recommended|all)",
        level=r"linter/rules/\w+/\w+(?:/level)?",
        ignores=r"(?:linter|files)/ignore",
    ),
    *_table("stylelint", rf"^\.stylelintrc|^stylelint\.config{_JS}$", "", level=r"rules/[^/]+", ignores="ignoreFiles"),
    *_table(
        "deno", r"^deno\.jsonc?$", "", ignores=r"lint/(?:rules/exclude|exclude)", keeps=r"lint/rules/(?:tags|include)"
    ),
    *_table("jest", rf"^jest\.config{_JS}$", "(?:.+/)?", **_JEST),
    *_table("jest", _PACKAGE, "jest/", **_JEST),
    *_table(
        "vitest",
        rf"^(?:vitest|vite)\.config{_JS}$|^vitest\.workspace{_JS}$",
        "test/",
        floor=r"coverage/(?:thresholds/.+|lines|functions|branches|statements)",
        ignores=r"exclude|coverage/exclude",
        off=r"passWithNoTests|dangerouslyIgnoreUnhandledErrors|allowOnly",
    ),
    *_table(
        "nyc",
        r"^\.(?:nycrc|c8rc)",
        "",
        floor=r"branches|lines|functions|statements",
        on=r"check-coverage|checkCoverage|per-file",
        ignores=r"exclude",
    ),
    *_table(
        "nyc",
        _PACKAGE,
        "(?:nyc|c8)/",
        floor=r"branches|lines|functions|statements",
        on="check-coverage",
        ignores="exclude",
    ),
    *_table("playwright", rf"^playwright\.config{_JS}$", "", on="forbidOnly", ignores="testIgnore"),
    *_table("stryker", rf"^\.?stryker\.conf(?:ig)?{_JS}$", "", floor="thresholds/(?:break|low|high)"),
    *_table("next", rf"^next\.config{_JS}$", "", off=r"(?:.+/)?(?:ignoreDuringBuilds|ignoreBuildErrors)"),
    *_table("ruff", _PYPROJECT, "tool/ruff/", **_RUFF),
    *_table("ruff", r"^\.?ruff\.toml$", "", **_RUFF),
    *_table("mypy", _PYPROJECT, "tool/mypy/(?:overrides/)?", **_MYPY),
    *_table("mypy", rf"{_INI}|^\.?mypy\.ini$", "mypy[^/]*/", **_MYPY),
    *_table(
        "pyright",
        rf"{_PYPROJECT}|^pyrightconfig\.json$",
        "(?:tool/(?:based)?pyright/)?",
        level=r"typeCheckingMode|report\w+",
        on=r"strict\w+",
        ignores=r"ignore|exclude",
        keeps=r"strict",
    ),
    *_table("flake8", rf"{_INI}|^\.flake8$", "flake8/", **_FLAKE8),
    *_table("pylint", r"^\.?pylintrc(?:\.toml)?$", "", **_PYLINT),
    *_table("pylint", _PYPROJECT, "tool/pylint/", **_PYLINT),
    *_table("pylint", _INI, "pylint[^/]*/", **_PYLINT),
    *_table("bandit", rf"{_PYPROJECT}|^\.?bandit", r"(?:tool/)?(?:bandit/)?", ignores=r"skips|exclude_dirs|exclude"),
    *_table("coverage", _PYPROJECT, "tool/coverage/", **_COVERAGE),
    *_table("coverage", rf"{_INI}|^\.coveragerc$", "(?:coverage:)?(?=run/|report/)", **_COVERAGE),
    *_table("pytest", _PYPROJECT, "tool/pytest/(?:ini_options/)?", **_PYTEST),
    *_table("pytest", rf"{_INI}|^\.?pytest\.ini$", "(?:tool:)?pytest/", **_PYTEST),
    *_table("tox", r"^tox\.ini$", r"testenv[^/]*/", off="ignore_outcome"),
    *_table("interrogate", _PYPROJECT, "tool/interrogate/", floor="fail-under"),
    *_table(
        "golangci",
        r"^\.golangci\.",
        "",
        ignores=r"linters/disable|issues/exclude(?:-(?:rules|dirs|files))?(?:/.+)?|linters/exclusions/.+"
        r"|run/skip-(?:dirs|files)",
        keeps=r"(?:linters|formatters)/enable",
        on=r"run/tests|linters/enable-all",
        off=r"linters/disable-all|issues/new",
        ceiling=r"(?:linters-settings|linters/settings)/.+/(?:min-complexity|lines|statements|max-complexity)",
        floor=r"run/issues-exit-code",
    ),
    *_table("clippy", r"^\.?clippy\.toml$", "", ceiling=r"[\w-]+-threshold|max-[\w-]+"),
    *_table("cargo", r"^cargo\.toml$", "(?:workspace/)?lints/", level=r"\w+/[\w-]+(?:/level)?"),
    *_table(
        "rubocop",
        r"^\.rubocop",
        "(?:.+/)?",
        on=r"[^/]+(?:/[^/]+)?/Enabled",
        ceiling=r"(?:Metrics|Layout)/\w+/Max",
        ignores=r"[^/]+(?:/[^/]+)?/(?:Exclude|AllowedMethods|IgnoredMethods)",
        off=r"AllCops/DisabledByDefault",
    ),
    *_table(
        "phpstan",
        r"^phpstan.*\.neon",
        "parameters/",
        floor="level",
        ignores=r"ignoreErrors(?:/.+)?|excludePaths(?:/.+)?",
    ),
    *_table("psalm", r"^psalm\.xml", "", ceiling="psalm/errorLevel", off=r"psalm/\w*(?:[Ss]uppress|ignore)\w*"),
    *_table("phpcs", r"^\.?phpcs\.xml", "", ignores=r"exclude/name|exclude-pattern"),
    *_table("phpunit", r"^phpunit\.xml", "", on=r"phpunit/fail\w+|phpunit/beStrict\w+", ignores="exclude"),
    *_table("infection", r"^infection\.json", "", floor="minMsi|minCoveredMsi"),
    *_table(
        "dotnet",
        r"\.(?:cs|vb|fs)proj$|\.props$|\.targets$",
        "",
        on=r"TreatWarningsAsErrors|EnableNETAnalyzers|EnforceCodeStyleInBuild|RunAnalyzers\w*",
        ignores=r"NoWarn|WarningsNotAsErrors",
        level=r"Nullable|AnalysisLevel|AnalysisMode",
        floor=r"Threshold",
    ),
    *_table(
        "dotnet",
        r"^\.(?:editorconfig|globalconfig)$",
        "(?:[^/]+/)?",
        level=r"dotnet_(?:diagnostic|analyzer_diagnostic)\..*severity",
    ),
    *_table(
        "maven",
        r"^pom\.xml$",
        "",
        off=r"(?:maven\.test\.)?skip(?:Tests|ITs)?|maven\.test\.skip|testFailureIgnore|checkstyle\.skip|pmd\.skip"
        r"|spotbugs\.skip"
        r"|jacoco\.skip",
        on=r"failOnViolation|failsOnError|failOnError|haltOnFailure|failOnWarning",
        floor="minimum",
        ignores="exclude",
    ),
    *_table(
        "sonar",
        r"^sonar-project\.properties$|^\.sonarcloud\.properties$",
        "",
        ignores=r"sonar\.[\w.]*(?:exclusions|ignore[\w.]*)",
        on=r"sonar\.qualitygate\.wait",
    ),
    *_table(
        "codecov",
        r"^\.?codecov\.ya?ml$",
        "",
        floor=r"coverage/status/\w+(?:/\w+)?/target|coverage/range",
        ceiling=r"coverage/status/\w+(?:/\w+)?/threshold",
        off=r"coverage/status/\w+(?:/\w+)?/informational",
        ignores=r"ignore",
    ),
    *_table(
        "pre-commit", r"^\.pre-commit-config\.yaml$", "", keeps="repos/hooks/id", ignores=r"exclude|repos/hooks/exclude"
    ),
    *_table("gitleaks", r"^\.?gitleaks\.toml$", "", ignores=r"(?:.+/)?allowlists?/.+"),
    *_table("semgrep", r"^\.semgrep\.ya?ml$", "", keeps="rules/id"),
    *_table("yamllint", r"^\.yamllint", "", level=r"rules/[^/]+", ignores="ignore"),
    *_table("lefthook", r"^\.?lefthook\.ya?ml$", r"[\w-]+/(?:commands|jobs)/", off=r".+/skip", keeps=r".+/run"),
)

# Files that are a list by themselves: a line leaves something out.
IGNORE_FILES = expression(
    r"^\.(?:eslint|stylelint|semgrep|trivy|gitleaks|snyk|oxlint|markdownlint|hadolint|bandit|sonar|coverage|checkov"
    r"|tfsec)ignore$"
    r"|^\.snyk$|^phpstan-baseline\.neon$|^\.rubocop_todo\.yml$"
)


@lru_cache(maxsize=1024)
def meanings(name: str) -> tuple[Meaning, ...]:
    """What is known of a file of this name."""
    lowered = name.lower()
    return tuple(meaning for meaning in TOOLS if meaning.file.search(lowered))
