"""Files that run checks: pipelines, make files, hooks, scripts of a package; what they let pass and what they run."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import yaml

from vetgate.checks.silenced_tool.commands import checks_in, does_nothing, limits, weak
from vetgate.checks.silenced_tool.setting import LARGEST, LOADER, settings
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.silenced_tool.commands import Weak
    from vetgate.source.syntax import Source

PIPELINE = expression(
    r"(?:^|/)(?:\.github/(?:workflows|actions)/.+\.ya?ml|\.gitlab-ci[^/]*\.ya?ml|\.gitlab/ci/.+\.ya?ml"
    r"|\.circleci/.+\.ya?ml"
    r"|azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml"
    r"|\.woodpecker[^/]*\.ya?ml|\.woodpecker/.+"
    r"|\.buildkite/.+|appveyor\.ya?ml|cloudbuild\.ya?ml|Jenkinsfile[^/]*|\.forgejo/workflows/.+|\.gitea/workflows/.+)$"
)
HOOK = expression(
    r"(?:^|/)(?:\.husky/[^/_.][^/]*|\.?githooks/[^/]+|hooks/(?:pre|post|commit)-[^/]+|\.?lefthook\.ya?ml)$"
)
SCRIPT = expression(
    r"(?:^|/)(?:GNU)?[Mm]akefile$|\.(?:mk|sh|bash|zsh|ps1|bat|cmd)$|(?:^|/)(?:justfile|Justfile|Taskfile\.ya?ml"
    r"|tox\.ini|noxfile\.py"
    r"|package\.json|composer\.json|mise\.toml|\.mise\.toml)$"
)
_COMMENT = expression(r"^\s*(?:#|//|\*|--|rem\b)", re.IGNORECASE)
_TOLERANT = {
    **dict.fromkeys(("continue-on-error", "continueonerror"), ("true",)),
    **dict.fromkeys(("allow_failure", "ignore_failure", "soft_fail", "failure_ignore"), ("true",)),
    "failure": ("ignore",),
    "if": ("false", "${{ false }}", "${{false}}"),
    "condition": ("false", "never()"),
    "when": ("never", "manual"),
    **dict.fromkeys(("enabled", "fail_ci_if_error"), ("false",)),
}
_ACTION = expression(
    r"lint|test|codeql|sonar|semgrep|trivy|gitleaks|pre-commit|check|audit|scan|codecov|coverage|review", re.IGNORECASE
)
_PACKAGE = expression(r"(?:^|/)(?:package|composer)\.json$")
_TOX_SIGN = expression(r"^(\s+|commands\w*\s*=\s*)-\s*(?=\w)")
_UNMINDED = (
    (expression(r"(?:^|/)(?:GNU)?[Mm]akefile$|\.mk$"), expression(r"\t@?-@?\s*(?P<command>.+)")),
    (expression(r"(?:^|/)tox\.ini$"), expression(r"(?:\s+|commands\w*\s*=\s*)-\s*(?P<command>\w.+)")),
)
_UNCHECKED = "set +e"
_TRIGGERS = frozenset({"push", "pull_request", "pull_request_target", "merge_group", "merge_requests"})
# What may well fail and mean nothing by it.
_HARMLESS = expression(
    r"^\s*[-@]*\s*(?:run:\s*\|?\s*)?(?:sudo\s+)?(?:rm|rmdir|grep|egrep|rg|kill|pkill|killall|docker|podman|mkdir"
    r"|git|cp|mv|ln|find|curl"
    r"|wget|which|command|type|cat|ls|test|\[|read|diff|sleep|wait|umount|systemctl|service|chmod|chown|touch"
    r"|source|\.|apt\S*|brew"
    r"|helm|kubectl|aws|gcloud|az|gh|jq|sed|awk|head|tail|echo|printf|export|unset|cd|\w+=|\}|\)|done|fi|if|while|for)"
)


@dataclass(frozen=True, slots=True)
class Let:
    """A failure that passes; `tool` is what runs there, "" where it is nothing that checks."""

    how: str
    tool: str
    line: int = 1
    arguable: bool = False


@dataclass(slots=True)
class PipelineChecks:
    """`runs` counts each check by kind and tool; `limits` are those among the options."""

    lets: list[Let] = field(default_factory=list)
    runs: Counter[tuple[str, str]] = field(default_factory=Counter)
    triggers: list[str] = field(default_factory=list)
    limits: dict[str, float] = field(default_factory=dict)


def pipeline(path: str, text: str) -> PipelineChecks | None:
    """None for a file that runs nothing."""
    is_pipeline, is_hook = bool(PIPELINE.search(path)), bool(HOOK.search(path))
    if not (is_pipeline or is_hook or SCRIPT.search(path)) or len(text) > LARGEST:
        return None
    found = PipelineChecks()
    lines = list(_commands(path, text))
    for _, line in lines:
        found.runs.update(checks_in(line))
        found.limits |= dict(limits(line))
    has_checks = bool(found.runs)
    for number, line in lines:
        lets = (
            _let(each, line, is_pipeline=is_pipeline, guards=has_checks and (is_pipeline or is_hook))
            for each in weak(line)
        )
        found.lets += [replace(let, line=number) for let in lets if let is not None]
    found.lets += _ends_early(text) if is_hook else _unminded(path, text)
    if is_pipeline and path.endswith(("yml", "yaml")):
        _read_yaml(found, text)
    return found


def _let(each: Weak, line: str, *, is_pipeline: bool, guards: bool) -> Let | None:
    if each.tool or (each.how == _UNCHECKED and guards):
        return Let(each.how, each.tool)
    if is_pipeline and each.how != _UNCHECKED and not _HARMLESS.search(line):
        return Let(each.how, "", arguable=True)
    return None


def _ends_early(text: str) -> Iterator[Let]:
    """A hook that leaves before it checks anything."""
    for match in re.finditer(r"^(?:exit|return)(?:[ \t]+0)?[ \t]*$", text, re.MULTILINE):
        tool = next((tool for line in text[match.end() :].split("\n") for _, tool in checks_in(line)), "")
        if tool:
            yield Let(match[0].strip(), tool, text.count("\n", 0, match.start()) + 1)


def _unminded(path: str, text: str) -> Iterator[Let]:
    """Lines whose failure make or tox is told not to mind."""
    sign = next((sign for names, sign in _UNMINDED if names.search(path)), None)
    if sign is None:
        return
    for number, line in enumerate(text.split("\n"), 1):
        match = sign.match(line)
        tool = next((tool for _, tool in checks_in(match["command"])), "") if match else ""
        if tool:
            yield Let("-", tool, number)


def _commands(path: str, text: str) -> Iterator[tuple[int, str]]:
    """What runs, each with its line: all scripts of a package may stand on one."""
    if not _PACKAGE.search(path):
        sign = _TOX_SIGN if path.endswith("tox.ini") else None
        yield from ((number, sign.sub(r"\1", line) if sign else line) for number, line in _joined(text))
        return
    for setting in settings(path, text):
        if isinstance(setting.value, str):
            yield setting.line, setting.value.replace('\\"', '"')


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are no comments, with those that go on in the next."""
    held, start = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        if _COMMENT.match(line):
            continue
        start = start or number
        if line.endswith("\\"):
            held += line[:-1] + " "
            continue
        yield start, re.sub(r"\s#\s.*$", "", held + line)
        held, start = "", 0
    if held:
        yield start, held


