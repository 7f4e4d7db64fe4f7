# === vulnerable: logging.info with a flask argument in an f-string
import logging
from flask import Flask, request

logging.basicConfig(filename="app.log", level=logging.INFO)
app = Flask(__name__)


@app.route("/search")
def search():
    term = request.args.get("q", "")
    logging.info(f"search for {term}")
    return {"results": []}

# === vulnerable: logger.warning with a percent style argument
import logging
from django.http import HttpResponseForbidden

logger = logging.getLogger(__name__)


def login(request):
    username = request.POST["username"]
    logger.warning("failed login for user %s", username)
    return HttpResponseForbidden()

# === vulnerable: app.logger with concatenation of a header
from flask import Flask, request

app = Flask(__name__)


@app.before_request
def trace():
    agent = request.headers.get("User-Agent", "")
    app.logger.info("request from agent " + agent)

# === vulnerable: loguru with format in fastapi
from fastapi import FastAPI
from loguru import logger

app = FastAPI()
logger.add("orders.log")


@app.get("/orders")
async def orders(customer: str):
    logger.info("listing orders of {}", customer)
    return []

# === vulnerable: line appended to an audit file
import datetime
import tornado.web


class TransferHandler(tornado.web.RequestHandler):
    def post(self):
        account = self.get_body_argument("account")
        with open("audit.log", "a", encoding="utf-8") as audit:
            audit.write("%s transfer to %s\n" % (datetime.datetime.now(), account))
        self.set_status(202)

# === vulnerable: helper function of the same file logs the message
import logging
from aiohttp import web

log = logging.getLogger("chat")


def record(event, detail):
    log.error("{}: {}".format(event, detail))


async def report(request: web.Request) -> web.Response:
    body = await request.json()
    record("client error", body["message"])
    return web.Response(status=204)


app = web.Application()
app.router.add_post("/report", report)

# === vulnerable: only carriage returns are stripped
import logging
from flask import Flask, request

app = Flask(__name__)
audit = logging.getLogger("audit")


@app.post("/comments")
def comment():
    text = request.form["text"].replace("\r", "")
    audit.info("new comment: %s", text)
    return "", 201

# === vulnerable: logger of a class and dictionary member
import logging
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


class Tracker:
    logger = logging.getLogger("tracker")

    def seen(self, event):
        self.logger.log(logging.INFO, "page=%s ref=%s", event["page"], event["ref"])


async def track(request):
    event = {"page": request.query_params.get("page"), "ref": request.headers.get("referer")}
    Tracker().seen(event)
    return JSONResponse({})


app = Starlette(routes=[Route("/track", track)])

# === vulnerable: logger.exception in the except branch
import logging
from flask import Flask, request

app = Flask(__name__)
logger = logging.getLogger("upload")


@app.post("/upload")
def upload():
    name = request.files["file"].filename
    try:
        raise OSError("disk full")
    except OSError:
        logger.exception("could not store upload " + name)
    return "", 507

# === safe: both line break characters removed
import logging
from flask import Flask, request

app = Flask(__name__)
logger = logging.getLogger("search")


@app.route("/search")
def search():
    term = request.args.get("q", "").replace("\r", "").replace("\n", "")
    logger.info("search for %s", term)
    return {"results": []}

# === safe: repr conversion in the message
import logging
from django.http import HttpResponseForbidden

logger = logging.getLogger(__name__)


def login(request):
    username = request.POST["username"]
    logger.warning("failed login for user %r", username)
    return HttpResponseForbidden()

# === safe: repr flag in an f-string
from flask import Flask, request

app = Flask(__name__)


@app.before_request
def trace():
    agent = request.headers.get("User-Agent", "")
    app.logger.info(f"request from agent {agent!r}")

# === safe: integer identifier
import logging
from fastapi import FastAPI

app = FastAPI()
logger = logging.getLogger("orders")


@app.get("/orders/{order_id}")
async def order(order_id: int):
    logger.info("showing order %s", order_id)
    return {"id": order_id}

# === safe: json.dumps of the value
import json
import logging
import tornado.web

log = logging.getLogger("transfer")


class TransferHandler(tornado.web.RequestHandler):
    def post(self):
        account = self.get_body_argument("account")
        log.info("transfer %s", json.dumps({"account": account}))
        self.set_status(202)

# === safe: sanitising helper of the same file
import logging
import re
from aiohttp import web

log = logging.getLogger("chat")


def one_line(text):
    return re.sub(r"[\r\n]+", " ", text)


async def report(request: web.Request) -> web.Response:
    body = await request.json()
    log.error("client error: %s", one_line(body["message"]))
    return web.Response(status=204)

# === safe: constant message chosen by the input
import logging
from flask import Flask, request

app = Flask(__name__)
audit = logging.getLogger("audit")


@app.post("/theme")
def theme():
    if request.form.get("theme") == "dark":
        audit.info("dark theme selected")
    else:
        audit.info("light theme selected")
    return "", 204

# === safe: info method of an unrelated object
from flask import Flask, request


class Catalog:
    def info(self, title):
        return {"title": title, "length": len(title)}


app = Flask(__name__)
catalog = Catalog()


@app.route("/info")
def info():
    return catalog.info("book " + request.args.get("title", ""))

# === safe: math.log and logarithm helpers
import math
from flask import Flask, request

app = Flask(__name__)


@app.route("/log")
def log():
    value = float(request.args.get("x", "1"))
    return {"log": math.log(value), "log2": math.log2(value)}
