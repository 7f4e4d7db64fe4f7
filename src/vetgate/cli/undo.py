"""Taking back what `init` added: byte for byte where nobody touched it since, our entries alone where somebody did."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate import client
from vetgate.agents import agent
from vetgate.agents.installation import SETTINGS, Installation, Removal, Scope, Writing
from vetgate.cli.setup import CONFIG
from vetgate.model import CONFIG_NAME
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from vetgate.agents.installation import Receipts


def removal(installation: Installation, receipts: Receipts, scope: Scope | None, *, git: bool | None = None) -> Removal:
    """Plan the removal of the hooks in one file of settings, or of everything this project was set up with.

    `git` is True for its hooks alone, False for all but them.
    """
    found = Removal()
    if git or (git is None and scope is None):
        found.add(agent("git").registration.remove(installation, receipts))
    if git:
        return found
    found.add(agent(client.AGENT).registration.remove(replace(installation, scope=scope), receipts))
    if scope is None:
        _configuration(found, installation, receipts)
    _launcher(found, installation, receipts)
    return found


def carry_back(found: Removal, installation: Installation, receipts: Receipts) -> None:
    for writing in found.writings:
        writing.write()
        receipts.forget(writing.path)
        if writing.after is None and writing.kind != CONFIG:
            with contextlib.suppress(OSError):  # not empty: others live there too
                writing.path.parent.rmdir()
    for receipt in list(receipts.all()):
        if str(installation.root) in receipt.projects:
            receipts.keep(receipt.without(installation.root))


def _configuration(found: Removal, installation: Installation, receipts: Receipts) -> None:
    path = installation.root / CONFIG_NAME
    data = read_bytes(path)
    receipt = receipts.of(path)
    if data is None:
        return
    if receipt and receipt.before is None and receipt.is_untouched(data):
        found.writings.append(Writing(path, CONFIG, data, None))
    else:
        why = "it was changed since init wrote it" if receipt else "init did not write it"
        found.left.append(f"{path}: {why}")


def _launcher(found: Removal, installation: Installation, receipts: Receipts) -> None:
    path = installation.launcher
    data = read_bytes(path)
    if data is None:
        return
    going = {writing.path for writing in found.writings}
    command = installation.command(Scope.USER)
    runs = agent(client.AGENT).registration.runs
    settings = (each.path for each in receipts.all() if each.kind == SETTINGS and each.path not in going)
    users = [path for path in settings if runs(path, command)]
    receipt = receipts.of(path)
    if users:
        found.left.append(f"{path}: still registered in {', '.join(map(str, users))}")
    elif receipt is None or not receipt.is_untouched(data):
        found.left.append(f"{path}: not as init wrote it")
    else:
        found.writings.append(Writing(path, receipt.kind, data, receipt.before))
