"""What no expression can say of a secret's shape: checksums, encodings, tokens with parts, keys in PEM."""

from __future__ import annotations

import base64
import json
import string
import textwrap
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    ValueOf = Callable[[str, Random], str]
    Maker = Callable[[str, Random, ValueOf], str]

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
WORDS = (  # two of them make a person's password, one a host or a user
    "amber anchor autumn basalt beacon birch canyon cedar cinder cobalt comet copper coral delta dune ember fjord",
    "flint garnet glacier harbor hazel indigo ivory jasper juniper lagoon lantern maple marble meadow mistral nectar",
    "nimbus onyx orchard pebble quartz raven ridge river saffron sierra silver slate sparrow summit thistle thunder",
    "timber tundra velvet violet walnut willow winter zephyr",
)

# How the bytes of a private key begin: DER of the algorithm in question, with plausible lengths.
BEGINNINGS = {
    "RSA PRIVATE KEY": ("308204a40201000282010100", 1192),
    "PRIVATE KEY": ("308204bd020100300d06092a864886f70d0101010500048204a7", 1217),
    "ENCRYPTED PRIVATE KEY": ("308204fe302806092a864886f70d01050c301b", 1282),
    "EC PRIVATE KEY": ("30770201010420", 121),
    "DSA PRIVATE KEY": ("308201bb02010002818100", 447),
    "OPENSSH PRIVATE KEY": (b"openssh-key-v1\0\0\0\0\4none\0\0\0\4none".hex(), 370),
    "SSH2 ENCRYPTED PRIVATE KEY": ("3f6ff9eb", 400),
    "PGP PRIVATE KEY BLOCK": ("95039804", 900),
    "PUBLIC KEY": ("30820122300d06092a864886f70d01010105000382010f00", 294),
    "RSA PUBLIC KEY": ("3082010a0282010100", 270),
    "CERTIFICATE": ("308203", 900),
    "CERTIFICATE REQUEST": ("308202", 640),
    "X509 CRL": ("308201", 420),
    "DH PARAMETERS": ("308201080282010100", 268),
    "EC PARAMETERS": ("06082a8648ce3d030107", 10),
    "PGP PUBLIC KEY BLOCK": ("99010d04", 800),
    "PGP SIGNATURE": ("c0", 300),
    "PKCS7": ("308206", 700),
}


def _base64(argument: str, rng: Random, _: ValueOf) -> str:
    return base64.b64encode(rng.randbytes(int(argument))).decode()


def _base64url(argument: str, rng: Random, _: ValueOf) -> str:
    return base64.urlsafe_b64encode(rng.randbytes(int(argument))).decode().rstrip("=")


def _crc62(argument: str, rng: Random, _: ValueOf) -> str:
    """Characters followed by six that are their CRC-32 in base 62, as GitHub and npm describe their tokens."""
    body = "".join(rng.choices(BASE62, k=int(argument)))
    rest, sign = zlib.crc32(body.encode()), ""
    while rest:
        rest, digit = divmod(rest, 62)
        sign = BASE62[digit] + sign
    return body + sign.rjust(6, "0")


def _encoded(argument: str, rng: Random, value_of: ValueOf) -> str:
    return base64.b64encode(value_of(argument, rng).encode()).decode()


def _hexed(argument: str, rng: Random, value_of: ValueOf) -> str:
    return value_of(argument, rng).encode().hex()


