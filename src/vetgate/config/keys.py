"""Every key of vetgate.yaml: what it may hold and what it is for. The schema is closed and grows with the product."""

from __future__ import annotations

from vetgate.config.sequence import Sequence
from vetgate.config.value_shapes import (
    Choice,
    Flag,
    GlobShape,
    Key,
    ListOf,
    MapOf,
    MappingShape,
    Regex,
    Share,
    TextShape,
    Version,
    Whole,
)
from vetgate.failure import ANSWERS, STRICTNESS
from vetgate.model import EventKind

SEVERITIES = ("note", "warning", "error", "critical")
EVENTS = (
    EventKind.BEFORE_EDIT,
    EventKind.AFTER_EDIT,
    EventKind.BEFORE_COMMAND,
    EventKind.AFTER_COMMAND,
    EventKind.SUBAGENT_STOP,
    EventKind.STOP,
    EventKind.PROMPT,
    EventKind.SESSION_START,
    EventKind.REVIEW,
    EventKind.COMMIT,
    EventKind.PUSH,
)
# Where there is nothing to run a command on yet, or nobody waits for one: a list of gates with checks, and no more.
PLAIN_EVENTS = frozenset({EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.PUSH})
# Where no file has changed: commands alone.
COMMANDS_ONLY = frozenset({EventKind.PROMPT, EventKind.SESSION_START})
ACTIONS = ("CONTINUE", "BLOCK", "STOP")
# As vetgate.gates.parse knows them, which no configuration may import.
PARSERS = (
    *("auto", "none", "pytest", "unittest", "jest", "vitest", "mocha", "go", "cargo", "tsc", "mypy", "eslint", "ruff"),
    *("sarif", "junit", "tap"),
)
# As vetgate.source.language knows them, which no configuration may import.
LANGUAGES = ("python", "javascript", "typescript", "tsx", "go", "java", "rust", "csharp", "php", "ruby")
RULE_NAME = r"[a-z][a-z0-9-]{0,79}"
PRESETS = ("recommended", "strict", "advisory")

# Effects of commands; vetgate.checks.unsafe_command knows them, which no configuration may import.
DECISIONS = ("allow", "ask", "block")
EFFECTS = {
    "deletes-files": "deletes or truncates files that are no build output",
    "loses-work": "throws away uncommitted work or local history",
    "loses-history": "rewrites or removes history that others have",
    "changes-system": "changes a raw device or the state of the machine",
    "runs-fetched-code": "runs code that nobody has read",
    "reads-credentials": "reads credentials",
    "sends-credentials": "sends credentials to another place",
    "persists": "leaves something behind that runs or gives access later",
    "destroys-infrastructure": "destroys infrastructure or what a registry holds",
    "destroys-data": "destroys data in a database",
    "publishes": "publishes or deploys",
    "skips-hooks": "skips the hooks that check commits and pushes",
    "tampers-with-gate": "tampers with the gate, its settings or the agent's",
    "unreadable": "cannot be read",
}

