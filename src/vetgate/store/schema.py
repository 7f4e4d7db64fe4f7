"""The tables, as a list of steps: a store that is behind takes those it lacks, in order, in one transaction."""

from __future__ import annotations


def _table(name: str, columns: str, key: str = "") -> str:
    """A column is a text unless its type is named, and never NULL; with a `key` that alone finds a row."""
    typed = [f"{each if ' ' in each else f'{each} TEXT'} NOT NULL" for each in columns.split(", ")]
    end = f", PRIMARY KEY ({key})) WITHOUT ROWID" if key else ")"
    return f"CREATE TABLE {name} ({', '.join(typed)}{end}"


MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        _table("fact", "name, value", key="name"),
        # Append-only and chained: `digest` covers the row and the digest before it.
        """
        CREATE TABLE decision (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            time REAL NOT NULL,
            session TEXT NOT NULL,
            event TEXT NOT NULL,
            body TEXT NOT NULL,
            digest TEXT NOT NULL
        )
        """,
        "CREATE INDEX decision_id ON decision (id)",
        # One row per session and file: what was wrong when the session first saw it, and what was judged last.
        _table("seen", "session, path, config, findings, judged, unverified, time REAL", key="session, path"),
        # What was said once is not said again in the same session.
        _table("told", "session, path, fingerprint, time REAL", key="session, path, fingerprint"),
        # How often in a row a session was held back at its end, and for what.
        _table("held", "session, reason, rounds INTEGER, time REAL", key="session"),
        # Other projects that a session of this one has edited.
        _table("visited", "session, root, time REAL", key="session, root"),
    ),
    (
        # Up to when each session knows what changed in a work tree.
        _table("swept", "session, root, at INTEGER, time REAL", key="session, root"),
        # What protected files said about the gates when a session began; never their text.
        _table("guarded", "session, path, kind, facts, time REAL", key="session, path"),
    ),
    (
        # What was refused, by what was found: neither the code nor the command, only their digests.
        _table(
            "attempt",
            "session, place, finding, fingerprint, content, decision, time REAL",
            key="session, place, finding, fingerprint, content, decision",
        ),
        # What a person allowed once, and until when.
        _table("granted", "code, until REAL", key="code"),
    ),
    (
        # Findings that a person allowed on purpose, up to a day.
        _table("waiver", "what, glob, reason, by, until, value INTEGER", key="what, glob"),
        # What the person asked for last in a session, shortened and without secrets.
        _table("task", "session, text, time REAL", key="session"),
    ),
    (
        # When each session began to answer for a work tree, in nanoseconds.
        _table("began", "session, root, at INTEGER, time REAL", key="session, root"),
    ),
    (
        # How a command ended, by the content it ran on: digests, never the command itself.
        _table("evidence", "tree, command, kind, status INTEGER, time REAL, who", key="tree, command"),
        # With which content a session began in a work tree.
        _table("first_tree", "session, root, tree, time REAL", key="session, root"),
    ),
    (
        # Calls that were put to a person, and by which decision, until it shows what they said.
        _table("asked", "session, call, decision, time REAL", key="session, call"),
    ),
    # What one session let pass is looked for by others.
    ("CREATE INDEX seen_judged ON seen (judged)",),
    (
        # Each row also names the one before, so that it can be checked by itself.
        "ALTER TABLE decision ADD COLUMN before TEXT NOT NULL DEFAULT ''",
        """
        CREATE INDEX decision_accepted ON decision (seq)
        WHERE event IN ('baseline', 'grant', 'store', 'trust', 'waiver')
        """,
        # Long texts that rows of the log name by their digest.
        _table("content", "digest, text", key="digest"),
    ),
    # What a person accepted stands in the log, and nowhere else.
    ("DROP TABLE waiver", "DROP TABLE granted"),
    (
        # The objects that refs named when a session began, by repository.
        _table("tips", "session, place, ids, time REAL", key="session, place"),
        # What a remote has, as it said itself, or as its refs were when the gate was set up or a session began.
        _table("remote_tip", "remote, id, time REAL", key="remote, id"),
        # Objects of git in which no secret was found, by a digest of their name and of what was looked for.
        _table("searched", "name BLOB", key="name"),
    ),
    (
        # Sealed as well: who writes such a row could claim that the tests passed.
        "DROP TABLE evidence",
        _table("evidence", "tree, command, kind, status INTEGER, time REAL, who, mark", key="tree, command"),
        "DROP TABLE first_tree",
        _table("first_tree", "session, root, tree, time REAL, mark", key="session, root"),
    ),
    (
        # What ends later, about which content, and what it came to once it has ended.
        _table("job", "id, root, session, gate, path, content, owner, outcome, time REAL, mark", key="id"),
    ),
    (
        # What a session did, was told and owes, by kind.
        _table("mark", "session, path, kind, subject, time REAL", key="session, path, kind, subject"),
        # They had none before, only words that some began with; the rest were findings. Those are many, and known by
        # their fingerprint at once; others wait for this, so nothing that ends with its age anyway is taken along.
        "DELETE FROM told WHERE time < strftime('%s', 'now') - 30 * 86400",
        """
        INSERT INTO mark SELECT session, path, 'said', fingerprint, time FROM told
        WHERE substr(fingerprint, 17, 1) = ':' AND substr(fingerprint, 1, 16) NOT GLOB '*[^0-9a-f]*'
        """,
        """
        INSERT INTO mark
        WITH meant (words, kind) AS (
            VALUES ('asked', 'asked'), ('claim', 'claim'), ('edited', 'edited'), ('taken in', 'forced'),
            ('gates told', 'gates_told'), ('gates', 'gates_ran'), ('half-written', 'half_written'),
            ('outside of every project', 'outside'), ('owed', 'owed'), ('record held', 'record_held'),
            ('record start', 'record_known'), ('record said', 'record_told'), ('swept', 'swept'),
            ('tampered', 'tampered'), ('changed before the session', 'theirs'), ('unchecked', 'unchecked')
        )
        SELECT session, path, ifnull(kind, 'said'), substr(fingerprint, ifnull(length(words) + 2, 1)), time
        FROM told LEFT JOIN meant ON words = (
            SELECT words FROM meant WHERE fingerprint = words OR fingerprint LIKE words || ' %'
            ORDER BY length(words) DESC LIMIT 1
        )
        WHERE NOT (substr(fingerprint, 17, 1) = ':' AND substr(fingerprint, 1, 16) NOT GLOB '*[^0-9a-f]*')
        """,
        "DROP TABLE told",
    ),
    (
        # What models were asked and what it cost.
        _table(
            "model_call",
            "time REAL, session, judge, gate, model, input INTEGER, output INTEGER, cached INTEGER, "
            "written INTEGER, usd REAL, latency_ms REAL, tries INTEGER, failure, mark",
        ),
        "CREATE INDEX model_call_time ON model_call (time)",
    ),
    # The record of reviews is asked for before every push.
    ("CREATE INDEX decision_review ON decision (seq) WHERE event = 'review'",),
    # What became of findings and comments, and what the reviewer need not raise again.
    ("CREATE INDEX decision_reconciled ON decision (seq) WHERE event = 'reconcile'",),
    (
        # What a reviewer answered about a part of a change: the same part is not paid for twice.
        "CREATE TABLE kept_answer (key TEXT PRIMARY KEY, time REAL NOT NULL, text TEXT NOT NULL, mark TEXT NOT NULL)",
        # What reviews of a branch have raised so far, and whether it blocked when it was new.
        _table(
            "raised_finding",
            "branch, fingerprint, path, symbol, category, message, blocked INTEGER, time REAL, mark",
            key="branch, fingerprint",
        ),
        # What was refuted with a reason, and by whom.
        _table(
            "refuted_finding",
            "fingerprint, path, symbol, category, message, reason, by, content, time REAL, mark",
            key="fingerprint",
        ),
    ),
    (
        # What waits for a person's word: what it is, by a digest, and a few words about it. Its code is in no table.
        _table(
            "pending_grant", "session, root, kind, subject, what, nonce, time REAL", key="session, root, kind, subject"
        ),
        # Files that no commit had when a session began.
        _table("uncommitted_at_start", "session, root, files, time REAL", key="session, root"),
    ),
    (
        # What the rows of each session come to: whoever changes one without our key leaves another sum.
        _table("row_sum", "session, writes INTEGER, value, time REAL, mark", key="session"),
    ),
)
# From here on the rows of sessions are summed up.
SUMMED_SINCE = 20
# From here on the rows of the log are sealed with a key; an older file proves nothing.
SEALED_SINCE = 9
