"""What a call does, by its name: one table per language, a few kinds of deeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.source.shell import decode
from vetgate.source.shell.inline.values import Done, Known, Value, text_of, texts_of
from vetgate.source.shell.marks import FETCHED, STAR, UNKNOWN
from vetgate.source.shell.runs import Inner

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Deed = Callable[["Call"], Value]


class Call:
    """One call: its arguments as far as they are known, and where its deeds go."""

    def __init__(self, language: str, arguments: Sequence[Value], named: Mapping[str, Value], known: Known) -> None:
        self.language = language
        self.arguments = list(arguments)
        self.named = named
        self.known = known
        self.done = Done()

    def argument(self, index: int, *names: str) -> Value:
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.arguments[index] if index < len(self.arguments) else None

    def program(self, *argv: str, stdin: str = "") -> None:
        self.done.inners.append(Inner(argv, stdin=stdin))

    def script(self, text: str) -> None:
        self.done.inners.append(Inner(script=text))


def _script(call: Call) -> Value:
    call.script(text_of(call.argument(0, "cmd", "command")))
    return UNKNOWN


def _process(call: Call) -> Value:
    """A list is a program and its arguments; a text goes to a shell, with a list behind it it is the program."""
    first, second = call.argument(0, "args", "cmd", "command"), call.argument(1)
    if isinstance(first, list):
        call.program(*texts_of(first))
    elif isinstance(second, list):
        call.program(text_of(first), *texts_of(second))
    elif isinstance(second, str) and call.language in ("ruby", "perl"):
        call.program(*map(text_of, call.arguments))
    else:
        call.script(text_of(first))
    return UNKNOWN


def _exec(call: Call) -> Value:
    """os.execv(path, [name, …]): the first of the list is only a name."""
    path, rest = text_of(call.argument(0)), call.argument(1)
    call.program(path, *(texts_of(rest)[1:] if isinstance(rest, list) else ()))
    return None


def _exec_each(call: Call) -> Value:
    call.program(text_of(call.argument(0)), *map(text_of, call.arguments[2:]))
    return None


def _all_arguments(call: Call) -> Value:
    call.program(*map(text_of, call.arguments))
    return UNKNOWN


def _remove_tree(call: Call) -> Value:
    for path in _paths(call):
        call.program("rm", "-rf", path)
    return None


def _remove(call: Call) -> Value:
    for path in _paths(call):
        call.program("rm", "-rf" if call.language == "r" else "-f", path)
    return None


def _paths(call: Call) -> list[str]:
    every = [path for argument in call.arguments for path in texts_of(argument)]
    return [path for path in every if path and not path.isdigit()] or [UNKNOWN]


def _rm(call: Call) -> Value:
    """fs.rm and its kin: whether it goes into folders is an option of the call."""
    path = text_of(call.argument(0))
    recursive = call.named.get("recursive") not in (None, "", "false")
    call.program("rm", "-rf" if recursive else "-f", path)
    return None


def _truncate(call: Call) -> Value:
    call.program("truncate", "-s", "0", text_of(call.argument(0)))
    return None


def _move(call: Call) -> Value:
    call.program("mv", text_of(call.argument(0)), text_of(call.argument(1)))
    return None


def _copy(call: Call) -> Value:
    call.program("cp", text_of(call.argument(0)), text_of(call.argument(1)))
    return None


def _write(call: Call) -> Value:
    call.program("tee", text_of(call.argument(0)), stdin=text_of(call.argument(1)))
    return None


def _append(call: Call) -> Value:
    call.program("tee", "-a", text_of(call.argument(0)), stdin=text_of(call.argument(1)))
    return None


def _read(call: Call) -> Value:
    path = text_of(call.argument(0))
    if "://" in path:
        return _request(call, ())
    call.program("cat", path)
    return call.known.content(path)


def _open(call: Call) -> Value:
    path, mode = text_of(call.argument(0, "file")), text_of(call.argument(1, "mode"))
    if mode[:1] in ("w", "x") or mode[:1] == ">":
        call.program("tee", path, stdin=UNKNOWN)
        return path
    if mode[:1] == "a":
        call.program("tee", "-a", path, stdin=UNKNOWN)
        return path
    return _read(call)


def _fetch(call: Call) -> Value:
    data = [text_of(call.named[name]) for name in ("data", "json", "params", "body") if name in call.named]
    return _request(call, data)


def _send(call: Call) -> Value:
    """With anything behind the address as what is sent."""
    return _request(call, [text_of(each) for each in (*call.arguments[1:], *call.named.values())])


def _request(call: Call, data: Sequence[str]) -> Value:
    url = text_of(call.argument(0, "url"))
    sent = [piece for item in data for piece in ("--data", item)]
    call.program("curl", *sent, url)
    return FETCHED + UNKNOWN


def _code(call: Call) -> Value:
    call.done.inners.append(Inner(script=text_of(call.argument(0)), language=call.language))
    return UNKNOWN


def _chmod(call: Call) -> Value:
    """Numbers are read as decimals, so the mode goes through as it stands."""
    call.program("chmod", text_of(call.argument(1)), text_of(call.argument(0)))
    return None


def _kill(call: Call) -> Value:
    call.program("kill", f"-{text_of(call.argument(1))}", text_of(call.argument(0)))
    return None


def _print(call: Call) -> Value:
    call.done.printed += " ".join(map(text_of, call.arguments)) + "\n"
    return None


def _base64(call: Call) -> Value:
    return decode.from_base64(text_of(call.argument(0)))


def _hex(call: Call) -> Value:
    return decode.from_hex(text_of(call.argument(0)))


def _codec(call: Call) -> Value:
    text, codec = text_of(call.argument(0)), text_of(call.argument(1))
    if codec.startswith("rot"):
        return decode.rot13(text)
    return decode.from_hex(text) if codec.startswith("hex") else decode.from_base64(text)


def _buffer(call: Call) -> Value:
    """Buffer.from(text, encoding)."""
    text, encoding = text_of(call.argument(0)), text_of(call.argument(1))
    return {"base64": decode.from_base64, "hex": decode.from_hex}.get(encoding, str)(text)


def _home(call: Call) -> Value:
    return call.known.home


def _expanded(call: Call) -> Value:
    text = text_of(call.argument(0))
    return call.known.home + text[1:] if text[:1] == "~" else text


def _joined(call: Call) -> Value:
    result = ""
    for piece in map(text_of, call.arguments):
        result = piece if piece.startswith("/") or not result else f"{result.rstrip('/')}/{piece}"
    return result


def _same(call: Call) -> Value:
    return call.argument(0)


def _environment(call: Call) -> Value:
    return call.known.home if call.argument(0) == "HOME" else UNKNOWN


def _pattern(call: Call) -> Value:
    """A glob, as some file that it matches."""
    return [text_of(call.argument(0)).replace("*", STAR)]


def _entries(call: Call) -> Value:
    """Of a folder; os.walk gives the folder itself first."""
    return [f"{text_of(call.argument(0)).rstrip('/')}/{STAR}"]


def _fork(call: Call) -> Value:
    call.program("fork")
    return None


def _table(lines: Mapping[str, Deed]) -> dict[str, Deed]:
    return {name: deed for names, deed in lines.items() for name in names.split()}


_PYTHON = _table(
    {
        "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "
        "asyncio.create_subprocess_shell": _script,
        "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn "
        "sh.Command": _process,
        "asyncio.create_subprocess_exec": _all_arguments,
        "os.execv os.execvp os.execve os.execvpe": _exec,
        "os.execl os.execlp os.execle os.execlpe": _exec_each,
        "os.spawnlp os.spawnl": lambda call: (call.arguments.pop(0) if call.arguments else None, _exec_each(call))[1],
        "shutil.rmtree os.removedirs .rmtree": _remove_tree,
        "os.remove os.unlink os.rmdir .unlink .rmdir": _remove,
        "os.truncate .truncate": _truncate,
        "os.rename os.replace shutil.move .rename .replace_path": _move,
        "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree": _copy,
        ".write_text .write_bytes": _write,
        ".read_text .read_bytes": _read,
        "open io.open .open": _open,
        "os.chmod": _chmod,
        "os.kill os.killpg": _kill,
        "os.fork": _fork,
        "requests.get urllib.request.urlopen urllib.urlopen urllib2.urlopen httpx.get requests.request "
        "urllib.request.urlretrieve urllib3.request": _fetch,
        "requests.post requests.put requests.patch httpx.post httpx.put .sendall .sendto .post": _send,
        "exec eval compile builtins.exec builtins.eval": _code,
        "print": _print,
        "base64.b64decode base64.decodebytes base64.urlsafe_b64decode .b64decode": _base64,
        "bytes.fromhex bytearray.fromhex binascii.unhexlify": _hex,
        "codecs.decode": _codec,
        "pathlib.Path.home Path.home": _home,
        "os.path.expanduser": _expanded,
        ".expanduser": _expanded,
        "os.path.join pathlib.Path Path pathlib.PosixPath .joinpath": _joined,
        "os.getenv os.environ.get": _environment,
        "str bytes os.path.abspath os.path.realpath os.fspath .decode .encode .strip .read .readlines .resolve .text "
        "shlex.split .format .rstrip": _same,
        "glob.glob glob.iglob": _pattern,
        "os.walk os.listdir os.scandir .iterdir .rglob .glob": _entries,
    }
)
_JAVASCRIPT = _table(
    {
        ".exec .execSync .execAsync .$ exec execSync": _script,
        ".spawn .spawnSync .execFile .execFileSync .fork spawn spawnSync execFileSync .Command": _process,
        ".rm .rmSync .remove .removeSync .rmdir .rmdirSync .delete": _rm,
        ".rimraf rimraf .sync .emptyDirSync .emptyDir": _remove_tree,
        ".unlink .unlinkSync": _remove,
        ".truncate .truncateSync": _truncate,
        ".rename .renameSync .move .moveSync": _move,
        ".copyFile .copyFileSync .cpSync .copySync": _copy,
        ".writeFile .writeFileSync .writeTextFile .writeTextFileSync .createWriteStream .outputFileSync": _write,
        ".appendFile .appendFileSync": _append,
        ".readFile .readFileSync .readTextFile .readTextFileSync .createReadStream": _read,
        "fetch .fetch axios.get axios": _fetch,
        ".post axios.post": _send,
        "eval .runInThisContext .runInNewContext Function": _code,
        ".log": _print,
        "Buffer.from": _buffer,
        "atob": _base64,
        ".homedir": _home,
        ".join .resolve": _joined,
        ".toString .trim .text String": _same,
    }
)
_RUBY = _table(
    {
        "system exec spawn .system .popen .capture2 .capture3 .capture2e %x ` .sh sh": _process,
        ".rm_rf .rm_r .remove_dir .remove_entry .rmtree .remove_entry_secure .remove_dir": _remove_tree,
        ".delete .unlink .rm .rm_f .rmdir": _remove,
        ".truncate": _truncate,
        ".mv .rename": _move,
        ".cp .cp_r": _copy,
        ".write .binwrite": _write,
        ".read .readlines .binread": _read,
        "URI.open OpenURI.open_uri": _fetch,
        ".open open": _open,
        ".get .get_response .open_uri": _fetch,
        ".post .post_form": _send,
        "eval instance_eval .eval .class_eval": _code,
        "puts print p": _print,
        "Base64.decode64 .decode64 .strict_decode64": _base64,
        "Dir.home": _home,
        "File.expand_path": _expanded,
        "File.join": _joined,
        ".to_s .strip .chomp .body": _same,
        "fork": _fork,
        "Dir.glob Dir.[]": _pattern,
    }
)
_OTHERS = _table(
    {
        "system qx ` exec shell_exec passthru popen proc_open os.execute io.popen pcntl_exec run spawn "
        "system.cmd System.cmd pipe_open": _process,
        "rmtree remove_tree File::Path::rmtree File::Path::remove_tree": _remove_tree,
        "unlink os.remove rmdir file.remove rm": _remove,
        "rename os.rename move": _move,
        "copy": _copy,
        "truncate": _truncate,
        "file_put_contents": _write,
        "file_get_contents readfile file open io.open fopen": _open,
        "eval load loadstring dofile": _code,
        "get LWP::Simple::get": _fetch,
        "base64_decode decode_base64": _base64,
        "hex2bin": _hex,
        "str_rot13": lambda call: decode.rot13(text_of(call.argument(0))),
        "strrev reverse": lambda call: text_of(call.argument(0))[::-1],
        "fork": _fork,
        "getenv os.getenv": _environment,
    }
)
_TABLES: Mapping[str, Mapping[str, Deed]] = {"python": _PYTHON, "javascript": _JAVASCRIPT, "ruby": _RUBY}


def deed_of(language: str, name: str) -> Deed | None:
    """By the whole name, or by the method alone."""
    table = _TABLES.get(language, _OTHERS)
    found = table.get(name)
    if found is None and "." in name:
        found = table.get("." + name.rpartition(".")[2])
    return found
