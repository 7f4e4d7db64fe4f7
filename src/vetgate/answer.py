"""One request in, one reply out, whatever happens in between. The daemon calls it; the client's child is it."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import platform
import sys
import traceback
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate import __version__, client, expression, fallback, runtime
from vetgate.launcher import UNREGISTERED
from vetgate.model import EventSession, Reply, UserError
from vetgate.ownership import fault, make

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.app import App
    from vetgate.progress import LongWait

# A child whose client was killed has nobody left who would end it.
GRACE = 1.0
_SET_UP = frozenset({"set-up", UNREGISTERED})
_WARM = {"vetgate-warm.ts": "function f(a) { return a ? 1 : 2 }\n", "vetgate-warm.py": "def f(a):\n    return a\n"}


@dataclass(frozen=True, slots=True)
class Request:
    agent: str
    cwd: str
    project: str
    state: str
    projects: str
    seconds: float
    environment: Mapping[str, str]
    payload: bytes
    caller: int = 0
    long_wait: LongWait | None = None
    event: str = ""

    @classmethod
    def of(cls, fields: Mapping[str, str], payload: bytes, caller: int = 0) -> Request:
        """Raises ValueError for a header that is not ours. `caller` is the process of the hook."""
        try:
            return cls(
                agent=fields["agent"],
                cwd=fields["cwd"],
                project=fields["project"],
                state=fields["state"],
                projects=fields["projects"],
                seconds=float(fields["left"]),
                environment={k.removeprefix("env."): v for k, v in fields.items() if k.startswith("env.")},
                payload=payload,
                caller=caller,
                event=fields.get("event", ""),
            )
        except KeyError as missing:
            raise ValueError(f"the request has no {missing}") from None


def answer(request: Request) -> Reply:
    try:
        if request.projects == UNREGISTERED and _is_heard_otherwise(request):
            return Reply(0, b"", b"")
        app = _app(request.state)
        only_set_up = request.projects in _SET_UP
        seconds = max(request.seconds, 0.1)
        log = request.environment.get("VETGATE_LOG", "")
        return app.answer(
            request.agent,
            request.payload,
            request.cwd,
            only_set_up=only_set_up,
            seconds=seconds,
            log=log,
            environment=request.environment,
            caller=request.caller,
            long_wait=request.long_wait,
            called=request.event,
        )
    except UserError as error:
        return _last(request, f"{error.message} ({error.hint})" if error.hint else error.message)
    except Exception as error:  # noqa: BLE001 - a surface: our bug must not become the agent's missing answer
        if session_of(request) is None:
            return _last(request, "")
        report = write_report(error, Path(request.state))
        return _last(request, f"vetgate failed with {type(error).__name__}{f', see {report}' if report else ''}")


def _is_heard_otherwise(request: Request) -> bool:
    """Whether the agent's settings run our hook at this event as well: then that one answers, and nobody asks twice."""
    from vetgate.agents import session_agent  # noqa: PLC0415 - it may be what is broken

    event = client.name_in(request.payload).decode("utf-8", "replace")
    return session_agent(request.agent).plugin.stands_back(event, Path(request.state), request.environment)


def afterwards(request: Request) -> None:
    """What may be remembered once the answer is out."""
    try:
        _app(request.state).flush()
    except Exception as error:  # noqa: BLE001 - as above, and there is nobody left to tell
        write_report(error, Path(request.state))


def session_of(request: Request) -> EventSession | None:
    """None for what is no event."""
    try:
        from vetgate.agents import session_agent  # noqa: PLC0415 - it may be what is broken

        return session_agent(request.agent).session_wire.session_of(request.payload, request.event)
    except Exception:  # noqa: BLE001 - as above; that nobody can look is no word about the event
        return EventSession()


