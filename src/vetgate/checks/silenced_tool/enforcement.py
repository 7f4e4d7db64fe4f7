"""What a configuration file enforces: what is off in it, and what must not get lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.checks.silenced_tool.commands import left_out
from vetgate.checks.silenced_tool.setting import settings
from vetgate.checks.silenced_tool.tools import IGNORE_FILES, How, meanings
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.silenced_tool.setting import Setting
    from vetgate.checks.silenced_tool.tools import Meaning
    from vetgate.source.syntax import Source

OFF = "rule-off"
LEFT_OUT = "grown-ignore"
THRESHOLD = "lowered-threshold"
DROPPED = "dropped-check"

# A safeguard of this name stands for all settings of a tool in a file.
SETTINGS = "settings"
_LEVELS = {
    **dict.fromkeys(("off", "0", "none", "false", "null", "disable", "disabled", "allow", "silent"), 0),
    **dict.fromkeys(("warn", "warning", "1", "info", "information", "hint", "suggestion", "basic", "annotations"), 1),
    **dict.fromkeys(("standard", "warnings", "recommended", "latest-recommended", "on"), 2),
    **dict.fromkeys(("error", "2", "deny", "true", "enable", "all", "latest-all"), 3),
    **dict.fromkeys(("strict", "forbid"), 4),
}
_GENERATED = expression(
    r"node_modules|(?:^|[/*.= ])(?:dist|build|out|target|coverage|htmlcov|vendor|third_party|generated|__generated__"
    r"|gen|migrations|site-packages|__pycache__|\.?venv|env|\.git|\.tox|\.nox|\.eggs|\.mypy_cache|\.ruff_cache|\.next"
    r"|\.nuxt"
    r"|\.turbo|\.cache|public|storybook-static|fixtures|snapshots)(?:$|[/*\\])|\.min\.|_pb2|\.pb\.|\.d\.ts|\.lock$"
    r"|lock\.json"
)
# Of what coverage leaves out by line: what no run is meant to reach, in the ways it is usually written.
_NEVER_RUN = expression(
    r"[\^: ]*(?:\\s[*+])?"
    r"(?:pragma: no cover|if __name__ == .__main__.|(?:raise )?NotImplementedError|assert_never"
    r"|(?:if |\\?@)?(?:\(?\w+\\?\.\)?\??)?(?:TYPE_CHECKING|overload|abstractmethod)"
    r"|\\\.(?:\{3\}|\\\.\\\.))(?:\\b)?[:$(]*"
)
_LINES_LEFT_OUT = ("exclude_also", "exclude_lines", "partial_also", "partial_branches")
_TESTS = expression(r"test|spec|conftest|__init__|migrations|fixtures|examples?|docs?/|scripts?/|bench|stories")
_REASON = expression(r"(?:^|\s)(?:#|//|/\*)\s*\w\S*\s+\w")
SCALE = 100
# The same setting under its older name, or added to a preset's.
_DETOURS = expression(r"^lint/|^extend-|(?<=/)extend-")
_SHOWN = 300
_SIGNS = {How.FLOOR: 1, How.CEILING: -1}


@dataclass(frozen=True, slots=True)
class DisabledSetting:
    """Something that is switched off or left out; `arguable` when there is a word for it, or it is about tests."""

    rule: str
    tool: str
    name: str
    line: int
    arguable: bool = False
    item: str = ""


@dataclass(frozen=True, slots=True)
class EnforcedSetting:
    """Something that holds code to a bar, with how high."""

    rule: str
    tool: str
    name: str
    value: int
    line: int


@dataclass(slots=True)
class Enforcement:
    offs: list[DisabledSetting] = field(default_factory=list)
    held: list[EnforcedSetting] = field(default_factory=list)


def enforcement_of(source: Source) -> Enforcement:
    name = source.path.rpartition("/")[2]
    known = meanings(name)
    found = Enforcement()
    if IGNORE_FILES.search(name):
        found.offs += _lines(source, name)
        found.held.append(EnforcedSetting(DROPPED, name, SETTINGS, 1, 1))
    if not known:
        return found
    lines = source.text.split("\n")
    last: tuple[str, ...] = ()
    tools: dict[str, None] = {}
    for setting in settings(source.path, source.text):
        for meaning in known:
            match = meaning.keys.fullmatch(setting.path)
            if match is None:
                continue
            tools[meaning.tool] = None
            reasoned = bool(_REASON.search(lines[setting.line - 1][:_SHOWN] if setting.line <= len(lines) else ""))
            if meaning.how is not How.LEVEL or setting.keys != last:
                _judge(found, meaning, setting, _DETOURS.sub("", match["name"]), reasoned=reasoned)
        last = setting.keys
    tools |= dict.fromkeys(meaning.tool for meaning in known if _is_own_file(meaning, name))
    found.held += [EnforcedSetting(DROPPED, tool, SETTINGS, 1, 1) for tool in tools]
    return found


def _is_own_file(meaning: Meaning, name: str) -> bool:
    """Whether the file is this tool's alone."""
    return (
        name.lower() not in {"pyproject.toml", "setup.cfg", "tox.ini", "package.json"} and "." in meaning.file.pattern
    )


