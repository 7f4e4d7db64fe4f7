"""Everything that a judge may be shown of an event, read from where it lies: the conversation, the project's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents import agent
from vetgate.agents.conversation import NO_CONVERSATION
from vetgate.judges.judge import Context
from vetgate.judges.path_rules import PathRules
from vetgate.known_agents import SHARED_PAGE, known_agents
from vetgate.source.disk import read_existing
from vetgate.source.root import real
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.agents.conversation import Conversation
    from vetgate.judges.judge import Judge
    from vetgate.model import Change, Event

_MOST_FILES = 8
_MOST_CHARACTERS = 64 << 10


def gather(
    judge: Judge, event: Event, root: Path, *, change: Change | None = None, sensitive: tuple[str, ...] = ()
) -> Context:
    """What this judge may see of an event; `change` is for events without one of their own, such as a review."""
    conversation = conversation_of(judge, event)
    wanted = event.change or change
    paths = [file.path for file in wanted.files] if wanted is not None else []
    rules = rules_of(root, paths, PathRules(root, sensitive)) if judge.wants_rules else ()
    return Context(event, root, conversation, change, rules, conversation.plan, sensitive=sensitive)


def conversation_of(judge: Judge, event: Event) -> Conversation:
    """The latest part, as the judge's preset wants it; nothing where the agent keeps no transcript."""
    if event.transcript is None or not event.agent:
        return NO_CONVERSATION
    raised_by = agent(event.agent)
    if not raised_by.capabilities.keeps_transcripts:
        return NO_CONVERSATION
    return raised_by.transcript.recent(event.transcript, judge.preset, event.subagent_id)


def rules_of(root: Path, paths: list[str], known: PathRules | None = None) -> tuple[tuple[str, str], ...]:
    """The project's instructions to agents: those at its root, and those in the folders above the files in question."""
    found = {}
    known = known or PathRules(root)
    for name in _names(paths):
        text = "" if known.is_withheld(name) else text_in(root, name)  # it may be a link to one
        if text.strip():
            found[name] = text
        if len(found) == _MOST_FILES:
            break
    return tuple(found.items())


def _names(paths: list[str]) -> Iterator[str]:
    """Those at the root first: they are the same from call to call."""
    known = known_agents()
    names = dict.fromkeys((SHARED_PAGE, *(page for each in known for page in each.instructions)))
    pages = [f"{page}.md" for page in names]
    rules = [rule for each in known for rule in each.rules]
    inside = [f"{each.folder}/{page}.md" for each in known if each.folder for page in each.instructions]
    yield from (*pages, *rules, *inside)
    folders = {parent for path in paths if not path.startswith(("/", "..")) for parent in _parents(path)}
    yield from (f"{folder}/{page}" for folder in sorted(folders) for page in pages)


def _parents(path: str) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def text_in(root: Path, name: str) -> str:
    """Nothing for what is no file of the project: a link that leads out of it is not followed."""
    place = real(root / name)
    if not place.is_relative_to(real(root)):
        return ""
    try:
        return (read_existing(place, follow=False) or "")[:_MOST_CHARACTERS]
    except NotText:
        return ""
