"""How git is made to call vetgate, whoever else has a say in its hooks: what to write and where, and what to take back.

A hook of others is moved beside and runs first, or gets lines of ours; taken back, it is exactly what it was.
"""

from __future__ import annotations

import dataclasses
import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from vetgate.agents.git.script import (
    BEFORE,
    RUNNER,
    can_be_renamed,
    chain,
    has_block,
    is_ours,
    is_shell,
    line_by_hand,
    runner,
    runs_by_hand,
    with_block,
    without_block,
)
from vetgate.agents.git.wire import COMMIT_MSG, HOOKS, PRE_PUSH
from vetgate.agents.installation import EXECUTABLE, Plan, Removal, Writing
from vetgate.model import UserError
from vetgate.source import git, replace
from vetgate.source.git_ignored import is_ignored
from vetgate.source.git_landing import hooks_folder
from vetgate.source.replace import read_bytes, write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vetgate.agents.installation import Installation, Receipt, Receipts
    from vetgate.source.git import Repository


_FILES = tuple(f"{dot}lefthook.{suffix}" for dot in ("", ".") for suffix in ("yml", "yaml", "toml", "json", "jsonc"))
_LOCAL = tuple(name.replace("lefthook.", "lefthook-local.") for name in _FILES)
_BEGIN = "# >>> vetgate >>> `vetgate init --remove` takes this out"
_END = "# <<< vetgate <<<"


def lefthook_plan(top: Path, runner: Path, kind: str) -> Plan | None:
    """Our commands in the file that lefthook reads besides the committed one; None where lefthook is not used."""
    if not any((top / name).exists() for name in _FILES):
        return None
    found = next((top / name for name in _LOCAL if (top / name).exists()), top / _LOCAL[0])
    before = read_bytes(found)
    text = without_lines((before or b"").decode("utf-8", "surrogateescape"))
    after = _joined(text, _lines(runner)) if found.suffix in {".yml", ".yaml"} else None
    if after is None:
        return Plan(notes=[f"{found} has hooks of its own; add to it by hand:\n{_lines(runner)}"])
    told = [] if is_ignored(top, found) else [f"{found.name} is yours alone; add it to .gitignore"]
    return Plan([Writing(found, kind, before, after.encode("utf-8", "surrogateescape"))], told)


def without_lines(text: str) -> str:
    head, begin, rest = text.partition(f"{_BEGIN}\n")
    return head + rest.partition(f"{_END}\n")[2] if begin else text


def _joined(text: str, lines: str) -> str | None:
    """None when the file says something about one of these hooks already, or cannot be read."""
    whole = f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{lines}"
    try:
        mine, theirs, both = (yaml.safe_load(each) or {} for each in (lines, text, whole))
    except yaml.YAMLError:
        return None
    return whole if isinstance(theirs, dict) and not theirs.keys() & mine.keys() and both == theirs | mine else None


def _lines(runner: Path) -> str:
    commands = {hook: {"commands": {"vetgate": _command(hook, runner)}} for hook in HOOKS}
    return f"{_BEGIN}\n{yaml.safe_dump(commands, sort_keys=False, width=1000)}{_END}\n"


def _command(hook: str, runner: Path) -> dict[str, Any]:
    words = f"{shlex.quote(str(runner))} {hook}" + (" {1}" if hook == COMMIT_MSG else "")
    return {"run": words, "use_stdin": True} if hook == PRE_PUSH else {"run": words}


GIT = "git hook"
_HUSKY = ".husky"
_LEGACY = ".legacy"  # where pre-commit puts a hook that it finds, and runs it before its own
_DISPLACED = (_LEGACY, ".old")  # where pre-commit and lefthook put a hook that they find
_NOTHING = frozenset({"", "#!/bin/sh"})


def install(installation: Installation) -> Plan:
    """Everything that has to stand somewhere, whether it does already or not; nothing outside of a repository."""
    plan = Plan()
    repository = git.find(installation.root) if (installation.root / ".git").exists() else None
    if repository is None:
        return plan
    script = runner(installation.state).encode()
    place = repository.common / "hooks" / RUNNER
    plan.writings.append(Writing(place, GIT, read_bytes(place), script, mode=EXECUTABLE))
    folder = hooks_folder(repository)
    if os.path.lexists(folder) and not folder.is_dir():
        plan.stuck.append(f"core.hooksPath is {folder}, which is no folder: git runs no hooks here")
        return plan
    local = lefthook_plan(repository.top, place, GIT)
    if local is not None:
        plan.writings += local.writings
        plan.notes += local.notes
    for hook in HOOKS:
        _plan_hook(plan, repository, folder, hook, lefthook=local is not None)
    if not installation.tracked:
        _leave_tracked(plan, repository)
    return plan


