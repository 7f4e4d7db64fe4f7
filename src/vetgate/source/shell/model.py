"""A shell command as a tree of small values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Literal:
    """Text as it stands; unquoted text carries marks for globs and braces."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class ParameterExpansion:
    """`$name` or `${name<operator><operand>}`."""

    name: str
    quoted: bool
    operator: str = ""
    operand: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(…)` or backquotes."""

    script: Script
    quoted: bool


@dataclass(frozen=True, slots=True)
class ProcessSubstitution:
    """`<(…)` or `>(…)`."""

    script: Script
    direction: str


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`$((…))`: what it gives is a number; the substitutions in it still run."""

    parts: tuple[Part, ...]
    quoted: bool = True


Part = Literal | ParameterExpansion | Substitution | ProcessSubstitution | Arithmetic


@dataclass(frozen=True, slots=True)
class Word:
    parts: tuple[Part, ...]
    start: int
    end: int

    @property
    def bare(self) -> str:
        """The word if it is one unquoted literal, else nothing: only such a word is a keyword."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Literal) and not self.parts[0].quoted:
            return self.parts[0].text
        return ""


@dataclass(slots=True)
class Heredoc:
    """Filled when the reader reaches the end of the line."""

    delimiter: str
    raw: bool
    strips_tabs: bool
    body: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Redirect:
    operator: str
    descriptor: str
    target: Word
    heredoc: Heredoc | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    name: str
    words: tuple[Word, ...]
    appends: bool = False
    is_array: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True)
class Simple:
    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Group:
    """Commands that stand together: `{ }`, `( )`, and every branch of an if, a case or a loop."""

    body: Script
    redirects: tuple[Redirect, ...] = ()
    is_subshell: bool = False
    is_loop: bool = False
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """Without `words` it goes over the positional parameters."""

    name: str
    words: tuple[Word, ...] | None
    body: Script
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class ShellFunction:
    name: str
    body: Command


@dataclass(frozen=True, slots=True)
class Pipeline:
    commands: tuple[Command, ...]


Command = Simple | Group | For | ShellFunction | Pipeline


@dataclass(frozen=True, slots=True)
class Script:
    """`source` is the text the places in it count in."""

    commands: tuple[Command, ...]
    source: str


class Unreadable(Exception):  # noqa: N818 - it says what the command is, not that we failed
    """A command that cannot be read, or is beyond the limits; the message says why."""
