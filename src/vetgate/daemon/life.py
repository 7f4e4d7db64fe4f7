"""The daemon's life: one per name, from the lock to the last reply."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import selectors
import signal
import socket
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate import answer, client, runtime
from vetgate.daemon.exchange import Exchange
from vetgate.daemon.health import (
    ProcessHealth,
    ProgramFiles,
    Succession,
    keep_freed_memory,
    memory,
    more_descriptors,
)
from vetgate.daemon.lane import Lane, PendingRequest, Poison, digest_of
from vetgate.daemon.launcher_watch import LauncherWatch
from vetgate.gates.jobs import RUNS
from vetgate.gates.process import end_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Python runs one thread at a time: more workers than this take the time from each other, fewer wait for one disk.
WORKERS = 4
LONG_WORKERS = 8  # they wait for commands of the project
LONGEST = 3.5  # seconds at work; checks are cut short at 3
LONG = 30.0  # seconds; who has more runs such commands
CONNECTIONS = 512
HELD_BYTES = 64 << 20  # of requests that wait
BEAT_EVERY = 0.4
SWITCH = 0.001  # seconds after which a worker lets the loop acknowledge
TICK = 30.0
HANGS = 20.0  # seconds in which the loop itself has to come round while somebody waits
QUIET = 0.05  # seconds without a request before anything is tidied up
DRAIN = 5.0
LEAST = 0.5  # seconds for a verdict, however long it had to wait
STUCK = 10.0  # seconds past its deadline after which a worker will not come back


class Daemon:
    """The loop owns every connection until its request is whole; then a lane does."""

    def __init__(self, project: str, state: str, poison: Poison, guests: frozenset[int] = frozenset()) -> None:
        """With `guests`, accounts of agents, it serves them in every project, until its owner ends it."""
        self.project = project
        self.state = state
        self.guests = guests
        self.poison = poison
        self.files = ProgramFiles(Path(client.PACKAGE))
        self.health = ProcessHealth()
        self.leaving = False
        # In another account than the agent's nobody overwrites them.
        self.launchers = None if guests else LauncherWatch(Path(state))
        self._selector = selectors.DefaultSelector()
        self._quick = Lane("answer", WORKERS, self._work)
        self._long = Lane("long", LONG_WORKERS, self._work)
        self.succession: Succession | None = None
        self._beaten = 0.0
        self._guard = threading.Lock()
        self._nowhere = open(os.devnull, "w")  # noqa: PTH123, SIM115 - for as long as we live
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
        self._selector.register(listener, selectors.EVENT_READ, partial(self._accept, listener))
        self._selector.register(self._bell, selectors.EVENT_READ, partial(self._bell.recv, 64))
        if self.files.told_by is not None:
            self._selector.register(self.files.told_by, selectors.EVENT_READ, self._look_at_program)
        if self.launchers is not None and self.launchers.told_by is not None:
            self._selector.register(self.launchers.told_by, selectors.EVENT_READ, self.launchers.notice)
        while not self.leaving:
            ready = self._selector.select(self._patience())
            for key, _ in ready:
                if isinstance(key.data, Exchange):
                    self._read(key.data)
                else:
                    key.data()
            self._look_around()
            self._rest(is_quiet=not ready and not self._at_work())
        self._selector.unregister(listener)
        listener.close()
        for lane in self._lanes:
            lane.send_away(time.monotonic(), all_of_them=True)
        self._drain()

    def _look_at_program(self) -> None:
        self.leaving = self.leaving or self.files.changed(thoroughly=False)

    @property
    def _lanes(self) -> tuple[Lane, Lane]:
        return self._quick, self._long

    def _at_work(self) -> int:
        return len(self._quick) + len(self._long)

    def _is_busy(self) -> bool:
        return bool(self._at_work()) or RUNS.is_busy

    def _rest(self, *, is_quiet: bool) -> None:
        """What can wait until nobody does."""
        if self._makes_way:
            # Whoever came before the other one listened has been answered by now.
            if is_quiet and self.succession is not None and self.succession.is_done() and not self._is_busy():
                self.leaving = True
            return
        if not is_quiet and not self.health.is_overdue:
            return
        if self.health.is_untidy:
            self.health.tidy()
        elif self.files.changed():
            self.leaving = True
        if self.health.is_overgrown and self.succession is not None:
            self.succession.begin()
        if self.health.is_hopeless and not self._makes_way:
            self.leaving = True

    @property
    def _makes_way(self) -> bool:
        return self.succession is not None and self.succession.is_under_way

    def _patience(self) -> float:
        now = time.monotonic()
        waiting = [exchange.until - now for exchange in self._waiting()]
        alone = self.health.alone_in()
        beat = BEAT_EVERY if self._at_work() else TICK
        # Past that time a worker is still busy, and rings when it is done.
        quiet = QUIET if not self._at_work() and (self._makes_way or self.health.is_untidy) else TICK
        looks = TICK if self.launchers is None else self.launchers.due_in()
        return max(0.0, min([beat, quiet, looks, alone if alone > 0 else TICK, *waiting]))

    def _waiting(self) -> list[Exchange]:
        return [key.data for key in self._selector.get_map().values() if isinstance(key.data, Exchange)]

    def _look_around(self) -> None:
        now = time.monotonic()
        for exchange in self._waiting():
            if exchange.until <= now:
                self._drop(exchange)
        if now - self._beaten >= BEAT_EVERY:
            self._beaten = now
            self._beat(now)
        if self.launchers is not None and self.launchers.due_in() <= 0:
            self.launchers.put_back(self._tell_of_overwritten)
        idle = not self._is_busy()
        stuck = any(lane.is_stuck(now, STUCK) for lane in self._lanes)
        if stuck or (idle and not self.guests and self.health.lonely()):
            self.leaving = True

    def _tell_of_overwritten(self, paths: list[Path]) -> None:
        """An agent's hooks say nothing through another program: what became of ours is told by the next that speaks."""
        with self._guard:
            sessions = tuple(self.health.sessions)
        answer.note_overwritten(self.state, self.project, sessions, paths)

    def _beat(self, now: float) -> None:
        """Who waits hears that somebody is here; and we end when we cannot come round to that any more."""
        jobs = [job for lane in self._lanes for job in lane.jobs()]
        if not jobs:
            faulthandler.cancel_dump_traceback_later()
            return
        with contextlib.suppress(ValueError, RuntimeError):
            faulthandler.dump_traceback_later(HANGS, exit=True, file=self._nowhere)
        for job in jobs:
            if now - job.came >= BEAT_EVERY:
                job.exchange.beat(client.LONG_WAIT if job.outlasts_its_time else client.BEAT)
        for lane in self._lanes:
            lane.send_away(now)
        self._quick.give_up(now, LONGEST)

    def _accept(self, listener: socket.socket) -> None:
        """Everybody who is there: each of them waits for an acknowledgement."""
        for _ in range(CONNECTIONS):
            try:
                connection, _ = listener.accept()
            except BlockingIOError:
                return
            except OSError:
                time.sleep(0.01)  # out of descriptors, and the listener stays ready: do not spin
                return
            exchange = Exchange(connection)
            is_known = exchange.is_ours() or exchange.peer in self.guests
            if len(self._waiting()) + self._at_work() >= CONNECTIONS or not is_known:
                exchange.close()
                continue
            self._selector.register(connection, selectors.EVENT_READ, exchange)
            self._read(exchange)

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
            exchange.reply(client.pack(client.REPLY, self._describe()))
            self.leaving = self.leaving or (kind == client.STOP and exchange.is_ours())
        else:
            exchange.close()

    def _take(self, exchange: Exchange, fields: Mapping[str, str], body: bytes) -> None:
        """Acknowledge and line up, or close: the client then asks a process of its own at once."""
        try:
            request = answer.Request.of(fields, body, exchange.pid or -1)
        except ValueError:
            exchange.close()
            return
        self.health.asked()
        self.leaving = self.leaving or self.files.changed(thoroughly=False)
        ours = request.state == self.state and (bool(self.guests) or request.project == self.project)
        lane = self._long if request.seconds > LONG else self._quick
        full = lane.held_bytes + len(body) > HELD_BYTES
        if self.leaving or not ours or full or self.poison.holds(digest_of(body)) or not exchange.acknowledge():
            exchange.close()
            return
        job = PendingRequest(exchange, request)
        if "fixed" not in fields:
            job.request = replace(request, long_wait=partial(lane.long_wait, job))
        lane.take(job)

    def _work(self, job: PendingRequest) -> None:
        exchange = job.exchange
        if exchange.is_left():
            exchange.close()
            return
        request = replace(job.request, seconds=max(job.due - job.since, LEAST))
        digest = digest_of(request.payload)
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
            self._finish(request)

    def _finish(self, request: answer.Request) -> None:
        """What can wait until the reply is out."""
        session = answer.session_of(request)
        with self._guard:
            if session and session.name:
                self.health.saw(session.name, ended=session.ended)
        answer.afterwards(request)
        if not self.guests and not answer.wants_daemon(request):
            self.leaving = True
        self._ring_bell()

    def _drain(self) -> None:
        until = time.monotonic() + DRAIN
        while time.monotonic() < until and self._at_work():
            time.sleep(0.02)

    def _describe(self) -> dict[str, str]:
        with self._guard:
            sessions = len(self.health.sessions)
        return {
            "pid": str(os.getpid()),
            "uptime": f"{time.monotonic() - self.health.started:.1f}",
            "requests": str(self.health.requests),
            "busy": str(self._at_work()),
            "sessions": str(sessions),
            "memory": str(memory()),
            "current": "no" if self.files.changed() else "yes",
        }


