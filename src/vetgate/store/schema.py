"""The tables, as a list of steps: a store that is behind takes those it lacks, in order, in one transaction."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
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
        """
        CREATE TABLE seen (
            session TEXT NOT NULL,
            path TEXT NOT NULL,
            config TEXT NOT NULL,
            findings TEXT NOT NULL,
            judged TEXT NOT NULL,
            unverified TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, path)
        ) WITHOUT ROWID
        """,
        # What was said once is not said again in the same session.
        """
        CREATE TABLE told (
            session TEXT NOT NULL,
            path TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, path, fingerprint)
        ) WITHOUT ROWID
        """,
        # How often in a row a session was held back at its end, and for what.
        """
        CREATE TABLE held (
            session TEXT PRIMARY KEY,
            reason TEXT NOT NULL,
            rounds INTEGER NOT NULL,
            time REAL NOT NULL
        ) WITHOUT ROWID
        """,
        # Other projects that a session of this one has edited.
        """
        CREATE TABLE visited (
            session TEXT NOT NULL,
            root TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, root)
        ) WITHOUT ROWID
        """,
    ),
    (
        # Up to when each session knows what changed in a work tree.
        """
        CREATE TABLE swept (
            session TEXT NOT NULL,
            root TEXT NOT NULL,
            at INTEGER NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, root)
        ) WITHOUT ROWID
        """,
        # What protected files said about the gates when a session began; never their text.
        """
        CREATE TABLE guarded (
            session TEXT NOT NULL,
            path TEXT NOT NULL,
            kind TEXT NOT NULL,
            facts TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, path)
        ) WITHOUT ROWID
        """,
    ),
    (
        # What was refused, by what was found: neither the code nor the command, only their digests.
        """
        CREATE TABLE attempt (
            session TEXT NOT NULL,
            place TEXT NOT NULL,
            finding TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            content TEXT NOT NULL,
            decision TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, place, finding, fingerprint, content, decision)
        ) WITHOUT ROWID
        """,
        # What a person allowed once, and until when.
        "CREATE TABLE granted (code TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID",
    ),
    (
        # Findings that a person allowed on purpose, up to a day.
        """
        CREATE TABLE waiver (
            what TEXT NOT NULL,
            glob TEXT NOT NULL,
            reason TEXT NOT NULL,
            by TEXT NOT NULL,
            until TEXT NOT NULL,
            value INTEGER,
            PRIMARY KEY (what, glob)
        ) WITHOUT ROWID
        """,
        # What the person asked for last in a session, shortened and without secrets.
        "CREATE TABLE task (session TEXT PRIMARY KEY, text TEXT NOT NULL, time REAL NOT NULL) WITHOUT ROWID",
    ),
    (
        # When each session began to answer for a work tree, in nanoseconds.
        """
        CREATE TABLE began (
            session TEXT NOT NULL,
            root TEXT NOT NULL,
            at INTEGER NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, root)
        ) WITHOUT ROWID
        """,
    ),
    (
        # How a command ended, by the content it ran on: digests, never the command itself.
        """
        CREATE TABLE evidence (
            tree TEXT NOT NULL,
            command TEXT NOT NULL,
            kind TEXT NOT NULL,
            status INTEGER NOT NULL,
            time REAL NOT NULL,
            who TEXT NOT NULL,
            PRIMARY KEY (tree, command)
        ) WITHOUT ROWID
        """,
        # With which content a session began in a work tree.
        """
        CREATE TABLE first_tree (
            session TEXT NOT NULL,
            root TEXT NOT NULL,
            tree TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, root)
        ) WITHOUT ROWID
        """,
    ),
    (
        # Calls that were put to a person, and by which decision, until it shows what they said.
        """
        CREATE TABLE asked (
            session TEXT NOT NULL,
            call TEXT NOT NULL,
            decision TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, call)
        ) WITHOUT ROWID
        """,
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
        "CREATE TABLE content (digest TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
    ),
    # What a person accepted stands in the log, and nowhere else.
    ("DROP TABLE waiver", "DROP TABLE granted"),
    (
        # The objects that refs named when a session began, by repository.
        """
        CREATE TABLE tips (
            session TEXT NOT NULL,
            place TEXT NOT NULL,
            ids TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, place)
        ) WITHOUT ROWID
        """,
        # What a remote has, as it said itself, or as its refs were when the gate was set up or a session began.
        """
        CREATE TABLE remote_tip (
            remote TEXT NOT NULL,
            id TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (remote, id)
        ) WITHOUT ROWID
        """,
        # Objects of git in which no secret was found, by a digest of their name and of what was looked for.
        "CREATE TABLE searched (name BLOB PRIMARY KEY) WITHOUT ROWID",
    ),
    (
        # Sealed as well: who writes such a row could claim that the tests passed.
        "DROP TABLE evidence",
        """
        CREATE TABLE evidence (
            tree TEXT NOT NULL,
            command TEXT NOT NULL,
            kind TEXT NOT NULL,
            status INTEGER NOT NULL,
            time REAL NOT NULL,
            who TEXT NOT NULL,
            mark TEXT NOT NULL,
            PRIMARY KEY (tree, command)
        ) WITHOUT ROWID
        """,
        "DROP TABLE first_tree",
        """
        CREATE TABLE first_tree (
            session TEXT NOT NULL,
            root TEXT NOT NULL,
            tree TEXT NOT NULL,
            time REAL NOT NULL,
            mark TEXT NOT NULL,
            PRIMARY KEY (session, root)
        ) WITHOUT ROWID
        """,
    ),
    (
        # What ends later, about which content, and what it came to once it has ended.
        """
        CREATE TABLE job (
            id TEXT PRIMARY KEY,
            root TEXT NOT NULL,
            session TEXT NOT NULL,
            gate TEXT NOT NULL,
            path TEXT NOT NULL,
            content TEXT NOT NULL,
            owner TEXT NOT NULL,
            outcome TEXT NOT NULL,
            time REAL NOT NULL,
            mark TEXT NOT NULL
        ) WITHOUT ROWID
        """,
    ),
    (
        # What a session did, was told and owes, by kind.
        """
        CREATE TABLE mark (
            session TEXT NOT NULL,
            path TEXT NOT NULL,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, path, kind, subject)
        ) WITHOUT ROWID
        """,
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
        """
        CREATE TABLE model_call (
            time REAL NOT NULL,
            session TEXT NOT NULL,
            judge TEXT NOT NULL,
            gate TEXT NOT NULL,
            model TEXT NOT NULL,
            input INTEGER NOT NULL,
            output INTEGER NOT NULL,
            cached INTEGER NOT NULL,
            written INTEGER NOT NULL,
            usd REAL NOT NULL,
            latency_ms REAL NOT NULL,
            tries INTEGER NOT NULL,
            failure TEXT NOT NULL,
            mark TEXT NOT NULL
        )
        """,
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
        """
        CREATE TABLE raised_finding (
            branch TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            path TEXT NOT NULL,
            symbol TEXT NOT NULL,
            category TEXT NOT NULL,
            message TEXT NOT NULL,
            blocked INTEGER NOT NULL,
            time REAL NOT NULL,
            mark TEXT NOT NULL,
            PRIMARY KEY (branch, fingerprint)
        ) WITHOUT ROWID
        """,
        # What was refuted with a reason, and by whom.
        """
        CREATE TABLE refuted_finding (
            fingerprint TEXT PRIMARY KEY,
            path TEXT NOT NULL,
            symbol TEXT NOT NULL,
            category TEXT NOT NULL,
            message TEXT NOT NULL,
            reason TEXT NOT NULL,
            by TEXT NOT NULL,
            content TEXT NOT NULL,
            time REAL NOT NULL,
            mark TEXT NOT NULL
        ) WITHOUT ROWID
        """,
    ),
    (
        # What waits for a person's word: what it is, by a digest, and a few words about it. Its code is in no table.
        """
        CREATE TABLE pending_grant (
            session TEXT NOT NULL,
            root TEXT NOT NULL,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            what TEXT NOT NULL,
            nonce TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, root, kind, subject)
        ) WITHOUT ROWID
        """,
        # Files that no commit had when a session began.
        """
        CREATE TABLE uncommitted_at_start (
            session TEXT NOT NULL,
            root TEXT NOT NULL,
            files TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (session, root)
        ) WITHOUT ROWID
        """,
    ),
    (
        # What the rows of each session come to: whoever changes one without our key leaves another sum.
        """
        CREATE TABLE row_sum (
            session TEXT PRIMARY KEY,
            writes INTEGER NOT NULL,
            value TEXT NOT NULL,
            time REAL NOT NULL,
            mark TEXT NOT NULL
        ) WITHOUT ROWID
        """,
    ),
)
# From here on the rows of sessions are summed up.
SUMMED_SINCE = 20
# From here on the rows of the log are sealed with a key; an older file proves nothing.
SEALED_SINCE = 9
