"""Deleting, emptying and overwriting files."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import DELETES, SYSTEM, MatchedEffect
from vetgate.checks.unsafe_command.losses import MOST_FILES, counted, listed
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.model import Decision
from vetgate.source.shell.options import copied, value_of
from vetgate.source.shell.outputs import matched_names
from vetgate.source.shell.placeholders import STAR, UNKNOWN, has_glob, shown
from vetgate.source.shell.runs import CONTAINER, HERE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

    Reader = Callable[[ProgramRun, Words, EffectContext], Iterator[MatchedEffect]]

_SYSTEM_FOLDERS = tuple(
    """
    /bin /boot /dev /etc /lib /lib64 /opt /proc /root /sbin /srv /sys /usr /var /system /library /applications
    /private/etc /private/var
    """.split()
)
_KEPT_IN_CONTAINER = ("/var/lib/", "/data/", "/home/", "/root/", "/srv/", "/etc/", "/usr/", "/mnt/")
_HARMLESS_DEVICES = expression(r"/dev/(?:null|stdout|stderr|stdin|tty|fd/\d+|shm(?:/.*)?|full|zero|u?random|pts/\d+)")
_DEVICE = expression(r"/dev/")
_SOCKET = expression(r"/dev/(?:tcp|udp)/")
_EVERYTHING = frozenset({STAR, f".{STAR}", f"{STAR}.{STAR}", f"{STAR}{STAR}"})
_OWN_FILES = "delete single files of the project by name, or only build output"
_OUTSIDE = ", which is outside of the project"
_LEAVE_IT = "leave it to a person, or work in a folder in /tmp"
_KEEP = "commit them first, or move them to a folder in /tmp"
_IN_ONE_STEP = "write the new content in one step, or delete the file by name"
_MOST_SHOWN = 120
_MOST_FOLDERS, _MOST_FOUND = 2_000, 500
_IN_CONTAINER = frozenset(
    {"/", "/etc", "/var", "/usr", "/home", "/root", "/data", "/opt", "/srv", "/app", "/bin", "/lib", "/var/lib"}
)


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    for write in run.writes:
        yield from written(run, write.path, context)
        if not write.appends and _says_nothing(run):
            yield from _emptied(run, write.path, context)
    reader = _READERS.get(run.name)
    if reader is not None:
        yield from reader(run, Words(run.arguments), context)
    elif run.argv and run.argv[0].startswith(UNKNOWN):
        yield from _unknown_program(run, context)


def _says_nothing(run: ProgramRun) -> bool:
    """A redirect that leaves the file empty."""
    if not run.argv:
        return not (run.code or run.reads or run.stdin)
    return run.name in (":", "true") or run.argv in (("echo", "-n"), ("printf", "")) or run.argv[1:] == ("/dev/null",)


def deleted(
    run: ProgramRun, paths: Sequence[str], context: EffectContext, *, recursive: bool
) -> Iterator[MatchedEffect]:
    """What deleting these paths would mean: refused outside of the project, inside of it by what would be lost."""
    inside = []
    for path in paths:
        complaint = _complaint(run, path, context, recursive=recursive)
        if complaint:
            yield MatchedEffect(DELETES, complaint, _LEAVE_IT if complaint.endswith(_OUTSIDE) else _OWN_FILES)
        elif _is_own(run, path, context):
            inside.append(path)
    yield from removed(run, inside, context)


def removed(run: ProgramRun, paths: Sequence[str], context: EffectContext) -> Iterator[MatchedEffect]:
    """Files of the project: what is committed can be brought back, what this session made is its own to delete."""
    loss = context.losses.removal(run, [_whole(path) for path in paths])
    if loss.is_nothing:
        return
    what = f"it deletes {shown(', '.join(paths))[:_MOST_SHOWN]}"
    if loss.unsure:
        yield MatchedEffect(DELETES, what, _OWN_FILES, Decision.ASK, f"deletes files, and {loss.unsure}")
    elif loss.lost:
        are = "is" if len(loss.lost) == 1 else "are"
        lost = f"loses {counted(len(loss.lost), 'file')} that {are} in no commit: {listed(loss.lost)}"
        yield MatchedEffect(DELETES, what, _KEEP, Decision.ASK, lost)
    elif loss.files > MOST_FILES and not loss.requested:
        yield MatchedEffect(DELETES, what, _OWN_FILES, Decision.ASK, f"deletes more than {MOST_FILES} files")
    elif loss.folder and not loss.requested:
        yield MatchedEffect(DELETES, what, _OWN_FILES, Decision.ASK, f"deletes the whole folder {loss.folder}/")
    else:
        them = "it" if loss.files == 1 else "them"
        back = f"deletes {counted(loss.files, 'file')} that git has; `git restore` brings {them} back"
        yield MatchedEffect(DELETES, what, "", Decision.WARN, back)


def _whole(path: str) -> str:
    """`x/*` is all of x."""
    return _folder_of_glob(path) if "/" in path and path.rpartition("/")[2] in _EVERYTHING else path


def _is_own(run: ProgramRun, path: str, context: EffectContext) -> bool:
    full, paths = context.paths.resolve(run, path), context.paths
    if full is None or paths.is_trusted(full) or paths.is_build_output(full):
        return False
    return paths.in_project(full)


def _complaint(run: ProgramRun, path: str, context: EffectContext, *, recursive: bool) -> str:
    name = shown(path).rstrip("/") or "/"
    full = context.paths.resolve(run, path)
    if full is None:
        return _elsewhere(run, path, recursive=recursive)
    paths = context.paths
    if paths.is_above(_folder_of_glob(full)):
        everything = (recursive or has_glob(full)) and not (has_glob(full) and paths.is_build_output(full))
        return f"it deletes {name}, which is the project, the home folder or a folder above them" if everything else ""
    if paths.is_trusted(full) or paths.is_build_output(full) or full == "/dev/null":
        return ""
    if paths.in_project(full):
        return _in_project(run, full, path, context, recursive=recursive)
    in_home = paths.is_inside(full, paths.home)
    temporary = paths.is_temporary(full) and not in_home and not path.startswith("..")
    return "" if temporary else f"it deletes {name}{_OUTSIDE}"


def _folder_of_glob(full: str) -> str:
    """`x/*`, `x/.*` and `x/*/*` are all of x."""
    names = full.split("/")
    while len(names) > 1 and names[-1] in _EVERYTHING:
        names.pop()
    return "/".join(names) or "/"


def _in_project(run: ProgramRun, full: str, path: str, context: EffectContext, *, recursive: bool) -> str:
    """What is refused also there: git's own folder, and what nobody can look at before it runs."""
    name = shown(path).rstrip("/")
    relative = context.paths.relative(full)
    if relative.split("/")[0] == ".git" and not relative.endswith(".lock"):
        return f"it deletes {name}, which holds the history of the project"
    known = UNKNOWN not in path and context.paths.place.root.is_dir()
    if known and (context.losses.located(run, path) or not context.losses.is_moved_before(run)):
        return ""
    if has_glob(full):
        last = shown(full.rpartition("/")[2])
        return f"it deletes {name}, which is not build output" if recursive or last.startswith("*") else ""
    is_file = context.paths.exists_as_file(full)
    if is_file is None:
        is_file = "." in full.rpartition("/")[2][1:] and not path.endswith("/")
    return f"it deletes the folder {name}, which is not build output" if recursive and not is_file else ""


