"""Which file an import means: Python's packages, JavaScript's paths, aliases and packages, Go's folders."""

from __future__ import annotations

import json
import posixpath
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.view import View


_SOURCE_FOLDERS = ("", "src", "lib", "python")
_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts")
_WRITTEN = {".js": (".ts", ".tsx", ".js"), ".jsx": (".tsx", ".jsx"), ".mjs": (".mts", ".mjs"), ".cjs": (".cts", ".cjs")}
_EXTENDED = 8
_ENTRIES = ("types", "module", "main")
_CONDITIONS = ("source", "types", "import", "module", "default", "require", "node")
_REMARK = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_COMMA = re.compile(r",(\s*[}\]])")


def python_file(view: View, importer: str, module: str) -> str | None:
    name = module.lstrip(".")
    dots = len(module) - len(name)
    inside = name.replace(".", "/")
    if dots:
        folder = importer
        for _ in range(dots):
            folder = posixpath.dirname(folder)
        return _python_at(view, posixpath.join(folder, inside).rstrip("/"))
    if name.partition(".")[0] in sys.stdlib_module_names:
        return None
    homes = dict.fromkeys((_source_folder(view, importer), *_SOURCE_FOLDERS, *_homes_around(view, importer)))
    return next(filter(None, (_python_at(view, posixpath.join(home, inside)) for home in homes)), None)


def _homes_around(view: View, importer: str) -> Iterator[str]:
    """`packages/a/src` for `packages/a/tests/test_a.py`; not a package itself, whose modules have longer names."""
    folder = posixpath.dirname(importer)
    while folder:
        yield f"{folder}/src"
        if not view.exists(f"{folder}/__init__.py"):
            yield folder
        folder = posixpath.dirname(folder)


def _python_at(view: View, place: str) -> str | None:
    named = (f"{place}/__init__.py", f"{place}.py", f"{place}.pyi") if place else ("__init__.py",)
    return next(filter(view.exists, named), None)


def _source_folder(view: View, path: str) -> str:
    """Where the outermost package around a file lies."""
    folder = posixpath.dirname(path)
    while folder and view.exists(f"{folder}/__init__.py"):
        folder = posixpath.dirname(folder)
    return folder


def script_file(view: View, importer: str, module: str) -> str | None:
    if module.startswith("."):
        place = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        return None if place.startswith("..") else _script_at(view, place)
    for place in (*_aliased(view, importer, module), *_own_imports(view, importer, module)):
        if found := _script_at(view, place):
            return found
    return _package_file(view, module)


def _script_at(view: View, place: str) -> str | None:
    place = "" if place == "." else place
    stem, ending = posixpath.splitext(place)
    written = [f"{stem}{each}" for each in _WRITTEN.get(ending, ())]
    folder = [f"{place}/index{each}" if place else f"index{each}" for each in _ENDINGS]
    exact = [place] if ending in _ENDINGS else []
    return next(filter(view.exists, (*exact, *written, *(f"{place}{each}" for each in _ENDINGS), *folder)), None)


def _aliased(view: View, importer: str, module: str) -> Iterator[str]:
    """Where `paths` and `baseUrl` of the nearest tsconfig.json say that it is."""
    for file in _nearest(view, importer, ("tsconfig.json", "jsconfig.json")):
        options = _compiler_options(view.root, file)
        for pattern, targets in options.paths:
            head, star, tail = pattern.partition("*")
            if (star and module.startswith(head) and module.endswith(tail)) or module == pattern:
                middle = module[len(head) : len(module) - len(tail)] if star else ""
                yield from (
                    posixpath.normpath(posixpath.join(options.base, each.replace("*", middle))) for each in targets
                )
        if options.has_base:
            yield posixpath.normpath(posixpath.join(options.base, module))


def _own_imports(view: View, importer: str, module: str) -> Iterator[str]:
    """`#name`, as the package around says."""
    for file in _nearest(view, importer, ("package.json",)) if module.startswith("#") else ():
        listed = _json(view.root, file).get("imports")
        targets = _targets(listed.get(module)) if isinstance(listed, dict) else iter(())
        yield from (posixpath.normpath(posixpath.join(posixpath.dirname(file), each)) for each in targets)


def _nearest(view: View, path: str, names: tuple[str, ...]) -> list[str]:
    """The one of these manifests that lies nearest around a file, if there is one."""
    around = [each for each in view.manifests(names) if path.startswith(_prefix(posixpath.dirname(each)))]
    return sorted(around, key=len, reverse=True)[:1]


def alias_names(view: View, path: str) -> Iterator[str]:
    """What a module may be called that is not in its path: aliases without a star, and the name of its package."""
    if path.endswith(".go"):
        yield from filter(None, (_go_module(view.root, file) for file in _nearest(view, path, ("go.mod",))))
        return
    for file in _nearest(view, path, ("package.json",)):
        content = _json(view.root, file)
        listed = content.get("imports")
        yield from (str(name) for name in (content.get("name"), *(listed if isinstance(listed, dict) else ())) if name)
    for file in view.manifests(("tsconfig.json", "jsconfig.json")):
        yield from (pattern for pattern, _ in _compiler_options(view.root, file).paths if "*" not in pattern)


class _Options(NamedTuple):
    base: str
    has_base: bool
    paths: tuple[tuple[str, tuple[str, ...]], ...]


