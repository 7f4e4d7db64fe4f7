"""The bench of commits: which of the patches that a distribution puts on are commits of the project itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))

import commit_sources as bench

ID = "8341b68d4e3dc0a1b2c3d4e5f60718293a4b5c6d"
FORMATTED = f"From {ID} Mon Sep 17 00:00:00 2001\nFrom: Ann <ann@example.org>\nSubject: [PATCH] Fix it\n---\n"
DIFF = "--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-a\n+b\n"
COMMITS = {
    "written by git": FORMATTED,
    "an origin with an address": f"Description: Fix it\nOrigin: upstream, https://example.org/app/commit/{ID[:9]}\n",
    "taken over by a packager": f"From: Bo <bo@debian.org>\nOrigin: backport, https://example.org/commit/{ID}\n",
    "picked": f"Subject: Fix it\n\n(cherry picked from commit {ID})\n",
}
OWN = {
    "no commit is named": "From: Ann <ann@example.org>\nSubject: Fix it\n",
    "not to be forwarded": f"{FORMATTED}Forwarded: not-needed\n",
    "a packager's own commit": FORMATTED.replace("ann@example.org", "ann@debian.org"),
    "the name of a commit in the change itself": f"Subject: Fix it\n{DIFF}+commit {ID}\n",
}


@pytest.mark.parametrize("header", COMMITS.values(), ids=COMMITS)
def test_a_patch_that_is_a_commit(header):
    assert bench.is_upstream(header + DIFF)


@pytest.mark.parametrize("header", OWN.values(), ids=OWN)
def test_a_patch_that_is_none(header):
    assert not bench.is_upstream(header + DIFF)


def test_what_a_patch_is_called():
    assert bench.subject(FORMATTED + DIFF) == "Fix it"
    assert bench.subject(DIFF) == "-"
