"""The distributions that Python manifests and lock files name. Generous: one too few would be told wrongly."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)")
_SEPARATORS = re.compile(r"[-_.]+")
_QUOTED = re.compile(r"""["']([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]\n]*\])?\s*(?:[<>=!~;@ ][^"'\n]*)?["']""")
_LINE = re.compile(r"^[ \t-]*([A-Za-z0-9][A-Za-z0-9._-]*)", re.MULTILINE)
_EGG = re.compile(r"#egg=([A-Za-z0-9._-]+)|/([A-Za-z0-9._-]+?)(?:\.git)?(?:@[^/\s]*)?\s*$")
_LOCKED = re.compile(r'^name = "([^"]+)"', re.MULTILINE)
_INLINE = re.compile(rb"^# /// script\s*$(?P<body>(?:\r?\n#[^\n]*)*?)\r?\n# ///\s*$", re.MULTILINE)
_REQUIREMENTS = re.compile(r"(?i)(?:^|[-_.])requirements?\b.*\.(?:txt|in|pip)$|^constraints.*\.txt$|^requirements$")
# Keys under which a table or a list names distributions, whoever's table it is: poetry's, pdm's, hatch's, uv's.
_TELLING = ("dependencies", "requires", "dependency-groups", "packages", "dev-packages")


def normal(name: str) -> str:
    return _SEPARATORS.sub("-", name).lower()


def declared(folder: str) -> frozenset[str] | None:
    """What the manifests in a folder name; None where none of them says what the project depends on."""
    found: frozenset[str] | None = None
    for name, parse in _manifests(listed(folder)):
        path = f"{folder}/{name}"
        names = _all_of(path) if name == "requirements" else read(path, parse)
        if names is not None:
            found = names if found is None else found | names
    return found


def inline(data: bytes) -> frozenset[str] | None:
    """What a script says of itself in a comment."""
    block = _INLINE.search(data) if b"# /// script" in data else None
    if block is None:
        return None
    text = "\n".join(line[1:] for line in block["body"].decode("utf-8", "replace").splitlines())
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    return frozenset(map(normal, _named(table)))


@lru_cache(maxsize=1024)
def _manifests(names: frozenset[str]) -> tuple[tuple[str, Callable[[str], frozenset[str] | None]], ...]:
    return tuple((name, parse) for name in names if (parse := _parser(name)) is not None)


def _parser(name: str) -> Callable[[str], frozenset[str] | None] | None:
    if name in _PARSERS:
        return _PARSERS[name]
    if _REQUIREMENTS.search(name):
        return _requirements
    return None


def _all_of(folder: str) -> frozenset[str] | None:
    """The files of a folder `requirements`."""
    found = [read(path, _requirements) for path in _texts(folder)]
    return frozenset().union(*(names for names in found if names is not None)) if found else None


def _texts(folder: str) -> Iterator[str]:
    for name in listed(folder):
        path = f"{folder}/{name}"
        below = () if "." in name else listed(path)
        yield from (f"{path}/{each}" for each in below if each.endswith((".txt", ".in")))
        if name.endswith((".txt", ".in")):
            yield path


def _requirements(text: str) -> frozenset[str]:
    found = set()
    for line in text.splitlines():
        bare = line.partition(" #")[0].strip()
        if bare.startswith(("-e", "--editable", "git+", "http://", "https://", "./", "../", "/")):
            egg = _EGG.search(bare)
            found |= {normal(egg[1] or egg[2])} if egg else set()
        elif bare[:1] not in {"#", "-"} and (name := _NAME.match(bare)):
            found.add(normal(name[1]))
    return frozenset(found)


def _pyproject(text: str) -> frozenset[str] | None:
    table = tomllib.loads(text)
    project, tools = table.get("project"), table.get("tool", {})
    names = set(map(normal, _named(table)))
    build = set(map(normal, _named(table.get("build-system", {}))))
    own = [each.get("name") for each in (project, tools.get("poetry")) if isinstance(each, dict)]
    names |= {normal(each) for each in own if isinstance(each, str)}
    says = isinstance(project, dict) and "dependencies" not in project.get("dynamic", ())
    return frozenset(names) if says or "poetry" in tools or names - build - set(own) else None


def _pipfile(text: str) -> frozenset[str]:
    return frozenset(map(normal, _named(tomllib.loads(text))))


def _named(table: Any) -> Iterator[str]:
    """Every name in a list, or key of a table, below a key that tells of dependencies."""
    pending: list[tuple[Any, bool]] = [(table, False)]
    while pending:
        here, tells = pending.pop()
        if isinstance(here, dict):
            yield from here if tells else ()
            pending += [(value, tells or key.endswith(_TELLING)) for key, value in here.items()]
        elif isinstance(here, list):
            pending += [(each, tells) for each in here]
        elif tells and isinstance(here, str) and (name := _NAME.match(here)):
            yield name[1]


def _quoted(text: str) -> frozenset[str] | None:
    return frozenset(map(normal, _QUOTED.findall(text))) or None


def _lines(text: str) -> frozenset[str] | None:
    return frozenset(map(normal, _LINE.findall(text))) or None


def _locked(text: str) -> frozenset[str]:
    return frozenset(map(normal, _LOCKED.findall(text)))


_PARSERS: dict[str, Callable[[str], frozenset[str] | None]] = {
    "pyproject.toml": _pyproject,
    "requirements": _requirements,
    "Pipfile": _pipfile,
    "Pipfile.lock": _quoted,
    "uv.lock": _locked,
    "poetry.lock": _locked,
    "pdm.lock": _locked,
    "pylock.toml": _locked,
    "setup.py": _quoted,
    "setup.cfg": _lines,
    "tox.ini": _lines,
    "noxfile.py": _quoted,
    "environment.yml": _lines,
    "environment.yaml": _lines,
}
