# === vulnerable: pycryptodome DES in CBC mode
from Crypto.Cipher import DES
from Crypto.Random import get_random_bytes
from Crypto.Util.Padding import pad


def encrypt_card(card_number: str, key: bytes) -> bytes:
    iv = get_random_bytes(8)
    cipher = DES.new(key, DES.MODE_CBC, iv)
    return iv + cipher.encrypt(pad(card_number.encode(), DES.block_size))

# === vulnerable: pycryptodome AES in ECB mode
from Crypto.Cipher import AES
from Crypto.Util.Padding import pad


def encrypt_profile(profile: bytes, key: bytes) -> bytes:
    cipher = AES.new(key, AES.MODE_ECB)
    return cipher.encrypt(pad(profile, 16))

# === vulnerable: pycryptodome ARC4 stream cipher
from Crypto.Cipher import ARC4


class LegacyChannel:
    def __init__(self, key: bytes):
        self._cipher = ARC4.new(key)

    def send(self, sock, message: str) -> None:
        sock.sendall(self._cipher.encrypt(message.encode("utf-8")))

# === vulnerable: AES ECB with the mode held in a variable
from Crypto.Cipher import AES as _AES

mode = _AES.MODE_ECB


def decrypt_token(token: bytes, key: bytes) -> bytes:
    engine = _AES.new(key, mode)
    return engine.decrypt(token).rstrip(b"\x00")

# === vulnerable: cryptography ECB mode with AES
from cryptography.hazmat.backends import default_backend
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt_block(key: bytes, data: bytes) -> bytes:
    cipher = Cipher(algorithms.AES(key), modes.ECB(), backend=default_backend())
    encryptor = cipher.encryptor()
    return encryptor.update(data) + encryptor.finalize()

# === vulnerable: cryptography ARC4 algorithm
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms


def scramble(key: bytes, data: bytes) -> bytes:
    algorithm = algorithms.ARC4(key)
    encryptor = Cipher(algorithm, mode=None).encryptor()
    return encryptor.update(data)

# === vulnerable: cryptography TripleDES from the class import
import os

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers.modes import CBC


def encrypt_pin(key: bytes, padded_pin: bytes) -> bytes:
    iv = os.urandom(8)
    enc = Cipher(TripleDES(key), CBC(iv)).encryptor()
    return iv + enc.update(padded_pin) + enc.finalize()

# === vulnerable: cryptography Blowfish in the decrepit module
import os

from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
from cryptography.hazmat.primitives.ciphers import Cipher, modes


def protect(key: bytes, padded: bytes) -> bytes:
    nonce = os.urandom(8)
    encryptor = Cipher(Blowfish(key), modes.CBC(nonce)).encryptor()
    return nonce + encryptor.update(padded) + encryptor.finalize()

# === vulnerable: pycryptodome DES3 inside a Flask view
import os

from Crypto.Cipher import DES3
from Crypto.Util.Padding import pad
from flask import Flask, request

app = Flask(__name__)
KEY = bytes.fromhex(os.environ["EXPORT_KEY"])


@app.post("/export")
def export():
    body = pad(request.get_data(), DES3.block_size)
    cipher = DES3.new(KEY, DES3.MODE_CFB)
    return cipher.iv + cipher.encrypt(body)

# === vulnerable: pyDes library in its default mode
import pyDes


def encode_password(secret: bytes, password: str) -> bytes:
    k = pyDes.des(secret, padmode=pyDes.PAD_PKCS5)
    return k.encrypt(password)

# === vulnerable: pycryptodomex ARC2 via helper function
import os

from Cryptodome.Cipher import ARC2


def _engine(key: bytes, iv: bytes):
    return ARC2.new(key, ARC2.MODE_CFB, iv)


def archive_record(key: bytes, record: bytes) -> bytes:
    iv = os.urandom(ARC2.block_size)
    return iv + _engine(key, iv).encrypt(record)

# === vulnerable: ssl context restricted to RC4 and DES suites
import socket
import ssl


def connect_legacy(host: str) -> ssl.SSLSocket:
    ctx = ssl.create_default_context()
    ctx.set_ciphers("RC4-SHA:DES-CBC3-SHA")
    return ctx.wrap_socket(socket.create_connection((host, 443)), server_hostname=host)

