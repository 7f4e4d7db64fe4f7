"""What stays behind: jobs, services, start-up files, keys, accounts and rights."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import PERSISTS, MatchedEffect
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.checks.unsafe_command.targets import targets
from vetgate.checks.unsafe_command.words import as_globs, one_of
from vetgate.expression import expression
from vetgate.known_agents import known_agents
from vetgate.model import Decision
from vetgate.source.protected import START_UP
from vetgate.source.shell.placeholders import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_TABLE = CommandTable(
    (
        PERSISTS,
        """
        crontab !-l
        at|batch !-l|-c|-q
        systemctl enable|link|edit|reenable|preset => start it for this session alone: `systemctl start`
        systemctl .. enable|link
        launchctl load|bootstrap|submit|enable
        update-rc.d|useradd|adduser|groupadd|addgroup|usermod|gpasswd|chsh|chfn|passwd|chpasswd|visudo|ssh-copy-id
        setcap|dseditgroup|sysadminctl|ngrok|autossh
        chkconfig * on
        rc-update|reg add
        loginctl enable-linger
        gh ssh-key|gpg-key add => let a person add it
        gh repo deploy-key add => let a person add it
        gh auth refresh +-s|--scopes => let a person widen what the token may do
        aws iam attach-user-policy|attach-role-policy|attach-group-policy|put-user-policy|put-role-policy
        aws iam create-login-profile
        go env -w =*-toolexec*
        go env =-w =*-toolexec*
        setfacl +-m|--modify =*u:*
        dscl .. -create|-append
        schtasks +/create
        sc create
        pm2 startup
        npm|pnpm|yarn config set =script-shell*
        defaults write =*Login*
        cloudflared tunnel
        tailscale up|funnel|serve
        """,
    ),
)
# Below the home folder, then anywhere.
_IN_HOME = tuple(
    """
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
    .kshrc .cshrc .tcshrc .inputrc .xinitrc .xprofile .xsession .pam_environment .ssh/authorized_keys* .ssh/config
    .ssh/rc .ssh/environment .config/fish/* .config/systemd/* .config/autostart/* library/launchagents/*
    .config/environment.d/* .pythonrc* .config/pip/*
    .local/share/systemd/* .oh-my-zsh/* .gdbinit .curlrc .wgetrc .config/plasma-workspace/*
    .local/lib/python*/site-packages/*.pth .local/lib/python*/site-packages/*customize.py
    .npmrc .yarnrc .cargo/config .cargo/config.toml .gradle/init.gradle* .gradle/init.d/* .condarc
    .vimrc .vim/* .config/nvim/* .emacs .emacs.d/* .config/emacs/* .tmux.conf .config/tmux/* .screenrc
    .irbrc .pryrc .rprofile .julia/config/* .ipython/profile_*/startup/* .psqlrc .sqliterc .lldbinit .bazelrc
    """.split()
)
_ON_MACHINE = tuple(
    """
    /etc/cron* /var/spool/cron* /etc/systemd/* /usr/lib/systemd/* /lib/systemd/* /etc/init.d/* /etc/rc*
    /etc/profile* /etc/bash.bashrc /etc/bashrc /etc/zsh* /etc/environment /etc/ld.so.preload /etc/ld.so.conf*
    /etc/sudoers* /etc/passwd /etc/shadow /etc/group /etc/pam.d/* /etc/ssh/*
    /library/launch* /etc/at.allow /etc/udev/* /etc/modules* /etc/xdg/autostart/* /etc/hosts.allow
    */site-packages/*.pth */sitecustomize.py /etc/update-motd.d/*
    """.split()
)
# Folders that come first where a shell looks for a program, and the programs that others trust.
_IN_PATH = tuple(
    f"{folder}/{name}"
    for folder in (".local/bin", "bin")
    for name in "git ssh scp gpg sudo su sh bash zsh env ls cat rm ps grep curl python3 node npm vetgate".split()
)
_SOURCED = tuple(glob for agent in known_agents() for name in agent.sourced for glob in as_globs(name))
_BELOW_HOME = one_of((*_IN_HOME, *_IN_PATH, *_SOURCED))
_OPENS_A_DOOR = one_of(glob for name in START_UP for glob in as_globs(name))
# In a folder that only the run tells: every Python that looks there runs it. Weights of a model end in `.pth`, too.
_STARTS_PYTHON = expression(r"/(?:site|user)customize\.py$")
_MAY_START_PYTHON = expression(r"\.pth$")
_ASKS_FOR_PACKAGES = expression(
    r"-packages|\bsite\b|getsite|getusersite|USER_SITE|sysconfig|(?:pure|plat)lib|sys\.p(?:ath|refix)"
    r"|__(?:file|path)__|\bpip3?\s+show\b"
)
_QUOTES = str.maketrans("", "", "\"'\\")
_PRINTS = frozenset({"echo", "printf", "cat", "tee"})
_FROM_HOSTS = expression(r"\.ssh/known_hosts.*|\.ssh")
_CHANGE_RIGHTS = frozenset({"chmod", "chown", "chgrp", "touch", "mkdir"})
_MACHINE = one_of(_ON_MACHINE)
_SPECIAL_MODE = expression(r"[ugo]*\+[rwxX]*s[rwxt]*|[ug]+=[rwx]*s[rwx]*|0?[2467][0-7]{3}")


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    yield from _TABLE.found(run)
    if run.name in ("chmod", "install"):
        modes = [
            each for each in run.arguments if _SPECIAL_MODE.fullmatch(each.removeprefix("-m").removeprefix("--mode="))
        ]
        if modes:
            yield MatchedEffect(PERSISTS, f"it gives a program the rights of its owner ({modes[0]})")
    if run.name == "ssh" and any(re.fullmatch(r"-[a-zA-Z]*R.*", each) for each in run.arguments):
        yield MatchedEffect(PERSISTS, "it opens a way back in from another machine")
    for path in targets(run):
        full = context.paths.resolve(run, path)
        if _starts_python(path, run, context) if full is None else is_startup(full, context):
            yield MatchedEffect(PERSISTS, f"it changes {shown(path)}")
        elif full is not None and run.name not in _CHANGE_RIGHTS and _is_kept_for_a_person(full, context):
            yield MatchedEffect(PERSISTS, f"it changes {shown(path)}", decision=Decision.ASK)


def is_startup(full: str, context: EffectContext) -> bool:
    paths = context.paths
    if paths.in_project(full):
        return False
    below = paths.below_home(full) if paths.below_own_home(full) is None else paths.below_own_home(full)
    return (below is not None and _BELOW_HOME.match(below) is not None) or _MACHINE.match(full) is not None


def _starts_python(path: str, run: ProgramRun, context: EffectContext) -> bool:
    if _STARTS_PYTHON.search(path):
        return True
    is_text = run.name in _PRINTS or _ASKS_FOR_PACKAGES.search(context.command.translate(_QUOTES))
    return bool(is_text and _MAY_START_PYTHON.search(path))


def _is_kept_for_a_person(full: str, context: EffectContext) -> bool:
    """What the tools for files do not write either: settings that open a door, but run nothing by themselves."""
    below = None if context.paths.in_project(full) else context.paths.below_own_home(full)
    return below is not None and _OPENS_A_DOOR.match(below) is not None and not _FROM_HOSTS.fullmatch(below)
