"""A `review-config.yaml` of the older design -> the text of a vetgate.yaml that means the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetgate.config.migrated_values import Migration, OldKeys, comments
from vetgate.model import COMMAND_SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping

_LOOPS = frozenset({"loop1", "loop2", "loop3", "blocking"})
_HEAD = (
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
    return found._replace(text="".join([_HEAD, comments(found), *text]))


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
