"""Credentials that are read or leave the machine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command import cloud_metadata, whole_folders
from vetgate.checks.unsafe_command.effect import READS_CREDENTIALS, SENDS_CREDENTIALS, MatchedEffect
from vetgate.checks.unsafe_command.own_files import paths_in_code
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.source.shell.embedded import git_verb
from vetgate.source.shell.options import first_operand, packed_by_tar, value_of
from vetgate.source.shell.placeholders import CREDENTIAL, STAR, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_TABLE = CommandTable(
    (
        READS_CREDENTIALS,
        """
        git credential fill|approve
        git credential-store|credential-cache get
        git credential-osxkeychain|credential-manager get
        gh|fly auth token
        gh|glab auth status +--show-token|-t
        aws configure get =*secret*
        aws configure get =*token*
        aws configure export-credentials
        aws secretsmanager get-secret-value|batch-get-secret-value
        aws ssm get-parameter|get-parameters|get-parameters-by-path +--with-decryption
        aws sts get-session-token|assume-role
        aws ecr get-login-password
        aws iam create-access-key
        aws kms decrypt
        gcloud auth print-access-token|print-identity-token
        gcloud auth application-default print-access-token
        gcloud secrets versions access
        gcloud iam service-accounts keys create
        az account get-access-token
        az keyvault secret show|download
        az ad sp create-for-rbac
        vault read|login
        vault kv get
        vault token lookup|create
        kubectl|oc get secret|secrets +-o|--output|-ojson|-oyaml
        kubectl|oc get secret/* +-o|--output
        kubectl|oc config view +--raw
        kubectl create token
        op read
        op item|document get
        pass|lpass show
        bw|keyring get
        doppler secrets
        infisical secrets|export
        heroku config
        heroku auth:token
        npm token
        npm config get =*_auth*
        security find-generic-password|find-internet-password|dump-keychain|export
        secret-tool lookup|search
        gpg|gpg2 =--export-secret*
        docker context export
        chamber read|export
        sops|age +-d|--decrypt
        sops decrypt|exec-env
        ansible-vault view|decrypt
        terraform output +-raw =*secret*
        terraform state pull
        pulumi stack output +--show-secrets
        pulumi config +--show-secrets
        rails credentials:show
        ssh-add +-D
        """,
    ),
)

# They look at a file's name, place or mode, or make use of it without showing it.
_BLIND = frozenset(
    """
    ls ll la stat test [ [[ chmod chown chgrp rm unlink touch mkdir cd pushd echo printf file wc du df realpath
    readlink basename dirname find fd locate which type exa eza lsd tree source . export set unset read ssh ssh-add
    ssh-keygen sftp mosh git-lfs ansible ansible-playbook docker docker-compose podman kubectl helm terraform tofu
    direnv dotenv mktemp sha256sum md5sum shasum cksum npm npx yarn pnpm bun make cargo go poetry uv pip pytest
    rails rake bundle node ruby vercel netlify fly heroku gh true false exit sleep kill pgrep pkill id groups alias
    trap wait for while gpg age code subl open ln tee cp mv rsync scp install tar zip
    truncate shred python php deno
    """.split()
)
# They run a file, and show its lines where it is none; PHP shows all of it.
_RUN_A_FILE = frozenset({"node", "ruby", "python", "php", "deno", "source", "."})
_WITH_VALUE = frozenset({"-i", "-F", "-P", "-o", "-e", "-J", "-c", "-l", "-S"})
_COPIES = frozenset({"cp", "mv", "rsync", "install", "ln", "gcp"})
_TARS = frozenset({"tar", "gtar", "bsdtar"})
_PACKS = frozenset({"zip", "7z", "rar", *_TARS})
_NETWORK = frozenset(
    """
    curl wget nc ncat netcat socat telnet ftp tftp lftp scp sftp rsync mail mailx sendmail mutt http https xh httpie
    aws gsutil rclone s3cmd mc gcloud az dig nslookup host ping websocat wscat croc wormhole ffsend ssh gh glab
    slack-cli ntfy pastebinit transfer
    """.split()
)
# Verbs of git with options that name a file to be read, and these options.
_GIT_TAKES_FILES = frozenset("archive commit tag notes merge config blame ls-files".split())
_GIT_SHOWS = frozenset("show cat-file hash-object blame grep apply am send-email".split())
_GIT_FILE_OPTION = expression(
    r"-[a-zA-Z]*[FfX](?==|\Z|[~/.])|--(?:add-file|file|contents|template|exclude-from)(?:=|\Z)"
)
_PRINTED_NAMES = expression(r"(?i)secret|aws|token|passw|credential|api.?key|private|_key|auth|\bpat\b")
_BEFORE_HEADERS = frozenset("-H --header -u --user --oauth2-bearer --password -b".split())
_HEADER = expression(
    r"(?i)authorization|x-api-key|private-token|token|api[-_]?key|bearer|cookie|x-[a-z-]*(?:key|token)"
)


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    yield from _TABLE.found(run)
    if not _is_loaded(run, context):
        yield from _read_or_shown(run, context)
    yield from _run_as_a_file(run, context)
    yield from _found_by_code(run, context)
    yield from whole_folders.effects(run, context)
    yield from cloud_metadata.effects(run)
    yield from _sent(run, context)


def _found_by_code(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    found = paths_in_code(run.code, context.paths.home) if run.language else ()
    for path in found:
        if "*" in path and context.secrets.is_secret(path.replace("*", STAR)):
            yield MatchedEffect(READS_CREDENTIALS, f"its code opens {path}, which holds credentials")
            return


def _read_or_shown(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    for path in run.reads:
        if _is_secret(run, path, context) and run.name not in ("source", "."):
            yield from _read(run, path)
    yield from _named(run, context)
    yield from _shown(run)


# `export $(grep -v '^#' .env | xargs)` brings values into a shell as `. .env` does; cut up otherwise, it shows them,
# and so it does with a file of no variables: what is no name stands in the shell's complaint.
_LOADS = expression(
    r"""\bexport\s+(?P<quote>"?)\$\((?:cat|e?grep\s+-v\s+(?P<mark>['"])\^(?:\\s\*)?\#(?P=mark))\s+/?(?:[\w.-]+/)*[\w-]*\.env(?:\.[\w-]+)*(?:\s*\|\s*xargs(?:\s+-0)?)?\s*\)(?P=quote)"""
)


def _is_loaded(run: ProgramRun, context: EffectContext) -> bool:
    start, end = run.part
    return any(each.start() < start and end <= each.end() for each in _LOADS.finditer(context.command))


def _is_secret(run: ProgramRun, path: str, context: EffectContext) -> bool:
    full = context.paths.resolve(run, path)
    return full is not None and context.secrets.is_secret(full)


def _read(run: ProgramRun, path: str) -> Iterator[MatchedEffect]:
    kind = SENDS_CREDENTIALS if run.name in _NETWORK else READS_CREDENTIALS
    yield MatchedEffect(kind, f"it reads {shown(path)}, which holds credentials")


# Programs blind to what is in a file, but for those that these options name: lines that they cannot use are shown.
_SHOW_A_FILE = {
    **dict.fromkeys(("make", "gmake"), ("-f", "--file", "--makefile")),
    **dict.fromkeys(("wc", "du"), ("--files0-from",)),
    "file": ("-f", "--files-from"),
    "pytest": ("-c", "--config-file"),
    "ssh": ("-F",),
}
# Programs with a language of their own, in which files are named.
_LANGUAGES = frozenset("awk gawk mawk nawk sed gsed jq ed ex vim vi nvim sqlite3 duckdb psql mysql mariadb".split())
_PATH_IN_TEXT = expression(r"[^\s\"'`<>|;,(){}=]*/[^\s\"'`<>|;,(){}=]+")
_VERSION = re.compile(r"(?<=\w)[\d.]+$")
_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg"})
_COUNTS = expression(r"-[Eisw]*[qc][Eisw]*")
_NAME = expression(r"\^(?:export )?[A-Za-z_]\w*=|\.?")
# Without the sign it may be how a value begins, but in a file of variables.
_BEGIN = expression(r"\^(?:export )?[A-Za-z_]\w*")
_VARIABLES = expression(r"(?:.*/)?[\w-]*\.env(?:\.[\w-]+)*")


