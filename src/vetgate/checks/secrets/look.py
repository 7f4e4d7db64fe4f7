"""One source looked at for secrets, with its tree where it has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.secrets.fold import all_pairs
from vetgate.checks.secrets.literals import VISITOR
from vetgate.checks.secrets.places import place_of
from vetgate.checks.secrets.readers import pairs_in
from vetgate.checks.secrets.scan import Asked, scan_shapes, scan_text
from vetgate.checks.secrets.veil import Veil, veil_over
from vetgate.source.deadline import Deadline
from vetgate.source.language import LANGUAGES
from vetgate.source.syntax import Syntax, parse
from vetgate.source.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.checks.secrets.literals import Noted
    from vetgate.checks.secrets.match import Pair
    from vetgate.source.syntax import Source

BOM = "\ufeff"
_SECONDS = 1.0


def pairs_of(noted: Noted | None) -> tuple[Pair, ...] | None:
    """From the tree; None where there is none, so that lines are read."""
    return all_pairs(noted) if noted is not None else None


def veil_of(source: Source) -> Veil:
    """Whatever a gate asks for, and however a rule is weighed: no secret is shown."""
    text = source.text.removeprefix(BOM)
    if source.shapes_only:
        return veil_over(list(scan_shapes("", text, Asked(most=0)).matches), ())
    noted = _walked(source)
    pairs = pairs_of(noted)
    if pairs is None and source.path and place_of(source.path).prose:
        # Nobody objects to a name and a value in prose; shown they are not.
        return veil_over(scan_text("", text), ())
    if pairs is None:
        pairs = tuple(pairs_in(source.path, text.encode("utf-8", "replace"))) if source.path else ()
    # By no path: what stands in an example is hidden as well, there is no harm in it.
    veil = veil_over(scan_text("", text, Asked(pairs=pairs, generic=False, views=noted is None)), pairs)
    if not source.beside:
        return veil
    beside = veil_over(scan_text(source.path, source.beside, Asked(bar="low")), ())
    return Veil(veil.spans, tuple(sorted({*veil.values, *beside.values}, key=len, reverse=True)))


def hidden_in(source: Source) -> Callable[[str], str]:
    return veil_of(source).over_words


def veiled(source: Source) -> str:
    """The text as it may be shown: every line and column in its place."""
    return veil_of(source).over_text(source.text.removeprefix(BOM))


def _walked(source: Source) -> Noted | None:
    syntax = parse(source) if source.language in LANGUAGES else None
    if not isinstance(syntax, Syntax):
        return None
    (noted,) = walk(syntax, [VISITOR], Deadline.after(_SECONDS)).states
    return noted if isinstance(noted, VISITOR.begin) else None  # type: ignore[arg-type]
