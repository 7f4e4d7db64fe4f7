"""The table of kinds: enough of them, each found by its own shape, and none that could take long."""

from __future__ import annotations

import base64
import json
import zlib
from re import _parser

import pytest

from secret_samples import chance, made_from
from vetgate.checks.secrets import CHECK
from vetgate.checks.secrets import tokens as tokens_module
from vetgate.checks.secrets.document import NotLinear, compiled, prove, shapes, starts
from vetgate.checks.secrets.named_values import SHORTEST_OF_A_VENDOR
from vetgate.checks.secrets.scan import scan_text
from vetgate.checks.secrets.token_kinds import COMPILED, bare, kinds, named
from vetgate.checks.secrets.tokens import REAL, base62, tokens, verdict
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

SEEDS = range(6)
WITH_A_PATTERN = [kind for kind in kinds() if kind.pattern and kind.proof != "jwt"]
WITH_A_NAME = [kind for kind in kinds() if kind.name]


def test_there_are_at_least_150_kinds_in_every_area():
    areas = {kind.area for kind in kinds()}
    assert len(kinds()) >= 150
    assert len({kind.id for kind in kinds()}) == len(kinds())
    assert areas >= {"cloud", "hosting", "payment", "messaging", "ai", "ci", "databases", "registries", "monitoring"}


def test_what_is_compiled_is_what_the_table_says():
    assert COMPILED.read_bytes() == compiled()
    assert b"aws-access-key-id" in shapes()


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.id)
def test_every_pattern_takes_a_bounded_number_of_steps(kind):
    for pattern in (kind.pattern, kind.value):
        prove(pattern)
    assert bool(kind.pattern) != bool(kind.name), "it says what it is, or its name does"
    if kind.pattern and not kind.anchor:
        assert set(kind.starts) == set(starts(kind.pattern))


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("ab+", "it can match"),
        ("(?:a{1,9}){1,9}", "inside of a repetition"),
        ("a.{3}", "any"),
        (r"\babc", "at is not"),
        ("(?=a)abc", "assert is not"),
        (r"(a)\1", "groupref"),
        ("a{1,2}" * 7, "without a fixed number"),
        ("(ab", "cannot be read"),
    ],
    ids=["no bound", "nested", "anything", "a boundary", "a look ahead", "a reference", "many", "broken"],
)
def test_a_pattern_without_proof_is_refused(pattern, reason):
    with pytest.raises(NotLinear, match=reason):
        prove(pattern)


@pytest.mark.parametrize("kind", WITH_A_PATTERN, ids=lambda kind: kind.id)
def test_a_token_is_found_by_its_shape(kind):
    texts = [f"call('{made_from(kind.pattern, seed)}')  {' '.join(kind.nearby[:1])}\n" for seed in SEEDS]
    found = [{match.kind.id for match in scan_text("a.txt", text) if match.kind} for text in texts]
    assert sum(kind.id in ids for ids in found) >= len(texts) - 1, "one of them may look made up"


@pytest.mark.parametrize("kind", WITH_A_NAME, ids=lambda kind: kind.id)
def test_a_key_that_could_be_anything_is_found_under_its_vendors_name(kind):
    texts = [f'{kind.name[0]}_api_key = "{made_from(kind.value, seed)}"\n' for seed in SEEDS]
    assert sum(bool(scan_text("a.toml", text)) for text in texts) >= len(texts) - 1
    if not kind.bare:
        unnamed = [scan_text("a.toml", f'checksum = "{made_from(kind.value, seed)}"\n') for seed in SEEDS]
        assert all(not match.name for found in unnamed for match in found)


ATTACKS = [
    "A" * 50, "AKIA" * 12, "sk-" * 16, "sk_live_" * 6, "eyJ" * 16, "ghp_" * 12, "a-" * 25, "xoxb-" * 10,
    "eyJ" + "a" * 47, "://a:" * 10, "-----BEGIN " * 5, "Q~" * 25, ":AA" * 16, "_" * 50,
]  # fmt: skip


@pytest.mark.parametrize("engine", ["re2", "python"])
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda text: text[:12])
def test_twice_the_text_is_twice_the_work(attack, engine, monkeypatch):
    used = pytest.importorskip("re2") if engine == "re2" else None
    tried = tokens_module._tried
    count = [0]

    def counting(*given):
        count[0] += 1
        return tried(*given)

    monkeypatch.setattr(tokens_module, "_tried", counting)
    work = []
    for times in (100, 200):
        count[0] = 0
        list(tokens((attack * times).encode(), used))
        work.append(count[0])
    assert work[1] <= 2.1 * work[0] + 10
    assert work[1] <= 40 * 200 * len(attack)


def test_both_engines_find_the_same():
    re2 = pytest.importorskip("re2")
    data = "\n".join(made_from(kind.pattern, 1) for kind in WITH_A_PATTERN).encode()
    assert [match.start for match in tokens(data, re2)] == [match.start for match in tokens(data, None)]


def test_a_checksum_proves_a_token_real_even_in_an_example():
    body = chance(30)
    real = "ghp_" + body + base62(zlib.crc32(body.encode()))
    other = "ghp_" + body + "".join(reversed(base62(zlib.crc32(body.encode()))))
    assert verdict("crc32-base62", real) == REAL
    assert [match.confidence for match in scan_text(".env.example", f"T={real}\n")] == [1.0]
    assert scan_text(".env.example", f"T={other}\n") == []
    assert len(scan_text(".env", f"T={other}\n")) == 1


def token_of(payload: dict) -> str:
    parts = [{"alg": "HS256", "typ": "JWT"}, payload]
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, chance(43)])


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        ({"sub": "u-77", "exp": 1999999999}, True),
        ({"sub": "1234567890", "name": "John Doe", "iat": 1516239022}, False),
        ({"role": "anon", "iss": "supabase", "exp": 1999999999}, False),
        ({"some": "payload"}, False),
    ],
    ids=["of a user", "everybody's example", "made for browsers", "without a claim"],
)
def test_a_json_web_token_is_judged_by_what_it_says(payload, found):
    assert bool(scan_text("a.txt", f"Bearer {token_of(payload)}\n")) is found


def test_no_value_of_a_vendor_is_shorter_than_what_is_compared():
    assert min(_parser.parse(kind.value).getwidth()[0] for kind in (*named(), *bare())) == SHORTEST_OF_A_VENDOR


@pytest.mark.parametrize(
    ("path", "line", "code"),
    [
        ("a.py", 'db_password = "{}"', 'os.environ["DB_PASSWORD"]'),
        ("a.ts", 'const clientSecret = "{}";', "process.env.CLIENT_SECRET"),
        ("a.go", 'var apiKey = "{}"', 'os.Getenv("API_KEY")'),
        ("a.rb", 'api_key = "{}"', 'ENV.fetch("API_KEY")'),
        ("settings.yaml", 'password: "{}"', ""),
    ],
)
def test_what_to_write_instead_is_said_in_the_language_of_the_file(path, line, code):
    text = line.format("hR7kPq92vLmZxTw4Bn8Q"[::-1]) + "\n"
    source = Source(path, text, language_of(path))
    (finding,) = run_check(CHECK, source, defaults(), Deadline.never()).findings
    assert (f"`{code}`" in finding.fix) if code else ("`" not in finding.fix)


def test_a_kind_is_called_by_its_name_alone():
    """A message puts the article before it."""
    assert [kind.id for kind in kinds() if kind.called.lower().startswith(("a ", "an ", "the "))] == []