def wants_daemon(request: Request) -> bool:
    """What the project's configuration says; nobody waits for answers in one that was never set up."""
    try:
        from vetgate.project import Project  # noqa: PLC0415 - it may be what is broken

        roots = [Path(request.project), Path(client.project_of(request.cwd))]
        if request.projects in _SET_UP:
            roots = [root for root in roots if Project.is_set_up(root, Path(request.state))]
        return bool(roots) and _app(request.state).project(roots[0]).effective().config.daemon != "off"
    except Exception:  # noqa: BLE001 - as above, and the answer is already out
        return True


def warm(state: str, project: str) -> None:
    """Load what the first request would wait for. What fails here fails again there, where it is told."""
    with contextlib.suppress(Exception):
        from vetgate.agents import CANARY, session_agent  # noqa: PLC0415 - it may be what is broken
        from vetgate.checks.unsafe_command import in_place  # noqa: F401, PLC0415 - edits, which warm the rest, need none

        _app(state).stays = True
        for name, content in _WARM.items():
            # With this session it is judged, and never remembered. One agent's words warm what all of them need.
            payload = session_agent(client.AGENT).session_wire.edit_payload(
                f"{project}/{name}", content, project, CANARY
            )
            _app(state).answer(client.AGENT, payload, project)

        expression.compile_all()


def for_another_account(state: str) -> None:
    """From now on nothing of a project is run here: what an agent wrote would run with its owner's rights."""
    _app(state).runs_programs = False


def note_overwritten(state: str, project: str, sessions: Iterable[str], paths: Iterable[Path]) -> None:
    """That somebody overwrote launchers which are as vetgate wrote them again: told in these sessions."""
    try:
        from vetgate.respond.protected_files import note_put_back  # noqa: PLC0415 - it may be what is broken

        store = _app(state).project(Path(project)).store
        for session in sessions:
            note_put_back(store, session, paths)
    except Exception as error:  # noqa: BLE001 - as above, and there is nobody to tell
        write_report(error, Path(state))


def _last(request: Request, cause: str) -> Reply:
    return Reply(*fallback.last_answer(request.payload, cause, request.state, request.agent, request.event))


@lru_cache(maxsize=1)
def _app(state: str) -> App:
    from vetgate.app import App  # noqa: PLC0415 - it may be what is broken

    return App(Path(state))


def write_report(error: BaseException, state: Path | None = None) -> Path | None:
    """Versions, types and places; never a message or a value: they may hold the user's code or secrets.

    Named after its content, so that a bug met a thousand times is one file; None where it could not be written.
    """
    text = "\n".join(
        (
            f"vetgate {__version__}, Python {platform.python_version()}, {platform.platform()}",
            *_places(error),
            "",
        )
    )
    folder = (state or runtime.state_dir()) / "reports"
    path = folder / f"{blake2b(text.encode('utf-8', 'replace'), digest_size=6).hexdigest()}.txt"
    if fault(str(folder)):
        return None
    try:
        make(str(folder))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError:  # a full or read-only disk
        return None
    return path


def _places(error: BaseException | None) -> list[str]:
    lines: list[str] = []
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        lines.append(f"{type(error).__module__}.{type(error).__qualname__}")
        frames = traceback.extract_tb(error.__traceback__, limit=-40)
        lines += [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        error = error.__cause__ or error.__context__
    return lines


def main() -> None:
    gc.disable()  # of one answer there is little, and to look for it takes as long as a fifth of the imports
    private = _keep_stdout()
    frame = client.split(sys.stdin.buffer.read())
    if frame is None or frame[0] != client.REQUEST:
        os._exit(1)
    request = Request.of(frame[1], frame[2], os.getppid())
    faulthandler.dump_traceback_later(max(request.seconds, 0) + GRACE, exit=True)
    reply = answer(request)
    wanted = "auto" if wants_daemon(request) else "off"
    client.write_all(private, client.pack_reply((reply.status, reply.stdout, reply.stderr), daemon=wanted))
    afterwards(request)
    os._exit(0)


def _keep_stdout() -> int:
    """The real stdout for the reply alone; what anybody else prints goes to stderr."""
    private = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return private
