# === vulnerable: flask args filename opened through os.path.join
import os
from flask import Flask, request

app = Flask(__name__)
REPORT_DIR = "/srv/reports"


@app.route("/report")
def show_report():
    name = request.args.get("name")
    path = os.path.join(REPORT_DIR, name)
    with open(path) as fh:
        return fh.read()

# === vulnerable: flask path converter handed to send_file
from flask import Flask, send_file

app = Flask(__name__)


@app.route("/download/<path:filename>")
def download(filename):
    return send_file("/var/data/exports/" + filename, as_attachment=True)

# === vulnerable: django view with pathlib division and read_bytes
from pathlib import Path
from django.http import HttpResponse

MEDIA = Path("/srv/media")


def attachment(request):
    target = MEDIA / request.GET["file"]
    return HttpResponse(target.read_bytes(), content_type="application/octet-stream")

# === vulnerable: django FileResponse with f-string
from django.http import FileResponse


def invoice(request):
    number = request.GET.get("number", "")
    return FileResponse(open(f"/srv/invoices/{number}.pdf", "rb"))

# === vulnerable: fastapi path parameter to FileResponse
from fastapi import FastAPI
from fastapi.responses import FileResponse

app = FastAPI()


@app.get("/assets/{asset_path:path}")
async def asset(asset_path: str):
    return FileResponse("static/" + asset_path)

# === vulnerable: fastapi upload saved under the client's filename
import shutil
from fastapi import FastAPI, UploadFile

app = FastAPI()


@app.post("/upload")
def upload(file: UploadFile):
    destination = f"/srv/uploads/{file.filename}"
    with open(destination, "wb") as out:
        shutil.copyfileobj(file.file, out)
    return {"stored": destination}

# === vulnerable: flask upload saved with raw filename
import os
from flask import Flask, request

app = Flask(__name__)
app.config["UPLOAD_FOLDER"] = "/srv/uploads"


@app.post("/avatar")
def avatar():
    upload = request.files["avatar"]
    upload.save(os.path.join(app.config["UPLOAD_FOLDER"], upload.filename))
    return "", 204

# === vulnerable: aiohttp match_info in FileResponse
from aiohttp import web


async def serve(request):
    name = request.match_info["name"]
    return web.FileResponse("./public/%s" % name)


app = web.Application()
app.add_routes([web.get("/files/{name:.+}", serve)])

# === vulnerable: tornado get_argument and os.remove
import os
import tornado.web


class DeleteHandler(tornado.web.RequestHandler):
    def post(self):
        doc = self.get_argument("doc")
        os.remove("/srv/docs/" + doc)
        self.write("deleted")

# === vulnerable: starlette query param through a helper function
import os
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

BASE = "/var/log/myapp"


def read_log(filename):
    with open(os.path.join(BASE, filename), encoding="utf-8") as fh:
        return fh.read()


async def logs(request):
    return PlainTextResponse(read_log(request.query_params["file"]))


app = Starlette(routes=[Route("/logs", logs)])

# === vulnerable: normpath without any containment check
import os
from flask import Flask, request, abort

app = Flask(__name__)


@app.get("/page")
def page():
    wanted = os.path.normpath("/srv/pages/" + request.args["p"])
    if not os.path.exists(wanted):
        abort(404)
    with open(wanted) as fh:
        return fh.read()

# === vulnerable: shutil.copy from json body
import shutil
from flask import Flask, request, jsonify

app = Flask(__name__)


@app.post("/templates/clone")
def clone():
    body = request.get_json()
    source = "/srv/templates/{}".format(body["template"])
    shutil.copy(source, "/srv/workspace/current.html")
    return jsonify(ok=True)

# === vulnerable: dot-dot stripped once with replace
from flask import Flask, request

app = Flask(__name__)


@app.get("/help")
def help_page():
    topic = request.args.get("topic", "index").replace("../", "")
    with open("/srv/help/" + topic) as fh:
        return fh.read()

# === vulnerable: shutil.rmtree in a django class based view
import os
import shutil
from django.http import JsonResponse
from django.views import View


class WorkspaceView(View):
    root = "/srv/workspaces"

    def delete(self, request, *args, **kwargs):
        shutil.rmtree(os.path.join(self.root, request.GET.get("workspace")))
        return JsonResponse({"ok": True})

# === vulnerable: cookie value chooses the file
from flask import Flask, request

app = Flask(__name__)


@app.route("/theme.css")
def theme():
    parts = ["/srv/themes", request.cookies.get("theme", "light")]
    with open("/".join(parts), "r") as css:
        return css.read(), 200, {"Content-Type": "text/css"}

