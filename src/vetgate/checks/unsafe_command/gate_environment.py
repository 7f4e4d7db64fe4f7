"""Variables that a command sets for the gate, or for git and its hooks: where they look, and how programs behave."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import SKIPS_HOOKS, TAMPERS, MatchedEffect
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.known_agents import known_agents
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.options import first_operand, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_GATED = tuple(agent.program for agent in known_agents() if agent.gated)
_POINTS_ELSEWHERE = expression(
    "|".join(
        (
            r"VETGATE_(?!LOG$|DAEMON$)\w+|GIT_CONFIG(?:_\w+)?|GIT_TEMPLATE_DIR|GIT_EXEC_PATH",
            *(
                re.escape(name)
                for agent in known_agents()
                if agent.gated
                for name in (*agent.gated.unhooked_by, agent.gated.moved_by)
                if name
            ),
        )
    )
)
_FOR_HOOKS = expression(
    r"HOME|XDG_(?:STATE_HOME|RUNTIME_DIR|CONFIG_HOME)|PATH|LD_PRELOAD|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|GIT_DIR"
)
# Where models are asked and over whose certificate: a key goes there. Another key only has them not answer.
_FOR_MODELS = expression(r"ANTHROPIC_BASE_URL|SSL_CERT_(?:FILE|DIR)")
_KEYS = expression(r"ANTHROPIC_(?:API_KEY|AUTH_TOKEN)")
# A model that does not answer is skipped, and what only models would have found may leave.
_REACH_MODELS = expression(r"(?i)\w+_(?:API_KEY|AUTH_TOKEN)|(?:https?|all|no)_proxy")
_APART = frozenset({"unshare", "firejail", "bwrap"})
# By these the programs of a review do something else than they are asked: collect tests, print a plan, load a plugin.
_STEER_PROGRAMS = expression(
    r"PYTEST_\w+|PYTHON(?:OPTIMIZE|INSPECT|BREAKPOINT|SAFEPATH|WARNINGS|USERBASE)|(?:TOX|NOX|RUFF|MYPY|COVERAGE|UV|HATCH)_\w+"
    r"|MYPYPATH|(?i:npm_config_\w+)|NODE_(?:OPTIONS|PATH)|(?:YARN|PNPM|BUN|JEST|VITEST|ESLINT|TURBO|NX)_\w+"
    r"|(?:GNU)?MAKEFLAGS|MAKEFILES|(?:JUST|MISE|TASK)_\w+|BASH_(?:ENV|FUNC_.*)|ENV|SHELL(?:OPTS)?|BASHOPTS|IFS"
    r"|GO(?:FLAGS|ENV|TOOLCHAIN|TMPDIR)|RUSTC\w*|RUSTFLAGS|CARGO_(?:BUILD|TARGET)_\w+|RUBY(?:OPT|LIB)|BUNDLE_\w+"
    r"|PERL5(?:OPT|LIB)|_?JAVA_(?:TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|MAVEN_(?:OPTS|ARGS)|GRADLE_OPTS|DOTNET_(?!ROOT)\w+"
)
_ANY_KEY = "ANY_API_KEY"
_ONLY_MEMORY = expression(r"(?:--max[-\w]+=\d+\s*)+")
# Where a command of a review finds its programs and libraries, beside `PATH`.
_FOR_REVIEWS = expression(
    r"LD_(?:LIBRARY_PATH|AUDIT)|DYLD_\w+|VIRTUAL_ENV|CONDA_PREFIX|PYENV_ROOT|NVM_(?:DIR|BIN)|VOLTA_HOME|PNPM_HOME|BUN_INSTALL"
    r"|GO(?:ROOT|PATH)|CARGO_HOME|RUSTUP_HOME|JAVA_HOME|GRADLE_USER_HOME|(?:M2|MAVEN)_HOME|DOTNET_ROOT|RBENV_ROOT"
    r"|GEM_(?:HOME|PATH)|ASDF_(?:DIR|DATA_DIR)|MISE_(?:DATA|CONFIG)_DIR|XDG_DATA_HOME"
)
_FOR_GIT = expression(
    r"GIT_(?:COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|REPLACE_REF_BASE|GRAFT_FILE|SHALLOW_FILE)"
)
_SKIPS = expression(
    r"HUSKY(?:_SKIP_\w+)?|SKIP|LEFTHOOK\w*|PRE_COMMIT_ALLOW_NO_CONFIG|OVERCOMMIT_DISABLE|SKIP_HOOKS|NO_VERIFY|DISABLE_HOOKS|GATE_DISABLED"
)
_ENV_TAKES = ("-u", "--unset", "-C", "--chdir", "-S", "--split-string")
_OFF = frozenset({"0", "false", "off", "no"})
_SETS = frozenset({"", "export", "declare", "typeset", "readonly"})


def environment_effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    values = dict(run.env)
    if run.name in ("export", "declare", "typeset", "readonly"):
        values |= dict(each.partition("=")[::2] for each in run.arguments if "=" in each)
    for name, value in values.items():
        complaint = _complaint(name, value, run, context)
        if complaint:
            yield complaint
    taken = _taken_away(run)
    if any(map(_POINTS_ELSEWHERE.fullmatch, taken)):
        yield MatchedEffect(TAMPERS, "it takes away what the hooks go by")
    if "vetgate" in context.programs and (run.name in _APART or any(map(_REACH_MODELS.fullmatch, taken))):
        yield MatchedEffect(TAMPERS, "it would keep the models from answering that judge")


def _taken_away(run: ProgramRun) -> tuple[str, ...]:
    """The names of variables; `env -i` takes all."""
    words = Words(run.arguments)
    if run.name == "unset" or (run.name == "export" and words.has("-n")):
        return words.plain
    if run.name not in ("env", "genv"):
        return ()
    end = first_operand(run.arguments, _ENV_TAKES)
    own = run.arguments[:end]  # what stands behind belongs to the program that it runs
    if "-" in run.arguments[end : end + 1] or Words(own).has("-i", "--ignore-environment"):
        return (_ANY_KEY,)
    return tuple(filter(None, (value_of(own[at:], "-u", "--unset") for at in range(len(own)))))


def _complaint(name: str, value: str, run: ProgramRun, context: EffectContext) -> MatchedEffect | None:
    """What setting a variable for this run means."""
    if _POINTS_ELSEWHERE.fullmatch(name):
        return MatchedEffect(
            SKIPS_HOOKS if name.startswith("GIT_") else TAMPERS, f"{name} would point the hooks elsewhere"
        )
    if name in ("HUSKY", "LEFTHOOK"):
        return MatchedEffect(SKIPS_HOOKS, f"{name}={value} turns hooks off") if value in _OFF else None
    if name == "NODE_OPTIONS" and _ONLY_MEMORY.fullmatch(value):
        return None
    for pattern, applies, kind, consequence in _COMPLAINTS:
        if pattern.fullmatch(name) and applies(run, context):
            return MatchedEffect(kind, f"{name} {consequence}")
    return None


def _for_git(run: ProgramRun, context: EffectContext) -> bool:
    """For this commit or push, or for every git behind it."""
    return _is_commit(run) or (run.name in _SETS and "git" in context.programs)


def _for_gate(run: ProgramRun, context: EffectContext) -> bool:
    """For the gate or an agent, or for whatever runs behind it: a review takes the project's programs from there."""
    if run.name in ("vetgate", "vetgate-hook", *_GATED):
        return True
    return run.name in _SETS and "vetgate" in context.programs


