"""One connection: a frame that arrives in pieces, an acknowledgement, signs of life, a reply."""

from __future__ import annotations

import os
import threading
import time
from functools import cached_property
from typing import TYPE_CHECKING

from vetgate import client

if TYPE_CHECKING:
    import socket

PATIENCE = 2.0  # seconds for a whole frame to arrive, or for a reply to be taken
CHUNK = 1 << 18


class Exchange:
    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.until = time.monotonic() + PATIENCE
        self._received = bytearray()
        self._whole = 0
        self._speaking = threading.Lock()
        self._has_replied = False
        connection.settimeout(0)

    @cached_property
    def peer(self) -> int:
        """The user at the other end; -1 when nobody knows."""
        try:
            return client.peer_of(self.connection)
        except OSError:
            return -1

    @cached_property
    def pid(self) -> int:
        try:
            return client.pid_of(self.connection)
        except OSError:
            return 0

    def is_ours(self) -> bool:
        return self.peer == os.getuid()

    def receive(self) -> client.Frame | None:
        """A frame once it is whole; ValueError for anything that will never be one."""
        try:
            piece = self.connection.recv(CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            raise ValueError("gone") from None
        if not piece:
            raise ValueError("cut off")
        self._received += piece
        if not self._whole and len(self._received) >= client.HEAD:
            _, header, body = client.lengths(bytes(self._received[: client.HEAD]))
            self._whole = client.HEAD + header + body
        if not self._whole or len(self._received) < self._whole:
            return None
        whole = bytes(self._received)
        self._received.clear()  # it may wait in line for a while
        frame = client.split(whole)
        if frame is None:
            raise ValueError("more than a frame")
        return frame

    def acknowledge(self) -> bool:
        try:
            return self.connection.send(client.ACK) == 1
        except OSError:
            return False

    def beat(self, sign: bytes = client.BEAT) -> None:
        """A sign of life, unless the reply is on its way."""
        if not self._speaking.acquire(blocking=False):
            return
        try:
            if not self._has_replied:
                self.connection.send(sign)
        except OSError:  # the client went its own way
            pass
        finally:
            self._speaking.release()

    def is_left(self) -> bool:
        """Whether nobody waits at the other end any more; a client says nothing after its frame."""
        try:
            return not self.connection.recv(1)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def reply(self, frame: bytes) -> None:
        try:
            with self._speaking:
                self._has_replied = True
                self.connection.settimeout(PATIENCE)
                self.connection.sendall(frame)
        except OSError:  # the client went its own way
            pass
        finally:
            self.close()

    def close(self) -> None:
        with self._speaking:
            self._has_replied = True
            self.connection.close()
