"""What programs print, as far as their arguments and input say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell import decode
from vetgate.source.shell.fetching import destination
from vetgate.source.shell.options import value_of, values_of
from vetgate.source.shell.placeholders import (
    ANY,
    CREDENTIAL,
    FETCHED,
    LISTS_GATE,
    NAMES_GATE,
    OWN_FILES,
    STAR,
    UNKNOWN,
    has_glob,
    is_known,
    taints,
    without_globs,
)
from vetgate.source.shell.runs import by_name
from vetgate.source.shell.this_machine import OWN_NAME
from vetgate.source.shell.words import unescaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from vetgate.source.shell.scope import ShellState

    Prints = Callable[["Input"], str]

_DIRECTIVE = expression(r"%(?:%|[-+ #0]*(?:\d+|\*)?(?:\.\d+)?(?P<kind>[sdiqbxXoufceg]))")
_SUBSTITUTE = expression(
    r"s(?P<by>[/|,#:@])(?P<old>(?:\\.|(?!(?P=by)).)*)(?P=by)(?P<new>(?:\\.|(?!(?P=by)).)*)(?P=by)(?P<flags>\w*)"
)
_WHOLE_LINES = frozenset({".*", "^.*", "^.*$", ".*$"})
_LITERAL = expression(r"[^\[\].*^$\\+?()|{}]*")
_MOST_REPEATS = 64
_PRINTS_NAMES = expression(r"-[a-zA-Z]*[lL][a-zA-Z]*|--files(?:-with-matches|-without-match)?")
_NAMES_OF_FILES = ("--include", "-g", "--glob", "--iglob")
_PLAIN_PATTERN = expression(r"\^?((?:[\w-]|\\\.)+)\$?")


class Input:
    """What a program is given, and how it reads files."""

    def __init__(self, arguments: Sequence[str], stdin: str, scope: ShellState, content: Callable[[str], str]) -> None:
        self.arguments = arguments
        self.stdin = stdin
        self.scope = scope
        self._content = content

    def operands(self, with_value: Sequence[str] = ()) -> list[str]:
        found = []
        skipped = False
        for argument in self.arguments:
            if skipped:
                skipped = False
            elif argument in with_value:
                skipped = True
            elif not argument.startswith("-") or argument == "-":
                found.append(argument)
        return found

    def text(self, operands: Sequence[str]) -> str:
        """The files named, or what is fed in."""
        if not operands:
            return self.stdin
        return "".join(self.stdin if name == "-" else self._content(name) for name in operands)


def printed(name: str, given: Input) -> str:
    prints = _PRINTS.get(name)
    if prints is not None:
        return prints(given)
    return _other(given)


def _other(given: Input) -> str:
    """Something, with the marks of whatever went in."""
    seen = taints(given.stdin) + "".join(taints(argument) for argument in given.arguments)
    files = "".join(taints(given.text([argument])) for argument in given.arguments if argument[:1] not in ("-", ""))
    return UNKNOWN + seen + files


def _echo(given: Input) -> str:
    arguments = list(given.arguments)
    escapes = False
    while arguments and re.fullmatch(r"-[neE]+", arguments[0]):
        escapes = escapes or "e" in arguments.pop(0)
    text = without_globs(" ".join(arguments))
    return (unescaped(text, octal_zero=True) if escapes else text) + "\n"


def _printf(given: Input) -> str:
    arguments = list(given.arguments)
    if arguments[:1] == ["-v"] and len(arguments) > 2:
        given.scope.variables[arguments[1]] = _formatted(arguments[2], arguments[3:])
        return ""
    if arguments[:1] == ["--"]:
        del arguments[0]
    return _formatted(arguments[0], arguments[1:]) if arguments else ""


def _formatted(template: str, values: Sequence[str]) -> str:
    template = unescaped(without_globs(template))
    slots = len([match for match in _DIRECTIVE.finditer(template) if match["kind"]])
    left = [without_globs(value) for value in values]
    pieces = []
    for _ in range(_MOST_REPEATS):
        pieces.append(_DIRECTIVE.sub(lambda match: _directive(match, left), template))
        if not slots or not left:
            break
    return "".join(pieces)


def _directive(match: re.Match[str], left: list[str]) -> str:
    if not match["kind"]:
        return "%"
    value = left.pop(0) if left else ""
    return unescaped(value, octal_zero=True) if match["kind"] == "b" else value


def _passed_on(*with_value: str) -> Prints:
    """Programs that print what they read, or some of it."""
    return lambda given: given.text(given.operands(with_value))


def _matching(given: Input) -> str:
    """Grep and its kin: lines of what they read; the pattern itself is not read."""
    operands = given.operands(("-e", "-f", "-A", "-B", "-C", "-m", "-g", "-t"))
    files = operands if "--files" in given.arguments or value_of(given.arguments, "-e", "-f") else operands[1:]
    may_name = _limited(given, files)
    if any(_PRINTS_NAMES.fullmatch(argument) for argument in given.arguments):
        return may_name + _under(files)
    marks = taints(given.text(files))
    return UNKNOWN + (marks.replace(LISTS_GATE, may_name) if files else marks)


def _limited(given: Input, folders: Sequence[str]) -> str:
    """A line of its own with the mark, where the gate's own files may be among those that a search names."""
    names = [each for each in values_of(given.arguments, *_NAMES_OF_FILES) if each[:1] != "!"] or [STAR]
    return _marked(given, [f"{folder.rstrip('/')}/{STAR}/{_as_glob(name)}" for folder in folders for name in names])