def _elsewhere(run: ProgramRun, path: str, *, recursive: bool) -> str:
    name = shown(path)
    if run.where == HERE:
        unsure = path.startswith(UNKNOWN) and recursive
        return f"it deletes {name}, and nobody can know what that is before it runs" if unsure else ""
    bare = path.rstrip(f"/{STAR}") or "/"
    if run.where == CONTAINER:
        kept = bare in _IN_CONTAINER or bare.startswith(_KEPT_IN_CONTAINER)
        return f"it deletes {name} in a container" if recursive and kept else ""
    temporary = bare.startswith(("/tmp/", "/var/tmp/"))  # noqa: S108
    return f"it deletes {name} on another machine" if recursive and not temporary else ""


def written(run: ProgramRun, path: str, context: EffectContext) -> Iterator[MatchedEffect]:
    """Overwriting what belongs to the machine."""
    full = context.paths.resolve(run, path)
    if full is None or _HARMLESS_DEVICES.fullmatch(path) or _HARMLESS_DEVICES.fullmatch(full) or _SOCKET.match(full):
        return
    if _DEVICE.match(full):
        yield MatchedEffect(SYSTEM, f"it writes to the device {shown(path)}")
    elif is_system(full, context):
        yield MatchedEffect(SYSTEM, f"it writes {shown(path)}, a file of the machine")


