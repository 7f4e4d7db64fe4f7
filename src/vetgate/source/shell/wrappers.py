"""Programs that run other programs: what they run, read off their arguments."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vetgate.source.shell import detached
from vetgate.source.shell.options import first_operand, value_of
from vetgate.source.shell.placeholders import UNKNOWN
from vetgate.source.shell.runs import CONTAINER, HERE, REMOTE, Inner, by_name
from vetgate.source.shell.this_machine import is_this_machine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SHELLS = frozenset(
    "sh bash zsh dash ksh ash mksh fish rbash pdksh yash csh tcsh oksh osh ysh nu elvish xonsh murex".split()
)


_SSH_RUNS = re.compile(r"(?:proxy|local|knownhosts)command[= ]\s*(?P<command>.+)", re.IGNORECASE)


class Prefix(NamedTuple):
    """Options, so many operands, then a program."""

    with_value: frozenset[str] = frozenset()
    skip: int = 0


def _prefix(options: str = "", skip: int = 0) -> Prefix:
    return Prefix(frozenset(options.split()), skip)


# What takes a value wherever uv runs something.
UV_VALUES = (
    "-w --with --with-editable --with-requirements -p --python --python-platform --env-file --directory --project "
    "--config-file --cache-dir --color --allow-insecure-host -i --index --index-url --default-index --extra-index-url "
    "-f --find-links --index-strategy --keyring-provider --resolution --prerelease --fork-strategy --exclude-newer "
    "--link-mode -C --config-setting --no-build-package --no-binary-package --no-build-isolation-package "
    "-P --upgrade-package --reinstall-package --refresh-package --torch-backend"
)
_UVX = _prefix(f"--from -c --constraints -b --build-constraints --overrides {UV_VALUES}")

PREFIXES: Mapping[str, Prefix] = by_name(
    {
        "sudo": _prefix("-u -g -h -p -C -r -t -T -U -D -R --user --group --chdir --prompt --host --role"),
        "doas": _prefix("-u -C"),
        "pkexec": _prefix("--user"),
        "nohup setsid unbuffer command builtin noglob nocorrect valgrind torsocks firejail busybox toybox winpty "
        "eatmydata chronic ts entr bunx pnpx nlx cross-env flatpak-spawn distrobox-host-exec faketty corepack linux32 "
        "linux64 i386 x86_64 uname26 catchsegv ifne dbus-launch uutils coreutils shx orb xe nq detach": _prefix(),
        "time": _prefix("-f -o --format --output"),
        "gtime": _prefix("-f -o"),
        "timeout gtimeout": _prefix("-s -k --signal --kill-after", 1),
        "nice": _prefix("-n --adjustment"),
        "ionice": _prefix("-c -n -p --class --classdata"),
        "chrt": _prefix("-T -P -D", 1),
        "taskset sg gosu su-exec setuidgid s6-setuidgid envdir logsave repeat envchain": _prefix("", 1),
        "numactl": _prefix("-N -m -C --cpunodebind --membind --physcpubind"),
        "stdbuf": _prefix("-i -o -e --input --output --error"),
        "chroot": _prefix("--userspec --groups", 1),
        "exec": _prefix("-a"),
        "strace": _prefix("-o -e -p -s -u -E -P -a -b -I -O -S"),
        "ltrace": _prefix("-o -e -p -s -u -a -n"),
        "fakeroot": _prefix("-l -s -i -b"),
        "proxychains proxychains4": _prefix("-f"),
        "caffeinate": _prefix("-t -w"),
        "xvfb-run": _prefix("-e -f -n -p -s -w --server-args --server-num"),
        "dbus-run-session": _prefix("--config-file"),
        "systemd-run": _prefix("-p -u -t --unit --property --slice --uid --gid --setenv -E -M -H"),
        "systemd-inhibit": _prefix("--what --who --why --mode"),
        "unshare": _prefix("-S -G -R -w"),
        "nsenter": _prefix("-t -S -G --target --setuid --setgid"),
        "setpriv": _prefix("--reuid --regid --groups"),
        "prlimit tini": _prefix("-p"),
        "cpulimit": _prefix("-l -p -e"),
        "arch": _prefix("-e"),
        "faketime": _prefix("-f", 1),
        "nodemon": _prefix("-w --watch -e --ext"),
        "npx": _prefix("-p --package -w --workspace --prefix"),
        "uvx": _UVX,
        "retry": _prefix("-t -d -m -s --times --delay --min --max --until --while --message"),
        "direnv": _prefix("", 2),
        "rlwrap": _prefix("-a -b -f -H -s"),
        "dotenv dotenv-cli": _prefix("-e -f -c -v -p"),
        "dumb-init": _prefix("-r"),
        "ssh-agent": _prefix("-a -t"),
        "host-spawn": _prefix("-cwd -env"),
        "daemonize": _prefix("-a -c -e -E -p -l -o -u"),
        "dtach": _prefix("-n -c -A -N -a -p -r -e"),
        "abduco": _prefix("-n -c -A -a -e"),
        "sshpass": _prefix("-p -f -d -P"),
        "proot": _prefix("-r -b -w -q -k -R -S"),
        "qemu-x86_64 qemu-aarch64 qemu-arm qemu-i386": _prefix("-L -E -U -0 -cpu"),
        "chpst": _prefix("-u -U -b -/ -C -n -l -L -m -d -o -p -f -c -r -t -e"),
        "runcon": _prefix("-t -u -r -l --type --user --role --range"),
        "choom": _prefix("-n -p --adjust"),
        "softlimit": _prefix("-a -c -d -f -l -m -o -p -r -s -t"),
        "cgexec": _prefix("-g"),
        "timelimit": _prefix("-t -T -s -S"),
        "trickle": _prefix("-d -u -w -t -l -n"),
        "heaptrack": _prefix("-o --output"),
        "wsl": _prefix("-d -u --distribution --user --cd"),
        "run0": _prefix("-u -g -D --user --group --chdir --unit --property --slice --setenv --nice --machine"),
        "uclampset": _prefix("-m -M -p"),
        "tsp": _prefix("-L -D -N"),
        "env-cmd": _prefix("-f -e -r --file --environments --rc-file"),
        "daemon": _prefix("-n -u -D -o -O -E --name --user --chdir"),
        "ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1": _prefix(
            "--library-path --inhibit-rpath --audit --preload --argv0"
        ),
        "watchexec": _prefix("-w -e -f -i -s -d --watch --exts --filter --ignore --signal --debounce"),
        "hyperfine": _prefix("-w -r -m -M -n -p -s --warmup --runs --prepare --setup"),
    }
)

# Programs with words of their own before the one they run: `npm:exec` is `npm exec`.
_VERBS: Mapping[str, Prefix] = by_name(
    {
        "pnpm:exec yarn:exec yarn:run bun:x bun:exec poetry:run pipenv:run pdm:run rye:run hatch:run bundle:exec "
        "rbenv:exec pyenv:exec asdf:exec nix:develop nx:exec rr:record uftrace:record deno:task podman:unshare "
        "wsl:-e wsl:-- wsl:--exec just:-c just:--command": _prefix(),
        "npm:explore multipass:exec chamber:exec sops:exec-env sops:exec-file": _prefix("", 1),
        "npm:exec": _prefix("-p --package -w --workspace"),
        "npm:x yarn:dlx": _prefix("-p --package"),
        "pnpm:dlx": _prefix("--package"),
        "uv:run": _prefix(f"--extra --no-extra --group --no-group --only-group --package {UV_VALUES}"),
        "uv:tool:run": _UVX,
        "conda:run mamba:run micromamba:run": _prefix("-n -p --name --prefix"),
        "aws-vault:exec": _prefix("-d --duration", 1),
        "devbox:run": _prefix("-c --config -e --env --env-file"),
        "op:run": _prefix("--env-file"),
        "doppler:run": _prefix("-p -c --project --config"),
        "infisical:run": _prefix("--env --path"),
        "dotenv:run": _prefix("-e -f"),
        "tox:exec": _prefix("-e -c"),
        "dotenvx:run": _prefix("-f -e --env-file"),
        "honcho:run foreman:run": _prefix("-e -f -d"),
        "lerna:exec": _prefix("--scope --ignore"),
        "apptainer:exec singularity:exec": _prefix("-B --bind -H --home --pwd", 1),
        "py-spy:record": _prefix("-o -r -d -f --output --rate --duration --format"),
        "perf:stat": _prefix("-e -r -o"),
        "perf:record": _prefix("-e -o -F"),
        "limactl:shell": _prefix("--workdir", 1),
        "machinectl:shell": _prefix("--uid --setenv -E -M --machine -H --host", 1),
        "toolbox:run": _prefix("-c --container -d --distro -r --release"),
        "distrobox:enter": _prefix("-n --name", 1),
        "pipx:run": _prefix("--spec --python --pip-args --with"),
        "volta:run": _prefix("--node --npm --pnpm --yarn"),
        "fnm:exec": _prefix("--using"),
        "gem:exec": _prefix("-g --gem -v --version"),
        "pixi:run": _prefix("-e -p --environment --manifest-path"),
        "teller:run": _prefix("-c --config"),
        "pm2:start": _prefix("-n -i -e -o --name --instances --interpreter --cron --max-memory-restart"),
        "lxc:exec incus:exec": _prefix("--cwd --env --user", 1),
        "colima:ssh": _prefix("-p --profile"),
    }
)
_REMOTE_VERBS = frozenset({"limactl", "multipass", "lxc", "incus", "colima"})


def unwrapped(name: str, arguments: Sequence[str]) -> list[Inner]:
    """What `name` runs when it is given these arguments; nothing for programs that run no other."""
    special = _SPECIAL.get(name)
    verb = _verb(name, arguments)
    if verb is not None:
        where = REMOTE if name in _REMOTE_VERBS else ""
        return _behind(arguments[verb.end :], _VERBS[verb.name], where)
    if special is not None:
        return special(arguments)
    return _behind(arguments, PREFIXES[name]) if name in PREFIXES else []


class _Verb(NamedTuple):
    """In the table, and where it ends."""

    name: str
    end: int


def _verb(name: str, arguments: Sequence[str]) -> _Verb | None:
    """Behind options of the program, with their values: `pnpm -r exec`, `uv --directory x tool run`."""
    before = "-"
    for index, argument in enumerate(arguments):
        for end in (index + 2, index + 1):
            verb = ":".join((name, *arguments[index:end]))
            if verb in _VERBS:
                return _Verb(verb, end)
        if argument[:1] != "-" and before[:1] != "-":
            return None
        before = argument
    return None


def _behind(arguments: Sequence[str], prefix: Prefix, where: str = "") -> list[Inner]:
    start = first_operand(arguments, prefix.with_value, prefix.skip)
    rest = arguments[start:]
    rest = rest[1:] if rest[:1] and rest[0] == "--" else rest
    if len(rest) > 1 and rest[0] == "-c":
        return [Inner(script=rest[1], where=where)]
    if start and arguments[start - 1] in ("-c", "--call", "--command", "--exec") and rest:
        # `-c` takes the whole command for some of them; for others it is an option of its own.
        as_words = [Inner(tuple(rest), where=where)] if len(rest) > 1 else []
        return [Inner(script=rest[0], where=where), *as_words]
    return [Inner(_without_assignments(rest), where=where, env=_assignments(rest))] if rest else []


def _assignments(arguments: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for argument in arguments:
        name, sign, value = argument.partition("=")
        if not sign or not name.rstrip("%").isidentifier():
            break
        found[name] = value
    return found


def _without_assignments(arguments: Sequence[str]) -> tuple[str, ...]:
    """`sudo A=1 make` and `cross-env A=1 make` set A."""
    return tuple(arguments[len(_assignments(arguments)) :])


def _sudo(arguments: Sequence[str]) -> list[Inner]:
    folder = value_of(arguments[: first_operand(arguments, PREFIXES["sudo"].with_value)], "-D", "--chdir") or ""
    return [replace(inner, cwd=folder) for inner in _behind(arguments, PREFIXES["sudo"])]


def _command(arguments: Sequence[str]) -> list[Inner]:
    return [] if any(a in ("-v", "-V") for a in arguments[:1]) else _behind(arguments, PREFIXES["command"])


_SPLITS = re.compile(r"-[0iv]*S(.*)|--s[a-z-]*=(.*)", re.DOTALL)
_SPLITS_NEXT = re.compile(r"-[0iv]*S|--s[a-z-]*")
# Between quotes as well as outside of them a space: what it splits is read as a shell reads it.
_SPLIT_SPACE = re.compile(r"(?<!\\)\\[_tnrfv]")
_ENV_VALUES = ("-u", "-C", "-S", "-a", "-P", "--unset", "--chdir", "--split-string", "--argv0")
_ENV_SHORTENED = tuple(name[:end] for name in _ENV_VALUES if name[:2] == "--" for end in range(3, len(name)))


def _env(arguments: Sequence[str]) -> list[Inner]:
    start = first_operand(arguments, (*_ENV_VALUES, *_ENV_SHORTENED))
    folder = value_of(arguments[:start], "-C", "--chdir", "--chdi", "--chd", "--ch", "--c") or ""
    for index, argument in enumerate(arguments[:start]):
        is_next = bool(_SPLITS_NEXT.fullmatch(argument))
        found = _SPLITS.fullmatch(argument)
        if is_next or found:
            # All behind what is split belongs to the program, options too.
            split = "".join(arguments[index + 1 : index + 2]) if is_next else (found and (found[1] or found[2])) or ""
            rest = arguments[index + (2 if is_next else 1) :]
            split = _SPLIT_SPACE.sub(" ", split)
            return [Inner(script=" ".join((split, *map(shlex.quote, rest))), cwd=folder)]
    rest = arguments[start + (list(arguments[start : start + 1]) == ["-"]) :]  # alone it is `-i`
    inner = _without_assignments(rest)
    return [Inner(inner, env=_assignments(rest), cwd=folder)] if inner else []


def _shell_option(*names: str) -> Callable[[Sequence[str]], list[Inner]]:
    """Programs that take a script as the value of an option."""

    def read(arguments: Sequence[str]) -> list[Inner]:
        script = value_of(arguments, *names)
        clusters = [index for index, each in enumerate(arguments[:-1]) if re.fullmatch(r"-[a-z]+c", each)]
        script = arguments[clusters[0] + 1] if clusters and not script else script
        return [Inner(script=script)] if script else []

    return read


def _su(arguments: Sequence[str]) -> list[Inner]:
    script = value_of(arguments, "-c", "--command")
    if script:
        return [Inner(script=script)]
    user = value_of(arguments, "-u", "--user")
    start = first_operand(arguments, ("-u", "-g", "-G", "-s", "-w"))
    return [Inner(tuple(arguments[start:]))] if user and arguments[start:] else []


def _joined(with_value: str) -> Callable[[Sequence[str]], list[Inner]]:
    """Programs that put their operands together and give them to a shell."""
    options = frozenset(with_value.split())

    def read(arguments: Sequence[str]) -> list[Inner]:
        rest = arguments[first_operand(arguments, options) :]
        return [Inner(script=" ".join(rest))] if rest else []

    return read


def _flock(arguments: Sequence[str]) -> list[Inner]:
    script = value_of(arguments, "-c", "--command")
    start = first_operand(arguments, ("-w", "-E", "--wait"), 1)
    return [Inner(script=script)] if script else [Inner(tuple(arguments[start:]))] if arguments[start:] else []


def _ssh(arguments: Sequence[str]) -> list[Inner]:
    options = frozenset("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B".split())
    start = first_operand(arguments, options)
    proxies = [found["command"] for found in map(_SSH_RUNS.search, arguments) if found]
    host = arguments[start : start + 1]
    rest = arguments[start + 1 :]
    rest = rest[1:] if rest[:1] in (["--"], ("--",)) else rest
    named = [argument.partition("=")[2] for argument in arguments[:start] if "hostname=" in argument.lower()]
    here = any(map(is_this_machine, (*host, *named)))
    where, cwd = (HERE, "~") if here else (REMOTE, "")
    found = [Inner(script=" ".join(rest), where=where, cwd=cwd)] if host and rest else []
    if host and not rest:
        found = [Inner(argv=("sh",), where=where, cwd=cwd)]
    return found + [Inner(script=proxy) for proxy in proxies]


_DOCKER_VALUES = frozenset(
    """
    -v --volume --mount -e --env --env-file -w --workdir -u --user --name --network --net -p --publish --entrypoint
    -h --hostname --add-host --cpus -m --memory --platform --pull -l --label --ip --dns --device --gpus --tmpfs
    --restart --security-opt --cap-add --cap-drop --ulimit --shm-size --pid --ipc --log-driver --log-opt -a --attach
    --link --volumes-from --cidfile --stop-signal --runtime --index --detach-keys
    """.split()
)


def _docker(arguments: Sequence[str]) -> list[Inner]:
    options = ("-H", "--host", "-c", "--context", "--config", "-l", "--log-level", "-f", "--file", "-p", "--profile")
    start = first_operand(arguments, (*options, "--project-name", "--env-file"))
    verbs = [argument for argument in arguments[start : start + 2] if argument in ("compose", "container")]
    rest = arguments[start + len(verbs[:1]) :]
    rest = rest[first_operand(rest, (*options, "--project-name", "--env-file")) :]
    if rest[:1] not in (["run"], ["exec"], ("run",), ("exec",)):
        return []
    options_end = first_operand(rest[1:], _DOCKER_VALUES) + 1
    inner = tuple(rest[options_end + 1 :])
    entrypoint = value_of(rest[:options_end], "--entrypoint")
    inner = (entrypoint, *inner) if entrypoint else inner
    if not inner:
        return []
    settings = value_of(rest[:options_end], "--env-file")
    shown = [Inner(("cat", settings))] if settings and set(inner) & {"env", "printenv", "export"} else []
    return [*shown, Inner(inner, where=CONTAINER, mounts=_mounts(rest[1:options_end]))]


def _mounts(options: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Inner folder and the folder of this machine that it is."""
    found = []
    for index, option in enumerate(options):
        name, sign, value = option.partition("=")
        value = value if sign else (options[index + 1] if index + 1 < len(options) else "")
        if name in ("-v", "--volume"):
            host, _, inside = value.partition(":")
            found.append((inside.partition(":")[0], host))
        elif name == "--mount":
            keys = dict(item.partition("=")[::2] for item in value.split(","))
            inside = keys.get("target") or keys.get("destination") or keys.get("dst") or ""
            found.append((inside, keys.get("source") or keys.get("src") or ""))
    return tuple((inside, host) for inside, host in found if inside and host[:1] in ("/", ".", UNKNOWN, "~"))