def _marked(given: Input, paths: Sequence[str]) -> str:
    return LISTS_GATE + "\n" if any(LISTS_GATE in given.text([each]) for each in paths) else ""


def _as_glob(name: str) -> str:
    return name.replace("**/", "").replace("*", STAR).replace("?", ANY)


def _under(folders: Sequence[str]) -> str:
    """Some files below folders; the name before the last slash says where."""
    return "\n".join(f"{folder.rstrip('/')}/{STAR}" for folder in folders or ["."]) + "\n"


def _listing(given: Input) -> str:
    folders = given.operands()
    named = [each for each in folders if has_glob(each)]
    if any(each.startswith("-") and "d" in each for each in given.arguments):
        return "\n".join(folders or ["."]) + "\n"
    return "".join(f"{each}\n" for each in named) + (_under(folders) if folders else STAR + "\n")


def matched_names(arguments: Sequence[str], *tests: str) -> list[str]:
    """The patterns of find that a file has to match; not those it must not."""
    return [
        arguments[index + 1]
        for index, argument in enumerate(arguments[:-1])
        if argument in tests and arguments[max(index - 1, 0)] not in ("-not", "!")
    ]


def found_by(arguments: Sequence[str]) -> list[str]:
    """What `find` may find: where it starts, and the name it looks for; right there where it goes no deeper."""
    start = next((i for i, argument in enumerate(arguments) if argument[:1] in ("-", "(", "!")), len(arguments))
    folders = arguments[:start] or ["."]
    names = matched_names(arguments, "-name", "-iname")
    paths = matched_names(arguments, "-path", "-wholename")
    shapes = [name.replace("*", STAR) for name in names] or [each for path in paths for each in _shapes(path)]
    deep = "" if value_of(arguments, "-maxdepth") == "1" else f"{STAR}/"
    return [f"{folder.rstrip('/')}/{deep}{shape}" for folder in folders for shape in shapes or [STAR]]


def _shapes(path: str) -> Iterator[str]:
    """Of `-path`, whose * goes over slashes: the last names, and once more with folders where it stands in between."""
    bare = path.strip("*/")
    yield bare.replace("*", STAR)
    if "*" in bare or (path[:1] == "*" and path[1:2] != "/"):
        ends = STAR if path.endswith("*") else ""
        yield STAR + bare.replace("*", f"{STAR}/{STAR}") + ends


def _found(given: Input) -> str:
    found = found_by(given.arguments)
    own_form = UNKNOWN + "\n" if "-printf" in given.arguments else ""
    return own_form + _marked(given, found) + "\n".join(found) + "\n"


def _found_by_fd(given: Input) -> str:
    ran = next((i for i, each in enumerate(given.arguments) if each in ("-x", "--exec", "-X", "--exec-batch")), None)
    search = Input(given.arguments[:ran], given.stdin, given.scope, lambda path: given.text([path]))
    operands = search.operands(("-e", "--extension", "-t", "--type", "-d", "--max-depth", "-E", "--exclude", "-S"))
    extension = value_of(search.arguments, "-e", "--extension")
    plain = _PLAIN_PATTERN.fullmatch(operands[0]) if operands else None
    name = STAR + plain[1].replace("\\", "") + STAR if plain else STAR
    name = f"{STAR}.{extension}" if extension else name
    found = [f"{folder.rstrip('/')}/{STAR}/{name}" for folder in operands[1:] or ["."]]
    return _marked(given, found) + ("\n".join(found) + "\n" if operands[1:] or name != STAR else _under([]))


def _base64(given: Input) -> str:
    text = given.text(given.operands(("-w", "-b", "-i", "-o")))
    decodes = any(
        argument in ("--decode", "-D") or re.fullmatch(r"-[a-z]*d[a-z]*", argument) for argument in given.arguments
    )
    return decode.from_base64(text) if decodes else UNKNOWN + taints(text)


def _base32(given: Input) -> str:
    text = given.text(given.operands())
    return (
        decode.from_base32(text) if any("d" in a for a in given.arguments if a[:1] == "-") else UNKNOWN + taints(text)
    )


