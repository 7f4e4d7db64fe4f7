# === vulnerable: flask view returns an f-string with a query argument
from flask import Flask, request

app = Flask(__name__)


@app.route("/hello")
def hello():
    name = request.args.get("name", "you")
    return f"<h1>Hello {name}</h1>"

# === vulnerable: django HttpResponse with concatenation
from django.http import HttpResponse


def search(request):
    term = request.GET.get("q", "")
    body = "<p>Results for <b>" + term + "</b></p>"
    return HttpResponse(body)

# === vulnerable: mark_safe on formatted POST data
from django.shortcuts import render
from django.utils.safestring import mark_safe


def preview(request):
    comment = request.POST["comment"]
    html = mark_safe("<blockquote>%s</blockquote>" % comment)
    return render(request, "preview.html", {"comment": html})

# === vulnerable: fastapi HTMLResponse
from fastapi import FastAPI
from fastapi.responses import HTMLResponse

app = FastAPI()


@app.get("/greet/{name}", response_class=HTMLResponse)
async def greet(name: str):
    page = "<html><body>Hello {}</body></html>".format(name)
    return HTMLResponse(content=page)

# === vulnerable: Markup of request form value
from flask import Flask, render_template, request
from markupsafe import Markup

app = Flask(__name__)


@app.post("/bio")
def bio():
    text = request.form.get("bio")
    return render_template("bio.html", bio=Markup(text))

# === vulnerable: jinja environment with autoescape off
from flask import Flask, request
from jinja2 import Environment, FileSystemLoader

app = Flask(__name__)
env = Environment(loader=FileSystemLoader("templates"), autoescape=False)


@app.route("/profile")
def profile():
    template = env.get_template("profile.html")
    return template.render(nickname=request.args["nickname"])

# === vulnerable: safe filter in a template string
from flask import Flask, render_template_string, request

app = Flask(__name__)
PAGE = "<div>{{ message | safe }}</div>"


@app.route("/message")
def message():
    return render_template_string(PAGE, message=request.args.get("m", ""))

# === vulnerable: aiohttp text response with html content type through a helper
from aiohttp import web


def layout(title, body):
    return "".join(["<html><title>", title, "</title><body>", body, "</body></html>"])


async def page(request: web.Request) -> web.Response:
    title = request.query.get("title", "Untitled")
    return web.Response(text=layout(title, "<p>ok</p>"), content_type="text/html")


app = web.Application()
app.router.add_get("/page", page)

# === vulnerable: tornado write of an argument
import tornado.web


class EchoHandler(tornado.web.RequestHandler):
    def get(self):
        text = self.get_argument("text")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.write("<pre>" + text + "</pre>")

# === vulnerable: make_response with cookie value and class renderer
from flask import Flask, make_response, request


class Page:
    def __init__(self, user):
        self.user = user

    def html(self):
        return "<nav>Signed in as %s</nav>" % self.user


app = Flask(__name__)


@app.route("/nav")
def nav():
    response = make_response(Page(request.cookies.get("user", "")).html())
    response.headers["Cache-Control"] = "no-store"
    return response

# === vulnerable: django SafeString subclass call and async view
from django.http import HttpResponse
from django.utils.safestring import SafeString
from django.template.loader import render_to_string


async def banner(request):
    text = request.headers.get("X-Banner", "")
    html = render_to_string("banner.html", {"text": SafeString(text)})
    return HttpResponse(html)

# === safe: markupsafe.escape in the flask view
from flask import Flask, request
from markupsafe import escape

app = Flask(__name__)


@app.route("/hello")
def hello():
    name = request.args.get("name", "you")
    return f"<h1>Hello {escape(name)}</h1>"

# === safe: html.escape in HttpResponse
import html
from django.http import HttpResponse


def search(request):
    term = html.escape(request.GET.get("q", ""))
    return HttpResponse("<p>Results for <b>" + term + "</b></p>")

# === safe: format_html
from django.shortcuts import render
from django.utils.html import format_html


def preview(request):
    comment = request.POST["comment"]
    quoted = format_html("<blockquote>{}</blockquote>", comment)
    return render(request, "preview.html", {"comment": quoted})

# === safe: json dictionary response
from fastapi import FastAPI

app = FastAPI()


@app.get("/greet/{name}")
async def greet(name: str):
    return {"html": "<b>Hello " + name + "</b>"}

# === safe: Markup format method escapes its arguments
from flask import Flask, render_template, request
from markupsafe import Markup

app = Flask(__name__)
QUOTE = Markup("<blockquote>{}</blockquote>")


@app.post("/bio")
def bio():
    return render_template("bio.html", bio=QUOTE.format(request.form.get("bio", "")))

# === safe: render_template_string with autoescaped value
from flask import Flask, render_template_string, request

app = Flask(__name__)
PAGE = "<div>{{ message }}</div>"


@app.route("/message")
def message():
    return render_template_string(PAGE, message=request.args.get("m", ""))

# === safe: bleach clean before Markup
import bleach
from flask import Flask, render_template, request
from markupsafe import Markup

app = Flask(__name__)


@app.post("/comment")
def comment():
    cleaned = bleach.clean(request.form["comment"], tags={"b", "i"}, attributes={})
    return render_template("comment.html", comment=Markup(cleaned))

# === safe: plain text response
from aiohttp import web


async def echo(request: web.Request) -> web.Response:
    text = request.query.get("text", "")
    return web.Response(text="<pre>" + text, content_type="text/plain")


app = web.Application()
app.router.add_get("/echo", echo)

# === safe: tornado xhtml_escape
import tornado.web
from tornado.escape import xhtml_escape


class EchoHandler(tornado.web.RequestHandler):
    def get(self):
        text = xhtml_escape(self.get_argument("text"))
        self.write("<pre>" + text + "</pre>")

# === safe: integer in markup and mark_safe of a constant
from django.http import HttpResponse
from django.utils.safestring import mark_safe

ICON = mark_safe("<i class='star'></i>")


def stars(request):
    count = int(request.GET.get("count", "1"))
    return HttpResponse(f"<p>{count} {ICON}</p>")

# === safe: jinja environment with autoescape on
from flask import Flask, request
from jinja2 import Environment, FileSystemLoader, select_autoescape

app = Flask(__name__)
env = Environment(loader=FileSystemLoader("templates"), autoescape=select_autoescape(["html"]))


@app.route("/profile")
def profile():
    template = env.get_template("profile.html")
    return template.render(nickname=request.args["nickname"])
