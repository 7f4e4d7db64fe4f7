"""The daemon's life: one per name, from the lock to the last reply."""

from __future__ import annotations

import contextlib
import gc
import os
import selectors
import signal
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate import answer, client, runtime
from vetgate.daemon.exchange import Exchange
from vetgate.daemon.health import Files, Health, keep_freed_memory, memory, session_in
from vetgate.daemon.poison import Poison, digest_of
from vetgate.gates.process import end_all
from vetgate.gates.running import RUNS

if TYPE_CHECKING:
    from collections.abc import Mapping

WORKERS = 8
CONNECTIONS = 64
TICK = 30.0
COLLECT_EVERY = 20  # answers
DRAIN = 5.0
STUCK = 10.0  # seconds past its deadline after which a worker will not come back


class Daemon:
    """The loop owns every connection until its request is whole; then a worker does."""

    def __init__(self, project: str, state: str, poison: Poison) -> None:
        self.project = project
        self.state = state
        self.poison = poison
        self.files = Files(Path(client.PACKAGE))
        self.health = Health()
        self.leaving = False
        self._selector = selectors.DefaultSelector()
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="answer")
        self._busy: dict[Exchange, float] = {}
        self._guard = threading.Lock()
        self._bell, self._ring = socket.socketpair()
        self._bell.settimeout(0)
        self._ring.settimeout(0)

    def leave(self, *_: object) -> None:
        self.leaving = True
        self._ring_bell()

    def _ring_bell(self) -> None:
        with contextlib.suppress(OSError):
            self._ring.send(b"\0")

    def serve(self, listener: socket.socket) -> None:
        listener.settimeout(0)
        self._selector.register(listener, selectors.EVENT_READ, None)
        self._selector.register(self._bell, selectors.EVENT_READ, None)
        while not self.leaving:
            ready = self._selector.select(self._patience())
            for key, _ in ready:
                if key.fileobj is listener:
                    self._accept(listener)
                elif key.fileobj is self._bell:
                    self._bell.recv(64)
                else:
                    self._read(key.data)
            self._look_around()
            if not ready and self.files.changed():
                self.leaving = True
        self._selector.unregister(listener)
        listener.close()
        self._drain()

    def _patience(self) -> float:
        now = time.monotonic()
        waiting = [exchange.until - now for exchange in self._waiting()]
        alone = self.health.alone_in()
        # Past that time a worker is still busy, and rings when it is done.
        return max(0.0, min([TICK, alone if alone > 0 else TICK, *waiting]))

    def _waiting(self) -> list[Exchange]:
        return [key.data for key in self._selector.get_map().values() if key.data is not None]

    def _look_around(self) -> None:
        now = time.monotonic()
        for exchange in self._waiting():
            if exchange.until <= now:
                self._drop(exchange)
        with self._guard:
            stuck = any(now > due + STUCK for due in self._busy.values())
            idle = not self._busy and not RUNS.is_busy
        if stuck or (idle and self.health.lonely()):
            self.leaving = True

    def _accept(self, listener: socket.socket) -> None:
        try:
            connection, _ = listener.accept()
        except OSError:
            time.sleep(0.01)  # out of descriptors, and the listener stays ready: do not spin
            return
        exchange = Exchange(connection)
        if len(self._waiting()) >= CONNECTIONS or not exchange.is_ours():
            exchange.close()
            return
        self._selector.register(connection, selectors.EVENT_READ, exchange)

    def _drop(self, exchange: Exchange) -> None:
        self._selector.unregister(exchange.connection)
        exchange.close()

    def _read(self, exchange: Exchange) -> None:
        try:
            frame = exchange.receive()
        except ValueError:
            self._drop(exchange)
            return
        if frame is None:
            return
        self._selector.unregister(exchange.connection)
        kind, fields, body = frame
        if kind == client.REQUEST:
            self._take(exchange, fields, body)
        elif kind in {client.STATUS, client.STOP} and exchange.acknowledge():
            exchange.reply(client.pack(client.REPLY, self._told()))
            self.leaving = self.leaving or kind == client.STOP
        else:
            exchange.close()

    def _take(self, exchange: Exchange, fields: Mapping[str, str], body: bytes) -> None:
        """Acknowledge and hand over, or close: the client then asks a process of its own at once."""
        try:
            request = answer.Request.of(fields, body)
        except ValueError:
            exchange.close()
            return
        digest = digest_of(body)
        self.health.asked()
        self.leaving = self.leaving or self.files.changed(thoroughly=False) or self.health.overgrown()
        ours = (request.project, request.state) == (self.project, self.state)
        with self._guard:
            room = len(self._busy) < WORKERS
        if self.leaving or not ours or not room or self.poison.holds(digest) or not exchange.acknowledge():
            exchange.close()
            return
        with self._guard:
            self._busy[exchange] = time.monotonic() + request.seconds
        self._workers.submit(self._work, exchange, request, digest)

    def _work(self, exchange: Exchange, request: answer.Request, digest: str) -> None:
        self.poison.begin(digest)
        try:
            reply = answer.answer(request)
            if self.files.replaced():  # while we were at it: nobody can say which build this was
                self.leave()
            else:
                exchange.reply(client.pack_reply((reply.status, reply.stdout, reply.stderr)))
        finally:
            exchange.close()
            self.poison.end(digest)
            self._finish(exchange, request)

    def _finish(self, exchange: Exchange, request: answer.Request) -> None:
        """What can wait until the reply is out."""
        answer.afterwards(request)
        if self.health.requests % COLLECT_EVERY == 0:
            gc.collect()
        session = session_in(request.payload)
        with self._guard:
            self._busy.pop(exchange, None)
            if session:
                self.health.saw(session[0], ended=session[1])
        if not answer.wants_daemon(request):
            self.leaving = True
        self._ring_bell()

    def _drain(self) -> None:
        until = time.monotonic() + DRAIN
        while time.monotonic() < until:
            with self._guard:
                if not self._busy:
                    return
            time.sleep(0.02)

    def _told(self) -> dict[str, str]:
        with self._guard:
            busy, sessions = len(self._busy), len(self.health.sessions)
        return {
            "pid": str(os.getpid()),
            "uptime": f"{time.monotonic() - self.health.started:.1f}",
            "requests": str(self.health.requests),
            "busy": str(busy),
            "sessions": str(sessions),
            "memory": str(memory()),
            "current": "no" if self.files.changed() else "yes",
        }


