"""Tokens that say what they are, by how they begin or by a mark inside of them, anywhere in a text."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from vetgate.checks.secrets.linear import any_of, compiled, hits, re2
from vetgate.checks.secrets.match import SecretMatch
from vetgate.checks.secrets.proofs import NO_SECRET, REAL, verdict
from vetgate.checks.secrets.token_kinds import anchored, by_start, bytes_pattern
from vetgate.checks.secrets.values import entropy, has_run, reads_as_words, stands_in

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from vetgate.checks.secrets.token_kinds import TokenKind

VENDOR = "vendor-token"
_WORD = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_ESCAPES = frozenset(b"nrtbf0")
_BACKSLASH = ord("\\")
_AROUND = 200
_LONGEST_RUN = 8


@cache
def _begins(engine: Any) -> Any:
    # Behind a word only where that is an escape, as in "\nAKIA".
    texts = any_of(by_start())
    return compiled(rb"(?:\b|\\[nrtbf0])" + texts, engine)


def tokens(data: bytes, engine: Any = ...) -> Iterator[SecretMatch]:
    """Every place is tried once, and no try reaches further than its pattern is wide."""
    engine = re2() if engine is ... else engine
    yield from _begun(data, engine)
    for place, kind in _anchors(data, engine):
        match = _around(data, place, kind)
        if match is not None:
            yield match


def _begun(data: bytes, engine: Any) -> Iterator[SecretMatch]:
    behind = 0
    for first, end in hits(_begins(None), _begins(engine), data):
        start = first + 2 if data[first] == _BACKSLASH else first
        if start < behind or _any_of_them(data[start:end])(data, start) is None:
            continue
        for kind in _candidates(data[start:end]):
            match = _tried(data, start, kind)
            if match is not None:
                behind = match.end
                yield match
                break


@cache
def _candidates(start: bytes) -> tuple[TokenKind, ...]:
    same = (kinds for begins, kinds in by_start().items() if begins.startswith(start))
    # The longest beginning says most: `sk-ant-` before `sk-`.
    unique = {kind.id: kind for kinds in same for kind in kinds}
    return tuple(sorted(unique.values(), key=lambda kind: -max(map(len, kind.starts))))


@cache
def _any_of_them(start: bytes) -> Callable[[bytes, int], re.Match[bytes] | None]:
    """Nine kinds begin with `sk-`; mostly it is none of them."""
    return bytes_pattern("|".join(f"(?:{kind.pattern})" for kind in _candidates(start))).match


def _anchors(data: bytes, engine: Any) -> Iterator[tuple[int, TokenKind]]:
    if engine is not None:
        of = dict(anchored())
        for found in _anywhere(engine).finditer(data):
            yield found.start(), of[found[0]]
        return
    for anchor, kind in anchored():  # two dozen plain searches are quicker than Python's own expressions
        place = data.find(anchor)
        while place >= 0:
            yield place, kind
            place = data.find(anchor, place + len(anchor))


@cache
def _anywhere(engine: Any) -> Any:
    return compiled(any_of(anchor for anchor, _ in anchored()), engine)


def _around(data: bytes, place: int, kind: TokenKind) -> SecretMatch | None:
    tries = (_tried(data, place - back, kind) for back in kind.back if place >= back)
    return next((match for match in tries if match is not None), None)


def _tried(data: bytes, start: int, kind: TokenKind) -> SecretMatch | None:
    found = bytes_pattern(kind.pattern).match(data, start)
    if found is None or not _stands_alone(data, found):
        return None
    if kind.nearby and not _is_near(data, found, kind):
        return None
    token = found[0].decode("ascii")
    secret = token.rpartition(kind.value_after)[2] if kind.value_after else token
    proof = verdict(kind.proof, token)
    if proof == NO_SECRET or (proof != REAL and is_made_up(token, secret, kind)):
        return None
    skipped = len(token) - len(secret)
    return SecretMatch(VENDOR, secret, start + skipped, found.end(), kind, confidence=1.0 if proof == REAL else 0.9)


@lru_cache(maxsize=512)
def is_made_up(token: str, secret: str, kind: TokenKind) -> bool:
    body = secret[_start_length(token, kind) :] if not kind.value_after else secret
    # Two dozen letters of chance hold short words, so only the long ones count in a long token.
    return stands_in_token(body) or entropy(body) < kind.entropy or _is_a_name(body)


def _is_a_name(body: str) -> bool:
    """`test_TheThingThatWasMeantByThisName` begins like a token, too."""
    return body.isalpha() and not body.isupper() and reads_as_words(body)


def stands_in_token(body: str) -> bool:
    return has_run(body, _LONGEST_RUN) if len(body) > 100 else stands_in(body)


def _start_length(token: str, kind: TokenKind) -> int:
    return max((len(start) for start in kind.starts if token.startswith(start)), default=0)


def _stands_alone(data: bytes, found: re.Match[bytes]) -> bool:
    start, end = found.span()
    if end < len(data) and data[end] in _WORD and data[end - 1] in _WORD:
        return False
    if start == 0 or data[start - 1] not in _WORD or data[start] not in _WORD:
        return True
    return start > 1 and data[start - 2] == _BACKSLASH and data[start - 1] in _ESCAPES


def _is_near(data: bytes, found: re.Match[bytes], kind: TokenKind) -> bool:
    around = data[max(0, found.start() - _AROUND) : found.end() + _AROUND]
    return any(word.encode() in around for word in kind.nearby)


def any_token_begins(data: bytes) -> bool:
    """Whatever else there has to be for one, in the line or near it."""
    engine = re2()
    return bool(_begins(engine).search(data)) or any(True for _ in _anchors(data, engine))
