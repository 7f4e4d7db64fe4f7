"""A `judge.config.json` of the older design -> the text of a vetgate.yaml that means the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetgate.config.migrate import Migration, OldKeys, comments, flow, word
from vetgate.config.models import STRATEGIES
from vetgate.expression import expression
from vetgate.model import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OWN = frozenset({"maxRetries", "complexity", "semantics", "security", "tests", "consensus", "logLevel"})
_HEAD = (
    "# Made by `vetgate migrate` from judge.config.json. Read it, then run `vetgate trust`.\n"
    "# What each of its keys became:\n"
)
_LIMITS = {
    "maxCyclomaticComplexity": "cyclomatic",
    "maxCognitiveComplexity": "cognitive",
    "maxNestingDepth": "nesting",
    "maxFunctionLength": "length",
    "maxParameterCount": "parameters",
}
_CHECKS = {
    "api-contract": ("contracts",),
    "type-consistency": ("types",),
    "naming": ("naming",),
    "duplicate-code": ("duplicates",),
}
_RULES = {
    "sql-injection": ("security/sql-concatenation",),
    "xss-vulnerability": ("security/html-sink", "security/html-answer", "security/script-address"),
    "weak-crypto": ("security/weak-hash", "security/broken-cipher"),
    "hardcoded-secret": ("secrets",),
}
_WHOLE = "judge"
_ON_TIMEOUT = {"allow": "allow", "deny": "deny", "primary-only": "primary", "primary": "primary"}
_NAME = expression(r"[A-Za-z][A-Za-z0-9._-]{0,63}")
_CATEGORY = expression(r"[a-z][a-z0-9-]{0,49}")
_ANTHROPIC, _CHAT, _MOST_WEIGHT = "//api.anthropic.com", "/chat/completions", 100
_SEVERITIES = ("note", "warning", "error", "critical")
_LEVELS = {"debug": "debug", "info": "info", "warn": "warning", "warning": "warning", "error": "error"}
_MOST_LIMIT, _MOST_RETRIES, _MOST_SUGGESTIONS = 1000, 100, 100


def is_judge_file(data: object) -> bool:
    if not isinstance(data, dict):
        return False
    own = _OWN & set(_unwrapped(data))
    return len(own) > (_WHOLE not in data) and "gates" not in data and "version" not in data


def migrated_judge(data: Mapping[str, Any], rules: Mapping[str, object], commands: Mapping[str, str]) -> Migration:
    """`rules` are the ids there are, `commands` those that the project has."""
    data = _unwrapped(data)
    keys = OldKeys(_without_lists(data), "judge.config.json")
    lines = ["version: 1\n", *_general(keys), *_paths(keys), *_complexity(keys)]
    severities = dict(_severities(data, keys, rules))
    if severities:
        lines += ["rules:\n", *(f"  {name}: {severity}\n" for name, severity in severities.items())]
    lines += _tests(data, keys, commands)
    lines += _consensus(data, keys)
    lines += _output(keys)
    keys.rest("no counterpart")
    found = keys.migration("")
    return found._replace(text="".join([_HEAD, comments(found), *lines]))


def _unwrapped(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """All of it may stand under one key."""
    whole = data.get(_WHOLE)
    return whole if isinstance(whole, dict) else data


def _without_lists(data: Mapping[str, Any]) -> dict[str, Any]:
    """Lists of tables are read by themselves."""
    kept = {name: dict(value) if isinstance(value, dict) else value for name, value in data.items()}
    lists = (("semantics", "checks"), ("security", "rules"), ("tests", "frameworks"), ("consensus", "models"))
    for part, name in lists:
        if isinstance(kept.get(part), dict):
            kept[part].pop(name, None)
    return kept


def _general(keys: OldKeys) -> Iterator[str]:
    enabled = keys.take("enabled", bool, "`enabled` ({})")
    level = keys.take("logLevel", str, "`log_level` ({})")
    retries = keys.take("maxRetries", int, "`retries.max` ({})")
    if enabled is False:
        yield "enabled: false\n"
    if level is not None:
        if level not in _LEVELS:
            raise UserError(f"`logLevel` of judge.config.json is {word(level)}", hint=f"one of {', '.join(_LEVELS)}")
        yield f"log_level: {_LEVELS[level]}\n"
    if retries is not None:
        yield f"retries: {{max: {min(max(retries, 1), _MOST_RETRIES)}}}\n"


def _paths(keys: OldKeys) -> Iterator[str]:
    """What it left out because it is a test is a test here: such files are looked at, and never block."""
    include = keys.take("include", list, "`paths.include` ({})") or []
    exclude = keys.take("exclude", list, "`paths.exclude` and, of tests, `paths.tests` ({})") or []
    if not all(isinstance(glob, str) and glob for glob in (*include, *exclude)):
        raise UserError("`include` and `exclude` of judge.config.json are lists of globs")
    tests = [glob for glob in exclude if ".test." in glob or ".spec." in glob]
    others = [glob for glob in exclude if glob not in tests]
    parts = [(name, globs) for name, globs in (("include", include), ("exclude", others), ("tests", tests)) if globs]
    if parts:
        yield f"paths:\n{''.join(f'  {name}: {flow(globs)}{chr(10)}' for name, globs in parts)}"


def _complexity(keys: OldKeys) -> Iterator[str]:
    limits = {
        ours: keys.take(f"complexity.{theirs}", int, f"`complexity.{ours}` ({{}})") for theirs, ours in _LIMITS.items()
    }
    given = [f"{name}: {min(max(value, 0), _MOST_LIMIT)}" for name, value in limits.items() if value is not None]
    if given:
        yield f"complexity: {{{', '.join(given)}}}\n"


def _severities(data: Mapping[str, Any], keys: OldKeys, rules: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    semantics = keys.take("semantics.enabled", bool, "`rules` of contracts, types, naming and duplicates ({})")
    for entry in _entries(data, "semantics", "checks", "type"):
        name = str(entry["type"])
        yield from _severity(entry, f"semantics.checks.{name}", _CHECKS.get(name, ()), keys)
    detects = keys.take("semantics.detectDuplicates", bool, "`rules.duplicates` ({})")
    if detects is False or semantics is False:
        names = (name for names in _CHECKS.values() for name in names) if semantics is False else ("duplicates",)
        yield from ((name, "off") for name in names)
    keys.leave("semantics.duplicateThreshold", "set `duplicates.similarity`; the two are not the same measure")
    security = keys.take("security.enabled", bool, "`rules.security` ({})")
    if security is False:
        yield "security", "off"
    for entry in _entries(data, "security", "rules", "id"):
        name = str(entry["id"])
        own = (f"security/{name}",) if f"security/{name}" in rules else ()
        yield from _severity(entry, f"security.rules.{name}", _RULES.get(name, own), keys)


def _severity(
    entry: Mapping[str, Any],
    key: str,
    ours: tuple[str, ...],
    keys: OldKeys,
) -> Iterator[tuple[str, str]]:
    if not ours:
        keys.left.append((key, "no check of that name; see `vetgate explain`"))
        return
    severity = "off" if entry.get("enabled") is False else str(entry.get("severity", ""))
    if severity not in ("off", *_SEVERITIES):
        keys.became.append((key, f"on by default, as {', '.join(ours)}"))
        return
    keys.became.append((key, f"`{severity}` for {', '.join(ours)}"))
    yield from ((each, severity) for each in ours)


def _entries(data: Mapping[str, Any], part: str, name: str, named: str) -> list[Mapping[str, Any]]:
    found = data.get(part, {}).get(name, []) if isinstance(data.get(part), dict) else []
    if not isinstance(found, list) or not all(isinstance(each, dict) and named in each for each in found):
        raise UserError(f"`{part}.{name}` of judge.config.json is not a list of tables with `{named}`")
    return found


def _tests(data: Mapping[str, Any], keys: OldKeys, commands: Mapping[str, str]) -> Iterator[str]:
    """They run at the end of a turn: before a write there is nothing to test."""
    enabled = keys.take("tests.enabled", bool, "the gate `test` at `on.stop` ({})")
    timeout = keys.take("tests.timeoutMs", int, "`timeout` of the gate `test`, in seconds ({} ms)")
    fails = keys.take("tests.failOnError", bool, "`on_fail` of the gate `test` ({})")
    part = data.get("tests")
    frameworks = part.get("frameworks") if isinstance(part, dict) else None
    first = str(frameworks[0]) if isinstance(frameworks, list) and frameworks else ""
    command = commands.get("test") or (f"npx {first}" if first in {"jest", "vitest", "mocha"} else first)
    if first:
        keys.became.append(("tests.frameworks", f"the command of the gate `test` ({word(command)})"))
    if not enabled or not command:
        return
    seconds = 120 if timeout is None else min(max(timeout // 1000, 1), 3_600)
    follows = ", on_fail: CONTINUE" if fails is False else ""
    yield f"gates:\n  test: {{command: {word(command)}, timeout: {seconds}{follows}}}\non:\n  stop: [code, test]\n"


def _consensus(data: Mapping[str, Any], keys: OldKeys) -> Iterator[str]:
    enabled = keys.take("consensus.enabled", bool, "judges with several `models` ({})")
    strategy = keys.take("consensus.strategy", str, "`consensus.strategy` ({})")
    timeout = keys.take("consensus.timeout", int, "`consensus.timeout`, in seconds ({} ms)")
    late = keys.take("consensus.fallbackOnTimeout", str, "`consensus.on_timeout` ({})")
    given = [f"strategy: {strategy}"] if strategy in STRATEGIES else []
    given += [] if timeout is None else [f"timeout: {min(max(timeout // 1000, 1), 600)}"]
    given += [f"on_timeout: {_ON_TIMEOUT[late]}"] if late in _ON_TIMEOUT else []
    if given:
        yield f"consensus: {{{', '.join(given)}}}\n"
    models = list(_models(data, keys))
    if models:
        yield "models:\n"
        yield from models
    if enabled:
        listed = "" if models else "list `models`, and "
        yield f"# consensus was on: {listed}name several in a gate with a judge (docs/judging.md)\n"


def _models(data: Mapping[str, Any], keys: OldKeys) -> Iterator[str]:
    """Those with an address. No key is taken over: it belongs in the environment or the keyring."""
    part = data.get("consensus")
    listed = part.get("models") if isinstance(part, dict) else None
    for model in listed if isinstance(listed, list) else ():
        if not isinstance(model, dict) or not _NAME.fullmatch(str(model.get("name"))):
            raise UserError("`consensus.models` of judge.config.json is not a list of tables with `name`")
        name, address = model["name"], str(model.get("endpoint") or "")
        if not address.startswith("https://"):
            keys.left.append((f"consensus.models.{name}", "it names no https address; describe it under `models`"))
            continue
        keys.became.append((f"consensus.models.{name}", f"`models.{name}`; its key is looked up in the environment"))
        given = {"api": "anthropic"} if _ANTHROPIC in address else _compatible(name, address)
        given |= {"model": word(str(model.get("model") or name)), **_part_in_consensus(model)}
        yield f"  {name}: {{{', '.join(f'{key}: {value}' for key, value in given.items())}}}\n"


def _part_in_consensus(model: Mapping[str, Any]) -> dict[str, str]:
    weight, specialties = model.get("weight"), model.get("specialties")
    weighed = {"weight": str(weight)} if isinstance(weight, float | int) and 0 <= weight <= _MOST_WEIGHT else {}
    named = specialties if isinstance(specialties, list) else []
    known = [each for each in named if _CATEGORY.fullmatch(str(each))]
    return weighed | ({"specialties": flow(known)} if known else {})


def _compatible(name: str, address: str) -> dict[str, str]:
    variable = "".join(each if each.isalnum() else "_" for each in name).upper()
    return {"api": "openai", "url": word(address.removesuffix(_CHAT)), "key": f"${variable}_API_KEY"}


def _output(keys: OldKeys) -> Iterator[str]:
    form = keys.take("output.format", str, "`output.format` ({})")
    snippets = keys.take("output.includeCodeSnippets", bool, "`output.snippets` ({})")
    most = keys.take("output.maxSuggestions", int, "`output.max_suggestions` ({})")
    given = [f"format: {form}"] if form in {"text", "json", "html"} else []
    given += [] if snippets is None else [f"snippets: {word(snippets)}"]
    given += [] if most is None else [f"max_suggestions: {min(max(most, 0), _MOST_SUGGESTIONS)}"]
    if given:
        yield f"output: {{{', '.join(given)}}}\n"
