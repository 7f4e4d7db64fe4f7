"""Commits of other people's projects: of archives that ship their repository, and of distributions' series of patches.

Some source archives were packed together with `.git` and hold a whole history; others come with upstream commits that
somebody took over one by one, each a patch that names its commit.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tarfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from differential_corpus import CACHE, MissingError
from releases import fetched, in_git, unpack

from vetgate.service.replay.recording import history
from vetgate.source import git
from vetgate.source.git_process import run
from vetgate.source.language import is_generated, may_hold_code

if TYPE_CHECKING:
    from vetgate.service.replay.recording import Recording
    from vetgate.source.git_history import Touched

FOLDER = CACHE / "commits"
_POOLS = {
    "debian": "http://deb.debian.org/debian/pool/main",
    "security": "http://deb.debian.org/debian-security/pool/updates/main",
    "ubuntu": "http://archive.ubuntu.com/ubuntu/pool",
}
# Of each project the newest that touch code; what touches more files than this renames, formats or imports.
_NEWEST, _MOST_FILES = 40, 50


@dataclass(frozen=True)
class Repository:
    """An archive with a `.git` of the project's own in the folder `inside`; the history that ends at `head` counts."""

    name: str
    language: str
    archive: str
    inside: str
    head: str

    kind = "repository"

    @property
    def stamp(self) -> str:
        return f"{self.archive} {self.inside} {self.head}"

    def make(self, folder: Path) -> None:
        """Only its objects are taken over: no settings and no hooks of somebody else."""
        in_git(folder, "init", "-q", "-b", "main")
        objects = PurePosixPath(self.inside, ".git", "objects")
        with tarfile.open(fileobj=io.BytesIO(_archive(self.archive))) as packed:
            for member in packed:
                path = PurePosixPath(member.name)
                if member.isfile() and path.is_relative_to(objects) and not {"..", "info"} & set(path.parts):
                    target = folder / ".git" / "objects" / path.relative_to(objects)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(packed.extractfile(member).read())
        in_git(folder, "update-ref", "refs/heads/main", self.head)


@dataclass(frozen=True)
class Series:
    """An upstream release, and the patches that a distribution put on it: those that are upstream commits count."""

    name: str
    language: str
    upstream: str
    patches: str

    kind = "patches"

    @property
    def stamp(self) -> str:
        return f"{self.upstream} {self.patches}"

    def make(self, folder: Path) -> None:
        """Every patch is a commit, in order; which of them count is said in the first word of the subject."""
        in_git(folder, "init", "-q", "-b", "main")
        unpack(_archive(self.upstream), folder, "", frozenset())
        _commit(folder, "release")
        for name, strip, patch in _series(_archive(self.patches)):
            text = patch.decode("utf-8", "replace")
            applied = _applied(folder, patch, strip)
            kind = UPSTREAM if applied and is_upstream(text) else "other" if applied else "refused"
            _commit(folder, f"{kind} {name}: {subject(text)}")


