"""Names and values in files that no grammar reads: settings, shell, containers, and code of other languages.

Only around a word that may name a secret, and only as far as a line reaches: the time it takes grows with the number of
such words and no faster.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.match import Pair

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAYS = re.compile(
    rb"(?i)passw|passphrase|passcode|pwd|_pass\b|\.pass\b|secret|token|key|credential|\bauth|_auth|bearer|\bpat\b|_pat\b|dsn|salt"
)
_COMMENTS = (b"#", b";", b"//")
_BEFORE, _AFTER = 160, 1_400
_NAME = rb"[A-Za-z_][A-Za-z0-9_.\-]{1,100}"
_QUOTED = rb"""(?:"(?P<double>[^"\n]{1,1100})"|'(?P<single>[^'\n]{1,1100})'|`(?P<back>[^`\n]{1,1100})`)"""
_JOINT = rb"""["'\]]{0,2}\s{0,20}(?::=|=>|==|[:=])\s{0,20}"""
_CODE = re.compile(rb"(?P<name>" + _NAME + rb")" + _JOINT + rb"(?:[A-Za-z]{0,2})?" + _QUOTED)
_SETTING = re.compile(
    rb"(?P<name>"
    + _NAME
    + rb")"
    + _JOINT
    + rb"(?:!!?\w{1,10} )?(?:"
    + _QUOTED
    + rb"|(?P<plain>[^\s\"'`,;#<>{}\[\]()][^\s\"'`,;<>]{5,1100}))"
)
_WORDS = re.compile(
    rb"(?P<name>" + _NAME + rb")[ \t]{1,8}(?:" + _QUOTED + rb"|(?P<plain>[^\s\"'`,;#<>=:][^\s\"'`,;<>=:]{5,300}))"
)
_LISTED = re.compile(
    rb"""(?i)["']?(?:name|key)["']?\s{0,8}[:=]\s{0,8}["']?(?P<name>[A-Za-z_][\w.\-]{1,100})["']?\s{0,40},?\s{0,40}"""
    rb"""["']?value["']?\s{0,8}[:=]\s{0,8}(?:"(?P<double>[^"\n]{1,1100})"|'(?P<single>[^'\n]{1,1100})'"""
    rb"""|(?P<plain>[^\s"',;<>{}]{6,300}))"""
)
_DECLARED = re.compile(
    rb"""\bvariable\s{1,8}"(?P<name>[A-Za-z_][\w.\-]{1,100})"\s{0,8}\{[^{}]{0,600}?\bdefault\s{0,20}=\s{0,20}"(?P<double>[^"\n]{1,1100})\""""
)
_ASSIGNED = re.compile(r"([A-Za-z_]\w{1,100})=[\"']?([^\s\"']{6,})[\"']?$")
_MARKUP = re.compile(rb"<(?P<name>" + _NAME + rb")>(?P<plain>[^<>\n]{6,300})</")

_SETTINGS = frozenset(
    "yaml yml json json5 jsonc toml ini cfg conf config properties env envrc tf tfvars hcl nomad xml plist sh bash "
    "zsh ksh fish profile bashrc zshrc npmrc pypirc netrc pgpass dockerfile containerfile service ps1 psm1 bat cmd "
    "mk makefile gradle list cnf my.cnf http rest tfstate pcf reg".split()
)
_BY_WORDS = frozenset(
    "sh bash zsh ksh fish dockerfile containerfile netrc pypirc conf sql bat cmd ps1 yml yaml".split()
)
_CODED = frozenset(
    "kt kts swift scala c cc cpp cxx h hpp m mm dart ex exs erl lua pl pm r groovy clj cljs vue svelte astro sol zig "
    "nim jl fs fsx vb proto graphql sql bicep elm hs ml cr v coffee jenkinsfile tcl cjs".split()
)
_ALSO = (
    (_MARKUP, frozenset({"xml", "config", "plist"})),
    (_DECLARED, frozenset({"tf", "hcl"})),
    (_WORDS, _BY_WORDS),
)


def pairs_in(path: str, data: bytes) -> Iterator[Pair]:
    expressions = _expressions(_kind_of(path))
    if not expressions:
        return
    behind = 0
    for word in _SAYS.finditer(data):
        if word.start() < behind:
            continue
        first = max(data.rfind(b"\n", 0, word.start()) + 1, word.start() - _BEFORE)
        last = data.find(b"\n", word.end(), word.start() + _AFTER)
        last = last if last >= 0 else min(len(data), word.start() + _AFTER)
        behind = last if last - first < _AFTER else word.end()
        if data[first : first + _BEFORE].lstrip().startswith(_COMMENTS):
            continue
        for expression in expressions:
            begin = _word_begin(data, first, word.start()) if expression is _WORDS else first
            yield from _read(expression, data, begin, _to(expression, data, last))


def _word_begin(data: bytes, first: int, place: int) -> int:
    """Where words follow each other, the name is the one that says so."""
    return max(first, data.rfind(b" ", first, place) + 1, data.rfind(b"\t", first, place) + 1)


def _to(expression: re.Pattern[bytes], data: bytes, last: int) -> int:
    """A name and its value in a list stand on two lines, those of a declaration on several."""
    if expression is _DECLARED:
        return min(len(data), last + _AFTER)
    if expression is not _LISTED:
        return last
    following = data.find(b"\n", last + 1, last + _AFTER)
    return following if following >= 0 else min(len(data), last + _AFTER)


def _read(expression: re.Pattern[bytes], data: bytes, first: int, last: int) -> Iterator[Pair]:
    for found in expression.finditer(data, first, last):
        group = next(name for name in ("double", "single", "back", "plain") if found.groupdict().get(name) is not None)
        name, value = found["name"].decode("ascii"), found[group].decode("utf-8", "replace").rstrip("\\,")
        start = found.start(group)
        inner = _ASSIGNED.match(value)
        if inner is not None:  # Environment=TOKEN=...
            start += len(value[: inner.start(2)].encode())
            name, value = inner[1], inner[2]
        yield Pair(name.rpartition(".")[2] or name, value, start, start + len(value.encode()))


def _kind_of(path: str) -> str:
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    if name.startswith((".env", "dockerfile", "containerfile", "makefile", "jenkinsfile")):
        return name.lstrip(".").partition(".")[0]
    return name.rpartition(".")[2]


def _expressions(kind: str) -> tuple[re.Pattern[bytes], ...]:
    if kind not in _SETTINGS:
        return (_CODE,) if kind in _CODED else ()
    return (_SETTING, _LISTED, *(expression for expression, kinds in _ALSO if kind in kinds))
