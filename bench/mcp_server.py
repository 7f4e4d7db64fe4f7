"""The MCP server: its start against a bare import of its library, and a warm check against the daemon's verdict.

python bench/mcp_server.py [ROUNDS]

A start is the time until the first request is answered. A check goes over standard input and output with the SDK's
own client; the daemon's verdict is one hook call over its socket. Both judge the same edits of a file of 500 lines,
each a little different, in turns.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hook_machine import LINES, SESSION, Machine, typescript
from mcp import Client, StdioServerParameters, stdio_client

from vetgate import client

STARTS_PER_ROUND = 4
SERVER = [sys.executable, "-P", "-m", "vetgate.mcp"]
BARE = [sys.executable, "-P", "-c", "import mcp"]
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}


def start(machine: Machine) -> float:
    """Until the first answer is there."""
    began = time.perf_counter()
    process = subprocess.Popen(
        SERVER, cwd=machine.project, env=machine.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(HELLO).encode() + b"\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    elapsed = (time.perf_counter() - began) * 1000
    process.stdin.close()
    process.wait()
    if answer["result"]["serverInfo"]["name"] != "vetgate":
        sys.exit(f"the server answered {answer}")
    return elapsed


def bare(machine: Machine) -> float:
    began = time.perf_counter()
    subprocess.run(BARE, cwd=machine.project, env=machine.environment, check=True)
    return (time.perf_counter() - began) * 1000


def verdict(machine: Machine, content: str) -> float:
    """One hook call over the daemon's socket: a write of the whole file, which is what a check is asked about."""
    event = {
        "session_id": SESSION,
        "transcript_path": "/dev/null",
        "cwd": str(machine.project),
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(machine.project / "orders.ts"), "content": content},
        "tool_use_id": f"toolu_{time.monotonic_ns()}",
    }
    call = machine.call()
    frame = call.frame(json.dumps(event).encode(), 10)
    began = time.perf_counter()
    answer = client.answer_in(client.ask_daemon(call.address(), frame, 10))
    elapsed = (time.perf_counter() - began) * 1000
    if answer is None or answer[0] != 0:
        sys.exit(f"the daemon answered {answer}")
    return elapsed


async def checks(machine: Machine, rounds: int) -> tuple[list[float], list[float]]:
    """In turns, each about a text of its own, so that nothing is remembered from the other."""
    parameters = StdioServerParameters(
        command=SERVER[0],
        args=SERVER[1:],
        cwd=str(machine.project),
        env={**machine.environment, "CLAUDE_CODE_SESSION_ID": SESSION},
    )
    ours, daemon = [], []
    text = typescript(LINES, 1)
    first = f"total{100_000}("
    (machine.project / "orders.ts").write_text(text)
    async with Client(stdio_client(parameters)) as session:
        await session.list_tools()
        for number in range(-5, rounds):
            asked = text.replace(first, f"asked{number + 10}(")
            began = time.perf_counter()
            found = await session.call_tool("check", {"paths": ["orders.ts"], "content": asked})
            elapsed = (time.perf_counter() - began) * 1000
            if found.is_error or found.structured_content["verdict"] != "allow":
                sys.exit(f"the check answered {found}")
            judged = await asyncio.to_thread(verdict, machine, text.replace(first, f"judged{number + 10}("))
            if number >= 0:
                ours.append(elapsed)
                daemon.append(judged)
    return ours, daemon


def report(what: str, one: list[float], other: str, peer: list[float], most: float) -> bool:
    ratio = statistics.median(one) / statistics.median(peer)
    print(f"{what:32}{statistics.median(one):9.2f} ms")
    print(f"{other:32}{statistics.median(peer):9.2f} ms")
    print(f"{'ratio':32}{ratio:9.2f}      wanted: at most {most}   {'ok' if ratio <= most else 'MISSED'}\n")
    return ratio <= most


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(Path(folder))
        machine.warm()
        starts, imports = [], []
        for _ in range(max(3, rounds // STARTS_PER_ROUND)):
            imports.append(bare(machine))
            starts.append(start(machine))
        ours, daemon = asyncio.run(checks(machine, rounds))
        machine.ask(client.STOP)
        fine = report("start, to the first answer", starts, "bare `import mcp`", imports, 2.0)
        fine &= report("warm check", ours, "the daemon's verdict", daemon, 1.5)
    return 0 if fine else 1


if __name__ == "__main__":
    os.environ.pop("CLAUDE_CODE_SESSION_ID", None)
    sys.exit(main())
