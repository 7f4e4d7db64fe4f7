"""Names and values in files that no grammar reads: settings, shell, containers, and code of other languages.

Only around a word that may name a secret, and only as far as a line reaches: the time it takes grows with the number of
such words and no faster.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.checks.secrets.match import Pair
from vetgate.checks.secrets.names import own_part

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAYS = re.compile(
    rb"(?i)passw|passphrase|passcode|pwd|_pass\b|\.pass\b|secret|token|key|credential|\bauth|_auth|bearer|\bpat\b|_pat\b|dsn|salt|psk\b|jwt|creds\b"
)
_COMMENT = re.compile(rb"[ \t]*(?:#(?!define)|;|//)")
_NO_COMMENT = {"npmrc": b"//"}
# Of a long line so much is read at once; what stands in its last part is read again with what follows.
_BEFORE, _AFTER, _AGAIN = 160, 4_000, 1_300
_DEEPEST = 2
# Possessive, and never begun inside of another name: however long a row of letters is, it is read once.
_LETTERS = rb"[A-Za-z_][A-Za-z0-9_.\-]{1,100}+"
_FIRST = rb"(?<![A-Za-z0-9_.\-])[0-9.\-]{0,100}+"
_NAME = _FIRST + rb"(?P<name>" + _LETTERS + rb")"
_QUOTED = rb"""\\?(?:"(?P<double>[^"\n]{1,1100}+)"|'(?P<single>[^'\n]{1,1100}+)'|`(?P<back>[^`\n]{1,1100}+)`)"""
_JOINT = rb"""[\\"'\]]{0,3}\s{0,20}(?::{1,3}=|=>|==|[?+.]=|\?\?=|\|\|=|[:=])\s{0,20}"""
_TYPED = rb"(?::[ \t]{0,4}[A-Za-z][\w.<>?]{0,40}[ \t]{0,4}=[ \t]{0,4})"
_CODE = re.compile(_NAME + rb"(?:" + _TYPED + rb"|" + _JOINT + rb")(?:[A-Za-z@]{0,2})?" + _QUOTED)
# `#define API_KEY "..."`, `(def api-key "...")`, `storePassword "..."`
_CALLED = re.compile(
    _FIRST + rb"(?:set_?|with_?|use_?)?(?P<name>" + _LETTERS + rb")\([ \t]{0,4}@?" + _QUOTED + rb"[ \t]{0,4}\)"
)
# `setProperty("api.key", "...")`, `env("API_KEY", "...")`
_GIVEN = re.compile(
    rb"""[\w$]\([ \t]{0,4}["']""" + rb"(?P<name>" + _LETTERS + rb""")["'][ \t]{0,4},[ \t]{0,4}@?""" + _QUOTED
)
# `api_token,...` in tables of comma- or tab-separated values
_ROW = re.compile(_NAME + rb"""[ \t]{0,4}[,;\t|][ \t]{0,4}(?:""" + _QUOTED + rb"|(?P<plain>[^\s\"'`,;|<>]{8,300}))")
_NEXT = re.compile(_NAME + rb"[ \t]{1,20}" + _QUOTED)
_SETTING = re.compile(
    _NAME + _JOINT + rb"(?:!!?\w{1,10} )?(?:" + _QUOTED + rb"|(?P<plain>[^\s\"'`,;#<>{}\[\]()][^\s\"'`,;<>]{5,1100}))"
)
_WORDS = re.compile(_NAME + rb"[ \t]{1,8}(?:" + _QUOTED + rb"|(?P<plain>[^\s\"'`,;#<>=:][^\s\"'`,;<>=:]{5,300}))")
_LISTED = re.compile(
    rb"""(?i)["']?(?:name|key)["']?\s{0,8}[:=]\s{0,8}["']?(?P<name>[A-Za-z_][\w.\-]{1,100})["']?\s{0,40},?\s{0,40}"""
    rb"""["']?value["']?\s{0,8}[:=]\s{0,8}(?:"(?P<double>[^"\n]{1,1100})"|'(?P<single>[^'\n]{1,1100})'"""
    rb"""|(?P<plain>[^\s"',;<>{}]{6,300}))"""
)
_DECLARED = re.compile(
    rb"""\bvariable\s{1,8}"(?P<name>[A-Za-z_][\w.\-]{1,100})"\s{0,8}\{[^{}]{0,600}?\bdefault\s{0,20}=\s{0,20}"(?P<double>[^"\n]{1,1100})\""""
)
_HOLDS_PAIR = re.compile(r"[\w\"'][=:]")
_MARKUP = re.compile(
    rb"""<(?:(?P<name>[A-Za-z_][\w.\-]{1,100})|\w{1,40} name="(?P<called>[A-Za-z_][\w.\-]{1,100})"[^<>\n]{0,100})>"""
    rb"""(?P<plain>[^<>\n]{6,300})</"""
)
_MARKUP_LINES = re.compile(
    rb"<(?P<name>[A-Za-z_][\w.\-]{1,100})>[ \t]{0,8}\r?\n[ \t]{0,80}"
    rb"(?P<plain>[^<>\s]{6,300})[ \t]{0,8}\r?\n[ \t]{0,80}</"
)
_KEYED = re.compile(rb"<key>(?P<name>" + _LETTERS + rb")</key>\s{0,40}<string>(?P<plain>[^<>\n]{6,300})</")
_BLOCK = re.compile(
    _NAME + rb":[ \t]{0,8}[|>][-+]?[ \t]{0,8}\r?\n[ \t]{1,80}(?P<plain>[^\s\"'`,;<>{}]{6,1100})[ \t]{0,8}\r?$",
    re.MULTILINE,
)
_SECTION = re.compile(
    rb"""(?i)"(?P<section>jwt)\w{0,20}"\s{0,8}:\s{0,8}\{[^{}]{0,400}?"(?P<name>\w{0,20}(?:key|secret))"\s{0,8}:\s{0,8}"(?P<double>[^"\n]{1,1100})\""""
)

