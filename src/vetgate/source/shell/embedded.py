"""Programs whose arguments or input hold commands in a language of their own, whether or not it is read here."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.detached import scheduled
from vetgate.source.shell.makefiles import made
from vetgate.source.shell.options import first_operand, value_of, values_of
from vetgate.source.shell.placeholders import FETCHED, UNKNOWN
from vetgate.source.shell.runs import CONTAINER, HERE, REMOTE, Inner, by_name
from vetgate.source.shell.sed import run_by_sed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Reader = Callable[[Sequence[str], str], Iterable[Inner]]

# Settings whose value git hands to a shell, without case.
_SETTINGS = expression(
    r"core\.(?:sshcommand|editor|pager|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..+"
    r"|diff\.external|diff\..+\.(?:command|textconv)|filter\..+\.(?:clean|smudge|process)|merge\..+\.driver"
    r"|(?:difftool|mergetool|man|browser)\..+\.(?:cmd|path)|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand"
    r"|interactive\.difffilter|trailer\..+\.(?:command|cmd)|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack)"
    r"|sendemail\.(?:.+\.)?(?:sendmailcmd|smtpserver|tocmd|cccmd|headercmd)|credential\.(?:.+\.)?helper|submodule\..+\.update"
    r"|tar\..+\.command|instaweb\.httpd|imap\.tunnel|receive\.procreceiverefs|(?:fsck|hook)\..+\.command"
)
# Options of single commands whose value is a program.
_GIT_OPTIONS: Mapping[str, tuple[str, ...]] = by_name(
    {
        "fetch pull": ("--upload-pack",),
        "clone": ("--upload-pack", "-u"),
        "ls-remote fetch-pack": ("--upload-pack", "--exec"),
        "push send-pack": ("--receive-pack", "--exec"),
        "archive": ("--exec",),
        "grep": ("--open-files-in-pager", "-O"),
        "difftool": ("-x", "--extcmd"),
        "rebase": ("-x", "--exec"),
        "send-email": ("--sendmail-cmd", "--smtp-server", "--to-cmd", "--cc-cmd"),
    }
)
_EXTERNAL = "ext::"
_CLUSTER = expression(r"-[a-zA-Z]{2,}")


def set_to_run(setting: str) -> Iterator[Inner]:
    """`KEY=VALUE`, as behind `git -c`."""
    key, _, value = setting.partition("=") if not setting.startswith("url.") else setting.rpartition("=")
    yield from of_setting(key, value)


def of_setting(key: str, value: str) -> Iterator[Inner]:
    if key.lower().startswith("alias."):
        yield Inner(script=value[1:]) if value.startswith("!") else Inner(script=f"git {value}")
    elif _EXTERNAL in key:  # `url.ext::COMMAND.insteadOf`
        yield Inner(tuple(_of_transport(key.partition(_EXTERNAL)[2].rpartition(".")[0])))
    elif value.startswith(_EXTERNAL):
        yield Inner(tuple(_of_transport(value.removeprefix(_EXTERNAL))))
    elif _SETTINGS.fullmatch(key.lower()):
        is_helper = key.lower().endswith("helper")
        if not is_helper or value.startswith("!"):
            yield Inner(script=value.removeprefix("!"))


def named_to_run(verb: str, rest: Sequence[str]) -> Iterator[Inner]:
    """What options name, and addresses that are commands (`ext::sh -c ...`)."""
    named = [value_of(rest, option) for option in _GIT_OPTIONS.get(verb, ())]
    bundled = {f"-{option[1]}" for option in _GIT_OPTIONS.get(verb, ()) if option[1] != "-"}
    named += [value for option, value in pairwise(rest) if _CLUSTER.fullmatch(option) and f"-{option[-1]}" in bundled]
    texts = [word.removeprefix(_EXTERNAL) for word in rest if word.startswith(_EXTERNAL)]
    yield from (Inner(script=value) for value in (*named, *texts) if value)
    addresses = (word.partition(_EXTERNAL)[2] for word in rest if word.partition("=")[2].startswith(_EXTERNAL))
    yield from (Inner(tuple(_of_transport(address))) for address in addresses)
    for key, value in _settings(verb, rest):
        yield from of_setting(key, value)


def _settings(verb: str, rest: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Keys and values that the call writes down."""
    if verb == "config":
        yield from pairwise(word for word in rest if not word.startswith("-") and word != "set")
    elif verb == "clone":
        for option, setting in pairwise(rest):
            if option in {"-c", "--config"}:
                key, _, value = setting.partition("=")
                yield key, value