def _kubectl(arguments: Sequence[str]) -> list[Inner]:
    if "exec" in arguments and "--" in arguments:
        inner = tuple(arguments[list(arguments).index("--") + 1 :])
        return [Inner(inner, where=CONTAINER)] if inner else []
    return []


_SHORT_FOR_SCRIPT = re.compile(r"(?P<runner>npm|pnpm|yarn|bun|node|deno):(?P<name>\S+).*", re.DOTALL)
_RUN_WORDS: Mapping[str, tuple[str, ...]] = {"deno": ("deno", "task"), "node": ("node", "--run")}


def _quoted_scripts(arguments: Sequence[str]) -> list[Inner]:
    """Each is a script of its own; `npm:test` is short for `npm run test`."""
    found = []
    for script in (each for each in arguments if not each.startswith("-")):
        short = _SHORT_FOR_SCRIPT.fullmatch(script)
        words = _RUN_WORDS.get(short["runner"], (short["runner"], "run")) if short else ()
        found.append(Inner((*words, short["name"])) if short else Inner(script=script))
    return found


def _setarch(arguments: Sequence[str]) -> list[Inner]:
    """`setarch x86_64 -R PROGRAM`, `setarch -R PROGRAM`: the machine may be left out."""
    rest = arguments[1:] if arguments[:1] and not arguments[0].startswith("-") else arguments
    inner = tuple(rest[first_operand(rest) :])
    return [Inner(inner)] if inner else []


