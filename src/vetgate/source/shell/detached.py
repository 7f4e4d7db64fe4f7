"""Programs that run another one apart from this shell: in a terminal of its own, a session, a sandbox, a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.options import first_operand, value_of
from vetgate.source.shell.runs import Inner

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Reader = Callable[[Sequence[str]], list[Inner]]

_KEYS = {"space": " ", "enter": "\n", "c-m": "\n", "kpenter": "\n", "c-j": "\n", "tab": "\t"}
_ESCAPED = {r"\n": "\n", r"\r": "\n", r"\015": "\n", r"\012": "\n", "^M": "\n", "^J": "\n"}
_TERMINALS = """
    xterm uxterm urxvt rxvt st konsole gnome-terminal mate-terminal xfce4-terminal lxterminal tilix terminator alacritty
    kitty foot wezterm ghostty ptyxis kgx x-terminal-emulator qterminal terminology sakura guake wt
""".split()
_STARTS = frozenset({"-e", "-x", "--", "--execute", "--command", "-c"})
# Options of bwrap that take two arguments, or one.
_TWO = expression(r"--(?:ro-|dev-)?bind(?:-try|-fd)?|--symlink|--setenv|--file|--chmod|--(?:ro-)?bind-data|--overlay")
_ONE = expression(
    r"--(?:unsetenv|chdir|tmpfs|dev|proc|dir|mqueue|hostname|uid|gid|cap-add|cap-drop|seccomp|lock-file|remount-ro|args"
    r"|argv0|userns|pidns|info-fd|json-status-fd|sync-fd|block-fd|exec-label|file-label|perms|size)"
)
_SCHEDULED = expression(r"\s*(?:@\w+|(?:[\w*/,-]+[ \t]+){4}[\w*/,-]+)[ \t]+(.+)")


def tmux(arguments: Sequence[str]) -> list[Inner]:
    start = first_operand(arguments, ("-L", "-S", "-f", "-c"))
    verb = arguments[start] if start < len(arguments) else ""
    rest = arguments[start + 1 :]
    if verb.startswith("send"):
        return typed(rest[first_operand(rest, ("-t", "-N", "-c")) :])
    if verb.startswith("loadb") or verb == "load-buffer":
        return [Inner(("sh",))]
    words = rest[first_operand(rest, ("-s", "-n", "-c", "-t", "-x", "-y", "-e", "-F", "-l", "-p", "-b", "-N")) :]
    if verb.startswith(("set-buffer", "setb")):
        return typed(words)
    return [Inner(script=" ".join(words))] if words else []


def typed(words: Sequence[str]) -> list[Inner]:
    """What keys put into a terminal: the names of keys among them, and each word by itself."""
    text = "".join(_KEYS.get(word.lower(), word) for word in words)
    for escaped, key in _ESCAPED.items():
        text = text.replace(escaped, key)
    apart = " ".join(_KEYS.get(word.lower(), word) for word in words)
    return [Inner(script=each, stdin="") for each in dict.fromkeys((text, apart)) if each.strip()]


def screen(arguments: Sequence[str]) -> list[Inner]:
    rest = arguments[first_operand(arguments, ("-S", "-c", "-e", "-h", "-t", "-p", "-T", "-s")) :]
    if "stuff" in rest:
        return typed(rest[list(rest).index("stuff") + 1 :])
    stuffed = [each.partition("stuff")[2].strip(" '\"") for each in rest if each.lstrip().startswith("stuff ")]
    if stuffed:
        return typed(stuffed)
    rest = rest[1:] if rest[:1] and rest[0] in ("exec", "screen") else rest
    return [Inner(tuple(rest))] if rest else []


def script(arguments: Sequence[str]) -> list[Inner]:
    """`script -c COMMAND FILE`, `script FILE -- COMMAND`, and on a Mac `script FILE COMMAND …`."""
    text = value_of(arguments, "-c", "--command")
    if text is None:
        clusters = [
            index
            for index, each in enumerate(arguments[:-1])
            if each[:1] == "-" and each[1:].isalpha() and each[-1] == "c"
        ]
        text = arguments[clusters[0] + 1] if clusters else None
    if text:
        return [Inner(script=text)]
    rest = arguments[first_operand(arguments, ("-I", "-O", "-B", "-T", "-m", "-E", "-o", "-t"), 1) :]
    rest = rest[1:] if rest[:1] and rest[0] == "--" else rest
    return [Inner(tuple(rest) or ("sh",))]  # without a command, a shell that reads what is fed in


def keys(arguments: Sequence[str]) -> list[Inner]:
    """`xdotool type TEXT`, `wtype TEXT`."""
    rest = arguments[1:] if arguments[:1] and arguments[0] == "type" else arguments
    return typed(rest[first_operand(rest, ("--delay", "--window", "-d", "-s")) :])


def terminal(arguments: Sequence[str]) -> list[Inner]:
    if "send-text" in arguments[:2]:
        return typed(arguments[list(arguments).index("send-text") + 1 :])
    for index, argument in enumerate(arguments):
        name, sign, value = argument.partition("=")
        if sign and name in _STARTS:
            return [Inner(script=value)]
        if argument in _STARTS:
            return _all_of(arguments[index + 1 :])
    return _all_of(arguments[first_operand(arguments) :])


def _all_of(rest: Sequence[str]) -> list[Inner]:
    return [Inner(tuple(rest))] if rest else []


def bwrap(arguments: Sequence[str]) -> list[Inner]:
    index = 0
    while index < len(arguments) and arguments[index].startswith("-"):
        argument = arguments[index]
        index += 3 if _TWO.fullmatch(argument) else 2 if _ONE.fullmatch(argument) else 1
        if argument == "--":
            break
    return _all_of(arguments[index:])


def start_stop_daemon(arguments: Sequence[str]) -> list[Inner]:
    program = value_of(arguments, "--exec", "-x", "--startas", "-a")
    rest = arguments[list(arguments).index("--") + 1 :] if "--" in arguments else ()
    return [Inner((program, *rest))] if program else []


def zellij(arguments: Sequence[str]) -> list[Inner]:
    if "write-chars" in arguments:
        return typed(arguments[list(arguments).index("write-chars") + 1 :])
    if arguments[:1] and arguments[0] in ("run", "r"):
        rest = arguments[1:]
        return _all_of(rest[first_operand(rest, ("-d", "--direction", "-n", "--name", "--cwd")) :])
    return []


def window_manager(arguments: Sequence[str]) -> list[Inner]:
    """`i3-msg exec COMMAND`, `hyprctl dispatch exec COMMAND`: it is their child, and not ours."""
    words = " ".join(arguments).split()
    if not {"exec", "exec_always", "spawn"}.intersection(words):
        return []
    start = next(index for index, word in enumerate(words) if word in ("exec", "exec_always", "spawn")) + 1
    rest = words[start:]
    return [Inner(script=" ".join(rest[first_operand(rest) :]).strip("'\"\\"))]


def served(arguments: Sequence[str]) -> list[Inner]:
    """`ttyd COMMAND`: a terminal for whoever opens the page."""
    return _all_of(arguments[first_operand(arguments, tuple(f"-{letter}" for letter in "picugswtTmIbCKAPU")) :])


def recorded(arguments: Sequence[str]) -> list[Inner]:
    """`asciinema rec -c COMMAND`."""
    text = value_of(arguments, "-c", "--command")
    return [Inner(script=text)] if text else []


def scheduled(text: str) -> list[Inner]:
    """The commands of a crontab."""
    lines = (_SCHEDULED.match(line) for line in text.split("\n"))
    return [Inner(script=match[1], stdin="") for match in lines if match]


READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("tmux", "byobu", "tmate"), tmux),
    **dict.fromkeys(("i3-msg", "swaymsg", "hyprctl", "niri", "riverctl", "herbstclient"), window_manager),
    **dict.fromkeys(("ttyd", "gotty"), served),
    "asciinema": recorded,
    "screen": screen,
    "script": script,
    "bwrap": bwrap,
    "start-stop-daemon": start_stop_daemon,
    "zellij": zellij,
    **dict.fromkeys(("xdotool", "ydotool", "wtype", "dotool"), keys),
    **dict.fromkeys(_TERMINALS, terminal),
}
