"""What a makefile that stands in the command has `make` run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.environment import run_by_environment
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import FETCHED, UNKNOWN
from vetgate.source.shell.runs import Inner

if TYPE_CHECKING:
    from collections.abc import Sequence

_RECIPE = expression(r"(?m)^(?:\t|[^\t\n#=:]+::?(?!=)[^;\n]*;)[ \t@+-]*(.+)$")
_SHELL_RUNS = expression(r"\$[({]shell\s+([^(){}]*)[)}]|^[\w.-]+[ \t]*!=[ \t]*(.+)$")
_ASSIGNED = expression(r"(?m)^[ \t]*(?:export[ \t]+|override[ \t]+)*([\w.-]+)[ \t]*[:?+]*=[ \t]*(.*)$")
_DEFINED = expression(r"(?ms)^define[ \t]+([\w.-]+)[ \t]*[:?+]*=?[ \t]*\n(.*?)^endef")
_USED = expression(r"\$(?:\(([\w.-]+)\)|\{([\w.-]+)\}|(\w))")
# A function of make: only the run tells what it gives.
_COMPUTED = expression(r"\$[({](?!shell\b)[^(){}]*[)}]")
_ROUNDS, _MOST = 8, 64 * 1024


def made(arguments: Sequence[str], stdin: str) -> list[Inner]:
    texts = [value_of(arguments, "--eval", "-E") or ""]
    if value_of(arguments, "-f", "--file", "--makefile") in ("-", "/dev/stdin", "/dev/fd/0"):
        texts.append(stdin)
    if any(FETCHED in text for text in texts):
        return [Inner(script=FETCHED)]
    text = _expanded("\n".join(texts), arguments)
    found = [Inner(script=match[1]) for match in _RECIPE.finditer(text)]
    runs = [match for each in (text, *arguments) for match in _SHELL_RUNS.finditer(each)]
    found += [Inner(script=match[1] or match[2]) for match in runs]
    settings = [word.replace(":=", "=", 1).partition("=") for word in arguments if "=" in word]
    found += [Inner(script=value) for name, _, value in settings if name == "SHELL"]
    return found + [inner for name, _, value in settings if (inner := run_by_environment(name, value)) is not None]


def _expanded(text: str, arguments: Sequence[str]) -> str:
    values = {match[1]: match[2] for match in _ASSIGNED.finditer(text)}
    values |= {match[1]: match[2].strip() for match in _DEFINED.finditer(text)}
    values |= {name: value for name, sign, value in (each.partition("=") for each in arguments) if sign}
    for _ in range(_ROUNDS):
        before = text
        text = _USED.sub(lambda match: values.get(match[1] or match[2] or match[3], match[0]), text)[:_MOST]
        text = _COMPUTED.sub(lambda match: match[0] if _USED.fullmatch(match[0]) else UNKNOWN, text)
        if text == before:
            break
    return text.replace("$$", "$")
