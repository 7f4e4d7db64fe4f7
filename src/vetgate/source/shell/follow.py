"""A command followed: every program it would run, as far as that can be known without running any."""

from __future__ import annotations

import contextlib
import fnmatch
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell import builtins, interpreters, sed
from vetgate.source.shell.embedded import NAMED_BY, READ_UNASKED, embedded, recipes
from vetgate.source.shell.environment import run_by_environment
from vetgate.source.shell.expand import Expander
from vetgate.source.shell.fetched_code import UNPACKS, loads_fetched, note_compiled, note_folder, runs_fetched
from vetgate.source.shell.fetching import destination
from vetgate.source.shell.folders import joined, moved_to
from vetgate.source.shell.guesses import at_hand, is_open_script
from vetgate.source.shell.inline import language_of
from vetgate.source.shell.model import For, Group, Pipeline, Script, ShellFunction, Simple, Unreadable
from vetgate.source.shell.options import options_of, script_of, value_of
from vetgate.source.shell.outputs import Input, printed
from vetgate.source.shell.placeholders import (
    CREDENTIAL,
    FETCHED,
    NAMES_GATE,
    UNKNOWN,
    has_glob,
    is_known,
    taints,
    without_globs,
)
from vetgate.source.shell.runs import HERE, REMOTE, Inner, ProgramRun, Write
from vetgate.source.shell.scope import ShellState
from vetgate.source.shell.script import read, readable_parts
from vetgate.source.shell.words import MOST_WORDS, unescaped
from vetgate.source.shell.wrappers import SHELLS, unwrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vetgate.source.shell.model import Command, ProcessSubstitution, Redirect
    from vetgate.source.shell.runs import Surroundings

MOST_RUNS = 1_024
MOST_STEPS = 8_192
_MOST_ROUNDS = 16
_MOST_DEPTH = 32
_MOST_TEXT = 256 * 1024
# What is longer and does not read is no text that somebody happened to take for a script.
_MOST_IN_PARTS = 4096
FORK_BOMB = "fork-bomb"
_PRINT_INPUT = frozenset("cat tac nl rev head tail less more fold xxd od hexdump base64 strings".split())
_BINARY = expression(r"/(?:usr/(?:local/)?)?s?bin/[\w.+-]+\Z")
_COPY_BYTES = frozenset("cat dd head tail tee pv".split())
_SEDS = frozenset({"sed", "gsed"})
_FILTERS = frozenset("sed gsed awk gawk mawk nawk".split())
# Variables that a shell expands whenever it shows them, and builtins that take the name of a variable.
_PROMPTS = frozenset({"PS0", "PS1", "PS2", "PS3", "PS4"})
_TAKE_NAMES = frozenset("test [ [[ printf let declare typeset local read unset mapfile readarray wait getopts".split())
_SUBSTITUTES = expression(r"\$\(|`")
# A value that runs what is in it as soon as anything calculates with it: `a[$(…)]`.
_SUBSCRIPT = expression(r"[\s\w+\-*/%()<>=!&|^~?:,$]*\w\[[^\]]*(?:\$\(|`)")
_SETS_VALUES = frozenset("declare typeset local export readonly read mapfile readarray printf set getopts".split())
_END = "__END__"
_NAMES = expression(r"[\w.-]+")
_DESCRIPTORS = "/dev/fd/"
_DESCRIPTOR = expression(r"^/proc/(?:self|thread-self|\d+)/fd/")
_STDIN = ("/dev/stdin", "/dev/fd/0", "0", "-")
# Functions that a shell calls by itself, when it finds no program of a name.
_CALLED_BY_THE_SHELL = frozenset({"command_not_found_handle", "command_not_found_handler"})
_EXPORTED_FUNCTION = "BASH_FUNC_"
# What a glob in the name of a program could hide.
_GLOBBED_NAMES = tuple(
    """
    rm sh bash dd cat curl wget nc git chmod python3 perl mkfs mv
    """.split()
)


def follow(text: str, surroundings: Surroundings, *, home: str, cwd: str) -> tuple[ProgramRun, ...]:
    """Raises Unreadable."""
    follower = Follower(surroundings)
    scope = ShellState(home=home, cwd=cwd)
    try:
        script = read(text)
        follower.top = script.source
        follower.script(script, scope, "")
    except RecursionError:
        raise Unreadable("it is nested too deep") from None
    return tuple(follower.runs)


