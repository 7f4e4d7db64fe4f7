"""What the shell itself does, and the programs that hand their input on as arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.options import copied, first_operand, value_of
from vetgate.source.shell.outputs import Input, printed
from vetgate.source.shell.placeholders import CREDENTIAL, LISTS_GATE, STAR, UNKNOWN, is_known, without_globs
from vetgate.source.shell.runs import Inner, ProgramRun, by_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from vetgate.source.shell.expand import Expander
    from vetgate.source.shell.follow import Follower
    from vetgate.source.shell.model import Assignment
    from vetgate.source.shell.scope import ShellState

    Builtin = Callable[[Follower, ProgramRun, ShellState], str | None]

_MOST_FED = 64
_TRACES = expression(r"(?:^|\s)-[a-wyz]*[xv]|\b(?:xtrace|verbose)\b")
# The arrays in which bash and zsh keep their aliases.
_REFERENCE = frozenset({"-n", "-gn", "-ng"})
_ALIASES = frozenset({"BASH_ALIASES", "aliases"})


def assigned(assignments: Iterable[Assignment], expander: Expander, scope: ShellState) -> dict[str, str]:
    values: dict[str, str] = {}
    for assignment in assignments:
        if assignment.is_array:
            fields = tuple(expander.fields(assignment.words))
            old = scope.arrays.get(assignment.name, ()) if assignment.appends else ()
            scope.arrays[assignment.name] = old + fields
            continue
        value = "".join(without_globs(expander.text(word.parts)) for word in assignment.words)
        if assignment.key and assignment.name in _ALIASES:
            scope.aliases[assignment.key] = value
            continue
        name = scope.references.get(assignment.name, assignment.name)
        before = values.get(name, scope.value(name)) if assignment.appends else ""
        values[name] = (before or "") + value
    return values


def _cd(follower: Follower, run: ProgramRun, scope: ShellState) -> None:
    operands = [argument for argument in run.arguments if not argument.startswith("-") or argument == "-"]
    target = operands[0] if operands else scope.home
    if target == "-":
        target = UNKNOWN
    scope.cwd = target if target.startswith(UNKNOWN) else scope.absolute(target).rstrip("/") or "/"


def _declare(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    shown = not [argument for argument in run.arguments if not argument.startswith("-")]
    for argument in run.arguments:
        name, sign, value = argument.partition("=")
        if sign and name.isidentifier():
            kept = scope.references if _REFERENCE.intersection(run.arguments) else scope.variables
            kept[name] = without_globs(value)
        # Declared in any way: where it is not handed on, git is judged as if it were.
        if name == "GIT_DIR" and name in scope.variables:
            scope.exported[name] = scope.variables[name]
    return printed("export", Input((), "", scope, lambda path: UNKNOWN)) if shown else ""


def _read(follower: Follower, run: ProgramRun, scope: ShellState) -> None:
    start = first_operand(run.arguments, ("-p", "-d", "-n", "-t", "-u", "-a", "-i", "-N"))
    names = run.arguments[start:] or ("REPLY",)
    text = _read_from(run, scope)
    line = text.partition("\n")[0] if text else UNKNOWN
    pieces = line.split(None, len(names) - 1) if is_known(line) else [line] * len(names)
    for index, name in enumerate(names):
        scope.variables[name] = pieces[index].strip() if index < len(pieces) else ""
    array = value_of(run.arguments, "-a")
    if array:
        scope.arrays[array] = tuple(line.split())


_DESCRIPTOR = expression(r"-[a-zA-Z]*u(\d*)")


def _read_from(run: ProgramRun, scope: ShellState) -> str:
    """What stands at the input, or at the descriptor that `-u 3`, `-u3` or `-ru3` names."""
    for index, argument in enumerate(run.arguments):
        if found := _DESCRIPTOR.fullmatch(argument):
            return scope.files.get(f"/dev/fd/{found[1] or ''.join(run.arguments[index + 1 : index + 2])}", "")
    return run.stdin


def _alias(follower: Follower, run: ProgramRun, scope: ShellState) -> None:
    for argument in run.arguments:
        name, sign, value = argument.partition("=")
        if sign:
            scope.aliases[name] = without_globs(value)


def _hash(follower: Follower, run: ProgramRun, scope: ShellState) -> None:
    """`hash -p /bin/rm ls`: from now on that name is this program."""
    path = value_of(run.arguments, "-p")
    if path:
        scope.aliases[run.arguments[-1]] = path


def _eval(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    return follower.inner(Inner(script=" ".join(run.arguments), keeps_scope=True), run, scope)


def _source(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    if not run.arguments:
        return ""
    text = run.stdin if run.arguments[0] in ("/dev/stdin", "-") else follower.content(run.arguments[0], scope)
    if CREDENTIAL in text:
        scope.has_secrets = True
        if scope.traces:
            follower.note(ProgramRun(("echo", CREDENTIAL), cwd=scope.cwd))
    return follower.inner(Inner(script=text, keeps_scope=True, arguments=run.arguments[1:]), run, scope)


def _trap(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    operands = run.arguments[first_operand(run.arguments) :]
    return follower.inner(Inner(script=operands[0]), run, scope) if len(operands) > 1 else ""


def _set(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    if _TRACES.search(" ".join(run.arguments)):
        scope.traces = True
    if "--" in run.arguments:
        scope.arguments = run.arguments[run.arguments.index("--") + 1 :]
    elif run.arguments and not run.arguments[0].startswith(("-", "+")):
        scope.arguments = run.arguments
    return "" if run.arguments else printed("set", Input((), "", scope, lambda path: UNKNOWN))


def _shift(follower: Follower, run: ProgramRun, scope: ShellState) -> None:
    scope.arguments = scope.arguments[1:]


def _compgen(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    """`-C COMMAND` is run to find what a word could become; `-G PATTERN` prints the files that it matches."""
    words = value_of(run.arguments, "-W")
    if words:
        follower.inner(Inner(script=f": {words}"), run, scope)
    pattern = value_of(run.arguments, "-G")
    if pattern:
        return f"{pattern.replace('*', STAR)}\n"
    return follower.inner(Inner(script=value_of(run.arguments, "-C") or ""), run, scope)


def _history(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    """`history -s TEXT`: `fc` runs it again."""
    text = run.arguments[1:] if run.arguments[:1] == ("-s",) else ()
    return follower.inner(Inner(script=" ".join(text)), run, scope) if text else ""


def _fc(follower: Follower, run: ProgramRun, scope: ShellState) -> None:
    """It has an editor change what ran before, then runs that; or runs it again with other words in it."""
    editor = value_of(run.arguments, "-e")
    follower.inner(Inner(script=f"{editor} {UNKNOWN}" if editor not in (None, "-") else ""), run, scope)
    before = [each.arguments for each in follower.runs if each.name == "history"]
    for old, sign, new in (each.partition("=") for each in run.arguments):
        for words in before if sign and old else ():
            follower.inner(Inner(script=" ".join(words[1:]).replace(old, new)), run, scope)


def _bind(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    """`bind -x '"k": command'`."""
    keys = value_of(run.arguments, "-x") or ""
    return follower.inner(Inner(script=keys.rpartition('":')[2], stdin=""), run, scope)


def _tee(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    for name in run.arguments:
        if not name.startswith("-"):
            scope.files[scope.absolute(name)] = run.stdin
            follower.feed(scope.absolute(name), run.stdin, scope)
    return run.stdin


def _unset(follower: Follower, run: ProgramRun, scope: ShellState) -> None:
    for name in run.arguments:
        scope.variables.pop(name, None)


_DELIMITED = ("-0", "-d", "--null", "--delimiter")


def _xargs(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    options = ("-n", "-P", "-I", "-d", "-L", "-s", "-a", "-E", "-J", "-R", "--max-args", "--max-procs", "--arg-file",
               "--delimiter", "--replace")  # fmt: skip
    start = first_operand(run.arguments, options)
    before, rest = run.arguments[:start], run.arguments[start:] or ("echo",)
    replaced = value_of(before, "-I", "-J", "--replace") or ("{}" if "-i" in before else "")
    file = value_of(before, "-a", "--arg-file")
    text = follower.content(file, scope) if file else run.stdin
    if not replaced:
        fed = _fed(text, splits=not any(each.startswith(_DELIMITED) for each in before))
        return follower.inner(Inner((*rest, *fed), stdin=""), run, scope)
    lines = [line.strip() for line in text.replace("\0", "\n").split("\n") if line.strip()][:_MOST_FED]
    argvs = [tuple(argument.replace(replaced, line) for argument in rest) for line in lines or [UNKNOWN]]
    return "".join(follower.inner(Inner(argv, stdin=""), run, scope) for argv in argvs)


def _fed(text: str, *, splits: bool) -> list[str]:
    """The words, or where a delimiter is named the lines: one of these may be a whole script."""
    lines = text.replace("\0", "\n")
    words = [word.strip("'\"") for word in (lines.split() if splits else filter(None, lines.split("\n")))][:_MOST_FED]
    return words or [UNKNOWN]


def _parallel(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    arguments = list(run.arguments)
    fed: list[str] = []
    for separator in (":::", "::::"):
        if separator in arguments:
            at = arguments.index(separator)
            arguments, fed = arguments[:at], arguments[at + 1 :]
    start = first_operand(arguments, ("-j", "--jobs", "-a", "-n", "-I", "--max-args", "--id"))
    if "--" in arguments[start:]:  # of the other program of that name: what stands behind is fed to what stands before
        at = arguments.index("--", start)
        arguments, fed = arguments[:at], arguments[at + 1 :]
    template = " ".join(arguments[start:])
    items = fed or [line for line in run.stdin.split("\n") if line] or [UNKNOWN]
    scripts = [_filled(template, item) for item in items[:_MOST_FED]]
    return "".join(follower.inner(Inner(script=script, stdin=""), run, scope) for script in scripts)


def _filled(template: str, item: str) -> str:
    if not template:
        return item
    return template.replace("{}", item) if "{}" in template else f"{template} {item}"


_EXECUTE_IN_PLACE = frozenset({"-execdir", "-okdir"})
_EXECUTES = frozenset({"-exec", "-ok", "-x", "--exec", "-X", "--exec-batch", *_EXECUTE_IN_PLACE})


def _find(follower: Follower, run: ProgramRun, scope: ShellState) -> str:
    given = Input(run.arguments, run.stdin, scope, lambda path: follower.content(path, scope))
    found = printed("find" if run.name == "find" else "fd", given)
    paths = [each for each in found.split() if each != LISTS_GATE]
    arguments = run.arguments
    for index, argument in enumerate(arguments):
        if argument not in _EXECUTES:
            continue
        command = _executed(arguments[index + 1 :], names_match=run.name == "find")
        in_place = argument in _EXECUTE_IN_PLACE
        for path in paths[:_MOST_FED]:
            match = scope.absolute(path) if in_place else path
            argv = tuple(each.replace("{}", match) for each in command)
            for folder in _folders_of(path) if in_place else ("",):
                follower.inner(Inner(argv, stdin="", cwd=folder), run, scope)
    return found


def _executed(rest: Sequence[str], *, names_match: bool) -> Sequence[str]:
    """What stands behind `-exec`. Where no word has to name the match, it comes last."""
    command = rest[: next((i for i, each in enumerate(rest) if each in (";", "+")), len(rest))]
    return command if names_match or "{}" in "".join(command) else (*command, "{}")


def _folders_of(path: str) -> tuple[str, ...]:
    """Where `find` runs what stands behind -execdir: below its start, or beside it when the start itself matches."""
    start = path.partition(STAR)[0].rstrip("/") or "/"
    beside = start.rpartition("/")[0] or ("/" if start[:1] == "/" else ".")
    return tuple(dict.fromkeys((start, start if start in (".", "..") else beside)))


_AT_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


def moved(run: ProgramRun, scope: ShellState, content: Callable[[str, ShellState], str]) -> None:
    """Files keep what is known of them when they are copied: their content, or which program they are."""
    if run.name not in ("cp", "mv", "install", "ln"):
        return
    sources, target = copied(run.name, run.arguments)
    for source in sources:
        path = f"{target}{source.rpartition('/')[2]}" if target.endswith("/") else target
        if source in _AT_INPUT:
            scope.files[scope.absolute(path)] = content(source, scope)
            continue
        scope.programs[scope.absolute(path)] = scope.program_at(source)
        if scope.absolute(source) in scope.files or not is_known(content(source, scope).replace(UNKNOWN, "")):
            scope.files[scope.absolute(path)] = content(source, scope)


def _mapfile(follower: Follower, run: ProgramRun, scope: ShellState) -> None:
    callback = value_of(run.arguments, "-C")
    if callback:
        follower.inner(Inner(script=callback), run, scope)
    names = [argument for argument in run.arguments if re.fullmatch(r"[A-Za-z_]\w*", argument)]
    text = _read_from(run, scope)
    scope.arrays[names[-1] if names else "MAPFILE"] = tuple(text.split("\n")) if text else (STAR,)


BUILTINS: Mapping[str, Builtin] = by_name(
    {
        "cd pushd": _cd,
        "export declare typeset local readonly": _declare,
        "read": _read,
        "mapfile readarray": _mapfile,
        "alias": _alias,
        "hash": _hash,
        "eval": _eval,
        "source .": _source,
        "trap": _trap,
        "set": _set,
        "shift": _shift,
        "compgen complete": _compgen,
        "history": _history,
        "fc": _fc,
        "bind": _bind,
        "unset": _unset,
        "tee sponge": _tee,
        "xargs gxargs": _xargs,
        "parallel sem": _parallel,
        "find gfind fd fdfind": _find,
    }
)


def shows_variables(run: ProgramRun) -> bool:
    """Whether it prints what is in the variables of the shell."""
    if run.name in ("declare", "typeset", "export", "readonly"):
        return not run.arguments or "-p" in run.arguments
    if run.name == "set":
        return not run.arguments
    return run.name == "printenv" or (run.name == "env" and not names(run.arguments))


def names(arguments: Sequence[str]) -> list[str]:
    return [argument for argument in arguments if not argument.startswith("-")]
