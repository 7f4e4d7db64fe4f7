"""Raw devices, and the state of the machine: disks, modules, firewalls, power, packages, rights, processes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import SYSTEM, MatchedEffect
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.source.shell.follow import FORK_BOMB
from vetgate.source.shell.placeholders import STAR, shown
from vetgate.source.shell.runs import CONTAINER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_TABLE = CommandTable(
    (
        SYSTEM,
        """
        mkfs|mke2fs|mkswap|mkdosfs|mkntfs|newfs|mkfs.ext2|mkfs.ext3|mkfs.ext4|mkfs.xfs|mkfs.btrfs|mkfs.vfat|mkfs.fat|mkfs.ntfs|mkfs.f2fs|mkfs.exfat
        blkdiscard|badblocks|lvremove|vgremove|pvremove|lvreduce|format|reboot|shutdown|poweroff|halt
        rmmod|insmod|kexec|depmod|aa-disable|aa-teardown|aa-complain|iptables-restore|nft-restore
        userdel|deluser|groupdel|delgroup|grub-install|update-grub|grub-mkconfig|bootctl|lilo
        nvram|csrutil|spctl|bless|chattr|telnetd|rshd|fork-bomb
        wipefs +-a|--all|-o|-f
        fdisk|cfdisk|sfdisk|gdisk !-l|--list|-d|--dump
        sgdisk|parted !-p|--print|-l|--list|print
        hdparm +--security-erase|--security-set-pass|--trim-sector-ranges|-Y|--write-sector|--repair-sector
        nvme format|sanitize
        zpool|zfs destroy|rollback|offline|remove|labelclear
        btrfs subvolume delete
        mdadm +--zero-superblock|--stop|-S|--remove|--fail
        cryptsetup luksFormat|erase|luksErase|luksRemoveKey|luksKillSlot|reencrypt
        dmsetup remove|remove_all|wipe_table
        losetup +-D
        diskutil eraseDisk|eraseVolume|partitionDisk|zeroDisk|secureErase|reformat
        diskutil apfs deleteContainer|deleteVolume
        swapoff +-a
        umount +-a|-l|-f
        mount +-o =*remount*
        tune2fs|debugfs|resize2fs|xfs_repair|e2fsck|fsck !-n
        init|telinit 0|1|6|s
        systemctl reboot|poweroff|halt|kexec|rescue|emergency|isolate|suspend|hibernate|soft-reboot
        systemctl stop|disable|mask|kill|revert|set-default => look with `systemctl status`
        service * stop
        modprobe !-n|--dry-run|-c|--showconfig
        sysctl +-w|-p|--system|--load
        sysctl =*=*
        setenforce 0|permissive|Permissive
        iptables|ip6tables|iptables-legacy +-F|--flush|-X|-P|--policy|-D|-Z
        nft flush|delete
        ufw disable|reset|delete
        firewall-cmd +--panic-on|--remove-service|--complete-reload
        pfctl +-d|-F
        ip link set .. down
        ip link|addr|route|netns delete|del|flush
        ifconfig * down
        nmcli networking|radio .. off
        hostnamectl|timedatectl|localectl set-*
        date +-s|--set
        hwclock +-w|--systohc|--set
        apt|apt-get|aptitude remove|purge|autoremove|dist-upgrade|full-upgrade
        dpkg +-r|-P|--remove|--purge|--force-all
        rpm +-e|--erase
        yum|dnf|zypper|microdnf remove|erase|autoremove
        pacman +-R|-Rs|-Rns|-Rdd|-Rsc
        apk del
        snap|flatpak remove|uninstall
        efibootmgr +-B|-b|-o|-c|--delete-bootnum
        journalctl +--vacuum-size|--vacuum-time|--rotate
        auditctl +-D|-e
        dmesg +-C|-c|--clear
        tc qdisc del|add
        crontab +-r
        launchctl unload|bootout|remove|disable
        tmutil delete|disable|deletelocalsnapshots
        softwareupdate +--install|-i
        """,
    ),
)
_OPEN_TO_ALL = frozenset({"777", "0777", "a+rw", "a+rwx", "o+r", "o+w", "o+rw", "666", "0666", "a+r", "+rwx", "a=rwx"})
_DEVICE = expression(
    r"/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper/|md\d|dm-|loop\d|mem$|kmem|port|nbd|sr\d|st\d)"
)
_DAEMONS = frozenset(
    "sshd systemd init dockerd containerd launchd xorg gnome-shell dbus-daemon NetworkManager cron".split()
)


def _mounted_over(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """A folder of the home folder in whose place there is another one from now on."""
    words = Words(run.arguments)
    if run.name != "mount" or not words.has("--bind", "--rbind", "--move", "-B", "-R", "-M") or not words.plain:
        return
    full = context.paths.resolve(run, words.plain[-1])
    if full is not None and not context.paths.in_project(full) and context.paths.below_home(f"{full}/x") is not None:
        yield MatchedEffect(SYSTEM, f"it puts another folder in the place of {shown(words.plain[-1])}")


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    if run.where == CONTAINER and run.name not in ("docker", "podman"):
        yield from _rights(run, context)
        return
    yield from _TABLE.found(run)
    yield from _rights(run, context)
    yield from _devices(run)
    yield from _mounted_over(run, context)
    yield from _processes(run)
    yield from _containers(run)
    if run.code and re.search(
        r"\bwhile\b[^\n]*:?\s*\n?\s*os\.fork\(\)|fork\s*(?:\(\))?\s*(?:while|until|;?\s*redo)|while\s*\(?\s*(?:1|true)\s*\)?\s*[{:]?\s*(?:os\.)?fork|loop\s*\{\s*fork|os\.fork\(\)\s+for\b",
        run.code,
    ):
        yield MatchedEffect(SYSTEM, f"it starts processes without end ({FORK_BOMB})")


def _rights(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    """Rights and owners of whole trees, or of what belongs to the machine."""
    if run.name not in ("chmod", "chown", "chgrp"):
        return
    words = Words(run.arguments)
    recursive = words.has("-R", "--recursive")
    for path in words.plain[1:]:
        full = context.paths.resolve(run, path)
        if full is None:
            continue
        bare = full.rstrip(f"/{STAR}") or "/"
        paths = context.paths
        if words.plain[0] in _OPEN_TO_ALL and context.secrets.is_secret(full):
            yield MatchedEffect(
                SYSTEM, f"it opens {shown(path)} to everybody on the machine", "chmod 600, or 700 for a folder"
            )
        elif recursive and paths.is_above(bare) and bare not in (*paths.roots, paths.cwd):
            yield MatchedEffect(SYSTEM, f"it changes the rights of everything in {shown(path)}")
        elif _is_of_machine(full, context):
            yield MatchedEffect(SYSTEM, f"it changes the rights of {shown(path)}, which belongs to the machine")


def _is_of_machine(full: str, context: EffectContext) -> bool:
    from vetgate.checks.unsafe_command.files import is_system  # noqa: PLC0415 - they share what a system folder is

    return is_system(full, context)


def _devices(run: ProgramRun) -> Iterator[MatchedEffect]:
    """Programs that write to what they are given."""
    if run.name in ("dd", "pv", "cp", "cat", "tee", "shred", "mv", "ddrescue", "dcfldd", "badblocks"):
        for argument in run.arguments:
            path = argument.removeprefix("of=")
            if _DEVICE.match(path) and not argument.startswith("if=") and (run.name != "cat"):
                yield MatchedEffect(SYSTEM, f"it writes to the device {shown(path)}")


def _processes(run: ProgramRun) -> Iterator[MatchedEffect]:
    words, name = Words(run.arguments), run.name
    ended = {
        "every process": name in ("killall5", "skill")
        or (name == "kill" and any(each in ("-1", "1") for each in run.arguments[1:])),
        "the first process of the machine": name == "kill" and run.arguments[:1] == ("1",),
        "every process of a user": (name == "killall" and words.has("-u"))
        or (name == "pkill" and (words.has("-u", "-U", "-g") or "." in run.arguments)),
        "a process that the machine needs": name in ("pkill", "killall") and not _DAEMONS.isdisjoint(run.arguments),
    }
    for what in (each for each, is_ended in ended.items() if is_ended):
        yield MatchedEffect(SYSTEM, f"it ends {what}", "end one process by its id")


def _containers(run: ProgramRun) -> Iterator[MatchedEffect]:
    """A container with the machine's own root, devices or daemon is the machine."""
    if run.name not in ("docker", "podman", "nerdctl"):
        return
    text = " ".join(run.arguments)
    if re.search(r"(?:-v|--volume)[ =]/:/|source=/,|src=/,|(?:^| )--privileged(?!=false)\b", text):
        yield MatchedEffect(SYSTEM, "it hands the whole machine to a container", "mount the one folder that is needed")
