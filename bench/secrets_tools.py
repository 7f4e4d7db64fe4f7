"""The scanners that the secrets check is compared with: installed into the cache, run offline, their answers read.

None of them may ask a vendor whether a secret works: what can be switched off of that is.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from differential_corpus import CACHE, MissingError, node_programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

DETECT_SECRETS, KINGFISHER = "detect-secrets==1.5.0", "kingfisher-bin==2.14.0"
CREDSWEEPER, WHISPERS, TRUFFLEHOG3 = "credsweeper==1.19.5", "whispers==2.4.0", "trufflehog3==3.0.10"
NODE_TOOLS = ("secretlint@13.0.6", "@secretlint/secretlint-rule-preset-recommend@13.0.7")
OUT = "../answer"  # where a tool that does not print its answer writes it, seen from the folder it looks at
FOUND = frozenset({0, 1, 200, 205})  # how the tools exit, whether they found something or not

Place = tuple[str, int]  # a file below the folder that was looked at, and a line of it


@dataclass(frozen=True)
class Peer:
    name: str
    version: str
    command: tuple[str, ...]
    read: Callable[[str], Iterator[Place]]
    slow: bool = False  # one turn over many files tells enough


@dataclass(frozen=True)
class Run:
    out: str
    seconds: float
    processor: float


def peers() -> tuple[list[Peer], list[str]]:
    """Every peer that can be had here, and what is missing in words."""
    found, missing = [], []
    for bring in (_detect_secrets, _kingfisher, _credsweeper, _whispers, _trufflehog3, _secretlint):
        try:
            found.append(bring())
        except MissingError as problem:
            missing.append(f"{bring.__name__.lstrip('_')}: {problem}")
    return found, missing


def run(peer: Peer, folder: Path, home: Path) -> Run:
    out = folder / OUT
    out.unlink(missing_ok=True)
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), "LC_ALL": "C.UTF-8"}
    worked, started = _processor_time(), time.perf_counter()
    done = subprocess.run(peer.command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode not in FOUND:
        raise MissingError(f"{peer.name} failed: {(done.stderr or done.stdout).strip()[-400:]}")
    answer = out.read_text(encoding="utf-8") if out.exists() else done.stdout
    return Run(answer, seconds, _processor_time() - worked)


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _detect_secrets() -> Peer:
    command = (str(_environment(DETECT_SECRETS) / "detect-secrets"), "scan", "--all-files", "--no-verify", ".")
    return Peer("detect-secrets", _version(DETECT_SECRETS), command, _read_detect_secrets)


def _read_detect_secrets(out: str) -> Iterator[Place]:
    for path, findings in json.loads(out)["results"].items():
        yield from ((path, each["line_number"]) for each in findings)


def _kingfisher() -> Peer:
    quiet = ("--no-validate", "--no-update-check", "--no-dedup", "--git-history", "none")
    program = str(_environment(KINGFISHER) / "kingfisher")
    command = (program, "scan", ".", *quiet, "--format", "jsonl", "--output", OUT)
    return Peer("kingfisher", _version(KINGFISHER), command, _read_kingfisher)


def _read_kingfisher(out: str) -> Iterator[Place]:
    for line in out.splitlines():
        finding = json.loads(line).get("finding")
        if finding:
            yield finding["path"], finding["line"]


def _credsweeper() -> Peer:
    program = str(_environment(CREDSWEEPER) / "credsweeper")
    options = ("--severity", "low", "--no-stdout", "--log", "error")  # below that it only informs, of every UUID
    return Peer(
        "credsweeper", _version(CREDSWEEPER), (program, "--path", ".", *options, "--save-json", OUT), _read_credsweeper
    )


def _read_credsweeper(out: str) -> Iterator[Place]:
    for each in json.loads(out or "[]"):
        yield from ((line["path"], line["line_num"]) for line in each["line_data_list"])


def _whispers() -> Peer:
    program = str(_environment(WHISPERS) / "whispers")
    command = (program, "-R", "file-known", "-o", OUT, ".")  # that rule is about the file's name
    return Peer("whispers", _version(WHISPERS), command, _read_whispers)


def _read_whispers(out: str) -> Iterator[Place]:
    yield from ((each["file"], each["line"]) for each in json.loads(out or "[]"))


def _trufflehog3() -> Peer:
    program = str(_environment(TRUFFLEHOG3) / "trufflehog3")
    command = (program, "--no-history", "--zero", "--format", "JSON", "--output", OUT, ".")
    return Peer("trufflehog3", _version(TRUFFLEHOG3), command, _read_trufflehog3)


def _read_trufflehog3(out: str) -> Iterator[Place]:
    yield from ((each["path"], int(each["line"])) for each in json.loads(out or "[]"))


def _secretlint() -> Peer:
    folder = _node_tools()
    script = str(folder / "node_modules" / "secretlint" / "bin" / "secretlint.js")
    options = ("--secretlintrc", str(folder / ".secretlintrc.json"), "--format", "json", "--output", OUT)
    command = (node_programs()[0], script, *options, "**/*", "**/.*", "**/.*/**")
    version = NODE_TOOLS[0].replace("@", " ")
    return Peer("secretlint", f"{version}, recommended rules", command, _read_secretlint, slow=True)


def _read_secretlint(out: str) -> Iterator[Place]:
    for file in json.loads(out or "[]"):
        for message in file["messages"]:
            yield file["filePath"], message["loc"]["start"]["line"]


def _version(package: str) -> str:
    return package.replace("==", " ")


def _environment(package: str) -> Path:
    """The programs of an environment that holds this package alone."""
    folder = CACHE / f"secrets-{package.partition('==')[0]}"
    if not _stamped(folder, package):
        shutil.rmtree(folder, ignore_errors=True)
        _do([sys.executable, "-m", "venv", str(folder)], CACHE)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _do([*pip, package], CACHE)
        (folder / ".installed").write_text(package)
    return folder / "bin"


def _node_tools() -> Path:
    folder, wanted = CACHE / "secrets-node", "\n".join(NODE_TOOLS)
    if not _stamped(folder, wanted):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text("{}")
        rules = {"rules": [{"id": "@secretlint/secretlint-rule-preset-recommend"}]}
        (folder / ".secretlintrc.json").write_text(json.dumps(rules))
        _do([*node_programs()[1], "install", "--no-audit", "--no-fund", "--ignore-scripts", *NODE_TOOLS], folder)
        (folder / ".installed").write_text(wanted)
    return folder


def _stamped(folder: Path, wanted: str) -> bool:
    stamp = folder / ".installed"
    return stamp.exists() and stamp.read_text() == wanted


def _do(command: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingError(f"`{' '.join(command[:4])} …` failed:\n{done.stderr.strip()[-800:]}")