# === vulnerable: aiofiles in fastapi
import aiofiles
from fastapi import FastAPI, Query

app = FastAPI()


@app.get("/notes")
async def get_note(title: str = Query(...)):
    async with aiofiles.open(f"notes/{title}", mode="r") as fh:
        return {"text": await fh.read()}

# === safe: flask send_from_directory
from flask import Flask, send_from_directory

app = Flask(__name__)


@app.route("/download/<path:filename>")
def download(filename):
    return send_from_directory("/var/data/exports", filename, as_attachment=True)

# === safe: secure_filename before save
import os
from flask import Flask, request
from werkzeug.utils import secure_filename

app = Flask(__name__)
app.config["UPLOAD_FOLDER"] = "/srv/uploads"


@app.post("/avatar")
def avatar():
    upload = request.files["avatar"]
    name = secure_filename(upload.filename)
    upload.save(os.path.join(app.config["UPLOAD_FOLDER"], name))
    return "", 204

# === safe: realpath with commonpath check
import os
from flask import Flask, request, abort

app = Flask(__name__)
BASE = os.path.realpath("/srv/reports")


@app.route("/report")
def report():
    path = os.path.realpath(os.path.join(BASE, request.args["name"]))
    if os.path.commonpath([BASE, path]) != BASE:
        abort(403)
    with open(path) as fh:
        return fh.read()

# === safe: pathlib resolve and is_relative_to
from pathlib import Path
from django.http import Http404, HttpResponse

MEDIA = Path("/srv/media").resolve()


def attachment(request):
    target = (MEDIA / request.GET["file"]).resolve()
    if not target.is_relative_to(MEDIA):
        raise Http404
    return HttpResponse(target.read_bytes())

# === safe: realpath with startswith base plus separator
import os
from fastapi import FastAPI, HTTPException
from fastapi.responses import FileResponse

app = FastAPI()
ROOT = os.path.realpath("static")


@app.get("/assets/{asset_path:path}")
async def asset(asset_path: str):
    full = os.path.realpath(os.path.join(ROOT, asset_path))
    if not full.startswith(ROOT + os.sep):
        raise HTTPException(status_code=404)
    return FileResponse(full)

# === safe: basename only
import os
from flask import Flask, request, send_file

app = Flask(__name__)


@app.get("/receipt")
def receipt():
    name = os.path.basename(request.args["name"])
    return send_file("/srv/receipts/" + name + ".pdf")

# === safe: dictionary allow-list
from flask import Flask, request, abort, send_file

app = Flask(__name__)
DOCUMENTS = {
    "terms": "/srv/docs/terms.pdf",
    "privacy": "/srv/docs/privacy.pdf",
}


@app.get("/doc")
def doc():
    path = DOCUMENTS.get(request.args.get("id"))
    if path is None:
        abort(404)
    return send_file(path)

# === safe: integer id in the name
from django.http import FileResponse


def invoice(request):
    number = int(request.GET["number"])
    return FileResponse(open(f"/srv/invoices/{number}.pdf", "rb"))

# === safe: membership test in a constant set
from aiohttp import web

PAGES = {"about", "contact", "faq"}


async def serve(request):
    name = request.match_info["name"]
    if name not in PAGES:
        raise web.HTTPNotFound()
    return web.FileResponse("./public/" + name + ".html")

# === safe: generated uuid name for the upload
import shutil
import uuid
from fastapi import FastAPI, UploadFile

app = FastAPI()


@app.post("/upload")
def upload(file: UploadFile):
    destination = f"/srv/uploads/{uuid.uuid4().hex}.bin"
    with open(destination, "wb") as out:
        shutil.copyfileobj(file.file, out)
    return {"original": file.filename}

# === safe: relative_to raising ValueError in a helper
from pathlib import Path
from flask import Flask, request, abort

app = Flask(__name__)
BASE = Path("/srv/wiki").resolve()


def contained(name):
    candidate = (BASE / name).resolve()
    try:
        candidate.relative_to(BASE)
    except ValueError:
        abort(400)
    return candidate


@app.get("/wiki")
def wiki():
    return contained(request.args["page"]).read_text()

# === safe: strict regular expression
import re
from flask import Flask, request, abort

app = Flask(__name__)


@app.get("/lang")
def lang():
    code = request.args.get("code", "en")
    if not re.fullmatch(r"[a-z]{2}", code):
        abort(400)
    with open(f"/srv/i18n/{code}.json") as fh:
        return fh.read()

# === safe: werkzeug safe_join
from flask import Flask, request, abort, send_file
from werkzeug.security import safe_join

app = Flask(__name__)


@app.get("/file")
def get_file():
    path = safe_join("/srv/files", request.args["name"])
    if path is None:
        abort(404)
    return send_file(path)

