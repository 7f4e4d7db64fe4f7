# === vulnerable: tarfile extractall of an uploaded archive
import tarfile
from flask import Flask, request

app = Flask(__name__)


@app.post("/import")
def import_bundle():
    upload = request.files["bundle"]
    with tarfile.open(fileobj=upload.stream, mode="r:gz") as tar:
        tar.extractall("/srv/imports")
    return "ok"

# === vulnerable: tar extractall from argv
import sys
import tarfile


def main():
    archive = tarfile.open(sys.argv[1])
    archive.extractall(path=sys.argv[2])
    archive.close()


if __name__ == "__main__":
    main()

# === vulnerable: zip entries written with os.path.join
import os
import zipfile
from django.http import JsonResponse

TARGET = "/srv/themes"


def install_theme(request):
    with zipfile.ZipFile(request.FILES["theme"]) as zf:
        for info in zf.infolist():
            if info.is_dir():
                continue
            out = os.path.join(TARGET, info.filename)
            os.makedirs(os.path.dirname(out), exist_ok=True)
            with open(out, "wb") as fh:
                fh.write(zf.read(info))
    return JsonResponse({"installed": True})

# === vulnerable: zip namelist with pathlib write_bytes
from pathlib import Path
from zipfile import ZipFile
from fastapi import FastAPI, UploadFile

app = FastAPI()
DEST = Path("/srv/plugins")


@app.post("/plugins")
def plugin(archive: UploadFile):
    with ZipFile(archive.file) as zf:
        for name in zf.namelist():
            (DEST / name).write_bytes(zf.read(name))
    return {"ok": True}

# === vulnerable: tar extract one member at a time
import tarfile
import io
import requests


def fetch_dataset(directory):
    body = requests.get("https://datasets.example.org/latest.tar", timeout=30).content
    with tarfile.open(fileobj=io.BytesIO(body)) as tar:
        for member in tar.getmembers():
            tar.extract(member, directory)

# === vulnerable: fully trusted filter
import tarfile
from aiohttp import web


async def restore(request):
    form = await request.post()
    with tarfile.open(fileobj=form["backup"].file) as tar:
        tar.extractall("/srv/restore", filter="fully_trusted")
    return web.Response(text="restored")

# === vulnerable: shutil.unpack_archive of an uploaded tarball
import shutil
import tempfile
from flask import Flask, request

app = Flask(__name__)


@app.post("/deploy")
def deploy():
    workdir = tempfile.mkdtemp()
    path = workdir + "/site.tar.gz"
    request.files["site"].save(path)
    shutil.unpack_archive(path, "/srv/www/site", "gztar")
    return "deployed"

# === vulnerable: import alias and helper function
import tarfile as tf
import tornado.web
from io import BytesIO


def unpack(data, where):
    handle = tf.open(fileobj=BytesIO(data), mode="r:*")
    handle.extractall(where)


class UploadHandler(tornado.web.RequestHandler):
    def post(self):
        unpack(self.request.files["archive"][0]["body"], "/srv/inbox")
        self.write("done")

# === vulnerable: extractfile copied to the member's own name
import os
import shutil
import tarfile
from flask import Flask, request

app = Flask(__name__)


@app.post("/models")
def models():
    tar = tarfile.open(fileobj=request.files["model"].stream)
    for member in tar:
        if member.isfile():
            source = tar.extractfile(member)
            with open("/srv/models/" + member.name, "wb") as out:
                shutil.copyfileobj(source, out)
    return "stored"

# === vulnerable: TarFile class with suffix check only
import tarfile
from django.http import HttpResponse


class Importer:
    root = "/srv/media"

    def run(self, fileobj):
        with tarfile.TarFile(fileobj=fileobj) as tar:
            images = [m for m in tar.getmembers() if m.name.endswith(".png")]
            tar.extractall(self.root, members=images)


def import_view(request):
    Importer().run(request.FILES["images"])
    return HttpResponse("ok")

# === vulnerable: f-string path from ZipInfo filename
import shutil
import zipfile
from starlette.responses import PlainTextResponse


async def upload(request):
    form = await request.form()
    zf = zipfile.ZipFile(form["archive"].file)
    for entry in zf.infolist():
        with zf.open(entry) as src, open(f"/srv/docs/{entry.filename}", "wb") as dst:
            shutil.copyfileobj(src, dst)
    return PlainTextResponse("ok")

# === safe: tarfile data filter
import tarfile
from flask import Flask, request

app = Flask(__name__)


