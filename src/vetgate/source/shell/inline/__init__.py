"""Code in other languages on a command line: what it runs, deletes, reads, writes and sends.

What it does is told as the programs that would do the same (`os.remove(x)` is `rm x`), so that one policy serves all.
"""

from __future__ import annotations

import base64
import binascii
import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from vetgate.expression import expression
from vetgate.source.shell.decode import from_base64
from vetgate.source.shell.inline.values import Done, ReaderContext
from vetgate.source.shell.options import values_of
from vetgate.source.shell.placeholders import FETCHED, HIDDEN, STAR
from vetgate.source.shell.runs import Inner, by_name, program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_CMDLETS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("remove-item", "ri", "rd", "del", "erase", "rm", "rmdir"), ("rm", "-rf")),
    **dict.fromkeys(("get-content", "gc", "type", "cat"), ("cat",)),
    **dict.fromkeys(("clear-content", "clc"), ("truncate", "-s", "0")),
    **dict.fromkeys(("stop-computer", "restart-computer"), ("reboot",)),
    **dict.fromkeys(("format-volume", "clear-disk", "initialize-disk"), ("mkfs",)),
    **dict.fromkeys(("set-content", "sc", "out-file", "add-content"), ("tee",)),
}
_FETCHES = expression(
    r"\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|downloadfile|curl|wget)\b", re.IGNORECASE
)
_RUNS_TEXT = expression(r"\b(?:iex|invoke-expression)\b", re.IGNORECASE)
_SEPARATOR = expression(r"[;|\n]|&&|\|\|")
_WORD = expression(r"'([^']*)'|\"([^\"]*)\"|([^\s'\"]+)")


def read_powershell(language: str, code: str, known: ReaderContext) -> Done:
    done = Done()
    if _RUNS_TEXT.search(code):
        mark = FETCHED if _FETCHES.search(code) else ""
        mark = mark or (HIDDEN if "frombase64string" in code.lower() else "")
        done.inners.append(Inner(script=mark, language=language)) if mark else None
    for statement in _SEPARATOR.split(code):
        words = [next(filter(None, match.groups()), "") for match in _WORD.finditer(statement)]
        if words:
            done.inners.append(Inner(_argv(words, known)))
    return done


def _argv(words: list[str], known: ReaderContext) -> tuple[str, ...]:
    program = _CMDLETS.get(words[0].lower())
    if program is None:
        return tuple(words)
    home = re.compile(r"\$HOME|\$env:(?:HOME|USERPROFILE)|^~", re.IGNORECASE)
    operands = [word for word in words[1:] if not word.startswith("-")]
    return (*program, *(home.sub(known.home, word).replace("*", STAR) for word in operands))


def decoded(text: str) -> str:
    """The value of -EncodedCommand."""
    try:
        return base64.b64decode(text).decode("utf-16-le", "replace")
    except (ValueError, binascii.Error):
        return HIDDEN


