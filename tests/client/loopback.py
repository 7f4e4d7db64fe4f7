"""Starts a program that can reach one address, the loopback listener that this script hands to its parent.

Run inside a fresh network namespace where there is one, so that nothing else can be contacted at all. The listener
belongs to the namespace that made it, yet the parent outside may accept on it.

    python loopback.py SOCKET_FD PROGRAM [ARGUMENT...]
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import sys

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(probe, SIOCGIFFLAGS, request))[1]
        if not flags & IFF_UP:
            fcntl.ioctl(probe, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))


def main() -> None:
    if sys.platform == "linux":
        raise_loopback()
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(fileno=int(sys.argv[1])) as parent:
        port = listener.getsockname()[1]
        socket.send_fds(parent, [b"listening"], [listener.fileno()])
    os.environ["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{port}"
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
