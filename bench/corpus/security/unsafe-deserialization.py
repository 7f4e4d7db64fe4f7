# === vulnerable: pickle.loads of the request body
import pickle
from flask import Flask, request

app = Flask(__name__)


@app.post("/state")
def state():
    data = pickle.loads(request.data)
    return {"keys": list(data)}

# === vulnerable: base64 cookie into pickle
import base64
import pickle
from django.http import JsonResponse


def cart(request):
    raw = base64.b64decode(request.COOKIES["cart"])
    items = pickle.loads(raw)
    return JsonResponse({"count": len(items)})

# === vulnerable: yaml.load with the full Loader
import yaml
from flask import Flask, request

app = Flask(__name__)


@app.post("/config")
def config():
    settings = yaml.load(request.get_data(as_text=True), Loader=yaml.Loader)
    return settings

# === vulnerable: yaml.unsafe_load of an upload
import yaml
from fastapi import FastAPI, UploadFile

app = FastAPI()


@app.post("/pipeline")
async def pipeline(file: UploadFile):
    return yaml.unsafe_load(await file.read())

# === vulnerable: yaml UnsafeLoader imported by name
from yaml import load, UnsafeLoader
from aiohttp import web


async def rules(request):
    text = await request.text()
    parsed = load(text, UnsafeLoader)
    return web.json_response({"rules": len(parsed)})

# === vulnerable: marshal.loads of a tornado body
import marshal
import tornado.web


class BlobHandler(tornado.web.RequestHandler):
    def post(self):
        value = marshal.loads(self.request.body)
        self.write({"type": type(value).__name__})

# === vulnerable: jsonpickle.decode of json
import jsonpickle
from flask import Flask, request

app = Flask(__name__)


@app.put("/session")
def session():
    restored = jsonpickle.decode(request.form["session"])
    return str(restored)

# === vulnerable: dill from an uploaded file
import dill
from django.http import HttpResponse


def upload_model(request):
    model = dill.load(request.FILES["model"])
    return HttpResponse(repr(model))

# === vulnerable: Unpickler object
import io
import pickle
from starlette.responses import JSONResponse


async def restore(request):
    body = await request.body()
    unpickler = pickle.Unpickler(io.BytesIO(body))
    snapshot = unpickler.load()
    return JSONResponse({"size": len(snapshot)})

# === vulnerable: pandas read_pickle of an upload
import pandas as pd
from flask import Flask, request

app = Flask(__name__)


@app.post("/frame")
def frame():
    df = pd.read_pickle(request.files["frame"])
    return df.to_json()

# === vulnerable: numpy load with allow_pickle
import io
import numpy as np
from fastapi import FastAPI, Request

app = FastAPI()


@app.post("/vector")
async def vector(request: Request):
    payload = io.BytesIO(await request.body())
    array = np.load(payload, allow_pickle=True)
    return {"shape": array.shape}

# === vulnerable: joblib load through a helper
import joblib
from flask import Flask, request

app = Flask(__name__)


def load_model(stream):
    return joblib.load(stream)


@app.post("/predict")
def predict():
    model = load_model(request.files["model"].stream)
    return {"result": model.predict([[1, 2]]).tolist()}

# === vulnerable: torch.load without weights only
import io
import torch
from fastapi import FastAPI, UploadFile

app = FastAPI()


@app.post("/weights")
async def weights(file: UploadFile):
    buffer = io.BytesIO(await file.read())
    state = torch.load(buffer, weights_only=False)
    return {"layers": len(state)}

# === vulnerable: cloudpickle over a socket
import socket
import cloudpickle

server = socket.create_server(("0.0.0.0", 9000))
while True:
    conn, _ = server.accept()
    task = cloudpickle.loads(conn.recv(65536))
    conn.sendall(str(task()).encode())
    conn.close()

# === vulnerable: import alias of loads
from pickle import loads as restore
from flask import Flask, request

app = Flask(__name__)


@app.get("/prefs")
def prefs():
    blob = bytes.fromhex(request.args["prefs"])
    return dict(restore(blob))

