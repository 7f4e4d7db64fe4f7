"""Arguments sorted into words and options, for rules that know a program only by name."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLUSTER = expression(r"-[A-Za-z]{2,6}")


class Words:
    def __init__(self, arguments: Sequence[str]) -> None:
        self.all = tuple(arguments)

    @cached_property
    def flags(self) -> frozenset[str]:
        """Every option, with and without its value; the letters of a cluster one by one."""
        found = set()
        for argument in self.all:
            if argument.startswith("-") and argument != "-":
                found |= {argument, argument.partition("=")[0]}
                if _CLUSTER.fullmatch(argument):
                    found |= {f"-{letter}" for letter in argument[1:]}
        return frozenset(found)

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """What is no option, as if no option took a value."""
        return tuple(argument for argument in self.all if not argument.startswith("-") or argument == "-")

    @cached_property
    def loose(self) -> tuple[str, ...]:
        """What is no option, as if every option without a `=` took one."""
        found = []
        skips = False
        for argument in self.all:
            if argument.startswith("-") and argument != "-":
                skips = "=" not in argument and argument != "--"
            elif skips:
                skips = False
            else:
                found.append(argument)
        return tuple(found)

    def has(self, *flags: str) -> bool:
        return not self.flags.isdisjoint(flags)
