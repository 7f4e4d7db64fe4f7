"""What names mean in Rust: by modules and `use`, by `impl` of a type, through others; and who may use them."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from vetgate.index.facts import CallSite, DefinitionSite, Facts, Import, last_name
from vetgate.index.reading import CLASS, FUNCTION, MODULE, UNNAMED
from vetgate.index.rust import ANY, GIVES, IMPL, INSIDE, NAMELESS, OF, OPEN, OWN, PARAMETER, TRAIT
from vetgate.index.rust_paths import DOUBT, ROOTS, ResolvedPath, RustModule, crate_named, crate_root, parent, resolved
from vetgate.index.visibility import CRATE, SUPER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.index.classes import ReferenceContext
    from vetgate.index.facts import Definition
    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.view import View

    Givers = list[tuple[str, Definition]]


def type_of(view: View, here: RustModule, own: str, of: str) -> DefinitionSite | None:
    """What `of` says in a module, where `Self` is `own`."""
    member, _, named = of.rpartition(OF)
    klass = _type_named(view, here, own, named)
    facts = view.facts(klass.path) if klass is not None and member else None
    if klass is None or facts is None:
        return klass
    if member.endswith(GIVES):
        return klass if _gives_itself(facts, f"{klass.symbol}.{member.removesuffix(GIVES)}") else None
    modules = klass.symbol.split(".")
    return _type_named(
        view, RustModule(klass.path, tuple(modules[:-1])), modules[-1], _field(facts, klass.symbol, member)
    )


def _type_named(view: View, here: RustModule, own: str, name: str) -> DefinitionSite | None:
    parts = [own] if name == OWN else name.split(".")
    facts = view.facts(here.path)
    if not parts[0] or facts is None or f"{PARAMETER}{parts[0]}" in facts.bound:
        return None
    site = resolved(view, here, parts).target
    there = view.facts(site.path) if isinstance(site, DefinitionSite) else None
    if not isinstance(site, DefinitionSite) or there is None or _only(there, site.symbol) is None:
        return None
    return site


def _only(facts: Facts, symbol: str) -> Definition | None:
    """A type is a class, or a function where it is a tuple."""
    found = [each for each in facts.definitions if each.symbol == symbol]
    return found[0] if len(found) == 1 and found[0].kind in {CLASS, FUNCTION} else None


def _gives_itself(facts: Facts, symbol: str) -> bool:
    found = _only(facts, symbol)
    if found is None or found.is_async:
        return False
    own = symbol.split(".")[-2]
    return found.returns in {OWN, own} or found.returns.startswith(f"{own}<")


def _field(facts: Facts, symbol: str, name: str) -> str:
    holder = _only(facts, symbol)
    kinds = [each.partition("=")[2] for each in (holder.word if holder else "").split() if each.startswith(f"{name}=")]
    return kinds[0] if len(kinds) == 1 else ""


def member(view: View, site: DefinitionSite) -> DefinitionSite:
    """Where a function stands that is looked for at a place; there, where nobody knows of another."""
    key = ("rust member", site)
    if key not in view.found:
        view.found[key] = site  # for who asks in a circle
        view.found[key] = _member(view, site)
    found = view.found[key]
    return found if isinstance(found, DefinitionSite) else site


def _member(view: View, site: DefinitionSite) -> DefinitionSite:
    owner, _, name = site.symbol.rpartition(".")
    if not owner or _is_defined(view, site):
        return site
    klass = _type(view, site.path, owner)
    if klass is None:
        return site
    return elsewhere(view, klass, givers(view, klass.symbol, name)) or DefinitionSite(
        klass.path, f"{klass.symbol}.{name}"
    )


def elsewhere(view: View, klass: DefinitionSite, given: Givers) -> DefinitionSite | None:
    """The one function of all that may give a type its name, if it is written for the type itself."""
    if len(given) != 1 or not view.sees_all:
        return None
    path, it = given[0]
    facts = [view.facts(each) for each in (klass.path, path)]
    if it.parameters is None or any(each is None or each.unsure or ANY in each.bound for each in facts):
        return None  # of a trait, or a macro may write another
    # Beside the type there may be another one, for other type arguments.
    is_only = not _is_defined(view, DefinitionSite(klass.path, f"{klass.symbol}.{it.name}"))
    return (
        DefinitionSite(path, it.symbol)
        if is_only and _type(view, path, it.symbol.rpartition(".")[0]) == klass
        else None
    )


def _is_defined(view: View, site: DefinitionSite) -> bool:
    facts = view.facts(site.path)
    return facts is not None and any(each.symbol == site.symbol for each in facts.definitions)


def _type(view: View, path: str, written: str) -> DefinitionSite | None:
    """What an `impl` names: `a.b::T` is `b::T` in the module `a` of the file."""
    modules, _, name = written.rpartition(".")
    inner = tuple(modules.split(".")) if modules else ()
    return type_of(view, RustModule(path, inner), "", name.replace("::", "."))


def givers(view: View, owner: str, name: str) -> Givers:
    """What may give a type a function of a name, in all files."""
    found = view.holding([f"d{name}", f"q{name}"])
    return [(path, each) for path, facts in found for each in _giving(facts, owner, name)]


def _giving(facts: Facts, owner: str, name: str) -> Iterator[Definition]:
    traits = {each.symbol for each in facts.definitions if each.kind == TRAIT}
    types = {each.symbol for each in facts.definitions if each.kind in {CLASS, FUNCTION}}
    last = owner.rpartition(".")[2]
    for each in facts.definitions:
        holds, _, called = each.symbol.rpartition(".")
        # Where the type itself stands, it is another one of that name.
        is_its_own = holds not in types and holds.rpartition(".")[2].rpartition(":")[2] == last
        if called == name and (holds in traits or is_its_own or holds.endswith(UNNAMED)):
            yield each


_SELF = "Self"
# What a type may be given without anybody writing it.
_DERIVED = frozenset(
    """as_mut as_ref borrow builder clone clone_from cmp default deref deserialize drop eq fmt from from_str hash into
    iter ne next parse partial_cmp serialize to_owned to_string try_from try_into""".split()  # noqa: SIM905 - a list of names
)
# What references and boxes have of the traits of what they hold.
_OF_OTHERS = frozenset({"by_ref", "flush", "poll", "read", "seek", "size_hint", "write"})
# Traits that bring no methods but those that are written for them.
_CLOSED = frozenset(
    """Add AddAssign AsMut AsRef BitAnd BitOr BitXor Borrow Clone Copy Debug Default Deserialize Display Div Drop Eq
    Error Extend From FromIterator FromStr Hash Index IndexMut Into IntoIterator LowerHex Mul Neg Not PartialEq
    Serialize Send Sub SubAssign Sync TryFrom TryInto Unpin UnwindSafe UpperHex""".split()  # noqa: SIM905 - a list of names
)
# Where those come from, if nobody says otherwise.
_KNOWN_CRATES = frozenset({"std", "core", "alloc", "serde"})
# How a trait is called that has methods for what others have made.
_FOR_OTHERS = "Ext"


def called(view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
    found = _meant(view, path, facts, call).target
    return found if isinstance(found, DefinitionSite) else None


def holder(view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
    """The type of which a function is called."""
    del facts
    if call.of:
        return _type_of(view, path, call)
    *before, _ = call.callee.split(".")
    if not before or before[0] in {"self", _SELF, "?"}:
        return None
    found = resolved(view, RustModule(path, modules_around(call)), before).target
    return found if isinstance(found, DefinitionSite) else None


def imported(view: View, path: str, each: Import) -> DefinitionSite | None:
    found = resolved(view, RustModule(path), import_path(each)).target
    return found if isinstance(found, DefinitionSite) else None


def resolves(view: View, path: str, facts: Facts, by: CallSite | Import) -> bool:
    if isinstance(by, Import):
        found = resolved(view, RustModule(path), import_path(by))
        return found.target is not None or not found.sure
    found = _meant(view, path, facts, by)
    if not isinstance(found.target, DefinitionSite):
        return found.target is not None or not found.sure
    if by.of and (_is_extended(view, found.target) or _brings_methods(view, path, facts)):
        return True
    return "." not in found.target.symbol or _has_member(view, found.target)


def import_path(each: Import) -> list[str]:
    return [*filter(None, each.module.split(".")), each.name]


def modules_around(call: CallSite) -> tuple[str, ...]:
    modules = call.owner.partition(INSIDE)[0]
    return tuple(modules.split(".")) if modules else ()


def _meant(view: View, path: str, facts: Facts, call: CallSite) -> ResolvedPath:
    if call.of:
        return _of_object(view, path, call)
    found = _named(view, path, facts, call)
    return found._replace(target=member(view, found.target)) if isinstance(found.target, DefinitionSite) else found


def _named(view: View, path: str, facts: Facts, call: CallSite) -> ResolvedPath:
    parts = call.callee.split(".")
    modules, own = modules_around(call), call.owner.partition(INSIDE)[2]
    if parts[0] == "?" or (len(parts) == 1 and parts[0] in facts.bound) or f"{PARAMETER}{parts[0]}" in facts.bound:
        return DOUBT
    if parts[0] in {"self", _SELF} and f"{PARAMETER}{own}" in facts.bound:
        return DOUBT
    if parts[0] == "self":
        return ResolvedPath(DefinitionSite(path, ".".join((*modules, own, parts[1])))) if own else DOUBT
    if parts[0] == _SELF:
        if not own or len(parts) > 2:
            return DOUBT
        symbol = ".".join((*modules, own, *parts[1:]))
        here = view.facts(path)
        if here is not None and any(each.symbol == symbol for each in here.definitions):
            return ResolvedPath(DefinitionSite(path, symbol))
        parts = [own, *parts[1:]]
    return resolved(view, RustModule(path, modules), parts)


def _of_object(view: View, path: str, call: CallSite) -> ResolvedPath:
    """A method of the type itself, if nobody may have given it another of that name."""
    klass, name = _type_of(view, path, call), call.callee.rpartition(".")[2]
    if klass is None or name in _DERIVED or name in _OF_OTHERS:
        return DOUBT
    found = view.once(("rust given", klass, name), lambda: _only_giver(view, klass, name))
    return ResolvedPath(found) if found is not None else DOUBT


def _only_giver(view: View, klass: DefinitionSite, name: str) -> DefinitionSite | None:
    given = givers(view, klass.symbol, name)
    return elsewhere(view, klass, given) if given else klass.member(name)


def _type_of(view: View, path: str, call: CallSite) -> DefinitionSite | None:
    return type_of(view, RustModule(path, modules_around(call)), call.owner.partition(INSIDE)[2], call.of)


def _has_member(view: View, site: DefinitionSite) -> bool:
    """Whether a function of a type may still be had: from here, another file or a trait, or as what it stands for."""
    owner, _, name = site.symbol.rpartition(".")
    facts = view.facts(site.path)
    if facts is None or ANY in facts.bound or name in _DERIVED:
        return True
    if any(each.symbol == site.symbol or _stands_for_another(each.symbol, owner) for each in facts.definitions):
        return True
    if not any(each.symbol == owner and each.kind != TRAIT and each.made != OPEN for each in facts.definitions):
        return True
    return bool(givers(view, owner, name))


def _stands_for_another(symbol: str, owner: str) -> bool:
    return symbol.startswith(f"{owner}.as ") and symbol.endswith(("Deref", "DerefMut"))


def _is_extended(view: View, site: DefinitionSite) -> bool:
    """Whether its type may have methods of a trait that nobody has written for it."""
    last = site.symbol.split(".")[-2]
    files = dict(view.holding([f"c{last}"])) | {site.path: view.facts(site.path) or Facts()}
    return any(
        _extends(facts, each, last) for facts in files.values() for each in facts.definitions if each.kind == IMPL
    )


def _extends(facts: Facts, each: Definition, last: str) -> bool:
    """One of the project may be what another builds on for whoever has it."""
    path = each.symbol.rpartition(".as ")[2]
    is_closed = path.rpartition(":")[2] in _CLOSED and _crate(facts, path.partition("::")[0]) in _KNOWN_CRATES
    return not is_closed and any(last_name(base) in {last, UNNAMED} for base in each.bases)


def _crate(facts: Facts, name: str) -> str:
    """Where a name comes from that a trait is said by; nobody has to bring along the usual ones."""
    brought = next((each for each in facts.imports if each.local == name), None)
    if brought is not None:
        return (brought.module or brought.name).strip(".:").partition(".")[0]
    return "std" if name in _CLOSED else name


def _brings_methods(view: View, path: str, facts: Facts) -> bool:
    """Whether a file brings along a trait of others that may have methods for any type."""
    near = (each for each in facts.imports if each.name.endswith(_FOR_OTHERS))
    foreign = (each for each in near if import_path(each)[0] not in _KNOWN_CRATES)
    return NAMELESS in facts.bound or any(imported(view, path, each) is None for each in foreign)


_DEEPEST = 20


def can_access(view: View, it: SourceDefinition, context: ReferenceContext, by: CallSite | Import) -> bool:
    """Whether what is said there may mean this; so it may, where nobody can tell."""
    if not it.definition.visibility:
        return True
    klass = _modules(it.facts, it.definition.symbol)
    within = _within(view, RustModule(it.path, klass), it.definition.visibility)
    said = by.local if isinstance(by, Import) else by.owner.partition(INSIDE)[0]
    inner = _modules(context.facts, said if isinstance(by, Import) else f"{said}.")
    around = list(_outwards(view, RustModule(context.path, inner)))
    is_known = around[-1] == crate_root(view, context.path) and within is not None
    return not is_known or within in around or _is_part_of_both(view, it.path, context.path)


def _within(view: View, klass: RustModule, visibility: str) -> RustModule | None:
    if visibility == CRATE:
        root = crate_root(view, klass.path)
        # A file beside others that are crates of their own may be a module of one of them.
        return root if root is not None and posixpath.basename(root.path) in ROOTS else None
    return parent(view, klass) if visibility == SUPER else klass


def _modules(facts: Facts, symbol: str) -> tuple[str, ...]:
    """The modules of the file that it stands in."""
    modules = {each.symbol for each in facts.definitions if each.kind == MODULE and each.made}
    *outer, _ = symbol.split(".")
    depth = 0
    while depth < len(outer) and ".".join(outer[: depth + 1]) in modules:
        depth += 1
    return tuple(outer[:depth])


def _outwards(view: View, module: RustModule) -> Iterator[RustModule]:
    here: RustModule | None = module
    for _ in range(_DEEPEST):
        if here is None:
            return
        yield here
        here = parent(view, here)


def _is_part_of_both(view: View, *paths: str) -> bool:
    """Whether two crates take in the same files, as a library and a program of one folder may."""
    roots = [root for path in paths if (root := crate_root(view, path)) is not None]
    declared = [_declared(view.facts(root.path)) for root in dict.fromkeys(roots)]
    return len(declared) > 1 and not declared[0].isdisjoint(declared[1])


def _declared(facts: Facts | None) -> set[str]:
    return {each.symbol for each in (facts.definitions if facts else ()) if each.kind == MODULE and not each.made}


def through(view: View, site: DefinitionSite) -> Iterator[tuple[str, CallSite | Import]]:
    """Nobody, where another item of the name may be meant."""
    *inner, name = site.symbol.split(".")
    around, own = RustModule(site.path, tuple(inner)), view.facts(site.path)
    symbols = [each.symbol for each in own.definitions] if own is not None else []
    brought = [each.local for each in own.imports] if own is not None else []
    if [*symbols, *brought].count(site.symbol) != 1:
        return
    # A function may have the name of a module, and be one of all those that are brought along.
    has_all = ".".join((*inner, "*")) in brought
    for path, facts in view.holding([f"m{name}", f"c{name}"]):
        for by, said, parts in _paths(facts, name):
            is_last_free = has_all or (isinstance(by, CallSite) and site.symbol in symbols)
            upto = len(parts) - is_last_free
            steps = [number for number, part in enumerate(parts) if part == name and 0 < number < upto]
            if any(_is(view, RustModule(path, said), parts[:number], around) for number in steps):
                yield path, by


def _is(view: View, here: RustModule, parts: Sequence[str], wanted: RustModule) -> bool:
    """A name by itself may also be that of a crate."""
    found = resolved(view, here, parts).target
    is_free = found is None and len(parts) == 1
    return (crate_named(view, parts[0], here.path) if is_free else found) == wanted


def _paths(facts: Facts, name: str) -> Iterator[tuple[CallSite | Import, tuple[str, ...], Sequence[str]]]:
    """Those that say a name, each with the modules it is said in."""
    for each in facts.imports:
        if each.name == name or name in each.module:
            yield each, (), import_path(each)
    for call in facts.calls:
        if name in call.callee and "." in call.callee:
            yield call, modules_around(call), call.callee.split(".")
