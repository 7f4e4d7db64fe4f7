"""What a plain word in YAML means: the core schema of YAML 1.2, in which `on`, `off`, `yes` and `no` are text."""

from __future__ import annotations

from vetgate.expression import expression

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# Longer digit strings stay text: Python refuses to convert very long ones, and no setting needs them.
_INTEGER = expression(r"[-+]?[0-9]{1,18}")
_BASED = expression(r"0o[0-7]{1,15}|0x[0-9a-fA-F]{1,15}")
_FLOAT = expression(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def plain_value(text: str) -> str | int | float | bool | None:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if len(text) <= 40 and _FLOAT.fullmatch(text):
        return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return text
