"""`api: claude-cli`: the user's own installed Claude Code client as a model, in its hermetic form. Opt-in.

It gets no hooks, no settings, no tools, no MCP servers and no memory of a project, starts in an empty folder, and
leaves no transcript. Its login is its own business: whatever it is logged in with pays. It cannot investigate.
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.judgement import ModelFailure, ModelReply, Usage
from vetgate.models.answers import SCHEMA, WRONG_FORM, MalformedAnswerError, read_answer, read_text
from vetgate.models.body import usage_of_messages
from vetgate.models.keys import (
    API_KEY,
    AUTH_TOKEN,
    BASE_URL,
    Endpoint,
    UnusableModelError,
    check_address,
    find_key,
    raw_text,
)
from vetgate.models.price import estimate
from vetgate.models.retry import RATE_LIMITED

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping

    from vetgate.judgement import Model, Question

API = "claude-cli"
_PROGRAM = "claude"
_LOOK, _GRACE = 0.02, 1.0
_MOST_OUTPUT = 4_000_000
_LONGEST_ARGUMENT = 120_000  # of the system: 128 KiB
# What the client needs to start, to find its login and to reach the network; nothing else of the caller's is passed.
_PASSED = """
    HOME USER LOGNAME PATH LANG LC_ALL LC_CTYPE TZ XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR
    DBUS_SESSION_BUS_ADDRESS CLAUDE_CONFIG_DIR CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX
    CLAUDE_CODE_USE_FOUNDRY ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_VERTEX_PROJECT_ID
    CLOUD_ML_REGION GOOGLE_APPLICATION_CREDENTIALS AWS_REGION AWS_PROFILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
    AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK HTTPS_PROXY HTTP_PROXY NO_PROXY https_proxy http_proxy no_proxy
    NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR
"""
# Where the client is looked for, and what it is started with, when nobody says so but a repository's settings.
_USUAL = ("~/.local/bin", "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin")
_SET = {
    "CLAUDE_CODE_MAX_RETRIES": "2",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
}


def ask(
    question: Question, model: Model, environment: Mapping[str, str], deadline: float, cancel: threading.Event
) -> ModelReply:
    """One run: the client itself asks again for an answer in the wrong form. Raises UnusableModelError."""
    if question.investigate is not None:
        raise UnusableModelError(
            ModelFailure.OTHER, f"`api: {API}` cannot investigate; use another model, or leave it out"
        )
    environment = {**_of_the_person(environment.get("HOME", "")), **environment}
    program = _program(environment)
    passed, endpoint = _environment(model, environment)
    run = _run([program, *_arguments(question, model)], question.prompt, passed, deadline, cancel)
    reply = replace(_read(run, model, endpoint), tries=1)
    # It told nothing of what it used up.
    return replace(reply, usage=estimate(question, model)[0]) if run.status is None else reply


def _of_the_person(home: str) -> dict[str, str]:
    """What the system knows of them. This process may have been started under the settings of any repository."""
    user = pwd.getpwuid(os.getuid())
    home = home or user.pw_dir
    folders = (each.replace("~", home, 1) for each in _USUAL)
    return {"HOME": home, "USER": user.pw_name, "LOGNAME": user.pw_name, "PATH": os.pathsep.join(folders)}


def _program(environment: Mapping[str, str]) -> str:
    """Only from folders that are named in full: a project must not be able to put its own in the way."""
    folders = [folder for folder in environment.get("PATH", "").split(os.pathsep) if folder.startswith("/")]
    found = shutil.which(_PROGRAM, path=os.pathsep.join(folders))
    if found is None:
        detail = f"the `{_PROGRAM}` client is not on the PATH; `api: {API}` needs it"
        raise UnusableModelError(ModelFailure.NOT_INSTALLED, detail)
    return found


def _environment(model: Model, environment: Mapping[str, str]) -> tuple[dict[str, str], Endpoint]:
    allowed = _PASSED.split()
    passed = {name: value for name, value in environment.items() if name in allowed}
    if model.url:
        passed[BASE_URL] = model.url
    if passed.get(BASE_URL):
        check_address(passed[BASE_URL], model.name)
    key = find_key(model, environment) if model.key else None
    if key is not None:
        passed.pop(AUTH_TOKEN if not key.is_bearer else API_KEY, None)
        passed[AUTH_TOKEN if key.is_bearer else API_KEY] = key.reveal()
    return {**passed, **_SET}, Endpoint(passed.get(BASE_URL, ""), key)


def _arguments(question: Question, model: Model) -> list[str]:
    if len(question.instructions.encode()) > _LONGEST_ARGUMENT:
        detail = f"the instructions of `{question.judge}` are too long for `api: {API}`"
        raise UnusableModelError(ModelFailure.OTHER, detail)
    return [
        *("-p", "--output-format", "json", "--model", model.model or "haiku", "--safe-mode"),
        *("--setting-sources", "", "--settings", '{"disableAllHooks":true}', "--tools", "", "--strict-mcp-config"),
        *("--disable-slash-commands", "--no-session-persistence"),
        *("--system-prompt", question.instructions, "--json-schema", json.dumps(SCHEMA)),
    ]


class _ClientRun(NamedTuple):
    """How a run of the client ended: its status and output, or that it was ended before."""

    status: int | None
    output: bytes
    is_cancelled: bool


def _run(
    command: list[str], prompt: str, environment: dict[str, str], deadline: float, cancel: threading.Event
) -> _ClientRun:
    """In a process group of its own, which is ended as a whole; files instead of pipes, so that nobody can hold us."""
    with tempfile.TemporaryDirectory(prefix="vetgate-") as folder:
        place = Path(folder)
        for name in ("empty", "tmp"):
            (place / name).mkdir()
        (place / "prompt").write_text(prompt or "Go ahead.", encoding="utf-8", errors="replace")
        with (place / "prompt").open("rb") as said, (place / "answer").open("wb+") as answer:
            process = subprocess.Popen(  # noqa: S603 - the user's own client, by its full path
                command,
                cwd=place / "empty",
                env={**environment, "TMPDIR": str(place / "tmp")},
                stdin=said,
                stdout=answer,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                while process.poll() is None and time.monotonic() < deadline and not cancel.wait(_LOOK):
                    pass
                is_late = process.returncode is None
            finally:
                _end(process)
            answer.seek(0)
            return _ClientRun(None if is_late else process.returncode, answer.read(_MOST_OUTPUT), cancel.is_set())


def _end(process: subprocess.Popen[bytes]) -> None:
    """Also what it started: the group is still there when its first process has gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)


