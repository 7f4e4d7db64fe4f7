# === vulnerable: hashlib.md5 builds a password reset token
import hashlib
import time


def make_reset_token(user):
    raw = f"{user.id}:{user.email}:{time.time()}"
    return hashlib.md5(raw.encode("utf-8")).hexdigest()

# === vulnerable: hashlib.sha1 signs a download link with a secret prefix
import os
from hashlib import sha1

SIGNING_SECRET = os.environ["LINK_SECRET"].encode()


def sign_link(path: str, expires: int) -> str:
    digest = sha1(SIGNING_SECRET + path.encode() + str(expires).encode())
    return f"{path}?expires={expires}&sig={digest.hexdigest()}"

# === vulnerable: hashlib.new with the algorithm name in a constant
import hashlib

SIGNATURE_ALGORITHM = "md5"


def verify_package_signature(payload: bytes, signature: str) -> bool:
    h = hashlib.new(SIGNATURE_ALGORITHM)
    h.update(payload)
    if h.hexdigest() != signature:
        raise ValueError("package signature does not match")
    return True

# === vulnerable: import alias of md5 for an API request signature
from hashlib import md5 as digest
import requests


class PartnerClient:
    def __init__(self, app_id, app_secret):
        self.app_id = app_id
        self.app_secret = app_secret

    def _sign(self, params):
        joined = "&".join(f"{k}={v}" for k, v in sorted(params.items()))
        return digest((joined + self.app_secret).encode()).hexdigest()

    def get_orders(self, since):
        params = {"app_id": self.app_id, "since": since}
        params["sign"] = self._sign(params)
        return requests.get("https://api.partner.example/orders", params=params, timeout=10)

# === vulnerable: cryptography hazmat SHA1 used for an RSA signature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding


def sign_invoice(private_key, invoice_bytes):
    return private_key.sign(
        invoice_bytes,
        padding.PKCS1v15(),
        hashes.SHA1(),
    )

# === vulnerable: cryptography hashes.Hash with MD5 for a session identifier
from cryptography.hazmat.backends import default_backend
from cryptography.hazmat.primitives import hashes


def session_fingerprint(user_agent: str, secret: bytes) -> bytes:
    algorithm = hashes.MD5()
    ctx = hashes.Hash(algorithm, backend=default_backend())
    ctx.update(secret)
    ctx.update(user_agent.encode())
    return ctx.finalize()

# === vulnerable: pycryptodome MD5 for a license key signature
from Crypto.Hash import MD5


def license_signature(customer_id: str, product_secret: str) -> str:
    h = MD5.new()
    h.update(customer_id.encode("ascii"))
    h.update(product_secret.encode("ascii"))
    return h.hexdigest().upper()

# === vulnerable: pycryptodome SHA1 passed to pkcs1_15 signing
from Crypto.Hash import SHA as SHA1
from Crypto.PublicKey import RSA
from Crypto.Signature import pkcs1_15


def sign_manifest(manifest: bytes, key_path: str) -> bytes:
    with open(key_path) as fh:
        key = RSA.import_key(fh.read())
    return pkcs1_15.new(key).sign(SHA1.new(manifest))

# === vulnerable: certificate signed with SHA1
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA1


def issue_certificate(builder: x509.CertificateBuilder, ca_key):
    signature_hash = SHA1()
    certificate = builder.sign(private_key=ca_key, algorithm=signature_hash)
    return certificate

# === vulnerable: getattr-free helper chooses md5 through a dictionary
import hashlib

DIGESTS = {"legacy": hashlib.md5, "old": hashlib.sha1}


def api_token(user_id: int, secret: str) -> str:
    factory = DIGESTS["legacy"]
    return factory(f"{secret}|{user_id}".encode()).hexdigest()

# === vulnerable: Flask endpoint derives an auth token with sha1
import hashlib

from flask import Flask, current_app, jsonify, request

app = Flask(__name__)


@app.post("/token")
def issue_token():
    username = request.form["username"]
    material = "{}-{}".format(username, current_app.secret_key)
    hasher = hashlib.sha1()
    hasher.update(material.encode())
    return jsonify(access_token=hasher.hexdigest())

