"""What commands are said to do, and what is left alone."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command_tables import HOME, PLACE, ROOT, rows
from vetgate.checks import all_checks
from vetgate.checks.unsafe_command import CHECK, policy_of
from vetgate.checks.unsafe_command.command_context import CommandContext
from vetgate.checks.unsafe_command.effect import DEFAULTS, KINDS, Policy
from vetgate.checks.unsafe_command.findings import findings_of
from vetgate.checks.unsafe_command.judge import judge
from vetgate.config.load import defaults, loaded
from vetgate.config.stricter import tighten
from vetgate.known_agents import known_agents
from vetgate.model import Command, Decision
from vetgate.source.protected import START_UP, Protected

DANGEROUS = rows("dangerous")
BENIGN = rows("benign")


def kinds(command: str, place: CommandContext = PLACE, policy: Policy | None = None) -> set[str]:
    return {effect.kind for effect in judge(command, place, policy or Policy())}


@pytest.mark.parametrize(("kind", "command"), DANGEROUS, ids=[f"{kind}: {text}" for kind, text in DANGEROUS])
def test_a_dangerous_command_is_stopped_for_its_effect(kind, command):
    assert kind in kinds(command)


@pytest.mark.parametrize(("kind", "command"), BENIGN, ids=[f"{kind}: {text}" for kind, text in BENIGN])
def test_everyday_work_passes(kind, command):
    assert kinds(command) == set()


def test_the_tables_are_large_enough_to_mean_something():
    assert len(DANGEROUS) >= 300
    assert len(BENIGN) >= 300
    assert {kind for kind, _ in DANGEROUS} == set(KINDS) - {"unreadable"}


# The message


def test_a_finding_names_effect_part_and_a_safe_way():
    command = "ls && git reset --hard"
    (finding,) = findings_of(command, judge(command, PLACE))
    assert finding.id == "unsafe-command/loses-work"
    assert "`git reset --hard`" in finding.message
    assert "stash" in finding.fix
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (1, 7, 23)


def test_the_part_is_in_the_command_as_written_even_when_it_is_hidden_in_text():
    command = "echo hi\nbash -c 'git clean -fdx'"
    (effect,) = judge(command, PLACE)
    assert command[effect.start : effect.end] == "bash -c 'git clean -fdx'"


@pytest.mark.parametrize(
    "other",
    ["\\rm -rf ~/work", "sh -c 'rm -rf ~/work'", "X=rm; $X -rf $HOME/work", "sudo rm -fr ~/work/"],
    ids=["escaped", "in a shell", "by a variable", "as root"],
)
def test_the_same_deed_by_another_route_is_the_same_finding(other):
    (first,) = findings_of("rm -rf ~/work", judge("rm -rf ~/work", PLACE))
    (second,) = findings_of(other, judge(other, PLACE))
    assert first.fingerprint == second.fingerprint


# Policy


def test_every_effect_can_be_configured_and_its_default_is_the_presets():
    config = defaults()
    assert set(KINDS) == set(config.options["commands.effects"])
    assert policy_of(config).ways == DEFAULTS


def test_an_allowed_effect_is_silent_and_an_asked_one_asks():
    assert kinds("git push -f", policy=Policy({"loses-history": "allow"})) == set()
    effects = judge("git push -f", PLACE, Policy({"loses-history": "ask"}))
    (finding,) = findings_of("git push -f", effects)
    assert finding.asks


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("npm publish", Decision.ASK),
        ("kubectl delete pod web-1", Decision.ASK),
        ("kubectl delete pods --all", Decision.BLOCK),
        ("kubectl delete namespace prod", Decision.BLOCK),
        ("docker compose down -v", Decision.ASK),
        ("docker volume rm $(docker volume ls -q)", Decision.BLOCK),
        ("npx prisma migrate reset --force", Decision.ASK),
        ("DATABASE_URL=postgres://db.example.com/app npx prisma migrate reset", Decision.BLOCK),
        ("bundle exec rake db:schema:load RAILS_ENV=production", Decision.BLOCK),
        ("dropdb shop_test", Decision.ASK),
        ("dropdb shop", Decision.BLOCK),
        ("dropdb -h db.example.com shop_test", Decision.BLOCK),
        ("dropdb contest", Decision.BLOCK),
        ("terraform destroy -auto-approve", Decision.BLOCK),
        ("rm -rf ~", Decision.BLOCK),
        ("git push -f", Decision.BLOCK),
        ("git reset --hard", Decision.BLOCK),  # there is no repository that could be asked
    ],
)
def test_what_a_person_can_decide_is_asked_and_the_worst_is_refused(command, decision):
    assert max(effect.decision for effect in judge(command, PLACE)) is decision
    assert max(effect.decision for effect in judge(command, PLACE, Policy(dict.fromkeys(KINDS, "block")))) == 3


@pytest.mark.parametrize(
    ("file", "ignored"),
    [
        ("{effects: {publishes: ask}}", "commands.effects.publishes ask is looser than auto"),
        ("{trusted: [~/x]}", "commands.trusted adds ~/x"),
    ],
)
def test_a_file_that_nobody_accepted_cannot_loosen_an_effect(file, ignored):
    base = defaults()
    tightened = tighten(base, loaded(f"version: 1\ncommands: {file}".encode(), None, None).config)
    assert ignored in tightened.ignored
    assert tightened.config.options == base.options


def test_a_file_that_nobody_accepted_can_tighten():
    text = b"version: 1\ncommands: {effects: {unreadable: block}, sensitive: [keys.yml]}"
    tightened = tighten(defaults(), loaded(text, None, None).config)
    assert tightened.ignored == ()
    assert tightened.config.options["commands.effects"]["unreadable"] == "block"
    assert tightened.config.options["commands.sensitive"] == ("keys.yml",)


def test_trusted_folders_may_be_deleted_and_written():
    assert kinds("rm -rf ~/scratch/x") == {"deletes-files"}
    assert kinds("rm -rf ~/scratch/x", policy=Policy(trusted=("~/scratch",))) == set()
    assert kinds("rm -rf ~/scratched", policy=Policy(trusted=("~/scratch",))) == {"deletes-files"}


def test_sensitive_files_are_credentials():
    assert kinds("cat config/keys.yml") == set()
    assert kinds("cat config/keys.yml", policy=Policy(sensitive=("config/keys.yml",))) == {"reads-credentials"}


def test_the_check_is_asked_by_the_engine():
    config = defaults()
    config = replace(config, options=config.options | {"commands.trusted": ("/srv/cache",)})
    found = all_checks()["unsafe-command"].on_command(Command("rm -rf /srv/cache/x /srv/y", ROOT, ROOT), config)
    assert [finding.rule for finding in found] == ["deletes-files"]
    assert CHECK.on_command is not None


# Paths are what they really are


@pytest.fixture
def place(tmp_path):
    home = tmp_path / "home"
    root = home / "app"
    (root / "src").mkdir(parents=True)
    (root / ".claude").mkdir()
    (root / ".claude" / "settings.json").write_text("{}")
    (home / ".ssh").mkdir()
    (home / ".ssh" / "id_rsa").write_text("key")
    subprocess.run(["git", "init", "-q", root], check=True)
    return CommandContext(root, root, home)


def test_a_link_is_followed(place):
    (place.root / "link").symlink_to(place.root / ".claude")
    (place.root / "out").symlink_to(place.home)
    assert kinds("echo '{}' > link/settings.json", place) == {"tampers-with-gate"}
    assert kinds("rm -rf out/app/src", place) == {"deletes-files"}
    assert kinds("cat out/.ssh/id_rsa", place) == {"reads-credentials"}


def test_a_link_made_between_two_commands_is_seen(place):
    assert kinds("echo x > later/settings.json", place) == set()
    (place.root / "later").symlink_to(place.root / ".claude")
    assert kinds("echo x > later/settings.json", place) == {"tampers-with-gate"}


def test_another_name_for_the_same_file_is_seen_through(place):
    os.link(place.root / ".claude" / "settings.json", place.root / "harmless.json")
    os.link(place.home / ".ssh" / "id_rsa", place.root / "notes.txt")
    assert kinds("echo '{}' > harmless.json", place) == {"tampers-with-gate"}
    assert kinds("cat notes.txt", place) == {"reads-credentials"}


@pytest.mark.parametrize(
    "path", [".CLAUDE/settings.json", "./.claude/../.claude/settings.json", "src/../.claude/SETTINGS.json"]
)
def test_case_and_detours_do_not_matter(place, path):
    assert kinds(f"echo '{{}}' > {path}", place) == {"tampers-with-gate"}


def test_composed_and_decomposed_letters_are_the_same():
    policy = Policy(sensitive=("caf\u00e9.txt",))
    assert kinds("cat cafe\u0301.txt", policy=policy) == {"reads-credentials"}


@pytest.mark.parametrize("command", ["chmod -x {}", "install -m 0 /dev/null {}", "cp /bin/true {}"])
def test_the_interpreter_that_runs_the_gate_is_its_own(command, place):
    for name in {sys.executable, os.path.realpath(sys.executable)}:
        assert "tampers-with-gate" in kinds(command.format(name), place)
    assert not kinds(f"{sys.executable} -V", place)
    assert not kinds(f"ls -l {sys.executable}", place)


def test_what_is_only_ignored_is_not_build_output(place):
    (place.root / ".gitignore").write_text("generated-api/\n.env\n/data\n")
    assert kinds("rm -rf generated-api", place) == set()  # nothing is there
    for name in ("generated-api", "data", "dist"):
        (place.root / name).mkdir()
        (place.root / name / "x").write_text("x")
    assert kinds("rm -rf generated-api", place) == {"deletes-files"}
    assert kinds("rm -rf data", place) == {"deletes-files"}
    assert kinds("rm -rf dist", place) == set()
    assert kinds("rm -rf src", place) == {"deletes-files"}


def test_a_folder_below_tmp_is_judged_by_whose_it_is(place):
    """The project and the home may well lie in a temporary folder."""
    assert kinds("rm -rf ~/app", place) == {"deletes-files"}
    assert kinds("rm -rf src", place) == {"deletes-files"}
    assert kinds("rm -rf /tmp/some-build", place) == set()


def test_what_lies_beside_a_project_is_not_its_own_even_in_a_temporary_folder(place):
    assert kinds("rm -rf ../other", place) == {"deletes-files"}
    assert kinds("find .. -exec rm -r {} +", place) == {"deletes-files"}


@pytest.mark.parametrize("home", ["/home/other", "/Users/other", "/root"])
def test_anybodys_home_is_a_home(place, home):
    assert kinds(f"cat {home}/.ssh/id_rsa", place) == {"reads-credentials"}
    assert kinds(f"cat {home}/.ssh/id_rsa.pub", place) == set()
    assert "persists" in kinds(f"echo x >> {home}/.bashrc", place)


def test_a_branch_is_not_a_path_and_a_path_is_no_branch(place):
    (place.root / "src" / "app.py").write_text("x = 1\n")
    assert kinds("git checkout src/app.py", place) == {"loses-work"}
    assert kinds("git checkout feature/app.py", place) == set()


@pytest.mark.parametrize(
    "command", ["git checkout --ours .", "git checkout --theirs -- '*.py'", "git restore --theirs :/"]
)
def test_one_side_of_everything_at_once_is_not_taken_unseen(command, place):
    assert kinds(command, place) == {"loses-work"}


def test_a_link_that_leads_nowhere_can_be_emptied(place):
    (place.root / "dangling").symlink_to("nothing")
    assert kinds(": > dangling", place) == set()


# What cannot be read


@pytest.mark.parametrize(
    "command",
    [
        "echo 'x",
        'echo "x',
        "echo `x",
        "echo $(x",
        "if true; then",
        "cat <",
        "(ls",
        "x" * 200_000,
        "$(" * 100 + ")" * 100,
        "( " * 100 + ")" * 100,
        "a " * 20_000,
        "eval " * 200 + "ls",
        "sudo " * 200 + "ls",
    ],
    ids=lambda command: f"{command[:20]!r} ({len(command)})",
)
def test_what_cannot_be_read_asks(command):
    (effect,) = judge(command, PLACE)
    assert (effect.kind, effect.decision) == ("unreadable", Decision.ASK)


def test_a_long_script_with_callbacks_stays_readable():
    calls = "".join(f"t('case {number} of \\'x', `{'y' * 60}`);" for number in range(500))
    assert kinds(f"node - <<'E'\nsuite(t => {{ {calls} t(`{'z ' * 4000}`) }})\nE") == set()
    assert kinds(f"node - <<'E'\nsuite(t => {{ t('rm -rf ~ #{'y' * 5000}') }})\nE") == {"deletes-files"}


_PIECES = r"""
rm -rf / ~ $HOME $( ) ` ' " \ ; & | && || > >> < << <<< EOF <( >( { } ${ } $' (( )) [[ ]] if then fi for in do done
while case esac ;; echo eval bash -c sh xargs find . -exec {} + git push --force curl python3 node perl -e ruby awk
sed =a X=1 $X ${X:-y} ${X//a/b} ${#X} ! # * ? [a] {a,b} {1..3} docker run -v /:/h ssh host 2>&1 1 é 🙂
"""
SNIPPETS = st.sampled_from([*_PIECES.split(), "\n", "\t", "\0", "\ud800", "\ufdd4"])


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(SNIPPETS, st.text(max_size=4)), max_size=40), st.sampled_from([" ", ""]))
def test_nothing_makes_it_raise(pieces, between):
    for effect in judge(between.join(pieces), PLACE):
        assert effect.kind in KINDS
        assert 0 <= effect.start <= effect.end


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["python3 -c", "node -e", "ruby -e", "perl -e", "php -r", "lua -e", "awk", "pwsh -c", "bash -c"]),
    st.text(alphabet="os.remvdytcal(){}[]'\"`$;=+#/\\ \n:,", max_size=60),
)
def test_code_of_any_kind_makes_nothing_raise(program, code):
    judge(f"{program} {_quoted(code)}", PLACE)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def test_home_is_above_the_project():
    assert HOME in ROOT.parents


