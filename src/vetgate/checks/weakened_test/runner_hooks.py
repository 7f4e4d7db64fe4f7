"""Hooks of a test runner that let every test pass, or none run: what pytest does, rewritten in a conftest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.expression import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from vetgate.source.syntax import Source


class RunnerHook(NamedTuple):
    line: int
    hook: str
    does: str


_FILES = expression(r"(?:^|/)(?:conftest|[\w]*plugin\w*)\.py$")
_HOOK = expression(r"(?m)^[ \t]*(?:async )?def (pytest_\w+)\([^\n]*\n(?P<body>(?:[ \t]+\S[^\n]*\n?|[ \t]*\n)+)")
_DEEDS: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...] = (
    (
        expression(r"pytest_(?:collection|itemcollected|pycollect)\w*"),
        expression(r"items\[:\]\s*=\s*\[\s*\]|items\.clear\(|del items\[:\]"),
        "no test that was collected runs",
    ),
    (
        expression(r"pytest_collection\w*"),
        expression(r"for (\w+) in items:\s*\n\s+\1\.add_marker\([^\n]*mark\.(?:xfail|skip)\b"),
        "every test is skipped or may fail",
    ),
    (
        expression(r"pytest_runtest\w*|pytest_report\w*"),
        expression(r"\.outcome\s*=\s*[\"'](?:passed|skipped)[\"']"),
        "a failed test is reported as another result",
    ),
    (
        expression(r"pytest_(?:sessionfinish|unconfigure|terminal_summary)"),
        expression(r"exitstatus\s*=\s*(?:0|(?:pytest\.)?ExitCode\.OK)\b|os\._exit\(\s*0?\s*\)|sys\.exit\(\s*0?\s*\)"),
        "the run ends as if it had passed",
    ),
    (
        expression(r"pytest_(?:pyfunc_call|runtest_protocol|runtest_call)"),
        expression(r"\A\s*(?:#[^\n]*\s*|pass\s*)*return True\b"),
        "no test is called",
    ),
)


def runner_hooks(source: Source) -> Iterator[RunnerHook]:
    if not _FILES.search(source.path) or "def pytest_" not in source.text:
        return
    for hook in _HOOK.finditer(source.text):
        for names, deed, does in _DEEDS:
            found = deed.search(hook["body"]) if names.fullmatch(hook[1]) else None
            if found:
                line = source.text.count("\n", 0, hook.start("body") + found.start()) + 1
                yield RunnerHook(line, hook[1], does)
