"""CodeRabbit's command line: plain text, prompts only, and the events of its agent mode, one JSON object a line.

It ends with status 0 whatever it finds. Whether it has reviewed at all is read from what it says of itself, and never
from what it says of the code: a finding may well speak of rate limits and errors.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.gates.parse.results import Complaint, Parsed, number, positive
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_RULER = re.compile(r"^={20,}[ \t]*$", re.MULTILINE)
_FIELD = re.compile(r"^(?P<name>File|Lines?|Type|Severity|Category):[ \t]*(?P<value>.*)$", re.MULTILINE)
_PART = re.compile(
    r"^[ \t]*(?P<name>Comment|Prompt for AI Agents?|Suggested fix|Proposed fix|Suggestion|Task|\[[ x]\] Task)"
    r":?[ \t]*$|^[^\w\n]{1,6}(?P<icon>Proposed fix|Suggested fix|Committable suggestion)\b.*$",
    re.MULTILINE | re.IGNORECASE,
)
_RANGE = re.compile(r"(\d+)(?:\s*(?:to|-|\u2013)\s*(\d+))?")
_AROUND = re.compile(r"\b(?:around|at|on)? ?lines? (\d+)(?:\s*(?:to|-|\u2013|and)\s*(\d+))?", re.IGNORECASE)
_SEVERITY = re.compile(
    r"\b(critical|blocker|major|high|warning|medium|minor|low|trivial|info|nitpick)\b", re.IGNORECASE
)
# At the start of a comment, as a label of its own: `Critical: ...`, or `Potential issue | Major`.
_LABEL = re.compile(
    r"\A[\W_]*(?:(?:potential[ _]issue|refactor[ _]suggestion|nitpick|verification[^|\n]{0,20})[\W_]*\|[\W_]*)?"
    r"(?P<severity>critical|major|minor|trivial)\b(?=[\W_]*(?:[:|\u2013\u2014-]|\n|$))",
    re.IGNORECASE,
)
_SEVERITIES = {
    **dict.fromkeys(("critical", "blocker"), Severity.CRITICAL),
    **dict.fromkeys(("major", "high"), Severity.ERROR),
    **dict.fromkeys(("warning", "medium"), Severity.WARNING),
    **dict.fromkeys(("minor", "low", "trivial", "info", "none", "nitpick"), Severity.NOTE),
}
_OF_TYPES = {
    "potential_issue": Severity.WARNING,
    "refactor_suggestion": Severity.NOTE,
    "nitpick": Severity.NOTE,
    "verification": Severity.NOTE,
}
_ENDED = re.compile(
    r"^\W*(?:Review complete(?:d)?\b|No (?:issues|findings|problems) (?:were )?found\b)", re.IGNORECASE | re.MULTILINE
)
_NOTHING = re.compile(
    r"^\W*(?:No (?:files|changes)\b.{0,40}\b(?:review|found|detected)\b|(?:There is )?nothing to review\b)",
    re.IGNORECASE | re.MULTILINE,
)
_FAILED = re.compile(
    r"^.{0,40}?(?:\u274c|\bERROR\b|\bError:|\berror:|\bfailed\b|\bnot (?:logged in|authenticated)\b|\bunauthori[sz]ed\b"
    r"|\brate[ -]?limit|\btoo many requests\b).*$",
    re.MULTILINE | re.IGNORECASE,
)
_VERIFY = re.compile(r"\AVerify each finding against the current code[^\n]*\n+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CodeReview:
    """What it found and what it says of itself.

    `is_complete`: it says that it has reviewed; `is_empty`: that there was nothing to review; `error` is what it says
    has gone wrong; `count` is how many findings it reports, where it does.
    """

    complaints: tuple[Complaint, ...] = ()
    is_complete: bool = False
    is_empty: bool = False
    error: str = ""
    count: int | None = None


def coderabbit(text: str) -> Parsed:
    return Parsed(read_review(text).complaints)


def read_review(text: str) -> CodeReview:
    events = [event for line in text.split("\n") if (event := _event(line)) is not None]
    return _of_events(events, text) if events else _of_text(text)


def _event(line: str) -> dict[str, Any] | None:
    line = line.strip()
    if not line.startswith("{"):
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("type"), str) else None


def _of_events(events: list[dict[str, Any]], text: str) -> CodeReview:
    ends = [event for event in events if event["type"] == "complete"]
    last = ends[-1] if ends else {}
    told = f"{last.get('status', '')} {last.get('outcome', '')}".lower()
    is_failed = any(word in told for word in ("fail", "error", "cancel", "abort", "incomplete", "partial"))
    skipped = "skip" in told or "no_files" in told or "no_changes" in told
    troubles = [event for event in events if event["type"] == "error" or event.get("status") == "error"]
    troubles += [last] if is_failed else []
    count = last.get("findings")
    beside = "\n".join(line for line in text.split("\n") if _event(line) is None)
    return CodeReview(
        tuple(_complaint(event) for event in events if event["type"] == "finding"),
        is_complete=bool(ends) and not is_failed and not skipped,
        is_empty=skipped,
        error=_first("\n".join(map(_trouble, troubles)) or ("" if ends else _trouble_in(beside))),
        count=count if isinstance(count, int) and not isinstance(count, bool) else None,
    )


def _trouble(event: dict[str, Any]) -> str:
    """All that it says, with how long to wait, on one line."""
    detail = event.get("metadata") or event.get("details") or {}
    extra = [f"{name}: {value}" for name, value in detail.items()] if isinstance(detail, dict) else []
    named = [str(event.get(name) or "") for name in ("errorType", "code", "message", "error", "reason")]
    waits = [f"retry after {event[name]}" for name in ("retryAfter", "retry_after", "waitTime") if event.get(name)]
    return " ".join(filter(None, (*named, *waits, *extra))).replace("\n", " ") or "an error without a word"


def _complaint(event: dict[str, Any]) -> Complaint:
    comment, orders = _text(event.get("comment")), _VERIFY.sub("", _text(event.get("codegenInstructions")))
    around = _AROUND.search(orders[:400])
    first = positive(event.get("startLine") or event.get("line")) or (number(around[1]) if around else 0)
    last = positive(event.get("endLine")) or (number(around[2]) if around else 0)
    suggestions = event.get("suggestions")
    proposed = "\n".join(map(_text, suggestions)) if isinstance(suggestions, list) else _text(suggestions)
    kind = _text(event.get("category") or event.get("kind"))
    return Complaint(
        path=_text(event.get("fileName") or event.get("file") or event.get("path")).lstrip("@"),
        line=first,
        message=_sentence(comment or orders) or "CodeRabbit names no reason",
        rule=kind.replace(" ", "_").lower(),
        severity=_severity(_text(event.get("severity")), kind, comment),
        end_line=last,
        fix=proposed or orders,
    )


def _of_text(text: str) -> CodeReview:
    """Blocks between rulers; what stands before the first and after what ends the last is about the run."""
    starts = [match.end() for match in _RULER.finditer(text)]
    ends = [*(match.start() for match in _RULER.finditer(text)), len(text)]
    blocks = [text[start:end] for start, end in zip(starts, ends[1:], strict=True)]
    about, found = text[: ends[0]], []
    for place, block in enumerate(blocks):
        is_last = place == len(blocks) - 1
        ended = _ENDED.search(block) or _failed_end(block) if is_last else None
        if ended is not None:
            about += block[ended.start() :]
            block = block[: ended.start()]  # noqa: PLW2901 - without what follows it
        fields = {match["name"].lower().rstrip("s"): match["value"].strip() for match in _FIELD.finditer(_head(block))}
        if "file" in fields:
            found.append(_block(fields, block))
        else:
            about += block
    return CodeReview(
        tuple(found),
        is_complete=bool(_ENDED.search(about)),
        is_empty=bool(_NOTHING.search(about)),
        error=_trouble_in(about),
    )


def _failed_end(block: str) -> re.Match[str] | None:
    """An error that ends the run, after the last finding: on a line of its own, dated or marked."""
    return re.search(r"^(?:\[\d{4}-\d\d-\d\dT[^\]]+\]|\u274c).*(?:error|limit).*$", block, re.MULTILINE | re.IGNORECASE)


def _head(block: str) -> str:
    part = _PART.search(block)
    return block[: part.start()] if part else block[:400]


def _block(fields: dict[str, str], block: str) -> Complaint:
    parts = dict(_parts(block))
    comment = parts.get("comment", "")
    prompt = _VERIFY.sub("", next((text for name, text in parts.items() if name.startswith(("prompt", "task"))), ""))
    proposed = next((text for name, text in parts.items() if "fix" in name or "suggestion" in name), "")
    where = _RANGE.search(fields.get("line", "")) or _AROUND.search(prompt[:400])
    kind = fields.get("type", "")
    return Complaint(
        path=fields["file"].strip("`@ "),
        line=number(where[1]) if where else 0,
        message=_sentence(comment or prompt) or "CodeRabbit names no reason",
        rule=re.sub(r"\W+", "_", kind.lower()).strip("_"),
        severity=_severity(fields.get("severity", ""), kind, comment),
        end_line=number(where[2]) if where else 0,
        fix=proposed or prompt,
    )


def _parts(block: str) -> Iterator[tuple[str, str]]:
    marks = list(_PART.finditer(block))
    ends = [*(mark.start() for mark in marks[1:]), len(block)]
    for mark, end in zip(marks, ends, strict=True):
        name = (mark["name"] or mark["icon"]).lower()
        yield name.removeprefix("[ ] ").removeprefix("[x] "), block[mark.end() : end].strip()


def _severity(told: str, kind: str, comment: str) -> Severity:
    """As it says; else by a label before the comment; else by the kind of finding."""
    for text in (told, kind):
        if match := _SEVERITY.search(text.replace("_", " ")):
            return _SEVERITIES[match[1].lower()]
    if told.strip().lower() == "none":
        return Severity.NOTE
    if label := _LABEL.match(comment):
        return _SEVERITIES[label["severity"].lower()]
    name = re.sub(r"\W+", "_", kind.lower()).strip("_")
    return next((level for start, level in _OF_TYPES.items() if name.startswith(start)), Severity.WARNING)


def _sentence(text: str) -> str:
    """The first paragraph: the rest explains it."""
    return " ".join(re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0].split())


def _trouble_in(text: str) -> str:
    return _first("\n".join(match[0] for match in _FAILED.finditer(text)))


def _first(lines: str) -> str:
    """The line that tells most: one of a limit before all others."""
    told = [line.strip() for line in lines.split("\n") if line.strip()]
    limits: Iterable[str] = (line for line in told if re.search(r"(?i)limit|too many requests|429", line))
    return next(iter(limits), told[0] if told else "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)