def _yarn(arguments: Sequence[str]) -> list[Inner]:
    """`yarn node -e CODE`; in one workspace, or in each of them, it is called once more."""
    if list(arguments[:1]) == ["node"]:
        return [Inner(tuple(arguments))]
    if list(arguments[:1]) == ["workspace"]:
        return [Inner(("yarn", *arguments[2:]))] if arguments[2:] else []
    if list(arguments[:2]) == ["workspaces", "foreach"]:
        rest = arguments[2 + first_operand(arguments[2:], ("--include", "--exclude", "--from", "-j", "--jobs")) :]
        return [Inner(("yarn", *rest))] if rest else []
    return []


def _nix(arguments: Sequence[str]) -> list[Inner]:
    """`nix shell PACKAGE -c PROGRAM …`; behind `--` stand the arguments of a package's own program."""
    start = next((at + 1 for at, each in enumerate(arguments) if each in ("-c", "--command")), len(arguments))
    inner = tuple(arguments[start:])
    return [Inner(script=inner[0]) if len(inner) == 1 else Inner(inner)] if inner else []


def _cargo(arguments: Sequence[str]) -> list[Inner]:
    """`cargo watch -s SCRIPT`, `-x SUBCOMMAND`, `-- PROGRAM`."""
    if arguments[:1] not in (["watch"], ("watch",)):
        return []
    rest = arguments[1:]
    shell, own = value_of(rest, "-s", "--shell"), value_of(rest, "-x", "--exec")
    found = [Inner(script=shell)] if shell else []
    found += [Inner(script=f"cargo {own}")] if own else []
    return [*found, Inner(tuple(rest[list(rest).index("--") + 1 :]))] if "--" in rest else found