UPSTREAM = "upstream"
Project = Repository | Series
# The folder of `.git` in the archive comes after the address; `.` for the top.
_REPOSITORIES = """
suricata-update Python debian:s/suricata/suricata_6.0.1.orig.tar.xz
  suricata-6.0.1/suricata-update 86e530cbbfc78ac327072750a12edf888e6b8cae
googleplay-api Python debian:g/googleplay-api/googleplay-api_0.4.4+git20200310.orig.tar.gz
  googleplay-api 664c399f8196e1eb7d2fcda4af34e5dc1fca0f20
piuparts Python debian:p/piuparts/piuparts_1.6.0.tar.xz
  piuparts-1.6.0 5ef970c9514769b296ce8f37395ccffbb4891f57
friendly-traceback Python
  debian:p/python-friendly-traceback/python-friendly-traceback_0.7.62+git20240811.d7dbff6.orig.tar.xz
  . d7dbff6dcad949481cd015765839e89b6e947919
friendly Python debian:p/python-friendly/python-friendly_0.7.21+git20230418.fe5d3a2.orig.tar.xz
  . fe5d3a29c99214b8d97c50ff8e2f217036dd3b55
qpack Go debian:g/golang-github-quic-go-qpack/golang-github-quic-go-qpack_0.6.0.orig.tar.xz
  . 1661efa70093a118695f62e222b94ce192119092
secsipidx Go ubuntu:universe/s/secsipidx/secsipidx_1.1.1~git20210601.d388d64.orig.tar.bz2
  secsipidx d388d643a59920309363b8c580aa4235f5847eb9
gtk-sharp C# ubuntu:universe/g/gnome-subtitles/gnome-subtitles_1.8.orig.tar.gz
  gnome-subtitles/subprojects/gtk-sharp 4c85f1479cf2e0dc056c0d288785e5a1d7251cb1
gstreamer-sharp C# ubuntu:universe/g/gnome-subtitles/gnome-subtitles_1.8.orig.tar.gz
  gnome-subtitles/subprojects/gstreamer-sharp 5e7a44cf542ccad9d29d9b6da4d4e32f5770618f
"""
_SERIES = """
django-2.2 Python ubuntu:main/p/python-django/python-django_2.2.12.orig.tar.gz
  ubuntu:main/p/python-django/python-django_2.2.12-1ubuntu0.29.debian.tar.xz
calibre-8.5 Python debian:c/calibre/calibre_8.5.0+ds.orig.tar.xz
  debian:c/calibre/calibre_8.5.0+ds-1+deb13u3.debian.tar.xz
nodejs-20.19 JavaScript debian:n/nodejs/nodejs_20.19.2+dfsg.orig.tar.xz
  security:n/nodejs/nodejs_20.19.2+dfsg-1+deb13u3.debian.tar.xz
incus-6.0 Go debian:i/incus/incus_6.0.4.orig.tar.gz
  security:i/incus/incus_6.0.4-2+deb13u11.debian.tar.xz
tomcat-9.0 Java ubuntu:universe/t/tomcat9/tomcat9_9.0.31.orig.tar.xz
  ubuntu:universe/t/tomcat9/tomcat9_9.0.31-1ubuntu0.9.debian.tar.xz
netty-4.1 Java ubuntu:universe/n/netty/netty_4.1.48.orig.tar.xz
  ubuntu:universe/n/netty/netty_4.1.48-4+deb11u2ubuntu0.2.debian.tar.xz
roundcube-1.6 PHP debian:r/roundcube/roundcube_1.6.5+dfsg.orig.tar.xz
  security:r/roundcube/roundcube_1.6.5+dfsg-1+deb12u11.debian.tar.xz
cacti-1.2 PHP security:c/cacti/cacti_1.2.24+ds1.orig.tar.gz
  security:c/cacti/cacti_1.2.24+ds1-1+deb12u5.debian.tar.xz
ruby-3.0 Ruby ubuntu:main/r/ruby3.0/ruby3.0_3.0.2.orig.tar.xz
  ubuntu:main/r/ruby3.0/ruby3.0_3.0.2-7ubuntu2.13.debian.tar.xz
rack-2.1 Ruby ubuntu:universe/r/ruby-rack/ruby-rack_2.1.4.orig.tar.gz
  ubuntu:universe/r/ruby-rack/ruby-rack_2.1.4-5ubuntu1.2.debian.tar.xz
"""


def _rows(table: str, width: int) -> list[list[str]]:
    words = table.split()
    return [words[start : start + width] for start in range(0, len(words), width)]


PROJECTS: tuple[Project, ...] = (
    *(Repository(*row) for row in _rows(_REPOSITORIES, 5)),
    *(Series(*row) for row in _rows(_SERIES, 4)),
)


def recordings() -> list[tuple[Project, Recording]]:
    """Of each project the commits that count; every file of one that somebody wrote is an edit."""
    found = []
    for project in PROJECTS:
        try:
            folder = _made(project)
        except (OSError, tarfile.TarError, ValueError, subprocess.CalledProcessError) as problem:
            raise MissingError(f"{project.name} cannot be had: {problem}") from problem
        recording = history(git.open_at(folder), "HEAD")
        written = _chosen(folder, recording, upstream=isinstance(project, Series))
        items = tuple(each for each in recording.items if _path(each) in written.get(each.commit, ()))
        found.append((project, replace(recording, items=items)))
    return found


