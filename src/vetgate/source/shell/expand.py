"""Words to fields: what a program would be given, with marks for what only the run can tell."""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.model import Arithmetic, Literal, ParameterExpansion, ProcessSubstitution, Substitution
from vetgate.source.shell.placeholders import CLOSE, COMMA, OPEN, SET, UNKNOWN, is_known, without_braces, without_globs
from vetgate.source.shell.scope import DEFAULT_IFS
from vetgate.source.shell.words import unescaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vetgate.source.shell.model import Part, Script, Word
    from vetgate.source.shell.scope import ShellState

_MOST = 256
_INNERMOST = expression(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
_RANGE = expression(r"(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?")


def expanded(text: str) -> list[str]:
    """The words that one word stands for, in a bounded number."""
    if OPEN not in text:
        return [without_braces(text)]
    done: list[str] = []
    pending = [text]
    while pending and len(done) + len(pending) < _MOST:
        current = pending.pop()
        found = next((match for match in _INNERMOST.finditer(current) if _alternatives(match[1])), None)
        if found is None:
            done.append(without_braces(current))
            continue
        pieces = _alternatives(found[1])
        pending += [current[: found.start()] + piece + current[found.end() :] for piece in reversed(pieces)]
    return done + [without_braces(each) for each in reversed(pending)]


def _alternatives(inner: str) -> list[str]:
    if COMMA in inner:
        return inner.split(COMMA)
    span = _RANGE.fullmatch(inner)
    return _range(span[1], span[2]) if span else []


def _range(first: str, last: str) -> list[str]:
    if first.isalpha() != last.isalpha():
        return []
    low, high = (ord(first), ord(last)) if first.isalpha() else (int(first), int(last))
    step = 1 if low <= high else -1
    numbers = range(low, high + step, step)[:_MOST]
    return [chr(number) if first.isalpha() else str(number) for number in numbers]


_GLOBBED = {ord("*"): "\ufdd1", ord("?"): "\ufdd2", ord("["): "\ufdd3"}
_NAME = expression(r"[A-Za-z_]\w*")
# Bash takes a word that looks like an assignment for one: `dd of=~/x`.
_TILDE = expression(r"(?P<name>(?:[A-Za-z_]\w*=)?)~(?P<user>[^/:]*)(?=/|:|\Z)")
_MOST_FIELD = 128 * 1024


class Expander:
    def __init__(
        self,
        scope: ShellState,
        substitute: Callable[[Script], str],
        process: Callable[[ProcessSubstitution], str],
        evaluate: Callable[[str], str],
    ) -> None:
        self._scope = scope
        self._substitute = substitute
        self._process = process
        self._evaluate = evaluate

    def fields(self, words: Iterable[Word]) -> list[str]:
        found: list[str] = []
        for word in words:
            literal = word.bare
            if literal and "~" not in literal:
                found += self._finished([literal])
            else:
                found += self._finished(self._split(word))
        return found

    def text(self, parts: Iterable[Part]) -> str:
        """As in an assignment or a redirect: nothing is split."""
        pieces = []
        for index, part in enumerate(parts):
            if isinstance(part, Literal):
                pieces.append(self._tilde(part) if index == 0 else part.text)
            else:
                pieces.append(self._value(part))
        return without_braces("".join(pieces)[:_MOST_FIELD])

    def plain(self, word: Word) -> str:
        """As text, where a glob is none."""
        return without_globs(self.text(word.parts))

    def _finished(self, fields: list[str]) -> list[str]:
        found = [field for text in fields for field in self._alternatives(text)]
        return [field.replace(SET, "[") if SET in field and "]" not in field else field for field in found]

    def _alternatives(self, text: str) -> list[str]:
        """Braces come first for a shell: a ~ in one of them stands at the start of a word."""
        if OPEN not in text:
            return expanded(text)
        return [self._home_of(each) for each in expanded(text)]

    def _tilde(self, part: Literal) -> str:
        return part.text if part.quoted else self._home_of(part.text)

    def _home_of(self, text: str) -> str:
        head = _TILDE.match(text)
        if not head:
            return text
        user = head["user"]
        home = self._scope.value("HOME") or ""
        if user == "+":
            home = self._scope.cwd
        elif user and not home.endswith(f"/{user}"):
            home = "/root" if user == "root" else f"/home/{user}"
        return head["name"] + home + text[head.end() :]

    def _split(self, word: Word) -> list[str]:
        fields: list[str] = []
        current: str | None = None
        for index, part in enumerate(word.parts):
            several = self._fields_of(part, is_first=index == 0)
            if not several:
                continue
            current = (current or "") + several[0]
            for piece in several[1:]:
                fields.append(current)
                current = piece
        if current is not None:
            fields.append(current[:_MOST_FIELD])
        return [field for field in fields if field or _is_quoted(word)]

    def _fields_of(self, part: Part, *, is_first: bool) -> list[str]:
        """The first and the last of them join what stands before and behind."""
        if isinstance(part, Literal):
            return [self._tilde(part) if is_first else part.text]
        several = self._several(part)
        if several is not None:
            return several
        value = self._value(part)
        return [value] if getattr(part, "quoted", True) else self._pieces(value)

    def _several(self, part: Part) -> list[str] | None:
        """`$@` and all of an array: one field each."""
        if not isinstance(part, ParameterExpansion) or part.operator not in ("", ":"):
            return None
        if part.name in ("@", "*"):
            arguments = self._scope.arguments
            return list(arguments) if part.quoted else [piece for each in arguments for piece in self._pieces(each)]
        if part.name.endswith(("[@]", "[*]")):
            name = part.name[:-3]
            values = self._scope.arrays.get(name)
            return list(values) if values is not None else [self._scope.value(name) or UNKNOWN]
        return None

    def _pieces(self, value: str) -> list[str]:
        separators = self._scope.value("IFS")
        separators = DEFAULT_IFS if separators is None else separators
        if separators and any(each in value for each in separators):
            pieces = re.split(f"[{re.escape(separators)}]+", value)
        else:
            pieces = [value]
        # Out of an expansion a ~ stays one in bash; not in every shell, and nobody means a file of that name.
        return [self._home_of(piece).translate(_GLOBBED) for piece in pieces] if value else []

    def _value(self, part: Part) -> str:
        if isinstance(part, ParameterExpansion):
            return self._parameter(part)
        if isinstance(part, Substitution):
            return self._substitute(part.script).rstrip("\n")
        if isinstance(part, ProcessSubstitution):
            return self._process(part)
        if isinstance(part, Arithmetic):
            text = "".join(each.text if isinstance(each, Literal) else self._value(each) for each in part.parts)
            self._calculated(text)
            return text if text.strip().isdigit() else UNKNOWN
        return part.text

    def _calculated(self, text: str) -> None:
        """In a calculation a name is its value, and the subscript of an array in that is evaluated once more."""
        for name in _NAME.findall(text):
            self._evaluate(self._named(name) or "")

    def _parameter(self, part: ParameterExpansion) -> str:
        value = self._named(part.name)
        operator = part.operator
        if operator == "@P" and value:
            value = self._evaluate(value)
        if operator == "!":
            value = self._named(value) if value and is_known(value) else None
        if operator in ("", "!", ":?", "?"):
            return UNKNOWN if value is None else value
        if operator == "#" and not part.operand:
            return str(len(value)) if value is not None and is_known(value) else UNKNOWN
        operand = self.text(part.operand)
        if operator in (":-", "-", ":=", "="):
            return self._default(part.name, value, operand, assigns="=" in operator)
        return _changed(value, operator, operand)

    def _default(self, name: str, value: str | None, operand: str, *, assigns: bool) -> str:
        if value:
            return value
        if assigns:
            self._scope.variables[name] = operand
        return operand

    def _named(self, name: str) -> str | None:
        arguments = self._scope.arguments
        if name.isdigit():
            number = int(name)
            if number == 0:
                return self._scope.program
            return arguments[number - 1] if number <= len(arguments) else ""
        if name in ("@", "*"):
            return " ".join(arguments)
        return self._element(name) if name.endswith("]") else self._scope.value(name)

    def _element(self, name: str) -> str | None:
        """`a[1]`, or all of an array where one text is wanted."""
        base, _, index = name[:-1].partition("[")
        values = self._scope.arrays.get(base)
        if values is None:
            return None
        if index in ("@", "*"):
            return " ".join(values)
        return values[int(index)] if index.isdigit() and int(index) < len(values) else None


def _is_quoted(word: Word) -> bool:
    return any(getattr(part, "quoted", False) for part in word.parts)


def _changed(value: str | None, operator: str, operand: str) -> str:
    if operator in (":+", "+"):
        return "" if value == "" else operand
    if value is None or not is_known(value):
        return UNKNOWN
    if operator[0] == "@":
        return _transformed(value, operator)
    if operator[0] == "/":
        return _replaced(value, operand, everywhere=operator.startswith("//"))
    if operator[0] in "#%":
        return _cut(value, operator, operand)
    if operator in ("^^", ",,"):
        return value.upper() if operator == "^^" else value.lower()
    if operator in ("^", ","):
        return (value[:1].upper() if operator == "^" else value[:1].lower()) + value[1:]
    return _slice(value, operand) if operator == ":" else UNKNOWN


def _transformed(value: str, operator: str) -> str:
    """`${x@U}`: another case, escapes read, or quoted so that a shell reads the same again."""
    if operator in ("@U", "@L"):
        return value.upper() if operator == "@U" else value.lower()
    if operator == "@u":
        return value[:1].upper() + value[1:]
    if operator in ("@E", "@P"):
        return unescaped(value)
    return value if operator in ("@Q", "@K", "@k") else UNKNOWN


def _replaced(value: str, operand: str, *, everywhere: bool) -> str:
    old, _, new = operand.partition("/")
    if not old:
        return value
    return value.replace(old, new, -1 if everywhere else 1)


def _cut(value: str, operator: str, pattern: str) -> str:
    """A prefix (#) or suffix (%) that matches is taken off: the shortest, or with the sign doubled the longest."""
    lengths: Iterable[int] = range(len(value) + 1)
    if len(operator) == 2:
        lengths = reversed(range(len(value) + 1))
    if len(value) > 1024:
        return UNKNOWN
    match = re.compile(fnmatch.translate(pattern)).match
    for length in lengths:
        if operator[0] == "#" and match(value[:length]):
            return value[length:]
        if operator[0] == "%" and match(value[len(value) - length :]):
            return value[: len(value) - length]
    return value


def _slice(value: str, operand: str) -> str:
    offset, _, length = operand.replace(" ", "").partition(":")
    try:
        start = int(offset or 0)
        rest = value[start:]
        return rest[: int(length)] if length else rest
    except ValueError:
        return UNKNOWN
