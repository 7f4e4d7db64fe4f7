"""The duplicates check: functions that the project has already, written again."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from vetgate.config.options import LESS, Option
from vetgate.config.value_shapes import Share, Whole
from vetgate.engine.check import Check, Report, Rule
from vetgate.index.reading import UNNAMED
from vetgate.index.similarity import likeness
from vetgate.model import Finding, Span, Unchecked, UncheckedKind
from vetgate.severity import Severity
from vetgate.source.language import LANGUAGES, is_generated, language_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vetgate.config.schema import Config
    from vetgate.engine.check import WholeChange
    from vetgate.index.facts import FunctionTokens
    from vetgate.index.view import Like, View
    from vetgate.model import File
    from vetgate.store import Twin

    Written = tuple[str, str, bytes]  # path, name, tokens

SIMILARITY = Option(
    "duplicates.similarity", Share(0.5, 1), 0.85, "How similar two functions must be: 0.85 for 85 %.", LESS
)
TELL = Option(
    "duplicates.tell", Whole(50, 10_000), 60, "How many tokens a function needs for its twin to be reported.", LESS
)
_BLOCK = Option("duplicates.block", Whole(50, 10_000), 100, "How many tokens it needs for its twin to block.", LESS)
_RULE = Rule("function", Severity.ERROR, "A function that the project already has, except for its names.")
# So much the same, under the same name: it may be on its way from one file to another.
_MOVING = 0.97
# So much the same in one file: pasted, and hardly touched.
_PASTED = 0.95
_NOT_CALLED = frozenset({UNNAMED, "__init__", "__new__", "__post_init__", "constructor", "__construct"})
_OF_RUBY = "initialize"
_NAMED = 5  # twins that are named; of more the number
_OUT_OF_TIME = "the time to look for duplicates ran out"


def _duplicates(whole: WholeChange) -> Report:
    """Only functions whose tokens were not there before, anywhere in the change."""
    search = _TwinSearch(whole)
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
            twins = search.twins(file, function) if function.line > told else []
            if twins:
                findings.append(_finding(file.path, function, twins, whole.config))
                told = function.end_line
    return Report(tuple(findings))


class _TwinSearch:
    def __init__(self, whole: WholeChange) -> None:
        self._view, self._paths, self._config = whole.view, whole.config.paths, whole.config
        self._similarity = SIMILARITY.of(whole.config)
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
        functions = (each for each in self._view.read(file.path).functions if each.tokens >= TELL.of(self._config))
        new = (each for each in functions if (file.path, each.name, each.blind) in self._new)
        return sorted(new, key=lambda each: (each.line, -each.end_line))

    def twins(self, file: File, function: FunctionTokens) -> list[Like]:
        """The one that it is most like first, of those that hold it back if there are any."""
        alike = self._view.alike(file.path, function, self._similarity)
        found = (like for like in alike if self._counts(file, function, like.twin))
        weight = partial(_blocks, file.path, function, config=self._config)
        return sorted(found, key=lambda like: (weight(like), like.kept, like.blind), reverse=True)

    def _counts(self, file: File, function: FunctionTokens, twin: Twin) -> bool:
        """None of a test, none that comes later and is told of there, none that it was as much like before."""
        if self._paths.is_test(twin.path) and not self._paths.is_test(file.path):
            return False
        place = (self._order.get(twin.path, -1), twin.line)
        if (twin.path, twin.name, twin.blind) in self._new and place > (self._order[file.path], function.line):
            return False
        earlier = next((each for each in self._stood[file.path] if each.name == function.name), None)
        return earlier is None or not likeness(earlier.blind, twin.blind, self._similarity)


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


def _others(path: str, twins: list[Like]) -> str:
    """Where else it stands: whoever puts them into one function has to know all of them."""
    if not twins:
        return ""
    named = ", ".join(f"`{like.twin.name}` ({_where(path, like.twin)})" for like in twins[: _NAMED - 1])
    more = len(twins) - (_NAMED - 1)
    return f" Also like {named}{f' and {more} more' if more > 0 else ''}."


def _where(path: str, twin: Twin) -> str:
    return f"{twin.path}:{twin.line}" if twin.path != path else f"line {twin.line}"


def _finding(path: str, function: FunctionTokens, twins: list[Like], config: Config) -> Finding:
    like, others = twins[0], twins[1:]
    twin = like.twin
    blocks = _blocks(path, function, like, config)
    named = _can_be_called(function.name) and _can_be_called(twin.name)
    share = "put what they share into one function that all of them call"
    same = like.kept >= _MOVING and twin.name.rpartition(".")[2] == function.name.rpartition(".")[2]
    return Finding(
        check=CHECK.id,
        rule=_RULE.id,
        span=Span(path, function.line, 1, function.end_line),
        message=f"`{function.name}` is {like.blind:.0%} the same as `{twin.name}` ({_where(path, twin)})."
        + _others(path, others),
        severity=_RULE.severity if blocks else Severity.WARNING,
        symbol=function.name,
        confidence=round(like.kept, 2),
        evidence=f"{twin.path} {twin.name}",
        fix=f"Call `{twin.name}`, or {share}." if named else f"{share.capitalize()}.",
        later=same,
    )


def _blocks(path: str, function: FunctionTokens, like: Like, config: Config) -> bool:
    """Whoever writes a variant beside the one it varies has seen it; who copies it into another file may not have."""
    enough = SIMILARITY.of(config) if like.twin.path != path else max(SIMILARITY.of(config), _PASTED)
    called = _can_be_called(function.name) and _can_be_called(like.twin.name)
    return called and function.tokens >= _BLOCK.of(config) and like.kept >= enough


def _can_be_called(name: str) -> bool:
    """What has no name nobody could have called instead, nor what makes an object."""
    *around, last = name.split(".")
    return last not in _NOT_CALLED and last not in around[-1:] and not (around and last == _OF_RUBY)


CHECK = Check(
    id="duplicates",
    summary="Functions that the project already has, written again.",
    details=(
        "functions that the project already has, except for their names, with the place of the twin "
        "([measured](docs/measured/index.md))"
    ),
    rules=(_RULE,),
    languages=LANGUAGES,
    on_whole_change=_duplicates,
    rank=80,
    options=(SIMILARITY, TELL, _BLOCK),
    options_summary="When a function counts as written twice.",
)
