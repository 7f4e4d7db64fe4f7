# === vulnerable: os.system with a flask argument
import os
from flask import Flask, request

app = Flask(__name__)


@app.route("/ping")
def ping():
    host = request.args.get("host")
    code = os.system("ping -c 1 " + host)
    return {"reachable": code == 0}

# === vulnerable: subprocess.run shell=True with an f-string
import subprocess
from flask import Flask, request

app = Flask(__name__)


@app.post("/convert")
def convert():
    name = request.form["filename"]
    result = subprocess.run(
        f"convert uploads/{name} out.png", shell=True, capture_output=True, text=True
    )
    return {"stderr": result.stderr}

# === vulnerable: check_output alias with format and shell
from subprocess import check_output as run_cmd
from django.http import HttpResponse


def whois(request):
    domain = request.GET["domain"]
    command = "whois {}".format(domain)
    return HttpResponse(run_cmd(command, shell=True), content_type="text/plain")

# === vulnerable: asyncio create_subprocess_shell in fastapi
import asyncio
from fastapi import FastAPI

app = FastAPI()


@app.get("/disk/{path:path}")
async def disk_usage(path: str):
    proc = await asyncio.create_subprocess_shell(
        f"du -sh {path}", stdout=asyncio.subprocess.PIPE
    )
    out, _ = await proc.communicate()
    return {"usage": out.decode()}

# === vulnerable: argument list that still goes through sh -c
import subprocess
import tornado.web


class ArchiveHandler(tornado.web.RequestHandler):
    def post(self):
        folder = self.get_body_argument("folder")
        cmd = "tar czf /tmp/backup.tgz %s" % folder
        subprocess.check_call(["/bin/sh", "-c", cmd])
        self.write("done")

# === vulnerable: os.popen through a helper of the same file
import os
from flask import Flask, request

app = Flask(__name__)


def shell(command):
    with os.popen(command) as stream:
        return stream.read()


@app.route("/git/log")
def git_log():
    branch = request.args.get("branch", "main")
    parts = ["git", "log", "--oneline", branch]
    return shell(" ".join(parts)), 200, {"Content-Type": "text/plain"}

# === vulnerable: class attribute holds the command and argv is the source
import subprocess
import sys


class Deployer:
    def __init__(self, target):
        self.command = "rsync -a build/ " + target

    def run(self):
        subprocess.Popen(self.command, shell=True).wait()


if __name__ == "__main__":
    Deployer(sys.argv[1]).run()

# === vulnerable: program chosen by the client
import subprocess
from aiohttp import web


async def run_tool(request: web.Request) -> web.Response:
    data = await request.json()
    tool = data["tool"]
    output = subprocess.check_output([tool, "--version"])
    return web.Response(body=output)


app = web.Application()
app.router.add_post("/tools", run_tool)

# === vulnerable: subprocess.getoutput with a header
import subprocess
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route


async def trace(request):
    target = request.headers.get("x-target", "localhost")
    return PlainTextResponse(subprocess.getoutput("traceroute " + target))


app = Starlette(routes=[Route("/trace", trace)])

# === vulnerable: paramiko exec_command with user text
import paramiko
from flask import Flask, request

app = Flask(__name__)


@app.post("/restart")
def restart():
    service = request.json["service"]
    client = paramiko.SSHClient()
    client.load_system_host_keys()
    client.connect("worker-1")
    _, stdout, _ = client.exec_command(f"systemctl restart {service}")
    return {"output": stdout.read().decode()}

# === safe: argument list without a shell
import subprocess
from flask import Flask, abort, request

app = Flask(__name__)


@app.route("/ping")
def ping():
    host = request.args.get("host", "")
    result = subprocess.run(["ping", "-c", "1", "--", host], capture_output=True)
    return {"reachable": result.returncode == 0}

# === safe: shlex.quote around the value
import shlex
import subprocess
from flask import Flask, request

app = Flask(__name__)


@app.post("/lines")
def lines():
    name = request.form["filename"]
    command = f"sort -- {shlex.quote(name)} | uniq -c"
    return subprocess.check_output(command, shell=True)

# === safe: constant command with shell=True
import subprocess
from django.http import HttpResponse


def uptime(request):
    command = "uptime | awk '{print $3}'"
    return HttpResponse(subprocess.check_output(command, shell=True))

# === safe: allow-listed action picks the argument vector
import subprocess
from fastapi import FastAPI, HTTPException

app = FastAPI()
ACTIONS = {"status": ["systemctl", "status", "nginx"], "reload": ["systemctl", "reload", "nginx"]}


@app.post("/nginx/{action}")
def nginx(action: str):
    argv = ACTIONS.get(action)
    if argv is None:
        raise HTTPException(404)
    return {"code": subprocess.run(argv).returncode}

# === safe: create_subprocess_exec with separate arguments
import asyncio
from aiohttp import web


async def count_words(request: web.Request) -> web.Response:
    text = await request.read()
    proc = await asyncio.create_subprocess_exec(
        "wc", "-w", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await proc.communicate(text)
    return web.Response(body=out)

# === safe: int conversion inside a shell command
import os
from flask import Flask, request

app = Flask(__name__)


@app.route("/tail")
def tail():
    count = int(request.args.get("n", "10"))
    with os.popen(f"tail -n {count} /var/log/app.log | sort") as stream:
        return stream.read(), 200, {"Content-Type": "text/plain"}

# === safe: system method of an unrelated object
from flask import Flask, request


class Planet:
    def __init__(self, name):
        self.name = name

    def system(self, star):
        return f"{self.name} orbits {star}"


app = Flask(__name__)
earth = Planet("Earth")


@app.route("/orbit")
def orbit():
    return {"text": earth.system("star " + request.args.get("star", "Sun"))}

# === safe: membership check before the shell command
import subprocess
from flask import Flask, abort, request

app = Flask(__name__)
BRANCHES = ("main", "develop", "release")


@app.route("/git/log")
def git_log():
    branch = request.args.get("branch", "main")
    if branch not in BRANCHES:
        abort(404)
    return subprocess.check_output(f"git log --oneline {branch} | head -20", shell=True)

# === safe: fullmatch of a strict pattern before use
import re
import subprocess
from django.http import HttpResponse, HttpResponseBadRequest


def lookup(request):
    domain = request.GET.get("domain", "")
    if not re.fullmatch(r"[a-z0-9]+(\.[a-z0-9]+)+", domain):
        return HttpResponseBadRequest("bad domain")
    out = subprocess.run(["whois", domain], capture_output=True).stdout
    return HttpResponse(out, content_type="text/plain")
