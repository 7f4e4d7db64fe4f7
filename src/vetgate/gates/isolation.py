"""What keeps a command apart: of the environment it sees what a repository has no word in, another user, a sandbox."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.expression import expression
from vetgate.judges.environment_values import lenient_text
from vetgate.known_agents import known_agents
from vetgate.source.disk import existing_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vetgate.model import Gate


# Where tools and their caches lie, and how text is written. No keys, no tokens, no sockets of an agent.
_KEPT = frozenset(
    """
    HOME USER LOGNAME SHELL PATH LANG TZ TMPDIR TEMP TMP SYSTEMROOT WINDIR USERPROFILE APPDATA LOCALAPPDATA PATHEXT
    COMSPEC XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
    VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT PIPX_HOME UV_CACHE_DIR POETRY_HOME
    NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR FNM_MULTISHELL_PATH PNPM_HOME BUN_INSTALL COREPACK_HOME NODE_EXTRA_CA_CERTS
    GOPATH GOROOT GOCACHE GOMODCACHE CARGO_HOME RUSTUP_HOME CARGO_TARGET_DIR JAVA_HOME GRADLE_USER_HOME M2_HOME
    MAVEN_HOME SDKMAN_DIR ANDROID_HOME DOTNET_ROOT RBENV_ROOT GEM_HOME GEM_PATH ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR
    MISE_CONFIG_DIR MISE_SHELL NIX_PATH NIX_SSL_CERT_FILE SSL_CERT_FILE SSL_CERT_DIR LD_LIBRARY_PATH
    """.split()  # noqa: SIM905 - a long list of names reads best as text
)
# Nobody watches: no colours, no pager, no questions, and runners that would wait for changes end instead.
_SET = {
    "CI": "true",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
}
FILES_VARIABLE = "VETGATE_FILES"
_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
# The system takes no longer text for one variable.
MOST_BYTES = 100_000


def environment(gate: Gate, given: Mapping[str, str], root: Path, files: Sequence[str]) -> dict[str, str]:
    """`given` is what the agent's own process had."""
    kept = {name: value for name, value in given.items() if name in _KEPT or name.startswith("LC_")}
    asked = {name: given[name] for name in gate.env if name in given}
    path = ":".join(str(root / folder) for folder in gate.path) or kept.get("PATH", _DEFAULT_PATH)
    own = {FILES_VARIABLE: "\n".join(files), "VETGATE_GATE": gate.id, "PATH": path, "PWD": str(root)}
    return kept | _SET | asked | own


def file_arguments(files: Sequence[str]) -> tuple[str, ...]:
    """As arguments: none can be taken for an option. Where there are too many for a command, the whole folder."""
    arguments = tuple(f"./{name}" if name.startswith("-") else name for name in files)
    return arguments if sum(len(name.encode("utf-8", "replace")) + 1 for name in arguments) < MOST_BYTES else (".",)


class Account(NamedTuple):
    uid: int
    gid: int
    name: str
    home: str

    def environment(self) -> dict[str, str]:
        return {"HOME": self.home, "USER": self.name, "LOGNAME": self.name}


def find_account(name: str) -> Account | str:
    """Whom to become, or why that cannot be."""
    try:
        import pwd  # noqa: PLC0415 - not on Windows

        found = pwd.getpwnam(name)
    except (ImportError, KeyError):
        return f"it should run as {name}, and there is no such user here"
    if os.geteuid() not in {0, found.pw_uid}:
        return f"it should run as {name}, and only root can run it as another user"
    return Account(found.pw_uid, found.pw_gid, found.pw_name, found.pw_dir)


_PROGRAM = "bwrap"


@lru_cache(maxsize=1)
def find_sandbox() -> str:
    """The program, if it can do its work here: in a container it often may not."""
    program = shutil.which(_PROGRAM)
    if program is None:
        return ""
    tried = [program, "--ro-bind", "/", "/", "--unshare-net", "--unshare-pid", "true"]
    try:
        done = subprocess.run(tried, capture_output=True, timeout=5, check=False)  # noqa: S603 - fixed words
    except (OSError, subprocess.SubprocessError):
        return ""
    return program if done.returncode == 0 else ""


def sandboxed(argv: Sequence[str], root: Path, program: str) -> list[str]:
    """The whole system readable, only the project and a fresh /tmp writable; all of it ends together."""
    return [
        program,
        *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"),  # noqa: S108 - its own
        *("--bind", str(root), str(root), "--chdir", str(root)),
        *("--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"),
        *argv,
    ]


_VARIABLE = expression(r"(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,100})[ \t]*[=:]")
_OF_KEYS = ("_KEY", "_TOKEN")  # a person may keep those of their models there
_MOST = 4_000_000


def own_environment(given: Mapping[str, str], roots: Iterable[Path]) -> dict[str, str]:
    """Without what settings of an agent in these folders set, and what an agent took over from a file of variables."""
    theirs: set[str] = set()
    folders = [root.resolve() for root in roots]
    for known in known_agents():
        for path in (folder / name for folder in folders for name in known.settings if known.gated is not None):
            text = existing_text(path)
            found = known.gated.read_settings(text) if known.gated and text else None
            theirs.update(found.environment if found else ())
        if known.variable_files and known.is_around(given):
            named = {name for folder in _with_parents(folders) for name in _named_in(folder, known.variable_files)}
            theirs.update(name for name in named if not name.endswith(_OF_KEYS))
    own = {name: value for name, value in given.items() if name not in theirs}
    if "PATH" in own:  # nor which program is started
        kept = [each for each in own["PATH"].split(os.pathsep) if not _is_inside(each, folders)]
        own["PATH"] = os.pathsep.join(kept)
    return own


def _with_parents(folders: Sequence[Path]) -> dict[Path, None]:
    """Agents look further up as well; what lies in the home folder is the person's."""
    home = Path.home().resolve()
    return dict.fromkeys(each for folder in folders for each in (folder, *folder.parents) if each != home)


def _named_in(folder: Path, files: Sequence[str]) -> Iterator[str]:
    return (found[1] for name in files for found in _VARIABLE.finditer(lenient_text(folder / name, _MOST)))


def _is_inside(folder: str, roots: Iterable[Path]) -> bool:
    return any(Path(folder).resolve().is_relative_to(root) for root in roots)