def _xxd(given: Input) -> str:
    text = given.text(given.operands(("-l", "-s", "-c", "-g"))[:1])
    reverses = any(re.fullmatch(r"-[a-z]*r[a-z]*|--?revert", argument) for argument in given.arguments)
    return decode.from_hex(text) if reverses else UNKNOWN + taints(text)


def _openssl(given: Input) -> str:
    arguments = given.arguments
    source = value_of(arguments, "-in")
    text = given.text([source]) if source else given.stdin
    if "s_client" in arguments:
        return FETCHED + UNKNOWN
    if "-d" not in arguments:
        return UNKNOWN + taints(text)
    if "base64" in arguments or "-base64" in arguments or "-a" in arguments:
        return decode.from_base64(text)
    return decode.opaque(text)


def _sed(given: Input) -> str:
    operands = given.operands(("-e", "-f"))
    script = value_of(given.arguments, "-e")
    files = operands if script else operands[1:]
    script = script or (operands[0] if operands else "")
    text = given.text(files)
    rule = _SUBSTITUTE.fullmatch(script.removesuffix(";q"))
    if rule is not None and rule["old"] in _WHOLE_LINES and rule["flags"] in ("", "g") and "&" not in rule["new"]:
        return rule["new"].replace("\\" + rule["by"], rule["by"]) + "\n"
    if rule is not None and rule["old"] == "^" and rule["new"].endswith("/"):
        # Names of files, of which a folder stands before each.
        return f"{rule['new']}{STAR}\n{taints(text)}"
    if rule is None or not is_known(text):
        return text if is_known(text) and script in ("", "p") else UNKNOWN + taints(text)
    if not _LITERAL.fullmatch(rule["old"]):
        return UNKNOWN + taints(text)
    return text.replace(rule["old"], rule["new"], -1 if "g" in rule["flags"] else 1)


def _cut(given: Input) -> str:
    text = given.text(given.operands(("-d", "-f", "-c", "-b")))
    delimiter = value_of(given.arguments, "-d", "--delimiter") or "\t"
    fields = value_of(given.arguments, "-f", "--fields") or ""
    characters = value_of(given.arguments, "-c", "-b") or ""
    if characters and is_known(text):
        return "\n".join(_columns(line, characters) for line in text.split("\n"))
    if not fields.isdigit() or not is_known(text):
        return UNKNOWN + ("" if delimiter == "=" and fields == "1" else taints(text))
    return "\n".join((line.split(delimiter) + [""] * 99)[int(fields) - 1] for line in text.split("\n"))


def _columns(line: str, spec: str) -> str:
    first, _, last = spec.partition("-")
    if not (first or "1").isdigit() or not (last or "1").isdigit():
        return UNKNOWN
    start = int(first or 1) - 1
    return line[start : int(last) if last else (None if "-" in spec else start + 1)]


def _which(given: Input) -> str:
    names = given.operands()
    return f"/usr/bin/{names[0]}\n" if names else UNKNOWN


def _command(given: Input) -> str:
    return _which(given) if given.arguments[:1] in (("-v",), ["-v"], ["-V"]) else UNKNOWN


def _fetched(given: Input) -> str:
    return FETCHED + UNKNOWN


def _wget(given: Input) -> str:
    to_stdout = value_of(given.arguments, "-O", "--output-document")
    clusters = any(re.fullmatch(r"-[a-z]*O-", argument) for argument in given.arguments)
    return FETCHED if to_stdout == "-" or clusters else ""


def _curl(given: Input) -> str:
    return "" if destination("curl", given.arguments) else FETCHED + UNKNOWN


def _github(given: Input) -> str:
    """`gh api`, `gh gist view`, `gh issue view`: what somebody else wrote."""
    own = given.operands()[:1] in (["auth"], ["completion"], ["config"], ["alias"])
    return _other(given) if own else FETCHED + UNKNOWN


def _cloud_copy(given: Input) -> str:
    """`aws s3 cp s3://b/x -` and `gsutil cat` print what lies elsewhere."""
    prints = given.arguments[-1:] in (["-"], ("-",)) or "cat" in given.arguments
    return FETCHED + UNKNOWN if prints else _other(given)


def _kept_elsewhere(*verbs: str) -> Prints:
    """Programs that print what is kept in a database, a cluster or a repository of somebody else, or a model says."""
    return lambda given: _other(given) if frozenset(verbs).isdisjoint(given.arguments) else FETCHED + UNKNOWN


def _installed(given: Input) -> str:
    """`pip show -f vetgate` says where the gate's own program lies."""
    return _other(given) + (NAMES_GATE if "vetgate" in given.arguments else "")


def _package_page(given: Input) -> str:
    return FETCHED + UNKNOWN if given.operands()[:1] in (["view"], ["info"], ["show"]) else _other(given)


