"""The samples that the secrets check is measured on: as many and of as many kinds as the measure claims."""

from __future__ import annotations

import base64
import re
import sys
import zlib
from pathlib import Path
from random import Random

import pytest

BENCH = Path(__file__).parent.parent / "bench"
sys.path.append(str(BENCH))

from secrets_corpus import CORPUS, samples  # noqa: E402 - the benchmarks are programs, not a package
from secrets_makers import BASE62  # noqa: E402
from secrets_packages import masked  # noqa: E402
from secrets_shapes import ShapeError, value_of  # noqa: E402


@pytest.mark.parametrize(
    ("shape", "pattern"),
    [
        pytest.param("AKIA[A-Z2-7]{16}", r"AKIA[A-Z2-7]{16}", id="a class, repeated"),
        pytest.param("a?[x-z]{2,4}", r"a?[x-z]{2,4}", id="a range of repetitions"),
        pytest.param("(eu|us)-1", r"(eu|us)-1", id="alternatives"),
        pytest.param(r"SG\.[\w-]{5}\?", r"SG\.[\w-]{5}\?", id="escapes"),
        pytest.param("<uuid>", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", id="a maker"),
        pytest.param("<as:AB|CD>", r"ABCD", id="a text in pieces"),
    ],
)
def test_a_value_has_the_shape_it_was_made_from(shape, pattern):
    assert all(re.fullmatch(pattern, value_of(shape, Random(seed))) for seed in range(20))


def test_an_encoded_value_decodes_to_its_shape():
    assert re.fullmatch(r"key-[0-9]{4}", base64.b64decode(value_of("<encoded:key-[0-9]{4}>", Random(1))).decode())


def test_a_checksum_is_that_of_the_body():
    token = value_of("<crc62:30>", Random(1))
    rest = 0
    for character in token[30:]:
        rest = rest * 62 + BASE62.index(character)
    assert (len(token), rest) == (36, zlib.crc32(token[:30].encode()))


@pytest.mark.parametrize("shape", ["<nothing>", "[ab", "(a|b)|c\\"])
def test_a_shape_that_cannot_be_read_is_refused(shape):
    with pytest.raises(ShapeError):
        value_of(shape, Random(1))


def test_there_are_as_many_samples_as_the_measure_needs():
    every = samples()
    formats = {(each.area, each.kind) for each in every if each.together and each.area != "generic"}
    lookalikes = [each for each in every if not each.secret]
    assert len(formats) >= 170
    assert len({each.text for each in lookalikes}) >= 400
    assert len({each.kind for each in lookalikes}) >= 40
    assert 0.4 < sum(each.held_out for each in every) / len(every) < 0.6


def test_only_look_alikes_are_without_a_line():
    assert {each.secret for each in samples() if each.area != "look-alikes"} == {True}
    assert {each.secret for each in samples() if each.area == "look-alikes"} == {False}


def test_the_same_samples_come_every_time():
    assert samples() == samples()


def test_every_file_is_filled_in():
    left = re.compile(r"<<[!<]|\$(VALUE|INDENTED|UPPER_CASE|snake_case|camelCase|PascalCase|kebab-case)")
    assert [each.title for each in samples() if left.search(each.text + each.path)] == []


def test_nothing_committed_looks_like_a_key():
    committed = "\n".join(path.read_text(encoding="utf-8") for path in CORPUS.rglob("*") if path.is_file())
    marks = r"AKIA[0-9A-Z]{16}|gh[opsur]_[A-Za-z0-9]{36}|sk_live_[A-Za-z0-9]{24}|xox[bp]-[0-9]{10,}|AIza[\w-]{35}"
    assert set(re.findall(marks, committed)) <= {f"ghp_{'x' * 36}", "AKIA" + "FAKE" * 4}


def test_a_finding_is_shown_without_its_secret():
    assert masked('token = "aB3dE5fG7hJ9kL1m"') == 'token = "aB3d…"'