# === safe: pycryptodome AES GCM with random nonce
from Crypto.Cipher import AES


def encrypt_card(card_number: str, key: bytes) -> bytes:
    cipher = AES.new(key, AES.MODE_GCM)
    ciphertext, tag = cipher.encrypt_and_digest(card_number.encode())
    return cipher.nonce + tag + ciphertext

# === safe: AESGCM from cryptography
import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def encrypt_profile(profile: bytes, key: bytes, user_id: str) -> bytes:
    nonce = os.urandom(12)
    return nonce + AESGCM(key).encrypt(nonce, profile, user_id.encode())

# === safe: Fernet with a key from the environment
import os

from cryptography.fernet import Fernet


class TokenBox:
    def __init__(self):
        self._fernet = Fernet(os.environ["FERNET_KEY"])

    def seal(self, message: str) -> bytes:
        return self._fernet.encrypt(message.encode("utf-8"))

    def open(self, token: bytes) -> str:
        return self._fernet.decrypt(token, ttl=3600).decode("utf-8")

# === safe: pycryptodome ChaCha20_Poly1305
from Crypto.Cipher import ChaCha20_Poly1305


def seal(key: bytes, message: bytes) -> bytes:
    box = ChaCha20_Poly1305.new(key=key)
    ciphertext, tag = box.encrypt_and_digest(message)
    return box.nonce + tag + ciphertext

# === safe: cryptography Cipher with AES and GCM mode object
import os

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt_block(key: bytes, data: bytes) -> tuple[bytes, bytes, bytes]:
    iv = os.urandom(12)
    encryptor = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
    ciphertext = encryptor.update(data) + encryptor.finalize()
    return iv, ciphertext, encryptor.tag

# === safe: AES EAX with the mode held in a variable
from Crypto.Cipher import AES as _AES

mode = _AES.MODE_EAX


def encrypt_token(token: bytes, key: bytes) -> bytes:
    engine = _AES.new(key, mode)
    body, tag = engine.encrypt_and_digest(token)
    return engine.nonce + tag + body

# === safe: DES is an enum of departments here
from enum import Enum


class Department(Enum):
    DES = "design"
    ARC4 = "architecture-4"
    ECB = "european-central-branch"


def label(code: str) -> str:
    dept = Department[code]
    return "Design" if dept is Department.DES else dept.value.title()

# === safe: European Central Bank rates client named ECB
import httpx


class ECB:
    base_url = "https://data-api.ecb.europa.eu/service/data/EXR"

    def new(self, currency: str, mode: str = "ECB"):
        response = httpx.get(f"{self.base_url}/D.{currency}.EUR.SP00.A", params={"format": "csvdata"})
        response.raise_for_status()
        return mode, response.text


def latest_usd():
    return ECB().new("USD")

# === safe: ssl ciphers exclude the weak suites
import ssl


def strict_context() -> ssl.SSLContext:
    ctx = ssl.create_default_context()
    ctx.minimum_version = ssl.TLSVersion.TLSv1_2
    ctx.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL:!RC4:!3DES")
    return ctx

# === safe: refusing weak algorithms by name before encrypting
from nacl.secret import SecretBox

WEAK = ("DES", "RC4", "AES-ECB", "Blowfish")


def encrypt(algorithm: str, key: bytes, data: bytes) -> bytes:
    if algorithm in WEAK:
        raise ValueError(f"{algorithm} is a weak cipher")
    return SecretBox(key).encrypt(data)

# === safe: AES CBC with random IV then HMAC
import hashlib
import hmac
import os

from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt_then_mac(enc_key: bytes, mac_key: bytes, data: bytes) -> bytes:
    padder = padding.PKCS7(128).padder()
    padded = padder.update(data) + padder.finalize()
    iv = os.urandom(16)
    enc = Cipher(algorithms.AES(enc_key), modes.CBC(iv)).encryptor()
    body = iv + enc.update(padded) + enc.finalize()
    return body + hmac.new(mac_key, body, hashlib.sha256).digest()
