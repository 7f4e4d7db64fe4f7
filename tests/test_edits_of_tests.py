"""A hundred edits in nine languages: weakened and silenced, or reworked, split, moved, rewritten for another library.

Each line of the data says what is said of it: it blocks, it is told, or nothing is.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from changes import judged
from vetgate.checks import all_checks
from vetgate.model import File

EDITS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data/edits-of-tests.jsonl").read_text(encoding="utf-8").splitlines()
]
# What the tests speak of is still in use elsewhere, so that nothing of it went with its subject.
AROUND = {"src/cart.py": "Cart total price Total twice Twice f valid"}


@pytest.mark.parametrize("edit", EDITS, ids=[edit["name"] for edit in EDITS])
def test_an_edit_is_taken_for_what_it_is(edit):
    files = (File(*each) for each in edit["files"])
    assert judged(all_checks()[edit["check"]], *files, around=AROUND)[0] == edit["said"]
