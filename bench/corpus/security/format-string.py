# === vulnerable: format method of a flask argument
from flask import Flask, request
from .models import current_user

app = Flask(__name__)


@app.route("/greet")
def greet():
    template = request.args.get("template", "Hello {user}")
    return {"text": template.format(user=current_user())}

# === vulnerable: percent operator with a posted pattern
from django.http import JsonResponse
from django.conf import settings


def label(request):
    pattern = request.POST["pattern"]
    text = pattern % {"site": settings.SITE_NAME, "key": settings.SECRET_KEY}
    return JsonResponse({"text": text})

# === vulnerable: concatenated format text in fastapi
from fastapi import FastAPI
from .config import Config

app = FastAPI()
config = Config()


@app.get("/banner")
def banner(prefix: str):
    layout = prefix + " - {cfg.title} ({cfg.version})"
    return {"banner": layout.format(cfg=config)}

# === vulnerable: format_map with json body text
from flask import Flask, request

app = Flask(__name__)


class Invoice:
    def __init__(self, number, total):
        self.number = number
        self.total = total


@app.post("/invoice/text")
def invoice_text():
    body = request.get_json()
    values = {"invoice": Invoice(7, 120)}
    return {"text": body["layout"].format_map(values)}

# === vulnerable: str.format called unbound
import tornado.web


class MessageHandler(tornado.web.RequestHandler):
    def get(self):
        layout = self.get_argument("layout")
        self.write({"text": str.format(layout, self.application.settings)})

# === vulnerable: helper of the same file fills the layout
from aiohttp import web


class Account:
    def __init__(self, owner, secret):
        self.owner = owner
        self.secret = secret


def fill(layout, account):
    return layout.format(a=account)


async def statement(request: web.Request) -> web.Response:
    data = await request.post()
    text = fill(data["layout"], Account("ada", "s3"))
    return web.json_response({"text": text})


app = web.Application()
app.router.add_post("/statement", statement)

# === vulnerable: f-string result used again as a format text
from flask import Flask, g, request

app = Flask(__name__)


@app.route("/notice")
def notice():
    title = request.args["title"]
    message = f"{title}: " + "{user.name} has {count} messages"
    return {"notice": message.format(user=g.user, count=3)}

# === vulnerable: string.Formatter with a path parameter
import string
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

formatter = string.Formatter()


async def show(request):
    layout = request.path_params["layout"]
    return JSONResponse({"text": formatter.format(layout, app=request.app)})


app = Starlette(routes=[Route("/show/{layout}", show)])

# === vulnerable: class attribute from a cookie
from flask import Flask, request


class Clock:
    def __init__(self, pattern):
        self.pattern = pattern

    def show(self, owner):
        return self.pattern.format(owner, hour=12)


app = Flask(__name__)


@app.route("/clock")
def clock():
    return {"time": Clock(request.cookies.get("pattern", "{hour}")).show(app)}

# === safe: constant format text with input as value
from flask import Flask, request

app = Flask(__name__)


@app.route("/greet")
def greet():
    name = request.args.get("name", "you")
    return {"text": "Hello {user}".format(user=name)}

# === safe: percent operator with constant pattern
from django.http import JsonResponse


def label(request):
    part = request.GET.get("part", "")
    whole = request.GET.get("whole", "")
    text = "%s of %s" % (part, whole)
    return JsonResponse({"text": text})

# === safe: f-string with input
from fastapi import FastAPI

app = FastAPI()


@app.get("/banner")
def banner(prefix: str):
    return {"banner": f"{prefix} - shop ({prefix!r:>20})"}

# === safe: string.Template safe_substitute of an input pattern
import string
from flask import Flask, request

app = Flask(__name__)


@app.post("/invoice/text")
def invoice_text():
    layout = string.Template(request.get_json()["layout"])
    return {"text": layout.safe_substitute(number="7", total="120")}

# === safe: layout taken from a constant dictionary
import tornado.web

LAYOUTS = {"short": "{name}", "long": "{name} <{mail}>"}


class MessageHandler(tornado.web.RequestHandler):
    def get(self):
        layout = LAYOUTS.get(self.get_argument("layout"), LAYOUTS["short"])
        self.write({"text": layout.format(name="Ada", mail="ada@example.com")})

# === safe: strftime with a constant format and format() builtin
import datetime
from aiohttp import web


async def today(request: web.Request) -> web.Response:
    days = int(request.query.get("days", "0"))
    day = datetime.date.today() + datetime.timedelta(days=days)
    return web.json_response({"day": day.strftime("%Y-%m-%d"), "n": format(days, "05d")})

# === safe: modulo of numbers
from flask import Flask, request

app = Flask(__name__)


@app.route("/mod")
def mod():
    value = int(request.args["value"])
    base = int(request.args.get("base", "7"))
    return {"rest": value % base}

# === safe: replace of one marker in an input pattern
from flask import Flask, request

app = Flask(__name__)


@app.post("/notice")
def notice():
    pattern = request.form["pattern"]
    return {"notice": pattern.replace("{user}", "Ada").replace("{count}", "3")}

# === safe: format method of a document exporter
from flask import Flask, request


class Exporter:
    def format(self, text, width=80):
        return text[:width]


app = Flask(__name__)
exporter = Exporter()


@app.post("/export")
def export():
    return {"text": exporter.format(request.form["text"], width=40)}
