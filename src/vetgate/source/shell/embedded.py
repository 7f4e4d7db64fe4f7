"""Programs whose arguments or input hold commands in a language of their own: sed, make, editors, databases, git."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.detached import scheduled
from vetgate.source.shell.git_programs import named_to_run, set_to_run
from vetgate.source.shell.literal_code import in_literals
from vetgate.source.shell.options import first_operand, value_of
from vetgate.source.shell.runs import CONTAINER, REMOTE, Inner

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Reader = Callable[[Sequence[str], str], list[Inner]]

_ADDRESS = r"(?:\d+|\$|/[^/\n]{0,200}/)"
_SED_RUNS = expression(rf"(?:^|[;{{\n])[ \t]*(?:{_ADDRESS}(?:,{_ADDRESS})?)?[ \t]*!?[ \t]*e[ \t]+([^\n]+)")
_SED_EXECUTES = expression(r"s([/|,#:@])[^/|,#:@\n]*\1([^/|,#:@\n]*(?:/[^/|,#:@\n]*)?)\1[gIpm0-9]*e")
_EDITOR_RUNS = expression(
    r"(?:^|[|:\n])\s*(?:silent\s+|sil\s+)?(?:!|ter(?:m|minal)?\s)\s*([^\n]+)"
    r"|system\((['\"])(.*?)\2\)|shell-command\S* \"([^\"]*)\""
)
_DATABASE_RUNS = expression(r"(?:^|[;\n])\s*(?:\\!|\.shell|\.system|system)\s+([^\n;]+)")
_RECIPE = expression(r"^\t[@+-]*(.+)$", re.MULTILINE)
_MAKE_RUNS = expression(r"\$\((?:shell)\s+([^()]*)\)")
# Options whose value is a command.
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "tar": ("--to-command", "--use-compress-program", "-I", "--rsh-command"),
    "bsdtar": ("--use-compress-program",),
    "man": ("-P", "--pager"),
    "zip": ("-TT", "--unzip-command"),
    "rsync": ("-e", "--rsh", "--rsync-path"),
    "scp": ("-S",),
    "tcpdump": ("-z",),
    "nodemon": ("--exec", "-x"),
    "sort": ("--compress-program",),
    "split": ("--filter",),
    "nc": ("-e", "-c"),
    "ncat": ("-e", "-c", "--exec", "--sh-exec"),
    "netcat": ("-e", "-c"),
    "wget": ("--use-askpass",),
    "capsh": ("-c",),
    "expect": ("-c",),
    "rg": ("--pre",),
}


def embedded(name: str, arguments: Sequence[str], stdin: str) -> list[Inner]:
    reader = _READERS.get(name)
    found = reader(arguments, stdin) if reader is not None else []
    found += in_literals(name, arguments, stdin)
    for option in _OPTIONS.get(name, ()):
        value = value_of(arguments, option)
        if value and not value.startswith("-"):
            found.append(Inner(script=value))
    return found


def _sed(arguments: Sequence[str], stdin: str) -> list[Inner]:
    script = value_of(arguments, "-e", "--expression")
    operands = [argument for argument in arguments if not argument.startswith("-")]
    text = script or (operands[0] if operands else "")
    found = [Inner(script=match[1]) for match in _SED_RUNS.finditer(text)]
    return found + [Inner(script=match[2]) for match in _SED_EXECUTES.finditer(text)]


def _editor(arguments: Sequence[str], stdin: str) -> list[Inner]:
    texts = [argument.removeprefix("+") for argument in arguments if argument.startswith(("+", ":", "!"))]
    texts += [arguments[i + 1] for i, argument in enumerate(arguments[:-1]) if argument in ("-c", "--cmd", "--eval")]
    return [
        Inner(script=match[1] or match[3] or match[4])
        for text in [*texts, stdin]
        for match in _EDITOR_RUNS.finditer(text)
    ]


def _database(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return [Inner(script=match[1]) for text in (*arguments, stdin) for match in _DATABASE_RUNS.finditer(text)]


def _make(arguments: Sequence[str], stdin: str) -> list[Inner]:
    texts = [value_of(arguments, "--eval", "-E") or ""]
    if value_of(arguments, "-f", "--file", "--makefile") in ("-", "/dev/stdin"):
        texts.append(stdin)
    found = [Inner(script=match[1]) for text in texts for match in _RECIPE.finditer(text)]
    found += [Inner(script=match[1]) for text in (*texts, *arguments) for match in _MAKE_RUNS.finditer(text)]
    return found + [Inner(script=text.partition(";")[2].lstrip(" \t@+-")) for text in texts if ";" in text]


def _tar(arguments: Sequence[str], stdin: str) -> list[Inner]:
    actions = [argument.partition("exec=")[2] for argument in arguments if "checkpoint-action=exec=" in argument]
    return [Inner(script=action) for action in actions]


def _git(arguments: Sequence[str], stdin: str) -> list[Inner]:
    found: list[Inner] = []
    for index, argument in enumerate(arguments):
        setting = arguments[index + 1] if argument == "-c" and index + 1 < len(arguments) else ""
        setting = argument[2:] if argument.startswith("-c") and "=" in argument and not setting else setting
        found += set_to_run(setting)
    verb, rest = git_verb(arguments)
    return [*found, *_git_runs(verb, rest), *named_to_run(verb, rest)]


def git_verb(arguments: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The command of git, behind the options of git itself."""
    options = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix")
    start = first_operand(arguments, options)
    return (arguments[start], arguments[start + 1 :]) if start < len(arguments) else ("", ())