_BY_NAME = "settings"
_SETTINGS = frozenset(
    "yaml yml json json5 jsonc toml ini cfg conf config properties env envrc tf tfvars hcl nomad xml plist sh bash "
    "zsh ksh fish profile bashrc zshrc npmrc pypirc netrc pgpass dockerfile containerfile service ps1 psm1 bat cmd "
    "mk makefile gradle list cnf my.cnf http rest tfstate pcf reg ipynb renviron crontab hosts inventory".split()
) | {_BY_NAME}
_BY_WORDS = frozenset(
    "sh bash zsh ksh fish dockerfile containerfile netrc pypirc conf sql bat cmd ps1 yml yaml".split()
)
_TABLES = frozenset("csv tsv".split())
_BY_SIDE = frozenset("c cc cpp cxx h hpp m mm ino clj cljs groovy".split())
_ALSO = (
    (_MARKUP, frozenset({"xml", "config", "plist"})),
    (_NEXT, frozenset({"gradle"})),
    (_WORDS, _BY_WORDS),
)
# A name and its value on two lines or more: read once over all of the text, where the word stands in it.
_OVER_LINES = (
    (_LISTED, b"alue", _SETTINGS),
    (_MARKUP_LINES, b"</", frozenset({"xml", "config", "plist", "html"})),
    (_KEYED, b"<key>", frozenset({"plist"})),
    (_DECLARED, b"variable", frozenset({"tf", "hcl"})),
    (_BLOCK, b":", frozenset({"yml", "yaml"})),
    (_SECTION, b"", frozenset({"json", "jsonc"})),
)


def pairs_in(path: str, data: bytes) -> Iterator[Pair]:
    """Each place once, though parts of a long line are read twice."""
    seen: set[tuple[int, str]] = set()
    for pair in _all_pairs(kind_of(path), data):
        if (pair.start, pair.name) not in seen:
            seen.add((pair.start, pair.name))
            yield pair


def _all_pairs(kind: str, data: bytes) -> Iterator[Pair]:
    yield from _in_lines(kind, data, _expressions(kind))
    for expression, word, kinds in _OVER_LINES:
        for found in expression.finditer(data) if kind in kinds and word in data else ():
            pair = _pair(found)
            if _SAYS.search(pair.name.encode("ascii")) and not _is_comment(kind, _line_to(data, found.start("name"))):
                yield pair


def _in_lines(kind: str, data: bytes, expressions: tuple[re.Pattern[bytes], ...]) -> Iterator[Pair]:
    behind = 0
    for word in _SAYS.finditer(data):
        if word.start() < behind:
            continue
        first = max(data.rfind(b"\n", 0, word.start()) + 1, word.start() - _BEFORE)
        last = data.find(b"\n", word.end(), word.start() + _AFTER)
        last = last if last >= 0 else min(len(data), word.start() + _AFTER)
        behind = last if last - first < _AFTER else max(word.end(), last - _AGAIN)
        if kind and _is_comment(kind, data[first : first + _BEFORE]):
            continue
        for expression in expressions:
            begin = _word_begin(data, first, word.start()) if expression is _WORDS else first
            yield from _read(expression, data, begin, last)