def _archive(place: str) -> bytes:
    pool, _, path = place.partition(":")
    return fetched(f"{_POOLS[pool]}/{path}")


def _made(project: Project) -> Path:
    folder = FOLDER / project.name
    stamp = folder / ".git" / "commits"
    if not stamp.exists() or stamp.read_text() != project.stamp:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        project.make(folder)
        stamp.write_text(project.stamp)
    return folder


def _chosen(folder: Path, recording: Recording, *, upstream: bool) -> dict[str, frozenset[str]]:
    """The newest commits that change code which nobody generated, with the files of each that are not generated.

    Code in a language that is read, and nothing that is only there for packaging.
    """
    many = Counter(each.commit for each in recording.items)
    code = {each.commit for each in recording.items if _is_code(_path(each))}
    found: dict[str, frozenset[str]] = {}
    for line in run(("log", "--no-merges", "--format=%H %s"), folder).decode("utf-8", "replace").splitlines():
        commit, _, said = line.partition(" ")
        if (upstream and not said.startswith(f"{UPSTREAM} ")) or commit not in code or many[commit] > _MOST_FILES:
            continue
        files = recording.company(commit).change.files
        written = frozenset(file.path for file in files if not is_generated(file.after or file.before or ""))
        if any(map(_is_code, written)):
            found[commit] = written
        if len(found) == _NEWEST:
            break
    return found


def _path(item: Touched) -> str:
    return os.fsdecode(item.raw.split(b"\0")[-2])


def _is_code(path: str) -> bool:
    return not path.startswith("debian/") and may_hold_code(path)


_HEADER = re.compile(r"^(?:diff |--- |Index: )", re.MULTILINE)
_NAMES_COMMIT = re.compile(r"(?mi)^From [0-9a-f]{40} |(?:\bcommits?|\bchangeset|/c)[/: ]+[0-9a-f]{7,40}\b")
_TAKEN_OVER = re.compile(r"(?mi)^Origin:[^\n]*(?:upstream|backport|http)|cherry[- ]picked from")
_OF_PACKAGERS = re.compile(r"(?mi)^Forwarded:\s*(?:no\b|not-needed)|^(?:From|Author):[^\n]*debian\.org>?\s*$")


def is_upstream(patch: str) -> bool:
    """Whether its header names a commit that it was made from, and it is not one of those who packaged it."""
    header = _header(patch)
    return bool(_NAMES_COMMIT.search(header) and (_TAKEN_OVER.search(header) or not _OF_PACKAGERS.search(header)))


def subject(patch: str) -> str:
    told = re.search(r"^(?:Subject|Description):[ ]*(?:\[[^\]\n]*\][ ]*)*([^\n]*)", _header(patch), re.MULTILINE)
    return " ".join(told[1].split()) if told else "-"


def _header(patch: str) -> str:
    starts = _HEADER.search(patch)
    return patch[: starts.start()] if starts else patch


def _series(archive: bytes) -> list[tuple[str, int, bytes]]:
    """Name, how many folders to strip, and text of each patch, in the order in which they are put on."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        files = {member.name: packed.extractfile(member).read() for member in packed if member.isfile()}
    found = []
    for line in files["debian/patches/series"].decode().splitlines():
        name, *options = line.partition("#")[0].split() or [""]
        if f"debian/patches/{name}" in files:
            strip = next((int(each[2:]) for each in options if re.fullmatch(r"-p\d", each)), 1)
            found.append((name, strip, files[f"debian/patches/{name}"]))
    return found


def _applied(folder: Path, patch: bytes, strip: int) -> bool:
    try:
        in_git(folder, "apply", f"-p{strip}", "--whitespace=nowarn", "-", stdin=patch)
    except subprocess.CalledProcessError:
        return False
    return True


def _commit(folder: Path, message: str) -> None:
    in_git(folder, "add", "-A", "-f")
    in_git(folder, "commit", "-q", "--allow-empty", "-m", message)
