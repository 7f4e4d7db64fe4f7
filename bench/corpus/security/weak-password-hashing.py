# === vulnerable: md5 password in a Flask registration
import hashlib
import sqlite3

from flask import Flask, request

app = Flask(__name__)


@app.post("/register")
def register():
    digest = hashlib.md5(request.form["password"].encode()).hexdigest()
    with sqlite3.connect("app.db") as db:
        db.execute("INSERT INTO users (name, pw) VALUES (?, ?)", (request.form["name"], digest))
    return "", 201

# === vulnerable: salted sha256 in one round
import hashlib
import os


def hash_password(password: str) -> str:
    salt = os.urandom(16)
    digest = hashlib.sha256(salt + password.encode("utf-8")).hexdigest()
    return f"{salt.hex()}${digest}"

# === vulnerable: sha1 in a model method
from hashlib import sha1


class User:
    def __init__(self, name: str):
        self.name = name
        self.password_hash = ""

    def set_password(self, password: str) -> None:
        self.password_hash = sha1(password.encode()).hexdigest()

# === vulnerable: sha512 through update calls
import hashlib


def store_credentials(db, username: str, password: str, salt: str) -> None:
    h = hashlib.sha512()
    h.update(salt.encode())
    h.update(password.encode())
    db.execute("UPDATE users SET password_hash = %s WHERE username = %s", (h.hexdigest(), username))

# === vulnerable: hashlib.new sha256 with format
import hashlib

PEPPER = "shop"


def encode_password(password: str) -> str:
    text = "{}:{}".format(PEPPER, password)
    return hashlib.new("sha256", text.encode()).hexdigest()

# === vulnerable: HMAC-SHA256 of the password as the stored hash
import hashlib
import hmac
import os

PEPPER = os.environ["PEPPER"].encode()


class Accounts:
    def __init__(self, users: dict):
        self.users = users

    def register(self, name: str, password: str) -> None:
        self.users[name] = hmac.new(PEPPER, password.encode(), hashlib.sha256).hexdigest()

# === vulnerable: bcrypt with four rounds
import bcrypt


def hash_password(password: str) -> bytes:
    salt = bcrypt.gensalt(rounds=4)
    return bcrypt.hashpw(password.encode("utf-8"), salt)

# === vulnerable: bcrypt cost in a constant passed positionally
from bcrypt import gensalt, hashpw

COST = 5


def hash_password(password: str) -> bytes:
    return hashpw(password.encode(), gensalt(COST))

# === vulnerable: pbkdf2_hmac with one thousand iterations
import hashlib
import os


def hash_password(password: str) -> tuple[bytes, bytes]:
    salt = os.urandom(16)
    return salt, hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 1000)

# === vulnerable: PBKDF2HMAC with low iterations from cryptography
import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

ITERATIONS = 500


def password_digest(password: str) -> bytes:
    salt = os.urandom(16)
    kdf = PBKDF2HMAC(algorithm=hashes.SHA256(), length=32, salt=salt, iterations=ITERATIONS)
    return salt + kdf.derive(password.encode())

# === vulnerable: passlib bcrypt with low rounds
from passlib.hash import bcrypt


def hash_password(password: str) -> str:
    return bcrypt.using(rounds=5).hash(password)


def verify(password: str, stored: str) -> bool:
    return bcrypt.verify(password, stored)

# === vulnerable: passlib CryptContext with md5_crypt
from passlib.context import CryptContext

pwd_context = CryptContext(schemes=["md5_crypt"])


def hash_password(password: str) -> str:
    return pwd_context.hash(password)

# === vulnerable: Django settings with fast hashers first
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]

# === vulnerable: login check with sha256 helper in FastAPI
import hashlib

from fastapi import FastAPI, Form, HTTPException

app = FastAPI()
users: dict[str, str] = {}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@app.post("/signup")
async def signup(name: str = Form(...), password: str = Form(...)):
    if name in users:
        raise HTTPException(409)
    users[name] = digest(password)
    return {"created": name}