def _leave_tracked(plan: Plan, repository: Repository) -> None:
    """A hook that is in git is somebody's code: it is changed when a person agrees, or changes it."""
    inside = [each for each in plan.changes if each.before is not None and each.path.is_relative_to(repository.top)]
    if not inside:
        return
    names = repository.tracked(each.path.relative_to(repository.top).as_posix() for each in inside)
    for writing in inside:
        if writing.path.relative_to(repository.top).as_posix() in names:
            plan.writings.remove(writing)
            plan.tracked.append(writing.path)
            line = line_by_hand(writing.path.name)
            plan.stuck.append(
                f"{writing.path} is in git and was left alone; to run vetgate there, add this line: {line}"
            )


def runs(path: Path, command: str) -> bool:
    return command.encode() in (read_bytes(path) or b"")


def managed(command: str) -> str:
    raise UserError(f"git has no administrator's settings in which {command} could be")


def hook_seconds(event: str, root: Path, environment: Mapping[str, str]) -> float:  # noqa: ARG001 - as others have it
    """Nobody knows: git waits for a hook as long as that takes."""
    return 0.0


def _plan_hook(plan: Plan, repository: Repository, folder: Path, hook: str, *, lefthook: bool) -> None:
    if _is_committed(folder, repository):
        _lines_in(plan, _written_by_people(folder) / hook)
        return
    husky = repository.top / _HUSKY
    if husky.is_dir():  # it takes over as soon as it is installed here
        _lines_in(plan, husky / hook)
    path = folder / hook
    if _runs_ours(path) or (lefthook and b"call_lefthook" in (read_bytes(path) or b"")):
        return
    if not folder.resolve().is_relative_to(repository.common.resolve()):
        plan.notes.append(f"{folder} serves other repositories, too; {hook} does nothing in those without vetgate")
    _install_whole(plan, path)


def _runs_ours(path: Path) -> bool:
    """Pre-commit took the place of our hook, and runs it."""
    legacy = read_bytes(path.with_name(path.name + _LEGACY))
    return legacy is not None and is_ours(legacy) and b"generated by pre-commit" in (read_bytes(path) or b"")


def _is_committed(folder: Path, repository: Repository) -> bool:
    place = folder.resolve()
    return place.is_relative_to(repository.top.resolve()) and not place.is_relative_to(repository.common.resolve())


def _written_by_people(folder: Path) -> Path:
    """Husky has git run hooks of its own making, which run those that people write one folder above."""
    return folder.parent if folder.name == "_" and folder.parent.name == _HUSKY else folder


def _install_whole(plan: Plan, path: Path) -> None:
    before = read_bytes(path)
    theirs = before is not None and not is_ours(before)
    if before is not None and theirs and not can_be_renamed(before):
        plan.stuck.append(f"{path} asks for its own name, so it cannot be moved: have it run {RUNNER} {path.name}")
        return
    if theirs:
        plan.notes.append(f"{path} still runs, before ours: it is kept as {beside(path).name}")
    plan.writings.append(HookWriting(path, GIT, before, chain(path.name).encode(), mode=EXECUTABLE))


def _lines_in(plan: Plan, path: Path) -> None:
    before = read_bytes(path)
    if before is not None and not is_shell(before):
        plan.stuck.append(
            f"{path} is not a shell script: have it run `$(git rev-parse --git-common-dir)/hooks/{RUNNER}`"
        )
        return
    text = (before if before is not None else b"#!/bin/sh\n").decode("utf-8", "surrogateescape")
    wanted = text if runs_by_hand(text, path.name) and not has_block(text) else with_block(text, path.name)
    after = wanted.encode("utf-8", "surrogateescape")
    plan.writings.append(Writing(path, GIT, before, after, mode=EXECUTABLE if before is None else None))


def remove(installation: Installation, receipts: Receipts) -> Removal:
    """What runs the gate goes last, so that no hook is ever left without it."""
    found = Removal()
    paths = list(dict.fromkeys(_places(installation, receipts)))
    for path in sorted(paths, key=lambda path: path.name == RUNNER):
        receipt = receipts.of(path)
        others = [name for name in receipts.others(path, installation.root) if Path(name).is_dir()]
        if others:
            found.left.append(f"{path}: still needed in {', '.join(others)}")
        else:
            _undo(found, path, receipt)
    return found


