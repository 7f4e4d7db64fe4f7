"""A `gates.json` or `review-config.yaml` of an older design -> the text of a vetgate.yaml that means the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.config.load import defaults
from vetgate.expression import expression
from vetgate.known_agents import known_agents
from vetgate.model import ACTIONS, COMMAND_SECONDS, EventKind, UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


_SIMPLE = expression(r"[A-Za-z][A-Za-z0-9_/.-]*")
_NOT_PLAIN = frozenset({"true", "false", "null", "True", "False", "Null", "TRUE", "FALSE", "NULL"})
_LONGEST = 100


class Migration(NamedTuple):
    """The text of a vetgate.yaml; `became` and `left` say what each key of the old file is there, or why it is not."""

    text: str
    became: tuple[tuple[str, str], ...] = ()
    left: tuple[tuple[str, str], ...] = ()


class OldKeys:
    """Keys of a file, each taken once; what nobody takes is left."""

    def __init__(self, data: Mapping[str, Any], name: str) -> None:
        self._values = dict(flat(data))
        self._name = name
        self.became: list[tuple[str, str]] = []
        self.left: list[tuple[str, str]] = []

    def take(self, key: str, kind: type | tuple[type, ...], became: str) -> Any:
        """None where it is not given; `became` is a template with the value in it."""
        value = self._value(key, kind)
        if value is not None:
            self.became.append((key, became.format(word(value))))
        return value

    def leave(self, key: str, why: str) -> None:
        if self._values.pop(key, None) is not None:
            self.left.append((key, why))

    def rest(self, why: str) -> None:
        for key in list(self._values):
            self.leave(key, why)

    def _value(self, key: str, kind: type | tuple[type, ...]) -> Any:
        value = self._values.pop(key, None)
        if value is None:
            return None
        is_flag = isinstance(value, bool)
        if not isinstance(value, kind) or (is_flag and kind is not bool):
            raise UserError(f"`{key}` of {self._name} is {word(value)}", hint="correct it there, or remove it")
        return value

    def migration(self, text: str) -> Migration:
        return Migration(text, tuple(self.became), tuple(self.left))


def flat(data: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Each value under its whole key; an empty table is nothing."""
    for name, value in data.items():
        key = f"{before}{name}"
        if isinstance(value, dict):
            yield from flat(value, f"{key}.")
        elif value is not None:
            yield key, value


def comments(migration: Migration) -> str:
    """For the head of the file."""
    lines = [f"# {key}: {what}" for key, what in migration.became]
    lines += [f"# {key}: not migrated ({why})" for key, why in migration.left]
    return "".join(f"{printable(line)}\n" for line in lines)


def word(value: Any) -> str:
    """As YAML reads it back."""
    if isinstance(value, str):
        value = value.encode("utf-8", "replace").decode()  # JSON can spell half a character, which no file can hold
    bare = isinstance(value, str) and _SIMPLE.fullmatch(value) and value not in _NOT_PLAIN
    return str(value) if bare else json.dumps(value, ensure_ascii=False)


def flow(names: list[str]) -> str:
    return f"[{', '.join(map(word, names))}]"


def printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)[: 2 * _LONGEST]