# The options behind which code stands.
_CODE: Mapping[str, tuple[str, ...]] = by_name(
    {
        "guile": ("-c",),
        "racket emacsclient": ("-e", "--eval"),
        "sbcl octave mongosh": ("--eval",),
        "clisp": ("-x",),
        "ghc ghci ocaml gnuplot swift scala scala-cli bb kotlin osascript": ("-e",),
        "swipl": ("-g", "-t"),
        "emacs": ("--eval", "-eval", "--execute", "-execute"),
        "vim nvim": ("-c", "--cmd"),
        "jshell runghc": (),
        "erl": ("-eval",),
        "clojure clj": ("-e", "-M"),
        "crystal": ("eval",),
    }
)
_EDITORS = frozenset({"vim", "nvim"})
# Programs that hand a part of what they are fed, or of the text behind an option, to a shell.
_LINE = expression(r"^\s*!+\s*(.+)$", re.MULTILINE)
_MACRO = expression(r"\be?syscmd\(\s*[`']?([^)]+?)'?\)")
_SHELL_ESCAPES: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(
        ("dc", "bc", "gnuplot", "ftp", "sftp", "lftp", "tnftp", "telnet", "mail", "mailx", "mutt", "w3m"), _LINE
    ),
    **dict.fromkeys(("m4", "gm4"), _MACRO),
}
_TEXT = expression(r"\"((?:[^\"\\\n]|\\.){1,2000})\"|'((?:[^'\\\n]|\\.){1,2000})'|`([^`\n]{1,2000})`")
_DEBUGGER = expression(r"^\s*(?:!|shell\s|make\s|platform shell\s|pipe\s)\s*(.+)$")
_DEBUGGER_CODE = expression(r"^\s*(?:python|py|pi|script)\s+(.+)$")
_ELISP = expression(r"\(delete-(?:directory|file)\s+\"([^\"]+)\"")
_EDITOR_DELETES = expression(r"\bdelete\((?:expand\()?(?:[\"'](?=[^\"'])|(?=\$HOME\b)|vim\.env\.(?=HOME\b))([^\"',)]+)")
_DELETES = r"removeItem|deleteRecursively|removeDirectoryRecursive|removePathForcibly|delete-directory"
_OF_HOME = r"NSHomeDirectory|user\.home|homeDirectoryForCurrentUser|getHomeDirectory"
_DELETES_HOME = expression(rf"(?s)(?:{_DELETES}).{{0,200}}(?:{_OF_HOME})|(?:{_OF_HOME}).{{0,200}}(?:{_DELETES})")
_CMAKE_RUNS = expression(r"(?i)\bCOMMAND\s+([^)\n]+)")
_BUILD_TOOL = {"rm": "rm", "remove": "rm", "remove_directory": "rm", "cat": "cat", "copy": "cp", "rename": "mv"}


def in_literals(name: str, arguments: Sequence[str], stdin: str) -> Iterator[Inner]:
    if name in _SHELL_ESCAPES:
        texts = (*arguments, stdin)
        yield from (Inner(script=match[1]) for text in texts for match in _SHELL_ESCAPES[name].finditer(text))
    if name in _CODE:
        for code in _codes(name, arguments, stdin):
            yield from _in_code(name, code)


