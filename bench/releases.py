"""Successive releases of well-kept packages as commits, one repository a package: what people changed, file by file."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tarfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin

from differential_corpus import CACHE, MissingError

from vetgate.source.git_process import run

FOLDER = CACHE / "releases"
_NODE = "https://registry.npmjs.org/{name}/-/{last}-{version}.tgz"
_PYTHON = "https://pypi.org/simple/{name}/"
# Packed by a tool, not written; the rest of an archive counts, with its tests and documents.
_BUILT = frozenset({"dist", "build", "cjs", "esm", "umd", "es6"})
_LARGEST = 1_000_000
_WHEN = "2026-01-01T00:00:00+0000"


@dataclass(frozen=True)
class Package:
    """`only` are the folders of the archive that people write in, where a tool writes beside them."""

    name: str
    versions: tuple[str, ...]
    only: str = ""

    @property
    def stamp(self) -> str:
        return " ".join((*self.versions, self.only))

    @property
    def folder(self) -> Path:
        return FOLDER / self.name.replace("/", "-").removeprefix("@")


def _packages(lines: str) -> tuple[Package, ...]:
    found = []
    for line in lines.strip().splitlines():
        name, versions, *only = line.split()
        found.append(Package(name, tuple(versions.split(",")), *only))
    return tuple(found)


NODE = _packages("""
ai 7.0.160,7.0.163,7.0.169 src
@reduxjs/toolkit 2.12.0,2.13.0,2.14.0 src
@tanstack/router-core 1.171.30,1.171.34,1.171.39 src
@tiptap/core 3.32.0,3.32.2,3.33.1 src
@trpc/server 11.19.0,11.22.1,11.23.0 src
chevrotain 13.0.0,13.1.0,13.2.0 src
effect 4.0.5,4.0.6,4.1.0 src
eslint 10.12.0,10.13.0,10.14.0 lib
express 5.2.0,5.2.1,5.3.0
fastify 5.12.5,5.12.6,5.12.7,5.12.8
knex 3.2.9,3.2.10,3.3.0
langium 4.3.0,4.3.1,4.4.0 src
mobx 7.0.5,7.0.6,7.1.3 src
mongoose 9.11.3,9.11.4,9.12.0 lib
preact 11.1.0,11.1.1,11.2.0
ra-core 5.15.0,5.15.2,5.15.4 src
ra-ui-materialui 5.15.0,5.15.2,5.15.4 src
svelte 5.57.0,5.57.1,5.57.3 src
undici 8.12.0,8.12.2,8.12.4 lib
webpack 5.110.3,5.111.0,5.111.1 lib
yjs 13.6.31,13.6.32,13.6.33 src
zod 4.6.3,4.6.5,4.6.7 src
""")
PYTHON = _packages("""
aiohttp 3.14.3,3.14.4,3.14.5
anyio 4.14.2,4.15.0,4.16.0
attrs 25.3.0,25.4.0,26.1.0
black 26.5.0,26.5.1,26.10.0
celery 5.6.2,5.6.3,5.7.0
click 8.4.2,8.5.0,8.5.1
django 6.1,6.1.1,6.1.3
fastapi 0.162.0,0.162.2,0.162.4
flask 3.0.3,3.1.0,3.1.1,3.1.3
networkx 3.6,3.6.1,3.7
pydantic 2.14.0,2.14.1,2.14.3
pytest 9.1.0,9.1.1,9.2.0
requests 2.33.1,2.34.0,2.34.2
scrapy 2.17.0,2.18.0,2.19.0
sphinx 9.1.0,9.1.1,9.2.0
sqlalchemy 2.1.6,2.1.7,2.1.8 lib,test
starlette 1.8.0,1.9.0,1.10.0
tornado 6.5.10,6.6,6.6.1
trio 0.33.0,0.34.0,0.35.0
urllib3 2.6.3,2.7.0,2.8.0
werkzeug 3.1.7,3.1.8,3.1.9
""")


def repositories() -> list[tuple[Package, Path]]:
    """Each package with its repository: the first release is where the others start from."""
    found = []
    for package in (*NODE, *PYTHON):
        try:
            found.append((package, _repository(package)))
        except (OSError, tarfile.TarError, ValueError) as problem:
            raise MissingError(f"{package.name} cannot be had: {problem}") from problem
    return found


def sizes(folder: Path) -> dict[str, int]:
    """Lines added and removed, by the name that a replay gives the edit."""
    found = {}
    for commit in run(("rev-list", "HEAD"), folder).decode().split():
        listed = run(("diff-tree", "-r", "-z", "-M", "--root", "--numstat", "--no-commit-id", commit), folder)
        fields = iter(os.fsdecode(listed).split("\0"))
        for field in filter(None, fields):
            added, removed, path = field.split("\t")
            name = path or (next(fields), next(fields))[1]
            found[f"{commit[:12]}:{name}"] = sum(int(each) for each in (added, removed) if each.isdigit())
    return found


def first(folder: Path) -> str:
    return run(("rev-list", "--max-parents=0", "HEAD"), folder).decode().strip()


def _repository(package: Package) -> Path:
    folder = package.folder
    stamp = folder / ".git" / "releases"
    if stamp.exists() and stamp.read_text() == package.stamp:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    in_git(folder, "init", "-q", "-b", "main")
    for version in package.versions:
        for entry in folder.iterdir():
            if entry.name != ".git":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        unpack(archive(package, version, node=package in NODE), folder, package.only)
        in_git(folder, "add", "-A", "-f")
        in_git(folder, "commit", "-q", "--allow-empty", "-m", f"{package.name} {version}")
    stamp.write_text(package.stamp)
    return folder


def archive(package: Package, version: str, *, node: bool) -> bytes:
    """The sources of one version, from npm or from PyPI."""
    if node:
        return fetched(_NODE.format(name=package.name, last=package.name.rpartition("/")[2], version=version))
    page = _PYTHON.format(name=package.name)
    listed = re.findall(r'href="([^"#]+)', fetched(page).decode())
    address = next((each for each in listed if each.endswith(f"-{version}.tar.gz")), None)
    if address is None:
        raise ValueError(f"no sources of {version}")
    return fetched(urljoin(page, address))


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=120) as answer:
        return answer.read()


def unpack(archive: bytes, folder: Path, only: str, left_out: frozenset[str] = _BUILT) -> None:
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        for member in packed:
            # The first folder is the archive's own name.
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            wanted = bool(set(path.parts[:1]) & set(only.split(","))) if only else not left_out & set(path.parts)
            if wanted and member.isfile() and member.size <= _LARGEST and ".." not in path.parts:
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(packed.extractfile(member).read())


def in_git(folder: Path, *arguments: str, stdin: bytes = b"") -> None:
    """The same commits on every machine: fixed names, fixed times."""
    person = {"NAME": "releases", "EMAIL": "releases@example.org", "DATE": _WHEN}
    environment = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in person.items()}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    plain = ("-c", "core.autocrlf=false", "-c", "gc.auto=0", "-c", "core.attributesFile=/dev/null")
    subprocess.run(
        ["git", *plain, *arguments],
        cwd=folder,
        env={**os.environ, **environment, **quiet},
        input=stdin,
        check=True,
        capture_output=True,
    )
