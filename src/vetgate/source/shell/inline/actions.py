"""What a call does, by its name: one table per language, a few kinds of deeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell import decode
from vetgate.source.shell.folders import joined
from vetgate.source.shell.inline import texts
from vetgate.source.shell.inline.values import Done, ReaderContext, Value, known_texts, text_of, texts_of
from vetgate.source.shell.placeholders import CREDENTIAL, FETCHED, HIDDEN, STAR, UNKNOWN
from vetgate.source.shell.runs import Inner
from vetgate.source.shell.scope import is_secret_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Deed = Callable[["InlineCall"], Value]
# Languages in which opening a file by such a name runs a command.
_PIPES = frozenset({"ruby", "perl"})
_FETCHES = expression(r"(?:^|[\s;|&(/])(?:curl|wget|https?|xh|aria2c|nc|ncat|socat)\s")


class InlineCall:
    """One call: its arguments as far as they are known, and where its deeds go."""

    def __init__(
        self, language: str, arguments: Sequence[Value], named: Mapping[str, Value], known: ReaderContext
    ) -> None:
        self.language = language
        self.arguments = list(arguments)
        self.named = named
        self.known = known
        self.done = Done()
        self.entered = ""

    def inners(self, environment: Mapping[str, str], folder: str) -> list[Inner]:
        """What it runs, with what it is given on the way: variables, and the folder that the program is in by now."""
        named = next((text_of(self.named[name]) for name in FOLDER_OPTIONS if name in self.named), "")
        where = joined((folder, named))
        return [replace(inner, env={**environment, **inner.env}, cwd=inner.cwd or where) for inner in self.done.inners]

    def argument(self, index: int, *names: str) -> Value:
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.arguments[index] if index < len(self.arguments) else None

    def program(self, *argv: str, stdin: str = "") -> None:
        self.done.inners.append(Inner(argv, stdin=stdin))

    def script(self, text: str) -> None:
        self.done.inners.append(Inner(script=text))


class CodeReader:
    """What readers of all languages keep: values and variables as far as they are known, and what the code does."""

    def __init__(self, language: str, known: ReaderContext) -> None:
        self.done = Done()
        self._language = language
        self._known = known
        self._values: dict[str, Value] = {}
        self._environment: dict[str, str] = {}
        self._folder = ""

    def _perform(self, deed: Deed, call: InlineCall, environment: Mapping[str, str]) -> Value:
        result = deed(call)
        self.done.inners += call.inners({**self._environment, **environment}, self._folder)
        self.done.printed += call.done.printed
        self._folder = joined((self._folder, call.entered))
        return result

    def _run_perhaps(self, values: Sequence[Value]) -> None:
        """Texts that the run may well take for scripts."""
        self.done.inners += [Inner(script=text, stdin="", cwd=self._folder) for text in known_texts(values)]


# By which a call says where its program runs: Python and Node.js, Ruby, Elixir.
FOLDER_OPTIONS = ("cwd", "chdir", "cd")
_HERE = "."


def change_folder(call: InlineCall) -> None:
    """For all that follows."""
    call.entered = text_of(call.argument(0))


def current_folder(_call: InlineCall) -> Value:
    return _HERE


def run_script(call: InlineCall) -> Value:
    script = text_of(call.argument(0, "cmd", "command"))
    call.script(script)
    return output_of(script)


def output_of(script: str) -> str:
    """Of a command that other code runs: where it comes from the network, that shows."""
    return FETCHED + UNKNOWN if _FETCHES.search(script) else UNKNOWN


def run_process(call: InlineCall) -> Value:
    """A list is a program and its arguments; a text goes to a shell, with a list behind it it is the program."""
    first, second = call.argument(0, "cmd", "command"), call.argument(1)
    listed = call.named.get("args")
    first, second = (listed, second) if first is None else (first, listed if second is None else second)
    if isinstance(first, list):
        call.program(*texts_of(first))
    elif isinstance(second, list):
        call.program(text_of(first), *texts_of(second))
    elif isinstance(second, str) and call.language not in ("python", "javascript"):
        call.program(*map(text_of, call.arguments))
    else:
        call.script(text_of(first))
    return output_of(" ".join(text_of(each) for each in (first, *call.arguments)))


def run_listed(call: InlineCall) -> None:
    """os.execv(path, [name, …]): the first of the list is only a name."""
    path, rest = text_of(call.argument(0)), call.argument(1)
    call.program(path, *(texts_of(rest)[1:] if isinstance(rest, list) else ()))


def run_each(call: InlineCall) -> None:
    call.program(text_of(call.argument(0)), *map(text_of, call.arguments[2:]))


def run_all(call: InlineCall) -> Value:
    call.program(*map(text_of, call.arguments))
    return UNKNOWN


# Passed to something that calls them, they run whatever text is passed with them.
RUNNERS = frozenset({run_script, run_process, run_listed, run_each, run_all})


def remove_trees(call: InlineCall) -> None:
    for path in _paths(call):
        call.program("rm", "-rf", path)


def remove_files(call: InlineCall) -> None:
    for path in _paths(call):
        call.program("rm", "-rf" if call.language in ("r", "julia") else "-f", path)


def _paths(call: InlineCall) -> list[str]:
    every = [path for argument in call.arguments for path in texts_of(argument)]
    return [path for path in every if path and not path.isdigit()] or [UNKNOWN]


def remove_by_option(call: InlineCall) -> None:
    """fs.rm and its kin: whether it goes into folders is an option of the call."""
    path = text_of(call.argument(0))
    recursive = call.named.get("recursive") not in (None, "", "false")
    call.program("rm", "-rf" if recursive else "-f", path)


def _as_program(*words: str, takes: int) -> Deed:
    """What a program does when so many of the arguments stand behind these words."""

    def deed(call: InlineCall) -> None:
        call.program(*words, *(text_of(call.argument(index)) for index in range(takes)))

    return deed


truncate_file = _as_program("truncate", "-s", "0", takes=1)
move_file = _as_program("mv", takes=2)
copy_file = _as_program("cp", takes=2)
fork_process = _as_program("fork", takes=0)


def write_file(call: InlineCall) -> None:
    call.program("tee", text_of(call.argument(0)), stdin=text_of(call.argument(1)))


def append_file(call: InlineCall) -> None:
    call.program("tee", "-a", text_of(call.argument(0)), stdin=text_of(call.argument(1)))


def read_file(call: InlineCall) -> Value:
    path = text_of(call.argument(0))
    if "://" in path:
        return _request(call, ())
    call.program("cat", path)
    return call.known.written.get(path) or call.known.content(path)


def read_settings(call: InlineCall) -> Value:
    """Without a path, of `.env`."""
    path = text_of(call.argument(0, "dotenv_path")) if call.arguments or call.named else ".env"
    call.program("cat", path)
    return call.known.content(path)


def open_file(call: InlineCall) -> Value:
    path, mode = text_of(call.argument(0, "file")), text_of(call.argument(1, "mode"))
    if call.language in _PIPES and (path[:1] == "|" or path.rstrip()[-1:] == "|" or mode in ("|-", "-|")):
        call.script(path.strip(" |"))
        return UNKNOWN
    if mode[:1] in ("w", "x") or mode[:1] == ">":
        call.program("tee", path, stdin=UNKNOWN)
        return path
    if mode[:1] == "a":
        call.program("tee", "-a", path, stdin=UNKNOWN)
        return path
    return read_file(call)


def fetch_from(call: InlineCall) -> Value:
    data = [text_of(call.named[name]) for name in ("data", "json", "params", "body") if name in call.named]
    return _request(call, data)


def fetch_into(call: InlineCall) -> Value:
    """urlretrieve(address, file)."""
    path = text_of(call.argument(1, "filename"))
    call.program("curl", "-o", path, text_of(call.argument(0, "url")))
    call.known.written[path] = FETCHED + UNKNOWN
    return path


def unpack(call: InlineCall) -> None:
    """`archive.extractall(folder)`, `shutil.unpack_archive(archive, folder)`."""
    folder = text_of(
        call.named.get("path") or call.named.get("extract_dir") or "".join(map(text_of, call.arguments[-1:]))
    )
    call.program("unzip", "archive.zip", "-d", folder or ".")


def receive(call: InlineCall) -> Value:
    """From a connection that is open."""
    return FETCHED + UNKNOWN


def run_file(call: InlineCall) -> None:
    call.done.inners.append(Inner((call.language, text_of(call.argument(0, "path_name")))))


def run_module(call: InlineCall) -> None:
    """`import(address)`: what is no address is a file, or a package of the project."""
    text = text_of(call.argument(0))
    scheme, _, code = text.partition(",")
    if FETCHED in text or text.startswith(("http:", "https:")):
        call.done.inners.append(Inner(script=FETCHED, language=call.language))
    elif scheme.startswith("data:"):
        call.done.inners.append(Inner(script=code, language=call.language))


def send_to(call: InlineCall) -> Value:
    """With anything behind the address as what is sent."""
    return _request(call, [text_of(each) for each in (*call.arguments[1:], *call.named.values())])


def _request(call: InlineCall, data: Sequence[str]) -> Value:
    url = text_of(call.argument(0, "url"))
    sent = [piece for item in data for piece in ("--data", item)]
    call.program("curl", *sent, url)
    return FETCHED + UNKNOWN


def run_code(call: InlineCall) -> Value:
    call.done.inners.append(Inner(script=text_of(call.argument(0)), language=call.language))
    return UNKNOWN


def run_last(call: InlineCall) -> Value:
    """New Function("a", "b", code)."""
    call.done.inners.append(
        Inner(script=text_of(call.arguments[-1] if call.arguments else None), language=call.language)
    )
    return UNKNOWN


def from_codes(call: InlineCall) -> Value:
    return texts.from_codes(call.arguments)


def from_codes_or_text(call: InlineCall) -> Value:
    first = call.argument(0)
    return texts.from_codes([first]) if isinstance(first, list) or text_of(first).isdigit() else first


def unquoted(call: InlineCall) -> Value:
    return texts.method("unescape", call.argument(0), ())


def change_mode_of(call: InlineCall) -> None:
    """With the mode first."""
    for path in call.arguments[1:]:
        call.program("chmod", text_of(call.argument(0)), text_of(path))


def change_mode(call: InlineCall) -> None:
    """Numbers are read as decimals, so the mode goes through as it stands."""
    call.program("chmod", text_of(call.argument(1)), text_of(call.argument(0)))


def kill_process(call: InlineCall) -> None:
    call.program("kill", f"-{text_of(call.argument(1))}", text_of(call.argument(0)))


def show(call: InlineCall) -> None:
    text = " ".join(map(text_of, call.arguments))
    call.done.printed += text + "\n"
    if CREDENTIAL in text:
        call.program("echo", text)


def decode_base64(call: InlineCall) -> Value:
    return decode.from_base64(text_of(call.argument(0)))


def unhex(call: InlineCall) -> Value:
    return decode.from_hex(text_of(call.argument(0)))


def hide(call: InlineCall) -> Value:
    """What was packed by whoever wrote the command; of a file it stays as known as that was."""
    packed = call.argument(0)
    return HIDDEN if isinstance(packed, str) and packed and UNKNOWN not in packed else packed


def decode_by_name(call: InlineCall) -> Value:
    text, codec = text_of(call.argument(0)), text_of(call.argument(1))
    if codec.startswith("rot"):
        return decode.rot13(text)
    return decode.from_hex(text) if codec.startswith("hex") else decode.from_base64(text)


def decode_buffer(call: InlineCall) -> Value:
    """Buffer.from(text, encoding), or of numbers."""
    if isinstance(call.argument(0), list):
        return texts.from_codes(call.arguments[:1])
    text, encoding = text_of(call.argument(0)), text_of(call.argument(1))
    return {"base64": decode.from_base64, "hex": decode.from_hex}.get(encoding, str)(text)


def home_folder(call: InlineCall) -> Value:
    return call.known.home


def expand_home(call: InlineCall) -> Value:
    text = text_of(call.argument(0))
    return call.known.home + text[1:] if text[:1] == "~" else text


def join_paths(call: InlineCall) -> Value:
    result = ""
    for piece in map(text_of, call.arguments):
        result = piece if piece.startswith("/") or not result else f"{result.rstrip('/')}/{piece}"
    return result


def first_argument(call: InlineCall) -> Value:
    return call.argument(0)


def variable(name: str, known: ReaderContext) -> str:
    """Of the environment."""
    if name == "HOME":
        return known.home
    given = known.environment.get(name, UNKNOWN)
    return given + (CREDENTIAL if is_secret_name(name) else "")


def get_variable(call: InlineCall) -> Value:
    return variable(text_of(call.argument(0)), call.known)


def read_stdin(call: InlineCall) -> Value:
    return call.known.content("/dev/stdin")


def run_statement(call: InlineCall) -> Value:
    """SQL, given to a driver."""
    call.program("psql", "-c", text_of(call.argument(0)))
    return UNKNOWN


def run_if_passed(call: InlineCall) -> Value:
    """`ctypes.CDLL(None).system(x)`; without an argument it is something else of that name."""
    return run_script(call) if call.arguments else None


def run_behind_mode(call: InlineCall) -> None:
    """os.spawnvp(mode, file, arguments)."""
    call.arguments[:] = call.arguments[1:]
    run_listed(call)


def run_each_behind_mode(call: InlineCall) -> None:
    """os.spawnlp(mode, file, argument, …)."""
    call.arguments[:] = call.arguments[1:]
    run_each(call)


def open_database(call: InlineCall) -> None:
    call.program("sqlite3", text_of(call.argument(0, "database")).removeprefix("file:").partition("?")[0])


def get_address(call: InlineCall) -> Value:
    """A `get` is a request when it is given an address."""
    return _request(call, ()) if "://" in text_of(call.argument(0)) else None


def matches_of(call: InlineCall) -> Value:
    """A glob, as some file that it matches."""
    pattern = text_of(call.argument(0))
    if call.language == "perl" and pattern.startswith("~/"):  # the only one of them that knows a ~
        pattern = text_of(home_folder(call)) + pattern[1:]
    return [pattern.replace("*", STAR)]


def entries_of(call: InlineCall) -> Value:
    """Of a folder; os.walk gives the folder itself first."""
    return [f"{text_of(call.argument(0)).rstrip('/')}/{STAR}"]


def matches_below(call: InlineCall) -> Value:
    """`Path.home().rglob("*.py")`: how deep they lie, only the run tells."""
    folder, pattern = text_of(call.argument(0)).rstrip("/"), text_of(call.argument(1)) if call.arguments[1:] else "*"
    return [f"{folder}/{STAR}/{pattern.replace('*', STAR)}"]


def run_packed(call: InlineCall) -> Value:
    """What a text was packed to that stands in the code itself may be any call."""
    packed = call.argument(0)
    if isinstance(packed, str) and packed and UNKNOWN not in packed:
        call.script(HIDDEN)
    return UNKNOWN


def run_behind_handles(call: InlineCall) -> Value:
    """Perl's open3($in, $out, $err, COMMAND): handles are no text that anybody knows."""
    words = [each for each in call.arguments if isinstance(each, str) and not each.isdigit()]
    call.arguments[:] = words
    return run_process(call) if words else None


def pack(call: InlineCall) -> Value:
    """Of Perl and PHP: `pack("H*", …)`."""
    first, second = text_of(call.argument(0)), text_of(call.argument(1))
    return decode.from_hex(second) if first[:1] in {"H", "h"} else texts.from_codes(call.arguments[1:])


def filled_in(call: InlineCall) -> Value:
    """`sprintf("%s -rf ~", "rm")`."""
    text = text_of(call.argument(0))
    for each in call.arguments[1:]:
        text = text.replace("%s", text_of(each), 1)
    return text
