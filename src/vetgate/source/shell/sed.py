"""Programs of sed: where they stand, what they run, and which files they write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.options import value_of, values_of
from vetgate.source.shell.placeholders import taints
from vetgate.source.shell.runs import Inner
from vetgate.source.shell.words import unescaped

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Sequence

_EXPRESSION, _FILE = ("-e", "--expression"), ("-f", "--file")
_ADDRESS = r"(?:\d+|\$|/[^/\n]{0,200}/)"
_BEGINS = rf"(?:^|[;{{\n])[ \t]*(?:{_ADDRESS}(?:,{_ADDRESS})?)?[ \t]*!?[ \t]*"
_RUNS = expression(rf"{_BEGINS}e(?:[ \t]+|\\\n)([^\n]+)")
_RUNS_LINES = expression(rf"{_BEGINS}e[ \t]*(?:$|[;}}\n])")
_WRITES = expression(rf"(?:{_BEGINS}[wW]|[|/#,:!][gpIm\d]*w)[ \t]+([^\n]+)")
_SUBSTITUTES = expression(
    r"s(?P<by>[/|,#:@!~%])(?P<old>(?:\\.|(?!(?P=by))[^\\\n])*)(?P=by)(?P<new>(?:\\.|(?!(?P=by))[^\\\n])*)(?P=by)(?P<flags>\w*)"
)
_ADDS = expression(rf"{_BEGINS}[aic](?:\\\n|[ \t]+)([^\n]+)")


def inlined(arguments: Sequence[str], content: Callable[[str], str]) -> tuple[str, ...]:
    """With the programs in files as if they stood in the call."""
    found: list[str] = []
    index = 0
    while index < len(arguments):
        argument = arguments[index]
        index += 1
        if argument in _FILE or _is_cluster(argument):
            found += [argument[:-1]] if argument not in _FILE else []
            found += ["-e", content("".join(arguments[index : index + 1]))]
            index += 1
        elif argument.startswith("--file="):
            found.append(f"--expression={content(argument.partition('=')[2])}")
        else:
            found.append(argument)
    return tuple(found)


def _is_cluster(argument: str) -> bool:
    return argument[:1] == "-" and argument[1:2] != "-" and argument[-1:] == "f" and argument[1:].isalpha()


def program_of(arguments: Sequence[str]) -> str:
    """All that stands behind -e, else the first operand."""
    named = values_of(arguments, *_EXPRESSION)
    if value_of(arguments, *_EXPRESSION) is not None:
        return "\n".join(named)
    return next((each for each in arguments if not each.startswith("-")), "")


def run_by_sed(arguments: Sequence[str], stdin: str) -> list[Inner]:
    text = program_of(arguments)
    found = [Inner(script=match[1]) for match in _RUNS.finditer(text)]
    substituted = [*_SUBSTITUTES.finditer(text)]
    # What the line has become is run, so what it was made of counts.
    found += [Inner(script=taints(stdin) or _plain(match)) for match in substituted if "e" in match["flags"]]
    if _RUNS_LINES.search(text):
        lines = (stdin, *map(_plain, substituted), *(match[1] for match in _ADDS.finditer(text)))
        found += [Inner(script=each) for each in lines]
    return found


def written_by_sed(arguments: Sequence[str]) -> Iterator[str]:
    yield from (match[1].strip() for match in _WRITES.finditer(program_of(arguments)))


def _plain(match: re.Match[str]) -> str:
    return unescaped(match["new"].replace("\\" + match["by"], match["by"]))
