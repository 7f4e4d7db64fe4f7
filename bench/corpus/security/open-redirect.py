# === vulnerable: flask redirect to request.args next
from flask import Flask, redirect, request

app = Flask(__name__)


@app.route("/login", methods=["POST"])
def login():
    return redirect(request.args.get("next") or "/")

# === vulnerable: django HttpResponseRedirect
from django.http import HttpResponseRedirect


def leave(request):
    target = request.GET["url"]
    return HttpResponseRedirect(target)

# === vulnerable: django redirect shortcut with POST value
from django.contrib.auth import authenticate, login
from django.shortcuts import redirect, render


def sign_in(request):
    user = authenticate(request, username=request.POST["user"], password=request.POST["password"])
    if user is None:
        return render(request, "login.html")
    login(request, user)
    next_page = request.POST.get("next", "/home")
    return redirect(next_page)

# === vulnerable: fastapi RedirectResponse
from fastapi import FastAPI
from fastapi.responses import RedirectResponse

app = FastAPI()


@app.get("/out")
async def out(to: str):
    return RedirectResponse(to)

# === vulnerable: starlette query_params keyword url
from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.routing import Route


async def logout(request):
    request.session.clear()
    return RedirectResponse(url=request.query_params.get("return_to", "/"), status_code=303)


app = Starlette(routes=[Route("/logout", logout)])

# === vulnerable: aiohttp HTTPFound raised
from aiohttp import web


async def switch_language(request):
    back = request.rel_url.query["back"]
    raise web.HTTPFound(location=back)

# === vulnerable: tornado self.redirect
import tornado.web


class LoginHandler(tornado.web.RequestHandler):
    def post(self):
        self.set_signed_cookie("user", self.get_body_argument("name"))
        self.redirect(self.get_argument("next", "/"))

# === vulnerable: leading slash check only
from flask import Flask, redirect, request

app = Flask(__name__)


@app.get("/continue")
def proceed():
    target = request.args.get("to", "/")
    if target.startswith("/"):
        return redirect(target)
    return redirect("/")

# === vulnerable: host taken from user with f-string
from flask import Flask, redirect, request

app = Flask(__name__)


@app.get("/tenant")
def tenant():
    domain = request.args["domain"]
    return redirect(f"https://{domain}/dashboard", code=302)

# === vulnerable: Location header set by hand
from flask import Flask, make_response, request

app = Flask(__name__)


@app.get("/go")
def go():
    response = make_response("", 302)
    response.headers["Location"] = request.args["target"]
    return response

# === vulnerable: helper function and form value
from flask import Flask, redirect, request

app = Flask(__name__)


def after_login():
    return request.form.get("return_url") or request.args.get("return_url")


@app.post("/session")
def create_session():
    destination = after_login()
    return redirect(destination)

# === vulnerable: substring check of the own domain
from django.http import HttpResponseRedirect


def bounce(request):
    url = request.GET.get("url", "")
    if "example.com" in url:
        return HttpResponseRedirect(url)
    return HttpResponseRedirect("/")

# === vulnerable: django class based view get_success_url
from django.views.generic.edit import CreateView
from django.http import HttpResponsePermanentRedirect


class NoteCreateView(CreateView):
    template_name = "note.html"

    def form_valid(self, form):
        form.save()
        return HttpResponsePermanentRedirect(self.request.GET["next"])

# === safe: url_for of a constant endpoint
from flask import Flask, redirect, request, url_for

app = Flask(__name__)


@app.post("/login")
def login():
    name = request.form["name"]
    return redirect(url_for("profile", name=name))


@app.get("/profile/<name>")
def profile(name):
    return {"name": name}

# === safe: django url_has_allowed_host_and_scheme
from django.http import HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


def leave(request):
    target = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}, require_https=True):
        target = "/"
    return HttpResponseRedirect(target)

# === safe: host comparison after urljoin
from urllib.parse import urljoin, urlparse
from flask import Flask, abort, redirect, request

app = Flask(__name__)


@app.post("/login")
def login():
    target = urljoin(request.host_url, request.args.get("next", "/"))
    parsed = urlparse(target)
    if parsed.scheme not in ("http", "https") or parsed.netloc != urlparse(request.host_url).netloc:
        abort(400)
    return redirect(target)

# === safe: django redirect to a named view
from django.shortcuts import redirect


def save(request, pk):
    comment = request.POST["comment"]
    print(comment)
    return redirect("article-detail", pk=pk)

# === safe: dictionary of destinations
from fastapi import FastAPI
from fastapi.responses import RedirectResponse

app = FastAPI()
LINKS = {"docs": "https://docs.example.com", "blog": "https://blog.example.com"}


@app.get("/out")
async def out(to: str):
    return RedirectResponse(LINKS.get(to, "/"))

# === safe: host allow-list
from urllib.parse import urlsplit
from aiohttp import web

HOSTS = {"www.example.com", "shop.example.com"}


async def switch(request):
    back = request.query.get("back", "")
    parts = urlsplit(back)
    if parts.scheme != "https" or parts.hostname not in HOSTS:
        raise web.HTTPBadRequest()
    raise web.HTTPFound(location=back)

# === safe: constant tornado redirect
import tornado.web


class LogoutHandler(tornado.web.RequestHandler):
    def get(self):
        reason = self.get_argument("reason", "")
        self.clear_cookie("user")
        print("logout", reason)
        self.redirect("/login")

# === safe: request value quoted into the query of a fixed page
from urllib.parse import urlencode
from flask import Flask, redirect, request

app = Flask(__name__)


@app.get("/find")
def find():
    return redirect("/search?" + urlencode({"q": request.args.get("q", "")}))

# === safe: integer id in a fixed path
from flask import Flask, redirect, request

app = Flask(__name__)


@app.get("/order")
def order():
    order_id = int(request.args["id"])
    return redirect(f"/orders/{order_id}")

# === safe: membership in a tuple of own paths
from starlette.responses import RedirectResponse

PATHS = ("/", "/inbox", "/settings")


async def logout(request):
    target = request.query_params.get("to", "/")
    if target not in PATHS:
        target = "/"
    return RedirectResponse(target, status_code=303)

# === safe: redirect of standard output
import contextlib
import io
from flask import Flask, request

app = Flask(__name__)


@app.post("/describe")
def describe():
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        print("received", len(request.form["text"]))
    return {"log": buffer.getvalue()}

# === safe: method named redirect on a mail rule
from flask import Flask, request

app = Flask(__name__)


class MailRule:
    def __init__(self):
        self.folders = []

    def redirect(self, folder):
        self.folders.append(folder)
        return {"folders": self.folders}


rule = MailRule()


@app.post("/rules")
def rules():
    return rule.redirect(request.form["folder"])
