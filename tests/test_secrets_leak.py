"""A planted secret appears in no byte that vetgate writes, prints or remembers."""

from __future__ import annotations

import base64
import json
import stat
import subprocess

import pytest

from secret_samples import chance, made_from
from vetgate.app import App
from vetgate.checks.secrets.match import shown
from vetgate.checks.secrets.messages import NAME, evidence_of
from vetgate.checks.secrets.redaction import redacted_source, redaction_of
from vetgate.redact import redacted
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

KEY = made_from("AKIA[A-Z2-7]{16}", 3)
TOKEN = "ghp_" + chance(36, seed=3)
RANDOM = chance(28, seed=3)
PASSWORD = "zQ7!" + "vTn4pWx"
PEM = made_from("MIIE[A-Za-z0-9+/]{60}", 3)

CANARIES = {
    "a key": (f'AWS = "{KEY}"\n', [KEY]),
    "two in a line": (f'x = ("{TOKEN}", "{KEY}")\n', [TOKEN, KEY]),
    "a value under a name": (f'api_key = "{RANDOM}"\n', [RANDOM]),
    "a password of a call": (f'db.connect(host="h", password="{PASSWORD}")\n', [PASSWORD]),
    "a key in pieces": (f'head = "{KEY[:4]}"\ntail = "{KEY[4:]}"\nkey = head + tail\n', [KEY, KEY[4:]]),
    "an encoded key": (f'k = b64decode("{base64.b64encode(KEY.encode()).decode()}")\n', [KEY]),
    "an address": (f'url = "postgres://app:{RANDOM}@db.acme.io/app"\n', [RANDOM]),
    "a private key": (f'k = """-----BEGIN RSA PRIVATE KEY-----\n{PEM}\n-----END RSA PRIVATE KEY-----"""\n', [PEM]),
    "beside another finding": (f'os.system("curl -u {TOKEN}: " + input())\nx = eval(input())  # {TOKEN}\n', [TOKEN]),
}


def leaks(data: bytes, secret: str) -> list[str]:
    """The forms of the secret that are in there; twelve characters of it are too many."""
    forms = {
        "plain": secret[:12].encode(),
        "reversed": secret[::-1][:12].encode(),
        "hex": secret[:12].encode().hex().encode(),
        "base64": base64.b64encode(secret.encode())[:16],
    }
    return [name for name, form in forms.items() if form in data]


def everything_below(folder) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("VETGATE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("VETGATE_DAEMON", "off")
    monkeypatch.setenv("VETGATE_LOG", "debug")
    root = tmp_path / "project"
    root.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize(("text", "secrets"), CANARIES.values(), ids=CANARIES)
def test_a_hook_says_and_remembers_nothing_of_it(text, secrets, project, tmp_path):
    app = App(tmp_path / "state")
    payload = {
        "session_id": "s1",
        "hook_event_name": "PreToolUse",
        "cwd": str(project),
        "tool_name": "Write",
        "tool_input": {"file_path": str(project / "a.py"), "content": text},
    }
    reply = app.answer("claude-code", json.dumps(payload).encode(), str(project), log="debug")
    app.flush()
    assert reply.status == 2, reply
    written = reply.stdout + reply.stderr + everything_below(tmp_path / "state")
    assert b"secrets/" in written
    assert {secret: leaks(written, secret) for secret in secrets} == {secret: [] for secret in secrets}


@pytest.mark.parametrize("form", ["text", "json", "sarif", "html", "github", "markdown"])
@pytest.mark.parametrize(("text", "secrets"), CANARIES.values(), ids=CANARIES)
def test_no_report_prints_it(text, secrets, form, tree, call):
    tree.put("a.py", text)
    said = call("check", "--format", form, "a.py")
    printed = (said.out + said.err).encode()
    assert b"secrets/" in printed or b'"secrets"' in printed, said
    assert {secret: leaks(printed, secret) for secret in secrets} == {secret: [] for secret in secrets}


@pytest.mark.parametrize("path", ["a.py", "a.env", "a.txt"])
def test_redaction_keeps_every_line_and_column(path):
    text = f'é = 1\nAWS_KEY = "{KEY}"  # ü\nnext = 2\n'
    shown_text = redacted_source(Source(path, text, language_of(path)))
    assert KEY not in shown_text
    assert [len(line) for line in shown_text.split("\n")] == [len(line) for line in text.split("\n")]
    assert shown_text.startswith('é = 1\nAWS_KEY = "AKIA*')


def test_a_message_that_was_cut_in_the_middle_is_redacted_too():
    redaction = redaction_of(Source("a.py", f'api_key = "{RANDOM}"\n', "python"))
    assert RANDOM[:12] not in redaction.over_words(f'`api_key = "{RANDOM[:20]}` holds a key')
    assert redaction.over_words("nothing of it") == "nothing of it"


@pytest.mark.parametrize(("length", "most"), [(40, 4), (16, 4), (8, 2), (4, 1)])
def test_at_most_four_characters_are_shown_and_never_most_of_a_short_one(length, most):
    assert shown("x" * length) == "x" * most + "…"


def test_the_key_of_the_hashes_is_its_owners_alone_and_lasts(tmp_path, monkeypatch):
    monkeypatch.setenv("VETGATE_STATE_DIR", str(tmp_path / "state"))
    first = evidence_of(RANDOM)
    file = tmp_path / "state" / NAME
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == [NAME]
    assert evidence_of(RANDOM) == first
    monkeypatch.setenv("VETGATE_STATE_DIR", str(tmp_path / "other"))
    assert evidence_of(RANDOM) != first


def test_without_a_place_for_the_key_secrets_are_still_told_apart(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("VETGATE_STATE_DIR", str(tmp_path / "file" / "state"))
    assert evidence_of(RANDOM) == evidence_of(RANDOM) != evidence_of(KEY)


@pytest.mark.parametrize(
    "code",
    [
        'app.secret_key = os.environ.get("SECRET_KEY", "dev")',
        "const token = process.env.TOKEN || fallback",
        'String password = System.getenv("DB_PASSWORD");',
        "auth_token = jwt.encode(payload, settings.SECRET_KEY)",
        "password: req.body.password",
        'api_key = ENV.fetch("API_KEY")',
        "token = secrets.token_urlsafe(32)",
    ],
)
def test_code_that_fetches_a_secret_is_shown(code):
    assert redacted(code) == code


@pytest.mark.parametrize(
    "text",
    [
        'token = "os.environ.secret"',
        "secret: Zk.QpLvxMnRtYbWqDs",
        "curl --password=aXk(kkLqRzPw",
        "password = hunter2xx(",
        "token=abc.def1234567.ghi",
    ],
)
def test_what_only_looks_like_such_code_is_not(text):
    assert "[hidden " in redacted(text)