def _git_runs(verb: str, rest: Sequence[str]) -> list[Inner]:
    if verb == "submodule" and "foreach" in rest:
        words = [
            word for word in rest[list(rest).index("foreach") + 1 :] if word not in ("--recursive", "--quiet", "-q")
        ]
        return [Inner(script=" ".join(words))]
    if verb == "bisect" and rest[:1] and rest[0] == "run":
        return [Inner(tuple(rest[1:]))]
    if verb == "filter-branch":
        return [Inner(script=rest[i + 1]) for i, word in enumerate(rest[:-1]) if word.endswith("-filter")]
    if verb == "config" and len(rest) > 1 and rest[-1].startswith("!"):
        return [Inner(script=rest[-1][1:])]
    return []


def _ansible(arguments: Sequence[str], stdin: str) -> list[Inner]:
    module = value_of(arguments, "-m", "--module-name") or "command"
    text = value_of(arguments, "-a", "--args") or ""
    if module.rpartition(".")[2] in ("shell", "command", "raw", "win_shell"):
        return [Inner(script=text, where=REMOTE)] if text else []
    if module.rpartition(".")[2] == "file" and "state=absent" in text:
        path = re.search(r"(?:path|dest|name)=(\S+)", text)
        return [Inner(("rm", "-rf", path[1]), where=REMOTE)] if path else []
    return []


def _many_hosts(arguments: Sequence[str], stdin: str) -> list[Inner]:
    rest = arguments[first_operand(arguments, ("-w", "-x", "-l", "-H", "-h", "-t", "-p", "-A", "-i")) :]
    return [Inner(script=" ".join(rest), where=REMOTE)] if rest else []


def _salt(arguments: Sequence[str], stdin: str) -> list[Inner]:
    if "cmd.run" in arguments:
        return [Inner(script=" ".join(arguments[list(arguments).index("cmd.run") + 1 :]), where=REMOTE)]
    return []


def _socat(arguments: Sequence[str], stdin: str) -> list[Inner]:
    found = [re.match(r"(?:exec|system):['\"]?([^,'\"]+)", argument, re.IGNORECASE) for argument in arguments]
    return [Inner(script=match[1]) for match in found if match]


def _at(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return [Inner(script=stdin, stdin="")] if stdin else []


def _compose(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return [Inner(tuple(arguments[2:]), where=CONTAINER)] if arguments[:1] in (("ssh",), ["ssh"]) else []


def _crontab(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return scheduled(stdin) if not arguments or "-" in arguments else []


def _timed(arguments: Sequence[str], stdin: str) -> list[Inner]:
    """Python -m timeit: what is timed is code."""
    return [Inner(script=each, language="python") for each in arguments if not each.startswith("-")]


_READERS: Mapping[str, Reader] = {
    "timeit": _timed,
    "crontab": _crontab,
    "sed": _sed,
    "gsed": _sed,
    "vim": _editor,
    "vi": _editor,
    "nvim": _editor,
    "ex": _editor,
    "ed": _editor,
    "emacs": _editor,
    "psql": _database,
    "mysql": _database,
    "mariadb": _database,
    "sqlite3": _database,
    "make": _make,
    "gmake": _make,
    "tar": _tar,
    "gtar": _tar,
    "git": _git,
    "ansible": _ansible,
    "pdsh": _many_hosts,
    "pssh": _many_hosts,
    "parallel-ssh": _many_hosts,
    "clush": _many_hosts,
    "salt": _salt,
    "socat": _socat,
    "at": _at,
    "batch": _at,
    "vagrant": _compose,
    "fly": _compose,
}
