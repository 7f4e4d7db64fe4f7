"""What a person's prompt asks to be removed, read without a model: names beside delete, remove, drop or rename."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.safeguards import GONE
from vetgate.checks.weakened_test.safeguards import ID as TESTS
from vetgate.engine.decide import blocks, decided
from vetgate.expression import expression
from vetgate.project import head_text
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Finding, Outcome, Verdict
    from vetgate.respond.call import Call

_MOST_NAMES = 50
# A longer prompt holds more than what somebody typed: of it only the first paragraph is theirs beyond doubt.
_LONGEST, _MOST_LINES = 1_500, 30
_NOT_TYPED = expression(r"(?s)```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<[a-zA-Z][^>]*>.*?</[^>]*>|\[Pasted text[^\]]*\].*")
_QUOTED_LINE = expression(r"(?m)^(?:>|    |\t).*$")
_LONG_QUOTE = expression(r"[\"“'][^\"”'\n]{80,}[\"”']")
_SENTENCES = expression(r"(?<=[.!?])\s+|[;\n]+")
_VERB = expression(
    r"(?i)(?:^|\b(?:and|then|also|please|to|now|you|just|first|next|finally)\s|[,)]\s|^[-*\d.)\s]+)"
    r"(?:delete|remove|drop|rename)\b(?P<rest>.*)"
)
# What stands behind one of these says where, or whose it is: it is not what goes.
_PLACE = expression(r"(?i)[\s(](?:in|from|inside|within|of|at|under|see|for|on|by)\b")
_CONDITION = expression(r"(?i)\b(?:if|unless|whether|when|until|why|who|how)\b|\?\s*$")
_NO = r"not|never|don.?t|doesn.?t|isn.?t|aren.?t|shouldn.?t|mustn.?t|won.?t|cannot|can.?t|avoid|rather"
_NEGATION = expression(rf"(?i)\b(?:{_NO}|without|instead of)\b")
# What is spared stands behind the first of these, or why the rest goes.
_SPARED = expression(
    r"(?i)\b(?:except|excluding|besides|without|instead of|rather than|(?:apart|aside) from|other than|but|save)\b"
    rf"|(?:[,:]|\b(?:and|so)\b)\s*(?:\w+\s+){{0,2}}(?:{_NO}|keep|leave)\b"
)
_REASON = expression(
    r"(?i)[,:(]\s*(?:we|it|they|that|this|these|those|which|nobody|nothing|no\s?one|there|you|i)\b"
    r"|\b(?:because|since|as (?:we|it|they|nobody|nothing|no\s?one))\b|\s[-\u2013\u2014]+\s"
    rf"|\b(?:that|which)\s+(?:\w+\s+){{0,3}}(?:{_NO}|no longer|nobody)\b"
)
_NAME = expression(r"`([^`\n]{1,200})`|\"([\w./*\[\]-]{1,200})\"|'([\w./*\[\]-]{1,200})'|([\w./\[\]-]{2,200}(?:\(\))?)")
_LIKE_A_NAME = expression(r".*[/_].*|.*\w\.\w+|.*[a-z][A-Z].*|.*\(\)")
_KINDS = expression(
    r"(?i)\b([\w.-]{2,80})\s+(?:folder|directory|file|function|method|class|module|package|tests?|script|helper)\b"
)
_KIND_FIRST = expression(
    r"(?i)\b(?:the|a|this|that)\s+(?:folder|directory|file|function|method|class|module|package|test)\s+(?:called\s+)?"
    r"([\w.-]{2,80}?)\.?\s*(?:$|[,;]|and\b)"
)
_ARTICLES = frozenset({"the", "a", "an", "this", "that", "old", "its", "all", "any", "every", "unused", "dead", "of"})


def requested_names(prompt: str) -> tuple[str, ...]:
    """In the order of the prompt; nothing of what was pasted, is in doubt, or is put as a question."""
    text = _LONG_QUOTE.sub(" ", _QUOTED_LINE.sub(" ", _NOT_TYPED.sub(" ", prompt)))
    if len(text) > _LONGEST or text.count("\n") > _MOST_LINES:
        text = text.strip().split("\n\n")[0][:_LONGEST]
    if text.lstrip().startswith(("/", "<")):
        return ()
    names = dict.fromkeys(name for sentence in _SENTENCES.split(text) for name in _names_in(sentence.strip()))
    return tuple(names)[:_MOST_NAMES]


def _names_in(sentence: str) -> Iterator[str]:
    found = _VERB.search(sentence)
    if found is None or _CONDITION.search(sentence):
        return
    asked = _REASON.split(_SPARED.split(found["rest"], maxsplit=1)[0], maxsplit=1)[0]
    if _NEGATION.search(sentence[: found.start("rest")]) or _NEGATION.search(asked):
        return
    rest = _PLACE.split(asked, maxsplit=1)[0]
    yield from filter(None, map(_name_of, _NAME.finditer(rest)))
    for told in _KINDS.finditer(rest):
        if told[1].casefold() not in _ARTICLES:
            yield told[1]
    if named := _KIND_FIRST.search(rest):
        yield named[1]


def _name_of(match: re.Match[str]) -> str:
    """A word of the prompt that can only be a name, or is marked as one; else nothing."""
    marked = match[1] or match[2] or match[3]
    name = (marked or match[4]).strip().rstrip(".,:").removesuffix("()").removeprefix("./").rstrip("/")
    is_name = marked or _LIKE_A_NAME.fullmatch(match[4] or "")
    return name if is_name and " " not in name else ""


def note_requests(call: Call) -> None:
    for name in requested_names(call.event.task):
        call.project.store.mark(call.event.session, "", SessionMark.REQUESTED, name)


def _requests(call: Call) -> tuple[str, ...]:
    return call.at_home.project.store.subjects(call.event.session, "", SessionMark.REQUESTED)


def is_requested(call: Call, place: Path) -> bool:
    """Whether a prompt names this path, or a folder around it."""
    root = call.project.root
    path = place.relative_to(root).as_posix() if place.is_relative_to(root) else ""
    return bool(path) and any(_names_path(name, path) for name in _requests(call))


def _names_path(name: str, path: str) -> bool:
    return path == name or path.startswith(f"{name}/") or path.endswith(f"/{name}")


def with_requests(call: Call, config: Config, verdict: Verdict) -> Verdict:
    """A removed test that the person asked to remove is told; each once, and only where the last commit has it."""
    requests = _requests(call) if any(_is_removed_test(each) for each in verdict.findings) else ()
    if not requests:
        return verdict
    notes: dict[str, None] = {}

    def settled(outcome: Outcome) -> Outcome:
        gate = config.gates[outcome.gate]
        kept = []
        for each in outcome.findings:
            name = _request_for(call, each, requests) if blocks(each, gate) and _is_removed_test(each) else ""
            if name:
                _use_up(call, each)
                notes[f"`{each.symbol}` is removed, as the prompt asks ({name}); git keeps it"] = None
            kept.append(replace(each, advisory=True, later=False) if name else each)
        return replace(outcome, findings=tuple(kept))

    outcomes = tuple(settled(each) for each in verdict.outcomes)
    if not notes:
        return verdict
    return replace(verdict, decision=decided(outcomes, config), outcomes=outcomes, notes=(*verdict.notes, *notes))


def _is_removed_test(finding: Finding) -> bool:
    return (finding.check, finding.rule) == (TESTS, GONE) and finding.new


def _request_for(call: Call, finding: Finding, requests: tuple[str, ...]) -> str:
    """The name by which it was asked for; "" where it was not, was used up, or the last commit has no such test."""
    path, short = finding.span.path, finding.symbol.rpartition(" > ")[2]
    name = next((each for each in requests if _names_path(each, path) or _names_test(each, finding.symbol)), "")
    store, session = call.at_home.project.store, call.event.session
    if not name or store.is_marked(session, "", SessionMark.REMOVED_BY_REQUEST, _subject(finding)):
        return ""
    return name if short in (head_text(call.project.root, path) or "") else ""


def _use_up(call: Call, finding: Finding) -> None:
    """A request holds for one removal of each test."""
    store, session = call.at_home.project.store, call.event.session
    store.mark(session, "", SessionMark.REMOVED_BY_REQUEST, _subject(finding))


def _subject(finding: Finding) -> str:
    return f"{finding.span.path} {finding.symbol}"


def _names_test(name: str, symbol: str) -> bool:
    """The test itself, one of the groups it stands in, or the function that it is named after."""
    if name in symbol.split(" > "):
        return True
    words = re.split(r"[^A-Za-z0-9]+", name)
    short = symbol.rpartition(" > ")[2]
    return len(name) > _SHORT and bool(words) and _is_part(name, short)


_SHORT = 3


def _is_part(name: str, test: str) -> bool:
    """`legacy_total` in `test_legacy_total`, `LegacyTotal` in `TestLegacyTotal`."""
    at = test.casefold().find(name.casefold())
    if at < 0:
        return False
    before, behind = test[:at], test[at + len(name) :]
    return (not before or not before[-1].isalnum() or name[0].isupper()) and (not behind or not behind[0].isalnum())
