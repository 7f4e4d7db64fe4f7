"""What a value looks like: made by a machine, made up by a person, or only standing in for a secret."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections import Counter
from functools import cache, lru_cache
from hashlib import blake2b

_WORDS_OF_STAND_INS = (
    "example|xxxx|placeholder|change[-_. ]?me|replace[-_. ]?(?:me|this|with)|your[-_. ]|yourown"
    "|your(?:strong|api|secret|token|key|password|access|client)|dummy|fake|sample|redacted|insert[-_. ]|todo|fixme"
    "|foobar|deadbeef|not[-_. ]?(?:a[-_. ])?real|lorem|removed|hidden|masked|obfuscated|notasecret|not-a-secret"
    "|my[-_.](?:secret|token|key|password|api)|goes[-_. ]?here|some[-_.](?:secret|token|key|password)"
    "|fill[-_. ]?(?:me|in)|enter[-_. ]|put[-_. ]|undefined|set[-_. ]?me|(?<![a-z])tbd(?![a-z])|mock"
    "|canary(?![-_.][A-Za-z0-9]{16,}$)|\\.\\.\\.|\u2026|\\*\\*\\*|<|&lt;|#{3}|^(?:revoked|invalid|expired)"
)
_STAND_IN = re.compile(_WORDS_OF_STAND_INS, re.IGNORECASE)
# Read at run time from elsewhere: the environment, a vault, a template.
_LOOKED_UP = re.compile(
    r"\$\{|\$\(|\{\{|\}\}|<%|%\(|^\$[A-Za-z_]|^%[A-Za-z_]\w*%$|^@[A-Za-z]|^\{[\w.:-]*\}$|\{\w*\}|#\{|process\.env|os\.environ|getenv|"
    r"^(?:vault|op|arn|ssm|secret|secrets|sm|gcp|aws|azure|awskms|gcpkms|keyvault|keyring|env|file|ref|bws|doppler|"
    r"sops|kms|infisical|akv|gsm|projects|classpath|data|urn)(?::|-secrets?:|/[a-z]|\+[a-z]+:)|^ENC\[|^!|^__encrypt__|^AQICAH|^Ag[A-Za-z0-9+/]{150}|secretsmanager|secretKeyRef",
    re.IGNORECASE,
)
_SEQUENCES = (
    "0123456789012345678901234567890123456789",
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
    "9876543210987654321098765432109876543210",
    "qwertyuiopasdfghjklzxcvbnm",
    "mnbvcxzlkjhgfdsapoiuytrewq",
    "0123456789abcdef0123456789abcdef0123456789abcdef",
)
_RUN = 5
_SEQUENCE = 5
_NEIGHBOURS = frozenset(
    row[start : start + _SEQUENCE] for row in _SEQUENCES for start in range(len(row) - _SEQUENCE + 1)
)
_CLASSES = tuple(map(re.compile, ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9]")))
_ALIKE = re.compile("|".join(f"{kind.pattern}+" for kind in _CLASSES))
_MOSTLY = 0.6
_ROWS, _SHORT_ROW, _SHORTEST_ROWS = 0.8, 3, 9
_FILLED = 1 / 3
_PAIR, _PAIRS = re.compile(r"(.)\1", re.DOTALL), 2 / 3
_FILLING = re.compile(r"(.)\1{5,}", re.DOTALL)
# A letter beyond ASCII by its number (`Contrase\\u00f1a`) is one of a sentence, too.
_CODE = re.compile(r"[\s(){}\[\];,`]|=>|::|->|/\*|\\u(?!00[0-7])[0-9a-fA-F]{4}")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_VOWELS = frozenset("aeiouyAEIOUY")
_VOWEL = re.compile("[aeiouyAEIOUY]")


def entropy(text: str) -> float:
    """Shannon's, in bits a character."""
    length = len(text)
    return -sum(n / length * math.log2(n / length) for n in Counter(text).values()) if length else 0.0


@lru_cache(maxsize=512)
def stands_in(text: str) -> bool:
    """Whether it only shows where a secret goes: a placeholder, an example, a row of the same or of neighbours."""
    return bool(_STAND_IN.search(text)) or is_filled(text) or is_sequence(text) or is_known_sample(text)


