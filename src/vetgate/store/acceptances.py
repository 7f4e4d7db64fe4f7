"""What a person accepted: configuration, waivers, grants and baselines, honoured from the log and from nowhere else."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import msgspec

from vetgate.model import UserError
from vetgate.redact import redacted
from vetgate.store import chain
from vetgate.store.chain import Head
from vetgate.store.decisions import Decisions
from vetgate.store.encoding import plain
from vetgate.store.records import NOBODY, AcceptanceAct, AcceptanceKind, Accepted, Hand
from vetgate.store.row_sums import NOBODYS, sessions
from vetgate.store.standing import TRUSTED_AGAIN, Standing, lost, standing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from vetgate.model import Waiver
    from vetgate.store.file import Ground
    from vetgate.store.row_sums import RowSums

    Prepare = Callable[[sqlite3.Connection, Standing], dict[str, Any] | None]

_TEXT_GONE = "the text of what was accepted is gone"
# Rows looked at when a turn ends, and when somebody else wrote; `vetgate log --verify` looks at all of them.
NEWEST = 5000
RECENT = 300
_CHANGED = "what is remembered of {} was changed by a program other than vetgate"
# So many sessions are known to be as they were left.
_SESSIONS = 64
_WHO_CHANGED = "Find out what did it, check all files (`vetgate check`), then run `vetgate trust` in a terminal"


class Acceptances(Decisions):
    """Read once, and again only when somebody wrote to the database."""

    def __init__(self, ground: Ground | None, failure: str = "") -> None:
        self._known = Standing()
        self._state_read: tuple[object, ...] | None = None
        self._state_verified: tuple[object, ...] | None = None
        self._depth = 0
        self._states = 0
        self._sessions_verified: dict[str, int] = {}
        self._texts: dict[str, str] = {}
        super().__init__(ground, failure)

    @property
    def problem(self) -> str:
        """What a person should know about the store; "" when all is well."""
        now = self.standing()  # which may find a way out of the failure
        return self.failure or _loss_in(now)

    @property
    def loss(self) -> str:
        """What became of the record, as long as nobody accepted anew."""
        return _loss_in(self.standing())

    @property
    def is_lost(self) -> bool:
        """Whether nothing that was accepted counts until a person accepts anew."""
        return bool(self.standing().loss)

    def broken(self, newest: int | None = None) -> str:
        """What was done to the log behind our back since a person last began it anew; "" for nothing."""
        now = self.standing()
        return now.loss or self._damage(now.since, newest) or now.forged or _with_advice(now.changed)

    def tampered(self, newest: int = NEWEST) -> str:
        """The same for the newest rows, looked at again only when somebody else wrote to the database."""
        with self._lock:
            self.standing()
            return self._damage_since(newest)

    def _damage_since(self, newest: int) -> str:
        is_verified = self._state_read is not None and self._state_read == self._state_verified
        if self._ground is not None and not (is_verified and newest <= self._depth):
            if found := self.broken(newest):
                return found
            self._state_verified, self._depth = self._state_read, newest
        return ""

    def session_troubles(self, session: str, newest: int, *, again: bool = False) -> tuple[str, str]:
        """The `problem` there is, and what was done to the newest rows of the log, in one look for each call.

        Rows of the session that somebody else wrote, changed or deleted are on record from now on, and said. They are
        looked at when somebody else wrote to the database, and `again` where that is asked for.
        """
        with self._lock:
            now = self.standing()
            if again or self._sessions_verified.get(session) != self._states:
                self._verify((plain(session), NOBODYS))
                known = {**self._sessions_verified, session: self._states}
                self._sessions_verified = dict(list(known.items())[-_SESSIONS:])
                now = self.standing()
            return self.failure or _loss_in(now), self._damage_since(newest)

    def verify_sessions(self) -> None:
        """The same for all of them, for a person who asks."""
        with self._lock:
            self.standing()
            self._verify(self._do(sessions))

    def _verify(self, names: Iterable[str]) -> None:
        sums = self._sums
        if sums is None or self._spare is not None:
            return
        with contextlib.suppress(UserError):  # of which `failure` tells
            try:
                with _snapshot(self._connection):
                    changed = [name for name in names if sums.changed(self._connection, name)]
            except sqlite3.Error as error:
                self._stand_in(error)
                return
            if changed:
                self._accept(AcceptanceKind.STORE, NOBODY, lambda connection, _: _noted(sums, connection, changed))

    def signed(self, text: str) -> str:
        """A digest that nobody makes without our key."""
        return self.seal.of("signed", text)

    def _began_anew(self) -> int:
        return self.standing().since

    # The configuration that a person accepted.

    def trusted(self) -> tuple[str, str] | None:
        """Digest and text of the configuration that a person accepted last."""
        now = self.standing()
        text = self._text(now.trusted[1]) if now.trusted else None
        return (now.trusted[0], text) if now.trusted and text is not None else None

    def set_trusted(self, digest: str, text: str, by: Hand = NOBODY) -> None:
        """Also after a loss, which is acknowledged by it: what was accepted before that counts no more."""
        found, damage = redacted(text), self.broken()

        def prepare(connection: sqlite3.Connection, now: Standing) -> dict[str, Any]:
            trust = {"digest": digest, "text": chain.keep_text(connection, found)}
            broken = now.loss or now.forged or damage
            loss = {"acknowledges": broken} if broken else {}
            return {"decision": AcceptanceAct.ACCEPTED, "trust": trust, **loss}

        self._accept(AcceptanceKind.TRUST, by, prepare)
        self.set_last_good(found)

    def set_up(self, by: Hand = NOBODY) -> None:
        """A person chose the gate for this project: it stays on without its store, and without its configuration."""
        self._accept(
            AcceptanceKind.TRUST, by, lambda _, now: None if now.set_up else {"decision": AcceptanceAct.SET_UP}
        )

    def forget_trusted(self, by: Hand = NOBODY) -> None:
        """As if nobody had ever set this project up; decisions stay."""
        self._accept(
            AcceptanceKind.TRUST,
            by,
            lambda _, now: {"decision": AcceptanceAct.WITHDRAWN} if now.set_up or now.trusted else None,
        )
        self._run("DELETE FROM fact WHERE name = 'last_good'")

    def last_good(self) -> str | None:
        return self._fact("last_good")

    def set_last_good(self, text: str) -> None:
        found = redacted(text)
        if self.last_good() != found:
            self._set_fact("last_good", found)

    # What was listed to be reconciled last: whoever settles an item names one of these.

    def reconcile_items(self) -> str | None:
        return self._fact("reconcile_items")

    def set_reconcile_items(self, text: str) -> None:
        self._set_fact("reconcile_items", text)

    # The list of old findings that a person accepted, and findings that one allowed on purpose.

    def allowed(self) -> tuple[tuple[Waiver, ...], str | None]:
        """Findings that a person allowed on purpose, and the list of old ones, as of one moment.

        Waivers that have ended, too: somebody has to be told.
        """
        now = self.standing()
        waivers = sorted(now.waivers.values(), key=lambda each: (each.until, each.what, each.glob))
        return tuple(waivers), self._text(now.baseline) if now.baseline else None

    def baseline(self) -> str | None:
        return self.allowed()[1]

    def set_baseline(self, text: str, by: Hand = NOBODY) -> None:
        def prepare(connection: sqlite3.Connection, _: Standing) -> dict[str, Any]:
            return {"decision": AcceptanceAct.ACCEPTED, "baseline": {"text": chain.keep_text(connection, text)}}

        self._accept(AcceptanceKind.BASELINE, by, prepare)

    def waivers(self) -> tuple[Waiver, ...]:
        return self.allowed()[0]

    def waive(self, waiver: Waiver, by: Hand = NOBODY) -> None:
        self._accept(
            AcceptanceKind.WAIVER, by, lambda _, __: {"decision": AcceptanceAct.WAIVED, "waiver": _plain(waiver)}
        )

    def unwaive(self, waivers: tuple[Waiver, ...], by: Hand = NOBODY) -> None:
        for waiver in waivers:
            body = {"decision": AcceptanceAct.TAKEN_BACK, "waiver": _plain(waiver)}
            self._accept(AcceptanceKind.WAIVER, by, lambda _, __, body=body: body)  # type: ignore[misc]

    # What a person allowed once.

    def grant(self, code: str, until: float, by: Hand = NOBODY, what: str = "") -> None:
        grant = {"code": code, "until": until} | ({"what": redacted(what)} if what else {})
        self._accept(AcceptanceKind.GRANT, by, lambda _, __: {"decision": AcceptanceAct.ALLOWED, "grant": grant})

    def take_grant(self, code: str, now: float) -> bool:
        """Whether a person allowed this; from now on it is used up. One that cannot be used up is none."""
        if self.standing().grants.get(code, 0.0) < now:
            return False

        def prepare(_: sqlite3.Connection, found: Standing) -> dict[str, Any] | None:
            is_open = found.grants.get(code, 0.0) >= now
            return {"decision": AcceptanceAct.USED, "grant": {"code": code}} if is_open else None

        try:
            return self._accept(AcceptanceKind.GRANT, NOBODY, prepare)
        except UserError:
            return False

    # Content that a person lets leave although it was not reviewed.

    def override_ship(self, tree: str, reason: str, until: float, by: Hand = NOBODY) -> None:
        grant = {"code": _ship_code(tree), "until": until, "tree": tree, "reason": reason}
        self._accept(AcceptanceKind.GRANT, by, lambda _, __: {"decision": AcceptanceAct.ALLOWED, "grant": grant})

    def ship_override(self, tree: str, now: float) -> str:
        """Why a person lets exactly this content leave; "" where nobody does."""
        standing = self.standing()
        return standing.overrides.get(tree, "") if standing.grants.get(_ship_code(tree), 0.0) >= now else ""

    def accepted_since_report(self) -> tuple[Accepted, ...]:
        """What people accepted since `mark_accepted_reported` was called last, oldest first."""
        told = int(self._fact("accepted_told") or 0)
        links = (link for link in self._do(chain.acceptances) if link.seq > told and link.is_ours(self.seal))
        return tuple(Accepted.of(link.seq, link.row) for link in links if link.event != AcceptanceKind.STORE)

    def mark_accepted_reported(self, seq: int) -> None:
        self._set_fact("accepted_told", str(seq))

    # How it is read and written.

    def standing(self) -> Standing:
        with self._lock:
            self._follow()
            if self._ground is None:
                return self._known
            try:
                written = self._state_on_disk()  # before the rows: what is written meanwhile is read next time
                if self._state_read is None or written != self._state_read:
                    self._states += 1
                    self._follow_key()
                    self._note_loss()
                    now = self._standing_in(self._connection)
                    if self._is_older(now):  # with its anchor: only whoever saw the later one can tell
                        self.lost = "an older copy of the record replaced the newer one"
                        self._note_loss()
                        now = self._standing_in(self._connection)
                    self._known, self._state_read = now, written
            except sqlite3.Error as error:
                if self._spare is None:
                    self._stand_in(error)
                if self.lost:
                    self._known = Standing(loss=self.lost, set_up=True)
            return self._known

    def _is_older(self, now: Standing) -> bool:
        """Whether rows that this process has seen are neither in the log any more nor known to its anchor."""
        head = self._head()
        end = max(chain.last(self._connection)[0], head.seq if head is not None else 0)
        was, self._furthest = self._furthest, end
        return now.end[0] < self._known.end[0] or end < was

    def _standing_in(self, connection: sqlite3.Connection) -> Standing:
        head = self._head()  # before the rows: somebody may be writing
        now = standing_of(chain.acceptances(connection), self.seal, head)
        named = (now.trusted[1] if now.trusted else None, now.baseline)
        if any(name is not None and chain.kept_text(connection, name) is None for name in named):
            return lost(now, _TEXT_GONE)
        return now

    def _note_loss(self) -> None:
        """A store that was deleted or damaged, and an anchor that is gone or not ours, are on record from now on."""
        head = self._head()
        what = self.lost or chain.unanchored(self._connection, head)
        if not what:
            return
        body = {"decision": AcceptanceAct.LOST, "agent": "vetgate", "notes": [what]}

        def note(connection: sqlite3.Connection) -> None:
            before = standing_of(chain.acceptances(connection), self.seal, None)
            end = (head.seq, head.digest) if head else (0, "")
            link = chain.add(connection, self.seal, chain.accepting(AcceptanceKind.STORE, body, before.end), end)
            was_set_up = before.set_up or head is None or not head.valid or head.set_up
            self._next = Head(*link.end, *link.end, set_up=was_set_up)

        self._transaction(self._connection, note)
        self._settle_anchor()
        self.lost = ""

    def _accept(self, kind: AcceptanceKind, by: Hand, prepare: Prepare) -> bool:
        """One row, whole and on disk, or UserError; False where there was nothing to write."""
        with self._lock:
            self.standing()
            if self.failure and self._ground is not None:
                raise UserError(f"nothing can be recorded: {self.failure}")
            done: list[bool] = []

            def accept(connection: sqlite3.Connection) -> None:
                now = self._standing_in(connection)
                body = prepare(connection, now)
                done[:] = [body is not None]
                if body is None:
                    return
                row = chain.accepting(kind, {"agent": "person", "by": msgspec.structs.asdict(by), **body}, now.end)
                link = self._append(connection, row)
                if self._next is not None:
                    then = standing_of([*chain.acceptances(connection)], self.seal, None)
                    self._next = Head(*link.end, *link.end, set_up=then.set_up)

            try:
                # A person's word outlives a power cut.
                self._connection.execute("PRAGMA synchronous = FULL")
                self._transaction(self._connection, accept)
                self._connection.execute("PRAGMA synchronous = NORMAL")
            except sqlite3.Error as error:
                self._stand_in(error)
                raise UserError(f"nothing can be recorded: {self.failure}") from error
            self._settle_anchor()
            self._known, self._state_read = self._standing_in(self._connection), None
            return done[0]

    def _state_on_disk(self) -> tuple[object, ...]:
        """What changes when anybody but this connection writes to the database, the key or, last, to the anchor."""
        assert self._ground is not None  # noqa: S101 - asked before
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        places = (self._ground.file, self._ground.key, self._ground.anchor)
        return self._identity, version, *map(_identity_of, places)

    def _settle_anchor(self) -> None:
        """What this process writes itself is no reason to read everything again."""
        if self._next is None:
            return
        was = self._state_read
        if was is None or self._ground is None or self._state_on_disk() != was:
            super()._settle_anchor()
            self._state_read = self._state_verified = None
            return
        super()._settle_anchor()
        self._state_read = (*was[:-1], _identity_of(self._ground.anchor))
        self._state_verified = self._state_read if self._state_verified == was else None

    def _text(self, name: str) -> str | None:
        with self._lock, contextlib.suppress(sqlite3.Error):
            if name not in self._texts and (found := chain.kept_text(self._connection, name)) is not None:
                self._texts = {name: found, **dict(list(self._texts.items())[:3])}
        return self._texts.get(name)

    # Facts of our own, sealed: nobody else's are believed.

    def _fact(self, name: str) -> str | None:
        row = self._one("SELECT value FROM fact WHERE name = ?", name)
        written, _, value = row[0].partition(" ") if row else ("", "", "")
        return value if row and written == self.seal.of("fact", name, value) else None

    def _set_fact(self, name: str, value: str) -> None:
        self._run("INSERT OR REPLACE INTO fact VALUES (?, ?)", name, f"{self.seal.of('fact', name, value)} {value}")


@contextlib.contextmanager
def _snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is read in it is of one moment."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def _noted(sums: RowSums, connection: sqlite3.Connection, changed: list[str]) -> dict[str, Any]:
    for session in changed:
        sums.begin(connection, session)
    names = [f"session {each[:8]}" if each else "the project's remotes" for each in changed]
    return {"decision": AcceptanceAct.CHANGED, "agent": "vetgate", "notes": [_CHANGED.format(" and ".join(names))]}


def _identity_of(file: Path) -> tuple[int, int]:
    try:
        found = os.stat(file)  # noqa: PTH116 - asked at every event
    except OSError:
        return (0, 0)
    return found.st_ino, found.st_ctime_ns  # which nobody can set


def _loss_in(now: Standing) -> str:
    if now.loss:
        return f"the record of this project is not whole: {now.loss}. {TRUSTED_AGAIN[:1].upper()}{TRUSTED_AGAIN[1:]}"
    return f"{now.forged}: it does not count" if now.forged else _with_advice(now.changed)


def _with_advice(changed: str) -> str:
    return f"{changed}. {_WHO_CHANGED}" if changed else ""


def _ship_code(tree: str) -> str:
    """No command has a code like that."""
    return f"ship {tree}"


def _plain(waiver: Waiver) -> dict[str, Any]:
    return {**asdict(waiver), "until": waiver.until.isoformat()}