def _apple(arguments: Sequence[str]) -> list[Inner]:
    found = []
    for argument in arguments:
        _, marker, rest = argument.partition("do shell script" if "do shell script" in argument else "do script")
        text = rest.strip()
        if marker and text[:1] == '"':
            found.append(Inner(script=text[1:].partition('"')[0]))
    return found


def _all_behind(word: str) -> Callable[[Sequence[str]], list[Inner]]:
    def read(arguments: Sequence[str]) -> list[Inner]:
        inner = tuple(arguments[list(arguments).index(word) + 1 :]) if word in arguments else ()
        return [Inner(inner)] if inner else []

    return read


def _mise(arguments: Sequence[str]) -> list[Inner]:
    """`mise exec node@20 -- npm test`; without tools the `--` may be left out."""
    if arguments[:1] not in (["exec"], ["x"], ("exec",), ("x",)):
        return []
    script = value_of(arguments, "-c", "--command")
    return [Inner(script=script)] if script else _all_behind("--")(arguments) or _behind(arguments[1:], Prefix())


def _nvm(arguments: Sequence[str]) -> list[Inner]:
    """`nvm exec [VERSION] npm test`."""
    if arguments[:1] not in (["exec"], ("exec",)):
        return []
    rest = tuple(arguments[1 + first_operand(arguments[1:]) :])
    return [Inner(each) for each in (rest, rest[1:]) if each]


