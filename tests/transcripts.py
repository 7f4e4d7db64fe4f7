"""Transcripts of the real client's shape, made line by line: a tree by `parentUuid`, as it writes them."""

from __future__ import annotations

import json


class Transcript:
    """Every method adds lines below the last one, or below `parent`, and gives the uuid of what it added."""

    def __init__(self):
        self.lines = []
        self.last = None

    def add(self, kind, parent=..., **fields):
        uuid = f"{len(self.lines):08x}-aaaa-4bbb-8ccc-{len(self.lines):012x}"
        above = self.last if parent is ... else parent
        line = {"parentUuid": above, "isSidechain": False, "type": kind, "uuid": uuid, **fields}
        self.lines.append(
            line | {"timestamp": f"2026-11-15T06:00:{len(self.lines) % 60:02d}.000Z", "version": "2.1.325"}
        )
        self.last = uuid
        return uuid

    def user(self, text, parent=..., **fields):
        return self.add("user", parent, message={"role": "user", "content": text}, promptSource="typed", **fields)

    def says(self, text, parent=..., **fields):
        block = {"type": "text", "text": text}
        return self.add("assistant", parent, message={"role": "assistant", "content": [block]}, **fields)

    def calls(self, tool, call, parent=..., **given):
        block = {"type": "tool_use", "id": call, "name": tool, "input": given}
        return self.add("assistant", parent, message={"role": "assistant", "content": [block]})

    def result(self, call, text, parent=..., *, error=False, **fields):
        block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": error}
        source = self.last if parent is ... else parent
        message = {"role": "user", "content": [block]}
        return self.add("user", parent, message=message, sourceToolAssistantUUID=source, **fields)

    def tool(self, tool, call, text, *, error=False, **given):
        self.calls(tool, call, **given)
        return self.result(call, text, error=error)

    def write(self, path, *, spaced=False):
        separators = (", ", ": ") if spaced else (",", ":")
        path.write_text("".join(json.dumps(line, separators=separators) + "\n" for line in self.lines), "utf-8")
        return path
