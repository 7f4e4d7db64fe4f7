"""The hook's hot path: the event from standard input, the daemon's answer to standard output.

Whatever is imported here is paid for on every call of every tool: `posix` instead of `os`, `_socket` instead of
`socket`, bytes instead of `json`, and nothing that drags in `re`, `enum` or `typing`. The way without a daemon is in
fallback.py.
"""

import sys
import time

try:
    import posix as system
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef]

TYPE_CHECKING = False  # as typing's, without its price
if TYPE_CHECKING:
    import _socket
    from collections.abc import Callable
    from typing import TypeVar

    A = TypeVar("A")
    T = TypeVar("T")

SEPARATOR = "\\" if sys.platform == "win32" else "/"
PACKAGE = __file__.rpartition(SEPARATOR)[0]

MAGIC = b"VG\x01"  # the last byte is the version of the frame
REQUEST, STATUS, STOP, REPLY = b"Q", b"S", b"X", b"R"
HEAD = len(MAGIC) + 1 + 4 + 4
HEADER_LIMIT = 256 << 10
LIMIT = 32 << 20
ACK = b"+"
BEAT = b"."  # the daemon is alive, and the request waits or is at work
LONG_WAIT = b"~"  # as above, and it waits for a judge: longer than was asked for, as the agent's settings allow
BROKEN = b"vetgate: the gate itself is broken, so the call is stopped. In a terminal: vetgate doctor\n"

AGENT = "claude-code"  # who asks, unless the hook says
# Another client also runs what stands in that one's settings, and says so by a variable. Nobody else is guessed.
BORROWER, BORROWS = "copilot", "COPILOT_CLI"
DEADLINE = 4.0
# Where commands of the project may run: they take as long as they take, and nobody's edit waits for them.
LONG_DEADLINES = {
    b"Stop": 590.0,
    b"SubagentStop": 590.0,
    b"PostToolUse": 290.0,
    b"PostToolUseFailure": 290.0,
    b"UserPromptSubmit": 110.0,
    b"SessionStart": 110.0,
    # As other agents call the same.
    **dict.fromkeys((b"AfterAgent", b"agentStop", b"session.idle", b"stop", b"subagentStop"), 590.0),
    **dict.fromkeys((b"AfterTool", b"postToolUse", b"postToolUseFailure", b"tool.execute.after"), 290.0),
    **dict.fromkeys((b"BeforeAgent", b"userPromptSubmitted", b"beforeSubmitPrompt", b"chat.message"), 110.0),
    **dict.fromkeys((b"sessionStart", b"session.created"), 110.0),
}
# The client waits a second or so for us when it ends.
_ENDS = (b"SessionEnd", b"sessionEnd")
# Whoever is alive and busy is waited for beyond the deadline: so long, of the 10 s after which the agent gives us up.
PATIENCE = 8.0
# Of a long wait, what is left from one sign of life on; the daemon keeps as much of the agent's own timeout.
AFTER_LONG_WAIT = 4.5
LAST_TIER = 0.5  # seconds of it that are kept for an answer without anybody
CONNECT_WITHIN = 0.05
REACTS_WITHIN = 0.15  # an idle daemon; one that takes longer is busy, or was stopped
SILENT = 2.0  # seconds without a sign of life after which a daemon counts as hung
LINED_UP = 0.05  # seconds between two looks whether it is our turn
# Of a deadline that was given, what the daemon gets; the rest is left for the way without it.
DAEMON_SHARE = 0.65
LONGEST_ADDRESS = 90  # bytes; macOS ends at 103, Linux at 107
SHARED = "gate"  # the socket of a daemon that a person runs for an agent of another account
# How the way without a daemon starts one, to the letter: see fallback.py, which is too much to import here.
BOOT = "import sys;sys.path.append(sys.argv[1]);import site;site.main();from vetgate.{} import main;main()"

