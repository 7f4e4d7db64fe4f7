# === vulnerable: random.choice password generator
import random
import string


def generate_password(length=12):
    alphabet = string.ascii_letters + string.digits
    return "".join(random.choice(alphabet) for _ in range(length))

# === vulnerable: random.randint one-time code in a Flask view
import random

from flask import Flask, request, session

app = Flask(__name__)


@app.post("/otp")
def send_otp():
    otp_code = random.randint(100000, 999999)
    session["otp"] = otp_code
    deliver_sms(request.form["phone"], f"Your code is {otp_code}")
    return "", 204


def deliver_sms(phone, text):
    print(phone, text)

# === vulnerable: random.choices session id with import alias
import random as rnd
import string

from django.http import HttpResponse


def start_session(request):
    session_id = "".join(rnd.choices(string.hexdigits, k=32))
    response = HttpResponse("welcome")
    response.set_cookie("sessionid", session_id, httponly=True, secure=True)
    return response

# === vulnerable: from random import getrandbits for an API key
from random import getrandbits


class ApiKeyFactory:
    def __init__(self, prefix):
        self.prefix = prefix

    def new_api_key(self):
        return f"{self.prefix}_{getrandbits(128):032x}"

# === vulnerable: reset token hashed from random.random
import hashlib
import random


def password_reset_token(user):
    seed = str(random.random()) + user.email
    return hashlib.sha256(seed.encode()).hexdigest()

# === vulnerable: seeded random.Random instance for a CSRF token
import random
import time


def csrf_token():
    rng = random.Random(time.time())
    return "%032x" % rng.getrandbits(128)

# === vulnerable: numpy random bytes as an encryption key
import numpy as np
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def encrypt_record(record: bytes, nonce: bytes):
    key = np.random.bytes(32)
    return key, AESGCM(key).encrypt(nonce, record, None)

# === vulnerable: random.randbytes salt for password hashing
import hashlib
import random


def hash_password(password: str) -> str:
    salt = random.randbytes(16)
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600_000)
    return salt.hex() + "$" + digest.hex()

# === vulnerable: random.sample invite code in FastAPI
import random
import string

from fastapi import FastAPI

app = FastAPI()
invites: dict[str, str] = {}


@app.post("/invites")
async def create_invite(email: str):
    invite_token = "".join(random.sample(string.ascii_uppercase + string.digits, 8))
    invites[invite_token] = email
    return {"invite": invite_token}

# === vulnerable: shuffled alphabet sliced into a temporary password
import random
import string


def temporary_password() -> str:
    chars = list(string.ascii_letters + string.digits + "!@#$%")
    random.shuffle(chars)
    return "".join(chars[:14])

# === vulnerable: helper function feeds an access token
import random


def _random_string(n: int) -> str:
    return "".join(chr(random.randrange(97, 123)) for _ in range(n))


def issue_access_token(user_id: int) -> dict:
    access_token = _random_string(40)
    return {"user": user_id, "access_token": access_token}

# === vulnerable: async aiohttp handler builds an OAuth state value
import random

from aiohttp import web


async def login(request: web.Request) -> web.Response:
    state = str(random.randint(0, 2**32))
    response = web.HTTPFound(f"https://idp.example.com/authorize?state={state}")
    response.set_cookie("oauth_state", state)
    return response


app = web.Application()
app.router.add_get("/login", login)

# === safe: secrets.choice password generator
import secrets
import string


def generate_password(length=16):
    alphabet = string.ascii_letters + string.digits
    return "".join(secrets.choice(alphabet) for _ in range(length))

# === safe: secrets.randbelow one-time code
import secrets

from flask import Flask, session

app = Flask(__name__)


@app.post("/otp")
def send_otp():
    session["otp"] = f"{secrets.randbelow(10**6):06d}"
    return "", 204

# === safe: random.SystemRandom instance
import random
import string

_sysrand = random.SystemRandom()


def session_token() -> str:
    return "".join(_sysrand.choice(string.ascii_letters) for _ in range(40))

# === safe: os.urandom token
import base64
import os


class ApiKeyFactory:
    def new_api_key(self) -> str:
        return base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("=")

# === safe: uuid4 session id
import uuid

from django.http import HttpResponse


def start_session(request):
    response = HttpResponse("welcome")
    response.set_cookie("sid", uuid.uuid4().hex, httponly=True, secure=True)
    return response

# === safe: secrets imported under the name random
import secrets as random


def password_reset_token() -> str:
    return random.token_urlsafe(32)


def pin() -> int:
    return random.randbelow(10_000)

# === safe: retry jitter
import random
import time

import requests


def fetch_with_backoff(url: str, attempts: int = 5):
    for attempt in range(attempts):
        response = requests.get(url, timeout=5)
        if response.status_code < 500:
            return response
        time.sleep(2**attempt + random.uniform(0, 1))
    raise RuntimeError("service unavailable")

# === safe: shuffling quiz questions
import random


def pick_questions(questions: list[str], count: int) -> list[str]:
    pool = list(questions)
    random.shuffle(pool)
    return pool[:count]

# === safe: numpy random in a simulation
import numpy as np


def simulate_arrivals(rate: float, hours: int):
    rng = np.random.default_rng(42)
    return rng.poisson(rate, size=hours)

# === safe: dice game
import random


class Die:
    def __init__(self, sides: int = 6):
        self.sides = sides

    def roll(self) -> int:
        return random.randint(1, self.sides)

# === safe: random chart colours and log sampling
import logging
import random

log = logging.getLogger(__name__)


def series_colour() -> str:
    return "#%06x" % random.randrange(0x1000000)


def sampled_debug(message: str) -> None:
    if random.random() < 0.01:
        log.debug(message)

# === safe: method named choice on a menu object
class Menu:
    def __init__(self, entries):
        self.entries = entries

    def choice(self, key):
        return self.entries[key]


random = Menu({"token": "Show token settings", "password": "Change password"})


def password_entry() -> str:
    password_label = random.choice("password")
    return password_label
