"""Which call does what: a table of names for each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.source.shell import decode
from vetgate.source.shell.inline import actions as do
from vetgate.source.shell.inline.actions import InlineCall
from vetgate.source.shell.inline.values import Value, text_of
from vetgate.source.shell.runs import by_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.source.shell.inline.actions import Deed


def _each_by_name(call: InlineCall) -> Value:
    """array_map("unlink", …)."""
    deed = deed_of(call.language, text_of(call.argument(0)))
    inner = InlineCall(call.language, call.arguments[1:], {}, call.known)
    if deed is not None:
        deed(inner)
        call.done.inners += inner.done.inners
    return None


_PYTHON: Mapping[str, Deed] = by_name(
    {
        "invoke.run fabric.run fabric.local "
        "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "
        "asyncio.create_subprocess_shell": do.run_script,
        "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn "
        "sh.Command "
        "pexpect.spawn pexpect.run pexpect.spawnu pexpect.popen_spawn.PopenSpawn "
        "ptyprocess.PtyProcess.spawn": do.run_process,
        "asyncio.create_subprocess_exec": do.run_all,
        "os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp": do.run_listed,
        "os.spawnv os.spawnvp os.spawnve os.spawnvpe": do.run_behind_mode,
        ".system .popen": do.run_if_passed,
        "os.execl os.execlp os.execle os.execlpe": do.run_each,
        "os.spawnlp os.spawnl": do.run_each_behind_mode,
        "shutil.unpack_archive .extractall": do.unpack,
        "shutil.rmtree os.removedirs .rmtree ._rmtree .remove_tree send2trash.send2trash": do.remove_trees,
        "os.remove os.unlink os.rmdir .unlink .rmdir": do.remove_files,
        "os.truncate .truncate": do.truncate_file,
        "os.rename os.replace shutil.move .rename .replace_path": do.move_file,
        "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree": do.copy_file,
        ".write_text .write_bytes": do.write_file,
        ".read_text .read_bytes": do.read_file,
        "dotenv.dotenv_values": do.read_settings,
        "open io.open .open": do.open_file,
        "os.chmod": do.change_mode,
        "os.chdir os.fchdir contextlib.chdir .chdir": do.change_folder,
        "os.getcwd os.getcwdb pathlib.Path.cwd Path.cwd": do.current_folder,
        "os.kill os.killpg": do.kill_process,
        "os.fork": do.fork_process,
        "requests.get urllib.request.urlopen urllib.urlopen urllib2.urlopen httpx.get requests.request "
        "urllib3.request .urlopen": do.fetch_from,
        "urllib.request.urlretrieve .urlretrieve": do.fetch_into,
        ".getresponse .recv .recvfrom": do.receive,
        "runpy.run_path": do.run_file,
        "requests.post requests.put requests.patch httpx.post httpx.put .sendall .sendto .post": do.send_to,
        "cProfile.run cProfile.runctx profile.run profile.runctx pdb.run pdb.runeval bdb.run "
        "exec eval compile builtins.exec builtins.eval timeit.timeit timeit.repeat timeit.Timer "
        ".runsource .runcode": do.run_code,
        "print": do.show,
        "base64.b64decode base64.decodebytes base64.urlsafe_b64decode .b64decode": do.decode_base64,
        "bytes.fromhex bytearray.fromhex binascii.unhexlify": do.unhex,
        "codecs.decode": do.decode_by_name,
        ".decompress marshal.loads": do.hide,
        "pathlib.Path.home Path.home": do.home_folder,
        "os.path.expanduser": do.expand_home,
        ".expanduser": do.expand_home,
        "os.path.join pathlib.Path Path pathlib.PosixPath .joinpath": do.join_paths,
        "os.getenv os.environ.get": do.get_variable,
        "sys.stdin.read sys.stdin.readlines input": do.read_stdin,
        ".execute .executescript .executemany": do.run_statement,
        "sqlite3.connect apsw.Connection aiosqlite.connect sqlite3.dbapi2.connect": do.open_database,
        "chr bytes bytearray": do.from_codes_or_text,
        "pickle.loads cPickle.loads dill.loads": do.run_packed,
        "str dict list json.dumps ast.parse json.load json.loads tomllib.load tomllib.loads yaml.safe_load "
        "os.path.abspath os.path.realpath os.fspath .decode .encode .strip .read .readlines .resolve .text "
        "shlex.split .format .rstrip": do.first_argument,
        "glob.glob glob.iglob": do.matches_of,
        "os.walk os.listdir os.scandir .iterdir": do.entries_of,
        ".rglob .glob": do.matches_below,
    }
)
_JAVASCRIPT: Mapping[str, Deed] = by_name(
    {
        ".exec .execSync .execAsync .$ exec execSync": do.run_script,
        ".spawn .spawnSync .execFile .execFileSync .fork spawn spawnSync execFileSync .Command": do.run_process,
        ".rm .rmSync .remove .removeSync .rmdir .rmdirSync .delete": do.remove_by_option,
        ".rimraf rimraf .sync .emptyDirSync .emptyDir": do.remove_trees,
        ".unlink .unlinkSync": do.remove_files,
        ".truncate .truncateSync": do.truncate_file,
        ".rename .renameSync .move .moveSync": do.move_file,
        ".copyFile .copyFileSync .cpSync .copySync": do.copy_file,
        ".writeFile .writeFileSync .writeTextFile .writeTextFileSync .createWriteStream .outputFileSync": do.write_file,
        ".appendFile .appendFileSync": do.append_file,
        ".readFile .readFileSync .readTextFile .readTextFileSync .createReadStream": do.read_file,
        "fetch .fetch axios.get axios": do.fetch_from,
        "import": do.run_module,
        "encodeURIComponent encodeURI": do.first_argument,
        ".get .request": do.get_address,
        ".kill": do.kill_process,
        ".post axios.post": do.send_to,
        "eval .runInThisContext .runInNewContext .eval": do.run_code,
        "Function .Function .constructor": do.run_last,
        "String.fromCharCode .fromCharCode .fromCodePoint": do.from_codes,
        "unescape decodeURIComponent decodeURI": do.unquoted,
        ".chmod .chmodSync": do.change_mode,
        ".chdir": do.change_folder,
        "process.cwd Deno.cwd": do.current_folder,
        "Database .Database .DatabaseSync DatabaseSync": do.open_database,
        ".log": do.show,
        "Buffer.from": do.decode_buffer,
        "atob": do.decode_base64,
        ".homedir": do.home_folder,
        ".join .resolve": do.join_paths,
        ".toString .trim .text String .stringify": do.first_argument,
    }
)
_RUBY: Mapping[str, Deed] = by_name(
    {
        "system exec spawn .system .exec .spawn .popen .capture2 .capture3 .capture2e %x ` .sh sh": do.run_process,
        ".rm_rf .rm_r .remove_dir .remove_entry .rmtree .remove_entry_secure .remove_dir": do.remove_trees,
        ".delete .unlink .rm .rm_f .rmdir": do.remove_files,
        ".truncate": do.truncate_file,
        ".mv .rename": do.move_file,
        ".cp .cp_r": do.copy_file,
        ".write .binwrite": do.write_file,
        ".read .readlines .binread": do.read_file,
        "URI.open OpenURI.open_uri": do.fetch_from,
        ".open open": do.open_file,
        ".get .get_response .open_uri": do.fetch_from,
        ".post .post_form": do.send_to,
        "eval instance_eval .eval .class_eval": do.run_code,
        "File.chmod .chmod": do.change_mode_of,
        "Dir.chdir .chdir FileUtils.cd": do.change_folder,
        "Dir.pwd Dir.getwd": do.current_folder,
        ".pack": do.from_codes,
        "puts print p": do.show,
        "Base64.decode64 .decode64 .strict_decode64": do.decode_base64,
        "Dir.home": do.home_folder,
        "File.expand_path": do.expand_home,
        "Pathname Pathname.new": do.first_argument,
        "File.join": do.join_paths,
        ".to_s .strip .chomp .body": do.first_argument,
        "fork": do.fork_process,
        "Dir.glob Dir.[]": do.matches_of,
    }
)
_OTHERS: Mapping[str, Deed] = by_name(
    {
        "shell system qx ` exec shell_exec passthru popen proc_open os.execute io.popen pcntl_exec run spawn "
        "system.cmd System.cmd System.shell :os.cmd os.cmd pipe_open": do.run_process,
        "array_map array_walk": _each_by_name,
        "print printf echo puts say": do.show,
        "glob": do.matches_of,
        "rmtree remove_tree File::Path::rmtree File::Path::remove_tree File.rm_rf File.rm_rf!": do.remove_trees,
        "unlink os.remove rmdir file.remove rm File.rm File.rm!": do.remove_files,
        "rename os.rename move": do.move_file,
        "copy": do.copy_file,
        "truncate": do.truncate_file,
        "file_put_contents": do.write_file,
        "file_get_contents readfile file open io.open fopen": do.open_file,
        "eval load loadstring dofile assert": do.run_code,
        "execvp execv POSIX::execvp POSIX::execv": do.run_process,
        "chmod": do.change_mode_of,
        "chdir lfs.chdir setwd cd File.cd POSIX::chdir": do.change_folder,
        "call_user_func call_user_func_array forward_static_call": _each_by_name,
        "get LWP::Simple::get": do.fetch_from,
        "base64_decode decode_base64": do.decode_base64,
        "hex2bin": do.unhex,
        "str_rot13": lambda call: decode.rot13(text_of(call.argument(0))),
        "open2 open3 IPC::Open2::open2 IPC::Open3::open3": do.run_behind_handles,
        "pack": do.pack,
        "sprintf string.format": do.filled_in,
        "strrev reverse": lambda call: text_of(call.argument(0))[::-1],
        "fork": do.fork_process,
        "getenv os.getenv": do.get_variable,
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
