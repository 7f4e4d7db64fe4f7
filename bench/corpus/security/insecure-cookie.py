# === vulnerable: flask session cookie without secure
from flask import Flask

app = Flask(__name__)
app.config["SESSION_COOKIE_SECURE"] = False
app.config["SESSION_COOKIE_HTTPONLY"] = True

# === vulnerable: flask config.update with httponly off
from flask import Flask

app = Flask(__name__)
app.config.update(
    SESSION_COOKIE_SECURE=True,
    SESSION_COOKIE_HTTPONLY=False,
    SESSION_COOKIE_SAMESITE="Lax",
)

# === vulnerable: django settings with insecure session cookie
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_SECURE = False
SESSION_COOKIE_HTTPONLY = False
SESSION_COOKIE_AGE = 1209600

# === vulnerable: django csrf cookie not secure
CSRF_COOKIE_SECURE = False
SESSION_COOKIE_SECURE = True
CSRF_TRUSTED_ORIGINS = ["https://app.example.com"]

# === vulnerable: set_cookie of a token with secure False
import secrets
from flask import Flask, make_response

app = Flask(__name__)


@app.post("/login")
def login():
    response = make_response("welcome")
    response.set_cookie("auth_token", secrets.token_urlsafe(32), secure=False, httponly=True)
    return response

# === vulnerable: django set_cookie without any flag
from django.http import HttpResponse
from django.utils.crypto import get_random_string


def login(request):
    response = HttpResponse("ok")
    session_id = get_random_string(40)
    response.set_cookie("sessionid", session_id)
    return response

# === vulnerable: fastapi httponly off
import secrets
from fastapi import FastAPI, Response

app = FastAPI()


@app.post("/login")
def login(response: Response):
    response.set_cookie(key="access_token", value=secrets.token_hex(32), secure=True, httponly=False)
    return {"ok": True}

# === vulnerable: starlette session middleware over http
import os
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware

middleware = [
    Middleware(SessionMiddleware, secret_key=os.environ["SECRET"], https_only=False),
]
app = Starlette(middleware=middleware)

# === vulnerable: aiohttp set_cookie without flags
import secrets
from aiohttp import web


async def login(request):
    response = web.HTTPFound("/home")
    response.set_cookie("session_token", secrets.token_urlsafe(), max_age=3600)
    return response

# === vulnerable: tornado plain cookie for the user id
import tornado.web


class LoginHandler(tornado.web.RequestHandler):
    def post(self):
        user_id = self.get_body_argument("user")
        self.set_signed_cookie("session_user", user_id, secure=False, httponly=False)
        self.redirect("/")

# === vulnerable: SameSite None without Secure
from flask import Flask, make_response

app = Flask(__name__)


@app.post("/sso")
def sso():
    response = make_response("", 204)
    options = {"httponly": True, "samesite": "None", "secure": False}
    response.set_cookie("sso_session", issue_session(), **options)
    return response


def issue_session():
    import secrets

    return secrets.token_hex(16)

# === vulnerable: Set-Cookie header by hand
import secrets
from flask import Flask, Response

app = Flask(__name__)


@app.post("/token")
def token():
    response = Response("ok")
    response.headers["Set-Cookie"] = f"session={secrets.token_hex(16)}; Path=/"
    return response

# === vulnerable: config object class
class ProductionConfig:
    SESSION_COOKIE_NAME = "shop_session"
    SESSION_COOKIE_SECURE = False
    REMEMBER_COOKIE_SECURE = False
    REMEMBER_COOKIE_HTTPONLY = False

# === safe: flask session cookie flags
from flask import Flask

app = Flask(__name__)
app.config.update(
    SESSION_COOKIE_SECURE=True,
    SESSION_COOKIE_HTTPONLY=True,
    SESSION_COOKIE_SAMESITE="Lax",
)

# === safe: django settings
SESSION_COOKIE_SECURE = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = True

# === safe: set_cookie with every flag
import secrets
from flask import Flask, make_response

app = Flask(__name__)


@app.post("/login")
def login():
    response = make_response("welcome")
    response.set_cookie(
        "auth_token",
        secrets.token_urlsafe(32),
        secure=True,
        httponly=True,
        samesite="Strict",
    )
    return response

# === safe: fastapi flags
import secrets
from fastapi import FastAPI, Response

app = FastAPI()


@app.post("/login")
def login(response: Response):
    response.set_cookie(key="access_token", value=secrets.token_hex(32), secure=True, httponly=True, samesite="lax")
    return {"ok": True}

# === safe: options in a dictionary
import secrets
from django.http import HttpResponse

COOKIE_OPTIONS = {"secure": True, "httponly": True, "samesite": "Lax"}


def login(request):
    response = HttpResponse("ok")
    response.set_cookie("sessionid", secrets.token_hex(20), **COOKIE_OPTIONS)
    return response

# === safe: starlette session middleware https only
import os
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware

app = Starlette(
    middleware=[
        Middleware(SessionMiddleware, secret_key=os.environ["SECRET"], https_only=True, same_site="lax"),
    ]
)

# === safe: aiohttp flags
import secrets
from aiohttp import web


async def login(request):
    response = web.HTTPFound("/home")
    response.set_cookie("session_token", secrets.token_urlsafe(), secure=True, httponly=True, samesite="Lax")
    return response

# === safe: tornado signed cookie with flags
import tornado.web


class LoginHandler(tornado.web.RequestHandler):
    def post(self):
        self.set_signed_cookie("session_user", self.get_body_argument("user"), secure=True, httponly=True, samesite="Lax")
        self.redirect("/")

# === safe: deleting a cookie
from flask import Flask, make_response

app = Flask(__name__)


@app.post("/logout")
def logout():
    response = make_response("bye")
    response.delete_cookie("auth_token")
    return response

# === safe: secure depends on debug
import os
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent
DEBUG = os.environ.get("DJANGO_DEBUG") == "1"
SESSION_COOKIE_SECURE = not DEBUG
CSRF_COOKIE_SECURE = not DEBUG

# === safe: client side cookie jar
import requests

session = requests.Session()
session.cookies.set("consent", "accepted", domain="www.example.com")
print(session.get("https://www.example.com/", timeout=5).status_code)

# === safe: header by hand with all attributes
import secrets
from flask import Flask, Response

app = Flask(__name__)


@app.post("/token")
def token():
    response = Response("ok")
    response.headers["Set-Cookie"] = f"session={secrets.token_hex(16)}; Path=/; Secure; HttpOnly; SameSite=Lax"
    return response

# === safe: set_cookie of a bakery object
class Bakery:
    def __init__(self):
        self.trays = []

    def set_cookie(self, kind, count, secure=False):
        self.trays.append((kind, count, secure))


bakery = Bakery()
bakery.set_cookie("ginger", 12, secure=False)
