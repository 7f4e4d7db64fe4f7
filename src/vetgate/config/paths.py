"""Which files are checked and which are tests, by globs as in .gitignore; the last glob that matches decides."""

from __future__ import annotations

from dataclasses import dataclass

from vetgate.config.glob import compiled


@dataclass(frozen=True, slots=True)
class PathFilter:
    """Paths are relative to the project's root with forward slashes; a file outside of it is absolute."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]
    tests: tuple[str, ...]

    def checks(self, path: str) -> bool:
        return compiled(self.include).match(path) and not compiled(self.exclude).match(path)

    def is_test(self, path: str) -> bool:
        return compiled(self.tests).match(path)

    def enters(self, folder: str) -> bool:
        """Whether anything in this folder may be checked; a glob that takes something back leaves that open."""
        return any(glob.startswith("!") for glob in self.exclude) or not compiled(self.exclude).match(f"{folder}/-")
