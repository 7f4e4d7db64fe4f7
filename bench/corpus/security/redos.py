# === vulnerable: nested quantifier matched on a flask argument
import re
from flask import Flask, request

app = Flask(__name__)
IDENT = re.compile(r"^([a-z]+)+$")


@app.route("/check")
def check():
    return {"ok": bool(IDENT.match(request.args.get("name", "")))}

# === vulnerable: email pattern with overlapping group in django
import re
from django.http import JsonResponse


def subscribe(request):
    email = request.POST["email"]
    if not re.match(r"^([a-zA-Z0-9]+[._-]?)+@[a-z]+\.com$", email):
        return JsonResponse({"error": "bad address"}, status=400)
    return JsonResponse({"ok": True})

# === vulnerable: pattern supplied by the client
import re
from fastapi import FastAPI

app = FastAPI()
LINES = ["alpha beta", "gamma delta"]


@app.get("/grep")
def grep(pattern: str):
    return [line for line in LINES if re.search(pattern, line)]

# === vulnerable: words separated by optional space fullmatch in tornado
import re
import tornado.web

SENTENCE = r"(\w+\s?)*\."


class SentenceHandler(tornado.web.RequestHandler):
    def post(self):
        text = self.get_body_argument("text")
        self.write({"sentence": re.fullmatch(SENTENCE, text) is not None})

# === vulnerable: input concatenated into a compiled pattern
import re
from aiohttp import web


async def highlight(request: web.Request) -> web.Response:
    data = await request.json()
    word = re.compile("\\b" + data["word"] + "\\b", re.IGNORECASE)
    return web.json_response({"text": word.sub("**", data["text"])})


app = web.Application()
app.router.add_post("/highlight", highlight)

# === vulnerable: alternation overlap in a helper function
import re
from flask import Flask, request

app = Flask(__name__)


def is_number_list(text):
    return re.match(r"^(\d+|\d+,)+$", text) is not None


@app.post("/numbers")
def numbers():
    body = request.get_json()
    return {"valid": is_number_list(body["numbers"])}

# === vulnerable: star of star in a class attribute
import re
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


class TagParser:
    pattern = re.compile(r"<(\s*\w*)*>")

    def parse(self, text):
        return self.pattern.search(text)


async def tags(request):
    raw = (await request.body()).decode()
    return JSONResponse({"found": TagParser().parse(raw) is not None})


app = Starlette(routes=[Route("/tags", tags, methods=["POST"])])

# === vulnerable: re.sub alias with header value
from re import sub as replace
from flask import Flask, request

app = Flask(__name__)


@app.route("/agent")
def agent():
    value = request.headers.get("User-Agent", "")
    cleaned = replace(r"\(((\w+;?\s?)+)+\)$", "", value)
    return {"agent": cleaned}

# === vulnerable: re.split with a f-string of the separator argument
import re
from flask import Flask, request

app = Flask(__name__)


@app.post("/split")
def split():
    separator = request.form["separator"]
    text = request.form["text"]
    return {"parts": re.split(f"(?:{separator})+", text)}

# === safe: single quantifier
import re
from flask import Flask, request

app = Flask(__name__)
IDENT = re.compile(r"^[a-z]+$")


@app.route("/check")
def check():
    return {"ok": bool(IDENT.match(request.args.get("name", "")))}

# === safe: unambiguous separator inside the group
import re
from django.http import JsonResponse


def subscribe(request):
    slug = request.POST["slug"]
    if not re.match(r"^[a-z0-9]+(?:-[a-z0-9]+)*$", slug):
        return JsonResponse({"error": "bad slug"}, status=400)
    return JsonResponse({"ok": True})

# === safe: re.escape of the client word
import re
from fastapi import FastAPI

app = FastAPI()
LINES = ["alpha beta", "gamma delta"]


@app.get("/grep")
def grep(word: str):
    pattern = re.compile(r"\b" + re.escape(word) + r"\b")
    return [line for line in LINES if pattern.search(line)]

# === safe: possessive quantifier
import re
import tornado.web

SENTENCE = r"(?:\w++\s?)*+\."


class SentenceHandler(tornado.web.RequestHandler):
    def post(self):
        text = self.get_body_argument("text")
        self.write({"sentence": re.fullmatch(SENTENCE, text) is not None})

# === safe: string methods in place of a pattern
from aiohttp import web


async def count(request: web.Request) -> web.Response:
    data = await request.json()
    text = data["text"].lower()
    return web.json_response({"count": text.count(data["word"].lower())})

# === safe: pattern looked up by name
import re
from flask import Flask, abort, request

app = Flask(__name__)
PATTERNS = {"digits": re.compile(r"^\d+$"), "hex": re.compile(r"^[0-9a-f]+$")}


@app.route("/match/<kind>")
def match(kind):
    pattern = PATTERNS.get(kind)
    if pattern is None:
        abort(404)
    return {"ok": pattern.match(request.args.get("text", "")) is not None}

# === safe: google re2 module for the client pattern
import re2
from flask import Flask, request

app = Flask(__name__)
LINES = ["alpha beta", "gamma delta"]


@app.route("/grep")
def grep():
    pattern = re2.compile(request.args["pattern"])
    return {"lines": [line for line in LINES if pattern.search(line)]}

# === safe: bounded repetition of fixed width
import re
from starlette.responses import JSONResponse

CARD = re.compile(r"^(?:\d{4} ){3}\d{4}$")


async def card(request):
    raw = (await request.body()).decode()
    return JSONResponse({"valid": CARD.match(raw) is not None})

# === safe: risky looking text that is only data
from flask import Flask, request

app = Flask(__name__)
EXAMPLE = r"^(a+)+$"


@app.route("/is-example")
def is_example():
    return {"same": request.args.get("pattern") == EXAMPLE, "search": EXAMPLE.find("+")}