_PACKAGE = re.compile(r"(?:.*/)?node_modules/(?:\.bin/|(?:@[^/]+/)?)([^/]+)")
_NODE_VALUES = frozenset("-r -C --require --import --loader --experimental-loader --conditions --env-file".split())


def _node(arguments: Sequence[str]) -> list[Inner]:
    """`node node_modules/.bin/changeset publish`: a program of a package, called by its file; and `node --run NAME`."""
    if script := value_of(arguments[:2], "--run"):
        return [Inner(("npm", "run", script))]
    file, *rest = arguments[first_operand(arguments, _NODE_VALUES) :] or ("",)
    package = _PACKAGE.match(file)
    return [Inner((package[1], *rest))] if package else []


def _gh(arguments: Sequence[str]) -> list[Inner]:
    """`gh codespace ssh -- git push` runs on another machine."""
    if tuple(arguments[:2]) not in {("codespace", "ssh"), ("cs", "ssh")}:
        return []
    rest = arguments[2:]
    options = frozenset("-c -R --codespace --repo --repo-owner --profile --server-port".split())
    script = " ".join(each for each in rest[first_operand(rest, options) :] if each != "--")
    return [Inner(script=script, where=REMOTE)] if script else []


# Words by which a shell elsewhere is asked for, and the options behind which its command stands.
_CLOUD_SHELLS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("compute", "ssh"): ("--command",),
    ("vm", "run-command"): ("--scripts",),
    ("ssh", "console"): ("-C", "--command"),
    ("ecs", "execute-command"): ("--command",),
    ("ssm", "send-command"): ("--parameters",),
    ("alloc", "exec"): (),
    ("run",): (),
    ("run:detached",): (),
}
_OF_PARAMETERS = re.compile(r"\A.*?commands[\s\"']*[=:][\s\"'\[]*|[\"'\]\s}]+\Z", re.DOTALL)


