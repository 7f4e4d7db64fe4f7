"""Which tests of a file are new, or other than they were: by their own text, whatever moved around them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PYTHON = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$")
_SCRIPT = re.compile(r"(?:^|/)(?:[^/]+\.(?:test|spec)\.[cm]?[jt]sx?|__tests__/.+\.[cm]?[jt]sx?)$")
# What a test stands on beside its file: settings of its runner and shared fixtures.
_SUPPORT = re.compile(
    r"(?:^|/)(?:conftest\.py|pytest\.ini|(?:jest|vitest)(?:\.[\w-]+)?\.(?:config|setup)\.\w+"
    r"|(?:tests?|spec|__tests__|__mocks__|__fixtures__|__snapshots__|fixtures)/.+)$"
)
_CALL = re.compile(
    r"(?<![\w.$])(?P<call>(?:it|test)(?:\.(?:only|concurrent|each|for|sequential|fails))*)\s*(?=[(`])", re.MULTILINE
)
_TITLE = re.compile(r"\s*(?P<quote>[\"'`])(?P<title>(?:\\.|(?!(?P=quote)).)*)(?P=quote)", re.DOTALL)
_PLACEHOLDER = re.compile(r"%[sdifjoOp#$%]|\$\{[^}]*\}|\$[\w.]+")
_CLOSES = {"(": ")", "[": "]", "{": "}"}


class ChangedTest(NamedTuple):
    """One test: `name` as its runner has it, without the file; `pattern` fits the names of a test with parameters.

    `text` is all of it but the name.
    """

    path: str
    name: str
    line: int
    text: str
    pattern: str = ""

    def is_named(self, name: str) -> bool:
        return bool(re.fullmatch(self.pattern, name)) if self.pattern else name == self.name


def is_python_test(path: str) -> bool:
    return bool(_PYTHON.search(path))


def is_script_test(path: str) -> bool:
    return bool(_SCRIPT.search(path))


def is_support(path: str) -> bool:
    """Whether it belongs to the tests, and so comes with them."""
    return is_python_test(path) or is_script_test(path) or bool(_SUPPORT.search(path))


def changed_tests(files: Mapping[str, tuple[str | None, str | None]]) -> tuple[ChangedTest, ...]:
    """Of files before and after: those that no test of the file was like, and none that has gone from where it was."""
    before = [case for path, (text, _) in files.items() for case in _tests(path, text)]
    after = [case for path, (_, text) in files.items() for case in _tests(path, text)]
    known, still = {_identity(case) for case in before}, {_identity(case) for case in after}
    # A test that was renamed, or moved to another file, is the same test.
    gone = Counter(case.text for case in before if _identity(case) not in still)
    found = []
    for case in after:
        if _identity(case) in known:
            continue
        if gone[case.text]:
            gone[case.text] -= 1
        else:
            found.append(case)
    return tuple(found)


def _identity(case: ChangedTest) -> tuple[str, str, str]:
    return case.path, case.name, case.text


def _tests(path: str, text: str | None) -> Iterator[ChangedTest]:
    return (_python if is_python_test(path) else _scripts)(path, text or "")


def _python(path: str, text: str) -> Iterator[ChangedTest]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    yield from _cases(path, tree.body, ())


def _cases(path: str, body: list[ast.stmt], within: tuple[str, ...]) -> Iterator[ChangedTest]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _cases(path, node.body, (*within, node.name))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            name = "::".join((*within, node.name))
            node.name = ""
            yield ChangedTest(path, name, node.lineno, ast.dump(node), rf"{re.escape(name)}(?:\[.*\])?")


def _scripts(path: str, text: str) -> Iterator[ChangedTest]:
    for match in _CALL.finditer(text):
        at = match.end()
        end = _end(text, at)
        start = at
        if ".each" in match["call"] or ".for" in match["call"]:  # the table comes first, the test is what is called
            start = end
            end = _end(text, start)
        title = _TITLE.match(text, start + 1) if text[start : start + 1] == "(" else None
        if title is None:
            continue
        name = re.sub(r"\\(.)", r"\1", title["title"])
        parts = [re.escape(part) for part in _PLACEHOLDER.split(name)]
        line = text.count("\n", 0, match.start()) + 1
        body = " ".join(f"{text[match.start() : title.start('quote')]}{text[title.end() : end]}".split())
        yield ChangedTest(path, name, line, body, ".*".join(parts))


def _end(text: str, start: int) -> int:
    """After what closes the bracket or the template at this place; strings and comments are passed over."""
    if text[start : start + 1] == "`":
        return _after_string(text, start)
    pending: list[str] = []
    at = start
    while at < len(text):
        after = _after_text(text, at)
        sign = text[at] if after == at else ""
        at = max(after, at + 1)
        if sign in _CLOSES:
            pending.append(_CLOSES[sign])
        elif pending and sign == pending[-1]:
            pending.pop()
            if not pending:
                return at
    return len(text)


def _after_text(text: str, at: int) -> int:
    """Behind the string or comment that begins here; the same place where none does."""
    if text[at] in "\"'`":
        return _after_string(text, at)
    for begin, end in (("//", "\n"), ("/*", "*/")):
        if text.startswith(begin, at):
            found = text.find(end, at + 2)
            return len(text) if found < 0 else found + len(end)
    return at


def _after_string(text: str, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at] != text[start]:
        at += 2 if text[at] == "\\" else 1
    return at + 1
