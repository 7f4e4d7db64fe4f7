"""client.pl, the way of nearly every call: it says and does what client.py would, and leaves the rest to it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

import pytest

from fixtures import wait_for
from hook_path import PACKAGE, Hook, copy_package, write_event
from vetgate import client, fallback, launcher

QUICK = PACKAGE / "client.pl"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not Path(launcher.PERL).exists(), reason="only Linux with Perl has it"
)


def perl(code: str, *arguments: str, env: dict[str, str] | None = None, cwd: Path | None = None, event: bytes = b""):
    """What code says that has client.pl's functions."""
    words = [launcher.PERL, "-Mstrict", "-w", "-f", "-e", f"require shift; {code}", str(QUICK), *arguments]
    done = subprocess.run(words, env=env or {}, cwd=cwd, input=event, capture_output=True, check=False)
    assert not done.stderr, done.stderr.decode()
    return done.stdout


@pytest.fixture
def hook():
    with tempfile.TemporaryDirectory(prefix="vg") as folder:
        home = Path(folder)
        found = Hook(home / "m", home / "lib" / "vetgate")
        found.project.mkdir(parents=True)
        yield found
        found.end()


def test_it_loads_no_module():
    assert not re.search(r"^\s*(use|require|do)\b", QUICK.read_text(), re.MULTILINE)
    assert perl('print join " ", grep { !/strict/ } keys %INC').decode() == str(QUICK)


