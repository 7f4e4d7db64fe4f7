"""A page holds its own tests: each example below `## Examples` is a context, a model's answer and what becomes of it.

An example is a block of YAML. `said` is the conversation, a list of `user:`, `assistant:`, `task:`, `summary:`,
`call:` and `result:`, the last two with a `tool:`; a result may be `failed`, `denied`, `is_command` and `is_report`.
The event is one of `edit:` (a file with `path`, `before` and `after`, or a list of them), `command:`, `tool:` and
`last_message:`, or is named by `event:`. `rules:` are files by their path. `plan`, `plans`, `denied_by`, `denial` and
`remembered` are as in `Context`. `review:` has `stack`, `specs` by their path, `commits`, and `related`: code with
`path`, `first`, `lines` and `why`. `sees:` lists what has to stand in the question, `hides:` what must not. `answer:`
is the model's, `expect:` is deny, allow, or nothing where nobody is asked. The labelled cases of bench/corpus/judges
are written the same way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from vetgate.agents.conversation import Conversation, Speaker, TranscriptMessage
from vetgate.judgement import Answer, JudgeDecision, JudgeFinding
from vetgate.judges.judge import Context, section
from vetgate.judges.review_context import ReviewContext
from vetgate.judges.surroundings import CodeExcerpt
from vetgate.model import Change, Event, EventKind, File
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NOTHING = "nothing"
ROOT = Path("/home/dev/work/app")
_BLOCK = re.compile(r"^### (?P<name>[^\n]+)\n+```yaml\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_SPEAKERS = tuple(Speaker)


@dataclass(frozen=True, slots=True)
class JudgeExample:
    name: str
    context: Context
    expect: str
    answer: Answer | None = None
    sees: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()

    @property
    def label(self) -> JudgeDecision:
        return JudgeDecision.DENY if self.expect == JudgeDecision.DENY else JudgeDecision.ALLOW


def examples(page: Path) -> Iterator[JudgeExample]:
    for block in _BLOCK.finditer(section(page, "Examples") + "\n"):
        yield example_of(block["name"], yaml.safe_load(block["code"]))


def example_of(name: str, written: Mapping[str, Any]) -> JudgeExample:
    answer = written.get("answer")
    return JudgeExample(
        name,
        context_of(written),
        written["expect"],
        answer_of(answer) if answer else None,
        tuple(written.get("sees", ())),
        tuple(written.get("hides", ())),
    )


def answer_of(written: Mapping[str, Any]) -> Answer:
    findings = tuple(
        JudgeFinding(**{**each, "severity": Severity[each.get("severity", "error").upper()]})
        for each in written.get("findings", ())
    )
    return Answer(JudgeDecision(written["decision"]), written["confidence"], written.get("reason", ""), findings)


def context_of(written: Mapping[str, Any], root: Path = ROOT) -> Context:
    messages = tuple(_message(number, each) for number, each in enumerate(written.get("said", ())))
    files = written.get("edit", ())
    listed = [files] if isinstance(files, dict) else list(files)
    change = Change(root, tuple(File(each["path"], each.get("before"), each.get("after")) for each in listed))
    return Context(
        _event(written, root, change if listed else None),
        root,
        Conversation(messages),
        change if listed else None,
        tuple(written.get("rules", {}).items()),
        written.get("plan", ""),
        written.get("denied_by", ""),
        written.get("denial", ""),
        frozenset(written.get("remembered", ())),
        review=_review(written["review"]) if "review" in written else None,
    )


def _review(written: Mapping[str, Any]) -> ReviewContext:
    related = (
        CodeExcerpt(each["path"], each["first"], tuple(each["lines"].splitlines()), each["why"])
        for each in written.get("related", ())
    )
    return ReviewContext(
        written.get("stack", ""),
        tuple(written.get("specs", {}).items()),
        tuple(written.get("commits", ())),
        related=tuple(related),
    )


def _event(written: Mapping[str, Any], root: Path, change: Change | None) -> Event:
    kinds = {"edit": EventKind.BEFORE_EDIT, "command": EventKind.BEFORE_COMMAND, "last_message": EventKind.STOP}
    kind = next((kind for key, kind in kinds.items() if key in written), EventKind.BEFORE_TOOL)
    return Event(
        "",
        EventKind(written.get("event", kind)),
        cwd=root,
        tool=written.get("tool", ""),
        change=change,
        command=written.get("command", ""),
        last_message=written.get("last_message", ""),
        plans=written.get("plans", False),
    )


def _message(number: int, written: Mapping[str, Any]) -> TranscriptMessage:
    speaker = next(each for each in _SPEAKERS if each in written)
    return TranscriptMessage(
        speaker,
        written[speaker],
        written.get("tool", ""),
        str(written.get("id", f"call-{number - (speaker is Speaker.RESULT)}")),
        written.get("failed", False),
        written.get("denied", False),
        is_command=written.get("is_command", False),
        is_report=written.get("is_report", False),
    )
