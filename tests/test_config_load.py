"""Presets, extends, merging, and that every documented key is accepted and has an effect."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from vetgate.checks import page_path
from vetgate.checks.complexity.definitions import LIMITS
from vetgate.checks.unsafe_command.effect import KINDS
from vetgate.config import document
from vetgate.config.keys import EVENTS, FILE, PRESETS
from vetgate.config.load import defaults, find, load, loaded
from vetgate.config.options import SECTIONS
from vetgate.config.plain import plain, text
from vetgate.config.schema import Loop
from vetgate.config.template import render
from vetgate.failure import FALLBACKS
from vetgate.judgement import Price
from vetgate.model import EventKind, GateKind, UserError
from vetgate.severity import Severity

SHIPPED = defaults().gates["code"].checks
KNOWN = frozenset(
    {*(name for gate in defaults().gates.values() for name in gate.checks), "security/weak-hash", "complexity/nesting"}
)
ROOT = Path(__file__).parent.parent


def config(content: str):
    return loaded(f"version: 1\n{content}".encode(), KNOWN, None).config


def write(root: Path, **files: str) -> Path:
    for name, content in files.items():
        path = root / f"{name.replace('__', '/')}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root / "vetgate.yaml"


def error(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        load(path, KNOWN)
    return caught.value.message


def test_the_defaults_are_the_thresholds_of_the_product():
    found = [limit.of(defaults()) for limit in LIMITS.values()]
    assert found == [10, 15, 4, 50, 5]
    code = defaults().gates["code"]
    assert {"complexity", "security"} <= set(SHIPPED)
    assert (code.block_at, code.scope, code.approve) == (
        Severity.ERROR,
        "new",
        False,
    )
    assert defaults().on[EventKind.BEFORE_EDIT] == ("code",)
    assert defaults().path is None


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_loads(name):
    assert config(f"extends: [{name}]\n").gates["code"].checks == SHIPPED


def test_presets_do_what_their_name_says():
    assert config("extends: [recommended]\n") == defaults()
    strict, advisory = config("extends: [strict]\n"), config("extends: [advisory]\n")
    assert strict.options["complexity.cyclomatic"] < defaults().options["complexity.cyclomatic"]
    assert strict.gates["code"].block_at == Severity.WARNING
    assert advisory.gates["code"].block_at == Severity.CRITICAL


MODELS = "models: {one: {api: anthropic, model: m}}\n"
EFFECTS = {
    "version": ("", lambda c: c == defaults()),
    "extends": ("extends: [strict]", lambda c: c.options["complexity.nesting"] == 3),
    "enabled": ("enabled: false", lambda c: c.enabled is False),
    "log_level": ("log_level: debug", lambda c: c.log_level == "debug"),
    "daemon": ("daemon: off", lambda c: c.daemon == "off"),
    "paths.include": (
        "paths: {include: [src/**]}",
        lambda c: c.paths.checks("src/a.py") and not c.paths.checks("a.py"),
    ),
    "paths.exclude": (
        "paths: {exclude: [gen/**]}",
        lambda c: not c.paths.checks("gen/a.py") and c.paths.checks("a.py"),
    ),
    "paths.tests": ("paths: {tests: [qa/**]}", lambda c: c.paths.is_test("qa/a.py") and not c.paths.is_test("a.py")),
    "gates.NAME.checks": (
        "gates: {mine: {checks: [complexity/nesting]}}",
        lambda c: "mine" in c.gates and c.gates["mine"].checks == ("complexity/nesting",),
    ),
    "gates.NAME.block_at": ("gates: {code: {block_at: note}}", lambda c: c.gates["code"].block_at == Severity.NOTE),
    "gates.NAME.scope": ("gates: {code: {scope: file}}", lambda c: c.gates["code"].scope == "file"),
    "gates.NAME.on_error": ("gates: {code: {on_error: closed}}", lambda c: c.gates["code"].on_error == "closed"),
    "gates.NAME.approve": ("gates: {code: {approve: true}}", lambda c: c.gates["code"].approve),
    "gates.NAME.command": (
        "gates: {mine: {command: make test}}",
        lambda c: "mine" in c.gates and c.gates["mine"].command == "make test" and c.gates["mine"].checks == (),
    ),
    **{
        f"gates.NAME.{key}": (
            f"gates: {{mine: {{command: x, {key}: {written}}}}}",
            lambda c, key=key, value=value: "mine" in c.gates and getattr(c.gates["mine"], key) == value,
        )
        for key, written, value in (
            ("description", "All of it.", "All of it."),
            ("timeout", "7", 7),
            ("on_pass", "BLOCK", "BLOCK"),
            ("on_fail", "STOP", "STOP"),
            ("parse", "pytest", "pytest"),
            ("pattern", "'(?P<path>.*)'", "(?P<path>.*)"),
            ("rounds", "5", 5),
            ("env", "[DATABASE_URL]", ("DATABASE_URL",)),
            ("path", "[/usr/bin, ./bin]", ("/usr/bin", "./bin")),
            ("sandbox", "required", "required"),
            ("user", "nobody", "nobody"),
            ("memory", "512", 512),
        )
    },
    **{
        f"on.{event}": (
            f"gates: {{mine: {{command: x}}}}\non: {{{event}: [mine]}}",
            lambda c, event=event: c.on[event] == ("mine",),
        )
        for event in (
            EventKind.SUBAGENT_STOP,
            EventKind.PROMPT,
            EventKind.SESSION_START,
            EventKind.REVIEW,
            EventKind.COMMIT,
        )
    },
    "gates.NAME.judge": (
        "gates: {mine: {judge: intent}}",
        lambda c: (
            "mine" in c.gates and c.gates["mine"].judge == "intent" and c.gates["mine"].block_at is Severity.ERROR
        ),
    ),
    **{
        f"gates.NAME.{key}": (
            f"{MODELS}gates: {{mine: {{judge: reviewer, {key}: {written}}}}}",
            lambda c, key=key, value=value: "mine" in c.gates and getattr(c.gates["mine"], key) == value,
        )
        for key, written, value in (
            ("models", "[one]", ("one",)),
            ("mode", "lazy", "lazy"),
            ("investigate", "true", True),
        )
    },
    **{
        f"{where}consensus.{key}": (
            f"{MODELS}{before}consensus: {{{key}: {written}}}{after}",
            lambda c, key=key, value=value, of=of: getattr(of(c), key, None) == value,
        )
        for where, before, after, of in (
            ("", "", "", lambda c: c.consensus),
            (
                "gates.NAME.",
                "gates: {mine: {judge: intent, ",
                "}}",
                lambda c: c.gates["mine"].consensus if "mine" in c.gates else None,
            ),
        )
        for key, written, value in (
            ("strategy", "majority", "majority"),
            ("timeout", "7", 7),
            ("on_timeout", "deny", "deny"),
            ("adjudicator", "one", "one"),
        )
    },
    **{
        f"models.NAME.{key}": (
            f"models: {{one: {{api: anthropic, model: m, url: 'https://a.example', {written}}}}}",
            lambda c, name=name, value=value: "one" in c.models and getattr(c.models["one"], name) == value,
        )
        for key, name, written, value in (
            ("api", "api", "", "anthropic"),
            ("model", "model", "", "m"),
            ("url", "url", "", "https://a.example"),
            ("key", "key", "key: $GLM_KEY", "$GLM_KEY"),
            ("weight", "weight", "weight: 0.3", 0.3),
            ("specialties", "specialties", "specialties: [security]", ("security",)),
            ("price.input", "price", "price: {input: 1, output: 2}", Price(1.0, 2.0)),
            ("price.output", "price", "price: {input: 3, output: 4}", Price(3.0, 4.0)),
        )
    },
    "budget.usd_per_day": ("budget: {usd_per_day: 7}", lambda c: c.budget.usd_per_day == 7),
    "budget.usd_per_session": ("budget: {usd_per_session: 7}", lambda c: c.budget.usd_per_session == 7),
    "on.before_tool": (
        "gates: {approve: {judge: approve}}\non: {before_tool: [approve]}",
        lambda c: c.on[EventKind.BEFORE_TOOL] == ("approve",),
    ),
    "on.ship": (
        "gates: {reviewed: {ship: true}}\non: {ship: [reviewed]}",
        lambda c: c.on[EventKind.SHIP] == ("reviewed",),
    ),
    "ship.people": ("ship: {people: warn}", lambda c: c.ship.people == "warn"),
    "ship.branches": ("ship: {branches: [main]}", lambda c: c.ship.branches == ("main",)),
    "gates.NAME.ship": (
        "gates: {reviewed: {ship: true}}",
        lambda c: "reviewed" in c.gates and c.gates["reviewed"].kind is GateKind.SHIP,
    ),
    "gates.NAME.prove": (
        "gates: {proof: {prove: tests}}",
        lambda c: (
            "proof" in c.gates and (c.gates["proof"].kind, c.gates["proof"].on_fail) == (GateKind.PROOF, "CONTINUE")
        ),
    ),
    "gates.NAME.quota": (
        "gates: {mine: {command: x, quota: 8/hour}}",
        lambda c: "mine" in c.gates and c.gates["mine"].quota == 8,
    ),
    **{
        f"gates.NAME.{key}": (
            f"gates: {{look: {{judge: reviewer, {key}: {written}}}}}",
            lambda c, key=key, value=value: "look" in c.gates and getattr(c.gates["look"], key) == value,
        )
        for key, written, value in (
            ("include_specs", "false", False),
            ("include_commits", "0", 0),
            ("refute", "true", True),
            ("block_on_new_issues", "true", True),
        )
    },
    "review": (
        "review: [{name: quick, gates: [code], timeout: 30, blocks: false, inputs: [src/**]}]",
        lambda c: c.loops == (Loop("quick", (("code",),), 30, blocks=False, inputs=("src/**",)),),
    ),
    "on.push": ("on: {push: []}", lambda c: c.on[EventKind.PUSH] == ()),
    "on.before_edit": ("on: {before_edit: []}", lambda c: c.on[EventKind.BEFORE_EDIT] == ()),
    "on.after_edit": ("on: {after_edit: [code]}", lambda c: c.on[EventKind.AFTER_EDIT] == ("code",)),
    "on.before_command": (
        "on: {before_command: [code]}",
        lambda c: c.on.get(EventKind.BEFORE_COMMAND) == ("code",),
    ),
    "on.after_command": ("on: {after_command: []}", lambda c: c.on[EventKind.AFTER_COMMAND] == ()),
    "on.stop": ("on: {stop: []}", lambda c: c.on[EventKind.STOP] == ()),
    "complexity.cyclomatic": ("complexity: {cyclomatic: 77}", lambda c: c.options["complexity.cyclomatic"] == 77),
    "complexity.cognitive": ("complexity: {cognitive: 77}", lambda c: c.options["complexity.cognitive"] == 77),
    "complexity.nesting": ("complexity: {nesting: 77}", lambda c: c.options["complexity.nesting"] == 77),
    "complexity.variant": ("complexity: {variant: classic}", lambda c: c.options["complexity.variant"] == "classic"),
    "complexity.length": ("complexity: {length: 77}", lambda c: c.options["complexity.length"] == 77),
    "complexity.parameters": ("complexity: {parameters: 77}", lambda c: c.options["complexity.parameters"] == 77),
    "security.custom.NAME.pattern": (
        "security: {custom: {mine: {pattern: '[0-9]', message: m}}}",
        lambda c: [rule.pattern for rule in c.security.custom] == ["[0-9]"],
    ),
    "security.custom.NAME.message": (
        "security: {custom: {mine: {pattern: x, message: Why not.}}}",
        lambda c: [rule.message for rule in c.security.custom] == ["Why not."],
    ),
    "security.custom.NAME.severity": (
        "security: {custom: {mine: {pattern: x, message: m, severity: note}}}",
        lambda c: [rule.severity for rule in c.security.custom] == [Severity.NOTE],
    ),
    "security.custom.NAME.fix": (
        "security: {custom: {mine: {pattern: x, message: m, fix: Do.}}}",
        lambda c: [rule.fix for rule in c.security.custom] == ["Do."],
    ),
    "security.custom.NAME.cwe": (
        "security: {custom: {mine: {pattern: x, message: m, cwe: [79]}}}",
        lambda c: [rule.cwe for rule in c.security.custom] == [(79,)],
    ),
    "security.custom.NAME.languages": (
        "security: {custom: {mine: {pattern: x, message: m, languages: [go]}}}",
        lambda c: [rule.languages for rule in c.security.custom] == [("go",)],
    ),
    "security.sinks": (
        "security: {sinks: {weak-hash: [acme.hash]}}",
        lambda c: c.security.sinks == (("weak-hash", ("acme.hash",)),),
    ),
    "secrets.allow": (
        "secrets: {allow: [zapier-webhook]}",
        lambda c: c.options["secrets.allow"] == ("zapier-webhook",),
    ),
    "duplicates.similarity": ("duplicates: {similarity: 0.9}", lambda c: c.options["duplicates.similarity"] == 0.9),
    "duplicates.tell": ("duplicates: {tell: 70}", lambda c: c.options["duplicates.tell"] == 70),
    "duplicates.block": ("duplicates: {block: 120}", lambda c: c.options["duplicates.block"] == 120),
    "secrets.entropy": ("secrets: {entropy: low}", lambda c: c.options["secrets.entropy"] == "low"),
    **{
        f"commands.effects.{effect}": (
            f"commands: {{effects: {{{effect}: allow}}}}",
            lambda c, effect=effect: c.options["commands.effects"][effect] == "allow",
        )
        for effect in KINDS
    },
    "commands.trusted": ("commands: {trusted: [/srv]}", lambda c: c.options["commands.trusted"] == ("/srv",)),
    "commands.sensitive": ("commands: {sensitive: [~/keys]}", lambda c: c.options["commands.sensitive"] == ("~/keys",)),
    "retries.max": ("retries: {max: 7}", lambda c: c.retries.max == 7),
    "retries.then": ("retries: {then: block}", lambda c: c.retries.then == "block"),
    "retries.delay": ("retries: {delay: 7}", lambda c: c.retries.delay == 7),
    "retries.forget": ("retries: {forget: 7}", lambda c: c.retries.forget == 7),
    "rules": (
        "rules: {complexity: off, complexity/nesting: error}",
        lambda c: c.rules == {"complexity": None, "complexity/nesting": Severity.ERROR},
    ),
    **{
        f"on_failure.{name}": (
            f"on_failure: {{{name}: deny}}",
            lambda c, name=name: c.on_failure == {**defaults().on_failure, name: "deny"},
        )
        for name in FALLBACKS
    },
    "output.format": ("output: {format: html}", lambda c: c.output.format == "html"),
    "output.snippets": ("output: {snippets: false}", lambda c: c.output.snippets is False),
    "output.max_suggestions": ("output: {max_suggestions: 7}", lambda c: c.output.max_suggestions == 7),
}


@pytest.mark.parametrize(("content", "effect"), EFFECTS.values(), ids=EFFECTS)
def test_a_key_has_an_effect(content, effect):
    found = config(content + "\n")
    assert effect(found)
    assert not content or not effect(defaults())
    assert (found.digest != defaults().digest) == bool(content), "the digest names the content"


def test_every_documented_key_is_tried_above_or_is_an_option_on_the_page_of_its_check():
    documented = {path for path, _, _ in document._keys(FILE, "")}
    pages = {key: page_path(section.check).read_text("utf-8") for section in SECTIONS for key in _keys_of(section)}
    assert set(EFFECTS) <= documented
    assert {key for key in documented - set(EFFECTS) if f" {key}=" not in pages.get(key, "")} == set()


def _keys_of(section):
    return [option.key for option in section.options]


def test_the_schema_and_the_page_say_what_the_code_says(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert document.main([]) == 0
    assert json.loads(document.SCHEMA_FILE.read_text()) == document.schema()


def test_the_schema_describes_every_key_for_editors():
    schema = document.schema()
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["version"]
    assert all(value["description"] for value in schema["properties"].values())
    assert set(schema["properties"]["on"]["properties"]) == set(EVENTS)


def test_the_example_in_the_guide_loads():
    guide = (ROOT / "docs" / "configuration.md").read_text()
    example = guide.split("```yaml\n")[1].split("```")[0]
    assert loaded(example.encode(), KNOWN | {"complexity/length"}, None).config.paths.is_test("qa/x.py")


@pytest.mark.parametrize("preset", PRESETS)
def test_the_file_that_a_new_project_gets_loads(preset):
    written = render(languages=["python", "go"], exclude=["gen/**", 'od"d/**'], tests=["qa/**"], preset=preset)
    found = loaded(written.encode(), KNOWN, None).config
    assert not found.paths.checks("gen/a.py")
    assert found.paths.is_test("qa/a.py")
    assert loaded(render().encode(), KNOWN, None).config == defaults()
    uncommented = "\n".join(line.removeprefix("# ") for line in written.split("for example:\n#\n")[1].splitlines())
    examples = loaded(f"version: 1\n{uncommented}".encode(), KNOWN | {"complexity/length"}, None).config
    assert examples.rules == {"complexity/length": None}


def test_mappings_merge_and_lists_replace():
    found = config("complexity: {nesting: 2}\ngates: {code: {checks: [complexity/nesting]}}\n")
    assert (found.options["complexity.nesting"], found.options["complexity.cyclomatic"]) == (2, 10)
    assert found.gates["code"].checks == ("complexity/nesting",)
    assert found.gates["code"].block_at == Severity.ERROR


def test_excluded_and_test_globs_add_and_can_be_taken_back():
    found = config('paths: {exclude: ["gen/**", "!vendor/ours/**"], tests: ["!tests/tools/**"]}\n').paths
    checked = ["a.py", "vendor/ours/a.py"]
    excluded = ["gen/a.py", "vendor/theirs/a.py", "x/node_modules/y/z.js"]
    assert [found.checks(path) for path in checked + excluded] == [True, True, False, False, False]
    assert found.is_test("tests/a.py")
    assert not found.is_test("tests/tools/a.py")


def test_a_repeated_glob_decides_at_its_last_place():
    found = config('paths: {exclude: ["!**/dist/keep/**", "**/dist/**"]}\n').paths
    assert not found.checks("dist/keep/a.js")


def test_extends_lays_files_over_each_other_in_order(tmp_path):
    path = write(
        tmp_path,
        vetgate="version: 1\nextends: [strict, ./team.yaml, conf/more.yaml]\ncomplexity: {length: 30}\n",
        team="version: 1\ncomplexity: {nesting: 2, length: 35}\n",
        conf__more="version: 1\nextends: [../team.yaml, ./deep.yaml]\ncomplexity: {parameters: 3}\n",
        conf__deep="version: 1\ncomplexity: {nesting: 1, cognitive: 11}\n",
    )
    found = load(path, KNOWN)
    assert [limit.of(found) for limit in LIMITS.values()] == [8, 11, 1, 30, 3]
    assert found.path == path


def test_a_file_extended_after_a_preset_does_not_bring_the_defaults_back(tmp_path):
    path = write(
        tmp_path,
        vetgate="version: 1\nextends: [strict, ./team.yaml]\n",
        team="version: 1\nextends: [recommended]\nlog_level: info\n",
    )
    assert load(path, KNOWN).options["complexity.cyclomatic"] == 8


EXTENDS = {
    "itself": (
        {"vetgate": "version: 1\nextends: [./vetgate.yaml]\n"},
        "vetgate.yaml:2:11: extends[0]: extends itself: vetgate.yaml -> vetgate.yaml",
    ),
    "a circle": (
        {"vetgate": "version: 1\nextends: [./a.yaml]\n", "a": "version: 1\nextends: [./b.yaml]\n",
         "b": "version: 1\nextends:\n  - ./a.yaml\n"},
        "b.yaml:3:5: extends[0]: extends itself: a.yaml -> b.yaml -> a.yaml",
    ),
    "a missing file": (
        {"vetgate": "version: 1\nextends: [./none.yaml]\n"},
        "vetgate.yaml:2:11: extends[0]: there is no file none.yaml",
    ),
    "a file outside": (
        {"vetgate": "version: 1\nextends: [../out.yaml]\n"},
        'vetgate.yaml:2:11: extends[0]: "../out.yaml" is not a file inside this repository',
    ),
    "an absolute path": (
        {"vetgate": "version: 1\nextends: [/etc/x.yaml]\n"},
        'vetgate.yaml:2:11: extends[0]: "/etc/x.yaml" is not a file inside this repository',
    ),
    "a name that is too long": (
        {"vetgate": f"version: 1\nextends: [./{'x' * 300}.yaml]\n"},
        "vetgate.yaml:2:11: extends[0]: there is no file xxx",
    ),
    "a name that is no path": (
        {"vetgate": 'version: 1\nextends: ["\\0.yaml"]\n'},
        "vetgate.yaml:2:11: extends[0]: must be a preset or a path",
    ),
    "a file in git's own folder": (
        {"vetgate": "version: 1\nextends: [.git/x.yaml]\n"},
        'vetgate.yaml:2:11: extends[0]: ".git/x.yaml" is not a file inside this repository',
    ),
    "a problem in the other file": (
        {"vetgate": "version: 1\nextends: [./a.yaml]\n", "a": "version: 1\n\ncomplexity: {nestin: 1}\n"},
        'a.yaml:3:14: complexity.nestin: unknown key; did you mean "nesting"?',
    ),
    "a name in the other file": (
        {"vetgate": "version: 1\nextends: [./a.yaml]\n", "a": "version: 1\non: {stop: [cod]}\n"},
        'a.yaml:2:13: on.stop[0]: there is no gate "cod"',
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), EXTENDS.values(), ids=EXTENDS)
def test_a_wrong_extends_is_told_with_its_place(tmp_path, files, expected):
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "out.yaml").write_text("version: 1\n")
    assert expected in error(write(root, **files))


def test_a_link_does_not_lead_out_of_the_repository(tmp_path):
    root = tmp_path / "project"
    path = write(root, vetgate="version: 1\nextends: [./link.yaml]\n")
    (tmp_path / "out.yaml").write_text("version: 1\n")
    (root / "link.yaml").symlink_to(tmp_path / "out.yaml")
    assert "is not a file inside this repository" in error(path)


def test_a_chain_of_files_has_an_end(tmp_path):
    files = {f"f{n}": f"version: 1\nextends: [./f{n + 1}.yaml]\n" for n in range(30)}
    assert "more than 16 files" in error(write(tmp_path, vetgate="version: 1\nextends: [./f0.yaml]\n", **files))


def test_only_one_name_is_read(tmp_path):
    assert find(tmp_path) is None
    (tmp_path / "vetgate.yml").write_text("version: 1\n")
    with pytest.raises(UserError, match=r"vetgate\.yml is not read; the file is called vetgate\.yaml"):
        find(tmp_path)
    (tmp_path / "vetgate.yaml").write_text("version: 1\n")
    assert find(tmp_path) == tmp_path / "vetgate.yaml"


def test_a_folder_and_a_pipe_are_no_configuration(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe", "missing"):
        assert error(tmp_path / name).startswith(f"{name}:1:1: ")


def test_a_configuration_written_out_means_the_same():
    found = config(
        "extends: [strict]\nrules: {complexity: off}\npaths: {exclude: ['!**/dist/**', 'ä/**'], include: [src]}\n"
        "gates: {mine: {checks: [complexity], on_error: closed}}\non: {after_edit: [mine]}\n"
    )
    again = loaded(text(found).encode(), KNOWN, None).config
    assert again == found
    assert plain(again)["gates"]["mine"]["on_error"] == "closed"


def test_the_digest_of_a_file_is_the_one_of_sha256sum(tmp_path):
    data = b"version: 1\nextends: [./a.yaml]\n"
    path = write(tmp_path, vetgate=data.decode(), a="version: 1\n")
    assert loaded(b"version: 1\n", KNOWN, None).sha256 == sha256(b"version: 1\n").hexdigest()
    lines = (
        f"{sha256(data).hexdigest()}  vetgate.yaml\n{sha256(b'version: 1' + chr(10).encode()).hexdigest()}  a.yaml\n"
    )
    assert loaded(path.read_bytes(), KNOWN, tmp_path).sha256 == sha256(lines.encode()).hexdigest()


def test_reading_a_configuration_imports_nothing_heavy():
    script = (
        "import sys; from vetgate.config.load import loaded; loaded(b'version: 1', None, None);"
        "print([name for name in ('msgspec', 'pathspec', 'difflib', 'click', 'subprocess') if name in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_the_commands_found_are_gates_of_a_review_and_of_the_end_of_a_turn_where_somebody_says_so():
    found = [("lint", 'ruff check "a b"', "Makefile"), ("test", "npm test", "package.json"), ("build", "make", "x")]
    config = loaded(render(languages=["python"], commands=found).encode(), None, None).config
    assert {name: gate.command for name, gate in config.gates.items() if gate.command} == {
        "lint": 'ruff check "a b"',
        "test": "npm test",
        "build": "make",
    }
    assert config.on[EventKind.REVIEW] == ("code", "lint", "test")
    assert config.on[EventKind.STOP] == defaults().on[EventKind.STOP]
    chosen = render(languages=["python"], commands=found, at_stop=["test"])
    assert loaded(chosen.encode(), None, None).config.on[EventKind.STOP] == ("code", "test")