# What an answer may depend on travels in the request, never in the environment of whoever started the daemon.
ENVIRONMENT = (
    "VETGATE_LOG",
    "NO_COLOR",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_REMOTE",
    "CODEX_HOME",
    "COPILOT_HOME",
    "COPILOT_PROJECT_DIR",
    "CURSOR_PROJECT_DIR",
    "GEMINI_PROJECT_DIR",
    "OPENCODE_CONFIG_DIR",
    "QWEN_PROJECT_DIR",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CI",
    "HOME",
    "PATH",
)
# And what a judge of the project may need: keys of models, and how they are reached.
OF_MODELS = ("_KEY", "_TOKEN", "_BASE_URL", "_PROXY", "_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR")

Answer = tuple[int, bytes, bytes]  # exit status, stdout, stderr
Frame = tuple[bytes, dict[str, str], bytes]  # kind, header, body
Begun = tuple[int, bool]  # the descriptor of a connection that client.pl began, and whether the daemon acknowledged


class LateError(BaseException):
    """The hook's own deadline; not an Exception, so that nothing on the way swallows it."""


class ClientCall:
    """One call of the hook: who asks, from where, and by when an answer is due."""

    __slots__ = (
        *("agent", "begun", "cwd", "due", "event", "is_fixed", "owner", "patience", "project", "projects"),
        *("runs_commands", "runtime", "seconds", "started", "state"),
    )

    def __init__(self, options: dict[str, str], started: float, event: bytes = b"") -> None:
        self.agent = asking(options)
        self.event = options.get("event", "")
        name = self.event.encode() or name_in(event)
        self.projects = options.get("projects", "all")
        self.owner = int(options["owner"]) if "owner" in options else None  # whose daemon it is, if not our own
        self.runs_commands = name in LONG_DEADLINES
        self.seconds = float(options.get("deadline", 0)) or LONG_DEADLINES.get(name, DEADLINE)
        self.is_fixed = "deadline" in options or name in _ENDS
        self.patience = self.seconds if self.is_fixed else max(self.seconds, PATIENCE)
        self.begun = _begun(options)
        self.started = started
        self.due = started + self.seconds
        self.cwd = current_directory()
        self.project = project_of_session(self.cwd)
        self.state = options.get("state") or _default("state")
        self.runtime = options.get("runtime") or _default("runtime")

    def left(self) -> float:
        return self.due - time.monotonic()

    def wait_on(self, *, is_long: bool = False) -> None:
        """Others are at work before us, or a judge is asked: that takes longer, and is no fault."""
        if is_long:
            self.due = max(self.due, time.monotonic() + AFTER_LONG_WAIT)
            self.patience = self.seconds = max(self.patience, self.due - self.started)
            wake_after(max(self.left(), 0.001))
        elif self.patience > self.seconds:
            # Where so many start at once, the interpreter's own start is a part of what the agent has waited.
            self.due = self.started + self.patience - age_at(self.started)
            self.seconds = self.patience
            wake_after(max(self.left(), 0.001))

    def address(self) -> str:
        """The daemon's socket, or "" where there can be none."""
        if not self.runtime or not hasattr(system, "getuid"):
            return ""
        path = f"{self.runtime}/{SHARED if self.owner is not None else socket_name(self.project, self.state)}"
        return path if len(encoded(path)) <= LONGEST_ADDRESS else ""

    def frame(self, payload: bytes, seconds: float) -> bytes:
        """The request, with the time its tier has for it."""
        fields = {
            "agent": self.agent,
            "cwd": self.cwd,
            "project": self.project,
            "projects": self.projects,
            "state": self.state,
            "left": f"{seconds:.3f}",
        }
        if self.is_fixed:
            fields["fixed"] = "yes"
        if self.event:
            fields["event"] = self.event
        room = HEADER_LIMIT // 2
        for name in variables("" if self.runs_commands else OF_MODELS):
            value = variable(name)
            size = len(encoded(f"env.{name}={value}"))
            if not value or size >= 4096:
                continue
            room -= size
            if room > 0:
                fields[f"env.{name}"] = value
        return pack(REQUEST, fields, payload)


