# === vulnerable: webhook HMAC compared with == in Flask
import hashlib
import hmac
import os

from flask import Flask, abort, request

app = Flask(__name__)
SECRET = os.environ["WEBHOOK_SECRET"].encode()


@app.post("/webhook")
def webhook():
    expected = hmac.new(SECRET, request.get_data(), hashlib.sha256).hexdigest()
    if request.headers.get("X-Signature") == expected:
        return "", 204
    abort(403)

# === vulnerable: API key header compared with != in FastAPI
import os

from fastapi import FastAPI, Header, HTTPException

app = FastAPI()
API_KEY = os.environ["API_KEY"]


@app.get("/reports")
async def reports(x_api_key: str = Header(...)):
    if x_api_key != API_KEY:
        raise HTTPException(status_code=401)
    return {"reports": []}

# === vulnerable: signature with prefix compared in Django view
import hashlib
import hmac

from django.conf import settings
from django.http import HttpResponse, HttpResponseForbidden


def github_hook(request):
    mac = hmac.new(settings.GITHUB_SECRET.encode(), request.body, hashlib.sha256)
    signature = "sha256=" + mac.hexdigest()
    if signature != request.headers.get("X-Hub-Signature-256"):
        return HttpResponseForbidden()
    return HttpResponse("ok")

# === vulnerable: raw digest bytes compared in helper
import hashlib
import hmac

from aiohttp import web


def is_valid(key: bytes, body: bytes, received: bytes) -> bool:
    return hmac.new(key, body, hashlib.sha512).digest() == received


async def hook(request: web.Request) -> web.Response:
    received = bytes.fromhex(request.headers["X-Mac"])
    if not is_valid(request.app["hook_key"], await request.read(), received):
        raise web.HTTPForbidden()
    return web.Response(text="ok")

# === vulnerable: session CSRF token compared with form value
from flask import Flask, abort, request, session

app = Flask(__name__)


@app.post("/transfer")
def transfer():
    csrf_token = session.get("csrf_token")
    if not csrf_token or csrf_token != request.form.get("csrf_token"):
        abort(400)
    return "transferred"

# === vulnerable: bearer token compared in Starlette middleware
import os

from starlette.middleware.base import BaseHTTPMiddleware
from starlette.responses import PlainTextResponse

ADMIN_TOKEN = os.environ["ADMIN_TOKEN"]


class TokenMiddleware(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):
        token = request.headers.get("authorization", "")[7:]
        if token == ADMIN_TOKEN:
            return await call_next(request)
        return PlainTextResponse("unauthorized", status_code=401)

# === vulnerable: password digest compared after pbkdf2
import hashlib


class Accounts:
    def __init__(self, db):
        self.db = db

    def check_password(self, username: str, password: str) -> bool:
        row = self.db.execute("SELECT salt, digest FROM users WHERE name = ?", (username,)).fetchone()
        digest = hashlib.pbkdf2_hmac("sha256", password.encode(), row[0], 600_000)
        return digest == row[1]

# === vulnerable: reset token compared through tuple unpacking
from tornado.web import RequestHandler


class ResetHandler(RequestHandler):
    def post(self):
        user = self.application.users[self.get_argument("user")]
        supplied, reset_token = self.get_argument("token"), user.reset_token
        if supplied != reset_token:
            self.set_status(403)
            return
        user.set_password(self.get_argument("password"))

# === vulnerable: signed cookie value verified with == after split
import hashlib
import hmac
import os

from flask import Flask, request

app = Flask(__name__)
KEY = os.environ["COOKIE_KEY"].encode()


@app.get("/")
def index():
    value, _, signature = request.cookies.get("user", "").rpartition(".")
    good = hmac.new(KEY, value.encode(), "sha256").hexdigest()
    return f"hello {value}" if good == signature else "hello guest"

# === vulnerable: base64 HMAC of a Shopify style webhook
import base64
import hashlib
import hmac

from fastapi import FastAPI, HTTPException, Request

app = FastAPI()


@app.post("/hooks/orders")
async def orders(request: Request):
    body = await request.body()
    digest = hmac.digest(request.app.state.secret, body, hashlib.sha256)
    computed_hmac = base64.b64encode(digest).decode()
    if not computed_hmac == request.headers["X-Shop-Hmac-Sha256"]:
        raise HTTPException(401)
    return {"ok": True}

# === vulnerable: character loop with early exit
import os

from flask import Flask, abort, request

app = Flask(__name__)
API_TOKEN = os.environ["API_TOKEN"]


def same(a: str, b: str) -> bool:
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if x != y:
            return False
    return True