def _places(installation: Installation, receipts: Receipts) -> Iterator[Path]:
    """Where our hooks belong today, and where they were put when git was told something else."""
    yield from (writing.path for writing in install(dataclasses.replace(installation, tracked=True)).writings)
    for receipt in receipts.all():
        if receipt.kind == GIT and str(installation.root) in receipt.projects:
            yield receipt.path


def _undo(found: Removal, path: Path, receipt: Receipt | None) -> None:
    data = read_bytes(path)
    if data is not None and is_ours(data):
        _undo_whole(found, path, data, receipt)
    elif data is not None:
        _undo_lines(found, path, data, receipt)
        _replaced(found, beside(path), data)
    for suffix in _DISPLACED:
        place = path.with_name(path.name + suffix)
        moved = read_bytes(place)
        if moved is not None and is_ours(moved):
            found.writings.append(Writing(place, GIT, moved, None))


def _replaced(found: Removal, kept: Path, now: bytes) -> None:
    """Somebody put another hook in our place; what we kept is of no use when it is the same again."""
    if os.path.lexists(kept) and not kept.is_symlink() and read_bytes(kept) == now:
        found.writings.append(Writing(kept, GIT, now, None))
    elif os.path.lexists(kept):
        found.left.append(f"{kept}: the hook that was there before; another one has taken its place since")


def _undo_whole(found: Removal, path: Path, data: bytes, receipt: Receipt | None) -> None:
    known = path.name in HOOKS and data == chain(path.name).encode()
    known |= path.name == RUNNER and receipt is None
    if known or (receipt and receipt.is_untouched(data)):
        found.writings.append(HookWriting(path, GIT, data, read_bytes(beside(path))))
    else:
        found.left.append(f"{path}: it was changed since init wrote it")


def _undo_lines(found: Removal, path: Path, data: bytes, receipt: Receipt | None) -> None:
    if receipt and receipt.is_untouched(data):
        found.writings.append(Writing(path, GIT, data, receipt.before))
        return
    text = data.decode("utf-8", "surrogateescape")
    rest = without_block(text) if has_block(text) else without_lines(text)
    if rest == text:
        return
    created = receipt is not None and receipt.before is None and rest.strip() in _NOTHING
    found.writings.append(Writing(path, GIT, data, None if created else rest.encode("utf-8", "surrogateescape")))


def beside(path: Path) -> Path:
    return path.with_name(path.name + BEFORE)


@dataclass(frozen=True, slots=True)
class HookWriting(Writing):
    """Moved, not copied: a link stays a link, with its own mode, and nothing is written through it."""

    def write(self) -> None:
        if self.after is not None and is_ours(self.after):
            self._install(self.after)
        else:
            self._take_back()

    def _install(self, script: bytes) -> None:
        theirs = os.path.lexists(self.path) and not (self.before and is_ours(self.before))
        if theirs:
            self._refuse_changed()
            _move(self.path, beside(self.path))
        try:
            write_bytes(self.path, script, expected=None if theirs else self.before, mode=EXECUTABLE)
        except UserError:
            if theirs and not os.path.lexists(self.path):
                _move(beside(self.path), self.path)
            raise

    def _take_back(self) -> None:
        if self.before is not None:
            replace.remove(self.path, expected=self.before)
        if os.path.lexists(beside(self.path)):
            _move(beside(self.path), self.path)

    def _refuse_changed(self) -> None:
        if read_bytes(self.path) != self.before:
            raise UserError(f"{self.path} was changed by somebody else meanwhile; it was left alone", "run it again")
        if os.path.lexists(beside(self.path)):
            raise UserError(
                f"{self.path} and {beside(self.path)} are both hooks that vetgate did not write",
                hint="one of them is the original hook: merge both into the first and delete the second",
            )

    def diff(self) -> str:
        if self.after is None or not is_ours(self.after):
            kept = f"{beside(self.path)} -> {self.path}\n" if os.path.lexists(beside(self.path)) else ""
            return f"{Writing(self.path, self.kind, self.before, None).diff()}{kept}"
        if self.before is None or is_ours(self.before):
            return Writing.diff(self)  # super() does not know a class with slots
        return f"{self.path} -> {beside(self.path)}\n{Writing(self.path, self.kind, None, self.after).diff()}"


def _move(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        raise UserError(
            f"cannot rename {source} to {target.name}: {error.strerror}", hint=f"make {source.parent} writable for you"
        ) from error