def _begun(options: dict[str, str]) -> Begun | None:
    return (int(options["connection"]), "acknowledged" in options) if "connection" in options else None


def _default(which: str) -> str:
    _make_importable()
    from vetgate import runtime  # noqa: PLC0415 - an installed hook carries both folders on its command line

    return runtime.state_folder() if which == "state" else runtime.runtime_folder()


def age_at(moment: float) -> float:
    """How long this process had been there at a moment of the monotonic clock; 0 where the system does not tell."""
    try:
        ticks = int(read_all("/proc/self/stat").rpartition(b")")[2].split()[19])
        now = float(read_all("/proc/uptime").split()[0]) - (time.monotonic() - moment)
        return max(now - ticks / system.sysconf("SC_CLK_TCK"), 0.0)
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


def read_all(path: str) -> bytes:
    descriptor = system.open(path, system.O_RDONLY)
    try:
        return system.read(descriptor, 4096)
    finally:
        system.close(descriptor)


def current_directory() -> str:
    try:
        return system.getcwd()  # noqa: PTH109 - pathlib costs more than the whole call
    except OSError:  # deleted under our feet
        return SEPARATOR


def encoded(text: str) -> bytes:
    return text.encode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


def decoded(data: bytes) -> str:
    return data.decode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


def variable(name: str) -> str:
    """A variable of the environment; POSIX keeps them as bytes."""
    value = system.environ.get(encoded(name)) or system.environ.get(name, "")  # type: ignore[call-overload]
    return decoded(value) if isinstance(value, bytes) else str(value)


def variables(endings: str | tuple[str, ...] = "") -> list[str]:
    """All names that end like this, ours first; what of them a command of the project gets is decided where it runs."""
    names = [decoded(name) if isinstance(name, bytes) else str(name) for name in system.environ]
    return [*ENVIRONMENT, *(name for name in names if name.endswith(endings) and name not in ENVIRONMENT)]


def name_in(event: bytes) -> bytes:
    """The event's name; inside of a string the quotes around the key would be escaped."""
    at = event.find(b'"hook_event_name"')
    parts = event[at + 17 : at + 80].split(b'"', 2) if at >= 0 else []
    return parts[1] if len(parts) > 2 else b""


def asking(options: dict[str, str]) -> str:
    agent = options.get("agent", AGENT)
    return BORROWER if agent == AGENT and variable(BORROWS) else agent


def parent_of(path: str) -> str:
    return path.rpartition(SEPARATOR)[0] or (SEPARATOR if path.startswith(SEPARATOR) else path)


def project_of(folder: str) -> str:
    here = folder
    while True:
        for mark in (".git", "vetgate.yaml"):
            try:
                system.lstat(f"{here}{SEPARATOR}{mark}")
            except OSError:
                continue
            return here
        parent = parent_of(here)
        if parent == here:
            return folder
        here = parent


def project_of_session(folder: str) -> str:
    """Where the client was started: one daemon serves a session, wherever that goes."""
    started = variable("CLAUDE_PROJECT_DIR")
    return project_of(started if started.startswith(SEPARATOR) else folder)


