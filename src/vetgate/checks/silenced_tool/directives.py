"""The comments and attributes with which a tool is told to look away, tool by tool."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.text_diff import LineCache

if TYPE_CHECKING:
    from collections.abc import Iterable


class Reach(enum.Enum):
    """How much a directive silences."""

    LINE = ""
    FILE = " (file)"


class Weight(enum.Enum):
    """What it silences: a finding, one that it demands to be there, a way not taken, a formatter, secrets found."""

    FINDING = "finding"
    EXPECTED = "expected"
    BRANCH = "branch"
    FORMAT = "format"
    LEAK = "leak"


@dataclass(frozen=True, slots=True)
class Directive:
    """`pattern` begins behind the sign that opens the comment; its group `codes` names the rules, where it can."""

    tool: str
    pattern: re.Pattern[str]
    weight: Weight = Weight.FINDING
    reach: Reach = Reach.LINE

    @property
    def takes_codes(self) -> bool:
        return "codes" in self.pattern.groupindex


COVERAGE = "coverage"
_FOR_SECURITY = frozenset(
    {"nosec", "semgrep", "codeql", "checkov", "tfsec", "gitleaks", "trufflehog", "ggshield", "zizmor", "kics"}
)
# Of these rules, unsafe are types: `no-unsafe-assignment`.
_OF_TYPES = (
    r"argument|assignment|call|declaration-merging|enum-comparison|finally|function-type|member-access|negation|"
    r"optional-chaining|return|type-assertion|unary-minus"
)
_SECURITY = expression(
    r"^(?:S\d{3}|B[1-7]\d\d|G[1-9]\d\d|DUO\d+|SCS\d+|CA[2357]\d{3})$"
    rf"|secur|eval|unsafe(?!-(?:{_OF_TYPES})$)|unsanit|inject|danger"
    r"|csrf|xss|innerhtml|detect-|gosec|new-func|script-url|weak",
    re.IGNORECASE,
)


def is_security(tool: str, codes: Iterable[str]) -> bool:
    return tool in _FOR_SECURITY or any(_SECURITY.search(code) for code in codes)


# Behind a `#`, `//`, `/*`, `*`, `<!--`, `--`, `;` or `%`: a comment that only speaks of a directive is none.
_LEAD = r"(?:^|[#*/;%-])[\s!]*"
_LIST = r"(?P<codes>[\w./@-]+(?:\s*,\s*[\w./@-]+)*)"
_UPPER = r"(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)"
_BRACKETS = r"(?:\[(?P<codes>[^\]]*)\])?"


def _line(tool: str, pattern: str, weight: Weight = Weight.FINDING) -> Directive:
    return Directive(tool, expression(_LEAD + pattern, re.IGNORECASE), weight)


def _file(tool: str, pattern: str) -> Directive:
    return Directive(tool, expression(_LEAD + pattern, re.IGNORECASE), reach=Reach.FILE)


# The first that matches counts, so what is longer comes first.
COMMENTS: tuple[Directive, ...] = (
    # Python
    _file("noqa", rf"(?:ruff|flake8)\s*[:=]\s*noqa\b(?:\s*:\s*{_UPPER})?"),
    _line("noqa", rf"noqa\b(?:\s*:\s*{_UPPER})?"),
    _file("mypy", r"mypy:\s*(?:ignore-errors|allow-[\w-]+|disable-error-code\s*=\s*\"?(?P<codes>[\w,\s-]+)\"?)"),
    _line("type-ignore", rf"type:\s*ignore\b{_BRACKETS}"),
    _file("pyright", r"pyright:\s*(?:basic|(?P<codes>report\w+\s*=\s*(?:false|none)))"),
    _line("pyright", rf"pyright:\s*ignore\b{_BRACKETS}"),
    _line("pyre", rf"pyre-(?:ignore|fixme)(?:-all-errors)?\b{_BRACKETS}"),
    _file("pytype", r"pytype:\s*skip-file\b"),
    _line("pytype", rf"pytype:\s*disable\s*=\s*{_LIST}"),
    _line("ty", rf"ty:\s*ignore\b{_BRACKETS}"),
    _file("pylint", r"pylint:\s*skip-file\b"),
    _line("pylint", rf"pylint:\s*(?:disable|disable-next)\s*=\s*{_LIST}"),
    _line("nosec", r"nosec\b(?:[:\s]+(?P<codes>[BG]\d+(?:[,\s]+[BG]\d+)*))?"),
    _line("detect-secrets", r"pragma:\s*(?:allowlist|whitelist)(?:\s+nextline)?\s+secret\b", Weight.LEAK),
    _line(COVERAGE, r"pragma:\s*no\s*branch\b", Weight.BRANCH),
    _line(COVERAGE, r"pragma:\s*no\s*(?:cover|mutate)\b"),
    _line("isort", r"isort:\s*(?:skip|skip_file|off)\b", Weight.FORMAT),
    _line("formatter", r"(?:fmt|yapf|autopep8)\s*:\s*(?:off|skip|disable)\b", Weight.FORMAT),
    # JavaScript and TypeScript
    _line("eslint", rf"eslint-disable-(?:next-)?line\b(?:\s+{_LIST})?"),
    _file("eslint", rf"eslint-disable\b(?:\s+{_LIST})?"),
    _file("eslint", r"eslint\s+(?P<codes>[\w@/-]+)\s*:\s*\[?\s*[\"']?(?:off|0)\b"),
    _file("typescript", r"@ts-nocheck\b"),
    _line("typescript", r"@ts-ignore\b"),
    _line("typescript", r"@ts-expect-error\b", Weight.EXPECTED),
    _file("biome", r"biome-ignore-(?:all|start)\s+(?P<codes>[\w/]+)"),
    _line("formatter", r"(?:biome-ignore\s+format|prettier-ignore|dprint-ignore|deno-fmt-ignore)\b", Weight.FORMAT),
    _line("biome", r"biome-ignore\s+(?P<codes>[\w/]+)"),
    _line("oxlint", rf"oxlint-disable(?:-next-line|-line)?\b(?:\s+{_LIST})?"),
    _line("tslint", r"tslint:disable(?:-next-line|-line)?\b(?::(?P<codes>[\w\s-]+))?"),
    _line("jshint", r"(?:jshint\s+(?:ignore:|-W)|jslint-disable|jshint\s+-)"),
    _line(COVERAGE, r"(?:istanbul|c8|v8|vitest)\s+ignore\b"),
    _line(COVERAGE, r"node:coverage\s+(?:disable|ignore)\b"),
    _line("deno", rf"deno-lint-ignore(?:-file)?\b(?:\s+{_LIST})?"),
    _line("flow", r"\$Flow(?:FixMe|Ignore|Issue|ExpectedError)\w*(?:\[(?P<codes>[^\]]*)\])?"),
    _file("flow", r"@noflow\b"),
    _line("stylelint", rf"stylelint-disable(?:-next-line|-line)?\b(?:\s+{_LIST})?"),
    _line("svelte", rf"svelte-ignore\s+{_LIST}"),
    _line("stryker", r"stryker\s+disable\b"),
    # Go, Rust, C and C++
    _line("nolint", r"nolint(?:nextline|begin)?\b(?:\s*[:(]\s*(?P<codes>[\w.*-]+(?:\s*,\s*[\w.*-]+)*)\)?)?"),
    _file("staticcheck", rf"lint:file-ignore\s+{_LIST}"),
    _line("staticcheck", rf"lint:ignore\s+{_LIST}"),
    _line("revive", r"revive:disable(?:[\w-]*)(?::(?P<codes>[\w-]+))?"),
    _line("cppcheck", r"cppcheck-suppress\w*\b(?:\s*\[?(?P<codes>\w+)\]?)?"),
    _line(COVERAGE, r"(?:LCOV|GCOVR?|GRCOV)_EXCL_(?:LINE|START|BR_LINE)\b"),
    _line("coverity", r"coverity\[(?P<codes>[^\]]*)\]"),
    # Java, Kotlin, Swift, C#, PHP, Ruby, Dart
    _line("checkstyle", r"CHECKSTYLE\s*[:.]\s*OFF\b(?::\s*(?P<codes>\w+))?"),
    _line("pmd", r"NOPMD\b"),
    _line("sonar", r"NOSONAR\b(?:\((?P<codes>[^)]*)\))?"),
    _line("jetbrains", rf"noinspection\s+{_LIST}"),
    _line("resharper", r"ReSharper\s+disable\b(?:\s+(?:once\s+)?(?P<codes>\w+))?"),
    _line("ktlint", r"ktlint-disable\b(?:\s+(?P<codes>[\w-]+))?"),
    _line("swiftlint", r"swiftlint:disable(?::\w+)?\b(?:\s+(?P<codes>[\w\s]+))?"),
    _line("formatter", r"(?:@formatter:off|spotless:off|clang-format\s+off)\b", Weight.FORMAT),
    _line("phpcs", r"@?phpcs:\s*(?:ignoreFile|ignore|disable)\b(?:\s+(?P<codes>[\w.]+(?:\s*,\s*[\w.]+)*))?"),
    _line("phpcs", r"@codingStandardsIgnore\w*"),
    _line("phpstan", r"@phpstan-ignore(?:-next-line|-line)?\b(?:[ \t]+(?P<codes>[\w.]+(?:\s*,\s*[\w.]+)*))?"),
    _line("psalm", r"@psalm-suppress\s+(?P<codes>\w+)"),
    _line("phan", r"@(?:phan-suppress\S*|suppress)\s+(?P<codes>\w+)"),
    _line("phpmd", r"@SuppressWarnings\b(?:\((?P<codes>[^)]*)\))?"),
    _line(COVERAGE, r"@codeCoverageIgnore\w*"),
    _line("infection", r"@infection-ignore-all\b"),
    _line("rubocop", r"(?:rubocop|standard):(?:disable|todo)\b(?:\s+(?P<codes>[\w/]+(?:\s*,\s*[\w/]+)*))?"),
    _line(COVERAGE, r":nocov:"),
    _line("reek", r":reek:(?P<codes>\w+)"),
    _line("steep", r"steep:ignore\b"),
    _file("sorbet", r"typed:\s*(?:ignore|false)\b"),
    _file("dart", rf"ignore_for_file:\s*{_LIST}"),
    _line("dart", rf"ignore:\s*{_LIST}\s*$"),
    # Any language
    _line("vetgate", rf"vetgate:\s*allow\b(?:\s+{_LIST})?"),
    _line("semgrep", r"nosemgrep\b(?:\s*:\s*(?P<codes>[\w.,\s-]+))?"),
    _line("gitleaks", r"gitleaks:allow\b", Weight.LEAK),
    _line("trufflehog", r"trufflehog:ignore\b", Weight.LEAK),
    _line("ggshield", r"ggignore\b", Weight.LEAK),
    _line("codeql", r"(?:lgtm|codeql)\s*\[(?P<codes>[^\]]*)\]"),
    _line("checkov", r"checkov:skip\s*=\s*(?P<codes>\w+)"),
    _line("tfsec", r"(?:tfsec|trivy):ignore:(?P<codes>[\w-]+)"),
    _line("tflint", r"tflint-ignore(?:-file)?:\s*(?P<codes>\w+)"),
    _line("kics", r"kics-scan\s+(?:ignore|disable)\S*"),
    _line("hadolint", r"hadolint\s+(?:global\s+)?ignore\s*=\s*(?P<codes>[\w,]+)"),
    _line("shellcheck", r"shellcheck\s+disable\s*=\s*(?P<codes>[\w,]+)"),
    _line("yamllint", r"yamllint\s+disable\S*(?:\s+(?P<codes>rule:\S+))?"),
    _line("zizmor", rf"zizmor:\s*ignore{_BRACKETS}"),
    _line("markdownlint", r"markdownlint-disable\S*(?:\s+(?P<codes>MD\d+(?:\s+MD\d+)*))?"),
    _line("spelling", r"(?:cspell|spell-checker|codespell)\s*:\s*(?:disable|ignore)\S*", Weight.FORMAT),
)

_NAMES = r"(?P<codes>[^)\]}]*)"


def _code(tool: str, pattern: str, weight: Weight = Weight.FINDING, reach: Reach = Reach.LINE) -> Directive:
    return Directive(tool, expression(pattern), weight, reach)


# Not comments but code of the language itself.
ATTRIBUTES: tuple[Directive, ...] = (
    _code("rustc", rf"#!\[\s*(?:cfg_attr\s*\(.*?,\s*)?allow\s*\({_NAMES}", reach=Reach.FILE),
    _code("rustc", rf"#\[\s*(?:cfg_attr\s*\(.*?,\s*)?allow\s*\({_NAMES}"),
    _code("rustc", rf"#!?\[\s*(?:cfg_attr\s*\(.*?,\s*)?expect\s*\({_NAMES}", Weight.EXPECTED),
    _code("coverage", r"#\[\s*(?:cfg_attr\s*\(.*?,\s*)?coverage\s*\(\s*off\s*\)|#\[no_coverage\]"),
    _code("formatter", r"#!?\[\s*rustfmt::skip\s*\]", Weight.FORMAT),
    _code("findbugs", rf"@(?:\w+\.)*SuppressFBWarnings\b(?:\s*\({_NAMES})?"),
    _code("lint", rf"@(?:\w+\.)*SuppressLint\b(?:\s*\({_NAMES})?"),
    _code("compiler", rf"@(?:java\.lang\.)?SuppressWarnings\b(?:\s*\((?:\s*value\s*=)?\s*(?:\{{|Array\()?{_NAMES})?"),
    _code("compiler", rf"@file:\s*Suppress\s*\({_NAMES}", reach=Reach.FILE),
    _code("compiler", rf"@Suppress\s*\({_NAMES}"),
    _code("compiler", rf"@nowarn\b(?:\({_NAMES})?"),
    _code("analyzers", rf"\[(?:\w+\s*:\s*)?(?:\w+\.)*(?:Unconditional)?SuppressMessage(?:Attribute)?\s*\({_NAMES}"),
    _code("coverage", r"\[(?:\w+\s*:\s*)?(?:\w+\.)*ExcludeFromCodeCoverage(?:Attribute)?\b"),
    _code("compiler", r"#\s*pragma\s+warning\s+disable\b[ \t]*(?P<codes>[\w, ]*)"),
    _code("compiler", r"#\s*pragma\s+warning\s*\(\s*disable\s*:\s*(?P<codes>[\d\s]+)"),
    _code("compiler", r"#\s*pragma\s+(?:GCC|clang)\s+diagnostic\s+ignored\s+\"(?P<codes>[^\"]*)\""),
    _code("nullable", r"^\s*#\s*nullable\s+disable\b", reach=Reach.FILE),
    _code("type-ignore", r"@(?:typing\.|t\.)?no_type_check\b"),
    _code("coverage", r"#\[\s*(?:\w+\\)*CodeCoverageIgnore\b"),
)

# Where none of these stands, there is no directive. Sought one by one: that is many times quicker than one expression.
_NEEDLES = (
    *("type: ignore", "type:ignore", "istanbul ignore", "c8 ignore", "v8 ignore", "vitest ignore"),
    *("ty: ignore", " ignore:"),
    *(  # noqa: SIM905 - a long list of names reads best as text
        "noqa NOQA ignore[ :ignore ignore_ ignore-errors mypy: pyright: pyre- pytype: pylint: nosec pragma isort: "
        "fmt: yapf autopep8 eslint @ts- biome-ignore prettier-ignore dprint-ignore deno- oxlint tslint: jshint "
        "jslint stylelint svelte-ignore node:coverage coverage(off no_coverage $Flow noflow tryker nolint NOLINT "
        "lint:ignore lint:file-ignore revive: uppress _EXCL_ coverity CHECKSTYLE NOPMD NOSONAR noinspection "
        "ReSharper ktlint swiftlint formatter:off spotless:off clang-format phpcs codingStandards phpstan psalm "
        "@phan codeCoverageIgnore CodeCoverage rubocop: standard:disable standard:todo nocov :reek: typed: "
        "nosemgrep gitleaks trufflehog ggignore lgtm codeql checkov tfsec trivy tflint kics- hadolint shellcheck "
        "yamllint zizmor markdownlint cspell spell-checker codespell allow( expect( nullable no_type_check rustfmt "
        "nowarn infection-ignore vetgate:"
    ).split(" "),
)
# Frequent in tests; an attribute has them in brackets.
_BRACKETED = frozenset({"expect(", "allow("})


def places(text: str) -> list[int]:
    """Where a directive may stand, in order."""
    found: set[int] = set()
    for start, line in _LINES.holding(text):
        for needle in _NEEDLES:
            at = line.find(needle)
            while at >= 0:
                before = text[max(0, start + at - 200) : start + at] if needle in _BRACKETED else "#["
                if "#[" in before or "#![" in before:
                    found.add(start + at)
                at = line.find(needle, at + len(needle))
    return sorted(found)


def _has_any(text: str) -> bool:
    return any(needle in text for needle in _NEEDLES)


_LINES = LineCache(_has_any, "\n")
