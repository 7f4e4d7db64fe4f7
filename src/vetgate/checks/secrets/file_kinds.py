"""What kind of file a path is: examples and fixtures are full of secrets that are none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_EXAMPLES = re.compile(r"examples?[-_0-9]+\.[a-z0-9]+")
_EXAMPLE = re.compile(r"[._-](?:example|sample|template|tmpl|tpl|dist)(?:$|[._-])")
_ENDS_AS_EXAMPLE = re.compile(
    r"[._-](?:example|sample|template|fixtures?)\.[a-z0-9]+$|\.examples\.(?:json|ya?ml)$|\.(?:example|sample|template|tmpl|tpl|dist)$"
)
_FIXTURE = frozenset(
    "fixture fixtures __fixtures__ testdata test-data test_data testfixtures test-fixtures test_fixtures __mocks__ "
    "mocks cassettes vcr_cassettes __snapshots__ snapshots golden goldens testassets test-assets test_assets".split()
)
_LOCKS = frozenset(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml poetry.lock uv.lock pipfile.lock pdm.lock "
    "cargo.lock go.sum composer.lock gemfile.lock podfile.lock packages.lock.json bun.lock flake.lock pubspec.lock "
    "mix.lock deno.lock .secrets.baseline .terraform.lock.hcl package.resolved cartfile.resolved conan.lock".split()
)
_MADE = re.compile(r"\.min\.(?:js|css)$|\.map$|\.svg$|\.snap$|\.lock$|-lock\.(?:json|yaml)$|\.bundle\.js$")
_PROSE = re.compile(
    r"^(?:licen[cs]e|copying|readme|changelog|changes|news|authors|contributors|copyright|notice|install|todo)[^.]{0,20}$|"
    r"\.(?:md|mdx|rst|txt|adoc|po|pot|xlf|xliff|csv|tsv|log|tex|ics|eml)$"
)

_NOTES = re.compile(r"(?<!requirements)\.(?:md|mdx|rst|txt|adoc|csv|tsv|log|eml)$")


@dataclass(frozen=True, slots=True)
class FileKind:
    """`example`: only what proves itself real counts. `made`: names in it were chosen by a program.

    `notes`: prose in which people write down a name and its value, unlike a license.
    """

    example: bool = False
    made: bool = False
    prose: bool = False
    notes: bool = False


@lru_cache(maxsize=512)
def file_kind_of(path: str) -> FileKind:
    parts = path.replace("\\", "/").lower().split("/")
    name = parts[-1]
    is_example = bool(_ENDS_AS_EXAMPLE.search(name)) or (".env" in name and bool(_EXAMPLE.search(name)))
    is_example = is_example or bool(_EXAMPLES.fullmatch(name))
    is_fixture = any(part in _FIXTURE for part in parts[:-1])
    is_made = name in _LOCKS or bool(_MADE.search(name))
    return FileKind(is_example or is_fixture, is_made, bool(_PROSE.search(name)), bool(_NOTES.search(name)))
