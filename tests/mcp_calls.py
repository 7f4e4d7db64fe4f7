"""The SDK's own client against our server, as a process of its own: what is asked, and what came back."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import anyio
from mcp import Client, StdioServerParameters, stdio_client

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    T = Any

SERVER = ("-P", "-m", "vetgate.mcp")


def talk(root: Path, env: dict[str, str], act: Callable[[Client], Awaitable[Any]]) -> Any:
    """One session over standard input and output."""
    parameters = StdioServerParameters(command=sys.executable, args=list(SERVER), cwd=os.fspath(root), env=env)

    async def session() -> Any:
        async with Client(stdio_client(parameters)) as client:
            return await act(client)

    return anyio.run(session)


def calls(root: Path, env: dict[str, str], *wanted: tuple[str, dict[str, Any]]) -> list[Any]:
    """Each tool's data, or the words of its error."""

    async def act(client: Client) -> list[Any]:
        return [content_of(await client.call_tool(name, arguments)) for name, arguments in wanted]

    return talk(root, env, act)


def content_of(result: Any) -> Any:
    return result.content[0].text if result.is_error else result.structured_content
