"""Perl, PHP, Lua, awk and others: a careful small reader of strings and calls, as no grammar for them is pinned."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from vetgate.expression import expression
from vetgate.source.shell.inline.actions import CodeReader, InlineCall, output_of, variable
from vetgate.source.shell.inline.tables import deed_of
from vetgate.source.shell.inline.values import Done, ReaderContext, Value, text_of, texts_of
from vetgate.source.shell.placeholders import UNKNOWN, is_known, taints, without_globs
from vetgate.source.shell.runs import Inner
from vetgate.source.shell.words import unescaped

_TOKEN = expression(
    r"""(?P<comment>(?<![\w$@%])\#(?![\w{])[^\n]*|//(?=\s)[^\n]*|--(?=\s)[^\n]*)
      | (?P<string>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")
      | (?P<shell>`(?:\\.|[^`\\])*`)
      | (?P<quoted>\bq[qxw]?\s*(?:\{[^}]*\}|\([^)]*\)|/[^/]*/|\|[^|]*\||![^!]*!))
      | (?P<name>[A-Za-z_][\w]*(?:(?:::|\.|->)[A-Za-z_]\w*)*)
      | (?P<variable>[$@%]\{?\w+\}?)
      | (?P<number>\d+)
      | (?P<mark>[^\s])""",
    re.VERBOSE | re.DOTALL,
)
_INTERPOLATED = expression(r"(?<!\\)[$@]\{?\w+\}?(?:\{['\"]?(?P<key>\w+)['\"]?\})?")
_TCL_RUNS = expression(r"\b(?:spawn|exec|system)[ \t]+(?:-[a-z]+[ \t]+)*([^;\n\]]+)")
_TCL_PIPES = expression(r"\bopen[ \t]+[\"{]?\|([^\"}\n]+)")
_TCL_DEEDS = {"delete": "rm -rf", "rename": "mv", "copy": "cp -r"}
_TCL_FILES = expression(r"\bfile[ \t]+(delete|rename|copy)[ \t]+(?:-force[ \t]+)?(?:--[ \t]+)?([^;\n\]]+)")
_TCL_TYPES = expression(r"\bsend[ \t]+(?:-\w+[ \t]+)*(?:--[ \t]+)?[\"{]([^\"}\n]+)[\"}]")
_TCL_HOME = expression(r"\$(?:::)?env\(HOME\)")
_HOME = expression(r"\bSystem\.user_home!?(?:\(\))?|\$_SERVER\[['\"]HOME['\"]\]")
_MOST_TOKENS = 8_000
_JOINS = frozenset({"join", "implode"})
_PRINTS = frozenset({"print", "printf"})
_BEGINS = _PRINTS | {"{", "}", ";", "(", ","}
_DECLARES = frozenset({"my", "our", "local"})
_CALLS = frozenset({"invoke", "invokeArgs", "spawn", "call", "__invoke"})


class _Token(NamedTuple):
    kind: str
    text: str
    value: Value = None


def read_tokens(language: str, code: str, known: ReaderContext) -> Done:
    if language == "tcl":
        text = _TCL_HOME.sub(lambda _: known.home, without_globs(code))
        runs = [Inner(script=match[1]) for match in _TCL_RUNS.finditer(text)]
        runs += [Inner(script=match[1]) for match in _TCL_PIPES.finditer(text)]
        runs += [Inner(script=f"{_TCL_DEEDS[match[1]]} {match[2]}") for match in _TCL_FILES.finditer(text)]
        return Done([*runs, *(Inner(script=unescaped(match[1])) for match in _TCL_TYPES.finditer(text))])
    code = _HOME.sub(lambda _: f'"{known.home}"', without_globs(code))
    tokens = [_token(match) for match in _limited(code)]
    return _TokenReader(language, [token for token in tokens if token.kind != "comment"], known).read()


def _limited(code: str) -> list[re.Match[str]]:
    found = []
    for match in _TOKEN.finditer(code):
        found.append(match)
        if len(found) >= _MOST_TOKENS:
            break
    return found


def _token(match: re.Match[str]) -> _Token:
    kind, text = match.lastgroup or "mark", match[0]
    if kind == "string":
        inner = text[1:-1]
        return _Token("string", text, inner.replace("\\'", "'") if text[0] == "'" else unescaped(inner))
    if kind == "shell":
        return _Token("shell", "`", text[1:-1])
    if kind == "quoted":
        opening = re.search(r"[{(/|!]", text)
        inner = text[opening.end() : -1] if opening else ""
        if text.startswith("qx"):
            return _Token("shell", "`", inner)
        return _Token("string", text, [*inner.split()] if text.startswith("qw") else inner)
    return _Token(kind, text)


def _with_mode(arguments: list[Value]) -> list[Value]:
    """`open F, ">path"`: the mode stands before the path."""
    text = text_of(arguments[0]) if arguments else ""
    path = text.lstrip("+<> ")
    return [path, text[: len(text) - len(path)].strip()] if text[:1] in (">", "+") else arguments


def _is_pipe_to_shell(given: list[str]) -> bool:
    """`open(P, "| sh")`, `open(P, "|-", "sh")`: what is printed there is run."""
    text = " ".join(given).strip()
    return text.startswith("|") and _SHELL.search(text) is not None


_SHELL = expression(r"^\|-?\s*(?:\S*/)?(?:ba|da|z|k)?sh\b")


class _TokenReader(CodeReader):
    def __init__(self, language: str, tokens: list[_Token], known: ReaderContext) -> None:
        super().__init__(language, known)
        self._tokens = tokens
        self._renamed: set[str] = set()
        self._feeds_shell = False
        if language in ("perl", "awk"):  # with -n or -p it is each line of what it is fed
            self._values["$_" if language == "perl" else "$0"] = known.content("/dev/stdin") or None

    def _note_topics(self) -> None:
        """Perl's `… for "text"`: what stands before it goes over that."""
        for index, token in enumerate(self._tokens):
            if token.text in ("for", "foreach") and (topics := self._arguments(index + 1)) and topics[0] is not None:
                self._values["$_"] = topics[0]

    def read(self) -> Done:
        if self._language == "perl":
            self._note_topics()
        for index, token in enumerate(self._tokens):
            self._read_token(index, token)
        if self._feeds_shell:
            texts = (self._interpolated(token) for token in self._tokens if token.kind == "string")
            self.done.inners += [Inner(script=text, stdin="") for text in texts]
        if self._language == "awk":
            self.done.inners = [self._of_input(inner) for inner in self.done.inners]
        return self.done

    def _read_token(self, index: int, token: _Token) -> None:
        if token.kind == "shell":
            self.done.inners.append(Inner(script=self._interpolated(token), cwd=self._folder))
        elif token.kind == "string" and self._runs_string(index):
            self.done.inners.append(Inner(script=text_of(token.value)))
        elif not self._is_assigned(index, token) and token.kind == "name":
            self._name(token.text, index)
        if self._text(index + 1) == "(" and self._names_function(index):
            self._indirect(index)
        elif self._language == "awk":
            self._read_output(index, token)

    def _read_output(self, index: int, token: _Token) -> None:
        """`print … | "sh"` and `print … > "file"` of awk."""
        if token.text == "|" and self._kind(index + 1) == "string":
            self._piped(index)
        elif token.text == ">" and self._text(self._begin_of_print(index)) in _PRINTS:
            paths = text_of(self._expression(index + 1)[0]).split("\n")
            self.done.inners.append(Inner(("tee", *filter(None, paths)), stdin=UNKNOWN))

    def _of_input(self, inner: Inner) -> Inner:
        """What awk only knows when it runs, it has from what it reads."""
        marks = taints(self._known.content("/dev/stdin"))
        script, stdin = (text + marks if text and UNKNOWN in text else text for text in (inner.script, inner.stdin))
        return replace(inner, script=script, stdin=stdin)

    def _is_assigned(self, index: int, token: _Token) -> bool:
        """Whether something is assigned here; then it is known from here on."""
        following = self._text(index + 2)
        if token.text == "*" and following == "=" and self._language == "perl":
            self._renamed.add(self._text(index + 1))
            return True
        if self._text(index + 1) != "=" or following in ("", "=", "~", ">"):
            return False
        if token.kind == "variable":
            listed = following == "(" and token.text[:1] == "@"
            self._values[token.text] = self._arguments(index + 2) if listed else self._expression(index + 2)[0]
        elif token.kind == "name":
            self._assigned(token.text, index + 2)
        return token.kind in ("variable", "name")

    def _piped(self, index: int) -> None:
        """`print "…" | "sh"` of awk."""
        fed = text_of(self._expression(self._begin_of_print(index) + 1)[0])
        self.done.inners.append(Inner(script=text_of(self._tokens[index + 1].value), stdin=fed))

    def _begin_of_print(self, index: int) -> int:
        """Of the statement that ends here, where it prints; else where what is not its text ends."""
        return next((at for at in range(index - 1, -1, -1) if self._text(at) in _BEGINS), -1)

    def _runs_string(self, index: int) -> bool:
        """The `"cmd" | getline` of awk and Groovy's `"cmd".execute()`."""
        following = (self._text(index + 1), self._text(index + 2))
        return following in (("|", "getline"), (".", "execute"))

    def _assigned(self, name: str, index: int) -> None:
        """Where names are variables: a value, or another name for a function."""
        if (
            self._kind(index) == "name"
            and deed_of("other", self._text(index)) is not None
            and self._text(index + 1) != "("
        ):
            self._renamed.add(name)
        elif index < len(self._tokens):
            self._values[name] = self._expression(index)[0]

    def _names_function(self, index: int) -> bool:
        """`$f(…)`, `("sys"."tem")(…)`, `os["execute"](…)`, `->invoke(…)`: what is called has no name of its own."""
        token = self._tokens[index]
        if token.kind == "variable" or token.text in ("]", "}"):
            return True
        if token.text == ")":
            return index > 0 and self._kind(index - 1) in ("string", "variable", "mark")
        return token.text in self._renamed or (
            token.kind == "name" and token.text.rpartition(">")[2].rpartition(".")[2] in _CALLS
        )

    def _indirect(self, index: int) -> None:
        """What such a call is given is judged as if it were run by a shell."""
        found = [each for each in self._arguments(index + 1) if each is not None]
        texts = [text for each in found for text in ([text_of(each)] if isinstance(each, str) else map(text_of, each))]
        self.done.inners += [
            Inner(script=text, stdin="", cwd=self._folder) for text in texts if is_known(text) and text.strip()
        ]

    def _interpolated(self, token: _Token) -> str:
        """With the variables in it, where the language puts them there."""
        text = text_of(token.value)
        if self._language not in ("perl", "php", "tcl") or token.text[:1] == "'":
            return text
        return _INTERPOLATED.sub(self._variable, text)

    def _variable(self, match: re.Match[str]) -> str:
        if match["key"] == "HOME":
            return self._known.home
        return text_of(self._values.get(match[0].replace("{", "").replace("}", "")))

    def _text(self, index: int) -> str:
        return self._tokens[index].text if index < len(self._tokens) else ""

    def _kind(self, index: int) -> str:
        return self._tokens[index].kind if index < len(self._tokens) else ""

    def _name(self, name: str, index: int) -> None:
        deed = deed_of(self._language if self._language == "python" else "other", name.replace("->", "."))
        if deed is None or self._text(index - 1 if index else 0) in ("->", "sub", "function"):
            return
        arguments = self._arguments(index + 1)
        if self._language == "perl" and name == "open":
            self._feeds_shell = self._feeds_shell or _is_pipe_to_shell([text_of(each) for each in arguments[1:]])
            # A handle stands before the path, and often a mode.
            arguments = [arguments[2], arguments[1]] if len(arguments) > 2 else _with_mode(arguments[1:])
        if self._language == "perl" and not arguments and "$_" in self._values:
            arguments = [self._values["$_"]]
        call = InlineCall(self._language, arguments, {}, self._known)
        if call.arguments:
            self._perform(deed, call, {})

    def _arguments(self, index: int) -> list[Value]:
        """Behind the name: in parentheses or, as in Perl, without."""
        while self._text(index) in ("(", "[") or (self._text(index) in ("~", "!") and self._language == "elixir"):
            index += 2 if self._text(index) == "~" else 1
        if self._text(index) == "{" and self._language == "perl":  # `exec {$program} @list`
            index = next((at + 1 for at in range(index, len(self._tokens)) if self._text(at) == "}"), index)
        found: list[Value] = []
        while self._kind(index) in ("string", "shell", "variable", "number", "name"):
            index += self._language == "perl" and self._text(index) in _DECLARES
            value, index = self._expression(index)
            found.append(value)
            if self._text(index) != ",":
                break
            index += 2 if self._text(index + 1) == "[" else 1
        return found

    def _expression(self, index: int) -> tuple[Value, int]:
        """Strings and variables joined by `.` or `..` or `+`; a call in between gives what its deed gives."""
        value, index = self._operand(index)
        while index + 1 < len(self._tokens) and (self._text(index) in (".", "+") or self._stands_beside(index)):
            if self._text(index) in (".", "+"):
                index += 2 if self._text(index + 1) == "." else 1
            more, index = self._operand(index)
            value = text_of(value) + text_of(more)
        return value, index

    def _stands_beside(self, index: int) -> bool:
        """`system(c d)`: awk joins what stands side by side."""
        is_value = self._kind(index) in ("string", "number") or (
            self._kind(index) == "name" and self._text(index) in self._values
        )
        return self._language == "awk" and is_value

    def _operand(self, index: int) -> tuple[Value, int]:
        token = self._tokens[index] if index < len(self._tokens) else _Token("", "")
        if token.kind in ("string", "shell"):
            if token.kind == "shell":
                return self._output(token), index + 1
            return (token.value if isinstance(token.value, list) else self._interpolated(token)), index + 1
        if token.kind == "variable":
            return self._variable_at(token.text, index)
        if token.kind == "number":
            return token.text, index + 1
        if token.text == "ENVIRON":
            return variable(text_of(self._operand(index + 2)[0]), self._known), index + 4
        if token.kind == "name":
            return self._called(token.text, index)
        return None, index + 1

    def _variable_at(self, name: str, index: int) -> tuple[Value, int]:
        """`$ENV{name}`, `$ARGV[0]`, or what the code itself put there."""
        if name in ("$ENV", "%ENV") and self._text(index + 1) == "{":
            return variable(self._text(index + 2).strip("'\""), self._known), index + 4
        if name == "$ARGV" and self._text(index + 1) == "[" and self._text(index + 2).isdigit():
            return "".join(self._known.arguments[int(self._text(index + 2)) :][:1]) or None, index + 4
        return self._values.get(name), index + 1

    def _output(self, token: _Token) -> Value:
        return output_of(text_of(token.value))

    def _called(self, name: str, index: int) -> tuple[Value, int]:
        if name in _JOINS and self._text(index + 1) == "(":
            between, *pieces = self._arguments(index + 1) or [""]
            return text_of(between).join(each for piece in pieces for each in texts_of(piece)), self._behind(index + 1)
        deed = deed_of("other", name)
        if deed is None:
            return self._values.get(name), index + 1
        if self._text(index + 1) != "(":
            # Perl's `unlink glob "*.o"`: without brackets, all that follows is passed.
            alone = self._language == "perl" and self._kind(index + 1) == "string"
            value, end = self._expression(index + 1) if alone else (None, index + 1)
            return (deed(InlineCall(self._language, [value], {}, self._known)) if alone else None), end
        call = InlineCall(self._language, self._arguments(index + 1), {}, self._known)
        return deed(call) if call.arguments else None, self._behind(index + 1)

    def _behind(self, index: int) -> int:
        while index < len(self._tokens) and self._text(index) != ")":
            index += 1
        return index + 1
