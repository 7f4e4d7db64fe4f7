"""What a task of mise, Task, poe, pdm, hatch or deno runs, by the file that lists them."""

from __future__ import annotations

import shlex
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.expression import expression
from vetgate.source.recipes import small_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_MOST_STEPS = 200
_DEEPEST = 50
_LONGEST_VALUE = 1_000
_USE = expression(r"\{\{\s*\.?(?:vars\.)?(\w+)\s*\}\}")
# Of a task that is a table: what has the text of commands, and what has names of other tasks.
_TEXTS = frozenset({"run", "cmd", "cmds", "command", "shell", "defer", "case"})
_NAMES = frozenset(
    {"depends", "depends_post", "deps", "dependencies", "task", "tasks", "ref", "sequence", "composite", "uses"}
)
_NEXT = ":::"  # of mise: another task follows


class _TaskRunner(NamedTuple):
    """`tables` are the files with the keys below which the tasks are; the folder counts that has one of the files.

    `verbs` may stand before the name, and one must where it `needs_verb`. With `no_run` nothing of this file runs.
    """

    tables: tuple[tuple[str, tuple[str, ...]], ...]
    verbs: frozenset[str] = frozenset()
    needs_verb: bool = False
    no_run: tuple[str, ...] = ()
    runs_several: bool = False
    default: str = ""
    # What may be the name of another task, as well as a command.
    names: tuple[type, ...] = ()


_MISE_FILES = (
    *("mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml"),
    *("mise/config.toml", ".mise/config.toml"),
)
_MISE_CONFIG_FILES = (".config/mise.toml", ".config/mise/config.toml")
_TASKFILES = tuple(f"{name}{end}" for name in ("Taskfile", "taskfile") for end in (".yml", ".yaml", ".dist.yml"))
_TASK = _TaskRunner(
    tuple((file, ("tasks",)) for file in _TASKFILES),
    no_run=(
        *("-n", "--dry", "-l", "--list", "-a", "--list-all", "--summary", "--status", "-i", "--init"),
        *("-t", "--taskfile", "-g", "--global"),
    ),
    runs_several=True,
    default="default",
)
_RUNNERS = {
    "mise": _TaskRunner(
        tuple((file, ("tasks",)) for file in (*_MISE_FILES, *_MISE_CONFIG_FILES)),
        frozenset({"run", "r", "tasks", "t"}),
        no_run=("-n", "--dry-run"),
    ),
    "task": _TASK,
    "go-task": _TASK,
    "poe": _TaskRunner(
        (("pyproject.toml", ("tool", "poe", "tasks")), ("poe_tasks.toml", ("tasks",))),
        no_run=("-d", "--dry-run"),
        names=(list,),
    ),
    "pdm": _TaskRunner(
        (("pyproject.toml", ("tool", "pdm", "scripts")),), frozenset({"run"}), no_run=("-l", "--list", "--json")
    ),
    "hatch": _TaskRunner(
        (("pyproject.toml", ("tool", "hatch", "envs")), ("hatch.toml", ("envs",))),
        frozenset({"run"}),
        needs_verb=True,
        names=(str, list),
    ),
    "deno": _TaskRunner((("deno.json", ("tasks",)), ("deno.jsonc", ("tasks",))), frozenset({"task"}), needs_verb=True),
}
# Each with the options by which it runs nothing, or nothing of the usual file.
TASK_RUNNERS: Mapping[str, tuple[str, ...]] = {name: runner.no_run for name, runner in _RUNNERS.items()}


def task_text(name: str, place: Path, words: Sequence[str]) -> tuple[str, str] | None:
    """The folder it runs in, and the text of all its commands; None where no task of a file is run.

    `words` are what the runner is called with, without options.
    """
    runner = _RUNNERS[name]
    plain = list(words)
    if runner.needs_verb and not runner.verbs & set(plain):
        return None
    while plain and plain[0] in runner.verbs:
        plain = plain[1:]
    files = [file for file, _ in runner.tables]
    folder = next((each for each in (place, *place.parents) if any((each / file).is_file() for file in files)), None)
    if folder is None:
        return None
    contents = [(_content(folder / file), keys) for file, keys in runner.tables if (folder / file).is_file()]
    tasks = _with_aliases({name: task for content, keys in contents for name, task in _tasks(content, keys).items()})
    named = _named(plain, tasks, runner)
    values = {key: value for content, _ in contents for key, value in table_in(content.get("vars")).items()}
    text = "".join(f"{_filled(each, values)}\n" for each in _commands(named, tasks, runner))
    return (str(folder), text) if text.strip() else None