def _compiler_options(root: str, file: str) -> _Options:
    """Of the file, of one that it extends, or of one that it refers to."""
    pending = [file]
    for _ in range(_EXTENDED):
        if not pending:
            break
        here = pending.pop(0)
        content, folder = _json(root, here), posixpath.dirname(here)
        options = content.get("compilerOptions")
        if isinstance(options, dict) and options.keys() & {"paths", "baseUrl"}:
            return _options(options, folder)
        pending += [posixpath.normpath(posixpath.join(folder, each)) for each in _further(content)]
    return _Options(posixpath.dirname(file), has_base=False, paths=())


def _further(content: dict[str, Any]) -> Iterator[str]:
    extends, references = content.get("extends"), content.get("references")
    extended = extends if isinstance(extends, list) else [extends]
    yield from (f"{each.removesuffix('.json')}.json" for each in extended if isinstance(each, str) and each[:1] == ".")
    for each in references if isinstance(references, list) else ():
        path = each.get("path") if isinstance(each, dict) else None
        if isinstance(path, str):
            yield path if path.endswith(".json") else f"{path}/tsconfig.json"


def _options(options: dict[str, Any], folder: str) -> _Options:
    base, paths = options.get("baseUrl"), options.get("paths")
    listed = paths.items() if isinstance(paths, dict) else ()
    read = tuple((str(name), tuple(map(str, each))) for name, each in listed if isinstance(each, list))
    return _Options(posixpath.join(folder, base) if isinstance(base, str) else folder, isinstance(base, str), read)


def _package_file(view: View, module: str) -> str | None:
    """Of a package that lies in the same repository: what its manifest says is its entry, or the usual places."""
    parts = module.split("/")
    name = "/".join(parts[:2] if module.startswith("@") else parts[:1])
    rest = module[len(name) :].strip("/")
    for file in view.manifests(("package.json",)):
        content = _json(view.root, file)
        if content.get("name") != name:
            continue
        folder = posixpath.dirname(file)
        for entry in _entries(content, rest):
            if found := _script_at(view, posixpath.normpath(posixpath.join(folder, entry))):
                return found
    return None


def _entries(content: dict[str, Any], rest: str) -> Iterator[str]:
    exports = content.get("exports")
    wanted = f"./{rest}" if rest else "."
    if isinstance(exports, dict):
        yield from _targets(exports.get(wanted, exports if not rest else None))
    elif isinstance(exports, str) and not rest:
        yield exports
    if rest:
        yield from (rest, f"src/{rest}")
        return
    yield from (content[key] for key in _ENTRIES if isinstance(content.get(key), str))
    yield from ("src", ".")


def _targets(value: Any) -> Iterator[str]:
    pending = [value]
    while pending:
        here = pending.pop(0)
        if isinstance(here, str):
            yield here
        elif isinstance(here, dict):
            pending += [here[key] for key in _CONDITIONS if key in here]


def go_folder(view: View, module: str) -> str | None:
    """Where a package of Go lies; None for one of another module, be its name a part of that of the project's."""
    named = _go_modules(view)
    around = max((name for name in named if name and _is_within(module, name)), key=len, default="")
    if not around or _is_required(view.root, named[around], module, around):
        return None
    return posixpath.join(posixpath.dirname(named[around]), module[len(around) :].strip("/"))


def _go_modules(view: View) -> dict[str, str]:
    """The manifests of the project by what they name, read once for all that ask."""
    manifests = view.manifests(("go.mod",))
    return view.once(("go modules",), lambda: {_go_module(view.root, file): file for file in reversed(manifests)})


def _is_within(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}/")


def _is_required(root: str, file: str, module: str, name: str) -> bool:
    """Whether it is part of a module that the manifest has from elsewhere: one that once was a folder here."""
    listed = re.findall(rf"^\s*(?:require\s+)?({re.escape(name)}/\S+)\s+v\d", _text(root, file), re.MULTILINE)
    return any(_is_within(module, each) for each in listed)


def go_manifest(view: View, path: str) -> str:
    """The go.mod of the module that a file is part of."""
    return next(iter(_nearest(view, path, ("go.mod",))), "")


def _go_module(root: str, file: str) -> str:
    found = re.search(r"^module\s+(\S+)", _text(root, file), re.MULTILINE)
    return found[1].strip('"') if found else ""


def _prefix(folder: str) -> str:
    return f"{folder}/" if folder else ""


def _json(root: str, file: str) -> dict[str, Any]:
    return _parsed(_text(root, file))


@lru_cache(maxsize=64)
def _parsed(text: str) -> dict[str, Any]:
    """JSON as these files are written: with remarks, and with commas at the end."""
    try:
        content = json.loads(_COMMA.sub(r"\1", _REMARK.sub(lambda it: it[1] or "", text)))
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _text(root: str, file: str) -> str:
    try:
        return (Path(root) / file).read_text("utf-8", "replace")
    except OSError:
        return ""


_MENTIONED = expression(r"^[ \t]*__all__\b", re.MULTILINE)
_LIST = expression(r"^__all__\s*(?::[^=\n]*)?=\s*(?P<items>[\[(](?:[^\[\]()]*)[\])])[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_NAME = expression(r"[\"'](\w+)[\"']")


def is_star_exported(view: View, module: str, name: str) -> bool:
    """Where nobody can tell what is listed, it is."""
    text = view.text(module)
    if not _MENTIONED.search(text):
        return not name.startswith("_")
    listed = _LIST.search(text)
    is_whole = listed is not None and len(_MENTIONED.findall(text)) == 1
    return not is_whole or listed is None or name in _NAME.findall(listed["items"])