def _in_code(name: str, code: str) -> Iterator[Inner]:
    yield from _texts(code)
    words = tuple(next(filter(None, match.groups()), "") for match in _TEXT.finditer(code))
    if len(words) > 1:  # `(sh "rm" "-rf" "x")`
        yield Inner(words)
    if name in ("ghc", "ghci") and code.lstrip().startswith(":!"):
        yield Inner(script=code.lstrip()[2:])
    for match in (*_ELISP.finditer(code), *_EDITOR_DELETES.finditer(code)):
        yield Inner(script=f"rm -rf {'~' if match[1] == 'HOME' else match[1]}")
    if _DELETES_HOME.search(code):
        yield Inner(script="rm -rf ~")


def _scripts_set(arguments: Sequence[str], _stdin: str) -> Iterator[Inner]:
    if list(arguments[:2]) == ["pkg", "set"]:
        values = (each.partition("=")[2] for each in arguments[2:] if each.startswith("scripts."))
        yield from (Inner(script=value) for value in values if value)


def _pdb(arguments: Sequence[str], _stdin: str) -> Iterator[Inner]:
    code = "\n".join(each.lstrip("!") for option, each in pairwise(arguments) if option == "-c")
    yield Inner(script=code, language="python")


def _less(arguments: Sequence[str], _stdin: str) -> Iterator[Inner]:
    yield from (Inner(script=each[2:]) for each in arguments if each.startswith("+!"))


def _codes(name: str, arguments: Sequence[str], stdin: str) -> Iterator[str]:
    options = _CODE[name]
    for index, argument in enumerate(arguments):
        if argument in options and index + 1 < len(arguments):
            yield arguments[index + 1]
        elif argument.startswith("--") and (value := value_of([argument], *options)):
            yield value
    if stdin and name not in _EDITORS:
        yield stdin


def _texts(code: str) -> Iterator[Inner]:
    for match in _TEXT.finditer(code):
        text = next(filter(None, match.groups()), "")
        if " " in text:
            yield Inner(script=text)


_DEBUGGER_COMMAND = frozenset("-ex --eval-command -iex -o --one-line -O --one-line-before-file".split())


def _debugger(arguments: Sequence[str], stdin: str) -> Iterator[Inner]:
    texts = [text for option, text in pairwise(arguments) if option in _DEBUGGER_COMMAND]
    for text in (*texts, *stdin.split("\n")):
        command, code = _DEBUGGER.search(text), _DEBUGGER_CODE.search(text)
        if command:
            yield Inner(script=command[1])
        elif code:
            yield Inner(script=code[1], language="python")
        else:
            yield from _texts(text)


def _cmake(arguments: Sequence[str], stdin: str) -> Iterator[Inner]:
    """`cmake -E` is a small shell of its own, and a script runs programs by name."""
    if value_of(arguments, "-P") is not None:
        yield from (Inner(script=match[1]) for match in _CMAKE_RUNS.finditer(stdin))
    if len(arguments) < 3 or arguments[0] != "-E":
        return
    verb, rest = arguments[1], tuple(arguments[2:])
    if verb in ("env", "time", "chdir"):
        skipped = rest[1:] if verb == "chdir" else rest
        yield Inner(("env", *skipped) if verb == "env" else skipped)
    elif verb in _BUILD_TOOL:
        yield Inner((_BUILD_TOOL[verb], *(("-rf",) if "directory" in verb else ()), *rest))


