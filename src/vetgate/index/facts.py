"""What the index knows of one text. Kept by content: equal files of any branch or work tree share it."""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

# How the callee of a call begins that makes an object.
NEW = "new "
# How a method is reached that needs no object; and one whose object is a class.
STATIC, OF_CLASS = "static", "class"
# What an object or a class calls itself, and what it has from its base classes.
SELVES, SUPER = frozenset({"self", "cls", "this"}), "super"
# What a class calls the function that fills its objects, where files define names.
MAKERS = ("__init__", "constructor")


class DefinitionSite(NamedTuple):
    """A name in a file; the file itself where there is no name. In Go any file of the folder may hold it."""

    path: str
    symbol: str

    def member(self, name: str) -> DefinitionSite:
        return DefinitionSite(self.path, f"{self.symbol}.{name}")


# Kinds of parameters: before a `/`, plain, `*args`, behind a `*`, `**kwargs`.
POSITIONAL, PLAIN, REST, KEYWORD, KEYWORDS = "/", "n", "*", "k", "**"

# Languages whose names belong to a namespace, whatever the file.
IN_SPACES = frozenset({"java", "csharp", "php", "ruby", "rust"})
_BEFORE = re.compile(r".*[.\\ :]", re.DOTALL)
_OWN = SELVES | {"?"}
_MEMBERS = frozenset({"function", "method"})
_INHERITED = frozenset({"static", "parent", "super"})


class Parameter(msgspec.Struct, frozen=True, array_like=True):
    name: str
    kind: str = PLAIN
    optional: bool = False


# Of a method without parameters by name: what is named goes into one hash.
HASH = Parameter("{}", KEYWORDS)


class Definition(msgspec.Struct, frozen=True, array_like=True):
    """A function, a method or a class at the top of a file, by its qualified name.

    `parameters` is None where nobody can tell from the text what a call has to pass. Of a class that is `made` of
    its fields they are these, and `word` is what says so; `bases` are its base classes, "?" where one is no name.
    Where types are written, `word` is how a method is reached, or how many types a class takes. `visibility` says who
    may use it, where its language has words for that and it is not everybody.
    """

    symbol: str
    line: int
    kind: str
    parameters: tuple[Parameter, ...] | None = ()
    returns: str = ""
    is_async: bool = False
    exported: bool = True
    bases: tuple[str, ...] = ()
    made: str = ""
    word: str = ""
    visibility: str = ""

    @property
    def name(self) -> str:
        return self.symbol.rpartition(".")[2]


class CallSite(msgspec.Struct, frozen=True, array_like=True):
    """`callee` is a dotted name, its first part `?` where that is no name; `owner` the class around the call.

    One that is `open` passes arguments that nobody can count; `of` is the type of what it is called on, where that
    is written: behind `new` where it is no subclass, "?" where nobody can tell.
    """

    callee: str
    line: int
    positional: int = 0
    keywords: tuple[str, ...] = ()
    is_open: bool = False
    owner: str = ""
    awaited: bool = False
    of: str = ""


class Import(msgspec.Struct, frozen=True, array_like=True):
    """`name` is "" for a whole module and "*" for all of its names; `local` is what it is called here.

    A `guarded` one stands in a `try`: whoever wrote it reckons with there being nothing. `visibility` says for whom it
    is passed on, as of a definition.
    """

    line: int
    module: str
    name: str
    local: str
    guarded: bool = False
    visibility: str = ""


class Export(msgspec.Struct, frozen=True, array_like=True):
    """A name that others may import; from another `module`, where it names one.

    `name` is "*" for all of its names, and without a module for nobody knows which; `local` is "" for a whole module,
    and begins with a colon where it is no name of the file.
    """

    name: str
    local: str
    module: str = ""
    line: int = 1


