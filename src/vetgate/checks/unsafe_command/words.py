"""Arguments sorted into words and options, and many globs as one pattern."""

from __future__ import annotations

from fnmatch import translate
from functools import cached_property
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence


def one_of(globs: Iterable[str]) -> re.Pattern[str]:
    return expression("|".join(translate(glob) for glob in globs))


def as_globs(name: str) -> tuple[str, ...]:
    """A name that ends in a slash is a folder, with everything in it."""
    name = name.casefold()
    return (name.rstrip("/"), f"{name}*") if name.endswith("/") else (name,)


_NOT_DRY = frozenset({"none", "false", "no", "0", "off"})
_CLUSTER = expression(r"-[A-Za-z]{2,6}")


def _split_at(argument: str, names: Sequence[str]) -> tuple[str, bool]:
    """What is left of a word without these options, and whether the next word is the value of one.

    They stand alone, with their value, shortened (`--excl`), or in a cluster (`-fde X`).
    """
    if argument.startswith("--"):
        name, sign, _ = argument.partition("=")
        is_one = len(name) > len("--") and any(each.startswith(name) for each in names)
        return "" if is_one else argument, is_one and not sign
    letter = next((each[1] for each in names if len(each) == 2 and each[1] in argument), "")
    if not letter or not argument.startswith("-"):
        return argument, False
    before, _, value = argument.partition(letter)
    return before.removesuffix("-"), not value


def _is_short_for(option: str, flags: Sequence[str]) -> bool:
    return option.startswith("--") and len(option) > len("--") and any(each.startswith(option) for each in flags)


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

    @cached_property
    def options(self) -> Words:
        """Without what stands behind `--`: there a word is a path, whatever it begins with."""
        return Words(self.all[: self.all.index("--")]) if "--" in self.all else self

    def without(self, *names: str) -> Words:
        """As if these options, which take a value, were not there: `-e X`, `-eX`, `--exclude X`, `--exclude=X`."""
        kept: list[str] = []
        rest = iter(self.all)
        for argument in rest:
            left, takes_next = _split_at(argument, names)
            kept += [left] if left or not argument else []
            if takes_next:
                next(rest, None)
            elif argument == "--":
                kept += rest
        return Words(kept)

    def has(self, *flags: str) -> bool:
        """Also shortened, as most programs take long options: `--recurs`, `--forc`."""
        return not self.flags.isdisjoint(flags) or any(_is_short_for(each, flags) for each in self.flags)

    @cached_property
    def is_dry_run(self) -> bool:
        """`--dry-run=none` and `--dry-run false` are the real thing, and so is `--dry-run --no-dry-run`."""
        if self.has("--no-dry-run", "--no-dryrun"):
            return False
        for option, value in zip(self.all, (*self.all[1:], ""), strict=False):
            name, sign, given = option.partition("=")
            if name in ("--dry-run", "--dryrun") and (given if sign else value).lower() not in _NOT_DRY:
                return True
        return False
