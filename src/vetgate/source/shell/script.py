"""Scripts: lists, pipelines, compound commands, redirects and heredocs, as bash reads them.

Ours rather than a grammar made for colouring: see docs/decisions/008-shell-reader.md.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.model import (
    Arithmetic,
    Assignment,
    Command,
    For,
    Group,
    Heredoc,
    Literal,
    Pipeline,
    Redirect,
    Script,
    ShellFunction,
    Simple,
    Unreadable,
    Word,
)
from vetgate.source.shell.placeholders import without_braces, without_globs, without_placeholders
from vetgate.source.shell.words import WordReader

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CHARACTERS = 128 * 1024

_BLANK = expression(r"(?:[ \t\r]|\\\n)+")
_COMMENT = expression(r"#[^\n]*")
_REDIRECT = expression(r"(?P<fd>\d+|\{\w+\})?(?P<op><<<|<<-?|<>|<&|>&|&>>|&>|>>|>\||<|>)(?!\()")
_ASSIGNMENT = expression(r"(?P<name>[A-Za-z_]\w*)(?:\[(?P<key>[^\]]*)\])?(?P<plus>\+?)=", re.ASCII)
_FUNCTION = expression(r"(?P<name>[^\s;&|()<>\"'`\\$={}]+)[ \t]*\([ \t]*\)")
_NAMED_FUNCTION = expression(r"function[ \t]+(?P<name>[^\s;&|()<>]+)[ \t]*(?:\([ \t]*\))?")
_KEYWORD = expression(
    r"(?:if|then|elif|else|fi|while|until|for|select|do|done|case|esac|in|function|coproc|time|!|\{|\}|\[\[)"
    r"(?=[\s;&|()<>]|\Z)"
)
_COPROCESS = expression(r"[A-Za-z_]\w*[ \t]+(?=[({]|(?:if|for|while|until|case|select)\s)")
_LOOPS = frozenset({"while", "until"})


@lru_cache(maxsize=256)
def read(text: str, depth: int = 0) -> Script:
    """Raises Unreadable."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"it is longer than {MOST_CHARACTERS:,} characters")
    return ScriptReader(without_placeholders(text) if depth == 0 else text, depth).whole()


# Where a shell that comes to a fault has run what stands before it already, or has another grammar than ours.
_PARTS = expression(r"\n|;|&&|\|\|")
_MOST_PARTS = 64


def readable_parts(text: str, depth: int = 0) -> Iterator[Script]:
    """Of a text that does not read as a whole: as many lines from its start as do, and what else does by itself."""
    lines = text.split("\n")
    first = range(min(len(lines) - 1, _MOST_PARTS), 0, -1)
    taken = next((number for number in first if _reads("\n".join(lines[:number]), depth)), 0)
    rest = _PARTS.split("\n".join(lines[taken:]))
    for part in ("\n".join(lines[:taken]), *rest[:_MOST_PARTS]):
        if part.strip() and _reads(part, depth):
            yield read(part, depth)


def _reads(text: str, depth: int) -> bool:
    try:
        read(text, depth)
    except Unreadable:
        return False
    return True