# Of the manuals of clouds and vendors, of standards, of emulators, of the site that explains tokens, and what hashing
# `password` gives: as hashes, so that nobody takes this table for a leak. A private key: its first line.
_SAMPLES = frozenset(
    "589482458a5a 3a58bf4fb7b3 9a5968ce9abe 5968bb8aead4 ac420916206c 7e4cbada68c6 47761ee13761 c44ab0cae533 "
    "fb10bf497f97 22e06bcaf8cc 7d6a6af60bb5 f8b4312159fb e8ddddbdac1f 111890b25f4d 1542b921a945 26cb685f623f "
    "7a0620e30d32 f369306afa57 3407f094307e 6df8a4a2d33c bcca5999f4f7 67404ae67db0 1881f8bfefe6 8718d7c371ac "
    "a260644c6d4e 0c1934d90ec9 7361192b3c52 6e87d038a192 e53e066e020b "
    "b3d3f98cee03 bc4eda6f248a cf18d1929729 0c1934d90ec9 05e4496b076b 42c5371663d7 f4d6a27cb513 "
    "033e4c990432 f73826504d42 5604d216a520".split()
)


def is_known_sample(text: str) -> bool:
    return blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest() in _SAMPLES


def looked_up(text: str) -> bool:
    return bool(_LOOKED_UP.search(text))


@cache
def _same(times: int) -> re.Pattern[str]:
    return re.compile(rf"(.)\1{{{times}}}", re.DOTALL)


def has_run(text: str, longest: int = _RUN) -> bool:
    """One character many times over, or one piece of a few characters again and again."""
    return bool(_same(longest).search(text)) or _repeats(text)


def _repeats(text: str) -> bool:
    return any(text[: 3 * size] == text[:size] * 3 for size in range(2, 7) if 3 * size <= len(text) <= 9 * size)


def is_filled(text: str) -> bool:
    """A good part of it is one character again and again. A shorter row is part of many a real token."""
    return _repeats(text) or sum(len(run[0]) for run in _FILLING.finditer(text)) >= _FILLED * len(text) > 0


def is_sequence(text: str) -> bool:
    """Most of it is rows of neighbours on the keyboard or in the alphabet: `qwerty`, `abc123def456`, `a1b2c3d4e5`."""
    low = text.lower()
    if _is_row(low) or _in_short_rows(low) or _is_row_of_pairs(low):
        return True
    letters, digits = "".join(filter(str.isalpha, low)), "".join(filter(str.isdigit, low))
    return min(len(letters), len(digits)) >= _SEQUENCE and _is_row(letters) and _is_row(digits)


def _is_row(low: str) -> bool:
    covered: set[int] = set()
    for start in range(len(low) - _SEQUENCE + 1):
        if low[start : start + _SEQUENCE] in _NEIGHBOURS:
            covered.update(range(start, start + _SEQUENCE))
    return len(covered) >= _MOSTLY * len(low) > 0


def _is_row_of_pairs(low: str) -> bool:
    """`aabbccddeeffgghh`."""
    once = _PAIR.sub(r"\1", low)
    return len(once) <= _PAIRS * len(low) and _is_row(once)


def _in_short_rows(low: str) -> bool:
    signs = [sign for sign in low if sign.isalnum()]
    if len(signs) < _SHORTEST_ROWS:
        return False
    covered, first = 0, 0
    for place in range(1, len(signs) + 1):
        if place < len(signs) and ord(signs[place]) == ord(signs[place - 1]) + 1:
            continue
        covered += place - first if place - first >= _SHORT_ROW else 0
        first = place
    return covered >= _ROWS * len(signs)


def is_code(text: str) -> bool:
    """Prose, an expression or markup rather than one token."""
    return not text.isascii() or bool(_CODE.search(text))


