"""What a file enforces, as safeguards, and what it no longer does: a limit fell, a setting or a step is gone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.silenced_tool.commands import ALL, LINT, SECURITY, TEST, TYPES, limits
from vetgate.checks.silenced_tool.enforcement import DROPPED, SCALE, SETTINGS, THRESHOLD, enforcement_of, shown
from vetgate.checks.silenced_tool.pipelines import CHECKS, PIPELINE, TESTS, pipeline, scripts
from vetgate.engine.check import Safeguard
from vetgate.expression import expression
from vetgate.model import Finding, Span
from vetgate.severity import Severity
from vetgate.source.syntax import Source

if TYPE_CHECKING:
    from vetgate.engine.check import Loss

_BEHIND = {"lint": (LINT,), "test": (TEST,), "audit": (SECURITY,), "type": (TYPES,), "tsc": (TYPES,), "fmt": (LINT,)}
_PYTHON = frozenset({"black", "isort", "flake8", "pyupgrade", "autoflake", "pydocstyle", "yapf", "autopep8", "bandit"})
_JAVASCRIPT = frozenset({"eslint", "prettier", "rome", "standard", "xo"})
# A hook, and those it makes superfluous.
_TAKES_OVER = {
    **dict.fromkeys(("ruff", "ruff-check", "ruff-format"), _PYTHON | {"pylint", "ruff", "ruff-check"}),
    **dict.fromkeys(("biome-check", "biome-ci", "biome-lint", "biome-format", "oxlint"), _JAVASCRIPT),
}
# The second version of golangci's settings has formatters in a list of their own, and linters that are part of others.
_GOLANGCI_2 = expression(r"^version:\s*[\"']?2\b", re.MULTILINE)
_PART_OF = {"gosimple": "staticcheck", "stylecheck": "staticcheck", "tenv": "usetesting"}
_SCOPES = {"push", "pull_request", "pull_request_target", "merge_group", "merge_requests"}


def find_lost_enforcement(loss: Loss) -> Finding | None:
    if loss.rule == THRESHOLD:
        return _threshold(loss)
    tool, _, name = loss.symbol.partition(" ")
    if name.startswith("step "):
        return _step(loss, tool, name.removeprefix("step "))
    if tool == "trigger":
        return _trigger(loss, name)
    if tool == "script":
        return None if loss.now or _stands(loss, f"script {name}") else _finding(loss, f"The script `{name}` is gone.")
    return _setting(loss, tool, name)


def _threshold(loss: Loss) -> Finding | None:
    if loss.now is None:
        if _is_elsewhere(loss):
            return None
        return _finding(loss, f"The limit {shown(loss.value)} of `{loss.symbol}` is gone.")
    way = "fell" if loss.value > 0 else "rose"
    return _finding(loss, f"The limit of `{loss.symbol}` {way} from {shown(loss.value)} to {shown(loss.now.value)}.")


def _setting(loss: Loss, tool: str, name: str) -> Finding | None:
    if name == SETTINGS:
        if _is_elsewhere(loss):
            return None
        return _finding(loss, f"The settings of {tool} are gone.", Severity.WARNING)
    if loss.now is not None:
        # What is off altogether is told where it stands.
        return _finding(loss, f"`{name}` of {tool} is weaker than before.") if loss.now.value else None
    if _section_is_gone(loss) or _is_elsewhere(loss) or _is_covered(loss, tool, name):
        return None
    key, _, item = name.partition(": ")
    if item:
        if _is_replaced(loss, f"{tool} {key}: ", item):
            return None
        kept = sum(each.symbol.startswith(f"{tool} {key}: ") for each in loss.after)
        was_set = sum(known.symbol.startswith(f"{tool} {key}: ") for known in loss.before)
        severity = Severity.WARNING if kept >= was_set else Severity.ERROR
        return _finding(loss, f"`{item}` is no longer among `{key}` of {tool}.", severity)
    severity = Severity.ERROR if loss.value == 1 else Severity.WARNING
    return _finding(loss, f"`{name}` of {tool} is no longer set.", severity)


def _is_replaced(loss: Loss, prefix: str, item: str) -> bool:
    """By a tool that has taken over what it does, or by the same in another list."""
    before = {known.symbol for known in loss.before}
    new = (each.symbol.removeprefix(prefix) for each in loss.after if each.symbol not in before)
    if any(item in _TAKES_OVER.get(each, ()) for each in new):
        return True
    listed = {each.symbol.partition(": ")[2] for each in loss.after}
    is_second = prefix.startswith("golangci ") and _GOLANGCI_2.search(loss.source.text)
    return bool(is_second and listed & {item, _PART_OF.get(item)})


def _is_covered(loss: Loss, tool: str, name: str) -> bool:
    """By `strict`, which switches all of them on, or by a wider entry of the same list."""
    key, _, item = name.partition(": ")
    for each in loss.after:
        if each.symbol == f"{tool} strict" and each.value and name != "strict" and not item:
            return True
        other = (
            each.symbol.removeprefix(f"{tool} {key}: ") if item and each.symbol.startswith(f"{tool} {key}: ") else ""
        )
        if other and (item.startswith(other) or other.upper() == "ALL"):
            return True
    return False


def _step(loss: Loss, kind: str, tool: str) -> Finding | None:
    """A step gave way to another one of its kind, or to one that runs all of them."""
    before = {known.symbol: known.value or 0 for known in loss.before}
    for each in loss.after:
        same_kind = each.symbol.startswith(tuple(f"{name} step " for name in (*_meant(kind, tool), ALL)))
        if same_kind and each.symbol != loss.symbol and each.value > before.get(each.symbol, 0):
            return None
    if loss.now is not None and loss.now.value > 0:
        return _finding(loss, f"`{tool}` runs less often than before.", Severity.WARNING)
    if _stands(loss, loss.symbol):
        return None
    severity = Severity.ERROR if PIPELINE.search(loss.source.path) else Severity.WARNING
    return _finding(loss, f"`{tool}` is no longer run.", severity)


def _meant(kind: str, tool: str) -> tuple[str, ...]:
    """The kinds of checks behind a step; of one that runs others, what its name says, or any."""
    if kind != ALL:
        return (kind,)
    return next((kinds for word, kinds in _BEHIND.items() if word in tool), (TEST, LINT, TYPES, SECURITY))


def _trigger(loss: Loss, name: str) -> Finding | None:
    if not loss.source.text:
        return None
    others = {each.symbol.removeprefix("trigger ") for each in loss.after} & _SCOPES
    return _finding(loss, f"It no longer runs on `{name}`.", Severity.WARNING if others else Severity.ERROR)


def _section_is_gone(loss: Loss) -> bool:
    """Then that is told, once."""
    settings = f"{loss.symbol.partition(' ')[0]} {SETTINGS}"
    was_set = any(known.symbol == settings for known in loss.before)
    return was_set and not any(each.symbol == settings for each in loss.after)


def _is_elsewhere(loss: Loss) -> bool:
    """Moved to another file that sets the same bar, or a higher one."""
    return any(each.rule == loss.rule and each.value >= loss.value for each in _safeguards_elsewhere(loss))


def _stands(loss: Loss, symbol: str) -> bool:
    return any(each.symbol == symbol for each in _safeguards_elsewhere(loss))


def _safeguards_elsewhere(loss: Loss) -> list[Safeguard]:
    word = loss.symbol.split(" ")[-1].rpartition("/")[2]
    return [
        each
        for path, text in loss.others(loss.symbol.partition(" ")[0] if word == SETTINGS else word)
        for each in safeguards_of(Source(path, text, None))
        if each.symbol == loss.symbol
    ]


def _finding(loss: Loss, message: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(
        ID,
        loss.rule,
        Span(loss.source.path, loss.now.line if loss.now else 1),
        message,
        severity,
        symbol=loss.symbol,
        evidence=f"{loss.source.path} lost {loss.symbol}",
        fix="Restore it, and improve the code instead of lowering the limit.",
    )


ID = "silenced-tool"
# Settings that hold options of a command line.
_OPTIONS = expression(r"(?:^|/)(?:pyproject\.toml|setup\.cfg|\.?pytest\.ini)$")


def safeguards_of(source: Source) -> tuple[Safeguard, ...]:
    """What holds the code to a bar in this file."""
    held = [
        Safeguard(ID, each.rule, f"{each.tool} {each.name}", each.value, line=each.line)
        for each in enforcement_of(source).held
    ]
    run = pipeline(source.path, source.text)
    if run is not None:
        held += [Safeguard(ID, DROPPED, f"{kind} step {tool}", count) for (kind, tool), count in run.runs.items()]
        held += [Safeguard(ID, DROPPED, f"trigger {name}") for name in dict.fromkeys(run.triggers)]
        held += [Safeguard(ID, THRESHOLD, f"option {name}", round(value * SCALE)) for name, value in run.limits.items()]
    if _OPTIONS.search(source.path):
        held += [
            Safeguard(ID, THRESHOLD, f"option {name}", round(value * SCALE)) for name, value in limits(source.text)
        ]
    held += [
        Safeguard(ID, DROPPED, f"script {each.name}", 0 if each.is_empty else 1)
        for each in scripts(source)
        if CHECKS.search(each.name) and not TESTS.search(each.name)
    ]
    return tuple(held)
