# === vulnerable: render_template_string with an f-string
from flask import Flask, render_template_string, request

app = Flask(__name__)


@app.route("/hello")
def hello():
    name = request.args.get("name", "you")
    return render_template_string(f"<h1>Hello {name}</h1>")

# === vulnerable: jinja2 Template from a form field
from flask import Flask, request
from jinja2 import Template

app = Flask(__name__)


@app.post("/preview")
def preview():
    source = request.form["template"]
    return Template(source).render(user="Ada", total=42)

# === vulnerable: Environment.from_string with percent formatting
from jinja2 import Environment, select_autoescape
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

env = Environment(autoescape=select_autoescape())


async def greet(request):
    greeting = request.query_params["greeting"]
    page = "<p>%s, {{ user }}</p>" % greeting
    return HTMLResponse(env.from_string(page).render(user="guest"))


app = Starlette(routes=[Route("/greet", greet)])

# === vulnerable: mako Template with the request body
from aiohttp import web
from mako.template import Template


async def preview(request: web.Request) -> web.Response:
    data = await request.post()
    template = Template(text=data["body"])
    return web.Response(text=template.render(name="Ada"), content_type="text/html")


app = web.Application()
app.router.add_post("/preview", preview)

# === vulnerable: django Template object from POST
from django.http import HttpResponse
from django.template import Context, Template


def preview_mail(request):
    subject = request.POST.get("subject", "")
    body = "Dear {{ customer }},\n" + subject
    rendered = Template(body).render(Context({"customer": "Ada"}))
    return HttpResponse(rendered)

# === vulnerable: error page helper puts the path into the template text
from flask import Flask, render_template_string, request

app = Flask(__name__)


def error_page(message):
    source = """{% extends "base.html" %}{% block body %}<p>""" + message + """</p>{% endblock %}"""
    return render_template_string(source)


@app.errorhandler(404)
def not_found(error):
    return error_page("No such page: " + request.url), 404

# === vulnerable: tornado template.Template with an argument
import tornado.web
from tornado.template import Template


class BannerHandler(tornado.web.RequestHandler):
    def get(self):
        text = self.get_argument("text", "hi")
        markup = "<b>{}</b>".format(text)
        self.write(Template(markup).generate(site="shop"))

# === vulnerable: fastapi body model field with sandbox free environment alias
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from jinja2 import Environment as Env
from pydantic import BaseModel

app = FastAPI()
engine = Env(autoescape=True)


class Draft(BaseModel):
    layout: str
    title: str


@app.post("/drafts", response_class=HTMLResponse)
def render_draft(draft: Draft):
    template = engine.from_string(draft.layout)
    return template.render(title=draft.title)

# === vulnerable: class renderer with cookie value
from flask import Flask, request
import jinja2


class Greeter:
    def __init__(self, pattern):
        self.template = jinja2.Template("<p>" + pattern + "</p>", autoescape=True)

    def show(self):
        return self.template.render(day="Monday")


app = Flask(__name__)


@app.route("/")
def index():
    return Greeter(request.cookies.get("greeting", "hello")).show()

# === safe: render_template_string with a context value
from flask import Flask, render_template_string, request

app = Flask(__name__)


@app.route("/hello")
def hello():
    name = request.args.get("name", "you")
    return render_template_string("<h1>Hello {{ name }}</h1>", name=name)

# === safe: render_template file with form data
from flask import Flask, render_template, request

app = Flask(__name__)


@app.post("/preview")
def preview():
    return render_template("preview.html", body=request.form["body"])

# === safe: constant jinja2 Template
from jinja2 import Environment, select_autoescape
from starlette.responses import HTMLResponse

env = Environment(autoescape=select_autoescape(default=True))
PAGE = env.from_string("<p>{{ greeting }}, {{ user }}</p>")


async def greet(request):
    greeting = request.query_params["greeting"]
    return HTMLResponse(PAGE.render(greeting=greeting, user="guest"))

# === safe: mako lookup of a fixed file
from aiohttp import web
from mako.lookup import TemplateLookup

lookup = TemplateLookup(directories=["templates"], default_filters=["h"])


async def preview(request: web.Request) -> web.Response:
    data = await request.post()
    template = lookup.get_template("preview.mako")
    return web.Response(text=template.render(body=data["body"]), content_type="text/html")

# === safe: django render with context
from django.shortcuts import render
from django.views.decorators.http import require_POST


@require_POST
def preview_mail(request):
    context = {"customer": "Ada", "subject": request.POST.get("subject", "")}
    return render(request, "mail/preview.html", context)

# === safe: string.Template substitution into plain text
from string import Template
from django.http import HttpResponse

LINE = Template("Dear $name, welcome.")


def welcome(request):
    text = LINE.safe_substitute(name=request.GET.get("name", "guest"))
    return HttpResponse(text, content_type="text/plain")

# === safe: template chosen from a constant table
from flask import Flask, abort, render_template_string, request

app = Flask(__name__)
LAYOUTS = {
    "card": "<div class=card>{{ title }}</div>",
    "row": "<tr><td>{{ title }}</td></tr>",
}


@app.route("/layout")
def layout():
    source = LAYOUTS.get(request.args.get("kind"))
    if source is None:
        abort(404)
    return render_template_string(source, title=request.args.get("title"))

# === safe: Template class of a domain model
from dataclasses import dataclass
from flask import Flask, request


@dataclass
class Template:
    body: str

    def word_count(self):
        return len(self.body.split())


app = Flask(__name__)


@app.post("/templates/count")
def count():
    return {"words": Template(request.form["body"]).word_count()}

# === safe: tornado render with keyword values
import tornado.web


class BannerHandler(tornado.web.RequestHandler):
    def get(self):
        text = self.get_argument("text", "hi")
        self.render("banner.html", text=text, site="shop")