# What a `1TemporaryP@ssword` is made of; a machine does not write it.
_SPEAKS = re.compile(r"password|passwd|secret|token|test")
_SPOKEN = str.maketrans("@4310$5!7", "aaeiossit")
_LONGEST_SPOKEN = 40
_HASHED = re.compile(
    r"\*[0-9A-F]{40}$|md5[0-9a-f]{32}$|SCRAM-SHA-(?:1|256)\$|\$(?:1|2[abxy]?|5|6|7|y|argon2\w*|pbkdf2[\w-]*|scrypt)\$"
    r"|HMACSHA\d\+\d{3}:"
    r"|(?:md5|sha1)\$[\w./+-]{0,64}\$[0-9a-f]{32,40}$|(?:pbkdf2_sha\d+|scrypt|bcrypt\w*|argon2\w*)\$[^$]*\$.*\$"
)
# How the usual public keys begin in base64: RSA, two curves and Ed25519.
_PUBLIC_KEY = re.compile(
    r"MI[A-Za-z0-9+/]{2,6}(?:ANBgkqhkiG9w0BAQEFAAO|MA0GCSqGSIb3DQEBAQUAA4)|MFkwEwYHKoZI|MHYwEAYHKoZI|MCowBQYDK2VwAyEA"
)
_ENCODING = re.compile(r"(?i)utf-?(?:8|16|32)(?:-?[lb]e|-sig)?|latin-?1|iso-8859-\d+|cp\d{3,4}|us-ascii")
_CMDLET = re.compile(r"(?:[A-Z][a-z]+)-(?:[A-Z][a-z]+)+")
_VERSIONED = re.compile(
    r"(?P<name>[A-Za-z][\w.]*(?:-[A-Za-z][\w.]*)*)[-:@]v?\d{1,4}(?:\.\d{1,4}){1,3}(?:[-.][A-Za-z0-9]{1,12})?"
)
_ENTRY_POINT = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+:[A-Za-z_]\w*")
_FILE = re.compile(
    r"[\w./-]+\.(?:ya?ml|json|toml|ini|cfg|conf|txt|pem|key|crt|cer|p12|pfx|jks|keytab|py|jsx?|tsx?|sh|md|html?|xml|csv|"
    r"properties|sock|gpg|asc|pub|php|rb|go|java|cs|sql|log|db|lock)"
)
_HEADER = re.compile(r"(?i)(?:http_)?x(?:[-_][a-z][a-z0-9]{0,11})+")
_SCOPE = re.compile(r".*(?i:aws4|goog4)_request.*", re.DOTALL)
_ALGORITHMS = frozenset(
    "scram hmac aws4 aes rsa ecdsa eddsa ecdh sha sha1 sha2 sha3 sha256 sha384 sha512 md5 gcm cbc ctr ecb cfb ofb ccm "
    "siv oaep kw pkcs1 pkcs5 pkcs7 pkcs8 pkcs5padding pkcs7padding nopadding with and plus ed25519 x25519 "
    "curve25519 chacha20 poly1305 xchacha20 bcrypt argon2 argon2i argon2d argon2id scrypt pbkdf2 hkdf hs256 hs384 "
    "hs512 rs256 rs384 rs512 es256 es384 es512 ps256 aes128 aes192 aes256 a256gcm a128gcm jwt basic bearer digest "
    "oauth oauth2 openid 128 192 224 256 384 512 1024 2048 4096".split()
)
_URL = re.compile(r".{0,9}://|[a-z][a-z0-9+.-]{1,25}://")
# `me@acme.io`, `db.acme.io`, and `github.com/acme/shop/pkg/auth`, as Go imports.
_HOST = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.]+|(?:[a-z0-9-]+\.){2,}[a-z]{2,10}|(?:[a-z0-9-]{1,40}\.){1,4}[a-z]{2,10}(?:/[\w.-]{1,60}){1,9}"
)
_BETWEEN = re.compile(r"[-_/+:]")
_ON_CHAIN = re.compile(r"0x[0-9a-fA-F]{40}")


_TAGS = re.compile(r"""[a-z]{2,16}:"[^"]{0,200}"(?: [a-z]{2,16}:"[^"]{0,200}"){0,9}""")  # of a field in Go
_LABELS = (_HEADER, _SCOPE, _ON_CHAIN, _ENCODING, _CMDLET, _ENTRY_POINT)
_MIXED = re.compile(r"(?=.*[a-z])(?=.*[A-Z]).*[0-9]")


def is_label(text: str) -> bool:
    """The name of a header, an algorithm, an encoding, a version, an entry point; what a signature is about; a hash."""
    if any(shape.fullmatch(text) for shape in _LABELS):
        return True
    if _HASHED.match(text) or _PUBLIC_KEY.match(text) or _is_versioned(text):
        return True
    if _TAGS.fullmatch(text):
        return not any(map(looks_random, text.split('"')))
    return all(part in _ALGORITHMS for part in _BETWEEN.split(text.lower()))