def is_system(full: str, context: EffectContext) -> bool:
    paths = context.paths
    if (
        paths.in_project(full)
        or paths.is_temporary(full)
        or paths.is_inside(full, paths.home)
        or paths.is_trusted(full)
    ):
        return False
    if paths.is_temporary_root(full):
        return False
    return full.rfind("/") == 0 or any(paths.is_inside(full, folder) for folder in _SYSTEM_FOLDERS)


def _emptied(run: ProgramRun, path: str, context: EffectContext) -> Iterator[MatchedEffect]:
    full = context.paths.resolve(run, path)
    paths = context.paths
    if full is None or _HARMLESS_DEVICES.fullmatch(path):
        return
    if paths.is_trusted(full) or paths.is_build_output(full):
        return
    if not paths.in_project(full):
        if not paths.is_inside(full, paths.home) and (paths.is_temporary(full) or is_system(full, context)):
            return
        yield MatchedEffect(DELETES, f"it empties {shown(path)}, which is outside of the project")
    elif not paths.place.root.is_dir():
        if paths.exists_as_file(full.rpartition("/")[0]) is None:
            yield MatchedEffect(DELETES, f"it empties {shown(path)}", _IN_ONE_STEP)
    elif any(each.is_file() and each.stat().st_size for each in map(Path, context.losses.located(run, path))):
        yield from removed(run, [path], context)


def _operands(run: ProgramRun) -> list[str]:
    if "--" in run.arguments:
        index = run.arguments.index("--")
        before = [each for each in run.arguments[:index] if not each.startswith("-")]
        return [*before, *run.arguments[index + 1 :]]
    return [each for each in run.arguments if not each.startswith("-") or each == "-"]


