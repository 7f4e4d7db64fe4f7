"""The tools that vetgate's security rules are compared with: installed into the cache, run, their answers read."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from differential_corpus import CACHE, MissingError, node_programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

DATA = Path(__file__).parent / "peers"
BANDIT, RUFF, SEMGREP, NJSSCAN = "bandit==1.9.4", "ruff==0.17.4", "semgrep==1.180.0", "njsscan==1.0.2"
NODE_TOOLS = (
    "eslint@9.39.5",
    "eslint-plugin-security@4.1.0",
    "eslint-plugin-sonarjs@4.2.2",
    "@typescript-eslint/parser@8.72.2",
    "typescript@5.9.3",
)
# What the rules of tools that name no weakness, or a broader one, are about: they get it credited.
ABOUT: dict[str, dict[str, list[int]]] = json.loads((DATA / "security_weaknesses.json").read_text(encoding="utf-8"))
TSCONFIG = {
    "compilerOptions": {"allowJs": True, "jsx": "preserve", "noEmit": True, "target": "esnext", "module": "esnext"},
    "include": ["**/*"],
}

Reading = tuple[str, frozenset[int]]  # a file's name, and the weaknesses that one finding in it names


@dataclass(frozen=True)
class Peer:
    """A tool over the current folder. `says` is False where it can only be timed."""

    name: str
    version: str
    half: str
    command: tuple[str, ...]
    read: Callable[[str], Iterator[Reading]]
    environment: Mapping[str, str] = field(default_factory=dict)
    says: bool = True
    timed: bool = True


@dataclass(frozen=True)
class Run:
    out: str
    seconds: float
    processor: float


def peers() -> tuple[list[Peer], list[str]]:
    """Every peer that can be had here, and what is missing in words."""
    found: list[Peer] = []
    missing = []
    for bring in (_bandit, _ruff, _eslint, _semgrep):
        try:
            found += bring()
        except MissingError as problem:
            missing.append(f"{bring.__name__.lstrip('_')}: {problem}")
    return found, missing


def run(peer: Peer, folder: Path, home: Path) -> Run:
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), "LC_ALL": "C.UTF-8", **peer.environment}
    worked, started = _processor_time(), time.perf_counter()
    done = subprocess.run(peer.command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode not in {0, 1}:  # 1: something was found
        raise MissingError(f"{peer.name} failed: {(done.stderr or done.stdout).strip()[-400:]}")
    return Run(done.stdout, seconds, _processor_time() - worked)


def write_tsconfig(folder: Path) -> None:
    (folder / "tsconfig.json").write_text(json.dumps(TSCONFIG))


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _bandit() -> list[Peer]:
    command = (str(environment_of(BANDIT) / "bandit"), "-r", ".", "-f", "json", "-q", "--ignore-nosec")
    version = BANDIT.replace("==", " ")
    return [
        Peer("bandit", version, "python", command, _read_bandit),
        Peer("bandit -ll", version, "python", (*command, "-ll"), _read_bandit, timed=False),
    ]


def _read_bandit(out: str) -> Iterator[Reading]:
    for each in json.loads(out)["results"]:
        own = {each["issue_cwe"]["id"]} if each.get("issue_cwe") else set()
        yield Path(each["filename"]).name, frozenset(own | set(ABOUT["bandit"].get(each["test_id"], ())))


def _ruff() -> list[Peer]:
    options = ("--isolated", "--no-cache", "--ignore-noqa", "--select", "S", "--output-format", "json", ".")
    command = (str(environment_of(RUFF) / "ruff"), "check", *options)
    return [Peer("ruff --select S", RUFF.replace("==", " "), "python", command, _read_ruff)]


def _read_ruff(out: str) -> Iterator[Reading]:
    """Its S rules carry bandit's numbers."""
    for each in json.loads(out):
        yield Path(each["filename"]).name, frozenset(ABOUT["bandit"].get(f"B{(each['code'] or '')[1:]}", ()))


def _eslint() -> list[Peer]:
    node, folder = node_programs()[0], _node_tools()
    sonar = ",".join(rule.partition("/")[2] for rule in ABOUT["eslint"] if rule.startswith("sonarjs/"))
    script = str(folder / "node_modules" / "eslint" / "bin" / "eslint.js")
    command = (node, script, "--no-color", "-c", str(DATA / "security_eslint.cjs"), "-f", "json", ".")
    return [
        Peer(
            f"eslint-plugin-{plugin}",
            f"{_version(plugin)} on {NODE_TOOLS[0].replace('@', ' ')}",
            "script",
            command,
            _read_eslint,
            {"BENCH_NODE": str(folder), "BENCH_PLUGIN": plugin, "BENCH_RULES": rules},
        )
        for plugin, rules in (("security", ""), ("sonarjs", sonar))
    ]


def _version(plugin: str) -> str:
    return next(tool.replace("@", " ") for tool in NODE_TOOLS if tool.startswith(f"eslint-plugin-{plugin}@"))


def _read_eslint(out: str) -> Iterator[Reading]:
    for file in json.loads(out):
        for message in file["messages"]:
            if message.get("fatal"):
                print(f"ESLint cannot parse {Path(file['filePath']).name}: {message['message'][:120]}", file=sys.stderr)
            else:
                yield Path(file["filePath"]).name, frozenset(ABOUT["eslint"].get(message["ruleId"], ()))


def _semgrep() -> list[Peer]:
    bin_folder = environment_of(SEMGREP)
    rules = environment_of(NJSSCAN, "--no-deps").parent / "rules"
    if not rules.exists():
        home = next((rules.parent / "lib").glob("python*/site-packages/njsscan/rules/semantic_grep"))
        shutil.copytree(home, rules)
    quiet = ("--metrics=off", "--disable-version-check", "--no-git-ignore", "--quiet", "--json")
    version = SEMGREP.replace("==", " ")

    def peer(half: str, name: str, config: Path, *, says: bool) -> Peer:
        command = (str(bin_folder / "semgrep"), "scan", *quiet, "--config", str(config), ".")
        path = {"PATH": f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}"}
        return Peer(name, version, half, command, _read_semgrep, path, says=says)

    return [
        peer("python", "semgrep, 7 rules", DATA / "semgrep_python.yml", says=False),
        peer("script", f"semgrep, {NJSSCAN.replace('==', ' ')} rules", rules, says=True),
    ]


def _read_semgrep(out: str) -> Iterator[Reading]:
    for each in json.loads(out)["results"]:
        named = re.findall(r"cwe-(\d+)", str(each["extra"].get("metadata", {}).get("cwe", "")), re.IGNORECASE)
        yield Path(each["path"]).name, frozenset(map(int, named))


def environment_of(package: str, *options: str) -> Path:
    """The programs of an environment that holds this package alone."""
    folder = CACHE / f"security-{package.partition('==')[0]}"
    if not _stamped(folder, package):
        shutil.rmtree(folder, ignore_errors=True)
        _do([sys.executable, "-m", "venv", str(folder)], CACHE)
        python = str(folder / "bin" / "python")
        _do([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *options, package], CACHE)
        (folder / ".installed").write_text(package)
    return folder / "bin"


def _node_tools() -> Path:
    folder, wanted = CACHE / "security-node", "\n".join(NODE_TOOLS)
    if not _stamped(folder, wanted):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text("{}")
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