def live() -> None:
    """Become the daemon of an address, or end quietly because somebody else is."""
    options = client.options_in(sys.argv[1:])
    if "for" in options:
        _serve(options["folder"], options["state"], frozenset({int(options["for"])}))
        return
    folder, name = os.path.split(options["address"])
    lock = int(options["lock"]) if "lock" in options else runtime.take_lock(folder, f"{name}.lock")
    if lock is None or runtime.is_remote(folder):
        return
    inside = runtime.open_private(folder)
    # It looks at its files first: what changes while they are loaded must not go unseen.
    daemon = Daemon(options["project"], options["state"], Poison(Path(folder) / f"{name}.flight"))
    if name != client.socket_name(options["project"], options["state"]):
        return  # the package was replaced between the client's start and our look
    words = ("--address", options["address"], "--project", daemon.project, "--state", daemon.state)
    _run(daemon, inside, name, partial(Succession, inside, name, lock, words))


def _serve(folder: str, state: str, guests: frozenset[int]) -> None:
    """Answer the hooks of other accounts, in every project, from a socket that they can reach."""
    lock = runtime.take_lock(folder, f"{client.SHARED}.lock", shared=True)
    if lock is None:
        sys.exit(f"vetgate: another one serves at {folder} already; end that one first")
    inside = runtime.open_private(folder, shared=True)
    daemon = Daemon(os.sep, state, Poison(Path(folder) / f"{client.SHARED}.flight"), guests)
    answer.for_another_account(state)
    _run(daemon, inside, client.SHARED)


