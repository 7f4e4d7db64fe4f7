"""Every key of vetgate.yaml: what it may hold and what it is for. The schema is closed and grows with the product."""

from __future__ import annotations

from vetgate.config.models import BUDGET, CONSENSUS, JUDGE_NAME, MODEL_NAME, MODELS, MODES
from vetgate.config.options import section_keys
from vetgate.config.value_shapes import (
    Choice,
    Flag,
    GlobShape,
    Key,
    ListOf,
    MapOf,
    MappingShape,
    Regex,
    Sequence,
    TextShape,
    Together,
    Version,
    Whole,
)
from vetgate.failure import ANSWERS, STRICTNESS
from vetgate.model import ACTIONS, EventKind

SEVERITIES = ("note", "warning", "error", "critical")
EVENTS = (
    EventKind.BEFORE_EDIT,
    EventKind.AFTER_EDIT,
    EventKind.BEFORE_COMMAND,
    EventKind.AFTER_COMMAND,
    EventKind.BEFORE_TOOL,
    EventKind.SUBAGENT_STOP,
    EventKind.STOP,
    EventKind.PROMPT,
    EventKind.SESSION_START,
    EventKind.REVIEW,
    EventKind.COMMIT,
    EventKind.PUSH,
    EventKind.SHIP,
)
# Where there is nothing to run a command on yet, or nobody waits for one: a list of gates with checks, and no more.
PLAIN_EVENTS = frozenset(
    {EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.BEFORE_TOOL, EventKind.PUSH, EventKind.SHIP}
)
# Where no file has changed: commands alone.
COMMANDS_ONLY = frozenset({EventKind.PROMPT, EventKind.SESSION_START})
# Where there is neither an edit nor a command to check.
JUDGES_ONLY = frozenset({EventKind.BEFORE_TOOL})
# As vetgate.gates.parse knows them, which no configuration may import.
PARSERS = (
    *("auto", "none", "pytest", "unittest", "jest", "vitest", "mocha", "go", "cargo", "tsc", "mypy", "eslint", "ruff"),
    *("sarif", "junit", "tap", "coderabbit"),
)
PROOFS = ("tests",)
RULE_NAME = r"[a-z][a-z0-9-]{0,79}"
PRESETS = ("recommended", "strict", "advisory")

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
PROSE = TextShape("a sentence or two", r"[^\x00-\x1f]{1,500}")
_QUOTA = TextShape("how often an hour, as in 8/hour", r"[1-9][0-9]{0,3}/hour")
_LOOP_NAME = TextShape("a loop's name (letters, digits, - and _)", r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_BRANCH = TextShape("a branch, or a glob of branches (release/*)", r"[^\s\x00-\x1f~^:\\]{1,200}")
SANDBOXES = ("off", "auto", "required")
_CHECK_NAME = TextShape(
    "a check (complexity) or one of its rules (complexity/nesting)", r"[a-z][a-z0-9-]{0,49}(/[a-z][a-z0-9-]{0,79})?"
)

_GATE = MappingShape(
    {
        "checks": Key(ListOf(_CHECK_NAME), "What the gate runs: checks by family, or single rules as family/rule."),
        "command": Key(_COMMAND, "Or a command of the project; it passes with exit status 0. See docs/gates.md."),
        "judge": Key(JUDGE_NAME, "Or a judge that asks language models; see docs/judging.md."),
        "ship": Key(
            Flag(), "Or true: it asks whether exactly the content that would leave was reviewed; see docs/ship.md."
        ),
        "prove": Key(Choice(PROOFS), "Or tests: new and changed tests must fail on the old code; see docs/gates.md."),
        "models": Key(ListOf(MODEL_NAME, least=1), "The models that the judge asks; the first one is the primary."),
        "mode": Key(
            Choice(MODES),
            "strict: the call waits for the judge; lazy: its answer comes later; auto: strict where a mistake is "
            "likely or costly.",
        ),
        "investigate": Key(Flag(), "true: the judge may read, glob and grep in the project over several turns."),
        "consensus": Key(CONSENSUS, "How its models come to one decision, where that differs from `consensus`."),
        "description": Key(PROSE, "What the gate is for, in a few words; agents see it."),
        "timeout": Key(
            Whole(1, 3_600),
            "Seconds until a command and all its children are ended, until checks leave the rest unchecked, or until "
            "a judge stops waiting for its models (instead of `consensus.timeout`).",
        ),
        "on_pass": Key(_ACTION, "When it passes: CONTINUE, BLOCK, STOP, or a gate to run before going on."),
        "on_fail": Key(
            _ACTION,
            "When it fails: CONTINUE reports it and goes on, BLOCK holds the agent back, STOP ends its run, a gate's "
            "name runs that gate.",
        ),
        "parse": Key(Choice(PARSERS), "The reader of the command's output; auto detects it."),
        "pattern": Key(Regex(), "Reads the output instead, with the groups path, line, column and message."),
        "rounds": Key(Whole(1, 8), "How often in a row the same failure holds the end of a turn."),
        "env": Key(ListOf(_VARIABLE), "Variables that the command gets beside the usual harmless ones."),
        "path": Key(ListOf(_FOLDER, least=1), "Folders to search for programs, instead of PATH."),
        "sandbox": Key(
            Choice(SANDBOXES),
            "auto: with bubblewrap, where available: no network, only the project is writable; required: without it "
            "the gate does not run.",
        ),
        "user": Key(_USER, "Another user of this system to run it as; needs root."),
        "memory": Key(Whole(64, 1_048_576), "Most megabytes for one process of the command."),
        "quota": Key(_QUOTA, "How often an hour the command may run, counted over all your projects: 8/hour."),
        "include_specs": Key(Flag(), "For a reviewer: show it specifications that match the branch. On by default."),
        "include_commits": Key(Whole(0, 50), "For a reviewer: how many of the last commits it sees; 5 by default."),
        "refute": Key(Flag(), "For a reviewer: true asks a second, short question about each critical finding."),
        "block_on_new_issues": Key(
            Flag(), "For a reviewer: true blocks for every finding that no earlier review of the branch raised."
        ),
        "block_at": Key(Choice(SEVERITIES), "Findings at or above this severity block; those below are reported."),
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
)

REVIEW = ListOf(
    MappingShape(
        {
            "name": Key(_LOOP_NAME, "Its name, as in `vetgate review --loops NAME`.", required=True),
            "gates": Key(
                ListOf(Together(_GATE_NAME), least=1), "Its gates in order; a nested list runs at once.", required=True
            ),
            "timeout": Key(Whole(1, 86_400), "Seconds for the whole loop."),
            "blocks": Key(Flag(), "false: its findings are reported and stop neither later loops nor shipping."),
            "inputs": Key(
                ListOf(GlobShape(), least=1),
                "The files that it depends on: its result holds until one of them changes. All files by default.",
            ),
        }
    )
)
SHIP = MappingShape(
    {
        "branches": Key(ListOf(_BRANCH), "A commit to one of these must pass the gates of `on.ship`, too."),
        "people": Key(
            Choice(("block", "warn")), "Whether git's hooks hold a person back or only warn them; agents are held back."
        ),
    }
)

_PATHS = MappingShape(
    {
        "include": Key(ListOf(GlobShape(), least=1), "Files that are checked."),
        "exclude": Key(ListOf(GlobShape()), "Not checked. Adds to what is inherited; !glob removes one."),
        "tests": Key(ListOf(GlobShape()), "Test files, in which few checks block. Adds to what is inherited."),
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
        "delay": Key(Whole(0, 3_600), "Seconds that must pass before the same edit is judged again."),
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
            "When a command of a gate cannot be run: with allow and ask the person gets a message and nothing is "
            "held, with deny it blocks.",
        ),
    }
)

REPORTS = ("text", "json", "html")
_OUTPUT = MappingShape(
    {
        "format": Key(Choice(REPORTS), "How `vetgate check` reports unless --format says otherwise."),
        "snippets": Key(Flag(), "Show the lines of code a finding is about."),
        "max_suggestions": Key(Whole(0, 100), "Most suggestions in one verdict."),
    },
)

_EVENT_SUMMARY = {
    EventKind.BEFORE_EDIT: "Gates that judge an edit before it is written.",
    EventKind.AFTER_EDIT: "Gates that run after an edit was written.",
    EventKind.BEFORE_COMMAND: "Gates that judge a command before it runs.",
    EventKind.AFTER_COMMAND: "Gates over every file that a command or an unknown tool changed.",
    EventKind.BEFORE_TOOL: "Judges for other tools before they run: starting an agent, reading outside the project.",
    EventKind.SUBAGENT_STOP: "Gates that run when a subagent wants to end, beside the checks of stop.",
    EventKind.STOP: "Gates that run when the agent wants to end its turn.",
    EventKind.PROMPT: "Commands that run when a person has sent a prompt.",
    EventKind.SESSION_START: "Commands that run when a session begins.",
    EventKind.REVIEW: "Gates over everything that a branch changes, run by `vetgate review`.",
    EventKind.COMMIT: "Gates over the index before a commit, and over its message, run by git's own hooks.",
    EventKind.SHIP: "Gates with `ship: true`, wherever code leaves: push, pull request, publishing.",
    EventKind.PUSH: "Gates over what a push adds to the remote, run by git's own hook.",
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
            "What this file builds on: presets (recommended, strict, advisory) and files of this repository; later "
            "ones win. recommended is always the base.",
        ),
        "enabled": Key(Flag(), "false turns every gate off."),
        "log_level": Key(Choice(("debug", "info", "warning", "error")), "How much is logged."),
        "daemon": Key(Choice(("auto", "off")), "auto keeps a warm process for quick answers; off never starts one."),
        "paths": Key(_PATHS, "Which files are checked, and which are tests. Globs as in .gitignore."),
        "gates": Key(MapOf(_GATE_NAME, _GATE), "The gates by name."),
        "on": Key(_ON, "Which gates run on which event, in order."),
        "review": Key(REVIEW, "The loops of a review, in order; `on.review` is the short form of one."),
        "ship": Key(SHIP, "What counts as code that leaves, beside pushes, pull requests and publishing."),
        **section_keys(),
        "models": Key(MODELS, "Language models that judges may ask. Nothing is sent anywhere without one."),
        "consensus": Key(CONSENSUS, "How several models of a judge come to one decision."),
        "budget": Key(BUDGET, "What judges may cost. When it is used up they are skipped, and vetgate says so."),
        "retries": Key(_RETRIES, "What happens when an agent tries the same thing again."),
        "on_failure": Key(_ON_FAILURE, "What happens when something of vetgate itself breaks; see docs/failures.md."),
        "rules": Key(
            MapOf(_CHECK_NAME, Choice(("off", *SEVERITIES))),
            "The severity of a whole check or of one rule; the rule's own entry wins.",
        ),
        "output": Key(_OUTPUT, "What a verdict shows."),
    },
    later=frozenset({"judges", "telemetry"}),
)
