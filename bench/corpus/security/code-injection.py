# === vulnerable: eval of a flask query argument
from flask import Flask, request

app = Flask(__name__)


@app.route("/calc")
def calc():
    expression = request.args.get("expr", "0")
    return {"result": eval(expression)}

# === vulnerable: exec of a posted script
from django.http import JsonResponse
from django.views.decorators.http import require_POST


@require_POST
def run_script(request):
    source = request.POST["source"]
    scope = {}
    exec(source, scope)
    return JsonResponse({"result": str(scope.get("result"))})

# === vulnerable: compile then eval in fastapi
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Formula(BaseModel):
    text: str


@app.post("/formula")
async def formula(body: Formula):
    code = compile(body.text, "<formula>", "eval")
    return {"value": eval(code, {"x": 10})}

# === vulnerable: eval with emptied builtins
import math
import tornado.web


class CalcHandler(tornado.web.RequestHandler):
    def get(self):
        expr = self.get_query_argument("expr")
        allowed = {"sqrt": math.sqrt, "pi": math.pi}
        value = eval(expr, {"__builtins__": {}}, allowed)
        self.write({"value": value})

# === vulnerable: lambda text assembled with format
from flask import Flask, request

app = Flask(__name__)


def make_filter(condition):
    return eval("lambda row: {}".format(condition))


@app.post("/rows")
def rows():
    keep = make_filter(request.json["condition"])
    data = [{"price": 3}, {"price": 9}]
    return {"rows": [r for r in data if keep(r)]}

# === vulnerable: importlib with a module name from the request
import importlib
from aiohttp import web


async def plugin(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    module = importlib.import_module(name)
    return web.json_response(module.run())


app = web.Application()
app.router.add_get("/plugin/{name}", plugin)

# === vulnerable: builtins alias and argv
import builtins
import sys

evaluate = builtins.eval


def main():
    settings = {}
    for item in sys.argv[1:]:
        key, _, value = item.partition("=")
        settings[key] = evaluate(value)
    print(settings)


if __name__ == "__main__":
    main()

# === vulnerable: class attribute holding request code
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


class Rule:
    def __init__(self, source):
        self.source = source

    def apply(self, value):
        return eval(self.source, {"value": value})


async def check(request):
    body = await request.json()
    rule = Rule(body["rule"])
    return JSONResponse({"ok": bool(rule.apply(5))})


app = Starlette(routes=[Route("/check", check, methods=["POST"])])

# === vulnerable: InteractiveInterpreter runsource of the request body
import code
from flask import Flask, request

app = Flask(__name__)
console = code.InteractiveInterpreter()


@app.post("/console")
def run_console():
    line = request.get_data(as_text=True)
    console.runsource(line)
    return "", 204

# === vulnerable: function body assembled from joined form lines
from flask import Flask, request

app = Flask(__name__)


@app.post("/macro")
def macro():
    lines = request.form.getlist("line")
    body = "\n".join("    " + line for line in lines)
    namespace = {}
    exec("def macro(doc):\n" + body, namespace)
    return {"result": str(namespace["macro"]({"title": "x"}))}

# === safe: ast.literal_eval of the argument
import ast
from flask import Flask, request

app = Flask(__name__)


@app.route("/list")
def parse_list():
    value = ast.literal_eval(request.args.get("items", "[]"))
    return {"count": len(value)}

# === safe: json.loads of the body
import json
from django.http import JsonResponse


def receive(request):
    payload = json.loads(request.body)
    return JsonResponse({"keys": sorted(payload)})

# === safe: operator table
import operator
from fastapi import FastAPI, HTTPException

app = FastAPI()
OPS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


@app.get("/calc/{op}")
def calc(op: str, a: float, b: float):
    if op not in OPS:
        raise HTTPException(404)
    return {"result": OPS[op](a, b)}

# === safe: eval of a constant expression
from flask import Flask, request

app = Flask(__name__)
LIMIT = eval("60 * 60 * 24")


@app.route("/limit")
def limit():
    used = int(request.args.get("used", 0))
    return {"left": LIMIT - used}

# === safe: eval method of a torch style model
from flask import Flask, request


class Classifier:
    def eval(self, text):
        return {"length": len(text)}


app = Flask(__name__)
model = Classifier()


@app.post("/classify")
def classify():
    return model.eval(request.form["text"])

# === safe: import of an allow-listed exporter
import importlib
from aiohttp import web

EXPORTERS = {"csv": "exporters.csv_export", "pdf": "exporters.pdf_export"}


async def export(request: web.Request) -> web.Response:
    path = EXPORTERS.get(request.query.get("format"))
    if path is None:
        raise web.HTTPNotFound()
    module = importlib.import_module(path)
    return web.Response(body=module.render())

# === safe: re.compile of constant text
import re
import tornado.web

WORD = re.compile(r"[A-Za-z]+")


class WordHandler(tornado.web.RequestHandler):
    def get(self):
        text = self.get_argument("text")
        self.write({"words": WORD.findall(text)})

# === safe: the word eval inside strings only
from flask import Flask, request

app = Flask(__name__)


@app.post("/lint")
def lint():
    source = request.form["source"]
    warnings = []
    if "eval(" in source or "exec(" in source:
        warnings.append("do not call eval(" + repr(source[:10]) + ")")
    return {"warnings": warnings}

# === safe: exec of a bundled file with no input
import pathlib
from flask import Flask, request

app = Flask(__name__)
version = {}
exec(pathlib.Path(__file__).with_name("version.py").read_text(), version)


@app.route("/version")
def show_version():
    return {"version": version["__version__"], "client": request.args.get("client")}
