# === vulnerable: flask args url into requests.get
import requests
from flask import Flask, request

app = Flask(__name__)


@app.get("/preview")
def preview():
    url = request.args.get("url")
    return requests.get(url, timeout=5).text

# === vulnerable: user chosen host in an f-string
import requests
from flask import Flask, request

app = Flask(__name__)


@app.post("/status")
def status():
    host = request.form["host"]
    response = requests.get(f"http://{host}/health", timeout=3)
    return {"up": response.ok}

# === vulnerable: django with urllib urlopen
from urllib.request import urlopen
from django.http import HttpResponse


def proxy(request):
    target = request.GET["target"]
    with urlopen(target) as upstream:
        return HttpResponse(upstream.read())

# === vulnerable: fastapi with httpx AsyncClient
import httpx
from fastapi import FastAPI

app = FastAPI()


@app.get("/fetch")
async def fetch(url: str):
    async with httpx.AsyncClient() as client:
        response = await client.get(url)
    return {"status": response.status_code, "body": response.text}

# === vulnerable: webhook url from a pydantic body
import httpx
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Hook(BaseModel):
    callback_url: str
    event: str


@app.post("/hooks/test")
def test_hook(hook: Hook):
    httpx.post(hook.callback_url, json={"event": hook.event})
    return {"sent": True}

# === vulnerable: aiohttp server and client session
import aiohttp
from aiohttp import web


async def image(request):
    src = request.query["src"]
    async with aiohttp.ClientSession() as session:
        async with session.get(src) as upstream:
            return web.Response(body=await upstream.read())

# === vulnerable: tornado AsyncHTTPClient
import tornado.web
from tornado.httpclient import AsyncHTTPClient


class FeedHandler(tornado.web.RequestHandler):
    async def get(self):
        client = AsyncHTTPClient()
        response = await client.fetch(self.get_query_argument("feed"))
        self.write(response.body)

# === vulnerable: requests Session with method and helper
import requests
from flask import Flask, request

app = Flask(__name__)
session = requests.Session()


def download(address):
    return session.request("GET", address, timeout=10).content


@app.post("/import")
def import_file():
    payload = request.get_json()
    return download(payload["source"])

# === vulnerable: prefix check that a lookalike host passes
import requests
from flask import Flask, request, abort

app = Flask(__name__)


@app.get("/mirror")
def mirror():
    url = request.args["url"]
    if not url.startswith("https://cdn.example.com"):
        abort(400)
    return requests.get(url, timeout=5).content

# === vulnerable: http.client with user host
import http.client
from django.http import HttpResponse


def probe(request):
    conn = http.client.HTTPConnection(request.POST["host"], 80, timeout=4)
    conn.request("GET", "/")
    return HttpResponse(conn.getresponse().read())

# === vulnerable: urllib Request object from a percent format
import urllib.request
from flask import Flask, request

app = Flask(__name__)


@app.get("/geo")
def geo():
    region = request.args["region"]
    req = urllib.request.Request("https://%s.geo.example.net/v1/lookup" % region)
    return urllib.request.urlopen(req).read()

# === vulnerable: urllib3 PoolManager with a header value
import urllib3
from flask import Flask, request

app = Flask(__name__)
http = urllib3.PoolManager()


@app.route("/relay", methods=["POST"])
def relay():
    upstream = request.headers["X-Upstream"]
    answer = http.request("POST", upstream, body=request.data)
    return answer.data, answer.status

# === vulnerable: starlette with import alias
import requests as rq
from starlette.responses import Response
from starlette.routing import Route


async def avatar(request):
    data = await request.json()
    picture = rq.get(url=data["avatar_url"], stream=False)
    return Response(picture.content, media_type="image/png")


routes = [Route("/avatar", avatar, methods=["POST"])]

# === safe: constant host with a path segment quoted
from urllib.parse import quote
import requests
from flask import Flask, request

app = Flask(__name__)


@app.get("/user")
def user():
    login = quote(request.args["login"], safe="")
    return requests.get("https://api.example.com/users/" + login, timeout=5).json()

# === safe: host allow-list after urlparse
from urllib.parse import urlparse
import requests
from flask import Flask, request, abort

app = Flask(__name__)
ALLOWED = {"cdn.example.com", "images.example.com"}


@app.get("/preview")
def preview():
    url = request.args["url"]
    parsed = urlparse(url)
    if parsed.scheme != "https" or parsed.hostname not in ALLOWED:
        abort(400)
    return requests.get(url, timeout=5, allow_redirects=False).content

# === safe: dictionary of endpoints
import httpx
from fastapi import FastAPI, HTTPException

app = FastAPI()
ENDPOINTS = {
    "eu": "https://eu.example.com/status",
    "us": "https://us.example.com/status",
}