_EDITOR_KEYS = expression(r"(?i)<(?:cr|nl|enter|return|esc)>")
_EDITOR_COMMAND = expression(r"-[a-zA-Z]{0,4}c|--cmd|--eval")
_EDITOR_RUNS = expression(
    r"(?:^|[|:\n])\s*(?:sil(?:ent)?!?\s+)?[\d.,;$%'<>+-]*\s*(?:(?:r|read|w|write|e|edit)\s*)?(?:!|ter(?:m|minal)?\s)\s*([^\n]+)"
    r"|(?:system|os\.execute|io\.popen)\((['\"])(.*?)\2\)|shell-command\S* \"([^\"]*)\""
)
_DATABASE_RUNS = expression(
    r"(?:^|[;\n])\s*(?:\\!|\.sh(?:e|el|ell)?\b|\.sys\w*|system)\s+([^\n;]+)"
    r"|(?:^|[;\n])\s*(?:\.(?:read|import|once|output|o\w*|excel)|\\(?:o|g|copy|w|gx)\b[^\n|]*)\s*['\"]?\|([^\n'\"]+)"
    r"|(?i:\bprogram)\s+'([^']+)'|\bedit\([^,)]*,\s*'([^']+)'"
)
# Options whose value is a command.
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "tar": tuple("--to-command --use-compress-program -I --rsh-command -F --info-script --new-volume-script".split()),
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
    "go": ("-exec", "-toolexec", "-vettool"),
    "dpkg": ("--pre-invoke", "--post-invoke"),
}


# A file that they are given is data to them.
_READ_NO_CODE_OF_FILES = frozenset("sed gsed mail mailx mutt w3m telnet git tar gtar less npm pnpm make gmake".split())
# They take what they are fed as commands, and some of these run programs.
_TAKE_COMMANDS = frozenset({"dc", "ed", "ex", "vi", "vim", "nvim", "m4", "gm4", "gdb", "lldb", "ftp", "lftp"})


def embedded(name: str, arguments: Sequence[str], stdin: str, made: str = "") -> list[Inner]:
    """`made` is the text of files among the arguments that this very command made."""
    reader = _READERS.get(name)
    stdin = "\n".join(filter(None, (stdin, made))) if name not in _READ_NO_CODE_OF_FILES else stdin
    found = [*reader(arguments, stdin)] if reader is not None else []
    found += in_literals(name, arguments, stdin)
    if name in _TAKE_COMMANDS and FETCHED in stdin:
        found.append(Inner(script=FETCHED))
    for option in _OPTIONS.get(name, ()):
        value = value_of(arguments, option) or _behind_sign(arguments, option)
        if value and not value.startswith("-"):
            found.append(Inner(script=value))
    return found


def _behind_sign(arguments: Sequence[str], option: str) -> str | None:
    """`-exec=x`: Go's options have one dash."""
    return next((each[len(option) + 1 :] for each in arguments if each.startswith(f"{option}=")), None)


_PROCESSES = ("foreman", "honcho", "overmind", "hivemind", "forego")
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
# Which files a program reads unasked, and the options by which it is given another one.
READ_UNASKED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("make", "gmake"), _MAKEFILES),
    "just": ("justfile", "Justfile", ".justfile"),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), ("package.json",)),
    **dict.fromkeys(("pytest", "py.test"), ("conftest.py", "tests/conftest.py")),
    **dict.fromkeys(_PROCESSES, ("Procfile",)),
    "direnv": (".envrc",),
}
NAMED_BY = ("-f", "--file", "--makefile", "--justfile", "--procfile")
_PROCESS = expression(r"(?m)^[\w-]+:[ \t]*(\S.*)$")
_SCRIPT = expression(r"\"[\w:.-]+\"\s*:\s*\"((?:[^\"\\]|\\.)*)\"")
_STEP = expression(r"^[ \t]+@?-?(\S.*)$", re.MULTILINE)


def recipes(name: str, text: str) -> list[Inner]:
    """What such a file has the program run."""
    if FETCHED in text:
        return [Inner(script=FETCHED)]
    if name in ("make", "gmake"):
        return made(("-f", "-"), text)
    if name == "just":
        return [Inner(script=match[1]) for match in _STEP.finditer(text)]
    if name in ("pytest", "py.test"):
        return [Inner(script=text, language="python")]
    if name in _PROCESSES:
        return [Inner(script=match[1]) for match in _PROCESS.finditer(text)]
    if name == "direnv":
        return [Inner(script=text)]
    return [Inner(script=match[1].replace('\\"', '"')) for match in _SCRIPT.finditer(text) if " " in match[1]]


