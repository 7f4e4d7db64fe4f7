"""Where a function or class that is gone is still spoken of: in its own file, and by way of its module elsewhere."""

from __future__ import annotations

import builtins
import posixpath
from typing import TYPE_CHECKING

from vetgate.index.offers import is_beside, offers
from vetgate.index.resolve import SCRIPTS, imported
from vetgate.index.users import Site, importers
from vetgate.index.values import uses
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.facts import Definition, Facts
    from vetgate.index.resolve import Place
    from vetgate.index.view import View
    from vetgate.model import File

# A module that more files import than these is not looked for in all of them.
_MOST = 300
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


def used_here(view: View, file: File, gone: Definition, after: Facts) -> Iterator[Site]:
    """In the file that had it."""
    symbol, language = gone.symbol, language_of(file.path) or ""
    if file.after is None or _is_given(symbol, language) or not _is_gone(view, file, symbol, after):
        return
    called = [call.line for call in after.calls if call.callee.removeprefix("new ") == symbol]
    spoken = uses(Source(file.path, file.after, language_of(file.path)), symbol) if "." not in symbol else []
    yield from (Site(file.path, line, None) for line in dict.fromkeys(sorted((*called, *spoken))))


def _is_given(symbol: str, language: str) -> bool:
    return symbol in (_SCRIPT_GIVEN if language in SCRIPTS else _GIVEN.get(language, frozenset()))


def _is_gone(view: View, file: File, symbol: str, after: Facts) -> bool:
    language = language_of(file.path)
    if language in SCRIPTS:
        # What is no module may have it from another script of the page.
        return bool(after.imports or after.exports)
    if language == "go":
        return not is_beside(view, file.path, symbol)
    return not offers(view, file.path, symbol)


def used_elsewhere(before: View, view: View, place: Place) -> Iterator[Site]:
    """As a name of its module, in whichever file has imported that as a whole; in Go in the files beside it as well."""
    if "." in place.symbol or _is_offered(view, place):
        return
    for path, facts in view.beside(place.path) if language_of(place.path) == "go" else ():
        if path != place.path and place.symbol not in facts.bound:
            yield from _spoken_of(view, path, place.symbol)
    found = list(importers(before, [place.path], most=_MOST + 1))
    for path, facts in found if len(found) <= _MOST else ():
        if path != place.path:
            for local in _whole(before, path, facts, place):
                yield from _spoken_of(view, path, f"{local}.{place.symbol}")


def _whole(view: View, path: str, facts: Facts, place: Place) -> Iterator[str]:
    """What a file calls the module that it has imported as a whole."""
    for each in facts.imports:
        target = None if each.guarded or each.local in facts.bound else imported(view, path, each)
        if target is not None and not target.symbol and _is_module(target, place):
            yield each.local


def _is_offered(view: View, place: Place) -> bool:
    if language_of(place.path) == "go":
        return is_beside(view, place.path, place.symbol)
    return offers(view, place.path, place.symbol)


def _is_module(target: Place, place: Place) -> bool:
    if language_of(place.path) == "go":
        return posixpath.dirname(target.path) == posixpath.dirname(place.path)
    return target.path == place.path


def _spoken_of(view: View, path: str, name: str) -> Iterator[Site]:
    lines = uses(Source(path, view.text(path), language_of(path)), name)
    yield from (Site(path, line, None) for line in lines)
