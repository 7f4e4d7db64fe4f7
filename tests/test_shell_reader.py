"""Words and scripts against the real bash: what we take a program to be given is what it is given."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from vetgate.source.shell.follow import follow
from vetgate.source.shell.model import Unreadable
from vetgate.source.shell.placeholders import shown
from vetgate.source.shell.script import read

BASH = shutil.which("bash")


class Nothing:
    def mark_of(self, path):
        return ""


def runs(command, name="probe"):
    found = follow(command, Nothing(), home="/home/dev", cwd="/")
    return [[shown(each) for each in run.argv] for run in found if run.name == name]


# Each gives words to `probe`, which prints them.
COMMANDS = [
    "probe a b  c",
    "probe 'a b' \"c d\" e\\ f",
    "probe a''b \"\"c ''",
    "probe $'a\\tb\\x41\\101\\u00e9' $'it\\'s'",
    'probe "a\\"b" "a\\nb" "\\$x" "\\\\"',
    "x=1; probe $x \"$x\" '$x' ${x}y",
    "x='a b'; probe $x \"$x\"",
    'x=; probe $x "$x" a$x',
    "IFS=,; x=a,b,c; probe $x",
    'probe ${u:-d} ${u-d} "${u:-a b}"',
    "x=abc; probe ${#x} ${x#a} ${x%c} ${x/b/X} ${x:1} ${x:0:2} ${x^^}",
    "x=a.tar.gz; probe ${x%.*} ${x%%.*} ${x#*.} ${x##*.}",
    "probe {a,b}{1,2} {1..3} {a..c} x{,y}z '{a,b}' {a}",
    'probe $(echo a b) "$(echo a b)" `echo c`',
    "probe $(printf '%s-%s ' 1 2 3)",
    'probe "$(echo "$(echo nested)")"',
    'f() { probe "$1" $# "$@" | cat; }; x=1; f() { probe "$2" "$@"; }; f a \'b c\'',
    "set -- a 'b c'; probe \"$@\" $*",
    "a=(x 'y z'); probe \"${a[@]}\" ${a[1]}",
    "for i in a b; do probe $i; done",
    "if true; then probe yes; fi",
    "case x in x) probe in;; esac",
    "{ probe group; }; ( probe sub )",
    "true && probe and",
    "probe a \\\n b",
    "probe a # comment\nprobe b",
    "probe a;probe b",
    "y=b; x=a$y; probe $x",
    "x=a; x+=b; probe $x",
    "echo 'probe piped' | sh",
    "sh <<'EOF'\nprobe 'from here'\nEOF",
    "sh <<EOF\nprobe $((1)) \\$HOME\nEOF",
    "sh <<< 'probe string'",
    "eval \"probe 'a b'\"",
    "sh -c 'probe \"$1\" $0' zero one",
    "env X=1 probe env",
    "command probe c",
    "echo a b | xargs probe",
    "echo 'a b' | xargs -I{} probe '<{}>'",
    "printf 'x\\ny\\n' | while read -r l; do probe \"$l\"; done",
    "echo cHJvYmUgZGVjb2RlZA== | base64 -d | sh",
    "echo 'sber ebp' | tr 'a-z' 'n-za-m' | sed 's/fore roc/probe r/' | sh; probe done",
    "probe > /dev/null 2>&1; probe after",
    "probe ~root/x \"~\" '~' a~",
    "probe [ ] '*' \"?\"",
    "cat <<A <<B; probe two\n1\nA\n2\nB",
    "x=$(cat <<'EOF'\nprobe in\nEOF\n); $x",
    "alias_free=1; probe ${alias_free:+set}",
    "probe a>/dev/null b; probe c",
]


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_program_is_given_what_bash_gives_it(command, tmp_path):
    (tmp_path / "probe").write_text('#!/bin/bash\nprintf "<%s>" "$@" >> "$OUT"; echo >> "$OUT"\n')
    (tmp_path / "probe").chmod(0o755)
    out = tmp_path / "out"
    out.touch()
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "OUT": str(out), "HOME": "/home/dev", "LC_ALL": "C.UTF-8"}
    subprocess.run([BASH, "-c", command], env=env, cwd="/", capture_output=True, check=False)
    real = out.read_text().splitlines()
    ours = ["".join(f"<{word}>" for word in argv[1:]) or "<>" for argv in runs(command)]
    assert ours == real


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize(
    "command",
    [
        "ls; )",
        "if true; fi; then",
        "echo $(ls",
        "case x in a) ls",
        "for in; do ls; done done",
        "echo 'a",
        "ls | | cat",
        "(ls",
        "{ ls",
        "while true; ls; done",
    ],
)
def test_what_bash_refuses_we_cannot_read_either(command):
    refused = subprocess.run([BASH, "-n", "-c", command], capture_output=True, check=False).returncode != 0
    assert refused
    with pytest.raises(Unreadable):
        read(command)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd sub && probe", "/sub"),
        ("(cd sub); probe", "/"),
        ("cd /a/../b; probe", "/b"),
        ("pushd x; probe", "/x"),
    ],
)
def test_it_knows_where_it_is(command, expected):
    found = follow(command, Nothing(), home="/home/dev", cwd="/")
    assert [run.cwd for run in found if run.name == "probe"] == [expected]


def test_a_mark_cannot_be_written_by_hand():
    assert runs("probe \ufdd4 $'\\ufdd4'") == [["probe", "\ufffd", "\ufffd"]]
