# === vulnerable: lxml tree.xpath with an f-string
from flask import Flask, request
from lxml import etree

app = Flask(__name__)
tree = etree.parse("users.xml")


@app.route("/user")
def user():
    name = request.args.get("name")
    nodes = tree.xpath(f"//user[name/text()='{name}']/email/text()")
    return {"emails": [str(n) for n in nodes]}

# === vulnerable: login expression with percent formatting in django
from django.http import HttpResponse
from lxml import etree

USERS = etree.parse("accounts.xml")


def login(request):
    expr = "//account[user='%s' and pin='%s']" % (request.POST["user"], request.POST["pin"])
    matches = USERS.xpath(expr)
    return HttpResponse("in" if matches else "out")

# === vulnerable: compiled etree.XPath with concatenation in fastapi
from fastapi import FastAPI
from lxml.etree import XPath, parse

app = FastAPI()
catalog = parse("catalog.xml")


@app.get("/books")
def books(author: str):
    find = XPath("/catalog/book[author = '" + author + "']/title")
    return {"titles": [t.text for t in find(catalog)]}

# === vulnerable: ElementTree findall with format in tornado
import xml.etree.ElementTree as ET

import tornado.web

root = ET.parse("devices.xml").getroot()


class DeviceHandler(tornado.web.RequestHandler):
    def get(self):
        path = "./device[@owner='{}']".format(self.get_argument("owner"))
        self.write({"devices": [d.get("id") for d in root.findall(path)]})

# === vulnerable: helper of the same file evaluates the expression
from aiohttp import web
from lxml import etree

DOC = etree.parse("config.xml")


def evaluate(expression):
    return DOC.getroot().xpath(expression)


async def setting(request: web.Request) -> web.Response:
    key = request.match_info["key"]
    parts = ["//setting[@key='", key, "']/@value"]
    return web.json_response([str(v) for v in evaluate("".join(parts))])


app = web.Application()
app.router.add_get("/settings/{key}", setting)

# === vulnerable: XPathEvaluator over json body data
from flask import Flask, request
from lxml import etree

app = Flask(__name__)
evaluator = etree.XPathEvaluator(etree.parse("stock.xml"))


@app.post("/stock")
def stock():
    body = request.get_json()
    query = "//item"
    query += "[sku='" + body["sku"] + "']"
    return {"count": len(evaluator(query))}

# === vulnerable: the whole expression comes from the query string
from lxml import html
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

page = html.parse("index.html")


async def select(request):
    expression = request.query_params.get("xpath", "//a")
    return JSONResponse({"count": len(page.xpath(expression))})


app = Starlette(routes=[Route("/select", select)])

# === vulnerable: class method with find and cookie
from flask import Flask, request
from lxml import etree


class Registry:
    def __init__(self, path):
        self.root = etree.parse(path).getroot()

    def session(self, token):
        return self.root.find(".//session[@token='" + token + "']")


app = Flask(__name__)
registry = Registry("sessions.xml")


@app.route("/me")
def me():
    found = registry.session(request.cookies["token"])
    return {"user": found.get("user") if found is not None else None}

# === safe: xpath variable in lxml
from flask import Flask, request
from lxml import etree

app = Flask(__name__)
tree = etree.parse("users.xml")


@app.route("/user")
def user():
    name = request.args.get("name")
    nodes = tree.xpath("//user[name/text()=$name]/email/text()", name=name)
    return {"emails": [str(n) for n in nodes]}

# === safe: two variables in the login expression
from django.http import HttpResponse
from lxml import etree

USERS = etree.parse("accounts.xml")


def login(request):
    matches = USERS.xpath(
        "//account[user=$user and pin=$pin]", user=request.POST["user"], pin=request.POST["pin"]
    )
    return HttpResponse("in" if matches else "out")

# === safe: compiled XPath with a variable
from fastapi import FastAPI
from lxml.etree import XPath, parse

app = FastAPI()
catalog = parse("catalog.xml")
BY_AUTHOR = XPath("/catalog/book[author = $author]/title")


@app.get("/books")
def books(author: str):
    return {"titles": [t.text for t in BY_AUTHOR(catalog, author=author)]}

# === safe: constant findall then comparison in code
import xml.etree.ElementTree as ET

import tornado.web

root = ET.parse("devices.xml").getroot()


class DeviceHandler(tornado.web.RequestHandler):
    def get(self):
        owner = self.get_argument("owner")
        found = [d.get("id") for d in root.findall("./device") if d.get("owner") == owner]
        self.write({"devices": found})

# === safe: integer position in the expression
from aiohttp import web
from lxml import etree

DOC = etree.parse("chapters.xml")


async def chapter(request: web.Request) -> web.Response:
    number = int(request.match_info["number"])
    titles = DOC.xpath(f"/book/chapter[{number}]/title/text()")
    return web.json_response([str(t) for t in titles])

# === safe: element name from an allow-list
from flask import Flask, abort, request
from lxml import etree

app = Flask(__name__)
stock = etree.parse("stock.xml")
FIELDS = frozenset(["sku", "name", "price"])


@app.route("/values")
def values():
    field = request.args.get("field")
    if field not in FIELDS:
        abort(400)
    return {"values": [str(v) for v in stock.xpath(f"//item/{field}/text()")]}

# === safe: str.find with xpath looking text
from flask import Flask, request

app = Flask(__name__)
TEXT = "//user[name='root'] is an example expression"


@app.route("/position")
def position():
    needle = "//user[name='" + request.args.get("name", "") + "']"
    return {"at": TEXT.find(needle)}

# === safe: re.findall of a constant pattern over input
import re
from django.http import JsonResponse

ATTRIBUTE = re.compile(r"@(\w+)")


def attributes(request):
    expression = request.GET.get("expression", "")
    return JsonResponse({"attributes": ATTRIBUTE.findall(expression)})
