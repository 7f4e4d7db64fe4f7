"""A few lines about vetgate in the page that an agent reads before it works here, for whoever asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents.installation import INSTRUCTIONS, Plan, Removal, Writing
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vetgate.agents import Agent
    from vetgate.agents.installation import Receipts

_SHARED = "AGENTS"  # agents of all makes read it
LINES = b"""\
## vetgate

Every edit and every command is checked here before it takes effect.

- A refused edit names the lines and the fix: correct the code and write it again. `vetgate explain RULE` says more.
- Ask before you write: the tool `check` of the MCP server `vetgate`, or `vetgate check PATH` after it.
- Work around no refusal, silence no check and weaken no test. What only a person may allow, leave to the person.
"""


def page_of(agent: Agent, root: Path) -> Path:
    return root / f"{next(iter(agent.known.instructions), _SHARED)}.md"


def plan(agents: Iterable[Agent], root: Path) -> Plan:
    found = Plan()
    for path in dict.fromkeys(page_of(each, root) for each in agents):
        before = read_bytes(path)
        has_them = before is not None and LINES in before
        after = before if has_them else b"\n\n".join((before.rstrip(b"\n"), LINES)) if before else LINES
        found.writings.append(Writing(path, INSTRUCTIONS, before, after))
    return found


def removal(agents: Iterable[Agent], root: Path, receipts: Receipts, *, shared: bool) -> Removal:
    """Without `shared` only of pages that these agents alone read."""
    found = Removal()
    for path in dict.fromkeys(page_of(each, root) for each in agents):
        data, receipt = read_bytes(path), receipts.of(path)
        if data is None or receipt is None:
            continue
        if not shared and path.stem == _SHARED:
            found.left.append(f"the lines in {path}: other agents read them")
        elif receipt.is_untouched(data):
            found.writings.append(Writing(path, INSTRUCTIONS, data, receipt.before))
        elif LINES in data:
            rest = data.replace(b"\n" + LINES, b"", 1) if b"\n" + LINES in data else data.replace(LINES, b"", 1)
            found.writings.append(Writing(path, INSTRUCTIONS, data, rest))
        else:
            found.left.append(f"{path}: the lines about vetgate were changed since init wrote them")
    return found
