"""Rules as lines of text: which program, which words, which options.

    kubectl|oc delete !--dry-run => show it with --dry-run=client

The first word names programs. Words after it have to stand first among what is no option, in this order; each may
have alternatives and stars; `..` lets any words stand between. `+a|b` asks for one of these options or words, `!a|b`
for none of them, `=glob` for an argument that matches. Behind `=>` stands the safe way.
"""

from __future__ import annotations

from collections import defaultdict
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.effect import MatchedEffect
from vetgate.checks.unsafe_command.words import Words
from vetgate.model import Decision
from vetgate.source.shell.placeholders import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vetgate.source.shell.runs import ProgramRun


_DRY_RUN = frozenset({"--dry-run", "--dryrun"})


class CommandRule(NamedTuple):
    kind: str
    words: tuple[tuple[str, ...], ...]
    needs: tuple[frozenset[str], ...]
    lacks: frozenset[str]
    globs: tuple[str, ...]
    safe: str
    decision: Decision

    def matches(self, words: Words) -> bool:
        if self.lacks and self._present(words, self.lacks):
            return False
        if not all(self._present(words, needed) for needed in self.needs):
            return False
        if self.globs and not all(any(fnmatchcase(each, glob) for each in words.all) for glob in self.globs):
            return False
        return _begins(words.plain, self.words) or _begins(words.loose, self.words)

    @staticmethod
    def _present(words: Words, wanted: frozenset[str]) -> bool:
        found = (words.flags | {*words.all}) & wanted
        return bool(found) and not (found <= _DRY_RUN and not words.is_dry_run)


def _begins(words: Sequence[str], pattern: Sequence[tuple[str, ...]]) -> bool:
    position = 0
    anywhere = False
    for alternatives in pattern:
        if alternatives == ("..",):
            anywhere = True
            continue
        rest = range(position, len(words)) if anywhere else range(position, min(position + 1, len(words)))
        found = next((index for index in rest if _is_one(words[index], alternatives)), None)
        if found is None:
            return False
        position, anywhere = found + 1, False
    return True


def _is_one(word: str, alternatives: tuple[str, ...]) -> bool:
    return any(word == each or ("*" in each and fnmatchcase(word, each)) for each in alternatives)


class CommandTable:
    def __init__(self, *areas: tuple[str, str], decision: Decision = Decision.BLOCK) -> None:
        self._rules: Mapping[str, list[CommandRule]] = defaultdict(list)
        for kind, lines in areas:
            for line in lines.strip().splitlines():
                if line.strip():
                    self._add(kind, line, decision)

    def _add(self, kind: str, line: str, decision: Decision) -> None:
        pattern, _, safe = line.partition("=>")
        names, *tokens = pattern.split()
        rule = CommandRule(
            kind,
            tuple(tuple(token.split("|")) for token in tokens if token[0] not in "+!="),
            tuple(frozenset(token[1:].split("|")) for token in tokens if token[0] == "+"),
            frozenset(name for token in tokens if token[0] == "!" for name in token[1:].split("|")),
            tuple(token[1:] for token in tokens if token[0] == "="),
            safe.strip(),
            decision,
        )
        for name in names.split("|"):
            self._rules[name].append(rule)

    def found(self, run: ProgramRun) -> Iterator[MatchedEffect]:
        rules = self._rules.get(run.name)
        if not rules:
            return
        words = Words(run.arguments)
        if words.has("--help", "-help") or words.all == ("--version",) or words.plain[:1] == ("help",):
            return
        for rule in rules:
            if rule.matches(words):
                yield MatchedEffect(rule.kind, shown(" ".join(run.argv))[:120], rule.safe, rule.decision)
                return
