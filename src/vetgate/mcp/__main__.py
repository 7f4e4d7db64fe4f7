"""`python -m vetgate.mcp [--http PORT]`: what `vetgate mcp` becomes."""

from __future__ import annotations

import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    from vetgate.mcp.server import GateServer
    from vetgate.service.caller import Caller

    server = GateServer(Caller.of(Path.cwd()))
    if arguments[:1] == ["--http"]:
        from vetgate.mcp.http import serve
        from vetgate.model import UserError

        try:
            serve(server, int(arguments[1]))
        except UserError as error:
            sys.stderr.write(f"vetgate: {error.message}\n  hint: {error.hint}\n")
            return 3
        return 0
    server.run("stdio")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