def _names_its_pattern(arguments: Sequence[str]) -> bool:
    """Then every operand is a file: `-e`, `-f` in any cluster, and all that a long option may be short for."""
    short = (each for each in arguments if each.startswith("-") and not each.startswith("--"))
    return any("e" in each or "f" in each for each in short) or any(
        each.startswith(("--re", "--f", "--pre")) for each in arguments
    )


def _without_pattern(run: ProgramRun) -> tuple[str, ...]:
    """The arguments; of a search, those that are not what it looks for."""
    if run.name not in _SEARCHES or _names_its_pattern(run.arguments):
        return run.arguments
    pattern = first_operand(run.arguments)  # a value of an option is taken for the pattern: more is looked at
    return (*run.arguments[:pattern], *run.arguments[pattern + 1 :])


def _named(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """Files in the arguments, for every program that is not known to be blind to what is in them."""
    reader = _READERS.get(run.name)
    if run.name == "cut" and value_of(run.arguments, "-d") == "=" and value_of(run.arguments, "-f") == "1":
        return  # the names alone
    if reader is not None:
        yield from reader(run, context)
    elif run.name and run.name not in _BLIND and not _looks_for_names(run):
        yield from _each(run, _without_pattern(run), context)


def _looks_for_names(run: ProgramRun) -> bool:
    """A search that says whether a name is there, or how many lines; nothing about a value can be found out by it."""
    if run.name not in _SEARCHES or _names_its_pattern(run.arguments):
        return False
    pattern = first_operand(run.arguments)
    options = run.arguments[:pattern]
    tells_no_line = any(each in ("--quiet", "--silent", "--count") or _COUNTS.fullmatch(each) for each in options)
    wanted, *files = run.arguments[pattern:] or ("-",)
    is_begin = _BEGIN.fullmatch(wanted) and files and all(map(_VARIABLES.fullmatch, files))
    return tells_no_line and bool(is_begin or _NAME.fullmatch(wanted))


def _published(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.arguments[:1] in (("gist",), ("snippet",), ("release",), ("api",)):
        yield from _each(run, run.arguments, context)
    named = value_of(run.arguments, "-F", "--body-file", "--notes-file", "--input")
    yield from _each(run, [named] if named else [], context)


def _taken_by_dd(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    yield from _each(run, [each[3:] for each in run.arguments if each.startswith("if=")], context)


def _edited(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if not Words(run.arguments).has("-i", "--in-place"):
        yield from _each(run, [each for each in run.arguments if not each.startswith("-")], context)


def _shown_by_option(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    named = value_of(run.arguments, *_SHOW_A_FILE[run.name])
    yield from _each(run, [named] if named else [], context)


def _into_container(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.arguments[:1] == ("cp",):
        yield from _each(run, run.arguments[1:-1], context)


def _run_as_a_file(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """`. .env` is how its values get into a shell; in a place for credentials nothing is meant to be run."""
    if _VERSION.sub("", run.name) not in _RUN_A_FILE:
        return
    start = first_operand(run.arguments)
    for path in run.arguments[start : start + 1]:
        full = context.paths.resolve(run, path)
        if full is not None and context.secrets.is_kept_at(full):
            yield from _read(run, path)


def _each(run: ProgramRun, candidates: list[str] | tuple[str, ...], context: EffectContext) -> Iterator[MatchedEffect]:
    for argument in candidates:
        if " " in argument or "\n" in argument:
            yield from _each(run, _PATH_IN_TEXT.findall(argument) if run.name in _LANGUAGES else (), context)
            continue
        if argument[:1] == "-":
            continue
        if _is_secret(run, argument.removeprefix("@"), context):
            yield from _read(run, argument)


def _copied(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.name in _TARS:
        yield from _packed(run, context)
        return
    start = first_operand(run.arguments, _WITH_VALUE if run.name in ("scp", "sftp", "rsync") else ())
    operands = [each for each in run.arguments[start:] if not each.startswith("-") or each == "-"]
    sources = operands[1:] if run.name in _PACKS else operands[:-1]
    target = operands[-1] if operands else ""
    for path in sources:
        if not _is_secret(run, path, context):
            continue
        if ":" in target:
            yield MatchedEffect(SENDS_CREDENTIALS, f"it copies {shown(path)} to another machine")
        elif run.name in _PACKS or not _is_secret(run, target, context):
            yield MatchedEffect(READS_CREDENTIALS, f"it copies {shown(path)}, which holds credentials")


def _packed(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    for path in packed_by_tar(run.arguments):
        if _is_secret(run, path, context):
            yield MatchedEffect(READS_CREDENTIALS, f"it copies {shown(path)}, which holds credentials")


def _passed_to_git(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    verb, rest = git_verb(run.arguments)
    if verb in ("add", "stage"):
        for path in rest:
            if not path.startswith("-") and _is_secret(run, path, context):
                yield MatchedEffect(
                    SENDS_CREDENTIALS,
                    f"it adds {shown(path)} to what will be committed",
                    "commit an example without the values",
                )
        return
    for path in _read_by_git(verb, rest):
        if _is_secret(run, path, context):
            yield from _read(run, path)


def _read_by_git(verb: str, rest: Sequence[str]) -> Iterator[str]:
    if verb in _GIT_SHOWS or (verb == "diff" and "--no-index" in rest):
        operands = (argument.rpartition(":")[2] for argument in rest)
        yield from (path for path in operands if not path.startswith("-"))
    if verb in _GIT_TAKES_FILES:
        yield from _added_to_git(rest)
    if verb == "commit":
        yield from filter(None, [value_of(rest, "-t")])


def _added_to_git(rest: Sequence[str]) -> Iterator[str]:
    """Files that an option names, whose text becomes a message, an archive or a list: `-F x`, `-Fx`, `--file=x`."""
    for index, argument in enumerate(rest):
        if found := _GIT_FILE_OPTION.match(argument):
            yield argument[found.end() :] or next(iter(rest[index + 1 :]), "")


def _uploaded(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    for argument in run.arguments:
        for candidate in re.findall(r"[@<]([^;,@]+)", argument) or [argument.partition("=")[2] or argument]:
            if "://" not in candidate and _is_secret(run, candidate, context):
                yield MatchedEffect(SENDS_CREDENTIALS, f"it sends {shown(candidate)}, which holds credentials")
            elif candidate.startswith("file://") and _is_secret(run, candidate[7:], context):
                yield from _read(run, candidate)


def _openssl(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    source = value_of(run.arguments, "-in")
    if source and _is_secret(run, source, context) and not Words(run.arguments).has("-pubout", "-noout"):
        yield from _read(run, source)


def _shown(run: ProgramRun) -> Iterator[MatchedEffect]:
    """Secrets of the environment that are printed."""
    name = run.name
    if name == "printenv" and any(_PRINTED_NAMES.search(each) for each in run.arguments):
        yield MatchedEffect(READS_CREDENTIALS, f"it prints {shown(run.arguments[-1])}")
    elif name in ("echo", "printf", "print") and any(CREDENTIAL in each for each in run.arguments) and not run.writes:
        yield MatchedEffect(READS_CREDENTIALS, "it prints a credential", 'test that it is set: `[ -n "$NAME" ]`')
    elif name in ("grep", "egrep", "rg", "ag", "awk", "sed") and CREDENTIAL in run.stdin and _looks_for_secrets(run):
        yield MatchedEffect(READS_CREDENTIALS, "it prints credentials of the environment")


_READERS: Mapping[str, Callable[[ProgramRun, EffectContext], Iterator[MatchedEffect]]] = {
    **dict.fromkeys((*_COPIES, *_PACKS, "scp", "sftp"), _copied),
    **dict.fromkeys(("gh", "glab"), _published),
    **dict.fromkeys(("curl", "wget", "http", "https", "xh"), _uploaded),
    **dict.fromkeys(("sed", "gsed"), _edited),
    **dict.fromkeys(_SHOW_A_FILE, _shown_by_option),
    **dict.fromkeys(("docker", "podman", "kubectl", "oc"), _into_container),
    "git": _passed_to_git,
    "dd": _taken_by_dd,
    "openssl": _openssl,
}


def _looks_for_secrets(run: ProgramRun) -> bool:
    return any(_PRINTED_NAMES.search(each) for each in run.arguments if not each.startswith("-"))


def _sent(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.name not in _NETWORK:
        return
    if CREDENTIAL in run.stdin and run.name not in ("gh", "aws"):
        yield MatchedEffect(SENDS_CREDENTIALS, "it sends credentials that are fed to it")
        return
    for index, argument in enumerate(run.arguments):
        if CREDENTIAL not in argument:
            continue
        before = run.arguments[index - 1] if index else ""
        in_header = before in _BEFORE_HEADERS or _HEADER.match(argument)
        if not in_header or run.name in ("dig", "nslookup", "host", "ping"):
            yield MatchedEffect(SENDS_CREDENTIALS, "it sends a credential")
            return
