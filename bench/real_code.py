"""Files of released packages, and edits of them as an agent makes them: code that nobody wrote to be measured.

Python comes from PyPI, TypeScript from npm, Go and Java from Debian's source packages, each in one pinned version.
"""

from __future__ import annotations

import lzma
import re
import shutil
import tarfile
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from differential_corpus import CACHE, MissingError
from releases import Package, archive, fetched, unpack

from vetgate.model import Unchecked
from vetgate.source.language import language_of
from vetgate.source.syntax import Source, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDER = CACHE / "real-code"
LEAST_LINES, MOST_LINES = 100, 3_000
_DEBIAN = "http://deb.debian.org/debian/pool/main/{path}"
_IN_TESTS = re.compile(
    r"(^|/)(tests?|testing|__tests__|examples?|docs|vendor|locales?|testdata)/|_test\.go$|\.test\.ts|\.d\.ts$|\.pb\.go$"
)


@dataclass(frozen=True)
class Release:
    """One package in one version; `files` of it are measured, evenly over its source files by size."""

    name: str
    version: str
    suffixes: tuple[str, ...]
    files: int
    only: str = ""
    path: str = ""


_PY, _TS, _GO, _JAVA = (".py",), (".ts", ".tsx"), (".go",), (".java",)
RELEASES = (
    Release("django", "6.1.3", _PY, 8),
    Release("flask", "3.1.3", _PY, 3),
    Release("requests", "2.34.2", _PY, 2),
    Release("sqlalchemy", "2.1.8", _PY, 5, "lib"),
    Release("zod", "4.6.7", _TS, 4, "src"),
    Release("@trpc/server", "11.23.0", _TS, 3, "src"),
    Release("effect", "4.1.0", _TS, 4, "src"),
    Release("ai", "7.0.169", _TS, 3, "src"),
    Release("gin", "1.8.1", _GO, 4, path="g/golang-github-gin-gonic-gin/golang-github-gin-gonic-gin_1.8.1.orig.tar.gz"),
    Release("cobra", "1.6.1", _GO, 4, path="g/golang-github-spf13-cobra/golang-github-spf13-cobra_1.6.1.orig.tar.gz"),
    Release("lang3", "3.12.0", _JAVA, 4, path="libc/libcommons-lang3-java/libcommons-lang3-java_3.12.0.orig.tar.xz"),
    Release("jsoup", "1.15.3", _JAVA, 4, path="j/jsoup/jsoup_1.15.3.orig.tar.xz"),
)


def packages(releases: tuple[Release, ...] = RELEASES) -> dict[Release, Path]:
    """Each unpacked into the cache; fetched once."""
    return {release: _unpacked(release) for release in releases}


def planted(project: Path, releases: tuple[Release, ...] = RELEASES) -> list[str]:
    """All packages side by side in one project; the paths of the files to measure."""
    chosen: list[str] = []
    for release, folder in packages(releases).items():
        name = release.name.replace("/", "-").removeprefix("@")
        shutil.copytree(folder, project / name, dirs_exist_ok=True)
        chosen += (f"{name}/{path}" for path in _chosen(folder, release))
    return chosen


def _unpacked(release: Release) -> Path:
    folder = FOLDER / f"{release.name.replace('/', '-').removeprefix('@')}-{release.version}"
    if not folder.exists():
        partial = folder.with_suffix(".part")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            unpack(_archive(release), partial, release.only)
        except (OSError, tarfile.TarError, lzma.LZMAError, ValueError) as problem:
            raise MissingError(f"{release.name} {release.version} cannot be had: {problem}") from problem
        partial.rename(folder)
    return folder


def _archive(release: Release) -> bytes:
    if release.path:
        return fetched(_DEBIAN.format(path=release.path))
    return archive(Package(release.name, (release.version,)), release.version, node=release.suffixes is _TS)


def _chosen(folder: Path, release: Release) -> list[str]:
    """Evenly over all lines, the files in the order of their size: what is edited stands more often in a long one."""
    sized = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.suffix in release.suffixes and path.is_file() and not _IN_TESTS.search(name):
            text = path.read_text("utf-8", "replace")
            lines = text.count("\n")
            if LEAST_LINES <= lines <= MOST_LINES and next(_sites(name, text), None) is not None:
                sized.append((lines, name))
    sized.sort()
    ends = list(accumulate(lines for lines, _ in sized))
    marks = (ends[-1] * (number + 0.5) / release.files for number in range(release.files))
    return list(dict.fromkeys(sized[bisect_left(ends, mark)][1] for mark in marks))