def _read_yaml(found: PipelineChecks, text: str) -> None:
    try:
        document = yaml.compose(text, Loader=LOADER)
    except (yaml.YAMLError, ValueError, RecursionError):
        return
    pending: list[Any] = [document] if document else []
    for _ in range(20_000):
        if not pending:
            return
        node = pending.pop()
        if isinstance(node, yaml.SequenceNode):
            pending += node.value
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                _judge_pair(found, node, key, value)
                pending.append(value)


def _judge_pair(found: PipelineChecks, node: yaml.MappingNode, key: Any, value: Any) -> None:
    name = str(key.value).lower()
    if name == "on" and key.start_mark.column == 0:
        found.triggers += [word for word in _scalars(value, depth=1) if word in _TRIGGERS]
    if not isinstance(value, yaml.ScalarNode):
        return
    said = str(value.value).strip().lower()
    line = key.start_mark.line + 1
    if said in _TOLERANT.get(name, ()):
        tool = _checked(node)
        found.lets.append(Let(f"{key.value}: {value.value}", tool, line, arguable=not tool or said == "manual"))
    elif name in {"continue-on-error", "allow_failure"} and said.startswith("$"):
        found.lets.append(Let(f"{key.value}: {value.value}", "", line, arguable=True))


def _checked(node: Any) -> str:
    """The check that runs below a node, "" when there is none."""
    for text in _scalars(node, depth=6):
        tool = next((tool for _, tool in checks_in(text)), "")
        if tool:
            return tool
    uses = (str(value.value) for key, value in _pairs(node) if key == "uses")
    return next((action for action in uses if _ACTION.search(action)), "")


def _pairs(node: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield str(key.value), value
            for each in value.value if isinstance(value, yaml.SequenceNode) else ():
                yield from _pairs(each)


def _scalars(node: Any, depth: int) -> Iterator[str]:
    """Texts below a node, keys of the first level included."""
    if isinstance(node, yaml.ScalarNode):
        yield str(node.value)
    elif depth >= 0 and isinstance(node, yaml.SequenceNode):
        for each in node.value[:200]:
            yield from _scalars(each, depth - 1)
    elif depth >= 0 and isinstance(node, yaml.MappingNode):
        for key, value in node.value[:200]:
            if depth == 1:
                yield str(key.value)
            yield from _scalars(value, depth - 1)


_MAKE = expression(r"(?:^|/)(?:(?:GNU)?[Mm]akefile|[Jj]ustfile)$|\.mk$")
_TARGET = expression(r"^(?P<name>[\w.-]+)\s*:(?!=)[^\n]*\n(?P<recipe>(?:[\t ]+[^\n]*(?:\n|$))*)", re.MULTILINE)
TESTS = expression(r"test|spec|e2e|coverage|unit|integration", re.IGNORECASE)
CHECKS = expression(r"lint|type|check|format|audit|verify|validate|^ci\b|analy[sz]e|stan|security", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PackageScript:
    name: str
    line: int
    is_empty: bool


def scripts(source: Source) -> Iterator[PackageScript]:
    """The scripts that a name promises a check by; an empty one only says that it does."""
    if _PACKAGE.search(source.path):
        for setting in settings(source.path, source.text):
            if len(setting.keys) == 2 and setting.keys[0] == "scripts" and isinstance(setting.value, str):
                yield PackageScript(setting.keys[1], setting.line, does_nothing(setting.value))
    elif _MAKE.search(source.path):
        for match in _TARGET.finditer(source.text):
            recipe = match["recipe"].strip()
            if recipe:
                line = source.text.count("\n", 0, match.start()) + 1
                yield PackageScript(match["name"], line, does_nothing(re.sub(r"\n\s*", "\n", recipe)))