def _line_to(data: bytes, place: int) -> bytes:
    return data[max(data.rfind(b"\n", 0, place) + 1, place - _BEFORE) : place]


def _is_comment(kind: str, line: bytes) -> bool:
    found = _COMMENT.match(line)
    return found is not None and found[0].lstrip() != _NO_COMMENT.get(kind)


def _word_begin(data: bytes, first: int, place: int) -> int:
    """Where words follow each other, the name is the one that says so."""
    return max(first, data.rfind(b" ", first, place) + 1, data.rfind(b"\t", first, place) + 1)


def _read(expression: re.Pattern[bytes], data: bytes, first: int, last: int) -> Iterator[Pair]:
    found, deep = expression.search(data, first, last), 0
    while found is not None:
        pair = _pair(found)
        yield pair
        # What is assigned may be another name and its value: Environment=TOKEN=..., '{"auth": "..."}'.
        again = deep < _DEEPEST and (found.lastgroup == "plain" or bool(_HOLDS_PAIR.search(pair.value)))
        deep = deep + 1 if again else 0
        found = expression.search(data, pair.start if again else found.end(), last)


def _pair(found: re.Match[bytes]) -> Pair:
    parts = _groups(found)
    group = next(name for name in ("double", "single", "back", "plain") if name in parts)
    name = b"_".join(parts[part] for part in ("section", "name", "called") if part in parts).decode("ascii")
    value = parts[group].decode("utf-8", "replace").rstrip("\\,")
    start = found.start(group)
    return Pair(own_part(name), value, start, start + len(value.encode("utf-8", "replace")))


def _groups(found: re.Match[bytes]) -> dict[str, bytes]:
    return {name: text for name, text in found.groupdict().items() if text is not None}


def kind_of(path: str) -> str:
    """By its ending; settings where it has none, as `.edgerc` and `credentials`."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    if name.startswith((".env", "dockerfile", "containerfile", "makefile", "jenkinsfile")):
        return name.lstrip(".").partition(".")[0]
    kind = name.rpartition(".")[2]
    has_ending = "." in name.lstrip(".")
    return kind if has_ending or kind in _SETTINGS else _BY_NAME


def _expressions(kind: str) -> tuple[re.Pattern[bytes], ...]:
    if kind in _SETTINGS:
        return (_SETTING, *(expression for expression, kinds in _ALSO if kind in kinds))
    if kind in _TABLES:
        return (_SETTING, _ROW)
    return (_CODE, _CALLED, _GIVEN, _NEXT) if kind in _BY_SIDE else (_CODE, _CALLED, _GIVEN)


# `API key: ...`, `**Access token** = ...` and `| Secret key | ... |`, as people write it down.
_NOTED_VALUE = rb"[ \t*_`\"']{0,8}[:=|][ \t*_`\"']{0,8}(?P<plain>[^\s\"'`,;#<>{}\[\]()*|]{8,300})"
_NOTED = re.compile(
    rb"(?i)(?<![A-Za-z0-9_.\-])(?P<name>[A-Za-z][A-Za-z0-9]{1,20}[ ](?:api[ ]|access[ ]|secret[ ]|auth[ ])?"
    rb"(?:key|token|secret|password)(?:[ ][0-9])?)" + _NOTED_VALUE
)
_CELL = re.compile(_NAME + rb"[ \t*`]{0,20}\|[ \t*`]{0,20}(?P<plain>[^\s\"'`,;#<>{}\[\]()*|]{8,300})")
_IN_NOTES = (_NOTED, _SETTING, _GIVEN)


def pairs_in_prose(path: str, data: bytes) -> Iterator[Pair]:
    expressions = (*_IN_NOTES, _ROW if kind_of(path) in _TABLES else _CELL)
    seen: set[int] = set()
    for pair in _in_lines("", data, expressions):
        if pair.start not in seen:
            seen.add(pair.start)
            yield replace(pair, aside=True)


_COMMENTED = re.compile(rb"(?m)(?:^[ \t]{0,80}(?:#|//|/?\*|--|;|<!--)|[ \t](?:#|//)[ \t])(?P<line>[^\n]{10,600})")


def comments_in(data: bytes) -> Iterator[re.Match[bytes]]:
    """The comments that may name a secret, by how a line looks: inside of a text one is read for nothing, no more."""
    return (found for found in _COMMENTED.finditer(data) if _SAYS.search(found["line"]))


def pairs_in_comments(data: bytes) -> Iterator[Pair]:
    """What was commented out is in the history all the same."""
    for found in comments_in(data):
        for pair in _read(_SETTING, data, found.start("line"), found.end("line")):
            yield replace(pair, aside=True)