def _editor(arguments: Sequence[str], stdin: str) -> list[Inner]:
    texts = [argument.removeprefix("+") for argument in arguments if argument.startswith(("+", ":", "!"))]
    texts += [arguments[i + 1] for i, argument in enumerate(arguments[:-1]) if _EDITOR_COMMAND.fullmatch(argument)]
    return [
        Inner(script=match[1] or match[3] or match[4])
        for text in [*texts, stdin]
        for match in _EDITOR_RUNS.finditer(_EDITOR_KEYS.sub("\n", text))
    ]


def _database(arguments: Sequence[str], stdin: str) -> list[Inner]:
    found = (match for text in (*arguments, stdin) for match in _DATABASE_RUNS.finditer(text))
    return [Inner(script=next(filter(None, match.groups()))) for match in found]


def _tar(arguments: Sequence[str], stdin: str) -> list[Inner]:
    actions = [argument.partition("exec=")[2] for argument in arguments if "checkpoint-action=exec=" in argument]
    return [Inner(script=action) for action in actions]


def _git(arguments: Sequence[str], stdin: str) -> list[Inner]:
    found: list[Inner] = []
    for index, argument in enumerate(arguments):
        setting = arguments[index + 1] if argument == "-c" and index + 1 < len(arguments) else ""
        setting = argument[2:] if argument.startswith("-c") and "=" in argument and not setting else setting
        found += set_to_run(setting)
        if argument.startswith("ext::"):
            found.append(Inner(tuple(_of_transport(argument.removeprefix("ext::")))))
    verb, rest = git_verb(arguments)
    return [*found, *_git_runs(verb, rest), *named_to_run(verb, rest)]


def _of_transport(text: str) -> list[str]:
    """`ext::sh -c a% b`: a blank behind a % belongs to the word."""
    return [word.replace("\0", " ").replace("%%", "%") for word in text.replace("% ", "\0").split()]


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
        # A push leaves from each of them, and only the run tells which they are.
        return [Inner(script=" ".join(words), cwd=UNKNOWN if "push" in " ".join(words) else "")]
    if verb == "for-each-repo":
        inner = rest[first_operand(rest, ("--config",)) :]
        return [Inner(("git", *inner), cwd=UNKNOWN)] if inner else []
    if verb in ("remote-ext", "remote-fd") and len(rest) > 1:
        return [Inner(script=" ".join(rest[1:]))]
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
        is_here = "localhost" in arguments or value_of(arguments, "-c", "--connection") == "local"
        return [Inner(script=text, where=HERE if is_here else REMOTE)] if text else []
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


def _rake(arguments: Sequence[str], stdin: str) -> list[Inner]:
    is_fed = value_of(arguments, "-f", "--rakefile") in ("-", "/dev/stdin")
    return [Inner(script=stdin, language="ruby")] if is_fed else []