# A line after which a statement can stand, by language, and what an agent may put there.
_STATEMENTS = {
    "python": (re.compile(r"^( +)[a-z_][\w.]* = [^\n]*[\w)\]'\"]$", re.MULTILINE), "{indent}seen_{n} = {n}"),
    "typescript": (
        re.compile(r"^( +)(?:const|let) \w+ = [^\n]*[\w)\]];?$", re.MULTILINE),
        "{indent}const seen{n} = {n};",
    ),
    "go": (re.compile(r"^(\t+)\w[\w., ]* :?= [^\n]*[\w)\]]$", re.MULTILINE), "{indent}_ = {n}"),
    "java": (re.compile(r"^( +)(?:final )?[\w<>\[\]]+ \w+ = [^\n]*;$", re.MULTILINE), "{indent}int seen{n} = {n};"),
}
_STATEMENTS["tsx"] = _STATEMENTS["typescript"]
_FUNCTIONS = {
    "python": "\n\ndef pick_{n}(items, limit):\n    for item in items:\n        if item.size > limit:\n"
    "            return item\n    return None\n",
    "typescript": "\nfunction pick{n}(items: number[], limit: number): number {{\n  for (const item of items) {{\n"
    "    if (item > limit) {{\n      return item;\n    }}\n  }}\n  return {n};\n}}\n",
    "go": "\nfunc pick{n}(items []int, limit int) int {{\n\tfor _, item := range items {{\n\t\tif item > limit {{\n"
    "\t\t\treturn item\n\t\t}}\n\t}}\n\treturn {n}\n}}\n",
    "java": "\n  private static int pick{n}(int[] items, int limit) {{\n    for (int item : items) {{\n"
    "      if (item > limit) {{\n        return item;\n      }}\n    }}\n    return {n};\n  }}\n",
}
_FUNCTIONS["tsx"] = _FUNCTIONS["typescript"]


@dataclass(frozen=True)
class Edit:
    """What the tool is called with: a text that stands once in the file, and what takes its place."""

    old: str
    new: str

    def over(self, text: str) -> str:
        return text.replace(self.old, self.new, 1)


def edits(path: str, text: str, count: int) -> Iterator[Edit]:
    """One after the other, each on what the last one left: a statement put in, changed, a function added."""
    language = language_of(path) or ""
    line = _STATEMENTS[language][1]
    for number in range(count):
        if number % 4 == 3:
            edit = _function(language, text, number)
        elif number % 4 == 2:
            last = line.format(indent="", n=number - 1)
            edit = Edit(last, line.format(indent="", n=number + 100))
        else:
            sites = list(_sites(path, text))
            indent, site = sites[(number * 7 + len(text)) % len(sites)]
            edit = Edit(site, f"{site}\n{line.format(indent=indent, n=number)}")
        yield edit
        text = edit.over(text)


def refused(path: str, text: str, secret: str) -> Edit:
    """The same, with a secret in the line."""
    language = language_of(path) or ""
    sites = list(_sites(path, text))
    indent, site = sites[len(sites) // 2]
    quoted = {"python": f'api_key = "{secret}"', "go": f'apiKey := "{secret}"', "java": f'String apiKey = "{secret}";'}
    line = quoted.get(language, f'const apiKey = "{secret}";')
    return Edit(site, f"{site}\n{indent}{line}")


def _function(language: str, text: str, number: int) -> Edit:
    """At the end of the file; in Java before its last bracket."""
    added = _FUNCTIONS[language].format(n=number)
    start = text.rindex("}") if language == "java" else len(text)
    tail = text[max(0, start - 1) :]
    while text.count(tail) > 1:
        start -= 1
        tail = text[start:]
    if language == "java":
        head, bracket, rest = tail.rpartition("}")
        return Edit(tail, f"{head}{added}{bracket}{rest}")
    return Edit(tail, f"{tail}{added}")


def _sites(path: str, text: str) -> Iterator[tuple[str, str]]:
    """Lines that stand once and after which the file still parses with one more statement."""
    language = language_of(path) or ""
    pattern, line = _STATEMENTS[language]
    if _broken(path, text, language):
        return
    for found in pattern.finditer(text):
        site, indent = found[0], found[1]
        if text.count(site) == 1 and _is_site(path, text, site, line.format(indent=indent, n=0)):
            yield indent, site


@cache
def _is_site(path: str, text: str, site: str, line: str) -> bool:
    return not _broken(path, text.replace(site, f"{site}\n{line}", 1), language_of(path) or "")


def _broken(path: str, text: str, language: str) -> bool:
    syntax = parse(Source(path, text, language))
    return isinstance(syntax, Unchecked) or syntax.tree.root_node.has_error