@app.post("/import")
def import_bundle():
    upload = request.files["bundle"]
    with tarfile.open(fileobj=upload.stream, mode="r:gz") as tar:
        tar.extractall("/srv/imports", filter="data")
    return "ok"

# === safe: data_filter function object
import sys
import tarfile

with tarfile.open(sys.argv[1]) as archive:
    archive.extractall(path="out", filter=tarfile.data_filter)

# === safe: every zip entry checked after realpath
import os
import zipfile
from django.http import HttpResponseBadRequest, JsonResponse

TARGET = os.path.realpath("/srv/themes")


def install_theme(request):
    with zipfile.ZipFile(request.FILES["theme"]) as zf:
        for info in zf.infolist():
            out = os.path.realpath(os.path.join(TARGET, info.filename))
            if not out.startswith(TARGET + os.sep):
                return HttpResponseBadRequest("bad entry")
            if info.is_dir():
                continue
            os.makedirs(os.path.dirname(out), exist_ok=True)
            with open(out, "wb") as fh:
                fh.write(zf.read(info))
    return JsonResponse({"installed": True})

# === safe: is_relative_to on the resolved entry
from pathlib import Path
from zipfile import ZipFile
from fastapi import FastAPI, HTTPException, UploadFile

app = FastAPI()
DEST = Path("/srv/plugins").resolve()


@app.post("/plugins")
def plugin(archive: UploadFile):
    with ZipFile(archive.file) as zf:
        for name in zf.namelist():
            target = (DEST / name).resolve()
            if not target.is_relative_to(DEST):
                raise HTTPException(400, "illegal entry")
            target.write_bytes(zf.read(name))
    return {"ok": True}

# === safe: basename of the member
import os
import shutil
import tarfile
from flask import Flask, request

app = Flask(__name__)


@app.post("/models")
def models():
    tar = tarfile.open(fileobj=request.files["model"].stream)
    for member in tar:
        if member.isfile():
            name = os.path.basename(member.name)
            with open(os.path.join("/srv/models", name), "wb") as out:
                shutil.copyfileobj(tar.extractfile(member), out)
    return "stored"

# === safe: extract with filter per member
import io
import tarfile
import requests


def fetch_dataset(directory):
    body = requests.get("https://datasets.example.org/latest.tar", timeout=30).content
    with tarfile.open(fileobj=io.BytesIO(body)) as tar:
        for member in tar.getmembers():
            tar.extract(member, directory, filter="data")

# === safe: entry read in memory only
import json
import zipfile
from flask import Flask, request, jsonify

app = Flask(__name__)


@app.post("/inspect")
def inspect():
    with zipfile.ZipFile(request.files["package"].stream) as zf:
        manifest = json.loads(zf.read("manifest.json"))
        return jsonify(manifest=manifest, entries=zf.namelist())

# === safe: unpack_archive with filter
import shutil
from flask import Flask, request

app = Flask(__name__)


@app.post("/deploy")
def deploy():
    request.files["site"].save("/srv/tmp/site.tar.gz")
    shutil.unpack_archive("/srv/tmp/site.tar.gz", "/srv/www/site", "gztar", filter="data")
    return "deployed"

# === safe: extractall of a text tool, not an archive
import re
from flask import Flask, request, jsonify

app = Flask(__name__)


class LinkFinder:
    pattern = re.compile(r"https://\S+")

    def extractall(self, text):
        return self.pattern.findall(text)


finder = LinkFinder()


@app.post("/links")
def links():
    return jsonify(finder.extractall(request.form["text"]))

# === safe: only creating an archive
import tarfile
from django.http import FileResponse


def backup(request):
    with tarfile.open("/srv/backup/site.tar.gz", "w:gz") as tar:
        tar.add("/srv/www/site", arcname="site")
    return FileResponse(open("/srv/backup/site.tar.gz", "rb"))

# === safe: pandas series extractall
import pandas as pd
from flask import Flask, request

app = Flask(__name__)


@app.post("/numbers")
def numbers():
    lines = pd.Series(request.form["text"].splitlines())
    return lines.str.extractall(r"(\d+)").to_json()

# === safe: names generated by the program
import uuid
import zipfile
from pathlib import Path
from fastapi import FastAPI, UploadFile

app = FastAPI()
DEST = Path("/srv/photos")


@app.post("/photos")
def photos(archive: UploadFile):
    stored = []
    with zipfile.ZipFile(archive.file) as zf:
        for info in zf.infolist():
            target = DEST / f"{uuid.uuid4()}.jpg"
            target.write_bytes(zf.read(info))
            stored.append(target.name)
    return stored
