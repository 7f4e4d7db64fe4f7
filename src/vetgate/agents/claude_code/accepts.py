"""What Claude Code accepts in a settings file. A file it does not accept is skipped whole, with every hook in it.

Modelled on the behaviour of clients 2.1.240 to 2.1.325. Unknown keys, fields and events are fine with all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.agents.json_text import MalformedError, Node, line_of, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

# Misshapen entries of these events make every supported client skip the file; of other events, the older ones only.
GUARDS = frozenset({"PreToolUse", "PermissionRequest"})

_MODES = ("acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "manual", "plan")
_NEEDS = {
    "command": ("command",),
    "http": ("url",),
    "mcp_tool": ("server", "tool"),
    "prompt": ("prompt",),
    "agent": ("prompt",),
}
_HOOK_TYPES: dict[str, type | tuple[type, ...]] = {
    "command": str,
    "url": str,
    "server": str,
    "tool": str,
    "prompt": str,
    "if": str,
    "statusMessage": str,
    "args": list,
    "async": bool,
    "asyncRewake": bool,
    "once": bool,
    "timeout": (int, float),
}
_HOOK_CHOICES = {"onFailure": ("continue", "block"), "shell": ("bash", "powershell")}
_TOP_TYPES: dict[str, type | tuple[type, ...]] = {
    "hooks": dict,
    "permissions": dict,
    "env": dict,
    "statusLine": dict,
    "model": str,
    "disableAllHooks": bool,
    "allowManagedHooksOnly": bool,
    "cleanupPeriodDays": (int, float),
}
_PERMISSION_LISTS = ("allow", "deny", "ask", "additionalDirectories")
_NAMES = {str: "a string", list: "a list", dict: "an object", bool: "true or false", (int, float): "a number"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """One place the client does not accept. `drops_file`: every supported client skips the whole file for it."""

    line: int
    where: str
    why: str
    drops_file: bool = True

    def __str__(self) -> str:
        return f"{self.where} {self.why}" if self.where else self.why


def refusals(text: str) -> list[Refusal]:
    if not text.strip():
        return []  # the client reads an empty file as no settings
    try:
        root = parse(text)
    except MalformedError as error:
        return [Refusal(error.line, "", error.why)]
    if not isinstance(root.value, dict):
        return [Refusal(1, "", "the file is not a JSON object")]
    return list(_RefusalWalk(text).root(root))


class _RefusalWalk:
    def __init__(self, text: str) -> None:
        self.text = text

    def root(self, root: Node) -> Iterator[Refusal]:
        for member in root.members:
            yield from self._typed(member.node, member.key, _TOP_TYPES.get(member.key))
        yield from self._permissions(root.get("permissions"))
        hooks = root.get("hooks")
        for member in hooks.members if hooks else ():
            yield from self._event(member.key, member.node)

    def _permissions(self, permissions: Node | None) -> Iterator[Refusal]:
        for member in permissions.members if permissions else ():
            if member.key in _PERMISSION_LISTS:
                yield from self._typed(member.node, f"permissions.{member.key}", list)
            elif member.key == "defaultMode":
                yield from self._chosen(member.node, "permissions.defaultMode", _MODES)

    def _event(self, event: str, groups: Node) -> Iterator[Refusal]:
        where = f"hooks.{event}"
        if not isinstance(groups.value, list):
            yield self._refuse(groups, where, "must be a list of groups", drops_file=False)
        for position, group in enumerate(groups.items):
            for refusal in self._group(group, f"{where}[{position}]"):
                yield Refusal(refusal.line, refusal.where, refusal.why, event in GUARDS)

    def _group(self, group: Node, where: str) -> Iterator[Refusal]:
        if not isinstance(group.value, dict):
            yield self._refuse(group, where, 'must be an object with a "hooks" list')
            return
        matcher = group.get("matcher")
        if matcher:
            yield from self._typed(matcher, f"{where}.matcher", str)
        listed = group.get("hooks")
        if listed is None or not isinstance(listed.value, list):
            yield self._refuse(listed or group, where, 'needs a "hooks" list')
            return
        for index, hook in enumerate(listed.items):
            yield from self._hook(hook, f"{where}.hooks[{index}]")

    def _hook(self, hook: Node, where: str) -> Iterator[Refusal]:
        if not isinstance(hook.value, dict):
            yield self._refuse(hook, where, "must be an object")
            return
        kind = hook.value.get("type")
        if not isinstance(kind, str) or kind not in _NEEDS:
            yield self._refuse(hook, f"{where}.type", f"must be one of {', '.join(sorted(_NEEDS))}")
            return
        for key in _NEEDS[kind]:
            if key not in hook.value:
                yield self._refuse(hook, where, f'a hook of type {kind} needs "{key}"')
        for member in hook.members:
            yield from self._field(member.key, member.node, f"{where}.{member.key}")

    def _field(self, key: str, node: Node, where: str) -> Iterator[Refusal]:
        if key in _HOOK_CHOICES:
            yield from self._chosen(node, where, _HOOK_CHOICES[key])
        yield from self._typed(node, where, _HOOK_TYPES.get(key))
        if key == "timeout" and _is(node.value, (int, float)) and node.value <= 0:
            yield self._refuse(node, where, "must be above 0")

    def _typed(self, node: Node, where: str, wanted: type | tuple[type, ...] | None) -> Iterator[Refusal]:
        if wanted is not None and not _is(node.value, wanted):
            yield self._refuse(node, where, f"must be {_NAMES[wanted]}")

    def _chosen(self, node: Node, where: str, choices: tuple[str, ...]) -> Iterator[Refusal]:
        if node.value not in choices:
            yield self._refuse(node, where, f"must be one of {', '.join(choices)}")

    def _refuse(self, node: Node, where: str, why: str, *, drops_file: bool = True) -> Refusal:
        return Refusal(line_of(self.text, node), where, why, drops_file)


def _is(value: Any, wanted: type | tuple[type, ...]) -> bool:
    if isinstance(value, bool):
        return wanted is bool
    return isinstance(value, wanted)