def _json(argument: str, rng: Random, value_of: ValueOf) -> str:
    """`<json:key=shape;key=shape>`: an object in base64, as tokens that carry claims begin."""
    pairs = (pair.partition("=") for pair in argument.split(";"))
    text = json.dumps({key: value_of(shape, rng) for key, _, shape in pairs}, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _jwt(argument: str, rng: Random, value_of: ValueOf) -> str:
    claims = argument or "sub=[0-9a-f]{24};iss=https://auth.<word>.io;iat=17[0-9]{8};exp=18[0-9]{8}"
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    return f"{header}.{_json(claims, rng, value_of)}.{_base64url('32', rng, value_of)}"


def _uuid(_: str, rng: Random, value_of: ValueOf) -> str:
    return value_of("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", rng)


def _word(_: str, rng: Random, __: ValueOf) -> str:
    return rng.choice(" ".join(WORDS).split())


def _password(_: str, rng: Random, __: ValueOf) -> str:
    """As a person makes one up: two words, a number, a sign."""
    first, second = rng.sample(" ".join(WORDS).split(), 2)
    return f"{first.title()}{second.title()}{rng.choice('!#_-+')}{rng.randint(100, 9999)}"


def _pem(label: str, rng: Random, _: ValueOf) -> str:
    beginning, size = BEGINNINGS[label]
    head = bytes.fromhex(beginning)
    body = base64.b64encode(head + rng.randbytes(size - len(head))).decode()
    lines = textwrap.wrap(body, 70 if "OPENSSH" in label else 64)
    if label.startswith("PGP"):
        lines = ["", *lines, f"={base64.b64encode(rng.randbytes(3)).decode()}"]
    dashes = "----" if label.startswith("SSH2") else "-----"
    begin, end = (f"{dashes}{' ' * (len(dashes) == 4)}{word} {label}" for word in ("BEGIN", "END"))
    tail = " ----" if len(dashes) == 4 else dashes
    return "\n".join([begin + tail, *lines, end + tail])


def _legacy_pem(label: str, rng: Random, value_of: ValueOf) -> str:
    """Encrypted the old way: headers between the first line and the body."""
    first, _, rest = _pem(label, rng, value_of).partition("\n")
    iv = rng.randbytes(16).hex().upper()
    return f"{first}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{iv}\n\n{rest}"


def _escaped_pem(label: str, rng: Random, value_of: ValueOf) -> str:
    return _pem(label, rng, value_of).replace("\n", "\\n") + "\\n"


def _putty(_: str, rng: Random, __: ValueOf) -> str:
    public, private = (textwrap.wrap(base64.b64encode(rng.randbytes(size)).decode(), 64) for size in (279, 580))
    return "\n".join(
        [
            "PuTTY-User-Key-File-3: ssh-rsa",
            "Encryption: none",
            "Comment: rsa-key-20240611",
            f"Public-Lines: {len(public)}",
            *public,
            f"Private-Lines: {len(private)}",
            *private,
            f"Private-MAC: {rng.randbytes(32).hex()}",
        ]
    )


def _age(_: str, rng: Random, __: ValueOf) -> str:
    return "AGE-SECRET-KEY-1" + "".join(rng.choices(BECH32, k=58))


def _age_recipient(_: str, rng: Random, __: ValueOf) -> str:
    return "age1" + "".join(rng.choices(BECH32.lower(), k=58))


def _upper_hex(argument: str, rng: Random, _: ValueOf) -> str:
    return rng.randbytes(int(argument)).hex().upper()


def _hex(argument: str, rng: Random, _: ValueOf) -> str:
    return rng.randbytes(int(argument)).hex()


def _quoted(argument: str, _: Random, __: ValueOf) -> str:
    """Its argument as it stands, in pieces that nobody takes for a key: `<as:AKIA|IOSF>` is `AKIAIOSF`."""
    return argument.replace("|", "")


MAKERS: Mapping[str, Maker] = {
    "b64": _base64,
    "b64url": _base64url,
    "crc62": _crc62,
    "encoded": _encoded,
    "hexed": _hexed,
    "json": _json,
    "jwt": _jwt,
    "uuid": _uuid,
    "word": _word,
    "password": _password,
    "pem": _pem,
    "legacy-pem": _legacy_pem,
    "escaped-pem": _escaped_pem,
    "putty": _putty,
    "age": _age,
    "age-recipient": _age_recipient,
    "HEX": _upper_hex,
    "hex": _hex,
    "as": _quoted,
}
