"""What the agent is told when a person types `/review`: gathered from what is known, and nothing is run for it."""

from __future__ import annotations

import json
import shlex
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from vetgate.expression import expression
from vetgate.model import Decision, Message, UserError
from vetgate.source import git
from vetgate.source.git_refs import branch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.config.schema import Config
    from vetgate.project import Project
    from vetgate.respond.call import Call
    from vetgate.store import RecordedDecision, RecordedLoop

# As a command of ours, and as one in a folder or a plugin of our name.
_TYPED = expression(r"/(?:vetgate:)?review(?=\s|$)")
_SCOPES = ("changed", "staged", "branch")
_SWITCHES = frozenset({"--free", "--claude", "--skip-cr", "--all", "--dry-run"})
_WITH_VALUE = frozenset({"--loops", "--scope", "--base", "--format", "--export"})
_MOST_FILES = 40
_MOST_BLOCKERS = 5
_SECONDS = 5.0
_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class ReviewArguments:
    """What was typed behind the command; `unknown` is what `vetgate review` has no option for."""

    options: dict[str, str | bool]
    paths: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def scope(self) -> str:
        wanted = self.options.get("scope")
        return wanted if wanted in _SCOPES else "paths" if self.paths else "branch"

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(_words(self.options, self.paths))


def review_context(call: Call) -> Message | None:
    """None unless a person typed the command."""
    typed = _TYPED.match(call.event.task)
    if typed is None:
        return None
    config = call.in_force.config
    if not config.enabled:
        return None
    arguments = parsed(call.event.task[typed.end() :])
    context = _context(call.project, config, arguments)
    # As JSON, in one line: names and messages of others are values there, whatever they say.
    text = (
        "vetgate: context for /review, as data. Nothing was run for it; the only result in it is the last "
        f"record.\n{json.dumps(context)}"
    )
    return Message(Decision.ALLOW, text)


def parsed(text: str) -> ReviewArguments:
    try:
        words = shlex.split(text)
    except ValueError:  # a quote that nobody closed
        words = text.split()
    options: dict[str, str | bool] = {}
    paths: list[str] = []
    unknown: list[str] = []
    pending = iter(words)
    for word in pending:
        name, is_set, value = word.partition("=")
        if word in _SWITCHES:
            options[word.removeprefix("--")] = True
        elif name in _WITH_VALUE:
            options[name.removeprefix("--")] = value if is_set else next(pending, "")
        else:
            (unknown if word.startswith("-") else paths).append(word)
    return ReviewArguments(options, tuple(paths), tuple(unknown))


def _words(options: dict[str, str | bool], paths: Sequence[str]) -> Iterator[str]:
    for name, value in options.items():
        if name != "dry-run":
            yield f"--{name}"
            yield from () if value is True else (str(value),)
    yield from paths


def _context(project: Project, config: Config, arguments: ReviewArguments) -> dict[str, Any]:
    loops = [
        {
            "number": number,
            "name": loop.name,
            "gates": [list(step) if len(step) > 1 else step[0] for step in loop.steps],
            "timeout_seconds": loop.timeout,
            "blocks": loop.blocks,
        }
        for number, loop in enumerate(config.loops, 1)
    ]
    note = {} if loops else {"note": "vetgate.yaml lists no loops under `review` and no gates under `on.review`"}
    reviews = project.store.reviews(1)
    return {
        "command": shlex.join(("vetgate", "review", "--dry-run", *arguments.words)),
        "scope": arguments.scope,
        "options": arguments.options,
        "paths": list(arguments.paths),
        **({"unknown_options": list(arguments.unknown)} if arguments.unknown else {}),
        **_files(project, arguments),
        "loops": loops,
        "last_record": _last(reviews[0], config) if reviews else None,
        **note,
    }


def _files(project: Project, arguments: ReviewArguments) -> dict[str, Any]:
    """By name alone: contents are for the review itself."""
    try:
        repository = git.find(project.root)
        if repository is None:
            return {"files": [], "file_count": 0}
        base = str(arguments.options.get("base") or "") or repository.trunk()
        names = replace(repository, seconds=_SECONDS).changed_names(arguments.scope, base)
    except UserError as error:
        return {"files": None, "why_no_files": error.message}
    if arguments.paths:
        wanted = [path.removeprefix("./").rstrip("/") for path in arguments.paths]
        names = tuple(name for name in names if any(name == each or name.startswith(f"{each}/") for each in wanted))
    shown = [name.encode("utf-8", "backslashreplace").decode() for name in names[:_MOST_FILES]]
    return {"branch": branch(repository.top), "base": base, "file_count": len(names), "files": shown}


def _last(row: RecordedDecision, config: Config) -> dict[str, Any] | None:
    review = row.body.review
    if review is None:
        return None
    return {
        "id": row.id,
        "hours_ago": round(max(0.0, time.time() - row.time) / _HOUR, 1),
        "branch": review.branch,
        "scope": review.scope,
        "ship_allowed": review.ship_allowed,
        "loops": [_loop(loop) for loop in review.loops],
        "blockers": list(review.blockers[:_MOST_BLOCKERS]),
        "same_configuration": row.body.config == config.digest,
    }


def _loop(loop: RecordedLoop) -> dict[str, Any]:
    return {
        "name": loop.name,
        "status": loop.status,
        "findings": loop.findings,
        "seconds": round(loop.elapsed_ms / 1000, 1),
        "skipped": list(loop.skipped),
    }
