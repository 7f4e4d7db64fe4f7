"""Texts made to be slow, or to be full of secrets: what is in them is found, and what nobody looked at is told."""

from __future__ import annotations

import random

import pytest

from secret_samples import chance, made_from
from vetgate.checks.secrets import CHECK
from vetgate.checks.secrets.linear import hits, re2
from vetgate.checks.secrets.redaction import word_redactor
from vetgate.checks.secrets.scan import OUT_OF_TIME, ScanOptions, scan, scan_text
from vetgate.checks.secrets.token_kinds import by_start
from vetgate.checks.secrets.tokens import _begins, tokens
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check
from vetgate.model import UncheckedKind
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Positions, Source

KEY = "AK" + made_from("IA[A-Z2-7]{16}", 1)
SIZE = 50_000
UNITS = {
    "the beginning of a token": "sk-",
    "the beginning of a longer one": "sk-ant-",
    "the beginning of a JSON Web Token": "eyJ-",
    "names and values": '"api_key":"changeme1",',
    "names with colons": "api_key:",
    "words that say secret": "key",
    "addresses of databases": "jdbc:",
    "queries of databases": "jdbc:mysql://a?password=abc ",
    "settings of a cache": "cache:6380,password=secret,",
    "quotes": '"',
    "equals signs": "=",
    "colons": ":",
    "the beginning of an encoded key": "LS0tLS1CRUdJTi",
    "commands": "curl ",
    "options of commands": "mysql -psecret ",
    "lines with a word": "token: \n",
}


def report(path: str, text: str):
    return run_check(CHECK, Source(path, text, language_of(path)), defaults(), Deadline.never())


@pytest.mark.parametrize("path", ["package.json", "a.yaml", "a.tf", "a.txt"])
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_a_key_behind_a_long_row_of_the_same_is_found(unit, path):
    row = (unit * SIZE)[:SIZE]
    found = report(path, f"{row}\n{KEY}\n")
    assert [finding.rule for finding in found.findings] == ["vendor-token"]
    assert not found.unchecked


def test_a_text_full_of_secrets_is_told_to_have_been_left():
    text = "\n".join(KEY[:-4] + f"{number:04}".translate(str.maketrans("0189", "ABCD")) for number in range(2_000))
    found = report("a.txt", text)
    assert len(found.findings) > 500
    (left,) = found.unchecked
    assert "so many secrets" in left.reason
    assert left.kind is UncheckedKind.OTHER


def test_what_time_did_not_suffice_for_is_told():
    assert scan("a.env", f"API_KEY={KEY}\n", ScanOptions(), Deadline(0.0)).unread == OUT_OF_TIME
    assert scan("a.env", "COLOUR=blue\n", ScanOptions(), Deadline(0.0)).unread == ""


def test_many_literals_of_one_file_are_all_judged():
    text = "\n".join(f'a{number} = "just a text of {number}x"' for number in range(15_000))
    text = text.replace("just a text of ", "just-a-text-of-") + '\napi_key = "' + chance(24) + '"\n'
    assert [finding.symbol for finding in report("a.py", text).findings] == ["api_key"]


@pytest.mark.skipif(re2() is None, reason="there is nothing to compare with")
@pytest.mark.parametrize("seed", range(20))
def test_both_engines_see_the_same_places_however_close_together(seed):
    dice = random.Random(seed)
    starts = [start.decode() for start in by_start()]
    between = ("-", " ", "x" * dice.randint(1, 40), "\\n", "")
    data = "".join(dice.choice(starts) + dice.choice(between) for _ in range(3_000)).encode()
    own = _begins(None)
    assert list(hits(own, _begins(re2()), data)) == [found.span() for found in own.finditer(data)]
    assert [match.start for match in tokens(data)] == [match.start for match in tokens(data, None)]


def test_no_word_of_very_many_secrets_is_said():
    values = [f"q7Xv9Lm2Rt5{number:05}" for number in range(500)]
    text = "\n".join(f"API_KEY_{number}={value}" for number, value in enumerate(values))
    hide = word_redactor(Source(".env", text, None))
    assert [value for value in values if value in hide(f"it is {value}, is it not?")] == []


def test_of_secrets_that_overlap_the_surest_is_told():
    found = scan_text(".env", f"AWS_SECRET=x,{KEY}\nAPI_TOKEN={KEY}\n")
    assert [match.rule for match in found] == ["vendor-token", "vendor-token"]


def test_places_are_the_same_in_any_order():
    data = "aä\nbc\n\nd€f".encode()
    offsets = (0, 3, 4, 6, 8, 9, 12)
    expected = [Positions(data).at(offset) for offset in offsets]
    assert expected == [(1, 1), (1, 3), (2, 1), (2, 3), (4, 1), (4, 2), (4, 3)]
    places = Positions(data)
    assert [places.at(offset) for offset in reversed(offsets)] == expected[::-1]