def _rev_parse(given: Input) -> str:
    if given.arguments[:1] and given.arguments[0] == "rev-parse":
        return {"--show-toplevel": given.scope.cwd, "--git-path": f".git/{given.arguments[-1]}"}.get(
            given.arguments[1] if len(given.arguments) > 1 else "", ".git" if "dir" in given.arguments[-1] else UNKNOWN
        )
    return _git(given)


# What git prints of files; of a log only with this option.
_SHOWS_FILES = frozenset({"archive", "bundle", "diff", "show", "format-patch", "fast-export", "cat-file"})
_PATCHES = frozenset({"-p", "-u", "--patch"})
_OF_OTHERS = ("--remote=", "FETCH_HEAD:")


def _packed(given: Input) -> str:
    return _other(given) + OWN_FILES


def _git(given: Input) -> str:
    if any(each.startswith(_OF_OTHERS) for each in given.arguments):
        return FETCHED + UNKNOWN
    verb = next((each for each in given.arguments if each in _SHOWS_FILES or each in ("log", "stash")), "")
    if verb in _SHOWS_FILES or (verb and _PATCHES.intersection(given.arguments)):
        return _packed(given)
    if given.arguments[:1] and given.arguments[0] in ("ls-files", "diff", "status"):
        return STAR + "\n"
    return _other(given)


def _processes(given: Input) -> str:
    """Numbers; what they are numbers of stays with them."""
    return UNKNOWN + "-".join(given.operands())


def _environment(given: Input) -> str:
    names = given.operands()
    if names:
        return (given.scope.value(names[0]) or UNKNOWN) + "\n"
    return UNKNOWN + CREDENTIAL


_PRINTS: Mapping[str, Prints] = by_name(
    {
        "echo print": _echo,
        "printf": _printf,
        "cat gcat bat tac nl": _passed_on(),
        "head tail": _passed_on("-n", "-c"),
        "sort": _passed_on("-k", "-t", "-o"),
        "uniq": _passed_on("-f", "-s", "-w"),
        "fold": _passed_on("-w"),
        "shuf": _passed_on("-n"),
        "pv": _passed_on("-s", "-L"),
        "dd": lambda given: given.text([a[3:] for a in given.arguments if a.startswith("if=")]),
        "rev": lambda given: decode.reversed_lines(given.text(given.operands())),
        "tr": lambda given: decode.translated(given.stdin, given.arguments),
        "base64 gbase64": _base64,
        "base32": _base32,
        "xxd": _xxd,
        "openssl": _openssl,
        "gunzip zcat gzip bunzip2 bzcat xz unxz xzcat zstd uudecode gpg": lambda given: decode.opaque(
            given.text(given.operands())
        ),
        "rot13": lambda given: decode.rot13(given.stdin),
        "sed": _sed,
        "tar gtar bsdtar zip cpio": _packed,
        "cut": _cut,
        "grep egrep fgrep rg ag": _matching,
        "ls": _listing,
        "find": _found,
        "fd": _found_by_fd,
        "which type": _which,
        "command": _command,
        "pwd": lambda given: given.scope.cwd + "\n",
        "mktemp": lambda given: "/tmp/tmp.mktemp\n",  # noqa: S108 - where it makes them
        "basename": lambda given: given.arguments[0].rstrip("/").rpartition("/")[2] + "\n" if given.arguments else "",
        "dirname": lambda given: (given.arguments[0].rpartition("/")[0] or ".") + "\n" if given.arguments else "",
        "realpath readlink": lambda given: given.scope.absolute((given.operands() or [UNKNOWN])[-1]) + "\n",
        "hostname": lambda given: (
            ("127.0.0.1" if "-I" in given.arguments or "-i" in given.arguments else OWN_NAME) + "\n"
        ),
        "uname": lambda given: (OWN_NAME if "-n" in given.arguments else UNKNOWN) + "\n",
        "pgrep pidof": _processes,
        "env printenv export set": _environment,
        "git": _rev_parse,
        "curl": _curl,
        "wget": _wget,
        "http https xh lynx w3m fetch get lwp-request ftp": _fetched,
        "nc telnet ncat netcat socat dig nslookup host drill": _fetched,
        "psql mysql mariadb llm": _fetched,
        "svn": _kept_elsewhere("cat"),
        "kubectl oc": _kept_elsewhere("cm", "configmap", "configmaps"),
        "redis-cli valkey-cli": _kept_elsewhere("get", "hget", "lrange", "GET", "HGET", "LRANGE"),
        "ollama": _kept_elsewhere("run"),
        "gh glab": _github,
        "aws gsutil gcloud rclone s3cmd": _cloud_copy,
        "npm pnpm yarn": _package_page,
        "pip uv pipx poetry pdm": _installed,
        "true : mkdir cp mv chmod": lambda given: "",
    }
)
