"""What only a person may do: let one command run, waive a finding, accept the configuration of a project."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks import known_names
from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.config import baseline
from vetgate.config.glob import complaint
from vetgate.config.load import defaults
from vetgate.config.node import did_you_mean
from vetgate.config.person import account, require_person
from vetgate.config.plain import changes, text
from vetgate.config.processes import terminal_name
from vetgate.config.stricter import tighten
from vetgate.config.trust import NO_FILE, base, project_file
from vetgate.engine.suppressions import can_be_waived, today
from vetgate.model import BASELINE_NAME, CONFIG_NAME, FINGERPRINT, UserError, Waiver
from vetgate.respond.grants import GRANTED_SECONDS, PENDING_SECONDS
from vetgate.service.configuration import open_store
from vetgate.service.finding_filter import is_place, look_up
from vetgate.service.safe_text import printable
from vetgate.store import Hand

if TYPE_CHECKING:
    from vetgate.config.baseline import Listed
    from vetgate.config.load import LoadedConfig
    from vetgate.config.schema import Config
    from vetgate.store import PendingGrant, RecordedFinding, Store

MINUTES = round(GRANTED_SECONDS / 60)
LONGEST_DAYS = 366
_CODE = re.compile(r"[a-z2-7]{8}")
_SEARCHED = 10_000
_WORD = re.compile(r"[^\W\d_]{2,}")
_SPAN = re.compile(r"([1-9][0-9]{0,3})([dw])")
_DAYS = {"d": 1, "w": 7}
_NOTHING = '{"version": 1, "files": {}}'


def hand(how: str = "") -> Hand:
    """Who accepts, as it goes on record: the account and the terminal."""
    return Hand(account(), terminal_name(), how)


def allow_once(root: Path, code: str) -> PendingGrant:
    """Let what waits with that code through once, within so many `MINUTES`."""
    require_person("allow what was refused")
    if not _CODE.fullmatch(code.lower()):
        raise UserError(
            f"{code!r} is not a code of vetgate",
            hint="a code has eight letters and digits, none of them 0, 1, 8 or 9; `vetgate allow` lists what waits",
        )
    with open_store(root) as store:
        if store.problem:
            raise UserError(f"nothing can be allowed: {store.problem}")
        found = next((each for each in _waiting(store) if each.code == code.lower()), None)
        if found is None:
            raise UserError(f"nothing waits for the code {code}", hint="`vetgate allow` lists what waits")
        store.grant(found.code, time.time() + MINUTES * 60, hand(), found.what)
    return found


def waiting(root: Path) -> tuple[PendingGrant, ...]:
    """What a person may let through, the newest last; codes are for them alone."""
    require_person("see what waits")
    with open_store(root) as store:
        return _waiting(store)


def _waiting(store: Store) -> tuple[PendingGrant, ...]:
    return store.pending_grants(time.time() - PENDING_SECONDS)


def waive(root: Path, what: str, glob: str | None, reason: str | None, until: str | None) -> Waiver:
    """`what` is a fingerprint, a place (`app.py:12`) or a rule; the first two bring their own path."""
    require_person("waive a finding")
    value = None
    if is_place(what) or (FINGERPRINT.fullmatch(what) and not glob):
        found = look_up(what, root, Path.cwd())
        if found is not None:
            what, glob, value = found.fingerprint, glob or found.span.path, found.value
    with open_store(root) as store:
        _refuse_closed_store(store)
        waiver = _waiver(store, what, glob, (reason, until))
        if value is not None:  # no less than it is now; a refused edit may have had more
            waiver = replace(waiver, value=max(value, waiver.value or 0))
        store.waive(waiver, hand())
    return waiver


def unwaive(root: Path, what: str, glob: str | None) -> tuple[Waiver, ...]:
    """Those that were taken back."""
    require_person("take a waiver back")
    with open_store(root) as store:
        _refuse_closed_store(store)
        found = tuple(each for each in store.waivers() if each.what == what and glob in {None, each.glob})
        if not found:
            raise UserError(f"there is no waiver of {what}", hint="`vetgate waive --list` shows them")
        store.unwaive(found, hand())
    return found


def waivers(root: Path) -> tuple[Waiver, ...]:
    """All of them, those that have ended too."""
    with open_store(root) as store:
        _refuse_closed_store(store)
        return store.waivers()


def has_ended(waiver: Waiver) -> bool:
    return waiver.until < today()


def _refuse_closed_store(store: Store) -> None:
    if store.problem:
        raise UserError(f"nothing can be waived: {store.problem}")


def _waiver(store: Store, what: str, glob: str | None, why: tuple[str | None, str | None]) -> Waiver:
    reason, until = why
    found = None
    if FINGERPRINT.fullmatch(what):
        found = _recorded(store, what, glob)
    else:
        _refuse_unknown(what)
    path = glob or (found.path if found else "")
    if not path:
        what_for = "no decision of this project has that fingerprint" if FINGERPRINT.fullmatch(what) else "for a rule"
        raise UserError(f"--path is missing ({what_for})", hint="--path 'src/legacy/**' names the files it holds in")
    if wrong := complaint(path):
        raise UserError(f"--path {path!r} {wrong}")
    if without_secrets(path) != path:
        raise UserError("--path contains what looks like a secret", hint="write * instead: waivers are stored")
    if len(_WORD.findall(reason or "")) < 2:
        raise UserError(
            "a waiver needs a reason of two words or more", hint='--reason "why it is acceptable, in a few words"'
        )
    why_so = without_secrets(" ".join((reason or "").split()))
    return Waiver(what, path, why_so, account(), _day(until), found.value if found else None)


def _recorded(store: Store, fingerprint: str, glob: str | None) -> RecordedFinding | None:
    """The newest finding of that fingerprint, as it was told."""
    rows = (finding for row in store.decisions(_SEARCHED) for finding in row.body.findings)
    found = next((each for each in rows if each.fingerprint == fingerprint), None)
    if found:
        _refuse_closed(found.id, by_fingerprint=True)
        if not can_be_waived(found.id.partition("/")[0]) and (not glob or any(sign in glob for sign in "*?[!")):
            raise UserError(
                "a waiver of a secret covers exactly one file",
                hint=f"--path {printable(found.path)} names it, without * or ?",
            )
    return found


def _refuse_unknown(what: str) -> None:
    names = list(known_names())
    if what not in names:
        whole = next((name for name in names if name.endswith(f"/{what}")), "")
        near = [*names, *(name.rpartition("/")[2] for name in names)]
        meant = f'; did you mean "{whole}"?' if whole else did_you_mean(what, near)
        raise UserError(f"there is no rule {what!r}{meant}", hint="a fingerprint has 16 characters, 0-9 and a-f")
    _refuse_closed(what)


def _refuse_closed(name: str, *, by_fingerprint: bool = False) -> None:
    if not can_be_waived(name.partition("/")[0], by_fingerprint=by_fingerprint):
        raise UserError(
            f"{name} cannot be waived",
            hint="waive a secret by its fingerprint and --path; commands and protected files have "
            "settings instead: `vetgate explain` names them",
        )


def _day(text: str | None) -> date:
    if not text:
        raise UserError("a waiver needs an end", hint="--until 2026-12-31, or --until 30d")
    span = _SPAN.fullmatch(text)
    try:
        day = today() + timedelta(days=int(span[1]) * _DAYS[span[2]]) if span else date.fromisoformat(text)
    except ValueError:
        raise UserError(f"--until {text!r} is not a date", hint="write it like 2026-12-31, or 30d, 12w") from None
    if not today() <= day <= today() + timedelta(days=LONGEST_DAYS):
        raise UserError(
            f"--until {text} is not within a year from today", hint="for a permanent exception change vetgate.yaml"
        )
    return day


@dataclass(frozen=True, slots=True)
class Trustable:
    """A configuration that waits for a person; `file` is None where accepting means the defaults.

    `trusted` is what was accepted before, `loss` says that the record of that is damaged.
    """

    root: Path
    file: LoadedConfig | None
    trusted: tuple[str, str] | None
    loss: str

    @property
    def digest(self) -> str:
        return self.file.sha256 if self.file else NO_FILE

    @property
    def config(self) -> Config:
        return self.file.config if self.file else defaults()

    @property
    def is_accepted(self) -> bool:
        return bool(self.trusted and self.trusted[0] == self.digest and not self.loss)

    def changes(self) -> tuple[str, ...]:
        return changes(base(self.trusted, known_names()), self.config)

    def looser(self) -> tuple[str, ...]:
        return tighten(base(self.trusted, known_names()), self.config, known_names()).ignored


def trustable(root: Path, *, by_digest: bool = False) -> Trustable:
    """What there is to accept here; without a terminal only by its digest."""
    _require_person(by_digest=by_digest)
    file = project_file(root, known_names())
    with open_store(root) as store:
        if store.failure:
            raise UserError(f"nothing can be accepted: {store.failure}")
        return Trustable(root, file, store.trusted(), store.loss or store.broken())


def _require_person(*, by_digest: bool) -> None:
    instead = "`--digest SHA256` names what you accept"
    require_person(f"accept {CONFIG_NAME}", terminal=not by_digest, instead=instead)


def require_trustable(wanted: Trustable, digest: str | None) -> None:
    """UserError for what is not what `digest` names, or where there is nothing to accept."""
    if digest is not None and digest.strip().lower() != wanted.digest:
        raise UserError(
            f"{CONFIG_NAME} has the digest {wanted.digest}, not {digest.strip()[:64]}",
            hint="read the file again: it is not the one whose digest you passed",
        )
    if wanted.file is None and wanted.trusted is None and not wanted.loss:
        raise UserError(f"there is no {CONFIG_NAME} to accept in {wanted.root}", hint="`vetgate init` writes one")


def trust(wanted: Trustable, how: str = "") -> None:
    """Exactly what was read, whatever stands there by now."""
    _require_person(by_digest=bool(how))
    with open_store(wanted.root) as store:
        store.set_trusted(wanted.digest, text(wanted.config), hand(how))


def baseline_by_digest(wanted: Trustable, digest: str) -> Listed | None:
    """The project's list of old findings, if that is what the digest names."""
    try:
        data = (wanted.root / BASELINE_NAME).read_bytes()
    except OSError:
        return None
    return baseline.parsed(data) if sha256(data).hexdigest() == digest.strip().lower() else None


@dataclass(frozen=True, slots=True)
class GrownBaseline:
    """A list of old findings; of `rules` it excuses so many findings that nobody accepted."""

    listed: Listed
    rules: Counter[str]


def grown_baseline(wanted: Trustable) -> GrownBaseline | None:
    """The project's own, where it excuses more than before."""
    listed = baseline.read(wanted.root) or {}
    with open_store(wanted.root) as store:
        accepted = baseline.parsed(store.baseline() or _NOTHING)
    rules = Counter(entry.rule for _, entry in baseline.beyond(listed, accepted))
    return GrownBaseline(listed, rules) if rules else None


def trust_baseline(wanted: Trustable, listed: Listed, how: str = "") -> None:
    _require_person(by_digest=bool(how))
    with open_store(wanted.root) as store:
        store.set_baseline(baseline.text(listed), hand(how))