def _of_cloud(arguments: Sequence[str]) -> list[Inner]:
    """`gcloud compute ssh HOST --command SCRIPT`, `heroku run PROGRAM`: it runs on another machine."""
    options = _CLOUD_SHELLS.get(tuple(arguments[:2]))
    if options:
        text = value_of(arguments, *options) or ""
        text = _OF_PARAMETERS.sub("", text) if options == ("--parameters",) else text
        return [Inner(script=text, where=REMOTE)] if text else []
    skipped = 3 if tuple(arguments[:2]) in _CLOUD_SHELLS else 1 if tuple(arguments[:1]) in _CLOUD_SHELLS else 0
    if not skipped:
        return []
    rest = arguments[skipped:]
    script = " ".join(rest[first_operand(rest, ("-a", "--app", "-r", "--remote", "-s", "--size")) :])
    return [Inner(script=script, where=REMOTE)] if script else []


def _windows(arguments: Sequence[str]) -> list[Inner]:
    for index, argument in enumerate(arguments):
        if argument.lower() in ("/c", "/k"):
            return [Inner(script=" ".join(arguments[index + 1 :]))]
    return []


# What the program of that name does by itself; all else is git's.
_OF_HUB = frozenset("api browse ci-status compare create delete fork gist issue pr pull-request release sync".split())


