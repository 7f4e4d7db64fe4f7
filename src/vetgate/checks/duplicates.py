"""The duplicates check: functions that the project has already, written again."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from vetgate.engine.check import Check, Report, Rule
from vetgate.index.reading import UNNAMED
from vetgate.index.similarity import likeness
from vetgate.model import Finding, Severity, Span, Unchecked, UncheckedKind
from vetgate.source.file_kinds import is_generated
from vetgate.source.language import LANGUAGES, language_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vetgate.config.schema import Duplicates
    from vetgate.engine.check import WholeChange
    from vetgate.index.facts import FunctionTokens
    from vetgate.index.view import Like, View
    from vetgate.model import File
    from vetgate.store.index import Twin

    Written = tuple[str, str, bytes]  # path, name, tokens

_RULE = Rule("function", Severity.ERROR, "A function that the project has already, in all but its names.")
# So much the same, under the same name: it may be on its way from one file to another.
_MOVING = 0.97
# So much the same in one file: pasted, and hardly touched.
_PASTED = 0.95
_NOT_CALLED = frozenset({UNNAMED, "__init__", "__new__", "__post_init__", "constructor", "__construct"})
_OF_RUBY = "initialize"
_OUT_OF_TIME = "the time to look for duplicates ran out"


def _duplicates(whole: WholeChange) -> Report:
    """Only functions whose tokens were not there before, anywhere in the change."""
    search = _Search(whole)
    findings: list[Finding] = []
    files = [file for file in whole.change.files if search.written(file)]
    for number, file in enumerate(files):
        told = 0
        for function in search.written(file):
            if whole.deadline.passed():
                return Report(
                    tuple(findings),
                    tuple(Unchecked(each.path, UncheckedKind.UNFINISHED, _OUT_OF_TIME) for each in files[number:]),
                )
            twin = search.twin(file, function) if function.line > told else None
            if twin is not None:
                findings.append(_finding(file.path, function, twin, whole.config.duplicates))
                told = function.end_line
    return Report(tuple(findings))


class _Search:
    def __init__(self, whole: WholeChange) -> None:
        self._view, self._paths, self._limits = whole.view, whole.config.paths, whole.config.duplicates
        self._order = {file.path: number for number, file in enumerate(whole.change.files)}
        self._stood: dict[str, tuple[FunctionTokens, ...]] = {}
        stands: dict[str, tuple[FunctionTokens, ...]] = {}
        for file in whole.change.files:
            self._stood[file.path] = _before(self._view, file)
            if file.after is not None and language_of(file.path):
                stands[file.path] = self._view.read(file.path).functions
        before, after = _counted(self._stood, stands), _counted(stands, self._stood)
        moved = Counter(blind for _, _, blind in (before - after).elements())
        self._new = set()
        for each in sorted(after - before):
            if moved[each[2]]:
                moved[each[2]] -= 1  # it is gone elsewhere: renamed, or moved
            else:
                self._new.add(each)

    def written(self, file: File) -> list[FunctionTokens]:
        """The functions that were not there before, those around others first."""
        if file.after is None or language_of(file.path) is None or is_generated(file.after):
            return []
        functions = (each for each in self._view.read(file.path).functions if each.tokens >= self._limits.tell)
        new = (each for each in functions if (file.path, each.name, each.blind) in self._new)
        return sorted(new, key=lambda each: (each.line, -each.end_line))

    def twin(self, file: File, function: FunctionTokens) -> Like | None:
        """The one that it is most like, of those that hold it back if there are any."""
        alike = self._view.alike(file.path, function, self._limits.similarity)
        found = (like for like in alike if self._counts(file, function, like.twin))
        weight = partial(_blocks, file.path, function, limits=self._limits)
        return max(found, key=lambda like: (weight(like), like.kept, like.blind), default=None)

    def _counts(self, file: File, function: FunctionTokens, twin: Twin) -> bool:
        """None of a test, none that comes later and is told of there, none that it was as much like before."""
        if self._paths.is_test(twin.path) and not self._paths.is_test(file.path):
            return False
        place = (self._order.get(twin.path, -1), twin.line)
        if (twin.path, twin.name, twin.blind) in self._new and place > (self._order[file.path], function.line):
            return False
        earlier = next((each for each in self._stood[file.path] if each.name == function.name), None)
        return earlier is None or not likeness(earlier.blind, twin.blind, self._limits.similarity)


def _counted(
    found: Mapping[str, Sequence[FunctionTokens]], beside: Mapping[str, Sequence[FunctionTokens]]
) -> Counter[Written]:
    """Without what is no less the same object on the other side: of a file, a statement that stayed is read once."""
    counted: Counter[Written] = Counter()
    for path, functions in found.items():
        same = {id(each) for each in beside.get(path, ())}
        counted.update((path, each.name, each.blind) for each in functions if id(each) not in same)
    return counted


def _before(view: View, file: File) -> tuple[FunctionTokens, ...]:
    return view.read_text(file.was or file.path, file.before).functions if file.before is not None else ()


def _finding(path: str, function: FunctionTokens, like: Like, limits: Duplicates) -> Finding:
    twin = like.twin
    blocks = _blocks(path, function, like, limits)
    named = _can_be_called(function.name) and _can_be_called(twin.name)
    share = "put what the two share into one function that both call"
    where = f"{twin.path}:{twin.line}" if twin.path != path else f"line {twin.line}"
    same = like.kept >= _MOVING and twin.name.rpartition(".")[2] == function.name.rpartition(".")[2]
    return Finding(
        check=CHECK.id,
        rule=_RULE.id,
        span=Span(path, function.line, 1, function.end_line),
        message=f"`{function.name}` is {like.blind:.0%} the same as `{twin.name}` ({where}).",
        severity=_RULE.severity if blocks else Severity.WARNING,
        symbol=function.name,
        confidence=round(like.kept, 2),
        evidence=f"{twin.path} {twin.name}",
        fix=f"Call `{twin.name}`, or {share}." if named else f"{share.capitalize()}.",
        later=same,
    )


def _blocks(path: str, function: FunctionTokens, like: Like, limits: Duplicates) -> bool:
    """Whoever writes a variant beside the one it varies has seen it; who copies it into another file may not have."""
    enough = limits.similarity if like.twin.path != path else max(limits.similarity, _PASTED)
    called = _can_be_called(function.name) and _can_be_called(like.twin.name)
    return called and function.tokens >= limits.block and like.kept >= enough


def _can_be_called(name: str) -> bool:
    """What has no name nobody could have called instead, nor what makes an object."""
    *around, last = name.split(".")
    return last not in _NOT_CALLED and last not in around[-1:] and not (around and last == _OF_RUBY)


CHECK = Check(
    id="duplicates",
    summary="Functions that the project has already, written again.",
    details=(
        "functions that the project has already, in all but their names, with where the twin stands "
        "([measured](docs/measured/index.md))"
    ),
    rules=(_RULE,),
    languages=LANGUAGES,
    on_whole_change=_duplicates,
    rank=80,
)
