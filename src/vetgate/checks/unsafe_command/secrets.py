"""Where credentials lie: by place and by name, real path or glob, and whoever shares their inode."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.command_context import MOST_PATH, real_path
from vetgate.checks.unsafe_command.own_files import hits_own, lies_on_the_way
from vetgate.checks.unsafe_command.words import one_of
from vetgate.expression import expression
from vetgate.known_agents import known_agents
from vetgate.source.root import key
from vetgate.source.shell.placeholders import CREDENTIAL, LISTS_GATE, NAMES_GATE, STAR, has_glob, without_globs

if TYPE_CHECKING:
    from vetgate.checks.unsafe_command.command_context import CommandPaths

# Below the home folder. A folder stands for everything in it.
_IN_HOME = tuple(
    """
    .ssh/ .aws/credentials .aws/sso/ .aws/cli/cache/ .netrc _netrc .git-credentials .npmrc .yarnrc.yml .pypirc
    .docker/config.json .kube/config .gnupg/ .config/gh/hosts.yml .config/hub .config/gcloud/ .azure/ .vault-token
    .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .gradle/gradle.properties
    .config/op/ .password-store/ .pgpass .my.cnf .mylogin.cnf .terraform.d/credentials.tfrc.json
    .config/rclone/rclone.conf .config/doctl/config.yaml .fly/config.yml .netlify/config.json .config/heroku/ .s3cfg
    .boto .composer/auth.json .nuget/nuget.config .bash_history .zsh_history .python_history .psql_history
    .mysql_history .node_repl_history .config/google-chrome/ .mozilla/firefox/ .config/chromium/ library/keychains/
    library/application?support/google/chrome/ .local/share/keyrings/
    .wallet/ .bitcoin/ .ethereum/ .config/solana/ .electrum/ .kaggle/kaggle.json
    .huggingface/token .cache/huggingface/token .config/stripe/ .twilio-cli/ .oci/
    .config/sops/age/ .config/age/ .age/ .databrickscfg .snowsql/config .snowflake/ .bundle/config
    .nuget/nuget/nuget.config .config/nuget/nuget.config .wrangler/config/ .config/.wrangler/config/
    """.split()
) + tuple(name for agent in known_agents() for name in agent.credentials)
_SOURCE = expression(
    r"\.(?:py|pyi|[cm]?[jt]sx?|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|hpp|swift|scala|ex|exs|md|rst|html|css|sql|sh|vue)$"
)
_FOLDERS = frozenset({".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".password-store", ".config/gcloud"})
_OPEN_IN_SSH = expression(r".*\.pub|known_hosts.*|config|authorized_keys|environment")
_ON_MACHINE = tuple(
    """
    /etc/shadow* /etc/gshadow* /etc/sudoers /etc/ssh/ssh_host_*_key /etc/krb5.keytab /proc/*/environ /proc/*/mem
    /etc/master.passwd /var/run/secrets/* /run/secrets/* /etc/kubernetes/*.conf /etc/letsencrypt/live/*/privkey.pem
    /etc/ssl/private/* /var/lib/docker/*secret* /etc/rancher/*/*.yaml
    """.split()
)
_OF_A_FOLDER = expression(r"/\*{1,2}(?:/\*)?\Z")
_BELOW_HOME = one_of(each + "*" if each.endswith("/") else each for each in _IN_HOME)
_MACHINE = one_of(_ON_MACHINE)
_NAME = expression(
    r"\.env(?:\.(?!example|sample|template|dist|test|defaults?|schema|d\b).+)?|.+\.env|id_(?:rsa|dsa|ecdsa|ed25519)(?:_.*)?|.*\.(?:p12|pfx|keystore|jks|kdbx|ppk)"
    r"|.*private.*\.pem|.*priv.*key.*|(?:.*[-_.])?key\.pem|.*\.key|service[-_]?account.*\.json|gcp[-_]?key.*\.json|client_secret.*\.json|credentials(?:\.json|\.yml|\.yaml|\.toml)?"
    r"|secrets?\.(?:ya?ml|json|toml|env|txt)|\.htpasswd|\.netrc|\.pgpass|master\.key|\.git-credentials|\.npmrc\.local|token\.txt|passwords?\.txt|.*\.tfvars\.secret|\.dev\.vars|terraform\.tfstate(?:\.backup)?|local\.settings\.json|kubeconfig|\.pypirc|vault[-_]pass.*"
)
_SETTINGS = tuple(f"/{name}" for agent in known_agents() if agent.gated for name in agent.settings)
_EXAMPLES = tuple(
    """
    .ssh/id_rsa .ssh/id_ed25519 .ssh/id_ecdsa .aws/credentials .netrc .git-credentials .docker/config.json
    .kube/config .gnupg/secring.gpg .npmrc .pypirc .env .vault-token .pgpass
    """.split()
)


class CredentialFiles:
    """What the follower asks of us: the mark that a file's content carries."""

    def __init__(self, paths: CommandPaths, sensitive: tuple[str, ...]) -> None:
        self._paths = paths
        self._sensitive = sensitive
        self._known: dict[str, bool] = {}

    def mark_of(self, path: str) -> str:
        lists = LISTS_GATE if self._lists_the_gate(path) else ""
        if self.is_secret(path):
            return CREDENTIAL + lists
        return NAMES_GATE if path.endswith(_SETTINGS) else lists

    def _lists_the_gate(self, path: str) -> bool:
        if not path.startswith("/") or len(path) > MOST_PATH or "\n" in path:
            return False
        if has_glob(path):
            return hits_own(key(without_globs(path)), self._paths)
        return lies_on_the_way(key(real_path(path)).rstrip("/") or "/", self._paths)

    @cached_property
    def _places(self) -> tuple[str, ...]:
        own = []
        for entry in self._sensitive:
            path = _OF_A_FOLDER.sub("", entry)  # a folder stands for all that is in it
            if path.startswith(("~/", "/")):
                own.append(key(path.replace("~", str(self._paths.place.home), 1)).rstrip("/"))
            else:
                own.append(key(f"{real_path(str(self._paths.place.configured))}/{path}").rstrip("/"))
        return tuple(own)

    @cached_property
    def _inodes(self) -> frozenset[tuple[int, int]]:
        """Of the best known ones, so that another name for the same file is seen through."""
        found = set()
        home = self._paths.place.home
        for name in _EXAMPLES:
            for folder in (home, *self._paths.place.projects):
                try:
                    status = (folder / name).stat()
                except OSError:
                    continue
                found.add((status.st_dev, status.st_ino))
        return frozenset(found)

    def is_secret(self, path: str) -> bool:
        """`path` is absolute, as written or as a key."""
        if not path.startswith("/") or len(path) > MOST_PATH:
            return False
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._is_secret(path)
        return known

    def _is_secret(self, path: str) -> bool:
        folded = key(path)
        if has_glob(folded):
            return self._glob_hits(without_globs(folded))
        real = key(real_path(path))
        return any(self._named(each) for each in {folded, real}) or self._shares_inode(path)

    def lie_below(self, path: str) -> bool:
        """Whether whoever reads all of this folder, a key, reads some of ours. A project in the home's place may."""
        if not path.startswith("/") or has_glob(path) or path in self._paths.roots:
            return False
        homes = (self._paths.place.home, Path(self._paths.home))
        usual = (home / name.rstrip("/") for home in homes for name in _IN_HOME if "?" not in name)
        places = (*usual, *map(Path, self._places), *self._paths.place.own[:1])
        return any(self._paths.is_inside(key(str(place)), path) and place.exists() for place in places)

    def found_below(self, folder: str, name: str) -> bool:
        """Whether a search below a folder, a key, for files of a name reads some of ours; in a project it may."""
        if "*" in name or "?" in name or self._paths.in_project(folder):
            return hits_own(f"{folder.rstrip('/')}/*/{key(name)}", self._paths, self._seals_the_record)
        return self.is_secret(f"{folder.rstrip('/')}/{STAR}/{name}")

    def is_named(self, path: str) -> bool:
        """By its name alone, an absolute one: nobody looks at the disk, so a link is not seen through."""
        return len(path) <= MOST_PATH and self._named(key(path))

    def is_kept_at(self, path: str) -> bool:
        """Whether this is a place for credentials, whatever the file is called."""
        return any(self._placed(each) for each in {key(path), key(real_path(path))})

    def _placed(self, path: str) -> bool:
        below = self._paths.below_home(path)
        if (below and _in_home(below)) or _MACHINE.match(path) or self._seals_the_record(path):
            return True
        return any(self._paths.is_inside(path, each) or fnmatchcase(path, each) for each in self._places)

    def _seals_the_record(self, path: str) -> bool:
        """The gate's own record and its key: whoever has them can write what a person never accepted."""
        is_of_the_record = path.endswith(("/key", ".db", ".db-wal"))
        return is_of_the_record and any(self._paths.is_inside(path, folder) for folder in self._paths.own[:1])

    def _named(self, path: str) -> bool:
        if self._placed(path):
            return True
        if any(
            part in path
            for part in ("/node_modules/", "/site-packages/", "/tests/", "/test/", "/fixtures/", "/testdata/")
        ):
            return False
        name = path.rpartition("/")[2]
        return _NAME.fullmatch(name) is not None and not _SOURCE.search(name)

    def _glob_hits(self, pattern: str) -> bool:
        if any(_may_be_below(pattern, place) for place in self._places):
            return True
        if hits_own(pattern, self._paths, self._seals_the_record):
            return True
        folder, _, last = pattern.rpartition("/")
        bases = {self._paths.home, key(str(self._paths.place.home)), folder}
        near = folder.rpartition("/")[2]
        is_some_hidden = near.startswith(".") and any(sign in near for sign in "*?[")
        if (
            last in ("*", "*.*")
            and not is_some_hidden
            and "/.ssh" not in pattern
            and "/.aws" not in pattern
            and "/.gnupg" not in pattern
        ):
            return False
        return any(fnmatchcase(f"{base}/{name}", pattern) for base in bases for name in _EXAMPLES)

    def _shares_inode(self, path: str) -> bool:
        try:
            status = Path(path).stat()
        except (OSError, ValueError):
            return False
        return status.st_nlink > 1 and (status.st_dev, status.st_ino) in self._inodes


def _may_be_below(pattern: str, place: str) -> bool:
    """Whether a glob names that place or something in it: part by part, since a * stops at a slash.

    `*` alone is every folder beside it as well, and a search of the whole project.
    """
    parts, wanted = pattern.split("/"), place.split("/")
    rest = "/".join(parts[len(wanted) :])
    if len(parts) < len(wanted) or not all(map(fnmatchcase, wanted, parts)):
        return False
    return any(Path(place).glob(rest)) if rest else parts[-1] not in ("*", "**")


def _in_home(below: str) -> bool:
    if below.startswith(".ssh/"):
        return not _OPEN_IN_SSH.fullmatch(below[5:])
    return below in _FOLDERS or _BELOW_HOME.match(below) is not None
