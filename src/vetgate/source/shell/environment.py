"""Variables that make a program run something: one table, whichever program takes them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.runs import Inner

if TYPE_CHECKING:
    from collections.abc import Mapping

# Their value is a command, or a program with options; a shell or the program itself starts it.
_COMMANDS = expression(
    r"(?:\w+_)?(?:EDITOR|VISUAL|PAGER|BROWSER|ASKPASS|RSH|SSH)|(?:GIT|SSH|RSYNC|PROMPT)_(?:\w+_)?COMMAND|RSYNC_CONNECT_PROG|KUBECTL_EXTERNAL_DIFF"
    r"|MANPAGER|HGEDITOR|FCEDIT|LESSOPEN|LESSCLOSE|GIT_EXTERNAL_DIFF|GIT_MAN_VIEWER|\w+_(?:WRAPPER|LAUNCHER|RUNNER)"
    r"|(?i:npm_config_(?:script_shell|shell|editor|viewer|git))|CC|CXX|CPP|LD|AR|AS|RM|FC|MAKE|RUSTC|YACC|LEX"
)
# Their value is options of this program, also where another one starts it.
_OPTIONS: Mapping[str, str] = {
    "TAR_OPTIONS": "tar",
    **dict.fromkeys(("MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS"), "make"),
    "PERL5OPT": "perl",
    "RUBYOPT": "ruby",
    "NODE_OPTIONS": "node",
    "LESS": "less",
    "ZIPOPT": "zip",
    "GOFLAGS": "go",
}
_UNQUOTED = frozenset({"perl", "ruby"})
# Their value is code.
_CODE: Mapping[str, str] = {"PERL5DB": "perl"}


def run_by_environment(name: str, value: str) -> Inner | None:
    if _COMMANDS.fullmatch(name):
        return Inner(script=value.lstrip("|-"), stdin="")
    if name in _OPTIONS:
        return Inner((_OPTIONS[name], *(value.split() if _OPTIONS[name] in _UNQUOTED else _words(value))), stdin="")
    return Inner(script=value, language=_CODE[name]) if name in _CODE else None


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()
