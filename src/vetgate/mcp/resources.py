"""What can be read without asking a tool: pages of checks, the last review, what was decided."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.mcp.work import in_thread

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from vetgate.service.caller import Caller

_MARKDOWN, _JSON = "text/markdown", "application/json"
_MOST_DECISIONS = 50


@dataclass(frozen=True, slots=True)
class Resources:
    caller: Caller

    def register(self, server: MCPServer) -> None:
        add = server.resource
        add("vetgate://checks", title="All checks and rules of this project", mime_type=_MARKDOWN)(self.checks)
        add("vetgate://checks/{check}", title="The page of a check or a judge", mime_type=_MARKDOWN)(self.check_page)
        add("vetgate://checks/{check}/{rule}", title="The page of a rule", mime_type=_MARKDOWN)(self.rule_page)
        add("vetgate://decisions", title="The latest decisions on record", mime_type=_JSON)(self.decisions)
        add("vetgate://decisions/{decision}", title="One recorded decision", mime_type=_JSON)(self.decision)
        add("vetgate://review", title="The last review on record", mime_type=_JSON)(self.last_review)

    async def checks(self) -> str:
        """Every check with its rules, one line each."""

        def look() -> str:
            from vetgate.service.explain import listed

            lines = ["# Checks", ""]
            for check, rules in listed(self.caller.root):
                lines += [f"- `{check.id}`: {check.summary}"]
                lines += [f"  - `{check.id}/{rule.id}`: {rule.summary}" for group in rules.values() for rule in group]
            return "\n".join(lines) + "\n"

        return await in_thread(look)

    async def check_page(self, check: str) -> str:
        """What it finds, an example, how to fix it, its options and limits."""
        return await in_thread(lambda: self._page(check))

    async def rule_page(self, check: str, rule: str) -> str:
        """What it finds, an example, how to fix it."""
        return await in_thread(lambda: self._page(f"{check}/{rule}"))

    def _page(self, identity: str) -> str:
        from vetgate.service.decisions import find_decision
        from vetgate.service.explain import page_about

        page = page_about(identity, self.caller.root)
        if page is None:
            find_decision(self.caller.root, identity)  # which says what is meant
        return page or ""

    async def decisions(self) -> str:
        """Newest last; the same as `vetgate log --format json`."""

        def look() -> str:
            from vetgate.service.decisions import Filter, open_record, plain

            with open_record(self.caller.root) as record:
                return json.dumps([plain(row) for row in record.decisions(Filter(), most=_MOST_DECISIONS)])

        return await in_thread(look)

    async def decision(self, decision: str) -> str:
        """With every gate, finding and the time it took."""

        def look() -> str:
            from vetgate.service.decisions import find_decision, plain

            return json.dumps([plain(row) for row in find_decision(self.caller.root, decision)])

        return await in_thread(look)

    async def last_review(self) -> str:
        """What each gate of it came to."""

        def look() -> str:
            from vetgate.service.decisions import last_of, plain

            found = last_of(self.caller.root, "review", "review")
            return json.dumps(plain(found) if found else {"note": "no review is on record; `vetgate review` runs one"})

        return await in_thread(look)
