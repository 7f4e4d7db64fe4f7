# === vulnerable: http.server on every interface with directory listing
import http.server
import socketserver

with socketserver.TCPServer(("0.0.0.0", 8000), http.server.SimpleHTTPRequestHandler) as httpd:
    httpd.serve_forever()

# === vulnerable: ThreadingHTTPServer with an empty host
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

handler = partial(SimpleHTTPRequestHandler, directory="/srv/share")
ThreadingHTTPServer(("", 8080), handler).serve_forever()

# === vulnerable: aiohttp static with index listing
from aiohttp import web

app = web.Application()
app.router.add_static("/files/", path="/srv/files", show_index=True)
web.run_app(app)

# === vulnerable: aiohttp static route table following symlinks and listing
from aiohttp import web

routes = web.RouteTableDef()
routes.static("/data", "/srv/data", show_index=True, follow_symlinks=True)
app = web.Application()
app.add_routes(routes)

# === vulnerable: debugpy listening on every interface
import debugpy
from flask import Flask

debugpy.listen(("0.0.0.0", 5678))
app = Flask(__name__)


@app.get("/")
def index():
    return "ok"

# === vulnerable: django hosts wildcard
DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "shop.urls"

# === vulnerable: django static serve with indexes
from django.urls import re_path
from django.views.static import serve

urlpatterns = [
    re_path(
        r"^media/(?P<path>.*)$",
        serve,
        {"document_root": "/srv/media", "show_indexes": True},
    ),
]

# === vulnerable: jupyter server without token
c = get_config()  # noqa: F821
c.ServerApp.ip = "0.0.0.0"
c.ServerApp.token = ""
c.ServerApp.password = ""

# === vulnerable: notebook app without xsrf check and token
c = get_config()  # noqa: F821
c.NotebookApp.ip = "*"
c.NotebookApp.token = ""
c.NotebookApp.disable_check_xsrf = True

# === vulnerable: starlette serves the root of the disk
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

app = Starlette(routes=[Mount("/files", app=StaticFiles(directory="/"), name="files")])

# === vulnerable: remote pdb on every interface
from flask import Flask
from remote_pdb import RemotePdb

app = Flask(__name__)


@app.get("/orders")
def orders():
    RemotePdb("0.0.0.0", 4444).set_trace()
    return []

# === vulnerable: aiomonitor console on every interface
import asyncio
import aiomonitor


async def main():
    loop = asyncio.get_running_loop()
    with aiomonitor.start_monitor(loop, host="0.0.0.0", console_enabled=True):
        await asyncio.sleep(3600)


asyncio.run(main())

# === safe: http.server on loopback
import http.server
import socketserver

with socketserver.TCPServer(("127.0.0.1", 8000), http.server.SimpleHTTPRequestHandler) as httpd:
    httpd.serve_forever()

# === safe: aiohttp static without listing
from aiohttp import web

app = web.Application()
app.router.add_static("/files/", path="/srv/files", show_index=False)
web.run_app(app, host="127.0.0.1")

# === safe: debugpy on loopback
import debugpy

debugpy.listen(("127.0.0.1", 5678))
print("waiting for a debugger on this machine")

# === safe: django named hosts
DEBUG = False
ALLOWED_HOSTS = ["shop.example.com", "www.shop.example.com"]
ROOT_URLCONF = "shop.urls"

# === safe: django static serve without indexes
from django.urls import re_path
from django.views.static import serve

urlpatterns = [
    re_path(r"^media/(?P<path>.*)$", serve, {"document_root": "/srv/media", "show_indexes": False}),
]

# === safe: jupyter server on loopback with its token
import os

c = get_config()  # noqa: F821
c.ServerApp.ip = "127.0.0.1"
c.ServerApp.token = os.environ["JUPYTER_TOKEN"]

# === safe: starlette serves its own static directory
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

app = Starlette(routes=[Mount("/static", app=StaticFiles(directory="static"), name="static")])

# === safe: own handler class with fixed answers
from http.server import BaseHTTPRequestHandler, HTTPServer


class Health(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")


HTTPServer(("127.0.0.1", 9000), Health).serve_forever()

# === safe: address constant used for a comparison
def is_wildcard(address):
    return address in ("0.0.0.0", "::", "*")


print(is_wildcard("0.0.0.0"))

# === safe: show_index of a book
class Book:
    def __init__(self, title, show_index):
        self.title = title
        self.show_index = show_index


catalogue = [Book("Networks", show_index=True), Book("Poems", show_index=False)]
print([b.title for b in catalogue if b.show_index])

# === safe: handler that refuses listings
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class NoListing(SimpleHTTPRequestHandler):
    def list_directory(self, path):
        self.send_error(403, "listing is off")
        return None


ThreadingHTTPServer(("127.0.0.1", 8080), NoListing).serve_forever()