def socket_name(project: str, state: str) -> str:
    """User, project, interpreter and build, hashed: two builds cannot meet on one socket.

    Files by what they are and not by what they are called: `bin/python` and `bin/python3.11` are one interpreter.
    """
    parts = [str(system.getuid()), project, state]
    for folder in (parent_of(sys.executable), PACKAGE):
        found = system.stat(folder)  # noqa: PTH116
        parts.append(f"{found.st_dev}:{found.st_ino}")
    for path in (sys.executable, f"{PACKAGE}/client.py", f"{PACKAGE}/__init__.py"):
        found = system.stat(path)  # noqa: PTH116
        parts.append(f"{found.st_ino}:{found.st_size}:{found.st_mtime_ns // 1_000_000_000}")
    # FNV-1a, which client.pl can do as well. It names a socket and proves nothing: the daemon compares project and
    # state itself.
    total = 0xCBF29CE484222325
    for byte in encoded("\0".join(parts)):
        total = (total ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return total.to_bytes(8, "big").hex()


def pack(kind: bytes, fields: dict[str, str], body: bytes = b"") -> bytes:
    header = b"\0".join(encoded(f"{name}={value}") for name, value in fields.items())
    return MAGIC + kind + len(header).to_bytes(4, "big") + len(body).to_bytes(4, "big") + header + body


def lengths(head: bytes) -> tuple[bytes, int, int]:
    """Kind, length of the header and length of the body; ValueError for what is not a frame of ours."""
    header, body = int.from_bytes(head[-8:-4], "big"), int.from_bytes(head[-4:], "big")
    if len(head) != HEAD or head[: len(MAGIC)] != MAGIC or header > HEADER_LIMIT or body > LIMIT:
        raise ValueError("not a frame")
    return head[len(MAGIC) : len(MAGIC) + 1], header, body


def fields_of(header: bytes) -> dict[str, str]:
    fields = {}
    for pair in header.split(b"\0"):
        name, _, value = decoded(pair).partition("=")
        fields[name] = value
    return fields


def pack_reply(answer: Answer, **fields: str) -> bytes:
    status, stdout, stderr = answer
    return pack(REPLY, {"status": str(status), "stdout": str(len(stdout)), **fields}, stdout + stderr)


def answer_in(frame: Frame | None) -> Answer | None:
    """The answer in a reply; None for anything that must not reach the agent."""
    if frame is None or frame[0] != REPLY:
        return None
    fields, body = frame[1], frame[2]
    if fields.get("status") not in {"0", "2"} or not fields.get("stdout", "").isdecimal():
        return None
    cut = int(fields["stdout"])
    stdout = body[:cut]
    if cut > len(body) or (stdout and not (stdout[:1] == b"{" and stdout.rstrip()[-1:] == b"}")):
        return None
    return int(fields["status"]), stdout, body[cut:]


def split(raw: bytes) -> Frame | None:
    """One whole frame in memory, or None."""
    try:
        kind, header, body = lengths(raw[:HEAD])
    except ValueError:
        return None
    if len(raw) != HEAD + header + body:
        return None
    return kind, fields_of(raw[HEAD : HEAD + header]), raw[HEAD + header :]


def is_private(folder: str) -> bool:
    """A real directory, ours, closed to everybody else."""
    try:
        found = system.lstat(folder)
    except OSError:
        return False
    return found.st_mode & 0o170077 == 0o040000 and found.st_uid == system.getuid()


def is_shared(address: str, owner: int) -> bool:
    """A socket of the owner's, in a folder that only they and root can change."""
    try:
        found, folder = system.lstat(address), system.lstat(parent_of(address))
    except OSError:
        return False
    closed = folder.st_mode & 0o170022 == 0o040000 and folder.st_uid in {0, owner}
    return closed and found.st_mode & 0o170000 == 0o140000 and found.st_uid == owner


def ask_daemon(
    address: str,
    frame: bytes,
    seconds: float,
    alive: "Callable[..., None] | None" = None,
    *,
    owner: int | None = None,
    surely: bool = False,
    begun: "Begun | None" = None,
) -> Frame | None:
    """The reply to one frame, or None: no daemon, not ours, refused, or not in time.

    A daemon that is busy is waited for as long as it gives signs of life; of those that come late `alive` is told. One
    that waits for a judge is waited for beyond `seconds`, where `alive` is told of it. With an `owner` it is that
    account's. `surely`: only from a process that runs this very program. One that was `begun` has the frame already.
    """
    if not address or not (is_private(parent_of(address)) if owner is None else is_shared(address, owner)):
        return None
    try:
        import _socket  # noqa: PLC0415

        connection = _socket.socket(fileno=begun[0]) if begun else _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    except (ImportError, AttributeError, OSError):
        return None
    try:
        if begun is None:
            _connect(connection, address)
        if not _is_asked(connection, owner, surely=surely):
            return None
        rest = memoryview(b"" if begun else frame)
        while rest:
            rest = rest[_patiently(connection, connection.send, rest) :]
        is_acknowledged = begun is not None and begun[1]
        if not is_acknowledged and _patiently(connection, connection.recv, 1) != ACK:
            return None
        return _receive(connection, time.monotonic() + seconds, alive)
    except (OSError, ValueError):
        return None
    finally:
        connection.close()


def _is_asked(connection: "_socket.socket", owner: int | None, *, surely: bool) -> bool:
    """Whether it is that account's process at the other end, and `surely` this very program."""
    is_owners = peer_of(connection) == (system.getuid() if owner is None else owner)
    return is_owners and (not surely or is_program(pid_of(connection), "daemon"))


def _connect(connection: "_socket.socket", address: str) -> None:
    connection.settimeout(CONNECT_WITHIN)
    until = time.monotonic() + SILENT
    while True:
        try:
            return connection.connect(address)
        except BlockingIOError:  # its line is full: more callers at once than the kernel keeps
            if time.monotonic() > until:
                raise
            time.sleep(CONNECT_WITHIN)


def _patiently(connection: "_socket.socket", act: "Callable[[A], T]", what: "A") -> "T":
    """Wait for a process that does not react at once, unless it was stopped."""
    connection.settimeout(REACTS_WITHIN)
    try:
        return act(what)
    except TimeoutError:
        if _is_stopped(connection):
            raise
    connection.settimeout(SILENT - REACTS_WITHIN)
    return act(what)


def _is_stopped(connection: "_socket.socket") -> bool:
    """Whether whoever listens there was stopped, or is dead; False where the system does not tell."""
    if sys.platform != "linux":
        return False
    try:
        pid = int.from_bytes(connection.getsockopt(1, 17, 12)[:4], sys.byteorder)
        state = read_all(f"/proc/{pid}/stat").rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state in {b"T", b"t", b"Z", b"X"}


def peer_of(connection: "_socket.socket") -> int:
    """The user at the other end; -1 where the system does not tell."""
    # SO_PEERCRED gives pid, uid, gid; LOCAL_PEERCRED version, uid, groups: the uid is the second number of both.
    asked = {"linux": (1, 17, 12), "darwin": (0, 1, 76)}.get(sys.platform)
    if asked is None:
        return -1
    told = connection.getsockopt(*asked)
    return int.from_bytes(told[4:8], sys.byteorder) if len(told) >= 8 else -1


def pid_of(connection: "_socket.socket") -> int:
    """The process at the other end; 0 where the system does not tell, or it is not to be seen from here."""
    system_name: str = sys.platform
    told = connection.getsockopt(1, 17, 12) if system_name == "linux" else b""
    return int.from_bytes(told[:4], sys.byteorder)


def is_program(pid: int, module: str) -> bool:
    """Whether a process was started as this module of this very package, by this interpreter. Only Linux tells.

    What has a process's rights can also change its memory: it is a look at the door and no proof.
    """
    try:
        words = read_all(f"/proc/{pid}/cmdline").split(b"\0")
        pairs = (
            (words[5], encoded(parent_of(PACKAGE))),
            # By the name it is called with: in another folder it finds packages of that one, and runs what they say.
            (encoded(parent_of(decoded(words[0]))), encoded(parent_of(sys.executable))),
        )
        same = all(_is_one_file(one, other) for one, other in pairs) and _runs_our_interpreter(pid)
    except (OSError, IndexError, ValueError):
        return sys.platform != "linux"
    return same and words[1:5] == [b"-I", b"-S", b"-c", encoded(BOOT.format(module))]


def _runs_our_interpreter(pid: int) -> bool:
    """One outside of the sandbox that we run in, or with rights that we do not have, does not show what it runs.

    Nobody inside of it, or with our rights alone, has made it.
    """
    try:
        return _is_one_file(encoded(f"/proc/{pid}/exe"), b"/proc/self/exe")
    except PermissionError:
        is_sandboxed = read_all("/proc/self/uid_map").split() != [b"0", b"0", b"4294967295"]
        return is_sandboxed or bool(_rights_of(str(pid)) & ~_rights_of("self"))


def _is_one_file(one: bytes, other: bytes) -> bool:
    return system.stat(one)[1:3] == system.stat(other)[1:3]  # noqa: PTH116


def _rights_of(pid: str) -> int:
    return int(read_all(f"/proc/{pid}/status").partition(b"CapPrm:")[2].split()[0], 16)


def _receive(connection: "_socket.socket", until: float, alive: "Callable[..., None] | None") -> Frame:
    head = b""
    while len(head) < HEAD:
        head += _more(connection, HEAD - len(head), until)
        frame = head.lstrip(BEAT + LONG_WAIT)
        signs, head = head[: len(head) - len(frame)], frame
        if signs and alive is not None:
            is_long = LONG_WAIT in signs
            until = max(until, time.monotonic() + SILENT) if is_long else until
            alive(is_long=is_long)
    kind, header, body = lengths(head)
    rest = bytearray()
    while len(rest) < header + body:
        rest += _more(connection, header + body - len(rest), until)
    return kind, fields_of(bytes(rest[:header])), bytes(rest[header:])


def _more(connection: "_socket.socket", count: int, until: float) -> bytes:
    left = until - time.monotonic()
    connection.settimeout(max(min(SILENT, left), 0.001))
    more = connection.recv(count)
    if not more:
        raise ValueError("cut off")
    return more


def read_event() -> bytes:
    chunks = []
    total = 0
    while chunk := system.read(0, 1 << 20):
        chunks.append(chunk)
        total += len(chunk)
        if total > LIMIT:
            raise ValueError(f"the event is larger than {LIMIT >> 20} MiB")
    return b"".join(chunks)


def options_in(arguments: list[str]) -> dict[str, str]:
    """`--name value` pairs and nothing else; what is not known is left alone."""
    options = {}
    for name, value in zip(arguments, arguments[1:], strict=False):  # noqa: RUF007 - no itertools here
        if name.startswith("--") and not value.startswith("--"):
            options[name[2:]] = value
    return options


def wake_after(seconds: float) -> None:
    """Raise LateError in that time, whatever we are waiting for; 0 takes it back."""
    import _signal  # type: ignore[import-not-found]  # noqa: PLC0415 - `signal` itself builds enums

    def late(_number: int, _frame: object) -> None:
        raise LateError

    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, late)
        _signal.setitimer(_signal.ITIMER_REAL, seconds)


