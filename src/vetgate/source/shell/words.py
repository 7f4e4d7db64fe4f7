"""Words: quotes, escapes (those of $'...' too), expansions and substitutions, as bash reads them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.model import (
    Arithmetic,
    Literal,
    ParameterExpansion,
    Part,
    ProcessSubstitution,
    Script,
    Substitution,
    Unreadable,
    Word,
)
from vetgate.source.shell.placeholders import STAR, UNQUOTED

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_DEPTH = 64
MOST_WORDS = 16_384

_PLAIN = expression(r"[^\s;&|()<>\"'`\\$]+")
_QUOTED_RUN = expression(r"[^\"`\\$]+")
_BODY_RUN = expression(r"[^`\\$]+")
_OPERAND_RUN = expression(r"[^\"'`\\$}]+")
_NAME = expression(r"[A-Za-z_]\w*|[0-9@*#?$!_-]", re.ASCII)
_BRACED = expression(r"(?P<prefix>[#!](?!\}))?(?P<name>[A-Za-z_]\w*|\d+|[@*?$!#-])(?P<index>\[[^\]]*\])?", re.ASCII)
_OPERATOR = expression(r":[-=?+]|[-=?+]|##?|%%?|//?[#%]?|\^\^?|,,?|@[A-Za-z]|:")
_EXTENDED = expression(r"[?*+@!]\(")
_METACHARACTERS = frozenset(" \t\r\n;&|()<>")


class WordReader:
    """Reads words at a place in a text. `depth` counts what the text itself stands in."""

    def __init__(self, text: str, depth: int = 0) -> None:
        if depth > MOST_DEPTH:
            raise Unreadable(f"it is nested more than {MOST_DEPTH} levels deep")
        self.text = text
        self.at = 0
        self.depth = depth
        self._words = 0

    def script_until(self, stop: str) -> Script:
        raise NotImplementedError

    def nested(self, text: str) -> Script:
        raise NotImplementedError

    def peek(self, length: int = 1) -> str:
        return self.text[self.at : self.at + length]

    def word(self) -> Word:
        """The word that begins here; the caller knows that one does."""
        self._words += 1
        if self._words > MOST_WORDS:
            raise Unreadable(f"it has more than {MOST_WORDS:,} words")
        start = self.at
        parts = tuple(self._parts())
        return Word(parts, start, self.at)

    def _parts(self) -> Iterator[Part]:
        while self.at < len(self.text):
            if _EXTENDED.match(self.text, self.at):
                yield self._extended_glob()
                continue
            plain = _PLAIN.match(self.text, self.at)
            if plain:
                yield self._literal(plain)
                continue
            character = self.text[self.at]
            if character in "<>" and self.text[self.at + 1 : self.at + 2] == "(":
                yield self._process(character)
            elif character in _METACHARACTERS:
                return
            else:
                yield from self._special(character)

    def _literal(self, plain: re.Match[str]) -> Literal:
        text = plain[0]
        extended = _EXTENDED.search(self.text, plain.start(), plain.end() + 1)
        if extended and extended.start() > plain.start():
            text = self.text[plain.start() : extended.start()]
        self.at = plain.start() + len(text)
        return Literal(text.translate(UNQUOTED), quoted=False)

    def _special(self, character: str) -> Iterator[Part]:
        if character == "'":
            yield Literal(self._single(), quoted=True)
        elif character == '"':
            self.at += 1
            yield from self._double()
        elif character == "\\":
            yield from self._escape()
        elif character == "`":
            yield self._backquotes(quoted=False)
        else:
            yield self._dollar(quoted=False)

    def _escape(self) -> Iterator[Part]:
        follows = self.text[self.at + 1 : self.at + 2]
        self.at += 2 if follows else 1
        if follows != "\n":
            yield Literal(follows or "\\", quoted=True)

    def _single(self) -> str:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise Unreadable("a single quote is not closed")
        text = self.text[self.at + 1 : end]
        self.at = end + 1
        return text

    def _double(self) -> Iterator[Part]:
        yield Literal("", quoted=True)
        yield from self._expanding(_QUOTED_RUN, '"')
        if self.peek() != '"':
            raise Unreadable("a double quote is not closed")
        self.at += 1

    def body(self) -> tuple[Part, ...]:
        """All of the text as a heredoc's body."""
        return tuple(self._expanding(_BODY_RUN, ""))

    def _expanding(self, run: re.Pattern[str], stop: str) -> Iterator[Part]:
        """Text in which $, backquotes and a few escapes count, up to `stop`."""
        while self.at < len(self.text) and (not stop or self.text[self.at] != stop):
            plain = run.match(self.text, self.at)
            if plain:
                self.at = plain.end()
                yield Literal(plain[0], quoted=True)
                continue
            character = self.text[self.at]
            if character == "\\":
                yield self._quoted_escape(stop)
            elif character == "`":
                yield self._backquotes(quoted=True)
            else:
                yield self._dollar(quoted=True)

    def _quoted_escape(self, stop: str) -> Literal:
        follows = self.text[self.at + 1 : self.at + 2]
        self.at += 1 + len(follows)
        if follows == "\n":
            return Literal("", quoted=True)
        return Literal(follows if follows and follows in "$`\\" + stop else "\\" + follows, quoted=True)

    def _backquotes(self, *, quoted: bool) -> Substitution:
        self.at += 1
        inner = []
        while self.peek() != "`":
            character = self.peek()
            if not character:
                raise Unreadable("a backquote is not closed")
            if character == "\\" and self.text[self.at + 1 : self.at + 2] in ("`", "\\", "$"):
                self.at += 1
                character = self.peek()
            inner.append(character)
            self.at += 1
        self.at += 1
        return Substitution(self.nested("".join(inner)), quoted)

    def _process(self, direction: str) -> ProcessSubstitution:
        self.at += 2
        return ProcessSubstitution(self._enclosed(), direction)

    def _enclosed(self) -> Script:
        script = self.script_until(")")
        self.at += 1
        return script

    def _extended_glob(self) -> Literal:
        self.at += 2
        depth = 1
        while depth and self.at < len(self.text):
            depth += {"(": 1, ")": -1}.get(self.text[self.at], 0)
            self.at += 1
        return Literal(STAR, quoted=False)

    def _dollar(self, *, quoted: bool) -> Part:
        self.at += 1
        following = self.peek()
        if self.peek(2) == "((":
            arithmetic = self._arithmetic()
            if arithmetic is not None:
                return arithmetic
        if following == "(":
            self.at += 1
            return Substitution(self._enclosed(), quoted)
        if following == "{":
            self.at += 1
            return self._braced(quoted=quoted)
        if not quoted and following in ("'", '"'):
            return self._dollar_quote(following)
        name = _NAME.match(self.text, self.at)
        if not name:
            return Literal("$", quoted=True)
        self.at = name.end()
        return ParameterExpansion(name[0], quoted)

    def _dollar_quote(self, quote: str) -> Part:
        if quote == '"':  # $"…": a text to be translated is the text
            self.at += 1
            parts = tuple(self._double())
            return Arithmetic(parts) if len(parts) != 2 else parts[1]
        start = self.at = self.at + 1
        while self.peek() != "'":
            if not self.peek():
                raise Unreadable("a $' quote is not closed")
            self.at += 2 if self.peek() == "\\" else 1
        text = self.text[start : self.at]
        self.at += 1
        return Literal(unescaped(text), quoted=True)

    def _arithmetic(self) -> Arithmetic | None:
        """From `((`; None when it is a substitution that begins with a subshell."""
        end, depth = self.at, 0
        while end < len(self.text):
            depth += {"(": 1, ")": -1}.get(self.text[end], 0)
            end += 1
            if depth == 0:
                break
        if depth or self.text[end - 2 : end] != "))":
            return None
        inner = type(self)(self.text[self.at + 2 : end - 2], self.depth + 1)
        self.at = end
        return Arithmetic(inner.body())

    def _braced(self, *, quoted: bool) -> Part:
        """From behind `${`."""
        head = _BRACED.match(self.text, self.at)
        if head is None:
            raise Unreadable("a ${ names no variable")
        self.at = head.end()
        operator = _OPERATOR.match(self.text, self.at)
        if operator:
            self.at = operator.end()
        operand = tuple(self._operand())
        if self.peek() != "}":
            raise Unreadable("a ${ is not closed")
        self.at += 1
        sign = head["prefix"] or (operator[0] if operator else "")
        return ParameterExpansion(head["name"] + (head["index"] or ""), quoted, sign, operand)

    def _operand(self) -> Iterator[Part]:
        while self.at < len(self.text) and self.text[self.at] != "}":
            plain = _OPERAND_RUN.match(self.text, self.at)
            if plain:
                self.at = plain.end()
                yield Literal(plain[0], quoted=True)
            else:
                yield from self._special(self.text[self.at])


_SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ESCAPE = expression(
    r"\\(?:x(?P<hex>[0-9a-fA-F]{1,2})|x\{(?P<braced>[0-9a-fA-F]+)\}|(?P<octal>[0-7]{1,3})"
    r"|u(?P<short>[0-9a-fA-F]{1,4})|U(?P<long>[0-9a-fA-F]{1,8})|c(?P<control>.)|(?P<simple>.))",
    re.DOTALL,
)


def unescaped(text: str, *, octal_zero: bool = False) -> str:
    """With `octal_zero` as echo -e and printf %b read it: an octal number may begin with a 0 that does not count."""
    if "\\" not in text:
        return text
    if octal_zero:
        text = re.sub(r"\\0([0-7]{1,3})", r"\\\1", text)
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    number = match["hex"] or match["braced"] or match["short"] or match["long"]
    if number:
        return _safe(int(number, 16))
    if match["octal"]:
        return _safe(int(match["octal"], 8) & 0xFF)
    if match["control"]:
        return chr(ord(match["control"]) & 0x1F)
    return _SIMPLE.get(match["simple"], match[0])


def _safe(number: int) -> str:
    """No mark can be smuggled in, and no surrogate that could not be written down."""
    return chr(number) if number < 0xD800 or 0xE000 <= number < 0xFDD0 or 0xFDF0 <= number < 0x110000 else "\ufffd"