def _named(plain: Sequence[str], tasks: Mapping[str, Any], runner: _TaskRunner) -> list[str]:
    """What stands before it may be the value of an option, what stands behind it is for the task."""
    known = [each for each in plain if each in tasks or each == _NEXT]
    if not plain and runner.default in tasks:
        return [runner.default]
    if not runner.runs_several:
        firsts = [each for index, each in enumerate(known) if index == 0 or known[index - 1] == _NEXT]
        known = [part for each in firsts for part in (f"pre_{each}", each, f"post_{each}")]
    return [each for each in known if each in tasks]


def _commands(named: Sequence[str], tasks: Mapping[str, Any], runner: _TaskRunner) -> Iterator[str]:
    """Each command, with those of all tasks that these run; a bounded number."""
    waiting: list[tuple[Any, bool]] = [(each, True) for each in reversed(named)]
    seen: set[str] = set()
    for _ in range(_MOST_STEPS):
        if not waiting:
            return
        found, is_name = waiting.pop()
        name = _name(found) if is_name else ""
        if name not in tasks:
            waiting += reversed(list(_parts(found, is_name=is_name)))
            yield from ((found,) if isinstance(found, str) else ())
        elif name not in seen:
            seen.add(name)
            waiting.append((tasks[name], isinstance(tasks[name], runner.names)))


def _name(found: Any) -> str:
    return (found.split() or [""])[0].lstrip(":") if isinstance(found, str) else ""


def _parts(task: Any, *, is_name: bool) -> Iterator[tuple[Any, bool]]:
    """What it is made of, and whether that may be the name of a task; nothing for the text of a command."""
    if isinstance(task, list):
        yield from ((each, is_name) for each in task)
    for key, value in table_in(task).items():
        if key == "cmd" and isinstance(value, list):  # one command, word by word
            yield shlex.join(str(each) for each in value), False
        elif key in _TEXTS or key in _NAMES:
            yield value, key in _NAMES


def _with_aliases(tasks: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**{other: task for task in tasks.values() for other in _aliases(table_in(task))}, **tasks}


def _aliases(task: Mapping[str, Any]) -> Iterator[str]:
    for value in (task.get("alias"), task.get("aliases")):
        names = value if isinstance(value, list) else [value]
        yield from (each for each in names if isinstance(each, str))


def _tasks(content: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """By name; of hatch by that of the environment, too."""
    table: Any = content
    for key in keys:
        table = table_in(table).get(key)
    if keys[-1] != "envs":
        return table_in(table)
    found: dict[str, Any] = {}
    for environment, settings in table_in(table).items():
        scripts = table_in(table_in(settings).get("scripts"))
        found |= {f"{environment}:{name}": script for name, script in scripts.items()}
        found = scripts | found
    return found


def _filled(text: str, values: Mapping[str, Any]) -> str:
    return _USE.sub(lambda use: str(values.get(use[1], use[0]))[:_LONGEST_VALUE], text)


def _content(file: Path) -> dict[str, Any]:
    text = small_text(file)
    try:
        return table_in(tomllib.loads(text) if file.suffix == ".toml" else _yaml(text))
    except (ValueError, RecursionError):
        return {}


def _yaml(text: str) -> Any:
    """Also of JSON, which is YAML. The loader in C ends the process where values are nested deep."""
    import yaml  # noqa: PLC0415 - only where such a task is run

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    depth = 0
    try:
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                return {}
        return yaml.load(text, Loader=loader)  # noqa: S506 - a safe one
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


def table_in(value: Any) -> dict[str, Any]:
    """Empty for what is none: files are written by people."""
    return value if isinstance(value, dict) else {}
