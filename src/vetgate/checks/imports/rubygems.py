"""What `Gemfile`, its lock and gem specifications name, and what Ruby brings along."""

from __future__ import annotations

import re

from vetgate.source.disk_cache import listed, read

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