def live() -> None:
    """Become the daemon of an address, or end quietly because somebody else is."""
    options = client.options_in(sys.argv[1:])
    folder, name = os.path.split(options["address"])
    lock = int(options["lock"]) if "lock" in options else runtime.take_lock(folder, name)
    if lock is None or runtime.is_remote(folder):
        return
    if name != client.socket_name(options["project"], options["state"]):
        return  # the package was replaced between the client's start and ours
    inside = runtime.open_private(folder)
    # It looks at its files first: what changes while they are loaded must not go unseen.
    daemon = Daemon(options["project"], options["state"], Poison(Path(folder) / f"{name}.flight"))
    keep_freed_memory()
    answer.warm(options["state"], options["project"])
    gc.collect()
    gc.freeze()
    gc.disable()  # garbage is taken out after an answer, never during one
    signal.signal(signal.SIGTERM, daemon.leave)
    signal.signal(signal.SIGINT, daemon.leave)
    listener = _listen(inside, name)
    try:
        daemon.serve(listener)
    finally:
        # We still hold the lock, so the socket is ours and no successor's.
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=inside)
        daemon.poison.leave()
        end_all()
        os._exit(0)  # a worker that hangs must not keep us


def _listen(inside: int, name: str) -> socket.socket:
    """Bound under a passing name and renamed when it listens: nobody ever finds a socket that does not answer."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    passing = f"{name}.new"
    with contextlib.suppress(OSError):
        os.unlink(passing, dir_fd=inside)
    before = os.umask(0o177)
    try:
        os.fchdir(inside)  # bind knows no descriptors; a name relative to the checked folder does as well
        listener.bind(passing)
        listener.listen(128)
        os.rename(passing, name, src_dir_fd=inside, dst_dir_fd=inside)
    finally:
        os.umask(before)
        os.chdir(os.sep)
    return listener