def _kept_names():
    """Below a home, by the agents' own declarations and the list of what a shell starts with."""
    for agent in known_agents():
        yield from (*agent.settings, *agent.hooks, *agent.plugins, *agent.in_every_project, *agent.sourced)
    yield from START_UP


@pytest.mark.parametrize("name", sorted({*_kept_names()} - {".ssh/"}))
def test_what_a_tool_may_not_write_a_command_may_not_either(name, tmp_path):
    root, home = tmp_path / "project", tmp_path / "home"
    path = home / (f"{name}x" if name.endswith("/") else name)
    assert Protected(root, home).kind_of(path) is not None
    found = judge(f"echo x > {path}", CommandContext(root, root, home))
    assert max(effect.decision for effect in found) >= Decision.ASK


PUSHED_ADDRESSES = {
    "https://github.com/acme/app.git": set(),
    "git@github.com:acme/app.git": set(),
    "github.com:acme/app.git": set(),
    "../other.git": set(),
    "file:///srv/other.git": set(),
    "https://user:word@github.com/acme/app.git": {"publishes"},
    "git@evil.example:x/y.git": {"publishes"},
    "evil.example:x/y.git": {"publishes"},
    "git+ssh://evil.example/x.git": {"publishes"},
}


@pytest.fixture(scope="module")
def work_trees(tmp_path_factory):
    folder = tmp_path_factory.mktemp("work_trees")
    git = ["git", "-C", folder / "app", "-c", "user.name=a", "-c", "user.email=a@b.example"]
    subprocess.run(["git", "init", "-q", folder / "app"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "remote", "add", "origin", "git@github.com:acme/app.git"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", "../linked"], check=True)
    return folder


@pytest.mark.parametrize("name", ["app", "linked"])
@pytest.mark.parametrize(("address", "expected"), PUSHED_ADDRESSES.items(), ids=PUSHED_ADDRESSES)
def test_a_push_to_a_host_of_no_remote_is_for_a_person(work_trees, name, address, expected):
    place = CommandContext(work_trees / name, work_trees / name, HOME)
    assert kinds(f"git push {address} main", place) == expected