# === vulnerable: hashlib.md5 with usedforsecurity=True on a license check
import hashlib


def activation_code(machine_id: str, vendor_secret: bytes) -> str:
    h = hashlib.md5(vendor_secret, usedforsecurity=True)
    h.update(machine_id.encode())
    return h.hexdigest()[:16]

# === safe: hashlib.sha256 for a reset token digest
import hashlib
import secrets


def make_reset_token(user):
    token = secrets.token_urlsafe(32)
    user.reset_digest = hashlib.sha256(token.encode("utf-8")).hexdigest()
    return token

# === safe: md5 marked usedforsecurity=False for a cache key
import hashlib


def cache_key(url: str, params: dict) -> str:
    raw = url + repr(sorted(params.items()))
    return hashlib.md5(raw.encode(), usedforsecurity=False).hexdigest()

# === safe: hashlib.new with sha1 and usedforsecurity=False for a git blob id
import hashlib


def git_blob_id(content: bytes) -> str:
    header = b"blob %d\x00" % len(content)
    h = hashlib.new("sha1", usedforsecurity=False)
    h.update(header + content)
    return h.hexdigest()

# === safe: hashlib.new with sha512 from a constant
import hashlib

SIGNATURE_ALGORITHM = "sha512"


def package_digest(payload: bytes) -> str:
    h = hashlib.new(SIGNATURE_ALGORITHM)
    h.update(payload)
    return h.hexdigest()

# === safe: cryptography signing with SHA256 and PSS
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding


def sign_invoice(private_key, invoice_bytes):
    return private_key.sign(
        invoice_bytes,
        padding.PSS(mgf=padding.MGF1(hashes.SHA256()), salt_length=padding.PSS.MAX_LENGTH),
        hashes.SHA256(),
    )

# === safe: pycryptodome SHA3_256 digest
from Crypto.Hash import SHA3_256


def license_digest(customer_id: str, serial: str) -> str:
    h = SHA3_256.new()
    h.update(customer_id.encode("ascii"))
    h.update(serial.encode("ascii"))
    return h.hexdigest()

# === safe: HMAC-SHA256 request signature
import hashlib
import hmac


def sign_request(secret: bytes, method: str, path: str, body: bytes) -> str:
    message = b"\n".join([method.encode(), path.encode(), body])
    return hmac.new(secret, message, hashlib.sha256).hexdigest()

# === safe: blake2b keyed digest for integrity
from hashlib import blake2b


def seal(payload: bytes, key: bytes) -> str:
    h = blake2b(payload, key=key, digest_size=32)
    return h.hexdigest()

# === safe: a column named md5 read from a database row
import sqlite3


def list_legacy_files(conn: sqlite3.Connection):
    rows = conn.execute("SELECT name, md5 FROM legacy_files").fetchall()
    return [{"name": name, "md5": md5} for name, md5 in rows]

# === safe: method named sha1 on a repository model object
class Commit:
    def __init__(self, raw):
        self._raw = raw

    def sha1(self):
        return self._raw["oid"]


def describe(commit: Commit) -> str:
    return f"commit {commit.sha1()[:8]} (sha1 object format)"

# === safe: rejecting weak algorithm names from configuration
import hashlib

REJECTED = {"md5", "sha1"}


def configured_hasher(name: str):
    if name in REJECTED:
        raise ValueError("md5 and sha1 are not accepted")
    return hashlib.sha384()

# === safe: hashlib.file_digest with sha256 for a release artefact
import hashlib
from pathlib import Path


def verify_release(path: Path, expected: str) -> None:
    with path.open("rb") as fh:
        actual = hashlib.file_digest(fh, "sha256").hexdigest()
    if actual != expected:
        raise RuntimeError(f"{path.name}: digest mismatch")

# === safe: sha1 imported elsewhere is shadowed by a local sha256 alias
from hashlib import sha256 as digest


def document_fingerprint(doc: bytes, previous: str) -> str:
    chained = previous.encode() + doc
    return digest(chained).hexdigest()