def _judge(found: Enforcement, meaning: Meaning, setting: Setting, name: str, *, reasoned: bool) -> None:
    tool, line = meaning.tool, setting.line
    if meaning.how in {How.ON, How.OFF}:
        _judge_switch(found, meaning, setting, name, reasoned=reasoned)
    elif meaning.how is How.LEVEL:
        _judge_level(found, meaning, setting, name, reasoned=reasoned)
    elif meaning.how in _SIGNS:
        if setting.number is not None:
            value = _SIGNS[meaning.how] * round(setting.number * SCALE)
            found.held.append(EnforcedSetting(THRESHOLD, tool, name, value, line))
    elif meaning.how is How.OPTIONS:
        options = (each for each in left_out(str(setting.value)) if not _GENERATED.search(each))
        found.offs += [DisabledSetting(LEFT_OUT, tool, name, line, reasoned, option) for option in options]
    elif meaning.how is How.KEEPS and setting.word.startswith(("ignore", "default", "once")):
        found.offs.append(DisabledSetting(LEFT_OUT, tool, name, line, arguable=True, item=str(setting.value)))
    elif meaning.how is How.KEEPS and setting.word and setting.value is not None:
        found.held.append(EnforcedSetting(DROPPED, tool, f"{name}: {setting.value}", 1, line))
    elif meaning.how is How.IGNORES and setting.word and not _is_no_loss(name, str(setting.value)):
        about_tests = bool(_TESTS.search(name) or _TESTS.search(str(setting.value)))
        found.offs.append(DisabledSetting(LEFT_OUT, tool, name, line, reasoned or about_tests, str(setting.value)))


def _is_no_loss(name: str, item: str) -> bool:
    return bool(_GENERATED.search(item) or (name.endswith(_LINES_LEFT_OUT) and _NEVER_RUN.fullmatch(item)))


def _judge_switch(found: Enforcement, meaning: Meaning, setting: Setting, name: str, *, reasoned: bool) -> None:
    wanted = meaning.how is How.ON
    is_on = setting.word in {"true", "on", "1", "yes", "always", "error", "enable"}
    is_off = setting.word in {"false", "off", "0", "no", "never"}
    if is_off if wanted else is_on:
        found.offs.append(DisabledSetting(OFF, meaning.tool, name, setting.line, arguable=reasoned))
    if wanted and (is_on or is_off):
        found.held.append(EnforcedSetting(OFF, meaning.tool, name, int(is_on), setting.line))


def _judge_level(found: Enforcement, meaning: Meaning, setting: Setting, name: str, *, reasoned: bool) -> None:
    level = _LEVELS.get(setting.word)
    if level == 0:
        found.offs.append(DisabledSetting(OFF, meaning.tool, name, setting.line, arguable=reasoned))
    if level is not None:
        found.held.append(EnforcedSetting(OFF, meaning.tool, name, level, setting.line))


def _lines(source: Source, name: str) -> Iterator[DisabledSetting]:
    for number, line in enumerate(source.text.split("\n"), 1):
        item = line.strip()
        if item and not item.startswith(("#", "//", "!")) and not _GENERATED.search(item):
            yield DisabledSetting(LEFT_OUT, name, "the list", number, bool(_TESTS.search(item)), item)


def shown(value: int) -> str:
    """A number as it stands in the file."""
    return f"{abs(value) / SCALE:g}"
