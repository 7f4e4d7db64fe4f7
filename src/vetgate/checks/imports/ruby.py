"""What Ruby requires, and whether a gem that `Gemfile` or its lock name, Ruby itself or the project brings it.

A feature is found by its path, so without a lock file nobody knows what the gems that are named bring along: then only
a slip is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.imports.misspellings import is_slip, nearest
from vetgate.checks.imports.unknown_imports import (
    MISTYPED,
    UnknownImport,
    folders,
    index_of,
    is_aside,
    known_in,
    mistyped,
    resembles,
    statement_at,
    unknown_package,
)
from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Source, Syntax

_GEM = re.compile(
    r"""^\s*(?:\w+\.)?(?:gem|add_(?:runtime_|development_)?dependency)\b[\s(]*["']([\w.-]+)["']""", re.MULTILINE
)
_NAME = re.compile(r"""^\s*\w+\.name\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)
_LOCKED = re.compile(r"^ {4,6}([\w.-]+)(?: \(|!?$)", re.MULTILINE)
STANDARD = frozenset(
    """English abbrev base64 benchmark bigdecimal bundled_gems bundler cgi complex continuation coverage csv date
    dbm debug delegate did_you_mean digest drb enumerator erb error_highlight etc expect fcntl fiber fiddle
    fileutils find forwardable gdbm getoptlong io ipaddr irb java jruby json kconv logger matrix minitest mkmf
    monitor mutex_m net nkf objspace observer open-uri open3 openssl optionparser optparse ostruct pathname
    power_assert pp prettyprint prime prism profile profiler pstore psych pty racc rake random rational rbconfig
    rbs rdoc readline reline resolv resolv-replace rexml rinda ripper rss ruby2_keywords rubygems ruby_vm
    securerandom set shellwords singleton socket sorted_set stringio strscan sync syntax_suggest syslog tempfile
    test thread thwait time timeout tmpdir tracer tsort typeprof un unicode_normalize uri weakref webrick win32
    win32ole xmlrpc yaml yard zlib""".split()
)
# Gems whose features are called otherwise than themselves.
_BRINGS = {
    "rails": "active_support active_record active_model active_job active_storage action_controller action_dispatch "
    "action_view action_mailer action_cable action_pack abstract_controller rails sprockets",
    "actionpack": "action_controller action_dispatch abstract_controller",
    "activerecord": "arel",
    "railties": "rails",
    "eventmachine": "em",
    "rubyzip": "zip",
    "ruby-saml": "onelogin",
    "debugger": "ruby-debug",
    "guard": "guard",
}


def gems(folder: str) -> frozenset[str] | None:
    """None where nothing says which gems there are."""
    there = listed(folder)
    specifications = [name for name in there if name.endswith(".gemspec")]
    if "Gemfile" not in there and not specifications:
        return None
    parts = [read(f"{folder}/{name}", _declared) or frozenset() for name in ("Gemfile", *specifications)]
    return frozenset().union(*parts, locked(folder))


def locked(folder: str) -> frozenset[str]:
    """All gems, those that others bring along included."""
    return read(f"{folder}/Gemfile.lock", _in_lock) or frozenset()


def _declared(text: str) -> frozenset[str]:
    return _with_brought({*_GEM.findall(text), *_NAME.findall(text)})


def _in_lock(text: str) -> frozenset[str]:
    return _with_brought(set(_LOCKED.findall(text)))


def _with_brought(names: set[str]) -> frozenset[str]:
    return frozenset(names.union(*(_BRINGS.get(name, "").split() for name in names)))


_REQUIRED = re.compile(rb"""^[ \t]*require[ \t(]+["']([\w-][\w./-]*)["']""", re.MULTILINE)
# Whatever is required elsewhere than here is required only where it works.
_PLAIN = frozenset({"program", "class", "module", "body_statement"})
_LOAD_PATH = re.compile(rb"\$:|\$LOAD_PATH|\$LOADED_FEATURES")


def unknown(source: Source, syntax: Syntax, *, is_test: bool) -> Iterator[UnknownImport]:
    if source.root is None or b"require" not in syntax.data or _LOAD_PATH.search(syntax.data):
        return
    above = folders(str(source.root), source.path)
    known = known_in(above, gems)
    if known is None:
        return
    sure_only = is_test or is_aside(source.path) or not any(locked(folder) for folder in above)
    for feature, node in _unaccounted(syntax, known):
        found = _found(feature, node, known)
        if (found.rule == MISTYPED or not sure_only) and not _is_elsewhere(str(source.root), _first(feature)):
            yield found


def _unaccounted(syntax: Syntax, known: frozenset[str]) -> Iterator[tuple[str, Node]]:
    seen = set(STANDARD)
    for match in _REQUIRED.finditer(syntax.data):
        feature = match[1].decode()
        first = _first(feature)
        if first in seen or resembles(first, known):
            continue
        seen.add(first)
        node = _statement(syntax, match.start(1))
        if node is not None:
            yield feature, node


def _first(feature: str) -> str:
    return feature.partition("/")[0].removesuffix(".rb")


def _statement(syntax: Syntax, offset: int) -> Node | None:
    node = statement_at(syntax, offset, "call")
    above = node.parent if node is not None else None
    while above is not None:
        if above.type not in _PLAIN:
            return None
        above = above.parent
    return node


def _is_elsewhere(root: str, name: str) -> bool:
    index = index_of(root)
    return (
        not index.whole
        or name in index.modules
        or any(resembles(name, gems(folder) or ()) for folder in index.manifests)
    )


def _found(feature: str, node: Node, known: frozenset[str]) -> UnknownImport:
    first = _first(feature)
    near = nearest(first, known | STANDARD)
    if near and is_slip(first, near):
        return mistyped(feature, node, near, "gem or file", said=first, verb="Require")
    message = f"`{feature}` is unknown: it is in neither Ruby, this project, its `Gemfile` nor the lock file."
    return unknown_package(feature, node, near, message, ("gem", "the `Gemfile`"))
