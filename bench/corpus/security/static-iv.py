# === vulnerable: pycryptodome AES CBC with a literal IV
from Crypto.Cipher import AES
from Crypto.Util.Padding import pad


def encrypt_profile(key: bytes, profile: bytes) -> bytes:
    cipher = AES.new(key, AES.MODE_CBC, b"1234567890123456")
    return cipher.encrypt(pad(profile, AES.block_size))

# === vulnerable: zero IV built by multiplication
from Crypto.Cipher import AES
from Crypto.Util.Padding import pad

IV = b"\x00" * 16


class FieldEncryptor:
    def __init__(self, key: bytes):
        self.key = key

    def encrypt(self, value: str) -> bytes:
        return AES.new(self.key, AES.MODE_CBC, iv=IV).encrypt(pad(value.encode(), 16))

# === vulnerable: bytes(16) zero IV with cryptography CBC
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt_block(key: bytes, padded: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), modes.CBC(bytes(16))).encryptor()
    return encryptor.update(padded) + encryptor.finalize()

# === vulnerable: AESGCM with a constant nonce
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE = b"order-nonce1"


def seal_order(key: bytes, order: bytes) -> bytes:
    aead = AESGCM(key)
    return aead.encrypt(NONCE, order, None)

# === vulnerable: ChaCha20Poly1305 with nonce from hex literal
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


def seal_message(key: bytes, message: bytes, header: bytes) -> bytes:
    nonce = bytes.fromhex("000102030405060708090a0b")
    return ChaCha20Poly1305(key).encrypt(nonce, message, header)

# === vulnerable: GCM mode object with an encoded string IV
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.modes import GCM


def encrypt_note(key: bytes, note: str):
    iv_text = "my-fixed-iv!"
    iv = iv_text.encode("ascii")
    encryptor = Cipher(algorithms.AES(key), GCM(iv)).encryptor()
    return encryptor.update(note.encode()) + encryptor.finalize(), encryptor.tag

# === vulnerable: pbkdf2_hmac with a literal salt
import hashlib


def hash_password(password: str) -> str:
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), b"pepper-and-salt", 600_000)
    return digest.hex()

# === vulnerable: PBKDF2HMAC with a module constant salt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

SALT = b"static_salt_2021"


def derive_key(password: str) -> bytes:
    kdf = PBKDF2HMAC(algorithm=hashes.SHA256(), length=32, salt=SALT, iterations=600_000)
    return kdf.derive(password.encode())

# === vulnerable: hashlib.scrypt with an encoded literal salt
import hashlib


def store_password(db, user_id: int, password: str) -> None:
    salt = "example.com".encode()
    digest = hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
    db.execute("UPDATE users SET pw = ? WHERE id = ?", (digest, user_id))

# === vulnerable: bcrypt.hashpw with a fixed salt string
import bcrypt

FIXED_SALT = b"$2b$12$abcdefghijklmnopqrstuu"


def hash_password(password: str) -> bytes:
    return bcrypt.hashpw(password.encode("utf-8"), FIXED_SALT)

# === vulnerable: AES CTR with constant nonce and helper function
from Crypto.Cipher import AES


def _nonce() -> bytes:
    return b"\x01\x02\x03\x04\x05\x06\x07\x08"


def encrypt_stream(key: bytes, data: bytes) -> bytes:
    cipher = AES.new(key, AES.MODE_CTR, nonce=_nonce())
    return cipher.encrypt(data)

# === vulnerable: pycryptodome GCM nonce held in class attribute
from Crypto.Cipher import AES


class CookieBox:
    nonce = b"cookie-nonce"

    def __init__(self, key: bytes):
        self.key = key

    def seal(self, payload: bytes) -> bytes:
        cipher = AES.new(self.key, AES.MODE_GCM, nonce=self.nonce)
        ciphertext, tag = cipher.encrypt_and_digest(payload)
        return tag + ciphertext

# === vulnerable: PyNaCl SecretBox with a zero nonce
from nacl.secret import SecretBox


def encrypt_backup(key: bytes, backup: bytes) -> bytes:
    box = SecretBox(key)
    nonce = bytes(SecretBox.NONCE_SIZE)
    return box.encrypt(backup, nonce)

# === safe: os.urandom IV
import os

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt_block(key: bytes, padded: bytes) -> bytes:
    iv = os.urandom(16)
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return iv + encryptor.update(padded) + encryptor.finalize()

# === safe: pycryptodome generates its own IV
from Crypto.Cipher import AES
from Crypto.Util.Padding import pad


def encrypt_profile(key: bytes, profile: bytes) -> bytes:
    cipher = AES.new(key, AES.MODE_CBC)
    return cipher.iv + cipher.encrypt(pad(profile, AES.block_size))

# === safe: get_random_bytes nonce for GCM
from Crypto.Cipher import AES
from Crypto.Random import get_random_bytes

NONCE_SIZE = 12


def seal(key: bytes, payload: bytes) -> bytes:
    nonce = get_random_bytes(NONCE_SIZE)
    cipher = AES.new(key, AES.MODE_GCM, nonce=nonce)
    ciphertext, tag = cipher.encrypt_and_digest(payload)
    return nonce + tag + ciphertext

# === safe: AESGCM nonce from secrets.token_bytes
import secrets

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class OrderBox:
    def __init__(self, key: bytes):
        self._aead = AESGCM(key)

    def seal(self, order: bytes) -> bytes:
        nonce = secrets.token_bytes(12)
        return nonce + self._aead.encrypt(nonce, order, b"order-v1")

# === safe: decryption reads the IV from the message
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def decrypt_block(key: bytes, message: bytes) -> bytes:
    iv, body = message[:16], message[16:]
    decryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
    return decryptor.update(body) + decryptor.finalize()

# === safe: pbkdf2_hmac with per-user random salt
import hashlib
import os


def hash_password(password: str) -> tuple[bytes, bytes]:
    salt = os.urandom(16)
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600_000)
    return salt, digest

# === safe: verification uses the stored salt of the record
import hashlib
import hmac


def check_password(record: dict, password: str) -> bool:
    digest = hashlib.pbkdf2_hmac(
        "sha256", password.encode(), bytes.fromhex(record["salt"]), 600_000
    )
    return hmac.compare_digest(digest, bytes.fromhex(record["digest"]))

# === safe: bcrypt.gensalt
import bcrypt


def hash_password(password: str) -> bytes:
    return bcrypt.hashpw(password.encode("utf-8"), bcrypt.gensalt(rounds=12))

# === safe: zero buffer overwritten by random bytes before use
import secrets

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


def seal_message(key: bytes, message: bytes) -> bytes:
    nonce = b"\x00" * 12
    nonce = secrets.token_bytes(len(nonce))
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, message, None)

# === safe: constant associated data and random nonce
import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CONTEXT = b"0000000000000000"


def wrap(key: bytes, secret: bytes) -> bytes:
    nonce = os.urandom(12)
    return nonce + AESGCM(key).encrypt(nonce, secret, CONTEXT)

# === safe: salt and iv as cooking and medical words
RECIPE = {"salt": b"1 teaspoon", "pepper": b"a pinch"}
IV = b"saline 0.9%"


def shopping_list(extra: list[str]) -> list[str]:
    items = [f"{name}: {amount.decode()}" for name, amount in RECIPE.items()]
    return items + extra + [IV.decode()]

# === safe: Fernet generates the IV itself
import os

from cryptography.fernet import Fernet


def encrypt_backup(backup: bytes) -> bytes:
    return Fernet(os.environ["BACKUP_KEY"]).encrypt(backup)