def _read(run: _ClientRun, model: Model, endpoint: Endpoint) -> ModelReply:
    if run.status is None:
        if run.is_cancelled:
            return ModelReply(model.name, None, ModelFailure.CANCELLED, "the answer is no longer needed")
        return ModelReply(model.name, None, ModelFailure.TIMEOUT, f"the `{_PROGRAM}` client did not answer in time")
    told = _result_in(run.output)
    if told is None:
        words = f"the `{_PROGRAM}` client printed no answer"
        return ModelReply(model.name, None, ModelFailure.MALFORMED, words, raw=raw_text(run.output, endpoint))
    used = told.get("usage")
    usage = usage_of_messages(used) if isinstance(used, dict) else Usage()
    spent = told.get("total_cost_usd")
    usd = float(spent) if isinstance(spent, int | float) and spent > 0 else 0.0
    if told.get("is_error") or run.status:
        failure, detail = _failure(told, endpoint)
        return ModelReply(model.name, None, failure, detail, usage, usd)
    try:
        given = told.get("structured_output")
        answer = read_answer(given) if given is not None else read_text(str(told.get("result") or ""))
    except MalformedAnswerError:
        raw = raw_text(run.output, endpoint)
        return ModelReply(model.name, None, ModelFailure.MALFORMED, WRONG_FORM, usage, usd, raw=raw)
    return ModelReply(model.name, answer, usage=usage, usd=usd)


def _result_in(output: bytes) -> dict[str, Any] | None:
    """The result: printed alone, as the last of a list of events, or on a line among others."""
    text = output.decode("utf-8", "replace").strip()
    for candidate in (text, *reversed(text.splitlines())):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        for each in reversed(value if isinstance(value, list) else [value]):
            if isinstance(each, dict) and ("result" in each or "structured_output" in each or "is_error" in each):
                return each
    return None


def _failure(told: dict[str, Any], endpoint: Endpoint) -> tuple[ModelFailure, str]:
    status = told.get("api_error_status")
    said = endpoint.safe(str(told.get("result") or "no reason given"))
    words = f"the `{_PROGRAM}` client says: {said}"
    if "not logged in" in said.lower() or status in (401, 403):
        return ModelFailure.NO_KEY, words
    if status == RATE_LIMITED:
        return ModelFailure.RATE_LIMITED, words
    if isinstance(status, int) and status >= 500:
        return ModelFailure.OVERLOADED, words
    if "connection" in said.lower() or "unable to connect" in said.lower():
        return ModelFailure.UNREACHABLE, words
    return ModelFailure.OTHER, words
