"""Editing JSON text: what is not ours stays byte for byte."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetgate.agents import json_text
from vetgate.agents.json_text import MalformedError, line_of, parse

MALFORMED = {
    "a line comment": ('{\n  // why\n  "a": 1\n}', 2, "a comment"),
    "a block comment": ('{"a": /* x */ 1}', 1, "a comment"),
    "a hash comment": ("{}\n# x\n", 2, "a comment"),
    "a comma before a brace": ('{"a": 1,\n}', 1, "a comma before the closing }"),
    "a comma before a bracket": ("[1,]", 1, "a comma before the closing ]"),
    "a missing comma": ('{"a": 1\n"b": 2}', 2, "where ',' or '}' should be"),
    "a missing colon": ('{"a" 1}', 1, "where ':' should be"),
    "a key twice": ('{"a": 1,\n\n"a": 2}', 3, 'the key "a" appears twice'),
    "a key twice, one escaped": ('{"a": 1, "\\u0061": 2}', 1, "appears twice"),
    "a key without quotes": ("{a: 1}", 1, "a key in"),
    "single quotes": ("{'a': 1}", 1, "a key in"),
    "two values": ("{} {}", 1, "the end of the file"),
    "a file that stops": ('{"a": [1', 1, "the file ends where"),
    "a string that stops": ('{"a": "b}', 1, "a string that does not end"),
    "a raw newline in a string": ('{"a": "b\n"}', 1, "a string that does not end"),
    "a number that is none": ('{"a": NaN}', 1, "where a value should be"),
    "a leading zero": ('{"a": 01}', 1, "where ',' or '}' should be"),
    "nothing": ("", 1, "the file ends where a value should be"),
    "nesting without end": ("[" * 5000, 1, "nested deeper than"),
}


@pytest.mark.parametrize(("text", "line", "why"), MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_text_is_refused_with_its_line(text, line, why):
    with pytest.raises(MalformedError) as caught:
        parse(text)
    assert caught.value.line == line
    assert why in caught.value.why


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_reads_what_the_standard_reader_reads(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse(text).value == value


@given(st.dictionaries(st.text(), JSON, max_size=4), st.sampled_from([None, 1, 2, 4, "\t"]), JSON)
def test_inserting_and_removing_a_member_gives_back_every_byte(value, indent, added):
    value.pop("new", None)
    text = json.dumps(value, indent=indent)
    grown = json_text.insert_member(text, parse(text), "new", added)
    assert parse(grown).value == {**value, "new": added}
    assert json_text.remove_part(grown, parse(grown), len(value)) == text


@given(st.lists(JSON, min_size=1, max_size=4), st.sampled_from([None, 2]), st.data())
def test_removing_an_item_leaves_the_others(value, indent, data):
    index = data.draw(st.integers(0, len(value) - 1))
    text = json.dumps(value, indent=indent)
    assert parse(json_text.remove_part(text, parse(text), index)).value == value[:index] + value[index + 1 :]


def test_a_new_member_takes_the_indentation_around_it():
    text = '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n'
    grown = json_text.insert_member(text, parse(text).get("a"), "c", [1])
    assert grown == '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": [\n\t\t\t1\n\t\t]\n\t}\n}\n'


def test_windows_line_ends_stay():
    text = '{\r\n    "a": 1\r\n}\r\n'
    grown = json_text.insert_member(text, parse(text), "b", {"c": 1})
    assert grown == '{\r\n    "a": 1,\r\n    "b": {\r\n        "c": 1\r\n    }\r\n}\r\n'


def test_a_file_on_one_line_stays_on_one_line():
    text = '{"a": 1}'
    assert json_text.insert_member(text, parse(text), "b", {"c": [1]}) == '{"a": 1, "b": {"c": [1]}}'


def test_an_inline_list_in_an_indented_file_stays_inline():
    text = '{\n  "o": {\n    "a": [1, 2]\n  }\n}'
    grown = json_text.append_at(text, "o", "a", {"b": 1})
    assert grown == '{\n  "o": {\n    "a": [1, 2, {"b": 1}]\n  }\n}'


def test_a_value_knows_its_line():
    text = '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}'
    assert line_of(text, parse(text).get("b").items[0]) == 4