_NAME = expression(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_KEYS = ("description", "command", "on_pass", "on_fail", "timeout")
_HOOK_KEYS = frozenset({"gates", "enabled_tools", "enabled_agents"})
_GATED = tuple(agent.gated for agent in known_agents() if agent.gated)
_OF_TOOLS = frozenset({EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND})
_TAKEN_OVER = _OF_TOOLS | {EventKind.SUBAGENT_STOP, EventKind.STOP, EventKind.PROMPT, EventKind.SESSION_START}
_EVENTS = {
    name: [kind for kind in kinds if kind in _TAKEN_OVER] for gated in _GATED for name, kinds in gated.events.items()
}
_COMMANDS = frozenset(name for gated in _GATED for name in gated.commands)
_GATES_HEAD = (
    "# Made by `vetgate migrate` from gates.json. Read it, then run `vetgate trust`: until then its commands wait.\n"
    "# What each of its keys became:\n"
)


def is_gates_file(data: object) -> bool:
    return isinstance(data, dict) and bool({"gates", "hooks"} & set(data)) and "version" not in data


def migrated_gates(data: Mapping[str, Any]) -> Migration:
    """Raises UserError for what is not such a file."""
    gates, hooks = _table(data, "gates"), _table(data, "hooks")
    names = {name: _free(name) for name in gates}
    keys = Migration("", tuple(_became(names, hooks)))
    lines = [_GATES_HEAD, comments(keys), "version: 1\n", "\n", "gates:\n" if gates else ""]
    for name, gate in gates.items():
        lines += _gate(names, name, gate)
    events = [line for name, hook in hooks.items() for line in _event(names, name, hook)]
    return keys._replace(text="".join([*lines, *(["\n", "on:\n"] if events else []), *events]))


def _became(names: Mapping[str, str], hooks: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Keys below these keep their names; what has no counterpart is named where it would stand."""
    for old, new in names.items():
        yield f"gates.{old}", f"`gates.{new}`"
    for name, hook in hooks.items():
        lines = list(_event(names, name, hook))
        if events := [line.split(":")[0].strip() for line in lines if not line.lstrip().startswith("#")]:
            yield f"hooks.{name}", ", ".join(f"`on.{event}`" for event in events)
            for key, filters in (("enabled_tools", "tools"), ("enabled_agents", "agents")):
                if any(f"{{{filters}: " in line or f", {filters}: " in line for line in lines):
                    yield f"hooks.{name}.{key}", f"`{filters}` of it"


def _gate(names: Mapping[str, str], name: str, gate: Any) -> Iterator[str]:
    if not isinstance(gate, dict) or not isinstance(gate.get("command"), str) or not gate["command"].strip():
        raise UserError(f"the gate {name!r} has no command", hint="give it one in gates.json, or take it out")
    yield f"  {names[name]}:\n"
    for key in _KEYS:
        if key in gate:
            value = gate[key]
            if key.startswith("on_") and isinstance(value, str):
                value = names.get(value, value)
            yield f"    {key}: {word(_one_line(value) if key == 'description' else value)}\n"
    if left := sorted(set(gate) - set(_KEYS)):
        yield f"    # not migrated: {', '.join(map(printable, left))}\n"


def _event(names: Mapping[str, str], name: str, hook: Any) -> Iterator[str]:
    if not isinstance(hook, dict):
        raise UserError(f"the hook {name!r} is not a mapping")
    gates = [names.get(gate, gate) for gate in _names(hook, "gates")]
    tools, agents = _names(hook, "enabled_tools"), _names(hook, "enabled_agents")
    kinds = _EVENTS.get(name, ())
    for kind in kinds:
        meant = [tool for tool in tools if (tool in _COMMANDS) == (kind is EventKind.AFTER_COMMAND)]
        if kind not in _OF_TOOLS:
            yield _sequence(kind, gates, [], agents)
        elif meant or not tools:
            yield _sequence(kind, gates, meant, agents)
    if not kinds:
        yield f"  # not migrated: {printable(name)} runs {printable(', '.join(gates))}\n"
    if left := sorted(set(hook) - _HOOK_KEYS):
        yield f"  # not migrated from {printable(name)}: {', '.join(map(printable, left))}\n"


def _sequence(event: EventKind, gates: list[str], tools: list[str], agents: list[str]) -> str:
    """What stands there by default goes on standing there: a list replaces the one below it."""
    listed = flow([*defaults().on.get(event, ()), *gates])
    filters = [f"{key}: {flow(globs)}" for key, globs in (("tools", tools), ("agents", agents)) if globs]
    return f"  {event}: {{{', '.join([*filters, f'gates: {listed}'])}}}\n" if filters else f"  {event}: {listed}\n"


def _free(name: str) -> str:
    """A name that is none of vetgate's own."""
    if not _NAME.fullmatch(name) or name.upper() in ACTIONS:
        raise UserError(
            f"a gate cannot be called {name!r}", hint="letters, digits, - and _; not CONTINUE, BLOCK or STOP"
        )
    return f"{name}-command" if name in defaults().gates else name


def _table(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise UserError(f"`{key}` of gates.json is not a mapping")
    return found


def _names(hook: Mapping[str, Any], key: str) -> list[str]:
    found = hook.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise UserError(f"`{key}` of gates.json is not a list of names")
    return found


def _one_line(text: Any) -> Any:
    return " ".join(text.split()) if isinstance(text, str) else text


_LOOPS = frozenset({"loop1", "loop2", "loop3", "blocking"})
_REVIEW_HEAD = (
    "# Made by `vetgate migrate` from review-config.yaml. Read it, then run `vetgate trust`: until then its commands "
    "wait.\n# What each of its keys became:\n"
)
_PNPM = {"lint": "lint", "types": "typecheck", "format": "format:check", "build": "build", "test": "test"}
_AT_ONCE = ("lint", "types", "format")
_MOST_SECONDS = 86_400
_MOST_OF_A_COMMAND = 3_600
_TIERS = {"haiku": "claude-haiku-5-5", "sonnet": "claude-sonnet-5-5", "opus": "claude-opus-5-5"}


def is_review_file(data: object) -> bool:
    return isinstance(data, dict) and bool(_LOOPS & set(data)) and "version" not in data


def migrated_review(data: Mapping[str, Any], commands: Mapping[str, str]) -> Migration:
    """`commands` are those that the project has; the older design ran scripts of pnpm."""
    keys = OldKeys(data, "review-config.yaml")
    quick, thorough = (_seconds(keys, f"loop1.tier{number}_timeout", usual) for number, usual in ((1, 30), (2, 120)))
    at_once = keys.take("loop1.parallel_tier1", bool, "the nested list of the loop `quick` ({})")
    keys.leave("loop1.fail_fast_tier2", "a failed gate always ends its loop")
    limits = {name: quick if name in _AT_ONCE else thorough for name in _PNPM}
    gates = [
        f"  {name}: {{command: {_command(name, commands)}{_limit(limits[name])}{_failing(keys, name)}}}\n"
        for name in _PNPM
    ]
    gates.append(f"  secrets: {{checks: [secrets]{_failing(keys, 'secrets')}}}\n")
    listed = f"[{', '.join(_AT_ONCE)}]"
    first = f"[{listed}]" if at_once is not False else listed
    loops = [
        f"  - {{name: quick, gates: {first}, timeout: {quick}}}\n",
        f"  - {{name: tests, gates: [secrets, build, test], timeout: {thorough}}}\n",
    ]
    models: list[str] = []
    for part in (_reviewer(keys, models), _outside(keys)):
        if part is not None:
            gates.append(part[0])
            loops.append(part[1])
    _leave_rest(keys)
    found = keys.migration("")
    asked = ["\nmodels:\n", *models] if models else []
    ship = "  reviewed: {ship: true}\n"
    text = ["version: 1\n\ngates:\n", *gates, ship, "\nreview:\n", *loops, *asked, "\non: {ship: [reviewed]}\n"]
    return found._replace(text="".join([_REVIEW_HEAD, comments(found), *text]))


def _command(name: str, commands: Mapping[str, str]) -> str:
    import json  # noqa: PLC0415 - as all of this: only who migrates pays for it

    return json.dumps(commands.get(name, f"pnpm run {_PNPM[name]}"), ensure_ascii=False)


def _limit(seconds: int) -> str:
    """A command may take all the time of its loop, where that is more than commands have anyway."""
    return f", timeout: {min(seconds, _MOST_OF_A_COMMAND)}" if seconds > COMMAND_SECONDS else ""


def _seconds(keys: OldKeys, key: str, usual: int) -> int:
    found = keys.take(key, int, "the loop's timeout, {}")
    return usual if found is None else min(max(int(found), 1), _MOST_SECONDS)


def _failing(keys: OldKeys, name: str) -> str:
    """What the older design did not let stop a shipment is told and goes on."""
    key = {"secrets": "secrets_block_ship", "build": "build_failure_blocks_ship", "test": "test_failure_blocks_ship"}
    if name not in key:
        return ""
    blocks = keys.take(f"blocking.{key[name]}", bool, f"the gate `{name}`, by its `on_fail` ({{}})")
    return ", on_fail: CONTINUE" if blocks is False else ""


def _reviewer(keys: OldKeys, models: list[str]) -> tuple[str, str] | None:
    enabled = keys.take("loop2.enabled", bool, "the loop `model` ({})")
    model = keys.take("loop2.model", str, "`models` ({})")
    specs = keys.take("loop2.include_specs", bool, "`include_specs` of the gate `reviewer` ({})")
    commits = keys.take("loop2.include_commits", int, "`include_commits` of the gate `reviewer` ({})")
    keys.leave("loop2.spawn_fresh_context", "a judge always starts with a fresh context")
    at = "critical"
    for name, severity in (("critical", "critical"), ("major", "error"), ("minor", "note")):
        blocks = keys.take(f"blocking.{name}_blocks_ship", bool, "`block_at` of the gate `reviewer` ({})")
        at = severity if blocks else at
        if name == "critical" and blocks is False:
            at = ""
    if enabled is False:
        return None
    name = model if model in _TIERS else "opus"
    models.append(f"  {name}: {{api: anthropic, model: {_TIERS[name]}, key: $ANTHROPIC_API_KEY}}\n")
    more = "" if name == "opus" else f", models: [{name}]"
    more += "" if specs in (None, True) else ", include_specs: false"
    more += "" if commits in (None, 5) else f", include_commits: {min(max(int(commits), 0), 50)}"
    more += f", block_at: {at}" if at else ", on_fail: CONTINUE"
    return f"  reviewer: {{judge: reviewer{more}}}\n", "  - {name: model, gates: [reviewer], timeout: 300}\n"


def _outside(keys: OldKeys) -> tuple[str, str] | None:
    enabled = keys.take("loop3.enabled", bool, "the loop `coderabbit` ({})")
    limit = keys.take("loop3.rate_limit_per_hour", int, "`quota` of the gate `coderabbit` ({} an hour)")
    blocks = keys.take(
        "loop3.block_on_new_issues", bool, "`on_fail` and `block_at` of the gate, `blocks` of its loop ({})"
    )
    keys.leave("loop3.skip_on_rate_limit", "a gate whose quota is used up is always skipped, and named")
    if enabled is False:
        return None
    quota = min(max(8 if limit is None else int(limit), 1), 9_999)
    # Whatever it finds is a new issue: the loops before it did not.
    follows, held = ("BLOCK, block_at: note", "") if blocks else ("CONTINUE", ", blocks: false")
    gate = (
        f'  coderabbit: {{command: "coderabbit review --plain", parse: coderabbit, quota: {quota}/hour, timeout: 180, '
        f"on_fail: {follows}}}\n"
    )
    return gate, f"  - {{name: coderabbit, gates: [coderabbit], timeout: 180{held}}}\n"


def _leave_rest(keys: OldKeys) -> None:
    for name in ("show_progress_spinners", "show_elapsed_time", "unified_report", "save_logs"):
        keys.leave(f"output.{name}", "a review always does this, in a terminal or as plain lines")
    for name in ("state_dir", "log_dir", "config_dir"):
        keys.leave(f"paths.{name}", "what is remembered lies in your state folder, out of an agent's reach")
    keys.rest("no counterpart")
