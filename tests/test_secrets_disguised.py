"""Tokens written in hexadecimal or backwards are found where they are turned back; hashes and words are not."""

from __future__ import annotations

import base64
import hashlib

import pytest

from secret_samples import chance, made_from
from vetgate.checks.secrets import CHECK
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

KEY = "AK" + made_from("IA[A-Z2-7]{16}", 3)
HEX, BACK = KEY.encode().hex(), KEY[::-1]


def found(path: str, text: str):
    return run_check(CHECK, Source(path, text, language_of(path)), defaults(), Deadline.never()).findings


DISGUISED = {
    "bytes in Python": ("a.py", f'k = bytes.fromhex("{HEX}").decode()\n'),
    "unhexlify": ("a.py", f'k = binascii.unhexlify("{HEX.upper()}")\n'),
    "a slice": ("a.py", f'k = "{BACK}"[::-1]\n'),
    "reversed and joined": ("a.py", f'k = "".join(reversed("{BACK}"))\n'),
    "a chain in JavaScript": ("a.js", f'const k = "{BACK}".split("").reverse().join("");\n'),
    "a chain over lines": ("a.ts", f'const k = "{BACK}"\n  .split("")\n  .reverse()\n  .join("");\n'),
    "a spread": ("a.js", f'const k = [..."{BACK}"].reverse().join("");\n'),
    "a buffer": ("a.js", f'const k = Buffer.from("{HEX}", "hex").toString();\n'),
    "Ruby": ("a.rb", f'k = "{BACK}".reverse\n'),
    "packed in Ruby": ("a.rb", f'k = ["{HEX}"].pack("H*")\n'),
    "Go": ("a.go", f'package a\n\nvar k, _ = hex.DecodeString("{HEX}")\n'),
    "PHP": ("a.php", f'<?php $k = strrev("{BACK}");\n'),
    "PHP in hexadecimal": ("a.php", f'<?php $k = hex2bin("{HEX}");\n'),
    "Java": ("A.java", f'class A {{ String k = new StringBuilder("{BACK}").reverse().toString(); }}\n'),
    "Rust": ("a.rs", f'fn a() -> String {{ "{BACK}".chars().rev().collect() }}\n'),
    "C#": ("a.cs", f'class A {{ byte[] k = Convert.FromHexString("{HEX}"); }}\n'),
    "shell": ("a.sh", f"echo {BACK} | rev\n"),
    "a number": ("a.txt", f"0x{HEX}\n"),
}


@pytest.mark.parametrize(("path", "text"), DISGUISED.values(), ids=DISGUISED)
def test_a_disguised_token_is_found_and_not_repeated(path, text):
    (finding,) = found(path, text)
    assert finding.rule == "vendor-token"
    assert "hexadecimal" in finding.message or "backwards" in finding.message
    assert BACK not in repr(finding)
    assert HEX not in repr(finding)


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


ENCODED = {
    "base64 of base64": ("a.py", f'k = b64decode(b64decode("{base64_of(base64_of(KEY))}"))\n'),
    "three times": ("a.env", f"K={base64_of(base64_of(base64_of(KEY)))}\n"),
    "base64 of hexadecimal": ("a.json", f'{{"k": "{base64_of(HEX)}"}}\n'),
    "base64, then turned around": ("a.py", f'k = b64decode("{base64_of(BACK)}").decode()[::-1]\n'),
    "base64, then turned around in JavaScript": (
        "a.js",
        f'const k = [...atob("{base64_of(BACK)}")].reverse().join("");\n',
    ),
    "base32": ("a.env", f"K={base64.b32encode(KEY.encode()).decode()}\n"),
    "base32 in a call": ("a.py", f'k = base64.b32decode("{base64.b32encode(KEY.encode()).decode()}")\n'),
    "hexadecimal with spaces": ("a.py", f'k = bytes.fromhex("{KEY.encode().hex(" ")}")\n'),
    "hexadecimal with spaces, alone": ("a.txt", f"{KEY.encode().hex(' ')}\n"),
    "hexadecimal with colons": ("a.yaml", f"k: {KEY.encode().hex(':').upper()}\n"),
}


@pytest.mark.parametrize(("path", "text"), ENCODED.values(), ids=ENCODED)
def test_an_encoded_token_is_found(path, text):
    assert [each.rule for each in found(path, text)] == ["vendor-token"]


def test_what_its_name_tells_is_found_behind_a_slice_and_a_chain():
    assert [each.rule for each in found("a.py", f'api_key = "{chance(24)}"[::-1]\n')] == ["api-key"]
    chain = f'const apiKey = "{chance(24)}".split("").reverse().join("");\n'
    assert [each.rule for each in found("a.js", chain)] == ["api-key"]


_DIGEST = hashlib.sha256(b"x").digest()
HARMLESS = {
    "a fingerprint": ("a.txt", f"SHA256 Fingerprint={_DIGEST.hex(':').upper()}\n"),
    "bytes in hexadecimal": ("a.py", f'data = bytes.fromhex("{_DIGEST.hex(" ")}")\n'),
    "text in spaced hexadecimal": ("a.py", f'data = bytes.fromhex("{b"good morning, everybody".hex(" ")}")\n'),
    "a seed in base32": ("a.txt", f"seed {base64.b32encode(_DIGEST).decode()}\n"),
    "a name in capitals": ("a.py", "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ = 1\n"),
    "words in base64 twice": ("a.py", f'k = "{base64_of(base64_of("good morning, everybody there"))}"\n'),
    "a hash": ("a.py", f'digest = bytes.fromhex("{hashlib.sha256(b"x").hexdigest()}")\n'),
    "words in hexadecimal": ("a.py", f'greeting = bytes.fromhex("{b"good morning, everybody".hex()}")\n'),
    "a list turned around": ("a.js", "const names = users.map((user) => user.identification).reverse();\n"),
    "a path turned around": ("a.py", 'domain = "com.example.subdomain.service"[::-1]\n'),
    "backwards, and nobody turns it": ("a.py", f'k = "{BACK}"\n'),
}


@pytest.mark.parametrize(("path", "text"), HARMLESS.values(), ids=HARMLESS)
def test_what_is_no_token_passes(path, text):
    assert not found(path, text)
