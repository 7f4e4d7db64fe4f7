"""Where a function or class that is gone is still spoken of: in its own file, and by way of its module elsewhere."""

from __future__ import annotations

import builtins
import posixpath
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.index.exports import is_exported, is_in_folder
from vetgate.index.facts import DefinitionSite, last_part
from vetgate.index.references import NAMELESS, Reference, importers, module_words
from vetgate.index.resolve import SCRIPTS, imported
from vetgate.index.values import uses
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Definition, Facts
    from vetgate.index.view import View
    from vetgate.model import File

# A module that more files import than these is not looked for in all of them.
_MOST = 300
# So many places are enough to say: each of them costs a parse.
_ENOUGH = 10
# What a name means once nobody defines it any more.
_GIVEN = {
    "python": frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__"},
    "go": frozenset(
        """append cap clear close complex copy delete imag len make max min new panic print println real
        recover""".split()  # noqa: SIM905 - a list of names
    ),
}
_SCRIPT_GIVEN = frozenset(
    """Array Blob Boolean Buffer Date Error Event EventTarget File FormData Function Headers Image Intl Iterator JSON
    Map Math Node Number Object Promise Proxy Reflect RegExp Request Response Set String Symbol Text URL URLSearchParams
    WeakMap WeakRef WeakSet Worker AbortController AbortSignal BigInt Element HTMLElement TextDecoder TextEncoder
    WebSocket alert atob btoa cancelAnimationFrame clearInterval clearTimeout confirm console crypto document escape
    eval fetch global globalThis history isFinite isNaN localStorage location navigator parseFloat parseInt performance
    process prompt queueMicrotask requestAnimationFrame requestIdleCallback require self sessionStorage setImmediate
    setInterval setTimeout structuredClone unescape window describe it test expect beforeEach afterEach beforeAll
    afterAll jest vi""".split()  # noqa: SIM905 - a list of names
)


def used_here(view: View, file: File, gone: Definition, after: Facts) -> Iterator[Reference]:
    """In the file that had it."""
    symbol, language = gone.symbol, language_of(file.path) or ""
    if file.after is None or is_builtin(symbol, language) or not _is_gone(view, file, symbol, after):
        return
    called = [call.line for call in after.calls if call.callee.removeprefix("new ") == symbol]
    spoken = uses(Source(file.path, file.after, language_of(file.path)), symbol) if "." not in symbol else []
    yield from (Reference(file.path, line, None) for line in dict.fromkeys(sorted((*called, *spoken))))


def is_builtin(symbol: str, language: str) -> bool:
    return symbol in (_SCRIPT_GIVEN if language in SCRIPTS else _GIVEN.get(language, frozenset()))


def _is_gone(view: View, file: File, symbol: str, after: Facts) -> bool:
    language = language_of(file.path)
    if language in SCRIPTS:
        # What is no module may have it from another script of the page.
        return bool(after.imports or after.exports)
    if language == "go":
        return not is_in_folder(view, file.path, symbol)
    return not is_exported(view, file.path, symbol)


def used_elsewhere(sides: Sides, symbol: str) -> Iterator[Reference]:
    """As a name of its module, in whichever file has imported that as a whole; in Go in the files beside it as well."""
    view, path = sides.view, sides.old_path
    if "." in symbol or _is_exported(view, DefinitionSite(path, symbol)):
        return
    for other, facts in view.beside(path) if language_of(path) == "go" else ():
        if other != path and symbol not in facts.bound:
            yield from _spoken_of(view, other, symbol)
    found = (reference for other, local in wholes(sides) for reference in _spoken_of(view, other, f"{local}.{symbol}"))
    yield from islice(found, _ENOUGH)


def wholes(sides: Sides) -> Sequence[tuple[str, str]]:
    """The files that have imported the file as a whole, with what they call it: once for all names."""
    if sides.wholes is None:
        sides.wholes = list(_wholes(sides.earlier, sides.old_path))
    return sides.wholes


def _wholes(view: View, site: str) -> Iterator[tuple[str, str]]:
    found = list(importers(view, [site], most=_MOST + 1))
    words = {*NAMELESS, *module_words(view, site)}
    for path, facts in found if len(found) <= _MOST else ():
        near = [each for each in facts.imports if f"m{each.name or last_part(each.module)}" in words]
        for each in near if path != site else ():
            target = imported(view, path, each)
            is_whole = target is not None and not (target.symbol and each.name) and _is_module(target.path, site)
            if is_whole and not each.guarded and each.local not in facts.bound:
                yield path, each.local


def _is_exported(view: View, site: DefinitionSite) -> bool:
    if language_of(site.path) == "go":
        return is_in_folder(view, site.path, site.symbol)
    return is_exported(view, site.path, site.symbol)


def _is_module(target: str, site: str) -> bool:
    if language_of(site) == "go":
        return posixpath.dirname(target) == posixpath.dirname(site)
    return target == site


def _spoken_of(view: View, path: str, name: str) -> Iterator[Reference]:
    lines = uses(Source(path, view.text(path), language_of(path)), name)
    yield from (Reference(path, line, None) for line in lines)
