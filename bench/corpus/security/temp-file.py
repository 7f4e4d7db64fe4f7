# === vulnerable: tempfile.mktemp then open
import tempfile


def export_rows(rows):
    name = tempfile.mktemp(suffix=".csv")
    with open(name, "w") as fh:
        for row in rows:
            fh.write(",".join(row) + "\n")
    return name

# === vulnerable: from-import mktemp
import subprocess
from tempfile import mktemp


def screenshot(url):
    out = mktemp(".png", "shot-")
    subprocess.run(["wkhtmltoimage", url, out], check=True)
    return out

# === vulnerable: fixed name in /tmp written
import json


def save_state(state):
    with open("/tmp/myapp-state.json", "w") as fh:
        json.dump(state, fh)

# === vulnerable: gettempdir joined with a fixed name
import os
import tempfile


def write_pid():
    path = os.path.join(tempfile.gettempdir(), "worker.pid")
    with open(path, "w") as fh:
        fh.write(str(os.getpid()))
    return path

# === vulnerable: process id in the name
import os
import shutil


def cache_upload(stream):
    target = "/tmp/upload-%d.bin" % os.getpid()
    with open(target, "wb") as out:
        shutil.copyfileobj(stream, out)
    return target

# === vulnerable: timestamp in an f-string
import time
from flask import Flask, request

app = Flask(__name__)


@app.post("/convert")
def convert():
    path = f"/var/tmp/convert_{int(time.time())}.html"
    with open(path, "wb") as fh:
        fh.write(request.data)
    return {"path": path}

# === vulnerable: pathlib write_text under /tmp
from pathlib import Path


def dump_token(token):
    Path("/tmp/session_token.txt").write_text(token)

# === vulnerable: import alias of mktemp module
import tempfile as tf
import sqlite3


class ScratchDatabase:
    def __init__(self):
        self.path = tf.mktemp(prefix="scratch", dir="/tmp")
        self.connection = sqlite3.connect(self.path)

# === vulnerable: os.open without exclusive flag
import os


def append_log(line):
    fd = os.open("/tmp/installer.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.write(fd, line.encode())
    os.close(fd)

# === vulnerable: existence check before the write
import os


def store_key(key):
    path = "/tmp/deploy_key"
    if not os.path.exists(path):
        with open(path, "wb") as fh:
            fh.write(key)
    return path

# === safe: NamedTemporaryFile
import tempfile


def export_rows(rows):
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as fh:
        for row in rows:
            fh.write(",".join(row) + "\n")
        return fh.name

# === safe: mkstemp with fdopen
import os
import tempfile


def save_blob(blob):
    fd, path = tempfile.mkstemp(suffix=".bin")
    with os.fdopen(fd, "wb") as fh:
        fh.write(blob)
    return path

# === safe: TemporaryDirectory with a fixed name inside
import os
import subprocess
import tempfile


def screenshot(url):
    with tempfile.TemporaryDirectory() as workdir:
        out = os.path.join(workdir, "shot.png")
        subprocess.run(["wkhtmltoimage", url, out], check=True)
        with open(out, "rb") as fh:
            return fh.read()

# === safe: mkdtemp with a fixed name inside
import json
import os
import tempfile


def save_state(state):
    directory = tempfile.mkdtemp(prefix="myapp-")
    path = os.path.join(directory, "state.json")
    with open(path, "w") as fh:
        json.dump(state, fh)
    return path

# === safe: SpooledTemporaryFile
import shutil
import tempfile


def buffer_upload(stream):
    spool = tempfile.SpooledTemporaryFile(max_size=1 << 20)
    shutil.copyfileobj(stream, spool)
    spool.seek(0)
    return spool

# === safe: word mktemp in a log message
import logging
import tempfile

log = logging.getLogger(__name__)


def scratch():
    log.info("replaced mktemp() and /tmp/out.txt by a private file")
    return tempfile.TemporaryFile()

# === safe: state in the application's own directory
import json
from pathlib import Path

STATE_DIR = Path("/var/lib/myapp")


def save_state(state):
    (STATE_DIR / "state.json").write_text(json.dumps(state))

# === safe: mktemp as a method of a fixture object
class ScratchPad:
    def __init__(self):
        self.entries = []

    def mktemp(self, label):
        self.entries.append(label)
        return len(self.entries)


pad = ScratchPad()
print(pad.mktemp("draft"))

# === safe: exclusive creation with a random name and private mode
import os
import secrets


def store_key(key):
    path = f"/tmp/key-{secrets.token_hex(16)}"
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(fd, "wb") as fh:
        fh.write(key)
    return path

# === safe: name under the build directory of the project
import os

PROJECT = os.path.dirname(os.path.abspath(__file__))


def write_report(text):
    path = os.path.join(PROJECT, "build", "report.txt")
    with open(path, "w") as fh:
        fh.write(text)
