"""Who may use a method of PHP that is not public."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.facts import Import, full_name
from vetgate.index.php_names import LINEAGE, MAGIC, class_name, home_of, named_class, receiver
from vetgate.index.reach import PRIVATE
from vetgate.index.reading import UNNAMED

if TYPE_CHECKING:
    from vetgate.index.classes import Here
    from vetgate.index.facts import Call
    from vetgate.index.lineage import Home
    from vetgate.index.view import View

# What is written in these is done by whoever takes them in.
_MIXED_IN = frozenset({"trait", "interface"})
_INCLUDES = expression(r"\b(?:include|require)(?:_once)?\b")
_DEEPEST = 8


def sees(view: View, it: Home, here: Here, by: Call | Import) -> bool:
    """Whether what is said there may mean this; so it may, where nobody can tell."""
    if not it.definition.reach or isinstance(by, Import):
        return True
    home = home_of(it.path, it.facts, it.definition.symbol.rpartition(".")[0])
    if home is None or home.definition.made in _MIXED_IN or _is_answered(view, here, by):
        return True
    if not here.owner:
        return _may_be_included(view, home, here, it.definition.reach)
    user = home_of(here.path, here.facts, here.owner)
    if user is None or UNNAMED in here.owner or user.definition.made in _MIXED_IN:
        return True
    if it.definition.reach == PRIVATE:
        return (user.path, user.definition.symbol) == (home.path, home.definition.symbol)
    return not _kin(view, user).isdisjoint(_kin(view, home))


def _is_answered(view: View, here: Here, call: Call) -> bool:
    """Whether `__call` may take what nobody else may."""
    asked = receiver(view, here.path, here.facts, call)
    answers = [LINEAGE.member(view, asked, name) for name in MAGIC] if asked is not None else []
    return not answers or any(each.place is not None or not each.sure for each in answers)


def _may_be_included(view: View, home: Home, here: Here, reach: str) -> bool:
    """What a method includes is part of it; what defines something of its own is not written for that."""
    if here.facts.definitions:
        return False
    return reach != PRIVATE or bool(_INCLUDES.search(view.text(home.path)))


def _kin(view: View, home: Home, depth: int = 0) -> frozenset[str]:
    """The class and all its ancestors, as far as they are known."""
    found = {full_name(home.facts.space, home.definition.symbol)}
    for base in home.definition.bases if depth <= _DEEPEST else ():
        name = class_name(home.facts, base)
        above = named_class(view, name) if base != "?" else None
        found.update({name} - {"?"}, _kin(view, above, depth + 1) if above is not None else ())
    return frozenset(found)
