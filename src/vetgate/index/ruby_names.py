"""What names mean in Ruby, if only one place of the project opens a constant, and who may use them."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.index.facts import NEW, DefinitionSite, Import
from vetgate.index.inheritance import Lineage, MemberLookup, SourceDefinition, with_subclasses
from vetgate.index.reading import CLASS
from vetgate.index.ruby import BENT, CONSTANT, INHERITED, ITSELF, MAKER, OBJECT, OF_CLASS
from vetgate.index.visibility import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.classes import ReferenceContext
    from vetgate.index.facts import CallSite, Definition, Facts
    from vetgate.index.view import View


# What every object has, or may have where ActiveSupport is at hand.
OF_EVERYBODY = frozenset(
    """as_json blank? class clone deep_dup define_singleton_method display dup enum_for eql? equal? extend freeze
    frozen? hash html_safe? in? inspect instance_eval instance_exec instance_of? instance_values instance_variable_get
    instance_variable_set instance_variables is_a? itself kind_of? method methods nil? object_id presence present?
    public_method public_send respond_to? send singleton_class tap then to_enum to_json to_param to_query to_s try
    with_options yield_self""".split()  # noqa: SIM905 - a list of names
)
# What every class has besides.
OF_EVERY_CLASS = frozenset(
    """allocate ancestors attached_object class_eval class_exec class_variable_defined? class_variable_get
    class_variable_set class_variables const_defined? const_get const_missing const_set constants const_source_location
    delegate descendants include? included_modules inherited instance_method instance_methods method_defined?
    module_eval module_parent name new private_instance_methods public_instance_method public_instance_methods
    subclasses superclass""".split()  # noqa: SIM905 - a list of names
)
# What stands outside of all projects.
OUTSIDE = frozenset(
    """ActionController ActionView ActiveModel ActiveRecord ActiveSupport Array BigDecimal Binding CGI CSV Class
    Comparable Complex Date DateTime Delegator Digest Dir ERB Encoding Enumerable Enumerator Etc Exception FalseClass
    Fiber File FileUtils Find Float Forwardable Gem Hash IO IPAddr Integer JSON Kernel Logger Marshal MatchData Math
    Method Minitest Module Monitor Mutex Net NilClass Numeric OpenSSL OpenStruct OptionParser PP PStore Pathname Proc
    Process Psych Queue REXML RSpec Racc Rack Rails Rake Random Range Rational RbConfig Regexp Resolv Ripper Set
    Shellwords SimpleDelegator Singleton Socket StandardError String StringIO StringScanner Struct Symbol TCPServer
    TCPSocket Tempfile Test Thread Time Timeout TrueClass URI UnboundMethod WEBrick YAML Zlib""".split()  # noqa: SIM905 - a list of names
)


_MAGIC = ("method_missing", "respond_to_missing?", "self.method_missing", "self.inherited", "self.included", BENT)
_OPENED = frozenset({"Object", "Kernel", "BasicObject", "Class", "Module"})
_INCLUDED, _EXTENDED = "include ", "extend "
# What so many files define may be anything.
_MANY = 20
# How a file is found that has an extension built.
_IN_C = "ccreate_makefile"
_DOUBT = MemberLookup(None, sure=False)


def called(view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
    return _member(view, path, facts, call).site


def holder(view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
    del path, facts
    head = _head(call)
    if head in {OBJECT, ITSELF, INHERITED, "?"}:
        return None
    klass = named_class(view, call.owner, head)
    return DefinitionSite(klass.path, klass.definition.symbol) if klass is not None else None


def imported(view: View, path: str, each: Import) -> DefinitionSite | None:
    del view, path, each
    return None


def resolves(view: View, path: str, facts: Facts, by: CallSite | Import) -> bool:
    if isinstance(by, Import) or any(_defined(view, each) for each in _OPENED):
        return True
    head = _head(by)
    if by.of and _is_added_to(view, by):
        return True
    if head not in {OBJECT, ITSELF, INHERITED, "?"} and not list(_meanings(view, by.owner, head)):
        return False
    if _is_everywhere(by):
        return True
    found = _member(view, path, facts, by)
    return found.site is not None or not found.sure or by.callee.startswith(NEW)


def _is_everywhere(call: CallSite) -> bool:
    """Whether every object has what is called, or every class where it is called on one."""
    head, _, name = call.callee.rpartition(".")
    is_of_class = not call.of and head not in {OBJECT, INHERITED}
    return name in OF_EVERYBODY or (is_of_class and name in OF_EVERY_CLASS)


def _head(call: CallSite) -> str:
    """The class that is named, or a word for it."""
    return call.of or call.callee.removeprefix(NEW).partition(".")[0]


def _of_object(view: View, call: CallSite) -> MemberLookup:
    """A method of what `new` has made of a class, if that is what `new` does."""
    klass, name = named_class(view, call.owner, call.of), call.callee.rpartition(".")[2]
    is_shared = call.callee.startswith("@") and _is_shared(view, call.owner)
    if klass is None or klass.definition.made != "class" or is_shared:
        return _DOUBT
    maker = OF_CLASSES.member(view, class_side(klass), f"{OF_CLASS}.new")
    is_plain = maker.site is None and maker.sure
    return _OF_OBJECTS.member(view, _object_side(klass), name) if is_plain else _DOUBT


def _is_added_to(view: View, call: CallSite) -> bool:
    """Whether the class may be one of the language or of an extension in C, of which the project has a part only."""
    klass = named_class(view, call.owner, call.of)
    if klass is None or f"{klass.definition.symbol}.{MAKER}" in {each.symbol for each in klass.facts.definitions}:
        return False
    return klass.definition.symbol.partition(".")[0] in OUTSIDE or any(view.holding([_IN_C], most=1))


def _is_shared(view: View, owner: str) -> bool:
    """Whether others may fill the variables of an object: base classes, subclasses, modules, a reopened class."""
    klass = _known(view, owner)
    is_alone = klass is not None and not klass.definition.bases
    return not is_alone or view.once(("ruby shared", owner), lambda: len(with_subclasses(view, owner)) > 1)


def _member(view: View, path: str, facts: Facts, call: CallSite) -> MemberLookup:
    if call.of:
        return _of_object(view, call)
    head, _, name = call.callee.partition(".")
    if head == "?":
        return _DOUBT
    if head.startswith(NEW):
        klass = named_class(view, call.owner, head.removeprefix(NEW))
        return _maker(view, klass) if klass is not None else _DOUBT
    if head not in {OBJECT, ITSELF, INHERITED}:
        klass = named_class(view, call.owner, head)
        return OF_CLASSES.member(view, class_side(klass), f"{OF_CLASS}.{name}") if klass is not None else _DOUBT
    if not call.owner:
        return _at_the_top(view, path, facts, name) if head == OBJECT else _DOUBT
    klass = _known(view, call.owner)
    if klass is None:
        return _DOUBT
    if head == ITSELF:
        return OF_CLASSES.member(view, class_side(klass), f"{OF_CLASS}.{name}")
    return _OF_OBJECTS.member(view, _object_side(klass), name, has_own=head != INHERITED)


def _maker(view: View, klass: SourceDefinition) -> MemberLookup:
    own = OF_CLASSES.member(view, class_side(klass), f"{OF_CLASS}.new")
    return own if own.site is not None else _OF_OBJECTS.member(view, _object_side(klass), MAKER)


def _at_the_top(view: View, path: str, facts: Facts, name: str) -> MemberLookup:
    """A method outside of all classes: of this file, or the only one of that name."""
    del facts
    found = [(where, each) for where, each in _defined(view, name) if each.kind == "function"]
    own = [each for where, each in found if where == path]
    if len(found) != 1:
        return _DOUBT if found else MemberLookup(None)
    return MemberLookup(DefinitionSite(found[0][0], name)) if own or _is_loaded(view, path, found[0][0]) else _DOUBT


def _is_loaded(view: View, path: str, other: str) -> bool:
    facts, folder = view.facts(path), posixpath.dirname(path)
    wanted = {posixpath.normpath(posixpath.join(folder, each.module)) for each in (facts.imports if facts else ())}
    return other.removesuffix(".rb") in {each.removesuffix(".rb") for each in wanted}


def named_class(view: View, owner: str, name: str) -> SourceDefinition | None:
    meanings = list(_meanings(view, owner, name))
    dotted = name.replace("::", ".").strip(".")
    # In a `class A::B` the names of `A` are not at hand.
    if len(meanings) != 1 or (meanings[0] != dotted and "." in owner and _defined(view, dotted)):
        return None
    return _known(view, meanings[0])


def _meanings(view: View, owner: str, name: str) -> Iterator[str]:
    """What a constant may be called in full, among what the project defines."""
    dotted = name.replace("::", ".").strip(".")
    outer = owner.split(".") if owner and not name.startswith("::") else []
    for length in range(len(outer), -1, -1):
        whole = ".".join((*outer[:length], dotted))
        if _defined(view, whole) and (length or not outer or _is_only(view, dotted)):
            yield whole


def _is_only(view: View, name: str) -> bool:
    """Whether a class cannot have it from a base class instead."""

    def is_only() -> bool:
        files = list(view.holding([f"q{name.rpartition('.')[2]}"], most=_MANY))
        found = (each.symbol for _, facts in files for each in facts.definitions)
        return len(files) < _MANY and not any(each.endswith(f".{name}") for each in found)

    return view.once(("ruby inside", name), is_only)


def _known(view: View, symbol: str) -> SourceDefinition | None:
    """A class that nobody opens again."""
    found = _defined(view, symbol)
    if len(found) != 1 or found[0][1].kind == CONSTANT or not found[0][1].made:
        return None
    path, definition = found[0]
    facts = view.facts(path)
    return SourceDefinition(path, definition, facts) if facts is not None else None


def _defined(view: View, symbol: str) -> list[tuple[str, Definition]]:
    holding = view.holding([f"w{symbol}"])
    found = ((path, each) for path, facts in holding for each in facts.definitions if each.symbol == symbol)
    return view.once(("ruby", symbol), lambda: list(found))


def _base_class(view: View, klass: SourceDefinition, base: str) -> SourceDefinition | None:
    owner = klass.definition.symbol.rpartition(".")[0]
    further = named_class(view, owner, base.removeprefix(_INCLUDED)) if base != "?" else None
    return _object_side(further) if further is not None else None


def _base_of_class(view: View, klass: SourceDefinition, base: str) -> SourceDefinition | None:
    further = named_class(view, klass.definition.symbol.rpartition(".")[0], base) if base != "?" else None
    return class_side(further) if further is not None else None


def class_side(klass: SourceDefinition) -> SourceDefinition:
    """What is included brings nothing to the class itself, and what extends it may bring anything."""
    bases = [each for each in klass.definition.bases if not each.startswith(_INCLUDED)]
    known = tuple("?" if each.startswith(_EXTENDED) else each for each in bases)
    return SourceDefinition(klass.path, replace(klass.definition, bases=known), klass.facts)


def _object_side(klass: SourceDefinition) -> SourceDefinition:
    bases = tuple(each for each in klass.definition.bases if not each.startswith(_EXTENDED))
    return SourceDefinition(klass.path, replace(klass.definition, bases=bases), klass.facts)


_OF_OBJECTS = Lineage(_base_class, _MAGIC)
OF_CLASSES = Lineage(_base_of_class, _MAGIC)


_MISSING = f"{OF_CLASS}.method_missing"


def can_access(view: View, it: SourceDefinition, context: ReferenceContext, by: CallSite | Import) -> bool:
    """Whether what is said there may mean this; so it may, where nobody can tell."""
    if it.definition.visibility != PRIVATE or isinstance(by, Import):
        return True
    head = by.callee.removeprefix(NEW).partition(".")[0]
    if it.definition.kind == CLASS:
        # Said with what it stands in, it is out of sight even there.
        return "::" not in head.lstrip(":")
    klass = named_class(view, context.owner, head) if head not in {OBJECT, ITSELF, INHERITED} else None
    owner = it.definition.symbol.removesuffix(f".{it.definition.name}").removesuffix(f".{OF_CLASS}")
    # A subclass may say otherwise of its own.
    if klass is None or klass.definition.symbol != owner:
        return True
    missing = OF_CLASSES.member(view, class_side(klass), _MISSING)
    return missing.site is not None or not missing.sure