def _is_versioned(text: str) -> bool:
    found = _VERSIONED.fullmatch(text)
    return found is not None and not (_MIXED.match(found["name"]) or looks_random(found["name"]))


def is_address(text: str) -> bool:
    """A path, a host or a URL: something that says where, not what."""
    if _URL.match(text) or text.startswith(("/", "./", "../", "~/", "\\", "C:\\", "www.")):
        return True
    if _FILE.fullmatch(text):
        return True
    return bool(_HOST.fullmatch(text)) and not any(map(looks_random, text.split("/")[1:]))


def changes(text: str) -> float:
    """How often, for each character, lower case, upper case, digits and other signs take turns."""
    turns = len(_ALIKE.findall(text)) - 1
    return turns / max(1, len(text) - 1)


def classes(text: str) -> int:
    return sum(kind.search(text) is not None for kind in _CLASSES)


_SPOKEN_LETTERS, _SPOKEN_PARTS = 0.8, 0.6
# `cookie_xsrf_mismatch`: words set apart, of which some are abbreviations.
_PARTED = re.compile(r"[a-z]{1,14}(?:[-_.]{1,2}[a-z]{1,14}){2,}")


def reads_as_words(text: str) -> bool:
    """Whether it is put together from words, as names and messages are."""
    pieces = _WORD.findall(text)
    letters = sum(len(piece) for piece in pieces if not piece.isdigit())
    if not letters:
        return False
    spoken = sum(len(piece) for piece in pieces if _is_word(piece))
    digits = sum(len(piece) for piece in pieces if piece.isdigit())
    # What a machine sets apart, `kxwz-abod-emin-tirq`, has parts of one length.
    is_parted = _PARTED.fullmatch(text) and len(set(map(len, pieces))) > 1
    least = _SPOKEN_PARTS if is_parted else _SPOKEN_LETTERS
    return spoken >= least * letters and digits <= max(2, 0.15 * len(text))


def reads_as_encoded_words(text: str) -> bool:
    """Words once more, in base64 or hexadecimal, as settings of tests have them; also behind a name and a colon."""
    name, _, text = text.rpartition(":")
    if name and not reads_as_words(name):
        return False
    try:
        if _IN_HEX.fullmatch(text):
            plain = bytes.fromhex(text).decode("ascii").strip()
        elif _ENCODED.fullmatch(text):
            plain = base64.b64decode(text).decode("ascii").strip()
        else:
            return False
    except (ValueError, binascii.Error):
        return False
    return plain.isprintable() and all(reads_as_words(part) or stands_in(part) for part in plain.split(":"))


_IN_HEX = re.compile(r"(?:[2-7][0-9a-f]){16,64}")
_ENCODED = re.compile(r"(?:[A-Za-z0-9+/]{4}){2,15}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_SHORT_OF_VOWELS = frozenset(
    "string strings length strength script scripts http https html mysql sql ssh passphrase crypt pwd db jwt id to of "
    "in on by is at or as an no not".split()
)


def _is_word(piece: str) -> bool:
    if piece.lower() in _SHORT_OF_VOWELS:
        return True
    if len(piece) < 3 or piece.isdigit():
        return False
    vowels = sum(letter in _VOWELS for letter in piece)
    return 0.2 <= vowels / len(piece) <= 0.75 and _longest_consonants(piece) <= 4


def _longest_consonants(piece: str) -> int:
    return max(map(len, _VOWEL.split(piece)))


def looks_random(text: str) -> bool:
    """As a machine makes them: long, many different characters, and no words."""
    if len(text) < 16 or entropy(text) < 3.0 or _is_spoken(text):
        return False
    return not reads_as_words(text) and (changes(text) >= 0.18 or _is_scrambled(text))


def _is_spoken(text: str) -> bool:
    return len(text) <= _LONGEST_SPOKEN and _SPEAKS.search(spoken(text)) is not None


def spoken(text: str) -> str:
    """`P@55w0rd` as it is read out."""
    return text.lower().translate(_SPOKEN)


def _is_scrambled(text: str) -> bool:
    """All letters of one case, and still nothing to pronounce."""
    return len(text) >= 20 and entropy(text) >= 3.3 and (_longest_consonants(text) >= 5 or text.isupper())