_MOST_CHARACTERS = 64 * 1024
_ASSIGNS = expression(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_ENDS_TEXT = expression(r'\\.|"|\\\Z', re.DOTALL)


class InlineCode(NamedTuple):
    """The text of an option, or a file; neither: it comes from stdin."""

    text: str | None = None
    file: str = ""


class _Flags(NamedTuple):
    code: re.Pattern[str]
    with_value: frozenset[str] = frozenset()
    other: frozenset[str] = frozenset()


def _flags(code: str, with_value: str = "", other: str = "") -> _Flags:
    return _Flags(expression(code), frozenset(with_value.split()), frozenset(other.split()))


_FLAGS: Mapping[str, _Flags] = {
    "python": _flags(r"-[A-Za-z]*c", "-W -X", "-m"),
    "javascript": _flags(
        r"-[a-z]*e|-[a-z]*p|-pe|--eval|--print",
        "-r --require --import --loader",
        "install test run add x task fmt lint check",
    ),
    "ruby": _flags(r"-[A-Za-z]*e", "-r -I -C"),
    "perl": _flags(r"-[A-Za-z0]*[eE]", "-I"),
    "php": _flags(r"-r|--run", "-d -c"),
    "lua": _flags(r"-e", "-l"),
    "r": _flags(r"-e"),
    "julia": _flags(r"-[eE]|--eval"),
    "groovy": _flags(r"-e"),
    "elixir": _flags(r"-e|--eval"),
    "tcl": _flags(r"-c"),
    "awk": _flags(r"-e|--source", "-F -v -f -i -l --assign --field-separator --include --load"),
}  # fmt: skip
# Options of PowerShell, whole or cut short: with code, with code in Base64, with a value that is none.
_COMMAND = expression(r"-c(?:o(?:m[a-z]*)?)?")
_ENCODED = expression(r"-e(?:c|n[a-z]*)?")
_WITH_VALUE = expression(
    r"-(?:ep|ex[a-z]*|w[a-z]*|o[a-z]*|if|inp[a-z]*|v(?:er[a-z]*)?|config[a-z]*|cus[a-z]*|se[a-z]*)"
)
_NAMES: Mapping[str, str] = by_name(
    {
        "python pypy ipython py": "python",
        "ts-node tsx esno vite-node swc-node babel-node sucrase-node node nodejs deno bun qjs zx": "javascript",
        "raku perl6 perl": "perl",
        "ruby jruby irb pry": "ruby",
        "php": "php",
        "lua luajit": "lua",
        "rscript r": "r",
        "julia": "julia",
        "groovy": "groovy",
        "elixir iex": "elixir",
        "tclsh expect": "tcl",
        "awk gawk mawk nawk": "awk",
        "pwsh powershell": "powershell",
    }
)  # fmt: skip


def language_of(name: str) -> str:
    return _NAMES.get(program(name), "")


def code_of(language: str, arguments: Sequence[str]) -> InlineCode | None:
    """Where the code is; None when the program runs something that is not on the command line."""
    if language == "powershell":
        return _powershell(arguments)
    if language == "awk" and (code := _awk(arguments)) is not None:
        return code
    return _code_behind_options(language, arguments)


_FILES_OF_AWK = ("-f", "--file", "-E", "--exec")


def _awk(arguments: Sequence[str]) -> InlineCode | None:
    """Several programs are one."""
    texts = values_of(arguments, "-e", "--source")
    files = values_of(arguments, *_FILES_OF_AWK)
    if texts:
        return InlineCode("\n".join(texts))
    return InlineCode(file=files[0]) if files else None


def arguments_behind(language: str, arguments: Sequence[str]) -> tuple[str, ...]:
    """What the code finds as its own arguments."""
    code = code_of(language, arguments)
    named = code.text or code.file if code is not None else ""
    if not named:
        return tuple(arguments[arguments.index("-") + 1 :]) if "-" in arguments else ()
    return tuple(arguments[arguments.index(named) + 1 :]) if named in arguments else ()


_LOADS = frozenset({"--import", "--loader", "--experimental-loader", "-r", "--require", "--test-reporter"})
_MODULE_ONLY = expression(r"-[mM]-?[\w:.]*(?:=[\w:,.$@%*\s+-]*)?")


def loaded_by_options(language: str, arguments: Sequence[str]) -> list[str]:
    """Code in options that name a module: `--import data:text/javascript,…`, and Perl's `-Mx;code`."""
    if language == "perl":
        named = (each for each in arguments if each[:2] in ("-M", "-m") and not _MODULE_ONLY.fullmatch(each))
        return [f"use {each[2:]};" for each in named]
    if language != "javascript":
        return []
    values = [value for option, value in pairwise(arguments) if option in _LOADS]
    values += [each.partition("=")[2] for each in arguments if each.partition("=")[0] in _LOADS]
    return [_of_data(each) for each in values if each.startswith("data:")]


def _of_data(address: str) -> str:
    kind, _, text = address.partition(",")
    return from_base64(unquote(text)) if kind.endswith(";base64") else unquote(text)


def assigned_to_awk(arguments: Sequence[str]) -> str:
    """`-v name=value`, and operands of that form, as awk would write them at its beginning."""
    values = (each.removeprefix("-v") for each in arguments)
    found = (match for match in map(_ASSIGNS.fullmatch, values) if match)
    return "".join(f'{match[1]}="{_ENDS_TEXT.sub(_kept_inside, match[2])}"\n' for match in found)


def _kept_inside(sign: re.Match[str]) -> str:
    """A quote, or a backslash at the very end, would end or prolong the text; an escape stays what it is."""
    return sign[0] if len(sign[0]) > 1 else f"\\{sign[0]}"


def _code_behind_options(language: str, arguments: Sequence[str]) -> InlineCode | None:
    flags = _FLAGS[language]
    index = 0
    while index < len(arguments) and arguments[index].startswith("-") and arguments[index] != "-":
        argument = arguments[index]
        has_value = len(argument) > 2 and argument[:2] in flags.with_value  # `-rpathname`
        if flags.code.fullmatch(argument) and not has_value:
            return InlineCode(arguments[index + 1]) if index + 1 < len(arguments) else None
        attached = _attached(argument)
        if attached:
            return InlineCode(attached)
        if argument in flags.other:
            return None
        index += 2 if argument in flags.with_value else 1
    return _operand(language, flags, arguments[index:])


def _powershell(arguments: Sequence[str]) -> InlineCode | None:
    """Its options may be cut short, and all that follows the one for code is code."""
    index = 0
    while index < len(arguments) and arguments[index].startswith("-") and arguments[index] != "-":
        argument, rest = arguments[index].lower(), arguments[index + 1 :]
        if _ENCODED.fullmatch(argument):
            return InlineCode(decoded("".join(rest[:1])))
        if _COMMAND.fullmatch(argument):
            return InlineCode(None if rest[:1] in ((), ("-",)) else " ".join(rest))
        index += 2 if _WITH_VALUE.fullmatch(argument) else 1
    return InlineCode(file=arguments[index]) if index < len(arguments) and arguments[index] != "-" else InlineCode()


def _operand(language: str, flags: _Flags, rest: Sequence[str]) -> InlineCode | None:
    if not rest or rest[0] in ("-", "/dev/stdin"):
        return InlineCode()
    if rest[0] == "eval" and language == "javascript":
        return InlineCode(rest[-1])
    if rest[0] in flags.other:
        return None
    if language == "awk":
        return InlineCode(rest[0])
    return InlineCode(file=rest[0])


def _attached(argument: str) -> str:
    """`-e'code'` and `--eval=code`."""
    head = re.match(r"-[ercE](?=.* )|--(?:eval|print)=", argument, re.DOTALL)
    return argument[head.end() :] if head else ""


def effects_of(language: str, code: str, known: ReaderContext) -> Done:
    if not code.strip() or len(code) > _MOST_CHARACTERS:
        return Done()
    return _reader(language)(language, code, known)


def _reader(language: str) -> Callable[[str, str, ReaderContext], Done]:
    """Imported when their language is met: a plain shell command pays for none of them."""
    if language == "python":
        from vetgate.source.shell.inline.python import read_python as reader  # noqa: PLC0415
    elif language in ("javascript", "ruby"):
        from vetgate.source.shell.inline.tree import read_tree as reader  # noqa: PLC0415
    elif language == "powershell":
        return read_powershell
    else:
        from vetgate.source.shell.inline.tokens import read_tokens as reader  # noqa: PLC0415
    return reader
