"""Which files a test runner opens, and which of them hold recorded results."""

from __future__ import annotations

from vetgate.expression import expression

# By language: names that the usual runners collect. Rust and C# collect by attribute, wherever it stands.
_COLLECTED = {
    "python": expression(r"(?:^|/)(?:test[^/]*|[^/]*_test|tests|conftest)\.py$"),
    "go": expression(r"_test\.go$"),
    "java": expression(r"(?:^|/)(?:Test[^/]*|[^/]*(?:Tests?|TestCase|IT|ITCase|Spec|Should))\.java$"),
    "php": expression(r"(?:Test|Cest|Spec)\.php$|(?:^|/)tests?/.*\.php$"),
    "ruby": expression(r"(?:_spec|_test)\.rb$|(?:^|/)test_[^/]*\.rb$"),
    "rust": expression(r"\.rs$"),
    "csharp": expression(r"\.csx?$"),
}
_ECMASCRIPT = expression(
    r"(?:\.|-|_)(?:test|spec|tests|specs|cy|e2e|e2e-spec)\.[cm]?[jt]sx?$|(?:^|/)(?:__tests__|test|tests|spec|specs"
    r"|e2e|cypress)/"
    r"(?!.*(?:fixtures|__mocks__|support|helpers?)/).*\.[cm]?[jt]sx?$|(?:^|/)test-[^/]*\.[cm]?js$|(?:^"
    r"|/)tests?\.[cm]?[jt]sx?$"
)
SNAPSHOT = expression(r"\.snap$|\.ambr$|(?:^|/)__snapshots__/|\.snap\.new$|\.(?:verified|approved)\.\w+$|\.snapshot$")


def is_collected(path: str, language: str | None) -> bool:
    if language in {"javascript", "typescript", "tsx"}:
        return bool(_ECMASCRIPT.search(path))
    pattern = _COLLECTED.get(language or "")
    return bool(pattern and pattern.search(path))
