"""Our MCP server in Codex's config.toml: a table of its own."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

from vetgate.agents.codex.trust import without_table
from vetgate.agents.mcp_servers import SERVER, is_ours, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_SERVERS = "mcp_servers"
_HEADER = f"[{_SERVERS}.{SERVER}]"


def server_words(text: str) -> tuple[str, ...] | None:
    """What a server of our name is started with; None where there is none. Raises TOMLDecodeError."""
    servers = tomllib.loads(text).get(_SERVERS)
    if not isinstance(servers, dict) or SERVER not in servers:
        return None
    return words_of(servers[SERVER])


def with_server(text: str, words: Sequence[str]) -> tuple[str, str]:
    """The text with our table; or as it was, and why."""
    try:
        there = server_words(text)
    except tomllib.TOMLDecodeError as error:
        return text, f"it cannot be read ({error})"
    if there is not None and not is_ours(there):
        return text, f"its server `{SERVER}` is not the one that init writes"
    if there == words:
        return text, ""
    rest = without_table(text, _HEADER).rstrip()
    table = f"{_HEADER}\ncommand = {json.dumps(words[0])}\nargs = {json.dumps(list(words[1:]))}\n"
    after = f"{rest}\n\n{table}" if rest else table
    try:
        if server_words(after) == words:
            return after, ""
    except tomllib.TOMLDecodeError:  # servers in a table within a line, to which nothing can be added
        pass
    return text, "our server cannot be added to it"


def without_server(text: str) -> str:
    """Without our table; a server of that name that is not ours stays, and so does what cannot be taken out alone."""
    try:
        if not is_ours(server_words(text) or ()):
            return text
        rest = without_table(text, _HEADER)
        return rest if server_words(rest) is None else text
    except tomllib.TOMLDecodeError:
        return text


def words_in(data: bytes | None) -> tuple[str, ...] | None:
    """That of a file; none in one that nobody can read."""
    try:
        return server_words((data or b"").decode("utf-8", "surrogateescape"))
    except tomllib.TOMLDecodeError:
        return None