def _rm(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    options = words.options
    asks = options.has("-i", "-I", "--interactive") and not options.has("-f", "--force")
    if asks and not is_answered(run):
        return
    recursive = options.has("-r", "-R", "--recursive", "-d", "--dir") or run.name in (
        "rimraf",
        "trash-empty",
        "del-cli",
    )
    yield from deleted(run, _operands(run), context, recursive=recursive)


def is_answered(run: ProgramRun) -> bool:
    """Whether something else than a person answers what a program asks before it acts."""
    return bool(run.stdin or run.reads)


def _unlink(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    yield from deleted(run, _operands(run), context, recursive=False)


def _shred(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    for path in _operands(run):
        if _DEVICE.match(path):
            yield MatchedEffect(SYSTEM, f"it overwrites the device {shown(path)}")
        else:
            yield MatchedEffect(DELETES, f"it overwrites {shown(path)} for good", "delete it by name instead")


def _truncate(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    size = next((value for value in run.arguments if re.fullmatch(r"(?:-s|--size=?)?0", value)), None)
    for path in _operands(run):
        if path != "0" and size is not None:
            yield from _emptied(run, path, context)
            yield from written(run, path, context)


def _find(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    arguments = run.arguments
    if "-delete" not in arguments or "-empty" in arguments:
        return
    start = next((index for index, each in enumerate(arguments) if each[:1] in ("-", "(", "!")), len(arguments))
    names = [name.replace("*", STAR).strip("/") for name in _names_found(arguments[start:])]
    for folder in arguments[:start] or (".",):
        for shape in names or [""]:
            recursive = shape.strip(f"{STAR}/.") == "" or "-name" not in arguments
            yield from _found_and_deleted(run, folder, shape, context, recursive=recursive)


def _names_found(arguments: Sequence[str]) -> list[str]:
    """Of which names the files are; none where one of the conditions that are enough on their own names no file."""
    found: list[str] = []
    either: list[str] = []
    for before, each in zip(("", *arguments), (*arguments, "-o"), strict=True):
        if each == "(" and before in ("!", "-not"):
            return []
        if each not in ("-o", "-or", ","):
            either.append(each)
            continue
        names = matched_names(either, "-name", "-iname", "-path")
        if not names:
            return []
        found += names
        either = []
    return found


def _found_and_deleted(
    run: ProgramRun, folder: str, shape: str, context: EffectContext, *, recursive: bool
) -> Iterator[MatchedEffect]:
    whole = f"{folder.rstrip('/')}/{STAR}/{shape}" if shape else f"{folder}/{STAR}"
    complaint = _complaint(run, whole, context, recursive=recursive)
    if complaint:
        yield MatchedEffect(DELETES, complaint, _OWN_FILES)
    elif _is_own(run, whole, context):
        yield from removed(run, _below(run, folder, shape, context), context)


def _below(run: ProgramRun, folder: str, shape: str, context: EffectContext) -> list[str]:
    """Every file below with a name like that; of a folder with too many all of it."""
    pattern = shown(shape).rpartition("/")[2].casefold()
    found: list[str] = []
    for place in context.losses.located(run, folder):
        for at, (above, _, names) in enumerate(os.walk(place)):
            found += [f"{above}/{name}" for name in names if not shape or fnmatchcase(name.casefold(), pattern)]
            if at > _MOST_FOLDERS or len(found) > _MOST_FOUND:
                return [folder]
    return found


def _rsync(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    if any(each.startswith("--del") for each in run.arguments) and not words.has("-n", "--dry-run"):
        target = _operands(run)[-1:] or [UNKNOWN]
        if ":" not in target[0]:
            yield from deleted(run, target[:1], context, recursive=True)
        else:
            yield MatchedEffect(
                DELETES, f"it deletes what {shown(target[0])} has and the source has not", "run it with --dry-run first"
            )
    if words.has("--remove-source-files", "--remove-sent-files"):
        yield from deleted(run, _operands(run)[:-1], context, recursive=True)
    yield from _copy(run, words, context)


def _base_folder(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    """Of pytest, which empties the folder that it is told to keep its temporary files in."""
    folder = value_of(run.arguments, "--basetemp")
    if folder:
        yield from deleted(run, [folder], context, recursive=True)


def _copy(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    sources, target = copied(run.name, run.arguments)
    if target:
        yield from written(run, target, context)
        if sources[:1] == ("/dev/null",):
            yield from _emptied(run, target, context)


def _move(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    sources, target = copied(run.name, run.arguments)
    if not target:
        return
    yield from written(run, target, context)
    to_nowhere = target == "/dev/null"
    for path in sources:
        full = context.paths.resolve(run, path)
        if full is None:
            continue
        if to_nowhere or context.paths.is_above(_folder_of_glob(full)) or not context.paths.in_project(full):
            yield from deleted(run, [path], context, recursive=True)


def _dd(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    for argument in run.arguments:
        if argument.startswith("of="):
            yield from written(run, argument[3:], context)
            if "if=/dev/null" in run.arguments or "/dev/null" in run.reads:
                yield from _emptied(run, argument[3:], context)


def _tee(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    for path in _operands(run):
        yield from written(run, path, context)
        if "/dev/null" in run.reads and not words.has("-a", "--append"):
            yield from _emptied(run, path, context)


_PERL_PRINTS = re.compile(r"\b(?:print|printf|say|write)\b")
# Scripts of sed that leave no line, and those of sed and Perl that leave nothing in them.
_DELETES_ALL = expression(
    r"(?:1,\$|//|/\.\*/|/\^/)?d|s(?P<by>[/|,#!])(?:\^?\.[*+]\$?)(?P=by)(?P=by)[gsme]*;?"
    r"|undef\s+\$_;?|\$_\s*=\s*(?:''|\"\"|undef);?"
)


def _prints_nothing(run: ProgramRun) -> bool:
    """`perl -i -ne ''`: of the lines of a file only those stay that are printed."""
    letters = "".join(each for each in run.arguments if re.fullmatch(r"-[a-zA-Z]+", each))
    return (
        run.name == "perl"
        and "n" in letters
        and "p" not in letters
        and not _PERL_PRINTS.search(" ".join(run.arguments))
    )


def _in_place(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    if any(re.match(r"-[a-zA-Z]*i|--in-place", each) for each in run.arguments):
        deletes_all = any(map(_DELETES_ALL.fullmatch, run.arguments)) or _prints_nothing(run)
        for path in _operands(run):
            if "/" in path:
                yield from written(run, path, context)
                yield from _emptied(run, path, context) if deletes_all else ()


def _link(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    if words.has("-f", "--force"):
        yield from _copy(run, words, context)


def _unpack(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    for index, argument in enumerate(run.arguments[:-1]):
        if argument in ("-C", "--directory", "-d"):
            yield from written(run, run.arguments[index + 1].rstrip("/") + "/x", context)
    if words.has("--remove-files"):
        yield from deleted(run, _operands(run)[1:], context, recursive=True)


def _archive(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    """Archives that take what they pack away."""
    if words.has("-m", "--move", "-sdel"):
        yield from deleted(run, _operands(run)[1:], context, recursive=True)


def _unknown_program(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """Nobody knows the program, yet its options and paths look like a deletion of everything."""
    if run.arguments and re.fullmatch(r"-[rRfv]{2,}", run.arguments[0]):
        yield from deleted(run, run.arguments[1:], context, recursive=True)


def _output_option(run: ProgramRun, words: Words, context: EffectContext) -> Iterator[MatchedEffect]:
    for index, argument in enumerate(run.arguments[:-1]):
        if argument in ("-o", "-O", "--output", "--output-document"):
            yield from written(run, run.arguments[index + 1], context)
            if run.name == "sort" and "/dev/null" in run.arguments:
                yield from _emptied(run, run.arguments[index + 1], context)


_READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("rm", "grm", "rimraf", "del-cli", "trash-empty", "rmdir", "srm", "rd", "del", "erase"), _rm),
    **dict.fromkeys(("unlink", "trash", "trash-put", "rip"), _unlink),
    **dict.fromkeys(("shred", "wipe", "scrub"), _shred),
    "truncate": _truncate,
    "find": _find,
    "gfind": _find,
    "rsync": _rsync,
    **dict.fromkeys(("cp", "install", "gcp"), _copy),
    **dict.fromkeys(("mv", "gmv"), _move),
    "dd": _dd,
    "tee": _tee,
    "sponge": _tee,
    **dict.fromkeys(("sed", "gsed", "perl"), _in_place),
    "ln": _link,
    **dict.fromkeys(("pytest", "py.test"), _base_folder),
    **dict.fromkeys(("tar", "unzip", "bsdtar"), _unpack),
    **dict.fromkeys(("curl", "wget", "sort"), _output_option),
    **dict.fromkeys(("zip", "7z", "rar"), _archive),
}
