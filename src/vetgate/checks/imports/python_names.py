"""Which modules a Python file may import: the standard library, the project, what it declares, what is installed."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.checks.imports.distributions import COMPANY, HOMES, MODULES
from vetgate.checks.imports.project_contents import index_of
from vetgate.checks.imports.python_manifests import declared, normal
from vetgate.source.disk_cache import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

_GONE = "distutils imp asyncore asynchat smtpd binhex formatter parser symbol macpath compression annotationlib"
_ALWAYS = "__main__ setuptools pkg_resources pip wheel _typeshed cython typing_extensions packaging"
# Modules that a host program brings along.
_HOSTED = """
bpy bmesh mathutils maya pymel hou nuke unreal unreal_engine gdb lldb idaapi idautils idc ghidra sublime
sublime_plugin vim weechat xbmc xbmcgui xbmcplugin xbmcaddon xbmcvfs arcpy clr System Microsoft java javax org com
jarray js pyodide machine network utime ujson uos board busio digitalio micropython esp RPi apt apt_pkg dbus rpm gi
cairo uno FreeCAD FreeCADGui Part awsglue pyspark dbutils google site_customize sitecustomize usercustomize psi4
rhinoscriptsyntax Rhino scriptcontext qgis PyQt5 PyQt6 PySide2 PySide6 mitmproxy hexchat gimpfu inkex renpy
substance_painter fusion adsk c4d houdini mobase
"""
STANDARD = sys.stdlib_module_names | frozenset(_GONE.split())
_KNOWN = STANDARD | frozenset(f"{_ALWAYS} {_HOSTED}".split())
_ENVIRONMENTS = (".venv", "venv", "env", ".env", "virtualenv")
_SOURCES = ("src", "lib", "python", "app", "apps", "packages", "source", "backend", "server", "api", "scripts", "tools")
# What a distribution's name has more, or less, than the module that comes with it.
_AFFIXES = (
    "python",
    "py",
    "django",
    "flask",
    "lib",
    "sdk",
    "client",
    "api",
    "core",
    "stubs",
    "types",
    "binary",
    "2",
    "3",
)


@dataclass(frozen=True, slots=True)
class PythonNames:
    """As the file at hand sees them; `folders` go up from its own to the root."""

    folders: tuple[str, ...]
    root: str
    named: frozenset[str]

    def knows(self, module: str) -> bool:
        return (
            module in _KNOWN
            or self._is_near(module)
            or self._is_installed(module)
            or comes_with(module, self.named)
            or any(_holds(listed(f"{folder}/{name}"), module) for folder, name in self._sources())
        )

    def is_elsewhere(self, module: str) -> bool:
        """Whether any other part of the project knows it, which takes longer to find out."""
        index = index_of(self.root) if self.root else None
        if index is None:
            return False
        if module in index.modules or not index.whole:
            return True
        return any(comes_with(module, declared(folder) or frozenset()) for folder in index.manifests)

    def misnamed(self, module: str) -> str:
        """The modules of a declared distribution that is itself called like what was written; "" if it may be so."""
        modules = MODULES.get(normal(module), frozenset())
        if not modules or module in modules or module in _KNOWN or self._is_near(module) or self._is_installed(module):
            return ""
        return min(modules, key=lambda name: (len(name), name))

    def all(self) -> Iterator[str]:
        """What a slip may have meant."""
        yield from (name for name in STANDARD if not name.startswith("_"))
        for folder in self.folders:
            yield from (name.partition(".")[0] for name in listed(folder) if name.endswith(".py") or "." not in name)
        for name in self.named:
            yield from MODULES.get(name, (name.replace("-", "_"),))
        for place in self._site_packages():
            yield from _modules(listed(place))

    def _is_near(self, module: str) -> bool:
        return any(_holds(listed(folder), module) for folder in self.folders)

    def _is_installed(self, module: str) -> bool:
        return any(module in _modules(listed(place)) for place in self._site_packages())

    def _sources(self) -> Iterator[tuple[str, str]]:
        for folder in self.folders:
            names = listed(folder)
            yield from ((folder, name) for name in _SOURCES if name in names)

    def _site_packages(self) -> Iterator[str]:
        for folder in self.folders:
            names = listed(folder)
            for name in _ENVIRONMENTS:
                if name in names and "pyvenv.cfg" in listed(f"{folder}/{name}"):
                    library = f"{folder}/{name}/lib"
                    yield from (f"{library}/{each}/site-packages" for each in listed(library))
                    yield f"{folder}/{name}/Lib/site-packages"


def comes_with(module: str, named: frozenset[str]) -> bool:
    """Whether one of the distributions may bring the module along, as far as names tell."""
    plain = normal(module)
    if plain in named or any(home in named for home in HOMES.get(module, ())):
        return True
    if any(module in COMPANY[name] for name in COMPANY.keys() & named):
        return True
    return plain.replace("-", "") in _alike(named)


@lru_cache(maxsize=64)
def _alike(named: frozenset[str]) -> frozenset[str]:
    """What modules may be called: a run of a distribution's words, give or take `py`, `django` and the like."""
    found: set[str] = set()
    for name in named:
        words = name.split("-")
        found.update(
            "".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)
        )
    for run in tuple(found):
        for affix in _AFFIXES:
            found.update((f"{affix}{run}", f"{run}{affix}", run.removeprefix(affix), run.removesuffix(affix)))
    return frozenset(found)


def _holds(names: frozenset[str], module: str) -> bool:
    return module in names or f"{module}.py" in names or f"{module}.pyi" in names or f"{module}.pyx" in names


@lru_cache(maxsize=64)
def _modules(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.partition(".")[0].partition("-")[0] for name in names)