def _at(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return [Inner(script=stdin, stdin="")] if stdin else []


def _gh(arguments: Sequence[str], stdin: str) -> list[Inner]:
    """An alias runs what it stands for, later."""
    if list(arguments[:2]) != ["alias", "set"]:
        return []
    text = "".join([each for each in arguments[2:] if not each.startswith("-")][1:2])
    is_shell = text.startswith("!") or not {"-s", "--shell"}.isdisjoint(arguments)
    return [Inner(script=text.removeprefix("!") if is_shell else f"gh {text}")] if text else []


def _compose(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return [Inner(tuple(arguments[2:]), where=CONTAINER)] if arguments[:1] in (("ssh",), ["ssh"]) else []


def _crontab(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return scheduled(stdin) if not arguments or "-" in arguments else []


def _timed(arguments: Sequence[str], stdin: str) -> list[Inner]:
    """Python -m timeit: what is timed is code."""
    return [Inner(script=each, language="python") for each in arguments if not each.startswith("-")]


def _configured(option: str, setting: re.Pattern[str]) -> Reader:
    """Settings in an option, whose value is a program."""

    def read(arguments: Sequence[str], stdin: str) -> list[Inner]:
        found = (setting.search(each) for each in values_of(arguments, option))
        return [Inner(script=match[1]) for match in found if match]

    return read


def _lines(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return [Inner(script=line, stdin="") for line in stdin.split("\n") if line.strip()]


def _ssh_settings(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return [Inner(script=match[1] or match[2], stdin="") for match in _SSH_RUNS.finditer(stdin)]


def _of_compiler(arguments: Sequence[str], stdin: str) -> list[Inner]:
    return [Inner(tuple((value_of(arguments, "-wrapper") or "").split(",")))] if "-wrapper" in arguments else []


def _python_at_input(arguments: Sequence[str], stdin: str) -> list[Inner]:
    is_fed = list(arguments[:1]) == ["run"] and "-" in arguments
    return [Inner(script=stdin, language="python")] if is_fed else []


_INVOKES = expression(r"(?i)-Invoke[^=]*=(.+)")
_CARGO_RUNS = expression(r"(?:runner|linker|wrapper|rustc|credential-provider)\s*=\s*[\"']?([^\"']+)")
_SSH_RUNS = expression(r"(?im)^\s*(?:proxy|local|knownhosts)command[ \t=]+(.+)$|\bexec[ \t]+\"?([^\"\n]+)")


def _multiplexer(name: str) -> Reader:
    """Commands in a file of its own; `run-shell x` is what the program's own command line takes."""

    def read(arguments: Sequence[str], stdin: str) -> list[Inner]:
        lines = [line.strip() for line in stdin.split("\n")]
        return [Inner(script=f"{name} {line}", stdin="") for line in lines if line and line[0] != "#"]

    return read


def _code_of_framework(option: str, language: str, *words: str) -> Reader:
    """`rails runner CODE`, `manage.py shell -c CODE`, `artisan tinker --execute CODE`; or it is what they are fed."""

    def read(arguments: Sequence[str], stdin: str) -> list[Inner]:
        plain = [each for each in arguments if not each.startswith("-")]
        if not plain or plain[0] not in words:
            return []
        named = value_of(arguments, option) if option else "".join(plain[1:2])
        return [Inner(script=named or stdin, language=language)]

    return read


_READERS: Mapping[str, Reader] = by_name(
    {
        "cmake": _cmake,
        "apt apt-get": _configured("-o", _INVOKES),
        "cargo": _configured("--config", _CARGO_RUNS),
        "logrotate": _lines,
        "ssh": _ssh_settings,
        "gcc g++ cc c++": _of_compiler,
        "uv jupyter": _python_at_input,
        "tmux": _multiplexer("tmux"),
        "screen": _multiplexer("screen"),
        "rails": _code_of_framework("", "ruby", "runner", "r", "console", "c"),
        "manage.py": _code_of_framework("-c", "python", "shell", "shell_plus"),
        "flask": _code_of_framework("-c", "python", "shell"),
        "artisan": _code_of_framework("--execute", "php", "tinker"),
        "mix": _code_of_framework("-e", "elixir", "run", "eval"),
        "gdb lldb": _debugger,
        "less": _less,
        "npm pnpm": _scripts_set,
        "pdb": _pdb,
        "timeit": _timed,
        "crontab": _crontab,
        "sed gsed": run_by_sed,
        "vim vi nvim ex ed emacs": _editor,
        "psql mysql mariadb sqlite3 duckdb": _database,
        "make gmake": made,
        "tar gtar": _tar,
        "git": _git,
        "ansible": _ansible,
        "pdsh fab pssh parallel-ssh clush": _many_hosts,
        "salt": _salt,
        "rake": _rake,
        "socat": _socat,
        "at batch": _at,
        "vagrant": _compose,
        "gh glab": _gh,
    }
)
