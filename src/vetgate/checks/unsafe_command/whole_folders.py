"""Folders that are read whole, with the credentials below them: a search, a copy or an archive of the home folder."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import READS_CREDENTIALS, MatchedEffect
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.options import packed_by_tar, value_of, values_of
from vetgate.source.shell.placeholders import STAR, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_GREPS = frozenset({"grep", "egrep", "fgrep", "ggrep", "zgrep", "ugrep", "ug", "rgrep", "ack"})
_ALWAYS_DEEP = frozenset({"rgrep", "ack"})
# These leave out what begins with a dot, unless told otherwise.
_SHY = frozenset({"rg", "ag"})
_COPIES = frozenset({"cp", "gcp", "rsync", "zip"})
_COMPARES = frozenset({"diff", "colordiff"})
_TARS = frozenset({"tar", "gtar", "bsdtar"})
# Programs that hand out a folder over the network, and the options that name it; "" for the first operand.
_SERVERS = {
    "http.server": ("-d", "--directory"),
    "php": ("-t", "--docroot"),
    "httpd": ("-h",),
    **dict.fromkeys(("serve", "http-server", "live-server", "miniserve", "simple-http-server"), ("", "-s")),
}
_CONTAINERS = frozenset({"docker", "podman", "nerdctl"})
_SOURCE = expression(r"(?:^|,)(?:source|src)=([^,]+)")
_SAFE = "search the folders that you mean, one by one"
# What limits a search to files by their names: credentials are not among them, or are named.
_LIMITS = ("--include", "-g", "--glob", "--iglob", "-t", "--type", "-G", "--file-search-regex")
_NAMES = ("--include", "-g", "--glob", "--iglob")
_FIND_LIMITS = frozenset(
    {"-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-maxdepth", "-samefile", "-inum"}
)
_FIND_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FIND_READS = frozenset(
    "cat head tail grep egrep fgrep rg less more strings xxd od hexdump base64 cp tar zip curl awk sed".split()
)
# What `find` prints of a folder when nothing limits it, and programs that take such a list from their input.
_ALL_BELOW = f"/{STAR}/{STAR}"
_TAKE_LISTS = frozenset({"cpio", "pax", "zip", "rsync", *_TARS})


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    for path in (*_read_whole(run), *_listed(run)):
        full = context.paths.resolve(run, path)
        if full is not None and context.secrets.lie_below(full):
            yield MatchedEffect(
                READS_CREDENTIALS, f"it reads all of {shown(path)}, with the credentials that lie there", _SAFE
            )
            return
    for path in _is_named_below(run, context):
        yield MatchedEffect(READS_CREDENTIALS, f"it searches credentials below {shown(path)}", _SAFE)
        return


def _is_named_below(run: ProgramRun, context: EffectContext) -> Iterator[str]:
    """Folders that are searched for files by a name that credentials bear."""
    if run.name not in _GREPS | _SHY:
        return
    names = [each.removeprefix("**/") for each in values_of(run.arguments, *_NAMES) if each[:1] != "!"]
    operands = [each for each in run.arguments if not each.startswith("-")] if names else []
    for path in operands:
        full = context.paths.resolve(run, path)
        if full is not None and any(context.secrets.found_below(full, name) for name in names):
            yield path


def _read_whole(run: ProgramRun) -> Sequence[str]:
    name, arguments = run.name, run.arguments
    if name == "git":
        verb, rest = git_verb(arguments)
        folder = value_of(arguments[: len(arguments) - len(rest)], "-C") or ""
        return [_below(folder, each) for each in _searched_by_git(verb, rest)]
    if name in _TARS:
        return () if any(each.startswith("--exclude") for each in arguments) else packed_by_tar(arguments)
    if name in _CONTAINERS:
        return _mounted(arguments) if "run" in arguments[:2] else ()
    operands = [each for each in arguments if not each.startswith("-") or each == "-"]
    if name == "find":
        return _found(arguments, operands)
    return _read_by_operands(name, arguments, operands)


def _listed(run: ProgramRun) -> list[str]:
    """Folders of which a list of everything was handed on: `find ~ -type f | xargs cat`."""
    reads = run.name in _FIND_READS | _GREPS | _SHY | _COPIES
    lines = run.stdin.split("\n") if run.name in _TAKE_LISTS else ()
    named = (*(run.arguments if reads else ()), *lines)
    return [each.removesuffix(_ALL_BELOW) or "/" for each in named if each.endswith(_ALL_BELOW)]


def _read_by_operands(name: str, arguments: Sequence[str], operands: Sequence[str]) -> Sequence[str]:
    if name in _GREPS | _SHY:
        return _searched(name, arguments, operands) if _goes_deep(name, Words(arguments), arguments) else ()
    if name in _SERVERS:
        folder = value_of(arguments, *_SERVERS[name])
        return [folder] if folder else operands[:1] if "" in _SERVERS[name] else ()
    if name in _COMPARES:
        return operands if Words(arguments).has("-r", "--recursive") else ()
    return _copied(name, Words(arguments), operands) if name in _COPIES else ()


def _mounted(arguments: Sequence[str]) -> Sequence[str]:
    """Folders that a container is given: `-v ~:/home`, `--mount type=bind,source=...`."""
    mounts = [value for option, value in pairwise(arguments) if option in ("-v", "--volume", "--mount")]
    mounts += [each.partition("=")[2] for each in arguments if each.startswith(("--volume=", "--mount="))]
    named = [_SOURCE.search(each) for each in mounts]
    return [match[1] if match else each.partition(":")[0] for each, match in zip(mounts, named, strict=True)]


def _copied(name: str, words: Words, operands: Sequence[str]) -> Sequence[str]:
    if name != "rsync" and not words.has("-r", "-R", "-a", "--recursive", "--archive"):
        return ()
    return operands[1:] if name == "zip" else operands[:-1]


def _goes_deep(name: str, words: Words, arguments: Sequence[str]) -> bool:
    if any(each.startswith(_LIMITS) for each in arguments):
        return False
    if name in _SHY:
        return words.has("--hidden", "-.", "--unrestricted", "-uu", "-uuu", "-u")
    return name in _ALWAYS_DEEP or (
        words.has("-r", "-R", "--recursive", "--dereference-recursive")
        or (value_of(arguments, "-d", "--directories") or "") == "recurse"
    )


def _searched(name: str, arguments: Sequence[str], operands: Sequence[str]) -> Sequence[str]:
    """All operands: what the search looks for is no folder. Without another one it is where the command runs."""
    names_pattern = value_of(arguments, "-e", "-f", "--regexp", "--file") is not None
    return operands if len(operands) > (0 if names_pattern else 1) or name == "git" else ["."]


def _below(folder: str, path: str) -> str:
    return f"{folder.rstrip('/')}/{path}" if folder and not path.startswith(("/", "~")) else path


def _searched_by_git(verb: str, rest: Sequence[str]) -> Sequence[str]:
    if verb != "grep" or "--no-index" not in rest:
        return ()
    return _searched("git", rest, [each for each in rest if not each.startswith("-")])


def _found(arguments: Sequence[str], operands: Sequence[str]) -> Sequence[str]:
    """Only with a program that reads what is found, and nothing that limits that."""
    runs = [index for index, each in enumerate(arguments[:-1]) if each in _FIND_RUNS]
    reads = any(arguments[index + 1].rpartition("/")[2] in _FIND_READS for index in runs)
    if not reads or not _FIND_LIMITS.isdisjoint(arguments):
        return ()
    start = next(index for index, each in enumerate(arguments) if each.startswith("-") and len(each) > 2)
    return [each for each in arguments[:start] if each in operands] or ["."]