class Follower:
    def __init__(self, surroundings: Surroundings) -> None:
        self.runs: list[ProgramRun] = []
        self.top = ""
        self._surroundings = surroundings
        self._source = ""
        self._part = (0, 0)
        self._place: tuple[str, tuple[tuple[str, str], ...]] = (HERE, ())
        self._active: list[str] = []
        self._aliases: list[str] = []
        self._depth = 0
        self._pipes = 0
        self._fed = 0  # groups and functions around, whose input is a file
        self._steps = 0
        self._words = 0
        self.guesses = False
        self._followed: set[tuple[str, str]] = set()
        self._captures = 0
        self._captured: list[ProgramRun] = []

    # Structure

    def script(self, script: Script, scope: ShellState, stdin: str) -> str:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise Unreadable(f"it runs more than {_MOST_DEPTH} scripts inside each other")
        outer, self._source = self._source, script.source
        output = "".join(self.command(command, scope, stdin) for command in script.commands)
        self._source = outer
        self._depth -= 1
        return output[:_MOST_TEXT]

    def text(self, text: str, scope: ShellState, stdin: str, *, is_on_disk: bool = False) -> str:
        """A script that only now becomes one; of what cannot be read as a whole, its readable parts run."""
        if not text.strip():
            return ""
        self.note(ProgramRun((), code=text, cwd=scope.cwd))
        if not is_on_disk and not self.guesses and is_open_script(text):
            self.try_each([Inner(script=each, stdin="") for each in at_hand(self.captured_texts(scope))], scope)
        try:
            script = read(without_globs(text), 1)
        except Unreadable:
            if not is_known(text) or len(text) >= _MOST_IN_PARTS:
                raise
            for part in readable_parts(without_globs(text), 1):
                self.script(part, scope, stdin)
            return UNKNOWN
        return self.script(script, scope, stdin)

    def command(self, command: Command, scope: ShellState, stdin: str) -> str:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Unreadable(f"it takes more than {MOST_STEPS:,} steps")
        stdin = stdin or scope.stdin
        if isinstance(command, Simple):
            return self._simple(command, scope, stdin)
        if isinstance(command, Pipeline):
            return self._pipeline(command.commands, scope, stdin)
        if isinstance(command, ShellFunction):
            body = Script((command.body,), self._source)
            scope.functions[command.name] = body
            return self.script(body, scope, "") if command.name in _CALLED_BY_THE_SHELL else ""
        return self._group(command, scope, stdin)

    def _pipeline(self, commands: Sequence[Command], scope: ShellState, stdin: str) -> str:
        self._pipes += 1
        for command in commands[:-1]:
            with self._capturing():
                stdin = self.command(command, scope.inner(), stdin)
        # The last one may well run in the shell itself (`| read x`), so what it sets is kept.
        stdin = self.command(commands[-1], scope, stdin)
        self._pipes -= 1
        return stdin

    def _group(self, group: Group | For, scope: ShellState, stdin: str) -> str:
        expander = self._expander(scope, stdin)
        stdin, reads, writes = self._redirects(group.redirects, expander, scope, stdin)
        self._fed += bool(reads)
        if isinstance(group, For):
            output = self._for(group, expander, scope, stdin)
        else:
            self._evaluate_subscripts(expander.fields(group.words), scope)
            inner = scope.inner() if group.is_subshell else scope
            output = self._loop(group, inner, stdin) if group.is_loop else self.script(group.body, inner, stdin)
        self._fed -= bool(reads)
        if writes:
            self.note(ProgramRun((), output or UNKNOWN, writes=writes, cwd=scope.cwd))
        return self._written(output, writes, scope)

    def _for(self, loop: For, expander: Expander, scope: ShellState, stdin: str) -> str:
        values = list(scope.arguments) if loop.words is None else expander.fields(loop.words)
        output = []
        for value in values[:_MOST_ROUNDS] or [UNKNOWN]:
            scope.variables[loop.name] = value
            self._evaluate_subscripts((value,), scope)
            output.append(self.script(loop.body, scope, stdin))
        return "".join(output)

    def _loop(self, group: Group, scope: ShellState, stdin: str) -> str:
        """`while read x`: a round for each line that is fed in."""
        lines = [line for line in stdin.split("\n") if line][:_MOST_ROUNDS]
        return "".join(self.script(group.body, scope, line) for line in lines or [stdin])

    # Simple commands

    def _simple(self, command: Simple, scope: ShellState, stdin: str) -> str:
        outer = self._part
        if self._source is self.top:
            self._part = (command.start, command.end)
        expander = self._expander(scope, stdin)
        self._evaluate_subscripts((f"{each.name}[{each.key}]" for each in command.assignments if each.key), scope)
        values = builtins.assigned(command.assignments, expander, scope)
        self._evaluate_subscripts(values.values(), scope)
        for name in _PROMPTS.intersection(values):
            self._evaluated(values[name], scope)
        opens = len(command.words) == 1 and command.words[0].bare == "exec"
        stdin, reads, writes = self._redirects(command.redirects, expander, scope, stdin, opens=opens)
        argv = self._globbed(self._expander(scope, stdin).fields(command.words))
        if argv:
            run = ProgramRun(tuple(argv), stdin, {**scope.exported, **values}, writes, reads, scope.cwd)
            self._note_shown_input(run, command)
            aliased = self._aliased(command, scope)
            # A script may well not expand aliases, and none does on the line that sets it: both are followed.
            captured = len(self._captured)
            with self._capturing(captures=any(each.is_output and each.path != "/dev/null" for each in writes)):
                output = self.perform(run, scope.inner() if aliased else scope)
            if not self._captures and is_known(output):  # what stands in the file then is read with it
                del self._captured[captured:]
            output = self._as_alias(argv[0], aliased, scope, stdin) if aliased else output
        else:
            scope.variables.update(values)
            self.note(ProgramRun((), env=values, writes=writes, reads=reads, cwd=scope.cwd))
            output = stdin if reads else ""
        self._part = outer
        _note_copy(argv, reads, writes, scope)
        return self._written(output, writes, scope)

    def _note_shown_input(self, run: ProgramRun, command: Simple) -> None:
        """What a program prints of the text, or of the file, that it or a group around it is fed."""
        is_fed = self._fed or any(each.operator == "<<<" or each.heredoc is not None for each in command.redirects)
        if run.name in _PRINT_INPUT and CREDENTIAL in run.stdin and is_fed and not run.reads:
            self.note(ProgramRun(("echo", run.stdin), writes=run.writes, cwd=run.cwd))

    def _aliased(self, command: Simple, scope: ShellState) -> str:
        """The command with its alias in it, as text: that is how a shell puts it there."""
        name = command.words[0].bare if command.words else ""
        value = scope.aliases.get(name)
        if not value or name in self._aliases:
            return ""
        words = [self._source[word.start : word.end] for word in command.words]
        words[0] = value
        if value[-1].isspace() and len(words) > 1:
            words[1] = scope.aliases.get(command.words[1].bare, words[1])
        return self._source[command.start : command.words[0].start] + " ".join(words)

    def _as_alias(self, name: str, text: str, scope: ShellState, stdin: str) -> str:
        self._aliases.append(name)
        output = self.text(text, scope, stdin)
        self._aliases.pop()
        return output

    def _globbed(self, argv: list[str]) -> list[str]:
        if argv and (has_glob(argv[0]) or UNKNOWN in argv[0][1:]):
            pattern = without_globs(argv[0].replace(UNKNOWN, "*"))
            names = (f"{folder}{name}" for name in _GLOBBED_NAMES for folder in ("/bin/", "/usr/bin/", ""))
            match = next((name for name in names if fnmatch.fnmatchcase(name, pattern)), None)
            return [match, *argv[1:]] if match else argv
        return argv

    def _expander(self, scope: ShellState, stdin: str) -> Expander:
        """What is substituted reads the same input as the command that it stands in."""
        return Expander(
            scope,
            lambda script: self._substituted(script, scope, stdin),
            lambda process: self._process(process, scope, stdin),
            lambda text: self._evaluated(text, scope),
        )

    def _substituted(self, script: Script, scope: ShellState, stdin: str) -> str:
        with self._capturing():
            return self.script(script, scope.inner(), stdin)

    @contextlib.contextmanager
    def _capturing(self, *, captures: bool = True) -> Iterator[None]:
        """What is run meanwhile has its output go on: into a program, a file, or the command itself."""
        self._captures += captures
        yield
        self._captures -= captures

    def _evaluate_subscripts(self, words: Iterable[str], scope: ShellState) -> None:
        for word in words:
            if "[" in word and _SUBSCRIPT.match(word) and ("[", word) not in self._followed:
                self._followed.add(("[", word))
                self._evaluated(word, scope)

    def _evaluated(self, text: str, scope: ShellState) -> str:
        """A value that the shell expands once more: a prompt, or the subscript of an array."""
        if not _SUBSTITUTES.search(text):
            return unescaped(text)
        try:
            return self.script(read(f"cat <<{_END}\n{without_globs(text)}\n{_END}\n", 1), scope.inner(), "")
        except Unreadable:
            return UNKNOWN

    def _process(self, process: ProcessSubstitution, scope: ShellState, stdin: str) -> str:
        name = f"{_DESCRIPTORS}{len(scope.files) + len(scope.sinks) + 60}"
        if process.direction == ">":
            scope.sinks[name] = process.script
            self.script(process.script, scope.inner(), "")
        else:
            scope.files[name] = self._substituted(process.script, scope, stdin)
        return name

    def feed(self, path: str, text: str, scope: ShellState) -> None:
        """What is written there goes into the script that reads it, as in `tee >(sh)`."""
        if not text or path not in scope.sinks:
            return
        script = scope.sinks.pop(path)
        inner = scope.inner()
        inner.opened.clear()  # what it prints itself goes elsewhere
        self.script(script, inner, text)
        scope.sinks[path] = script

    def _redirects(
        self, redirects: Iterable[Redirect], expander: Expander, scope: ShellState, stdin: str, *, opens: bool = False
    ) -> tuple[str, tuple[str, ...], tuple[Write, ...]]:
        """Where it `opens` them, as `exec 3> f` does, they stay for the commands that follow."""
        reads, writes = [], []
        for redirect in redirects:
            operator = redirect.operator
            if redirect.heredoc is not None:
                stdin = _fed_to(redirect, expander.text(redirect.heredoc.body), scope, stdin)
                continue
            target = expander.text(redirect.target.parts)
            if operator == "<<<":
                stdin = _fed_to(redirect, without_globs(target) + "\n", scope, stdin)
            elif operator in ("<", "<>"):
                reads.append(target)
                stdin = _fed_to(redirect, self.content(target, scope), scope, stdin)
            elif operator == "<&":
                stdin = scope.files.get(_DESCRIPTORS + target, stdin)
            if (write := _write_to(target, redirect, scope)) is not None:
                writes.append(write)
                if opens and write.path == target:
                    scope.opened[redirect.descriptor or "1"] = target
        if opens:
            scope.stdin = stdin
        return stdin, tuple(reads), tuple(writes)

    def _written(self, output: str, writes: Sequence[Write], scope: ShellState) -> str:
        taken = [write for write in writes if write.is_output]
        for write in taken:
            path = scope.absolute(write.path)
            scope.files[path] = (scope.files.get(path, "") if write.appends else "") + output
            self.feed(path, output, scope)
        if not taken and "1" in scope.opened:
            self.feed(scope.opened["1"], output, scope)
        return "" if taken else output

    def content(self, path: str, scope: ShellState) -> str:
        """Of a file: what this command wrote there, or what the surroundings say of it."""
        full = _DESCRIPTOR.sub(_DESCRIPTORS, scope.absolute(path))
        if full in scope.files:
            return scope.files[full]
        if full == "/dev/null":
            return ""
        return scope.written_like(full) + UNKNOWN + (self._surroundings.mark_of(full) if full else "")

    def input_text(self, path: str, run: ProgramRun, scope: ShellState) -> str:
        """Of a file that a program is given, which may be what it is fed."""
        return run.stdin if _DESCRIPTOR.sub(_DESCRIPTORS, path) in _STDIN else self.content(path, scope)

    def is_made_here(self, path: str, scope: ShellState) -> bool:
        """What this very command feeds or wrote."""
        full = _DESCRIPTOR.sub(_DESCRIPTORS, scope.absolute(path))
        return full in scope.files or full in _STDIN or path in _STDIN

    def note(self, run: ProgramRun) -> None:
        if len(self.runs) >= MOST_RUNS:
            raise Unreadable(f"it runs more than {MOST_RUNS:,} programs")
        self._words += len(run.argv)
        if self._words > MOST_WORDS:
            raise Unreadable(f"it comes to more than {MOST_WORDS:,} words")
        where, mounts = self._place
        source = self.top[self._part[0] : self._part[1]]
        self.runs.append(replace(run, part=self._part, source=source, where=where, mounts=mounts))
        if self._captures and run.argv and not self.guesses:
            self._captured.append(run)

    # Programs

    def perform(self, run: ProgramRun, scope: ShellState) -> str:
        """One program and what it runs in turn; what it prints."""
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise Unreadable(f"it runs more than {_MOST_DEPTH} programs inside each other")
        try:
            known = scope.program_at(run.argv[0]) if "/" in run.argv[0] else scope.program_in_path(run.argv[0])
            return self._performed(replace(run, argv=(known, *run.arguments)), scope)
        finally:
            self._depth -= 1

    def _performed(self, run: ProgramRun, scope: ShellState) -> str:
        body = scope.functions.get(run.argv[0])
        if body is not None:
            return self._call(run, body, scope)
        self.note(run)
        self._follow_surroundings(run, scope)
        builtin = builtins.BUILTINS.get(run.name)
        if builtin is not None:
            output = builtin(self, run, scope) or ""
            if run.name in _SETS_VALUES:
                self._evaluate_subscripts(
                    (*scope.variables.values(), *scope.references.values(), *scope.arguments), scope
                )
            return output
        name = run.name
        if name in SHELLS:
            return self._shell(run, scope)
        if name.startswith(UNKNOWN) and not self.guesses:
            self.try_each([Inner(script=each, stdin="") for each in at_hand(self.captured_texts(scope))], scope)
        if name.startswith(UNKNOWN) and script_of(run.arguments).script:
            return self._unknown_interpreter(run, scope)
        language = language_of(name)
        if language:
            return interpreters.run_code(self, language, run, scope)
        if "/" in run.argv[0] and (scope.absolute(run.argv[0]) in scope.files or self._is_unpacked(run, scope)):
            return self._own_file(run.argv[0], run, scope)
        installed = next((path for path in scope.files if path.endswith(f"/bin/{run.argv[0]}")), "")
        if installed:
            return self._own_file(installed, run, scope)
        return self.plain_program(run, scope)

    def _follow_surroundings(self, run: ProgramRun, scope: ShellState) -> None:
        """What a program shows, loads or evaluates beside its own work."""
        if scope.has_secrets and not run.writes and builtins.shows_variables(run):
            self.note(ProgramRun(("echo", CREDENTIAL), cwd=run.cwd))
        if loads_fetched(run, scope):
            self.text(FETCHED, scope.inner(), "")
        for named in {**scope.variables, **run.env}.items():
            if named not in self._followed:
                self._followed.add(named)
                inner = run_by_environment(*named)
                if inner is not None:
                    self.inner(inner, replace(run, env={}), scope)
        if run.name in _TAKE_NAMES:
            self._evaluate_subscripts(run.arguments, scope)

    def _call(self, run: ProgramRun, body: Script, scope: ShellState) -> str:
        name = run.argv[0]
        if name in self._active:
            if self._pipes:
                self.note(ProgramRun((FORK_BOMB,), cwd=scope.cwd))
            return ""
        self._active.append(name)
        outer, scope.arguments = scope.arguments, run.argv[1:]
        self._evaluate_subscripts(scope.arguments, scope)
        self._fed += bool(run.reads)
        output = self.script(body, scope, run.stdin)
        self._fed -= bool(run.reads)
        scope.arguments = outer
        self._active.pop()
        return output

    def _shell(self, run: ProgramRun, scope: ShellState) -> str:
        given = script_of(run.arguments)
        inner = scope.inner()
        inner.traces = inner.traces or bool({"x", "v"}.intersection(options_of(run.arguments)[0]))
        _export(run.env, inner)
        inner.arguments, inner.program = given.arguments, given.program
        self._evaluate_subscripts(given.arguments, inner)
        for name in [each for each in run.env if each.startswith(_EXPORTED_FUNCTION)]:
            self.text(f"{name.removeprefix(_EXPORTED_FUNCTION).rstrip('%')} {run.env[name]}", inner, "")
        for name in ("PROMPT_COMMAND", "BASH_ENV", "ENV"):
            value = run.env.get(name) or scope.variables.get(name, "")
            self.text(value if name == "PROMPT_COMMAND" else scope.files.get(scope.absolute(value), ""), inner, "")
        start_file = value_of(run.arguments, "--rcfile", "--init-file")
        if start_file:
            self.text(scope.files.get(scope.absolute(start_file), ""), inner, "")
        if given.script is not None:
            return self.text(given.script, inner, run.stdin)
        if given.file:
            is_on_disk = not self.is_made_here(given.file, scope)
            return self.text(self.input_text(given.file, run, scope), inner, run.stdin, is_on_disk=is_on_disk)
        return self.text(run.stdin, inner, "")

    def _unknown_interpreter(self, run: ProgramRun, scope: ShellState) -> str:
        """`$X -c '...'`: a shell or Python, nobody knows which; what does not read as one is the other's."""
        with contextlib.suppress(Unreadable):
            self._shell(run, scope)
        return interpreters.interpret(self, "python", script_of(run.arguments).script or "", run, scope)

    def _is_unpacked(self, run: ProgramRun, scope: ShellState) -> bool:
        """A program out of an archive that this very command fetched."""
        if not scope.unpacked or run.argv[0].startswith("/"):
            return False
        scope.files[scope.absolute(run.argv[0])] = FETCHED
        return True

    def _own_file(self, path: str, run: ProgramRun, scope: ShellState) -> str:
        """A file that this very command wrote, run by its path, or by its name out of a folder for programs."""
        text = self.content(path, scope)
        first = text.partition("\n")[0]
        language = next((name for name in map(language_of, first.replace("/", " ").split()) if name), "")
        if first.startswith("#!") and language:
            return interpreters.interpret(self, language, text, run, scope)
        return self.text(text, scope.inner(), run.stdin)

    def try_each(self, inners: Iterable[Inner], scope: ShellState) -> None:
        """What may run: where it cannot be read, it is left."""
        self.guesses = True
        depth = self._depth
        for inner in inners:
            with contextlib.suppress(Unreadable):
                self.inner(inner, ProgramRun(()), scope)
            self._depth = depth
        self.guesses = False

    def captured_texts(self, scope: ShellState) -> Iterator[str]:
        """What the programs are given and fed whose output goes on, where only the run tells that output."""
        for run in self._captured:
            yield from run.arguments
            yield run.stdin
            named = {name for each in run.arguments for name in _NAMES.findall(each)}
            yield from (text for path, text in scope.files.items() if path.rpartition("/")[2] in named)

    def plain_program(self, run: ProgramRun, scope: ShellState) -> str:
        folder, arguments = moved_to(run.name, run.arguments)
        if runs_fetched(run, folder, scope):
            self.text(FETCHED, scope.inner(), "")
        note_compiled(run, scope)
        inners = unwrapped(run.name, arguments)
        if run.name in _SEDS:
            arguments = sed.inlined(arguments, lambda path: self.input_text(path, run, scope))
        made = [
            scope.files[path]
            for path in map(scope.absolute, _values((*arguments, *run.env.values())))
            if path in scope.files
        ]
        inners += embedded(run.name, arguments, self.fed(run, scope), "\n".join(made))
        inners += (inner for text in self._just_written(run, folder, scope) for inner in recipes(run.name, text))
        if inners:
            inners = [replace(each, cwd=each.cwd or folder) for each in inners] if folder else inners
            output = "".join(self.inner(each, run, scope) for each in inners)
            remote = FETCHED if any(each.where == REMOTE for each in inners) else ""
            return output + taints(run.stdin) + remote
        given = Input(run.arguments, run.stdin, scope, lambda path: self.content(path, scope))
        output = printed(run.name, given)
        builtins.moved(run, scope, lambda path, _: self.input_text(path, run, scope))
        if run.name in UNPACKS and FETCHED in output:
            note_folder(run, scope)
        listed = value_of(run.arguments, "-T", "--files-from") if run.name in UNPACKS else None
        if listed:
            self.note(replace(run, argv=(*run.argv[:1], "-c", *self.content(listed, scope).split("\n"))))
        if run.name == "dd":
            scope.files.update({scope.absolute(each[3:]): output for each in run.arguments if each.startswith("of=")})
            sources = [each[3:] for each in run.arguments if each.startswith("if=")]
            _note_copy(("cat", *sources), (), [Write(each[3:]) for each in run.arguments if each[:3] == "of="], scope)
        target = destination(run.name, run.arguments)
        if target:
            scope.files[scope.absolute(target)] = FETCHED + UNKNOWN
        return output

    def fed(self, run: ProgramRun, scope: ShellState) -> str:
        """What it works on; of a filter also where the files come from that this very command made."""
        if run.name not in _FILTERS:
            return run.stdin
        made = (each for each in run.arguments if scope.absolute(each) in scope.files)
        settings = NAMES_GATE if any(NAMES_GATE in self.content(each, scope) for each in run.arguments) else ""
        return run.stdin + "".join(taints(self.content(each, scope)) for each in made) + settings

    def _just_written(self, run: ProgramRun, folder: str, scope: ShellState) -> Iterator[str]:
        """Files of this very command that the program reads by itself, or because an option names them."""
        named = value_of(run.arguments, *NAMED_BY) if run.name in READ_UNASKED else None
        if named in _STDIN and run.name == "just":
            yield run.stdin
        for name in (named,) if named else READ_UNASKED.get(run.name, ()):
            path = joined((folder, name))
            if scope.absolute(path) in scope.files:
                yield self.content(path, scope)

    def inner(self, inner: Inner, run: ProgramRun, scope: ShellState) -> str:
        """What a program runs, in the place it runs it."""
        outer = self._place
        self._place = (inner.where or outer[0], inner.mounts or outer[1])
        used = scope if inner.keeps_scope else scope.inner()
        if inner.cwd:
            used.cwd = scope.home if inner.cwd == "~" else scope.absolute(inner.cwd)
        stdin = run.stdin if inner.stdin is None else inner.stdin
        env = {**run.env, **inner.env}
        try:
            if inner.language:
                return interpreters.interpret(self, inner.language, inner.script or "", run, used)
            if inner.script is not None:
                _export(env, used)
                used.arguments = inner.arguments or used.arguments
                return self.text(inner.script, used, stdin)
            if not inner.argv:
                return ""
            if len(inner.argv) == 1 and " " in inner.argv[0].strip():
                return self.text(inner.argv[0], used, stdin)  # no program is called that; whoever takes it has a shell
            return self.perform(ProgramRun(inner.argv, stdin, env, cwd=used.cwd), used)
        finally:
            self._place = outer