def write_all(descriptor: int, data: bytes) -> None:
    try:
        while data:
            data = data[system.write(descriptor, data) :]
    except OSError:  # the agent is gone, or never listened; the exit status still speaks
        pass


def run(arguments: list[str]) -> int:
    started = time.monotonic()
    event = b""
    state = ""
    start_daemon: Callable[[], None] | None = None
    try:
        options = options_in(arguments)
        wake_after(float(options.get("deadline", DEADLINE)))
        event = read_event()
        call = ClientCall(options, started, event)
        wake_after(max(call.left(), 0.001))
        state = call.state
        answer = _from_daemon(call, event)
        if answer is None and call.owner is not None:
            answer = _from_nobody(call, event)
        elif answer is None:
            answer, start_daemon = _without_daemon(call, event)
        wake_after(0)
    except BaseException as error:  # noqa: BLE001 - whatever it was, the agent gets an answer
        wake_after(0)
        answer = _last_answer(event, error, state, options_in(arguments))
    write_all(2, answer[2])
    write_all(1, answer[1])
    if start_daemon is not None:
        start_daemon()
    return answer[0]


def _from_daemon(call: ClientCall, event: bytes) -> Answer | None:
    if call.owner is None and variable("VETGATE_DAEMON") == "off":
        return None
    # One that is alive says itself when somebody is better off without it.
    share = call.patience - LAST_TIER if call.patience == PATIENCE else call.patience * DAEMON_SHARE
    # Of a long deadline only as much is left for the way without it as any other call has.
    seconds = max(share, call.patience - DEADLINE) - (time.monotonic() - call.started)
    if seconds <= 0:
        return None
    told = ask_daemon(
        call.address(),
        call.frame(event, seconds),
        seconds,
        call.wait_on,
        owner=call.owner,
        surely=call.owner is None,
        begun=call.begun,
    )
    call.begun = None  # whoever asks again begins anew
    return answer_in(told)