_SOURCE = TextShape("a preset or a path in this repository (./team.yaml)", r"[^\x00-\x1f]{1,400}")
_GATE_NAME = TextShape(
    "a gate's name (letters, digits, - and _)",
    r"[A-Za-z][A-Za-z0-9_-]{0,63}",
    refused=frozenset(ACTIONS),
)
_ACTION = TextShape("CONTINUE, BLOCK, STOP or the name of a gate", r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_COMMAND = TextShape("a command as a shell reads it", r"[^\x00]{1,4000}")
_VARIABLE = TextShape("the name of a variable", r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_FOLDER = TextShape(
    "a folder: absolute, or from the root of the project (./node_modules/.bin)", r"[^\x00-\x1f:]{1,400}"
)
_USER = TextShape("the name of a user of this system", r"[A-Za-z_][A-Za-z0-9_.-]{0,31}")
_PROSE = TextShape("a sentence or two", r"[^\x00-\x1f]{1,500}")
SANDBOXES = ("off", "auto", "required")
_CHECK_NAME = TextShape(
    "a check (complexity) or one of its rules (complexity/nesting)", r"[a-z][a-z0-9-]{0,49}(/[a-z][a-z0-9-]{0,79})?"
)

_GATE = MappingShape(
    {
        "checks": Key(ListOf(_CHECK_NAME), "What the gate runs: checks by family, or single rules as family/rule."),
        "command": Key(_COMMAND, "Or a command of the project; it passes with exit status 0. See docs/gates.md."),
        "description": Key(_PROSE, "What the gate is for, in a few words; agents are told."),
        "timeout": Key(Whole(1, 3_600), "Seconds after which the command and all its children are ended."),
        "on_pass": Key(_ACTION, "When the command passes: CONTINUE, BLOCK, STOP, or a gate to run before going on."),
        "on_fail": Key(
            _ACTION,
            "When it fails: CONTINUE tells the output and goes on, BLOCK holds the agent back, STOP ends its run, a "
            "gate's name runs that one. A gate of checks takes the first three.",
        ),
        "parse": Key(Choice(PARSERS), "What reads the command's output; auto finds out."),
        "pattern": Key(Regex(), "What reads it instead: groups path, line, column, message, each where it matches."),
        "rounds": Key(Whole(1, 8), "How often in a row the same failure holds an agent back at its end."),
        "env": Key(ListOf(_VARIABLE), "Variables that the command gets beside the usual harmless ones."),
        "path": Key(ListOf(_FOLDER, least=1), "Where programs are looked for, instead of PATH."),
        "sandbox": Key(
            Choice(SANDBOXES),
            "auto: without network and with only the project writable, where bubblewrap can; required: or not at all.",
        ),
        "user": Key(_USER, "Another user of this system to run it as; only root can do that."),
        "memory": Key(Whole(64, 1_048_576), "Most megabytes that one process of the command may take."),
        "block_at": Key(Choice(SEVERITIES), "Findings at or above this severity block; those below are told."),
        "scope": Key(
            Choice(("new", "file", "changed")),
            "new: only what the change introduces; file: everything in a changed file; changed: a command over what "
            "changed files affect.",
        ),
        "on_error": Key(
            Choice(STRICTNESS),
            "When a check itself fails: open lets the change pass and marks the file unverified, ask asks a person, "
            "closed refuses. It can only be stricter than the check's own direction.",
        ),
        "approve": Key(
            Flag(),
            "true: a clean change is approved without the agent's own permission prompt. "
            "false: a clean change gets no decision and your permissions stay in force.",
        ),
    },
    later=frozenset({"judge", "mode", "models", "ship", "quota", "consensus"}),
)

_PATHS = MappingShape(
    {
        "include": Key(ListOf(GlobShape(), least=1), "Files that are checked."),
        "exclude": Key(ListOf(GlobShape()), "Files that are not; adds to what is inherited, !glob takes one back."),
        "tests": Key(ListOf(GlobShape()), "Test files: findings are told there and never block; adds like exclude."),
    }
)

_COMPLEXITY = MappingShape(
    {
        "cyclomatic": Key(Whole(1, 10_000), "Most independent paths through a function."),
        "cognitive": Key(Whole(0, 10_000), "Most cognitive complexity of a function: how hard its flow is to follow."),
        "nesting": Key(Whole(0, 1_000), "Deepest nesting of control flow in a function."),
        "length": Key(Whole(1, 100_000), "Most lines of a function."),
        "parameters": Key(Whole(0, 1_000), "Most parameters of a function."),
    }
)

_RULE_NAME = TextShape("a rule's name (lower-case letters, digits and -)", RULE_NAME)
_CALL = TextShape("the name of a call (db.query, *.run_sql, {a,b}.query)", r"[^\s\x00-\x1f]{1,200}")
_LINE_RULE = MappingShape(
    {
        "pattern": Key(Regex(), "A line that it matches somewhere is a finding.", required=True),
        "message": Key(_PROSE, "What is wrong; {code} stands for what matched.", required=True),
        "severity": Key(Choice(SEVERITIES), "How much it weighs; warning unless said."),
        "fix": Key(_PROSE, "How to mend it."),
        "cwe": Key(ListOf(Whole(1, 9_999)), "Numbers of the weakness."),
        "languages": Key(ListOf(Choice(LANGUAGES), least=1), "Only files in these; javascript is TypeScript, too."),
    }
)
_SECURITY = MappingShape(
    {
        "custom": Key(MapOf(_RULE_NAME, _LINE_RULE), "Rules of your own that match lines, by name."),
        "sinks": Key(
            MapOf(_RULE_NAME, ListOf(_CALL, least=1)),
            "Calls of your own that a rule of vetgate treats like its first one.",
        ),
    }
)

_DUPLICATES = MappingShape(
    {
        "similarity": Key(Share(0.5, 1), "How much two functions have to be the same, 0.85 for 85 %."),
        "tell": Key(Whole(50, 10_000), "How many tokens a function needs for its twin to be told of."),
        "block": Key(Whole(50, 10_000), "How many it needs for that to block."),
    }
)

_KIND = TextShape("a kind of token (stripe-secret-key)", RULE_NAME)
# From the strictest on: a low bar finds most.
ENTROPIES = ("low", "normal", "high")
_SECRETS = MappingShape(
    {
        "allow": Key(ListOf(_KIND), "Kinds of vendor tokens that are no secret in this project, by name."),
        "entropy": Key(
            Choice(ENTROPIES),
            "How random a value under a telling name has to look: low finds more, high leaves memorable ones alone.",
        ),
    }
)

_PATH = TextShape("a path: absolute, from home (~/x) or from the root of the project", r"[^\x00-\x1f]{1,400}")
_COMMANDS = MappingShape(
    {
        "effects": Key(
            MappingShape(
                {effect: Key(Choice(DECISIONS), f"When a command {what}.") for effect, what in EFFECTS.items()}
            ),
            "What happens when a command has an effect: allow, ask a person, or block.",
        ),
        "trusted": Key(ListOf(_PATH), "Folders outside of the project in which commands may delete and write."),
        "sensitive": Key(ListOf(_PATH), "Files and folders that hold credentials, beside the usual ones."),
    }
)

THENS = ("block", "ask", "allow")
_RETRIES = MappingShape(
    {
        "max": Key(Whole(1, 100), "How often an agent may try again for one file and kind of finding."),
        "then": Key(
            Choice(THENS),
            "What follows after that: ask a person, go on to block, or allow with a warning that is recorded. "
            "Commands, protected files and secrets are never allowed.",
        ),
        "delay": Key(Whole(0, 3_600), "Seconds that have to pass before the same edit is looked at again."),
        "forget": Key(Whole(1, 10_080), "Minutes after which an attempt is forgotten; it never outlives its session."),
    }
)

_FAILURES = {
    "config": "vetgate.yaml is broken; its last good version is in force, and without one a person is asked",
    "parse": "a file cannot be read as code; code with a few errors can",
    "analysis": "a check crashes",
    "timeout": "time runs out, or a file is beyond a limit",
    "model": "a model cannot be reached",
    "filesystem": "a file cannot be read at all",
}
_ON_FAILURE = MappingShape(
    {
        **{
            name: Key(Choice(ANSWERS), f"When {what}: allow, ask a person, or deny. Closed checks stay closed.")
            for name, what in _FAILURES.items()
        },
        "test": Key(
            Choice(ANSWERS),
            "When a command of a gate cannot be run: with allow and ask the person is told and nobody is held, with "
            "deny it blocks.",
        ),
    }
)

REPORTS = ("text", "json", "html")
_OUTPUT = MappingShape(
    {
        "format": Key(Choice(REPORTS), "How `vetgate check` reports unless --format says otherwise."),
        "snippets": Key(Flag(), "Show the lines of code a finding is about."),
        "max_suggestions": Key(Whole(0, 100), "Most suggestions given with one verdict."),
    },
)

_EVENT_SUMMARY = {
    EventKind.BEFORE_EDIT: "Gates that judge an edit before it lands.",
    EventKind.AFTER_EDIT: "Gates that run when an edit has landed.",
    EventKind.BEFORE_COMMAND: "Gates that judge a command before it runs.",
    EventKind.AFTER_COMMAND: "Gates over every file that a command, or a tool nobody knows, has changed.",
    EventKind.SUBAGENT_STOP: "Gates that run when a subagent wants to end, beside the checks of stop.",
    EventKind.STOP: "Gates that run when the agent wants to end its turn.",
    EventKind.PROMPT: "Commands that run when a person has sent a prompt.",
    EventKind.SESSION_START: "Commands that run when a session begins.",
    EventKind.REVIEW: "Gates over all that a branch changes, by `vetgate review`.",
    EventKind.COMMIT: "Gates over the index before a commit, and over its message, by git's own hooks.",
    EventKind.PUSH: "Gates over what a push adds to what remotes have, by git's own hook.",
}
_ON = MappingShape(
    {
        str(event): Key(ListOf(_GATE_NAME) if event in PLAIN_EVENTS else Sequence(_GATE_NAME), _EVENT_SUMMARY[event])
        for event in EVENTS
    },
    later=frozenset(str(event) for event in EventKind if event not in EVENTS),
)

FILE = MappingShape(
    {
        "version": Key(Version(1), "The version of this file's format.", required=True),
        "extends": Key(
            ListOf(_SOURCE, least=1),
            "What this file builds on: presets (recommended, strict, advisory) and files of this repository, "
            "the later ones winning. recommended is always the ground.",
        ),
        "enabled": Key(Flag(), "false turns every gate off."),
        "log_level": Key(Choice(("debug", "info", "warning", "error")), "How much is logged."),
        "daemon": Key(Choice(("auto", "off")), "auto keeps a warm process for quick answers; off never starts one."),
        "paths": Key(_PATHS, "Which files are checked, and which are tests. Globs as in .gitignore."),
        "gates": Key(MapOf(_GATE_NAME, _GATE), "The gates by name."),
        "on": Key(_ON, "Which gates run on which event, in order."),
        "complexity": Key(_COMPLEXITY, "Limits of the complexity check; a value above its limit is a finding."),
        "security": Key(_SECURITY, "What this project adds to the security check; see docs/user-rules.md."),
        "secrets": Key(_SECRETS, "What counts as a secret."),
        "duplicates": Key(_DUPLICATES, "When a function counts as written twice."),
        "retries": Key(_RETRIES, "What happens when an agent tries the same thing again."),
        "on_failure": Key(_ON_FAILURE, "What happens when something of vetgate itself breaks; see docs/failures.md."),
        "commands": Key(_COMMANDS, "What commands may do; see docs/checks/unsafe-command.md."),
        "rules": Key(
            MapOf(_CHECK_NAME, Choice(("off", *SEVERITIES))),
            "The severity of a whole check or of one rule; the rule's own entry wins.",
        ),
        "output": Key(_OUTPUT, "What a verdict shows."),
    },
    later=frozenset({"models", "consensus", "budget", "judges", "review", "ship", "telemetry"}),
)
