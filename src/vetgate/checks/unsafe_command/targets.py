"""Which files a program changes, whatever it changes them to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.fetching import destination
from vetgate.source.shell.options import copied, value_of
from vetgate.source.shell.outputs import found_by
from vetgate.source.shell.placeholders import STAR
from vetgate.source.shell.sed import written_by_sed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.source.shell.runs import ProgramRun

_EVERY = frozenset(
    """
    tee sponge truncate shred rm unlink rimraf touch chmod chown chgrp chattr setfacl ed ex rmdir wipe del-cli trash
    trash-put grm srm patch dos2unix unix2dos
    """.split()
)
_LAST = frozenset({"cp", "install", "ln", "gcp", "rsync", "scp"})
_EDITORS = frozenset({"vim", "vi", "nvim", "nano", "emacs", "ed", "ex"})
# Commands of vi that open or write files.
_OPENED = expression(
    r"(?:^|[|:+])\s*(?:arg(?:s|add|edit)?|e(?:dit)?|badd?|sp|vs|tabe\w*|w(?:rite)?|sav\w*|f(?:ile)?)!?"
    r"[ \t]+([^|!][^|]*)"
)
_IN_PLACE = expression(r"-[a-zA-Z]*i(?:\..*)?|--in-place.*|-i.*|-pi.*")

_NAME_THEIR_OUTPUT = frozenset("jq sort openssl gcc cc ssh-keygen shuf iconv strace ltrace time pandoc".split())
# Of the two operands the second, behind these options with a value.
_SECOND_IS_OUTPUT = {"uniq": ("-f", "-s", "-w"), "xxd": ("-c", "-g", "-l", "-n", "-o", "-R", "-s")}
_BINDS = expression(r"--(?:ro-|dev-)?bind(?:-try|-fd|-data)?|--symlink|--file")


def targets(run: ProgramRun) -> Iterator[str]:
    for write in run.writes:
        yield write.path
    yield from _of_program(run)
    if run.name in ("sed", "gsed"):
        yield from written_by_sed(run.arguments)
    if run.name in _EDITORS:
        yield from (path for each in run.arguments for match in _OPENED.finditer(each) for path in match[1].split())
    # git writes what it does into the files that these name.
    yield from (value for name, value in run.env.items() if name.startswith("GIT_TRACE") and "/" in value)


def _operands(run: ProgramRun) -> list[str]:
    return [each for each in run.arguments if not each.startswith("-")]


def _of_program(run: ProgramRun) -> Iterator[str]:
    name = run.name
    operands = _operands(run)
    if name in _EVERY:
        yield from operands
    elif name in ("mv", "gmv"):
        yield from copied(name, run.arguments)[0]
        yield from _into(run)
    elif name in _LAST:
        yield from _into(run)
    elif (
        name in _EDITORS and any(each in ("-c", "-es", "-s", "-e") or each.startswith("+") for each in run.arguments)
    ) or (name in ("sed", "gsed", "perl", "ruby", "awk", "gawk", "yq", "sd") and _edits(run)):
        yield from operands
    elif name in ("find", "gfind") and "-delete" in run.arguments:
        yield from found_by(run.arguments)
    elif name == "dd":
        yield from (each[3:] for each in run.arguments if each.startswith("of="))
    elif name == "git":
        yield from _git(run)
    elif name == "mount":
        yield from operands
    elif name == "bwrap":
        yield from _laid_over(run.arguments)
    else:
        yield from _written_by_option(run)


def _edits(run: ProgramRun) -> bool:
    return run.name == "sd" or any(_IN_PLACE.fullmatch(each) for each in run.arguments)


def _into(run: ProgramRun) -> Iterator[str]:
    """Into a folder a file goes under its own name; `install -d` makes folders, or changes their rights."""
    if run.name == "install" and Words(run.arguments).has("-d", "--directory"):
        yield from _operands(run)
        return
    sources, target = copied(run.name, run.arguments)
    if target and not target.endswith("/"):
        yield target
    for source in sources if target else ():
        yield f"{target.rstrip('/')}/{source.rstrip('/').rpartition('/')[2]}"


def _laid_over(arguments: Sequence[str]) -> Iterator[str]:
    """Folders and files in whose place a program finds something else."""
    for option, first, second in zip(arguments, arguments[1:], arguments[2:], strict=False):
        if option == "--tmpfs":
            yield first
        elif _BINDS.fullmatch(option) and first != second:
            yield second


def _git(run: ProgramRun) -> Iterator[str]:
    verb, rest = git_verb(run.arguments)
    if verb == "credential-store":
        yield value_of(rest, "--file") or ""
    if verb in ("checkout", "restore", "rm", "mv", "update-index", "clean"):
        yield from (each for each in rest if not each.startswith("-"))
    named = value_of(rest, "--output", *(("-o",) if verb in ("archive", "format-patch") else ()))
    made = [each for each in rest[1:] if not each.startswith("-")][:1] if rest[:1] == ("create",) else ()
    yield from filter(None, (named, *(made if verb == "bundle" else ())))


def _written_by_option(run: ProgramRun) -> Iterator[str]:
    target = destination(run.name, run.arguments)
    if target:
        yield target
    if run.name in ("venv", "virtualenv") or (run.name, *run.arguments[:1]) == ("uv", "venv"):
        yield from _operands(run)[-1:]
    if run.name in ("tar", "unzip", "bsdtar"):
        folder = value_of(run.arguments, "-C", "--directory", "-d")
        if folder:
            yield folder
            yield f"{folder.rstrip('/')}/{STAR}"
    if run.name in _NAME_THEIR_OUTPUT:
        # Each by itself: for some of them `-f` says no name.
        yield from filter(None, (value_of(run.arguments, each) for each in ("-o", "-out", "--output", "-f")))
    if run.name in _SECOND_IS_OUTPUT:
        yield from Words(run.arguments).without(*_SECOND_IS_OUTPUT[run.name]).plain[1:2]