def _from_nobody(call: ClientCall, event: bytes) -> Answer:
    """What the owner's daemon does not say nobody else may: the store is not ours, so neither is the verdict."""
    _make_importable()
    from vetgate import fallback  # noqa: PLC0415

    cause = f"the gate that uid {call.owner} runs does not answer at {call.address() or call.runtime}"
    cause = f"{cause}. Ask that person to start it: vetgate daemon serve"
    return fallback.closed_answer(event, cause, call.state, call.agent, call.event)


def _without_daemon(call: ClientCall, event: bytes) -> "tuple[Answer, Callable[[], None] | None]":
    _make_importable()
    from vetgate import fallback  # noqa: PLC0415

    slot = fallback.take_slot(call.runtime)
    while slot is None:
        answer = _in_line(call, event)
        if answer is not None:
            return answer, None
        if call.left() < fallback.RESERVE:
            raise fallback.ChildError("too many calls at once were waiting to be checked")
        slot = fallback.take_slot(call.runtime)
    seconds = call.left() - fallback.RESERVE
    told = split(fallback.ask_child(call.frame(event, seconds), seconds, slot))
    answer = answer_in(told)
    if answer is None or told is None:
        raise fallback.ChildError("the checks gave no valid answer")
    address = call.address()
    if not address or variable("VETGATE_DAEMON") == "off" or told[1].get("daemon") == "off":
        return answer, None
    return answer, lambda: fallback.start_daemon(address, call.project, call.state)