# === safe: constant path while the request only fills the content
import os
from flask import Flask, request

app = Flask(__name__)
LOG = os.path.join("/var/log", "feedback.txt")


@app.post("/feedback")
def feedback():
    with open(LOG, "a") as fh:
        fh.write(request.form["message"] + "\n")
    return "thanks"

# === safe: open method of another object
from flask import Flask, request

app = Flask(__name__)


class Shop:
    def __init__(self):
        self.state = {}

    def open(self, name):
        self.state[name] = "open"
        return self.state


shop = Shop()


@app.post("/shops/open")
def open_shop():
    return shop.open(request.form["name"])

# === safe: django default storage
from django.core.files.storage import default_storage
from django.http import HttpResponse


def avatar(request):
    saved = default_storage.save("avatars/latest.png", request.FILES["avatar"])
    return HttpResponse(default_storage.url(saved))

# === safe: uuid route parameter
from uuid import UUID
from fastapi import FastAPI
from fastapi.responses import FileResponse

app = FastAPI()


@app.get("/exports/{export_id}")
def export(export_id: UUID):
    return FileResponse(f"/srv/exports/{export_id}.csv")

# === vulnerable: the check looks at another variable than the one opened
import os
from flask import Flask, request, abort

app = Flask(__name__)
BASE = os.path.realpath("/srv/reports")


@app.get("/report")
def report():
    folder = os.path.realpath(os.path.join(BASE, request.args["folder"]))
    if not folder.startswith(BASE + os.sep):
        abort(403)
    with open(os.path.join(BASE, request.args["name"])) as fh:
        return fh.read()

# === vulnerable: containment tested before resolving
import os
from flask import Flask, request, abort

app = Flask(__name__)


@app.get("/doc")
def doc():
    path = os.path.join("/srv/docs", request.args["name"])
    if not path.startswith("/srv/docs"):
        abort(403)
    with open(path, "rb") as fh:
        return fh.read()

# === vulnerable: tornado path argument of the handler method
import os
import tornado.web


class FileHandler(tornado.web.RequestHandler):
    root = "/srv/shared"

    def get(self, name):
        with open(os.path.join(self.root, name), "rb") as fh:
            self.finish(fh.read())


application = tornado.web.Application([(r"/files/(.*)", FileHandler)])

# === vulnerable: the failed check only logs
import logging
from pathlib import Path
from fastapi import FastAPI

app = FastAPI()
ROOT = Path("/srv/notes").resolve()
log = logging.getLogger(__name__)


@app.get("/notes/{name:path}")
def note(name: str):
    target = (ROOT / name).resolve()
    if not target.is_relative_to(ROOT):
        log.warning("outside of root: %s", target)
    return {"text": target.read_text()}

# === vulnerable: io.open with walrus in a class helper
import io
from django.http import HttpResponse
from django.views import View


class SnippetView(View):
    folder = "/srv/snippets"

    def _load(self, key):
        with io.open(self.folder + "/" + key, encoding="utf-8") as fh:
            return fh.read()

    def get(self, request):
        if (key := request.GET.get("key")) is None:
            return HttpResponse(status=400)
        return HttpResponse(self._load(key))

# === vulnerable: os.listdir of a requested directory
import os
from flask import Flask, jsonify, request

app = Flask(__name__)


@app.get("/browse")
def browse():
    where = request.values["dir"]
    return jsonify(os.listdir("/srv/public/" + where))

# === safe: request value only decides the download name
from flask import Flask, request, send_file

app = Flask(__name__)


@app.get("/statement")
def statement():
    title = request.args.get("title", "statement")
    return send_file("/srv/static/statement.pdf", download_name=title + ".pdf")

# === safe: match statement picks a constant
from flask import Flask, abort, request

app = Flask(__name__)


@app.get("/page")
def page():
    match request.args.get("p"):
        case "about":
            path = "/srv/pages/about.html"
        case "faq":
            path = "/srv/pages/faq.html"
        case _:
            abort(404)
    with open(path) as fh:
        return fh.read()

# === safe: tainted name overwritten before use
from flask import Flask, request

app = Flask(__name__)


@app.get("/banner")
def banner():
    name = request.args.get("name")
    print("requested", name)
    name = "default.txt"
    with open("/srv/banners/" + name) as fh:
        return fh.read()

# === safe: hashed key as the file name
import hashlib
from pathlib import Path
from flask import Flask, request

app = Flask(__name__)
CACHE = Path("/srv/cache")


@app.get("/thumb")
def thumb():
    digest = hashlib.sha256(request.args["url"].encode()).hexdigest()
    return (CACHE / digest).read_bytes()