# === vulnerable: scrypt with a tiny cost
import hashlib
import os


def hash_password(password: str) -> bytes:
    salt = os.urandom(16)
    return salt + hashlib.scrypt(password.encode(), salt=salt, n=16, r=1, p=1)

# === safe: bcrypt with twelve rounds
import bcrypt


def hash_password(password: str) -> bytes:
    return bcrypt.hashpw(password.encode("utf-8"), bcrypt.gensalt(rounds=12))


def verify(password: str, stored: bytes) -> bool:
    return bcrypt.checkpw(password.encode("utf-8"), stored)

# === safe: bcrypt default rounds
from bcrypt import gensalt, hashpw


class User:
    password_hash: bytes = b""

    def set_password(self, password: str) -> None:
        self.password_hash = hashpw(password.encode(), gensalt())

# === safe: argon2-cffi PasswordHasher
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

ph = PasswordHasher()


def hash_password(password: str) -> str:
    return ph.hash(password)


def verify(stored: str, password: str) -> bool:
    try:
        return ph.verify(stored, password)
    except VerifyMismatchError:
        return False

# === safe: pbkdf2_hmac with 600000 iterations
import hashlib
import os

ITERATIONS = 600_000


def hash_password(password: str) -> tuple[bytes, bytes]:
    salt = os.urandom(16)
    return salt, hashlib.pbkdf2_hmac("sha256", password.encode(), salt, ITERATIONS)

# === safe: scrypt with recommended cost
import hashlib
import os


def hash_password(password: str) -> bytes:
    salt = os.urandom(16)
    key = hashlib.scrypt(password.encode(), salt=salt, n=2**17, r=8, p=1, maxmem=256 * 1024 * 1024)
    return salt + key

# === safe: werkzeug generate_password_hash
from flask import Flask, request
from werkzeug.security import generate_password_hash

app = Flask(__name__)
users: dict[str, str] = {}


@app.post("/register")
def register():
    users[request.form["name"]] = generate_password_hash(request.form["password"])
    return "", 201

# === safe: Django make_password
from django.contrib.auth.hashers import check_password, make_password


def store(user, password: str) -> None:
    user.password = make_password(password)
    user.save(update_fields=["password"])


def verify(user, password: str) -> bool:
    return check_password(password, user.password)

# === safe: passlib CryptContext with argon2
from passlib.context import CryptContext

pwd_context = CryptContext(schemes=["argon2", "bcrypt"], deprecated="auto")


def hash_password(password: str) -> str:
    return pwd_context.hash(password)

# === safe: sha256 of an uploaded document
import hashlib

from flask import Flask, request

app = Flask(__name__)


@app.post("/documents")
def upload_document():
    content = request.files["document"].read()
    return {"sha256": hashlib.sha256(content).hexdigest()}, 201

# === safe: sha256 of a high-entropy random reset token
import hashlib
import secrets


def create_reset(db, user_id: int) -> str:
    token = secrets.token_urlsafe(32)
    token_digest = hashlib.sha256(token.encode()).hexdigest()
    db.execute("INSERT INTO resets (user_id, digest) VALUES (?, ?)", (user_id, token_digest))
    return token

# === safe: Django settings with Argon2 first
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]

# === safe: PBKDF2HMAC with high iterations
import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC


def password_digest(password: str) -> bytes:
    salt = os.urandom(16)
    kdf = PBKDF2HMAC(algorithm=hashes.SHA256(), length=32, salt=salt, iterations=1_200_000)
    return salt + kdf.derive(password.encode())

# === safe: rounds of a tournament
class Tournament:
    def __init__(self, rounds: int):
        self.rounds = rounds


def gensalt(rounds: int) -> str:
    return f"salted snacks for {rounds} rounds"


def plan() -> tuple[Tournament, str]:
    return Tournament(rounds=4), gensalt(rounds=4)