class Facts(msgspec.Struct, frozen=True, array_like=True):
    """`bound` are names that mean something else somewhere in the file: a parameter, a variable.

    Those that are `rebound` do so for everybody. It is `unsure` of a file that does not parse to the end. `space` is
    the namespace of all that it defines, "?" where there are several. `objects` are variables of the file itself that
    hold an object of a class, and which.
    """

    definitions: tuple[Definition, ...] = ()
    calls: tuple[CallSite, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    bound: frozenset[str] = frozenset()
    unsure: bool = False
    rebound: frozenset[str] = frozenset()
    space: str = ""
    objects: tuple[tuple[str, str], ...] = ()


class FunctionTokens(msgspec.Struct, frozen=True, array_like=True):
    """A function's normalised tokens, a byte each: `blind` to the names of what is local, and with all names `kept`."""

    name: str
    line: int
    end_line: int
    blind: bytes
    kept: bytes

    @property
    def tokens(self) -> int:
        return len(self.blind)


class IndexedText(msgspec.Struct, frozen=True, array_like=True):
    facts: Facts = Facts()
    functions: tuple[FunctionTokens, ...] = ()

    def moved(self, lines: int) -> IndexedText:
        """The same, so many lines further down."""
        facts = Facts(
            tuple(replace(each, line=each.line + lines) for each in self.facts.definitions),
            tuple(replace(each, line=each.line + lines) for each in self.facts.calls),
            tuple(replace(each, line=each.line + lines) for each in self.facts.imports),
            tuple(replace(each, line=each.line + lines) for each in self.facts.exports),
            self.facts.bound,
            self.facts.unsure,
            self.facts.rebound,
            self.facts.space,
            self.facts.objects,
        )
        functions = (replace(each, line=each.line + lines, end_line=each.end_line + lines) for each in self.functions)
        return IndexedText(facts, tuple(functions))


def words(facts: Facts, language: str | None) -> frozenset[str]:
    """What a file is found by: modules it imports or reaches into, names it imports or calls, its methods.

    Of a language in which any file may define a name, also what it defines and inherits from.
    """
    found = {f"c{last_name(call.callee)}" for call in facts.calls}
    found.update(f"m{module}" for call in facts.calls if (module := _reached(call.callee)))
    found.update(f"d{each.name}" for each in facts.definitions if each.kind == "method")
    for each in facts.imports:
        found.add(f"m{last_part(each.module)}")
        if each.name:
            found.add(f"c{each.name}")
            found.add(f"m{each.name}")
    for export in facts.exports:
        if export.module:
            found.update((f"m{last_part(export.module)}", f"c{export.local or '*'}"))
    found.update(f"c{last_name(base)}" for each in facts.definitions for base in each.bases)
    if language in IN_SPACES:
        # What a call of a known type is called on is a variable.
        plain = (call.callee for call in facts.calls if not call.of)
        parts = {part for callee in plain for part in callee.split(".")[:-1]} - _OWN - _INHERITED
        found.update(f"c{last_name(part)}" for part in (*parts, *(call.of for call in facts.calls if call.of)))
        found.update(f"q{each.name}" for each in facts.definitions if each.kind != "method")
        found.update(f"w{full_name(facts.space, each.symbol)}" for each in facts.definitions if _is_whole(each))
    return frozenset(found)


def _is_whole(definition: Definition) -> bool:
    """Whether it is looked for by its whole name: a class, or what is part of none."""
    return definition.kind not in _MEMBERS or "." not in definition.symbol


def full_name(space: str, symbol: str) -> str:
    return "\\".join(filter(None, (space, symbol)))


def last_name(callee: str) -> str:
    r"""`load` of `core.load`, of `new load` and of `app\load`."""
    return _BEFORE.sub("", callee).partition("`")[0]


def _reached(callee: str) -> str:
    """`core` of `app.core.load`: only `app` has to be imported for that."""
    parts = callee.split(".")
    return parts[-2] if len(parts) > 2 and parts[0] not in _OWN else ""


def last_part(module: str) -> str:
    """Of `a.b.c` and of `../b/c.js` alike: `c`."""
    if "/" not in module:
        return module.rpartition(".")[2]
    name = module.rstrip("/").rpartition("/")[2]
    return name.partition(".")[0] or name
