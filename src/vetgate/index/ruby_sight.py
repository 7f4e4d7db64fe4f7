"""What Ruby keeps to itself: class methods, `new` and constants that a class says are private; and who may use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import Import
from vetgate.index.place import NEW
from vetgate.index.reach import PRIVATE
from vetgate.index.reading import CLASS
from vetgate.index.ruby import OF_CLASS
from vetgate.index.ruby_calls import INHERITED, ITSELF, OBJECT
from vetgate.index.ruby_names import OF_CLASSES, class_side, named_home

if TYPE_CHECKING:
    from vetgate.index.classes import Here
    from vetgate.index.facts import Call
    from vetgate.index.lineage import Home
    from vetgate.index.view import View

_MISSING = f"{OF_CLASS}.method_missing"


def sees(view: View, it: Home, here: Here, by: Call | Import) -> bool:
    """Whether what is said there may mean this; so it may, where nobody can tell."""
    if it.definition.reach != PRIVATE or isinstance(by, Import):
        return True
    head = by.callee.removeprefix(NEW).partition(".")[0]
    if it.definition.kind == CLASS:
        # Said with what it stands in, it is out of sight even there.
        return "::" not in head.lstrip(":")
    home = named_home(view, here.owner, head) if head not in {OBJECT, ITSELF, INHERITED} else None
    owner = it.definition.symbol.removesuffix(f".{it.definition.name}").removesuffix(f".{OF_CLASS}")
    # An heir may say otherwise of its own.
    if home is None or home.definition.symbol != owner:
        return True
    missing = OF_CLASSES.member(view, class_side(home), _MISSING)
    return missing.place is not None or not missing.sure
