"""What the secrets check says of large, well-kept packages, to be read by a person: every finding, masked.

    python bench/secrets_bench.py --packages

Every text file of them counts, with tests, documents and lock files, as they are published.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import time
from collections import Counter
from typing import TYPE_CHECKING

from differential_corpus import CACHE, MissingError, node_programs
from secrets_score import CHECK

from vetgate.checks import all_checks
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check, source_of
from vetgate.source.clock import Deadline
from vetgate.source.text import NotText, decode

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.model import Finding

NODE_PACKAGES = (
    "axios@1.21.1",
    "date-fns@4.4.0",
    "express@5.3.0",
    "fastify@5.12.8",
    "knex@3.3.0",
    "koa@3.2.1",
    "mongoose@9.12.0",
    "@nestjs/core@12.4.2",
    "nunjucks@3.2.4",
    "rxjs@7.8.2",
    "sequelize@6.37.8",
    "socket.io@4.8.4",
    "webpack@5.112.2",
)
PYTHON_PACKAGES = (
    "aiohttp==3.14.5",
    "django==5.2.19",
    "fastapi==0.162.4",
    "flask==3.1.3",
    "requests==2.34.2",
    "sqlalchemy==2.1.8",
    "starlette==1.10.0",
    "tornado==6.6.1",
)
LARGEST = 2_000_000  # bytes
RUN = re.compile(r"[A-Za-z0-9+/_=.-]{8,}")


def show() -> int:
    check = all_checks().get(CHECK)
    if check is None:
        raise SystemExit(f"there is no check called `{CHECK}` yet")
    files, rules = 0, Counter[str]()
    started = time.perf_counter()
    for path in (path for folder in _folders() for path in sorted(folder.rglob("*")) if path.is_file()):
        name = path.relative_to(CACHE).as_posix()
        text = _text(path)
        if text is None:
            continue
        files += 1
        try:
            source = source_of(name.partition("/")[2], text)
        except NotText:
            continue
        for finding in run_check(check, source, defaults(), Deadline.never()).findings:
            rules[f"{finding.rule} ({finding.severity})"] += 1
            print(_line(name, text, finding))
    seconds = time.perf_counter() - started
    print(f"\n{rules.total()} findings in {files:,} files, {seconds / max(1, files) * 1000:.2f} ms each")
    print("\n".join(f"{many:>6} {rule}" for rule, many in rules.most_common()))
    return 0


def _line(name: str, text: str, finding: Finding) -> str:
    lines = text.split("\n")
    place = finding.span.line - 1
    shown = masked(lines[place].strip()) if 0 <= place < len(lines) else ""
    return f"{name}:{finding.span.line} {finding.rule} {finding.severity} {finding.confidence:.2f} | {shown[:160]}"


def masked(line: str) -> str:
    """Words stay; of what could be a secret no more than its beginning."""
    return RUN.sub(lambda run: run[0] if run[0].isalpha() and run[0].islower() else f"{run[0][:4]}…", line)


def _text(path: Path) -> str | None:
    if path.stat().st_size > LARGEST:
        return None
    try:
        return decode(path.read_bytes())
    except NotText:
        return None


def _folders() -> list[Path]:
    try:
        return [_node(), _python()]
    except MissingError as problem:
        raise SystemExit(str(problem)) from None


def _node() -> Path:
    folder = CACHE / "secrets-npm"
    if not _stamped(folder, NODE_PACKAGES):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for package in NODE_PACKAGES:
            _do([*node_programs()[1], "pack", "--ignore-scripts", package], folder)
        for archive in folder.glob("*.tgz"):
            with tarfile.open(archive) as packed:
                packed.extractall(folder / archive.stem, filter="data")
            archive.unlink()
        (folder / ".installed").write_text("\n".join(NODE_PACKAGES))
    return folder


def _python() -> Path:
    folder = CACHE / "secrets-pypi"
    if not _stamped(folder, PYTHON_PACKAGES):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps", "--target", str(folder)]
        _do([*pip, *PYTHON_PACKAGES], folder)
        (folder / ".installed").write_text("\n".join(PYTHON_PACKAGES))
    return folder


def _stamped(folder: Path, packages: tuple[str, ...]) -> bool:
    stamp = folder / ".installed"
    return stamp.exists() and stamp.read_text() == "\n".join(packages)


def _do(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingError(f"`{' '.join(command[:4])} …` failed:\n{done.stderr.strip()[-800:]}")