def _fed_to(redirect: Redirect, text: str, scope: ShellState, stdin: str) -> str:
    """A text opened to be read; what stands at the standard input then."""
    if redirect.descriptor in ("", "0"):
        return text
    descriptor = redirect.descriptor
    if descriptor.startswith("{"):  # `exec {fd}< file`: the shell chooses a number
        descriptor = scope.variables.setdefault(descriptor.strip("{}"), str(10 + len(scope.files)))
    scope.files[_DESCRIPTORS + descriptor] = text
    return stdin


def _note_copy(argv: Sequence[str], reads: Sequence[str], writes: Sequence[Write], scope: ShellState) -> None:
    """`cat /bin/rm > y`: from now on y is that program."""
    sources = [each for each in (*argv[1:], *reads) if _BINARY.match(each)] if argv and argv[0] in _COPY_BYTES else []
    scope.programs.update({scope.absolute(write.path): each for write in writes for each in sources})


def _values(arguments: Sequence[str]) -> Iterator[str]:
    """Words, and what options name: `--file=x`."""
    yield from (each.partition("=")[2] if each.startswith("--") else each for each in arguments)


_READING = frozenset({"<", "<>", "<<<", "<&"})


def _write_to(target: str, redirect: Redirect, scope: ShellState) -> Write | None:
    """None where it is only read, or a descriptor duplicated or closed; `1<>` opens a file for both."""
    if redirect.operator in _READING and (redirect.operator != "<>" or redirect.descriptor in ("", "0")):
        return None
    is_output = redirect.descriptor in ("", "1")
    if redirect.operator == ">&" and target in scope.opened:
        return Write(scope.opened[target], appends=True, is_output=is_output)
    if redirect.operator == ">&" and (target.isdigit() or target == "-"):
        return None
    # Of what a program prints there the first line.
    return Write(target.partition("\n")[0], appends=redirect.operator in (">>", "&>>", "<>"), is_output=is_output)


def _export(env: Mapping[str, str], scope: ShellState) -> None:
    """What a script is given in its environment is there for every program of it."""
    scope.variables.update(env)
    scope.exported.update(env)