def _for_gate_or_commit(run: ProgramRun, context: EffectContext) -> bool:
    return _is_commit(run) or _for_gate(run, context)


def _for_review(run: ProgramRun, context: EffectContext) -> bool:
    return run.name == "vetgate" or (run.name in _SETS and "vetgate" in context.programs)


def _is_commit(run: ProgramRun) -> bool:
    if run.name != "git":
        return False
    return git_verb(run.arguments)[0] in ("commit", "push", "merge", "rebase", "am", "cherry-pick", "revert", "pull")


_COMPLAINTS = (
    (_SKIPS, _for_git, SKIPS_HOOKS, "turns hooks off"),
    (_FOR_GIT, _for_git, SKIPS_HOOKS, "makes git work with something else"),
    (_FOR_HOOKS, _for_gate_or_commit, TAMPERS, "would point the hooks elsewhere"),
    (_FOR_MODELS, _for_gate_or_commit, TAMPERS, "would send the key of a model elsewhere"),
    (_KEYS, _for_gate, TAMPERS, "would keep the models from answering that judge"),
    (_REACH_MODELS, _for_review, TAMPERS, "would keep the models from answering that judge"),
    (_FOR_REVIEWS, _for_review, TAMPERS, "would have a review take its programs from elsewhere"),
    (_STEER_PROGRAMS, _for_review, TAMPERS, "would have the programs of a review do something else"),
)
