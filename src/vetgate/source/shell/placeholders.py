"""Characters that stand for what a text does not say. Unicode reserves them; no input keeps them.

A value with placeholders is still a plain string: joining, splitting and matching need no special care, and what came
from outside stays visible in whatever it is put into.
"""

from __future__ import annotations

from vetgate.expression import expression

UNKNOWN = "\ufdd0"  # only the run will tell
STAR = "\ufdd1"  # an unquoted *
ANY = "\ufdd2"  # an unquoted ?
SET = "\ufdd3"  # an unquoted [
FETCHED = "\ufdd4"  # came over the network
CREDENTIAL = "\ufdd5"  # came out of one
HIDDEN = "\ufdd6"  # decoded from something nobody can read
NAMES_GATE = "\ufdda"  # came out of settings that say where the gate's own program is
LISTS_GATE = "\ufddb"  # printed by a program that looks at a folder above the gate's own files
OWN_FILES = "\ufddc"  # packed from files of this machine, or as git shows them
OPEN, CLOSE, COMMA = "\ufdd7", "\ufdd8", "\ufdd9"  # unquoted { } , before braces are expanded

_MARKS = expression("[\ufdd0-\ufddf\ud800-\udfff]")
_OPAQUE = expression(f"[{UNKNOWN}{FETCHED}{CREDENTIAL}{HIDDEN}{NAMES_GATE}{LISTS_GATE}{OWN_FILES}]")
_BRACES = {ord(OPEN): "{", ord(CLOSE): "}", ord(COMMA): ","}
_GLOBS = {ord(STAR): "*", ord(ANY): "?", ord(SET): "["}
_SHOWN = {
    ord(UNKNOWN): "…",
    ord(FETCHED): "…",
    ord(CREDENTIAL): "…",
    ord(HIDDEN): "…",
    ord(NAMES_GATE): "",
    ord(LISTS_GATE): "",
    ord(OWN_FILES): "",
    **_GLOBS,
    **_BRACES,
}
UNQUOTED = {ord("*"): STAR, ord("?"): ANY, ord("["): SET, ord("{"): OPEN, ord("}"): CLOSE, ord(","): COMMA}


def without_placeholders(text: str) -> str:
    """Input as we take it: nobody but us may write a placeholder, and half a character is none."""
    return _MARKS.sub("\ufffd", text)


def shown(text: str) -> str:
    """For people: placeholders as the characters they stood for."""
    return text.translate(_SHOWN)


def without_braces(text: str) -> str:
    return text.translate(_BRACES)


def without_globs(text: str) -> str:
    return text.translate(_GLOBS)


def has_glob(text: str) -> bool:
    return STAR in text or ANY in text or SET in text


def is_known(text: str) -> bool:
    return _OPAQUE.search(text) is None


def taints(text: str) -> str:
    """The placeholders of origin in a text; UNKNOWN is none."""
    return "".join(each for each in (FETCHED, CREDENTIAL, HIDDEN, NAMES_GATE, LISTS_GATE, OWN_FILES) if each in text)