def _run(daemon: Daemon, inside: int, name: str, succession: Callable[[], Succession] | None = None) -> None:
    """Without a `succession` nobody takes over from it."""
    keep_freed_memory()
    more_descriptors()
    sys.setswitchinterval(SWITCH)
    answer.warm(daemon.state, daemon.project)
    gc.collect()
    gc.freeze()
    gc.disable()  # garbage is taken out after an answer, never during one
    signal.signal(signal.SIGTERM, daemon.leave)
    signal.signal(signal.SIGINT, daemon.leave)
    # Whoever may enter the folder of a shared socket may connect; who is answered is decided by account.
    listener = _listen(inside, name, 0o111 if daemon.guests else 0o177)
    daemon.succession = succession() if succession is not None else None
    try:
        daemon.serve(listener)
    finally:
        # We still hold the lock, so the socket is ours, unless a successor has put its own there.
        if daemon.succession is None or not daemon.succession.finish():
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=inside)
            daemon.poison.leave()
        end_all()
        os._exit(0)  # a worker that hangs must not keep us


def _listen(inside: int, name: str, mask: int) -> socket.socket:
    """Bound under a passing name and renamed when it listens: nobody ever finds a socket that does not answer."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    passing = f"{name}.new"
    with contextlib.suppress(OSError):
        os.unlink(passing, dir_fd=inside)
    before = os.umask(mask)
    try:
        os.fchdir(inside)  # bind knows no descriptors; a name relative to the checked folder does as well
        listener.bind(passing)
        listener.listen(CONNECTIONS)
        os.rename(passing, name, src_dir_fd=inside, dst_dir_fd=inside)
    finally:
        os.umask(before)
        os.chdir(os.sep)
    return listener