@app.get("/status/{region}")
async def status(region: str):
    if region not in ENDPOINTS:
        raise HTTPException(404)
    async with httpx.AsyncClient() as client:
        return (await client.get(ENDPOINTS[region])).json()

# === safe: user input only in query params
import requests
from django.http import JsonResponse


def search(request):
    response = requests.get(
        "https://search.example.com/v2",
        params={"q": request.GET.get("q", "")},
        timeout=5,
    )
    return JsonResponse(response.json())

# === safe: user input only in the json body
import aiohttp
from aiohttp import web


async def comment(request):
    data = await request.json()
    async with aiohttp.ClientSession() as session:
        await session.post("https://comments.example.com/new", json={"text": data["text"]})
    return web.Response(status=204)

# === safe: integer path part
import urllib.request
from flask import Flask, request

app = Flask(__name__)


@app.get("/item")
def item():
    number = int(request.args["id"])
    with urllib.request.urlopen(f"https://catalog.example.com/items/{number}") as fh:
        return fh.read()

# === safe: get on a dict and on a cache
from flask import Flask, request

app = Flask(__name__)
PREVIEWS = {"https://example.com/": "Example Domain"}


@app.get("/cached")
def cached():
    url = request.args.get("url")
    return PREVIEWS.get(url, "not cached")

# === safe: environment url
import os
import requests
from flask import Flask, request

app = Flask(__name__)
BACKEND = os.environ["BACKEND_URL"]


@app.post("/orders")
def orders():
    answer = requests.post(BACKEND + "/orders", json=request.get_json(), timeout=5)
    return answer.json(), answer.status_code

# === safe: branch picks between constants
import requests
from django.http import JsonResponse


def rates(request):
    if request.GET.get("sandbox") == "1":
        url = "https://sandbox.rates.example.com/latest"
    else:
        url = "https://rates.example.com/latest"
    return JsonResponse(requests.get(url, timeout=5).json())

# === safe: enum route parameter
from enum import Enum
import httpx
from fastapi import FastAPI

app = FastAPI()


class Region(str, Enum):
    eu = "eu"
    us = "us"


@app.get("/health/{region}")
def health(region: Region):
    return httpx.get(f"https://{region.value}.example.com/health").json()

# === safe: validator helper with host list
from urllib.parse import urlsplit
import requests
from flask import Flask, request, abort

app = Flask(__name__)
HOSTS = ("hooks.example.com", "hooks.example.org")


def checked(url):
    parts = urlsplit(url)
    if parts.scheme != "https" or parts.hostname not in HOSTS:
        abort(422)
    return url


@app.post("/hook")
def hook():
    requests.post(checked(request.form["url"]), json={"ping": 1}, timeout=5)
    return "", 204

# === safe: url stored, not fetched
from urllib.parse import urlparse
from flask import Flask, request, jsonify

app = Flask(__name__)
bookmarks = []


@app.post("/bookmarks")
def add():
    url = request.form["url"]
    bookmarks.append({"url": url, "host": urlparse(url).hostname})
    return jsonify(bookmarks)

# === vulnerable: scheme checked but not the host
from urllib.parse import urlparse
import requests
from flask import Flask, abort, request

app = Flask(__name__)


@app.get("/preview")
def preview():
    url = request.args["url"]
    if urlparse(url).scheme not in ("http", "https"):
        abort(400)
    return requests.get(url, timeout=5).text

# === vulnerable: class client method and django rest request data
import requests
from rest_framework.response import Response
from rest_framework.views import APIView


class Fetcher:
    def __init__(self, timeout):
        self.timeout = timeout

    def head(self, address):
        return requests.head(address, timeout=self.timeout).status_code


class LinkCheckView(APIView):
    def post(self, request):
        return Response({"status": Fetcher(5).head(request.data["link"])})

# === vulnerable: list of urls fetched in a comprehension
import requests
from flask import Flask, jsonify, request

app = Flask(__name__)


@app.post("/batch")
def batch():
    urls = request.get_json()["urls"]
    return jsonify([requests.get(u, timeout=5).status_code for u in urls])

# === vulnerable: urljoin with a user value that may be absolute
from urllib.parse import urljoin
import httpx
from fastapi import FastAPI

app = FastAPI()


@app.get("/docs-proxy")
def docs_proxy(page: str):
    return httpx.get(urljoin("https://docs.example.com/", page)).text

# === safe: header value from the request to a constant url
import requests
from flask import Flask, request

app = Flask(__name__)


@app.get("/weather")
def weather():
    headers = {"Accept-Language": request.headers.get("Accept-Language", "en")}
    return requests.get("https://weather.example.com/today", headers=headers, timeout=5).json()

# === safe: the request url overwritten by a constant
import requests
from flask import Flask, request

app = Flask(__name__)


@app.get("/mirror")
def mirror():
    url = request.args.get("url")
    print("ignored", url)
    url = "https://mirror.example.com/index.json"
    return requests.get(url, timeout=5).json()