@app.get("/export")
def export():
    if not same(request.headers.get("X-Token", ""), API_TOKEN):
        abort(401)
    return "data"

# === safe: hmac.compare_digest in a Flask webhook
import hashlib
import hmac
import os

from flask import Flask, abort, request

app = Flask(__name__)
SECRET = os.environ["WEBHOOK_SECRET"].encode()


@app.post("/webhook")
def webhook():
    expected = hmac.new(SECRET, request.get_data(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(request.headers.get("X-Signature", ""), expected):
        abort(403)
    return "", 204

# === safe: secrets.compare_digest for basic auth
import os
import secrets
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPBasic, HTTPBasicCredentials

app = FastAPI()
PASSWORD = os.environ["ADMIN_PASSWORD"].encode()


@app.get("/admin")
def admin(credentials: Annotated[HTTPBasicCredentials, Depends(HTTPBasic())]):
    if not secrets.compare_digest(credentials.password.encode(), PASSWORD):
        raise HTTPException(401)
    return {"ok": True}

# === safe: django constant_time_compare
import hashlib
import hmac

from django.conf import settings
from django.http import HttpResponse, HttpResponseForbidden
from django.utils.crypto import constant_time_compare


def github_hook(request):
    mac = hmac.new(settings.GITHUB_SECRET.encode(), request.body, hashlib.sha256)
    if not constant_time_compare("sha256=" + mac.hexdigest(), request.headers.get("X-Hub-Signature-256", "")):
        return HttpResponseForbidden()
    return HttpResponse("ok")

# === safe: aliased compare_digest in a helper
import hashlib
import hmac
from hmac import compare_digest as same


def is_valid(key: bytes, body: bytes, received: bytes) -> bool:
    return same(hmac.new(key, body, hashlib.sha512).digest(), received)

# === safe: two password form fields of the same user
from flask import Flask, abort, request

app = Flask(__name__)


@app.post("/register")
def register():
    password = request.form["password"]
    if password != request.form["password_confirm"]:
        abort(400, "The passwords do not match")
    return "registered"

# === safe: token type and state comparisons
def parse_authorization(header: str) -> str:
    token_type, _, token = header.partition(" ")
    if token_type.lower() != "bearer":
        raise ValueError("unsupported token type")
    if token == "":
        raise ValueError("missing token")
    return token

# === safe: None check before constant-time comparison
import hmac

from flask import Flask, abort, request, session

app = Flask(__name__)


@app.post("/transfer")
def transfer():
    csrf_token = session.get("csrf_token")
    if csrf_token is None or request.form.get("csrf_token") is None:
        abort(400)
    if not hmac.compare_digest(csrf_token, request.form["csrf_token"]):
        abort(400)
    return "transferred"

# === safe: parser tokens
import tokenize
from io import BytesIO


def count_newlines(source: bytes) -> int:
    total = 0
    for token in tokenize.tokenize(BytesIO(source).readline):
        if token.type == tokenize.NEWLINE or token.string == "\n":
            total += 1
    return total

# === safe: cryptography HMAC verify method
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, hmac


def verify(key: bytes, body: bytes, signature: bytes) -> bool:
    h = hmac.HMAC(key, hashes.SHA256())
    h.update(body)
    try:
        h.verify(signature)
    except InvalidSignature:
        return False
    return True

# === safe: bcrypt.checkpw
import bcrypt


class Accounts:
    def __init__(self, db):
        self.db = db

    def check_password(self, username: str, password: str) -> bool:
        row = self.db.execute("SELECT digest FROM users WHERE name = ?", (username,)).fetchone()
        return row is not None and bcrypt.checkpw(password.encode(), row[0])

# === safe: function signature and ETag comparison
import inspect

from flask import Flask, request

app = Flask(__name__)


def same_signature(a, b) -> bool:
    return inspect.signature(a) == inspect.signature(b)


@app.get("/doc")
def doc():
    etag = '"v42"'
    return ("", 304) if request.headers.get("If-None-Match") == etag else ("body", 200, {"ETag": etag})

# === safe: length comparison of a key and algorithm name
import os

KEY = bytes.fromhex(os.environ["ENCRYPTION_KEY"])
SIGNATURE_ALGORITHM = os.environ.get("SIGNATURE_ALGORITHM", "ed25519")


def validate_settings() -> None:
    if len(KEY) != 32:
        raise ValueError("ENCRYPTION_KEY must hold 32 bytes")
    if SIGNATURE_ALGORITHM == "rsa":
        raise ValueError("rsa is no longer offered")
