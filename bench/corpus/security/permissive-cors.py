# === vulnerable: flask-cors credentials with default origins
from flask import Flask
from flask_cors import CORS

app = Flask(__name__)
CORS(app, supports_credentials=True)

# === vulnerable: flask-cors star with credentials
from flask import Flask
from flask_cors import CORS

app = Flask(__name__)
CORS(app, resources={r"/api/*": {"origins": "*"}}, supports_credentials=True)

# === vulnerable: flask-cors decorator with a match-all regex
from flask import Flask, session
from flask_cors import cross_origin

app = Flask(__name__)


@app.get("/me")
@cross_origin(origins=r".*", supports_credentials=True)
def me():
    return {"user": session["user"]}

# === vulnerable: fastapi star with credentials
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

app = FastAPI()
app.add_middleware(
    CORSMiddleware,
    allow_origins=["*"],
    allow_credentials=True,
    allow_methods=["*"],
    allow_headers=["*"],
)

# === vulnerable: fastapi origin regex matching everything
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origin_regex="https?://.*", allow_credentials=True)

# === vulnerable: starlette middleware with a variable
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

origins = ["*"]
middleware = [Middleware(CORSMiddleware, allow_origins=origins, allow_credentials=True)]
app = Starlette(middleware=middleware)

# === vulnerable: django-cors-headers all origins and credentials
INSTALLED_APPS = ["corsheaders", "django.contrib.auth"]
MIDDLEWARE = ["corsheaders.middleware.CorsMiddleware"]
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = True

# === vulnerable: django-cors-headers old setting name
CORS_ORIGIN_ALLOW_ALL = True
CORS_ALLOW_CREDENTIALS = True
ALLOWED_HOSTS = ["api.example.com"]

# === vulnerable: flask reflects the origin header
from flask import Flask, request, session

app = Flask(__name__)


@app.after_request
def add_cors(response):
    response.headers["Access-Control-Allow-Origin"] = request.headers.get("Origin", "*")
    response.headers["Access-Control-Allow-Credentials"] = "true"
    return response

# === vulnerable: django reflects the origin
from django.http import JsonResponse


def profile(request):
    response = JsonResponse({"email": request.user.email})
    origin = request.META.get("HTTP_ORIGIN")
    response["Access-Control-Allow-Origin"] = origin
    response["Access-Control-Allow-Credentials"] = "true"
    return response

# === vulnerable: tornado default headers
import tornado.web


class BaseHandler(tornado.web.RequestHandler):
    def set_default_headers(self):
        self.set_header("Access-Control-Allow-Origin", self.request.headers.get("Origin", ""))
        self.set_header("Access-Control-Allow-Credentials", "true")

# === vulnerable: aiohttp_cors star with credentials
import aiohttp_cors
from aiohttp import web

app = web.Application()
cors = aiohttp_cors.setup(
    app,
    defaults={
        "*": aiohttp_cors.ResourceOptions(allow_credentials=True, expose_headers="*", allow_headers="*"),
    },
)

# === vulnerable: suffix test of the origin
from flask import Flask, request

app = Flask(__name__)


@app.after_request
def add_cors(response):
    origin = request.headers.get("Origin", "")
    if origin.endswith("example.com"):
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Allow-Credentials"] = "true"
    return response

# === safe: flask-cors with named origins
from flask import Flask
from flask_cors import CORS

app = Flask(__name__)
CORS(app, origins=["https://app.example.com"], supports_credentials=True)

# === safe: fastapi named origins
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

app = FastAPI()
app.add_middleware(
    CORSMiddleware,
    allow_origins=["https://app.example.com", "https://admin.example.com"],
    allow_credentials=True,
    allow_methods=["GET", "POST"],
)

# === safe: fastapi anchored regex of the own subdomains
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

app = FastAPI()
app.add_middleware(
    CORSMiddleware,
    allow_origin_regex=r"https://[a-z0-9-]+\.example\.com",
    allow_credentials=True,
)

# === safe: django-cors-headers list
CORS_ALLOW_ALL_ORIGINS = False
CORS_ALLOWED_ORIGINS = ["https://app.example.com", "https://shop.example.com"]
CORS_ALLOW_CREDENTIALS = True

# === safe: origin in a set before it is echoed
from flask import Flask, request

app = Flask(__name__)
TRUSTED = {"https://app.example.com", "https://admin.example.com"}


@app.after_request
def add_cors(response):
    origin = request.headers.get("Origin")
    if origin in TRUSTED:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Allow-Credentials"] = "true"
        response.headers["Vary"] = "Origin"
    return response

# === safe: constant header
import tornado.web


class BaseHandler(tornado.web.RequestHandler):
    def set_default_headers(self):
        self.set_header("Access-Control-Allow-Origin", "https://app.example.com")
        self.set_header("Access-Control-Allow-Credentials", "true")

# === safe: aiohttp_cors named origin
import aiohttp_cors
from aiohttp import web

app = web.Application()
cors = aiohttp_cors.setup(
    app,
    defaults={
        "https://app.example.com": aiohttp_cors.ResourceOptions(allow_credentials=True, allow_headers=("X-Requested-With",)),
    },
)

# === safe: star in allowed methods and headers only
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

app = Starlette(
    middleware=[
        Middleware(CORSMiddleware, allow_origins=["https://app.example.com"], allow_methods=["*"], allow_headers=["*"]),
    ]
)

# === safe: origins from the environment
import os
from flask import Flask
from flask_cors import CORS

app = Flask(__name__)
CORS(app, origins=os.environ["ALLOWED_ORIGINS"].split(","), supports_credentials=True)

# === safe: another header echoes a request value
from flask import Flask, request

app = Flask(__name__)


@app.after_request
def add_request_id(response):
    response.headers["X-Request-Id"] = str(len(request.headers.get("Origin", "")))
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response

# === safe: allow_origins of a shipping object
class ShippingRules:
    def __init__(self, allow_origins, allow_credentials):
        self.allow_origins = allow_origins
        self.allow_credentials = allow_credentials


rules = ShippingRules(allow_origins=["*"], allow_credentials=True)
print(rules.allow_origins)
