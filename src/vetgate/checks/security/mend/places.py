"""Where in a statement of SQL a value may stand; where there could as well be a name, a list or a condition, none."""

from __future__ import annotations

from vetgate.expression import expression

_VALUES = expression(r"\b(?:VALUES|IN|WHERE|SET|HAVING|BETWEEN|LIKE|ILIKE|AND|OR)\b", 2)
_NAMES = expression(r"\b(?:SELECT|FROM|ORDER\s+BY|GROUP\s+BY|INTO|TABLE|JOIN|UPDATE)\b", 2)
_BEFORE_QUOTED = expression(r"(?:[=<(,]|(?<!-)(?<!->)>|\b(?:LIKE|ILIKE|BETWEEN|AND))\s*$", 2)
_ALL_OF_A_LIST = expression(r"\bIN\s*\(\s*$", 2)
# Compared with a column, or one of several that are put in; a text beside a sum is not what a number was.
_BEFORE_BARE = expression(
    r"(?:(?:\b(?:WHERE|AND|OR|SET|HAVING|NOT)\b|[,(])\s*[\w.\"`]+\s*(?:=|<>|!=|<=?|>=?)"
    r"|\bBETWEEN(?:\s+(?:\?|%s|\$\d+)\s+AND)?|\bVALUES\s*\((?:[^()]*,)?)\s*$",
    2,
)
_AFTER_BARE = expression(r"\s*(?:$|[),;]|::|(?:AND|OR|ORDER|GROUP|LIMIT|OFFSET|WHERE|HAVING|RETURNING|UNION|ON)\b)", 2)
_ONLY_ONE = expression(r"\bVALUES\s*\(\s*$", 2)
_WORDS_OF_SQL = expression(r"[\"'](?:NULL|DEFAULT|TRUE|FALSE|CURRENT_\w+)[\"']|\bstringify\(", 2)
# Done for a text in which the value stands; a value that is handed over would come out changed.
_MADE_FOR_A_TEXT = expression(r"escape|quote|mogrify|\brepr\(|\.replace(?:All)?\(|\bjoin\(", 2)


def takes_quoted(before: str, code: str) -> bool:
    return _takes(before, code) and _BEFORE_QUOTED.search(before) is not None and not _ALL_OF_A_LIST.search(before)


def takes_bare(before: str, code: str, after: str) -> bool:
    if not _takes(before, code) or not _BEFORE_BARE.search(before) or not _AFTER_BARE.match(after):
        return False
    is_all = _ONLY_ONE.search(before) and after.lstrip().startswith(")")
    return not is_all and not _WORDS_OF_SQL.search(code)


def can_be_one_line(text: str) -> bool:
    """Not with comments or several statements, nor with quoted texts that would come out changed or are not closed."""
    several = ";" in text.rstrip().removesuffix(";")
    if several or any(text.count(mark) % 2 for mark in "'\"") or "--" in text or "/*" in text:
        return False
    return not any("\n" in part or "  " in part for mark in "'\"" for part in text.split(mark)[1::2])


def _takes(before: str, code: str) -> bool:
    if any(before.count(mark) % 2 for mark in "'\"") or _MADE_FOR_A_TEXT.search(code):
        return False
    values = max((found.start() for found in _VALUES.finditer(before)), default=-1)
    return values > max((found.start() for found in _NAMES.finditer(before)), default=-1)
