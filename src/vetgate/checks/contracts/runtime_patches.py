"""What code outside of a class's own methods puts into it: fields, mocks, patches, what a test sets."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.commonjs import DEFAULT
from vetgate.index.facts import last_part
from vetgate.index.references import importers, module_words
from vetgate.index.resolve import MEMBERS, SCRIPTS
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.index.facts import DefinitionSite, Facts, Import
    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.view import View


_CLOSED = expression(r"\}")
_METHOD = expression(r"([ \t]+)(?:async\s+)?def\s")
_INDENT = expression(r"[ \t]*")
# What may stand before a field of a script; and before a parameter that becomes one.
_WORDS = r"(?:public|private|protected|readonly|static|declare|override|abstract|accessor)"
_BECOMING = r"(?:public|private|protected|readonly|override)"
# How something is given to an object or a class by whoever knows it; and not by the class itself.
ASSIGNED = r"\.{name}(?:(?:,\s*[\w.]+)+\s+|\s*(?::[^=\n]+)?)=(?![=>])"
OTHERS = r"(?<!\bself)(?<!\bthis)"


def has_field(view: View, klass: SourceDefinition, name: str) -> bool:
    if not view.once(("said", klass.path, name), lambda: name in view.text(klass.path)):
        return False
    if view.once(("given", klass.path, name), lambda: bool(_assignment_elsewhere(name).search(view.text(klass.path)))):
        return True
    body = class_body(view.text(klass.path), klass)
    if name not in body:
        return False
    if _assigned(name).search(body):
        return True
    if language_of(klass.path) in SCRIPTS:
        return bool(_script_field(name).search(body))
    return bool(_python_field(name).search("\n".join(_without_methods(body))))


def class_body(text: str, klass: SourceDefinition) -> str:
    """From where a class begins to what ends it, or to the next thing that is defined."""
    first, last = klass.definition.line - 1, None
    lines = text.split("\n")
    if language_of(klass.path) in SCRIPTS:
        last = next((number for number in range(first + 1, len(lines)) if _CLOSED.match(lines[number])), None)
    else:
        others = (each.line - 1 for each in klass.facts.definitions if "." not in each.symbol)
        last = min((line for line in others if line > first), default=None)
    return "\n".join(lines[first:last])


def _without_methods(body: str) -> Iterator[str]:
    """The lines of a class in Python that stand in none of its functions."""
    inside: int | None = None
    for line in body.split("\n"):
        indent = _INDENT.match(line)
        depth = len(indent[0]) if indent else 0
        if inside is not None and (depth > inside or not line.strip()):
            continue
        method = _METHOD.match(line)
        inside = len(method[1]) if method else None
        if not method:
            yield line


@lru_cache(maxsize=256)
def _assignment_elsewhere(name: str) -> re.Pattern[str]:
    plain = re.escape(name)
    return re.compile(rf"{OTHERS}{ASSIGNED.format(name=plain)}|\bsetattr\(\s*[\w.]+\s*,\s*[\"']{plain}[\"']")


@lru_cache(maxsize=256)
def _assigned(name: str) -> re.Pattern[str]:
    return re.compile(ASSIGNED.format(name=re.escape(name)))


@lru_cache(maxsize=256)
def _python_field(name: str) -> re.Pattern[str]:
    plain = re.escape(name)
    # One of several names, or behind another statement; an argument by name that has a line of its own is none.
    value = r"(?:\s*:|\s+=(?!=)|=(?!=|[^\n]*[,(]\s*$)|\s*[,)\]][^\n=]*=(?!=))"
    listed = rf"^[ \t]+(?:[^\n#]*[,;=(\[*]\s*)?{plain}{value}"
    alone = rf"^[ \t]*class\b[^\n]*[:;]\s*{plain}\s*[:=]"
    inside = rf"^[ \t]+class\s+{plain}\b"
    return re.compile(f"{listed}|{alone}|{inside}", re.MULTILINE)


@lru_cache(maxsize=256)
def _script_field(name: str) -> re.Pattern[str]:
    plain = re.escape(name)
    ahead = rf"(?:^|[{{;]|\*/|\))[ \t]*(?:@[\w.]+[ \t]+)*(?:{_WORDS}\s+)*"
    field = rf"{ahead}{plain}\s{{0,9}}[?!]?\s{{0,9}}(?:[:=](?![=>])|;|$|//)"
    becoming = rf"(?<![.\w$]){_BECOMING}\s+{plain}\s{{0,9}}[?!]?\s{{0,9}}[:=,)]"
    return re.compile(f"{field}|{becoming}", re.MULTILINE)


# Each of these files has to be read as a whole.
_MOST = 300
_FIXTURES = "conftest.py"
_TEST = expression(
    r"(?:^|/)(?:tests?|specs?|__tests__)/|(?:^|/)(?:test_[^/]*|conftest)\.py$|[._](?:test|spec)\.\w+$", re.IGNORECASE
)
# How a class of a script gets more than is written in it: by a loop, from an object, by a name that is computed.
_FILLED = expression(
    r"""\b(?:Object\.(?:assign|defineProperty|defineProperties)|Reflect\.defineProperty)\(\s*this\b
    |\bthis(?:\s+as\s+[^)\n]*\))?\[[^\]\n]*\]\s*=(?!=)
    |\bnew\s+Proxy\(
    |\bconstructor\s*\([^{}]*\{[^{}]*\breturn\s+[^;\s}]
    |^\s*(?:(?:public|private|protected|static|readonly|declare|override|async|get|set)\s+)*\*?\s*
        \[(?!Symbol\.|["'])[^\],\n]*\]\s*[(:?!=]""",
    re.MULTILINE | re.VERBOSE,
)
# Words of tests and programs that put something in the place of what is named near them, or ask for it.
_PUTTING = expression(
    r"[pP]atch|[mM]ock|setattr|delattr|getattr|hasattr|__dict__|\bvars\(|\bdir\(|spyOn|\bspy\b|stub|expects|should_receive"
    r"|swap|replace\w*\(|defineProperty|hasOwn"
)
# A function that is no method, and gets an object as if it were one.
_LIKE_METHODS = expression(r"^(?:async\s+)?def\s+\w+\(\s*self\b|\.(?:call|apply|bind)\(", re.MULTILINE)
_LITERAL = r"\s*[\"']\w+[\"']\s*,"
_GIVEN_ANY = expression(r"\bsetattr\(\s*(?:self|cls)\s*,\s*(?![\"'])")
_GIVEN = expression(r"\bsetattr\(\s*self\s*,\s*\w+\s*,")


def is_set(text: str, name: str, owners: frozenset[str]) -> bool:
    """Whether a method may be put in its place: by an assignment, or by its name in a text."""
    return bool(_setting(name, owners).search(text))


def is_put(text: str, name: str, owners: frozenset[str]) -> bool:
    """The same for a text that only uses the class: there a name in quotes is most often something else."""
    if _PUTTING.search(text) and (_setting(name, owners).search(text) or _near(name).search(text)):
        return True
    return bool(_putting(name, owners, "" if _LIKE_METHODS.search(text) else OTHERS).search(text))


def is_mocked(text: str, path: str) -> bool:
    """Whether a test of a script puts something in the place of a whole module."""
    return bool(_mocking(last_part(f"./{posixpath.basename(path)}")).search(text))


def is_passed_any(text: str) -> bool:
    """Whether an object or a class of the text gets something under a name that is not written there."""
    return bool(_GIVEN_ANY.search(text))


def is_class_set(text: str, owners: frozenset[str]) -> bool:
    """Whether a test puts something in the place of the class itself: `patch("shop.Cart")`."""
    return bool(_replacing(owners).search(text))


def is_set_elsewhere(view: View, path: str, site: DefinitionSite, owners: frozenset[str]) -> bool:
    """For a call in one file, by any other that knows the class; what a test does there only counts for tests."""
    knowing = (_is_set_in(view, each, facts, site, owners) for each, facts in _knowing(view, path, site))
    name = site.symbol.rpartition(".")[2]
    around = (is_set(text, name, owners) or is_class_set(text, owners) for text in _fixtures(view, path))
    return view.once(("set", site, owners, bool(_TEST.search(path))), lambda: any(knowing)) or any(around)


def is_variable_set(view: View, path: str, site: DefinitionSite) -> bool:
    """Whether another file gives a variable of a module something else; a test does so for tests alone."""
    is_test = bool(_TEST.search(path))
    return view.once(("variable", site, is_test), lambda: _is_variable_set(view, site, is_test=is_test))


def _is_variable_set(view: View, site: DefinitionSite, *, is_test: bool) -> bool:
    name = re.escape(site.symbol)
    filled = rf"(?:\bfor|\bas)\s+[\w.]*\.{name}\b|,\s*[\"']{name}[\"']\s*,"
    setting = re.compile(rf"\w{ASSIGNED.format(name=name)}|{filled}")
    known = (each for each, _ in importers(view, [site.path], most=_MOST) if is_test or not _TEST.search(each))
    return any(setting.search(view.text(each)) for each in known)


def _knowing(view: View, path: str, site: DefinitionSite) -> Iterator[tuple[str, Facts]]:
    # A module of a script is found by each folder above it, so that only names tell who means it.
    owner = site.symbol.split(".")[-2]
    names = (owner, DEFAULT, "*") if language_of(site.path) in SCRIPTS else ()
    is_test, words = bool(_TEST.search(path)), module_words(view, site.path)
    found = dict(importers(view, [site.path], names, most=_MOST))
    if names:
        found.update(view.holding([f"m{last_part(f'./{posixpath.basename(site.path)}')}"], most=_MOST))
    for each, facts in found.items():
        if (is_test or not _TEST.search(each)) and any(_may_bring(it, owner, words) for it in facts.imports):
            yield each, facts


def _may_bring(each: Import, owner: str, words: tuple[str, ...]) -> bool:
    """Whether an import may be of the class, or of the module that has it."""
    return each.name in {owner, DEFAULT, "*"} or f"m{each.name or last_part(each.module)}" in words


def _is_set_in(view: View, path: str, facts: Facts, site: DefinitionSite, owners: frozenset[str]) -> bool:
    known = {*owners, *(each.local for each in facts.imports if each.name in {*owners, DEFAULT})}
    return bool(_attaching(site.symbol.rpartition(".")[2], frozenset(known)).search(view.text(path)))


def _fixtures(view: View, path: str) -> Iterator[str]:
    """What pytest runs around the tests of a file."""
    folder = path if _TEST.search(path) and language_of(path) == "python" else ""
    while folder:
        folder = posixpath.dirname(folder)
        beside = posixpath.join(folder, _FIXTURES)
        if view.exists(beside):
            yield view.text(beside)


def is_filled(view: View, earlier: View, klass: SourceDefinition, name: str) -> bool:
    """Whether a class, or one that it inherits from, gets methods in a way that does not say their names."""
    return any(_is_filled(view, earlier, each, name) for each in MEMBERS.upwards(view, klass))


def _is_filled(view: View, earlier: View, klass: SourceDefinition, name: str) -> bool:
    text = view.text(klass.path)
    if language_of(klass.path) in SCRIPTS:
        return bool(_FILLED.search(class_body(text, klass)))
    if _adding_from_outside(klass.definition.name).search(text):
        return True
    # Most of what an object is given by the names that somebody passes are values: if it is not new, then here too.
    is_given = len(_GIVEN.findall(text)) > len(_GIVEN.findall(earlier.text(klass.path)))
    return is_given or bool(_adding(name).search(class_body(text, klass)))


def _one_of(names: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(names)))})"


@lru_cache(maxsize=256)
def _setting(name: str, owners: frozenset[str]) -> re.Pattern[str]:
    named = rf"[\"'`](?:[\w.]*\b{_one_of(owners)}\.)?{re.escape(name)}[\"'`]"
    return re.compile(f"{ASSIGNED.format(name=re.escape(name))}|{named}")


@lru_cache(maxsize=256)
def _near(name: str) -> re.Pattern[str]:
    """`patch(f"{MODULE}.run")`, `patch.multiple(Greeter, run=...)`."""
    plain = re.escape(name)
    return re.compile(
        rf"[}}\"'`]\.{plain}[\"'`]|\b(?:multiple|update|dict|flexmock|configure_mock)\([^()]*\b{plain}\s*=(?!=)"
    )


@lru_cache(maxsize=256)
def _putting(name: str, owners: frozenset[str], whose: str) -> re.Pattern[str]:
    plain, quote = re.escape(name), "[\"'`]"
    asked = rf"{quote}{plain}{quote}\s+(?:not\s+)?in\b"
    whole = rf"{quote}[\w.]*\b{_one_of(owners)}\.{plain}{quote}|\[{quote}{plain}{quote}\]\s*=(?!=)"
    return re.compile(f"{whose}{ASSIGNED.format(name=plain)}|{whole}|{asked}")


def has_hidden_subclass(text: str, names: frozenset[str], method: str) -> bool:
    """Whether a class in a function, or one that is made on the spot, may inherit from one and have a method."""
    return bool(_having(method).search(text)) and bool(_hidden(names).search(text))


@lru_cache(maxsize=256)
def _hidden(names: frozenset[str]) -> re.Pattern[str]:
    one = _one_of(names)
    python = rf"^[ \t]+class\s+\w+\s*\([^)\n]*\b{one}\b|\btype\(\s*[^,\n]+,\s*\([^)\n]*\b{one}\b"
    ahead = r"(?:^[ \t]+|\breturn\s+|\bnew\s+|[(=]\s*)"
    script = rf"{ahead}(?:abstract\s+)?class\b[^{{\n]*\bextends\s+(?:[\w$.]+\.)?{one}\b"
    # What a function makes of a class that it gets may be a subclass of any.
    mixed = r"\breturn\s+class\b[^{\n]*\bextends\s"
    return re.compile(rf"{python}|{script}|{mixed}|\b{one}\.register\b", re.MULTILINE)


@lru_cache(maxsize=256)
def _having(method: str) -> re.Pattern[str]:
    plain = re.escape(method)
    return re.compile(rf"\bdef\s+{plain}\b|(?<![.\w$]){plain}\s*(?:<[^>\n]*>)?\([^\n]*\{{|[\"']{plain}[\"']\s*:")


@lru_cache(maxsize=256)
def _mocking(module: str) -> re.Pattern[str]:
    words = r"\b(?:vi|jest)\.(?:mock|doMock|unstable_mockModule)"
    return re.compile(rf"{words}\(\s*[\"'`](?:[^\"'`\n]*/)?{re.escape(module)}(?:\.\w+)?[\"'`]\s*,")


@lru_cache(maxsize=256)
def _replacing(owners: frozenset[str]) -> re.Pattern[str]:
    words = r"\b(?:patch|patch\.object|setattr|replace|stub|spyOn)"
    return re.compile(rf"{words}\((?:[^()\"'`]*,)?\s*[\"'`](?:[\w.]*\.)?{_one_of(owners)}[\"'`]")


@lru_cache(maxsize=256)
def _attaching(name: str, owners: frozenset[str]) -> re.Pattern[str]:
    plain, owner = re.escape(name), rf"(?<![\w$]){_one_of(owners)}"
    return re.compile(
        rf"{owner}(?:\.prototype)?\.{plain}\s*=(?![=>])|{owner}(?:\.prototype)?\s*,\s*[\"'`]{plain}[\"'`]"
        rf"|[\"'`][\w.]*\b{_one_of(owners)}\.{plain}[\"'`]|\bassign\(\s*(?:[\w$]+\.)*{_one_of(owners)}\.prototype\b"
        rf"|\bdeclare\s+(?:module|global)\b[^{{]*\{{[\s\S]*\binterface\s+{_one_of(owners)}\b"
    )


@lru_cache(maxsize=256)
def _adding_from_outside(owner: str) -> re.Pattern[str]:
    return re.compile(rf"\bsetattr\(\s*{re.escape(owner)}\s*,(?!{_LITERAL})|(?<![.\w])exec\(")


@lru_cache(maxsize=256)
def _adding(name: str) -> re.Pattern[str]:
    """Where a class of Python is given what it does not name, or imports a method."""
    return re.compile(
        rf"\bsetattr\(\s*(?:cls|type\(self\)|self\.__class__)\s*,(?!{_LITERAL})"
        rf"|\bsetattr\(\s*self\s*,(?!{_LITERAL}|\s*\w+\s*,)"
        # A copy of an object, or one that is read back, has no more than the first one had.
        r"|\bself\.__dict__\s*(?:\.(?:update|setdefault)\(|\|?=(?!=))(?!\s*(?:state\b|[\w.]+\.__dict__))"
        r"|\bself\.__dict__\s*\[[^\]\n]*\]\s*=(?!=)|\b(?:locals|vars)\(\w*\)\s*(?:\[|\.update\()"
        rf"|^[ \t]+from\s+[\w.]+\s+import\s+(?:\([^)]*|[^\n]*)\b{re.escape(name)}\b",
        re.MULTILINE,
    )
