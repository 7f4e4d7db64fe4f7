"""The MCP server over streamable HTTP: on loopback, for whoever has the token, and nobody else."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from fixtures import BAD, GOOD
from mcp_calls import SERVER, content_of

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


@pytest.fixture
def served(clone):
    """Its port, its token and the file of that."""
    clone.put("a.py", GOOD)
    clone.commit()
    process = subprocess.Popen(
        [sys.executable, *SERVER, "--http", "0"], cwd=clone.root, env=clone.env, stderr=subprocess.PIPE, text=True
    )
    try:
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/mcp", process.stderr.readline())[1])
        place = Path(re.search(r"in (/.*)$", process.stderr.readline().strip())[1])
        yield port, place.read_text(), place
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()
    assert not place.exists()


def post(port, **headers):
    """Status of a first request with these headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    given = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST", "/mcp", json.dumps(HELLO), given)
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_client_of_the_sdk_checks_a_file(served):
    port, token, place = served
    assert place.stat().st_mode & 0o777 == 0o600

    async def act():
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http_client,
            Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http_client)) as client,
        ):
            return content_of(await client.call_tool("check", {"paths": ["b.py"], "content": BAD}))

    assert anyio.run(act)["verdict"] == "block"


def test_nobody_else_is_heard(served):
    port, token, _ = served
    right = f"Bearer {token}"
    assert post(port) == 401
    assert post(port, Authorization=f"Bearer {token[:-1]}x") == 401
    assert post(port, Authorization=token) == 401
    assert post(port, Authorization=right) == 200
    assert post(port, Authorization=right, Host=f"localhost:{port}") == 200
    assert post(port, Authorization=right, Host="evil.example") == 421
    assert post(port, Authorization=right, Host=f"evil.example:{port}") == 421
    assert post(port, Authorization=right, Origin="https://evil.example") == 403
    assert post(port, Authorization=right, Origin=f"http://127.0.0.1:{port}") == 200


def test_a_port_that_is_taken_is_told(served, clone):
    port, _, _ = served
    said = clone.vetgate("mcp", "--http", str(port))
    assert said.returncode == 3
    assert f"port {port} cannot be listened on" in said.stderr