def _hub(arguments: Sequence[str]) -> list[Inner]:
    return [] if not arguments or arguments[0] in _OF_HUB else [Inner(("git", *arguments))]


_OF_COVERAGE = ("--source", "--rcfile", "--include", "--omit", "--context", "--data-file", "--concurrency")


def _coverage(arguments: Sequence[str]) -> list[Inner]:
    """A script of Python, or `-m` and a module."""
    if list(arguments[:1]) != ["run"]:
        return []
    rest = arguments[1:]
    start = rest.index("-m") if "-m" in rest else first_operand(rest, _OF_COVERAGE)
    return [Inner(("python", *rest[start:]))] if start < len(rest) else []


_SPECIAL: Mapping[str, Callable[[Sequence[str]], list[Inner]]] = by_name(
    {
        **detached.READERS,
        "coverage coverage3": _coverage,
        "hub": _hub,
        "command": _command,
        "env genv": _env,
        "sudo": _sudo,
        "su runuser": _su,
        "nix-shell": _shell_option("--run", "--command"),
        "flock": _flock,
        "ssh rsh autossh": _ssh,
        "mosh": lambda arguments: _ssh([each for each in arguments if each != "--"]),
        "newgrp": lambda arguments: [Inner(("sh",))],
        "gdb": _all_behind("--args"),
        "docker podman nerdctl docker-compose": _docker,
        "kubectl oc k": _kubectl,
        "watch": _joined("-n --interval -q --equexit"),
        "concurrently hyperfine start-server-and-test": _quoted_scripts,
        "setarch": _setarch,
        "cargo": _cargo,
        "chokidar": _shell_option("-c", "--command"),
        "nix": _nix,
        "onchange guix lldb": _all_behind("--"),
        "mise": _mise,
        "yarn": _yarn,
        "gcloud az heroku flyctl fly nomad aws": _of_cloud,
        "node": _node,
        "nr": lambda arguments: [Inner(("npm", "run", *arguments))],
        "gh": _gh,
        "nvm": _nvm,
        "osascript": _apple,
        "cmd": _windows,
    }
)