class ScriptReader(WordReader):
    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, depth)
        self._level = depth
        self._pending: list[Heredoc] = []

    def whole(self) -> Script:
        commands = self._list(frozenset(), "")
        if self.at < len(self.text):
            raise Unreadable(f"`{self.peek()}` stands where no command can")
        return Script(commands, self.text)

    def nested(self, text: str) -> Script:
        return ScriptReader(text, self._level + 1).whole()

    def script_until(self, stop: str) -> Script:
        self._level += 1
        if self._level > 64:
            raise Unreadable("it is nested more than 64 levels deep")
        commands = self._list(frozenset(), stop)
        if self.peek() != stop:
            raise Unreadable(f"a `{stop}` is missing")
        self._level -= 1
        return Script(commands, self.text)

    # Blanks, comments and the bodies of heredocs

    def _blanks(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        if blank:
            self.at = blank.end()
        if self.peek() == "#" and (self.at == 0 or self.text[self.at - 1] in " \t\r\n;&|()"):
            self.at += len(_COMMENT.match(self.text, self.at)[0])  # type: ignore[index] # it starts with one

    def _separators(self) -> None:
        """Blanks, newlines, and the bodies that follow a newline."""
        while True:
            self._blanks()
            if self.peek() != "\n":
                return
            self._newline()

    def _newline(self) -> None:
        self.at += 1
        for heredoc in self._pending:
            self._fill(heredoc)
        self._pending.clear()

    def _fill(self, heredoc: Heredoc) -> None:
        lines = []
        while self.at < len(self.text):
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            line = self.text[self.at : end]
            self.at = min(end + 1, len(self.text))
            line = line.lstrip("\t") if heredoc.strips_tabs else line
            if line == heredoc.delimiter:
                break
            if self.at == len(self.text) and line.rstrip(" \t)") == heredoc.delimiter:
                # `$(cat <<X … X)`: what closes the substitution stands behind the delimiter.
                self.at -= len(line) - len(heredoc.delimiter)
                break
            lines.append(line + "\n")
        text = "".join(lines)
        heredoc.body = (Literal(text, quoted=True),) if heredoc.raw else ScriptReader(text, self._level + 1).body()

    # Lists and pipelines

    def _list(self, ends: frozenset[str], stop: str) -> tuple[Command, ...]:
        commands: list[Command] = []
        while True:
            self._separators()
            if self._at_end(ends, stop):
                return tuple(commands)
            commands.append(self._pipeline())
            self._blanks()
            if self.peek(2) in ("&&", "||"):
                self.at += 2
            elif self.peek() in (";", "&") and self.peek(2) != ";;":
                self.at += 1
            elif not self._at_end(ends, stop) and self.peek() != "\n":
                raise Unreadable(f"`{self.peek()}` is where a command should end")

    def _at_end(self, ends: frozenset[str], stop: str) -> bool:
        if self.at >= len(self.text):
            return True
        if stop and self.peek() == stop:
            return True
        if ends:
            return self._keyword() in ends or (";;" in ends and self.peek(2) in (";;", ";&"))
        return False

    def _keyword(self) -> str:
        keyword = _KEYWORD.match(self.text, self.at)
        return keyword[0] if keyword else ""

    def _pipeline(self) -> Command:
        commands = []
        while True:
            self._separators()
            self._prefixes()
            commands.append(self._command())
            self._blanks()
            if self.peek() != "|" or self.peek(2) == "||":
                return commands[0] if len(commands) == 1 else Pipeline(tuple(commands))
            self.at += 2 if self.peek(2) == "|&" else 1

    def _prefixes(self) -> None:
        while self._keyword() in ("!", "time", "coproc"):
            keyword = self._keyword()
            self.at += len(keyword)
            self._blanks()
            if keyword == "coproc" and (name := _COPROCESS.match(self.text, self.at)):
                self.at = name.end()
            if self.peek(3) == "-p ":
                self.at += 3
                self._blanks()

    # Commands

    def _command(self) -> Command:
        keyword = self._keyword()
        if keyword == "function":
            return self._function(_NAMED_FUNCTION)
        if keyword in ("if", "for", "select", "case", "{", "[[") or keyword in _LOOPS or self.peek() == "(":
            return self._compound(keyword)
        if keyword:
            raise Unreadable(f"`{keyword}` is where a command should be")
        if _FUNCTION.match(self.text, self.at):
            return self._function(_FUNCTION)
        return self._simple()

    def _function(self, pattern: re.Pattern[str]) -> Command:
        head = pattern.match(self.text, self.at)
        if head is None:
            raise Unreadable("a function has no name")
        self.at = head.end()
        self._separators()
        return ShellFunction(head["name"], self._command())

    def _compound(self, keyword: str) -> Command:
        self._level += 1
        if self._level > 64:
            raise Unreadable("it is nested more than 64 levels deep")
        if self.peek(2) == "((":
            command: Command = self._double_parentheses()
        elif self.peek() == "(":
            self.at += 1
            body = Script(self._list(frozenset(), ")"), self.text)
            self._expect(")")
            command = Group(body, self._redirects(), is_subshell=True)
        elif keyword == "[[":
            command = self._test()
        else:
            self.at += len(keyword)
            command = self._of_keyword(keyword)
        self._level -= 1
        return command

    def _of_keyword(self, keyword: str) -> Command:
        if keyword == "{":
            return self._branches(("}",))
        if keyword == "if":
            return self._if()
        if keyword in _LOOPS:
            return self._branches(("do", "done"), is_loop=True)
        return self._case() if keyword == "case" else self._for()

    def _expect(self, token: str) -> None:
        self._blanks()
        if not self.text.startswith(token, self.at):
            raise Unreadable(f"a `{token}` is missing")
        self.at += len(token)

    def _branches(self, keywords: tuple[str, ...], *, is_loop: bool = False) -> Group:
        commands: list[Command] = []
        for keyword in keywords:
            commands += self._list(frozenset({keyword}), "")
            self._expect(keyword)
        return Group(Script(tuple(commands), self.text), self._redirects(), is_loop=is_loop)

    def _if(self) -> Group:
        commands: list[Command] = []
        ends = frozenset({"then", "elif", "else", "fi"})
        while True:
            commands += self._list(ends, "")
            keyword = self._keyword()
            if keyword not in ends:
                raise Unreadable("a `fi` is missing")
            self.at += len(keyword)
            if keyword == "fi":
                return Group(Script(tuple(commands), self.text), self._redirects())

    def _for(self) -> Command:
        self._blanks()
        if self.peek(2) == "((":
            self._double_parentheses()
            return self._loop_body("", ())
        variable = self.word()
        self._separators()
        words: list[Word] | None = None
        if self._keyword() == "in":
            self.at += 2
            words = []
            self._blanks()
            while self.peek() not in ("", ";", "\n", "&", "|", ")"):
                words.append(self._argument())
        return self._loop_body(variable.bare, None if words is None else tuple(words))

    def _loop_body(self, name: str, words: tuple[Word, ...] | None) -> For:
        self._blanks()
        if self.peek() == ";":
            self.at += 1
        self._separators()
        opening, closing = ("{", "}") if self.peek() == "{" else ("do", "done")
        self._expect(opening)
        body = self._list(frozenset({closing}), "")
        self._expect(closing)
        return For(name, words, Script(body, self.text), self._redirects())

    def _case(self) -> Group:
        self._blanks()
        subject = self.word()
        self._separators()
        self._expect("in")
        commands: list[Command] = []
        while True:
            self._separators()
            if self._keyword() == "esac":
                self.at += 4
                return Group(Script(tuple(commands), self.text), self._redirects(), words=(subject,))
            self._pattern()
            commands += self._list(frozenset({"esac", ";;"}), "")
            while self.peek() in (";", "&") and self.peek():
                self.at += 1

    def _pattern(self) -> None:
        if self.peek() == "(":
            self.at += 1
        while self.peek() != ")":
            self._blanks()
            if self.peek() == "|":
                self.at += 1
            elif self.peek() in ("", "\n", ";", "&", "<", ">"):
                raise Unreadable("a pattern of a case is not closed")
            elif self.peek() != ")":
                self._argument()
        self.at += 1

    def _double_parentheses(self) -> Group:
        end = self.text.find("))", self.at)
        if end < 0:
            raise Unreadable("a `))` is missing")
        parts = ScriptReader(self.text[self.at + 2 : end], self._level + 1).body()
        word = Word((Arithmetic(parts),), self.at, end)
        self.at = end + 2
        return Group(Script((), self.text), self._redirects(), words=(word,))

    def _test(self) -> Group:
        self.at += 2
        words: list[Word] = []
        while True:
            self._separators()
            if not self.peek():
                raise Unreadable("a `]]` is missing")
            if self.peek() in "&|()<>;":
                self.at += 1
                continue
            word = self._argument()
            if word.bare == "]]":
                return Group(Script((), self.text), self._redirects(), words=tuple(words))
            words.append(word)

    def _argument(self) -> Word:
        word = self.word()
        if word.start == self.at:
            raise Unreadable(f"`{self.peek()}` is where a word should be")
        self._blanks()
        return word

    # Simple commands

    def _simple(self) -> Simple:
        start = end = self.at
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self._blanks()
            redirect = self._redirect()
            if redirect:
                redirects.append(redirect)
            elif self.peek() in ("", "\n", ";", "&", "|", ")", "("):
                break
            elif head := None if words else _ASSIGNMENT.match(self.text, self.at):
                assignments.append(self._assignment(head))
            else:
                words.append(self.word())
            if self.at == end:
                raise Unreadable(f"`{self.peek()}` is where a word should be")
            end = self.at
        if self.peek() == "(" or not (assignments or words or redirects):
            raise Unreadable(f"`{self.peek() or 'the end'}` is where a command should be")
        return Simple(tuple(assignments), tuple(words), tuple(redirects), start, end)

    def _assignment(self, head: re.Match[str]) -> Assignment:
        self.at = head.end()
        if self.peek() != "(":
            return Assignment(head["name"], (self.word(),), bool(head["plus"]), key=(head["key"] or "").strip("'\""))
        self.at += 1
        words: list[Word] = []
        while True:
            self._separators()
            if self.peek() == ")":
                self.at += 1
                return Assignment(head["name"], tuple(words), bool(head["plus"]), is_array=True)
            if not self.peek():
                raise Unreadable("a list of values is not closed")
            words.append(self._argument())

    def _redirects(self) -> tuple[Redirect, ...]:
        found: list[Redirect] = []
        while True:
            self._blanks()
            redirect = self._redirect()
            if redirect is None:
                return tuple(found)
            found.append(redirect)

    def _redirect(self) -> Redirect | None:
        head = _REDIRECT.match(self.text, self.at)
        if head is None:
            return None
        self.at = head.end()
        self._blanks()
        operator = head["op"]
        if self.peek() in ("", "\n", ";", "|", ")") or (self.peek() == "&" and operator[-1] != "&"):
            raise Unreadable("a redirect leads nowhere")
        target = self.word()
        if operator not in ("<<", "<<-"):
            return Redirect(operator, head["fd"] or "", target)
        source = self.text[target.start : target.end]
        delimiter = "".join(part.text for part in target.parts if isinstance(part, Literal))
        heredoc = Heredoc(
            without_braces(without_globs(delimiter)), any(c in source for c in "'\"\\"), operator == "<<-"
        )
        self._pending.append(heredoc)
        return Redirect(operator, head["fd"] or "", target, heredoc)