# === safe: json.loads of the request body
import json
from flask import Flask, request

app = Flask(__name__)


@app.post("/state")
def state():
    data = json.loads(request.data)
    return {"keys": list(data)}

# === safe: yaml.safe_load
import yaml
from fastapi import FastAPI, UploadFile

app = FastAPI()


@app.post("/pipeline")
async def pipeline(file: UploadFile):
    return yaml.safe_load(await file.read())

# === safe: yaml.load with SafeLoader
import yaml
from flask import Flask, request

app = Flask(__name__)


@app.post("/config")
def config():
    return yaml.load(request.get_data(as_text=True), Loader=yaml.SafeLoader)

# === safe: yaml C safe loader with fallback
import yaml
from aiohttp import web

try:
    from yaml import CSafeLoader as Loader
except ImportError:
    from yaml import SafeLoader as Loader


async def rules(request):
    parsed = yaml.load(await request.text(), Loader=Loader)
    return web.json_response({"rules": len(parsed)})

# === safe: hmac verified before pickle
import hashlib
import hmac
import os
import pickle
from flask import Flask, abort, request

app = Flask(__name__)
KEY = os.environ["STATE_KEY"].encode()


@app.post("/state")
def state():
    signature = bytes.fromhex(request.headers["X-Signature"])
    expected = hmac.new(KEY, request.data, hashlib.sha256).digest()
    if not hmac.compare_digest(signature, expected):
        abort(403)
    return {"items": len(pickle.loads(request.data))}

# === safe: pickle.dumps only
import pickle
from django.http import HttpResponse


def export(request):
    blob = pickle.dumps({"user": request.user.pk, "query": request.GET.get("q")})
    return HttpResponse(blob, content_type="application/octet-stream")

# === safe: numpy without pickle
import io
import numpy as np
from fastapi import FastAPI, Request

app = FastAPI()


@app.post("/vector")
async def vector(request: Request):
    array = np.load(io.BytesIO(await request.body()), allow_pickle=False)
    return {"shape": array.shape}

# === safe: torch weights only
import io
import torch
from fastapi import FastAPI, UploadFile

app = FastAPI()


@app.post("/weights")
async def weights(file: UploadFile):
    state = torch.load(io.BytesIO(await file.read()), weights_only=True)
    return {"layers": len(state)}

# === safe: deep copy through pickle of own object
import pickle

DEFAULTS = {"theme": "light", "columns": ["name", "size"]}


def fresh_defaults():
    return pickle.loads(pickle.dumps(DEFAULTS))

# === safe: itsdangerous loads
import os
from flask import Flask, request
from itsdangerous import URLSafeSerializer

app = Flask(__name__)
serializer = URLSafeSerializer(os.environ["SECRET_KEY"])


@app.get("/confirm")
def confirm():
    return serializer.loads(request.args["token"])

# === safe: ruamel safe type
from flask import Flask, request
from ruamel.yaml import YAML

app = Flask(__name__)
yaml = YAML(typ="safe")


@app.post("/settings")
def settings():
    return dict(yaml.load(request.get_data(as_text=True)))

# === safe: tomllib and configparser
import configparser
import tomllib
from flask import Flask, request

app = Flask(__name__)


@app.post("/project")
def project():
    text = request.get_data(as_text=True)
    if request.args.get("format") == "ini":
        parser = configparser.ConfigParser()
        parser.read_string(text)
        return {"sections": parser.sections()}
    return tomllib.loads(text)

# === safe: ast.literal_eval
import ast
from flask import Flask, request

app = Flask(__name__)


@app.post("/matrix")
def matrix():
    rows = ast.literal_eval(request.form["rows"])
    return {"rows": len(rows)}

# === safe: pickle jar with a load method of its own
from flask import Flask, request

app = Flask(__name__)


class PickleJar:
    def __init__(self):
        self.jars = {}

    def loads(self, label):
        return self.jars.setdefault(label, "empty")


pickle = PickleJar()


@app.post("/jars")
def jars():
    return pickle.loads(request.form["label"])