def _in_line(call: ClientCall, event: bytes) -> Answer | None:
    """Others are being checked; one of them may have started a daemon meanwhile."""
    call.wait_on()
    asked = time.monotonic()
    answer = _from_daemon(call, event)
    if answer is None and time.monotonic() - asked < LINED_UP:
        time.sleep(LINED_UP)
    return answer


def _last_answer(event: bytes, error: BaseException, state: str, options: dict[str, str]) -> Answer:
    try:
        _make_importable()
        from vetgate import fallback  # noqa: PLC0415

        answer = fallback.closed_answer if "owner" in options else fallback.last_answer
        return answer(event, fallback.cause_of(error), state, asking(options), options.get("event", ""))
    except BaseException:  # noqa: BLE001 - nothing is left to ask
        # Of a turn that ends, a refusal would hold it for ever: some clients never give up.
        return (0 if (options.get("event", "").encode() or name_in(event)) in LONG_DEADLINES else 2), b"", BROKEN


def _make_importable() -> None:
    """`python -I -S client.py` knows no packages; ours comes last, so that it can hide nothing."""
    parent = parent_of(PACKAGE)
    if parent not in sys.path:
        sys.path.append(parent)


def main() -> None:
    try:
        status = run(sys.argv[1:])
    except BaseException:  # noqa: BLE001 - a signal between two lines; any status but 2 would let the call pass
        write_all(2, BROKEN)
        status = 2
    # Not sys.exit: taking the interpreter down tidily costs more than the round trip to the daemon.
    system._exit(status)


if __name__ == "__main__":
    main()
