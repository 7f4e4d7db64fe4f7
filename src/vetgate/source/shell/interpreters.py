"""Programs that run code in a language of their own: where it stands, what it does, and what it could be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.embedded import embedded
from vetgate.source.shell.fetched_code import is_unpacked
from vetgate.source.shell.guesses import at_hand, guessed, is_open_script, may_guess
from vetgate.source.shell.inline import arguments_behind, assigned_to_awk, code_of, effects_of, loaded_by_options
from vetgate.source.shell.inline.values import ReaderContext
from vetgate.source.shell.options import first_operand
from vetgate.source.shell.placeholders import FETCHED, NAMES_GATE, UNKNOWN, taints
from vetgate.source.shell.runs import Inner, ProgramRun, program
from vetgate.source.shell.wrappers import unwrapped

if TYPE_CHECKING:
    from vetgate.source.shell.follow import Follower
    from vetgate.source.shell.inline import InlineCode
    from vetgate.source.shell.scope import ShellState

_SHOWS_VALUE = frozenset({"-p", "-pe", "--print"})
# Modules of Python that run what they are fed, and those that run a script which they are given.
_RUN_INPUT = frozenset({"code", "asyncio", "idlelib"})
_DEBUGGERS = frozenset({"pdb", "bdb"})
_VALUES_OF_MODULES = ("-o", "-s", "-f", "-C", "-c")
# Code that prints where the gate's own program lies.
NAMES_OWN_PROGRAM = expression(r"(?s)\bvetgate\b.{0,200}(?:__file__|__path__|\borigin\b|locate_file|submodule_search)")
_EXAMPLE = expression(r"(?m)^\s*(?:>>>|\.\.\.) ?(.*)$")
_RUN_A_SCRIPT = frozenset({"trace", "doctest", "cProfile", "profile", "runpy", "tracemalloc", "pdb", "bdb"})


def run_code(follower: Follower, language: str, run: ProgramRun, scope: ShellState) -> str:
    if language == "python" and "-m" in run.arguments:
        return _module(follower, run.arguments[run.arguments.index("-m") + 1 :], run, scope)
    if language == "python" and "PYTHONSTARTUP" in run.env:
        interpret(follower, language, follower.content(run.env["PYTHONSTARTUP"], scope), run, scope)
    for text in loaded_by_options(language, run.arguments):
        interpret(follower, language, text, run, scope)
    code = code_of(language, run.arguments)
    if code is None:
        return follower.plain_program(run, scope)
    printed = _called(follower, language, run, code, scope)
    if code.file:
        return printed + _run_file(follower, language, code.file, run, scope)
    text = run.stdin if code.text is None else code.text
    _guess_code(follower, language, text, scope)
    if language == "awk":
        text = assigned_to_awk(run.arguments) + text
    if language == "javascript" and _SHOWS_VALUE.intersection(run.arguments) and ";" not in text:
        text = f"console.log({text})"
    return printed + interpret(follower, language, text, run, scope)


def _called(follower: Follower, language: str, run: ProgramRun, code: InlineCode, scope: ShellState) -> str:
    """What its own options have it run, or a program that is called by its file."""
    called = unwrapped(run.name, run.arguments) if code.text is None else []
    if code.file:
        called = called + embedded(program(code.file), arguments_behind(language, run.arguments), run.stdin)
    return "".join(follower.inner(each, run, scope) for each in called)


def _run_file(follower: Follower, language: str, file: str, run: ProgramRun, scope: ShellState) -> str:
    if is_unpacked(file, scope):
        follower.text(FETCHED, scope.inner(), "")
    text = follower.input_text(file, run, scope)
    if follower.is_made_here(file, scope):
        _guess_code(follower, language, text, scope)
    return interpret(follower, language, text, run, scope)


def _guess_code(follower: Follower, language: str, text: str, scope: ShellState) -> None:
    """Code that only the run tells."""
    if is_open_script(text) and not follower.guesses:
        follower.try_each(
            [Inner(script=each, language=language) for each in at_hand(follower.captured_texts(scope))], scope
        )


def _module(follower: Follower, module: tuple[str, ...], run: ProgramRun, scope: ShellState) -> str:
    """`python -m`: some run what they are fed, some the script that they are given."""
    name, rest = "".join(module[:1]), module[1:]
    start = first_operand(rest, _VALUES_OF_MODULES)
    if name in _RUN_INPUT and start == len(rest):
        return interpret(follower, "python", run.stdin, run, scope)
    printed = ""
    if name in _DEBUGGERS:
        lines = (line.strip().removeprefix("!") for line in run.stdin.split("\n"))
        printed = interpret(follower, "python", "\n".join(lines), run, scope)
    if name == "doctest":
        texts = [follower.input_text(each, run, scope) for each in rest[start:]]
        examples = (match[1] for text in texts for match in _EXAMPLE.finditer(text))
        printed = interpret(follower, "python", "\n".join(examples), run, scope)
    if name in _RUN_A_SCRIPT and start < len(rest):
        printed += follower.inner(Inner(("python", *rest[start:])), run, scope)
    return printed + follower.inner(Inner(module), run, scope)


def interpret(follower: Follower, language: str, code: str, run: ProgramRun, scope: ShellState) -> str:
    follower.note(ProgramRun((), code=code, cwd=scope.cwd, language=language))
    run = replace(run, stdin=follower.fed(run, scope))
    known = ReaderContext(
        scope.home,
        lambda path: follower.input_text(path, run, scope),
        environment={**scope.variables, **run.env},
        arguments=arguments_behind(language, run.arguments),
    )
    done = effects_of(language, code, known)
    output = done.printed + "".join(follower.inner(inner, run, scope) for inner in done.inners)
    if not follower.guesses and may_guess(language, code):
        # What the code runs or deletes, where it cannot be worked out: all that it could be.
        beside = _beside(follower, language, run, scope)
        follower.try_each(guessed(language, code, done.inners, beside, scope.home), scope)
    if language == "python" and NAMES_OWN_PROGRAM.search(code):
        output = NAMES_GATE + output
    unseen = [mark for mark in taints(run.stdin) if mark not in output]  # it may well hand on what it was fed
    return "".join((output or UNKNOWN, *unseen))


def _beside(follower: Follower, language: str, run: ProgramRun, scope: ShellState) -> tuple[str, ...]:
    given = arguments_behind(language, run.arguments)
    read = (follower.content(each, scope) for each in given if scope.absolute(each) in scope.files)
    fed = follower.captured_texts(scope) if is_open_script(run.stdin) else (run.stdin,)
    return (" ".join(given), *given, *scope.variables.values(), *run.env.values(), *fed, *read)