def test_it_knows_what_the_client_knows():
    tables = "our ($BOOT, $MAGIC, $AGENT, @ENVIRONMENT, %LONG, $PLAIN, $LONGEST_ADDRESS, $LIMIT);"
    told = perl(f'{tables} print join "\\n", $BOOT, $AGENT, "@ENVIRONMENT", $PLAIN, $LONGEST_ADDRESS, $LIMIT')
    lines = told.decode().splitlines()
    assert lines[0] == client.BOOT.format(fallback.DAEMON)
    assert lines[1] == client.AGENT
    assert lines[2].split() == list(client.ENVIRONMENT)
    assert float(lines[3]) == client.PATIENCE - client.LAST_TIER
    assert [int(each) for each in lines[4:]] == [client.LONGEST_ADDRESS, client.LIMIT]
    long = perl(f'{tables} print join "\\n", map {{ "$_ $LONG{{$_}}" }} sort keys %LONG').decode().splitlines()
    assert long == sorted(f"{name.decode()} {it - client.DEADLINE:g}" for name, it in client.LONG_DEADLINES.items())
    names = ["A_KEY", "A_KEYS", "B_TOKEN", "C_BASE_URL", "D_PROXY", "e_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "PWD"]
    kept = perl('our $OF_MODELS; print join " ", grep { /$OF_MODELS/ } @ARGV', *names).decode().split()
    assert kept == [each for each in names if each.endswith(client.OF_MODELS)]


PLACES = ("repo/.git", "repo/src/deep", "other/vetgate.yaml", "plain/b c", "odd \u00e9\nname/.git")
EVENTS = {
    "an edit": (write_event(), ()),
    "the end of a turn": (write_event(event="Stop"), ()),
    "an event that the registration names": (b"{}", ("--event", "AfterTool")),
    "another agent": (write_event(), ("--agent", "gemini", "--projects", "set-up")),
    "no event": (b"{", ()),
    "quotes inside": (b'{"a":"\\"hook_event_name\\":\\"Stop\\"","hook_event_name" : "PostToolUse"}', ()),
}


@pytest.mark.parametrize("where", ["repo", "repo/src/deep", "other", "plain/b c", "odd \u00e9\nname", "/"])
@pytest.mark.parametrize(("event", "more"), EVENTS.values(), ids=EVENTS)
def test_it_asks_the_same_daemon_for_the_same(event, more, where, tmp_path, monkeypatch):
    for place in PLACES:
        (tmp_path / place).mkdir(parents=True)
    folder = tmp_path / where
    environment = {f"LONG_{number}": "l" * 70_000 for number in range(3)}
    environment |= {
        "HOME": "/h",
        "PATH": "/bin",
        "A_KEY": "k",
        "PWD": "x",
        "ODD": "\udcff",
        "EMPTY": "",
        "CI": "a=b\nc",
    }
    environment |= {"CLAUDE_PROJECT_DIR": str(tmp_path / "repo/src"), "LONG": "\u00e9" * 2100, "B_TOKEN": "t" * 4096}
    if where == "other":
        del environment["CLAUDE_PROJECT_DIR"]
    for name in os.environ:
        monkeypatch.delenv(name)
    monkeypatch.setattr(client.system, "environ", {os.fsencode(k): os.fsencode(v) for k, v in environment.items()})
    words = ["--state", "/s", "--runtime", "/r", *more]
    with chdir(folder):
        call = client.ClientCall(client.options_in(words), 0.0, event)
        seconds = max(client.PATIENCE - client.LAST_TIER, call.patience - client.DEADLINE)
        wanted = client.split(call.frame(event, seconds))
        address = call.address()
    told = perl(
        "my %o = options_in(@ARGV[2 .. $#ARGV]); my ($cwd, $project) = session_folders();"
        "local $/; my $event = <STDIN>;"
        'print "/r/", socket_name(@ARGV[0, 1], $project, $o{state}), "\\0\\0";'
        "print frame(\\%o, $o{event} || name_in($event), $cwd, $project, $event)",
        *(sys.executable, str(PACKAGE / "client.py"), *words),
        env=environment,
        cwd=folder,
        event=event,
    )
    said, _, sent = told.partition(b"\0\0")
    assert said.decode() == address
    assert client.split(sent) == wanted


def test_a_header_without_room_is_left_to_the_other_client(tmp_path):
    environment = {f"V{number}": "x" * 4000 for number in range(40)}
    code = 'print defined frame({ state => "/s" }, "Stop", "/", "/", "") ? "sent" : "left"'
    assert perl(code, env=environment, cwd=tmp_path) == b"left"


# What it answers by itself ends with the answer; where it becomes the other client it says so here.
ALONE = "require shift; no warnings; *become_client = sub { exit 77 }; main(@ARGV)"


def ask_quick_client(hook: Hook, event: bytes, *more: str, cwd: Path | None = None) -> tuple[int, bytes, bytes]:
    hook.is_quick = False
    words = [launcher.PERL, "-f", "-e", ALONE, str(hook.package / "client.pl"), *hook.command(*more)]
    folder = cwd or hook.project
    done = subprocess.run(words, env=hook.environment, cwd=folder, input=event, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_a_warm_call_starts_no_python(hook):
    copy_package(hook.package.parent)
    assert ask_quick_client(hook, write_event())[0] == 77, "there is no daemon yet"
    hook.warm()
    for event in (write_event("bad"), write_event("fine"), write_event("bad", event="PostToolUse")):
        answer = ask_quick_client(hook, event)
        assert answer == hook.ask(event)
        assert answer[0] in {0, 2}
    assert ask_quick_client(hook, write_event("bad"))[0] == 2


LEFT = {
    "a daemon of another account": ((), ("--owner", "0"), {}),
    "a deadline of its own": ((), ("--deadline", "3"), {}),
    "no daemon wanted": ((), (), {"VETGATE_DAEMON": "off"}),
    "a client that borrows the settings": ((), (), {"COPILOT_CLI": "1"}),
    "one that says so with a zero": ((), (), {"COPILOT_CLI": "0"}),
    "the end of the session": ((write_event(event="SessionEnd"),), (), {}),
}


def test_what_is_not_plain_is_left_to_the_other_client(hook):
    copy_package(hook.package.parent)
    hook.warm()
    for name, (event, more, variables) in LEFT.items():
        hook.extra = variables
        assert ask_quick_client(hook, *(event or (write_event(),)), *more)[0] == 77, name


def test_a_daemon_at_work_is_handed_over_and_asked_once(hook):
    counted = hook.home / "asked"
    copy_package(hook.package.parent, f"if 'slow' in text:\n    open({str(counted)!r}, 'a').write('x'); time.sleep(1)")
    hook.warm()
    status, stdout, stderr = hook.ask(write_event("slow bad"))
    assert (status, stderr) == (2, b"too complex\n")
    assert json.loads(stdout)
    assert counted.read_text() == "x"


def test_a_large_event_of_a_daemon_at_work_arrives_whole(hook):
    copy_package(hook.package.parent, "if 'slow' in text: time.sleep(1)")
    hook.warm()
    assert hook.ask(write_event("slow bad" + "x" * (3 << 20)))[0] == 2


def test_a_connection_that_is_none_is_no_daemon(hook):
    copy_package(hook.package.parent)
    hook.warm()
    hook.is_quick = False
    for number in ("0", "99"):
        assert hook.ask(write_event(), "--connection", number)[0] == 2
    wait_for(hook.status)


@pytest.fixture
def installed(hook, tmp_path):
    """A launcher of a warm hook, and what it answers."""
    copy_package(hook.package.parent)
    hook.warm()
    script = tmp_path / "vetgate-hook"
    code = "import sys; from pathlib import Path; from vetgate.launcher import script;"
    folders = f"Path({str(hook.state)!r}), Path({str(hook.runtime)!r})"
    script.write_text(hook.python(f"{code} print(script({folders}))").replace("--projects set-up ", ""))

    def answer(variables: dict[str, str], event: bytes = write_event()) -> tuple[int, bytes]:
        words, environment = ["sh", str(script)], hook.environment | variables
        done = subprocess.run(words, input=event, env=environment, cwd=hook.project, capture_output=True, check=False)
        return done.returncode, done.stderr

    return script, answer


def test_nothing_that_steers_perl_is_loaded_or_heard(installed, tmp_path):
    """Whoever has such a variable gets the other client; see the launcher."""
    (tmp_path / "evil.pm").write_text(f'open my $f, ">", "{tmp_path}/loaded"; exit 0; 1;')
    steering = [{}, {"PERL5OPT": "-Mevil", "PERL5LIB": str(tmp_path)}, {"PERLIO": ":via(evil)"}, {"PERL_UNICODE": ""}]
    talking = [{"PERL_HASH_SEED": "z"}, {"PERL_HASH_SEED_DEBUG": "1"}, {"PERL_PERTURB_KEYS": "odd"}]
    for variables in (*steering, *talking, {"LC_ALL": "xx_YY.UTF-8"}, {"LC_CTYPE": "UTF-8"}):
        assert installed[1](variables) == (2, b"too complex\n"), variables
    assert not (tmp_path / "loaded").exists()


def test_a_perl_that_does_not_start_is_no_reason_to_stop(installed, tmp_path):
    broken = tmp_path / "perl"
    broken.write_text("#!/bin/sh\nexit 127\n")  # as the loader of the system ends where a library is missing
    broken.chmod(0o755)
    installed[0].write_text(installed[0].read_text().replace(launcher.PERL, str(broken)))
    assert installed[1]({}) == (2, b"too complex\n")
    assert installed[1]({}, write_event("fine")) == (0, b"")


def test_a_file_that_is_not_whole_lets_nothing_pass(hook):
    copy_package(hook.package.parent)
    here = hook.package / "client.pl"
    whole = here.read_text()
    end = whole.index("sub frame")
    for text in ("", "1;", "die", "\0((", whole[:end], f"{whole[:end]}\n1;", whole[: end + 200], None):
        here.unlink() if text is None else here.write_text(text)
        assert hook.ask(write_event())[::2] == (2, b"too complex\n"), text
        assert hook.ask(write_event("fine"))[0] == 0, text


def is_the_other_client(words: bytes) -> bool:
    return b"client.py" in words and b"client.pl" not in words


def test_what_gives_the_rest_of_the_event_ends_with_the_client(hook):
    copy_package(hook.package.parent)
    hook.warm()
    process = hook.start()
    # The other client has begun to read by then, and what is still to come has not ended.
    wait_for(lambda: is_the_other_client(Path(f"/proc/{process.pid}/cmdline").read_bytes()))
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) == 1
    process.kill()
    process.wait()
    wait_for(lambda: not Path(f"/proc/{children[0]}").exists())
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()


def test_a_closed_input_or_output_is_not_taken_for_the_daemon(hook):
    copy_package(hook.package.parent)
    hook.warm()
    for closed in ("<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
        words = ["sh", "-c", f'exec "$@" {closed}', "sh", *hook.command()]
        done = subprocess.run(
            words, input=write_event(), env=hook.environment, cwd=hook.project, capture_output=True, check=False
        )
        assert done.returncode == 2, closed
        assert done.stdout == b"" or json.loads(done.stdout), closed
