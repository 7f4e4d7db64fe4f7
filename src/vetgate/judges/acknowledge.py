"""Whether the agent owned up to an error before it moved on. Patterns look first; a model is asked only on a hit."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.agents.conversation import Speaker
from vetgate.expression import expression
from vetgate.judgement import Tier
from vetgate.judges import pieces, presets
from vetgate.judges.judge import Judge
from vetgate.judges.triggers import BEFORE

if TYPE_CHECKING:
    from vetgate.agents.conversation import TranscriptMessage
    from vetgate.judgement import Part
    from vetgate.judges.judge import Context

_MOST_LINES = 200
_LATEST = 3
_SEARCHED = 20_000
# How tools say at the beginning of a line, or in a tally, that something went wrong.
_ERROR = expression(
    r"(?im)^[ \t]{0,40}(?:traceback \(most recent|\w{0,60}(?:error|exception)(?::|\[\w+\]:)|fatal:|panic:|npm err!)"
    r"|^[ \t]{0,40}(?:failed\b|e   )|\bexit(?:ed with)? (?:code|status):? [1-9]|\b[1-9]\d* (?:failed|failing|errors?)\b"
    r"|\bcommand not found\b|\bsegmentation fault\b|\bno such file or directory\b"
    r"|\bpermission denied\b|\bbuild failed\b"
)
_VARIES = expression(r"0x[0-9a-f]+|\d+(?:\.\d+)?|/tmp/\S+")


def _parts(context: Context) -> tuple[Part, ...] | None:
    if not set(_keys(context)) - context.remembered:
        return None
    call = pieces.call(context, _MOST_LINES)
    return pieces.results(context), pieces.said(context), pieces.announced(context), call


def _keys(context: Context) -> tuple[str, ...]:
    """One for each error among the latest results: once acknowledged, the same error is not asked about again."""
    return tuple(dict.fromkeys(_key(each) for each in _errors(context)))


def _errors(context: Context) -> list[TranscriptMessage]:
    """A denial is the gate's own word; an error after which the same call went well is over.

    Words are searched only in what commands print: a file that is read may speak of errors without being one.
    """
    calls = {each.call: each.text for each in context.conversation.of(Speaker.CALL)}
    standing: dict[tuple[str, str], TranscriptMessage] = {}
    for result in context.conversation.of(Speaker.RESULT)[-_LATEST:]:
        what = result.tool, calls.get(result.call, result.call)
        standing.pop(what, None)
        is_error = result.failed or (result.is_command and _ERROR.search(result.text[:_SEARCHED]))
        if is_error and not result.denied:
            standing[what] = result
    return list(standing.values())


def _key(result: TranscriptMessage) -> str:
    """Without what differs from run to run."""
    words = _VARIES.sub("#", f"{result.tool}\n{result.text[:_SEARCHED]}")
    return blake2b(words.encode("utf-8", "replace"), digest_size=8).hexdigest()


JUDGE = Judge(
    "acknowledge",
    "Asks whether the agent acknowledged an error before it moved on.",
    Tier.HAIKU,
    BEFORE,
    presets.ERROR_CHECK,
    _parts,
    most_tokens=512,
    most_lines=_MOST_LINES,
    needs_transcript=True,
    keys=_keys,
)
